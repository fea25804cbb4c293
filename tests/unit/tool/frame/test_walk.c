/* The walk through a frame: where it starts and ends, what its visitors see, and the numbers of
 * resources. */
#include "unit/tool/frame/capture.h"

#include <sys/wait.h>

static void setup(void)
{
    record_capture();
}

struct seen {
    unsigned calls, markers, draws, clears, uploads, presents;
    uint64_t first, last;
    uint32_t texture;
    bool stop;
};

static bool on_call(void *ctx, struct frame_walk *walk, const struct trace_call *call)
{
    struct seen *s = ctx;

    ck_assert_uint_eq(frame_walk_call(walk), call->number);
    ck_assert_str_eq(frame_walk_name(walk), call->function->name);
    s->first = s->calls ? s->first : call->number;
    s->last = call->number;
    s->calls++;
    s->presents += replay_is_present(call->function->name);
    return !s->stop;
}

static void on_marker(void *ctx, struct frame_walk *walk, const struct trace_call *call)
{
    struct seen *s = ctx;

    (void)walk;
    ck_assert(!strncmp(call->function->name, "D3DPERF_", 8));
    s->markers++;
}

static void on_draw(void *ctx, struct frame_walk *walk, struct draw *draw,
                    const struct draw_state *state, const struct draw_args *args)
{
    struct seen *s = ctx;
    struct cmd_stream *stream = frame_walk_last_stream(walk);

    (void)draw;
    (void)state;
    ck_assert_uint_eq(args->primitives, 2);
    s->draws++;
    s->texture = frame_walk_id(walk, stream, frame_walk_bindings(walk, stream)->texture[0]);
}

static void on_after(void *ctx, struct frame_walk *walk, const struct frame_packet *packet)
{
    struct seen *s = ctx;

    ck_assert_ptr_eq(frame_walk_stream(walk, packet->number), packet->stream);
    s->clears += packet->op == CMD_CLEAR;
}

static void on_upload(void *ctx, struct frame_walk *walk, const struct frame_packet *packet)
{
    struct seen *s = ctx;

    (void)walk;
    (void)packet;
    s->uploads++;
}

static struct frame_walk *open_at(uint64_t frame)
{
    struct frame_walk *walk;

    ck_assert_int_eq(frame_walk_open(&walk, "test", path, frame), TOOL_OK);
    return walk;
}

static struct seen run(struct frame_walk *walk)
{
    struct seen seen = {0}, other = {0};
    struct frame_visitor visitor = {.ctx = &seen,
                                    .call = on_call,
                                    .marker = on_marker,
                                    .draw = on_draw,
                                    .after = on_after,
                                    .upload = on_upload};
    const struct frame_visitor second = {.ctx = &other, .marker = on_marker, .draw = on_draw};

    frame_walk_watch(walk, &second);
    ck_assert_int_eq(frame_walk_run(walk, &visitor), ST_OK);
    ck_assert_uint_eq(other.draws, seen.draws);
    ck_assert_uint_eq(other.markers, seen.markers);
    return seen;
}

START_TEST(a_frame_ends_with_its_present)
{
    uint64_t last = 0;

    for (uint64_t frame = 0; frame < FRAMES; frame++) {
        struct frame_walk *walk = open_at(frame);
        struct seen seen = run(walk);

        ck_assert_uint_eq(seen.presents, 1);
        ck_assert_uint_eq(seen.draws, 2);
        ck_assert_uint_eq(seen.clears, 1);
        ck_assert_uint_eq(seen.markers, 3);
        ck_assert_uint_eq(seen.uploads, frame ? 0 : 4); /* two buffers, two levels */
        ck_assert(frame_walk_presented(walk));
        ck_assert(!frame || seen.first > last);
        last = seen.last;
        frame_walk_close(walk);
    }
}
END_TEST

START_TEST(resources_have_the_same_numbers_in_each_frame)
{
    uint32_t texture[FRAMES];

    for (uint64_t frame = 0; frame < FRAMES; frame++) {
        struct frame_walk *walk = open_at(frame);
        const struct frame_resource *r;

        texture[frame] = run(walk).texture;
        r = frame_walk_resource(walk, texture[frame]);
        ck_assert_ptr_nonnull(r);
        ck_assert_uint_eq(r->image.width, 4);
        ck_assert_uint_eq(r->image.levels, 2);
        ck_assert_str_eq(r->method, "CreateTexture");
        ck_assert_uint_eq(r->pool, D3DPOOL_MANAGED);
        ck_assert(!r->gone);
        ck_assert_ptr_null(frame_walk_resource(walk, 0));
        ck_assert_ptr_null(frame_walk_resource(walk, 1000));
        frame_walk_close(walk);
    }
    ck_assert_uint_ne(texture[0], 0);
    ck_assert_uint_eq(texture[0], texture[1]);
    ck_assert_uint_eq(texture[0], texture[2]);
}
END_TEST

START_TEST(a_visitor_ends_the_walk)
{
    struct seen seen = {.stop = true};
    const struct frame_visitor visitor = {.ctx = &seen, .call = on_call};
    struct frame_walk *walk = open_at(1);

    ck_assert_int_eq(frame_walk_run(walk, &visitor), ST_OK);
    ck_assert_uint_eq(seen.calls, 1);
    ck_assert(!frame_walk_presented(walk));
    frame_walk_close(walk);
}
END_TEST

/* A server forks a walk at the frame's start for each question. */
START_TEST(a_forked_walk_goes_on_in_each_process)
{
    struct frame_walk *walk = open_at(1);

    for (unsigned i = 0; i < 2; i++) {
        int status;
        pid_t child = fork();

        if (!child) {
            cJSON *answer = NULL;
            bool good = frame_answer(walk, folder, "frame", &answer) == ST_OK &&
                        cJSON_GetArraySize(member(answer, "events")) == 7;

            _exit(good ? 0 : 1);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
    }
    ck_assert_uint_eq(run(walk).draws, 2);
    frame_walk_close(walk);
}
END_TEST

START_TEST(what_is_not_there_is_an_error)
{
    struct frame_walk *walk;

    ck_assert_int_eq(frame_walk_open(&walk, "test", path, FRAMES + 1), TOOL_ERROR);
    ck_assert_ptr_null(walk);
    ck_assert_int_eq(frame_walk_open(&walk, "test", in_folder("nothing"), 0), TOOL_ERROR);
    ck_assert_ptr_null(walk);
    write_text(in_folder("text"), "no capture");
    ck_assert_int_eq(frame_walk_open(&walk, "test", in_folder("text"), 0), TOOL_ERROR);
    ck_assert_ptr_null(walk);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("frame/walk");
    TCase *tc = tcase_create("frame/walk");

    setenv("NOVEM_SINK", "none", 1);

    tcase_add_checked_fixture(tc, setup, close_folder);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_frame_ends_with_its_present);
    tcase_add_test(tc, resources_have_the_same_numbers_in_each_frame);
    tcase_add_test(tc, a_visitor_ends_the_walk);
    tcase_add_test(tc, a_forked_walk_goes_on_in_each_process);
    tcase_add_test(tc, what_is_not_there_is_an_error);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
