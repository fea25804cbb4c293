/* List of a capture's frames, which a process of its own reads while the first answers are given.
 */
#ifndef TOOL_SERVE_INDEX_H
#define TOOL_SERVE_INDEX_H

#include "util/status.h"

#include <stdbool.h>
#include <stdint.h>

struct frame_index;

struct frame_entry {
    uint64_t call; /* the first one of the frame */
    uint32_t draws;
};

/* Starts to read. Called while this process has one thread. */
MUST_CHECK enum status frame_index_start(struct frame_index **out, const char *file);
void frame_index_stop(struct frame_index *index); /* NULL is allowed */

/* Number of frames read so far. *complete: there are no more. */
uint64_t frame_index_count(struct frame_index *index, bool *complete);
/* Copies up to n entries from the first one on; returns how many there were. */
uint64_t frame_index_get(struct frame_index *index, uint64_t first, struct frame_entry *out,
                         uint64_t n);

#endif
