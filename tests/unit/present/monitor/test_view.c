/* Frames as a monitor shows them: gamma, Present's rectangles, stretching, the panel of the HUD. */
#include "present/monitor/view.h"

#include "util/alloc.h"

#include "check_main.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 256 };

static struct present_frame frame_of(const uint32_t *pixels, D3DFORMAT format)
{
    return (struct present_frame){.format = tex_format_get(format),
                                  .data = (const uint8_t *)pixels,
                                  .width = SIDE,
                                  .height = SIDE,
                                  .row_pitch = SIDE * 4};
}

START_TEST(gamma_does_not_change_the_image)
{
    static uint32_t pixels[SIDE * SIDE];
    struct present_frame frame = frame_of(pixels, D3DFMT_X8R8G8B8);
    struct view_memory memory = {NULL, 0};
    struct view_gamma gamma;
    struct view_image out;

    for (unsigned i = 0; i < 256; i++) {
        gamma.table[0][i] = (uint8_t)(255 - i);
        gamma.table[1][i] = (uint8_t)(i / 2);
        gamma.table[2][i] = 7;
    }
    pixels[3] = 0xff102030;
    ck_assert_int_eq(view_pixels(&memory, &frame, NULL, &out), ST_OK);
    ck_assert_ptr_eq(out.pixels, pixels);
    ck_assert_int_eq(view_pixels(&memory, &frame, &gamma, &out), ST_OK);
    ck_assert_uint_eq(out.pixels[3], 0xef1007);
    ck_assert_uint_eq(out.pixels[SIDE], 0xff0007);
    ck_assert_uint_eq(pixels[3], 0xff102030);
    frame.format = tex_format_get(D3DFMT_A8B8G8R8); /* red and blue swap */
    ck_assert_int_eq(view_pixels(&memory, &frame, &gamma, &out), ST_OK);
    ck_assert_uint_eq(out.pixels[3], 0xcf1007);
    ck_assert_int_eq(view_pixels(&memory, &frame, NULL, &out), ST_OK);
    ck_assert_uint_eq(out.pixels[3], 0x302010);
    frame.format = tex_format_get(D3DFMT_R32F);
    ck_assert_int_eq(view_pixels(&memory, &frame, NULL, &out), ST_UNSUPPORTED);
    view_free(&memory);
}
END_TEST

/* --- Rectangles ------------------------------------------------------------------------------- */

START_TEST(rectangles_of_present)
{
    static const struct {
        int32_t given[4];
        struct view_rect rect;
        bool inside; /* of the frame */
    } rows[] = {
        {{0, 0, 0, 0}, {0, 0, SIDE, SIDE}, true},
        {{1, 2, 3, 4}, {1, 2, 3, 4}, true},
        {{0, 0, 0, 1}, {0, 0, 0, 1}, false},
        {{-1, 0, 3, 4}, {-1, 0, 3, 4}, false},
        {{0, 0, SIDE, SIDE}, {0, 0, SIDE, SIDE}, true},
        {{5, 5, 4, 6}, {5, 5, 4, 6}, false},
        {{0, 0, SIDE + 1, 1}, {0, 0, SIDE + 1, 1}, false},
    };
    struct present_frame frame = frame_of(NULL, D3DFMT_X8R8G8B8);

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct view_rect rect = view_rect_or(rows[i].given, SIDE, SIDE);

        ck_assert_mem_eq(&rect, &rows[i].rect, sizeof(rect));
        ck_assert_int_eq(view_rect_inside(&rect, &frame), rows[i].inside);
    }
}
END_TEST

/* Any rectangles, clipped at any edge: pixel i of n shows pixel floor(i * m / n) of m. */
START_TEST(stretching_samples_points)
{
    enum { FROM = 40, TO = 32 };
    static uint32_t from[FROM * FROM], to[TO * TO];
    const struct view_image source = {from, FROM, FROM, FROM}, target = {to, TO, TO, TO};

    srand(5);
    for (uint32_t i = 0; i < FROM * FROM; i++)
        from[i] = i + 1;
    for (unsigned k = 0; k < 300; k++) {
        struct view_rect src = {rand() % 20, rand() % 20, 21 + rand() % 20, 21 + rand() % 20};
        struct view_rect dst = {rand() % 30 - 9, rand() % 30 - 9, 0, 0};

        dst.right = dst.left + 1 + rand() % 60;
        dst.bottom = dst.top + 1 + rand() % 60;
        memset(to, 0, sizeof(to));
        view_stretch(&target, &dst, &source, &src);
        for (int y = 0; y < TO; y++)
            for (int x = 0; x < TO; x++) {
                bool in = x >= dst.left && x < dst.right && y >= dst.top && y < dst.bottom;
                int sx =
                    src.left + (x - dst.left) * (src.right - src.left) / (dst.right - dst.left);
                int sy = src.top + (y - dst.top) * (src.bottom - src.top) / (dst.bottom - dst.top);

                ck_assert_uint_eq(to[y * TO + x], in ? from[sy * FROM + sx] : 0);
            }
    }
}
END_TEST

/* --- Canvas ----------------------------------------------------------------------------------- */

/* A frame that covers everything is borrowed, until a rectangle has been shown. */
START_TEST(a_canvas_keeps_what_rectangles_leave)
{
    static uint32_t pixels[SIDE * SIDE], copy[SIDE * SIDE];
    struct present_frame frame = frame_of(pixels, D3DFMT_X8R8G8B8);
    const struct view_image to = {copy, SIDE, SIDE, SIDE};
    static const int32_t left[4] = {0, 0, 10, SIDE}, none[4] = {0, 0, 0, 0};
    struct canvas canvas = {0};
    struct view_image image;

    memset(pixels, 0x11, sizeof(pixels));
    ck_assert_int_eq(canvas_update(&canvas, &frame, NULL, &image), ST_OK);
    ck_assert_ptr_eq(image.pixels, pixels);
    memcpy(frame.dst, left, sizeof(left));
    ck_assert_int_eq(canvas_update(&canvas, &frame, NULL, &image), ST_OK);
    ck_assert_ptr_ne(image.pixels, pixels);
    ck_assert_uint_eq(image.pixels[9], 0x11111111);
    ck_assert_uint_eq(image.pixels[10], 0);
    memcpy(frame.dst, none, sizeof(none));
    memset(pixels, 0x22, sizeof(pixels));
    ck_assert_int_eq(canvas_update(&canvas, &frame, NULL, &image), ST_OK);
    ck_assert_uint_eq(image.pixels[10], 0x22222222);
    memcpy(frame.dst, left, sizeof(left));
    memset(pixels, 0x33, sizeof(pixels));
    ck_assert_int_eq(canvas_copy(&canvas, &frame, NULL, &to), ST_OK);
    ck_assert_uint_eq(copy[9], 0x33333333);
    ck_assert_uint_eq(copy[10], 0x22222222);
    canvas_fini(&canvas);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* --- Panel ------------------------------------------------------------------------------------ */

START_TEST(panels_cover_the_picture)
{
    static uint32_t pixels[SIDE * SIDE], before[SIDE * SIDE];
    const struct view_image image = {pixels, SIDE, SIDE, SIDE};
    const struct view_rect all = {0, 0, SIDE, SIDE};
    struct view_rect dst = {10, 20, 10 + SIDE * 2, 20 + SIDE * 2}, rect;
    struct view_memory memory = {NULL, 0};
    struct hud hud = {.items = HUD_FPS, .opacity = 75};
    uint32_t width, height;

    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        pixels[i] = before[i] = i % SIDE * 0x010000 + i / SIDE * 0x100;
    hud_size(&hud, 1, &width, &height);
    ck_assert_int_eq(view_panel(&memory, &hud, &image, &all, &dst, &rect), ST_OK);
    ck_assert(rect.left == 18 && rect.top == 28 && rect.right == 18 + (int)width &&
              rect.bottom == 28 + (int)height);
    /* the last pixel lies over (8 + width - 1) / 2, (8 + height - 1) / 2 */
    ck_assert_uint_eq(memory.pixels[width * height - 1],
                      pixels[(7 + height) / 2 * SIDE + (7 + width) / 2] >> 2 & 0x3f3f3f);
    ck_assert_mem_eq(pixels, before, sizeof(pixels));
    dst.right = dst.left + (int)width;
    ck_assert_int_eq(view_panel(&memory, &hud, &image, &all, &dst, &rect), ST_NOTFOUND);
    view_free(&memory);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* Corners; the largest scale that fits. The panel is 192x19. */
START_TEST(panels_stand_in_corners)
{
    static const struct {
        enum present_corner corner;
        unsigned scale;
        int32_t width, height;
        struct view_rect rect; /* of the panel in a picture of that size at 10, 5 */
    } rows[] = {{PRESENT_TOP_LEFT, 0, 240, 50, {18, 13, 210, 32}},
                {PRESENT_TOP_RIGHT, 1, 240, 50, {50, 13, 242, 32}},
                {PRESENT_BOTTOM_LEFT, 1, 240, 50, {18, 28, 210, 47}},
                {PRESENT_BOTTOM_RIGHT, 1, 240, 50, {50, 28, 242, 47}},
                {PRESENT_BOTTOM_RIGHT, 4, 240, 50, {50, 28, 242, 47}},
                {PRESENT_TOP_LEFT, 4, 600, 60, {18, 13, 402, 51}},
                {PRESENT_TOP_LEFT, 1, 207, 50, {0, 0, 0, 0}}};
    enum { WIDE = 640, HIGH = 80 };
    static uint32_t pixels[WIDE * HIGH];
    const struct view_image image = {pixels, WIDE, WIDE, HIGH};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct hud hud = {
            .items = HUD_FPS, .opacity = 100, .scale = rows[i].scale, .corner = rows[i].corner};
        struct view_rect dst = {10, 5, 10 + rows[i].width, 5 + rows[i].height}, rect = {0, 0, 0, 0};
        const struct view_rect *r = &rows[i].rect, all = {0, 0, WIDE, HIGH};
        struct view_memory memory = {NULL, 0};
        enum status st;

        memset(pixels, 0x11, sizeof(pixels));
        st = view_panel(&memory, &hud, &image, &all, &dst, &rect);
        ck_assert_int_eq(st, r->right ? ST_OK : ST_NOTFOUND);
        if (r->right)
            ck_assert_msg(!memcmp(&rect, r, sizeof(rect)), "row %u: %d %d %d %d", i, rect.left,
                          rect.top, rect.right, rect.bottom);
        view_draw_panel(&hud, &image, &dst);
        for (int y = 0; y < HIGH; y++)
            for (int x = 0; x < WIDE; x++) {
                bool in = x >= r->left && x < r->right && y >= r->top && y < r->bottom;

                ck_assert_int_eq(pixels[y * WIDE + x] == 0x11111111, !in);
                if (in)
                    ck_assert_uint_eq(
                        pixels[y * WIDE + x],
                        memory.pixels[(y - r->top) * (r->right - r->left) + x - r->left]);
            }
        view_free(&memory);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/monitor/view");
    TCase *tc = tcase_create("view");

    tcase_add_test(tc, gamma_does_not_change_the_image);
    tcase_add_test(tc, rectangles_of_present);
    tcase_add_test(tc, stretching_samples_points);
    tcase_add_test(tc, a_canvas_keeps_what_rectangles_leave);
    tcase_add_test(tc, panels_cover_the_picture);
    tcase_add_test(tc, panels_stand_in_corners);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
