/* A small picture of what a frame presents, for the strip of all frames.
 *
 * Tested by tests/unit/tool/serve/test_command.c. */
#include "tool/image/image.h"
#include "tool/inspect/frame.h"
#include "tool/serve/work.h"

#include "util/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THUMB_SIDE = 160 };

struct thumb {
    enum status status;
    struct tool_image image;
    bool taken;
};

/* Reads what is about to be presented. */
static void before(void *ctx, struct frame_walk *walk, const struct frame_packet *packet)
{
    struct thumb *t = ctx;
    struct draw_target target = {0};

    (void)walk;
    if (packet->op != CMD_PRESENT || t->taken)
        return;
    target.image =
        cmd_rendered_image(packet->stream, ((const struct cmd_present *)packet->packet)->image);
    if (!target.image)
        return;
    draw_flush(cmd_renderer(packet->stream));
    t->status = inspect_picture_read(&target, &t->image);
    t->taken = t->status == ST_OK;
}

/* Averages the pixels under each pixel of a picture with sides of THUMB_SIDE at most. */
static enum status shrink(struct tool_image *out, const struct tool_image *in)
{
    uint32_t longest = in->width > in->height ? in->width : in->height;
    uint32_t divisor = (longest + THUMB_SIDE - 1) / THUMB_SIDE;
    uint32_t width = (in->width + divisor - 1) / divisor;
    uint32_t height = (in->height + divisor - 1) / divisor;
    enum status st = tool_image_create(out, width, height);

    for (uint32_t y = 0; st == ST_OK && y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint32_t sum[3] = {0}, n = 0;

            for (uint32_t v = y * divisor; v < (y + 1) * divisor && v < in->height; v++)
                for (uint32_t u = x * divisor; u < (x + 1) * divisor && u < in->width; u++, n++)
                    for (unsigned c = 0; c < 3; c++)
                        sum[c] += in->rgba[4 * ((size_t)v * in->width + u) + c];
            for (unsigned c = 0; c < 3; c++)
                out->rgba[4 * ((size_t)y * width + x) + c] = (uint8_t)((sum[c] + n / 2) / n);
            out->rgba[4 * ((size_t)y * width + x) + 3] = 255;
        }
    return st;
}

/* Writes the file under another name first: another process may be about to read it. */
static enum status write_thumb(const struct serve_work *work, const struct tool_image *image,
                               char name[SERVE_NAME])
{
    const size_t bytes = (size_t)image->width * image->height * 4;
    char path[4096], draft[4096];

    snprintf(name, SERVE_NAME, "%016" PRIx64 ".png", hash_bytes(image->rgba, bytes, image->width));
    snprintf(path, sizeof(path), "%s/images/%s", work->folder, name);
    snprintf(draft, sizeof(draft), "%s/images/draft-%d", work->folder, (int)getpid());
    if (tool_png_write(draft, image, 3) != ST_OK || rename(draft, path))
        return ST_IO;
    return ST_OK;
}

enum status serve_thumb(struct serve_work *work, const struct serve_key *key, char **out, size_t *n,
                        char error[SESSION_TEXT])
{
    struct thumb thumb = {.status = ST_NOTFOUND};
    const struct frame_visitor visitor = {.ctx = &thumb, .before = before};
    struct tool_image small;
    char name[SERVE_NAME];
    enum status st = frame_walk_advance(work->walk, key->film);

    if (st == ST_OK)
        st = frame_walk_run(work->walk, &visitor);
    if (st == ST_OK)
        st = thumb.status;
    if (st == ST_NOTFOUND)
        snprintf(error, SESSION_TEXT, "frame %" PRIu64 " presents no picture", key->film);
    if (st == ST_OK)
        st = shrink(&small, &thumb.image);
    if (st == ST_OK)
        st = write_thumb(work, &small, name);
    if (st != ST_OK)
        return st;
    *out = malloc(128);
    if (!*out)
        return ST_NOMEM;
    *n = (size_t)snprintf(*out, 128, "{\"file\":\"images/%s\",\"width\":%u,\"height\":%u}", name,
                          small.width, small.height);
    return ST_OK;
}
