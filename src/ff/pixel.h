/* Key and constant layout of the fixed-function pixel shader. Private to ff. */
#ifndef FF_PIXEL_H
#define FF_PIXEL_H

#include "ff/ff.h"

/* Arguments have their Direct3D numbers: 0, 1, 2. */
enum { FF_ARGS = 3 };

struct pixel_op {
    uint8_t op;           /* D3DTEXTUREOP except PREMODULATE; 0: these channels stay unchanged */
    uint8_t arg[FF_ARGS]; /* D3DTA_*; 0 where the op does not read it */
};

enum pixel_channels { PIXEL_COLOUR = 1, PIXEL_ALPHA = 2, PIXEL_COLOUR_ALPHA = 3 };

struct texture_stage {
    struct pixel_op colour, alpha;
    uint8_t kind;         /* texture kind if a texture is read and bound, otherwise 0 */
    uint8_t projection;   /* component that divides the coordinates: 2, 3, 4 or 0 */
    uint8_t to_temp;      /* writes TEMP, otherwise CURRENT */
    uint8_t three_coords; /* the texture reads three coordinates */
    uint8_t unit_range;   /* texels are in 0 … 1 */
    uint8_t premodulated; /* enum pixel_channels: multiply CURRENT by the texture in these */
};

/* Contents of struct ff_pixel_key. Fields that do not affect the program are 0. */
struct pixel_key {
    uint8_t n_stages;
    uint8_t specular; /* add specular at the end */
    struct texture_stage stage[FF_STAGES];
};
_Static_assert(sizeof(struct pixel_key) <= sizeof(struct ff_pixel_key), "pixel key too large");

/* Constants of the pixel program. */
enum {
    PC_TFACTOR = 0,
    PC_CONSTANT = 1,        /* per stage: D3DTSS_CONSTANT */
    PC_BUMP_MATRIX = 9,     /* per stage: M00, M01, M10, M11 */
    PC_BUMP_LUMINANCE = 17, /* per stage: scale, offset */
    PC_COUNT = 25
};
_Static_assert((int)PC_COUNT <= (int)FF_PIXEL_CONSTANTS, "room for all stages");

/* Bit i: the operation reads argument i; 0 for unknown operations. */
unsigned pixel_op_args(unsigned op);

static inline bool pixel_op_bumps(unsigned op)
{
    return op == D3DTOP_BUMPENVMAP || op == D3DTOP_BUMPENVMAPLUMINANCE;
}

#endif
