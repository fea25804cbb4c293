/* Runs dx9mt frame files and compares pictures with rows of letters. */
#ifndef TESTS_TRACE_DX9MT_RUN_H
#define TESTS_TRACE_DX9MT_RUN_H

#include "check_main.h"
#include "dx9mt_file.h"

#include "trace/trace.h"
#include "util/alloc.h"
#include "util/log.h"

static struct frame f;
static struct replay_picture picture;
static unsigned pictures;

static inline void setup(void)
{
    f = (struct frame){.count = 0};
    log_set_level(LOG_NONE); /* tests skip draws on purpose */
}

static inline void teardown(void)
{
    free(f.bulk.bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

/* --- Running ---------------------------------------------------------------------------------- */

static inline bool on_moment(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    (void)ctx;
    (void)moment;
    mem_free(picture.rgba);
    ck_assert_int_eq(replay_take_picture(replay, &picture), ST_OK);
    pictures++;
    return true;
}

static inline void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    ck_abort_msg("%s", line);
}

static inline enum status run(const struct stream *file, bool viewer)
{
    const struct replay_options options = {.on_moment = on_moment, .on_warning = on_warning};
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay;
    enum status st;

    pictures = 0;
    picture.rgba = NULL;
    ck_assert_int_eq(trace_open_memory(&reader, file->bytes, file->n, &error), ST_OK);
    ck_assert_str_eq(trace_format_name(reader), "dx9mt frame");
    trace_set_frames(reader, viewer, false);
    ck_assert_int_eq(replay_create(&replay, reader, &options), ST_OK);
    st = replay_run(replay);
    ck_assert_uint_eq(replay_get_stats(replay)->failed, 0);
    ck_assert_uint_eq(replay_get_stats(replay)->skipped, 0);
    ck_assert_uint_eq(replay_get_stats(replay)->short_uploads, 0);
    replay_destroy(replay);
    trace_close(reader);
    return st;
}

static inline uint32_t pixel(unsigned x, unsigned y)
{
    const uint8_t *p = picture.rgba + 4 * (y * picture.width + x);

    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

/* Checks a frame's picture against rows of text: one letter per pixel, colours from `legend`. */
static inline void check_file(struct stream file, bool viewer, const char *const *rows)
{
    static const struct {
        char letter;
        uint32_t colour;
    } legend[] = {
        {'.', 0x102030}, {'k', 0x000000}, {'r', 0xff0000}, {'g', 0x00ff00}, {'b', 0x0000ff},
        {'w', 0xffffff}, {'h', 0x800080}, {'y', 0xffff00}, {'m', 0xff00ff}, {'c', 0x00ffff},
    };

    ck_assert_int_eq(run(&file, viewer), ST_OK);
    ck_assert_uint_eq(pictures, 1);
    for (unsigned y = 0; y < picture.height; y++) {
        ck_assert_uint_eq(strlen(rows[y]), picture.width);
        for (unsigned x = 0; x < picture.width; x++)
            for (unsigned i = 0; i < sizeof(legend) / sizeof(legend[0]); i++)
                if (legend[i].letter == rows[y][x])
                    ck_assert_msg(pixel(x, y) == legend[i].colour, "%s: %u,%u is %06x, not '%c'",
                                  viewer ? "viewer" : "exact", x, y, pixel(x, y), rows[y][x]);
    }
    mem_free(picture.rgba);
    free(file.bytes);
}

static inline void check(bool viewer, const char *const *rows)
{
    check_file(frame_file(&f), viewer, rows);
}

#define CHECK(viewer, ...) check(viewer, (const char *const[]){__VA_ARGS__})
#define CHECK_BOTH(...)                                                                            \
    do {                                                                                           \
        CHECK(false, __VA_ARGS__);                                                                 \
        CHECK(true, __VA_ARGS__);                                                                  \
    } while (0)

/* Clip-space rectangle; u and v go from 0 to 1. */
static inline uint8_t *quad(float left, float top, float right, float bottom, float z)
{
    const float vertices[4][6] = {{left, top, z, 1, 0, 0},
                                  {right, top, z, 1, 1, 0},
                                  {left, bottom, z, 1, 0, 1},
                                  {right, bottom, z, 1, 1, 1}};

    return frame_quad(&f, 4, 2, vertices);
}

static const uint32_t texels[2][4] = {{0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffffff},
                                      {0xffffff00, 0xffff00ff, 0xff00ffff, 0xff000000}};

/* Pre-transformed vertices with a colour: x, y, z, 1/w, colour. */
static inline uint8_t *fixed_quad(void)
{
    static const struct {
        float at[4];
        uint32_t colour;
    } vertices[4] = {
        {{-0.5f, -0.5f, 0, 1}, 0xffff0000},
        {{1.5f, -0.5f, 0, 1}, 0xffff0000},
        {{-0.5f, 1.5f, 0, 1}, 0xffff0000},
        {{1.5f, 1.5f, 0, 1}, 0xffff0000},
    };
    uint8_t *d = quad(0, 0, 0, 0, 0);

    frame_bulk(&f, d, D_VB, vertices, sizeof(vertices), true);
    set(d, D_STRIDE, 20);
    set(d, D_FVF, 0x44);
    d[D_DECL_COUNT] = 0;
    set(d, D_VS + 4, 0);
    return d;
}

#endif
