/* Chip model: exact pictures of encoded frames, errors. */
#include "../published.h"

#include "present/r500/check/check.h"
#include "present/r500/model/model.h"
#include "present/r500/stream/encode.h"
#include "util/alloc.h"

#include "check_main.h"

#include <stdlib.h>

static const struct r500_quad plain = {.width = WIDTH,
                                       .height = HEIGHT,
                                       .pitch = WIDTH,
                                       .target_width = WIDTH,
                                       .target_height = HEIGHT,
                                       .target_pitch = WIDTH,
                                       .right = WIDTH,
                                       .bottom = HEIGHT};

static uint32_t stream[R500_QUAD_DWORDS], n_dwords;
static struct r500_buffer buffers[2];
static const struct r500_memory memory = {buffers, 2};
static struct r500_error error;

static void teardown(void)
{
    for (unsigned i = 0; i < 2; i++) {
        mem_free(buffers[i].data);
        buffers[i].data = NULL;
    }
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static void fill(uint8_t *bytes, size_t n, unsigned seed)
{
    srand(seed);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)(rand() >> 7);
}

/* Draws noise with the quad; the buffers have the exact size. */
static void draw(const struct r500_quad *quad)
{
    struct r500_submit submit;
    const uint32_t sizes[2] = {quad->target_pitch * quad->target_height * 4,
                               quad->pitch * quad->height * 4};

    for (unsigned i = 0; i < 2; i++) {
        mem_free(buffers[i].data);
        buffers[i] = (struct r500_buffer){TARGET + i, sizes[i], mem_alloc(sizes[i])};
        fill(buffers[i].data, sizes[i], i);
    }
    ck_assert_int_eq(r500_encode_quad(stream, &n_dwords, quad), ST_OK);
    submit = submit_of(stream, n_dwords);
    ck_assert_msg(r500_check(&submit, &memory, quad->chip, &error) == ST_OK, "%s", error.text);
    ck_assert_msg(r500_run(&submit, &memory, &error) == ST_OK, "dword %u: %s", error.at,
                  error.text);
}

/* Computes floor((2 * i + 1) * size / (2 * extent)) in integers. */
static uint32_t texel_of(uint32_t i, uint32_t size, uint32_t extent)
{
    return (uint32_t)((2ull * i + 1) * size / (2ull * extent));
}

static uint32_t expected(const struct r500_quad *q, const uint32_t *before, uint32_t x, uint32_t y)
{
    const uint32_t *texels = (const void *)buffers[1].data;
    uint32_t tx, ty;

    if (x < q->left || x >= q->right || y < q->top || y >= q->bottom)
        return before[y * q->target_pitch + x];
    tx = texel_of(x - q->left, q->width, q->right - q->left);
    ty = texel_of(y - q->top, q->height, q->bottom - q->top);
    return texels[ty * q->pitch + tx] | (q->opaque ? 0xff000000 : 0);
}

static void compare(const struct r500_quad *q)
{
    const uint32_t *pixels = (const void *)buffers[0].data;
    uint32_t *before = mem_alloc(buffers[0].size);

    fill((uint8_t *)before, buffers[0].size, 0);
    for (uint32_t y = 0; y < q->target_height; y++)
        for (uint32_t x = 0; x < q->target_pitch; x++)
            ck_assert_msg(pixels[y * q->target_pitch + x] == expected(q, before, x, y),
                          "pixel %u %u: %08x is not %08x", x, y, pixels[y * q->target_pitch + x],
                          expected(q, before, x, y));
    mem_free(before);
}

/* Frames at 1:1, scaled up and down by integer and fractional factors, in a part of the target. */
static const struct r500_quad quads[] = {
    {0, 0, 640, 480, 640, 640, 480, 640, 0, 0, 640, 480, false},
    {R500_R580, 0, 333, 77, 336, 333, 77, 384, 0, 0, 333, 77, true},
    {R500_RV530, 0, 100, 60, 104, 200, 120, 256, 0, 0, 200, 120, false},
    {R500_RV560, 0, 200, 120, 200, 100, 60, 128, 0, 0, 100, 60, false},
    {R500_RV570, 0, 100, 60, 104, 133, 171, 192, 7, 11, 128, 170, false},
    {R500_R520, 0, 4096, 3, 4096, 1000, 3, 1024, 0, 0, 1000, 3, false},
    {R500_R520, 0, 3, 2049, 8, 3, 4096, 64, 0, 0, 3, 4096, false},
    {R500_RV515, 0, 1, 1, 8, 5, 4, 64, 1, 1, 4, 3, false},
};

START_TEST(frames_are_exact)
{
    struct r500_quad quad = quads[_i];

    for (quad.form = 0; quad.form < R500_FORMS; quad.form++) {
        draw(&quad);
        compare(&quad);
    }
}
END_TEST

/* Unsupported state and the expected messages. */
static const struct {
    uint32_t reg, value;
    const char *reason;
} unknown[] = {
    {R500_ZB_CNTL, 2, "not modelled: ZB_CNTL = 0x00000002"},
    {R500_VAP_VTE_CNTL, 0x33f, "not modelled: VAP_VTE_CNTL"},
    {R500_SC_EDGERULE, 6, "not modelled: SC_EDGERULE"},
    {R500_TX_FILTER0, 0x1492, "not modelled: texture 0"},
    {R500_TX_FORMAT1, 0xa60b, "not modelled: texture 0"},
    {R500_TX_ENABLE, 0, "reads texture 0, which is off"},
    {R500_US_CODE_ADDR, 1, "is not a program"},
    {R500_RS_IP, 0x00ffe042, "points to component 2 of 2"},
    {R500_VAP_VF_MIN_VTX_INDX, 5, NULL},
    {R500_VAP_PROG_STREAM_CNTL, 0x26030001, "an element reaches beyond its vertex"},
    {R500_VAP_PROG_STREAM_CNTL, 0x06010001, "without a value in VAP_PROG_STREAM_CNTL[1]"},
    {R500_SC_SCISSOR1, 0x3ffffff, "no colour buffer, or one outside"},
    {R500_SC_SCISSOR1, 639 | 480 << 13, "beyond the colour buffer"},
};

START_TEST(unknown_state_is_named)
{
    struct r500_submit submit;

    draw(&plain);
    *value_of(stream, n_dwords, unknown[_i].reg) = unknown[_i].value;
    submit = submit_of(stream, n_dwords);
    ck_assert_int_eq(r500_run(&submit, &memory, &error) == ST_OK, !unknown[_i].reason);
    if (unknown[_i].reason)
        ck_assert_msg(strstr(error.text, unknown[_i].reason) != NULL, "%s", error.text);
}
END_TEST

START_TEST(caches_are_flushed)
{
    struct r500_submit submit;

    draw(&plain);
    submit = submit_of(stream, n_dwords - 7); /* without the last flush */
    ck_assert_int_eq(r500_run(&submit, &memory, &error), ST_DAMAGED);
    ck_assert_ptr_nonnull(strstr(error.text, "no flush"));
}
END_TEST

/* Edge rule: a quad with edges on pixel centres. */
START_TEST(left_and_top_edges_are_inside)
{
    const float corners[4][2] = {{10.5f, 20.5f}, {10.5f, 30.5f}, {40.5f, 30.5f}, {40.5f, 20.5f}};
    struct r500_submit submit;
    uint32_t inside = 0, *vertices;

    draw(&plain);
    memset(buffers[1].data, 0xff, buffers[1].size);
    memset(buffers[0].data, 0, buffers[0].size);
    vertices = &stream[193];
    for (unsigned i = 0; i < 4; i++)
        memcpy(&vertices[4 * i], corners[i], 8);
    submit = submit_of(stream, n_dwords);
    ck_assert_int_eq(r500_run(&submit, &memory, &error), ST_OK);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        bool in = i % WIDTH >= 10 && i % WIDTH < 40 && i / WIDTH >= 20 && i / WIDTH < 30;

        ck_assert_int_eq(((const uint32_t *)(const void *)buffers[0].data)[i] != 0, in);
        inside += in;
    }
    ck_assert_uint_eq(inside, 300);
}
END_TEST

START_TEST(memory_may_be_short)
{
    struct r500_submit submit;
    enum status st = ST_NOMEM;
    int n = 0;

    draw(&plain);
    submit = submit_of(stream, n_dwords);
    for (; st != ST_OK; n++) {
        mem_fail_after(n);
        st = r500_run(&submit, &memory, &error);
        mem_fail_after(-1);
        ck_assert(st == ST_OK || st == ST_NOMEM);
    }
    ck_assert_int_gt(n, 3);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/r500/model");
    TCase *tc = tcase_create("quads");

    tcase_add_checked_fixture(tc, NULL, teardown);
    tcase_add_loop_test(tc, frames_are_exact, 0, sizeof(quads) / sizeof(quads[0]));
    tcase_add_loop_test(tc, unknown_state_is_named, 0, sizeof(unknown) / sizeof(unknown[0]));
    tcase_add_test(tc, caches_are_flushed);
    tcase_add_test(tc, left_and_top_edges_are_inside);
    tcase_add_test(tc, memory_may_be_short);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
