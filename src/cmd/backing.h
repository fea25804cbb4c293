/* Backing storage: the allocations behind an image or buffer, and when they may be touched. The API
 * side calls these functions. Private to cmd. */
#ifndef CMD_BACKING_H
#define CMD_BACKING_H

#include "cmd/stream.h"

/* Bytes of one backing of an image or buffer; 0 for other kinds. */
size_t cmd_backing_bytes(const struct cmd_resource *resource);
/* Seqno of the last packet that reads or writes the resource. */
uint64_t cmd_last_access(const struct cmd_stream *stream, const struct cmd_resource *resource);
/* Whether the renderer no longer uses the resource for packets up to `until`.
 *
 * The renderer reads images until it has rendered their scene, but buffers only while it executes
 * the draw. */
bool cmd_is_idle(struct cmd_stream *stream, const struct cmd_resource *resource, uint64_t until);
/* Waits until the renderer no longer uses the resource for packets up to `until`. image: the
 * backing that these packets use. */
void cmd_wait_until_idle(struct cmd_stream *stream, const struct cmd_resource *resource,
                         struct tex_image *image, uint64_t until);

/* Whether the memory is shared. Such a resource cannot be renamed: other users of the memory know
 * only one address. */
bool cmd_is_shared(const struct cmd_resource *resource);
/* Switches application and later packets to another backing. False: the backing is unchanged.
 *
 * The new backing gets a copy of the contents. An application may draw with data that it has not
 * written since DISCARD, and the picture must not depend on the progress of the renderer. */
bool cmd_rename_backing(struct cmd_stream *stream, struct cmd_resource *resource,
                        cmd_handle handle);
/* Gives the renderer its own copy of the resource, which must be idle. */
void cmd_start_staging(struct cmd_stream *stream, struct cmd_resource *resource, cmd_handle handle);
/* Whether cmd_read_back would wait. */
bool cmd_read_back_waits(struct cmd_stream *stream, const struct cmd_resource *resource);
/* If the renderer has written to its copy, copies the contents to the memory of the application. */
void cmd_read_back(struct cmd_stream *stream, struct cmd_resource *resource);

#endif
