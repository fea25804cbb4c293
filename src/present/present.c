/* Sink dispatcher of one device: opens the sinks by name and passes every frame to them. */
#include "present/present.h"

#include "present/file/frame_log.h"
#include "present/file/screenshot.h"
#include "present/frame_pacing.h"
#include "present/monitor/view.h"
#include "present/sink/sink.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/forks.h"
#include "util/log.h"
#include "util/suggestion.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SINKS = 4 };

static atomic_bool frames_lost;

struct present {
    struct {
        const struct present_sink_ops *ops;
        struct present_sink *sink;
        atomic_bool failed; /* gets no more frames */
        bool closed;
    } open[MAX_SINKS];
    unsigned n;
    unsigned forks; /* fork_count() at creation */
    bool persistent;
    enum present_pacing pacing; /* the strictest of all sinks */
    bool vsync;
    enum present_scaling scaling;
    enum present_filter filter;
    atomic_bool unpaced;
    struct frame_pacer pacer;
    struct hud hud;
    struct screenshot screenshot;
    struct frame_log log;
    atomic_bool requested_screenshot;
    atomic_bool changed; /* there are requested options */
    pthread_mutex_t
        lock; /* guards the requested options, gamma ramp and message, and the figures */
    struct present_options requested;
    bool measured;
    struct present_figures figures;
    struct view_gamma requested_gamma, gamma;
    bool has_requested_gamma;
    atomic_bool has_message;
    char message[PRESENT_TEXT_BYTES];
    uint64_t message_end; /* time at which it disappears */
};

static enum status none_open(struct present_sink **out, const char *target,
                             const struct present_options *options)
{
    (void)target;
    (void)options;
    *out = NULL;
    return ST_OK;
}

static enum status none_show(struct present_sink *sink, const struct present_frame *frame,
                             const struct present_view *view)
{
    (void)sink;
    (void)frame;
    (void)view;
    return ST_OK;
}

static enum status none_close(struct present_sink *sink)
{
    (void)sink;
    return ST_OK;
}

const struct present_sink_ops present_none_ops = {
    .name = "none",
    .open = none_open,
    .show = none_show,
    .close = none_close,
};

static const struct present_sink_ops *const sinks[] = {
#define SINK(name) &present_##name##_ops,
#include "present/sink/sinks.def"
#undef SINK
};

static const char *default_spec(void)
{
#ifdef _WIN32
    return "window";
#else
    return "none";
#endif
}

static const struct present_sink_ops *find(const char *name, size_t length)
{
    for (unsigned i = 0; i < sizeof(sinks) / sizeof(sinks[0]); i++)
        if (strlen(sinks[i]->name) == length && !memcmp(sinks[i]->name, name, length))
            return sinks[i];
    return NULL;
}

/* The sink has logged the reason. */
static enum status go_on_without(const char *item, enum status st)
{
    if (st == ST_IO)
        atomic_store(&frames_lost, true);
    log_once("present", item, "the program goes on without the sink '%s'", item);
    return ST_OK;
}

static enum status unknown_sink(const char *item, size_t length)
{
    struct suggestion s;
    char name[32];

    snprintf(name, sizeof(name), "%.*s", (int)length, item);
    suggestion_init(&s, name);
    for (unsigned i = 0; i < sizeof(sinks) / sizeof(sinks[0]); i++)
        suggestion_offer(&s, sinks[i]->name);
    log_error("present", "unknown sink '%s'" SUGGESTION_FORMAT, item, SUGGESTION_ARGS(s));
    return ST_INVALID;
}

/* item: "name" or "name:target". */
static enum status open_sink(struct present *present, const char *item,
                             const struct present_options *options)
{
    size_t length = strcspn(item, ":");
    const struct present_sink_ops *ops = find(item, length);
    enum status st;

    if (!ops)
        return unknown_sink(item, length);
    if (present->n == MAX_SINKS) {
        log_error("present", "the sink '%s' is one too many: at most %d are used at a time", item,
                  MAX_SINKS);
        return ST_INVALID;
    }
    st = ops->open(&present->open[present->n].sink, item[length] ? item + length + 1 : "", options);
    if (st == ST_IO || st == ST_UNSUPPORTED)
        return go_on_without(item, st);
    if (st != ST_OK) {
        log_error("present", "the sink '%s' cannot be opened: %s", item, status_text(st));
        return st;
    }
    atomic_init(&present->open[present->n].failed, false);
    present->open[present->n++].ops = ops;
    present->persistent |= ops->persistent;
    if (ops->pacing > present->pacing)
        present->pacing = ops->pacing;
    return ST_OK;
}

static enum status open_sinks(struct present *present, const struct present_options *options)
{
    char *copy = mem_strdup(options->sinks ? options->sinks : default_spec()), *next;
    enum status st = copy ? ST_OK : ST_NOMEM;

    for (char *item = copy; st == ST_OK && item; item = next) {
        next = strchr(item, ',');
        if (next)
            *next++ = '\0';
        item += strspn(item, " ");
        if (*item)
            st = open_sink(present, item, options);
    }
    mem_free(copy);
    return st;
}

/* Takes over the options that may change between two frames. */
static void use_options(struct present *present, const struct present_options *options)
{
    present->vsync = options->vsync;
    present->scaling = options->scaling;
    present->filter = options->filter;
    present->pacer.limit = options->frame_limit ? CLOCK_SECOND / options->frame_limit : 0;
}

void present_change(struct present *present, const struct present_options *options)
{
    pthread_mutex_lock(&present->lock);
    present->requested = *options;
    atomic_store(&present->changed, true);
    pthread_mutex_unlock(&present->lock);
}

static void take_options(struct present *present)
{
    pthread_mutex_lock(&present->lock);
    atomic_store(&present->changed, false);
    use_options(present, &present->requested);
    hud_use_options(&present->hud, &present->requested);
    pthread_mutex_unlock(&present->lock);
}

void present_request_screenshot(struct present *present)
{
    atomic_store(&present->requested_screenshot, true);
}

enum status present_create(struct present **out, const struct present_options *options)
{
    struct present *present = mem_calloc(1, sizeof(*present));
    enum status st;

    *out = NULL;
    if (!present)
        return ST_NOMEM;
    present->forks = fork_count();
    present->measured = options->measured;
    atomic_init(&present->unpaced, false);
    atomic_init(&present->requested_screenshot, false);
    atomic_init(&present->changed, false);
    atomic_init(&present->has_message, false);
    pthread_mutex_init(&present->lock, NULL);
    hud_init(&present->hud, options);
    use_options(present, options);
    present->log.name = options->frame_log;
    present->screenshot.folder = options->screenshot_dir;
    key_watch_init(&present->screenshot.key, "SCREENSHOT_KEY", options->screenshot_key);
    st = open_sinks(present, options);
    if (st != ST_OK) {
        present_destroy(present);
        return st;
    }
    *out = present;
    return ST_OK;
}

/* Whether this is a forked child of the process that opened the sinks: their threads, files and
 * shared memory belong to the parent. */
static bool is_of_parent(const struct present *present)
{
    return present->forks != fork_count();
}

static void close_sink(struct present *present, unsigned i)
{
    const struct present_sink_ops *ops = present->open[i].ops;

    if (present->open[i].closed)
        return;
    present->open[i].closed = true;
    if (ops->close(present->open[i].sink) == ST_OK)
        return;
    log_error("present", "the sink '%s' has lost frames", ops->name);
    atomic_store(&frames_lost, true);
}

void present_destroy(struct present *present)
{
    if (!present || is_of_parent(present))
        return;
    for (unsigned i = 0; i < present->n; i++)
        close_sink(present, i);
    if (frame_log_fini(&present->log) != ST_OK)
        atomic_store(&frames_lost, true);
    screenshot_fini(&present->screenshot);
    pthread_mutex_destroy(&present->lock);
    mem_free(present);
}

bool present_lost_frames(void)
{
    return atomic_load(&frames_lost);
}

bool present_is_persistent(const struct present *present)
{
    return present->persistent;
}

bool present_is_live(const struct present *present)
{
    return present->pacing != PRESENT_PACE_NONE;
}

void present_stop_pacing(struct present *present)
{
    atomic_store(&present->unpaced, true);
}

static void wait_for_time(struct present *present, const struct present_frame *frame)
{
    uint64_t period = frame->refresh_rate ? CLOCK_SECOND / frame->refresh_rate : 0;
    unsigned refreshes = present->vsync ? frame->refreshes : 0;

    if (present->pacing == PRESENT_PACE_NONE || atomic_load(&present->unpaced) ||
        (present->pacing == PRESENT_PACE_WINDOWS && !frame->window))
        return;
    clock_sleep_until(
        frame_pacer_next(&present->pacer, frame->chain, refreshes, period, clock_now()));
}

static void drop(struct present *present, unsigned i, enum status st)
{
    /* For ST_IO the sink has logged the reason. */
    log_error("present", "the sink '%s' failed and is closed%s%s", present->open[i].ops->name,
              st == ST_IO ? "" : ": ", st == ST_IO ? "" : status_text(st));
    atomic_store(&frames_lost, true);
    atomic_store(&present->open[i].failed, true);
    if (!present->open[i].ops->attend) /* else in the program's thread */
        close_sink(present, i);
}

/* Reduces the ramp to 8 bits, the width of most DACs of the time. */
void present_set_gamma(struct present *present, const uint16_t ramp[3][256])
{
    pthread_mutex_lock(&present->lock);
    present->has_requested_gamma = ramp != NULL;
    for (unsigned c = 0; ramp && c < 3; c++)
        for (unsigned i = 0; i < 256; i++)
            present->requested_gamma.table[c][i] = (uint8_t)(ramp[c][i] >> 8);
    pthread_mutex_unlock(&present->lock);
}

/* Full-screen devices only (reference: device/gamma). */
static const struct view_gamma *gamma_of(struct present *present, const struct present_frame *frame)
{
    bool on;

    if (!frame->full_screen)
        return NULL;
    pthread_mutex_lock(&present->lock);
    on = present->has_requested_gamma;
    present->gamma = present->requested_gamma;
    pthread_mutex_unlock(&present->lock);
    return on ? &present->gamma : NULL;
}

/* --- Messages and HUD ------------------------------------------------------------------------- */

enum { MESSAGE_SECONDS = 4 };

void present_message(struct present *present, const char *format, ...)
{
    va_list args;

    pthread_mutex_lock(&present->lock);
    va_start(args, format);
    vsnprintf(present->message, sizeof(present->message), format, args);
    va_end(args);
    present->message_end = clock_now() + MESSAGE_SECONDS * CLOCK_SECOND;
    atomic_store(&present->has_message, true);
    pthread_mutex_unlock(&present->lock);
}

static void copy_message(struct present *present)
{
    bool on;

    pthread_mutex_lock(&present->lock);
    on = clock_now() < present->message_end;
    memcpy(present->hud.message, present->message, sizeof(present->message));
    atomic_store(&present->has_message, on);
    pthread_mutex_unlock(&present->lock);
    if (!on)
        present->hud.message[0] = '\0';
}

static void publish_figures(struct present *present, const struct present_frame *frame)
{
    struct present_figures *to = &present->figures;

    pthread_mutex_lock(&present->lock);
    to->frames = frame->number + 1;
    to->format = frame->format;
    to->width = frame->width;
    to->height = frame->height;
    to->whole_window = frame->whole_window;
    to->counters = frame->counters;
    hud_figures(&present->hud, to);
    pthread_mutex_unlock(&present->lock);
}

void present_get_figures(struct present *present, struct present_figures *out)
{
    pthread_mutex_lock(&present->lock);
    *out = present->figures;
    if (clock_now() < present->message_end)
        memcpy(out->message, present->message, sizeof(out->message));
    pthread_mutex_unlock(&present->lock);
}

/* The HUD measures the implicit chain and appears on its frames only. */
static const struct hud *hud_of(struct present *present, const struct present_frame *frame)
{
    struct hud *hud = &present->hud;
    bool message = atomic_load(&present->has_message);

    if ((!hud->items && !message && !present->measured) || frame->chain)
        return NULL;
    if (message)
        copy_message(present);
    if (hud->items || present->measured)
        hud_frame(hud, clock_now(), &frame->counters);
    if (present->measured)
        publish_figures(present, frame);
    return hud->items || hud->message[0] ? hud : NULL;
}

static bool is_screenshot_wanted(struct present *present, const struct present_frame *frame)
{
    bool pressed = key_watch_pressed(&present->screenshot.key, frame->window);

    if (!present->measured)
        return pressed;
    return atomic_exchange(&present->requested_screenshot, false) || pressed;
}

/* --- Frames ----------------------------------------------------------------------------------- */

static void take_screenshot(struct present *present, const struct present_frame *frame)
{
    char path[OUTPUT_PATH_BYTES];

    if (screenshot_take(&present->screenshot, frame, path))
        present_message(present, "screenshot saved: %s", path);
    else
        present_message(present, "no screenshot: see the log");
}

static void show_in_sinks(struct present *present, const struct present_frame *frame)
{
    const struct present_view view = {hud_of(present, frame), gamma_of(present, frame),
                                      present->scaling, present->filter};

    for (unsigned i = 0; i < present->n; i++) {
        enum status st = ST_OK;

        if (!atomic_load(&present->open[i].failed))
            st = present->open[i].ops->show(present->open[i].sink, frame, &view);
        if (st != ST_OK)
            drop(present, i, st);
    }
}

void present_attend(struct present *present, const uint32_t size[2])
{
    for (unsigned i = 0; i < present->n && !is_of_parent(present); i++) {
        if (!present->open[i].ops->attend)
            continue;
        if (atomic_load(&present->open[i].failed))
            close_sink(present, i);
        else
            present->open[i].ops->attend(present->open[i].sink, size);
    }
}

/* Reads the clock if there is a frame log. */
static uint64_t time_of(const struct present *present)
{
    return present->log.name ? clock_now() : 0;
}

void present_show(struct present *present, const struct present_frame *frame)
{
    struct frame_times times;

    if (is_of_parent(present)) {
        log_once("present", "fork", "a forked child shows no frames of its parent's device");
        return;
    }
    if (present->measured && atomic_load(&present->changed))
        take_options(present);
    times.ready = time_of(present);
    wait_for_time(present, frame);
    times.due = time_of(present);
    if (is_screenshot_wanted(present, frame))
        take_screenshot(present, frame);
    show_in_sinks(present, frame);
    times.done = time_of(present);
    if (present->log.name && frame_log_add(&present->log, frame, &times) != ST_OK)
        atomic_store(&frames_lost, true);
}
