/* Evaluation of operations on constants: the scalar kernels on a uniform. Tested by tests/kernel/ir/kern. */
#include "ir/kern/kern.h"

#include "util/fpenv.h"

#include <stddef.h>

/* Memory of one step. Kernels of uniforms compute a word for each of 16 lanes, those of masks all lanes. */
struct memory {
    uint32_t word[3][IR_UNIFORM_BYTES / 4], result[IR_LANES];
    uint64_t mask[3];
} __attribute__((aligned(64)));

static struct ir_place place_of(const struct memory *memory, const void *p)
{
    return (struct ir_place){.offset = (uint32_t)((const char *)p - (const char *)memory)};
}

static IR_STEP_ABI const struct ir_step *end(const struct ir_step *step, const struct ir_frame *f)
{
    (void)step, (void)f;
    return NULL;
}

uint32_t ir_eval(enum ir_op op, const uint32_t arg[3], uint32_t imm)
{
    const struct ir_kern *kern = KERN_FOR(ir_kern, ISA_SCALAR);
    static const char type[IR_OP_COUNT][3] = {
#define IR_OP(name, d, a, b, c, ...) [IR_##name] = {#a[0], #b[0], #c[0]},
#include "ir/ops.def"
#undef IR_OP
    };
    struct memory memory;
    struct ir_frame frame = {.area = {(char *)&memory}};
    struct ir_step step[] = {{.d = place_of(&memory, memory.result), .imm = imm}, {.fn = end}};
    struct fp_mode mode;

    for (unsigned i = 0; i < 3; i++) {
        memory.mask[i] = arg[i] ? ~UINT64_C(0) : 0;
        for (unsigned lane = 0; lane < IR_UNIFORM_BYTES / 4; lane++)
            memory.word[i][lane] = arg[i];
        step[0].arg[i] = type[op][i] == 'M' ? place_of(&memory, &memory.mask[i]) : place_of(&memory, memory.word[i]);
    }
    mode = fp_enter();
    (kern->uniform[op] ? kern->uniform : kern->lanes)[op](step, &frame);
    fp_leave(mode);
    return kern->uniform[op] ? memory.result[0] : memory.result[0] & 1;
}
