/* Output merger as a program: from the shape of a target to a function of the IR that turns 64
 * lanes of colours into words of pixels. It holds blending, conversion, sRGB and write masks
 * (reference: blend/factors, numbers/unorm). Its bits are those of raster_output_kern.
 *
 * The function touches no surface. The caller loads the stored pixels of the lanes before it, if
 * it reads them, and stores the results behind it. */
#ifndef RASTER_MERGE_MERGE_H
#define RASTER_MERGE_MERGE_H

#include "ir/ir.h"
#include "raster/raster.h"

/* --- Shapes ----------------------------------------------------------------------------------- */

/* What changes code. Equal shapes have equal bytes: begin with zeros. */
struct raster_merge_target {
    const struct tex_format *format;
    struct raster_blend rgb, alpha; /* if it blends */
    bool blends, srgb;
    uint8_t write_mask; /* bit c: channel c is written */
};

/* True if there is a function for the target. Formats that are no targets have none. */
bool raster_merge_supports(const struct raster_merge_target *target);
/* True if the function reads the stored pixels of the target. */
bool raster_merge_reads(const struct raster_merge_target *target);

/* --- Memory ----------------------------------------------------------------------------------- */

/* Bases of the function. Arrays have a word of 32 bits a lane. A pixel of up to 32 bits is one
 * word; bits of a stored word above the pixel do not matter. A pixel of 64 or 128 bits is two or
 * four words, each with an array of its own. */
enum {
    RASTER_MERGE_COLOURS,    /* and the next three bases: red, green, blue, alpha */
    RASTER_MERGE_PIXELS = 4, /* up to four arrays: the stored pixels, then the new ones */
    RASTER_MERGE_UNIFORMS, /* four floats: the blend factors; of formats without floats in [0, 1] */
    RASTER_MERGE_TABLES    /* struct raster_merge_tables; with sRGB */
};

/* Tables for sRGB, by the bits of a byte and of a float. */
enum { RASTER_MERGE_SRGB_CODES = 0x781 };
struct raster_merge_tables {
    float linear[256]; /* of a stored code */
    /* Bits 16 to 26 of a linear colour select a word: the code of the range's first float in the
     * high half, and in the low half 0x10000 less the lowest 16 bits of the float from which on the
     * next code applies. The sum of the word and these bits of the colour has the code in its high
     * half. */
    uint32_t code[RASTER_MERGE_SRGB_CODES];
};
void raster_merge_tables_init(struct raster_merge_tables *tables);

/* --- Functions -------------------------------------------------------------------------------- */

/* Returns a function that the caller owns; see ir_status. NULL: no memory. */
struct ir *raster_merge_function(const struct raster_merge_target *target);

#endif
