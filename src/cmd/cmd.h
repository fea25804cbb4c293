/* The command stream of one device: resources with handles, packets that use them, and the renderer
 * behind.
 *
 * The API's side creates resources, maps their memory and emits packets; the renderer keeps the
 * state that draws use and runs the packets in order, in a thread of its own, or inside the
 * emitting call where it may have only one thread. Calls on one stream come from one thread at a
 * time. What fails after its call has returned is returned by the next packet that draws, clears,
 * copies or presents. */
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

/* Called for CMD_PRESENT when the image is finished; image and packet are borrowed. */
typedef void cmd_present_fn(void *ctx, const struct cmd_present *packet,
                            const struct tex_image *image);

MUST_CHECK enum status cmd_stream_create(struct cmd_stream **out,
                                         const struct draw_options *options,
                                         cmd_present_fn *present, void *present_ctx);
void cmd_stream_destroy(struct cmd_stream *stream); /* with all its resources; NULL is allowed */

/* --- Resources -------------------------------------------------------------------------------- */

/* Contents start as zero, or are those of `shared`, where that is not NULL: then maps give its
 * address alone, whatever their flags; on failure it stays the caller's. */
MUST_CHECK enum status cmd_create_image(struct cmd_stream *stream, const struct tex_desc *desc,
                                        struct tex_memory *shared, cmd_handle *out);
MUST_CHECK enum status cmd_create_buffer(struct cmd_stream *stream, size_t bytes, cmd_handle *out);
/* Takes over a checked program (also when it fails). */
MUST_CHECK enum status cmd_create_shader(struct cmd_stream *stream, struct vm_program *program,
                                         cmd_handle *out);
/* elements with or without the end marker. */
MUST_CHECK enum status cmd_create_declaration(struct cmd_stream *stream,
                                              const D3DVERTEXELEMENT9 *elements, unsigned n,
                                              cmd_handle *out);
MUST_CHECK enum status cmd_create_query(struct cmd_stream *stream, D3DQUERYTYPE type,
                                        cmd_handle *out);
/* Ends any resource. Packets emitted before still see it; bindings of it become empty. 0 is
 * allowed. */
void cmd_destroy(struct cmd_stream *stream, cmd_handle handle);

/* The storage behind an image handle, for its layout; borrowed until the next map. */
const struct tex_image *cmd_image(struct cmd_stream *stream, cmd_handle image);

enum cmd_map_flags {
    CMD_MAP_READ = 1,    /* memory will be read: waits for writers only */
    CMD_MAP_WRITE = 2,   /* memory will be written: waits for readers and writers */
    CMD_MAP_DISCARD = 4, /* the address may change; the contents are what they were */
    CMD_MAP_NO_WAIT = 8, /* NOOVERWRITE: the program keeps off what is in use */
    CMD_MAP_TRY = 16     /* ST_BUSY instead of waiting (DONOTWAIT) */
};
/* *out: the level's memory, valid until unmap. */
MUST_CHECK enum status cmd_map_image(struct cmd_stream *stream, cmd_handle image, uint32_t face,
                                     uint32_t level, unsigned flags, struct tex_level *out);
/* written: contents changed. */
void cmd_unmap_image(struct cmd_stream *stream, cmd_handle image, uint32_t face, uint32_t level,
                     bool written);
/* Without DISCARD the address is always the same. */
MUST_CHECK enum status cmd_map_buffer(struct cmd_stream *stream, cmd_handle buffer, unsigned flags,
                                      uint8_t **out);
/* from, bytes: what may have been written since the map. */
void cmd_unmap_buffer(struct cmd_stream *stream, cmd_handle buffer, size_t from, size_t bytes);
/* Grows with each draw or copy that reads the image; 0: none has. */
uint64_t cmd_last_read(struct cmd_stream *stream, cmd_handle image);

enum cmd_query_wait {
    CMD_QUERY_POLL,  /* only tells */
    CMD_QUERY_FLUSH, /* sees to it that it will be finished */
    CMD_QUERY_WAIT   /* waits */
};
/* ST_OK with *value (samples passed; 0/1; ticks), or ST_BUSY while it is not finished. */
MUST_CHECK enum status cmd_query_result(struct cmd_stream *stream, cmd_handle query,
                                        enum cmd_query_wait wait, uint64_t *value);
/* As the draws so far have left it. */
D3DCLIPSTATUS9 cmd_clip_status(struct cmd_stream *stream);
/* Waits until fewer than `latency` (1 to 32) presents are on their way; try: ST_BUSY instead. */
MUST_CHECK enum status cmd_wait_for_frames(struct cmd_stream *stream, unsigned latency, bool try);
/* Waits until everything emitted so far has been executed, though perhaps not rendered. */
void cmd_execute(struct cmd_stream *stream);
/* The same, and rendered. */
void cmd_finish(struct cmd_stream *stream);

/* --- Packets as bytes ------------------------------------------------------------------------- */

enum cmd_field_kind {
    CMD_FIELD_U32,
    CMD_FIELD_I32,
    CMD_FIELD_F32,
    CMD_FIELD_U64,
    CMD_FIELD_IMAGE, /* from here on handles, in the order of enum cmd_kind */
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

const char *cmd_name(enum cmd_op op); /* "set_texture" */
size_t cmd_packet_bytes(enum cmd_op op);
/* Its fields in order; together they are all of its bytes but padding. */
const struct cmd_field *cmd_fields(enum cmd_op op, unsigned *n);
/* Whether the renderer may be given a packet that no API has checked: ST_INVALID where a handle,
 * number or size in it is out of range, or where the resources do not suit. */
MUST_CHECK enum status cmd_check(struct cmd_stream *stream, enum cmd_op op, const void *packet,
                                 size_t data_bytes);

/* --- Listening -------------------------------------------------------------------------------- */

enum cmd_kind { CMD_FREE, CMD_IMAGE, CMD_BUFFER, CMD_SHADER, CMD_DECLARATION, CMD_QUERY };

/* What a resource was created with. */
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

/* Is told what a program does with a stream and what does not fail, in order. What it writes
 * through maps comes as WRITE_BUFFER and WRITE_IMAGE; packets with which the two sides of the
 * stream settle their memory do not come. */
struct cmd_listener {
    void *ctx;
    void (*open)(void *ctx, const struct cmd_stream *stream);
    void (*close)(void *ctx, const struct cmd_stream *stream);
    void (*create)(void *ctx, const struct cmd_stream *stream, cmd_handle handle,
                   const struct cmd_description *description);
    void (*packet)(void *ctx, const struct cmd_stream *stream, enum cmd_op op, const void *packet,
                   const void *data, size_t data_bytes);
};

/* For streams that are created from now on, NULL: none. Borrowed until they are destroyed. */
void cmd_set_listener(const struct cmd_listener *listener);

/* --- Watching ---------------------------------------------------------------------------------
 *
 * For those who look into frames: is called around every packet that the renderer runs. Streams
 * have to render in the thread that calls (draw_options.threads 1).
 */

struct draw;
struct draw_state;

struct cmd_debug_hooks {
    void *ctx;
    void (*before)(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                   const void *data);
    void (*after)(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                  const void *data);
};

/* As cmd_set_listener. */
void cmd_set_debug_hooks(const struct cmd_debug_hooks *hooks);
/* What the renderer has, to look at from the functions of a watch. */
struct draw *cmd_renderer(struct cmd_stream *stream);
const struct draw_state *cmd_rendered_state(const struct cmd_stream *stream);
/* NULL: the handle names none. */
struct tex_image *cmd_rendered_image(struct cmd_stream *stream, cmd_handle image);
/* index as of struct cmd_set_target; 0: none is bound. */
cmd_handle cmd_bound_target(const struct cmd_stream *stream, unsigned index);

#endif
