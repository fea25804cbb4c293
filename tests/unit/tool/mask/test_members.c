/* The family of variants: each member draws the colour that its size, derived by hand, gives. A
 * scene with a slightly smaller or larger deviation pins the size. */
#include "unit/tool/command.h"

#include "tool/image/image.h"
#include "tool/mask/mask.h"
#include "util/variant.h"

#define RECTANGLE(left, top, right, bottom)                                                        \
    "fvf XYZRHW|DIFFUSE\nvertices { " left " " top " 0 1 ffff0000  " right " " top                 \
    " 0 1 ffff0000\n" left " " bottom " 0 1 ffff0000  " right " " bottom                           \
    " 0 1 ffff0000 }\ndraw trianglestrip"
/* A line from 2,y0 to 10,y1. */
#define SLOPE(y0, y1)                                                                              \
    "fvf XYZRHW|DIFFUSE\n"                                                                         \
    "vertices { 2 " y0 " 0 1 ffff0000  10 " y1 " 0 1 ffff0000 }\ndraw linelist"
#define POINT(size)                                                                                \
    "state POINTSIZE=" size "\nfvf XYZRHW|DIFFUSE\nvertices { 10 8 0 1 ffff0000 }\ndraw pointlist"
#define SHADER(text) "shader ps { ps_2_0\n" text "\nmov oC0, r0 }\nquad"

/* Texels from 0 to 1 along u in red and along v in green. 128/512 is the centre of the first one of
 * two. The shader multiplies by 8 and subtracts 2.08, so that 78/256 gives 91 codes, and the next
 * step 99. */
#define RAMP_BY(instruction, coordinates)                                                          \
    "texture 0 2x2 A8R8G8B8 levels=1 { texels ff000000 ffff0000 ff00ff00 ffffff00 }\n"             \
    "sampler 0 MINFILTER=LINEAR MAGFILTER=LINEAR\nshader ps { ps_2_0\ndcl t0\ndcl_2d s0\n"         \
    "def c0, 8, -2.08, 0, 0\n" instruction " r0, t0, s0\nmad r0, r0, c0.x, c0.y\n"                 \
    "mov oC0, r0 }\nquad " coordinates
#define RAMP(u, v) RAMP_BY("texld", "uv=" u "," v "," u "," v)

/* A texture of 8x8 texels, whose level n is grey of 85 n. The shader multiplies what lies beyond 85
 * by `gain` and adds 102. dx: derivative along x, in coordinates; dy: a register. */
#define LEVELS(dx, dy, gain)                                                                       \
    "texture 0 8x8 A8R8G8B8 levels=4 { level 0 solid ff000000 level 1 solid ff555555\n"            \
    "level 2 solid ffaaaaaa level 3 solid ffffffff }\n"                                            \
    "sampler 0 MINFILTER=LINEAR MAGFILTER=LINEAR MIPFILTER=LINEAR\n"                               \
    "shader ps { ps_3_0\ndcl_2d s0\ndef c0, 0.5, 0, -0.33333333, 0.4\ndef c1, " dx ", " gain       \
    ", 0\n"                                                                                        \
    "texldd r0, c0.x, s0, c1, " dy "\nadd r0, r0, c0.z\nmad r0, r0, c1.z, c0.w\nmov oC0, r0 }\n"   \
    "shader vs { vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0 }\nquad"

static const struct {
    const char *variants, *target, *commands;
    unsigned x, y;
    const char
        *colours; /* of the reference ("-") and of members; the others have the reference's */
} rows[] = {
    /* Edges: on a centre, 1/256 pixel beyond it, 2/256 beyond it, and before it. */
    {"snap-", "A8R8G8B8", RECTANGLE("4", "2.5", "8", "5.5"), 4, 4,
     "- ff0000 snap-ne 000000 snap-se 000000"},
    {"snap-", "A8R8G8B8", RECTANGLE("4.00390625", "2.5", "8", "5.5"), 4, 4,
     "- 000000 snap-nw ff0000 snap-sw ff0000"},
    {"snap-", "A8R8G8B8", RECTANGLE("4.0078125", "2.5", "8", "5.5"), 4, 4, "- 000000"},
    {"snap-", "A8R8G8B8", RECTANGLE("3.99609375", "2.5", "8", "5.5"), 4, 4, "- ff0000"},
    {"snap-", "A8R8G8B8", RECTANGLE("3.5", "3", "8.5", "5"), 4, 3,
     "- ff0000 snap-sw 000000 snap-se 000000"},
    {"snap-", "A8R8G8B8", RECTANGLE("3.5", "3.00390625", "8.5", "5"), 4, 3,
     "- 000000 snap-nw ff0000 snap-ne ff0000"},
    {"snap-", "A8R8G8B8", RECTANGLE("3.5", "3.0078125", "8.5", "5"), 4, 3, "- 000000"},
    {"snap-", "A8R8G8B8", RECTANGLE("3.5", "2.99609375", "8.5", "5"), 4, 3, "- ff0000"},
    /* Pixel 6,7 is 0.7, 0.715 and 0.734 above lines at 45 degrees, half of whose height is 0.707,
       or 0.729. */
    {"line-", "A8R8G8B8", SLOPE("2.30078125", "10.30078125"), 6, 7,
     "- 000000 line-rectangle ff0000 line-wide ff0000"},
    {"line-", "A8R8G8B8", SLOPE("2.28515625", "10.28515625"), 6, 7, "- 000000 line-wide ff0000"},
    {"line-", "A8R8G8B8", SLOPE("2.265625", "10.265625"), 6, 7, "- 000000"},
    /* The right side is at 12.19 and 12.21. */
    {"point-", "A8R8G8B8", POINT("4.38"), 12, 8, "- ff0000 point-far 000000"},
    {"point-", "A8R8G8B8", POINT("4.42"), 12, 8, "- ff0000"},
    /* Pixel 7,6 is sqrt(1/2) from a line at 45 degrees: its area is 1/4, and 1 less the distance
       0.293. */
    {"coverage-", "A8R8G8B8",
     "state ANTIALIASEDLINEENABLE=1 ALPHABLENDENABLE=1 SRCBLEND=SRCALPHA DESTBLEND=INVSRCALPHA\n"
     "fvf XYZRHW|DIFFUSE\nvertices { 2 2 0 1 ffff0000  12 12 0 1 ffff0000 }\ndraw linelist",
     7, 6, "- 400000 coverage-distance 4b0000 coverage-mirrored 350000"},
    /* The edge is at 10.35, so three of four samples are covered: at 9.875, 9.625 and 10.125. A
     * gradient reaches 255 at the edge: 249, 252 and, at the centre, 251. */
    {"centroid-", "A8R8G8B8 samples=4",
     "state CULLMODE=NONE\nfvf XYZRHW|DIFFUSE\nvertices { -10 8 0 1 ff000000\n"
     "10.3515625 -40 0 1 ffff0000  10.3515625 60 0 1 ffff0000 }\ndraw trianglelist\n"
     "surface plain 32x16 A8R8G8B8 target\nstretchrect target plain\nread plain",
     10, 8, "- bb0000 centroid-centre bc0000 centroid-last bd0000"},
    /* u is 78.25/256 texel beyond the first one, v 78.75/256; the nearest 1/64 is 80/256. */
    {"texel-", "A8R8G8B8", RAMP("0.40283203125", "0.40380859375"), 0, 0,
     "- 5b6300 texel-down 5b5b00 texel-up 636300 texel-up-down 635b00 texel-coarse 6b6b00"},
    {"ellipse-", "A8R8G8B8", RAMP("0.40283203125", "0.40380859375"), 0, 0,
     "- 5b6300 ellipse-down 5b5b00 ellipse-up 636300 ellipse-up-down 635b00"},
    /* 78 + 3/64, which an error of 1/16 takes below 78, and 78 + 3/32 */
    {"texel-down", "A8R8G8B8", RAMP("0.40243530273", "0.40252685547"), 0, 0,
     "- 5b5b00 texel-down 535b00 texel-down-up 536300"},
    {"lod-", "A8R8G8B8", LEVELS("0.25, 0", "c0.y", "16"), 0, 0,
     "- 666666 lod-up 7b7b7b lod-down 515151 lod-log 262626"},
    /* Of length 2, by components of sqrt 2: as max + 11/32 min it is 1.9004, whose logarithm is
       0.9263. */
    {"lod-", "A8R8G8B8", LEVELS("0.1767766953, 0.1767766953", "c0.y", "8"), 0, 0,
     "- 666666 lod-up 717171 lod-down 5b5b5b lod-log 464646 lod-octagon 343434 lod-ellipse 343434 "
     "lod-mirrored 989898"},
    {"ellipse-", "A8R8G8B8", LEVELS("0.1767766953, 0.1767766953", "c0.y", "8"), 0, 0,
     "- 666666 ellipse-down 343434 ellipse-up 343434 ellipse-down-up 343434 ellipse-up-down "
     "343434"},
    /* Two derivatives of 2,0: the footprint is sqrt 8 long. */
    {"lod-", "A8R8G8B8", LEVELS("0.25, 0", "c1", "2"), 0, 0,
     "- 666666 lod-up 696969 lod-down 636363 lod-log 5e5e5e lod-ellipse bbbbbb"},
    {"ellipse-", "A8R8G8B8", LEVELS("0.25, 0", "c1", "2"), 0, 0,
     "- 666666 ellipse-down bbbbbb ellipse-up bbbbbb ellipse-down-up bbbbbb ellipse-up-down "
     "bbbbbb"},
    /* Three taps, the last of which is at texel 3.65: 0.15 of it are white, from 3.5 to 4.5. Pairs
     * of them are at 4.15 or 4.45 and weigh a sixth. Six reach to 3.9, and three on a short line
     * to 3.55. */
    {"probes-", "A8R8G8B8",
     "texture 0 8x1 A8R8G8B8 levels=1 { texels ff000000 ff000000 ff000000 ff000000 ffffffff\n"
     "ffffffff ffffffff ffffffff }\nsampler 0 MINFILTER=ANISOTROPIC MAGFILTER=LINEAR "
     "MAXANISOTROPY=16\nshader ps { ps_3_0\ndcl_2d s0\n"
     "def c0, 0.33125, 0.5, 0.375, 0\ndef c1, 0, 1, 0, 0\n"
     "texldd r0, c0, s0, c0.zwww, c1\nmov oC0, r0 }\n"
     "shader vs { vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0 }\nquad",
     0, 0,
     "- 0d0d0d probes-pairs 1c1c1c probes-wide 282828 probes-more 111111 probes-fewer 040404"},
    /* 2^-21 times 2^19, plus 0.4 */
    {"function-", "A8R8G8B8",
     SHADER("def c0, 1, -1, 524288, 0.4\nmov r1, c0\nrcp r0, r1.x\nadd r0, r0, c0.y\n"
            "mad r0, r0, c0.z, c0.w"),
     0, 0, "- 666666 function-up a6a6a6 function-down 262626"},
    /* Five functions whose results are 1; the sum of what they lack times 2^17, plus 0.4 */
    {"function-", "A8R8G8B8",
     SHADER("def c0, 1, 2, 0, -5\ndef c1, 131072, 0.4, 0, 0\ndef c2, 1, 0, 0, 0\nmov r1, c0\n"
            "mov r3, c2\nrsq r0, r1.x\nexp r2, r1.z\nadd r0, r0, r2\nlog r2, r1.y\n"
            "add r0, r0, r2\npow r2, r1.x, r1.x\nadd r0, r0, r2\nnrm r2, r3\n"
            "add r0.x, r0, r2\nadd r0.x, r0, c0.w\nmad r0, r0.x, c1.x, c1.y"),
     0, 0, "- 666666 function-up b6b6b6 function-down 161616"},
    /* A quotient of 16384 + 103/256, which is off by 2^-7: by four steps of 1/256 texel */
    {"function-", "A8R8G8B8", RAMP_BY("texldp", "uvwq=16384.40234375,16384.40234375,0,1"), 0, 0,
     "- 5b5b00 function-up 7b7b00 function-down 3b3b00"},
    /* The sine of 0, times 256, plus 0.4 */
    {"function-", "A8R8G8B8",
     "shader ps { ps_3_0\ndef c0, 0, 256, 0.4, 0\nmov r1, c0\nsincos r0.y, r1.x\n"
     "mad r0, r0.y, c0.y, c0.z\nmov oC0, r0 }\n"
     "shader vs { vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0 }\nquad",
     0, 0, "- 666666 function-up 9a9a9a function-down 323232"},
    /* The cosine of 0, less 1 */
    {"function-", "A8R8G8B8",
     "shader ps { ps_3_0\ndef c0, 0, 256, -255.6, 0\nmov r1, c0\nsincos r0.x, r1.x\n"
     "mad r0, r0.x, c0.y, c0.z\nmov oC0, r0 }\n"
     "shader vs { vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0 }\nquad",
     0, 0, "- 666666 function-up 9a9a9a function-down 323232"},
    /* 2^24 + 1 - 2^24, of which the 1 is lost unless it is added last */
    {"function-", "A8R8G8B8",
     SHADER("def c0, 16777216, 1, -16777216, 0\ndef c1, 1, 1, 1, 1\nmov r1, c0\ndp4 r0, r1, c1"), 0,
     0, "- 000000 function-up ffffff"},
    /* 100.55, 100.45 and 100.35 codes */
    {"write-", "A8R8G8B8", SHADER("def c0, 0.39431373, 0.39392157, 0.39352941, 1\nmov r0, c0"), 0,
     0, "- 656464 write-up 656564 write-down 646464"},
    {"write-", "A8R8G8B8", SHADER("def c0, 0.39470588, 0.39431373, 0.39352941, 1\nmov r0, c0"), 0,
     0, "- 656564 write-down 656464"},
    /* 8.2, 8.4 and 6.65 codes of 8 bits, then 8.4, 8.4 and 6.8 */
    {"write-cut", "R5G6B5", SHADER("def c0, 0.03215686, 0.03294118, 0.02607843, 1\nmov r0, c0"), 0,
     0, "- 080808 write-cut-up 080800 write-cut-down 000800"},
    {"write-cut", "R5G6B5", SHADER("def c0, 0.03294118, 0.03294118, 0.02666667, 1\nmov r0, c0"), 0,
     0, "- 080808 write-cut-down 080800"},
    /* 10.1/31, 20.45/63 and 9.9/31 */
    {"dither-", "R5G6B5",
     "state DITHERENABLE=1\n" SHADER("def c0, 0.32580645, 0.32460317, 0.31935484, 1\nmov r0, c0"),
     0, 0, "- 525152 dither-up 5a5552 dither-down 52514a"},
    /* From black to white: 22/64 of 31 are 85.25/255 and 5-bit codes; 80.25/256 of 255 are 80. */
    {"blocks-", "A8R8G8B8",
     "texture 0 4x4 DXT1 levels=1 { words ffff 0000 ffff ffff }\nquad uv=0,0,1,1", 0, 0,
     "- 555555 blocks-binary 555055 blocks-mirrored 555a55"},
    /* Column 8 of 273 is at 16 * 17 / 273 = 0.9963, less than 1/256 before the next column. */
    {"stretch-", "A8R8G8B8",
     "rendertarget 0 target\nclear ff000000\nclear ffff0000 rect=1,0,2,16\n"
     "surface wide 273x16 A8R8G8B8 target\nsurface out 32x16 A8R8G8B8 target\n"
     "stretchrect target wide from=0,0,32,16 to=0,0,273,16 filter=POINT\n"
     "stretchrect wide out from=0,0,32,16 to=0,0,32,16 filter=POINT\nread out",
     8, 4, "- 000000 stretch-up ff0000"},
    /* Column 4 of 145 is at 144/145 = 0.9931. */
    {"stretch-", "A8R8G8B8",
     "rendertarget 0 target\nclear ff000000\nclear ffff0000 rect=1,0,2,16\n"
     "surface wide 145x16 A8R8G8B8 target\nsurface out 32x16 A8R8G8B8 target\n"
     "stretchrect target wide from=0,0,32,16 to=0,0,145,16 filter=POINT\n"
     "stretchrect wide out from=0,0,32,16 to=0,0,32,16 filter=POINT\nread out",
     4, 4, "- 000000"},
    /* Column 4 of 143 is at 144/143 = 1.0070. */
    {"stretch-", "A8R8G8B8",
     "rendertarget 0 target\nclear ff000000\nclear ffff0000 rect=1,0,2,16\n"
     "surface wide 143x16 A8R8G8B8 target\nsurface out 32x16 A8R8G8B8 target\n"
     "stretchrect target wide from=0,0,32,16 to=0,0,143,16 filter=POINT\n"
     "stretchrect wide out from=0,0,32,16 to=0,0,32,16 filter=POINT\nread out",
     4, 4, "- ff0000"},
};

static void check_names(const char *colours)
{
    char word[32];
    int used;

    for (; sscanf(colours, "%31s %*x%n", word, &used) == 1; colours += used)
        ck_assert_msg(!strcmp(word, "-") || variant_find(word), "there is no %s", word);
}

/* The colour that the row gives a member or the reference. */
static unsigned wanted(const char *colours, const char *name)
{
    char word[32];
    unsigned colour, of_reference = 0;
    int used;

    for (; sscanf(colours, "%31s %x%n", word, &colour, &used) == 2; colours += used) {
        if (!strcmp(word, name))
            return colour;
        if (!strcmp(word, "-"))
            of_reference = colour;
    }
    return of_reference;
}

static unsigned rgb(const uint8_t colour[4])
{
    return (unsigned)colour[0] << 16 | (unsigned)colour[1] << 8 | colour[2];
}

START_TEST(members_draw_their_colours)
{
    struct mask_input input = {.variants = rows[_i].variants, .why = {rows[_i].x, rows[_i].y}};
    char text[2048], file[64], message[MASK_MESSAGE];
    struct mask mask;
    unsigned made, drawn;

    check_names(rows[_i].colours);
    path_in_folder(file, "a.d9t");
    snprintf(text, sizeof(text),
             "# rule: clear/colour\ntarget 32x16 %s\nclear ff000000\nstate LIGHTING=0\n%s\n"
             "answer state ALPHAREF=0\n",
             rows[_i].target, rows[_i].commands);
    write_text(file, text);
    input.file = file;
    ck_assert_msg(mask_make(&input, &mask, 1, &made, message) == ST_OK, "%s", message);
    drawn = rgb(mask.reference.rgba + (size_t)4 * (rows[_i].y * 32 + rows[_i].x));
    ck_assert_msg(drawn == wanted(rows[_i].colours, "-"), "row %d: reference %06x", _i, drawn);
    for (unsigned i = 0; i < variant_count(); i++) {
        const char *name = variant_get(i)->name;

        if (strncmp(name, rows[_i].variants, strlen(rows[_i].variants)) != 0)
            continue;
        drawn = rgb(mask.why[i]);
        ck_assert_msg(drawn == wanted(rows[_i].colours, name), "row %d: %s %06x", _i, name, drawn);
    }
    mask_fini(&mask);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("mask members");
    TCase *tc = tcase_create("members");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, members_draw_their_colours, 0, sizeof(rows) / sizeof(rows[0]));
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
