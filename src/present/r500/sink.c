/* Sink "r500": copies frames to textures, submits the streams that draw them, and flips the
 * display. */
#include "present/r500/sink.h"

#include "present/monitor/view.h"
#include "present/sink/async_writer.h"
#include "present/sink/sink.h"
#include "util/alloc.h"
#include "util/log.h"

#include <stdio.h>
#include <string.h>

enum {
    SLOTS = 2,
    PATH_BYTES = 1024
}; /* double buffering: one picture is displayed while the next
    * is drawn */

struct present_sink {
    struct r500_board *board;
    struct r500_settings settings;
    struct r500_quad quad; /* parameters of the buffers below */
    struct r500_buffer texture[SLOTS], target[SLOTS];
    uint32_t stream[R500_QUAD_DWORDS], n;
    unsigned slot;
    struct canvas canvas;
    struct view_memory panel;
    struct async_writer *writer; /* file boards only: a display paces the frames itself */
};

/* --- Settings --------------------------------------------------------------------------------- */

static bool parse_setting(struct r500_settings *out, const char *item)
{
    if (!strncmp(item, "chip=", 5)) {
        out->chip = r500_chip_by_name(item + 5);
        return out->chip != R500_CHIPS;
    }
    if (!strncmp(item, "form=", 5)) {
        out->form = r500_form_by_name(item + 5);
        return out->form != R500_FORMS;
    }
    return sscanf(item, "size=%ux%u", &out->width, &out->height) == 2 && out->width &&
           out->height && out->width <= R500_SIZE_MAX && out->height <= R500_SIZE_MAX;
}

enum status r500_settings_parse(struct r500_settings *out, const char *text)
{
    char item[64];

    *out = (struct r500_settings){.chip = R500_CHIPS, .form = R500_BYPASS};
    while (*text) {
        size_t n = strcspn(text, "&");

        snprintf(item, sizeof(item), "%.*s", n < sizeof(item) ? (int)n : 0, text);
        if (!parse_setting(out, item)) {
            log_error("present",
                      "r500: unknown option '%s': chip=..., form=bypass|program, size=WxH", text);
            return ST_INVALID;
        }
        text += n + (text[n] == '&');
    }
    return ST_OK;
}

/* --- Buffers ---------------------------------------------------------------------------------- */

static uint32_t align(uint32_t value, uint32_t to)
{
    return (value + to - 1) / to * to;
}

static uint32_t at_least_1(uint64_t value)
{
    return value ? (uint32_t)value : 1;
}

void r500_fit(struct r500_quad *quad)
{
    uint32_t wide = quad->target_width, high = quad->target_height;

    if ((uint64_t)wide * quad->height > (uint64_t)high * quad->width)
        wide = at_least_1((uint64_t)high * quad->width / quad->height);
    else
        high = at_least_1((uint64_t)wide * quad->height / quad->width);
    quad->left = (quad->target_width - wide) / 2;
    quad->top = (quad->target_height - high) / 2;
    quad->right = quad->left + wide;
    quad->bottom = quad->top + high;
}

static void release_all(struct present_sink *sink)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        if (sink->texture[i].handle)
            sink->board->ops->release(sink->board, &sink->texture[i]);
        if (sink->target[i].handle)
            sink->board->ops->release(sink->board, &sink->target[i]);
    }
    sink->quad = (struct r500_quad){0};
}

static struct r500_quad quad_of(const struct present_sink *sink, uint32_t width, uint32_t height)
{
    const struct r500_board *board = sink->board;
    struct r500_quad quad = {.chip = board->chip,
                             .form = sink->settings.form,
                             .width = width,
                             .height = height,
                             .pitch = align(width, R500_TEXTURE_ALIGN)};
    bool given = sink->settings.width;

    /* A display's size overrides the settings. */
    quad.target_width = board->width ? board->width : given ? sink->settings.width : width;
    quad.target_height = board->height ? board->height : given ? sink->settings.height : height;
    quad.target_pitch = align(quad.target_width, R500_SCANOUT_ALIGN);
    r500_fit(&quad);
    return quad;
}

/* Creates buffers and stream for frames of a size. */
static enum status prepare(struct present_sink *sink, uint32_t width, uint32_t height)
{
    struct r500_quad quad = quad_of(sink, width, height);
    enum status st;

    if (width == sink->quad.width && height == sink->quad.height)
        return ST_OK;
    release_all(sink);
    st = r500_encode_quad(sink->stream, &sink->n, &quad);
    for (unsigned i = 0; st == ST_OK && i < SLOTS; i++) {
        st = sink->board->ops->create(sink->board, quad.pitch * quad.height * 4, R500_TEXTURE,
                                      &sink->texture[i]);
        if (st == ST_OK)
            st = sink->board->ops->create(sink->board, quad.target_pitch * quad.target_height * 4,
                                          R500_TARGET, &sink->target[i]);
    }
    if (st == ST_OK)
        sink->quad = quad;
    return st;
}

/* --- Frames ----------------------------------------------------------------------------------- */

static void put_hud(struct present_sink *sink, const struct hud *hud,
                    const struct view_image *image, uint32_t *texels)
{
    const struct view_rect all = {0, 0, (int32_t)image->width, (int32_t)image->height};
    struct view_rect place;
    size_t wide;

    if (view_panel(&sink->panel, hud, image, &all, &all, &place) != ST_OK)
        return;
    wide = (size_t)(place.right - place.left);
    for (int32_t y = place.top; y < place.bottom; y++)
        memcpy(texels + (size_t)y * sink->quad.pitch + place.left,
               sink->panel.pixels + (size_t)(y - place.top) * wide, wide * 4);
}

static void upload(struct present_sink *sink, const struct view_image *image, const struct hud *hud)
{
    uint32_t *texels = (uint32_t *)(void *)sink->texture[sink->slot].data;

    for (uint32_t y = 0; y < image->height; y++)
        memcpy(texels + (size_t)y * sink->quad.pitch, image->pixels + (size_t)y * image->pitch,
               (size_t)image->width * 4);
    if (hud && sink->board->width)
        put_hud(sink, hud, image, texels);
}

static enum status draw(struct present_sink *sink)
{
    const struct r500_buffer *texture = &sink->texture[sink->slot];
    const struct r500_reloc relocs[R500_QUAD_RELOCS] = {
        [R500_TARGET_ENTRY] = {sink->target[sink->slot].handle, R500_DOMAIN_VRAM, R500_DOMAIN_VRAM,
                               8},
        [R500_TEXTURE_ENTRY] = {texture->handle, R500_DOMAIN_GTT | R500_DOMAIN_VRAM, 0, 8},
    };
    const struct r500_submit submit = {
        sink->stream, sink->n, relocs, R500_QUAD_RELOCS, {R500_KEEP_TILING | R500_END_OF_FRAME, 0}};

    return sink->board->ops->submit(sink->board, &submit, texture);
}

static enum status show_now(struct present_sink *sink, const struct present_frame *frame,
                            const struct present_view *view)
{
    const struct r500_board_ops *ops = sink->board->ops;
    const struct view_gamma *gamma = view && sink->board->width ? view->gamma : NULL;
    struct view_image image;
    struct r500_flip flip;
    enum status st;

    st = canvas_update(&sink->canvas, frame, gamma, &image);
    if (st == ST_OK)
        st = prepare(sink, image.width, image.height);
    if (st == ST_OK)
        st = ops->begin(sink->board, &sink->texture[sink->slot]);
    if (st != ST_OK)
        return st;
    upload(sink, &image, view ? view->hud : NULL);
    st = draw(sink);
    flip = (struct r500_flip){sink->target[sink->slot].handle,
                              sink->quad.target_width,
                              sink->quad.target_height,
                              sink->quad.target_pitch * 4,
                              frame->chain,
                              (uint32_t)frame->number};
    if (st == ST_OK)
        st = ops->flip(sink->board, &flip);
    sink->slot = (sink->slot + 1) % SLOTS;
    return st;
}

static enum status write_frame(void *ctx, const struct present_frame *frame)
{
    return show_now(ctx, frame, NULL);
}

static enum status r500_show(struct present_sink *sink, const struct present_frame *frame,
                             const struct present_view *view)
{
    if (frame->chain)
        return ST_OK;
    return sink->writer ? async_writer_submit(sink->writer, frame) : show_now(sink, frame, view);
}

/* Closes the board, on the writer thread if there is one. */
static enum status finish(void *ctx)
{
    struct present_sink *sink = ctx;
    struct r500_board *board = sink->board;

    release_all(sink);
    sink->board = NULL;
    return board->ops->close(board);
}

static enum status r500_close(struct present_sink *sink)
{
    enum status st;

    if (!sink)
        return ST_OK;
    st = sink->writer ? async_writer_destroy(sink->writer) : finish(sink);
    canvas_fini(&sink->canvas);
    view_free(&sink->panel);
    mem_free(sink);
    return st;
}

/* --- Opening ---------------------------------------------------------------------------------- */

enum status r500_sink_create(struct present_sink **out, struct r500_board *board,
                             const struct r500_settings *settings, unsigned queue)
{
    struct present_sink *sink = mem_calloc(1, sizeof(*sink));
    enum status st = ST_OK;

    *out = NULL;
    if (!sink) {
        (void)!board->ops->close(board);
        return ST_NOMEM;
    }
    sink->board = board;
    sink->settings = *settings;
    if (!board->width)
        st = async_writer_create(&sink->writer, queue, write_frame, finish, sink);
    board->writer = sink->writer;
    if (st == ST_OK)
        *out = sink;
    else
        (void)!r500_close(sink);
    return st;
}

static enum status open_board(struct r500_board **out, const char *path,
                              const struct r500_settings *settings)
{
    if (!strncmp(path, "/dev/dri/", 9))
        return r500_drm_open(out, path, NULL, NULL);
    return r500_board_file(out, path, settings->chip == R500_CHIPS ? R500_RV515 : settings->chip);
}

static enum status r500_open(struct present_sink **out, const char *target,
                             const struct present_options *options)
{
    size_t n = strcspn(target, "?");
    struct r500_settings settings;
    struct r500_board *board;
    char path[PATH_BYTES];
    enum status st = r500_settings_parse(&settings, target[n] ? target + n + 1 : "");

    *out = NULL;
    if (st == ST_OK && (!n || n >= sizeof(path))) {
        log_error("present", "r500 needs a file or a device: r500:FILE");
        st = ST_INVALID;
    }
    if (st != ST_OK)
        return st;
    memcpy(path, target, n);
    path[n] = '\0';
    st = open_board(&board, path, &settings);
    return st == ST_OK ? r500_sink_create(out, board, &settings, options->queue) : st;
}

const struct present_sink_ops present_r500_ops = {
    .name = "r500",
    .persistent = true,
    .open = r500_open,
    .show = r500_show,
    .close = r500_close,
};
