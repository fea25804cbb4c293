/* Texture sampling as a program: from the shape of a sampler to a function of the IR that samples
 * a level, or two that it blends, for 64 lanes, and the machine code of such functions. The bits
 * are those of the sampling kernels (reference: texture/point, texture/linear, texture/address,
 * texture/border).
 *
 * A shape holds what changes code: how texels lie in memory, the filter, address modes, which
 * stored channel becomes which result. Sizes, pitches and border colours are values. The function
 * reads them when it runs. */
#ifndef TEX_EMIT_EMIT_H
#define TEX_EMIT_EMIT_H

#include "ir/ir.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Shapes ----------------------------------------------------------------------------------- */

enum { TEX_EMIT_ZERO = 4, TEX_EMIT_ONE = 5 }; /* swizzle values besides stored channels */

/* How the bits of a stored channel become a number. */
enum tex_emit_class {
    TEX_EMIT_CODES, /* unsigned codes; signed ones where signed_mask says so */
    TEX_EMIT_SRGB,  /* the same; stored channels 0 to 2 decode through a table */
    TEX_EMIT_HALF,  /* bits as they say; not codes */
    TEX_EMIT_FLOAT,
    TEX_EMIT_PALETTE, /* bits 0 to 7 select a D3DCOLOR; bits 8 to 15, if any, are alpha */
    TEX_EMIT_SHADOW,  /* a code that is compared with a reference: 0 or 1 */
    TEX_EMIT_SHADOW_FLOAT32,
    TEX_EMIT_SHADOW_FLOAT24
};

/* Equal shapes have equal bytes: begin with zeros. */
struct tex_emit_shape {
    uint8_t texel_class; /* enum tex_emit_class */
    uint8_t bytes;       /* of a texel: 1, 2, 4, 8 or 16 */
    uint8_t axes;        /* 2, or 3 of volumes */
    bool faces;          /* cube maps: lanes have offsets of faces */
    bool linear;         /* point sampling otherwise */
    bool two_levels;     /* samples the next level, too, and blends it */
    uint8_t address[3];  /* D3DTEXTUREADDRESS */
    uint8_t swizzle[4];  /* stored channel, or TEX_EMIT_ZERO or ONE, for r, g, b, a */
    uint8_t shift[4];    /* lowest bit of a stored channel; bits / 32 is its word */
    uint8_t bits[4];     /* 0: there is no such channel */
    uint8_t signed_mask; /* bit c: stored channel c is signed */
    uint16_t table[3];   /* sRGB: index of the table's first float, of stored channels 0 to 2 */
};

/* --- Memory ----------------------------------------------------------------------------------- */

/* Bases of the function. */
enum {
    TEX_EMIT_AXES,      /* and the next two bases: u, v, w; arrays of floats */
    TEX_EMIT_EXTRA = 2, /* instead of w. Shadow maps: references. Cube maps: words from face 0 to a
                           lane's face */
    TEX_EMIT_VALUES,    /* struct tex_emit_values */
    TEX_EMIT_TEXELS,    /* of the level, of face 0 */
    TEX_EMIT_TABLE,     /* sRGB: floats. Palettes: words */
    TEX_EMIT_WEIGHTS,   /* two levels: weight of the second one in each lane */
    TEX_EMIT_RESULTS,   /* and the next three bases: r, g, b, a; only of lanes that are sampled */
};

struct tex_emit_level {
    float size[3];     /* in 1/256 texels */
    int32_t last[3];   /* texel of each axis */
    int32_t row_pitch; /* in bytes */
    int32_t slice_pitch;
    int32_t offset; /* of the second level: bytes from the first */
};

struct tex_emit_values {
    struct tex_emit_level level[2]; /* the second one: with two_levels */
    float border[4];                /* in units of stored channels */
    uint64_t lanes;                 /* to sample */
};

/* --- Functions -------------------------------------------------------------------------------- */

/* Returns a function that the caller owns; see ir_status. NULL: no memory. */
struct ir *tex_emit_function(const struct tex_emit_shape *shape);

/* --- Code ------------------------------------------------------------------------------------- */

/* Code is shared by all samplers and threads of the process. */
struct ir_code;

/* The cache compiles only while it has users, and keeps all code until the last has gone. */
void tex_emit_cache_use(void);
void tex_emit_cache_leave(void);

/* The code of a shape for the instruction set in use. NULL: there is none; the caller takes a
 * kernel. */
const struct ir_code *tex_emit_code_get(const struct tex_emit_shape *shape);

/* Functions that need more work memory are not kept. */
enum { TEX_EMIT_WORK_BYTES = 8192 };
/* Runs the function with bases as above, but no work memory. */
void tex_emit_code_run(const struct ir_code *code, const struct ir_args *args);

#endif
