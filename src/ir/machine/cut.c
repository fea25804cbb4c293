/* Cuts of long dependence chains. Processors work on a few hundred instructions at once. If a loop
 * over vectors is longer, and each of its instructions waits for the one before, nothing else is
 * left to do meanwhile. Short loops one after another have several vectors at work instead. Values
 * that live across a cut go to memory, so a cut is where few do.
 *
 * Tested by tests/unit/ir/machine/test_allocate.c and tests/unit/ir/compile/test_compile.c. */
#include "ir/machine/cut.h"

#include "util/alloc.h"

/* Instructions between two cuts, and behind the last one; values that live across one. */
enum { LEAST = 24, MOST = 48, LEAST_LEFT = 40, MOST_ALIVE = 24 };

struct cutter {
    struct machine_live *live;
    int32_t *alive;     /* per instruction: values in registers or slots before it */
    uint32_t *left;     /* per instruction: instructions from it to the next barrier */
    uint32_t *ready;    /* per value: cycles after the last cut */
    uint32_t start;     /* the last cut */
    uint32_t n, cycles; /* since then: instructions, and the longest chain */
    uint32_t best, best_n, best_cycles; /* the best cut so far, or 0 */
};

unsigned ir_machine_latency(unsigned op)
{
    switch (op) {
    case IR_CONST:
    case IR_MCONST:
    case IR_UNIFORM:
    case IR_LOAD:
    case IR_MLOAD:
    case IR_LANE:
        return 0;
    case IR_FADD:
    case IR_FSUB:
    case IR_FMUL:
    case IR_F2I:
    case IR_F2I_ROUND:
    case IR_I2F:
    case IR_FEQ:
    case IR_FLT:
    case IR_FLE:
    case IR_FUNORD:
    case IR_FIRST:
        return 4;
    case IR_FMUL0:
    case IR_FFLOOR:
    case IR_IMUL:
        return 8;
    case IR_FDIV:
    case IR_LOAD_AT:
        return 12;
    case IR_FSQRT:
        return 18;
    case IR_GATHER:
        return 25;
    case IR_FRSQ:
        return 36;
    case IR_FEXP2:
        return 60;
    case IR_FLOG2:
        return 100;
    default:
        return 1;
    }
}

unsigned ir_machine_instructions(unsigned op)
{
    switch (op) {
    case IR_CONST:
    case IR_MCONST:
    case IR_UNIFORM:
        return 0;
    case IR_FRSQ: /* 7, which occupy the divider as long as 18 take */
    case IR_FEXP2:
        return 18;
    case IR_FLOG2:
        return 32;
    default:
        return 1;
    }
}

static bool is_register_value(const struct machine_live *live, uint32_t i)
{
    return ir_op_info[live->inst[i].op].result && !live->homed[i] && !live->dead[i];
}

static void count_alive(struct cutter *c)
{
    const struct machine_live *live = c->live;

    for (uint32_t i = 1; i < live->n; i++)
        if (is_register_value(live, i) && live->memory_end[i] > i) {
            c->alive[i + 1]++;
            c->alive[live->memory_end[i] + 1]--;
        }
    for (uint32_t i = 1; i < live->n; i++)
        c->alive[i] += c->alive[i - 1];
}

static unsigned count_of(const struct machine_live *live, uint32_t i)
{
    bool is_counted = !live->rare[i] && !live->homed[i] && !live->dead[i];

    return is_counted ? ir_machine_instructions(live->inst[i].op) : 0;
}

static void count_left(struct cutter *c)
{
    for (uint32_t i = c->live->n - 1; i > 0; i--)
        c->left[i] = c->live->barrier[i] ? 0 : c->left[i + 1] + count_of(c->live, i);
}

static void restart(struct cutter *c, uint32_t start)
{
    c->start = start;
    c->n = c->cycles = c->best = 0;
}

static void count(struct cutter *c, uint32_t i)
{
    const struct ir_inst *inst = &c->live->inst[i];
    uint32_t ready = 0;

    if (c->live->rare[i])
        return;
    for (unsigned k = machine_is_phi(inst->op); k < ir_op_info[inst->op].n_args; k++)
        if (inst->arg[k] >= c->start && inst->arg[k] < i && c->ready[inst->arg[k]] > ready)
            ready = c->ready[inst->arg[k]];
    c->ready[i] = ready + ir_machine_latency(inst->op);
    c->cycles = c->cycles > c->ready[i] ? c->cycles : c->ready[i];
    c->n += count_of(c->live, i);
}

/* True if the instruction can be the first one of a region. */
static bool is_candidate(const struct cutter *c, uint32_t i)
{
    return ir_op_info[c->live->inst[i].op].op_class != IR_CLASS_FLOW && !c->live->homed[i] &&
           !c->live->dead[i] && c->live->row[i] < 2;
}

/* The best cut is the last one of those with the fewest values alive. */
static void consider(struct cutter *c, uint32_t i)
{
    if (c->n < LEAST || c->left[i] < LEAST_LEFT || !is_candidate(c, i) ||
        (c->best && c->alive[i] > c->alive[c->best]))
        return;
    c->best = i;
    c->best_n = c->n;
    c->best_cycles = c->cycles;
}

/* Goes from instruction to instruction, and back to each cut. Code with a chain of less than a
 * cycle an instruction has enough to do. */
static void find_cuts(struct cutter *c)
{
    struct machine_live *live = c->live;
    uint32_t open = 0; /* IFs and LOOPs that are not barriers */

    restart(c, 1);
    for (uint32_t i = 1; i < live->n; i++) {
        unsigned op = live->inst[i].op;

        if (live->barrier[i])
            restart(c, i + 1);
        else if (op == IR_ENDIF || op == IR_ENDLOOP)
            open--;
        else if (op == IR_IF || op == IR_LOOP)
            open++;
        if (!open)
            consider(c, i);
        count(c, i);
        if (c->n < MOST || !c->best)
            continue;
        if (c->best_cycles > c->best_n && c->alive[c->best] <= MOST_ALIVE)
            live->cut[c->best] = true;
        if (!open)
            i = c->best - 1;
        restart(c, open ? i + 1 : c->best);
    }
}

enum status ir_machine_find_cuts(struct machine_live *live)
{
    struct cutter c = {.live = live,
                       .alive = mem_calloc((size_t)live->n + 1, sizeof(*c.alive)),
                       .left = mem_calloc((size_t)live->n + 1, sizeof(*c.left)),
                       .ready = mem_calloc(live->n, sizeof(*c.ready))};
    bool ok = c.alive && c.left && c.ready;

    if (ok) {
        count_alive(&c);
        count_left(&c);
        find_cuts(&c);
    }
    mem_free(c.alive);
    mem_free(c.left);
    mem_free(c.ready);
    return ok ? ST_OK : ST_NOMEM;
}
