/* The sink "png:DIR": each frame as DIR/frame-00000.png; frames of additional swap chains carry the
 * chain's number, DIR/frame-1-00000.png. */
#include "present/sinks.h"
#include "util/alloc.h"
#include "util/log.h"

#include <stdio.h>
#include <string.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#define STBIW_MALLOC(size) mem_alloc(size)
#define STBIW_REALLOC(old, size) mem_realloc(old, size)
#define STBIW_FREE(block) mem_free(block)
#pragma GCC diagnostic ignored "-Wunused-function" /* the other formats it could write */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

enum { PATH_BYTES = 1024 };

struct present_sink {
    char *folder;
    uint8_t *rgb; /* grows */
    size_t size;
};

static void png_close(struct present_sink *sink)
{
    if (!sink)
        return;
    mem_free(sink->folder);
    mem_free(sink->rgb);
    mem_free(sink);
}

static enum status png_open(struct present_sink **out, const char *target)
{
    struct present_sink *sink = mem_calloc(1, sizeof(*sink));

    *out = NULL;
    if (!sink)
        return ST_NOMEM;
    sink->folder = mem_strdup(*target ? target : ".");
    if (!sink->folder) {
        png_close(sink);
        return ST_NOMEM;
    }
    *out = sink;
    return ST_OK;
}

struct output {
    FILE *file;
    bool failed;
};

static void write_bytes(void *ctx, void *data, int size)
{
    struct output *output = ctx;

    if (fwrite(data, 1, (size_t)size, output->file) != (size_t)size)
        output->failed = true;
}

static enum status write_file(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height)
{
    struct output output = {fopen(path, "wb"), false};
    int written;

    if (!output.file) {
        log_error("present", "%s: cannot be written", path);
        return ST_IO;
    }
    written = stbi_write_png_to_func(write_bytes, &output, (int)width, (int)height, 3, rgb,
                                     (int)width * 3);
    if (fclose(output.file) || output.failed || !written) {
        log_error("present", "%s: writing failed", path);
        return ST_IO;
    }
    return ST_OK;
}

static enum status png_show(struct present_sink *sink, const struct present_frame *frame)
{
    size_t size = (size_t)frame->width * frame->height * 3;
    unsigned long long number = frame->number;
    char path[PATH_BYTES];
    enum status st;

    if (size > sink->size) {
        uint8_t *grown = mem_realloc(sink->rgb, size);

        if (!grown)
            return ST_NOMEM;
        sink->rgb = grown;
        sink->size = size;
    }
    st = present_to_rgb(frame, sink->rgb);
    if (st != ST_OK)
        return st;
    if (frame->chain)
        snprintf(path, sizeof(path), "%s/frame-%u-%05llu.png", sink->folder, frame->chain, number);
    else
        snprintf(path, sizeof(path), "%s/frame-%05llu.png", sink->folder, number);
    return write_file(path, sink->rgb, frame->width, frame->height);
}

const struct present_sink_ops present_png_ops = {"png", true, false, png_open, png_show, png_close};
