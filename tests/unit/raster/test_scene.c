/* Scenes: order of overlapping draws, worker counts, instruction sets, full bins, allocation
 * failures, queries, clears and serials. */
#include "check_main.h"

#include "fixture.h"
#include "raster/scene/scene.h"

#include <stdio.h>

enum { WIDTH = 301, HEIGHT = 203 };

static void random_state(const struct canvas *c, struct raster_state *s)
{
    default_state(c, s);
    s->blend_enable = random_u32() % 3;
    s->blend_rgb =
        (struct raster_blend){(uint8_t)random_between(1, 11), (uint8_t)random_between(1, 10),
                              (uint8_t)random_between(1, 5)};
    s->depth_test = random_u32() & 1;
    s->depth_write = random_u32() & 1;
    s->depth_func = (uint8_t)random_between(1, 8);
    s->stencil_test = random_u32() % 3 == 0;
    for (int i = 0; i < 2; i++)
        s->stencil[i] = (struct raster_stencil_face){8, 1, 7, 7};
    s->alpha_test = random_u32() % 3 == 0;
    s->alpha_func = D3DCMP_GREATER;
    s->values.alpha_ref = 0x60;
    s->write_mask[0] = random_u32() % 3 ? 15 : (uint8_t)random_between(0, 15);
    s->fog = random_u32() % 4 ? RASTER_FOG_NONE : (uint8_t)random_between(1, 4);
    s->fog_attr = 2;
    s->values.fog_end = s->values.fog_density = 1.0f;
    s->cull = (uint8_t)random_between(1, 3);
    s->fill = random_u32() % 6 ? D3DFILL_SOLID : (uint8_t)random_between(1, 2);
    s->values.slope_bias = random_u32() & 1 ? 0.5f : 0.0f;
    s->values.scissor[0] = random_between(0, 50);
    s->values.scissor[3] = HEIGHT - random_between(0, 50);
}

static struct vertex random_vertex(void)
{
    struct vertex v = vertex_at((float)random_between(-20000, 90000) / 256.0f,
                                (float)random_between(-20000, 60000) / 256.0f,
                                (float)random_between(0, 255) / 255.0f, random_u32());

    v.rhw = (float)random_between(1, 100) / 50.0f;
    v.size = (float)random_between(0, 20);
    return v;
}

/* Draws the same scene for the same seed; queries count into samples[2]. */
static enum status draw_scene(struct canvas *c, unsigned n_draws, uint64_t samples[2])
{
    enum status st = clear_all(c, 0xff336699, 1.0f, 0);

    for (unsigned i = 0; i < n_draws && st == ST_OK; i++) {
        struct raster_state s;
        struct vertex v[36];
        enum raster_primitive primitive = random_u32() % 8 ? RASTER_TRIANGLES : random_u32() % 2;

        random_state(c, &s);
        if (samples && i % 3 == 0)
            s.values.samples_passed = &samples[i % 2];
        for (unsigned k = 0; k < 36; k++) {
            v[k] = random_vertex();
            if (i & 1 && k % 3) { /* small triangles */
                v[k].x = v[k - k % 3].x + (float)random_between(-2000, 2000) / 256.0f;
                v[k].y = v[k - k % 3].y + (float)random_between(-2000, 2000) / 256.0f;
            }
        }
        st = draw(c, &s, primitive, v, 36);
        if (st == ST_OK && random_u32() % 20 == 0) {
            const int32_t rect[1][4] = {{random_between(0, 200), random_between(0, 100), 280, 200}};
            struct raster_clear clear = {.depth = true, .z = 0.5f, .stencil = true};

            st = raster_clear(c->raster, &clear, rect, 1);
        }
    }
    return st;
}

struct result {
    uint8_t *colour, *depth;
    size_t colour_bytes, depth_bytes;
    uint64_t samples[2];
};

static void run(struct result *out, unsigned threads, enum cpu_isa isa, size_t limit,
                unsigned n_draws, unsigned samples)
{
    struct canvas c;

    ck_assert_int_eq(cpu_set_isa(isa), ST_OK);
    memset(out, 0, sizeof(*out));
    random_seed(4711);
    canvas_open(&c, threads, WIDTH, HEIGHT, samples, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    if (limit)
        raster_limit_bins(c.raster, limit);
    ck_assert_int_eq(draw_scene(&c, n_draws, out->samples), ST_OK);
    raster_flush(c.raster);
    out->colour = c.memory[0];
    out->depth = c.memory[RASTER_TARGETS];
    out->colour_bytes = c.bytes[0];
    out->depth_bytes = c.bytes[RASTER_TARGETS];
    c.memory[0] = c.memory[RASTER_TARGETS] = NULL;
    canvas_close(&c);
}

static void result_free(struct result *result)
{
    mem_free(result->colour);
    mem_free(result->depth);
}

static void check_same(const struct result *a, const struct result *b, const char *what)
{
    ck_assert_msg(!memcmp(a->colour, b->colour, a->colour_bytes), "%s: colours differ", what);
    ck_assert_msg(!memcmp(a->depth, b->depth, a->depth_bytes), "%s: depths differ", what);
    ck_assert_msg(!memcmp(a->samples, b->samples, sizeof(a->samples)), "%s: queries differ", what);
}

/* _i: log2 of the number of samples. */
START_TEST(same_bits_for_all_workers_and_instruction_sets)
{
    struct result first, other;
    char what[64];

    run(&first, 1, ISA_SCALAR, 0, 150, 1u << _i);
    ck_assert(first.samples[0] && first.samples[1]);
    for (unsigned threads = 1; threads <= 4; threads *= 2)
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            if (!cpu_has_isa((enum cpu_isa)isa) || (threads > 1 && isa != (int)ISA_SSE2))
                continue;
            run(&other, threads, (enum cpu_isa)isa, 0, 150, 1u << _i);
            snprintf(what, sizeof(what), "%u threads, %s", threads,
                     cpu_isa_name((enum cpu_isa)isa));
            check_same(&first, &other, what);
            result_free(&other);
        }
    result_free(&first);
}
END_TEST

START_TEST(full_bins_are_flushed_within_draws)
{
    static const size_t limits[] = {20000, 50000, 300000};
    struct result first, other;

    run(&first, 1, ISA_SCALAR, 0, 60, 1);
    for (int i = 0; i < 3; i++) {
        run(&other, 2, ISA_SCALAR, limits[i], 60, 1);
        check_same(&first, &other, "small bins");
        result_free(&other);
    }
    result_free(&first);
}
END_TEST

/* A draw that fills the bins renders them, but the scene and its serial stay. */
START_TEST(a_draw_that_flushes_keeps_the_scene_open)
{
    struct vertex v[300];
    struct raster_state s;
    struct canvas c;
    uint64_t serial;

    canvas_open(&c, 1, 200, 200, 1, D3DFMT_A8R8G8B8, D3DFMT_UNKNOWN);
    raster_limit_bins(c.raster, 12000);
    default_state(&c, &s);
    serial = raster_scene_serial(c.raster);
    for (int i = 0; i < 300; i++)
        v[i] = random_vertex();
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 300), ST_OK);
    ck_assert_uint_eq(raster_scene_serial(c.raster), serial);
    raster_flush(c.raster);
    ck_assert_uint_eq(raster_scene_serial(c.raster), serial + 1);
    raster_flush(c.raster);
    ck_assert_uint_eq(raster_scene_serial(c.raster), serial + 1);
    canvas_close(&c);
}
END_TEST

/* Any allocation may fail: the call returns a status, nothing leaks, and the next scene is
 * right. */
START_TEST(running_out_of_memory)
{
    int64_t before = mem_live_blocks();
    struct result first;
    bool finished = false;

    run(&first, 1, ISA_SCALAR, 0, 5, 1);
    for (int k = 0; !finished; k++) {
        struct raster_targets targets;
        struct canvas c;
        enum status st;

        canvas_open(&c, 1, WIDTH, HEIGHT, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
        targets = c.targets;
        raster_destroy(c.raster);
        c.raster = NULL;
        random_seed(4711);
        mem_fail_after(k);
        st = raster_create(&c.raster, c.pool);
        if (st == ST_OK)
            st = raster_set_targets(c.raster, &targets);
        if (st == ST_OK)
            st = draw_scene(&c, 5, NULL);
        mem_fail_after(-1);
        ck_assert(st == ST_OK || st == ST_NOMEM);
        finished = st == ST_OK;
        if (!c.raster)
            ck_assert_int_eq(raster_create(&c.raster, c.pool), ST_OK);
        ck_assert_int_eq(raster_set_targets(c.raster, &targets), ST_OK);
        random_seed(4711);
        ck_assert_int_eq(draw_scene(&c, 5, NULL), ST_OK);
        raster_flush(c.raster);
        ck_assert(!memcmp(first.colour, c.memory[0], first.colour_bytes));
        ck_assert(!memcmp(first.depth, c.memory[RASTER_TARGETS], first.depth_bytes));
        canvas_close(&c);
        ck_assert_int_lt(k, 1000);
    }
    result_free(&first);
    ck_assert_int_eq(mem_live_blocks(), before);
}
END_TEST

/* Many translucent layers of small and large triangles: each pixel blends them in order. */
START_TEST(overlapping_triangles_blend_in_order)
{
    enum { LAYERS = 40, SIZE = 24 };
    uint32_t want[SIZE][SIZE] = {{0}};
    struct vertex v[LAYERS * 3];
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, SIZE, SIZE, D3DFMT_A8R8G8B8);
    s.blend_enable = true;
    s.blend_rgb = (struct raster_blend){D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD};
    for (int i = 0; i < LAYERS; i++) {
        float x = (float)random_between(-4, SIZE), y = (float)random_between(-4, SIZE);
        float size = (float)random_between(1, 30) + 0.5f;
        uint32_t argb = (random_u32() & 0x00ffffff) | 0x80000000;

        v[i * 3] = vertex_at(x - 0.25f, y - 0.25f, 0, argb);
        v[i * 3 + 1] = vertex_at(x - 0.25f + size, y - 0.25f, 0, argb);
        v[i * 3 + 2] = vertex_at(x - 0.25f, y - 0.25f + size, 0, argb);
        /* Right triangles: inside where (px - x) + (py - y) < size, counted from the corner. */
        for (int py = 0; py < SIZE; py++)
            for (int px = 0; px < SIZE; px++) {
                float dx = (float)px - v[i * 3].x, dy = (float)py - v[i * 3].y;
                uint32_t out = 0;

                if (dx < 0 || dy < 0 || dx + dy >= size)
                    continue;
                for (int shift = 0; shift < 32; shift += 8) {
                    float src = (float)(argb >> shift & 255) / 255.0f;
                    float dst = (float)(want[py][px] >> shift & 255) / 255.0f;
                    float a = 128.0f / 255.0f, sum = src * a + dst * (1.0f - a);

                    out |= (uint32_t)(sum * 255.0f + 0.5f) << shift;
                }
                want[py][px] = out;
            }
    }
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, LAYERS * 3), ST_OK);
    raster_flush(c.raster);
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++)
            ck_assert_uint_eq(canvas_pixel(&c, x, y), want[y][x]);
    canvas_close(&c);
}
END_TEST

/* Kills fragments in a checkered pattern. */
static void shade_holes(const void *ctx, struct raster_shade_batch *batch)
{
    shade_attributes(ctx, batch);
    for (unsigned i = 0; i < RASTER_LANES; i++)
        if (((int)batch->x[i] / 3 + (int)batch->y[i] / 5 + (int)(batch->z[i] * 64.0f)) % 3 == 0)
            batch->killed |= UINT64_C(1) << i;
}

/* One draw batches fragments of many triangles and tests some of them early. Image and count must
 * equal those of one draw per triangle. _i: depth function - 1, + 8 with kills. */
START_TEST(one_draw_equals_many)
{
    enum { TRIANGLES = 120 };
    struct vertex v[TRIANGLES * 3];
    uint64_t samples[2] = {0, 0};
    struct raster_state s;
    struct canvas c[2];

    for (unsigned k = 0; k < TRIANGLES * 3; k++) {
        v[k] = random_vertex();
        v[k].x = (k % 3 ? v[k - k % 3].x : 0.0f) + (float)random_between(-500, 12000) / 256.0f;
        v[k].y = (k % 3 ? v[k - k % 3].y : 0.0f) + (float)random_between(-500, 12000) / 256.0f;
        v[k].z = (float)random_between(0, 4) / 4.0f;
    }
    for (unsigned i = 0; i < 2; i++) {
        canvas_open(&c[i], 1, 70, 70, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
        default_state(&c[i], &s);
        s.shade = _i & 8 ? shade_holes : shade_attributes;
        s.kills = _i & 8;
        s.depth_test = s.depth_write = true;
        s.depth_func = (uint8_t)((_i & 7) + 1);
        s.values.samples_passed = &samples[i];
        s.blend_enable = true;
        s.blend_rgb =
            (struct raster_blend){D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD};
        ck_assert_int_eq(clear_all(&c[i], 0, 0.5f, 0), ST_OK);
        for (unsigned t = 0; t < TRIANGLES; t += i ? 1 : TRIANGLES) {
            ck_assert_int_eq(draw(&c[i], &s, RASTER_TRIANGLES, &v[t * 3], i ? 3 : TRIANGLES * 3),
                             ST_OK);
            raster_flush(c[i].raster);
        }
    }
    ck_assert(!memcmp(c[0].memory[0], c[1].memory[0], c[0].bytes[0]));
    ck_assert(!memcmp(c[0].memory[RASTER_TARGETS], c[1].memory[RASTER_TARGETS],
                      c[0].bytes[RASTER_TARGETS]));
    ck_assert_uint_eq(samples[0], samples[1]);
    ck_assert_uint_eq(samples[0] != 0, (_i & 7) != 0);
    canvas_close(&c[0]);
    canvas_close(&c[1]);
}
END_TEST

/* Enough triangles for batched setup: small, large, culled, clipped, and with invalid indices. One
 * thread gives the reference. */
static void draw_many(struct canvas *c, bool add)
{
    enum { VERTICES = 3000, TRIANGLES = 20000 };
    static struct vertex v[VERTICES];
    static uint32_t indices[3 * TRIANGLES];
    struct raster_vertices vertices = {.data = &v->x, .stride_floats = 12, .count = VERTICES};
    struct raster_state s;

    default_state(c, &s);
    s.transformed = false;
    s.clipping = true;
    s.cull = D3DCULL_CCW;
    s.depth_test = s.depth_write = !add; /* shows the order */
    s.blend_enable = add;                /* shows each triangle */
    s.blend_rgb = s.blend_alpha = (struct raster_blend){D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD};
    for (unsigned i = 0; i < VERTICES; i++) {
        float reach = i % 50 ? 1.0f : 40.0f;

        v[i] = vertex_at((float)random_between(-1000, 1000) * 0.001f * reach,
                         (float)random_between(-1000, 1000) * 0.001f * reach,
                         (float)random_between(i % 60 ? 0 : -500, 1000) * 0.001f,
                         random_u32() & (add ? 0x03030303 : UINT32_MAX));
        v[i].rhw = i % 70 ? 1.0f + (float)random_between(0, 1000) * 0.001f : -1.0f; /* w */
    }
    for (unsigned i = 0; i < TRIANGLES; i++) {
        uint32_t first = random_u32() % VERTICES;

        for (unsigned k = 0; k < 3; k++)
            indices[3 * i + k] =
                i % 8 ? (first + k * (i % 5)) % VERTICES : random_u32() % (VERTICES + 5);
    }
    ck_assert_int_eq(raster_draw(c->raster, &s, &vertices, RASTER_TRIANGLES, indices, TRIANGLES),
                     ST_OK);
    raster_flush(c->raster);
}

START_TEST(batched_setup_equals_single_setup)
{
    static const size_t limit[] = {0, 40000, 200000, 300000, 500000, 700000, 1000000, 1500000};
    struct canvas one, some;

    canvas_open(&one, 1, WIDTH, HEIGHT, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    canvas_open(&some, 3, WIDTH, HEIGHT, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    if (limit[_i / 2])
        raster_limit_bins(some.raster, limit[_i / 2]);
    for (unsigned n = 0; n < 2; n++) {
        struct canvas *c = n ? &some : &one;

        random_seed(99);
        ck_assert_int_eq(clear_all(c, 0xff000000, 1.0f, 0), ST_OK);
        draw_many(c, _i & 1);
    }
    ck_assert_mem_eq(one.memory[0], some.memory[0], one.bytes[0]);
    ck_assert_mem_eq(one.memory[RASTER_TARGETS], some.memory[RASTER_TARGETS],
                     one.bytes[RASTER_TARGETS]);
    canvas_close(&one);
    canvas_close(&some);
}
END_TEST

/* Additive triangles with several mask parts around the corners of four tiles. */
static void add_parts(struct canvas *c)
{
    struct raster_state s;
    struct vertex v[3 * 24];

    ck_assert_int_eq(clear_all(c, 0xff000000, 1.0f, 0), ST_OK);
    default_state(c, &s);
    s.blend_enable = true;
    s.blend_rgb = s.blend_alpha = (struct raster_blend){D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD};
    for (unsigned i = 0; i < 3 * 24; i += 3) {
        float x = (float)(64 * (1 + i / 3 % 3) - 7), y = (float)(64 * (1 + i / 3 / 3 % 2) - 6);

        v[i] = vertex_at(x, y, 0.5f, 0x07070707);
        v[i + 1] = vertex_at(x + 13.0f, y + 1.0f, 0.5f, 0x07070707);
        v[i + 2] = vertex_at(x + 2.0f, y + 14.0f, 0.5f, 0x07070707);
    }
    ck_assert_int_eq(draw(c, &s, RASTER_TRIANGLES, v, 3 * 24), ST_OK);
    raster_flush(c->raster);
}

/* Bins may fill after some mask parts of a triangle; these must not be drawn twice. */
START_TEST(mask_parts_are_drawn_once_when_bins_fill)
{
    struct canvas one, some;
    unsigned flushed = 0;

    canvas_open(&one, 1, WIDTH, HEIGHT, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    add_parts(&one);
    for (size_t limit = 6000; limit < 16000; limit += 64) {
        uint64_t arena_generation;

        canvas_open(&some, 1, WIDTH, HEIGHT, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
        raster_limit_bins(some.raster, limit);
        arena_generation = some.raster->arena_generation;
        add_parts(&some);
        flushed += some.raster->arena_generation > arena_generation + 2;
        ck_assert_msg(!memcmp(one.memory[0], some.memory[0], one.bytes[0]), "%zu bytes", limit);
        canvas_close(&some);
    }
    ck_assert_uint_gt(flushed, 50);
    canvas_close(&one);
}
END_TEST

/* Clears of any surfaces, in whole tiles or parts, between small draws with queries. */
static void clears_and_draws(struct canvas *c, bool flush, uint64_t *samples)
{
    for (unsigned i = 0; i < 60; i++) {
        struct raster_clear clear = {.colour = random_u32() % 4,
                                     .depth = random_u32() & 1,
                                     .stencil = random_u32() & 1,
                                     .rgba = {(float)(i % 4) / 3.0f, 0.5f, 0.25f, 1.0f},
                                     .z = (float)random_between(0, 4) / 4.0f,
                                     .stencil_value = (uint8_t)random_u32()};
        int32_t rects[2][4] = {{0, 0, WIDTH, HEIGHT}};
        float x = (float)random_between(-20, WIDTH), y = (float)random_between(-20, HEIGHT);
        struct raster_state s;

        if (random_u32() % 3 == 0)
            for (unsigned k = 0; k < 4; k++)
                rects[1][k] = random_between(-9, k & 1 ? HEIGHT : WIDTH);
        random_state(c, &s);
        if (samples && random_u32() & 1)
            s.values.samples_passed = samples;
        ck_assert_int_eq(draw_rect(c, &s, x, y, x + 90, y + 70, 0.4f, random_u32()), ST_OK);
        if (random_u32() & 1)
            ck_assert_int_eq(raster_clear(c->raster, &clear,
                                          (const int32_t(*)[4])(rects + (random_u32() & 1)), 1),
                             ST_OK);
        if (flush)
            raster_flush(c->raster);
    }
    raster_flush(c->raster);
}

/* A clear may discard earlier commands, except for what it does not overwrite and for counts. */
START_TEST(clears_discard_only_overwritten_commands)
{
    uint64_t samples[2] = {0, 0};
    struct canvas c[2];

    for (unsigned i = 0; i < 2; i++) {
        random_seed((uint64_t)_i);
        canvas_open(&c[i], 1, WIDTH, HEIGHT, 1, D3DFMT_A8R8G8B8,
                    _i % 3 ? D3DFMT_D24S8 : D3DFMT_UNKNOWN);
        if (_i % 3 == 2) {
            c[i].targets.depth.width = c[i].targets.depth.height = 150;
            ck_assert_int_eq(raster_set_targets(c[i].raster, &c[i].targets), ST_OK);
        }
        clears_and_draws(&c[i], i, _i & 1 ? &samples[i] : NULL);
    }
    ck_assert_uint_eq(samples[0], samples[1]);
    ck_assert(!memcmp(c[0].memory[0], c[1].memory[0], c[0].bytes[0]));
    if (c[0].memory[RASTER_TARGETS])
        ck_assert(!memcmp(c[0].memory[RASTER_TARGETS], c[1].memory[RASTER_TARGETS],
                          c[0].bytes[RASTER_TARGETS]));
    for (unsigned i = 0; i < 2; i++)
        canvas_close(&c[i]);
}
END_TEST

START_TEST(large_targets)
{
    struct raster_state s;
    struct canvas c;
    uint64_t samples = 0;

    canvas_open_default(&c, &s, 16384, 3, D3DFMT_R5G6B5);
    s.values.samples_passed = &samples;
    ck_assert_int_eq(draw_rect(&c, &s, -10, -10, 20000, 30, 0, ~0u), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(samples, 16384 * 3);
    ck_assert_uint_eq(canvas_pixel(&c, 16383, 2), 0xffff);
    c.targets.width = 16385;
    ck_assert_int_eq(raster_set_targets(c.raster, &c.targets), ST_INVALID);
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/scene");
    TCase *tc = tcase_create("scene");

    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, same_bits_for_all_workers_and_instruction_sets, 0, 4);
    tcase_add_test(tc, full_bins_are_flushed_within_draws);
    tcase_add_test(tc, a_draw_that_flushes_keeps_the_scene_open);
    tcase_add_test(tc, running_out_of_memory);
    tcase_add_test(tc, overlapping_triangles_blend_in_order);
    tcase_add_loop_test(tc, one_draw_equals_many, 0, 16);
    tcase_add_loop_test(tc, batched_setup_equals_single_setup, 0, 16);
    tcase_add_test(tc, mask_parts_are_drawn_once_when_bins_fill);

    tcase_add_loop_test(tc, clears_discard_only_overwritten_commands, 0, 120);
    tcase_add_test(tc, large_targets);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
