/* Key and constant layout of the fixed-function vertex shader. Private to ff. */
#ifndef FF_VERTEX_H
#define FF_VERTEX_H

#include "ff/ff.h"

/* Source of a stage's coordinates. */
enum ff_texgen {
    FF_TEXGEN_NONE,
    FF_TEXGEN_PASSTHRU,
    FF_TEXGEN_NORMAL,
    FF_TEXGEN_POSITION,
    FF_TEXGEN_REFLECTION,
    FF_TEXGEN_SPHERE
};

enum ff_vertex_fog {
    FF_FOG_OFF,
    FF_FOG_FULL,     /* full fog: without a source the factor is 0, as is the alpha of a missing
                        specular colour */
    FF_FOG_SPECULAR, /* alpha of the vertex's specular colour */
    FF_FOG_INPUT,    /* FOG0.x of the vertex */
    FF_FOG_LINEAR,
    FF_FOG_EXP,
    FF_FOG_EXP2
};

enum ff_source { FF_DIFFUSE, FF_AMBIENT, FF_SPECULAR, FF_EMISSIVE, FF_SOURCES };

struct texgen_stage {
    uint8_t texgen;  /* enum ff_texgen */
    uint8_t set;     /* FF_TEXGEN_PASSTHRU: number of the set */
    uint8_t size;    /* components of the source; 0 if nothing reads the size */
    uint8_t count;   /* outputs of the texture matrix; 0: not used */
    uint8_t divisor; /* PROJECTED: the divisor component, to be copied to w; 0: none */
};

/* Contents of struct ff_vertex_key. Fields that do not affect the program are 0. */
struct vertex_key {
    uint8_t transformed;
    uint8_t normal;            /* the vertex has a normal that is used */
    uint8_t diffuse, specular; /* the vertex has the colour and it is used */
    uint8_t lit, lit_specular, local_viewer, normalize;
    uint8_t source[FF_SOURCES];         /* D3DMATERIALCOLORSOURCE, resolved against the inputs */
    uint8_t n_lights, light[FF_LIGHTS]; /* D3DLIGHTTYPE */
    uint8_t fog, range_fog;
    uint8_t psize, point_scale;
    uint8_t weights; /* vertex blending: number of matrices - 1 */
    uint8_t indexed; /* 1: indices as given, 2: D3DCOLOR */
    uint8_t tween, tween_normal;
    struct texgen_stage stage[FF_STAGES];
};
_Static_assert(sizeof(struct vertex_key) <= sizeof(struct ff_vertex_key), "vertex key too large");

/* Constants of the vertex program, in float4. Matrices are stored as columns: component j of a
 * transformed vector is the dot product of the vector and column j. */
enum {
    VC_CLIP = 0,        /* 4: world * view * projection */
    VC_EYE = 4,         /* 4: world * view */
    VC_NORMAL = 8,      /* 3: inverse transpose of world * view */
    VC_PROJECTION = 11, /* 4: projection alone, for blended vertices */
    VC_FOG = 15,        /* linear: end, 1 / (end - start); exp: factor of the exponent */
    VC_POINT = 16,      /* POINTSCALE_A, B, C, POINTSIZE */
    VC_MISC = 17,       /* viewport height, TWEENFACTOR, material power */
    VC_AMBIENT = 18,    /* D3DRS_AMBIENT */
    VC_MATERIAL = 19,   /* 4, by enum ff_source */
    VC_LIGHT = 23,      /* VC_LIGHT_SIZE for each light */
    VC_LIGHT_SIZE = 7,
    VC_TEXTURE = VC_LIGHT + FF_LIGHTS * VC_LIGHT_SIZE, /* 4 for each stage */
    VC_BLEND = VC_TEXTURE + 4 * FF_STAGES,             /* vertex_blend_stride for each matrix */
};

/* Constants of one light. */
enum {
    VC_L_POSITION,  /* in eye space; w: range squared */
    VC_L_DIRECTION, /* unit, in eye space: towards a directional light, or the axis of a spot
                       light */
    VC_L_DIFFUSE,
    VC_L_SPECULAR,
    VC_L_AMBIENT,
    VC_L_ATTENUATION, /* constant, linear, quadratic */
    VC_L_SPOT,        /* cos(phi / 2), 1 / (cos(theta / 2) - cos(phi / 2)), falloff */
};

static inline bool vertex_blends(const struct vertex_key *key)
{
    return key->weights || key->indexed;
}

/* World * view, 4 columns; 3 columns more if normals are used. */
static inline unsigned vertex_blend_stride(const struct vertex_key *key)
{
    return key->normal ? 7 : 4;
}

static inline unsigned vertex_blend_matrices(const struct vertex_key *key)
{
    return key->indexed ? 256 : key->weights + 1u;
}

_Static_assert((int)FF_VERTEX_CONSTANTS >= VC_BLEND + 256 * 7, "room for an indexed palette");

#endif
