/* Locked regions of a replay, and copies of recorded bytes into them. */
#ifndef TRACE_REPLAY_REGIONS_H
#define TRACE_REPLAY_REGIONS_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object;
struct replay;
struct trace_call;

/* A locked region: its address and pitch in the recorded process, and its memory here. */
/* Rows of one plane of a region. Formats other than planar video have one plane. */
struct region_rows {
    uint64_t traced, real; /* offsets of the first row in a slice */
    uint64_t traced_pitch, real_pitch;
    uint64_t row_bytes, rows;
};

struct region {
    const struct object *object;
    uint32_t part; /* face * 16 + level; 0 otherwise */
    uint64_t traced, traced_size;
    uint64_t traced_slice;
    uint8_t *real; /* NULL: not writable (READONLY) */
    uint64_t real_slice, slices;
    struct region_rows plane[3];
    unsigned planes;
};

struct region_list {
    struct region *regions;
    size_t count, room;
};

/* Copies bytes recorded at an address into the locked region that contains it. */
void memory_upload(struct replay *r, const struct trace_call *call, uint64_t to,
                   const uint8_t *bytes, size_t size);
/* Ends the regions of an object that was unlocked or destroyed. part -1: all parts. */
void memory_remove_regions(struct replay *r, const struct object *object, int64_t part);
/* Registers a locked region; ST_NOMEM on failure. */
MUST_CHECK enum status memory_add_region(struct replay *r, const struct region *region);

#endif
