/* Files of command streams: items written and read back, damaged files, limits of memory. */
#include "../published.h"

#include "present/r500/stream/file.h"
#include "util/alloc.h"

#include "check_main.h"

static _Alignas(4) uint8_t bytes[1 << 13];
static const uint8_t content[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}; /* not whole dwords */
static const struct r500_flip flip = {TARGET, 640, 480, 2560, 1, 23};
static const char *reason;

/* A buffer with content, one without, a stream, a flip. */
static size_t write_file(void)
{
    const struct r500_buffer full = {TEXTURE, sizeof(content), (uint8_t *)content};
    const struct r500_buffer empty = {TARGET, 64, NULL};
    const struct r500_submit submit = submit_of(published, PUBLISHED);
    FILE *file = fmemopen(bytes, sizeof(bytes), "wb");
    size_t n;

    ck_assert_int_eq(r500_file_begin(file, R500_RV530), ST_OK);
    ck_assert_int_eq(r500_file_buffer(file, &full), ST_OK);
    ck_assert_int_eq(r500_file_buffer(file, &empty), ST_OK);
    ck_assert_int_eq(r500_file_submit(file, &submit), ST_OK);
    ck_assert_int_eq(r500_file_flip(file, &flip), ST_OK);
    n = (size_t)ftell(file);
    ck_assert_int_eq(fclose(file), 0);
    return n;
}

static enum status next(size_t n, size_t *at, struct r500_item *item)
{
    return r500_file_next(bytes, n, at, item, &reason);
}

START_TEST(items_are_read_back)
{
    size_t n = write_file(), at;
    enum r500_chip chip;
    struct r500_item item;

    ck_assert_int_eq(r500_file_open(bytes, n, &at, &chip, &reason), ST_OK);
    ck_assert_uint_eq(chip, R500_RV530);
    ck_assert_int_eq(next(n, &at, &item), ST_OK);
    ck_assert_uint_eq(item.kind, R500_ITEM_BUFFER);
    ck_assert_uint_eq(item.handle, TEXTURE);
    ck_assert_uint_eq(item.size, sizeof(content));
    ck_assert_mem_eq(item.content, content, sizeof(content));
    ck_assert_int_eq(next(n, &at, &item), ST_OK);
    ck_assert_uint_eq(item.size, 64);
    ck_assert_ptr_null(item.content);
    ck_assert_int_eq(next(n, &at, &item), ST_OK);
    ck_assert_uint_eq(item.kind, R500_ITEM_SUBMIT);
    ck_assert_uint_eq(item.submit.n, PUBLISHED);
    ck_assert_mem_eq(item.submit.stream, published, sizeof(published));
    ck_assert_mem_eq(item.submit.relocs, relocs, sizeof(relocs));
    ck_assert_int_eq(next(n, &at, &item), ST_OK);
    ck_assert_uint_eq(item.kind, R500_ITEM_FLIP);
    ck_assert_mem_eq(&item.flip, &flip, sizeof(flip));
    ck_assert_int_eq(next(n, &at, &item), ST_NOTFOUND);
    ck_assert_uint_eq(at, n);
}
END_TEST

/* A file that ends early gives whole items, then an error, unless it ends between items. */
START_TEST(files_end_anywhere)
{
    size_t n = write_file();
    unsigned between = 0;

    for (size_t end = 16; end < n; end++) {
        enum status st = ST_OK;
        struct r500_item item;

        for (size_t at = 16; st == ST_OK;)
            st = next(end, &at, &item);
        ck_assert(st == ST_DAMAGED || st == ST_NOTFOUND);
        between += st == ST_NOTFOUND;
    }
    ck_assert_uint_ge(between, 4);
}
END_TEST

static const struct {
    size_t at, n;
    uint8_t value;
    const char *reason;
} headers[] = {
    {0, 16, 'X', "no file"},
    {8, 16, 2, "version"},
    {12, 16, R500_CHIPS, "chip"},
    {0, 15, 'N', "no file"},
};

START_TEST(headers_are_checked)
{
    enum r500_chip chip;
    size_t at;

    write_file();
    bytes[headers[_i].at] = headers[_i].value;
    ck_assert_int_eq(r500_file_open(bytes, headers[_i].n, &at, &chip, &reason), ST_DAMAGED);
    ck_assert_ptr_nonnull(strstr(reason, headers[_i].reason));
}
END_TEST

START_TEST(full_disks)
{
    const struct r500_buffer buffer = {TEXTURE, sizeof(content), (uint8_t *)content};
    const struct r500_submit submit = submit_of(published, PUBLISHED);
    FILE *file = fopen("/dev/full", "wb");

    setvbuf(file, NULL, _IONBF, 0);
    ck_assert_int_eq(r500_file_begin(file, R500_R520), ST_IO);
    ck_assert_int_eq(r500_file_buffer(file, &buffer), ST_IO);
    ck_assert_int_eq(r500_file_submit(file, &submit), ST_IO);
    ck_assert_int_eq(r500_file_flip(file, &flip), ST_IO);
    fclose(file);
}
END_TEST

START_TEST(buffers_keep_their_size)
{
    struct r500_item item = {
        .kind = R500_ITEM_BUFFER, .handle = 3, .size = sizeof(content), .content = content};
    struct r500_buffers buffers = {0};

    ck_assert_int_eq(r500_buffers_apply(&buffers, &item, true, &reason), ST_OK);
    ck_assert_mem_eq(r500_buffer(&buffers.memory, 3)->data, content, sizeof(content));
    item.size -= 2;
    ck_assert_int_eq(r500_buffers_apply(&buffers, &item, true, &reason), ST_DAMAGED);
    item.handle = 4;
    item.size = UINT32_MAX;
    ck_assert_int_eq(r500_buffers_apply(&buffers, &item, true, &reason), ST_DAMAGED);
    item.size = 1 << 20;
    ck_assert_int_eq(r500_buffers_apply(&buffers, &item, false, &reason), ST_OK);
    ck_assert_ptr_null(r500_buffer(&buffers.memory, 4)->data);
    r500_buffers_fini(&buffers);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/r500/stream/file");
    TCase *tc = tcase_create("file");

    tcase_add_test(tc, items_are_read_back);
    tcase_add_test(tc, files_end_anywhere);
    tcase_add_loop_test(tc, headers_are_checked, 0, sizeof(headers) / sizeof(headers[0]));
    tcase_add_test(tc, full_disks);
    tcase_add_test(tc, buffers_keep_their_size);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
