/* Frame files of dx9mt: pixels of both modes by hand, every revision, files that are being written,
 * and that docs/formats.md has the offsets. */
#include "check_main.h"
#include "dx9mt_file.h"

#include "present/dx9mt.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/log.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct frame f;
static struct replay_picture picture;
static unsigned pictures;

static void setup(void)
{
    f = (struct frame){.count = 0};
    log_set_level(LOG_NONE); /* draws that are left out are part of the tests */
}

static void teardown(void)
{
    free(f.bulk.bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

/* --- Running ---------------------------------------------------------------------------------- */

static bool on_moment(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    (void)ctx;
    (void)moment;
    mem_free(picture.rgba);
    ck_assert_int_eq(replay_take_picture(replay, &picture), ST_OK);
    pictures++;
    return true;
}

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    ck_abort_msg("%s", line);
}

static enum status run(const struct stream *file, bool viewer)
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

static uint32_t pixel(unsigned x, unsigned y)
{
    const uint8_t *p = picture.rgba + 4 * (y * picture.width + x);

    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

/* The picture of the frame as rows of text: a letter a pixel, with the colours of `legend`. */
static void check_file(struct stream file, bool viewer, const char *const *rows)
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

static void check(bool viewer, const char *const *rows)
{
    check_file(frame_file(&f), viewer, rows);
}

#define CHECK(viewer, ...) check(viewer, (const char *const[]){__VA_ARGS__})
#define CHECK_BOTH(...)                                                                            \
    do {                                                                                           \
        CHECK(false, __VA_ARGS__);                                                                 \
        CHECK(true, __VA_ARGS__);                                                                  \
    } while (0)

/* From clip coordinates; u and v go from 0 to 1. */
static uint8_t *quad(float left, float top, float right, float bottom, float z)
{
    const float vertices[4][6] = {{left, top, z, 1, 0, 0},
                                  {right, top, z, 1, 1, 0},
                                  {left, bottom, z, 1, 0, 1},
                                  {right, bottom, z, 1, 1, 1}};

    return frame_quad(&f, 4, 2, vertices);
}

static const uint32_t texels[2][4] = {{0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffffff},
                                      {0xffffff00, 0xffff00ff, 0xff00ffff, 0xff000000}};

/* --- What both modes do alike ----------------------------------------------------------------- */

START_TEST(texture)
{
    frame_start(&f, 4, 2);
    frame_texture(&f, quad(-1, 1, 1, -1, 0), TEXTURE_ID, 21, 4, 2, 16, texels, sizeof(texels));
    CHECK_BOTH("rgbw", "ymck");
}
END_TEST

/* A pitch of 20 bytes: the fifth texel of a row is not part of the picture. */
START_TEST(pitch)
{
    const uint32_t rows[2][5] = {{0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffffff, 0xff123456},
                                 {0xffffff00, 0xffff00ff, 0xff00ffff, 0xff000000, 0xff123456}};

    frame_start(&f, 4, 2);
    frame_texture(&f, quad(-1, 1, 1, -1, 0), TEXTURE_ID, 21, 4, 2, 20, rows, sizeof(rows));
    CHECK_BOTH("rgbw", "ymck");
}
END_TEST

/* The second quad is behind the first where they overlap: columns 1 to 2, and 2 to 3. */
START_TEST(depth)
{
    frame_start(&f, 4, 2);
    frame_clear(&f, 3, 0xff102030, 1);
    for (unsigned i = 0; i < 2; i++) {
        uint8_t *d = quad(i ? 0 : -0.5f, 1, i ? 1 : 0.5f, -1, i ? 0.75f : 0.25f);

        frame_colour(&f, d, !i, i, 0, 1);
        set(d, D_ZENABLE, 1);
        set(d, D_ZWRITE, 1);
        set(d, D_ZFUNC, 4);
    }
    CHECK_BOTH(".rrg", ".rrg");
    set_float(f.header, H_CLEAR_Z, 0.5f); /* now the second is behind that */
    CHECK_BOTH(".rr.", ".rr.");
}
END_TEST

/* Half red over blue: 0.5 is code 128, halves up. */
START_TEST(blend)
{
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff0000ff, 1);
    d = quad(-1, 1, 0, -1, 0);
    frame_colour(&f, d, 1, 0, 0, 0.5f);
    set(d, D_BLEND, 1);
    set(d, D_SRC_BLEND, 5);
    set(d, D_DEST_BLEND, 6);
    CHECK_BOTH("hhbb", "hhbb");
    set(d, D_WRITE_MASK, 1); /* red alone: blue stays what it was */
    set(d, D_BLEND, 0);
    CHECK_BOTH("mmbb", "mmbb");
}
END_TEST

/* Red in a target of 2x2, green in its second row, stretched to two columns of the screen. */
static void put_stretch(void)
{
    const float all[4][6] = {
        {-1, 1, 0, 1, 0, 0}, {1, 1, 0, 1, 1, 0}, {-1, -1, 0, 1, 0, 1}, {1, -1, 0, 1, 1, 1}};
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    for (unsigned i = 0; i < 2; i++) {
        d = frame_quad(&f, 2, 2, all);
        set(d, D_TARGET, OTHER);
        set(d, D_TARGET_TEXTURE, OTHER_TEXTURE);
        frame_colour(&f, d, !i, i, 0, 1);
    }
    set(d, D_SCISSOR_TEST, 1);
    set(d, D_SCISSOR + 4, 1);
    set(d, D_SCISSOR + 8, 2);
    set(d, D_SCISSOR + 12, 2);
}

START_TEST(stretch)
{
    uint8_t *d;

    put_stretch();
    d = f.draws[f.count++];
    memset(d, 0, D_BYTES);
    set(d, D_COMMAND, 1);
    set(d, D_TARGET, SCREEN);
    set(d, D_TARGET_W, 4);
    set(d, D_TARGET_H, 2);
    set(d, D_TARGET_FORMAT, 22);
    set(d, D_SRC_SURFACE, OTHER);
    set(d, D_SRC_TEXTURE, OTHER_TEXTURE);
    set(d, D_SRC_RECT + 8, 2);
    set(d, D_SRC_RECT + 12, 2);
    set(d, D_DST_RECT, 1);
    set(d, D_DST_RECT + 8, 3);
    set(d, D_DST_RECT + 12, 2);
    set(d, D_STRETCH_FILTER, 1);
    CHECK_BOTH(".rr.", ".gg.");
}
END_TEST

/* The same target as a texture. */
START_TEST(target_as_texture)
{
    put_stretch();
    frame_texture(&f, quad(-0.5f, 1, 0.5f, -1, 0), OTHER_TEXTURE, 21, 2, 2, 8, NULL, 0);
    CHECK_BOTH(".rr.", ".gg.");
}
END_TEST

/* add oPos, v0, c0 */
START_TEST(vertex_constants)
{
    static const uint32_t code[] = {0xfffe0200, 0x0200001f, 0x80000000, 0x900f0000, 0x03000002,
                                    0xc00f0000, 0x90e40000, 0xa0e40000, 0x0000ffff};
    const float by[4] = {1, 0, 0, 0};
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    d = quad(-1, 1, 0, -1, 0);
    frame_bulk(&f, d, D_VS, code, sizeof(code), true);
    frame_bulk(&f, d, D_VS_CONSTANTS, by, sizeof(by), true);
    frame_colour(&f, d, 1, 0, 0, 1);
    CHECK_BOTH("..rr", "..rr");
}
END_TEST

/* Indices of 32 bits, a first index, a base vertex, an offset of the stream. */
START_TEST(indices)
{
    static const uint32_t numbers[6] = {9, 9, 0, 1, 2, 3};
    const float at[6][6] = {{0}, {0}, {-1, 1, 0, 1}, {0, 1, 0, 1}, {-1, -1, 0, 1}, {0, -1, 0, 1}};
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    d = quad(0, 0, 0, 0, 0);
    frame_bulk(&f, d, D_VB, at, sizeof(at), true);
    frame_bulk(&f, d, D_IB, numbers, sizeof(numbers), true);
    set(d, D_INDEX_FORMAT, 102);
    set(d, D_START, 2);
    set(d, D_BASE_VERTEX, 1);
    set(d, D_STREAM_OFFSET, 24);
    frame_colour(&f, d, 1, 0, 0, 1);
    CHECK_BOTH("rr..", "rr..");
}
END_TEST

/* --- Where the modes differ ------------------------------------------------------------------- */

/* From half a pixel on: pixel 0 has its centre at 0, or at 0.5. */
START_TEST(pixel_centres)
{
    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    frame_colour(&f, quad(-0.75f, 1, 0.75f, -1, 0), 1, 0, 0, 1);
    CHECK(false, ".rrr", ".rrr");
    CHECK(true, "rrr.", "rrr.");
}
END_TEST

START_TEST(alpha_test)
{
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    d = quad(-1, 1, 0, -1, 0);
    frame_colour(&f, d, 1, 0, 0, 0.25f);
    set(d, D_ALPHA_TEST, 1);
    set(d, D_ALPHA_REF, 128);
    set(d, D_ALPHA_FUNC, 5);
    CHECK(false, "....", "....");
    CHECK(true, "rr..", "rr..");
}
END_TEST

/* A fan of two triangles; as a list, four indices are one. */
START_TEST(fan)
{
    static const uint16_t order[4] = {0, 1, 3, 2};
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    d = quad(-1, 1, 1, -1, 0);
    frame_bulk(&f, d, D_IB, order, sizeof(order), true);
    set(d, D_TYPE, 6);
    frame_colour(&f, d, 1, 0, 0, 1);
    CHECK(false, "rrrr", "rrrr");
    /* The half above the diagonal from 0,0 to 4,2: of centres x, y those with x > 2y. */
    CHECK(true, ".rrr", "...r");
}
END_TEST

/* X8R8G8B8 with 0 on top, blended by source alpha. */
START_TEST(unused_alpha)
{
    static const uint32_t red[8] = {0xff0000, 0xff0000, 0xff0000, 0xff0000,
                                    0xff0000, 0xff0000, 0xff0000, 0xff0000};
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    d = quad(-1, 1, 0, -1, 0);
    frame_texture(&f, d, TEXTURE_ID, 22, 4, 2, 16, red, sizeof(red));
    set(d, D_BLEND, 1);
    set(d, D_SRC_BLEND, 5);
    set(d, D_DEST_BLEND, 6);
    CHECK(false, "rr..", "rr..");
    CHECK(true, "....", "....");
}
END_TEST

START_TEST(missing_texture)
{
    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    frame_texture(&f, quad(-1, 1, 0, -1, 0), TEXTURE_ID, 21, 4, 2, 16, NULL, 0);
    CHECK(false, "kk..", "kk..");
    CHECK(true, "....", "....");
}
END_TEST

/* Positions on the screen and a colour: x, y, z, 1/w, colour. */
static uint8_t *fixed_quad(void)
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

START_TEST(fixed_function)
{
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 1, 0xff102030, 1);
    d = fixed_quad();
    CHECK(false, "rr..", "rr..");
    CHECK(true, "....", "....");
    set(d, D_COLOR_OP, 2); /* SELECTARG1, of the texture factor */
    set(d, D_COLOR_ARG1, 3);
    set(d, 572, 0xff00ff00);
    CHECK(false, "gg..", "gg..");
}
END_TEST

START_TEST(stencil)
{
    uint8_t *d;

    frame_start(&f, 4, 2);
    frame_clear(&f, 7, 0xff102030, 1);
    set(f.header, H_CLEAR_STENCIL, 3);
    d = quad(-1, 1, 0, -1, 0);
    frame_colour(&f, d, 1, 0, 0, 1);
    set(d, D_STENCIL, 1);
    set(d, D_STENCIL_FUNC, 3);
    set(d, D_STENCIL_REF, 2);
    set(d, D_STENCIL_MASK, 255);
    set(d, D_STENCIL_WRITE_MASK, 255);
    for (unsigned i = 0; i < 3; i++)
        set(d, D_STENCIL_PASS + 4 * i, 1);
    CHECK(false, "....", "....");
    CHECK(true, "rr..", "rr..");
    set(d, D_STENCIL_REF, 3);
    CHECK(false, "rr..", "rr..");
}
END_TEST

/* --- Revisions -------------------------------------------------------------------------------- */

/* The parts of a draw of 808 bytes that each older one has. */
#define ONE_OF_EACH                                                                                \
    {164, 4}, {196, 4}, {228, 4}, {260, 4}, {292, 4}, {324, 4}, {356, 4}, {388, 4}, {420, 4},      \
        {452, 4}, {484, 4}, {516, 4}, {548, 68}, {616, 4},                                         \
    {                                                                                              \
        648, 4                                                                                     \
    }
static const struct part revisions[][20] = {
    {{4, 44}, {104, 704}},                                 /* 748 */
    {{4, 44}, {104, 656}},                                 /* 700 */
    {{4, 44}, {104, 60}, ONE_OF_EACH, {680, 80}},          /* 308 */
    {{4, 44}, {104, 60}, ONE_OF_EACH, {680, 76}},          /* 304 */
    {{4, 44}, {104, 60}, ONE_OF_EACH, {680, 44}},          /* 272 */
    {{4, 44}, {104, 60}, ONE_OF_EACH, {680, 24}},          /* 252 */
    {{4, 24}, {104, 44}, {152, 12}, {600, 16}, {680, 24}}, /* 120 */
};
static const unsigned revision_bytes[] = {748, 700, 308, 304, 272, 252, 120};

/* A textured quad and a cut of it by the newest field that the revision has. */
START_TEST(older_revisions)
{
    unsigned size = revision_bytes[_i], sum = 0;

    for (const struct part *p = revisions[_i]; p->bytes; p++)
        sum += p->bytes;
    ck_assert_uint_eq(sum, size);
    for (unsigned more = 0; more < 3; more++) { /* one, two and three draws */
        frame_start(&f, 4, 2);
        frame_clear(&f, 1, 0xff102030, 1);
        if (size > 252) {
            uint8_t *d = quad(-1, 1, 1, -1, 0);

            frame_texture(&f, d, TEXTURE_ID, 21, 4, 2, 16, texels, sizeof(texels));
            set(d, D_WRITE_MASK, 7);
            if (size == 308)
                set(d, D_CULL, 3);
            for (unsigned i = 0; i < more; i++)
                frame_colour(&f, quad(0.5f, 1, 1, -1, 0), 1, 0, 0, 1);
            check_file(frame_file_of(&f, 60, revisions[_i]), false,
                       more ? (const char *const[]){"rgbr", "ymcr"}
                            : (const char *const[]){"rgbw", "ymck"});
        } else {
            for (unsigned i = 0; i <= more; i++)
                fixed_quad();
            check_file(frame_file_of(&f, size == 120 ? 56 : 60, revisions[_i]), false,
                       (const char *const[]){"rr..", "rr.."});
        }
    }
}
END_TEST

/* --- Sequence --------------------------------------------------------------------------------- */

START_TEST(unfinished)
{
    struct stream file;

    frame_start(&f, 4, 2);
    frame_colour(&f, quad(-1, 1, 1, -1, 0), 1, 0, 0, 1);
    set(f.header, H_SEQUENCE, 0);
    file = frame_file(&f);
    ck_assert_int_eq(run(&file, false), ST_DAMAGED);
    ck_assert_uint_eq(pictures, 0);
    free(file.bytes);
}
END_TEST

/* A writer that puts frames of one colour into a file, of one size and another, as fast as it can;
 * the second and later ones do not send their texture again. */
static char path[64];
static volatile bool stop;

static void *write_frames(void *arg)
{
    FILE *file = fopen(path, "r+b");
    struct frame g = {.count = 0};
    const uint32_t nothing = 0;

    setvbuf(file, NULL, _IONBF, 0);
    for (uint32_t n = 1; !stop; n++) {
        const float all[4][6] = {
            {-1, 1, 0, 1, 0, 0}, {1, 1, 0, 1, 1, 0}, {-1, -1, 0, 1, 0, 1}, {1, -1, 0, 1, 1, 1}};
        struct stream out;

        frame_start(&g, 4, 2);
        for (unsigned i = 0; i < 1 + n % 2; i++)
            frame_colour(&g, frame_quad(&g, 4, 2, all), n & 1, n >> 1 & 1, n >> 2 & 1, 1);
        out = frame_file(&g);
        fseek(file, H_SEQUENCE, SEEK_SET);
        fwrite(&nothing, 4, 1, file);
        fseek(file, 8, SEEK_SET);
        fwrite(out.bytes + 8, 1, out.n - 8, file);
        fseek(file, H_SEQUENCE, SEEK_SET);
        fwrite(&n, 4, 1, file);
        free(out.bytes);
    }
    fclose(file);
    free(g.bulk.bytes);
    return arg;
}

static bool on_followed(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    unsigned *seen = ctx;

    (void)moment;
    ck_assert_int_eq(replay_take_picture(replay, &picture), ST_OK);
    for (unsigned i = 1; i < 8; i++)
        ck_assert_msg(pixel(i % 4, i / 4) == pixel(0, 0), "a torn frame");
    mem_free(picture.rgba);
    return ++*seen < 100;
}

START_TEST(followed_file)
{
    unsigned seen = 0;
    const struct replay_options options = {&seen, on_followed, on_warning};
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay;
    pthread_t writer;
    FILE *file;

    strcpy(path, "/tmp/novem-test-XXXXXX");
    file = fdopen(mkstemp(path), "wb");
    fwrite("\x01\x90\xad\xde\0\0\0\0", 1, 8, file);
    fclose(file);
    stop = false;
    ck_assert_int_eq(pthread_create(&writer, NULL, write_frames, NULL), 0);
    ck_assert_int_eq(trace_open(&reader, path, &error), ST_OK);
    trace_set_frames(reader, false, true);
    ck_assert_int_eq(replay_create(&replay, reader, &options), ST_OK);
    ck_assert_int_eq(replay_run(replay), ST_OK);
    ck_assert_uint_eq(seen, 100);
    stop = true;
    pthread_join(writer, NULL);
    replay_destroy(replay);
    trace_close(reader);
    unlink(path);
}
END_TEST

/* --- Document --------------------------------------------------------------------------------- */

static char *document;

static void has_row(unsigned from, unsigned size, const char *name, unsigned since)
{
    char row[256];

    snprintf(row, sizeof(row), "\n| %u-%u | `%s` | %u |", from, from + size - 1, name, since);
    ck_assert_msg(strstr(document, row), "docs/formats.md has no row that begins:%s", row);
}

START_TEST(offsets_in_the_document)
{
    FILE *file = fopen("docs/formats.md", "rb");

    ck_assert_msg(file, "docs/formats.md is not here: tests run in the project's folder");
    document = calloc(1, 1 << 20);
    ck_assert_uint_gt(fread(document, 1, (1 << 20) - 1, file), 0);
    fclose(file);
#define SIZE(s, member) (unsigned)sizeof(((struct s *)0)->member)
#define HEADER(since, type, name, n, absent)                                                       \
    has_row(offsetof(struct dx9mt_header, name), SIZE(dx9mt_header, name), #name, since);
#define DRAW(since, type, name, n, absent)                                                         \
    has_row(offsetof(struct dx9mt_draw, name), SIZE(dx9mt_draw, name), #name, since);
#include "present/dx9mt.def"
    free(document);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("frame files of dx9mt");
    TCase *tc = tcase_create("dx9mt");

    setenv("NOVEM_THREADS", "1", 0);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, texture);
    tcase_add_test(tc, pitch);
    tcase_add_test(tc, depth);
    tcase_add_test(tc, blend);
    tcase_add_test(tc, stretch);
    tcase_add_test(tc, target_as_texture);
    tcase_add_test(tc, vertex_constants);
    tcase_add_test(tc, indices);
    tcase_add_test(tc, pixel_centres);
    tcase_add_test(tc, alpha_test);
    tcase_add_test(tc, fan);
    tcase_add_test(tc, unused_alpha);
    tcase_add_test(tc, missing_texture);
    tcase_add_test(tc, fixed_function);
    tcase_add_test(tc, stencil);
    tcase_add_loop_test(tc, older_revisions, 0, 7);
    tcase_add_test(tc, unfinished);
    tcase_add_test(tc, followed_file);
    tcase_add_test(tc, offsets_in_the_document);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
