/* Operations of the IR with the rules of Direct3D: products, maxima, comparisons, uniforms.
 *
 * Tested by tests/unit/vm/lower/test_alu.c and tests/unit/vm/lower/test_lower.c. */
#include "vm/lower/passes.h"

#include "util/alloc.h"
#include "util/variant.h"

#include <string.h>

ir_ref vm_op1(struct lower *l, enum ir_op op, ir_ref a)
{
    return ir_emit(l->ir, op, a, 0, 0, 0);
}

ir_ref vm_op2(struct lower *l, enum ir_op op, ir_ref a, ir_ref b)
{
    return ir_emit(l->ir, op, a, b, 0, 0);
}

ir_ref vm_op3(struct lower *l, enum ir_op op, ir_ref a, ir_ref b, ir_ref c)
{
    return ir_emit(l->ir, op, a, b, c, 0);
}

/* --- Uniforms --------------------------------------------------------------------------------- */

ir_ref vm_literal(struct lower *l, float x)
{
    return ir_const_f32(l->ir, x);
}

/* A key has no padding. */
_Static_assert(sizeof(struct vm_scalar) == sizeof(uint64_t), "a scalar is hashed as one number");

/* The bucket of a scalar: that which names it, or the empty one where it belongs. */
static uint32_t *scalar_bucket(const struct lower *l, const struct vm_scalar *key)
{
    uint32_t mask = 2 * l->cap_scalars - 1, at;
    uint64_t bits;

    memcpy(&bits, key, sizeof(bits));
    at = (uint32_t)(bits * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
    while (l->scalar_bucket[at] &&
           memcmp(&l->code->scalar[l->scalar_bucket[at] - 1], key, sizeof(*key)) != 0)
        at = (at + 1) & mask;
    return &l->scalar_bucket[at];
}

/* Doubles the room for scalars. */
static bool grow_scalars(struct lower *l)
{
    uint32_t capacity = l->cap_scalars ? 2 * l->cap_scalars : 64;
    struct vm_scalar *scalar = mem_realloc(l->code->scalar, capacity * sizeof(*scalar));
    uint32_t *bucket = mem_calloc(2 * (size_t)capacity, sizeof(*bucket));

    l->code->scalar = scalar ? scalar : l->code->scalar;
    if (!scalar || !bucket) {
        mem_free(bucket);
        l->status = ST_NOMEM;
        return false;
    }
    mem_free(l->scalar_bucket);
    l->scalar_bucket = bucket;
    l->cap_scalars = capacity;
    for (uint32_t i = 0; i < l->code->n_scalars; i++)
        *scalar_bucket(l, &scalar[i]) = i + 1;
    return true;
}

uint32_t vm_find_scalar(struct lower *l, const struct vm_scalar *key)
{
    struct vm_code *code = l->code;
    uint32_t *bucket;

    if (code->n_scalars == l->cap_scalars && !grow_scalars(l))
        return 0;
    bucket = scalar_bucket(l, key);
    if (!*bucket) {
        code->scalar[code->n_scalars] = *key;
        *bucket = ++code->n_scalars;
    }
    return *bucket - 1;
}

ir_ref vm_scalar(struct lower *l, enum vm_scalar_from from, unsigned index, unsigned component)
{
    struct vm_scalar key = {
        .from = (uint16_t)from, .index = (uint16_t)index, .component = component};

    return ir_emit_mem(l->ir, IR_UNIFORM, VM_BASE_UNIFORMS, 4 * vm_find_scalar(l, &key), 0, 0, 0);
}

/* --- Arithmetic ------------------------------------------------------------------------------- */

ir_ref vm_mul(struct lower *l, ir_ref a, ir_ref b)
{
    bool ieee = l->options->ieee || (variant_current && variant_current->ieee);

    return vm_op2(l, ieee ? IR_FMUL : IR_FMUL0, a, b);
}

/* The upper 12 bits of a number, rounded to nearest. */
static ir_ref upper_half(struct lower *l, ir_ref a)
{
    ir_ref scaled = vm_op2(l, IR_FMUL, a, vm_literal(l, 4097.0f));

    return vm_sub(l, scaled, vm_sub(l, scaled, a));
}

/* What `product` = a * b lacks, by products of halves, which are exact. */
static ir_ref product_error(struct lower *l, ir_ref a, ir_ref b, ir_ref product)
{
    ir_ref ah = upper_half(l, a), bh = upper_half(l, b), e;
    ir_ref al = vm_sub(l, a, ah), bl = vm_sub(l, b, bh);

    e = vm_sub(l, vm_op2(l, IR_FMUL, ah, bh), product);
    e = vm_add(l, e, vm_op2(l, IR_FMUL, ah, bl));
    e = vm_add(l, e, vm_op2(l, IR_FMUL, al, bh));
    return vm_add(l, e, vm_op2(l, IR_FMUL, al, bl));
}

/* a * b + c with the exact product, as variant renderers compute it: the sum of the rounded product
 * and c, plus what both lack. Where an intermediate number overflows, it is the plain sum. */
static ir_ref fused(struct lower *l, ir_ref a, ir_ref b, ir_ref c)
{
    ir_ref product = vm_mul(l, a, b), sum = vm_add(l, product, c), of_c = vm_sub(l, sum, product);
    ir_ref error = vm_add(l, vm_sub(l, product, vm_sub(l, sum, of_c)), vm_sub(l, c, of_c));
    ir_ref exact = vm_add(l, sum, vm_add(l, error, product_error(l, a, b, product)));

    return vm_bool(l, vm_op2(l, IR_FUNORD, exact, exact), sum, exact);
}

static bool is_fused(void)
{
    return variant_current && variant_current->fused;
}

ir_ref vm_mad(struct lower *l, ir_ref a, ir_ref b, ir_ref c)
{
    if (is_fused())
        return fused(l, a, b, c);
    return vm_add(l, vm_mul(l, a, b), c);
}

ir_ref vm_dot(struct lower *l, unsigned n, const ir_ref *a, const ir_ref *b)
{
    ir_ref sum = vm_mul(l, a[0], b[0]);

    for (unsigned i = 1; i < n; i++)
        sum = is_fused() ? fused(l, a[i], b[i], sum) : vm_add(l, sum, vm_mul(l, a[i], b[i]));
    return sum;
}

ir_ref vm_bool(struct lower *l, ir_ref mask, ir_ref then, ir_ref otherwise)
{
    return vm_op3(l, IR_SELECT, mask, then, otherwise);
}

ir_ref vm_max(struct lower *l, ir_ref a, ir_ref b)
{
    return vm_bool(l, vm_op2(l, IR_FLE, b, a), a, b);
}

/* NaN becomes 0. */
ir_ref vm_saturate(struct lower *l, ir_ref a)
{
    ir_ref zero = vm_literal(l, 0.0f), one = vm_literal(l, 1.0f);
    uint32_t n;
    const struct ir_inst *inst = ir_insts(l->ir, &n), *min = &inst[a], *max = &inst[min->arg[0]];

    if (min->op == IR_FMIN && min->arg[1] == one && max->op == IR_FMAX && max->arg[1] == zero)
        return a; /* it is saturated */
    return vm_op2(l, IR_FMIN, vm_op2(l, IR_FMAX, a, zero), one);
}

ir_ref vm_compare(struct lower *l, unsigned comparison, ir_ref a, ir_ref b)
{
    switch (comparison) {
    case VM_CMP_GT:
        return vm_op2(l, IR_FLT, b, a);
    case VM_CMP_EQ:
        return vm_op2(l, IR_FEQ, a, b);
    case VM_CMP_GE:
        return vm_op2(l, IR_FLE, b, a);
    case VM_CMP_LT:
        return vm_op2(l, IR_FLT, a, b);
    case VM_CMP_NE: /* true with a NaN */
        return vm_op1(l, IR_MNOT, vm_op2(l, IR_FEQ, a, b));
    default:
        return vm_op2(l, IR_FLE, a, b);
    }
}
