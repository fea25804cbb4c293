/* Operand access of IR kernels. For *_kern.c files of vm only. */
#ifndef VM_RUN_OPERAND_KERN_H
#define VM_RUN_OPERAND_KERN_H

#include "util/simd/simd.h"
#include "vm/run/frame.h"

#define INLINE static inline __attribute__((always_inline))

enum { VECTORS = VM_LANES / SIMD_LANES };

/* Operand of any kind. */
struct operand {
    const char *p;
    size_t stride; /* bytes between vectors, 0 for uniforms */
    int32_t and_mask, xor_mask;
};

INLINE struct operand operand(const struct vm_frame *f, uint32_t arg)
{
    return (struct operand){
        .p = f->base[arg & VM_ARG_UNIFORM] + (arg & (uint32_t)VM_ARG_OFFSET),
        .stride = arg & VM_ARG_UNIFORM ? 0 : SIMD_BYTES,
        .and_mask = arg & VM_ARG_ABS ? INT32_MAX : -1,
        .xor_mask = arg & VM_ARG_NEG ? INT32_MIN : 0,
    };
}

/* Operand without modifiers. */
INLINE f32v load_plain(const struct operand *s, unsigned vector)
{
    return f32v_load((const float *)(const void *)(s->p + vector * s->stride));
}

INLINE f32v load_operand(const struct operand *s, unsigned vector)
{
    return f32v_xor_bits(f32v_and_bits(load_plain(s, vector), s->and_mask), s->xor_mask);
}

/* Lane array and uniform of operand words without modifiers. */
INLINE float *lane_array(const struct vm_frame *f, uint32_t arg)
{
    return (float *)(void *)(f->base[0] + arg);
}

INLINE f32v uniform(const struct vm_frame *f, uint32_t arg)
{
    return f32v_load((const float *)(const void *)(f->base[1] + arg - VM_ARG_UNIFORM));
}

#endif
