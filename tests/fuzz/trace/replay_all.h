/* Replays a capture in memory and counts its pictures. */
#ifndef TESTS_FUZZ_REPLAY_ALL_H
#define TESTS_FUZZ_REPLAY_ALL_H

#include "trace/trace.h"
#include "util/alloc.h"

#include <check.h>

static inline bool replay_all_moment(void *ctx, struct replay *replay,
                                     const struct replay_moment *moment)
{
    unsigned *pictures = ctx;
    struct replay_picture picture;

    (void)moment;
    if (replay_take_picture(replay, &picture) == ST_OK) {
        ++*pictures;
        mem_free(picture.rgba);
    }
    return true;
}

static inline void replay_all_warning(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
}

/* viewer: reproduces dx9mt's viewer. */
static inline enum status replay_all(const uint8_t *bytes, size_t n, bool viewer,
                                     unsigned *pictures)
{
    const struct replay_options options = {
        .on_moment = replay_all_moment, .on_warning = replay_all_warning, .ctx = pictures};
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay;
    enum status st = trace_open_memory(&reader, bytes, n, &error);

    *pictures = 0;
    if (st != ST_OK)
        return st;
    trace_set_frames(reader, viewer, false);
    ck_assert_int_eq(replay_create(&replay, reader, &options), ST_OK);
    st = replay_run(replay);
    replay_destroy(replay);
    trace_close(reader);
    return st;
}

#endif
