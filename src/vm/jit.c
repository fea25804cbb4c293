/* Machine code for runs of micro-operations that compute lanes from the same lanes: what lies
 * between branches and samples. A vector of lanes goes through all of a run before the next one, so
 * that results wait in registers for whoever reads them, and only what is read after the run is
 * stored. The bits are those of the kernels.
 *
 * Indexed constants are read once for all lanes. If they have several indices, those operations are
 * interpreted after all, and what is between them are runs of their own.
 *
 * The zero rule is kept as they keep it: products are plain, and when a result is no number the
 * vector is computed again, carefully. For that nothing may be lost that it reads, so such slots
 * are stored last. */
#include "vm/jit.h"

#include "util/alloc.h"
#include "util/executable.h"

#include <string.h>

/* Longer ones would not stay in the cache for instructions from vector to vector. */
enum { MOST_ITEMS = 512 };

/* A run and its two functions: [1] while some lanes are switched off. */
struct run {
    uint32_t first, end;
    size_t entry[2];
};

/* --- Runs ------------------------------------------------------------------------------------- */

/* A store that looks at lanes. */
static bool is_masked(const struct vm_ir_op *op)
{
    return op->opcode == VM_IR_STORE && op->fn[0] != op->fn[1];
}

static bool fits(const struct vm_ir_op *op)
{
    return op->opcode < VM_IR_COUNT && jit_is_supported(op->opcode);
}

/* Where jumps go, a byte each. */
static uint8_t *find_goals(const struct vm_code *vm)
{
    uint8_t *goal = mem_calloc((size_t)vm->n_ops + 1, 1);

    for (uint32_t i = 0; goal && i < vm->n_ops; i++)
        if (vm->op[i].opcode == VM_IR_COUNT && vm->op[i].target <= vm->n_ops)
            goal[vm->op[i].target] = 1;
    return goal;
}

/* Indexed constants are read by runs that begin with one: see put_inner. */
static uint32_t run_end(const struct vm_code *vm, const uint8_t *goal, uint32_t first,
                        uint32_t limit)
{
    bool indexes = first < limit && vm->op[first].opcode == VM_IR_CONST;
    uint32_t end = first, n = 0;

    while (end < limit && fits(&vm->op[end]) && (indexes || vm->op[end].opcode != VM_IR_CONST) &&
           (end == first || !goal[end]) && n + vm->op[end].n <= MOST_ITEMS)
        n += vm->op[end++].n;
    return end;
}

/* --- Who reads what --------------------------------------------------------------------------- */

static void live_before_instance(struct jit *j, const struct vm_ir_op *op, const uint32_t *arg)
{
    const struct ir_op_info *info = &vm_ir_op_info[op->opcode];

    /* Sampling writes the lanes that are on, as masked stores do. What it leaves in the others
     * comes from the same block: lanes that are off in a block are not looked at by later ones. */
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

/* Which slots are read after the operation before `end`: by what follows in the block, or those
 * that live longer. In a long block only what is next is looked at, and what that does not write
 * may be read. */
static void find_wanted(struct jit *j, uint32_t end)
{
    enum { MOST_AHEAD = 512 };
    const struct vm_code *vm = j->vm;
    uint32_t seen_end = end;

    while (vm->op[seen_end].opcode < VM_IR_COUNT && seen_end - end < MOST_AHEAD)
        seen_end++;
    if (vm->op[seen_end].opcode < VM_IR_COUNT)
        memset(j->live, 1, j->n_slots);
    else
        memcpy(j->live, j->live_across_blocks, j->n_slots);
    for (uint32_t i = seen_end; i-- > end;) {
        const struct vm_ir_op *op = &vm->op[i];

        for (uint32_t g = op->n; g-- > 0;)
            live_before_instance(j, op, op->arg + g * ir_op_words(op->opcode));
    }
    for (uint32_t s = 0; s < j->n_slots; s++)
        j->slot[s].wanted = j->live[s];
}

/* Notes what a group that reads an indexed constant takes for granted. False: its index is made in
 * the run, or there are too many. */
static bool add_guard(struct jit *j, const uint32_t *arg)
{
    int32_t slot = jit_slot_of(arg[1]), reg = (int32_t)(arg[2] / 4);
    struct jit_guard *guard = j->guard, *end = j->guard + j->n_guards;
    int32_t least, most;

    if (slot < 0 || arg[1] & (VM_ARG_NEG | VM_ARG_ABS) || j->live[slot])
        return false;
    while (guard < end && guard->slot != (uint32_t)slot)
        guard++;
    if (guard == j->guard + JIT_MOST_GUARDS)
        return false;
    least = guard < end && guard->least < reg ? guard->least : reg;
    most = guard < end && guard->most > reg ? guard->most : reg;
    if (most - least >= (int32_t)j->vm->n_constants)
        return false; /* no index would do for both */
    j->n_guards += guard == end;
    *guard = (struct jit_guard){(uint32_t)slot, least, most};
    return true;
}

static bool add_guards(struct jit *j, const struct vm_ir_op *op)
{
    for (uint32_t g = 0; op->opcode == VM_IR_CONST && g < op->n; g++)
        if (!add_guard(j, op->arg + g * ir_op_words(op->opcode)))
            return false;
    for (uint32_t g = 0; vm_ir_op_info[op->opcode].n_dst && g < op->n; g++)
        j->live[op->arg[g * ir_op_words(op->opcode)] / VM_LANE_BYTES] = 1; /* here: it is made */
    return true;
}

/* Shortens a run to what its function's guards can see before it begins. */
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

static bool list_items(struct jit *j, uint32_t first, uint32_t end)
{
    j->n_items = 0;
    for (uint32_t i = first; i < end; i++) {
        const struct vm_ir_op *op = &j->vm->op[i];

        for (uint32_t g = 0; g < op->n; g++)
            j->item[j->n_items++] = (struct jit_item){
                .op = op, .arg = op->arg + g * ir_op_words(op->opcode), .opcode = op->opcode};
    }
    return j->n_items > 1;
}

/* From the last item to the first. */
static void find_readers(struct jit *j)
{
    for (uint32_t s = 0; s < j->n_slots; s++) {
        j->reader[s] = JIT_NEVER;
        j->live[s] = 0; /* here: some later item writes it */
    }
    for (uint32_t i = j->n_items; i-- > 0;) {
        struct jit_item *item = &j->item[i];
        const struct ir_op_info *info = &vm_ir_op_info[item->opcode];

        if (info->n_dst) {
            uint32_t to = item->arg[0] / VM_LANE_BYTES;

            item->next = j->reader[to];
            item->last = !j->live[to];
            j->live[to] = 1;
            j->reader[to] = JIT_NEVER;
        }
        for (unsigned k = 0; k < info->n_src; k++) {
            int32_t slot = jit_slot_of(item->arg[info->n_dst + k]);

            item->next_read[k] = slot >= 0 ? j->reader[slot] : JIT_NEVER;
        }
        for (unsigned k = 0; k < info->n_src; k++) {
            int32_t slot = jit_slot_of(item->arg[info->n_dst + k]);

            if (slot >= 0)
                j->reader[slot] = (int32_t)i;
        }
        if (j->masked && is_masked(item->op))
            j->reader[item->arg[0] / VM_LANE_BYTES] = (int32_t)i;
    }
}

/* --- Functions -------------------------------------------------------------------------------- */

/* A vector's way through all items. Returns how many went before registers ran out. */
static uint32_t put_items(struct jit *j, bool exact_mul0)
{
    j->exact_mul0 = exact_mul0;
    jit_places_begin(j);
    for (uint32_t i = 0; i < j->n_items; i++) {
        j->at = (int32_t)i;
        jit_put_item(j, &j->item[i]);
        if (j->lost)
            return i;
        jit_end_item(j);
    }
    return j->n_items;
}

/* Jumps if something that was looked at is no number. */
static size_t emit_nan_branch(struct jit *j)
{
    if (j->wide) {
        jit_put_test_k(&j->code, JIT_K_ORDERED);
    } else {
        jit_put_compare(&j->code, JIT_UNORDERED, j->nan_accum, j->nan_accum,
                        jit_register(j->nan_accum));
        jit_put_test(&j->code, j->nan_accum);
    }
    return jit_put_jump_unless(&j->code);
}

/* Jumps to one place if lanes differ in an index, or it is out of range. Returns how many. */
static unsigned put_guards(struct jit *j, size_t jumps[2 * JIT_MOST_GUARDS])
{
    const unsigned vector = j->wide ? 64 : 32;
    struct jit_code *c = &j->code;
    int same = j->numbers[0], other = j->numbers[1], any = j->numbers[2];
    unsigned n = 0;

    for (unsigned i = 0; i < j->n_guards; i++) {
        const struct jit_guard *guard = &j->guard[i];
        struct jit_ref row = jit_memory(JIT_WORK, (int32_t)(guard->slot * VM_LANE_BYTES));

        jumps[n++] = jit_put_jump_outside(
            c, row, -guard->least, (int32_t)j->vm->n_constants - (guard->most - guard->least));
        jit_put_spread(c, same, row);
        if (j->wide)
            jit_put_all_k(c, JIT_K);
        else
            jit_put(c, JIT_XOR, any, any, jit_register(any));
        for (unsigned at = 0; at < VM_LANE_BYTES; at += vector, row.at += (int32_t)vector) {
            if (j->wide) {
                jit_put_compare_k(c, JIT_EQ, JIT_K, same, row, JIT_K);
                continue;
            }
            jit_put_compare(c, JIT_NE, other, same, row);
            jit_put(c, JIT_OR, any, any, jit_register(other));
        }
        if (j->wide)
            jit_put_test_k(c, JIT_K);
        else
            jit_put_test(c, any);
        jumps[n++] = jit_put_jump_unless(c);
    }
    return n;
}

/* The function of a run; skips: operations that the frame's next one is moved on by. Returns how
 * many items went. */
static uint32_t put_function(struct jit *j, uint32_t skips)
{
    const unsigned vectors = VM_LANE_BYTES / (j->wide ? 64 : 32);
    size_t loop, next, jump = 0, away[2 * JIT_MOST_GUARDS];
    unsigned n_away;
    uint32_t went;

    jit_put_entry(&j->code, offsetof(struct vm_frame, base), vectors);
    if (j->n_guards)
        jit_put_constants(&j->code, offsetof(struct vm_frame, constants));
    n_away = put_guards(j, away);
    loop = j->code.n;
    j->has_nan_check = false;
    went = put_items(j, false);
    if (went < j->n_items)
        return went;
    jit_nan_check_rest(j);
    if (j->has_nan_check)
        jump = emit_nan_branch(j);
    jit_store_rest(j);
    next = j->code.n;
    jit_put_next_vector(&j->code, loop);
    jit_put_exit(&j->code, offsetof(struct vm_frame, next),
                 (int32_t)(skips * sizeof(struct vm_ir_op)));
    for (unsigned i = 0; i < n_away; i++)
        jit_set_goal(&j->code, away[i], j->code.n);
    if (n_away) /* to the run's first operation, an indexed constant, as it is interpreted */
        jit_put_other(&j->code, (uintptr_t)j->item->op->fn[j->masked],
                      offsetof(struct vm_frame, next), sizeof(struct vm_ir_op));
    if (!jump)
        return went;
    jit_set_goal(&j->code, jump, j->code.n);
    went = put_items(j, true);
    if (went < j->n_items)
        return went;
    jit_store_rest(j);
    jit_set_goal(&j->code, jit_put_jump(&j->code), next);
    return went;
}

/* Both forms. False: registers ran out, and *end is where the run may end instead. */
static bool put_both(struct jit *j, struct run *run)
{
    bool differ = false;
    uint32_t skips = run->end - run->first - 1;

    for (uint32_t i = run->first; i < run->end; i++)
        differ |= is_masked(&j->vm->op[i]);
    for (unsigned form = 0; form < 2; form++) {
        uint32_t went;

        if (form && !differ) {
            run->entry[1] = run->entry[0];
            break;
        }
        j->masked = form;
        find_readers(j);
        run->entry[form] = j->code.n;
        went = put_function(j, skips);
        if (went < j->n_items) {
            run->end = (uint32_t)(j->item[went].op - j->vm->op);
            return false;
        }
    }
    return true;
}

/* From the first operation on as far as registers go; false: no run begins there. */
static bool put_run(struct jit *j, struct run *run)
{
    size_t begin = j->code.n;

    while (run->end > run->first) {
        run->end = find_guards(j, run->first, run->end);
        if (!list_items(j, run->first, run->end))
            return false;
        find_wanted(j, run->end);
        if (put_both(j, run))
            return true;
        j->code.n = begin;
    }
    return false;
}

/* --- The door --------------------------------------------------------------------------------- */

static bool open_jit(struct jit *j, const struct vm_code *vm, const uint8_t *live_across_blocks,
                     uint32_t n_slots)
{
    memset(j, 0, sizeof(*j));
    j->vm = vm;
    j->wide = cpu_isa() == ISA_AVX512;
    j->ieee = vm->ieee;
    j->live_across_blocks = live_across_blocks;
    j->n_slots = n_slots;
    j->n_registers = jit_registers(j->wide, &j->numbers);
    jit_begin(&j->code, j->wide);
    j->slot = mem_calloc((size_t)n_slots + 1, sizeof(*j->slot));
    j->live = mem_calloc((size_t)n_slots + 1, sizeof(*j->live));
    j->reader = mem_calloc((size_t)n_slots + 1, sizeof(*j->reader));
    j->item = mem_calloc(MOST_ITEMS, sizeof(*j->item));
    return n_slots <= INT16_MAX && !j->code.failed && j->slot && j->live && j->reader && j->item;
}

static void close_jit(struct jit *j)
{
    jit_free(&j->code);
    mem_free(j->slot);
    mem_free(j->live);
    mem_free(j->reader);
    mem_free(j->item);
}

/* Those within a run with guards, for when lanes have several indices: what does not index. */
static uint32_t put_inner(struct jit *j, const uint8_t *goal, struct run *runs, uint32_t first,
                          uint32_t limit)
{
    uint32_t n = 0;

    for (uint32_t i = first; i < limit;) {
        struct run run = {.first = i, .end = run_end(j->vm, goal, i, limit)};
        bool is_run = j->vm->op[i].opcode != VM_IR_CONST && put_run(j, &run);

        if (is_run)
            runs[n++] = run;
        i = is_run ? run.end : i + 1;
    }
    return n;
}

static uint32_t put_runs(struct jit *j, const uint8_t *goal, struct run *runs)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < j->vm->n_ops;) {
        struct run run = {.first = i, .end = run_end(j->vm, goal, i, j->vm->n_ops)};
        bool is_run = put_run(j, &run);

        if (is_run)
            runs[n++] = run;
        if (is_run && j->n_guards)
            n += put_inner(j, goal, runs + n, i + 1, run.end);
        i = is_run ? run.end : i + 1;
    }
    return n;
}

static vm_ir_op_fn *function_at(const struct executable *executable, size_t entry)
{
    return (vm_ir_op_fn *)((uintptr_t)executable->base + entry);
}

/* The program once more, with runs in place of their first operations. */
static void replace(struct vm_code *vm, const struct jit_code *code, const struct run *runs,
                    uint32_t n)
{
    struct vm_ir_op *op = mem_alloc(((size_t)vm->n_ops + 1) * sizeof(*op));

    if (!op || executable_create(&vm->executable, code->bytes, code->n) != ST_OK) {
        mem_free(op);
        return;
    }
    memcpy(op, vm->op, vm->n_ops * sizeof(*op));
    for (uint32_t i = 0; i < n; i++)
        for (unsigned form = 0; form < 2; form++)
            op[runs[i].first].fn[form] = function_at(&vm->executable, runs[i].entry[form]);
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
    uint8_t *goal = find_goals(vm);
    struct run *runs = mem_calloc((size_t)vm->n_ops + 1, sizeof(*runs));
    struct jit j;

    if (open_jit(&j, vm, live_across_blocks, n_slots) && goal && runs) {
        uint32_t n = put_runs(&j, goal, runs);

        if (n && !j.code.failed)
            replace(vm, &j.code, runs, n);
    }
    close_jit(&j);
    mem_free(goal);
    mem_free(runs);
}
