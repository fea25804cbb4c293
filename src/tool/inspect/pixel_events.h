/* Interface between the passes of a pixel's history and the recorder of its events. */
#ifndef TOOL_INSPECT_PIXEL_EVENTS_H
#define TOOL_INSPECT_PIXEL_EVENTS_H

#include "cmd/cmd.h"
#include "draw/draw.h"
#include "tool/inspect/history.h"
#include "tool/inspect/probe.h"
#include "tool/inspect/streams.h"

/* One replay of the capture. */
struct pixel_pass {
    struct inspect_history *h;
    const struct inspect_request *request;
    struct inspect_probe probe;
    struct inspect_streams streams;
    bool watching; /* false: the first pass, which only finds the surface */
    bool found, more_points, presented;
    bool no_device;       /* the first pass found no device at the request's call */
    uint64_t first, last; /* range of frames */

    /* The current call. */
    uint64_t call, frame;
    uint64_t last_call; /* of the capture, as far as it was read */
    char name[64];
    /* The current packet. */
    unsigned stream_at; /* number of its stream; INSPECT_NO_STREAM: that is closed */
    unsigned pending; /* index of its first event */
    struct inspect_values before[INSPECT_POINTS];
};

/* Reads every point's pixel and records an event for a change that no packet made: the program
 * wrote it. */
void pixel_check_memory(struct pixel_pass *g);
/* Reads the final values of points that end before a call. */
void pixel_end_points(struct pixel_pass *g, uint64_t next_call);
/* Reads the final values of points on a stream that is about to be destroyed. */
void pixel_end_stream(struct pixel_pass *g, unsigned stream);
/* Debug hook of draws; ctx: the pass's probe. */
void pixel_on_draw(void *ctx, struct draw *draw, const struct draw_state *state,
                   const struct draw_args *args);
void pixel_before_clear(struct pixel_pass *g, struct cmd_stream *stream);
/* Records the events of an executed packet. */
void pixel_after_packet(struct pixel_pass *g, struct cmd_stream *stream, enum cmd_op op,
                        const void *packet, const void *data);
void pixel_free_event(struct inspect_event *e);

#endif
