/* Fixed function as programs of the shader machine: a key says what shapes the program, the builder
 * writes it, the constants carry the values. FVF codes live here too. */
#ifndef FF_FF_H
#define FF_FF_H

#include "util/d3dtypes.h"
#include "util/status.h"
#include "vm/vm.h"

#include <stdbool.h>
#include <stdint.h>

enum { FF_STAGES = 8, FF_LIGHTS = 8, FF_RENDER_STATES = 210, FF_STAGE_STATES = 33 };

/* All that fixed function reads, borrowed from the renderer's state. Index stage states by
 * D3DTSS_*, render states by D3DRS_*. */
struct ff_state {
    const DWORD *render;                        /* [FF_RENDER_STATES] */
    const DWORD (*stage)[FF_STAGE_STATES];      /* [FF_STAGES] */
    const D3DMATRIX *world, *view, *projection; /* world: [256], WORLDMATRIX(n) */
    unsigned n_world;                           /* those from here on are identities */
    const D3DMATRIX *texture;                   /* [FF_STAGES] */
    const D3DMATERIAL9 *material;
    const D3DLIGHT9 *const *light; /* the enabled ones, at most FF_LIGHTS */
    unsigned n_lights;
    D3DVIEWPORT9 viewport;
    /* What vertices bring: */
    uint32_t inputs;                  /* bit per enum ff_input */
    uint8_t texcoord_size[FF_STAGES]; /* components of TEXCOORDn, 0: none */
    bool transformed;                 /* POSITIONT */
    /* What is bound to stages: 0 nothing, 2 2D, 3 cube, 4 volume (vm sampler kinds). */
    uint8_t texture_kind[FF_STAGES];
    uint8_t unit_range_textures; /* bit i: all channels of that texture lie in 0 … 1, as unsigned
                                    ones do */
    uint8_t shadow_maps; /* bit i: sampling that texture may compare with the third coordinate */
    bool point_sprites;  /* point sprites: coordinates are generated and never divided */
    bool vertex_shader; /* the pixel side only: vertices come from a program */
    bool process_vertices; /* vertices go to memory, where no table fog can take the place of theirs
                            */
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
    FF_IN_INDICES_D3DCOLOR = 1 << 9 /* BLENDINDICES is of D3DDECLTYPE_D3DCOLOR */
};

/* Keys: zero-filled plain data, compared as bytes. Private contents. */
struct ff_vertex_key {
    uint8_t bytes[128];
};
struct ff_pixel_key {
    uint8_t bytes[128];
};

/* Vertex side. Inputs of the program are vertex-declaration semantics, missing components filled as
 * in D3D9 (0, 0, 0, 1); outputs POSITION0 (clip space, or for transformed vertices x, y, z, rhw as
 * given), COLOR0, COLOR1, TEXCOORD0-7 (texture transform and projection data applied), FOG0.x
 * (factor of vertex fog), PSIZE0.x. An output that has no source is not declared and reads 0.
 * Transformed vertices also hand on what else they bring, by semantic. The programs count on 0 * x
 * = 0: run them with vm_options.ieee = 0. */
void ff_vertex_key_init(struct ff_vertex_key *key, const struct ff_state *state);
MUST_CHECK enum status ff_vertex_build(struct vm_program **out, const struct ff_vertex_key *key);
enum { FF_VERTEX_CONSTANTS = 1904 }; /* upper bound, in float4 */
/* Returns how many float4 it wrote to c. */
unsigned ff_vertex_constants(const struct ff_vertex_key *key, const struct ff_state *state,
                             float (*c)[4]);

/* Pixel side: texture stages and specular add. Inputs COLOR0, COLOR1, TEXCOORDn; output TARGET0.
 * Fog is the output merger's. */
void ff_pixel_key_init(struct ff_pixel_key *key, const struct ff_state *state);
MUST_CHECK enum status ff_pixel_build(struct vm_program **out, const struct ff_pixel_key *key);
enum { FF_PIXEL_CONSTANTS = 64 };
/* Returns how many float4 of c the program may name; those that it does not read stay as they are. */
unsigned ff_pixel_constants(const struct ff_pixel_key *key, const struct ff_state *state,
                            float (*c)[4]);
/* The component (2, 3 or 4) that a stage's coordinates are divided by under D3DTTFF_PROJECTED; 0:
 * none. For ps_1_1 … 1_3, vm_options.projected; the programs of ff_pixel_build divide by
 * themselves. */
unsigned ff_projection(const struct ff_state *state, unsigned stage);
/* The components (2, 3 or 4) that the stage's D3DTSS_TEXTURETRANSFORMFLAGS ask its matrix for; 0: no
 * matrix (reference: texgen/matrix). */
unsigned ff_transform_count(const DWORD stage[FF_STAGE_STATES]);
/* Bump environment for ps_1_x shaders: vm_constants.system, VM_SYSTEM_COUNT float4. */
void ff_bump_constants(const DWORD (*stage)[FF_STAGE_STATES], float (*c)[4]);

/* FVF code to elements with D3DDECL_END; elements must hold MAXD3DDECLLENGTH + 1. Returns their
 * number with the end, or 0 for a code that is not valid. */
unsigned ff_fvf_to_elements(DWORD fvf, D3DVERTEXELEMENT9 *elements);
/* Bytes of one vertex of stream 0. */
unsigned ff_fvf_stride(DWORD fvf);
/* The code that a declaration equals, or 0 (IDirect3DDevice9::GetFVF). */
DWORD ff_elements_to_fvf(const D3DVERTEXELEMENT9 *elements);

#endif
