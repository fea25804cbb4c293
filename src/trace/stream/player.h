/* Player of compiled streams: its state, and the steps of playing a record. */
#ifndef TRACE_STREAM_PLAYER_H
#define TRACE_STREAM_PLAYER_H

#include "draw/draw.h"
#include "trace/stream/read.h"

enum { FRAMES_AHEAD = 3 };

/* Limit of live memory in bytes: BASE plus FACTOR for each byte of the file, at most MAX.
 * A resource costs its contents plus NVS_OVERHEAD, a shader NVS_SHADER_FACTOR for each byte of
 * code, a stream NVS_STREAM_BYTES for its queue and state. */
#define NVS_MEMORY_BASE (UINT64_C(512) << 20)
#define NVS_MEMORY_FACTOR UINT64_C(4096)
#define NVS_MEMORY_MAX (UINT64_C(4) << 30)
enum { NVS_OVERHEAD = 1 << 10, NVS_SHADER_FACTOR = 64, NVS_STREAM_BYTES = 16 << 20 };

/* Work limits: primitives and instances that a draw may have beyond what its buffers hold, vertices
 * over all instances, and pixels over all rectangles of a clear. */
enum { NVS_EXTRA_PRIMITIVES = 1 << 16, NVS_MAX_VERTICES = 1 << 30 };
#define NVS_MAX_CLEARED (UINT64_C(1) << 32)

/* A live resource, indexed by its handle in the file. */
struct played_resource {
    enum cmd_kind kind; /* CMD_FREE: none */
    cmd_handle handle;  /* in the command stream */
    uint64_t bytes;
};

/* State that limits the work of draws and clears. */
struct played_state {
    struct {
        uint64_t bytes; /* size of the buffer */
        uint32_t stride, frequency;
    } stream[DRAW_STREAMS];
    uint64_t indices; /* number of indices in the buffer */
    D3DVIEWPORT9 viewport;
};

struct played_stream {
    struct cmd_stream *stream;        /* NULL: closed */
    struct played_resource *resource; /* indexed by file handle; 0 is unused */
    uint32_t n, room;
    struct played_state state;
};

struct nvs {
    struct nvs_reader reader;
    struct nvs_options options;
    struct replay_stats stats;
    struct played_stream streams[NVS_STREAMS];
    uint64_t memory_limit, memory_used; /* bytes of live resources */
    uint64_t frame, start;              /* next frame; first frame to draw */
    bool stopped;
    struct nvs_moment moment;
    struct played_stream *moment_stream;
};

/* --- player.c --------------------------------------------------------------------------------- */

void nvs_warn(struct nvs *nvs, const struct nvs_record *record, const char *what);
enum status nvs_damaged(struct nvs *nvs, const struct nvs_record *record, const char *what);
/* Returns false if the file's size does not allow that much memory. */
bool nvs_charge_memory(struct nvs *nvs, uint64_t bytes);
struct played_resource *nvs_find(const struct played_stream *stream, uint32_t handle);
void nvs_close_stream(struct nvs *nvs, struct played_stream *stream);
/* Closes all streams. */
void nvs_play_end(struct nvs *nvs);

/* --- create.c --------------------------------------------------------------------------------- */

/* Executes a creation record whose data are loaded. */
MUST_CHECK enum status nvs_create(struct nvs *nvs, struct nvs_record *record,
                                  struct played_stream *stream);

/* --- limits.c --------------------------------------------------------------------------------- */

/* Tracks the packet's bindings. Handles are those of the file; the packet is not yet validated. */
void nvs_limits_track(struct played_stream *stream, enum cmd_op op, const void *packet);
/* Returns whether a draw or clear stays within its buffers and its viewport. */
bool nvs_limits_allow(const struct played_stream *stream, enum cmd_op op, const void *packet,
                      const void *data);

#endif
