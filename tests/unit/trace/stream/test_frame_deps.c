/* Frame dependency tracker: each test draws in chosen frames, then asks which frame a picture
 * depends on. */
#include "check_main.h"

#include "trace/stream/frame_deps.h"
#include "util/alloc.h"

enum { BACK = 1, DEPTH, TEXTURE, OTHER, MIPS, SAMPLES, VERTICES, RESULTS, EDGE = 64 };

static struct nvs_frame_deps *deps;
static uint32_t frame;

static bool packet(enum cmd_op op, const void *p)
{
    return nvs_frame_deps_packet(deps, frame, op, p);
}
#define DO(ID, name, ...) packet(CMD_##ID, &(struct cmd_##name){__VA_ARGS__})

static void image(cmd_handle handle, unsigned levels, unsigned samples)
{
    const struct tex_desc desc = {.shape = TEX_2D,
                                  .width = EDGE,
                                  .height = EDGE,
                                  .depth = 1,
                                  .levels = levels,
                                  .samples = samples};

    ck_assert_int_eq(nvs_frame_deps_resource(deps, handle, &desc), ST_OK);
}

static void setup(void)
{
    ck_assert_int_eq(nvs_frame_deps_create(&deps), ST_OK);
    image(BACK, 1, 1);
    image(DEPTH, 1, 1);
    image(TEXTURE, 1, 1);
    image(OTHER, 1, 1);
    image(MIPS, 3, 1);
    image(SAMPLES, 1, 4);
    ck_assert_int_eq(nvs_frame_deps_resource(deps, VERTICES, NULL), ST_OK);
    ck_assert_int_eq(nvs_frame_deps_resource(deps, RESULTS, NULL), ST_OK);
    DO(SET_TARGET, set_target, 0, {BACK, 0, 0});
    DO(SET_VIEWPORT, set_viewport, {0, 0, EDGE, EDGE, 0, 1});
    DO(SET_STREAM, set_stream, 0, VERTICES, 0, 16);
    frame = 5;
}

static void teardown(void)
{
    nvs_frame_deps_destroy(deps);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static void draw(void)
{
    DO(DRAW, draw, D3DPT_TRIANGLELIST, 1, 0, 0, 0, 0, 3);
}

static void clear(unsigned flags)
{
    DO(CLEAR, clear, flags, 0, 0, 1, 0);
}

static void target(cmd_handle handle)
{
    DO(SET_TARGET, set_target, 0, {handle, 0, 0});
}

static void depth(bool z, bool stencil)
{
    DO(SET_TARGET, set_target, CMD_DEPTH_TARGET, {DEPTH, 0, 0});
    DO(SET_RENDER_STATE, set_render_state, D3DRS_ZENABLE, z);
    DO(SET_RENDER_STATE, set_render_state, D3DRS_STENCILENABLE, stencil);
}

#define depends_on_frame(handle, n) ck_assert_uint_eq(nvs_frame_deps_first(deps, handle), n)

/* --- Drawing ---------------------------------------------------------------------------------- */

START_TEST(nothing_drawn)
{
    depends_on_frame(BACK, NVS_NONE);
    depends_on_frame(VERTICES, NVS_NONE);
    depends_on_frame(0, NVS_NONE);
    depends_on_frame(12345, NVS_NONE);
}
END_TEST

START_TEST(draws_keep_earlier_dependencies)
{
    draw();
    frame = 6;
    draw();
    depends_on_frame(BACK, 5);
}
END_TEST

START_TEST(clears_that_cover)
{
    draw();
    frame = 6;
    clear(D3DCLEAR_TARGET);
    depends_on_frame(BACK, 6);
    frame = 7;
    draw();
    depends_on_frame(BACK, 6);
}
END_TEST

START_TEST(clears_that_do_not_cover)
{
    draw();
    frame = 6;
    clear(D3DCLEAR_ZBUFFER);
    depends_on_frame(BACK, 5);
    DO(SET_VIEWPORT, set_viewport, {1, 0, EDGE, EDGE, 0, 1});
    clear(D3DCLEAR_TARGET);
    depends_on_frame(BACK, 5);
    DO(SET_VIEWPORT, set_viewport, {0, 0, EDGE, EDGE - 1, 0, 1});
    clear(D3DCLEAR_TARGET);
    depends_on_frame(BACK, 5);
    DO(SET_VIEWPORT, set_viewport, {0, 0, EDGE, EDGE, 0, 1});
    DO(CLEAR, clear, D3DCLEAR_TARGET, 0, 0, 1, 1);
    depends_on_frame(BACK, 5);
    DO(SET_RENDER_STATE, set_render_state, D3DRS_SCISSORTESTENABLE, 1);
    DO(SET_SCISSOR, set_scissor, 0, 0, EDGE, EDGE - 1);
    clear(D3DCLEAR_TARGET);
    depends_on_frame(BACK, 5);
    DO(SET_SCISSOR, set_scissor, 0, 0, EDGE, EDGE);
    clear(D3DCLEAR_TARGET);
    depends_on_frame(BACK, 6);
}
END_TEST

/* A clear affects one level; the other levels keep their contents. */
START_TEST(clears_of_levels)
{
    target(MIPS);
    draw();
    frame = 6;
    clear(D3DCLEAR_TARGET);
    depends_on_frame(MIPS, 5);
}
END_TEST

START_TEST(textures_and_vertices)
{
    target(TEXTURE);
    draw();
    target(BACK);
    frame = 9;
    clear(D3DCLEAR_TARGET);
    DO(SET_TEXTURE, set_texture, 3, TEXTURE);
    draw();
    depends_on_frame(BACK, 5);
    frame = 10;
    clear(D3DCLEAR_TARGET);
    DO(SET_TEXTURE, set_texture, 3, 0);
    draw();
    depends_on_frame(BACK, 10);
    frame = 8;
    DO(PROCESS_VERTICES, process_vertices, 0, 0, 3, 16, RESULTS, 0, 0);
    depends_on_frame(RESULTS, 8);
    frame = 11;
    clear(D3DCLEAR_TARGET);
    DO(SET_STREAM, set_stream, 0, RESULTS, 0, 16);
    draw();
    depends_on_frame(BACK, 8);
}
END_TEST

START_TEST(depth_and_stencil)
{
    depth(true, true);
    draw();
    frame = 6;
    clear(D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER);
    draw();
    depends_on_frame(BACK, 5); /* the stencil keeps its contents */
    depth(true, false);
    frame = 7;
    clear(D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER);
    draw();
    depends_on_frame(BACK, 7);
    depth(false, false);
    frame = 8;
    clear(D3DCLEAR_TARGET);
    draw();
    depends_on_frame(BACK, 8);
    depth(false, true);
    draw();
    depends_on_frame(BACK, 5);
    frame = 9;
    clear(D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL);
    draw();
    depends_on_frame(BACK, 9);
    depends_on_frame(DEPTH, 9);
}
END_TEST

/* --- Copies and writes ------------------------------------------------------------------------ */

static bool copy(cmd_handle dst, cmd_handle src, uint32_t height)
{
    return DO(COPY, copy, {dst, 0, 0}, {src, 0, 0}, 0, 0, 0, {0, 0, 0, EDGE, height, 1});
}

START_TEST(copies)
{
    ck_assert(copy(TEXTURE, OTHER, EDGE)); /* application data: always copied */
    draw();
    frame = 6;
    ck_assert(!copy(TEXTURE, BACK, EDGE));
    depends_on_frame(TEXTURE, 5);
    frame = 7;
    ck_assert(!copy(TEXTURE, OTHER, EDGE / 2));
    depends_on_frame(TEXTURE, 5);
    ck_assert(!copy(TEXTURE, OTHER, EDGE));
    depends_on_frame(TEXTURE, 7);
    copy(OTHER, TEXTURE, EDGE / 2);
    frame = 12;
    target(OTHER);
    clear(D3DCLEAR_TARGET);
    depends_on_frame(OTHER, 12);
}
END_TEST

START_TEST(stretches_fills_and_mips)
{
    const struct cmd_box all = {0, 0, 0, EDGE, EDGE, 1};

    ck_assert(DO(FILL, fill, {TEXTURE, 0, 0}, all, 0));
    target(SAMPLES);
    draw();
    frame = 6;
    ck_assert(!DO(STRETCH, stretch, {TEXTURE, 0, 0}, {SAMPLES, 0, 0}, all, all, 0));
    depends_on_frame(TEXTURE, 5);
    frame = 7;
    ck_assert(!DO(FILL, fill, {TEXTURE, 0, 0}, all, 0));
    depends_on_frame(TEXTURE, 7);
    ck_assert(!DO(FILL, fill, {SAMPLES, 0, 0}, all, 0)); /* one of four samples */
    depends_on_frame(SAMPLES, 5);
    ck_assert(DO(GENERATE_MIPS, generate_mips, MIPS, 2));
    target(MIPS);
    draw();
    ck_assert(!DO(GENERATE_MIPS, generate_mips, MIPS, 2));
    depends_on_frame(MIPS, 7);
}
END_TEST

START_TEST(writes)
{
    draw();
    DO(WRITE_IMAGE, write_image, {BACK, 0, 0});
    depends_on_frame(BACK, NVS_NONE);
    target(MIPS);
    draw();
    DO(WRITE_IMAGE, write_image, {MIPS, 0, 1});
    depends_on_frame(MIPS, 5);
}
END_TEST

START_TEST(reused_handles)
{
    draw();
    DO(DESTROY, destroy, BACK);
    image(BACK, 1, 1);
    frame = 6;
    draw(); /* the destroyed target is no longer bound */
    depends_on_frame(BACK, NVS_NONE);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("frame dependencies of compiled streams");
    TCase *tests = tcase_create("frame deps");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, nothing_drawn);
    tcase_add_test(tests, draws_keep_earlier_dependencies);
    tcase_add_test(tests, clears_that_cover);
    tcase_add_test(tests, clears_that_do_not_cover);
    tcase_add_test(tests, clears_of_levels);
    tcase_add_test(tests, textures_and_vertices);
    tcase_add_test(tests, depth_and_stencil);
    tcase_add_test(tests, copies);
    tcase_add_test(tests, stretches_fills_and_mips);
    tcase_add_test(tests, writes);
    tcase_add_test(tests, reused_handles);
    suite_add_tcase(suite, tests);
    return suite;
}

TEST_MAIN(suite)
