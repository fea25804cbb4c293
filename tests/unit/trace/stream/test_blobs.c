/* Blobs of compiled streams: any number of them reads back in any order, beyond the cache size, and
 * blobs larger than the cache. */
#include "nvs_file.h"

enum { BLOBS = 300, LARGE = 17 << 20, ROUNDS = 6 };

static uint8_t *contents;
static uint32_t seed;

static uint32_t number(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(seed >> 4) * below) >> 28);
}

/* Generates blob i: its length and bytes depend on i only. */
static uint32_t make(uint32_t i)
{
    uint32_t bytes = i % 150 == 7 ? LARGE + i : i % 3 ? 40000 + i * 8 : 70000 + i * 1999;

    for (uint32_t k = 0; k < bytes; k++)
        contents[k] = (uint8_t)(k * (i + 1) + (k >> 8));
    return bytes;
}

static uint32_t chosen(uint32_t round, uint32_t i)
{
    return round == 0 ? i : round == 1 ? BLOBS - 1 - i : number(BLOBS);
}

START_TEST(blobs_come_back)
{
    static struct nvs_record record;
    struct nvs_reader reader;
    uint8_t *bytes;
    size_t n;

    contents = malloc(LARGE + BLOBS);
    seed = 3;
    begin();
    for (uint32_t r = 0; r < ROUNDS; r++)
        for (uint32_t i = 0; i < BLOBS; i++) {
            uint32_t blob = chosen(r, i);
            const struct cmd_write_buffer packet = {1, blob};

            put(CMD_WRITE_BUFFER, &packet, contents, make(blob));
        }
    bytes = end(&n);
    seed = 3;
    ck_assert_int_eq(nvs_reader_open_memory(&reader, bytes, n), ST_OK);
    for (uint32_t r = 0; r < ROUNDS; r++)
        for (uint32_t i = 0; i < BLOBS; i++) {
            uint32_t blob = chosen(r, i), length = make(blob);

            ck_assert_int_eq(nvs_reader_next(&reader, &record), ST_OK);
            ck_assert_int_eq(nvs_reader_data(&reader, &record), ST_OK);
            ck_assert_uint_eq(((struct cmd_write_buffer *)record.packet)->offset, blob);
            ck_assert_uint_eq(record.data_bytes, length);
            ck_assert_msg(!memcmp(record.data, contents, length), "round %u, blob %u", r, blob);
        }
    ck_assert_int_eq(nvs_reader_next(&reader, &record), ST_NOTFOUND);
    ck_assert_uint_eq(reader.n_blobs, BLOBS); /* each is stored once */
    nvs_reader_close(&reader);
    free(bytes);
    free(contents);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("blobs of compiled streams");
    TCase *tests = tcase_create("blobs");

    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, blobs_come_back);
    suite_add_tcase(suite, tests);
    return suite;
}

TEST_MAIN(suite)
