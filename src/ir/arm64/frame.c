/* Function frames: the procedure call standard of AArch64 (AAPCS64).
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/arm64/frame.h"

#include <string.h>

enum { POINTER_BYTES = 8, FRAME_ARGS = 16, FRAME_SAVES = 32, FRAME_STATUS = 96, FRAME_BYTES = 112 };
enum { FIRST_SAVED = 8, SAVED = 8 };

/* --- Base addresses --------------------------------------------------------------------------- */

/* Gives free registers to the candidates with the most uses. */
static void assign(uint8_t *to, const uint32_t *uses, unsigned n, unsigned most, unsigned *free)
{
    for (unsigned given = 0; given < most && *free < ARM64_FIRST + ARM64_ADDRESSES; given++) {
        unsigned best = n;

        for (unsigned i = 0; i < n; i++)
            if (uses[i] && to[i] == ARM64_NO_REGISTER && (best == n || uses[i] > uses[best]))
                best = i;
        if (best == n)
            return;
        to[best] = (uint8_t)(*free)++;
    }
}

/* The callee keeps the lower halves of vector registers 8 to 15. */
static bool uses_saved(const struct machine_live *live, const struct machine_allocation *a)
{
    for (uint32_t i = 1; i < live->n; i++)
        for (unsigned k = 0; k < 4; k++)
            if (a->place[i][k] >= FIRST_SAVED && a->place[i][k] < FIRST_SAVED + SAVED)
                return true;
    for (uint32_t m = 0; m < a->n_moves; m++)
        if (a->move[m].to >= FIRST_SAVED && a->move[m].to < FIRST_SAVED + SAVED)
            return true;
    return false;
}

void ir_arm64_frame_init(struct arm64_frame *frame, const struct machine_live *live,
                         const struct machine_allocation *allocation)
{
    enum { MOST_BASES = 9 };
    uint32_t uses[IR_BASES] = {0}, lanes[ARM64_BASES + 1] = {0};
    unsigned free = ARM64_FIRST;

    *frame = (struct arm64_frame){.saves = uses_saved(live, allocation)};
    for (uint32_t i = 1; i < live->n; i++) {
        const struct ir_inst *inst = &live->inst[i];
        unsigned op_class = ir_op_info[inst->op].op_class;

        if (op_class == IR_CLASS_READ || op_class == IR_CLASS_WRITE)
            uses[inst->base]++;
        if (inst->op == IR_STORE || inst->op == IR_LOAD)
            lanes[inst->base]++;
        else
            lanes[arm64_lane_base(live, allocation, i)]++;
        frame->calls |= op_class == IR_CLASS_CALL;
    }
    memset(frame->base, ARM64_NO_REGISTER, sizeof(frame->base));
    memset(frame->lanes, ARM64_NO_REGISTER, sizeof(frame->lanes));
    assign(frame->base, uses, IR_BASES, MOST_BASES, &free);
    assign(frame->lanes, lanes, ARM64_BASES, ARM64_BASES, &free);
    assign(frame->base, uses, IR_BASES, IR_BASES, &free);
}

static void load_bases(struct arm64_code *code, const struct arm64_frame *frame)
{
    for (unsigned b = 0; b < IR_BASES; b++)
        if (frame->base[b] != ARM64_NO_REGISTER)
            ir_arm64_emit(code, ARM64_LDR_X, frame->base[b], ARM64_ARGS, 0, POINTER_BYTES * b);
}

unsigned ir_arm64_base(struct arm64_code *code, const struct arm64_frame *frame, unsigned base)
{
    if (frame->base[base] != ARM64_NO_REGISTER)
        return frame->base[base];
    ir_arm64_emit(code, ARM64_LDR_X, ARM64_X17, ARM64_ARGS, 0, POINTER_BYTES * base);
    return ARM64_X17;
}

/* --- Entry, exit, calls ----------------------------------------------------------------------- */

/* util/unwind_arm64.c describes these instructions to Windows. */
void ir_arm64_enter(struct arm64_code *code, struct arm64_frame *frame)
{
    frame->prologue =
        (struct executable_frame){.pair_bytes = frame->calls || frame->saves ? FRAME_BYTES : 0,
                                  .sets_pointer = frame->calls,
                                  .n_vectors = frame->saves ? SAVED : 0,
                                  .vectors_at = FRAME_SAVES};
    if (frame->calls || frame->saves)
        ir_arm64_emit(code, ARM64_STP_PUSH, ARM64_FP, 0, 0, -FRAME_BYTES);
    if (frame->calls) {
        ir_arm64_emit(code, ARM64_ADD_I, ARM64_FP, ARM64_SP, 0, 0);
        ir_arm64_emit(code, ARM64_STP_X01, 0, 0, 0, FRAME_ARGS);
    }
    for (unsigned i = 0; i < SAVED && frame->saves; i++)
        ir_arm64_emit(code, ARM64_STR_D_SP, FIRST_SAVED + i, 0, 0, FRAME_SAVES + 8 * i);
    load_bases(code, frame);
}

void ir_arm64_leave(struct arm64_code *code, struct arm64_frame *frame)
{
    frame->prologue.leave_at[frame->prologue.n_leaves++] = (uint32_t)code->n;
    for (unsigned i = 0; i < SAVED && frame->saves; i++)
        ir_arm64_emit(code, ARM64_LDR_D_SP, FIRST_SAVED + i, 0, 0, FRAME_SAVES + 8 * i);
    if (frame->calls || frame->saves)
        ir_arm64_emit(code, ARM64_LDP_POP, ARM64_FP, 0, 0, FRAME_BYTES);
    ir_arm64_emit(code, ARM64_RET, 0, 0, 0, 0);
}

/* Fields of struct ir_args: the function and its first argument follow the bases. */
void ir_arm64_call(struct arm64_code *code, const struct arm64_frame *frame, uint32_t function,
                   bool keeps_status)
{
    enum { CALL = IR_BASES * POINTER_BYTES, CALL_CTX = CALL + POINTER_BYTES };

    if (keeps_status) {
        ir_arm64_emit(code, ARM64_MRS_FPSR, ARM64_X16, 0, 0, 0);
        ir_arm64_emit(code, ARM64_STR_X, ARM64_X16, ARM64_SP, 0, FRAME_STATUS);
    }
    ir_arm64_emit(code, ARM64_LDR_X, ARM64_X16, ARM64_ARGS, 0, CALL);
    ir_arm64_emit(code, ARM64_LDR_X, 0, ARM64_ARGS, 0, CALL_CTX);
    ir_arm64_emit(code, ARM64_MOVZ, 1, 0, 0, function & 0xffff);
    if (function >> 16)
        ir_arm64_emit(code, ARM64_MOVK_16, 1, 0, 0, function >> 16);
    ir_arm64_emit(code, ARM64_BLR, 0, ARM64_X16, 0, 0);
    if (keeps_status) {
        ir_arm64_emit(code, ARM64_LDR_X, ARM64_X16, ARM64_SP, 0, FRAME_STATUS);
        ir_arm64_emit(code, ARM64_MSR_FPSR, ARM64_X16, 0, 0, 0);
    }
    ir_arm64_emit(code, ARM64_LDP_X01, 0, 0, 0, FRAME_ARGS);
    load_bases(code, frame);
}
