/* A sink: a place where frames go. A new one is a row of sinks.def and a file. */
#ifndef PRESENT_SINK_SINK_H
#define PRESENT_SINK_SINK_H

#include "present/present.h"

struct present_sink;
struct present_view; /* HUD and gamma: shown, but not part of the image (monitor/view.h) */

/* Which frames are paced: none, those with a window, or all. */
enum present_pacing { PRESENT_PACE_NONE, PRESENT_PACE_WINDOWS, PRESENT_PACE_ALL };

struct present_sink_ops {
    const char *name; /* "none", "png", "window" */
    bool persistent;  /* its files remain after the program ends */
    enum present_pacing pacing;
    /* target: the text after "name:" in NOVEM_SINK, or "". Both arguments are borrowed for the
     * call. ST_UNSUPPORTED: the sink is not available here, and the program goes on without it. */
    enum status (*open)(struct present_sink **out, const char *target,
                        const struct present_options *options);
    enum status (*show)(struct present_sink *sink, const struct present_frame *frame,
                        const struct present_view *view);
    /* NULL, or called as present_attend says, also while another thread is in `show`. Then `close`
     * is called in that thread, too. */
    void (*attend)(struct present_sink *sink, const uint32_t size[2]);
    /* Returns the failure that lost frames and that no show has returned; logged. */
    enum status (*close)(struct present_sink *sink);
};

#define SINK(name) extern const struct present_sink_ops present_##name##_ops;
#include "present/sink/sinks.def"
#undef SINK

#endif
