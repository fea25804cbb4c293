/* Uncertainty masks: exactly the pixels computed by hand are uncertain; and `novem mask`. */
#include "unit/tool/command.h"

#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "tool/mask/mask.h"
#include "util/variant.h"

enum { WIDTH = 32, HEIGHT = 16 };

/* The mask of a scene on a target of WIDTH x HEIGHT. */
static struct mask mask_of(const char *commands)
{
    struct mask_input input = {0};
    struct mask mask;
    char text[2048], file[64], message[MASK_MESSAGE];
    unsigned made;

    path_in_folder(file, "a.d9t");
    snprintf(text, sizeof(text),
             "# rule: clear/colour\ntarget %dx%d A8R8G8B8\nclear ff000000\nstate LIGHTING=0\n%s\n"
             "answer state ALPHAREF=0\n",
             WIDTH, HEIGHT, commands);
    write_text(file, text);
    input.file = file;
    ck_assert_msg(mask_make(&input, &mask, 1, &made, message) == ST_OK, "%s", message);
    ck_assert_uint_eq(made, 1);
    ck_assert_uint_eq(mask.reference.width, WIDTH);
    ck_assert_uint_eq(mask.reference.height, HEIGHT);
    return mask;
}

typedef bool place_fn(unsigned x, unsigned y);

static void expect_mask(const char *commands, uint8_t class, place_fn *uncertain)
{
    struct mask mask = mask_of(commands);

    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint8_t classes = mask.classes[y * WIDTH + x];

            ck_assert_msg((classes != 0) == uncertain(x, y), "%u,%u: classes %x", x, y, classes);
            ck_assert_msg(!classes || classes & class, "%u,%u: classes %x", x, y, classes);
        }
    mask_fini(&mask);
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
    tcase_add_test(tc, candidates_are_compared_with_the_variants);
    tcase_add_test(tc, masks_name_the_variants);
    tcase_add_test(tc, variants_are_few_and_explained);
    tcase_add_test(tc, command_writes_and_compares);
    tcase_add_test(tc, command_names_the_variants);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
