/* Output merger as a program: from a key to a function of the IR that turns 64 lanes of colours
 * into words of pixels. It holds alpha test, fog, blending, conversion, sRGB and write masks of all
 * targets (reference: alpha-test/reference, fog/table, blend/factors, numbers/unorm). Its bits are
 * those of raster_output_kern.
 *
 * The function touches no surface. The caller loads the stored pixels of the lanes before it, if
 * the key says so, and stores the results behind it. */
#ifndef RASTER_MERGE_MERGE_H
#define RASTER_MERGE_MERGE_H

#include "ir/ir.h"
#include "raster/raster.h"

/* --- Keys ------------------------------------------------------------------------------------- */

/* What changes code. Equal keys have equal bytes: begin with zeros. */
struct raster_merge_target {
    const struct tex_format *format; /* NULL: no target */
    struct raster_blend rgb, alpha;  /* if it blends */
    bool blends, srgb;
    uint8_t write_mask; /* bit c: channel c is written */
};
struct raster_merge_key {
    struct raster_merge_target target[RASTER_TARGETS];
    uint8_t fog;        /* enum raster_fog; of target 0 */
    uint8_t alpha_func; /* D3DCMPFUNC but ALWAYS; 0: no alpha test */
    uint8_t alpha_bits; /* of the alpha test's codes; 0: it compares floats */
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
    RASTER_MERGE_COLOURS,    /* red, green, blue and alpha of target 0, then of the others; then the
                                fog coordinate. Functions of one target: red, and at the next three
                                bases green, blue and alpha */
    RASTER_MERGE_PASSED = 3, /* with an alpha test: the mask of the lanes that pass */
    RASTER_MERGE_STORED,     /* four arrays a target: the stored pixels */
    RASTER_MERGE_PIXELS,     /* four arrays a target: the new pixels. Functions of one target: the
                                stored ones before */
    RASTER_MERGE_UNIFORMS,   /* struct raster_merge_uniforms; of functions of one target: its blend
                                factors */
    RASTER_MERGE_TABLES      /* struct raster_merge_tables; with sRGB */
};
enum { RASTER_MERGE_FOG_AT = RASTER_TARGETS * 4 * 4 * IR_LANES }; /* bytes */

/* What changes no code. */
struct raster_merge_uniforms {
    float factor[RASTER_TARGETS][4]; /* of blending; clamped to [0, 1] for formats without floats */
    float alpha_reference[2]; /* floats: the reference; codes: the reference - 1/2, then + 1/2 */
    float fog_end, fog_range, fog_density, fog_colour[3];
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

/* Return a function that the caller owns; see ir_status. NULL: no memory. */
struct ir *raster_merge_function(const struct raster_merge_key *key);
struct ir *raster_merge_target_function(const struct raster_merge_target *target);

#endif
