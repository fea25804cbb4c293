/* Compiler driver: from the analysis of a function to its bytes.
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/arm64/arm64.h"

#include "ir/arm64/emitter.h"
#include "ir/pass/pass.h"
#include "util/alloc.h"

static enum status generate(struct arm64_code *code, struct machine_code *out, const struct ir *ir)
{
    struct machine_constraint constraint[IR_OP_COUNT];
    struct machine_function f;
    struct arm64_frame frame;
    struct arm64_selector s = {
        .code = code, .live = &f.live, .allocation = &f.allocation, .frame = &frame};
    int16_t *least;
    enum status st;

    ir_arm64_constraints(constraint);
    st = ir_machine_function_init(&f, ir, &ir_arm64_registers, constraint, ARM64_LANES);
    if (st)
        return st;
    s.least = least = mem_alloc(f.live.n * sizeof(*least));
    if (least) {
        ir_arm64_find_least(least, f.live.inst, f.live.n);
        s.corrects = ir_arm64_corrects(least, f.live.inst, f.live.n);
        f.emitter = &ir_arm64_emitter;
        f.machine = &s;
        ir_arm64_frame_init(&frame, &f.live, &f.allocation);
        ir_arm64_enter(code, &frame);
        ir_machine_generate(&f);
        ir_arm64_leave(code, &frame);
        ir_machine_generate_rare(&f);
        out->work_bytes = ir_arm64_work_bytes(&f.allocation);
    }
    st = least ? ir_machine_describe(&f, out) : ST_NOMEM;
    mem_free(least);
    ir_machine_function_fini(&f);
    return code->failed ? ST_NOMEM : st;
}

/* As generate, in an order of operations that suits the registers. */
static enum status generate_ordered(struct arm64_code *code, struct machine_code *out,
                                    const struct ir *ir)
{
    struct ir *ordered;
    enum status st = ir_order(&ordered, ir, ARM64_VALUES, false);

    if (st == ST_OK)
        st = generate(code, out, ordered ? ordered : ir);
    ir_destroy(ordered);
    return st;
}

enum status ir_arm64_compile(struct machine_code *out, const struct ir *ir)
{
    struct arm64_code code;
    enum status st;

    *out = (struct machine_code){0};
    ir_arm64_code_init(&code);
    st = generate_ordered(&code, out, ir);
    if (st == ST_OK) {
        out->n_code = code.n;
        ir_arm64_finish(&code);
        st = code.failed ? ST_NOMEM : code.too_long ? ST_UNSUPPORTED : ST_OK;
        out->bytes = code.bytes;
        out->n = code.n;
        code.bytes = NULL;
    }
    ir_arm64_code_fini(&code);
    return st;
}
