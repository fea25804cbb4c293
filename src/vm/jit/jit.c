/* JIT compiler driver: compiles superblocks of IR to x86-64 code. A superblock is a sequence of
 * lane-wise IR instructions between branches and samples. The generated code passes one vector of
 * lanes through the whole superblock before the next vector. Results stay in registers until their
 * last use, and only those read after the superblock are stored. Results are bit-identical to those
 * of the kernels.
 *
 * Relative addressing of constants: the code reads a register once for all lanes. Guards verify
 * that the lanes have the same index. If they differ, the interpreter runs these IR instructions,
 * and superblocks of their own cover the IR between them.
 *
 * Zero rule (0 * x = 0): products are plain at first. If a result is NaN, the code recomputes the
 * vector with exact products. The recomputation needs all inputs unchanged, so slots that are
 * inputs and outputs are stored last. */
#include "vm/jit/jit.h"
#include "vm/jit/compiler.h"
#include "vm/run/frame.h"

#include "util/alloc.h"
#include "util/executable.h"

#include <string.h>

/* A superblock and its two functions; [1] runs while lanes are inactive. */
struct superblock {
    uint32_t first, end;
    size_t entry[2];
};

/* --- Code generation -------------------------------------------------------------------------- */

/* Emits all instances for one vector. Returns the number emitted before registers ran out. */
static uint32_t emit_insts(struct jit *j, bool exact_mul0)
{
    j->exact_mul0 = exact_mul0;
    jit_regalloc_begin(j);
    for (uint32_t i = 0; i < j->n_insts; i++) {
        j->current = (int32_t)i;
        jit_select_inst(j, &j->inst[i]);
        if (j->out_of_registers)
            return i;
        jit_end_inst(j);
    }
    return j->n_insts;
}

/* Jumps if a checked result is NaN. */
static size_t emit_nan_branch(struct jit *j)
{
    if (j->avx512) {
        x86_emit_test_k(&j->code, X86_K_ORDERED);
    } else {
        x86_emit_compare(&j->code, X86_CMP_UNORDERED, j->nan_accum, j->nan_accum,
                         x86_reg(j->nan_accum));
        x86_emit_test(&j->code, j->nan_accum);
    }
    return x86_emit_jump_unless(&j->code);
}

/* Jumps if lanes differ in an index or an index is out of range. Returns the number of jumps. */
static unsigned emit_guards(struct jit *j, size_t jumps[2 * JIT_MAX_GUARDS])
{
    const unsigned vector = j->avx512 ? 64 : 32;
    struct x86_code *c = &j->code;
    int same = j->allocatable[0], differs = j->allocatable[1], any = j->allocatable[2];
    unsigned n = 0;

    for (unsigned i = 0; i < j->n_guards; i++) {
        const struct jit_guard *guard = &j->guard[i];
        struct x86_operand index = x86_mem(X86_BASE_WORK, (int32_t)(guard->slot * VM_LANE_BYTES));

        jumps[n++] = x86_emit_jump_outside(c, index, -guard->min,
                                           (int32_t)j->vm->n_constants - (guard->max - guard->min));
        x86_emit_broadcast(c, same, index);
        if (j->avx512)
            x86_emit_set_k(c, X86_K_TEMP);
        else
            x86_emit(c, X86_XOR, any, any, x86_reg(any));
        for (unsigned at = 0; at < VM_LANE_BYTES; at += vector, index.disp += (int32_t)vector) {
            if (j->avx512) {
                x86_emit_compare_k(c, X86_CMP_EQ, X86_K_TEMP, same, index, X86_K_TEMP);
                continue;
            }
            x86_emit_compare(c, X86_CMP_NE, differs, same, index);
            x86_emit(c, X86_OR, any, any, x86_reg(differs));
        }
        if (j->avx512)
            x86_emit_test_k(c, X86_K_TEMP);
        else
            x86_emit_test(c, any);
        jumps[n++] = x86_emit_jump_unless(c);
    }
    return n;
}

/* Emits the function of a superblock and returns the number of instances emitted. n_skipped: IR
 * instructions by which the function advances vm_frame.next. */
static uint32_t emit_function(struct jit *j, uint32_t n_skipped)
{
    const unsigned vectors = VM_LANE_BYTES / (j->avx512 ? 64 : 32);
    size_t loop, next, jump = 0, guard_jump[2 * JIT_MAX_GUARDS];
    unsigned n_guard_jumps;
    uint32_t n_emitted;

    x86_emit_prologue(&j->code, offsetof(struct vm_frame, base), vectors);
    if (j->n_guards)
        x86_emit_load_constants(&j->code, offsetof(struct vm_frame, constants));
    n_guard_jumps = emit_guards(j, guard_jump);
    loop = j->code.n;
    j->has_nan_check = false;
    n_emitted = emit_insts(j, false);
    if (n_emitted < j->n_insts)
        return n_emitted;
    jit_nan_check_rest(j);
    if (j->has_nan_check)
        jump = emit_nan_branch(j);
    jit_store_live_out(j);
    next = j->code.n;
    x86_emit_loop_end(&j->code, loop);
    x86_emit_epilogue(&j->code, offsetof(struct vm_frame, next),
                      (int32_t)(n_skipped * sizeof(struct vm_ir_op)));
    for (unsigned i = 0; i < n_guard_jumps; i++)
        x86_set_jump_target(&j->code, guard_jump[i], j->code.n);
    if (n_guard_jumps) /* interpret the superblock's first IR instruction, an indexed constant */
        x86_emit_tail_call(&j->code, (uintptr_t)j->inst->op->fn[j->masked],
                           offsetof(struct vm_frame, next), sizeof(struct vm_ir_op));
    if (!jump)
        return n_emitted;
    x86_set_jump_target(&j->code, jump, j->code.n);
    n_emitted = emit_insts(j, true);
    if (n_emitted < j->n_insts)
        return n_emitted;
    jit_store_live_out(j);
    x86_set_jump_target(&j->code, x86_emit_jump(&j->code), next);
    return n_emitted;
}

/* Compiles both functions. False if registers ran out; superblock->end is then a shorter end to
 * try. */
static bool compile_both(struct jit *j, struct superblock *superblock)
{
    bool any_masked = false;
    uint32_t n_skipped = superblock->end - superblock->first - 1;

    for (uint32_t i = superblock->first; i < superblock->end; i++)
        any_masked |= jit_is_masked(&j->vm->op[i]);
    for (unsigned masked = 0; masked < 2; masked++) {
        uint32_t n_emitted;

        if (masked && !any_masked) {
            superblock->entry[1] = superblock->entry[0];
            break;
        }
        j->masked = masked;
        jit_find_next_uses(j);
        superblock->entry[masked] = j->code.n;
        n_emitted = emit_function(j, n_skipped);
        if (n_emitted < j->n_insts) {
            superblock->end = (uint32_t)(j->inst[n_emitted].op - j->vm->op);
            return false;
        }
    }
    return true;
}

/* Compiles the longest superblock from superblock->first for which the registers suffice. False if
 * there is none. */
static bool compile_superblock(struct jit *j, struct superblock *superblock)
{
    size_t begin = j->code.n;

    while (superblock->end > superblock->first) {
        superblock->end = jit_find_guards(j, superblock->first, superblock->end);
        if (!jit_list_insts(j, superblock->first, superblock->end))
            return false;
        jit_find_live_out(j, superblock->end);
        if (compile_both(j, superblock))
            return true;
        j->code.n = begin;
    }
    return false;
}

/* --- Interface -------------------------------------------------------------------------------- */

static bool init_jit(struct jit *j, const struct vm_code *vm, const uint8_t *live_across_blocks,
                     uint32_t n_slots)
{
    memset(j, 0, sizeof(*j));
    j->vm = vm;
    j->avx512 = cpu_isa() == ISA_AVX512;
    j->ieee = vm->ieee;
    j->live_across_blocks = live_across_blocks;
    j->n_slots = n_slots;
    j->n_allocatable = x86_allocatable_registers(j->avx512, &j->allocatable);
    x86_code_init(&j->code, j->avx512);
    j->slot = mem_calloc((size_t)n_slots + 1, sizeof(*j->slot));
    j->live = mem_calloc((size_t)n_slots + 1, sizeof(*j->live));
    j->next_use = mem_calloc((size_t)n_slots + 1, sizeof(*j->next_use));
    j->inst = mem_calloc(JIT_MAX_INSTS, sizeof(*j->inst));
    return n_slots <= INT16_MAX && !j->code.failed && j->slot && j->live && j->next_use && j->inst;
}

static void fini_jit(struct jit *j)
{
    x86_code_fini(&j->code);
    mem_free(j->slot);
    mem_free(j->live);
    mem_free(j->next_use);
    mem_free(j->inst);
}

/* Compiles the IR between the indexed constants of a guarded superblock, for the case that a guard
 * fails. */
static uint32_t compile_inner(struct jit *j, const uint8_t *branch_target,
                              struct superblock *superblocks, uint32_t first, uint32_t limit)
{
    uint32_t n = 0;

    for (uint32_t i = first; i < limit;) {
        struct superblock superblock = {.first = i,
                                        .end = jit_superblock_end(j->vm, branch_target, i, limit)};
        bool is_superblock =
            j->vm->op[i].opcode != VM_IR_CONST && compile_superblock(j, &superblock);

        if (is_superblock)
            superblocks[n++] = superblock;
        i = is_superblock ? superblock.end : i + 1;
    }
    return n;
}

static uint32_t compile_superblocks(struct jit *j, const uint8_t *branch_target,
                                    struct superblock *superblocks)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < j->vm->n_ops;) {
        struct superblock superblock = {
            .first = i, .end = jit_superblock_end(j->vm, branch_target, i, j->vm->n_ops)};
        bool is_superblock = compile_superblock(j, &superblock);

        if (is_superblock)
            superblocks[n++] = superblock;
        if (is_superblock && j->n_guards)
            n += compile_inner(j, branch_target, superblocks + n, i + 1, superblock.end);
        i = is_superblock ? superblock.end : i + 1;
    }
    return n;
}

static vm_ir_op_fn *function_at(const struct executable *executable, size_t entry)
{
    return (vm_ir_op_fn *)((uintptr_t)executable->base + entry);
}

/* Installs a copy of the IR in which superblocks replace their first IR instructions. */
static void install_code(struct vm_code *vm, const struct x86_code *code,
                         const struct superblock *superblocks, uint32_t n)
{
    struct vm_ir_op *op = mem_alloc(((size_t)vm->n_ops + 1) * sizeof(*op));

    if (!op || executable_create(&vm->executable, code->bytes, code->n) != ST_OK) {
        mem_free(op);
        return;
    }
    memcpy(op, vm->op, vm->n_ops * sizeof(*op));
    for (uint32_t i = 0; i < n; i++)
        for (unsigned masked = 0; masked < 2; masked++)
            op[superblocks[i].first].fn[masked] =
                function_at(&vm->executable, superblocks[i].entry[masked]);
    vm->exec_op = op;
}

bool vm_jit_is_possible(void)
{
#if defined(__x86_64__)
    return cpu_isa() == ISA_AVX2 || cpu_isa() == ISA_AVX512;
#else
    return false;
#endif
}

void vm_jit(struct vm_code *vm, const uint8_t *live_across_blocks, uint32_t n_slots)
{
    uint8_t *branch_target = jit_find_branch_targets(vm);
    struct superblock *superblocks = mem_calloc((size_t)vm->n_ops + 1, sizeof(*superblocks));
    struct jit j;

    if (init_jit(&j, vm, live_across_blocks, n_slots) && branch_target && superblocks) {
        uint32_t n = compile_superblocks(&j, branch_target, superblocks);

        if (n && !j.code.failed)
            install_code(vm, &j.code, superblocks, n);
    }
    fini_jit(&j);
    mem_free(branch_target);
    mem_free(superblocks);
}
