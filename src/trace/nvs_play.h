/* A compiled stream being replayed or printed. Private to trace. */
#ifndef TRACE_NVS_PLAY_H
#define TRACE_NVS_PLAY_H

#include "draw/draw.h"
#include "trace/nvs_private.h"

enum { FRAMES_AHEAD = 3 };

/* Bytes of what is alive at a time: so many in any case, so many for each of the file, and no
 * more than so many. Resources pay their contents and an overhead, shaders so much for each byte of
 * code, streams for their queue and state. */
#define NVS_MEMORY_BASE (UINT64_C(512) << 20)
#define NVS_MEMORY_FACTOR UINT64_C(4096)
#define NVS_MEMORY_MAX (UINT64_C(4) << 30)
enum { NVS_OVERHEAD = 1 << 10, NVS_SHADER_FACTOR = 64, NVS_STREAM_BYTES = 16 << 20 };

/* Primitives and instances that a draw may have beyond what buffers hold; corners of all instances;
 * pixels of all rectangles of a clear. */
enum { NVS_EXTRA_PRIMITIVES = 1 << 16, NVS_MAX_VERTICES = 1 << 30 };
#define NVS_MAX_CLEARED (UINT64_C(1) << 32)

/* A resource of the file. */
struct played_resource {
    enum cmd_kind kind; /* CMD_FREE: none */
    cmd_handle handle;  /* in the stream */
    uint64_t bytes;
};

/* What bounds the work of draws and clears. */
struct played_state {
    struct {
        uint64_t bytes; /* of the buffer */
        uint32_t stride, frequency;
    } stream[DRAW_STREAMS];
    uint64_t indices; /* in the buffer */
    D3DVIEWPORT9 viewport;
};

struct played_stream {
    struct cmd_stream *stream;        /* NULL: not open */
    struct played_resource *resource; /* by handle of the file; 0 is unused */
    uint32_t n, room;
    struct played_state state;
};

struct nvs {
    struct nvs_reader reader;
    struct nvs_options options;
    struct replay_stats stats;
    struct played_stream streams[NVS_STREAMS];
    uint64_t memory_limit, memory_used; /* bytes, of resources that are alive */
    uint64_t frame, start;  /* the one that comes; the first that is drawn */
    bool stopped;
    struct nvs_moment moment;
    struct played_stream *moment_stream;
};

void nvs_warn(struct nvs *nvs, const struct nvs_record *record, const char *what);
enum status nvs_damaged(struct nvs *nvs, const struct nvs_record *record, const char *what);
/* Closes all streams. */
void nvs_play_end(struct nvs *nvs);

/* --- nvs_create.c ----------------------------------------------------------------------------- */

/* False where the file's size does not allow it. */
bool nvs_charge_memory(struct nvs *nvs, uint64_t bytes);
struct played_resource *nvs_find(const struct played_stream *stream, uint32_t handle);
/* A record of creation; its data are there. */
MUST_CHECK enum status nvs_create(struct nvs *nvs, struct nvs_record *record,
                                  struct played_stream *stream);

/* --- nvs_limits.c ----------------------------------------------------------------------------- */

/* Remembers what the packet binds. Its handles are those of the file; it may be bad. */
void nvs_limits_track(struct played_stream *stream, enum cmd_op op, const void *packet);
/* Whether a draw or clear asks for no more than its buffers and its viewport hold. */
bool nvs_limits_allow(const struct played_stream *stream, enum cmd_op op, const void *packet,
                      const void *data);

#endif
