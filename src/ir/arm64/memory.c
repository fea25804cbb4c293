/* Rows of memory at bases. Masks are vectors of 32-bit lanes in registers and slots, and bits in
 * the memory of functions.
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/arm64/emit.h"

/* --- Addresses -------------------------------------------------------------------------------- */

/* d = reg + offset. Uses ARM64_X16 if the offset is large. */
static void add_offset(struct arm64_code *code, unsigned d, unsigned reg, uint32_t offset)
{
    uint32_t high = offset >> 12, low = offset & 4095;

    if (high > 4095) {
        ir_arm64_emit(code, ARM64_MOVZ, ARM64_X16, 0, 0, offset & 0xffff);
        ir_arm64_emit(code, ARM64_MOVK_16, ARM64_X16, 0, 0, offset >> 16);
        ir_arm64_emit(code, ARM64_ADD_X, d, reg, ARM64_X16, 0);
        return;
    }
    if (high)
        ir_arm64_emit(code, ARM64_ADD_IH, d, reg, 0, high);
    if (low || (!high && d != reg))
        ir_arm64_emit(code, ARM64_ADD_I, d, high ? d : reg, 0, low);
}

struct arm64_memory ir_arm64_reach(struct arm64_code *code, unsigned reg, uint32_t offset,
                                   unsigned bytes)
{
    if (offset % bytes == 0 && offset / bytes < 4096)
        return (struct arm64_memory){reg, offset};
    add_offset(code, ARM64_X17, reg, offset);
    return (struct arm64_memory){ARM64_X17, 0};
}

struct arm64_memory ir_arm64_lane_memory(struct arm64_selector *s, unsigned base, uint32_t offset)
{
    unsigned reg = s->frame->lanes[base];

    if (!(s->ready >> base & 1)) {
        reg = base == ARM64_BASE_OF_WORK ? (unsigned)ARM64_WORK
                                         : ir_arm64_base(s->code, s->frame, base);
        emit3(s, ARM64_ADD_X4, ARM64_X17, reg, ARM64_LANE);
        reg = ARM64_X17;
    }
    return ir_arm64_reach(s->code, reg, offset, ARM64_VECTOR_BYTES);
}

static struct arm64_memory base_memory(struct arm64_selector *s, const struct ir_inst *inst,
                                       unsigned bytes)
{
    return ir_arm64_reach(s->code, ir_arm64_base(s->code, s->frame, inst->base), inst->imm, bytes);
}

/* A register with the address of an instruction's memory, without offsets of lanes. */
static unsigned memory_address(struct arm64_selector *s, const struct ir_inst *inst,
                               uint32_t offset)
{
    unsigned reg = ir_arm64_base(s->code, s->frame, inst->base);

    if (!offset)
        return reg;
    add_offset(s->code, ARM64_X17, reg, offset);
    return ARM64_X17;
}

/* --- One word, or a vector -------------------------------------------------------------------- */

void ir_arm64_load_uniform(struct arm64_selector *s, unsigned d, const struct ir_inst *inst)
{
    struct arm64_memory m;

    if (!inst->imm) {
        emit2(s, ARM64_LD1R, d, ir_arm64_base(s->code, s->frame, inst->base));
        return;
    }
    m = base_memory(s, inst, sizeof(uint32_t));
    emit_imm(s, ARM64_LDR_S, d, m.base, m.offset);
    emit_imm(s, ARM64_DUP_S, d, d, 0);
}

void ir_arm64_emit_uniform(struct arm64_selector *s, const struct arm64_selection *n)
{
    ir_arm64_load_uniform(s, n->d, n->inst);
}

void ir_arm64_emit_load(struct arm64_selector *s, const struct arm64_selection *n)
{
    struct arm64_memory m = ir_arm64_lane_memory(s, n->inst->base, n->inst->imm);

    emit_imm(s, ARM64_LDR_Q, n->d, m.base, m.offset);
}

void ir_arm64_emit_store(struct arm64_selector *s, const struct arm64_selection *n)
{
    struct arm64_memory m = ir_arm64_lane_memory(s, n->inst->base, n->inst->imm);

    emit_imm(s, ARM64_STR_Q, n->x[0], m.base, m.offset);
}

void ir_arm64_emit_ustore(struct arm64_selector *s, const struct arm64_selection *n)
{
    struct arm64_memory m = base_memory(s, n->inst, sizeof(uint32_t));

    emit_imm(s, ARM64_STR_S, n->x[0], m.base, m.offset);
}

/* --- Masks ------------------------------------------------------------------------------------ */

static const struct arm64_vector lane_bits = {{1, 2, 4, 8}};

void ir_arm64_emit_mload(struct arm64_selector *s, const struct arm64_selection *n)
{
    struct arm64_memory m = base_memory(s, n->inst, sizeof(uint64_t));

    emit_imm(s, ARM64_LDR_X, ARM64_X16, m.base, m.offset);
    emit3(s, ARM64_LSR, ARM64_X16, ARM64_X16, ARM64_LANE);
    emit2(s, ARM64_DUP_W, n->d, ARM64_X16);
    ir_arm64_vector(s->code, ARM64_T, &lane_bits);
    emit3(s, ARM64_CMTST, n->d, n->d, ARM64_T);
}

/* Rotates the bits of the lanes to the lowest place, replaces them, and rotates back. */
void ir_arm64_emit_mstore(struct arm64_selector *s, const struct arm64_selection *n)
{
    struct arm64_memory m = base_memory(s, n->inst, sizeof(uint64_t));

    ir_arm64_vector(s->code, ARM64_T, &lane_bits);
    emit3(s, ARM64_AND_V, ARM64_T, ARM64_T, n->x[0]);
    emit2(s, ARM64_ADDV, ARM64_T, ARM64_T);
    emit2(s, ARM64_FMOV_W, ARM64_AT, ARM64_T);
    emit_imm(s, ARM64_LDR_X, ARM64_X16, m.base, m.offset);
    emit3(s, ARM64_ROR, ARM64_X16, ARM64_X16, ARM64_LANE);
    emit2(s, ARM64_BFXIL_4, ARM64_X16, ARM64_AT);
    emit3(s, ARM64_NEG, ARM64_AT, 0, ARM64_LANE);
    emit3(s, ARM64_ROR, ARM64_X16, ARM64_X16, ARM64_AT);
    emit_imm(s, ARM64_STR_X, ARM64_X16, m.base, m.offset);
}

/* --- Offsets of lanes ------------------------------------------------------------------------- */

/* True if the instruction before has left its address, which is the same, in ARM64_AT. */
static bool has_address(const struct arm64_selector *s, const struct arm64_selection *n)
{
    const struct ir_inst *before = &n->inst[-1];

    return before->op == IR_LOAD_AT && before->arg[0] == n->inst->arg[0] &&
           before->base == n->inst->base && !s->live->dead[n->i - 1] && !s->live->cut[n->i];
}

void ir_arm64_emit_load_at(struct arm64_selector *s, const struct arm64_selection *n)
{
    struct arm64_memory m;

    if (!has_address(s, n)) {
        unsigned base = ir_arm64_base(s->code, s->frame, n->inst->base);

        emit2(s, ARM64_FMOV_W, ARM64_X16, n->x[0]);
        emit3(s, ARM64_ADD_SXTW, ARM64_AT, base, ARM64_X16);
    }
    m = ir_arm64_reach(s->code, ARM64_AT, n->inst->imm, sizeof(uint32_t));
    emit_imm(s, ARM64_LDR_S, n->d, m.base, m.offset);
    emit_imm(s, ARM64_DUP_S, n->d, n->d, 0);
}

/* The offset of a lane. */
static void load_offset(struct arm64_selector *s, unsigned offsets, unsigned lane)
{
    if (lane)
        emit_imm(s, ARM64_UMOV, ARM64_X16, offsets, lane);
    else
        emit2(s, ARM64_FMOV_W, ARM64_X16, offsets);
}

/* The words of rows, in four registers by their place in the row: loads of 16 bytes a lane, and a
 * transposition. */
static void emit_rows(struct arm64_selector *s, const struct arm64_selection *n)
{
    unsigned size = machine_row_size(s->live, n->i), t = ARM64_T, u = ARM64_U, reg[4], free = 0,
             address = memory_address(s, n->inst, n->inst->imm & ~UINT32_C(15));
    const uint8_t(*place)[4] = (const uint8_t(*)[4]) & s->allocation->place[n->i];
    bool used[4] = {false};

    for (unsigned k = 0; k < size; k++) {
        unsigned word = n->inst[k].imm / 4 % 4;

        reg[word] = place[k][0];
        used[word] = true;
    }
    for (unsigned word = 0; word < 4; word++)
        if (!used[word])
            reg[word] = place[free++][3];
    for (unsigned lane = 0; lane < ARM64_LANES; lane++) {
        load_offset(s, n->x[0], lane);
        emit3(s, ARM64_LDR_Q_R, reg[lane], address, ARM64_X16);
    }
    emit3(s, ARM64_ZIP1, t, reg[0], reg[2]); /* words 0 and 1 of lanes 0 and 2 */
    emit3(s, ARM64_ZIP2, u, reg[0], reg[2]);
    emit3(s, ARM64_ZIP1, reg[0], reg[1], reg[3]);
    emit3(s, ARM64_ZIP2, reg[2], reg[1], reg[3]);
    emit3(s, ARM64_ZIP2, reg[1], t, reg[0]);
    emit3(s, ARM64_ZIP1, reg[0], t, reg[0]);
    emit3(s, ARM64_ZIP2, reg[3], u, reg[2]);
    emit3(s, ARM64_ZIP1, reg[2], u, reg[2]);
}

/* Skips the next instructions unless the lane is in the mask, whose lanes ARM64_AT has as 16 bits
 * each. Returns the jump. */
static size_t skip_lane(struct arm64_selector *s, unsigned lane)
{
    size_t jump = s->code->n;

    ir_arm64_emit(s->code, ARM64_TBZ, ARM64_AT, 0, lane * 16, 0);
    return jump;
}

static void load_mask(struct arm64_selector *s, unsigned mask)
{
    emit2(s, ARM64_XTN, ARM64_T, mask);
    emit2(s, ARM64_FMOV_X, ARM64_AT, ARM64_T);
}

static void emit_gather_masked(struct arm64_selector *s, const struct arm64_selection *n)
{
    unsigned address = memory_address(s, n->inst, n->inst->imm);

    load_mask(s, n->x[1]);
    emit_constant(s, n->d, 0);
    for (unsigned lane = 0; lane < ARM64_LANES; lane++) {
        size_t jump = skip_lane(s, lane);

        load_offset(s, n->x[0], lane);
        emit3(s, ARM64_ADD_SXTW, ARM64_X16, address, ARM64_X16);
        emit_imm(s, ARM64_LD1, n->d, ARM64_X16, lane);
        ir_arm64_land(s->code, jump);
    }
}

void ir_arm64_emit_gather(struct arm64_selector *s, const struct arm64_selection *n)
{
    const struct ir_inst *lanes = &s->live->inst[n->inst->arg[1]];
    unsigned address;

    if (s->live->row[n->i] == 1)
        emit_rows(s, n);
    if (s->live->row[n->i])
        return;
    if (lanes->op != IR_MCONST || !lanes->imm) {
        emit_gather_masked(s, n);
        return;
    }
    address = memory_address(s, n->inst, n->inst->imm);
    load_offset(s, n->x[0], 0);
    emit3(s, ARM64_LDR_S_R, n->d, address, ARM64_X16);
    for (unsigned lane = 1; lane < ARM64_LANES; lane++) {
        load_offset(s, n->x[0], lane);
        emit3(s, ARM64_ADD_SXTW, ARM64_X16, address, ARM64_X16);
        emit_imm(s, ARM64_LD1, n->d, ARM64_X16, lane);
    }
}

void ir_arm64_emit_scatter(struct arm64_selector *s, const struct arm64_selection *n)
{
    unsigned address = memory_address(s, n->inst, n->inst->imm);

    load_mask(s, n->x[2]);
    for (unsigned lane = 0; lane < ARM64_LANES; lane++) {
        size_t jump = skip_lane(s, lane);

        load_offset(s, n->x[0], lane);
        emit3(s, ARM64_ADD_SXTW, ARM64_X16, address, ARM64_X16);
        emit_imm(s, ARM64_ST1, n->x[1], ARM64_X16, lane);
        ir_arm64_land(s->code, jump);
    }
}
