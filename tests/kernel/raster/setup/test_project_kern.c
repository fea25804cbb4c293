/* Projection kernel: each instruction set against raster_project, one vertex at a time. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/scene/scene.h"
#include "raster/setup/project_kern.h"
#include "raster/setup/setup.h"
#include "util/alloc.h"
#include "util/fpenv.h"

#include <string.h>

enum { ROUNDS = 3000, MOST = 70, STRIDE = 12 };

static float vertices[MOST * STRIDE];
static struct raster_screen_vertex out[MOST + 1];

/* Usually a plausible coordinate, sometimes beyond all planes or not a number. */
static float coordinate(float around, float reach)
{
    if (random_u32() % 16 == 0)
        return random_float();
    if (random_u32() % 16 == 0)
        return (float)(int32_t)random_u32() * 0x1p-12f;
    return around + reach * (float)(int32_t)random_u32() * 0x1p-31f;
}

static void random_state(struct raster *raster, struct raster_state *state)
{
    memset(state, 0, sizeof(*state));
    state->transformed = random_u32() % 3 == 0;
    state->clipping = random_u32() % 2;
    state->depth_clamp = random_u32() % 4 == 0;
    state->depth_test = random_u32() % 2;
    state->clip_plane_mask = random_u32() % 3 ? 0 : (uint8_t)(random_u32() % 256);
    for (int i = 0; i < RASTER_CLIP_PLANES; i++)
        for (int c = 0; c < 4; c++)
            state->values.clip_plane[i][c] = coordinate(0.0f, 2.0f);
    state->values.viewport[0] = (float)(random_u32() % 100);
    state->values.viewport[1] = (float)(random_u32() % 100);
    state->values.viewport[2] = (float)(random_u32() % 2000 + 1);
    state->values.viewport[3] = (float)(random_u32() % 2000 + 1);
    state->values.viewport[4] = (float)(random_u32() % 3) * 0.25f;
    state->values.viewport[5] = (float)(random_u32() % 5) * 0.25f;
    raster->state = state;
    raster->targets.depth.format = tex_format_get(D3DFMT_D24S8);
    raster_project_begin(raster);
}

static void random_vertices(bool transformed, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        float *v = vertices + i * STRIDE;

        v[0] = transformed ? coordinate(500.0f, 1000.0f) : coordinate(0.0f, 2.0f);
        v[1] = transformed ? coordinate(500.0f, 1000.0f) : coordinate(0.0f, 2.0f);
        v[2] = coordinate(0.5f, 0.75f);
        v[3] = coordinate(1.0f, 1.25f);
    }
}

START_TEST(projection_agrees)
{
    struct raster *raster = mem_calloc(1, sizeof(*raster));
    struct fp_mode mode = fp_enter();
    struct raster_screen_vertex want;
    struct raster_state state;

    ck_assert(raster != NULL);
    for (int round = 0; round < ROUNDS; round++) {
        unsigned n = random_u32() % MOST + 1;

        random_state(raster, &state);
        random_vertices(state.transformed, n);
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            uint32_t planes, want_planes = 0;

            if (!cpu_has_isa((enum cpu_isa)isa))
                continue;
            memset(out, 0x55, sizeof(out));
            planes = KERN_FOR(raster_project_kern, isa)->project(raster, vertices, STRIDE, n, out);
            for (unsigned i = 0; i < n; i++) {
                raster_project(raster, &want, vertices + i * STRIDE);
                want_planes |= want.outside;
                ck_assert_uint_eq(out[i].outside, want.outside);
                ck_assert_int_eq(out[i].x, want.x);
                ck_assert_int_eq(out[i].y, want.y);
                ck_assert(bits_same(out[i].z, want.z));
                ck_assert(bits_same(out[i].rhw, want.rhw));
                ck_assert(out[i].v == want.v);
            }
            ck_assert_uint_eq(out[n].outside, 0x55555555);
            ck_assert_uint_eq(planes, want_planes);
        }
        for (unsigned i = 0; i < n; i++) {
            bits_word(out[i].outside);
            bits_word((uint32_t)out[i].x);
            bits_word((uint32_t)out[i].y);
            bits_floats(&out[i].z, 1);
            bits_floats(&out[i].rhw, 1);
        }
    }
    bits_print("project", 0);
    fp_leave(mode);
    mem_free(raster);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/project_kern");
    TCase *t = tcase_create("project_kern");

    tcase_set_timeout(t, 60);
    tcase_add_test(t, projection_agrees);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
