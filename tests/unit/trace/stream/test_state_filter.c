/* Redundant-state filter: which packets compiled streams leave out. */
#include "check_main.h"

#include "trace/stream/state_filter.h"
#include "util/alloc.h"

static struct nvs_state_filter *filter;

static void setup(void)
{
    ck_assert_int_eq(nvs_state_filter_create(&filter), ST_OK);
}

static void teardown(void)
{
    nvs_state_filter_destroy(filter);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

#define SAME(ID, name, ...)                                                                        \
    nvs_state_filter_is_redundant(filter, CMD_##ID, &(struct cmd_##name){__VA_ARGS__},             \
                                  sizeof(struct cmd_##name))

/* The first packet is never redundant, because the initial state is unknown. */
START_TEST(values)
{
    ck_assert(!SAME(SET_RENDER_STATE, set_render_state, 7, 0));
    ck_assert(SAME(SET_RENDER_STATE, set_render_state, 7, 0));
    ck_assert(!SAME(SET_RENDER_STATE, set_render_state, 8, 0));
    ck_assert(!SAME(SET_RENDER_STATE, set_render_state, 7, 1));
    ck_assert(!SAME(SET_RENDER_STATE, set_render_state, 7, 0));
    ck_assert(!SAME(SET_SAMPLER_STATE, set_sampler_state, 1, 2, 3));
    ck_assert(!SAME(SET_SAMPLER_STATE, set_sampler_state, 2, 1, 3));
    ck_assert(SAME(SET_SAMPLER_STATE, set_sampler_state, 1, 2, 3));
    ck_assert(!SAME(SET_TRANSFORM, set_transform, D3DTS_VIEW, {1}));
    ck_assert(!SAME(SET_TRANSFORM, set_transform, D3DTS_PROJECTION, {1}));
    ck_assert(SAME(SET_TRANSFORM, set_transform, D3DTS_VIEW, {1}));
    ck_assert(!SAME(SET_TRANSFORM, set_transform, D3DTS_VIEW, {2}));
    ck_assert(!SAME(SET_VIEWPORT, set_viewport, {0, 0, 4, 4, 0, 1}));
    ck_assert(SAME(SET_VIEWPORT, set_viewport, {0, 0, 4, 4, 0, 1}));
    ck_assert(!SAME(SET_SHADER, set_shader, 0, 5));
    ck_assert(!SAME(SET_SHADER, set_shader, 1, 5));
    ck_assert(SAME(SET_SHADER, set_shader, 0, 5));
}
END_TEST

/* Invalid indices, and packets that do not set state. */
START_TEST(others)
{
    for (unsigned i = 0; i < 2; i++) {
        ck_assert(!SAME(SET_RENDER_STATE, set_render_state, 0xffffffff, 0));
        ck_assert(!SAME(SET_SAMPLER_STATE, set_sampler_state, 1, 0x40000000, 3));
        ck_assert(!SAME(SET_TEXTURE, set_texture, 21, 3));
        ck_assert(!SAME(SET_CONSTANTS, set_constants, 0, 0, 0, 1));
        ck_assert(!SAME(SET_LIGHTS, set_lights, 1));
        ck_assert(!SAME(CLEAR, clear, 1, 2, 3, 4, 0));
        ck_assert(!SAME(DRAW, draw, 4, 1, 0, 0, 0, 0, 3));
    }
}
END_TEST

/* A destroyed resource is unbound, and its handle may be reused. */
START_TEST(destroyed)
{
    ck_assert(!SAME(SET_TEXTURE, set_texture, 0, 3));
    ck_assert(!SAME(SET_RENDER_STATE, set_render_state, 7, 0));
    ck_assert(SAME(SET_TEXTURE, set_texture, 0, 3));
    ck_assert(!SAME(DESTROY, destroy, 3));
    ck_assert(!SAME(SET_TEXTURE, set_texture, 0, 3));
    ck_assert(SAME(SET_RENDER_STATE, set_render_state, 7, 0));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("redundant-state filter");
    TCase *tests = tcase_create("state filter");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, values);
    tcase_add_test(tests, others);
    tcase_add_test(tests, destroyed);
    suite_add_tcase(suite, tests);
    return suite;
}

TEST_MAIN(suite)
