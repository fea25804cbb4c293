/* Capture containers: complete, truncated and corrupt. */
#include "check_main.h"
#include "stream.h"

#include "trace/codec/codecs.h"
#include "trace/trace.h"
#include "util/alloc.h"

#include <snappy-c.h>
#include <zlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

enum { BYTES = 300000 };

/* Data of moderate compressibility. */
static void fill(uint8_t *out, size_t n)
{
    uint32_t seed = 1;

    for (size_t i = 0; i < n; i++) {
        if (i % 17 == 0)
            seed = seed * 1664525u + 1013904223u;
        out[i] = (uint8_t)(seed >> 24 & 0x3f);
    }
}

static uint8_t plain[BYTES], packed[2 * BYTES];

static size_t pack_chunk(uint8_t *to, const uint8_t *from, size_t n)
{
    size_t made = snappy_max_compressed_length(n);

    ck_assert_int_eq(snappy_compress((const char *)from, n, (char *)to + 4, &made), SNAPPY_OK);
    to[0] = (uint8_t)made;
    to[1] = (uint8_t)(made >> 8);
    to[2] = (uint8_t)(made >> 16);
    to[3] = (uint8_t)(made >> 24);
    return made + 4;
}

static size_t pack_snappy_real(void)
{
    size_t n = 2;

    memcpy(packed, "at", 2);
    n += pack_chunk(packed + n, plain, 100000);
    n += pack_chunk(packed + n, plain + 100000, 1);
    n += pack_chunk(packed + n, plain + 100001, BYTES - 100001);
    return n;
}

/* Two gzip members, as in concatenated files. */
static size_t pack_gzip(void)
{
    z_stream z = {.next_out = packed, .avail_out = sizeof(packed)};

    for (int part = 0; part < 2; part++) {
        ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
        z.next_in = plain + part * (BYTES / 2);
        z.avail_in = BYTES / 2;
        ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
        deflateEnd(&z);
    }
    return sizeof(packed) - z.avail_out;
}

/* Two zstd frames with a skippable frame between them, as in seekable files. */
static size_t pack_zstd(void)
{
    static const uint8_t skippable[12] = {0x5e, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4};
    size_t n = ZSTD_compress(packed, sizeof(packed), plain, BYTES / 2, 3);

    memcpy(packed + n, skippable, sizeof(skippable));
    n += sizeof(skippable);
    return n + ZSTD_compress(packed + n, sizeof(packed) - n, plain + BYTES / 2, BYTES / 2, 3);
}

/* Stored blocks (RFC 7932, 9.2): window bits, then last = 0, length, stored = 1, bytes; an empty
 * last block at the end. */
static size_t pack_brotli(void)
{
    size_t n = 0;

    for (size_t at = 0; at < BYTES; at += 60000) {
        uint32_t head = (60000 - 1) << 3 | 1u << 19;

        if (!at)
            head <<= 1; /* one 0 bit: 16-bit window */
        packed[n++] = (uint8_t)head;
        packed[n++] = (uint8_t)(head >> 8);
        packed[n++] = (uint8_t)(head >> 16);
        memcpy(packed + n, plain + at, 60000);
        n += 60000;
    }
    packed[n++] = 3;
    return n;
}

static const struct {
    const char *name;
    size_t (*pack)(void);
} packings[] = {
    {"snappy", pack_snappy_real},
    {"gzip", pack_gzip},
    {"zstd", pack_zstd},
    {"brotli", pack_brotli},
};

/* Returns how many correct bytes precede the end or the error. */
static size_t unpack(struct container *c, size_t n)
{
    size_t have = 0;

    if (container_open_memory(c, packed, n) != ST_OK)
        return 0;
    while (!container_at_end(c) && !c->failed) {
        if (have == BYTES || container_byte(c) != plain[have] || container_tell(c) != ++have)
            ck_abort_msg("byte %zu is wrong", have);
    }
    return have;
}

START_TEST(decompresses)
{
    struct container c;
    size_t n;

    fill(plain, BYTES);
    n = packings[_i].pack();
    ck_assert_uint_eq(unpack(&c, n), BYTES);
    ck_assert(!c.failed);
    ck_assert_str_eq(c.name, packings[_i].name);
    container_close(&c);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* A truncated file delivers its intact part, and then an error. */
START_TEST(truncated_files_deliver_their_intact_part)
{
    struct container c;
    size_t n, have, before = 0;

    fill(plain, BYTES);
    n = packings[_i].pack();
    for (size_t cut = 8; cut < n; cut += n / 13) {
        have = unpack(&c, cut);
        ck_assert_uint_ge(have, before);
        before = have;
        /* apitrace's container has no end mark: truncation between chunks is undetectable. */
        if (have && have != 100000 && have != 100001) {
            ck_assert(c.failed);
            ck_assert_int_eq(c.error.status, ST_DAMAGED);
            ck_assert_msg(strstr(c.error.text, "cut off"), "%s", c.error.text);
            ck_assert_uint_eq(c.error.stream_byte, have);
        }
        container_close(&c);
    }
    ck_assert_uint_ge(before, BYTES / 2);
}
END_TEST

START_TEST(reports_the_corrupt_chunk)
{
    struct container c;
    size_t n, first;

    fill(plain, BYTES);
    n = pack_snappy_real();
    first = (size_t)packed[2] + ((size_t)packed[3] << 8) + ((size_t)packed[4] << 16) + 6;
    /* Damage in the third chunk: a copy from before the start of the block. */
    memset(packed + first + 8 + (n - first) / 2, 0xff, 64);
    ck_assert_int_eq(container_open_memory(&c, packed, n), ST_OK);
    while (!container_at_end(&c) && !c.failed)
        container_byte(&c);
    ck_assert(c.failed);
    ck_assert(strstr(c.error.text, "corrupt"));
    ck_assert_uint_gt(c.error.file_byte, first);
    ck_assert_uint_gt(c.error.stream_byte, 100001);
    ck_assert_uint_lt(c.error.stream_byte, BYTES);
    container_close(&c);
}
END_TEST

/* A chunk that claims to decompress to gigabytes must not allocate them. */
START_TEST(does_not_trust_a_chunk_length)
{
    static const uint8_t lie[] = {'a',  't',  9,    0,    0,   0,   0xff, 0xff,
                                  0xff, 0xff, 0x0f, 0x08, 'a', 'b', 'c'};
    struct container c;

    ck_assert_int_eq(container_open_memory(&c, lie, sizeof(lie)), ST_OK);
    ck_assert_uint_eq(container_byte(&c), 'a');
    ck_assert_uint_eq(container_byte(&c), 'b');
    ck_assert_uint_eq(container_byte(&c), 'c');
    ck_assert(!c.failed);
    container_byte(&c);
    ck_assert(c.failed);
    container_close(&c);
}
END_TEST

/* A pipe without a writer is refused and not waited for. */
START_TEST(pipes)
{
    char folder[] = "/tmp/novem-container-XXXXXX", path[64];
    struct container c;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/pipe", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(container_open(&c, path), ST_IO);
    ck_assert_str_eq(c.error.text, "is not a plain file");
    container_close(&c);
    ck_assert(!nvs_is_file(path));
    ck_assert(!unlink(path) && !rmdir(folder));
}
END_TEST

/* The partial decoder for damaged blocks agrees with libsnappy on valid ones. */
START_TEST(part_decoder_agrees)
{
    static uint8_t out[BYTES], expected[BYTES];
    uint8_t block[64];
    size_t n, made;
    uint32_t seed = (uint32_t)_i;

    fill(plain, BYTES);
    n = sizeof(packed);
    snappy_compress((const char *)plain, BYTES, (char *)packed, &n);
    ck_assert_uint_eq(snappy_decode_part(packed, n, out, BYTES), BYTES);
    ck_assert_mem_eq(out, plain, BYTES);
    /* Random blocks: if libsnappy accepts one, the partial decoder gives the same bytes. */
    for (int i = 0; i < 20000; i++) {
        for (size_t k = 0; k < sizeof(block); k++) {
            seed = seed * 1664525u + 1013904223u;
            block[k] = (uint8_t)(seed >> 24 & (k % 3 ? 0xff : 0x0f));
        }
        block[0] &= 0x7f;
        for (size_t length = 1; length < sizeof(block); length += 7) {
            made = sizeof(expected);
            n = snappy_decode_part(block, length, out, 128);
            ck_assert_uint_le(n, 128);
            if (snappy_uncompress((const char *)block, length, (char *)expected, &made) ==
                SNAPPY_OK) {
                ck_assert_uint_eq(n, made);
                ck_assert_mem_eq(out, expected, made);
            }
        }
    }
}
END_TEST

static bool next_bytes_are(struct container *c, size_t at, size_t n)
{
    static uint8_t out[BYTES];

    container_bytes(c, out, n);
    return !c->failed && !memcmp(out, plain + at, n);
}

/* A child that reads on does not move its parent in the file, and the other way round. */
START_TEST(forks_share_a_file)
{
    char path[] = "/tmp/novem-fork-XXXXXX";
    int file = mkstemp(path), status;
    struct container c;
    size_t n;
    pid_t pid;

    fill(plain, BYTES);
    n = _i ? pack_gzip() : pack_snappy_real();
    ck_assert_int_eq(write(file, packed, n), (ssize_t)n);
    ck_assert_int_eq(container_open(&c, path), ST_OK);
    ck_assert(next_bytes_are(&c, 0, 5000));
    for (unsigned child = 0; child < 2; child++) {
        pid = fork();
        if (!pid)
            _exit(!next_bytes_are(&c, 5000, BYTES - 5000));
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_int_eq(status, 0);
    }
    ck_assert(next_bytes_are(&c, 5000, BYTES - 5000));
    container_close(&c);
    close(file);
    unlink(path);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("container");
    TCase *tc = tcase_create("compression");

    tcase_add_loop_test(tc, decompresses, 0, 4);
    tcase_add_loop_test(tc, truncated_files_deliver_their_intact_part, 0, 4);
    tcase_add_test(tc, reports_the_corrupt_chunk);
    tcase_add_test(tc, does_not_trust_a_chunk_length);
    tcase_add_loop_test(tc, part_decoder_agrees, 1, 3);
    tcase_add_test(tc, pipes);
    tcase_add_loop_test(tc, forks_share_a_file, 0, 2);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
