/* Frame dependency tracker: which earlier frames a picture depends on. */
#ifndef TRACE_STREAM_FRAME_DEPS_H
#define TRACE_STREAM_FRAME_DEPS_H

#include "trace/stream/format.h"

struct nvs_frame_deps; /* one per stream */

MUST_CHECK enum status nvs_frame_deps_create(struct nvs_frame_deps **out);
void nvs_frame_deps_destroy(struct nvs_frame_deps *deps);
MUST_CHECK enum status nvs_frame_deps_resource(struct nvs_frame_deps *deps, cmd_handle handle,
                                               const struct tex_desc *image); /* NULL: a buffer */
/* Tracks a packet; returns true for a copy whose source no draw has written. */
bool nvs_frame_deps_packet(struct nvs_frame_deps *deps, uint32_t frame, enum cmd_op op,
                           const void *packet);
/* First frame whose draws the image depends on; NVS_NONE: none. */
uint32_t nvs_frame_deps_first(const struct nvs_frame_deps *deps, cmd_handle image);

#endif
