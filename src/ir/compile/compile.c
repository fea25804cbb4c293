/* Executable code of functions: the compiler of the machine, and memory that runs.
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/compile/compile.h"

#include "ir/machine/code.h"
#if defined(__x86_64__) || defined(__i386__)
#include "ir/x86/x86.h"
#elif defined(__aarch64__)
#include "ir/arm64/arm64.h"
#endif
#include "util/alloc.h"

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
    void *pool; /* as in struct machine_code */
    size_t work_bytes;
    struct machine_mark *mark;
    struct ir_code_info info;
};

/* Offsets in machine code have 31 bits on all machines. */
static bool has_small_offsets(const struct ir *ir)
{
    uint32_t n;
    const struct ir_inst *inst = ir_insts(ir, &n);

    for (uint32_t i = 1; i < n; i++) {
        unsigned op_class = ir_op_info[inst[i].op].op_class;
        bool is_memory = op_class == IR_CLASS_READ || op_class == IR_CLASS_WRITE;

        if (is_memory && inst[i].imm > INT32_MAX / 2)
            return false;
    }
    return true;
}

static enum status generate(struct machine_code *out, const struct ir *ir, enum cpu_isa isa)
{
#if defined(__x86_64__) || defined(__i386__)
    if (isa == ISA_AVX2 || isa == ISA_AVX512)
        return ir_x86_compile(out, ir, isa);
#elif defined(__aarch64__)
    if (isa == ISA_NEON)
        return ir_arm64_compile(out, ir);
#endif
    (void)ir, (void)isa;
    *out = (struct machine_code){0};
    return ST_UNSUPPORTED;
}

enum status ir_compile(struct ir_code **out, const struct ir *ir, enum cpu_isa isa)
{
    struct machine_code generated;
    struct ir_code *code;
    enum status st = ir_status(ir);

    *out = NULL;
    if (st != ST_OK)
        return st;
    if (!has_small_offsets(ir))
        return ST_UNSUPPORTED;
    code = mem_calloc(1, sizeof(*code));
    if (!code)
        return ST_NOMEM;
    st = generate(&generated, ir, isa);
    code->pool = generated.pool;
    code->work_bytes = generated.work_bytes;
    code->mark = generated.mark;
    code->info = (struct ir_code_info){.bytes = generated.n_code,
                                       .n_marks = generated.n_marks,
                                       .spills = generated.spills,
                                       .lanes = generated.lanes};
    if (st == ST_OK)
        st =
            executable_create(&code->executable, generated.bytes, generated.n, &generated.prologue);
    mem_free(generated.bytes);
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
    mem_free(code->mark);
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

void ir_code_describe(const struct ir_code *code, struct ir_code_info *out)
{
    *out = code->info;
    out->code = code->executable.base;
}

uint16_t ir_code_origin(const struct ir_code *code, size_t at)
{
    size_t first = 0, end = code->info.n_marks;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (code->mark[middle].at <= at)
            first = middle + 1;
        else
            end = middle;
    }
    return first ? code->mark[first - 1].origin : 0;
}
