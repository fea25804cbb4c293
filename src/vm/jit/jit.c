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

/* Instances of a superblock. Longer code would not stay in the instruction cache from vector to
 * vector. */
enum { MAX_INSTS = 512 };

/* A superblock and its two functions; [1] runs while lanes are inactive. */
struct superblock {
    uint32_t first, end;
    size_t entry[2];
};

/* --- Superblocks ------------------------------------------------------------------------------ */

/* True for a store that observes the lane mask. */
static bool is_masked(const struct vm_ir_op *op)
{
    return op->opcode == VM_IR_STORE && op->fn[0] != op->fn[1];
}

static bool is_supported(const struct vm_ir_op *op)
{
    return jit_is_supported(op->opcode);
}

/* Marks branch targets, a byte per IR instruction. */
static uint8_t *find_branch_targets(const struct vm_code *vm)
{
    uint8_t *branch_target = mem_calloc((size_t)vm->n_ops + 1, 1);

    for (uint32_t i = 0; branch_target && i < vm->n_ops; i++)
        if (vm->op[i].opcode >= VM_IR_FLOW && vm->op[i].target <= vm->n_ops)
            branch_target[vm->op[i].target] = 1;
    return branch_target;
}

/* Returns the end of the superblock at `first`. Only superblocks that begin with an indexed
 * constant contain further ones: see compile_inner. */
static uint32_t superblock_end(const struct vm_code *vm, const uint8_t *branch_target,
                               uint32_t first, uint32_t limit)
{
    bool indexes = first < limit && vm->op[first].opcode == VM_IR_CONST;
    uint32_t end = first, n = 0;

    while (end < limit && is_supported(&vm->op[end]) &&
           (indexes || vm->op[end].opcode != VM_IR_CONST) &&
           (end == first || !branch_target[end]) && n + vm->op[end].n <= MAX_INSTS)
        n += vm->op[end++].n;
    return end;
}

/* --- Liveness and next uses ------------------------------------------------------------------- */

static void live_before_instance(struct jit *j, const struct vm_ir_op *op, const uint32_t *arg)
{
    const struct ir_op_info *info = &vm_ir_op_info[op->opcode];

    /* A masked store keeps the inactive lanes of its slot, so the slot is live before it. SAMPLE
     * (four results) writes active lanes only too, but no later block reads lanes that are inactive
     * in this one, so it changes no liveness. */
    if (info->n_dst == 1 && !is_masked(op))
        j->live[arg[0] / VM_LANE_BYTES] = 0;
    else if (info->n_dst == 1)
        j->live[arg[0] / VM_LANE_BYTES] = 1;
    for (unsigned k = 0; k < info->n_src; k++) {
        int32_t slot = jit_slot_of(arg[info->n_dst + k]);

        if (slot >= 0)
            j->live[slot] = 1;
    }
}

/* Finds the slots that are live before IR instruction `end`: those read later in the block, and
 * those that live across blocks. In a long block the look-ahead is limited, and slots not
 * overwritten within it count as live. */
static void find_live_out(struct jit *j, uint32_t end)
{
    enum { MAX_LOOKAHEAD = 512 };
    const struct vm_code *vm = j->vm;
    uint32_t lookahead_end = end;

    while (vm->op[lookahead_end].opcode < VM_IR_COUNT && lookahead_end - end < MAX_LOOKAHEAD)
        lookahead_end++;
    if (vm->op[lookahead_end].opcode < VM_IR_COUNT)
        memset(j->live, 1, j->n_slots);
    else
        memcpy(j->live, j->live_across_blocks, j->n_slots);
    for (uint32_t i = lookahead_end; i-- > end;) {
        const struct vm_ir_op *op = &vm->op[i];

        for (uint32_t g = op->n; g-- > 0;)
            live_before_instance(j, op, op->arg + g * ir_op_words(op->opcode));
    }
    for (uint32_t s = 0; s < j->n_slots; s++)
        j->slot[s].live_out = j->live[s];
}

/* Adds the guard for an instance that reads an indexed constant. False if no guard is possible: the
 * superblock computes the index itself, there are too many guards, or no index suits all
 * constants. */
static bool add_guard(struct jit *j, const uint32_t *arg)
{
    int32_t slot = jit_slot_of(arg[1]), reg = (int32_t)(arg[2] / 4);
    struct jit_guard *guard = j->guard, *end = j->guard + j->n_guards;
    int32_t min, max;

    if (slot < 0 || arg[1] & (VM_ARG_NEG | VM_ARG_ABS) || j->live[slot])
        return false;
    while (guard < end && guard->slot != (uint32_t)slot)
        guard++;
    if (guard == j->guard + JIT_MAX_GUARDS)
        return false;
    min = guard < end && guard->min < reg ? guard->min : reg;
    max = guard < end && guard->max > reg ? guard->max : reg;
    if (max - min >= (int32_t)j->vm->n_constants)
        return false; /* no index is in range for both constants */
    j->n_guards += guard == end;
    *guard = (struct jit_guard){(uint32_t)slot, min, max};
    return true;
}

static bool add_guards(struct jit *j, const struct vm_ir_op *op)
{
    for (uint32_t g = 0; op->opcode == VM_IR_CONST && g < op->n; g++)
        if (!add_guard(j, op->arg + g * ir_op_words(op->opcode)))
            return false;
    for (uint32_t g = 0; vm_ir_op_info[op->opcode].n_dst && g < op->n; g++)
        j->live[op->arg[g * ir_op_words(op->opcode)] / VM_LANE_BYTES] = 1; /* here: defined in the
                                                                              superblock */
    return true;
}

/* Cuts a superblock at the first IR instruction that guards at its start cannot cover. */
static uint32_t find_guards(struct jit *j, uint32_t first, uint32_t end)
{
    memset(j->live, 0, j->n_slots);
    j->n_guards = 0;
    for (uint32_t i = first; i < end; i++) {
        unsigned n = j->n_guards;

        if (!add_guards(j, &j->vm->op[i])) {
            j->n_guards = n;
            return i;
        }
    }
    return end;
}

static bool list_insts(struct jit *j, uint32_t first, uint32_t end)
{
    j->n_insts = 0;
    for (uint32_t i = first; i < end; i++) {
        const struct vm_ir_op *op = &j->vm->op[i];

        for (uint32_t g = 0; g < op->n; g++)
            j->inst[j->n_insts++] = (struct jit_inst){
                .op = op, .arg = op->arg + g * ir_op_words(op->opcode), .opcode = op->opcode};
    }
    return j->n_insts > 1;
}

/* Finds the next uses in a backward pass over the instances. */
static void find_next_uses(struct jit *j)
{
    for (uint32_t s = 0; s < j->n_slots; s++) {
        j->next_use[s] = JIT_NO_NEXT_USE;
        j->live[s] = 0; /* here: a later instance writes it */
    }
    for (uint32_t i = j->n_insts; i-- > 0;) {
        struct jit_inst *inst = &j->inst[i];
        const struct ir_op_info *info = &vm_ir_op_info[inst->opcode];

        if (info->n_dst) {
            uint32_t to = inst->arg[0] / VM_LANE_BYTES;

            inst->result_next_use = j->next_use[to];
            inst->is_last_def = !j->live[to];
            j->live[to] = 1;
            j->next_use[to] = JIT_NO_NEXT_USE;
        }
        for (unsigned k = 0; k < info->n_src; k++) {
            int32_t slot = jit_slot_of(inst->arg[info->n_dst + k]);

            inst->src_next_use[k] = slot >= 0 ? j->next_use[slot] : JIT_NO_NEXT_USE;
        }
        for (unsigned k = 0; k < info->n_src; k++) {
            int32_t slot = jit_slot_of(inst->arg[info->n_dst + k]);

            if (slot >= 0)
                j->next_use[slot] = (int32_t)i;
        }
        if (j->masked && is_masked(inst->op))
            j->next_use[inst->arg[0] / VM_LANE_BYTES] = (int32_t)i;
    }
}

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
        any_masked |= is_masked(&j->vm->op[i]);
    for (unsigned masked = 0; masked < 2; masked++) {
        uint32_t n_emitted;

        if (masked && !any_masked) {
            superblock->entry[1] = superblock->entry[0];
            break;
        }
        j->masked = masked;
        find_next_uses(j);
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
        superblock->end = find_guards(j, superblock->first, superblock->end);
        if (!list_insts(j, superblock->first, superblock->end))
            return false;
        find_live_out(j, superblock->end);
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
    j->inst = mem_calloc(MAX_INSTS, sizeof(*j->inst));
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
                                        .end = superblock_end(j->vm, branch_target, i, limit)};
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
            .first = i, .end = superblock_end(j->vm, branch_target, i, j->vm->n_ops)};
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
    uint8_t *branch_target = find_branch_targets(vm);
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
