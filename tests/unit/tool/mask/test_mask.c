/* Uncertainty masks: exactly the pixels computed by hand are uncertain; and `novem mask`. */
#include "unit/tool/command.h"

#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "tool/mask/mask.h"
#include "util/variant.h"

enum { WIDTH = 32, HEIGHT = 16 };

/* The mask of a scene on a target of WIDTH x HEIGHT by the variants whose names begin so; NULL: by
 * all. target: format and options. */
static struct mask mask_by(const char *variants, const char *target, const char *commands)
{
    struct mask_input input = {.variants = variants};
    struct mask mask;
    char text[2048], file[64], message[MASK_MESSAGE];
    unsigned made;

    path_in_folder(file, "a.d9t");
    snprintf(text, sizeof(text),
             "# rule: clear/colour\ntarget %dx%d %s\nclear ff000000\nstate LIGHTING=0\n%s\n"
             "answer state ALPHAREF=0\n",
             WIDTH, HEIGHT, target, commands);
    write_text(file, text);
    input.file = file;
    ck_assert_msg(mask_make(&input, &mask, 1, &made, message) == ST_OK, "%s", message);
    ck_assert_uint_eq(made, 1);
    ck_assert_uint_eq(mask.reference.width, WIDTH);
    ck_assert_uint_eq(mask.reference.height, HEIGHT);
    return mask;
}

static struct mask mask_of(const char *commands)
{
    return mask_by(NULL, "A8R8G8B8", commands);
}

typedef bool place_fn(unsigned x, unsigned y);

static void check_mask(struct mask mask, uint8_t class, place_fn *uncertain)
{
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint8_t classes = mask.classes[y * WIDTH + x];

            ck_assert_msg((classes != 0) == uncertain(x, y), "%u,%u: classes %x", x, y, classes);
            ck_assert_msg(!classes || classes & class, "%u,%u: classes %x", x, y, classes);
        }
    mask_fini(&mask);
}

static void expect_mask(const char *commands, uint8_t class, place_fn *uncertain)
{
    check_mask(mask_of(commands), class, uncertain);
}

static bool nowhere(unsigned x, unsigned y)
{
    (void)x;
    (void)y;
    return false;
}

/* --- Edges ------------------------------------------------------------------------------------ */

/* x from 10 to 20.3, y from 5.5 to 9.5. */
static bool on_left_edge(unsigned x, unsigned y)
{
    return x == 10 && y >= 6 && y <= 9;
}

START_TEST(edges_through_centres_are_uncertain)
{
    expect_mask("fvf XYZRHW|DIFFUSE\nvertices { 10 5.5 0 1 ffff0000  20.3 5.5 0 1 ffff0000\n"
                "10 9.5 0 1 ffff0000  20.3 9.5 0 1 ffff0000 }\ndraw trianglestrip",
                VARIANT_EDGE, on_left_edge);
}
END_TEST

START_TEST(edges_between_centres_are_certain)
{
    expect_mask("quad 4 4 20 12 diffuse=ff00ff00", 0, nowhere);
}
END_TEST

/* --- Texels ----------------------------------------------------------------------------------- */

/* u is x / 32 at pixel x, so the texel boundaries are at pixel centres. */
static bool on_texel_boundary(unsigned x, unsigned y)
{
    (void)y;
    return x % 8 == 0;
}

START_TEST(texels_that_begin_at_centres_are_uncertain)
{
    expect_mask("texture 0 4x1 A8R8G8B8 levels=1 { texels ffff0000 ff00ff00 ff0000ff ffffffff }\n"
                "quad uv=-0.015625,0,0.984375,1",
                VARIANT_TEXEL, on_texel_boundary);
}
END_TEST

START_TEST(texels_that_begin_between_centres_are_certain)
{
    expect_mask("texture 0 4x1 A8R8G8B8 levels=1 { texels ffff0000 ff00ff00 ff0000ff ffffffff }\n"
                "quad uv=0,0,1,1",
                0, nowhere);
}
END_TEST

/* --- Depth ------------------------------------------------------------------------------------ */

static bool in_the_middle(unsigned x, unsigned y)
{
    (void)y;
    return x >= 8 && x < 24;
}

#define LARGE "quad diffuse=ffff0000 z=0.25,0.75,0.25,0.75\n"

START_TEST(surfaces_in_one_plane_are_uncertain)
{
    expect_mask("state ZENABLE=1\n" LARGE
                "quad 8 0 24 16 diffuse=ff00ff00 z=0.375,0.625,0.375,0.625",
                VARIANT_DEPTH, in_the_middle);
}
END_TEST

START_TEST(surfaces_apart_are_certain)
{
    expect_mask("state ZENABLE=1\n" LARGE
                "quad 8 0 24 16 diffuse=ff00ff00 z=0.374,0.624,0.374,0.624",
                0, nowhere);
}
END_TEST

/* Multiple passes over the same triangles, and draws at one depth, which all hardware renders
 * alike. */
START_TEST(equal_primitives_are_certain)
{
    expect_mask("state ZENABLE=1 ZFUNC=LESSEQUAL\n" LARGE "state ZFUNC=EQUAL\n"
                "quad diffuse=ff00ff00 z=0.25,0.75,0.25,0.75",
                0, nowhere);
    expect_mask(
        "state ZENABLE=1\nquad diffuse=ffff0000 z=0.3\nquad 8 0 24 16 diffuse=ff00ff00 z=0.3", 0,
        nowhere);
}
END_TEST

/* --- Undefined -------------------------------------------------------------------------------- */

static bool everywhere(unsigned x, unsigned y)
{
    (void)x;
    (void)y;
    return true;
}

START_TEST(textures_without_contents_are_uncertain)
{
    expect_mask("texture 0 4x4 A8R8G8B8 levels=1\nquad uv=0,0,1,1", VARIANT_UNDEFINED, everywhere);
}
END_TEST

/* --- What hardware does ------------------------------------------------------------------------
 */

/* The last pixel of a line belongs to it by the diamond rule, but not to its rectangle. */
static bool at_the_end(unsigned x, unsigned y)
{
    return x == 20 && y == 4;
}
static bool on_far_sides(unsigned x, unsigned y)
{
    return (x == 12 && y >= 6 && y <= 10) || (y == 10 && x >= 8 && x <= 12);
}

/* The gradient covers some samples of pixel 10 of each row. */
static bool on_slant(unsigned x, unsigned y)
{
    (void)y;
    return x == 10;
}

#define LINE "fvf XYZRHW|DIFFUSE\nvertices { 4 4 0 1 ffff0000  20 4 0 1 ffff0000 }\ndraw linelist"
#define POINT                                                                                      \
    "state POINTSIZE=4.1\nfvf XYZRHW|DIFFUSE\nvertices { 10 8 0 1 ffff0000 }\ndraw pointlist"
#define GRADIENT                                                                                   \
    "state CULLMODE=NONE\nfvf XYZRHW|DIFFUSE\nvertices { -10 8 0 1 ff000000\n"                     \
    "10.2 -40 0 1 ffff0000  10.2 60 0 1 ffff0000 }\ndraw trianglelist"
#define SHADER(text) "shader ps { ps_2_0\n" text "\nmov oC0, r0 }\nquad"
#define HALVES                                                                                     \
    "fvf XYZRHW|DIFFUSE\nvertices { -0.5 -0.5 0 1 ff000000  31.5 -0.5 0 1 ffff0000\n"              \
    "-0.5 15.5 0 1 ff000000  31.5 15.5 0 1 ffff0000 }\ndraw trianglestrip\n"                       \
    "surface out 32x16 A8R8G8B8 target\ncolorfill out ff000000\n"

static bool every_second_column(unsigned x, unsigned y)
{
    (void)y;
    return x < 16;
}
static bool at_the_border(unsigned x, unsigned y)
{
    (void)y;
    return x == 15;
}

static const struct {
    const char *variants, *target, *commands;
    uint8_t class;
    place_fn *uncertain;
} members[] = {
    {"line-rectangle", "A8R8G8B8", LINE, VARIANT_EDGE, at_the_end},
    {"line-parallelogram", "A8R8G8B8", LINE, VARIANT_EDGE, at_the_end},
    {"point-far", "A8R8G8B8", POINT, VARIANT_EDGE, on_far_sides},
    {"centroid-", "A8R8G8B8 samples=4",
     GRADIENT "\nsurface plain 32x16 A8R8G8B8 target\nstretchrect target plain\nread plain",
     VARIANT_EDGE, on_slant},
    {"centroid-", "A8R8G8B8", GRADIENT, VARIANT_EDGE, nowhere},
    /* 7 of 255 is 0.85 of 31 */
    {"write-cut", "R5G6B5", "quad diffuse=ff070000", VARIANT_ARITHMETIC, everywhere},
    {"write-cut", "R5G6B5", "clear ff070000", VARIANT_ARITHMETIC, everywhere},
    {"write-cut", "R5G6B5", "colorfill target ff070000", VARIANT_ARITHMETIC, everywhere},
    {"write-cut", "R5G6B5", "quad diffuse=ff0c0000", VARIANT_ARITHMETIC, nowhere},
    {"write-cut", "A8R8G8B8", "quad diffuse=ff070000", VARIANT_ARITHMETIC, nowhere},
    {"dither", "R5G6B5", "state DITHERENABLE=1\nquad diffuse=ff090000", VARIANT_ARITHMETIC,
     everywhere},
    {"dither", "R5G6B5", "quad diffuse=ff090000", VARIANT_ARITHMETIC, nowhere},
    {"dither", "A8R8G8B8", "state DITHERENABLE=1\nquad diffuse=ff090000", VARIANT_ARITHMETIC,
     nowhere},
    /* (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24, of which the last term is lost */
    {"fused", "A8R8G8B8",
     SHADER("def c0, 1.000244140625, -1.00048828125, 16777216, 0\nmov r1, c0\n"
            "mad r0, r1.x, r1.x, c0.y\nmul r0, r0, c0.z"),
     VARIANT_ARITHMETIC, everywhere},
    {"fused", "A8R8G8B8",
     SHADER("def c0, 1.25, -1.0625, 1, 0\nmov r1, c0\nmad r0, r1.x, r1.x, c0.y"),
     VARIANT_ARITHMETIC, nowhere},
    {"ieee", "A8R8G8B8",
     SHADER("def c0, 0, 1, 0, 0\nrcp r0, c0.x\nmul r0, r0, c0.x\nadd r0, r0, c0.y"),
     VARIANT_ARITHMETIC, everywhere},
    {"stretch-down", "A8R8G8B8",
     HALVES "stretchrect target out from=0,0,32,16 to=0,0,16,16 filter=POINT\nread out",
     VARIANT_TEXEL, every_second_column},
    {"stretch-up", "A8R8G8B8",
     HALVES "stretchrect target out from=0,0,32,16 to=0,0,16,16 filter=POINT\nread out",
     VARIANT_TEXEL, nowhere},
    {"stretch-beyond", "A8R8G8B8",
     HALVES "stretchrect target out from=0,0,8,16 to=0,0,16,16 filter=LINEAR\nread out",
     VARIANT_TEXEL, at_the_border},
    {"unbound-alpha", "A8R8G8B8", "stage 0 COLOROP=SELECTARG1 COLORARG1=TFACTOR\nquad",
     VARIANT_UNDEFINED, everywhere},
    {"unbound-alpha", "A8R8G8B8", SHADER("dcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0"),
     VARIANT_UNDEFINED, everywhere},
    {"unbound-alpha", "A8R8G8B8", "quad diffuse=80ffffff", VARIANT_UNDEFINED, nowhere},
};

START_TEST(members_differ_where_they_must)
{
    check_mask(mask_by(members[_i].variants, members[_i].target, members[_i].commands),
               members[_i].class, members[_i].uncertain);
}
END_TEST

/* --- Verdicts --------------------------------------------------------------------------------- */

static struct mask_verdict compare(const struct mask *mask, unsigned x, unsigned y, uint8_t red,
                                   unsigned tolerance)
{
    struct mask_verdict verdict;
    struct tool_image candidate;
    size_t bytes = (size_t)WIDTH * HEIGHT * 4;

    ck_assert_int_eq(tool_image_create(&candidate, WIDTH, HEIGHT), ST_OK);
    memcpy(candidate.rgba, mask->reference.rgba, bytes);
    candidate.rgba[4 * (y * WIDTH + x)] = red;
    ck_assert_int_eq(mask_compare(mask, &candidate, tolerance, &verdict), ST_OK);
    tool_image_fini(&candidate);
    return verdict;
}

START_TEST(candidates_are_compared_with_the_variants)
{
    struct mask mask = mask_of("fvf XYZRHW|DIFFUSE\nvertices { 10 5.5 0 1 ff800000\n"
                               "20.3 5.5 0 1 ff800000  10 9.5 0 1 ff800000  20.3 9.5 0 1 ff800000 "
                               "}\ndraw trianglestrip");
    struct mask_verdict v = compare(&mask, 10, 6, 0, 0);

    ck_assert_uint_eq(v.uncertain, 4);
    ck_assert(v.inside == 1 && !v.outside && !v.beyond);
    v = compare(&mask, 10, 6, 255, 0); /* the variants have 0 and 128 there */
    ck_assert(v.beyond == 1 && !v.outside);
    v = compare(&mask, 11, 6, 127, 0);
    ck_assert(v.outside == 1 && v.max_difference == 1);
    v = compare(&mask, 11, 6, 127, 1);
    ck_assert(!v.outside && !v.beyond && !v.inside);
    mask_fini(&mask);
}
END_TEST

/* --- Members -----------------------------------------------------------------------------------
 */

static unsigned variant_index(const char *name)
{
    const struct variant *variant = variant_find(name);

    ck_assert_msg(variant != NULL, "%s", name);
    return (unsigned)(variant - variant_get(0));
}

START_TEST(masks_name_the_variants)
{
    struct mask mask = mask_of("texture 0 4x4 A8R8G8B8 levels=1\nquad uv=0,0,1,1");
    struct mask_member count[MASK_VARIANTS];
    unsigned undefined = variant_index("undefined");

    mask_count_members(&mask, count);
    ck_assert_uint_eq(count[undefined].pixels, WIDTH * HEIGHT);
    ck_assert_uint_eq(count[undefined].alone, WIDTH * HEIGHT);
    ck_assert_uint_eq(count[variant_index("snap-nw")].pixels, 0);
    ck_assert(mask.members[5] == UINT64_C(1) << undefined && mask.used >> undefined & 1);
    ck_assert_uint_eq(mask.why[undefined][0], 0x5a); /* pixel 0,0 */
    mask_fini(&mask);
}
END_TEST

START_TEST(variants_are_few_and_explained)
{
    ck_assert_uint_le(variant_count(), MASK_VARIANTS);
    for (unsigned i = 0; i < variant_count(); i++) {
        const struct variant *v = variant_get(i);

        ck_assert(v->about && *v->about && v->class && !(v->class & (v->class - 1)));
        ck_assert_ptr_eq(variant_find(v->name), v);
    }
}
END_TEST

/* --- The command ------------------------------------------------------------------------------ */

static const char *command(int expected, const char *a, const char *b, const char *c)
{
    char *args[] = {"mask", (char *)a, (char *)b, (char *)c, NULL};

    return run_command(tool_mask, expected, c ? 4 : b ? 3 : 2, args);
}

START_TEST(command_writes_and_compares)
{
    struct tool_image image;
    char file[64], png[64];

    path_in_folder(file, "a.d9t");
    path_in_folder(png, "m.png");
    write_text(file, "# rule: clear/colour\ntarget 2x1 A8R8G8B8\nclear ff000000\n"
                     "texture 0 4x4 X8R8G8B8 levels=1\nquad 0 0 1 1 uv=0,0,1,1\nexpect 1 0 "
                     "ff000000\n");
    ck_assert_ptr_nonnull(
        strstr(command(TOOL_OK, file, "-o", png), "pixels 2 uncertain 1 (50.00 %)"));
    ck_assert_int_eq(tool_png_read(png, &image), ST_OK);
    ck_assert_uint_ne(image.rgba[0] | image.rgba[1] | image.rgba[2], 0);
    ck_assert_uint_eq(image.rgba[4] | image.rgba[5] | image.rgba[6], 0);
    command(TOOL_OK, file, "--candidate", png); /* 128, where the variants have 0 and 90 */
    image.rgba[4] = 1;
    ck_assert_int_eq(tool_png_write(png, &image, 4), ST_OK);
    command(TOOL_DIFFERS, file, "--candidate", png);
    image.width = 1;
    ck_assert_int_eq(tool_png_write(png, &image, 4), ST_OK);
    command(TOOL_ERROR, file, "--candidate", png);
    tool_image_fini(&image);
    command(TOOL_ERROR, file, "--candidate", file);
    command(TOOL_ERROR, file, "--variants", "nothing");
    path_in_folder(file, "absent.trace");
    command(TOOL_ERROR, file, NULL, NULL);
    command(TOOL_ERROR, file, "--frames", "9-1");
}
END_TEST

START_TEST(command_names_the_variants)
{
    const char *text;
    char file[64];

    path_in_folder(file, "a.d9t");
    write_text(file, "# rule: clear/colour\ntarget 2x1 A8R8G8B8\nclear ff000000\n"
                     "texture 0 4x4 X8R8G8B8 levels=1\nquad 0 0 1 1 uv=0,0,1,1\nexpect 1 0 "
                     "ff000000\n");
    text = command(TOOL_OK, file, "--why", "0,0");
    ck_assert_ptr_nonnull(strstr(text, "pixel 0,0 reference   0   0   0 255 low"));
    ck_assert_ptr_nonnull(strstr(text, "  undefined          undefined   90  90  90 255  off by"));
    ck_assert_ptr_nonnull(strstr(text, "\n  uncertain"));
    text = command(TOOL_OK, file, "--why", "1,0");
    ck_assert(strstr(text, "\n  certain") && !strstr(text, "off by"));
    text = command(TOOL_OK, file, "--members", NULL);
    ck_assert_ptr_nonnull(strstr(text, "  undefined          undefined  pixels 1 alone 1\n"));
    command(TOOL_ERROR, file, "--why", "2,0");
    command(TOOL_ERROR, file, "--why", "-1,0");
    command(TOOL_ERROR, file, "--why", "1");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("mask");
    TCase *tc = tcase_create("mask");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, edges_through_centres_are_uncertain);
    tcase_add_test(tc, edges_between_centres_are_certain);
    tcase_add_test(tc, texels_that_begin_at_centres_are_uncertain);
    tcase_add_test(tc, texels_that_begin_between_centres_are_certain);
    tcase_add_test(tc, surfaces_in_one_plane_are_uncertain);
    tcase_add_test(tc, surfaces_apart_are_certain);
    tcase_add_test(tc, equal_primitives_are_certain);
    tcase_add_test(tc, textures_without_contents_are_uncertain);
    tcase_add_loop_test(tc, members_differ_where_they_must, 0,
                        sizeof(members) / sizeof(members[0]));
    tcase_add_test(tc, candidates_are_compared_with_the_variants);
    tcase_add_test(tc, masks_name_the_variants);
    tcase_add_test(tc, variants_are_few_and_explained);
    tcase_add_test(tc, command_writes_and_compares);
    tcase_add_test(tc, command_names_the_variants);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
