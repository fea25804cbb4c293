/* Sink "png:DIR": writes each frame to DIR/frame-00000.png; frames of additional swap chains carry
 * the chain's number, DIR/frame-1-00000.png. The frames of a later device continue the numbers of
 * an earlier one. */
#include "present/file/png_file.h"
#include "present/sink/async_writer.h"
#include "present/sink/sink.h"
#include "util/alloc.h"
#include "util/forks.h"
#include "util/hash.h"
#include "util/log.h"
#include "util/output_file.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SERIES_MAX = 256 };

struct present_sink {
    char *folder;
    struct png_memory memory;
    struct async_writer *writer;
};

static enum status png_close(struct present_sink *sink)
{
    enum status st = async_writer_destroy(sink->writer);

    mem_free(sink->folder);
    mem_free(sink->memory.rgb);
    mem_free(sink);
    return st;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* The files of a folder and a chain. */
struct series {
    uint64_t key, next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct series all_series[SERIES_MAX]; /* the last one serves all that find no place */
static unsigned n_series;

static struct series *find_series(uint64_t key)
{
    for (unsigned i = 0; i < n_series; i++)
        if (all_series[i].key == key)
            return &all_series[i];
    if (n_series < SERIES_MAX)
        all_series[n_series++].key = key;
    return &all_series[n_series - 1];
}

/* Returns the frame's own number, or the next one that no frame of this process had: a chain that
 * is created again counts from 0 again. */
static uint64_t take_number(const char *folder, const struct present_frame *frame)
{
    struct series *series;
    uint64_t number;

    pthread_mutex_lock(&lock);
    series = find_series(hash_bytes(folder, strlen(folder), frame->chain));
    number = frame->number > series->next ? frame->number : series->next;
    series->next = number + 1;
    pthread_mutex_unlock(&lock);
    return number;
}

/* --- Files ------------------------------------------------------------------------------------ */

static bool make_path(char path[OUTPUT_PATH_BYTES], const char *folder,
                      const struct present_frame *frame)
{
    unsigned long long number = take_number(folder, frame);
    int n = frame->chain ? snprintf(path, OUTPUT_PATH_BYTES, "%s/frame-%u-%05llu.png", folder,
                                    frame->chain, number)
                         : snprintf(path, OUTPUT_PATH_BYTES, "%s/frame-%05llu.png", folder, number);

    if (n < OUTPUT_PATH_BYTES)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

static enum status write_frame(void *ctx, const struct present_frame *frame)
{
    struct present_sink *sink = ctx;
    char path[OUTPUT_PATH_BYTES];
    int file = make_path(path, sink->folder, frame) ? output_file_replace(path) : -1;

    if (file < 0) {
        log_error("present", "%s: cannot be written: %s", path, strerror(errno));
        return ST_IO;
    }
    return png_write(&sink->memory, file, path, frame);
}

/* --- Opening ---------------------------------------------------------------------------------- */

static enum status png_open(struct present_sink **out, const char *target,
                            const struct present_options *options)
{
    struct present_sink *sink = mem_calloc(1, sizeof(*sink));
    enum status st = ST_NOMEM;

    *out = NULL;
    fork_guard(&lock, FORK_OUTER);
    if (!sink)
        return ST_NOMEM;
    sink->folder = mem_strdup(*target ? target : ".");
    if (sink->folder)
        st = async_writer_create(&sink->writer, options->queue, write_frame, NULL, sink);
    if (st != ST_OK) {
        (void)!png_close(sink);
        return st;
    }
    *out = sink;
    return ST_OK;
}

static enum status png_show(struct present_sink *sink, const struct present_frame *frame,
                            const struct present_view *view)
{
    (void)view;
    return async_writer_submit(sink->writer, frame);
}

const struct present_sink_ops present_png_ops = {
    .name = "png",
    .persistent = true,
    .open = png_open,
    .show = png_show,
    .close = png_close,
};
