/* State of a replay and of the call being replayed; warnings. */
#ifndef TRACE_REPLAY_CALL_H
#define TRACE_REPLAY_CALL_H

#define COBJMACROS
#include <windows.h>
#include <d3d9.h>

#include "trace/replay/objects.h"
#include "trace/replay/regions.h"
#include "trace/replay/windows.h"
#include "trace/trace.h"

/* Result of a handler that did not execute its call; the handler has logged the reason. */
#define REPLAY_SKIPPED ((HRESULT)0x0badca11)

struct replay {
    struct trace_reader *reader;
    struct replay_options options;
    struct replay_stats stats;
    struct object_map objects;
    struct region_list locked;
    struct window_list windows;
    struct binding *bindings; /* indexed by trace_function.index */
    uint32_t binding_count;
    uint8_t *scratch;
    size_t scratch_size;
    uint64_t warnings;
    bool lost, stopped;
    /* Source of the picture while on_moment runs. */
    struct object *moment_device, *moment_chain;
    struct object *last_device; /* of the last executed call that has one */
};

/* A call being replayed. */
struct replay_call {
    struct replay *replay;
    const struct trace_call *call;
    struct object *self; /* NULL for a plain function */
};

void replay_warn(struct replay *r, const struct trace_call *call, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* Warns why the call is skipped; returns REPLAY_SKIPPED. */
HRESULT replay_call_skip(struct replay_call *q, const char *format, ...) PRINTF_LIKE(2, 3);
/* Notes that memory ran out: the replay goes on, and replay_run returns ST_NOMEM. */
static inline void replay_out_of_memory(struct replay *r)
{
    r->stats.out_of_memory++;
}
static inline bool replay_is_out_of_memory(HRESULT hr)
{
    return hr == E_OUTOFMEMORY || hr == D3DERR_OUTOFVIDEOMEMORY;
}
/* Allocates memory that lives until the next call; NULL if out of memory. */
void *replay_scratch(struct replay *r, size_t size);

#endif
