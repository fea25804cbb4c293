/* Sink "metal": a window of macOS, drawn with Metal.
 *
 * Tested by tests/unit/present/metal/test_window.c. */
#include "present/sink/sink.h"

#include "util/log.h"

#ifdef _WIN32

static enum status metal_open(struct present_sink **out, const char *target,
                              const struct present_options *options)
{
    (void)target;
    (void)options;
    *out = NULL;
    log_error("present", "the sink metal is not for Windows programs; under Wine on macOS use "
                         "shm:NAME, and `novem view NAME` there");
    return ST_UNSUPPORTED;
}

static enum status metal_show(struct present_sink *sink, const struct present_frame *frame,
                              const struct present_view *view)
{
    (void)sink;
    (void)frame;
    (void)view;
    return ST_UNSUPPORTED;
}

static enum status metal_close(struct present_sink *sink)
{
    (void)sink;
    return ST_OK;
}

#else

#include "present/file/key.h"
#include "present/metal/window.h"
#include "present/window/keys.h"
#include "util/alloc.h"

#include <pthread.h>

struct present_sink {
    pthread_mutex_t lock;        /* held by show; guards the next three */
    struct metal_window *window; /* NULL: not opened yet, or closed */
    bool closed;                 /* by the user */
    enum status opened;          /* the failure to open it */
    bool vsync;
    struct canvas canvas;
};

static enum status metal_open(struct present_sink **out, const char *target,
                              const struct present_options *options)
{
    struct present_sink *sink;
    const char *missing;

    *out = NULL;
    if (*target) {
        log_error("present", "the sink metal has no option, such as '%s'", target);
        return ST_INVALID;
    }
    if (!metal_window_possible(&missing)) {
        log_error("present", "the sink metal needs macOS: there is no %s", missing);
        return ST_UNSUPPORTED;
    }
    sink = mem_calloc(1, sizeof(*sink));
    if (!sink)
        return ST_NOMEM;
    sink->vsync = options->vsync;
    sink->opened = ST_OK;
    pthread_mutex_init(&sink->lock, NULL);
    *out = sink;
    return ST_OK;
}

static bool is_closed_by_user(struct present_sink *sink)
{
    struct metal_event event;

    while (metal_window_event(sink->window, &event)) {
        if (event.type == METAL_EVENT_CLOSE)
            return true;
        if (event.type == METAL_EVENT_KEY && !event.repeated)
            key_note(keys_windows_code(event.key));
    }
    return false;
}

static void metal_attend(struct present_sink *sink, const uint32_t size[2])
{
    if (sink->closed || sink->opened != ST_OK)
        return;
    if (!sink->window) {
        pthread_mutex_lock(&sink->lock);
        sink->opened = metal_window_open(&sink->window, "Novem", size, sink->vsync);
        pthread_mutex_unlock(&sink->lock);
    } else if (is_closed_by_user(sink)) {
        log_warn("present", "the window was closed; the program goes on without it");
        pthread_mutex_lock(&sink->lock);
        metal_window_close(sink->window);
        sink->window = NULL;
        sink->closed = true;
        pthread_mutex_unlock(&sink->lock);
    } else {
        metal_window_measure(sink->window);
    }
}

static enum status metal_show(struct present_sink *sink, const struct present_frame *frame,
                              const struct present_view *view)
{
    struct metal_picture picture = {
        .scaling = view->scaling, .filter = view->filter, .hud = view->hud};
    enum status st;

    if (frame->chain)
        return ST_OK;
    pthread_mutex_lock(&sink->lock);
    st = sink->opened;
    if (st == ST_OK && sink->window) {
        st = canvas_update(&sink->canvas, frame, view->gamma, &picture.image);
        if (st == ST_OK)
            st = metal_window_show(sink->window, &picture);
    }
    pthread_mutex_unlock(&sink->lock);
    return st;
}

static enum status metal_close(struct present_sink *sink)
{
    metal_window_close(sink->window);
    canvas_fini(&sink->canvas);
    pthread_mutex_destroy(&sink->lock);
    mem_free(sink);
    return ST_OK;
}

#endif

const struct present_sink_ops present_metal_ops = {
    .name = "metal",
    .pacing = PRESENT_PACE_ALL,
    .open = metal_open,
    .show = metal_show,
#ifndef _WIN32
    .attend = metal_attend,
#endif
    .close = metal_close,
};
