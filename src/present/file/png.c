/* Sink "png:DIR": writes each frame to DIR/frame-00000.png; frames of additional swap chains carry
 * the chain's number, DIR/frame-1-00000.png. */
#include "present/file/png_file.h"
#include "present/sink/async_writer.h"
#include "present/sink/sink.h"
#include "util/alloc.h"
#include "util/log.h"

#include <stdio.h>

enum { PATH_BYTES = 1024 };

struct present_sink {
    char *folder;
    struct png_memory memory;
    struct async_writer *writer;
};

static void png_close(struct present_sink *sink)
{
    if (!sink)
        return;
    async_writer_destroy(sink->writer);
    mem_free(sink->folder);
    mem_free(sink->memory.rgb);
    mem_free(sink);
}

static enum status write_frame(void *ctx, const struct present_frame *frame)
{
    struct present_sink *sink = ctx;
    unsigned long long number = frame->number;
    char path[PATH_BYTES];
    FILE *file;

    if (frame->chain)
        snprintf(path, sizeof(path), "%s/frame-%u-%05llu.png", sink->folder, frame->chain, number);
    else
        snprintf(path, sizeof(path), "%s/frame-%05llu.png", sink->folder, number);
    file = fopen(path, "wb");
    if (!file) {
        log_error("present", "%s: cannot be written", path);
        return ST_IO;
    }
    return png_write(&sink->memory, file, path, frame);
}

static enum status png_open(struct present_sink **out, const char *target,
                            const struct present_options *options)
{
    struct present_sink *sink = mem_calloc(1, sizeof(*sink));
    enum status st = ST_NOMEM;

    *out = NULL;
    if (!sink)
        return ST_NOMEM;
    sink->folder = mem_strdup(*target ? target : ".");
    if (sink->folder)
        st = async_writer_create(&sink->writer, options->queue, write_frame, sink);
    if (st != ST_OK) {
        png_close(sink);
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
