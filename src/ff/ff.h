/* Fixed-function pipeline as generated shaders, and FVF codes. A key holds the state that
 * determines the code of a shader. A builder generates the shader from the key. Constants carry the
 * remaining state, such as matrices and colours. */
#ifndef FF_FF_H
#define FF_FF_H

#include "util/d3dtypes.h"
#include "util/status.h"
#include "vm/vm.h"

#include <stdbool.h>
#include <stdint.h>

enum { FF_STAGES = 8, FF_LIGHTS = 8, FF_RENDER_STATES = 211, FF_STAGE_STATES = 33 };
/* A state behind the render states of Direct3D: SetConvolutionMonoKernel, width | height << 8. */
#define FF_RS_CONVOLUTION_MONO ((D3DRENDERSTATETYPE)210)

/* State that the fixed-function pipeline reads, borrowed from the renderer. Stage states are
 * indexed by D3DTSS_*, render states by D3DRS_*. */
struct ff_state {
    const DWORD *render;                        /* [FF_RENDER_STATES] */
    const DWORD (*stage)[FF_STAGE_STATES];      /* [FF_STAGES] */
    const D3DMATRIX *world, *view, *projection; /* world: [256], WORLDMATRIX(n) */
    unsigned n_world;                           /* matrices from this index on are identities */
    const D3DMATRIX *texture;                   /* [FF_STAGES] */
    const D3DMATERIAL9 *material;
    const D3DLIGHT9 *const *light; /* enabled lights, at most FF_LIGHTS */
    unsigned n_lights;
    D3DVIEWPORT9 viewport;
    /* Vertex format: */
    uint32_t inputs;                  /* bit per enum ff_input */
    uint8_t texcoord_size[FF_STAGES]; /* components of TEXCOORDn, 0: none */
    bool transformed;                 /* POSITIONT */
    /* Textures bound to stages: 0 none, 2 2D, 3 cube, 4 volume (vm sampler kinds). */
    uint8_t texture_kind[FF_STAGES];
    uint8_t unit_range_textures; /* bit i: all channels of that texture are in 0 … 1, as in unsigned
                                    formats */
    uint8_t shadow_maps; /* bit i: sampling that texture may compare the third coordinate */
    bool point_sprites;  /* point sprites: coordinates are generated and never divided */
    bool vertex_shader; /* pixel shader only: vertices come from a vertex shader */
    bool process_vertices; /* ProcessVertices: the output keeps vertex fog, because no table fog can
                              replace it */
};

enum ff_input {
    FF_IN_POSITION = 1 << 0,
    FF_IN_NORMAL = 1 << 1,
    FF_IN_DIFFUSE = 1 << 2,  /* COLOR0 */
    FF_IN_SPECULAR = 1 << 3, /* COLOR1 */
    FF_IN_PSIZE = 1 << 4,
    FF_IN_BLENDINDICES = 1 << 5,
    FF_IN_POSITION2 = 1 << 6, /* tweening */
    FF_IN_NORMAL2 = 1 << 7,
    FF_IN_FOG = 1 << 8,
    FF_IN_INDICES_D3DCOLOR = 1 << 9 /* BLENDINDICES has D3DDECLTYPE_D3DCOLOR */
};

/* Keys: zero-initialised plain data, compared as bytes. The contents are private. */
struct ff_vertex_key {
    uint8_t bytes[128];
};
struct ff_pixel_key {
    uint8_t bytes[128];
};

/* Vertex shader. Inputs have vertex-declaration semantics; missing components are filled as in D3D9
 * (0, 0, 0, 1). Outputs: POSITION0 (clip space; for transformed vertices x, y, z, rhw as given),
 * COLOR0, COLOR1, TEXCOORD0-7 (after texture transform, with projection data), FOG0.x (vertex fog
 * factor), PSIZE0.x. Outputs without a source are not declared and read 0. Transformed vertices
 * also pass on their other inputs, by semantic. The programs rely on 0 * x = 0: run them with
 * vm_options.ieee = 0. */
void ff_vertex_key_init(struct ff_vertex_key *key, const struct ff_state *state);
MUST_CHECK enum status ff_vertex_build(struct vm_program **out, const struct ff_vertex_key *key);
enum { FF_VERTEX_CONSTANTS = 1904 }; /* upper bound, in float4 */
/* Returns the number of float4 written to c. */
unsigned ff_vertex_constants(const struct ff_vertex_key *key, const struct ff_state *state,
                             float (*c)[4]);

/* Pixel shader: texture stages and specular add. Inputs COLOR0, COLOR1, TEXCOORDn; output TARGET0.
 * The output merger applies fog. */
void ff_pixel_key_init(struct ff_pixel_key *key, const struct ff_state *state);
MUST_CHECK enum status ff_pixel_build(struct vm_program **out, const struct ff_pixel_key *key);
enum { FF_PIXEL_CONSTANTS = 64 };
/* Returns the number of float4 in c that the program may read. Constants that it does not read stay
 * unchanged. */
unsigned ff_pixel_constants(const struct ff_pixel_key *key, const struct ff_state *state,
                            float (*c)[4]);
/* Component (2, 3 or 4) that divides a stage's coordinates under D3DTTFF_PROJECTED; 0: no division.
 * For vm_options.projected of ps_1_1 … 1_3; programs of ff_pixel_build divide themselves. */
unsigned ff_projection(const struct ff_state *state, unsigned stage);
/* Number of components (2, 3 or 4) that D3DTSS_TEXTURETRANSFORMFLAGS requests from the stage's
 * matrix; 0: no matrix (reference: texgen/matrix). */
unsigned ff_transform_count(const DWORD stage[FF_STAGE_STATES]);
/* Bump environment for ps_1_x shaders: vm_constants.system, VM_SYSTEM_COUNT float4. */
void ff_bump_constants(const DWORD (*stage)[FF_STAGE_STATES], float (*c)[4]);

/* Converts an FVF code to elements with D3DDECL_END. elements holds MAXD3DDECLLENGTH + 1. Returns
 * the number of elements with the end, or 0 if the code is invalid. */
unsigned ff_fvf_to_elements(DWORD fvf, D3DVERTEXELEMENT9 *elements);
/* Bytes of one vertex of stream 0. */
unsigned ff_fvf_stride(DWORD fvf);
/* The FVF code that is equivalent to a declaration, or 0 (IDirect3DDevice9::GetFVF). */
DWORD ff_elements_to_fvf(const D3DVERTEXELEMENT9 *elements);

#endif
