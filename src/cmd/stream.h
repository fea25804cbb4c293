/* The inside of a command stream. Private to cmd.
 *
 * Two sides share it: the API's, which creates, maps and emits, and the renderer's, which runs
 * packets, in a thread of its own where there is a queue. A field belongs to the side under whose
 * heading it stands; what the API's side writes before it emits a packet, the renderer may read
 * when it runs it. */
#ifndef CMD_STREAM_H
#define CMD_STREAM_H

#include "cmd/cmd.h"
#include "cmd/occlusion.h"
#include "cmd/queue.h"
#include "draw/draw.h"

#include <stdatomic.h>

struct cmd_buffer {
    uint8_t *data;
    size_t size;
};

struct cmd_query {
    D3DQUERYTYPE type;
    uint64_t value; /* of other types than occlusion */
    struct occlusion_query occlusion;
};

/* Which packets read and write a resource: the positions of the last ones. What is bound is used by
 * every draw that comes after `since`. */
struct cmd_resource_usage {
    uint64_t read_seq, written_seq;
    struct cmd_binding_usage {
        uint32_t slots;
        uint64_t since_seq;
    } read_bindings, write_bindings;
};

/* One of the memories that an image or buffer has had, as DISCARD gives it a new one while the old
 * is still in use. */
struct cmd_backing {
    struct tex_image *image;
    uint8_t *data;
    uint64_t last_use_seq; /* seqno of the last packet that uses it */
};
enum { CMD_MAX_BACKINGS = 16 };

struct cmd_resource {
    enum cmd_kind kind; /* changes only while no packet names the resource */

    /* The API's side. */
    struct cmd_resource_usage usage;
    struct cmd_backing *backing; /* CMD_MAX_BACKINGS; NULL while there is only one */
    uint32_t n_backings, current;
    struct tex_image *image;  /* the version that is mapped */
    struct cmd_buffer buffer; /* the same; of a split buffer, what the program sees */
    uint32_t mapped, stalls;  /* maps that are open; maps that had to wait */
    bool staged;              /* a buffer whose written parts travel as packets */
    uint64_t readback_seq;    /* split: seqno up to which writes of the renderer are seen */
    cmd_handle next_free;
    uint64_t free_seq; /* destroyed: seqno at which the renderer is through with it */
    uint64_t end_seq;  /* queries: seqno of the end */

    /* The renderer's side. */
    uint32_t lod; /* images: SetLOD */
    union {
        struct tex_image *image;
        struct cmd_buffer buffer;
        struct vm_program *shader;
        struct draw_decl *declaration;
        struct cmd_query *query; /* on its own: the list of pending ones holds its address */
    } u;
};

/* What is bound, so that the API's side knows what draws use, and the renderer's can empty the
 * bindings of a resource that goes. */
struct cmd_bindings {
    cmd_handle texture[DRAW_SAMPLERS], stream[DRAW_STREAMS], indices, target[DRAW_TARGETS + 1];
};

enum { CMD_PAGE_HANDLES = 256, CMD_HANDLE_PAGES = 4096, CMD_MAX_LATENCY = 32 };

struct cmd_stream {
    struct queue *queue; /* NULL: packets run inside the call that emits them */

    /* The API's side. */
    const struct cmd_listener *listener; /* NULL normally */
    /* The same; the renderer's side reads it too. */
    const struct cmd_debug_hooks *hooks;
    void *scratch; /* room for data where the ring has none; grows */
    size_t scratch_bytes;
    uint64_t seqno;                         /* without a queue: counts packets */
    uint64_t last_draw_seq, last_write_seq; /* positions; write: draws and clears */
    struct cmd_bindings emitted;
    cmd_handle n_resources, first_retired, last_retired;
    uint32_t next_declaration_id;
    uint64_t renamed_bytes,
        destroyed_bytes; /* of versions; destroyed since the queue was last empty */
    uint64_t n_presents, present_seq[CMD_MAX_LATENCY]; /* positions of the last ones */

    /* Handles are indices into chunks, which stay where they are; entry 0 is never used. */
    struct cmd_resource *page[CMD_HANDLE_PAGES];

    /* The renderer's side. */
    struct draw *draw;
    struct draw_state state;
    struct cmd_bindings bound;
    cmd_handle bound_shader[2], bound_declaration;
    struct occlusion occlusion;
    D3DCLIPSTATUS9 clip_status;
    cmd_present_fn *present;
    void *present_ctx;
    uint64_t executed_seq, scene; /* the last packet, and which scene was open after it */

    /* From the renderer to the API. */
    _Atomic uint64_t rendered_seq; /* what packets up to here draw is in memory */
    _Atomic uint64_t counted_seq;  /* queries that ended up to here have their samples */
    atomic_int async_error;        /* enum status that no call has returned yet */
};

/* The resource, or NULL where the handle names none. */
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

/* The same of this kind. */
static inline struct cmd_resource *cmd_resource(struct cmd_stream *stream, cmd_handle handle,
                                                enum cmd_kind kind)
{
    struct cmd_resource *resource = cmd_any_resource(stream, handle);

    return resource && resource->kind == kind ? resource : NULL;
}

/* Runs one packet; data follows it. */
typedef enum status cmd_exec_fn(struct cmd_stream *stream, const void *packet, const void *data,
                                size_t data_bytes);
extern cmd_exec_fn *const cmd_exec[CMD_OP_COUNT];

/* --- stream.c --------------------------------------------------------------------------------- */

/* Position of the last packet. */
uint64_t cmd_last_seqno(const struct cmd_stream *stream);
bool cmd_is_executed(const struct cmd_stream *stream, uint64_t seqno);
void cmd_wait(struct cmd_stream *stream, uint64_t seqno);
/* Calls fn in the renderer's thread when the packet at seqno is done. */
void cmd_call(struct cmd_stream *stream, uint64_t seqno, queue_fn *fn, void *arg);
/* On the renderer's side: something may have been rendered. */
void cmd_update_rendered(struct cmd_stream *stream);
/* On the renderer's side: renders everything, and counts what queries wait for. */
void cmd_flush(struct cmd_stream *stream);

/* --- listener.c ------------------------------------------------------------------------------- */

/* The one that new streams get. */
const struct cmd_listener *cmd_current_listener(void);
const struct cmd_debug_hooks *cmd_current_debug_hooks(void);
void cmd_notify_create(const struct cmd_stream *stream, cmd_handle handle,
                       const struct cmd_description *description);
void cmd_notify_packet(const struct cmd_stream *stream, enum cmd_op op, const void *packet,
                       const void *data, size_t data_bytes);

/* --- hazard.c --------------------------------------------------------------------------------- */

/* On the API's side: the packet has been emitted, and ends at seqno. */
void cmd_track_access(struct cmd_stream *stream, enum cmd_op op, const void *packet,
                      uint64_t seqno);
uint64_t cmd_last_read_seq(const struct cmd_stream *stream, const struct cmd_resource_usage *usage);
uint64_t cmd_last_write_seq(const struct cmd_stream *stream,
                            const struct cmd_resource_usage *usage);

/* --- map.c ------------------------------------------------------------------------------------ */

/* Of images and buffers; others have no memory to speak of. */
size_t cmd_backing_bytes(const struct cmd_resource *resource);
size_t cmd_level_bytes(const struct tex_image *image, const struct tex_level *level);

/* --- resource.c ------------------------------------------------------------------------------- */

/* On the renderer's side: frees what the resource holds. */
void cmd_free_resource(struct cmd_stream *stream, struct cmd_resource *resource);

#endif
