/* Random functions: arithmetic, memory operations, nested IFs and LOOPs. Results do not depend on
 * the width of vectors, from 4 lanes on: what an IF or LOOP computes is selected with the lanes'
 * own mask. */
#ifndef TESTS_IR_RANDOM_FUNCTION_H
#define TESTS_IR_RANDOM_FUNCTION_H

#include "memory.h"

enum { POOL_FLOATS, POOL_INTEGERS, POOL_MASKS, POOLS };
enum { POOL_SIZE = 64 };

struct random_function {
    struct ir *ir;
    uint64_t seed;
    ir_ref pool[POOLS][POOL_SIZE];
    unsigned n[POOLS];
    unsigned depth;
    bool calls; /* with calls */
};

static inline unsigned random_below(struct random_function *r, unsigned n)
{
    return memory_random(&r->seed) % n;
}

static inline ir_ref random_value(struct random_function *r, unsigned pool)
{
    return r->pool[pool][random_below(r, r->n[pool])];
}

static inline void random_keep(struct random_function *r, unsigned pool, ir_ref value)
{
    unsigned at = r->n[pool] < POOL_SIZE ? r->n[pool]++ : random_below(r, POOL_SIZE);

    r->pool[pool][at] = value;
}

/* The pool of a letter of ops.def. */
static inline int random_pool_of(char letter)
{
    return letter == 'F'   ? POOL_FLOATS
           : letter == 'I' ? POOL_INTEGERS
           : letter == 'M' ? POOL_MASKS
                           : -1;
}

/* One operation of the table. SELECT is for floats or integers, QUAD for floats; FIRST depends on
 * the width. */
static inline void random_operation(struct random_function *r)
{
    static const struct {
        enum ir_op op;
        char letter[5];
    } rows[] = {
#define IR_OP(name, result, a, b, c, class, nan, formula) {IR_##name, #result #a #b #c},
#include "ir/ops.def"
#undef IR_OP
    };
    unsigned i = random_below(r, sizeof(rows) / sizeof(rows[0]));
    bool of_floats = rows[i].op == IR_QUAD || (rows[i].op == IR_SELECT && random_below(r, 2));
    ir_ref arg[3] = {0, 0, 0};
    unsigned imm = random_below(r, rows[i].op == IR_QUAD ? 256 : rows[i].op == IR_MCONST ? 2 : 32);

    if (rows[i].op == IR_UNORM)
        imm = random_below(r, 17) | random_below(r, 16) << 5;

    if (!ir_has_number(rows[i].op))
        imm = 0;
    if (ir_op_info[rows[i].op].op_class > IR_CLASS_COMMUTES || rows[i].op == IR_FIRST)
        return;
    for (unsigned k = 0; k < 3; k++) {
        int pool = random_pool_of(rows[i].letter[1 + k]);

        if (pool >= 0)
            arg[k] =
                random_value(r, of_floats && pool == POOL_INTEGERS ? POOL_FLOATS : (unsigned)pool);
    }
    random_keep(r, of_floats ? POOL_FLOATS : (unsigned)random_pool_of(rows[i].letter[0]),
                ir_emit(r->ir, rows[i].op, arg[0], arg[1], arg[2], imm));
}

/* Some words of 16 bytes that each lane has for itself. */
static inline void random_row(struct random_function *r)
{
    ir_ref all = ir_emit(r->ir, IR_MCONST, 0, 0, 0, 1), at;
    unsigned first = random_below(r, 4), n = 1 + random_below(r, 4);

    at = ir_emit(r->ir, IR_IAND, random_value(r, POOL_INTEGERS), ir_const_i32(r->ir, 7), 0, 0);
    at = ir_emit(r->ir, IR_ISHL, at, 0, 0, 4);
    for (unsigned i = 0; i < n; i++)
        random_keep(r, POOL_FLOATS,
                    ir_emit_mem(r->ir, IR_GATHER, TABLE, 16 * (first / 2) + (first + i) % 4 * 4, at,
                                all, 0));
}

/* Words and masks are stored in rows of their own: a lane must not touch what another stores. */
static inline void random_memory(struct random_function *r)
{
    ir_ref at, mask = random_value(r, POOL_MASKS);
    unsigned row = random_below(r, MEMORY_ROWS);
    uint32_t offset = row * sizeof(uint32_t[IR_LANES]);

    switch (random_below(r, 8)) {
    case 0:
        random_keep(r, POOL_FLOATS, ir_emit_mem(r->ir, IR_LOAD, INPUTS, offset, 0, 0, 0));
        break;
    case 1:
        random_keep(r, POOL_FLOATS, ir_emit_mem(r->ir, IR_UNIFORM, UNIFORMS, 4 * row, 0, 0, 0));
        break;
    case 2:
        at = ir_emit(r->ir, IR_IAND, random_value(r, POOL_INTEGERS), ir_const_i32(r->ir, 0xfc), 0,
                     0);
        random_keep(r, POOL_FLOATS, ir_emit_mem(r->ir, IR_GATHER, TABLE, 0, at, mask, 0));
        break;
    case 3:
        random_keep(r, POOL_MASKS, ir_emit_mem(r->ir, IR_MLOAD, INPUTS, offset & ~7u, 0, 0, 0));
        break;
    case 4:
        offset |= sizeof(uint32_t[IR_LANES]);
        if (!r->depth)
            ir_emit_mem(r->ir, IR_STORE, WORDS, offset, random_value(r, POOL_INTEGERS), 0, 0);
        break;
    case 5:
        offset &= ~(uint32_t)sizeof(uint32_t[IR_LANES]);
        if (!r->depth)
            ir_emit_mem(r->ir, IR_MSTORE, WORDS, offset, mask, 0, 0);
        break;
    case 6:
        random_row(r);
        break;
    default: /* every lane writes its own word */
        at = ir_emit(r->ir, IR_ISHL, ir_emit(r->ir, IR_LANE, 0, 0, 0, 0), 0, 0, 2);
        if (!r->depth)
            ir_emit_mem(r->ir, IR_SCATTER, FLOATS, offset, at, random_value(r, POOL_FLOATS), mask);
    }
}

static inline void random_body(struct random_function *r, unsigned n);

/* The lanes of a mask get new values, the others keep theirs. */
static inline void random_if(struct random_function *r)
{
    struct random_function outer = *r;
    ir_ref mask = random_value(r, POOL_MASKS), before[POOLS], then[POOLS];

    for (unsigned p = 0; p < POOLS; p++)
        before[p] = random_value(r, p);
    if (random_below(r, 3))
        ir_if(r->ir, mask);
    else
        ir_if_rare(r->ir, mask);
    r->depth++;
    random_body(r, 1 + random_below(r, 12));
    for (unsigned p = 0; p < POOLS; p++)
        then[p] = random_value(r, p);
    for (unsigned p = 0; p < POOL_MASKS; p++)
        then[p] = ir_emit(r->ir, IR_SELECT, mask, then[p], before[p], 0);
    then[POOL_MASKS] = ir_emit(r->ir, IR_MAND, then[POOL_MASKS], mask, 0, 0);
    before[POOL_MASKS] = ir_emit(r->ir, IR_MAND, before[POOL_MASKS], mask, 0, 0);
    ir_endif(r->ir);
    outer.seed = r->seed;
    *r = outer;
    for (unsigned p = 0; p < POOL_MASKS; p++)
        random_keep(r, p, ir_phi(r->ir, then[p], before[p]));
}

/* Lane i runs 1 to 4 times. Other values of the body depend on how often the vector runs it. */
static inline void random_loop(struct random_function *r)
{
    struct random_function outer = *r;
    ir_ref all = ir_emit(r->ir, IR_MCONST, 0, 0, 0, 1), zero = ir_const_i32(r->ir, 0);
    ir_ref limit = random_value(r, POOL_INTEGERS), active, count, x, next, result;

    limit = ir_emit(r->ir, IR_IAND, limit, ir_const_i32(r->ir, 3), 0, 0);
    x = random_value(r, POOL_FLOATS);
    ir_loop(r->ir);
    r->depth++;
    active = ir_loop_phi(r->ir, all);
    count = ir_loop_phi(r->ir, zero);
    x = ir_loop_phi(r->ir, x);
    random_keep(r, POOL_FLOATS, x);
    random_keep(r, POOL_MASKS, active);
    random_body(r, 1 + random_below(r, 12));
    result = ir_emit(r->ir, IR_SELECT, active, random_value(r, POOL_FLOATS), x, 0);
    ir_loop_next(r->ir, x, result);
    next = ir_emit(r->ir, IR_IADD, count, ir_const_i32(r->ir, 1), 0, 0);
    ir_loop_next(r->ir, count, next);
    next = ir_emit(r->ir, IR_MAND, active, ir_emit(r->ir, IR_ILT, count, limit, 0, 0), 0, 0);
    ir_loop_next(r->ir, active, next);
    ir_endloop(r->ir, next);
    outer.seed = r->seed;
    *r = outer;
    random_keep(r, POOL_FLOATS, result);
}

static inline void random_body(struct random_function *r, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        unsigned kind = random_below(r, 40);

        if (kind == 0 && r->depth < 3)
            random_if(r);
        else if (kind == 1 && r->depth < 3)
            random_loop(r);
        else if (kind == 2 && r->calls)
            ir_emit(r->ir, IR_CALL, 0, 0, 0, random_below(r, MEMORY_ROWS));
        else if (kind < 10)
            random_memory(r);
        else
            random_operation(r);
    }
}

/* A loop in which each round waits for the one before. All lanes run three rounds. */
static inline void random_chain(struct random_function *r)
{
    ir_ref x = random_value(r, POOL_FLOATS), factor = random_value(r, POOL_FLOATS),
           zero = ir_const_i32(r->ir, 0), count, next;

    ir_loop_uniform(r->ir);
    count = ir_loop_phi(r->ir, zero);
    next = x = ir_loop_phi(r->ir, x);
    for (unsigned i = 0; i < 8; i++)
        next = ir_emit(r->ir, IR_FADD, ir_emit(r->ir, IR_FMUL0, next, factor, 0, 0), factor, 0, 0);
    ir_loop_next(r->ir, x, next);
    next = ir_emit(r->ir, IR_IADD, count, ir_const_i32(r->ir, 1), 0, 0);
    ir_loop_next(r->ir, count, next);
    ir_endloop(r->ir, ir_emit(r->ir, IR_ILT, next, ir_const_i32(r->ir, 3), 0, 0));
    random_keep(r, POOL_FLOATS, x);
}

/* A function of about n instructions, which stores some of its results. Every fourth one has a
 * chain. */
static inline struct ir *random_function_of(uint64_t seed, unsigned n, bool calls)
{
    struct random_function r = {.ir = ir_create(MEMORY_CONSTANT), .seed = seed, .calls = calls};

    random_keep(&r, POOL_FLOATS, ir_const_f32(r.ir, 1.5f));
    random_keep(&r, POOL_INTEGERS, ir_emit(r.ir, IR_LANE, 0, 0, 0, 0));
    random_keep(&r, POOL_MASKS, ir_emit_mem(r.ir, IR_MLOAD, INPUTS, 0, 0, 0, 0));
    random_body(&r, n / 2);
    if (seed % 4 == 3)
        random_chain(&r);
    random_body(&r, n - n / 2);
    for (unsigned row = 0; row < MEMORY_ROWS; row++) {
        uint32_t offset = row * sizeof(uint32_t[IR_LANES]);

        ir_emit_mem(r.ir, IR_STORE, FLOATS, offset, random_value(&r, POOL_FLOATS), 0, 0);
        if (row % 2)
            ir_emit_mem(r.ir, IR_STORE, WORDS, offset, random_value(&r, POOL_INTEGERS), 0, 0);
    }
    return r.ir;
}

static inline struct ir *random_function(uint64_t seed, unsigned n)
{
    return random_function_of(seed, n, false);
}

#endif
