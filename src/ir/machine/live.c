/* Uses of values, from the last instruction to the first.
 *
 * Tested by tests/unit/ir/machine/test_allocate.c. */
#include "ir/machine/live.h"

#include "ir/machine/cut.h"
#include "util/alloc.h"

/* State of the analysis. */
struct pass {
    struct machine_live *live;
    uint32_t *last;  /* per value: the last position that uses it */
    uint32_t *later; /* per value: its next use after the current position */
    uint32_t *open;  /* stack of the open IFs or LOOPs */
    uint32_t n_open;
    uint32_t constant_bases;
    uint32_t next_write[IR_BASES]; /* next instruction that writes at the base */
};

/* --- Structure -------------------------------------------------------------------------------- */

/* Finds the ends of IFs and LOOPs, and which of them contain calls. */
static void match_flow(struct pass *p)
{
    struct machine_live *live = p->live;

    for (uint32_t i = 1; i < live->n; i++) {
        unsigned op = live->inst[i].op;

        if (op == IR_CALL) {
            live->barrier[i] = true;
            if (p->n_open)
                live->barrier[p->open[p->n_open - 1]] = true;
        }

        if (op == IR_IF || op == IR_LOOP)
            p->open[p->n_open++] = i;
        if (op == IR_ENDIF || op == IR_ENDLOOP) {
            uint32_t begin = p->open[--p->n_open];

            live->match[begin] = i;
            live->match[i] = begin;
            live->barrier[i] = live->barrier[begin];
            if (p->n_open)
                live->barrier[p->open[p->n_open - 1]] |= live->barrier[begin];
        }
    }
}

static void find_rare(struct machine_live *live)
{
    for (uint32_t i = 1, rare; i < live->n; i++)
        if (live->inst[i].op == IR_IF && live->inst[i].imm && !live->barrier[i])
            for (rare = i++; i < live->match[rare]; i++)
                live->rare[i] = rare;
}

/* An instruction is dead if it has a result that nothing needs. Phis of loops count as needed. */
static void find_dead(struct machine_live *live)
{
    for (uint32_t i = 1; i < live->n; i++) /* until an instruction needs it */
        live->dead[i] =
            ir_op_info[live->inst[i].op].result && !machine_is_loop_phi(live->inst[i].op);
    for (uint32_t i = live->n - 1; i > 0; i--) {
        uint32_t loop = live->inst[i].op == IR_ENDLOOP ? live->match[i] : i;

        for (uint32_t phi = loop + 1; loop < i && machine_phi_at(live, phi); phi++)
            live->dead[live->inst[phi].arg[1]] = false;
        for (unsigned k = 0; k < ir_op_info[live->inst[i].op].n_args && !live->dead[i]; k++)
            live->dead[live->inst[i].arg[k]] = false;
    }
}

/* True if the instruction loads a word of a row: all lanes load. */
static bool loads_from_row(const struct machine_live *live, uint32_t i)
{
    const struct ir_inst *inst = &live->inst[i], *lanes = &live->inst[inst->arg[1]];

    return inst->op == IR_GATHER && !live->dead[i] && lanes->op == IR_MCONST && lanes->imm &&
           inst->imm % 4 == 0;
}

static bool is_same_row(const struct ir_inst *a, const struct ir_inst *b)
{
    return a->base == b->base && a->arg[0] == b->arg[0] && a->imm / 16 == b->imm / 16;
}

/* Numbers the GATHERs of rows. One alone is none. */
static void find_rows(struct machine_live *live)
{
    for (uint32_t first = 1, i; first < live->n; first = i) {
        unsigned words = 0;

        for (i = first; i < live->n && loads_from_row(live, i); i++) {
            unsigned word = 1u << live->inst[i].imm / 4 % 4;

            if (!is_same_row(&live->inst[first], &live->inst[i]) || words & word)
                break;
            words |= word;
            live->row[i] = (uint8_t)(i - first + 1);
        }
        if (i == first + 1)
            live->row[first] = 0;
        i += i == first;
    }
}

/* --- Lifetimes -------------------------------------------------------------------------------- */

/* A use extends a lifetime to the end of the outermost loop that contains the use and not the
 * definition. */
static void extend(struct pass *p, uint32_t value, uint32_t at)
{
    struct machine_live *live = p->live;

    if (at > p->last[value])
        p->last[value] = at;
    for (uint32_t i = 0; i < p->n_open; i++)
        if (p->open[i] > value) {
            uint32_t end = live->match[p->open[i]];

            if (end > live->memory_end[value])
                live->memory_end[value] = end;
            return;
        }
}

static void extend_phis(struct pass *p, uint32_t first, unsigned arg, uint32_t at)
{
    struct machine_live *live = p->live;

    for (uint32_t i = first + 1; machine_phi_at(live, i); i++) {
        if (live->dead[i])
            continue;
        extend(p, live->inst[i].arg[arg], at);
        if (machine_is_phi(live->inst[i].op) ? arg == 0 : arg == 1)
            live->phi[live->inst[i].arg[arg]] = i;
    }
}

/* Sets last, and memory_end to the end of a loop or 0. */
static void find_lifetimes(struct pass *p)
{
    struct machine_live *live = p->live;

    for (uint32_t i = 1; i < live->n; i++) {
        const struct ir_inst *inst = &live->inst[i];

        if (live->dead[i])
            continue;
        if (inst->op == IR_ENDIF)
            extend_phis(p, i, 0, i);
        if (inst->op == IR_IF)
            extend_phis(p, live->match[i], 1, i);
        if (inst->op == IR_LOOP) {
            extend_phis(p, i, 0, i);
            p->open[p->n_open++] = i;
        }
        if (inst->op == IR_ENDLOOP)
            extend_phis(p, live->match[i], 1, i);
        for (unsigned k = 0; k < ir_op_info[inst->op].n_args && !machine_is_phi(inst->op) &&
                             !machine_is_loop_phi(inst->op);
             k++)
            extend(p, inst->arg[k], i);
        if (inst->op == IR_ENDLOOP)
            p->n_open--;
    }
}

/* --- Next uses -------------------------------------------------------------------------------- */

static void use(struct pass *p, uint32_t i, unsigned arg, uint32_t at)
{
    struct machine_live *live = p->live;
    uint32_t value = live->inst[i].arg[arg];

    live->next[i][arg] = p->later[value];
    p->later[value] = at;
}

static void use_by_phis(struct pass *p, uint32_t first, unsigned arg, uint32_t at)
{
    uint32_t end = first + 1;

    while (machine_phi_at(p->live, end))
        end++;
    for (uint32_t i = end - 1; i > first; i--)
        if (!p->live->dead[i])
            use(p, i, arg, at);
}

static void find_home(struct pass *p, uint32_t i)
{
    const struct ir_inst *inst = &p->live->inst[i];
    uint32_t end = p->last[i] > p->live->memory_end[i] ? p->last[i] : p->live->memory_end[i];

    if (inst->op == IR_CONST || inst->op == IR_MCONST)
        p->live->homed[i] = true;
    if (inst->op == IR_UNIFORM || inst->op == IR_LOAD)
        p->live->homed[i] =
            p->constant_bases >> inst->base & 1 ||
            p->next_write[inst->base] >= end; /* operands are read before memory is written */
}

static void find_next_uses(struct pass *p)
{
    struct machine_live *live = p->live;

    for (uint32_t v = 0; v < live->n; v++)
        p->later[v] = live->memory_end[v] > p->last[v] ? live->memory_end[v] : MACHINE_NO_USE;
    for (unsigned b = 0; b < IR_BASES; b++)
        p->next_write[b] = MACHINE_NO_USE;
    for (uint32_t i = live->n - 1; i > 0; i--) {
        const struct ir_inst *inst = &live->inst[i];

        live->first_use[i] = p->later[i];
        if (machine_is_phi(inst->op) || machine_is_loop_phi(inst->op) || live->dead[i])
            continue;
        find_home(p, i);
        if (inst->op == IR_ENDIF || inst->op == IR_LOOP)
            use_by_phis(p, i, 0, i);
        if (inst->op == IR_IF || inst->op == IR_ENDLOOP)
            use_by_phis(p, live->match[i], 1, i);
        for (unsigned k = ir_op_info[inst->op].n_args; k-- > 0;)
            use(p, i, k, i);
        if (ir_op_info[inst->op].op_class == IR_CLASS_WRITE)
            p->next_write[inst->base] = i;
        if (ir_op_info[inst->op].op_class == IR_CLASS_CALL)
            for (unsigned b = 0; b < IR_BASES; b++)
                p->next_write[b] = i;
    }
}

/* Memory must hold a value up to its last use, and the operands and results of phis where control
 * flow joins. */
static void find_memory_ends(struct pass *p)
{
    struct machine_live *live = p->live;

    for (uint32_t v = 1; v < live->n; v++)
        if (p->last[v] > live->memory_end[v])
            live->memory_end[v] = p->last[v];
    for (uint32_t i = 1; i < live->n; i++)
        if (live->inst[i].op == IR_ENDIF || live->inst[i].op == IR_LOOP)
            for (uint32_t phi = i + 1; machine_phi_at(live, phi); phi++) {
                uint32_t to = machine_is_phi(live->inst[phi].op) ? live->inst[phi].arg[1] : phi;
                uint32_t end = machine_is_phi(live->inst[phi].op) ? i : live->match[i];

                if (end > live->memory_end[to])
                    live->memory_end[to] = end;
            }
}

static void number_regions(struct machine_live *live)
{
    for (uint32_t i = 1; i < live->n; i++)
        live->region[i] = live->region[i - 1] + (live->barrier[i] || live->cut[i]);
}

/* --- Interface -------------------------------------------------------------------------------- */

enum status ir_machine_live_init(struct machine_live *live, const struct ir_inst *inst, uint32_t n,
                                 uint32_t constant_bases)
{
    struct pass p = {.live = live, .constant_bases = constant_bases};
    bool ok;

    *live = (struct machine_live){.inst = inst, .n = n};
    live->match = mem_calloc(n, sizeof(*live->match));
    live->first_use = mem_calloc(n, sizeof(*live->first_use));
    live->next = mem_calloc(n, sizeof(*live->next));
    live->memory_end = mem_calloc(n, sizeof(*live->memory_end));
    live->phi = mem_calloc(n, sizeof(*live->phi));
    live->homed = mem_calloc(n, sizeof(*live->homed));
    live->dead = mem_calloc(n, sizeof(*live->dead));
    live->barrier = mem_calloc(n, sizeof(*live->barrier));
    live->cut = mem_calloc(n, sizeof(*live->cut));
    live->region = mem_calloc(n, sizeof(*live->region));
    live->rare = mem_calloc(n, sizeof(*live->rare));
    live->row = mem_calloc(n, sizeof(*live->row));
    p.last = mem_calloc(n, sizeof(*p.last));
    p.later = mem_calloc(n, sizeof(*p.later));
    p.open = mem_calloc(n, sizeof(*p.open));
    ok = live->match && live->first_use && live->next && live->memory_end && live->phi &&
         live->homed && live->dead && live->barrier && live->cut && live->region && live->rare &&
         live->row && p.last && p.later && p.open;
    if (ok) {
        match_flow(&p);
        find_rare(live);
        find_dead(live);
        find_rows(live);
        find_lifetimes(&p);
        find_next_uses(&p);
        find_memory_ends(&p);
        ok = ir_machine_find_cuts(live) == ST_OK;
        number_regions(live);
    }
    mem_free(p.last);
    mem_free(p.later);
    mem_free(p.open);
    if (ok)
        return ST_OK;
    ir_machine_live_fini(live);
    return ST_NOMEM;
}

void ir_machine_live_fini(struct machine_live *live)
{
    mem_free(live->match);
    mem_free(live->first_use);
    mem_free(live->next);
    mem_free(live->memory_end);
    mem_free(live->phi);
    mem_free(live->homed);
    mem_free(live->dead);
    mem_free(live->barrier);
    mem_free(live->cut);
    mem_free(live->region);
    mem_free(live->rare);
    mem_free(live->row);
    *live = (struct machine_live){0};
}
