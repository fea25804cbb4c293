#ifndef _WIN32

#include "present/metal/window.h"

#include "present/metal/layer.h"
#include "present/metal/objc.h"
#include "present/window/keys.h"
#include "util/alloc.h"
#include "util/log.h"

#include <math.h>
#include <pthread.h>

/* Numbers of AppKit's enumerations. */
enum {
    POLICY_REGULAR = 0, /* NSApplicationActivationPolicyRegular: a window and a place in the Dock */
    STYLE = 1 | 2 | 4 | 8, /* titled, closable, miniaturizable, resizable */
    BUFFERED = 2,          /* NSBackingStoreBuffered */
    OCCLUSION_VISIBLE = 2,
    MOUSE_MOVED = 5,
    LEFT_DRAGGED = 6,
    KEY_DOWN = 10,
    SCROLL_WHEEL = 22
};
#define ANY_EVENT (~(objc_uint)0) /* NSEventMaskAny */

struct metal_window {
    const struct objc *o;
    objc_id application, window, view;
    objc_id mode, past; /* arguments of next_event */
    struct metal_layer *layer;
    pthread_mutex_t lock; /* guards the next two */
    uint32_t size[2];     /* as last measured; 0, 0: it could not be seen */
    double scale;         /* pixels a point */
    struct view_memory panel;
    int32_t x, y;    /* of the mouse */
    double scrolled; /* since the last step of the wheel */
};

bool metal_window_possible(const char **missing)
{
    return objc_open(missing);
}

static void measure(struct metal_window *w)
{
    double scale = objc_backing_scale(w->o, w->window);
    struct objc_size points = objc_bounds(w->o, w->view).size;
    bool visible = objc_occlusion_state(w->o, w->window) & OCCLUSION_VISIBLE;

    if (scale != w->scale)
        objc_set_contents_scale(w->o, metal_layer_object(w->layer), scale);
    pthread_mutex_lock(&w->lock);
    w->scale = scale;
    w->size[0] = visible && points.width > 0 ? (uint32_t)(points.width * scale + 0.5) : 0;
    w->size[1] = visible && points.height > 0 ? (uint32_t)(points.height * scale + 0.5) : 0;
    pthread_mutex_unlock(&w->lock);
}

/* --- Opening and closing ---------------------------------------------------------------------- */

static objc_id start_application(const struct objc *o)
{
    objc_id application = objc_shared_application(o, objc_class(o, "NSApplication"));

    /* A program with an application of its own has done this. */
    if (!objc_is_running(o, application)) {
        objc_set_activation_policy(o, application, POLICY_REGULAR);
        objc_finish_launching(o, application);
    }
    return application;
}

static enum status open_window(struct metal_window *w, const char *title, const uint32_t size[2])
{
    const struct objc *o = w->o;
    const struct objc_rect area = {{0, 0}, {size[0], size[1]}};
    objc_id text = objc_string(o, title);

    w->window =
        objc_init_window(o, objc_alloc(o, objc_class(o, "NSWindow")), area, STYLE, BUFFERED, 0);
    w->view = objc_content_view(o, w->window);
    if (!w->window || !w->view) {
        log_error("present", "macOS opens no window");
        return ST_IO;
    }
    objc_set_released_when_closed(o, w->window, 0); /* this code releases it */
    if (text)
        objc_set_title(o, w->window, text);
    objc_set_accepts_mouse_moved(o, w->window, 1);
    objc_set_layer(o, w->view, metal_layer_object(w->layer)); /* before wants_layer: it is hosted */
    objc_set_wants_layer(o, w->view, 1);
    objc_center(o, w->window);
    objc_make_key_and_order_front(o, w->window, NULL);
    objc_activate(o, w->application, 1);
    return ST_OK;
}

static enum status open_all(struct metal_window *w, const char *title, const uint32_t size[2],
                            bool vsync)
{
    const struct objc *o = w->o;
    enum status st;

    if (!objc_is_main_thread(o, objc_class(o, "NSThread"))) {
        log_error("present", "macOS shows windows of a process's first thread alone; use the sink "
                             "shm and `novem view`");
        return ST_UNSUPPORTED;
    }
    w->application = start_application(o);
    w->mode = objc_retain(o, objc_string(o, "kCFRunLoopDefaultMode"));
    w->past = objc_retain(o, objc_distant_past(o, objc_class(o, "NSDate")));
    if (!w->application || !w->mode || !w->past) {
        log_error("present", "macOS starts no application");
        return ST_IO;
    }
    st = metal_layer_create(&w->layer, o, vsync);
    return st == ST_OK ? open_window(w, title, size) : st;
}

static void close_all(struct metal_window *w)
{
    if (w->window)
        objc_close_window(w->o, w->window);
    objc_set_layer(w->o, w->view, NULL);
    objc_release(w->o, w->window);
    metal_layer_destroy(w->layer);
    objc_release(w->o, w->past);
    objc_release(w->o, w->mode);
    view_free(&w->panel);
    pthread_mutex_destroy(&w->lock);
}

enum status metal_window_open(struct metal_window **out, const char *title, const uint32_t size[2],
                              bool vsync)
{
    const char *missing;
    const struct objc *o = objc_open(&missing);
    struct metal_window *w;
    enum status st;
    void *pool;

    *out = NULL;
    if (!o) {
        log_error("present", "windows with Metal need macOS: there is no %s", missing);
        return ST_UNSUPPORTED;
    }
    w = mem_calloc(1, sizeof(*w));
    if (!w)
        return ST_NOMEM;
    w->o = o;
    pthread_mutex_init(&w->lock, NULL);
    pool = o->runtime.pool_push();
    st = open_all(w, title, size, vsync);
    if (st == ST_OK)
        measure(w);
    else
        close_all(w);
    o->runtime.pool_pop(pool);
    if (st == ST_OK)
        *out = w;
    else
        mem_free(w);
    return st;
}

void metal_window_close(struct metal_window *w)
{
    void *pool;

    if (!w)
        return;
    pool = w->o->runtime.pool_push();
    close_all(w);
    w->o->runtime.pool_pop(pool);
    mem_free(w);
}

/* --- Events ----------------------------------------------------------------------------------- */

static bool is_closed(const struct metal_window *w)
{
    return !objc_is_visible(w->o, w->window) && !objc_is_miniaturized(w->o, w->window) &&
           !objc_is_hidden(w->o, w->application);
}

static void to_motion(struct metal_window *w, objc_id event, struct metal_event *out)
{
    double scale = w->scale;
    struct objc_point at = objc_location(w->o, event); /* points from the lower left corner */
    double height = objc_bounds(w->o, w->view).size.height;

    out->type = METAL_EVENT_MOTION;
    out->x = (int32_t)floor(at.x * scale);
    out->y = (int32_t)floor((height - at.y) * scale);
    out->dx = out->x - w->x;
    out->dy = out->y - w->y;
    w->x = out->x;
    w->y = out->y;
}

/* A notch of a wheel is one step; a touch pad sends many small movements in points. */
static void to_wheel(struct metal_window *w, objc_id event, struct metal_event *out)
{
    const double step = objc_has_precise_deltas(w->o, event) ? 16 : 0.1;

    w->scrolled += objc_scrolling_delta_y(w->o, event);
    if (fabs(w->scrolled) < step)
        return;
    out->type = METAL_EVENT_WHEEL;
    out->steps = w->scrolled > 0 ? 1 : -1;
    w->scrolled = 0;
}

static void to_key(const struct metal_window *w, objc_id event, struct metal_event *out)
{
    objc_id text = objc_characters(w->o, event);

    if (!objc_length(w->o, text))
        return; /* a dead key */
    out->type = METAL_EVENT_KEY;
    out->key = keys_of_character(objc_character_at(w->o, text, 0));
    out->repeated = objc_is_repeat(w->o, event);
}

static void translate(struct metal_window *w, objc_id event, struct metal_event *out)
{
    objc_uint type = objc_type(w->o, event);
    bool own = objc_window(w->o, event) == w->window;

    *out = (struct metal_event){.left_button = type == LEFT_DRAGGED};
    if (type == KEY_DOWN)
        to_key(w, event, out);
    else if ((type == MOUSE_MOVED || type == LEFT_DRAGGED) && own)
        to_motion(w, event, out);
    else if (type == SCROLL_WHEEL && own)
        to_wheel(w, event, out);
    if (type != KEY_DOWN) /* AppKit beeps at keys that nobody handles */
        objc_send_event(w->o, w->application, event);
}

bool metal_window_event(struct metal_window *w, struct metal_event *out)
{
    const struct objc *o = w->o;
    void *pool = o->runtime.pool_push();
    objc_id event = objc_next_event(o, w->application, ANY_EVENT, w->past, w->mode, 1);
    bool found = event;

    if (event) {
        translate(w, event, out);
    } else if (is_closed(w)) {
        *out = (struct metal_event){.type = METAL_EVENT_CLOSE};
        found = true;
    }
    o->runtime.pool_pop(pool);
    return found;
}

/* --- Pictures --------------------------------------------------------------------------------- */

void metal_window_measure(struct metal_window *w)
{
    void *pool = w->o->runtime.pool_push();

    measure(w);
    w->o->runtime.pool_pop(pool);
}

void metal_window_resize(struct metal_window *w, const uint32_t size[2])
{
    void *pool = w->o->runtime.pool_push();

    objc_set_content_size(w->o, w->window, (struct objc_size){size[0], size[1]});
    measure(w);
    w->o->runtime.pool_pop(pool);
}

void metal_window_size(struct metal_window *w, uint32_t size[2])
{
    pthread_mutex_lock(&w->lock);
    size[0] = w->size[0];
    size[1] = w->size[1];
    pthread_mutex_unlock(&w->lock);
}

/* The picture, and the panel of the HUD if it fits. */
static enum status show(struct metal_window *w, const struct metal_picture *p,
                        const uint32_t size[2])
{
    const struct view_image *image = &p->image;
    const struct view_rect src = {0, 0, (int32_t)image->width, (int32_t)image->height};
    struct view_rect *to, panel;
    struct view_image panel_image;
    struct metal_quad quads[METAL_QUADS] = {{.image = image, .filter = p->filter}};
    enum status st = ST_NOTFOUND;
    int32_t rect[4];

    present_place(p->scaling, (const uint32_t[]){image->width, image->height}, size, rect);
    to = &quads[0].to;
    *to = (struct view_rect){rect[0], rect[1], rect[2], rect[3]};
    if (to->right <= to->left || to->bottom <= to->top)
        return ST_OK;
    if (p->hud)
        st = view_panel(&w->panel, p->hud, image, &src, to, &panel);
    if (st != ST_OK && st != ST_NOTFOUND)
        return st;
    if (st == ST_OK) {
        panel_image = (struct view_image){w->panel.pixels, (uint32_t)(panel.right - panel.left),
                                          (uint32_t)(panel.right - panel.left),
                                          (uint32_t)(panel.bottom - panel.top)};
        quads[1] = (struct metal_quad){&panel_image, panel, PRESENT_NEAREST};
    }
    return metal_layer_show(w->layer, size, quads, st == ST_OK ? 2 : 1);
}

enum status metal_window_show(struct metal_window *w, const struct metal_picture *picture)
{
    void *pool = w->o->runtime.pool_push();
    enum status st = ST_OK;
    uint32_t size[2];

    metal_window_size(w, size);
    if (size[0] && size[1] && picture->image.width && picture->image.height)
        st = show(w, picture, size);
    w->o->runtime.pool_pop(pool);
    return st;
}

#endif
