/* Reader of dx9mt frame files: every revision, files under construction, offsets in
 * docs/formats.md. */
#include "dx9mt_run.h"

#include "present/dx9mt/dx9mt.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- Revisions -------------------------------------------------------------------------------- */

/* Parts of the newest draw (808 bytes) that each older revision has. */
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

/* A textured quad, limited by the newest field of the revision. */
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

/* Writes frames of one colour and alternating sizes to a file as fast as possible. All but the
 * first frame omit the texture's contents. */
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
        usleep(100); /* below that time the reader would never get a complete frame */
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
    const struct replay_options options = {
        .ctx = &seen, .on_moment = on_followed, .on_warning = on_warning};
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

START_TEST(offsets_in_formats_md)
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
#include "present/dx9mt/dx9mt.def"
    free(document);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("frame files of dx9mt");
    TCase *tc = tcase_create("dx9mt");

    setenv("NOVEM_THREADS", "1", 0);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, older_revisions, 0, 7);
    tcase_add_test(tc, unfinished);
    tcase_add_test(tc, followed_file);
    tcase_add_test(tc, offsets_in_formats_md);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
