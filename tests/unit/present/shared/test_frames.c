/* Shared-memory frames: each is complete or absent, with fast and slow readers, stopped, crashed
 * and restarted writers. */
#include "present/shared/frames.h"
#include "present/shared/novem_frames.h"
#include "present/present.h"

#include "util/alloc.h"
#include "util/log.h"

#include "check_main.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 64, HEIGHT = 48, FRAMES = 100000, READERS = 5 };

static char name[128];

static void setup(void)
{
    snprintf(name, sizeof(name), "test-%d", (int)getpid());
}

static void teardown(void)
{
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static struct present *open_writer(void)
{
    struct present_options options = {.sinks = "none"};
    char spec[144];
    struct present *present;

    snprintf(spec, sizeof(spec), "shm:%s", name);
    options.sinks = spec;
    ck_assert_int_eq(present_create(&present, &options), ST_OK);
    return present;
}

static struct frames_reader *open_reader(void)
{
    struct frames_reader *reader;

    ck_assert_int_eq(frames_open(&reader, name), ST_OK);
    return reader;
}

static void show(struct present *present, const uint32_t *pixels, uint32_t width, uint32_t height,
                 uint64_t number)
{
    struct present_frame frame = {.format = tex_format_get(D3DFMT_X8R8G8B8),
                                  .data = (const uint8_t *)pixels,
                                  .width = width,
                                  .height = height,
                                  .row_pitch = width * 4,
                                  .number = number,
                                  .counters = {.draws = 7, .primitives = 9}};

    present_show(present, &frame);
}

/* Polls: a reader checks for a new file five times a second. */
static enum status wait_for(struct frames_reader *reader, struct frames_picture *picture)
{
    const struct timespec tick = {0, 10000000};
    enum status st = ST_NOTFOUND;

    for (unsigned i = 0; i < 500 && st == ST_NOTFOUND; i++) {
        st = frames_next(reader, picture);
        if (st == ST_NOTFOUND)
            nanosleep(&tick, NULL);
    }
    return st;
}

START_TEST(frames_arrive)
{
    static const uint32_t large[] = {0xff0000, 0x00ff00, 0x0000ff, 1, 2, 3}, small[] = {5};
    struct frames_reader *reader = open_reader();
    struct present *present = open_writer();
    struct frames_picture picture;

    ck_assert_int_eq(frames_next(reader, &picture), ST_NOTFOUND);
    ck_assert(!frames_has_writer(reader));
    show(present, small, 1, 1, 0);
    ck_assert_int_eq(wait_for(reader, &picture), ST_OK);
    ck_assert(picture.width == 1 && picture.height == 1 && picture.pixels[0] == 5);
    ck_assert(frames_has_writer(reader));
    ck_assert_int_eq(frames_next(reader, &picture), ST_NOTFOUND);
    /* The reader gets the newest frame only. */
    show(present, small, 1, 1, 1);
    show(present, large, 3, 2, UINT64_C(1) << 40);
    ck_assert_int_eq(wait_for(reader, &picture), ST_OK);
    ck_assert(picture.width == 3 && picture.height == 2);
    ck_assert_mem_eq(picture.pixels, large, sizeof(large));
    ck_assert_uint_eq(picture.number, UINT64_C(1) << 40);
    ck_assert_uint_eq(picture.count, 3);
    ck_assert_uint_eq(picture.writer, (uint32_t)getpid());
    ck_assert(picture.draws == 7 && picture.primitives == 9);
    present_destroy(present);
    ck_assert(!frames_has_writer(reader));
    frames_close(reader);
}
END_TEST

/* A frame too large for the file creates a new one, which readers find. */
START_TEST(frames_grow)
{
    uint32_t *pixels = calloc(1000 * 1000, 4);
    struct frames_reader *reader = open_reader();
    struct present *present = open_writer();
    struct frames_picture picture;

    show(present, pixels, 10, 10, 0);
    ck_assert_int_eq(wait_for(reader, &picture), ST_OK);
    pixels[999999] = 77;
    show(present, pixels, 1000, 1000, 1);
    ck_assert_int_eq(wait_for(reader, &picture), ST_OK);
    ck_assert_uint_eq(picture.width, 1000);
    ck_assert_uint_eq(picture.pixels[999999], 77);
    show(present, pixels, 20, 10, 2);
    ck_assert_int_eq(wait_for(reader, &picture), ST_OK);
    ck_assert_uint_eq(picture.width, 20);
    present_destroy(present);
    frames_close(reader);
    free(pixels);
}
END_TEST

/* --- Torn frames ------------------------------------------------------------------------------ */

static atomic_bool done;

static uint32_t random_of(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 16;
}

static void dawdle(uint32_t *state)
{
    uint32_t n = random_of(state) % 64;
    struct timespec pause = {0, (long)(random_of(state) % 50000)};

    if (!n)
        nanosleep(&pause, NULL);
    for (volatile uint32_t i = 0; n < 32 && i < n * 100; i++) {
    }
}

struct reading {
    uint32_t seed;
    uint64_t frames, torn, wrong, given_up;
};

/* All pixels of a frame equal its number, which also determines its width. */
static bool is_whole(const struct frames_picture *picture)
{
    size_t n = (size_t)picture->width * picture->height;

    for (size_t i = 0; i < n; i++)
        if (picture->pixels[i] != (uint32_t)picture->number)
            return false;
    return picture->width == WIDTH - picture->number % 5;
}

static void *read_frames(void *arg)
{
    struct reading *reading = arg;
    struct frames_reader *reader = open_reader();
    struct frames_picture picture;
    uint64_t last = 0;

    while (!atomic_load(&done)) {
        if (frames_next(reader, &picture) == ST_OK) {
            reading->frames++;
            reading->torn += !is_whole(&picture);
            reading->wrong += reading->frames > 1 && picture.number <= last;
            last = picture.number;
        }
        dawdle(&reading->seed);
    }
    reading->given_up = frames_torn_count(reader);
    frames_close(reader);
    return NULL;
}

START_TEST(no_frame_is_torn)
{
    static uint32_t pixels[WIDTH * HEIGHT];
    struct reading reading[READERS] = {{0, 0, 0, 0, 0}};
    struct present *present = open_writer();
    pthread_t thread[READERS];
    uint32_t seed = 3;

    show(present, pixels, WIDTH, HEIGHT, 0);
    for (unsigned i = 0; i < READERS; i++) {
        reading[i].seed = i;
        ck_assert_int_eq(pthread_create(&thread[i], NULL, read_frames, &reading[i]), 0);
    }
    for (uint32_t n = 1; n <= FRAMES; n++) {
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
            pixels[i] = n;
        show(present, pixels, WIDTH - n % 5, HEIGHT, n);
        dawdle(&seed);
    }
    atomic_store(&done, true);
    for (unsigned i = 0; i < READERS; i++) {
        pthread_join(thread[i], NULL);
        printf("reader %u: %llu frames, %llu copies given up\n", i,
               (unsigned long long)reading[i].frames, (unsigned long long)reading[i].given_up);
        ck_assert_uint_gt(reading[i].frames, 100);
        ck_assert_uint_eq(reading[i].torn, 0);
        ck_assert_uint_eq(reading[i].wrong, 0);
    }
    present_destroy(present);
}
END_TEST

/* --- Crashes ---------------------------------------------------------------------------------- */

/* Returns after the writer has shown the pixel; the writer runs until it is killed. */
static pid_t start_writer(uint32_t pixel)
{
    int ready[2];
    pid_t child;
    char byte;

    ck_assert_int_eq(pipe(ready), 0);
    child = fork();
    if (!child) {
        show(open_writer(), &pixel, 1, 1, pixel);
        if (write(ready[1], "", 1) == 1)
            pause();
        _exit(0);
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return child;
}

static void end_writer(pid_t child)
{
    kill(child, SIGKILL);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

START_TEST(a_crashed_writer_restarts)
{
    struct frames_reader *reader = open_reader();
    struct frames_picture picture;
    struct present *present;
    pid_t child;

    for (uint32_t i = 1; i <= 3; i++) {
        child = start_writer(i);
        ck_assert_int_eq(wait_for(reader, &picture), ST_OK);
        ck_assert_uint_eq(picture.pixels[0], i);
        ck_assert_uint_eq(picture.writer, (uint32_t)child);
        end_writer(child);
        ck_assert_int_eq(frames_next(reader, &picture), ST_NOTFOUND);
    }
    present = open_writer();
    show(present, &(uint32_t){9}, 1, 1, 0);
    ck_assert_int_eq(wait_for(reader, &picture), ST_OK);
    present_destroy(present); /* also removes the name */
    frames_close(reader);
}
END_TEST

/* --- Damage ----------------------------------------------------------------------------------- */

START_TEST(damaged_files_are_rejected)
{
    enum { SIZE = 4096 + 3 * 4096 };
    static const uint32_t strange[] = {0, 1, 63, 64, 4096, 65536, 0x7fffffff, 0xffffffff};
    char path[96];
    uint32_t words[32], seed = 5;
    FILE *file;

    snprintf(path, sizeof(path), "/tmp/novem-damaged-%d", (int)getpid());
    snprintf(name, sizeof(name), "%s", path);
    for (unsigned round = 0; round < 2000; round++) {
        struct novem_frames header = {NOVEM_FRAMES_MAGIC, 1, 3, 4096, 4096, 1, 1, 0, {0}};
        struct novem_frame frame = {.width = 4, .height = 4, .pitch = 16, .format = 1, .count = 1};
        struct frames_reader *reader;
        struct frames_picture picture;

        memcpy(words, &header, 64);
        memcpy(words + 16, &frame, 64);
        for (unsigned i = 0; i < 1 + round % 3; i++)
            words[1 + random_of(&seed) % 27] = strange[random_of(&seed) % 8];
        file = fopen(path, "wb");
        fwrite(words, 4, 16, file);
        fseek(file, 4096, SEEK_SET);
        fwrite(words + 16, 4, 16, file);
        ck_assert_int_eq(fclose(file), 0);
        ck_assert_int_eq(truncate(path, round % 7 ? SIZE : (long)(random_of(&seed) % SIZE)), 0);
        reader = open_reader();
        if (frames_next(reader, &picture) == ST_OK)
            ck_assert_uint_le(picture.width * picture.height, 1024);
        frames_close(reader);
    }
    unlink(path);
}
END_TEST

/* Files of the reader's name that are no frames: it neither waits nor maps them. */
START_TEST(strange_files)
{
    struct frames_reader *reader;
    struct frames_picture picture;
    char path[96];

    log_set_level(LOG_NONE);
    snprintf(path, sizeof(path), "/tmp/novem-strange-%d", (int)getpid());
    snprintf(name, sizeof(name), "%s", path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    reader = open_reader();
    ck_assert_int_eq(frames_next(reader, &picture), ST_NOTFOUND);
    frames_close(reader);
    unlink(path);
    snprintf(name, sizeof(name), "/dev/zero");
    reader = open_reader();
    ck_assert_int_eq(frames_next(reader, &picture), ST_NOTFOUND);
    frames_close(reader);
}
END_TEST

/* The picture stays as it was while the reader fails to get the next one. */
START_TEST(pictures_stay)
{
    static uint32_t pixels[500 * 500];
    struct frames_reader *reader = open_reader();
    struct present *present = open_writer();
    struct frames_picture picture, next;
    struct novem_frame frame;
    char path[160];
    int file;

    show(present, &(uint32_t){9}, 1, 1, 0);
    ck_assert_int_eq(wait_for(reader, &picture), ST_OK);
    show(present, pixels, 500, 500, 1); /* a new file */
    snprintf(path, sizeof(path), "/dev/shm/novem-%s", name);
    file = open(path, O_RDWR);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(pread(file, &frame, sizeof(frame), 4096), sizeof(frame));
    ck_assert_uint_eq(frame.width, 500);
    ck_assert_int_eq(ftruncate(file, 4096 + 64 + 400 * 400 * 4), 0); /* inside the frame */
    for (unsigned i = 0; i < 50; i++) {
        ck_assert_int_eq(frames_next(reader, &next), ST_NOTFOUND);
        ck_assert_uint_eq(picture.pixels[0], 9);
        usleep(10000);
    }
    close(file);
    log_set_level(LOG_NONE);
    show(present, pixels, 500, 500, 2); /* the writer notices */
    present_destroy(present);
    unlink(path);
    frames_close(reader);
}
END_TEST

START_TEST(other_files_stay)
{
    struct present *present;
    char path[96];
    FILE *file;

    log_set_level(LOG_NONE);
    snprintf(path, sizeof(path), "/tmp/novem-letter-%d", (int)getpid());
    snprintf(name, sizeof(name), "%s", path);
    file = fopen(path, "w");
    ck_assert(file && fputs("a letter", file) >= 0 && !fclose(file));
    present = open_writer();
    show(present, &(uint32_t){9}, 1, 1, 0);
    present_destroy(present);
    file = fopen(path, "r");
    ck_assert(file && fgetc(file) == 'a' && !fclose(file));
    unlink(path);
}
END_TEST

START_TEST(unwritable_paths)
{
    struct present *present;

    log_set_level(LOG_NONE);
    snprintf(name, sizeof(name), "/nonesuch/x");
    present = open_writer();
    show(present, &(uint32_t){9}, 1, 1, 0); /* dropped */
    show(present, &(uint32_t){9}, 1, 1, 1);
    present_destroy(present);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("frames");
    TCase *tc = tcase_create("frames");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, frames_arrive);
    tcase_add_test(tc, frames_grow);
    tcase_add_test(tc, no_frame_is_torn);
    tcase_add_test(tc, a_crashed_writer_restarts);
    tcase_add_test(tc, damaged_files_are_rejected);
    tcase_add_test(tc, strange_files);
    tcase_add_test(tc, pictures_stay);
    tcase_add_test(tc, other_files_stay);
    tcase_add_test(tc, unwritable_paths);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
