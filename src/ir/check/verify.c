/* Verifies functions: types of operands, order of definitions and uses, nesting, places of phis.
 *
 * Tested by tests/unit/ir/check/test_verify.c. */
#include "ir/check/check.h"

#include "ir/build/build.h"
#include "util/alloc.h"

#include <string.h>

/* An IF or LOOP. Scope 0 is the function. */
struct scope {
    uint32_t parent;
    bool is_loop, is_closed;
};

struct verifier {
    const struct ir *ir;
    const struct ir_inst *inst;
    uint32_t n;
    struct scope *scope;
    uint32_t *scope_of; /* per instruction */
    uint32_t n_scopes, current;
    uint32_t closed_if; /* the IF before the phis of an ENDIF; 0: none */
    bool at_loop;       /* phis of a LOOP may stand here */
    struct ir_fault *fault;
};

static bool refuse(struct verifier *v, ir_ref at, const char *rule)
{
    *v->fault = (struct ir_fault){at, rule};
    return false;
}

/* Values of a closed IF are not visible, those of a closed LOOP are. */
static bool is_visible(const struct verifier *v, ir_ref ref)
{
    for (uint32_t s = v->scope_of[ref]; s; s = v->scope[s].parent)
        if (v->scope[s].is_closed && !v->scope[s].is_loop)
            return false;
    return true;
}

/* True for a value of the IF that has just ended, which its phis may read. */
static bool is_of_closed_if(const struct verifier *v, ir_ref ref)
{
    uint32_t s = v->scope_of[ref];

    while (s != v->closed_if && v->scope[s].is_loop)
        s = v->scope[s].parent;
    return s && s == v->closed_if;
}

static bool check_type(struct verifier *v, ir_ref at, unsigned k)
{
    const struct ir_op_info *info = &ir_op_info[v->inst[at].op];
    ir_ref ref = v->inst[at].arg[k];

    if (k >= info->n_args)
        return !ref || refuse(v, at, "an operation has no more operands than its row");
    if (!ref || ref >= v->n)
        return refuse(v, at, "an operand is a value");
    if (ir_op_info[v->inst[ref].op].result != info->arg[k])
        return refuse(v, at, "an operand has the type of its row");
    return true;
}

static bool check_operands(struct verifier *v, ir_ref at)
{
    const struct ir_inst *inst = &v->inst[at];
    bool is_loop_phi = inst->op == IR_LPHI || inst->op == IR_MLPHI;
    bool is_phi = inst->op == IR_PHI || inst->op == IR_MPHI;

    for (unsigned k = 0; k < 3; k++) {
        if (!check_type(v, at, k))
            return false;
        if (k >= ir_op_info[inst->op].n_args || (is_loop_phi && k == 1))
            continue;
        if (inst->arg[k] >= at)
            return refuse(v, at, "a value is defined before its use");
        if (is_phi && k == 0 && is_of_closed_if(v, inst->arg[0]))
            continue;
        if (!is_visible(v, inst->arg[k]))
            return refuse(v, at, "a value of an IF is used inside it, or by a phi after it");
    }
    return true;
}

static bool check_numbers(struct verifier *v, ir_ref at)
{
    const struct ir_inst *inst = &v->inst[at];
    unsigned op_class = ir_op_info[inst->op].op_class;
    bool accesses = op_class == IR_CLASS_READ || op_class == IR_CLASS_WRITE;
    bool shifts =
        inst->op == IR_ISHL || inst->op == IR_ISHR || inst->op == IR_ISAR || inst->op == IR_H2F;

    if (!accesses && inst->base)
        return refuse(v, at, "only memory operations have a base");
    if (op_class == IR_CLASS_WRITE && v->ir->constant_bases >> inst->base & 1)
        return refuse(v, at, "nothing writes constant memory");
    if (inst->op == IR_USTORE && v->inst[inst->arg[0]].rate != IR_RATE_DRAW)
        return refuse(v, at, "USTORE stores a value at the rate of a draw");
    if (shifts && inst->imm > 31)
        return refuse(v, at, "a shift is below 32");
    if (inst->op == IR_UNORM && (inst->imm >> 9 || (inst->imm & 31) + (inst->imm >> 5) > 31))
        return refuse(v, at, "a field has up to 16 bits of the word");
    if (inst->op == IR_QUAD && inst->imm > 255)
        return refuse(v, at, "a permutation has 8 bits");
    if (!accesses && !ir_has_number((enum ir_op)inst->op) && inst->op != IR_IF &&
        inst->op != IR_LOOP && inst->imm)
        return refuse(v, at, "a number is 0 where the operation has none");
    if (inst->op == IR_MCONST && inst->imm > 1)
        return refuse(v, at, "a constant mask is 0 or 1");
    if ((inst->op == IR_IF || inst->op == IR_LOOP) && inst->imm > 1)
        return refuse(v, at, "the hint of an IF or a LOOP is 0 or 1");
    return true;
}

static void open_scope(struct verifier *v, bool is_loop)
{
    v->scope[++v->n_scopes] = (struct scope){.parent = v->current, .is_loop = is_loop};
    v->current = v->n_scopes;
}

static bool close_scope(struct verifier *v, ir_ref at, bool is_loop)
{
    struct scope *scope = &v->scope[v->current];

    if (!v->current || scope->is_loop != is_loop)
        return refuse(v, at, "IF and ENDIF, LOOP and ENDLOOP are nested");
    scope->is_closed = true;
    v->current = scope->parent;
    return true;
}

/* Follows control flow over one instruction. */
static bool check_flow(struct verifier *v, ir_ref at)
{
    uint32_t closed = v->current;
    unsigned op = v->inst[at].op;

    if ((op == IR_PHI || op == IR_MPHI) && !v->closed_if)
        return refuse(v, at, "a phi stands directly after ENDIF");
    if ((op == IR_LPHI || op == IR_MLPHI) && !v->at_loop)
        return refuse(v, at, "a loop's phi stands directly after LOOP");
    if (op != IR_PHI && op != IR_MPHI)
        v->closed_if = 0;
    if (op != IR_LPHI && op != IR_MLPHI)
        v->at_loop = op == IR_LOOP;
    if (op == IR_IF || op == IR_LOOP)
        open_scope(v, op == IR_LOOP);
    if (op == IR_ENDLOOP)
        return close_scope(v, at, true);
    if (op != IR_ENDIF)
        return true;
    v->closed_if = closed;
    return close_scope(v, at, false);
}

static bool check_loop_phis(struct verifier *v)
{
    for (ir_ref at = 1; at < v->n; at++) {
        const struct ir_inst *inst = &v->inst[at];
        uint32_t loop = v->scope_of[at], s;

        if (inst->op != IR_LPHI && inst->op != IR_MLPHI)
            continue;
        for (s = v->scope_of[inst->arg[1]]; s != loop && v->scope[s].is_loop;)
            s = v->scope[s].parent;
        if (s != loop && inst->arg[1] >= at)
            return refuse(v, at, "a loop's next value is visible at its ENDLOOP");
    }
    return true;
}

static bool verify(struct verifier *v)
{
    for (ir_ref at = 1; at < v->n; at++) {
        if (v->inst[at].op == IR_NONE || v->inst[at].op >= IR_OP_COUNT)
            return refuse(v, at, "an operation is in the table");
        v->scope_of[at] = v->current;
        if (!check_operands(v, at) || !check_numbers(v, at) || !check_flow(v, at))
            return false;
    }
    if (v->current)
        return refuse(v, v->n - 1, "IF and ENDIF, LOOP and ENDLOOP are nested");
    return check_loop_phis(v);
}

enum status ir_verify(const struct ir *ir, struct ir_fault *fault)
{
    struct verifier v = {.ir = ir, .fault = fault};
    enum status status = ST_NOMEM;

    v.inst = ir_insts(ir, &v.n);
    v.scope = mem_calloc(v.n + 1, sizeof(*v.scope));
    v.scope_of = mem_calloc(v.n + 1, sizeof(*v.scope_of));
    if (v.scope && v.scope_of)
        status = verify(&v) ? ST_OK : ST_INVALID;
    mem_free(v.scope);
    mem_free(v.scope_of);
    return status;
}
