/* Register allocation for each machine, also those that cannot run here: follows an allocation
 * instruction by instruction and checks that every operand is where its value is, whichever way
 * control flow takes. */
#include "random_function.h"
#include "machine/pressure.h"

#include "ir/machine/allocate.h"
#include "ir/x86/select.h"

#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>

static const struct x86_target targets[] = {
    {.is_64 = true}, {.is_64 = true, .avx512 = true}, {.is_64 = false}, {.avx512 = true}};

/* What registers and slots hold: values; 0 is unknown. */
struct places {
    uint32_t reg[MACHINE_PLACES], swap[2];
    uint32_t *slot[4]; /* per kind */
};

struct walk {
    const struct machine_live *live;
    const struct machine_allocation *allocation;
    const struct machine_registers *registers;
    const char *name;
    uint32_t i; /* current instruction */
};

static unsigned kind_of(const struct walk *w, uint32_t value)
{
    return machine_class_of(w->registers, &w->live->inst[value]) + 2u * w->allocation->wide[value];
}

static struct places copy_places(const struct walk *w, const struct places *from)
{
    struct places to = *from;

    for (unsigned kind = 0; kind < 4; kind++) {
        size_t bytes = (w->allocation->n_slots[kind] + 1) * sizeof(uint32_t);

        to.slot[kind] = malloc(bytes);
        memcpy(to.slot[kind], from->slot[kind], bytes);
    }
    return to;
}

static void free_places(struct places *p)
{
    for (unsigned kind = 0; kind < 4; kind++)
        free(p->slot[kind]);
}

/* Forgets what the two do not agree on. True if `p` has changed. */
static bool intersect(const struct walk *w, struct places *p, const struct places *other)
{
    bool changed = false;

    for (unsigned reg = 0; reg < MACHINE_PLACES; reg++)
        if (p->reg[reg] && p->reg[reg] != other->reg[reg])
            p->reg[reg] = 0, changed = true;
    for (unsigned kind = 0; kind < 4; kind++)
        for (uint32_t slot = 0; slot < w->allocation->n_slots[kind]; slot++)
            if (p->slot[kind][slot] && p->slot[kind][slot] != other->slot[kind][slot])
                p->slot[kind][slot] = 0, changed = true;
    return changed;
}

static uint32_t *slot_of(const struct walk *w, struct places *p, uint32_t value)
{
    ck_assert_msg(w->allocation->spilled[value] || w->allocation->saved[value],
                  "%s: value %u has no slot", w->name, value);
    return &p->slot[kind_of(w, value)][w->allocation->slot[value]];
}

static void check_source(const struct walk *w, struct places *p, uint32_t value, uint8_t place)
{
    unsigned reg_class = machine_class_of(w->registers, &w->live->inst[value]);
    uint32_t found = place == MACHINE_PLACE_SWAP     ? p->swap[reg_class]
                     : place != MACHINE_PLACE_MEMORY ? p->reg[place]
                     : w->live->homed[value]         ? value
                                                     : *slot_of(w, p, value);

    ck_assert_msg(found == value, "%s: instruction %u, place %u has value %u, not %u", w->name,
                  w->i, place, found, value);
}

/* A register of the value's class, which may be allocated. */
static void check_register(const struct walk *w, uint32_t value, uint8_t reg)
{
    unsigned reg_class = machine_class_of(w->registers, &w->live->inst[value]);

    ck_assert_msg(reg >= w->registers->first[reg_class] && reg < w->registers->end[reg_class],
                  "%s: value %u in register %u", w->name, value, reg);
}

/* Moves from m on, up to a divider. */
static uint32_t do_moves(const struct walk *w, struct places *p, uint32_t i, uint32_t m)
{
    for (; m < w->allocation->first_move[i + 1]; m++) {
        const struct machine_move *move = &w->allocation->move[m];

        if (move->to == MACHINE_PLACE_NONE)
            break;
        check_source(w, p, move->value, move->from);
        if (move->to == MACHINE_PLACE_SWAP) {
            p->swap[machine_class_of(w->registers, &w->live->inst[move->value])] = move->value;
        } else if (move->to == MACHINE_PLACE_MEMORY) {
            *slot_of(w, p, move->to_phi) = move->value;
        } else {
            check_register(w, move->value, move->to);
            p->reg[move->to] = move->value;
        }
    }
    return m;
}

static bool is_any_phi(const struct walk *w, uint32_t i)
{
    return i < w->live->n &&
           (machine_is_phi(w->live->inst[i].op) || machine_is_loop_phi(w->live->inst[i].op));
}

/* The values in the places of phis must be their operands k; from now on they are the phis. */
static void name_phis(const struct walk *w, struct places *p, uint32_t flow, unsigned k)
{
    for (uint32_t phi = flow + 1; is_any_phi(w, phi); phi++) {
        uint8_t place = w->allocation->place[phi][0];
        uint32_t *holds = place == MACHINE_PLACE_NONE     ? NULL
                          : place == MACHINE_PLACE_MEMORY ? slot_of(w, p, phi)
                                                          : &p->reg[place];

        if (!holds)
            continue;
        ck_assert_msg(*holds == w->live->inst[phi].arg[k], "%s: phi %u gets value %u, not %u",
                      w->name, phi, *holds, w->live->inst[phi].arg[k]);
        *holds = phi;
    }
}

/* Registers, and slots of a vector, do not keep values across a barrier. */
static void pass_barrier(const struct walk *w, struct places *p, uint32_t i)
{
    if (!w->live->barrier[i] && !w->live->cut[i])
        return;
    memset(p->reg, 0, sizeof(p->reg));
    for (unsigned kind = 0; kind < 2; kind++)
        memset(p->slot[kind], 0, w->allocation->n_slots[kind] * sizeof(uint32_t));
}

static void check_condition(struct walk *w, struct places *p, uint32_t i)
{
    uint8_t place = w->allocation->place[i][1];

    w->i = i;
    ck_assert((place == MACHINE_PLACE_MEMORY) == w->live->barrier[i]);
    check_source(w, p, w->live->inst[i].arg[0], place);
}

/* The first GATHER of a row reads the offsets, then writes all results and temporaries. */
static void check_row(struct walk *w, struct places *p, uint32_t i)
{
    uint8_t(*place)[4] = &w->allocation->place[i];
    unsigned n = machine_row_size(w->live, i), written[4];

    if (w->live->row[i] == 1) {
        check_source(w, p, w->live->inst[i].arg[0], place[0][1]);
        ck_assert_uint_ne(place[0][1], MACHINE_PLACE_MEMORY);
        for (unsigned k = 0; k < 4; k++) {
            uint32_t value = k < n ? i + k : 0;

            written[k] = value ? place[k][0] : place[k - n][3];
            check_register(w, i, (uint8_t)written[k]);
            ck_assert_uint_ne(written[k], place[0][1]);
            for (unsigned other = 0; other < k; other++)
                ck_assert_uint_ne(written[k], written[other]);
            p->reg[written[k]] = value;
        }
    }
    check_source(w, p, i, place[0][0]);
    if (w->allocation->spilled[i])
        *slot_of(w, p, i) = i;
}

/* Temporary registers are neither those of the result and the operands nor of each other, and lose
 * what they held. */
static void check_temporaries(const struct walk *w, struct places *p, uint32_t i, unsigned n)
{
    const uint8_t *place = w->allocation->place[i];
    unsigned first = 1 + ir_op_info[w->live->inst[i].op].n_args;

    for (unsigned k = first; k < first + n; k++) {
        check_register(w, i, place[k]);
        for (unsigned other = 0; other < k; other++)
            ck_assert_uint_ne(place[k], place[other]);
        p->reg[place[k]] = 0;
    }
}

static void check_plain(struct walk *w, struct places *p, uint32_t i,
                        const struct machine_constraint *constraint)
{
    const struct ir_inst *inst = &w->live->inst[i];
    const uint8_t *place = w->allocation->place[i];
    unsigned in_memory = 0;

    w->i = i;
    if (w->live->cut[i])
        pass_barrier(w, p, i);
    do_moves(w, p, i, w->allocation->first_move[i]);
    if (w->live->row[i]) {
        check_row(w, p, i);
        return;
    }
    for (unsigned k = 0; k < ir_op_info[inst->op].n_args; k++) {
        check_source(w, p, inst->arg[k], place[1 + k]);
        if (place[1 + k] == MACHINE_PLACE_MEMORY) {
            in_memory++;
            ck_assert(constraint[inst->op].memory >> k & 1);
        }
        if (ir_op_info[inst->op].result && constraint[inst->op].early)
            ck_assert_uint_ne(place[0], place[1 + k]);
    }
    ck_assert_uint_le(in_memory, 1);
    check_temporaries(w, p, i, constraint[inst->op].temporaries);
    if (!ir_op_info[inst->op].result)
        return;
    check_register(w, i, place[0]);
    p->reg[place[0]] = i;
    if (w->allocation->spilled[i])
        *slot_of(w, p, i) = i;
}

/* --- Control flow ----------------------------------------------------------------------------- */

static uint32_t check_body(struct walk *w, struct places *p, uint32_t i,
                           const struct machine_constraint *constraint);

/* What a rare IF stores when it runs. */
static void do_saves(const struct walk *w, struct places *p, uint32_t i)
{
    for (uint32_t s = 0; s < w->allocation->n_saves; s++) {
        const struct machine_save *save = &w->allocation->save[s];

        if (save->rare != i)
            continue;
        ck_assert(machine_is_rare_if(w->live, i));
        ck_assert(!s || save[-1].rare <= i);
        check_source(w, p, save->value, save->from);
        *slot_of(w, p, save->value) = save->value;
    }
}

static uint32_t check_if(struct walk *w, struct places *p, uint32_t i,
                         const struct machine_constraint *constraint)
{
    struct places skipped;
    uint32_t end, m;

    do_moves(w, p, i, w->allocation->first_move[i]);
    check_condition(w, p, i);
    pass_barrier(w, p, i);
    skipped = copy_places(w, p);
    do_saves(w, p, i);
    end = check_body(w, p, i + 1, constraint);
    w->i = end;
    m = do_moves(w, p, end, w->allocation->first_move[end]);
    if (m < w->allocation->first_move[end + 1])
        do_moves(w, &skipped, end, m + 1);
    name_phis(w, p, end, 0);
    name_phis(w, &skipped, end, 1);
    intersect(w, p, &skipped);
    pass_barrier(w, p, end);
    free_places(&skipped);
    return end + 1;
}

/* Follows the loop until what holds at its top holds after the body, too. */
static uint32_t check_loop(struct walk *w, struct places *p, uint32_t i,
                           const struct machine_constraint *constraint)
{
    struct places top;
    bool changed;
    uint32_t end, m;

    w->i = i;
    do_moves(w, p, i, w->allocation->first_move[i]);
    name_phis(w, p, i, 0);
    pass_barrier(w, p, i);
    top = copy_places(w, p);
    do {
        struct places again;

        free_places(p);
        *p = copy_places(w, &top);
        end = check_body(w, p, i + 1, constraint);
        w->i = end;
        m = do_moves(w, p, end, w->allocation->first_move[end]);
        check_condition(w, p, end);
        pass_barrier(w, p, end);
        again = copy_places(w, p);
        do_moves(w, &again, end, m + 1);
        name_phis(w, &again, i, 1);
        pass_barrier(w, &again, end);
        changed = intersect(w, &top, &again);
        free_places(&again);
    } while (changed);
    free_places(&top);
    return end + 1;
}

static uint32_t check_body(struct walk *w, struct places *p, uint32_t i,
                           const struct machine_constraint *constraint)
{
    while (i < w->live->n) {
        unsigned op = w->live->inst[i].op;
        uint8_t place = w->allocation->place[i][0];

        if (op == IR_ENDIF || op == IR_ENDLOOP)
            return i;
        if (op == IR_IF) {
            i = check_if(w, p, i, constraint);
            continue;
        }
        if (op == IR_LOOP) {
            i = check_loop(w, p, i, constraint);
            continue;
        }
        if (is_any_phi(w, i)) {
            if (place < MACHINE_PLACES && w->allocation->spilled[i])
                *slot_of(w, p, i) = i;
        } else if (op == IR_CALL) {
            pass_barrier(w, p, i);
        } else if (!ir_op_info[op].result || place != MACHINE_PLACE_NONE) {
            check_plain(w, p, i, constraint);
        }
        i++;
    }
    return i;
}

static void check_function(const struct ir *ir, const struct x86_target *target, const char *name)
{
    struct machine_constraint constraint[IR_OP_COUNT];
    struct machine_allocation allocation;
    struct machine_live live;
    struct walk w = {.live = &live,
                     .allocation = &allocation,
                     .registers = ir_x86_registers(target),
                     .name = name};
    struct places p, copy;
    uint32_t n;
    const struct ir_inst *inst = ir_insts(ir, &n);

    memset(&p, 0, sizeof(p));
    ir_x86_constraints(constraint, target);
    ck_assert_int_eq(ir_machine_live_init(&live, inst, n, MEMORY_CONSTANT), ST_OK);
    ck_assert_int_eq(ir_machine_allocate(&allocation, &live, w.registers, constraint), ST_OK);
    for (unsigned kind = 0; kind < 4; kind++)
        p.slot[kind] = calloc(allocation.n_slots[kind] + 1, sizeof(uint32_t));
    copy = copy_places(&w, &p);
    ck_assert_uint_eq(check_body(&w, &copy, 1, constraint), n);
    free_places(&copy);
    free_places(&p);
    ir_machine_allocation_fini(&allocation);
    ir_machine_live_fini(&live);
}

START_TEST(random_functions)
{
    char name[64];

    for (unsigned seed = 1; seed <= 300; seed++) {
        struct ir *ir = random_function_of(seed, 10 + seed * 37 % 800, seed % 2);

        snprintf(name, sizeof(name), "target %d, seed %u", _i, seed);
        check_function(ir, &targets[_i], name);
        ir_destroy(ir);
    }
}
END_TEST

START_TEST(conditional_eviction)
{
    for (unsigned n = 2; n < 96; n++) {
        struct ir *ir = conditional_pressure(n / 2, n % 2);

        check_function(ir, &targets[_i], "conditional pressure");
        ir_destroy(ir);
    }
}
END_TEST

static unsigned count_cuts(const struct ir *ir)
{
    struct machine_live live;
    unsigned cuts = 0;
    uint32_t n;
    const struct ir_inst *inst = ir_insts(ir, &n);

    ck_assert_int_eq(ir_machine_live_init(&live, inst, n, MEMORY_CONSTANT), ST_OK);
    for (uint32_t i = 1; i < n; i++)
        cuts += live.cut[i];
    ir_machine_live_fini(&live);
    return cuts;
}

/* Sums of n terms, in so many chains that do not wait for each other; in an IF if there is a mask.
 */
static struct ir *chains(unsigned n_chains, unsigned n, bool in_if)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    ir_ref x = ir_emit_mem(ir, IR_LOAD, INPUTS, 0, 0, 0, 0), sum[8];

    if (in_if)
        ir_if(ir, ir_emit_mem(ir, IR_MLOAD, INPUTS, 256, 0, 0, 0));
    for (unsigned i = 0; i < n_chains; i++)
        sum[i] = ir_emit(ir, IR_FMUL, x, ir_const_f32(ir, (float)i), 0, 0);
    for (unsigned i = 0; i < n * n_chains; i++)
        sum[i % n_chains] = ir_emit(ir, IR_FADD, sum[i % n_chains], x, 0, 0);
    if (in_if)
        ir_endif(ir);
    for (unsigned i = 0; i < n_chains; i++)
        sum[i] = in_if ? ir_phi(ir, sum[i], x) : sum[i];
    for (unsigned i = 0; i < n_chains; i++)
        ir_emit_mem(ir, IR_STORE, WORDS, 256 * i, sum[i], 0, 0);
    return ir;
}

START_TEST(cuts)
{
    static const struct {
        unsigned chains, n, least, most;
        bool in_if;
    } cases[] = {{1, 40, 0, 0, false},  {1, 150, 2, 4, false}, {1, 400, 6, 10, false},
                 {8, 100, 0, 0, false}, {3, 100, 4, 8, false}, {1, 400, 0, 0, true}};
    struct ir *ir = chains(cases[_i].chains, cases[_i].n, cases[_i].in_if);
    unsigned found = count_cuts(ir);

    ck_assert_uint_ge(found, cases[_i].least);
    ck_assert_uint_le(found, cases[_i].most);
    for (unsigned t = 0; t < 4; t++)
        check_function(ir, &targets[t], "chains");
    ir_destroy(ir);
}
END_TEST

/* What constant memory holds needs no slot, not even across a call. */
START_TEST(constant_memory)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    ir_ref x = ir_emit_mem(ir, IR_LOAD, TABLE, 0, 0, 0, 0), y;
    struct machine_constraint constraint[IR_OP_COUNT];
    struct machine_allocation allocation;
    struct machine_live live;
    uint32_t n;
    const struct ir_inst *inst;

    ir_emit_mem(ir, IR_STORE, WORDS, 0, x, 0, 0);
    y = ir_emit_mem(ir, IR_LOAD, INPUTS, 0, 0, 0, 0);
    ir_emit(ir, IR_CALL, 0, 0, 0, 1);
    ir_emit_mem(ir, IR_STORE, WORDS, 256, ir_emit(ir, IR_IADD, x, y, 0, 0), 0, 0);
    inst = ir_insts(ir, &n);
    ir_x86_constraints(constraint, &targets[_i]);
    ck_assert_int_eq(ir_machine_live_init(&live, inst, n, MEMORY_CONSTANT), ST_OK);
    ck_assert_int_eq(
        ir_machine_allocate(&allocation, &live, ir_x86_registers(&targets[_i]), constraint), ST_OK);
    ck_assert(!allocation.spilled[x] && allocation.spilled[y]);
    ck_assert_uint_eq(allocation.n_slots[2], 1);
    ir_machine_allocation_fini(&allocation);
    ir_machine_live_fini(&live);
    ir_destroy(ir);
}
END_TEST

/* A constant is an operand in memory where no register would still hold it at its next use: in a
 * rare IF, or behind a barrier. */
START_TEST(memory_operands)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    struct machine_constraint constraint[IR_OP_COUNT];
    struct machine_allocation allocation;
    struct machine_live live;
    ir_ref x, c[3], y[3];
    uint32_t n;
    const struct ir_inst *inst;

    x = ir_emit_mem(ir, IR_LOAD, INPUTS, 0, 0, 0, 0);
    for (unsigned i = 0; i < 3; i++) {
        c[i] = ir_const_i32(ir, 5 + (int32_t)i);
        y[i] = ir_emit(ir, IR_ISUB, i ? y[i - 1] : x, c[i], 0, 0);
    }
    y[2] = ir_emit(ir, IR_IADD, y[2], c[2], 0, 0);
    ir_if_rare(ir, ir_emit(ir, IR_ILT, y[2], x, 0, 0));
    ir_emit_mem(ir, IR_STORE, WORDS, 0, ir_emit(ir, IR_IXOR, y[2], c[0], 0, 0), 0, 0);
    ir_endif(ir);
    ir_emit(ir, IR_CALL, 0, 0, 0, 1);
    ir_emit_mem(ir, IR_STORE, WORDS, 256, ir_emit(ir, IR_IXOR, y[2], c[1], 0, 0), 0, 0);
    inst = ir_insts(ir, &n);
    ir_x86_constraints(constraint, &targets[_i]);
    ck_assert_int_eq(ir_machine_live_init(&live, inst, n, MEMORY_CONSTANT), ST_OK);
    ck_assert_int_eq(
        ir_machine_allocate(&allocation, &live, ir_x86_registers(&targets[_i]), constraint), ST_OK);
    for (unsigned i = 0; i < 3; i++) {
        ir_ref use = c[i] + 1;

        ck_assert_uint_eq(inst[use].arg[1], c[i]);
        ck_assert_int_eq(allocation.place[use][2] == MACHINE_PLACE_MEMORY, i < 2);
    }
    ir_machine_allocation_fini(&allocation);
    ir_machine_live_fini(&live);
    ir_destroy(ir);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir/machine/allocate");
    TCase *tc = tcase_create("allocate");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, random_functions, 0, 4);
    tcase_add_loop_test(tc, conditional_eviction, 0, 4);
    tcase_add_loop_test(tc, constant_memory, 0, 4);
    tcase_add_loop_test(tc, memory_operands, 0, 4);
    tcase_add_loop_test(tc, cuts, 0, 6);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
