/* Benchmark of present sinks: milliseconds per 1920x1080 frame on the presenting thread, and the
 * share of that time that plain copies of the same bytes take.
 *
 * Each row is the best of several rounds. Files go to /dev/null or to a temporary folder. A window
 * opens if there is a display. Rows with a queue are measured from the first frame to the last one
 * on disk. */
#include "present/present.h"
#include "tool/cli/cli.h"
#include "util/alloc.h"
#include "util/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 1920, HEIGHT = 1080, FRAMES = 4, TARGETS = 3, ROUNDS = 7 };

static uint8_t *frame_bytes[FRAMES]; /* applications do not present the same memory repeatedly */
static double round_seconds = 0.1;

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- Upper bound ------------------------------------------------------------------------------ */

/* Seconds per byte for reading private memory and writing shared memory. */
static double seconds_a_byte(void)
{
    const size_t size = (size_t)WIDTH * HEIGHT * 4;
    double best = 1e9;
    uint8_t *to =
        mmap(NULL, size * TARGETS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (to == MAP_FAILED)
        return 0;
    memset(to, 1, size * TARGETS);
    for (unsigned round = 0; round < 3 * ROUNDS; round++) {
        double start = seconds(), time;
        unsigned n = 0;

        do {
            memcpy(to + n % TARGETS * size, frame_bytes[n % FRAMES], size);
            n++;
            time = seconds() - start;
        } while (time < round_seconds / 3);
        if (time / n < best)
            best = time / n;
    }
    munmap(to, size * TARGETS);
    return best / (2.0 * (double)size);
}

/* --- Sinks ------------------------------------------------------------------------------------ */

static void show(struct present *present, D3DFORMAT format, unsigned number)
{
    const struct tex_format *about = tex_format_get(format);
    const struct present_frame frame = {
        .format = about,
        .data = frame_bytes[number % FRAMES],
        .width = WIDTH,
        .height = HEIGHT,
        .row_pitch = WIDTH * about->bytes,
        .number = number,
    };

    present_show(present, &frame);
}

static double measure(const char *spec, unsigned queue, D3DFORMAT format, unsigned least)
{
    const struct present_options options = {.sinks = spec, .queue = queue};
    double best = 1e9;

    for (unsigned round = 0; round < ROUNDS; round++) {
        struct present *present;
        double start, time;
        unsigned n = 0;

        if (present_create(&present, &options) != ST_OK)
            return 0;
        if (!queue)
            show(present, format, n); /* excludes initialisation with the first frame */
        start = seconds();
        do {
            show(present, format, ++n);
            time = seconds() - start;
        } while (n < least || time < round_seconds);
        if (queue) {
            present_destroy(present);
            time = seconds() - start;
        } else {
            present_destroy(present);
        }
        if (time / n < best)
            best = time / n;
    }
    return best;
}

static void row(const char *label, const char *spec, unsigned queue, D3DFORMAT format, double byte)
{
    const struct tex_format *about = tex_format_get(format);
    double copy = byte * WIDTH * HEIGHT * (about->bytes + 4.0),
           time = measure(spec, queue, format, 2);

    printf("%-18s %-12s %9.3f %9.3f %7.0f %%\n", label, about->name, time * 1e3, copy * 1e3,
           100 * copy / time);
    fflush(stdout);
}

/* Time for which the application is blocked, with a queue that does not fill. */
static void held(const char *label, const char *spec)
{
    enum { QUEUE = 8 };
    const struct present_options options = {.sinks = spec, .queue = QUEUE};
    const struct timespec rest = {1, 0};
    double best = 1e9, start;
    struct present *present;

    if (present_create(&present, &options) != ST_OK)
        return;
    for (unsigned round = 0; round < 4; round++) {
        start = seconds();
        for (unsigned i = 0; i < QUEUE; i++)
            show(present, D3DFMT_X8R8G8B8, i);
        if ((seconds() - start) / QUEUE < best)
            best = (seconds() - start) / QUEUE;
        nanosleep(&rest, NULL);
    }
    present_destroy(present);
    printf("%-18s %-12s %9.3f   while the queue has room\n", label, "X8R8G8B8", best * 1e3);
}

static void rows(const char *folder)
{
    static const D3DFORMAT formats[] = {D3DFMT_X8R8G8B8, D3DFMT_R5G6B5, D3DFMT_A1R5G5B5,
                                        D3DFMT_A2R10G10B10};
    char shm[64], dx9mt[64], png[64];
    double byte = seconds_a_byte();

    snprintf(shm, sizeof(shm), "shm:bench-%d", (int)getpid());
    snprintf(dx9mt, sizeof(dx9mt), "dx9mt:%s/frame.bin", folder);
    snprintf(png, sizeof(png), "png:%s", folder);
    printf("%-18s %-12s %9s %9s %9s\n", "1920x1080", "format", "ms", "copy ms", "share");
    for (unsigned i = 0; i < 4; i++) {
        row("shm", shm, 0, formats[i], byte);
        row("dx9mt", dx9mt, 0, formats[i], byte);
    }
    row("raw:/dev/null", "raw:/dev/null", 4, D3DFMT_X8R8G8B8, byte);
    row("y4m:/dev/null", "y4m:/dev/null", 4, D3DFMT_X8R8G8B8, byte);
    row("r500:/dev/null", "r500:/dev/null", 4, D3DFMT_X8R8G8B8, byte);
    row("png", png, 4, D3DFMT_X8R8G8B8, byte);
    held("png, raw, y4m", "raw:/dev/null");
    if (getenv("DISPLAY"))
        row("window", "window", 0, D3DFMT_X8R8G8B8, byte);
}

static void fill(uint8_t *bytes)
{
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint8_t *pixel = bytes + ((size_t)y * WIDTH + x) * 4;

            pixel[0] = (uint8_t)(x / 8);
            pixel[1] = (uint8_t)(y / 5);
            pixel[2] = (uint8_t)(x * y / 4096);
            pixel[3] = 255;
        }
}

/* Returns an exit code, or a negative number to continue. */
static int parse(double *seconds, int argc, char **argv)
{
    const struct tool_option options[] = {
        {"--seconds", "S", "time per row (default: 0.7)", OPT_REAL, seconds},
    };
    const struct tool_usage usage = {
        .line = "[options]",
        .text = "Prints what each sink takes of the presenting thread, in ms a frame of 1920x1080.",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };

    tool_set_program("present");
    return tool_parse(&usage, argc, argv, NULL);
}

int main(int argc, char **argv)
{
    double total_seconds = 0.7;
    int code = parse(&total_seconds, argc, argv);
    char folder[] = "/tmp/novem-bench-XXXXXX", command[64];

    if (code >= 0)
        return code;
    round_seconds = total_seconds / ROUNDS;
    log_set_level(LOG_ERROR);
    if (!mkdtemp(folder))
        return 1;
    for (unsigned i = 0; i < FRAMES; i++) {
        frame_bytes[i] = mem_alloc((size_t)WIDTH * HEIGHT * 4);
        if (!frame_bytes[i])
            return 1;
        fill(frame_bytes[i]);
    }
    rows(folder);
    for (unsigned i = 0; i < FRAMES; i++)
        mem_free(frame_bytes[i]);
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    return system(command) != 0;
}
