/* The inside of a command stream: its resource table and what the executor keeps. Private to cmd. */
#ifndef CMD_STREAM_H
#define CMD_STREAM_H

#include "cmd/cmd.h"
#include "cmd/occlusion.h"
#include "draw/draw.h"

enum cmd_kind {
    CMD_FREE,
    CMD_IMAGE,
    CMD_BUFFER,
    CMD_SHADER,
    CMD_DECLARATION,
    CMD_QUERY
};

struct cmd_buffer {
    uint8_t *data;
    size_t size;
};

struct cmd_query {
    D3DQUERYTYPE type;
    bool ended;
    uint64_t value; /* of other types than occlusion */
    struct occlusion_query occlusion;
};

struct cmd_resource {
    enum cmd_kind kind;
    uint32_t lod; /* images: SetLOD */
    union {
        struct tex_image *image;
        struct cmd_buffer buffer;
        struct vm_program *shader;
        struct draw_decl *declaration;
        struct cmd_query *query; /* on its own: the list of pending ones holds its address */
        cmd_handle next_free;
    } u;
};

struct cmd_stream {
    struct draw *draw;
    struct draw_state state; /* of the executor */
    cmd_present_fn *present;
    void *present_ctx;

    /* Handles are indices here; entry 0 is never used. */
    struct cmd_resource *resource;
    cmd_handle n_resources, max_resources, first_free;
    uint32_t next_declaration_id;

    /* What is bound, so that destroying a resource can empty the binding. */
    cmd_handle bound_texture[DRAW_SAMPLERS], bound_stream[DRAW_STREAMS], bound_indices,
        bound_target[DRAW_TARGETS + 1], bound_shader[2], bound_declaration;
    struct occlusion occlusion;
    D3DCLIPSTATUS9 clip_status;
};

/* The resource, or NULL where the handle names none of this kind. */
static inline struct cmd_resource *cmd_resource(struct cmd_stream *stream, cmd_handle handle,
                                                enum cmd_kind kind)
{
    if (!handle || handle >= stream->n_resources || stream->resource[handle].kind != kind)
        return NULL;
    return &stream->resource[handle];
}

/* Runs one packet; data follows it. */
typedef enum status cmd_exec_fn(struct cmd_stream *stream, const void *packet, const void *data,
                                size_t data_bytes);
extern cmd_exec_fn *const cmd_exec[CMD_OP_COUNT];

/* Empties every binding of the handle. */
void cmd_unbind(struct cmd_stream *stream, cmd_handle handle);

#endif
