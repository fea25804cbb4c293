/* ComposeRects on one-bit images against a definition pixel by pixel (reference:
 * copy/composerects).
 */
#include "check_main.h"
#include "tex_helpers.h"

enum { W = 45, H = 9, RUNS = 4000 };

static uint32_t seed;

static uint32_t random_below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

/* The leftmost pixel of a byte is its highest bit. */
static bool get(const struct tex_image *image, uint32_t x, uint32_t y)
{
    return image->memory[y * image->level->row_pitch + x / 8] >> (7 - x % 8) & 1;
}

static struct tex_image *make_noise(uint32_t w, uint32_t h)
{
    struct tex_image *image = make_2d(D3DFMT_A1, w, h);

    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)random_below(256);
    return image;
}

static bool combined(bool dst, bool src, unsigned operation)
{
    return operation == D3DCOMPOSERECTS_COPY  ? src
           : operation == D3DCOMPOSERECTS_OR  ? dst || src
           : operation == D3DCOMPOSERECTS_AND ? dst && src
           : operation == D3DCOMPOSERECTS_NEG ? dst && !src
                                              : dst;
}

/* Random boxes and positions, also partly or completely outside the destination. Padding and
 * everything outside the box keep their values. */
START_TEST(operations)
{
    unsigned operation = (unsigned)_i; /* 0 and 5 are none */

    seed = operation + 1;
    for (int run = 0; run < RUNS; run++) {
        struct tex_image *src = make_noise(1 + random_below(40), 1 + random_below(12));
        struct tex_image *dst = make_noise(W, H), *was = make_2d(D3DFMT_A1, W, H);
        uint32_t x0 = random_below(src->desc.width), y0 = random_below(src->desc.height);
        struct tex_box box = {x0, y0, 0, 0, 0, 1};
        int32_t x = (int32_t)random_below(2 * W) - W / 2, y = (int32_t)random_below(2 * H) - H / 2;

        box.x1 = x0 + random_below(src->desc.width - x0 + 1); /* may be empty */
        box.y1 = y0 + random_below(src->desc.height - y0 + 1);
        memcpy(was->memory, dst->memory, dst->bytes);
        tex_compose(dst->level, x, y, src->level, &box, operation);
        for (uint32_t py = 0; py < H; py++) {
            for (uint32_t px = 0; px < W; px++) {
                int32_t sx = (int32_t)px - x, sy = (int32_t)py - y;
                bool inside = sx >= 0 && sx < (int32_t)(box.x1 - box.x0) && sy >= 0 &&
                              sy < (int32_t)(box.y1 - box.y0);
                bool want =
                    inside ? combined(get(was, px, py),
                                      get(src, x0 + (uint32_t)sx, y0 + (uint32_t)sy), operation)
                           : get(was, px, py);

                ck_assert_msg(get(dst, px, py) == want, "run %d: %u,%u", run, px, py);
            }
            ck_assert_uint_eq(dst->memory[py * dst->level->row_pitch + W / 8] & 7,
                              was->memory[py * dst->level->row_pitch + W / 8] & 7);
        }
        tex_image_unref(&was);
        tex_image_unref(&dst);
        tex_image_unref(&src);
    }
}
END_TEST

START_TEST(extreme_positions)
{
    static const int32_t places[] = {INT32_MIN, INT32_MIN + 1, -W, W, INT32_MAX - 1, INT32_MAX};
    struct tex_image *src = make_noise(W, H), *dst = make_2d(D3DFMT_A1, W, H);
    const struct tex_box all = {0, 0, 0, W, H, 1};

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        tex_compose(dst->level, places[i], 0, src->level, &all, D3DCOMPOSERECTS_COPY);
        tex_compose(dst->level, 0, places[i], src->level, &all, D3DCOMPOSERECTS_COPY);
    }
    for (size_t i = 0; i < dst->bytes; i++)
        ck_assert_uint_eq(dst->memory[i], 0);
    tex_image_unref(&dst);
    tex_image_unref(&src);
}
END_TEST

/* Sampled and copied, a pixel is transparent black or black of alpha 1 (reference: format/a1). */
START_TEST(texels)
{
    struct tex_image *image, *target = make_2d(D3DFMT_A8R8G8B8, W, H);
    const struct tex_box all = {0, 0, 0, W, H, 1};

    seed = 9;
    image = make_noise(W, H);
    ck_assert_uint_eq(image->level->row_pitch, 8); /* 6 bytes, rounded up to 4 */
    ck_assert_int_eq(stretch_boxes(target, &all, image, &all, D3DTEXF_POINT), ST_OK);
    for (uint32_t y = 0; y < H; y++) {
        for (uint32_t x = 0; x < W; x++) {
            uint32_t want = get(image, x, y) ? 0xff000000 : 0;

            ck_assert_uint_eq(read_argb(image, x, y, 0), want);
            ck_assert_uint_eq(read_argb(target, x, y, 0), want);
        }
    }
    ck_assert_int_eq(tex_fill(image, 0, 0, &all, 0xff000000), ST_UNSUPPORTED);
    ck_assert_int_eq(stretch_boxes(image, &all, target, &all, D3DTEXF_POINT), ST_UNSUPPORTED);
    tex_image_unref(&target);
    tex_image_unref(&image);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex compose");
    TCase *tc = tcase_create("compose");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, operations, 0, 6);
    tcase_add_test(tc, extreme_positions);
    tcase_add_test(tc, texels);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
