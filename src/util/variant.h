/* Variant renderers: conforming renderers, each of which resolves something differently that the
 * specification leaves open. A correct implementation may draw a pixel differently from the
 * reference if any variant does (docs/uncertainty.md has sizes and sources).
 *
 * variant_current is set before a device is created and must not change while one exists. Inner
 * loops never test it: vertices are offset before setup, interpolation planes at setup, texture
 * coordinates in a filter function of their own, and arithmetic in shader lowering. */
#ifndef UTIL_VARIANT_H
#define UTIL_VARIANT_H

#include <stdbool.h>
#include <stdint.h>

enum variant_class {
    VARIANT_EDGE = 1,       /* coverage, and attributes that move with vertices */
    VARIANT_TEXEL = 2,      /* texels, their weights and their level */
    VARIANT_DEPTH = 4,      /* which of two surfaces is in front */
    VARIANT_ARITHMETIC = 8, /* interpolation, shader functions, conversion to the target format */
    VARIANT_UNDEFINED = 16, /* uninitialised memory */
    VARIANT_CLASSES = 5     /* number of classes */
};

/* Length of a texture coordinate's derivative, as the LOD takes it. */
enum variant_length {
    VARIANT_EUCLIDEAN,
    VARIANT_OCTAGON,  /* the longer component and 11/32 of the shorter one */
    VARIANT_MIRRORED, /* as far off the Euclidean length as OCTAGON, to the other side */
    VARIANT_ELLIPSE   /* OCTAGON of the axes of the footprint, which is an ellipse */
};

/* Decoding of compressed blocks. */
enum variant_blocks {
    VARIANT_BLOCKS_EXACT,
    VARIANT_BLOCKS_BINARY,  /* weights that sums of binary fractions approximate */
    VARIANT_BLOCKS_MIRRORED /* as far off, to the other side */
};

/* Shape of lines. */
enum variant_line {
    VARIANT_DIAMOND,
    VARIANT_RECTANGLE,    /* one pixel wide across the line */
    VARIANT_WIDE,         /* a rectangle that is larger by 1/64 pixel on all sides */
    VARIANT_PARALLELOGRAM /* one pixel wide along the minor axis */
};

/* Coverage of antialiased lines. */
enum variant_coverage {
    VARIANT_AREA,
    VARIANT_DISTANCE,         /* falls with the distance from the line and from its ends */
    VARIANT_DISTANCE_MIRRORED /* as far off the area as DISTANCE, to the other side */
};

/* Where colours and other centroid attributes of partly covered pixels are evaluated. */
enum variant_centroid {
    VARIANT_CENTROID_FIRST,  /* at the covered sample with the lowest number */
    VARIANT_CENTROID_LAST,   /* at the one with the highest number */
    VARIANT_CENTROID_CENTRE, /* at the pixel's centre */
};

/* Rounding of texture coordinates to 1/texel_steps of a texel, per axis. */
enum variant_round { VARIANT_AS_IS, VARIANT_NEAREST, VARIANT_DOWN, VARIANT_UP };

struct variant {
    const char *name;
    const char *about;      /* what it does, in a few words */
    uint8_t class;          /* enum variant_class */
    int8_t snap[2];         /* offset of all vertices in 1/256 pixel */
    uint8_t jitter;         /* maximum additional offset of each vertex */
    uint8_t depth;          /* maximum depth offset of a primitive in steps of the depth format */
    float attribute;        /* offset of interpolation planes relative to their largest value */
    float texel_steps;      /* 0: coordinates are not rounded */
    uint8_t texel_round[2]; /* enum variant_round, for u and v; w uses v's */
    float lod;              /* added to the LOD */
    uint8_t length;         /* enum variant_length */
    float probes;           /* factor of the number of anisotropic taps; 0: taps of the reference */
    float probe_line;       /* factor of the length of the line of taps */
    bool probe_pairs;       /* an even number of taps, of which the outermost count less */
    float cut;           /* not 0: formats of at most 7 bits a channel are cut (variant_cut) after
                          * this, in 1/255, is added */
    float dither;        /* added with DITHERENABLE, in steps of such a format */
    uint8_t blocks;      /* enum variant_blocks */
    uint8_t line;        /* enum variant_line */
    bool point;          /* the last row and column of points may be missing */
    int8_t stretch;      /* StretchRect: added to source positions, in 1/256 pixel */
    bool stretch_beyond; /* StretchRect blends with pixels beyond the source rectangle */
    uint8_t centroid;    /* enum variant_centroid */
    bool fused;          /* the product in a sum is not rounded */
    bool ieee;           /* 0 * infinity is NaN */
    bool unbound;        /* a texture that is not there has alpha 0 */
    uint8_t coverage;    /* enum variant_coverage */
    float function;      /* relative error of rcp, exp … */
    bool reorder;        /* sums of products start at the last term */
    float write;         /* added to colours, in steps of the target format */
    bool undefined;      /* new memory gets different contents */
    bool negative;       /* negates all random values */
    uint32_t seed;
};

/* The variant of this process, or NULL for the reference. */
extern const struct variant *variant_current;

unsigned variant_count(void);
const struct variant *variant_get(unsigned i);
const struct variant *variant_find(const char *name); /* NULL: unknown name */
const char *variant_class_name(unsigned class_bit);

/* Returns a value in [-1, 1], the same for the same words. */
float variant_random(const struct variant *v, const uint32_t *words, unsigned n);
uint32_t variant_float_bits(float value);

/* A value in [0, 1] rounded to 8 bits, of which the upper `bits` are kept: code / (2^bits - 1). */
float variant_cut(float value, unsigned bits);

#endif
