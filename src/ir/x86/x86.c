/* Compiler driver: from the analysis of a function to executable memory.
 *
 * Tested by tests/unit/ir/x86/test_x86.c. */
#include "ir/x86/x86.h"

#include "ir/build/build.h"
#include "ir/pass/pass.h"
#include "ir/x86/flow.h"
#include "ir/x86/pair.h"
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

/* --- Generation ------------------------------------------------------------------------------- */

/* True if one vector does it all: a function that calls nothing, stores nothing that differs
 * between lanes, and goes the same way for all lanes. */
static bool is_single(const struct x86_live *live)
{
    for (uint32_t i = 1; i < live->n; i++) {
        const struct ir_inst *inst = &live->inst[i];
        unsigned op_class = ir_op_info[inst->op].op_class;
        bool branches = inst->op == IR_IF || inst->op == IR_ENDLOOP;

        if (op_class == IR_CLASS_CALL || (op_class == IR_CLASS_WRITE && inst->op != IR_USTORE) ||
            (branches && live->inst[inst->arg[0]].rate != IR_RATE_DRAW))
            return false;
    }
    return true;
}

/* Displacements of instructions have 31 bits. */
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

static enum status generate(struct x86_code *code, struct executable_frame *prologue,
                            size_t *work_bytes, const struct ir *ir, unsigned step)
{
    uint32_t n;
    const struct ir_inst *inst = ir_insts(ir, &n);
    const struct x86_target *target = &code->target;
    struct x86_constraint constraint[IR_OP_COUNT];
    struct x86_allocation allocation = {0};
    struct x86_live live = {0};
    struct x86_frame frame;
    const struct x86_registers *registers = ir_x86_registers(target);
    struct x86_function f = {.selector = {.code = code,
                                          .live = &live,
                                          .allocation = &allocation,
                                          .registers = registers,
                                          .frame = &frame},
                             .step = step,
                             .flow = mem_calloc(n, sizeof(*f.flow))};
    enum status st = f.flow ? ST_OK : ST_NOMEM;

    ir_x86_constraints(constraint, target);
    if (st == ST_OK)
        st = ir_x86_live_init(&live, inst, n, ir->constant_bases);
    if (st == ST_OK)
        st = ir_x86_allocate(&allocation, &live, registers, constraint);
    if (st == ST_OK) {
        f.single = is_single(&live);
        ir_x86_frame_init(&frame, &live, target);
        ir_x86_enter(code, &frame);
        ir_x86_generate(&f);
        ir_x86_leave(code, &frame);
        *prologue = frame.prologue;
        ir_x86_generate_rare(&f);
        *work_bytes = ir_x86_work_bytes(&allocation, target);
        st = code->failed ? ST_NOMEM : ST_OK;
    }
    ir_x86_allocation_fini(&allocation);
    ir_x86_live_fini(&live);
    mem_free(f.flow);
    return st;
}

/* As generate, in an order of operations that suits the registers. */
static enum status generate_ordered(struct x86_code *code, struct executable_frame *prologue,
                                    size_t *work_bytes, const struct ir *ir, unsigned step)
{
    const struct x86_registers *registers = ir_x86_registers(&code->target);
    struct ir *ordered;
    enum status st = ir_order(&ordered, ir, registers->end[0], registers->masks);

    if (st == ST_OK)
        st = generate(code, prologue, work_bytes, ordered ? ordered : ir, step);
    ir_destroy(ordered);
    return st;
}

/* As generate_ordered, for groups of vectors side by side if they are faster: up to 32 lanes, which
 * is what keeps the processor busy. The few registers of x86-32 are not enough for them. */
static enum status generate_best(struct x86_code *code, struct executable_frame *prologue,
                                 size_t *work_bytes, const struct ir *ir)
{
    enum { MOST_LANES = 32 };
    unsigned lanes = x86_lanes(&code->target);
    struct ir *group = NULL, *half;
    bool wants;
    enum status st = ir_x86_want_pairs(ir, &wants);

    wants &= code->target.is_64;
    for (; wants && lanes < MOST_LANES && st == ST_OK; lanes *= 2) {
        half = group;
        group = ir_x86_make_pairs(half ? half : ir, lanes);
        ir_destroy(half);
        st = group ? ir_status(group) : ST_NOMEM;
    }
    if (st == ST_OK)
        st = generate_ordered(code, prologue, work_bytes, group ? group : ir, lanes);
    ir_destroy(group);
    return st;
}

/* Makes generated code executable. */
static enum status install(struct ir_code *code, struct x86_code *generated,
                           const struct executable_frame *prologue)
{
    size_t bytes = generated->n_pool * sizeof(*generated->pool);

    if (!generated->target.is_64) {
        code->pool = mem_alloc(bytes);
        if (!code->pool)
            return ST_NOMEM;
        memcpy(code->pool, generated->pool, bytes);
    }
    ir_x86_finish(generated, (uintptr_t)code->pool);
    if (generated->failed)
        return ST_NOMEM;
    return executable_create(&code->executable, generated->bytes, generated->n, prologue);
}

/* --- Interface -------------------------------------------------------------------------------- */

static bool is_possible(enum cpu_isa isa)
{
#if defined(__x86_64__) || defined(__i386__)
    return isa == ISA_AVX2 || isa == ISA_AVX512;
#else
    (void)isa;
    return false;
#endif
}

enum status ir_compile(struct ir_code **out, const struct ir *ir, enum cpu_isa isa)
{
    const struct x86_target target = {.avx512 = isa == ISA_AVX512, .is_64 = sizeof(void *) == 8};
    uint32_t n;
    const struct ir_inst *inst = ir_insts(ir, &n);
    struct executable_frame prologue;
    struct x86_code generated;
    struct ir_code *code;
    enum status st = ir_status(ir);

    *out = NULL;
    if (st != ST_OK)
        return st;
    if (!is_possible(isa) || !is_supported(inst, n))
        return ST_UNSUPPORTED;
    code = mem_calloc(1, sizeof(*code));
    if (!code)
        return ST_NOMEM;
    ir_x86_code_init(&generated, &target);
    st = generate_best(&generated, &prologue, &code->work_bytes, ir);
    if (st == ST_OK)
        st = install(code, &generated, &prologue);
    ir_x86_code_fini(&generated);
    if (st == ST_OK)
        *out = code;
    else
        ir_code_destroy(code);
    return st;
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
