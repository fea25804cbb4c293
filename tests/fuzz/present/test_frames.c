/* Fuzz test of the shared-memory reader: a hostile writer changes every field, and truncates and
 * replaces the file, while the reader reads. The reader never crashes, and a picture is as large as
 * it says. NOVEM_FUZZ_SECONDS makes it longer. */
#include "check_main.h"

#include "present/shared/frames.h"
#include "present/shared/novem_frames.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/log.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOT = 16384, SIZE = 4096 + 3 * SLOT, WIDTH = 60, HEIGHT = 60 };

static char path[64];
static atomic_bool started, done;
static atomic_uint rounds;

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* --- The writer ------------------------------------------------------------------------------- */

static const struct novem_frames good_header = {
    NOVEM_FRAMES_MAGIC, NOVEM_FRAMES_VERSION, NOVEM_FRAMES_SLOTS, 4096, SLOT, 1, 1, 0, {0}};

static void put(int file, uint64_t at, const void *from, size_t n)
{
    ck_assert_int_eq(pwrite(file, from, n, (off_t)at), (ssize_t)n);
}

static void put_word(int file, uint64_t at, uint32_t word)
{
    put(file, at, &word, sizeof(word));
}

static void put_good(int file, uint32_t count)
{
    const struct novem_frame frame = {.count = count,
                                      .width = WIDTH,
                                      .height = HEIGHT,
                                      .pitch = WIDTH * 4,
                                      .format = NOVEM_FRAMES_B8G8R8X8};

    ck_assert_int_eq(ftruncate(file, SIZE), 0);
    put(file, 4096 + (uint64_t)((count - 1) % NOVEM_FRAMES_SLOTS) * SLOT, &frame, sizeof(frame));
    put_word(file, offsetof(struct novem_frames, closed), 0);
    put_word(file, offsetof(struct novem_frames, published), count);
}

/* One field of the file's or the slot's header gets a strange value. */
static void put_bad(int file, uint32_t count, uint32_t *seed)
{
    static const uint32_t strange[] = {0,       1,          2,          59,         61,
                                       63,      64,         240,        4096,       16383,
                                       65536,   0x3fffffff, 0x40000000, 0x7fffffff, 0x80000001,
                                       0xfffff, 0xffffffc0, 0xffffffff};
    uint32_t value = strange[next_random(seed) % (sizeof(strange) / sizeof(strange[0]))];
    uint64_t slot = 4096 + (uint64_t)((count - 1) % NOVEM_FRAMES_SLOTS) * SLOT;

    switch (next_random(seed) % 4) {
    case 0:
        put_word(file, 4 * (next_random(seed) % 8), value);
        break;
    case 1:
        ck_assert_int_eq(ftruncate(file, next_random(seed) % SIZE), 0);
        break;
    default:
        put_word(file, slot + 4 * (next_random(seed) % 10), value);
        break;
    }
}

static int replace_file(int old)
{
    int file;

    if (old >= 0)
        close(old);
    unlink(path);
    file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(ftruncate(file, SIZE), 0);
    put(file, 0, &good_header, sizeof(good_header));
    return file;
}

static void *attack(void *arg)
{
    uint32_t seed = *(uint32_t *)arg, count = 1;
    int file = replace_file(-1);

    atomic_store(&started, true);
    while (!atomic_load(&done)) {
        if (next_random(&seed) % 20000 == 0)
            file = replace_file(file);
        put_good(file, ++count);
        if (next_random(&seed) % 8 == 0)
            usleep(next_random(&seed) % 64); /* else no frame would last long enough */
        if (next_random(&seed) % 2)
            put_bad(file, count, &seed);
        if (next_random(&seed) % 64 == 0)
            put(file, 0, &good_header, sizeof(good_header));
        atomic_fetch_add(&rounds, 1);
    }
    close(file);
    return NULL;
}

/* --- The reader ------------------------------------------------------------------------------- */

/* Reads every pixel: a sanitizer sees a picture that is smaller than it says. */
static uint32_t sum_of(const struct frames_picture *picture)
{
    size_t n = (size_t)picture->width * picture->height;
    uint32_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += picture->pixels[i];
    return sum;
}

static unsigned seconds(void)
{
    const char *text = getenv("NOVEM_FUZZ_SECONDS");

    return text ? (unsigned)strtoul(text, NULL, 10) : 1;
}

START_TEST(hostile_writers)
{
    struct frames_reader *reader;
    struct frames_picture picture = {0};
    uint64_t end = clock_now() + seconds() * CLOCK_SECOND / 2;
    uint32_t seed = (uint32_t)_i + 1;
    unsigned pictures = 0;
    pthread_t writer;

    log_set_level(LOG_NONE);
    snprintf(path, sizeof(path), "/tmp/novem-hostile-%d", (int)getpid());
    ck_assert_int_eq(frames_open(&reader, path), ST_OK);
    ck_assert_int_eq(pthread_create(&writer, NULL, attack, &seed), 0);
    while (!atomic_load(&started))
        usleep(100);
    while (clock_now() < end || pictures < 10) {
        struct frames_picture next;
        enum status st = frames_next(reader, &next);

        ck_assert(st == ST_OK || st == ST_NOTFOUND || st == ST_NOMEM);
        if (st == ST_OK) {
            picture = next;
            pictures++;
        }
        (void)sum_of(&picture); /* stays readable when the next one fails */
        (void)frames_has_writer(reader);
    }
    atomic_store(&done, true);
    pthread_join(writer, NULL);
    printf("%u pictures, %u changes\n", pictures, atomic_load(&rounds));
    frames_close(reader);
    unlink(path);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("hostile writers of shared frames");
    TCase *tc = tcase_create("frames");

    tcase_set_timeout(tc, 30 + 2 * (double)seconds());
    tcase_add_loop_test(tc, hostile_writers, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
