/* Limits of compiled streams: files that exceed memory or work limits, or do not decompress. */
#include "nvs_file.h"

#include "util/hash.h"
#include "util/log.h"

#include <zstd.h>

enum { COLOUR = 1, VERTICES, INDICES };

static uint8_t *bytes;
static size_t size;

static void setup(void)
{
    log_set_level(LOG_NONE);
    setenv("NOVEM_THREADS", "1", 1);
    begin();
    PUT_OWN(OPEN, open, 0);
}

static void teardown(void)
{
    free(bytes);
    bytes = NULL;
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static enum status run_it(void)
{
    bytes = end(&size);
    return run(bytes, size);
}

static void put_image(uint32_t handle, uint32_t edge)
{
    PUT_OWN(CREATE_IMAGE, create_image, handle, D3DFMT_A8R8G8B8, TEX_2D, edge, edge, 1, 1, 1, 0);
}

/* --- Memory ----------------------------------------------------------------------------------- */

START_TEST(images_together)
{
    for (uint32_t i = 1; i <= 40; i++)
        put_image(i, 4096); /* 64 MiB each */
    PUT_OWN(MOMENT, moment, .present = 1);
    ck_assert_int_eq(run_it(), ST_DAMAGED);
    ck_assert_ptr_nonnull(strstr(message, "create_image: exceeds the memory limit"));
    ck_assert_ptr_nonnull(strstr(message, "section at file byte 32, byte "));
    ck_assert_uint_eq(moments, 0);
}
END_TEST

START_TEST(images_one_after_another)
{
    for (uint32_t i = 1; i <= 40; i++) {
        put_image(1, 4096);
        PUT(DESTROY, destroy, 1);
    }
    ck_assert_msg(run_it() == ST_OK, "%s", message);
}
END_TEST

START_TEST(many_streams)
{
    for (unsigned i = 1; i < 200; i++) {
        struct nvs_head head = {NVS_OPEN, 0, (uint8_t)i};
        uint32_t reserved = 0;

        nvs_file_record(&out, &head, &reserved, 4, NULL, 0);
    }
    ck_assert_int_eq(run_it(), ST_DAMAGED);
    ck_assert_ptr_nonnull(strstr(message, "open: exceeds the memory limit"));
}
END_TEST

/* Makes a file of one section with the given compressed bytes. */
static void make_section(uint32_t tag, const void *packed, uint32_t n, uint32_t unpacked)
{
    struct nvs_header header = {
        .magic = NVS_MAGIC, .version = NVS_VERSION, .packets = nvs_tables()};
    struct nvs_section section = {.tag = tag, .packed = n, .bytes = unpacked, .count = 1};

    free(end(&size)); /* discards the file of setup */
    header.checksum = hash_bytes(&header, offsetof(struct nvs_header, checksum), 0);
    section.checksum =
        hash_bytes(packed, n, hash_bytes(&section, offsetof(struct nvs_section, checksum), 0));
    size = sizeof(header) + sizeof(section) + n;
    bytes = malloc(size);
    memcpy(bytes, &header, sizeof(header));
    memcpy(bytes + sizeof(header), &section, sizeof(section));
    memcpy(bytes + sizeof(header) + sizeof(section), packed, n);
}

/* Zeros, of which thousands compress to one byte. */
static void make_bomb(uint32_t tag, uint32_t unpacked)
{
    uint8_t *zeros = calloc(1, unpacked);
    size_t room = ZSTD_compressBound(unpacked), n;
    uint8_t *packed = malloc(room);

    n = ZSTD_compress(packed, room, zeros, unpacked, 3);
    ck_assert(!ZSTD_isError(n));
    ck_assert_uint_lt(n * NVS_RATIO, unpacked);
    make_section(tag, packed, (uint32_t)n, unpacked);
    free(zeros);
    free(packed);
}

START_TEST(bombs)
{
    static const uint32_t tags[] = {NVS_BLOBS, NVS_LARGE, NVS_RECORDS, NVS_INDEX};

    make_bomb(tags[_i], 64 << 20);
    ck_assert_int_eq(run(bytes, size), ST_DAMAGED);
    ck_assert_msg(strstr(message, "invalid section size") != NULL, "%s", message);
}
END_TEST

/* zstd frames whose size field is too small or too large. */
START_TEST(wrong_sizes)
{
    uint8_t zeros[512] = {0}, packed[600];
    size_t n = ZSTD_compress(packed, sizeof(packed), zeros, sizeof(zeros), 3);

    make_section(NVS_RECORDS, packed, (uint32_t)n, 512 + 64 * _i);
    ck_assert_int_eq(run(bytes, size), ST_DAMAGED);
    ck_assert_msg(strstr(message, "cannot be decompressed") != NULL, "%s", message);
}
END_TEST

/* --- Work ------------------------------------------------------------------------------------- */

static void put_scene(void)
{
    put_image(COLOUR, 16);
    PUT_OWN(CREATE_BUFFER, create_buffer, VERTICES, 320);
    PUT_OWN(CREATE_BUFFER, create_buffer, INDICES, 64);
    PUT(SET_TARGET, set_target, 0, {COLOUR, 0, 0});
    PUT(SET_VIEWPORT, set_viewport, {0, 0, 16, 16, 0, 1});
    PUT(SET_STREAM, set_stream, 0, VERTICES, 0, 16);
    PUT(SET_INDICES, set_indices, INDICES, 2);
}

static void put_draw(uint32_t primitives, bool indexed)
{
    PUT(DRAW, draw, D3DPT_TRIANGLELIST, primitives, indexed, 0, 0, 0, 3);
}

START_TEST(primitives)
{
    put_scene();
    put_draw(1000, _i); /* past the end, as programs do */
    put_draw(1 << 20, _i);
    ck_assert_msg(run_it() == ST_OK, "%s", message);
    ck_assert_uint_eq(failures, 1);
}
END_TEST

START_TEST(instances)
{
    put_scene();
    PUT(SET_STREAM, set_stream, 1, VERTICES, 0, 16);
    PUT(SET_STREAM_FREQUENCY, set_stream_frequency, 1, (uint32_t)D3DSTREAMSOURCE_INSTANCEDATA | 1);
    PUT(SET_STREAM_FREQUENCY, set_stream_frequency, 0, D3DSTREAMSOURCE_INDEXEDDATA | 100);
    put_draw(1, true);
    PUT(SET_STREAM_FREQUENCY, set_stream_frequency, 0, D3DSTREAMSOURCE_INDEXEDDATA | 0x3fffffff);
    put_draw(1, true);
    ck_assert_msg(run_it() == ST_OK, "%s", message);
    ck_assert_uint_eq(failures, 1);
}
END_TEST

START_TEST(rectangles)
{
    enum { N = 20000 };
    struct cmd_clear clear = {.flags = D3DCLEAR_TARGET, .n_rects = N};
    D3DRECT *rects = malloc(N * sizeof(*rects));

    put_image(COLOUR, 1024);
    PUT(SET_TARGET, set_target, 0, {COLOUR, 0, 0});
    for (unsigned i = 0; i < N; i++)
        rects[i] = (D3DRECT){-0x7fffffff - 1, 0, 0x7fffffff, 0x7fffffff};
    PUT(SET_VIEWPORT, set_viewport, {0, 0, 4, 4, 0, 1});
    put(CMD_CLEAR, &clear, rects, N * sizeof(*rects));
    PUT(SET_VIEWPORT, set_viewport, {0, 0, 1024, 1024, 0, 1});
    put(CMD_CLEAR, &clear, rects, N * sizeof(*rects));
    PUT(SET_VIEWPORT, set_viewport, {0, 0, 0xffffffff, 0xffffffff, 0, 1});
    put(CMD_CLEAR, &clear, rects, N * sizeof(*rects));
    free(rects);
    ck_assert_msg(run_it() == ST_OK, "%s", message);
    ck_assert_uint_eq(failures, 2);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("limits of compiled streams");
    TCase *memory = tcase_create("memory"), *work = tcase_create("work");

    tcase_add_checked_fixture(memory, setup, teardown);
    tcase_add_test(memory, images_together);
    tcase_add_test(memory, images_one_after_another);
    tcase_add_test(memory, many_streams);
    tcase_add_loop_test(memory, bombs, 0, 4);
    tcase_add_loop_test(memory, wrong_sizes, -1, 0);
    tcase_add_loop_test(memory, wrong_sizes, 1, 2);
    suite_add_tcase(suite, memory);
    tcase_add_checked_fixture(work, setup, teardown);
    tcase_add_loop_test(work, primitives, 0, 2);
    tcase_add_test(work, instances);
    tcase_add_test(work, rectangles);
    suite_add_tcase(suite, work);
    return suite;
}

TEST_MAIN(suite)
