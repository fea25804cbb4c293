/* Redundant-state filter: removes state changes that change nothing. */
#ifndef TRACE_STREAM_STATE_FILTER_H
#define TRACE_STREAM_STATE_FILTER_H

#include "cmd/cmd.h"

struct nvs_state_filter; /* one per stream */

MUST_CHECK enum status nvs_state_filter_create(struct nvs_state_filter **out);
void nvs_state_filter_destroy(struct nvs_state_filter *filter);
/* Returns true if the packet repeats the current state as earlier packets set it. */
bool nvs_state_filter_is_redundant(struct nvs_state_filter *filter, enum cmd_op op,
                                   const void *packet, size_t bytes);

#endif
