/* Pictures in windows of another size: their place, positions of the mouse, and each filter against
 * its scalar definition, on every instruction set. */
#include "present/monitor/scale.h"

#include "util/alloc.h"
#include "util/cpu.h"

#include "check_main.h"

#include <stdlib.h>
#include <string.h>

/* --- Place ------------------------------------------------------------------------------------ */

START_TEST(places)
{
    static const struct {
        enum present_scaling scaling;
        uint32_t picture[2], area[2];
        int32_t rect[4];
    } rows[] = {
        {PRESENT_STRETCH, {640, 480}, {1920, 1080}, {0, 0, 1920, 1080}},
        {PRESENT_ASPECT, {640, 480}, {1920, 1080}, {240, 0, 1680, 1080}},
        {PRESENT_INTEGER, {640, 480}, {1920, 1080}, {320, 60, 1600, 1020}},
        {PRESENT_ASPECT, {640, 480}, {600, 800}, {0, 175, 600, 625}},
        {PRESENT_INTEGER, {640, 480}, {600, 800}, {0, 175, 600, 625}}, /* none fits */
        {PRESENT_INTEGER, {640, 480}, {640, 480}, {0, 0, 640, 480}},
        {PRESENT_INTEGER, {640, 480}, {1279, 2000}, {319, 760, 959, 1240}},
        {PRESENT_ASPECT, {640, 480}, {1280, 960}, {0, 0, 1280, 960}},
        {PRESENT_ASPECT, {1280, 1024}, {1366, 768}, {203, 0, 1163, 768}},
        {PRESENT_ASPECT, {3, 7}, {100, 100}, {28, 0, 71, 100}},   /* 42.86 is rounded to 43 */
        {PRESENT_ASPECT, {1000, 1}, {10, 10}, {0, 4, 10, 5}},     /* at least one row */
        {PRESENT_ASPECT, {640, 480}, {0, 300}, {0, 150, 0, 150}}, /* a minimised window */
        {PRESENT_STRETCH, {0, 480}, {10, 300}, {5, 150, 5, 150}},
        {PRESENT_ASPECT, {16384, 16384}, {65536, 65535}, {0, 0, 65535, 65535}},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int32_t rect[4];

        present_place(rows[i].scaling, rows[i].picture, rows[i].area, rect);
        ck_assert_msg(!memcmp(rect, rows[i].rect, sizeof(rect)), "row %u: %d %d %d %d", i, rect[0],
                      rect[1], rect[2], rect[3]);
    }
}
END_TEST

START_TEST(positions)
{
    static const uint32_t picture[2] = {640, 480}, area[2] = {1920, 1080};
    static const struct {
        int32_t in_area[2], in_picture[2];
    } rows[] = {
        {{240, 0}, {0, 0}},   {{1679, 1079}, {639, 479}}, {{960, 540}, {320, 240}},
        {{0, 500}, {0, 222}}, {{1919, 2000}, {639, 479}}, {{-5, -5}, {0, 0}},
        {{242, 2}, {0, 0}},   {{243, 3}, {1, 1}},
    };
    const uint32_t none[2] = {0, 0};
    int32_t kept[2] = {3, 4};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int32_t position[2] = {rows[i].in_area[0], rows[i].in_area[1]};

        present_to_picture(PRESENT_ASPECT, picture, area, position);
        ck_assert_msg(position[0] == rows[i].in_picture[0] && position[1] == rows[i].in_picture[1],
                      "row %u: %d %d", i, position[0], position[1]);
    }
    present_to_picture(PRESENT_ASPECT, picture, none, kept);
    present_from_picture(PRESENT_ASPECT, picture, none, kept);
    ck_assert(kept[0] == 3 && kept[1] == 4);
}
END_TEST

/* There and back: every pixel of a picture that is not reduced. */
START_TEST(positions_come_back)
{
    static const uint32_t picture[2] = {64, 48}, areas[][2] = {{64, 48}, {200, 77}, {91, 400}};

    for (unsigned k = 0; k < 9; k++)
        for (int32_t y = 0; y < 48; y++)
            for (int32_t x = 0; x < 64; x++) {
                int32_t position[2] = {x, y};

                present_from_picture((enum present_scaling)(k % 3), picture, areas[k / 3],
                                     position);
                present_to_picture((enum present_scaling)(k % 3), picture, areas[k / 3], position);
                ck_assert(position[0] == x && position[1] == y);
            }
}
END_TEST

/* --- Filters ---------------------------------------------------------------------------------- */

enum { FROM = 70, TO = 90, PITCH = 97 };
static uint32_t from[FROM * FROM], to[TO * PITCH];

struct mixed {
    int a, b, weight; /* of 128 */
};

/* Pixel i of n that show m: by the definition in scale.h. */
static struct mixed tap_of(enum present_filter filter, int i, int n, int m)
{
    int times = filter == PRESENT_SHARP && n > m ? n / m : 1, most = m * times - 1;
    double at = (2 * i + 1) * (double)(m * times) / (2 * n) - 0.5;
    int pixel;

    if (filter == PRESENT_NEAREST)
        return (struct mixed){i * m / n, i * m / n, 0};
    at = at < 0 ? 0 : at;
    pixel = (int)(at + 1e-9); /* the quotients are multiples of 1 / 180 */
    return (struct mixed){pixel / times, (pixel < most ? pixel + 1 : most) / times,
                          (int)((at - pixel) * 128 + 0.5 + 1e-9)};
}

static uint32_t mixed_pixel(struct mixed x, struct mixed y, const struct view_rect *src)
{
    const uint32_t *above = from + (src->top + y.a) * FROM + src->left;
    const uint32_t *below = from + (src->top + y.b) * FROM + src->left;
    uint32_t pixel = 0;

    for (int shift = 16; shift >= 0; shift -= 8) {
        int top = (int)(above[x.a] >> shift & 255) * (128 - x.weight) +
                  (int)(above[x.b] >> shift & 255) * x.weight;
        int bottom = (int)(below[x.a] >> shift & 255) * (128 - x.weight) +
                     (int)(below[x.b] >> shift & 255) * x.weight;

        pixel |= (uint32_t)((top * (128 - y.weight) + bottom * y.weight + 8192) / 16384) << shift;
    }
    return pixel;
}

static void check_picture(enum present_filter filter, const struct view_rect *dst,
                          const struct view_rect *src)
{
    for (int y = 0; y < TO; y++)
        for (int x = 0; x < PITCH; x++) {
            bool in =
                x >= dst->left && x < dst->right && y >= dst->top && y < dst->bottom && x < TO;
            uint32_t wanted = 0xeeeeeeee;

            if (in)
                wanted = mixed_pixel(
                    tap_of(filter, x - dst->left, dst->right - dst->left, src->right - src->left),
                    tap_of(filter, y - dst->top, dst->bottom - dst->top, src->bottom - src->top),
                    src);
            ck_assert_msg(to[y * PITCH + x] == wanted, "filter %d, %d,%d of %d..%d: %08x, not %08x",
                          (int)filter, x, y, dst->left, dst->right, to[y * PITCH + x], wanted);
        }
}

static int any(int least, int most)
{
    return least + rand() % (most - least + 1);
}

/* Any sizes, clipped at any edge; nothing outside is written. */
START_TEST(filters_meet_their_definitions)
{
    enum present_filter filter = (enum present_filter)(_i / ISA_COUNT);
    const struct view_image source = {from, FROM, FROM, FROM}, target = {to, PITCH, TO, TO};
    struct scaler scaler = {.a = NULL};

    if (!cpu_has_isa((enum cpu_isa)(_i % ISA_COUNT)))
        return;
    ck_assert_int_eq(cpu_set_isa((enum cpu_isa)(_i % ISA_COUNT)), ST_OK);
    srand(7);
    for (uint32_t i = 0; i < FROM * FROM; i++)
        from[i] = (i % 3 ? (uint32_t)rand() : 0xffffff) & 0xffffff;
    for (unsigned k = 0; k < 120; k++) {
        struct view_rect src = {any(0, 40), any(0, 40), 0, 0};
        struct view_rect dst = {any(-20, 60), any(-20, 60), 0, 0};

        src.right = src.left + any(1, FROM - src.left);
        src.bottom = src.top + any(1, FROM - src.top);
        dst.right = dst.left + any(1, 90);
        dst.bottom = dst.top + any(1, 90);
        if (k % 4 == 0) { /* whole multiples */
            dst.right = dst.left + 3 * (src.right - src.left);
            dst.bottom = dst.top + (src.bottom - src.top);
        }
        memset(to, 0xee, sizeof(to));
        ck_assert_int_eq(scale_image(&scaler, filter, &target, &dst, &source, &src), ST_OK);
        check_picture(filter, &dst, &src);
    }
    scaler_fini(&scaler);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* What the names promise: at whole multiples SHARP is NEAREST, and at the same size all are. */
START_TEST(whole_multiples_are_sharp)
{
    const struct view_image source = {from, FROM, FROM, FROM}, target = {to, PITCH, TO, TO};
    const struct view_rect src = {3, 4, 33, 34};
    struct scaler scaler = {.a = NULL};

    for (uint32_t i = 0; i < FROM * FROM; i++)
        from[i] = (uint32_t)rand() & 0xffffff;
    for (int times = 1; times <= 3; times += 2)
        for (int filter = times == 1 ? PRESENT_LINEAR : PRESENT_SHARP; filter <= PRESENT_SHARP;
             filter++) {
            const struct view_rect dst = {0, 0, 30 * times, 30 * times};

            ck_assert_int_eq(
                scale_image(&scaler, (enum present_filter)filter, &target, &dst, &source, &src),
                ST_OK);
            for (int y = 0; y < dst.bottom; y++)
                for (int x = 0; x < dst.right; x++)
                    ck_assert_uint_eq(to[y * PITCH + x],
                                      from[(4 + y / times) * FROM + 3 + x / times]);
        }
    scaler_fini(&scaler);
}
END_TEST

START_TEST(memory_may_be_short)
{
    const struct view_image source = {from, FROM, FROM, FROM}, target = {to, PITCH, TO, TO};
    const struct view_rect src = {0, 0, FROM, FROM}, dst = {0, 0, TO, TO};
    struct scaler scaler = {.a = NULL};

    for (int n = 0; n < 2; n++) {
        mem_fail_after(n);
        ck_assert_int_eq(scale_image(&scaler, PRESENT_LINEAR, &target, &dst, &source, &src),
                         ST_NOMEM);
        mem_fail_after(-1);
        ck_assert_int_eq(mem_live_blocks(), 0);
    }
    ck_assert_int_eq(scale_image(&scaler, PRESENT_LINEAR, &target, &dst, &source, &src), ST_OK);
    scaler_fini(&scaler);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/monitor/scale");
    TCase *tc = tcase_create("scale");

    tcase_add_test(tc, places);
    tcase_add_test(tc, positions);
    tcase_add_test(tc, positions_come_back);
    tcase_add_loop_test(tc, filters_meet_their_definitions, 0, 3 * ISA_COUNT);
    tcase_add_test(tc, whole_multiples_are_sharp);
    tcase_add_test(tc, memory_may_be_short);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
