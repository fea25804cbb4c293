/* Command stream of one device: resources named by handles, and command packets that a renderer
 * executes asynchronously.
 *
 * The API side creates resources, maps their memory and emits packets. The renderer side holds the
 * state that draws use and executes the packets in order. It runs in a thread of its own, or inside
 * the emitting call if the renderer has only one thread. Only one thread at a time may call the
 * functions of a stream. If a packet fails after its call has returned, the call for the next
 * packet that draws, clears, copies or presents returns the error. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "cmd/emit.h"
#include "cmd/packets.h"
#include "tex/tex.h"
#include "util/status.h"
#include "vm/vm.h"

#include <stdbool.h>
#include <stddef.h>

struct cmd_stream;
struct draw_options; /* draw/draw.h */

/* Called on the renderer side for CMD_PRESENT, after the image has been rendered. Image and packet
 * are borrowed for the call. */
typedef void cmd_present_fn(void *ctx, const struct cmd_present *packet,
                            const struct tex_image *image);

MUST_CHECK enum status cmd_stream_create(struct cmd_stream **out,
                                         const struct draw_options *options,
                                         cmd_present_fn *present, void *present_ctx);
/* Destroys all resources of the stream too. NULL is allowed. */
void cmd_stream_destroy(struct cmd_stream *stream);

/* Threads of the renderer, and pipelines that it has built so far. Only inside a cmd_present_fn. */
void cmd_renderer_counts(const struct cmd_stream *stream, uint32_t *threads, uint64_t *pipelines);
/* Changes options of the renderer for the next frame, as draw_change. Only inside a
 * cmd_present_fn. */
void cmd_renderer_change(struct cmd_stream *stream, unsigned threads, unsigned anisotropy);

/* --- Resources -------------------------------------------------------------------------------- */

/* The image starts with zeros. If `shared` is not NULL, the image takes over that memory with its
 * contents, and every map returns its address, whatever the flags. On failure the caller still owns
 * `shared`. */
MUST_CHECK enum status cmd_create_image(struct cmd_stream *stream, const struct tex_desc *desc,
                                        struct tex_memory *shared, cmd_handle *out);
enum cmd_buffer_kind {
    CMD_BUFFER_SHARED,  /* the renderer reads the memory that maps return, when a packet runs */
    CMD_BUFFER_SNAPSHOT /* a packet reads what the memory holds when it is emitted (snapshot.c) */
};
MUST_CHECK enum status cmd_create_buffer(struct cmd_stream *stream, size_t bytes,
                                         enum cmd_buffer_kind kind, cmd_handle *out);
/* Takes ownership of a validated program, also on failure. */
MUST_CHECK enum status cmd_create_shader(struct cmd_stream *stream, struct vm_program *program,
                                         cmd_handle *out);
/* elements: n of them, with or without the end marker. */
MUST_CHECK enum status cmd_create_declaration(struct cmd_stream *stream,
                                              const D3DVERTEXELEMENT9 *elements, unsigned n,
                                              cmd_handle *out);
MUST_CHECK enum status cmd_create_query(struct cmd_stream *stream, D3DQUERYTYPE type,
                                        cmd_handle *out);
/* Destroys a resource of any kind. Earlier packets still use it; its bindings become empty. 0 is
 * allowed. */
void cmd_destroy(struct cmd_stream *stream, cmd_handle handle);

/* The current backing storage of an image, for its layout only. Borrowed until the next map. */
const struct tex_image *cmd_image(struct cmd_stream *stream, cmd_handle image);

enum cmd_map_flags {
    CMD_MAP_READ = 1,    /* the caller reads: waits for writers only */
    CMD_MAP_WRITE = 2,   /* the caller writes: waits for readers and writers */
    CMD_MAP_DISCARD = 4, /* may switch to another backing with the same contents */
    CMD_MAP_NO_WAIT = 8, /* NOOVERWRITE: the caller does not touch memory that is in use */
    CMD_MAP_TRY = 16     /* DONOTWAIT: returns ST_BUSY instead of waiting */
};
/* *out: the memory of the level, valid until unmap. */
MUST_CHECK enum status cmd_map_image(struct cmd_stream *stream, cmd_handle image, uint32_t face,
                                     uint32_t level, unsigned flags, struct tex_level *out);
/* Maps that had to wait for the renderer, and how long. */
struct cmd_waits {
    uint64_t n, nanoseconds;
};
struct cmd_waits cmd_waits(const struct cmd_stream *stream);
/* written: the caller has changed the contents. */
void cmd_unmap_image(struct cmd_stream *stream, cmd_handle image, uint32_t face, uint32_t level,
                     bool written);
/* Only CMD_MAP_DISCARD changes the address. */
MUST_CHECK enum status cmd_map_buffer(struct cmd_stream *stream, cmd_handle buffer, unsigned flags,
                                      uint8_t **out);
/* from, bytes: the range that the caller may have written since the map. */
void cmd_unmap_buffer(struct cmd_stream *stream, cmd_handle buffer, size_t from, size_t bytes);

/* Snapshot buffers: their memory keeps its address, and a packet reads the contents of the call
 * that emits it, whatever is written later. The caller says which bytes a packet will read. */

/* Whether any snapshot buffer needs cmd_update_buffer before a packet reads it. */
bool cmd_has_stale_buffers(const struct cmd_stream *stream);
/* Whether the renderer may lack bytes of this one. */
bool cmd_is_stale(struct cmd_stream *stream, cmd_handle buffer);
/* Before a packet that reads the bytes from ... to - 1, clipped to the buffer: sends those that the
 * renderer lacks. Does nothing for other buffers. */
MUST_CHECK enum status cmd_update_buffer(struct cmd_stream *stream, cmd_handle buffer, size_t from,
                                         size_t to);
/* After a packet that writes to a snapshot buffer: waits, and copies the result to its memory. */
void cmd_read_buffer(struct cmd_stream *stream, cmd_handle buffer);
/* The contents of a buffer as the next map would return them. NULL: there is no such buffer. */
const uint8_t *cmd_buffer_contents(struct cmd_stream *stream, cmd_handle buffer, size_t *bytes);

/* Seqno of the last draw or copy that reads the image; 0: there was none. */
uint64_t cmd_last_read(struct cmd_stream *stream, cmd_handle image);

enum cmd_query_wait {
    CMD_QUERY_POLL,  /* returns at once */
    CMD_QUERY_FLUSH, /* requests the flush that the query needs, and returns at once */
    CMD_QUERY_WAIT   /* waits for the result */
};
/* ST_OK: *value is the result (samples passed, 0 or 1, or ticks). ST_BUSY: it is not available. */
MUST_CHECK enum status cmd_query_result(struct cmd_stream *stream, cmd_handle query,
                                        enum cmd_query_wait wait, uint64_t *value);
/* The clip status after all draws so far. Waits for their execution. */
D3DCLIPSTATUS9 cmd_clip_status(struct cmd_stream *stream);
/* Waits until fewer than `latency` (1 to 32) presents are pending. try: returns ST_BUSY instead of
 * waiting. */
MUST_CHECK enum status cmd_wait_for_frames(struct cmd_stream *stream, unsigned latency, bool try);
/* Waits until the renderer has executed all packets so far. Their pixels may still be pending. */
void cmd_execute(struct cmd_stream *stream);
/* Waits until the renderer has executed all packets so far and rendered their pixels. */
void cmd_finish(struct cmd_stream *stream);

/* --- Packet layout ---------------------------------------------------------------------------- */

enum cmd_kind { CMD_FREE, CMD_IMAGE, CMD_BUFFER, CMD_SHADER, CMD_DECLARATION, CMD_QUERY };

enum cmd_field_kind {
    CMD_FIELD_U32,
    CMD_FIELD_I32,
    CMD_FIELD_F32,
    CMD_FIELD_U64,
    CMD_FIELD_IMAGE, /* this kind and the following ones are handles, ordered as enum cmd_kind */
    CMD_FIELD_BUFFER,
    CMD_FIELD_SHADER,
    CMD_FIELD_DECLARATION,
    CMD_FIELD_QUERY,
    CMD_FIELD_RESOURCE
};

struct cmd_field {
    const char *name;
    uint16_t offset;
    uint8_t kind; /* enum cmd_field_kind */
    uint16_t count;
};

const char *cmd_name(enum cmd_op op); /* such as "set_texture" */
size_t cmd_packet_bytes(enum cmd_op op);
/* The fields of a packet in order. They cover all its bytes except padding. */
const struct cmd_field *cmd_fields(enum cmd_op op, unsigned *n);
/* Validates a packet from an untrusted source, such as a file. ST_INVALID: a handle, number or size
 * is out of range, or the resources do not fit the packet. */
MUST_CHECK enum status cmd_check(struct cmd_stream *stream, enum cmd_op op, const void *packet,
                                 size_t data_bytes);

/* --- Uses of resources ------------------------------------------------------------------------
 *
 * fields.def has the use of every handle in a packet, and what a packet does with the bound
 * resources. All that track resources read it there: hazards, the frames that a compiled stream
 * depends on, and `novem trim`.
 */

enum cmd_field_use {
    CMD_USE_NONE = 0,
    CMD_USE_NAME = 1, /* names the resource, but neither reads nor writes its contents */
    CMD_USE_READ = 2,
    CMD_USE_WRITE = 4, /* writes at least a part of it */
    CMD_USE_MODIFY = CMD_USE_READ | CMD_USE_WRITE,
    CMD_USE_UPLOAD = 8, /* brings what the application has written through a map */
    CMD_USE_LEVEL = 16, /* with the above: one level of one face, named by a struct cmd_surface */
    CMD_USE_READ_LEVEL = CMD_USE_READ | CMD_USE_LEVEL,
    CMD_USE_WRITE_LEVEL = CMD_USE_WRITE | CMD_USE_LEVEL,
    CMD_USE_UPLOAD_LEVEL = CMD_USE_UPLOAD | CMD_USE_LEVEL,
    CMD_USE_RESULT = 32,        /* ends a query, whose result follows */
    CMD_USE_DESTROY = 64,       /* also empties all bindings of the resource */
    CMD_USE_BIND_TEXTURE = 128, /* the packet's first word is the number of the slot */
    CMD_USE_BIND_STREAM = 256,
    CMD_USE_BIND_INDICES = 512,
    CMD_USE_BIND_TARGET = 1024,
    CMD_USE_BIND =
        CMD_USE_BIND_TEXTURE | CMD_USE_BIND_STREAM | CMD_USE_BIND_INDICES | CMD_USE_BIND_TARGET,
    CMD_USE_BOUND_READ = 2048,  /* reads the bound textures, vertex streams and indices */
    CMD_USE_BOUND_WRITE = 4096, /* writes the bound targets */
    CMD_USE_BOUND_MODIFY = CMD_USE_BOUND_READ | CMD_USE_BOUND_WRITE,
    /* Packets with one of these make work for the renderer. */
    CMD_USE_ACCESS = CMD_USE_MODIFY | CMD_USE_BOUND_MODIFY
};

extern const uint16_t cmd_use_table[CMD_OP_COUNT];
/* Uses of all fields of a packet and of the bound resources: bits of enum cmd_field_use. */
static inline unsigned cmd_uses(enum cmd_op op)
{
    return cmd_use_table[op];
}

/* Whether the packet draws primitives. */
static inline bool cmd_is_draw(enum cmd_op op)
{
    return op == CMD_DRAW || op == CMD_DRAW_UP || op == CMD_DRAW_PATCH;
}

/* The handles in a packet; the last one is followed by use 0. */
struct cmd_handle_field {
    uint16_t offset;
    uint8_t kind; /* enum cmd_kind; CMD_FREE: any */
    uint16_t use; /* enum cmd_field_use */
};
extern const struct cmd_handle_field *const cmd_handle_table[CMD_OP_COUNT];
static inline const struct cmd_handle_field *cmd_handles(enum cmd_op op)
{
    return cmd_handle_table[op];
}

static inline cmd_handle cmd_handle_at(const struct cmd_handle_field *field, const void *packet)
{
    return *(const cmd_handle *)((const uint8_t *)packet + field->offset);
}

/* The first resource that the packet names for one of these uses; 0: none. */
cmd_handle cmd_named(enum cmd_op op, const void *packet, unsigned uses);

/* The resources that a stream's packets have bound, 0 where none is. */
struct cmd_bindings {
    cmd_handle texture[CMD_SAMPLERS], stream[CMD_STREAMS], indices, target[CMD_TARGETS];
};
/* Follows a packet that binds or destroys a resource; ignores other packets. */
void cmd_bindings_update(struct cmd_bindings *bindings, enum cmd_op op, const void *packet);

/* A resource that a packet reads or writes. */
struct cmd_access {
    cmd_handle handle;
    bool read, write;
    /* CMD_USE_BIND_*: it is bound to slot `index`; NONE: the packet names it. */
    enum cmd_field_use bound;
    unsigned index;
    const struct cmd_surface *surface; /* in the packet; NULL: not limited to one level */
};
enum { CMD_MAX_ACCESSES = 2 + CMD_SAMPLERS + CMD_STREAMS + 1 + CMD_TARGETS };
/* Lists what a packet reads and writes by name and through the bindings. A draw counts all bound
 * resources, although its shaders and states may not use all. Returns their number. */
unsigned cmd_accesses(enum cmd_op op, const void *packet, const struct cmd_bindings *bindings,
                      struct cmd_access out[CMD_MAX_ACCESSES]);
/* The pixels of its surface that a copy, stretch or fill writes; false: another packet. */
bool cmd_written_box(enum cmd_op op, const void *packet, struct cmd_box *out);

/* --- Listeners -------------------------------------------------------------------------------- */

/* The creation parameters of a resource. */
struct cmd_description {
    enum cmd_kind kind;
    union {
        struct tex_desc image;
        size_t buffer_bytes;
        const struct vm_program *shader;
        struct {
            const D3DVERTEXELEMENT9 *element;
            unsigned n; /* with or without the end marker */
        } declaration;
        D3DQUERYTYPE query;
    } u;
};

/* Receives, in order, the resources and packets that an application creates and emits, unless the
 * creating or emitting call fails. Writes through maps arrive as WRITE_BUFFER and WRITE_IMAGE.
 * Internal packets, which only manage backing storage, do not arrive. */
struct cmd_listener {
    void *ctx;
    void (*open)(void *ctx, const struct cmd_stream *stream);
    void (*close)(void *ctx, const struct cmd_stream *stream);
    void (*create)(void *ctx, const struct cmd_stream *stream, cmd_handle handle,
                   const struct cmd_description *description);
    void (*packet)(void *ctx, const struct cmd_stream *stream, enum cmd_op op, const void *packet,
                   const void *data, size_t data_bytes);
};

/* Sets the listener of streams created from now on; NULL: none. It must outlive these streams. */
void cmd_set_listener(const struct cmd_listener *listener);

/* --- Debug hooks ------------------------------------------------------------------------------
 *
 * The frame inspector installs these hooks: the renderer calls them before and after every packet.
 * The stream must render in the calling thread (draw_options.threads 1).
 */

struct draw;
struct draw_state;

struct cmd_debug_hooks {
    void *ctx;
    void (*before)(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                   const void *data);
    void (*after)(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                  const void *data);
    /* The last call with a stream, before its resources are destroyed; may be NULL. A later stream
     * may get the same address. */
    void (*close)(void *ctx, struct cmd_stream *stream);
};

/* Same scope and lifetime as with cmd_set_listener. */
void cmd_set_debug_hooks(const struct cmd_debug_hooks *hooks);
/* State of the renderer side, for calls from hooks only. */
struct draw *cmd_renderer(struct cmd_stream *stream);
const struct draw_state *cmd_rendered_state(const struct cmd_stream *stream);
/* NULL: the handle names no image. */
struct tex_image *cmd_rendered_image(struct cmd_stream *stream, cmd_handle image);
/* index: as in struct cmd_set_target. 0: no target is bound. */
cmd_handle cmd_bound_target(const struct cmd_stream *stream, unsigned index);

#endif
