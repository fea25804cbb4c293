/* Function frames: System V conventions of x86-64, and cdecl of x86-32.
 *
 * Tested by tests/unit/ir/x86/test_x86.c. */
#include "ir/x86/frame.h"

#include <string.h>

static void emit(struct x86_code *code, enum x86_form form, unsigned r, struct x86_operand m,
                 int32_t imm)
{
    ir_x86_emit(code, &(struct x86_inst){.form = form, .r = (uint8_t)r, .m = m, .imm = imm});
}

static int32_t pointer_bytes(const struct x86_code *code)
{
    return code->target.is_64 ? 8 : 4;
}

/* --- Base addresses --------------------------------------------------------------------------- */

/* General registers for base addresses. Callees keep all but the first `n_lost`. */
struct base_registers {
    uint8_t n, n_lost, reg[IR_BASES];
};

static const struct base_registers *base_registers(const struct x86_target *t)
{
    static const struct base_registers registers[2] = {
        {2, 0, {X86_BX, X86_BP}},
        {8, 4, {X86_R8, X86_R9, X86_R10, X86_R11, X86_BX, X86_BP, X86_R14, X86_R15}},
    };

    return &registers[t->is_64];
}

void ir_x86_frame_init(struct x86_frame *frame, const struct x86_live *live,
                       const struct x86_target *target)
{
    const struct base_registers *registers = base_registers(target);
    uint32_t uses[IR_BASES] = {0};

    for (uint32_t i = 1; i < live->n; i++) {
        const struct ir_inst *inst = &live->inst[i];
        unsigned op_class = ir_op_info[inst->op].op_class;

        if (op_class == IR_CLASS_READ || op_class == IR_CLASS_WRITE)
            uses[inst->base]++;
    }
    for (unsigned b = 0; b < IR_BASES; b++)
        frame->base[b] = uses[b] ? X86_BASE_IN_WORK : X86_BASE_UNUSED;
    for (unsigned r = 0; r < registers->n; r++) {
        unsigned most = IR_BASES;

        for (unsigned b = 0; b < IR_BASES; b++)
            if (frame->base[b] == X86_BASE_IN_WORK && (most == IR_BASES || uses[b] > uses[most]))
                most = b;
        if (most < IR_BASES)
            frame->base[most] = registers->reg[r];
    }
}

/* Loads base addresses from the arguments: all, or those that a call has destroyed. */
static void load_bases(struct x86_code *code, const struct x86_frame *frame, unsigned args,
                       bool after_call)
{
    const struct base_registers *registers = base_registers(&code->target);

    for (unsigned b = 0; b < IR_BASES; b++) {
        bool in_work = frame->base[b] == X86_BASE_IN_WORK;
        bool is_lost = memchr(registers->reg, frame->base[b], registers->n_lost);
        int32_t at = (int32_t)b * pointer_bytes(code);

        if (frame->base[b] == X86_BASE_UNUSED || (after_call && !is_lost))
            continue;
        emit(code, X86_MOVP, in_work ? X86_BASE_LOAD : frame->base[b], x86_mem(args, at), 0);
        if (in_work)
            emit(code, X86_MOVP_TO, X86_BASE_LOAD, x86_mem(X86_WORK, X86_WORK_BASES + at), 0);
    }
}

unsigned ir_x86_base(struct x86_code *code, const struct x86_frame *frame, unsigned base)
{
    int32_t at = X86_WORK_BASES + (int32_t)base * pointer_bytes(code);

    if (frame->base[base] != X86_BASE_IN_WORK)
        return frame->base[base];
    emit(code, X86_MOVP, X86_BASE_LOAD, x86_mem(X86_WORK, at), 0);
    return X86_BASE_LOAD;
}

/* --- Entry and exit --------------------------------------------------------------------------- */

/* Pushes or pops the caller's registers. Returns their number. */
static unsigned save_registers(struct x86_code *code, const struct x86_frame *frame,
                               enum x86_form form)
{
    const struct base_registers *registers = base_registers(&code->target);
    unsigned saved[IR_BASES + 2], n = 0;

    for (unsigned r = registers->n_lost; r < registers->n; r++)
        if (memchr(frame->base, registers->reg[r], IR_BASES))
            saved[n++] = registers->reg[r];
    if (!code->target.is_64) {
        saved[n++] = X86_WORK;
        saved[n++] = X86_LANE;
    }
    for (unsigned i = 0; i < n; i++)
        emit(code, form, 0, x86_reg(saved[form == X86_PUSH ? i : n - 1 - i]), 0);
    return n;
}

/* The arguments are in rdi and rsi on x86-64, which is where X86_WORK is; on the stack on
 * x86-32. */
void ir_x86_enter(struct x86_code *code, struct x86_frame *frame)
{
    unsigned args = code->target.is_64 ? X86_DI : X86_AX;

    frame->n_saved = save_registers(code, frame, X86_PUSH);
    if (!code->target.is_64) {
        int32_t stack = 4 * ((int32_t)frame->n_saved + 1);

        emit(code, X86_MOVP, args, x86_mem(X86_SP, stack), 0);
        emit(code, X86_MOVP, X86_WORK, x86_mem(X86_SP, stack + 4), 0);
    }
    emit(code, X86_MOVP_TO, args, x86_mem(X86_WORK, X86_WORK_ARGS), 0);
    load_bases(code, frame, args, false);
}

void ir_x86_leave(struct x86_code *code, const struct x86_frame *frame)
{
    save_registers(code, frame, X86_POP);
    ir_x86_clear_upper(code);
    ir_x86_ret(code);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* Fields of struct ir_args. */
static struct x86_operand args_call(const struct x86_code *code)
{
    return x86_mem(X86_AX, IR_BASES * pointer_bytes(code));
}

static struct x86_operand args_context(const struct x86_code *code)
{
    return x86_mem(X86_AX, (IR_BASES + 1) * pointer_bytes(code));
}

/* Arguments are on the stack, which is aligned to 16 bytes. */
static void call_32(struct x86_code *code, const struct x86_frame *frame, uint32_t function)
{
    int32_t used = 4 * ((int32_t)frame->n_saved + 1), room = 8;

    room += (16 - (used + room) % 16) % 16;
    emit(code, X86_SUBP_I, 0, x86_reg(X86_SP), room);
    emit(code, X86_MOVP, X86_CX, args_context(code), 0);
    emit(code, X86_MOVP_TO, X86_CX, x86_mem(X86_SP, 0), 0);
    emit(code, X86_MOV_I, 0, x86_mem(X86_SP, 4), (int32_t)function);
    emit(code, X86_CALL, 0, args_call(code), 0);
    emit(code, X86_ADDP_I, 0, x86_reg(X86_SP), room);
}

/* The callee is compiled for its system: Windows has other argument registers, and room for them on
 * the stack. */
static void call_64(struct x86_code *code, const struct x86_frame *frame, uint32_t function)
{
#ifdef _WIN32
    enum { FIRST = X86_CX, SECOND = X86_DX, HOME_BYTES = 32 };
#else
    enum { FIRST = X86_DI, SECOND = X86_SI, HOME_BYTES = 0 };
#endif
    int32_t used = 8 * ((int32_t)frame->n_saved + 2), room = HOME_BYTES + used % 16;

    emit(code, X86_PUSH, 0, x86_reg(X86_WORK), 0);
    if (room)
        emit(code, X86_SUBP_I, 0, x86_reg(X86_SP), room);
    emit(code, X86_MOVP, FIRST, args_context(code), 0);
    emit(code, X86_MOV_I, 0, x86_reg(SECOND), (int32_t)function);
    emit(code, X86_CALL, 0, args_call(code), 0);
    if (room)
        emit(code, X86_ADDP_I, 0, x86_reg(X86_SP), room);
    emit(code, X86_POP, 0, x86_reg(X86_WORK), 0);
}

void ir_x86_call(struct x86_code *code, const struct x86_frame *frame, uint32_t function)
{
    struct x86_operand args = x86_mem(X86_WORK, X86_WORK_ARGS);

    ir_x86_clear_upper(code);
    emit(code, X86_MOVP, X86_AX, args, 0);
    if (code->target.is_64)
        call_64(code, frame, function);
    else
        call_32(code, frame, function);
    emit(code, X86_MOVP, X86_AX, args, 0);
    load_bases(code, frame, X86_AX, true);
}
