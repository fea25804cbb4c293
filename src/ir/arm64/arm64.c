/* Compiler driver: from the analysis of a function to its bytes.
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/arm64/arm64.h"

#include "ir/arm64/emitter.h"
#include "ir/build/build.h"
#include "ir/pass/pass.h"
#include "util/alloc.h"

/* The function behind its entry. checks: returns a jump that is taken if it has flushed a
 * result to zero. */
static size_t generate_once(struct arm64_selector *s, struct machine_function *f, bool checks)
{
    enum { UNDERFLOW_BIT = 3, ZERO = 31 };
    size_t jump = 0, stay;

    if (checks)
        ir_arm64_emit(s->code, ARM64_MSR_FPSR, ZERO, 0, 0, 0);
    ir_machine_generate(f);
    if (checks) {
        ir_arm64_emit(s->code, ARM64_MRS_FPSR, ARM64_X16, 0, 0, 0);
        stay = s->code->n;
        ir_arm64_emit(s->code, ARM64_TBZ, ARM64_X16, 0, UNDERFLOW_BIT, 0);
        jump = s->code->n;
        ir_arm64_emit(s->code, ARM64_B, 0, 0, 0, 0);
        ir_arm64_land(s->code, stay);
    }
    ir_arm64_leave(s->code, s->frame);
    ir_machine_generate_rare(f);
    return jump;
}

/* Code with plain products, and the same with corrections behind it, if that saves any. */
static void generate_all(struct arm64_selector *s, struct machine_function *f, bool may_repeat,
                         bool calls_repeat)
{
    const struct ir_inst *inst = f->live.inst;
    bool corrects = ir_arm64_corrects(s->least, inst, f->live.n);
    bool repeats = may_repeat && corrects && ir_arm64_can_repeat(inst, f->live.n, calls_repeat);
    size_t jump;

    ir_arm64_enter(s->code, s->frame);
    if (repeats) {
        s->plain = true;
        jump = generate_once(s, f, true);
        ir_arm64_land(s->code, jump);
    }
    s->plain = false;
    s->corrects = corrects;
    generate_once(s, f, false);
}

static enum status generate(struct arm64_code *code, struct machine_code *out, const struct ir *ir,
                            bool may_repeat)
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
        f.emitter = &ir_arm64_emitter;
        f.machine = &s;
        ir_arm64_frame_init(&frame, &f.live, &f.allocation);
        generate_all(&s, &f, may_repeat, ir->constant_bases & IR_CALLS_REPEAT);
        out->prologue = frame.prologue;
        out->work_bytes = ir_arm64_work_bytes(&f.allocation);
    }
    st = least ? ir_machine_describe(&f, out) : ST_NOMEM;
    mem_free(least);
    ir_machine_function_fini(&f);
    return code->failed ? ST_NOMEM : st;
}

/* As generate, in an order of operations that suits the registers. */
static enum status generate_ordered(struct arm64_code *code, struct machine_code *out,
                                    const struct ir *ir, bool may_repeat)
{
    struct ir *ordered;
    enum status st = ir_order(&ordered, ir, ARM64_VALUES, false);

    if (st == ST_OK)
        st = generate(code, out, ordered ? ordered : ir, may_repeat);
    ir_destroy(ordered);
    return st;
}

static enum status compile(struct machine_code *out, const struct ir *ir, bool may_repeat)
{
    struct arm64_code code;
    enum status st;

    *out = (struct machine_code){0};
    ir_arm64_code_init(&code);
    st = generate_ordered(&code, out, ir, may_repeat);
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

enum status ir_arm64_compile(struct machine_code *out, const struct ir *ir)
{
    enum status st = compile(out, ir, true);

    if (st != ST_UNSUPPORTED) /* too long */
        return st;
    mem_free(out->bytes);
    mem_free(out->mark);
    return compile(out, ir, false);
}
