/* Output merger as operations of the IR: from 64 lanes of colours to words of pixels. It holds
 * alpha test, fog, blending, conversion, sRGB and write masks of all targets (reference:
 * alpha-test/reference, fog/table, blend/factors, numbers/unorm). Its bits are those of
 * raster_output_kern.
 *
 * The operations either end a shader's function, so that colours stay in registers, or make a
 * function of their own for one target. They touch no surface: the caller copies the stored pixels
 * of the lanes before, if they are read, and stores the results behind. */
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

/* Bases of the operations. Arrays have a word of 32 bits a lane. A pixel of up to 32 bits is one
 * word; bits of a stored word above the pixel do not matter. A pixel of 64 or 128 bits is two or
 * four words, each with an array of its own. */
enum {
    RASTER_MERGE_COLOURS,    /* and the next three bases: red, green, blue and alpha; only of a
                                function of one target */
    RASTER_MERGE_PIXELS = 8, /* four arrays a target: the stored pixels, then the new ones */
    RASTER_MERGE_UNIFORMS,   /* struct raster_merge_uniforms */
    RASTER_MERGE_TABLES,     /* struct raster_merge_tables; with sRGB */
    RASTER_MERGE_FOG,        /* the fog coordinate; with fog */
    RASTER_MERGE_BASES
};

/* What changes no code. */
struct raster_merge_uniforms {
    /* Of blending; clamped to [0, 1] for formats without floats. First: all that a function of one
     * target reads. */
    float factor[RASTER_TARGETS][4];
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

/* --- Operations ------------------------------------------------------------------------------- */

/* Appends the operations of all targets to a function. colour: those of each target, in all lanes;
 * colour 1 is the second source colour of blending, too, and read if a factor takes it. Returns the
 * mask of the lanes that pass the alpha test, or 0 if there is none. */
ir_ref raster_merge_emit(struct ir *ir, const struct raster_merge_key *key,
                         const ir_ref (*colour)[4]);
/* Returns the function of one target, which the caller owns; see ir_status. NULL: no memory. It has
 * no second source colour: those targets are left to raster_output_kern. */
struct ir *raster_merge_target_function(const struct raster_merge_target *target);

#endif
