/* Compiler driver: from the analysis of a function to its bytes.
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/x86/x86.h"

#include "ir/machine/pair.h"
#include "ir/pass/pass.h"
#include "ir/x86/emitter.h"
#include "util/alloc.h"

#include <string.h>

/* --- Generation ------------------------------------------------------------------------------- */

static enum status generate(struct x86_code *code, struct machine_code *out, const struct ir *ir,
                            unsigned step)
{
    const struct x86_target *target = &code->target;
    const struct machine_registers *registers = ir_x86_registers(target);
    struct machine_constraint constraint[IR_OP_COUNT];
    struct machine_function f;
    struct x86_frame frame;
    struct x86_selector selector = {.code = code,
                                    .live = &f.live,
                                    .allocation = &f.allocation,
                                    .registers = registers,
                                    .frame = &frame};
    enum status st;

    ir_x86_constraints(constraint, target);
    st = ir_machine_function_init(&f, ir, registers, constraint, step);
    if (st)
        return st;
    f.emitter = &ir_x86_emitter;
    f.machine = &selector;
    ir_x86_frame_init(&frame, &f.live, target);
    ir_x86_enter(code, &frame);
    ir_machine_generate(&f);
    ir_x86_leave(code, &frame);
    ir_machine_generate_rare(&f);
    out->prologue = frame.prologue;
    out->work_bytes = ir_x86_work_bytes(&f.allocation, target);
    st = ir_machine_describe(&f, out);
    ir_machine_function_fini(&f);
    return code->failed ? ST_NOMEM : st;
}

/* As generate, in an order of operations that suits the registers. */
static enum status generate_ordered(struct x86_code *code, struct machine_code *out,
                                    const struct ir *ir, unsigned step)
{
    const struct machine_registers *registers = ir_x86_registers(&code->target);
    struct ir *ordered;
    enum status st = ir_order(&ordered, ir, registers->end[0], registers->masks);

    if (st == ST_OK)
        st = generate(code, out, ordered ? ordered : ir, step);
    ir_destroy(ordered);
    return st;
}

/* As generate_ordered, for groups of vectors side by side if they are faster: up to 32 lanes, which
 * is what keeps the processor busy. The few registers of x86-32 are not enough for them. */
static enum status generate_best(struct x86_code *code, struct machine_code *out,
                                 const struct ir *ir)
{
    enum { MOST_LANES = 32 };
    unsigned lanes = x86_lanes(&code->target);
    struct ir *group = NULL, *half;
    bool wants;
    enum status st = ir_machine_want_pairs(ir, &wants);

    wants &= code->target.is_64;
    for (; wants && lanes < MOST_LANES && st == ST_OK; lanes *= 2) {
        half = group;
        group = ir_machine_make_pairs(half ? half : ir, lanes);
        ir_destroy(half);
        st = group ? ir_status(group) : ST_NOMEM;
    }
    if (st == ST_OK)
        st = generate_ordered(code, out, group ? group : ir, lanes);
    ir_destroy(group);
    return st;
}

/* Completes generated code. */
static enum status finish(struct machine_code *out, struct x86_code *code)
{
    size_t bytes = code->n_pool * sizeof(*code->pool);

    if (!code->target.is_64) {
        out->pool = mem_alloc(bytes);
        if (!out->pool)
            return ST_NOMEM;
        memcpy(out->pool, code->pool, bytes);
    }
    out->n_code = code->n;
    ir_x86_finish(code, (uintptr_t)out->pool);
    if (code->failed)
        return ST_NOMEM;
    out->bytes = code->bytes;
    out->n = code->n;
    code->bytes = NULL;
    return ST_OK;
}

/* --- Interface -------------------------------------------------------------------------------- */

enum status ir_x86_compile(struct machine_code *out, const struct ir *ir, enum cpu_isa isa)
{
    const struct x86_target target = {.avx512 = isa == ISA_AVX512, .is_64 = sizeof(void *) == 8};
    struct x86_code code;
    enum status st;

    *out = (struct machine_code){0};
    ir_x86_code_init(&code, &target);
    st = generate_best(&code, out, ir);
    if (st == ST_OK)
        st = finish(out, &code);
    ir_x86_code_fini(&code);
    return st;
}
