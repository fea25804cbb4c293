/* Compiler driver: the frame of a function, and executable memory.
 *
 * Tested by tests/unit/ir/x86/test_x86.c. */
#include "ir/x86/x86.h"

#include "ir/x86/select.h"
#include "util/alloc.h"
#include "util/executable.h"

#include <string.h>

/* Compiled code uses the System V convention on 64-bit Windows, too: no vector register is
 * callee-saved there. */
#if defined(_WIN32) && defined(__x86_64__)
#define SYSV_ABI __attribute__((sysv_abi))
#else
#define SYSV_ABI
#endif
typedef SYSV_ABI void code_fn(const struct ir_args *args, void *work);

struct ir_code {
    struct executable executable;
    void *pool; /* x86-32: constants */
    size_t work_bytes;
};

static void emit(struct x86_selector *s, enum x86_form form, unsigned r, struct x86_operand m,
                 int32_t imm)
{
    ir_x86_emit(s->code, &(struct x86_inst){.form = form, .r = (uint8_t)r, .m = m, .imm = imm});
}

/* --- Base addresses
 * --------------------------------------------------------------------------------------------- */

/* General registers for base addresses. The first `n_free` are the caller's to lose. */
struct base_registers {
    uint8_t n, n_free, reg[IR_BASES];
};
static const struct base_registers base_registers[2] = {
    {2, 0, {X86_BX, X86_BP}},
    {8, 4, {X86_R8, X86_R9, X86_R10, X86_R11, X86_BX, X86_BP, X86_R14, X86_R15}},
};

/* Counts the instructions that use each base, and gives registers to those that are used most. */
static void assign_bases(struct x86_selector *s)
{
    const struct base_registers *registers = &base_registers[s->code->target.is_64];
    uint32_t uses[IR_BASES] = {0};

    for (uint32_t i = 1; i < s->live->n; i++) {
        const struct ir_inst *inst = &s->live->inst[i];

        if (ir_op_info[inst->op].op_class == IR_CLASS_READ ||
            ir_op_info[inst->op].op_class == IR_CLASS_WRITE)
            uses[inst->base]++;
    }
    for (unsigned b = 0; b < IR_BASES; b++)
        s->base[b] = uses[b] ? X86_BASE_IN_WORK : X86_BASE_UNUSED;
    for (unsigned r = 0; r < registers->n; r++) {
        unsigned most = IR_BASES;

        for (unsigned b = 0; b < IR_BASES; b++)
            if (s->base[b] == X86_BASE_IN_WORK && (most == IR_BASES || uses[b] > uses[most]))
                most = b;
        if (most < IR_BASES)
            s->base[most] = registers->reg[r];
    }
}

void ir_x86_load_bases(struct x86_selector *s, unsigned args, bool after_call)
{
    const struct base_registers *registers = &base_registers[s->code->target.is_64];
    int32_t pointer = s->code->target.is_64 ? 8 : 4;

    for (unsigned b = 0; b < IR_BASES; b++) {
        bool in_work = s->base[b] == X86_BASE_IN_WORK;

        if (s->base[b] == X86_BASE_UNUSED ||
            (after_call && !memchr(registers->reg, s->base[b], registers->n_free)))
            continue;
        emit(s, X86_MOVP, in_work ? X86_CX : s->base[b], x86_mem(args, (int32_t)b * pointer), 0);
        if (in_work)
            emit(s, X86_MOVP_TO, X86_CX, x86_mem(X86_WORK, X86_WORK_BASES + (int32_t)b * pointer),
                 0);
    }
}

/* --- Function frame
 * --------------------------------------------------------------------------------------------- */

static bool is_used(const struct x86_selector *s, unsigned reg)
{
    return memchr(s->base, (int)reg, IR_BASES);
}

/* Saves or restores what belongs to the caller. Returns the number of words. */
static unsigned save_registers(struct x86_selector *s, enum x86_form form)
{
    const struct base_registers *registers = &base_registers[s->code->target.is_64];
    unsigned saved[IR_BASES + 2], n = 0;

    for (unsigned r = registers->n_free; r < registers->n; r++)
        if (is_used(s, registers->reg[r]))
            saved[n++] = registers->reg[r];
    if (!s->code->target.is_64) {
        saved[n++] = X86_WORK;
        saved[n++] = X86_LANE;
    }
    for (unsigned i = 0; i < n; i++)
        emit(s, form, 0, x86_reg(saved[form == X86_PUSH ? i : n - 1 - i]), 0);
    return n;
}

/* The arguments are in rdi and rsi on x86-64, which is where X86_WORK is; on the stack on x86-32.
 */
static void emit_prologue(struct x86_selector *s)
{
    bool is_64 = s->code->target.is_64;
    unsigned args = is_64 ? X86_DI : X86_AX;

    s->n_saved = save_registers(s, X86_PUSH);
    if (!is_64) {
        int32_t stack = 4 * ((int32_t)s->n_saved + 1);

        emit(s, X86_MOVP, args, x86_mem(X86_SP, stack), 0);
        emit(s, X86_MOVP, X86_WORK, x86_mem(X86_SP, stack + 4), 0);
    }
    emit(s, X86_MOVP_TO, args, x86_mem(X86_WORK, X86_WORK_ARGS), 0);
    ir_x86_load_bases(s, args, false);
}

/* True if a function stores nothing that differs between lanes, and calls nothing: one vector does
 * it all. */
static bool is_single(const struct x86_live *live)
{
    for (uint32_t i = 1; i < live->n; i++) {
        unsigned op_class = ir_op_info[live->inst[i].op].op_class;

        if (op_class == IR_CLASS_CALL ||
            (op_class == IR_CLASS_WRITE && live->inst[i].op != IR_USTORE))
            return false;
    }
    return true;
}

static void emit_function(struct x86_selector *s)
{
    assign_bases(s);
    s->single = is_single(s->live);
    emit_prologue(s);
    ir_x86_select(s);
    save_registers(s, X86_POP);
    ir_x86_clear_upper(s->code);
    ir_x86_ret(s->code);
}

/* --- Interface
 * --------------------------------------------------------------------------------------------------
 */

static bool is_supported(const struct ir_inst *inst, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        unsigned op_class = ir_op_info[inst[i].op].op_class;
        bool is_memory = op_class == IR_CLASS_READ || op_class == IR_CLASS_WRITE;

        if (is_memory && inst[i].imm > INT32_MAX / 2)
            return false;
    }
    return true;
}

enum status ir_x86_generate(struct x86_code *code, size_t *work_bytes, const struct ir_inst *inst,
                            uint32_t n)
{
    const struct x86_target *target = &code->target;
    struct x86_constraint constraint[IR_OP_COUNT];
    struct x86_allocation allocation = {0};
    struct x86_live live = {0};
    struct x86_selector s = {.code = code,
                             .live = &live,
                             .allocation = &allocation,
                             .registers = ir_x86_registers(target),
                             .open = mem_calloc(n, sizeof(*s.open))};
    enum status st = s.open ? ST_OK : ST_NOMEM;

    ir_x86_constraints(constraint, target);
    if (st == ST_OK)
        st = ir_x86_live_init(&live, inst, n);
    if (st == ST_OK)
        st = ir_x86_allocate(&allocation, &live, s.registers, constraint);
    if (st == ST_OK) {
        emit_function(&s);
        *work_bytes = ir_x86_work_bytes(&allocation, target);
        st = code->failed ? ST_NOMEM : ST_OK;
    }
    ir_x86_allocation_fini(&allocation);
    ir_x86_live_fini(&live);
    mem_free(s.open);
    return st;
}

/* Makes generated code executable. */
static enum status install(struct ir_code *code, struct x86_code *generated)
{
    size_t bytes = generated->n_pool * sizeof(*generated->pool);

    if (!generated->target.is_64) {
        code->pool = mem_alloc(bytes);
        if (!code->pool)
            return ST_NOMEM;
        memcpy(code->pool, generated->pool, bytes);
    }
    ir_x86_finish(generated, (uintptr_t)code->pool);
    return generated->failed ? ST_NOMEM
                             : executable_create(&code->executable, generated->bytes, generated->n);
}

enum status ir_compile(struct ir_code **out, const struct ir *ir, enum cpu_isa isa)
{
#if defined(__x86_64__) || defined(__i386__)
    const struct x86_target target = {.avx512 = isa == ISA_AVX512,
                                      .is_64 = sizeof(void *) == 8,
                                      .fast_gathers = cpu_fast_gathers};
    uint32_t n;
    const struct ir_inst *inst = ir_insts(ir, &n);
    struct x86_code generated;
    struct ir_code *code;
    enum status st;

    *out = NULL;
    if (ir_status(ir) != ST_OK)
        return ir_status(ir);
    if ((isa != ISA_AVX2 && isa != ISA_AVX512) || !is_supported(inst, n))
        return ST_UNSUPPORTED;
    code = mem_calloc(1, sizeof(*code));
    if (!code)
        return ST_NOMEM;
    ir_x86_code_init(&generated, &target);
    st = ir_x86_generate(&generated, &code->work_bytes, inst, n);
    if (st == ST_OK)
        st = install(code, &generated);
    ir_x86_code_fini(&generated);
    if (st == ST_OK)
        *out = code;
    else
        ir_code_destroy(code);
    return st;
#else
    (void)ir, (void)isa;
    *out = NULL;
    return ST_UNSUPPORTED;
#endif
}

void ir_code_destroy(struct ir_code *code)
{
    if (!code)
        return;
    executable_destroy(&code->executable);
    mem_free(code->pool);
    mem_free(code);
}

size_t ir_code_work_bytes(const struct ir_code *code)
{
    return code->work_bytes;
}

void ir_code_run(const struct ir_code *code, const struct ir_args *args, void *work)
{
    ((code_fn *)(uintptr_t)code->executable.base)(args, work);
}
