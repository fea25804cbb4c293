/* Appends instructions to a function, with value numbering: of two equal instructions, the second
 * yields the value of the first.
 *
 * A value that is defined inside an IF is visible up to its ENDIF. Instructions enter the hash
 * table in the order of the function, so those of an IF are the heads of their chains when it ends,
 * and leave it in reverse order. */
#include "ir/build/build.h"

#include "util/alloc.h"

#include <string.h>

enum { FIRST_CAPACITY = 256 };

struct ir *ir_create(uint32_t constant_bases)
{
    struct ir *ir = mem_calloc(1, sizeof(*ir));

    if (!ir)
        return NULL;
    ir->constant_bases = constant_bases;
    ir->n = 1; /* value 0 is none */
    ir->capacity = ir->n_buckets = FIRST_CAPACITY;
    ir->inst = mem_calloc(ir->capacity, sizeof(*ir->inst));
    ir->next = mem_calloc(ir->capacity, sizeof(*ir->next));
    ir->hash = mem_calloc(ir->capacity, sizeof(*ir->hash));
    ir->bucket = mem_calloc(ir->n_buckets, sizeof(*ir->bucket));
    if (!ir->inst || !ir->next || !ir->hash || !ir->bucket) {
        ir_destroy(ir);
        return NULL;
    }
    return ir;
}

void ir_destroy(struct ir *ir)
{
    if (!ir)
        return;
    mem_free(ir->inst);
    mem_free(ir->next);
    mem_free(ir->hash);
    mem_free(ir->bucket);
    mem_free(ir->scope);
    mem_free(ir);
}

enum status ir_status(const struct ir *ir)
{
    return ir->status;
}

const struct ir_inst *ir_insts(const struct ir *ir, uint32_t *n)
{
    *n = ir->n;
    return ir->inst;
}

/* Functions may have many instructions. */
_Static_assert(sizeof(struct ir_inst) == 5 * sizeof(uint32_t), "struct ir_inst is small");
_Static_assert(IR_BASES <= 16, "ir_inst.base has 4 bits");

/* --- Value numbering -------------------------------------------------------------------------- */

/* ir.next of an instruction that is not in the table: its value is not visible any more, or it has
 * none. */
enum { NOT_NUMBERED = -1 };

static uint64_t mixed(uint64_t x)
{
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 32;
}

static uint32_t hash_of(const struct ir_inst *inst)
{
    uint64_t x = inst->op | (uint64_t)inst->base << 16 | (uint64_t)inst->imm << 32;

    x = mixed(x) ^ (inst->arg[0] | (uint64_t)inst->arg[1] << 32);
    return (uint32_t)mixed(mixed(x) + inst->arg[2]);
}

/* Rates follow from the operands. Origins change no code. */
static bool is_equal(const struct ir_inst *a, const struct ir_inst *b)
{
    return a->op == b->op && a->base == b->base && a->imm == b->imm && a->arg[0] == b->arg[0] &&
           a->arg[1] == b->arg[1] && a->arg[2] == b->arg[2];
}

static void enter(struct ir *ir, ir_ref ref)
{
    uint32_t *bucket = &ir->bucket[ir->hash[ref] & (ir->n_buckets - 1)];

    ir->next[ref] = *bucket;
    *bucket = ref;
}

static bool is_numbered(const struct ir *ir, ir_ref ref)
{
    unsigned op_class = ir_op_info[ir->inst[ref].op].op_class;

    return op_class <= IR_CLASS_READ;
}

/* Removes the instructions from `first` on. */
static void leave(struct ir *ir, ir_ref first)
{
    for (ir_ref ref = ir->n; ref-- > first;) {
        if (ir->next[ref] == (uint32_t)NOT_NUMBERED)
            continue;
        ir->bucket[ir->hash[ref] & (ir->n_buckets - 1)] = ir->next[ref];
        ir->next[ref] = (uint32_t)NOT_NUMBERED;
    }
}

/* An equal instruction whose value is visible, or 0. */
static ir_ref find(const struct ir *ir, const struct ir_inst *inst, uint32_t hash)
{
    ir_ref ref = ir->bucket[hash & (ir->n_buckets - 1)];
    bool reads = ir_op_info[inst->op].op_class == IR_CLASS_READ;

    while (ref && (ir->hash[ref] != hash || !is_equal(&ir->inst[ref], inst)))
        ref = ir->next[ref];
    if (ref < ir->fresh && ir_op_info[inst->op].n_args)
        return 0;
    return reads && ref < ir->changed[inst->base] ? 0 : ref;
}

/* Fills a larger table with what the old one holds. */
static bool grow_buckets(struct ir *ir, uint32_t n_buckets)
{
    uint32_t *bucket = mem_calloc(n_buckets, sizeof(*bucket));

    if (!bucket)
        return false;
    mem_free(ir->bucket);
    ir->bucket = bucket;
    ir->n_buckets = n_buckets;
    for (ir_ref ref = 1; ref < ir->n; ref++)
        if (ir->next[ref] != (uint32_t)NOT_NUMBERED)
            enter(ir, ref);
    return true;
}

/* Makes *array larger. */
static bool grow_array(void *array, size_t bytes)
{
    void *more, *old;

    memcpy(&old, array, sizeof(old));
    more = mem_realloc(old, bytes);
    if (more)
        memcpy(array, &more, sizeof(more));
    return more != NULL;
}

/* Makes room for one more instruction. */
static bool grow(struct ir *ir)
{
    uint32_t capacity = ir->capacity * 2;

    if (ir->status)
        return false;
    if (ir->n < ir->capacity)
        return true;
    if (!grow_array(&ir->inst, capacity * sizeof(*ir->inst)) ||
        !grow_array(&ir->next, capacity * sizeof(*ir->next)) ||
        !grow_array(&ir->hash, capacity * sizeof(*ir->hash)) ||
        !grow_buckets(ir, ir->n_buckets * 2)) {
        ir->status = ST_NOMEM;
        return false;
    }
    ir->capacity = capacity;
    return true;
}

/* --- Emitting --------------------------------------------------------------------------------- */

/* The rate of an instruction's result. A word of constant memory changes with the draw only. */
static enum ir_rate rate_of(const struct ir *ir, const struct ir_inst *inst)
{
    unsigned op_class = ir_op_info[inst->op].op_class;

    if (inst->op == IR_UNIFORM)
        return ir->constant_bases >> inst->base & 1 ? IR_RATE_DRAW : IR_RATE_LANE;
    if (op_class > IR_CLASS_COMMUTES || inst->op == IR_LANE)
        return IR_RATE_LANE;
    for (unsigned k = 0; k < ir_op_info[inst->op].n_args; k++)
        if (ir->inst[inst->arg[k]].rate == IR_RATE_LANE)
            return IR_RATE_LANE;
    return IR_RATE_DRAW;
}

static ir_ref append(struct ir *ir, const struct ir_inst *inst, uint32_t hash)
{
    ir_ref ref = ir->n;

    if (!grow(ir))
        return 0;
    ir->inst[ir->n++] = *inst;
    ir->hash[ref] = hash;
    ir->next[ref] = (uint32_t)NOT_NUMBERED;
    if (is_numbered(ir, ref))
        enter(ir, ref);
    return ref;
}

ir_ref ir_emit_mem(struct ir *ir, enum ir_op op, unsigned base, uint32_t offset, ir_ref a, ir_ref b,
                   ir_ref c)
{
    struct ir_inst inst = {.op = (uint8_t)op,
                           .base = (uint8_t)base & 15,
                           .origin = ir->origin,
                           .arg = {a, b, c},
                           .imm = offset};
    uint32_t hash;
    ir_ref ref;

    if (ir->status)
        return 0;
    if (ir_is_pure(op) && (ref = ir_fold(ir, &inst)))
        return ref;
    inst.rate = rate_of(ir, &inst) & 15;
    hash = hash_of(&inst);
    if (ir_op_info[inst.op].op_class <= IR_CLASS_READ && (ref = find(ir, &inst, hash)))
        return ref;
    if (ir_op_info[op].op_class == IR_CLASS_WRITE)
        ir->changed[base] = ir->n;
    for (unsigned i = 0; op == IR_CALL && i < IR_BASES; i++)
        if (!(ir->constant_bases >> i & 1))
            ir->changed[i] = ir->n;
    return append(ir, &inst, hash);
}

ir_ref ir_append_copy(struct ir *ir, const struct ir_inst *inst, const ir_ref arg[3])
{
    struct ir_inst copy = *inst;
    ir_ref ref = ir->n;

    if (!grow(ir))
        return 0;
    memcpy(copy.arg, arg, sizeof(copy.arg));
    ir->inst[ir->n++] = copy;
    ir->next[ref] = (uint32_t)NOT_NUMBERED;
    return ref;
}

ir_ref ir_emit(struct ir *ir, enum ir_op op, ir_ref a, ir_ref b, ir_ref c, uint32_t imm)
{
    return ir_emit_mem(ir, op, 0, imm, a, b, c);
}

ir_ref ir_const_i32(struct ir *ir, int32_t x)
{
    return ir_emit(ir, IR_CONST, 0, 0, 0, (uint32_t)x);
}

ir_ref ir_const_f32(struct ir *ir, float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    return ir_emit(ir, IR_CONST, 0, 0, 0, bits);
}

void ir_set_origin(struct ir *ir, uint32_t origin)
{
    ir->origin = origin < IR_ORIGINS ? (uint16_t)origin : 0;
}

/* --- Control flow ----------------------------------------------------------------------------- */

static void open_scope(struct ir *ir, enum ir_op op, ir_ref mask, bool is_loop, bool hint)
{
    if (ir->n_scopes == ir->scope_capacity) {
        uint32_t capacity = ir->scope_capacity ? ir->scope_capacity * 2 : 16;
        void *scope = mem_realloc(ir->scope, capacity * sizeof(*ir->scope));

        if (!scope) {
            ir->status = ST_NOMEM;
            return;
        }
        ir->scope = scope;
        ir->scope_capacity = capacity;
    }
    ir->scope[ir->n_scopes++] = (struct ir_scope){ir->n, is_loop};
    ir_emit(ir, op, mask, 0, 0, hint);
}

void ir_if(struct ir *ir, ir_ref mask)
{
    open_scope(ir, IR_IF, mask, false, false);
}

void ir_if_rare(struct ir *ir, ir_ref mask)
{
    open_scope(ir, IR_IF, mask, false, true);
}

void ir_endif(struct ir *ir)
{
    if (ir->status)
        return;
    leave(ir, ir->scope[--ir->n_scopes].begin);
    ir_emit(ir, IR_ENDIF, 0, 0, 0, 0);
}

ir_ref ir_phi(struct ir *ir, ir_ref then, ir_ref before)
{
    bool is_mask = ir_op_info[ir->inst[then].op].result == IR_TYPE_MASK;

    return then == before ? then : ir_emit(ir, is_mask ? IR_MPHI : IR_PHI, then, before, 0, 0);
}

/* Stores later in the loop change what loads at its beginning find. */
static void begin_loop(struct ir *ir, bool is_uniform)
{
    open_scope(ir, IR_LOOP, 0, true, is_uniform);
    for (unsigned i = 0; i < IR_BASES; i++)
        if (!(ir->constant_bases >> i & 1))
            ir->changed[i] = ir->n;
}

void ir_loop(struct ir *ir)
{
    begin_loop(ir, false);
}

void ir_loop_uniform(struct ir *ir)
{
    begin_loop(ir, true);
}

ir_ref ir_loop_phi(struct ir *ir, ir_ref initial)
{
    bool is_mask = ir_op_info[ir->inst[initial].op].result == IR_TYPE_MASK;

    return ir_emit(ir, is_mask ? IR_MLPHI : IR_LPHI, initial, initial, 0, 0);
}

void ir_loop_next(struct ir *ir, ir_ref phi, ir_ref next)
{
    if (!ir->status)
        ir->inst[phi].arg[1] = next;
}

void ir_endloop(struct ir *ir, ir_ref again)
{
    if (ir->status)
        return;
    ir->n_scopes--;
    ir_emit(ir, IR_ENDLOOP, again, 0, 0, 0);
}
