/* What the files of the reader of dx9mt's frame files share: the frame, the objects that stand for
 * what it names, and the calls that draw it. */
#ifndef TRACE_DX9MT_PRIVATE_H
#define TRACE_DX9MT_PRIVATE_H

#include "present/dx9mt.h"
#include "trace/decoder.h"
#include "trace/reader.h"

/* Calls by number (pix_methods.h). */
enum dx9mt_call {
    CALL_CREATE9 = 206,
    CALL_CREATE_DEVICE = 235,
    CALL_PRESENT = 253,
    CALL_CREATE_TEXTURE = 259,
    CALL_CREATE_VERTEX_BUFFER = 262,
    CALL_CREATE_INDEX_BUFFER = 263,
    CALL_CREATE_DEPTH = 265,
    CALL_STRETCH_RECT = 270,
    CALL_SET_RENDER_TARGET = 273,
    CALL_SET_DEPTH = 275,
    CALL_BEGIN_SCENE = 277,
    CALL_END_SCENE = 278,
    CALL_CLEAR = 279,
    CALL_SET_VIEWPORT = 283,
    CALL_SET_RENDER_STATE = 293,
    CALL_SET_TEXTURE = 301,
    CALL_SET_STAGE_STATE = 303,
    CALL_SET_SAMPLER_STATE = 305,
    CALL_SET_SCISSOR_RECT = 311,
    CALL_DRAW_INDEXED = 318,
    CALL_CREATE_DECLARATION = 322,
    CALL_SET_DECLARATION = 323,
    CALL_SET_FVF = 325,
    CALL_CREATE_VERTEX_SHADER = 327,
    CALL_SET_VERTEX_SHADER = 328,
    CALL_SET_VERTEX_CONSTANTS = 330,
    CALL_SET_STREAM = 336,
    CALL_SET_INDICES = 340,
    CALL_CREATE_PIXEL_SHADER = 342,
    CALL_SET_PIXEL_SHADER = 343,
    CALL_SET_PIXEL_CONSTANTS = 345,
    CALL_TEXTURE_RELEASE = 367,
    CALL_GET_SURFACE_LEVEL = 383,
    CALL_LOCK_RECT = 384,
    CALL_UNLOCK_RECT = 385,
    CALL_VERTICES_RELEASE = 433,
    CALL_VERTICES_LOCK = 442,
    CALL_VERTICES_UNLOCK = 443,
    CALL_INDICES_RELEASE = 447,
    CALL_INDICES_LOCK = 456,
    CALL_INDICES_UNLOCK = 457,
    CALL_SURFACE_RELEASE = 461,
    CALL_DECLARATION_RELEASE = 489,
    CALL_VERTEX_SHADER_RELEASE = 494,
    CALL_PIXEL_SHADER_RELEASE = 499,
};

/* A texture whose contents were sent. */
struct dx9mt_texture {
    uint32_t id, generation, format, width, height;
    uint32_t object; /* the number that stands for it in calls */
};

/* A surface that is rendered to: level 0 of a texture of ours, with a depth surface of its own. */
struct dx9mt_target {
    uint32_t id, texture_id, format, width, height;
    uint32_t texture, surface, depth;
    uint32_t frame; /* the last that used it, counted from 1 */
};

/* Something that is made of bytes: the same bytes need it once. */
struct dx9mt_cached {
    uint64_t hash;
    uint32_t size, release; /* release: the call that gives it back */
    uint32_t object;
};

struct dx9mt_list {
    void *items;
    size_t count, room;
};

enum dx9mt_step { DX9MT_FRAME, DX9MT_DRAWS, DX9MT_PRESENT, DX9MT_DONE };

struct dx9mt {
    struct trace_reader base;
    struct decoder decoder;
    enum dx9mt_step step;

    /* The frame (dx9mt_read.c). */
    struct dx9mt_header header;
    unsigned revision;
    uint32_t shown;         /* its sequence number */
    uint32_t frame;         /* counted from 1 */
    uint8_t *bytes;         /* from the start of the file */
    size_t have, room;      /* have: fewer than the header says if the file was cut */
    uint32_t draw;          /* the next one */
    struct trace_error cut; /* what is wrong with the rest; status ST_OK: nothing */

    /* Calls not yet handed out, each as its size and itself (dx9mt_calls.c). */
    uint8_t *calls;
    size_t calls_at, calls_end, calls_room;
    bool no_memory;

    /* Objects, and the device's states as the last calls set them. */
    uint32_t next_object;
    bool device;
    struct dx9mt_list textures, targets, cached, buffers; /* buffers: of the frame */
    uint64_t target_bytes;
    uint32_t states[256], stage_states[33], samplers[DX9MT_SAMPLERS][14];
    uint8_t states_set[256], stage_states_set[33], samplers_set[DX9MT_SAMPLERS][14];
    uint32_t bound[DX9MT_SAMPLERS]; /* textures, 0 at first */
};

/* --- dx9mt_read.c ----------------------------------------------------------------------------- */

/* The next frame; waits for it if the file is followed. False: an error was set. */
MUST_CHECK bool dx9mt_read_frame(struct dx9mt *d);
/* Entry i; false where the file ends before it. */
MUST_CHECK bool dx9mt_read_draw(const struct dx9mt *d, uint32_t i, struct dx9mt_draw *out);
/* Bulk data; NULL where there are none. */
const uint8_t *dx9mt_bulk(const struct dx9mt *d, uint32_t offset, uint32_t size);

/* --- dx9mt_calls.c ---------------------------------------------------------------------------- */

/* The next call that waits, NULL if there is none; ST_NOMEM. */
MUST_CHECK enum status dx9mt_take_call(struct dx9mt *d, const struct trace_call **out);
/* A call: result and parameters as words, then a block (bytes NULL: none). */
void dx9mt_call(struct dx9mt *d, enum dx9mt_call number, const uint32_t *words, size_t n,
                uint32_t address, const void *bytes, uint32_t size);
#define CALL_WITH(d, address, bytes, size, number, ...)                                            \
    dx9mt_call(d, number, (const uint32_t[]){0, __VA_ARGS__},                                      \
               sizeof((const uint32_t[]){0, __VA_ARGS__}) / 4, address, bytes, size)
#define CALL(d, number, ...) CALL_WITH(d, 0, NULL, 0, number, __VA_ARGS__)
/* States, where they are not what they should be. */
void dx9mt_state(struct dx9mt *d, uint32_t state, uint32_t value);
void dx9mt_stage_state(struct dx9mt *d, uint32_t state, uint32_t value);
void dx9mt_sampler(struct dx9mt *d, uint32_t sampler, uint32_t state, uint32_t value);

/* --- dx9mt_objects.c -------------------------------------------------------------------------- */

enum { DX9MT_D3D = 0x10, DX9MT_DEVICE = 0x20, DX9MT_OUT = 8 /* an address to return things at */ };

void dx9mt_objects_fini(struct dx9mt *d);
uint32_t dx9mt_new_object(struct dx9mt *d);
/* The target; NULL where none can be made. It becomes the device's, and is cleared as the mode
 * wants it where the frame uses it for the first time. stretch: it is going to be stretched to. */
struct dx9mt_target *dx9mt_use_target(struct dx9mt *d, const struct dx9mt_draw *draw, bool stretch);
struct dx9mt_target *dx9mt_target_of_texture(struct dx9mt *d, uint32_t texture_id);
struct dx9mt_target *dx9mt_target_of_surface(struct dx9mt *d, uint32_t id);
/* The object of a stage's texture, 0 where there is none; its contents are sent if the draw has
 * some. */
uint32_t dx9mt_use_texture(struct dx9mt *d, const struct dx9mt_draw *draw, unsigned stage);
/* The object of a sent texture, 0 where it is not known. */
uint32_t dx9mt_texture_of(const struct dx9mt *d, uint32_t id);
/* Shaders, declarations (number: the call that makes them) and buffers by their bytes. */
uint32_t dx9mt_use_cached(struct dx9mt *d, enum dx9mt_call number, const void *bytes,
                          uint32_t size);
uint32_t dx9mt_use_buffer(struct dx9mt *d, const void *bytes, uint32_t size, uint32_t index_format);
void dx9mt_end_frame_objects(struct dx9mt *d);

/* --- dx9mt_draw.c ----------------------------------------------------------------------------- */

void dx9mt_begin_frame(struct dx9mt *d);
void dx9mt_draw(struct dx9mt *d, const struct dx9mt_draw *draw);
void dx9mt_present_frame(struct dx9mt *d);

/* --- dx9mt_shader.c --------------------------------------------------------------------------- */

/* Whether the viewer translates the shader: stage 0xfffe or 0xffff. */
bool dx9mt_translates(const uint32_t *code, size_t n, uint32_t stage);
/* The vertex shader with its position moved by half a pixel to the left and up, in a viewport of
 * that size. The caller frees *out. ST_UNSUPPORTED where no register is free. */
MUST_CHECK enum status dx9mt_move_position(const uint32_t *code, size_t n, float width,
                                           float height, uint32_t **out, size_t *out_n);

#endif
