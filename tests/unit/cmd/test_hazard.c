/* Tests hazard tracking: the last packets that read and write each resource, by name and through
 * bindings. */
#include "check_main.h"

#include "cmd/stream.h"

#include <stdlib.h>
#include <string.h>

enum { IMAGE = 1, OTHER, BUFFER, VERTICES, QUERY, HANDLES };

static struct cmd_stream *stream;
static uint64_t now; /* seqno of the last packet */

static void setup(void)
{
    static const enum cmd_kind kinds[HANDLES] = {[IMAGE] = CMD_IMAGE,
                                                 [OTHER] = CMD_IMAGE,
                                                 [BUFFER] = CMD_BUFFER,
                                                 [VERTICES] = CMD_BUFFER,
                                                 [QUERY] = CMD_QUERY};

    stream = calloc(1, sizeof(*stream));
    stream->page[0] = calloc(CMD_PAGE_HANDLES, sizeof(*stream->page[0]));
    for (unsigned i = 0; i < HANDLES; i++)
        stream->page[0][i].kind = kinds[i];
    now = 0;
}

static void teardown(void)
{
    free(stream->page[0]);
    free(stream);
}

static void track(enum cmd_op op, const void *packet)
{
    cmd_track_access(stream, op, packet, ++now);
}

static uint64_t last_read(cmd_handle handle)
{
    return cmd_last_read_seq(stream, &cmd_any_resource(stream, handle)->usage);
}

static uint64_t last_write(cmd_handle handle)
{
    return cmd_last_write_seq(stream, &cmd_any_resource(stream, handle)->usage);
}

/* --- By name ---------------------------------------------------------------------------------- */

/* The resources that are read and written, of those named in `packet`. */
static const struct {
    enum cmd_op op;
    cmd_handle reads, writes;
    union {
        struct cmd_copy copy;
        struct cmd_stretch stretch;
        struct cmd_fill fill;
        struct cmd_generate_mips mips;
        struct cmd_present present;
        struct cmd_process_vertices process;
        struct cmd_end_query end;
        struct cmd_begin_query begin;
        struct cmd_touch touch;
        struct cmd_write_buffer write_buffer;
        struct cmd_write_image write_image;
        struct cmd_set_backing backing;
        struct cmd_compose_rects compose;
    } packet;
} rows[] = {
    {CMD_COPY, OTHER, IMAGE, {.copy = {.dst = {.image = IMAGE}, .src = {.image = OTHER}}}},
    {CMD_STRETCH, OTHER, IMAGE, {.stretch = {.dst = {.image = IMAGE}, .src = {.image = OTHER}}}},
    {CMD_FILL, 0, IMAGE, {.fill = {.dst = {.image = IMAGE}}}},
    {CMD_GENERATE_MIPS, 0, IMAGE, {.mips = {.image = IMAGE}}},
    {CMD_PRESENT, IMAGE, 0, {.present = {.image = IMAGE}}},
    {CMD_PROCESS_VERTICES, 0, BUFFER, {.process = {.dst_buffer = BUFFER}}},
    {CMD_END_QUERY, 0, QUERY, {.end = {QUERY}}},
    {CMD_BEGIN_QUERY, 0, 0, {.begin = {QUERY}}},
    {CMD_TOUCH, 0, 0, {.touch = {IMAGE}}},
    {CMD_WRITE_BUFFER, 0, 0, {.write_buffer = {.buffer = BUFFER}}},
    {CMD_WRITE_IMAGE, 0, 0, {.write_image = {{.image = IMAGE}}}},
    {CMD_SET_BACKING, 0, 0, {.backing = {.handle = IMAGE}}},
    {CMD_COMPOSE_RECTS,
     OTHER,
     IMAGE,
     {.compose = {.dst = {.image = IMAGE}, .src = {.image = OTHER}}}},
    {CMD_COMPOSE_RECTS, BUFFER, IMAGE, {.compose = {.dst = {.image = IMAGE}, .src_rects = BUFFER}}},
    {CMD_FILL, 0, 0, {.fill = {.dst = {.image = BUFFER}}}}, /* not an image */
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

START_TEST(named_resources)
{
    now = 6;
    track(rows[_i].op, &rows[_i].packet);
    for (cmd_handle i = 1; i < HANDLES; i++) {
        ck_assert_msg(last_read(i) == (i == rows[_i].reads ? 7 : 0), "%s: read of %u",
                      cmd_name(rows[_i].op), i);
        ck_assert_msg(last_write(i) == (i == rows[_i].writes ? 7 : 0), "%s: write of %u",
                      cmd_name(rows[_i].op), i);
    }
    ck_assert_uint_eq(stream->n_presents, rows[_i].op == CMD_PRESENT);
}
END_TEST

/* --- Bindings --------------------------------------------------------------------------------- */

/* What a bound resource gets from a later packet: 'r' a read, 'w' a write. */
static const struct {
    enum cmd_op bind;
    cmd_handle handle;
    const char *draw, *process, *clear;
    union {
        struct cmd_set_texture texture;
        struct cmd_set_stream stream;
        struct cmd_set_indices indices;
        struct cmd_set_target target;
    } packet;
} bindings[] = {
    {CMD_SET_TEXTURE, IMAGE, "r", "r", "", {.texture = {20, IMAGE}}},
    {CMD_SET_STREAM, BUFFER, "r", "r", "", {.stream = {.stream = 15, .buffer = BUFFER}}},
    {CMD_SET_INDICES, BUFFER, "r", "r", "", {.indices = {.buffer = BUFFER}}},
    {CMD_SET_TARGET, IMAGE, "w", "", "w", {.target = {CMD_DEPTH_TARGET, {.image = IMAGE}}}},
};
enum { BINDINGS = sizeof(bindings) / sizeof(bindings[0]) };

static void expect(cmd_handle handle, const char *uses, const char *what)
{
    uint64_t read = strchr(uses, 'r') ? now : 0, written = strchr(uses, 'w') ? now : 0;

    ck_assert_msg(last_read(handle) == read, "%s: read %u", what, (unsigned)last_read(handle));
    ck_assert_msg(last_write(handle) == written, "%s: write %u", what,
                  (unsigned)last_write(handle));
}

START_TEST(bound_resources)
{
    track(CMD_DRAW, &(struct cmd_draw){0}); /* before the binding */
    track(bindings[_i].bind, &bindings[_i].packet);
    expect(bindings[_i].handle, "", "bound");
    track(CMD_PROCESS_VERTICES, &(struct cmd_process_vertices){0});
    expect(bindings[_i].handle, bindings[_i].process, "process");
    track(CMD_CLEAR, &(struct cmd_clear){0});
    if (*bindings[_i].clear)
        expect(bindings[_i].handle, bindings[_i].clear, "clear");
    track(CMD_DRAW, &(struct cmd_draw){0});
    expect(bindings[_i].handle, bindings[_i].draw, "draw");
    track(CMD_DRAW_UP, &(struct cmd_draw_up){0});
    expect(bindings[_i].handle, bindings[_i].draw, "draw_up");
}
END_TEST

/* An unbound resource keeps the uses that it had while it was bound. */
START_TEST(unbound_resources)
{
    uint64_t used;

    track(bindings[_i].bind, &bindings[_i].packet);
    track(CMD_DRAW, &(struct cmd_draw){0});
    used = now;
    track(CMD_DESTROY, &(struct cmd_destroy){bindings[_i].handle});
    track(CMD_DRAW, &(struct cmd_draw){0});
    ck_assert_uint_eq(last_read(bindings[_i].handle) + last_write(bindings[_i].handle), used);
}
END_TEST

START_TEST(slots_are_counted)
{
    track(CMD_SET_STREAM, &(struct cmd_set_stream){.stream = 0, .buffer = BUFFER});
    track(CMD_SET_STREAM, &(struct cmd_set_stream){.stream = 1, .buffer = BUFFER});
    track(CMD_SET_STREAM, &(struct cmd_set_stream){.stream = 0, .buffer = VERTICES});
    track(CMD_DRAW, &(struct cmd_draw){0});
    ck_assert_uint_eq(last_read(BUFFER), now); /* still in slot 1 */
    track(CMD_SET_STREAM, &(struct cmd_set_stream){.stream = 1});
    track(CMD_DRAW, &(struct cmd_draw){0});
    ck_assert_uint_eq(last_read(BUFFER), now - 2);
    ck_assert_uint_eq(last_read(VERTICES), now);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("hazards");
    TCase *tests = tcase_create("hazards");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, named_resources, 0, ROWS);
    tcase_add_loop_test(tests, bound_resources, 0, BINDINGS);
    tcase_add_loop_test(tests, unbound_resources, 0, BINDINGS);
    tcase_add_test(tests, slots_are_counted);
    suite_add_tcase(suite, tests);
    return suite;
}

TEST_MAIN(suite)
