/* Sink "window" without GDI: draws to a new window, or to an existing one of the program, with SDL
 * 2. */
#ifndef _WIN32

#include "present/file/key.h"
#include "present/monitor/scale.h"
#include "present/sink/sink.h"
#include "present/window/keys.h"
#include "present/window/sdl.h"
#include "util/alloc.h"
#include "util/log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct present_sink {
    struct present_sink *next; /* list of all window sinks */
    const struct sdl *sdl;
    struct sdl_window *window; /* NULL: not created yet, or closed */
    uint32_t id;
    uint64_t given;  /* id of an existing window; 0: create one */
    bool by_program; /* the device or Present names the window */
    bool closed;
    enum present_scaling scaling; /* of the frame */
    enum present_filter filter;
    struct canvas canvas;
    struct scaler scaler;
};

/* Serialises SDL, which is not thread-safe; each device has its own presenting thread. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct present_sink *all;

/* --- Windows ---------------------------------------------------------------------------------- */

static enum status open_window(struct present_sink *sink, const struct present_frame *frame)
{
    uint64_t given = sink->by_program ? frame->window : sink->given;

    if (sink->by_program && !given)
        return ST_NOTFOUND;
    /* Uses no accelerated framebuffer: a renderer is bound to one thread. */
    sink->sdl->SetHint("SDL_FRAMEBUFFER_ACCELERATION", "0");
    sink->window =
        given ? sink->sdl->CreateWindowFrom((const void *)(uintptr_t)given)
              : sink->sdl->CreateWindow("Novem", SDL_CENTERED, SDL_CENTERED, (int)frame->width,
                                        (int)frame->height, SDL_RESIZABLE);
    if (!sink->window) {
        log_error("present", "no window: %s", sink->sdl->GetError());
        return ST_IO;
    }
    sink->id = sink->sdl->GetWindowID(sink->window);
    return ST_OK;
}

static void close_window(struct present_sink *sink)
{
    if (sink->window)
        sink->sdl->DestroyWindow(sink->window);
    sink->window = NULL;
}

/* Processes events of all windows, because SDL has one queue. If a sink draws to the program's
 * window, the program handles all events. */
static void process_events(const struct sdl *sdl)
{
    union sdl_event event;

    for (const struct present_sink *sink = all; sink; sink = sink->next)
        if (sink->by_program || sink->given)
            return;
    while (sdl->PollEvent(&event)) {
        if (event.any.type == SDL_EVENT_KEY_DOWN && !event.key.repeat)
            key_note(keys_windows_code(event.key.key));
        if (event.any.type != SDL_EVENT_WINDOW || event.window.event != SDL_WINDOW_CLOSES)
            continue;
        for (struct present_sink *sink = all; sink; sink = sink->next)
            sink->closed |= sink->id == event.window.window;
    }
}

/* --- Frames ----------------------------------------------------------------------------------- */

static void fill_black(const struct view_image *to, int32_t left, int32_t top, int32_t right,
                       int32_t bottom)
{
    for (int32_t y = top; y < bottom && left < right; y++)
        memset(to->pixels + (size_t)y * to->pitch + left, 0,
               (size_t)(right - left) * sizeof(*to->pixels));
}

static void put_bars(const struct view_image *to, const struct view_rect *dst)
{
    int32_t width = (int32_t)to->width, height = (int32_t)to->height;

    fill_black(to, 0, 0, width, dst->top);
    fill_black(to, 0, dst->bottom, width, height);
    fill_black(to, 0, dst->top, dst->left, dst->bottom);
    fill_black(to, dst->right, dst->top, width, dst->bottom);
}

static enum status draw(struct present_sink *sink, const struct view_image *to,
                        const struct view_image *image, const struct hud *hud)
{
    const uint32_t picture[2] = {image->width, image->height}, area[2] = {to->width, to->height};
    const struct view_rect src = {0, 0, (int32_t)image->width, (int32_t)image->height};
    bool same = image->width == to->width && image->height == to->height;
    struct view_rect dst;
    enum status st;
    int32_t rect[4];

    present_place(sink->scaling, picture, area, rect);
    dst = (struct view_rect){rect[0], rect[1], rect[2], rect[3]};
    put_bars(to, &dst);
    st = scale_image(&sink->scaler, same ? PRESENT_NEAREST : sink->filter, to, &dst, image, &src);
    if (st == ST_OK && hud)
        view_draw_panel(hud, to, &dst);
    return st;
}

static enum status put(struct present_sink *sink, const struct view_image *image,
                       const struct hud *hud)
{
    struct sdl_surface *surface = sink->sdl->GetWindowSurface(sink->window);
    struct view_image to;
    enum status st;

    if (!surface || !sdl_surface_is_rgb8(surface)) {
        log_error("present", "the window cannot be drawn into: %s",
                  surface ? "unsupported pixel format" : sink->sdl->GetError());
        return ST_IO;
    }
    to = (struct view_image){surface->pixels, (uint32_t)surface->pitch / 4, (uint32_t)surface->w,
                             (uint32_t)surface->h};
    if (!to.width || !to.height)
        return ST_OK;
    st = draw(sink, &to, image, hud);
    sink->sdl->UpdateWindowSurface(sink->window); /* a window closed meanwhile is no error */
    return st;
}

static enum status show(struct present_sink *sink, const struct present_frame *frame,
                        const struct present_view *view)
{
    struct view_image image;
    enum status st = sink->window ? ST_OK : open_window(sink, frame);

    if (st == ST_NOTFOUND)
        return ST_OK; /* the program passed no window */
    if (st == ST_OK)
        st = canvas_update(&sink->canvas, frame, view->gamma, &image);
    return st == ST_OK ? put(sink, &image, view->hud) : st;
}

static enum status window_show(struct present_sink *sink, const struct present_frame *frame,
                               const struct present_view *view)
{
    enum status st = ST_OK;

    if (frame->chain)
        return ST_OK;
    pthread_mutex_lock(&lock);
    sink->scaling = view->scaling;
    sink->filter = view->filter;
    process_events(sink->sdl);
    if (sink->closed && sink->window) {
        log_warn("present", "the window was closed; the program goes on without it");
        close_window(sink);
        sink->sdl->PumpEvents();
    }
    if (!sink->closed)
        st = show(sink, frame, view);
    pthread_mutex_unlock(&lock);
    return st;
}

/* --- Opening ---------------------------------------------------------------------------------- */

static bool parse(struct present_sink *sink, const char *target)
{
    char *end = (char *)target;

    sink->by_program = !strcmp(target, "given");
    if (!*target || sink->by_program)
        return true;
    sink->given = strtoull(target, &end, 0);
    return sink->given && !*end;
}

static enum status window_open(struct present_sink **out, const char *target,
                               const struct present_options *options)
{
    struct present_sink *sink = mem_calloc(1, sizeof(*sink));
    enum status st;

    (void)options;
    *out = NULL;
    if (!sink)
        return ST_NOMEM;
    if (!parse(sink, target)) {
        log_error("present", "window:ID needs a window number or 'given', not '%s'", target);
        mem_free(sink);
        return ST_INVALID;
    }
    pthread_mutex_lock(&lock);
    st = sdl_open(&sink->sdl);
    if (st == ST_OK) {
        sink->next = all;
        all = sink;
    }
    pthread_mutex_unlock(&lock);
    if (st != ST_OK) {
        mem_free(sink);
        return st;
    }
    *out = sink;
    return ST_OK;
}

static enum status window_close(struct present_sink *sink)
{
    struct present_sink **at = &all;

    pthread_mutex_lock(&lock);
    while (*at != sink)
        at = &(*at)->next;
    *at = sink->next;
    close_window(sink);
    sdl_close(sink->sdl);
    pthread_mutex_unlock(&lock);
    canvas_fini(&sink->canvas);
    scaler_fini(&sink->scaler);
    mem_free(sink);
    return ST_OK;
}

const struct present_sink_ops present_window_ops = {
    .name = "window",
    .pacing = PRESENT_PACE_ALL,
    .open = window_open,
    .show = window_show,
    .close = window_close,
};

#endif
