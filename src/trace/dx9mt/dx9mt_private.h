/* Private declarations of the dx9mt frame reader: the frame, the Direct3D objects that stand for
 * its resources, and the emitters of synthetic calls. */
#ifndef TRACE_DX9MT_DX9MT_PRIVATE_H
#define TRACE_DX9MT_DX9MT_PRIVATE_H

#include "present/dx9mt/dx9mt.h"
#include "trace/pix/decoder.h"
#include "trace/reader/reader.h"

/* Method numbers of PIX run files (pix/methods.h). */
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

/* A texture whose contents the file contains. */
struct dx9mt_texture {
    uint32_t id, generation, format, width, height;
    uint32_t object; /* its address in the synthetic calls */
};

/* A render target: level 0 of a texture that the reader creates, with its own depth surface. */
struct dx9mt_target {
    uint32_t id, texture_id, format, width, height;
    uint32_t texture, surface, depth;
    uint32_t frame; /* the last frame that used it, counted from 1 */
};

/* An object created from bytes (shader, declaration), cached by their hash. */
struct dx9mt_cached {
    uint64_t hash;
    uint32_t size, release; /* release: the call that releases it */
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

    /* The current frame (read.c). */
    struct dx9mt_header header;
    unsigned revision;
    uint32_t shown;         /* its sequence number */
    uint32_t frame;         /* counted from 1 */
    uint8_t *bytes;         /* from the start of the file */
    size_t have, room;      /* have: less than the header states if the file is truncated */
    uint32_t draw;          /* index of the next draw */
    struct trace_error cut; /* damage behind the readable part; ST_OK: none */

    /* Queue of encoded calls, each preceded by its size (calls.c). */
    uint8_t *calls;
    size_t calls_at, calls_end, calls_room;
    bool no_memory;

    /* Objects, and a shadow of the device state as the last calls set it. */
    uint32_t next_object;
    bool device;
    struct dx9mt_list textures, targets, cached, buffers; /* buffers: of this frame only */
    uint64_t target_bytes;
    uint32_t states[256], stage_states[33], samplers[DX9MT_SAMPLERS][14];
    uint8_t states_set[256], stage_states_set[33], samplers_set[DX9MT_SAMPLERS][14];
    uint32_t bound[DX9MT_SAMPLERS]; /* bound textures, initially 0 */
};

/* --- read.c ----------------------------------------------------------------------------------- */

/* Reads the next frame; waits for it in follow mode. Returns false after setting an error. */
MUST_CHECK bool dx9mt_read_frame(struct dx9mt *d);
/* Reads draw i; returns false if the file ends before it. */
MUST_CHECK bool dx9mt_read_draw(const struct dx9mt *d, uint32_t i, struct dx9mt_draw *out);
/* Returns bulk data; NULL if there are none. */
const uint8_t *dx9mt_bulk(const struct dx9mt *d, uint32_t offset, uint32_t size);

/* --- calls.c ---------------------------------------------------------------------------------- */

/* Dequeues the next call; *out is NULL if the queue is empty. Returns ST_NOMEM on failure. */
MUST_CHECK enum status dx9mt_take_call(struct dx9mt *d, const struct trace_call **out);
/* Enqueues a call: result and parameters as words, then one block (bytes NULL: none). */
void dx9mt_call(struct dx9mt *d, enum dx9mt_call number, const uint32_t *words, size_t n,
                uint32_t address, const void *bytes, uint32_t size);
#define CALL_WITH(d, address, bytes, size, number, ...)                                            \
    dx9mt_call(d, number, (const uint32_t[]){0, __VA_ARGS__},                                      \
               sizeof((const uint32_t[]){0, __VA_ARGS__}) / 4, address, bytes, size)
#define CALL(d, number, ...) CALL_WITH(d, 0, NULL, 0, number, __VA_ARGS__)
/* Set a state; redundant calls are dropped. */
void dx9mt_state(struct dx9mt *d, uint32_t state, uint32_t value);
void dx9mt_stage_state(struct dx9mt *d, uint32_t state, uint32_t value);
void dx9mt_sampler(struct dx9mt *d, uint32_t sampler, uint32_t state, uint32_t value);

/* --- objects.c -------------------------------------------------------------------------------- */

enum { DX9MT_D3D = 0x10, DX9MT_DEVICE = 0x20, DX9MT_OUT = 8 /* out-parameter address */ };
enum { DX9MT_SIDE_MAX = 8192 }; /* of targets and textures */

void dx9mt_objects_fini(struct dx9mt *d);
uint32_t dx9mt_new_object(struct dx9mt *d);
/* Appends a zeroed item; returns NULL if out of memory. */
void *dx9mt_list_add(struct dx9mt *d, struct dx9mt_list *list, size_t size);
/* Shaders, declarations (number: the creating call) and buffers, looked up by their bytes. */
uint32_t dx9mt_use_cached(struct dx9mt *d, enum dx9mt_call number, const void *bytes,
                          uint32_t size);
uint32_t dx9mt_use_buffer(struct dx9mt *d, const void *bytes, uint32_t size, uint32_t index_format);
void dx9mt_end_frame_objects(struct dx9mt *d);

/* --- targets.c -------------------------------------------------------------------------------- */

/* Selects the draw's render target on the device; NULL if it cannot be created. On its first use in
 * a frame the target is cleared according to the mode. stretch: it is a StretchRect destination. */
struct dx9mt_target *dx9mt_use_target(struct dx9mt *d, const struct dx9mt_draw *draw, bool stretch);
struct dx9mt_target *dx9mt_target_of_texture(struct dx9mt *d, uint32_t texture_id);
struct dx9mt_target *dx9mt_target_of_surface(struct dx9mt *d, uint32_t id);

/* --- textures.c ------------------------------------------------------------------------------- */

/* Returns the texture object of a stage, 0 if there is none. Uploads the contents if the draw has
 * them. */
uint32_t dx9mt_use_texture(struct dx9mt *d, const struct dx9mt_draw *draw, unsigned stage);
/* Returns the object of an uploaded texture, 0 if the id is unknown. */
uint32_t dx9mt_texture_of(const struct dx9mt *d, uint32_t id);

/* --- state.c ---------------------------------------------------------------------------------- */

void dx9mt_put_states(struct dx9mt *d, const struct dx9mt_draw *draw);
/* Returns false if a texture is missing and the mode requires it. */
bool dx9mt_put_textures(struct dx9mt *d, const struct dx9mt_draw *draw);

/* --- draw.c ----------------------------------------------------------------------------------- */

void dx9mt_begin_frame(struct dx9mt *d);
void dx9mt_draw(struct dx9mt *d, const struct dx9mt_draw *draw);
void dx9mt_present_frame(struct dx9mt *d);

/* --- shader.c --------------------------------------------------------------------------------- */

/* Returns whether dx9mt's viewer translates the shader. stage: 0xfffe vertex, 0xffff pixel. */
bool dx9mt_translates(const uint32_t *code, size_t n, uint32_t stage);
/* Patches a vertex shader to move its position half a pixel left and up in a viewport of the given
 * size. The caller frees *out. Returns ST_UNSUPPORTED if no register is free. */
MUST_CHECK enum status dx9mt_move_position(const uint32_t *code, size_t n, float width,
                                           float height, uint32_t **out, size_t *out_n);

#endif
