/* Function frames: System V conventions of x86-64, and cdecl of x86-32.
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
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

void ir_x86_frame_init(struct x86_frame *frame, const struct machine_live *live,
                       const struct x86_target *target)
{
    const struct base_registers *registers = base_registers(target);
    uint32_t uses[IR_BASES] = {0};

    *frame = (struct x86_frame){0};
    for (uint32_t i = 1; i < live->n; i++) {
        const struct ir_inst *inst = &live->inst[i];
        unsigned op_class = ir_op_info[inst->op].op_class;

        if (op_class == IR_CLASS_READ || op_class == IR_CLASS_WRITE)
            uses[inst->base]++;
        frame->calls |= op_class == IR_CLASS_CALL;
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

/* Calls need arguments and a place for the address of work memory on the stack, which is aligned to
 * 16 bytes at a call. Only the prologue and the epilogue move the stack pointer, so that 64-bit
 * Windows can walk the stack. The callee is compiled for its system: Windows has other argument
 * registers, and room for them on the stack. */
#ifdef _WIN32
enum { FIRST_ARGUMENT = X86_CX, SECOND_ARGUMENT = X86_DX, HOME_BYTES = 32 };
#else
enum { FIRST_ARGUMENT = X86_DI, SECOND_ARGUMENT = X86_SI, HOME_BYTES = 0 };
#endif
enum { STACK_ALIGNMENT = 16, ARGUMENT_BYTES_32 = 8 };

static int32_t stack_bytes(const struct x86_code *code, unsigned n_pushed)
{
    int32_t pushed = ((int32_t)n_pushed + 1) * pointer_bytes(code); /* and the return address */
    int32_t needed = code->target.is_64 ? HOME_BYTES + 8 : ARGUMENT_BYTES_32;

    return needed + (STACK_ALIGNMENT - (pushed + needed) % STACK_ALIGNMENT) % STACK_ALIGNMENT;
}

/* The caller's registers that the function changes. Returns their number. */
static unsigned list_saved(const struct x86_code *code, const struct x86_frame *frame,
                           uint8_t saved[EXECUTABLE_PUSHES])
{
    const struct base_registers *registers = base_registers(&code->target);
    unsigned n = 0;

    for (unsigned r = registers->n_lost; r < registers->n; r++)
        if (memchr(frame->base, registers->reg[r], IR_BASES))
            saved[n++] = registers->reg[r];
    if (!code->target.is_64) {
        saved[n++] = X86_WORK;
        saved[n++] = X86_LANE;
    }
    return n;
}

/* The arguments are in rdi and rsi on x86-64, which is where X86_WORK is; on the stack on
 * x86-32. */
void ir_x86_enter(struct x86_code *code, struct x86_frame *frame)
{
    struct executable_frame *prologue = &frame->prologue;
    unsigned args = code->target.is_64 ? X86_DI : X86_AX;

    prologue->n_pushes = (uint8_t)list_saved(code, frame, prologue->pushed);
    for (unsigned i = 0; i < prologue->n_pushes; i++) {
        emit(code, X86_PUSH, 0, x86_reg(prologue->pushed[i]), 0);
        prologue->push_end[i] = (uint8_t)code->n;
    }
    if (!code->target.is_64) {
        int32_t stack = 4 * (prologue->n_pushes + 1);

        emit(code, X86_MOVP, args, x86_mem(X86_SP, stack), 0);
        emit(code, X86_MOVP, X86_WORK, x86_mem(X86_SP, stack + 4), 0);
    }
    if (frame->calls) {
        frame->stack_bytes = stack_bytes(code, prologue->n_pushes);
        emit(code, X86_SUBP_I, 0, x86_reg(X86_SP), frame->stack_bytes);
        prologue->reserved = (uint8_t)frame->stack_bytes;
        prologue->reserve_end = (uint8_t)code->n;
    }
    emit(code, X86_MOVP_TO, args, x86_mem(X86_WORK, X86_WORK_ARGS), 0);
    if (frame->calls && code->target.is_64)
        emit(code, X86_MOVP_TO, X86_WORK, x86_mem(X86_SP, HOME_BYTES), 0);
    load_bases(code, frame, args, false);
}

void ir_x86_leave(struct x86_code *code, const struct x86_frame *frame)
{
    ir_x86_clear_upper(code);
    if (frame->calls)
        emit(code, X86_ADDP_I, 0, x86_reg(X86_SP), frame->stack_bytes);
    for (unsigned i = frame->prologue.n_pushes; i-- > 0;)
        emit(code, X86_POP, 0, x86_reg(frame->prologue.pushed[i]), 0);
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

/* Arguments are on the stack. */
static void call_32(struct x86_code *code, uint32_t function)
{
    emit(code, X86_MOVP, X86_CX, args_context(code), 0);
    emit(code, X86_MOVP_TO, X86_CX, x86_mem(X86_SP, 0), 0);
    emit(code, X86_MOV_I, 0, x86_mem(X86_SP, 4), (int32_t)function);
    emit(code, X86_CALL, 0, args_call(code), 0);
}

static void call_64(struct x86_code *code, uint32_t function)
{
    emit(code, X86_MOVP, FIRST_ARGUMENT, args_context(code), 0);
    emit(code, X86_MOV_I, 0, x86_reg(SECOND_ARGUMENT), (int32_t)function);
    emit(code, X86_CALL, 0, args_call(code), 0);
    emit(code, X86_MOVP, X86_WORK, x86_mem(X86_SP, HOME_BYTES), 0);
}

void ir_x86_call(struct x86_code *code, const struct x86_frame *frame, uint32_t function)
{
    struct x86_operand args = x86_mem(X86_WORK, X86_WORK_ARGS);

    ir_x86_clear_upper(code);
    emit(code, X86_MOVP, X86_AX, args, 0);
    if (code->target.is_64)
        call_64(code, function);
    else
        call_32(code, function);
    emit(code, X86_MOVP, X86_AX, args, 0);
    load_bases(code, frame, X86_AX, true);
}
