/* Cross-lane kernels: derivatives inside a quad, relative addressing, predicates, masked stores.
 * One function per row of ir/ops.def with the kernel CROSS_LANE; they take operands of every
 * kind. */
#include "vm/run/operand_kern.h"

/* --- Derivatives ------------------------------------------------------------------------------ */

/* Lanes of a quad: 0 top left, 1 top right, 2 bottom left, 3 bottom right. Plain C, because a
 * vector may have fewer lanes than a quad. */
INLINE void derivative(const struct vm_ir_op *op, struct vm_frame *f, bool vertical)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 2) {
        struct operand in = operand(f, arg[1]);
        float *d = lane_array(f, arg[0]);
        float staged[VM_LANES] __attribute__((aligned(64)));

        for (unsigned v = 0; v < VECTORS; v++)
            f32v_store(staged + v * SIMD_LANES, load_operand(&in, v));
        for (unsigned q = 0; q < VM_LANES; q += 4) {
            const float *s = staged + q;
            float first = vertical ? s[2] - s[0] : s[1] - s[0];
            float second = vertical ? s[3] - s[1] : s[3] - s[2];

            d[q] = first;
            d[q + 1] = vertical ? second : first;
            d[q + 2] = vertical ? first : second;
            d[q + 3] = second;
        }
        for (unsigned i = 0; op->saturate && i < VM_LANES; i += SIMD_LANES)
            f32v_store(d + i, f32v_sat(f32v_load(d + i)));
    }
}

static VM_SYSV_ABI void DSX(const struct vm_ir_op *op, struct vm_frame *f)
{
    derivative(op, f, false);
}
static VM_SYSV_ABI void DSY(const struct vm_ir_op *op, struct vm_frame *f)
{
    derivative(op, f, true);
}

/* --- Indexed constants ------------------------------------------------------------------------ */

/* True if all lanes have the same index: vertices next to each other usually belong to one bone. */
INLINE bool is_same_in_all_lanes(const struct operand *in)
{
    float first[SIMD_LANES] __attribute__((aligned(64)));
    m32v same_in_all = m32v_all();
    f32v same;

    f32v_store(first, load_operand(in, 0));
    same = f32v_set1(first[0]);
    UNROLL
    for (unsigned v = 0; v < VECTORS; v++)
        same_in_all = m32v_and(same_in_all, f32v_eq(load_operand(in, v), same));
    return m32v_every(same_in_all);
}

/* Computes the byte offset in the constant array of each lane's register, for the first `vectors`
 * vectors. Indices out of range get the register behind the last one, which holds zeros. */
INLINE void compute_offsets(const struct vm_frame *f, const struct operand *in, uint32_t first,
                            unsigned vectors, uint32_t at[VM_LANES])
{
    i32v base = i32v_set1((int32_t)first), end = i32v_set1((int32_t)f->n_constants);

    for (unsigned v = 0; v < vectors; v++) {
        /* An index beyond the range of integers converts to INT32_MIN and is therefore out of
         * range. */
        i32v reg = i32v_add(f32v_to_i32_trunc(load_operand(in, v)), base);
        m32v inside = m32v_and(i32v_lt(i32v_set1(-1), reg), i32v_lt(reg, end));

        i32v_store((int32_t *)at + v * SIMD_LANES, i32v_sll(i32v_select(inside, reg, end), 4));
    }
}

/* Gathers the components of each lane's register into d[0] … d[3]. */
INLINE void gather_registers(const struct vm_frame *f, const uint32_t at[VM_LANES],
                             float *const d[4])
{
    for (unsigned lane = 0; lane < VM_LANES; lane += SIMD_LANES) {
        f32v component[4];

        f32v_load_rows(f->constants, at + lane, component);
        UNROLL
        for (unsigned c = 0; c < 4; c++)
            f32v_store(d[c] + lane, component[c]);
    }
}

/* The same for one register in all lanes. */
INLINE void broadcast_register(const struct vm_frame *f, uint32_t at, float *const d[4])
{
    for (unsigned c = 0; c < 4; c++) {
        f32v component = f32v_set1(f->constants[at / sizeof(float) + c]);

        UNROLL
        for (unsigned lane = 0; lane < VM_LANES; lane += SIMD_LANES)
            f32v_store(d[c] + lane, component);
    }
}

/* Relative addressing by aL, which all lanes share. */
static VM_SYSV_ABI void CONST_LOOP(const struct vm_ir_op *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 2) {
        int64_t reg = (int64_t)(arg[1] / 4) + f->al;
        bool inside = reg >= 0 && reg < (int64_t)f->n_constants;
        f32v value = f32v_set1(inside ? f->constants[reg * 4 + arg[1] % 4] : 0.0f);

        for (unsigned v = 0; v < VECTORS; v++)
            f32v_store(lane_array(f, arg[0]) + v * SIMD_LANES, value);
    }
}

/* Constant array at register imm / 4 + s0, component imm % 4; 0 if out of range. Instances that
 * read components of the same register are handled together. */
static VM_SYSV_ABI void CONST(const struct vm_ir_op *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg, *end = op->arg + 3 * op->n;

    while (arg < end) {
        uint32_t at[VM_LANES] __attribute__((aligned(64)));
        float discarded[VM_LANES] __attribute__((aligned(64)));
        float *d[4] = {discarded, discarded, discarded, discarded};
        uint32_t index = arg[1], first = arg[2] / 4;
        struct operand in = operand(f, index);
        bool same_in_all = is_same_in_all_lanes(&in);

        compute_offsets(f, &in, first, same_in_all ? 1 : VECTORS, at);
        do {
            d[arg[2] % 4] = lane_array(f, arg[0]);
            arg += 3;
        } while (arg < end && arg[1] == index && arg[2] / 4 == first && d[arg[2] % 4] == discarded);
        if (same_in_all)
            broadcast_register(f, at[0], d);
        else
            gather_registers(f, at, d);
    }
}

/* --- Lane masks ------------------------------------------------------------------------------- */

/* Active lanes of a vector. */
INLINE m32v mask_lanes(uint64_t mask, unsigned vector)
{
    return m32v_from_bits((unsigned)(mask >> (vector * SIMD_LANES)) & SIMD_ALL_BITS);
}

static VM_SYSV_ABI void SELECT(const struct vm_ir_op *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 4) {
        uint64_t mask = vm_frame_predicate(f, arg[3]);
        struct operand yes = operand(f, arg[1]), no = operand(f, arg[2]);
        float *d = lane_array(f, arg[0]);

        for (unsigned v = 0; v < VECTORS; v++)
            f32v_store(d + v * SIMD_LANES, f32v_select(mask_lanes(mask, v), load_operand(&yes, v),
                                                       load_operand(&no, v)));
    }
}

static VM_SYSV_ABI void STORE(const struct vm_ir_op *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 2) {
        struct operand in = operand(f, arg[1]);
        float *d = lane_array(f, arg[0]);

        for (unsigned v = 0; v < VECTORS; v++) {
            float *p = d + v * SIMD_LANES;

            f32v_store(
                p, f32v_select(mask_lanes(f->exec_mask, v), load_operand(&in, v), f32v_load(p)));
        }
    }
}

typedef m32v compare_fn(f32v a, f32v b);

INLINE uint64_t compare_mask(const struct vm_frame *f, const uint32_t *src, compare_fn *compare)
{
    struct operand a = operand(f, src[0]), b = operand(f, src[1]);
    uint64_t mask = 0;

    for (unsigned v = 0; v < VECTORS; v++)
        mask |= (uint64_t)m32v_bits(compare(load_operand(&a, v), load_operand(&b, v)))
                << (v * SIMD_LANES);
    return mask;
}

static uint64_t compare_lanes(const struct vm_frame *f, const uint32_t *src, uint32_t comparison)
{
    switch (comparison) {
    case VM_CMP_GT:
        return compare_mask(f, src, f32v_gt);
    case VM_CMP_EQ:
        return compare_mask(f, src, f32v_eq);
    case VM_CMP_GE:
        return compare_mask(f, src, f32v_ge);
    case VM_CMP_LT:
        return compare_mask(f, src, f32v_lt);
    case VM_CMP_NE:
        return compare_mask(f, src, f32v_ne);
    default:
        return compare_mask(f, src, f32v_le);
    }
}

static VM_SYSV_ABI void SETP(const struct vm_ir_op *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 4) {
        uint64_t *p = &f->predicate[arg[2]];

        *p = (compare_lanes(f, arg, arg[3]) & f->exec_mask) | (*p & ~f->exec_mask);
    }
}

static VM_SYSV_ABI void COMPARE(const struct vm_ir_op *op, struct vm_frame *f)
{
    f->condition = compare_lanes(f, op->arg, op->arg[2]);
}

static VM_SYSV_ABI void KILL(const struct vm_ir_op *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 2) {
        struct operand in = operand(f, arg[0]);
        uint64_t mask = 0;

        for (unsigned v = 0; v < VECTORS; v++)
            mask |= (uint64_t)m32v_bits(f32v_lt(load_operand(&in, v), f32v_zero()))
                    << (v * SIMD_LANES);
        f->killed |= mask & f->exec_mask & vm_frame_predicate(f, arg[1]);
    }
}

/* Slot of register imm / 4 + index, component imm % 4, in a table; or -1. */
INLINE int slot_at(const struct vm_slot_table *table, uint32_t imm, float index)
{
    if (!(index >= -4096.0f && index <= 4096.0f))
        return -1;
    int reg = (int)(imm / 4) + (int)index;
    return reg >= 0 && reg < 32 ? table->slot[reg][imm % 4] : -1;
}

static VM_SYSV_ABI void INPUT_LOOP(const struct vm_ir_op *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 2) {
        int slot = slot_at(&f->code->input, arg[1], (float)f->al);

        if (slot < 0)
            memset(lane_array(f, arg[0]), 0, VM_LANE_BYTES);
        else
            memmove(lane_array(f, arg[0]), lane_array(f, (uint32_t)slot * VM_LANE_BYTES),
                    VM_LANE_BYTES);
    }
}

static VM_SYSV_ABI void INPUT(const struct vm_ir_op *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 3) {
        struct operand in = operand(f, arg[1]);
        float *d = lane_array(f, arg[0]);
        float index[VM_LANES] __attribute__((aligned(64)));

        for (unsigned v = 0; v < VECTORS; v++)
            f32v_store(index + v * SIMD_LANES, load_operand(&in, v));
        for (unsigned i = 0; i < VM_LANES; i++) {
            int slot = slot_at(&f->code->input, arg[2], index[i]);

            d[i] = slot < 0 ? 0.0f : ((float *)(void *)f->base[0])[slot * VM_LANES + (int)i];
        }
    }
}

static VM_SYSV_ABI void SCATTER_LOOP(const struct vm_ir_op *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 2) {
        struct operand in = operand(f, arg[0]);
        uint64_t mask = f->exec_mask & vm_frame_predicate(f, arg[1] >> 16);
        int slot = slot_at(&f->code->output, arg[1] & 0xffff, (float)f->al);
        float *outputs = (float *)(void *)(f->base[0] + f->code->outputs_at);

        for (unsigned v = 0; slot >= 0 && v < VECTORS; v++) {
            float *p = outputs + slot * VM_LANES + v * SIMD_LANES;

            f32v_store(p, f32v_select(mask_lanes(mask, v), load_operand(&in, v), f32v_load(p)));
        }
    }
}

static VM_SYSV_ABI void SCATTER(const struct vm_ir_op *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;

    for (unsigned n = op->n; n; n--, arg += 3) {
        struct operand at = operand(f, arg[0]), in = operand(f, arg[1]);
        uint64_t mask = f->exec_mask & vm_frame_predicate(f, arg[2] >> 16);
        float index[VM_LANES] __attribute__((aligned(64)));
        float value[VM_LANES] __attribute__((aligned(64)));
        float *outputs = (float *)(void *)(f->base[0] + f->code->outputs_at);

        for (unsigned v = 0; v < VECTORS; v++) {
            f32v_store(index + v * SIMD_LANES, load_operand(&at, v));
            f32v_store(value + v * SIMD_LANES, load_operand(&in, v));
        }
        for (unsigned i = 0; i < VM_LANES; i++) {
            int slot = slot_at(&f->code->output, arg[2] & 0xffff, index[i]);

            if (slot >= 0 && (mask >> i & 1))
                outputs[slot * VM_LANES + (int)i] = value[i];
        }
    }
}

#define TABLE_LANES(name)
#define TABLE_SEVERAL(name)
#define TABLE_1(name)
#define TABLE_2(name)
#define TABLE_12(name)
#define TABLE_24(name)
#define TABLE_124(name)
#define TABLE_CROSS_LANE(name) [VM_IR_##name] = name,
#define TABLE_SAMPLE(name) [VM_IR_##name] = vm_exec_sample,

const struct vm_cross_lane_kern KERN_NAME(vm_cross_lane_kern) = {
    .fn =
        {
#define IR_OP(name, dst, src, imm, flags, kernel, jit) TABLE_##kernel(name)
#include "vm/ir/ops.def"
#undef IR_OP
        },
};
