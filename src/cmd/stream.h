/* Declares the state of a command stream: resource table, bindings and timeline. Private to cmd.
 *
 * Two sides share a stream. The API side creates, maps and emits. The renderer side executes
 * packets, in a thread of its own if the stream has a queue. A heading above each group of fields
 * names the side that owns them. While the renderer side executes a packet, it may read fields that
 * the API side wrote before it emitted the packet. */
#ifndef CMD_STREAM_H
#define CMD_STREAM_H

#include "cmd/cmd.h"
#include "cmd/occlusion.h"
#include "cmd/queue.h"
#include "cmd/stream_textures.h"
#include "draw/draw.h"
#include "util/forks.h"

#include <stdatomic.h>

struct cmd_buffer {
    uint8_t *data;
    size_t size;
};

struct cmd_query {
    D3DQUERYTYPE type;
    uint64_t value; /* of all types but occlusion */
    struct occlusion_query occlusion;
};

/* Hazard tracking of a resource: the seqnos of the last packets that read and write it, or end the
 * query. While the resource is bound, each draw after `since_seq` uses it too. */
struct cmd_resource_usage {
    uint64_t read_seq, written_seq;
    struct cmd_binding_usage {
        uint32_t slots; /* number of binding slots with the resource */
        uint64_t since_seq;
    } read_bindings, write_bindings;
};

/* One backing storage of an image or buffer. A DISCARD map renames the resource to another backing
 * while the renderer still uses the old one. */
struct cmd_backing {
    struct tex_image *image;
    uint8_t *data;
    uint64_t last_use_seq; /* seqno of the last packet that uses it */
};
enum { CMD_MAX_BACKINGS = 16 };

struct cmd_resource {
    enum cmd_kind kind; /* changes only while no other packet names the resource */

    /* API side */
    struct cmd_resource_usage usage;
    struct cmd_backing *backing; /* CMD_MAX_BACKINGS; NULL until the first rename or staging */
    uint32_t n_backings, current;
    struct tex_image *image;  /* the backing that maps return */
    struct cmd_buffer buffer; /* the same for buffers */
    uint32_t mapped, stalls;  /* open maps; maps that had to wait */
    bool staged;              /* the renderer has a copy, and packets carry written ranges to it */
    uint64_t readback_seq;    /* staged: renderer writes up to this seqno have been copied back */
    bool snapshot, stale;     /* CMD_BUFFER_SNAPSHOT; counted in n_stale_buffers */
    size_t valid_from, valid_to; /* staged snapshot: the bytes that the renderer has */
    cmd_handle next_free;
    uint64_t free_seq; /* destroyed: the handle is free when this seqno has been executed */

    /* Renderer side */
    uint32_t lod; /* images: SetLOD */
    union {
        struct tex_image *image;
        struct cmd_buffer buffer;
        struct vm_program *shader;
        struct draw_decl *declaration;
        struct cmd_query *query; /* separate allocation: the list of pending queries links it */
    } u;
};

_Static_assert((int)CMD_SAMPLERS == DRAW_SAMPLERS && (int)CMD_STREAMS == DRAW_STREAMS &&
                   (int)CMD_CLIP_PLANES == DRAW_CLIP_PLANES && (int)CMD_TARGETS == DRAW_TARGETS + 1,
               "the renderer has the same binding slots");

enum { CMD_PAGE_HANDLES = 256, CMD_HANDLE_PAGES = 4096, CMD_MAX_LATENCY = 32 };

struct cmd_stream {
    struct queue *queue; /* NULL: the emitting call executes the packet */
    unsigned forks;      /* fork_count() at creation */

    /* API side */
    const struct cmd_listener *listener; /* NULL unless one is set */
    /* NULL unless set; the renderer side reads it too. */
    const struct cmd_debug_hooks *hooks;
    void *scratch; /* memory for packet data that the ring cannot hold; grows */
    size_t scratch_bytes;
    uint64_t seqno;                         /* without a queue: counts packets */
    uint64_t last_draw_seq, last_write_seq; /* last draw; last draw or clear */
    struct cmd_bindings emitted;            /* by the packets so far */
    cmd_handle n_resources, first_retired, last_retired;
    uint32_t next_declaration_id;
    uint64_t renamed_bytes, /* of all backings except the first of each resource */
        destroyed_bytes;    /* of resources destroyed since throttle_destroys last waited */
    uint64_t n_presents, present_seq[CMD_MAX_LATENCY]; /* seqnos of the last presents */
    unsigned n_stale_buffers; /* snapshot buffers that are mapped or staged */
    struct cmd_waits waits;   /* of maps */

    /* Resource table: a handle is an index into its pages, which never move. Entry 0 is unused. */
    struct cmd_resource *page[CMD_HANDLE_PAGES];

    /* Renderer side */
    struct draw *draw;
    struct draw_state state;
    struct cmd_bindings bound; /* by the executed packets */
    cmd_handle bound_shader[2], bound_declaration;
    struct occlusion occlusion;
    struct stream_texels stream_texels[STREAM_TEXTURE_SAMPLERS];
    D3DCLIPSTATUS9 clip_status;
    cmd_present_fn *present;
    void *present_ctx;
    uint64_t executed_seq, scene; /* last executed packet; draw_scene after it */

    /* Renderer side writes, API side reads */
    _Atomic uint64_t rendered_seq; /* the pixels of packets up to this seqno are in memory */
    _Atomic uint64_t counted_seq;  /* occlusion queries that ended by this seqno have results */
    atomic_int async_error;        /* enum status of a failure that no call has returned yet */
};

/* NULL: the handle names no resource. */
static inline struct cmd_resource *cmd_any_resource(struct cmd_stream *stream, cmd_handle handle)
{
    struct cmd_resource *page;

    if (!handle || handle >= CMD_PAGE_HANDLES * CMD_HANDLE_PAGES)
        return NULL;
    page = stream->page[handle / CMD_PAGE_HANDLES];
    return page && page[handle % CMD_PAGE_HANDLES].kind != CMD_FREE
               ? &page[handle % CMD_PAGE_HANDLES]
               : NULL;
}

/* NULL: the handle names no resource of this kind. */
static inline struct cmd_resource *cmd_resource(struct cmd_stream *stream, cmd_handle handle,
                                                enum cmd_kind kind)
{
    struct cmd_resource *resource = cmd_any_resource(stream, handle);

    return resource && resource->kind == kind ? resource : NULL;
}

/* The slots of one kind of binding in struct cmd_bindings, and how draws use what is bound there.
 */
struct cmd_binding {
    uint8_t first, n; /* slots, counted in handles */
    uint8_t kind;     /* enum cmd_kind */
    bool writes;
};
enum { CMD_BINDINGS = 4 };
extern const struct cmd_binding cmd_binding_table[CMD_BINDINGS];
/* bind: one of CMD_USE_BIND_*. */
static inline const struct cmd_binding *cmd_binding_of(unsigned bind)
{
    return &cmd_binding_table[__builtin_ctz(bind / CMD_USE_BIND_TEXTURE)];
}
/* The slot that a packet binds; at or beyond binding->n: none. The first word of packets with
 * several slots is its number (asserted in fields.c). */
static inline uint32_t cmd_binding_index(const struct cmd_binding *binding, const void *packet)
{
    return binding->n > 1 ? *(const uint32_t *)packet : 0;
}
static inline cmd_handle *cmd_binding_slots(struct cmd_bindings *bindings,
                                            const struct cmd_binding *binding)
{
    return (cmd_handle *)(void *)bindings + binding->first;
}

/* Executes one packet with the data that follows it. */
typedef enum status cmd_exec_fn(struct cmd_stream *stream, const void *packet, const void *data,
                                size_t data_bytes);
extern cmd_exec_fn *const cmd_exec[CMD_OP_COUNT];

/* --- timeline.c ------------------------------------------------------------------------------- */

/* Seqno of the last packet. */
uint64_t cmd_last_seqno(const struct cmd_stream *stream);
bool cmd_is_executed(const struct cmd_stream *stream, uint64_t seqno);
void cmd_wait(struct cmd_stream *stream, uint64_t seqno);
/* Calls fn(arg) on the renderer side after it has executed the packet at seqno; waits for it. */
void cmd_call(struct cmd_stream *stream, uint64_t seqno, queue_fn *fn, void *arg);
/* Renderer side: advances rendered_seq to executed_seq if no scene is open. */
static inline void cmd_update_rendered(struct cmd_stream *stream)
{
    bool open;
    uint64_t scene = draw_scene(stream->draw, &open);

    if (!open)
        atomic_store_explicit(&stream->rendered_seq, stream->executed_seq, memory_order_release);
    stream->scene = scene;
}

/* Renderer side: renders the open scene and resolves the counts of occlusion queries. */
void cmd_flush(struct cmd_stream *stream);
queue_fn cmd_flush_call; /* the same; arg: the stream */

/* --- orphan.c --------------------------------------------------------------------------------- */

/* Whether a fork has separated the stream from its threads, which live in the parent alone. Logs it
 * once. Such a stream emits, maps and waits for nothing. */
bool cmd_report_orphan(const struct cmd_stream *stream);
static inline bool cmd_is_orphan(const struct cmd_stream *stream)
{
    return stream->queue && stream->forks != fork_count() && cmd_report_orphan(stream);
}

/* --- emit.c ----------------------------------------------------------------------------------- */

/* Renderer side: runs a packet of the queue; ctx: the stream. */
void cmd_run_queued(void *ctx, uint32_t op, const void *packet, const void *data, size_t data_bytes,
                    uint64_t seqno);

/* --- listener.c ------------------------------------------------------------------------------- */

/* The listener and the hooks of new streams. */
const struct cmd_listener *cmd_current_listener(void);
const struct cmd_debug_hooks *cmd_current_debug_hooks(void);
void cmd_notify_create(const struct cmd_stream *stream, cmd_handle handle,
                       const struct cmd_description *description);
void cmd_notify_packet(const struct cmd_stream *stream, enum cmd_op op, const void *packet,
                       const void *data, size_t data_bytes);

/* --- hazard.c --------------------------------------------------------------------------------- */

void cmd_track_uses(struct cmd_stream *stream, enum cmd_op op, const void *packet, uint64_t seqno);
/* API side: records what the emitted packet at seqno reads and writes. */
static inline void cmd_track_access(struct cmd_stream *stream, enum cmd_op op, const void *packet,
                                    uint64_t seqno)
{
    if (cmd_uses(op))
        cmd_track_uses(stream, op, packet, seqno);
}
uint64_t cmd_last_read_seq(const struct cmd_stream *stream, const struct cmd_resource_usage *usage);
uint64_t cmd_last_write_seq(const struct cmd_stream *stream,
                            const struct cmd_resource_usage *usage);

/* --- Copies ----------------------------------------------------------------------------------- */

/* Whether COPY moves texels between the formats. */
static inline bool cmd_can_copy(const struct tex_format *dst, const struct tex_format *src)
{
    return dst == src || tex_same_depth(dst, src);
}

/* --- Sizes ------------------------------------------------------------------------------------ */

static inline size_t cmd_level_bytes(const struct tex_image *image, const struct tex_level *level)
{
    uint32_t slices = level->depth * image->desc.samples;

    return slices > 1 ? (size_t)slices * level->slice_pitch
                      : (size_t)tex_slice_rows(image->format, level->height) * level->row_pitch;
}

/* --- snapshot.c ------------------------------------------------------------------------------- */

/* A map may change the whole snapshot buffer. Called after each map and unmap. */
void cmd_note_map(struct cmd_stream *stream, struct cmd_resource *resource);
/* Before a snapshot buffer is destroyed. */
void cmd_forget_snapshot(struct cmd_stream *stream, struct cmd_resource *resource);

/* --- release.c -------------------------------------------------------------------------------- */

/* Renderer side: frees the memory and objects of a resource. */
void cmd_free_resource(struct cmd_stream *stream, struct cmd_resource *resource);

#endif
