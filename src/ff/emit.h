/* Expression helpers for generated shaders: each function emits one instruction into a new register
 * and returns it, so that fixed-function code reads like its formula. Private to ff. */
#ifndef FF_EMIT_H
#define FF_EMIT_H

#include "vm/vm.h"

static inline struct vm_src emit1(struct vm_builder *b, unsigned op, unsigned mask, struct vm_src x)
{
    struct vm_src result = vm_build_temp(b);

    vm_emit1(b, op, vm_to(result, mask), x);
    return result;
}

static inline struct vm_src emit2(struct vm_builder *b, unsigned op, unsigned mask, struct vm_src x,
                                  struct vm_src y)
{
    struct vm_src result = vm_build_temp(b);

    vm_emit2(b, op, vm_to(result, mask), x, y);
    return result;
}

static inline struct vm_src emit3(struct vm_builder *b, unsigned op, unsigned mask, struct vm_src x,
                                  struct vm_src y, struct vm_src z)
{
    struct vm_src result = vm_build_temp(b);

    vm_emit3(b, op, vm_to(result, mask), x, y, z);
    return result;
}

/* One component of a register, replicated. */
static inline struct vm_src component(struct vm_src x, unsigned c)
{
    return vm_swizzle(x, c * 0x55);
}

/* Scalar instructions: compute in x, return it replicated. */
static inline struct vm_src scalar1(struct vm_builder *b, unsigned op, struct vm_src x)
{
    return component(emit1(b, op, VM_MASK_X, x), 0);
}

static inline struct vm_src scalar2(struct vm_builder *b, unsigned op, struct vm_src x,
                                    struct vm_src y)
{
    return component(emit2(b, op, VM_MASK_X, x, y), 0);
}

static inline struct vm_src scalar3(struct vm_builder *b, unsigned op, struct vm_src x,
                                    struct vm_src y, struct vm_src z)
{
    return component(emit3(b, op, VM_MASK_X, x, y, z), 0);
}

static inline struct vm_src splat(struct vm_builder *b, float x)
{
    return vm_build_literal(b, x, x, x, x);
}

#endif
