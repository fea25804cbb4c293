/* Sinks "y4m:FILE" and "raw:FILE": write the frames of the implicit swap chain one after another,
 * for video encoders. */
#include "present/file/stream.h"
#include "present/monitor/view.h"
#include "present/sink/async_writer.h"
#include "present/sink/sink.h"
#include "util/alloc.h"
#include "util/log.h"

#include <stdio.h>
#include <string.h>

struct present_sink {
    char *name;                   /* as the user gave it */
    char path[OUTPUT_PATH_BYTES]; /* of the open file */
    int file;                     /* -1: not open */
    bool y4m;
    unsigned rate;          /* frame rate in the header; 0: the monitor's */
    uint32_t width, height; /* of the first frame; later frames are stretched to it */
    struct canvas canvas;
    struct view_memory scaled;
    uint8_t *bytes; /* one frame as in the file */
    struct async_writer *writer;
};

static enum status video_close(struct present_sink *sink)
{
    enum status st = async_writer_destroy(sink->writer);

    canvas_fini(&sink->canvas);
    view_free(&sink->scaled);
    mem_free(sink->bytes);
    mem_free(sink->name);
    mem_free(sink);
    return st;
}

/* --- Bytes ------------------------------------------------------------------------------------ */

/* ITU-R BT.601 Y, Cb, Cr with range 16 … 235 (240), rounded to nearest. Coefficients: those of the
 * standard times 65536 and 219/255 or 224/255. */
static void put_yuv(uint8_t *out, size_t plane, uint32_t pixel)
{
    int32_t r = pixel >> 16 & 255, g = pixel >> 8 & 255, b = pixel & 255;

    out[0] = (uint8_t)((16829 * r + 33039 * g + 6416 * b + (16 << 16) + 32768) >> 16);
    out[plane] = (uint8_t)((-9714 * r - 19070 * g + 28784 * b + (128 << 16) + 32768) >> 16);
    out[2 * plane] = (uint8_t)((28784 * r - 24103 * g - 4681 * b + (128 << 16) + 32768) >> 16);
}

static const char frame_line[] = "FRAME\n";

static size_t frame_bytes(const struct present_sink *sink)
{
    size_t pixels = (size_t)sink->width * sink->height;

    return sink->y4m ? strlen(frame_line) + 3 * pixels : 4 * pixels;
}

static void put_y4m(const struct present_sink *sink, const struct view_image *image)
{
    uint8_t *out = sink->bytes + strlen(frame_line);

    memcpy(sink->bytes, frame_line, strlen(frame_line));
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++)
            put_yuv(out++, (size_t)image->width * image->height,
                    image->pixels[(size_t)y * image->pitch + x]);
}

/* Bytes blue, green, red, 255: words on a little-endian host. */
static void put_raw(const struct present_sink *sink, const struct view_image *image)
{
    uint32_t *out = (uint32_t *)(void *)sink->bytes;

    for (uint32_t y = 0; y < image->height; y++, out += image->width)
        for (uint32_t x = 0; x < image->width; x++)
            out[x] = image->pixels[(size_t)y * image->pitch + x] | 0xff000000;
}

/* --- Frames ----------------------------------------------------------------------------------- */

static unsigned rate_of(const struct present_sink *sink, const struct present_frame *frame)
{
    unsigned rate = frame->refresh_rate ? frame->refresh_rate : 60;

    return sink->rate ? sink->rate : frame->refreshes > 1 ? rate / frame->refreshes : rate;
}

/* The first frame determines size and rate of the file. */
static enum status begin(struct present_sink *sink, const struct present_frame *frame)
{
    char head[96];
    enum status st = stream_open(&sink->file, sink->path, sink->name, sink->writer);

    if (st != ST_OK)
        return st;
    sink->width = frame->width;
    sink->height = frame->height;
    sink->bytes = mem_alloc(frame_bytes(sink));
    if (!sink->bytes)
        return ST_NOMEM;
    if (!sink->y4m)
        return ST_OK;
    snprintf(head, sizeof(head), "YUV4MPEG2 W%u H%u F%u:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n",
             sink->width, sink->height, rate_of(sink, frame));
    return stream_write(sink->file, sink->path, head, strlen(head), sink->writer);
}

static enum status scale(struct present_sink *sink, struct view_image *image)
{
    const struct view_rect src = {0, 0, (int32_t)image->width, (int32_t)image->height};
    const struct view_rect dst = {0, 0, (int32_t)sink->width, (int32_t)sink->height};
    struct view_image scaled = {NULL, sink->width, sink->width, sink->height};
    enum status st = view_reserve(&sink->scaled, (size_t)sink->width * sink->height);

    if (st != ST_OK)
        return st;
    log_once("present", sink->path, "%s: frames of another size are stretched to %ux%u", sink->path,
             sink->width, sink->height);
    scaled.pixels = sink->scaled.pixels;
    view_stretch(&scaled, &dst, image, &src);
    *image = scaled;
    return ST_OK;
}

static enum status write_frame(void *ctx, const struct present_frame *frame)
{
    struct present_sink *sink = ctx;
    struct view_image image;
    enum status st = sink->file < 0 ? begin(sink, frame) : ST_OK;

    if (st == ST_OK)
        st = canvas_update(&sink->canvas, frame, NULL, &image);
    if (st == ST_OK && (image.width != sink->width || image.height != sink->height))
        st = scale(sink, &image);
    if (st != ST_OK)
        return st;
    (sink->y4m ? put_y4m : put_raw)(sink, &image);
    return stream_write(sink->file, sink->path, sink->bytes, frame_bytes(sink), sink->writer);
}

static enum status finish(void *ctx)
{
    struct present_sink *sink = ctx;
    int file = sink->file;

    sink->file = -1;
    return file < 0 ? ST_OK : stream_close(file, sink->path);
}

static enum status video_show(struct present_sink *sink, const struct present_frame *frame,
                              const struct present_view *view)
{
    (void)view;
    return frame->chain ? ST_OK : async_writer_submit(sink->writer, frame);
}

/* --- Opening ---------------------------------------------------------------------------------- */

static enum status video_open(struct present_sink **out, const char *target, bool y4m,
                              const struct present_options *options)
{
    struct present_sink *sink;
    enum status st = ST_NOMEM;

    *out = NULL;
    if (!*target) {
        log_error("present", "y4m and raw need a file: y4m:FILE");
        return ST_INVALID;
    }
    sink = mem_calloc(1, sizeof(*sink));
    if (!sink)
        return ST_NOMEM;
    sink->file = -1;
    sink->y4m = y4m;
    sink->rate = options->frame_limit;
    sink->name = mem_strdup(target);
    if (sink->name)
        st = async_writer_create(&sink->writer, options->queue, write_frame, finish, sink);
    if (st != ST_OK) {
        (void)!video_close(sink);
        return st;
    }
    *out = sink;
    return ST_OK;
}

static enum status y4m_open(struct present_sink **out, const char *target,
                            const struct present_options *options)
{
    return video_open(out, target, true, options);
}

static enum status raw_open(struct present_sink **out, const char *target,
                            const struct present_options *options)
{
    return video_open(out, target, false, options);
}

const struct present_sink_ops present_y4m_ops = {
    .name = "y4m",
    .persistent = true,
    .open = y4m_open,
    .show = video_show,
    .close = video_close,
};

const struct present_sink_ops present_raw_ops = {
    .name = "raw",
    .persistent = true,
    .open = raw_open,
    .show = video_show,
    .close = video_close,
};
