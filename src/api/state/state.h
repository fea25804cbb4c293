/* Device state: everything that Set* stores and state blocks contain, in numbered slots.
 *
 * A slot is one value that applications set: a render state, a transform, a constant register. The
 * device has one struct state. A state block has another one, and a bit for each slot that it
 * contains. */
#ifndef API_STATE_STATE_H
#define API_STATE_STATE_H

#include "api/com/com.h"
#include "cmd/cmd.h"

#include <stdbool.h>
#include <stdint.h>

struct buffer;
struct shader;
struct texture;
struct vertex_decl;

enum {
    SETTABLE_RENDER_STATES = 210,               /* those of SetRenderState */
    RENDER_STATES = SETTABLE_RENDER_STATES + 1, /* and the kernel of SetConvolutionMonoKernel */
    CONVOLUTION_STATE = SETTABLE_RENDER_STATES,
    DEFAULT_CONVOLUTION = 0x101, /* width | height << 8 */
    STAGES = 8,
    STAGE_STATES = 33,
    SAMPLERS = 21, /* 0-15 pixel, 16 displacement map, 17-20 vertex */
    PIXEL_SAMPLERS = 16,
    SAMPLER_STATES = 14,
    TRANSFORMS = 2 + STAGES + 256, /* view, projection, texture 0-7, world 0-255 */
    CLIP_PLANES = CMD_CLIP_PLANES,
    STREAMS = 16,
    /* Constant registers of hardware and of software vertex processing. */
    VS_FLOATS = 256,
    PS_FLOATS = 224,
    INTS = 16,
    BOOLS = 16,
    VS_FLOATS_SOFTWARE = 8192,
    INTS_SOFTWARE = 2048,
    BOOLS_SOFTWARE = 2048
};

enum slot {
    SLOT_RENDER = 0,
    SLOT_STAGE = SLOT_RENDER + RENDER_STATES,
    SLOT_SAMPLER = SLOT_STAGE + STAGES * STAGE_STATES,
    SLOT_TEXTURE = SLOT_SAMPLER + SAMPLERS * SAMPLER_STATES,
    SLOT_TRANSFORM = SLOT_TEXTURE + SAMPLERS,
    SLOT_CLIP_PLANE = SLOT_TRANSFORM + TRANSFORMS,
    SLOT_STREAM = SLOT_CLIP_PLANE + CLIP_PLANES,
    SLOT_FREQUENCY = SLOT_STREAM + STREAMS,
    SLOT_MATERIAL = SLOT_FREQUENCY + STREAMS,
    SLOT_VIEWPORT,
    SLOT_SCISSOR,
    SLOT_INDICES,
    SLOT_DECLARATION,
    SLOT_VERTEX_SHADER,
    SLOT_PIXEL_SHADER,
    SLOT_NPATCH,
    SLOT_PALETTE,
    SLOT_CONSTANTS, /* first constant slot; files in the order of enum constant_file */
    SLOT_VS_F = SLOT_CONSTANTS,
    SLOT_VS_I = SLOT_VS_F + VS_FLOATS_SOFTWARE,
    SLOT_VS_B = SLOT_VS_I + INTS_SOFTWARE,
    SLOT_PS_F = SLOT_VS_B + BOOLS_SOFTWARE,
    SLOT_PS_I = SLOT_PS_F + PS_FLOATS,
    SLOT_PS_B = SLOT_PS_I + INTS,
    SLOT_COUNT = SLOT_PS_B + BOOLS
};

enum constant_file { FILE_VS_F, FILE_VS_I, FILE_VS_B, FILE_PS_F, FILE_PS_I, FILE_PS_B, FILE_COUNT };

struct stream_source {
    struct buffer *buffer;
    UINT offset, stride;
};

struct light {
    DWORD index;
    BOOL enabled;
    D3DLIGHT9 light;
    bool has_light, has_enabled; /* whether a state block contains the light, and its enable flag */
};

struct state {
    DWORD render[RENDER_STATES];
    DWORD stage[STAGES][STAGE_STATES];
    DWORD sampler[SAMPLERS][SAMPLER_STATES];
    struct texture *texture[SAMPLERS];
    D3DMATRIX transform[TRANSFORMS];
    float clip_plane[CLIP_PLANES][4];
    struct stream_source stream[STREAMS];
    UINT frequency[STREAMS];
    D3DMATERIAL9 material;
    D3DVIEWPORT9 viewport;
    RECT scissor;
    struct buffer *indices;
    struct vertex_decl *decl;
    struct shader *vertex_shader, *pixel_shader;
    float npatch;
    UINT palette; /* number of the current texture palette */
    /* Registers of each file, counts[] of them; 4 words each, booleans 1. */
    uint32_t *constants[FILE_COUNT];
    unsigned counts[FILE_COUNT];
    struct light *lights; /* sorted by index */
    unsigned n_lights;
};

struct slot_set {
    uint64_t bits[(SLOT_COUNT + 63) / 64];
};
static inline void slot_add(struct slot_set *set, unsigned slot)
{
    set->bits[slot / 64] |= UINT64_C(1) << slot % 64;
}
static inline bool slot_has(const struct slot_set *set, unsigned slot)
{
    return set->bits[slot / 64] >> slot % 64 & 1;
}
/* The first slot >= `from` in the set; SLOT_COUNT: none. */
unsigned api_slot_next(const struct slot_set *set, unsigned from);

/* software: allocates the larger constant files. Contents are zero, not the defaults. */
MUST_CHECK enum status api_state_init(struct state *state, bool software);
/* Releases all objects and memory; accepts NULL members and half-initialised states. */
void api_state_fini(struct state *state);
/* Sets Direct3D's defaults, except viewport, scissor and palette; unbinds objects and removes
 * lights. */
void api_state_defaults(struct state *state, bool auto_depth, float max_point_size);
/* Copies one slot from src to dst. */
void api_state_copy(struct state *dst, const struct state *src, unsigned slot);
/* Whether a slot has the same value in both. */
bool api_state_same(const struct state *a, const struct state *b, unsigned slot);
/* The slots that a D3DSTATEBLOCKTYPE contains, for a state with these constant files. */
void api_state_slots(struct slot_set *set, D3DSTATEBLOCKTYPE type, const struct state *state);

/* Index of a D3DTRANSFORMSTATETYPE in `transform`; -1: no such transform. */
int api_transform_index(D3DTRANSFORMSTATETYPE type);
D3DTRANSFORMSTATETYPE api_transform_type(unsigned index);
/* Index of a sampler number of SetTexture and SetSamplerState; -1: no such sampler. */
int api_sampler_index(DWORD sampler);
/* The first slot of a constant file, and the words of one register. */
unsigned api_constants_slot(enum constant_file file);
static inline unsigned api_constants_words(enum constant_file file)
{
    return file == FILE_VS_B || file == FILE_PS_B ? 1 : 4;
}

/* The light with the index; NULL: never set. */
struct light *api_light_find(const struct state *state, DWORD index);
/* A light with Direct3D's defaults, off, that no state block contains. */
void api_light_default(struct light *light, DWORD index);
/* As api_light_find, but creates a missing light with Direct3D's defaults; NULL: out of memory. */
struct light *api_light_get(struct state *state, DWORD index);

#endif
