/* The family of conforming renderers: each member does something else that the specification leaves
 * open. A pixel that differs in any of them is one that a correct implementation may draw otherwise
 * (docs/uncertainty.md has sizes and sources).
 *
 * Set before a device is made and never changed while one lives. Nothing asks in inner loops:
 * vertices are moved before setup, planes at setup, coordinates by a filter of their own, and
 * arithmetic by the code that shaders are lowered to. */
#ifndef UTIL_VARIANT_H
#define UTIL_VARIANT_H

#include <stdbool.h>
#include <stdint.h>

enum variant_class {
    VARIANT_EDGE = 1,       /* which pixels a primitive covers, and what moves with its corners */
    VARIANT_TEXEL = 2,      /* which texels, in which parts, of which level */
    VARIANT_DEPTH = 4,      /* which of two surfaces lies in front */
    VARIANT_ARITHMETIC = 8, /* interpolation, functions of shaders, conversion to the format */
    VARIANT_UNDEFINED = 16, /* memory that nobody has written */
    VARIANT_CLASSES = 5
};

/* Coordinates in units of 1/texel_steps of a texel, by axis. */
enum variant_round { VARIANT_AS_IS, VARIANT_NEAREST, VARIANT_DOWN, VARIANT_UP };

struct variant {
    const char *name;
    uint8_t class;          /* enum variant_class */
    int8_t snap[2];         /* corners move so far, in 1/256 pixel */
    uint8_t jitter;         /* and each for itself, by up to so much */
    uint8_t depth;          /* primitives move by up to so many steps of the depth format */
    float attribute;        /* planes move by this part of their largest value */
    float texel_steps;      /* 0: coordinates stay as they are */
    uint8_t texel_round[2]; /* enum variant_round, of u and v; w goes with v */
    float lod;              /* added to levels of detail */
    float function;         /* results of rcp, exp … are wrong by this part */
    bool reorder;           /* sums of products start at the other end */
    float write;            /* added to colours, in steps of the format */
    bool undefined;         /* new memory has another content */
    bool negative;          /* all that is random has the other sign */
    uint32_t seed;
};

/* The member that this process is, or NULL: the reference. */
extern const struct variant *variant_current;

unsigned variant_count(void);
const struct variant *variant_get(unsigned i);
const struct variant *variant_find(const char *name); /* NULL: there is no such */
const char *variant_class_name(unsigned class_bit);

/* In [-1, 1], the same for the same words. */
float variant_random(const struct variant *v, const uint32_t *words, unsigned n);
uint32_t variant_float_bits(float value);

#endif
