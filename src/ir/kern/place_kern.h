/* Access to places by vectors. For *_kern.c files of ir only.
 *
 * Letters are the types of ops.def: load_F and store_F are those of floats, and so on. `_` is no operand. */
#ifndef IR_KERN_PLACE_KERN_H
#define IR_KERN_PLACE_KERN_H

#include "ir/kern/kern.h"
#include "util/simd/simd.h"

enum { VECTORS = IR_LANES / SIMD_LANES, UNIFORM_VECTORS = IR_UNIFORM_BYTES / SIMD_BYTES };

typedef const struct ir_step *next_step;

SIMD_INLINE char *place_address(const struct ir_frame *f, struct ir_place place)
{
    return f->area[place.area] + place.offset;
}
SIMD_INLINE int32_t *place_words(const struct ir_frame *f, struct ir_place place)
{
    return (int32_t *)(void *)place_address(f, place);
}
SIMD_INLINE uint64_t *place_mask(const struct ir_frame *f, struct ir_place place)
{
    return (uint64_t *)(void *)place_address(f, place);
}

SIMD_INLINE int32_t word_of(const struct ir_frame *f, struct ir_place place, unsigned lane)
{
    int32_t word;

    memcpy(&word, place_address(f, place) + lane * place.word_stride, sizeof(word));
    return word;
}

/* --- Operands --------------------------------------------------------------------------------------------------- */

struct operand {
    const char *words;
    size_t stride; /* bytes between vectors; 0: uniform */
    uint64_t mask;
};

SIMD_INLINE struct operand operand_I(const struct ir_frame *f, struct ir_place place)
{
    return (struct operand){.words = place_address(f, place), .stride = (size_t)place.word_stride * SIMD_LANES};
}
SIMD_INLINE struct operand operand_F(const struct ir_frame *f, struct ir_place place)
{
    return operand_I(f, place);
}
SIMD_INLINE struct operand operand_M(const struct ir_frame *f, struct ir_place place)
{
    return (struct operand){.mask = *place_mask(f, place)};
}
SIMD_INLINE struct operand operand__(const struct ir_frame *f, struct ir_place place)
{
    (void)f, (void)place;
    return (struct operand){.words = NULL};
}

typedef f32v vector_F;
typedef i32v vector_I, vector__;
typedef m32v vector_M;

SIMD_INLINE f32v load_F(const struct operand *o, size_t vector)
{
    return f32v_load((const float *)(const void *)(o->words + vector * o->stride));
}
SIMD_INLINE i32v load_I(const struct operand *o, size_t vector)
{
    return i32v_load((const int32_t *)(const void *)(o->words + vector * o->stride));
}
SIMD_INLINE m32v load_M(const struct operand *o, size_t vector)
{
    return m32v_from_bits((unsigned)(o->mask >> vector * SIMD_LANES) & (unsigned)SIMD_ALL_BITS);
}
SIMD_INLINE i32v load__(const struct operand *o, size_t vector)
{
    (void)o, (void)vector;
    return i32v_set1(0);
}

/* --- Results ---------------------------------------------------------------------------------------------------- */

struct result {
    int32_t *words;
    uint64_t mask;
};

SIMD_INLINE void store_F(struct result *r, size_t vector, f32v value)
{
    f32v_store((float *)(void *)(r->words + vector * SIMD_LANES), value);
}
SIMD_INLINE void store_I(struct result *r, size_t vector, i32v value)
{
    i32v_store(r->words + vector * SIMD_LANES, value);
}
SIMD_INLINE void store_M(struct result *r, size_t vector, m32v value)
{
    r->mask |= (uint64_t)m32v_bits(value) << vector * SIMD_LANES;
}
SIMD_INLINE void finish_F(const struct result *r)
{
    (void)r;
}
SIMD_INLINE void finish_I(const struct result *r)
{
    (void)r;
}
SIMD_INLINE void finish_M(const struct result *r)
{
    memcpy(r->words, &r->mask, sizeof(r->mask));
}

#endif
