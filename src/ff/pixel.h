/* What shapes the program of the texture stages, and where its constants lie. Private to ff. */
#ifndef FF_PIXEL_H
#define FF_PIXEL_H

#include "ff/ff.h"

/* Arguments are numbered as Direct3D does: 0, 1, 2. */
enum { FF_ARGS = 3 };

struct pixel_op {
    uint8_t op;           /* D3DTEXTUREOP but PREMODULATE; 0: this half stays as it was */
    uint8_t arg[FF_ARGS]; /* D3DTA_*; 0 where the op does not read it */
};

enum pixel_channels { PIXEL_COLOUR = 1, PIXEL_ALPHA = 2, PIXEL_COLOUR_ALPHA = 3 };

struct texture_stage {
    struct pixel_op colour, alpha;
    uint8_t kind;       /* of the texture when it is read and bound, else 0 */
    uint8_t projection; /* component that divides the coordinates: 2, 3, 4 or 0 */
    uint8_t to_temp;
    uint8_t three_coords; /* the texture takes three coordinates */
    uint8_t unit_range;   /* texels lie in 0 … 1 */
    uint8_t premodulated; /* enum pixel_channels: where CURRENT is CURRENT times the texture */
};

/* The contents of struct ff_pixel_key. Whatever the program would not look at is 0. */
struct pixel_key {
    uint8_t n_stages;
    uint8_t specular; /* added at the end */
    struct texture_stage stage[FF_STAGES];
};
_Static_assert(sizeof(struct pixel_key) <= sizeof(struct ff_pixel_key), "pixel key too large");

/* Constants of the pixel program. */
enum {
    PC_TFACTOR = 0,
    PC_CONSTANT = 1,        /* D3DTSS_CONSTANT of each stage */
    PC_BUMP_MATRIX = 9,     /* of each stage: M00, M01, M10, M11 */
    PC_BUMP_LUMINANCE = 17, /* of each stage: scale, offset */
    PC_COUNT = 25
};
_Static_assert((int)PC_COUNT <= (int)FF_PIXEL_CONSTANTS, "room for all stages");

/* Bit i: the operation reads argument i; 0 for operations that do not exist. */
unsigned pixel_op_args(unsigned op);

static inline bool pixel_op_bumps(unsigned op)
{
    return op == D3DTOP_BUMPENVMAP || op == D3DTOP_BUMPENVMAPLUMINANCE;
}

#endif
