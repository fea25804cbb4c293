/* Register allocation in one pass over the structured code. A value stays in its register until its
 * last use or until another value needs the register: then the value whose next use is farthest
 * leaves it (Belady). Such a value is stored to its slot once, right after its definition; static
 * single assignment keeps that copy valid, so that it can be loaded anywhere. Values that have a
 * home in memory need no copy.
 *
 * Rare IFs are an exception: a value that leaves its register in one is stored at the beginning of
 * the IF, so that code that does not run the IF has nothing to do for it.
 *
 * Where control flow joins, both ways agree on the registers: ENDIF restores those of the IF,
 * ENDLOOP those of the LOOP. At barriers no value is in a register: each vector of lanes goes up to
 * the barrier before any goes on.
 *
 * Tested by tests/unit/ir/machine/test_allocate.c. */
#include "ir/machine/allocate.h"

#include "util/alloc.h"

#include <string.h>

/* An open IF or LOOP, and the registers at its start. */
struct level {
    uint32_t begin;
    uint32_t owner[MACHINE_PLACES];
};

struct allocator {
    struct machine_allocation *out;
    const struct machine_live *live;
    const struct machine_registers *registers;
    const struct machine_constraint *constraint;
    bool failed;
    uint32_t i; /* current instruction */

    uint32_t owner[MACHINE_PLACES]; /* per register: its value, or 0 */
    uint32_t
        locked[MACHINE_PLACES]; /* per register: the last instruction that needs it unchanged */
    uint8_t *place;             /* per value: its register, or MACHINE_PLACE_MEMORY */
    uint32_t *next_use;         /* per value: its next use */
    uint32_t *last_use;         /* per value: its last use so far */
    uint8_t *preferred;         /* per value: a register that would save a move */
    uint32_t *saved_by;         /* per value: the last rare IF that saves it */

    struct level *level; /* stack */
    uint32_t n_levels, level_capacity;

    struct machine_move *edge; /* the moves of one edge of control flow, which happen at once */
    uint32_t n_edge, edge_capacity;
    uint32_t *readers;    /* per place, then per value in memory: moves that have yet to read it */
    uint32_t *reader_sum; /* the same: sum of their numbers, so that the last one is known */
    uint32_t *writer;     /* the same: 1 + the move that writes it */
};

/* --- Lists ------------------------------------------------------------------------------------ */

static void *grow(struct allocator *a, void *array, uint32_t n, uint32_t *capacity, size_t size)
{
    uint32_t more = *capacity ? *capacity * 2 : 64;
    void *grown;

    if (n < *capacity)
        return array;
    grown = a->failed ? NULL : mem_realloc(array, more * size);
    if (!grown) {
        a->failed = true;
        return array;
    }
    *capacity = more;
    return grown;
}

static void add_move(struct allocator *a, struct machine_move move)
{
    struct machine_allocation *out = a->out;

    out->move = grow(a, out->move, out->n_moves, &out->move_capacity, sizeof(*out->move));
    if (!a->failed)
        out->move[out->n_moves++] = move;
}

static void add_edge_move(struct allocator *a, uint32_t value, uint8_t from, uint8_t to,
                          uint32_t to_phi)
{
    a->edge = grow(a, a->edge, a->n_edge, &a->edge_capacity, sizeof(*a->edge));
    if (!a->failed)
        a->edge[a->n_edge++] =
            (struct machine_move){.value = value, .from = from, .to = to, .to_phi = to_phi};
}

static void push_level(struct allocator *a, uint32_t begin)
{
    a->level = grow(a, a->level, a->n_levels, &a->level_capacity, sizeof(*a->level));
    if (a->failed)
        return;
    a->level[a->n_levels].begin = begin;
    memcpy(a->level[a->n_levels].owner, a->owner, sizeof(a->owner));
    a->n_levels++;
}

/* --- Registers -------------------------------------------------------------------------------- */

static unsigned class_of(const struct allocator *a, uint32_t value)
{
    return machine_class_of(a->registers, &a->live->inst[value]);
}

static bool is_live(const struct allocator *a, uint32_t value)
{
    return a->next_use[value] != MACHINE_NO_USE && a->next_use[value] > a->i;
}

static bool is_register(uint8_t place)
{
    return place < MACHINE_PLACES;
}

static void release(struct allocator *a, uint32_t value)
{
    if (is_register(a->place[value]))
        a->owner[a->place[value]] = 0;
    a->place[value] = MACHINE_PLACE_MEMORY;
}

static void occupy(struct allocator *a, uint8_t reg, uint32_t value)
{
    a->owner[reg] = value;
    a->place[value] = reg;
}

/* Loops whose code has not read the register by now will not miss it, if this point is in every
 * iteration: they need not restore it. */
static void forget_in_loops(struct allocator *a, uint32_t value)
{
    for (uint32_t l = a->n_levels; l-- > 0;) {
        struct level *level = &a->level[l];

        if (a->live->inst[level->begin].op == IR_IF || value > level->begin ||
            a->last_use[value] > level->begin)
            return;
        for (unsigned reg = 0; reg < MACHINE_PLACES; reg++)
            if (level->owner[reg] == value)
                level->owner[reg] = 0;
    }
}

/* True if memory has the value at this place already. */
static bool is_in_memory(const struct allocator *a, uint32_t value)
{
    uint32_t rare = a->live->rare[a->i];

    return a->live->homed[value] || a->out->spilled[value] || (rare && a->saved_by[value] == rare);
}

/* Stores a value to memory, at an earlier place. A rare IF finds it in the register where it is
 * still. */
static void spill(struct allocator *a, uint32_t value)
{
    struct machine_allocation *out = a->out;
    uint32_t rare = a->live->rare[a->i];

    if (is_in_memory(a, value))
        return;
    if (value > rare) { /* defined in it; or there is none */
        out->spilled[value] = true;
        return;
    }
    a->saved_by[value] = rare;
    out->saved[value] = true;
    out->save = grow(a, out->save, out->n_saves, &out->save_capacity, sizeof(*out->save));
    if (!a->failed)
        out->save[out->n_saves++] =
            (struct machine_save){.rare = rare, .value = value, .from = a->place[value]};
}

static void evict(struct allocator *a, uint8_t reg)
{
    uint32_t value = a->owner[reg];

    spill(a, value);
    forget_in_loops(a, value);
    release(a, value);
}

/* How much it costs to have the value in memory: the less, the better a victim it is. Values that
 * memory has already need no store. */
static uint64_t distance(const struct allocator *a, uint32_t value)
{
    return (uint64_t)(a->next_use[value] - a->i) << is_in_memory(a, value);
}

/* The register whose value is used last; MACHINE_PLACE_NONE: all are locked. */
static uint8_t choose_victim(const struct allocator *a, unsigned reg_class)
{
    uint8_t best = MACHINE_PLACE_NONE;
    uint64_t farthest = 0;

    for (uint8_t reg = a->registers->first[reg_class]; reg < a->registers->end[reg_class]; reg++)
        if (a->locked[reg] != a->i && distance(a, a->owner[reg]) >= farthest) {
            farthest = distance(a, a->owner[reg]);
            best = reg;
        }
    return best;
}

static uint8_t find_free(const struct allocator *a, unsigned reg_class, uint8_t preferred)
{
    if (is_register(preferred) && !a->owner[preferred])
        return preferred;
    for (uint8_t reg = a->registers->first[reg_class]; reg < a->registers->end[reg_class]; reg++)
        if (!a->owner[reg])
            return reg;
    return MACHINE_PLACE_NONE;
}

/* Gives the value a register, which it must have if `needed`; otherwise false if others are used
 * earlier. */
static bool assign(struct allocator *a, uint32_t value, bool needed)
{
    unsigned reg_class = class_of(a, value);
    uint8_t reg = find_free(a, reg_class, a->preferred[value]);

    if (reg == MACHINE_PLACE_NONE) {
        reg = choose_victim(a, reg_class);
        if (reg == MACHINE_PLACE_NONE ||
            (!needed && distance(a, a->owner[reg]) <= distance(a, value)))
            return false;
        evict(a, reg);
    }
    occupy(a, reg, value);
    a->locked[reg] = a->i;
    return true;
}

/* --- Operands --------------------------------------------------------------------------------- */

static void load(struct allocator *a, uint32_t value)
{
    add_move(a, (struct machine_move){
                    .value = value, .from = MACHINE_PLACE_MEMORY, .to = a->place[value]});
}

static void need_register(struct allocator *a, uint32_t value)
{
    if (is_register(a->place[value])) {
        a->locked[a->place[value]] = a->i;
        return;
    }
    assign(a, value, true);
    load(a, value);
}

/* Counts a use. The value is dead if it has no later one. */
static void use(struct allocator *a, uint32_t value, uint32_t next)
{
    a->last_use[value] = a->i;
    a->next_use[value] = next;
}

static void release_if_dead(struct allocator *a, uint32_t value)
{
    if (a->next_use[value] == MACHINE_NO_USE)
        release(a, value);
}

static bool can_be_in_memory(const struct allocator *a, uint32_t value)
{
    return !class_of(a, value) && (a->registers->uniforms || a->live->inst[value].op != IR_UNIFORM);
}

/* The operand that an instruction reads from memory, because it has no other use or not soon; 3:
 * none. */
static unsigned choose_memory_operand(struct allocator *a, const struct ir_inst *inst)
{
    unsigned n = ir_op_info[inst->op].n_args, best = 3;

    for (unsigned k = 0; k < n; k++) {
        uint32_t value = inst->arg[k];
        bool once = (k == 0 || inst->arg[0] != value) &&
                    (k == 1 || n < 2 || inst->arg[1] != value) &&
                    (k == 2 || n < 3 || inst->arg[2] != value);

        if (a->constraint[inst->op].memory >> k & 1 && once && !is_register(a->place[value]) &&
            can_be_in_memory(a, value) &&
            (best == 3 || a->live->next[a->i][k] > a->live->next[a->i][best]))
            best = k;
    }
    return best;
}

/* True if the value's next use may find it in a register: it is of the same region, and not in a
 * rare IF that this instruction is outside of. */
static bool is_used_soon(const struct allocator *a, uint32_t value)
{
    uint32_t next = a->next_use[value];

    return next != MACHINE_NO_USE && a->live->region[next] == a->live->region[a->i] &&
           (!a->live->rare[next] || a->live->rare[next] == a->live->rare[a->i]);
}

static void allocate_operands(struct allocator *a, const struct ir_inst *inst)
{
    unsigned n = ir_op_info[inst->op].n_args, memory;

    for (unsigned k = 0; k < n; k++)
        if (is_register(a->place[inst->arg[k]]))
            a->locked[a->place[inst->arg[k]]] = a->i;
    memory = choose_memory_operand(a, inst);
    for (unsigned k = 0; k < n; k++)
        if (k != memory)
            need_register(a, inst->arg[k]);
    for (unsigned k = 0; k < n; k++)
        use(a, inst->arg[k], a->live->next[a->i][k]);
    if (memory != 3 && is_used_soon(a, inst->arg[memory]) && assign(a, inst->arg[memory], false))
        load(a, inst->arg[memory]);
    for (unsigned k = 0; k < n; k++)
        a->out->place[a->i][1 + k] = a->place[inst->arg[k]];
}

static void release_operands(struct allocator *a, const struct ir_inst *inst)
{
    for (unsigned k = 0; k < ir_op_info[inst->op].n_args; k++)
        release_if_dead(a, inst->arg[k]);
}

/* A register that is free for one instruction. */
static uint8_t take_temporary(struct allocator *a)
{
    uint8_t reg = a->registers->first[0];

    while (reg < a->registers->end[0] && (a->owner[reg] || a->locked[reg] == a->i))
        reg++;
    if (reg == a->registers->end[0]) {
        reg = choose_victim(a, 0);
        evict(a, reg);
    }
    a->locked[reg] = a->i;
    return reg;
}

/* Gives a result its register. */
static void define(struct allocator *a, uint32_t value)
{
    uint32_t phi = a->live->phi[value];

    if (phi) /* of a loop: its place is known */
        a->preferred[value] =
            is_register(a->out->place[phi][0]) ? a->out->place[phi][0] : a->preferred[phi];
    a->next_use[value] = a->live->first_use[value];
    assign(a, value, true);
    a->out->place[value][0] = a->place[value];
}

/* The first GATHER of a row writes all results. It has four registers: those of the results, and
 * temporary ones in place[...][3] of the first GATHERs. The other GATHERs are no instructions. */
static void allocate_row(struct allocator *a, const struct ir_inst *inst)
{
    unsigned n = machine_row_size(a->live, a->i);

    if (a->live->row[a->i] == 1) {
        need_register(a, inst->arg[0]);
        for (unsigned k = 0; k < n; k++)
            define(a, a->i + k);
        for (unsigned k = n; k < 4; k++)
            a->out->place[a->i + k - n][3] = take_temporary(a);
    }
    for (unsigned k = 0; k < 2; k++) {
        a->out->place[a->i][1 + k] = a->place[inst->arg[k]];
        use(a, inst->arg[k], a->live->next[a->i][k]);
        release_if_dead(a, inst->arg[k]);
    }
}

static void allocate_plain(struct allocator *a, const struct ir_inst *inst)
{
    const struct ir_op_info *info = &ir_op_info[inst->op];
    bool early = a->constraint[inst->op].early;

    if (a->live->row[a->i]) {
        allocate_row(a, inst);
        return;
    }
    a->next_use[a->i] = a->live->first_use[a->i];
    if (a->live->homed[a->i] || a->live->dead[a->i])
        return; /* loaded where it is used; or dead */
    allocate_operands(a, inst);
    if (!early)
        release_operands(a, inst);
    if (info->result)
        define(a, a->i);
    for (unsigned k = 0; k < a->constraint[inst->op].temporaries; k++)
        a->out->place[a->i][1 + info->n_args + k] = take_temporary(a);
    if (early)
        release_operands(a, inst);
}

/* --- Moves that happen at once ---------------------------------------------------------------- */

static uint32_t source_key(const struct machine_move *move)
{
    return move->from == MACHINE_PLACE_MEMORY ? MACHINE_PLACE_NONE + move->value : move->from;
}

static uint32_t target_key(const struct machine_move *move)
{
    return move->to == MACHINE_PLACE_MEMORY ? MACHINE_PLACE_NONE + move->to_phi : move->to;
}

/* Does a move whose target no other move has yet to read, and those that wait for it in turn. */
static void do_move_chain(struct allocator *a, uint32_t m)
{
    for (;;) {
        struct machine_move *move = &a->edge[m];
        uint32_t source = source_key(move);

        add_move(a, *move);
        a->writer[target_key(move)] = 0;
        a->reader_sum[source] -= m;
        move->to = MACHINE_PLACE_NONE; /* done */
        if (--a->readers[source] || !a->writer[source])
            return;
        m = a->writer[source] - 1;
    }
}

/* The remaining moves form cycles. Saves what a move overwrites, for its one reader. */
static void break_cycle(struct allocator *a, uint32_t m)
{
    uint32_t target = target_key(&a->edge[m]), reader = a->reader_sum[target];

    add_move(a, (struct machine_move){.value = a->edge[reader].value,
                                      .from = a->edge[reader].from,
                                      .to = MACHINE_PLACE_SWAP});
    a->edge[reader].from = MACHINE_PLACE_SWAP;
    a->readers[MACHINE_PLACE_SWAP] = 1;
    a->reader_sum[MACHINE_PLACE_SWAP] = reader;
    a->readers[target] = a->reader_sum[target] = 0;
    do_move_chain(a, m);
}

/* Puts the moves of the edge in an order in which none overwrites what another has yet to read. */
static void order_edge(struct allocator *a)
{
    uint32_t n = 0;

    for (uint32_t m = 0; m < a->n_edge; m++)
        if (source_key(&a->edge[m]) != target_key(&a->edge[m]))
            a->edge[n++] = a->edge[m];
    a->n_edge = n;
    for (uint32_t m = 0; m < n; m++) {
        a->readers[source_key(&a->edge[m])]++;
        a->reader_sum[source_key(&a->edge[m])] += m;
        a->writer[target_key(&a->edge[m])] = 1 + m;
    }
    for (uint32_t m = 0; m < n; m++)
        if (a->edge[m].to != MACHINE_PLACE_NONE && !a->readers[target_key(&a->edge[m])])
            do_move_chain(a, m);
    for (uint32_t m = 0; m < n; m++)
        if (a->edge[m].to != MACHINE_PLACE_NONE)
            break_cycle(a, m);
    a->n_edge = 0;
}

/* --- Control flow ----------------------------------------------------------------------------- */

static bool is_dead_phi(const struct allocator *a, uint32_t phi)
{
    return a->live->first_use[phi] == MACHINE_NO_USE;
}

/* Counts the uses of operand k of the phis after instruction `flow`, and notes where the operands
 * are. */
static void use_by_phis(struct allocator *a, uint32_t flow, unsigned k)
{
    for (uint32_t phi = flow + 1; machine_phi_at(a->live, phi); phi++) {
        uint32_t value = a->live->inst[phi].arg[k];

        if (a->live->dead[phi])
            continue;
        a->out->place[phi][1 + k] = a->place[value];
        use(a, value, a->live->next[phi][k]);
    }
}

/* Frees the registers of operands that have died. A phi may take the register of an operand that is
 * dead by then without a move. */
static void release_by_phis(struct allocator *a, uint32_t flow, unsigned k)
{
    for (uint32_t phi = flow + 1; machine_phi_at(a->live, phi); phi++) {
        uint32_t value = a->live->inst[phi].arg[k];

        if (a->live->dead[phi])
            continue;
        a->preferred[phi] = a->out->place[phi][1 + k];
        release_if_dead(a, value);
    }
}

/* Gives the phis places. Those without a register live in memory. */
static void place_phis(struct allocator *a, uint32_t flow)
{
    for (uint32_t phi = flow + 1; machine_phi_at(a->live, phi); phi++) {
        a->next_use[phi] = a->live->first_use[phi];
        a->out->place[phi][0] = MACHINE_PLACE_NONE;
        if (is_dead_phi(a, phi))
            continue;
        if (a->live->barrier[flow] || !assign(a, phi, false))
            a->out->spilled[phi] = true;
        a->out->place[phi][0] = a->place[phi];
    }
}

static void add_phi_moves(struct allocator *a, uint32_t flow, unsigned k)
{
    for (uint32_t phi = flow + 1; machine_phi_at(a->live, phi); phi++)
        if (!is_dead_phi(a, phi))
            add_edge_move(a, a->live->inst[phi].arg[k], a->out->place[phi][1 + k],
                          a->out->place[phi][0], phi);
}

/* Before a barrier: all values leave their registers. Those that the barrier itself uses are live.
 */
static void flush_registers(struct allocator *a)
{
    for (uint8_t reg = 0; reg < MACHINE_PLACES; reg++)
        if (a->owner[reg] && a->next_use[a->owner[reg]] != MACHINE_NO_USE)
            evict(a, reg);
        else if (a->owner[reg])
            release(a, a->owner[reg]);
}

static void allocate_if(struct allocator *a, const struct ir_inst *inst)
{
    if (a->live->barrier[a->i])
        flush_registers(a);
    else
        need_register(a, inst->arg[0]);
    a->out->place[a->i][1] = a->place[inst->arg[0]];
    use(a, inst->arg[0], a->live->next[a->i][0]);
    use_by_phis(a, a->live->match[a->i], 1);
    release_if_dead(a, inst->arg[0]);
    release_by_phis(a, a->live->match[a->i], 1);
    push_level(a, a->i);
}

/* Values that are live after ENDIF return to the registers that they had at IF; others leave
 * theirs. Stores in `was` where they were. */
static void return_to_if(struct allocator *a, const struct level *level,
                         uint8_t was[MACHINE_PLACES])
{
    for (unsigned reg = 0; reg < MACHINE_PLACES; reg++)
        was[reg] = a->place[level->owner[reg]];
    for (unsigned reg = 0; reg < MACHINE_PLACES; reg++)
        if (a->owner[reg])
            release(a, a->owner[reg]);
    for (uint8_t reg = 0; reg < MACHINE_PLACES; reg++)
        if (level->owner[reg] && is_live(a, level->owner[reg]))
            occupy(a, reg, level->owner[reg]);
}

static void allocate_endif(struct allocator *a)
{
    uint8_t was[MACHINE_PLACES];
    uint32_t before;

    use_by_phis(a, a->i, 0);
    a->n_levels--;
    if (a->live->barrier[a->i])
        flush_registers(a);
    return_to_if(a, &a->level[a->n_levels], was);
    place_phis(a, a->i);
    for (uint8_t reg = 0; reg < MACHINE_PLACES; reg++)
        if (a->owner[reg] && a->owner[reg] == a->level[a->n_levels].owner[reg])
            add_edge_move(a, a->owner[reg], was[reg], reg, 0);
    add_phi_moves(a, a->i, 0);
    order_edge(a);
    before = a->out->n_moves;
    add_move(a, (struct machine_move){.to = MACHINE_PLACE_NONE});
    add_phi_moves(a, a->i, 1);
    order_edge(a);
    if (a->out->n_moves == before + 1)
        a->out->n_moves = before;
}

static void allocate_loop(struct allocator *a)
{
    use_by_phis(a, a->i, 0);
    release_by_phis(a, a->i, 0);
    if (a->live->barrier[a->i])
        flush_registers(a);
    place_phis(a, a->i);
    add_phi_moves(a, a->i, 0);
    order_edge(a);
    push_level(a, a->i);
}

static void allocate_endloop(struct allocator *a, const struct ir_inst *inst)
{
    uint32_t begin = a->live->match[a->i];
    const struct level *level = &a->level[--a->n_levels];

    if (a->live->barrier[a->i])
        flush_registers(a);
    else
        need_register(a, inst->arg[0]);
    a->out->place[a->i][1] = a->place[inst->arg[0]];
    use(a, inst->arg[0], a->live->next[a->i][0]);
    use_by_phis(a, begin, 1);
    add_move(a, (struct machine_move){.to = MACHINE_PLACE_NONE});
    for (uint8_t reg = 0; reg < MACHINE_PLACES; reg++)
        if (level->owner[reg] && level->owner[reg] < begin)
            add_edge_move(a, level->owner[reg], a->place[level->owner[reg]], reg, 0);
    add_phi_moves(a, begin, 1);
    order_edge(a);
    for (unsigned reg = 0; reg < MACHINE_PLACES; reg++)
        if (a->owner[reg] && !is_live(a, a->owner[reg]))
            release(a, a->owner[reg]);
}

/* Values that are stored after their definition need not be stored again. */
static void drop_saves(struct machine_allocation *out)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < out->n_saves; i++)
        if (!out->spilled[out->save[i].value])
            out->save[n++] = out->save[i];
    out->n_saves = n;
}

/* --- Slots ------------------------------------------------------------------------------------ */

enum { SLOT_KINDS = 4 };

/* Slots that are free, per kind. */
struct free_slots {
    uint32_t *slot[SLOT_KINDS], n[SLOT_KINDS];
};

static unsigned slot_kind(const struct allocator *a, uint32_t value)
{
    return class_of(a, value) + 2u * a->out->wide[value];
}

/* from: the instruction that writes the slot. */
static void give_slot(struct allocator *a, struct free_slots *free, uint32_t value, uint32_t from,
                      uint32_t *ends_at, uint32_t *next)
{
    uint32_t end = a->live->memory_end[value];
    unsigned kind;

    if (!a->out->spilled[value] && !a->out->saved[value])
        return;
    a->out->wide[value] = a->live->barrier[from] || a->live->region[from] != a->live->region[end];
    kind = slot_kind(a, value);
    a->out->slot[value] =
        free->n[kind] ? free->slot[kind][--free->n[kind]] : a->out->n_slots[kind]++;
    next[value] = ends_at[end];
    ends_at[end] = value;
}

/* Values whose lifetimes do not overlap share slots. ends_at: list of the values whose lifetimes
 * end at an instruction; next: the next value of the same list. */
static void assign_slots(struct allocator *a)
{
    uint32_t n = a->live->n, *ends_at = mem_calloc(n, sizeof(*ends_at)),
             *next = mem_calloc(n, sizeof(*next));
    struct free_slots free = {0};

    a->failed |= !ends_at || !next;
    for (unsigned kind = 0; kind < SLOT_KINDS; kind++) {
        free.slot[kind] = mem_calloc(n, sizeof(*free.slot[kind]));
        a->failed |= !free.slot[kind];
    }
    for (uint32_t i = 1; i < n && !a->failed; i++) {
        unsigned op = a->live->inst[i].op;

        for (uint32_t value = ends_at[i - 1]; value; value = next[value]) {
            unsigned kind = slot_kind(a, value);

            free.slot[kind][free.n[kind]++] = a->out->slot[value];
        }
        if (op == IR_ENDIF || op == IR_LOOP) /* their phis are written here */
            for (uint32_t phi = i + 1; machine_phi_at(a->live, phi); phi++)
                give_slot(a, &free, phi, i, ends_at, next);
        if (!machine_is_phi(op) && !machine_is_loop_phi(op))
            give_slot(a, &free, i, i, ends_at, next);
    }
    mem_free(ends_at);
    mem_free(next);
    for (unsigned kind = 0; kind < SLOT_KINDS; kind++)
        mem_free(free.slot[kind]);
}

/* --- Interface -------------------------------------------------------------------------------- */

static void allocate_inst(struct allocator *a)
{
    const struct ir_inst *inst = &a->live->inst[a->i];

    a->out->first_move[a->i] = a->out->n_moves;
    if (a->live->cut[a->i])
        flush_registers(a);
    if (machine_is_phi(inst->op) || machine_is_loop_phi(inst->op))
        return;
    if (inst->op == IR_IF)
        allocate_if(a, inst);
    else if (inst->op == IR_ENDIF)
        allocate_endif(a);
    else if (inst->op == IR_LOOP)
        allocate_loop(a);
    else if (inst->op == IR_ENDLOOP)
        allocate_endloop(a, inst);
    else if (inst->op == IR_CALL)
        flush_registers(a);
    else
        allocate_plain(a, inst);
}

static bool init(struct allocator *a)
{
    struct machine_allocation *out = a->out;
    uint32_t n = a->live->n;

    out->place = mem_alloc(n * sizeof(*out->place));
    out->first_move = mem_calloc((size_t)n + 1, sizeof(*out->first_move));
    out->spilled = mem_calloc(n, sizeof(*out->spilled));
    out->saved = mem_calloc(n, sizeof(*out->saved));
    out->slot = mem_calloc(n, sizeof(*out->slot));
    out->wide = mem_calloc(n, sizeof(*out->wide));
    a->place = mem_alloc(n);
    a->next_use = mem_calloc(n, sizeof(*a->next_use));
    a->last_use = mem_calloc(n, sizeof(*a->last_use));
    a->preferred = mem_alloc(n);
    a->saved_by = mem_calloc(n, sizeof(*a->saved_by));
    a->readers = mem_calloc((size_t)MACHINE_PLACE_NONE + n, sizeof(*a->readers));
    a->reader_sum = mem_calloc((size_t)MACHINE_PLACE_NONE + n, sizeof(*a->reader_sum));
    a->writer = mem_calloc((size_t)MACHINE_PLACE_NONE + n, sizeof(*a->writer));
    if (!out->place || !out->first_move || !out->spilled || !out->saved || !out->slot ||
        !out->wide || !a->place || !a->next_use || !a->last_use || !a->preferred || !a->saved_by ||
        !a->readers || !a->reader_sum || !a->writer)
        return false;
    memset(out->place, MACHINE_PLACE_NONE, n * sizeof(*out->place));
    memset(a->place, MACHINE_PLACE_MEMORY, n);
    memset(a->preferred, MACHINE_PLACE_NONE, n);
    return true;
}

static void fini(struct allocator *a)
{
    mem_free(a->place);
    mem_free(a->next_use);
    mem_free(a->last_use);
    mem_free(a->preferred);
    mem_free(a->saved_by);
    mem_free(a->level);
    mem_free(a->edge);
    mem_free(a->readers);
    mem_free(a->reader_sum);
    mem_free(a->writer);
}

enum status ir_machine_allocate(struct machine_allocation *out, const struct machine_live *live,
                                const struct machine_registers *registers,
                                const struct machine_constraint *constraint)
{
    struct allocator a = {
        .out = out, .live = live, .registers = registers, .constraint = constraint};

    *out = (struct machine_allocation){0};
    a.failed = !init(&a);
    for (a.i = 1; a.i < live->n && !a.failed; a.i++)
        allocate_inst(&a);
    if (!a.failed) {
        out->first_move[live->n] = out->n_moves;
        drop_saves(out);
        assign_slots(&a);
    }
    fini(&a);
    if (!a.failed)
        return ST_OK;
    ir_machine_allocation_fini(out);
    return ST_NOMEM;
}

void ir_machine_allocation_fini(struct machine_allocation *a)
{
    mem_free(a->place);
    mem_free(a->first_move);
    mem_free(a->move);
    mem_free(a->spilled);
    mem_free(a->saved);
    mem_free(a->slot);
    mem_free(a->wide);
    mem_free(a->save);
    *a = (struct machine_allocation){0};
}
