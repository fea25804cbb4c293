/* Lowering of programs to functions of the IR (ir/ir.h): data structures, and the interface of its
 * parts. Private to the module.
 *
 * A register component is a *vreg*. `def` maps each vreg to its present value, so moves, swizzles
 * and write masks cost nothing. Control flow is structured: IFs and LOOPs of the IR run their
 * bodies for vectors of lanes, and lane masks say for which lanes a value counts (flow.c). Calls
 * are inlined. Programs that this makes too long keep registers in memory instead (memory.c). */
#ifndef VM_LOWER_PASSES_H
#define VM_LOWER_PASSES_H

#include "ir/ir.h"
#include "vm/ir/code.h"
#include "vm/lower/lower.h"
#include "vm/program/program.h"

/* Modifiers that apply to a result before it is written. */
struct dst_mod {
    bool saturate;
    float scale;
};

/* A part of the program whose values are merged at its end: the main program, a side of an if, the
 * body of a loop. */
struct region {
    ir_ref mask;     /* lanes whose values count at the end */
    uint32_t before; /* values of the vregs when it began: place in lower.saved */
    bool is_masked;  /* other lanes keep the values that they had; false: all lanes of the outer
                        region take part */
};

/* An open if, loop or inlined routine. */
enum construct_kind { CONSTRUCT_IF, CONSTRUCT_LOOP, CONSTRUCT_ROUTINE };
struct construct {
    enum construct_kind kind;
    struct region outer;  /* the region around it */
    uint32_t n_saved;     /* lower.n_saved before it */
    ir_ref exec;          /* lanes that execute it */
    ir_ref active, alive; /* lower.def of these vregs before it */
    /* if */
    ir_ref condition;            /* lanes of the first side */
    bool is_uniform, is_certain; /* all lanes take the same side; no IF is needed */
    /* loop */
    struct region entered;              /* the lanes that enter it */
    ir_ref round;                       /* the lanes that execute a round */
    ir_ref count_phi, al_phi, al, step; /* al, step: values of the outer loop */
    uint32_t begin;                     /* its instruction */
    bool leaves_early, steps;           /* lanes may leave before the end; it has aL */
    uint32_t n_lowered;                 /* lower.n_lowered before it */
    /* routine */
    uint32_t return_to; /* the instruction after the call */
};

/* What a call of the sampler reads. Texture instructions in a row that read the same share a call.
 */
struct sample_key {
    uint32_t mode; /* enum lod */
    ir_ref coord[3], more[6];
};

struct lower {
    const struct vm_program *program;
    const struct vm_options *options;
    enum status status; /* the first error; emitting continues harmlessly */
    unsigned rank;      /* version, see vm_version_rank */
    bool pixel, is_ps1; /* is_ps1: ps_1_x */

    struct ir *ir;
    struct vm_code *code; /* uniforms, samples and places in work memory are noted there */
    uint32_t cap_scalars, cap_samples;
    uint32_t *scalar_bucket; /* hash table of 2 * cap_scalars: number of a scalar + 1; 0: empty */

    /* Vregs: temporaries, t# of ps_1_1 … 1_3, a0, output slots; then masks: the components of p0,
     * the lanes that are killed, that have not left the innermost loop (active), that have not
     * returned (alive); then the instructions that loops may still run, a word per lane. */
    uint32_t n_vreg, vreg_texture, vreg_address, vreg_output, vreg_predicate, vreg_killed,
        vreg_active, vreg_alive, vreg_budget;
    ir_ref *def;
    ir_ref *saved; /* copies of `def`, those of the innermost regions last */
    uint32_t n_saved, cap_saved;
    /* Registers are kept in memory, and routines are functions (memory.c). */
    bool in_memory;
    bool grows;               /* without that the function is too long */
    uint32_t *routine_at;     /* per label: number of the routine */
    uint32_t *routine_length; /* per label: instructions that the routine runs without loops */
    struct ir **function;     /* finished functions: the main program, then the routines */
    uint32_t *def_of;         /* per c# below n_def_of: its definition + 1 */
    uint32_t n_def_of;

    /* Per instruction, where there are loops: the vregs that a loop or the routine of a label
     * writes (writes.c). */
    uint64_t **loop_writes, *write_set;

    struct region region; /* the innermost */
    struct construct *construct;
    uint32_t n_constructs, cap_constructs;
    ir_ref exec;         /* lanes that execute the current instruction */
    ir_ref al, step;     /* aL and its step, words */
    bool budgets_differ; /* lanes may have run different numbers of instructions in loops */
    uint32_t n_lowered;  /* instructions, those of inlined routines each time */

    struct pending {
        uint32_t vreg;
        ir_ref ref;
    } pending[16]; /* results of the current instruction; vm_lower_commit applies them */
    uint32_t n_pending;
    bool takes_gradient; /* registers are read in all lanes, see vm_lower_all_lanes */

    /* The last registers that were read with an index: visible until control flow. A skinned vertex
     * reads the rows of a matrix for its position, then for its normal. */
    struct indexed {
        ir_ref number, word[4];
        uint32_t n_flow;
    } indexed[8];
    uint32_t n_indexed; /* all that were read so far */

    /* Rows of a ps_1_1 … 1_3 texture matrix that wait for the last row. */
    ir_ref row[2], row_w[2]; /* row_w: w of the coordinates, for texm3x3vspec */
    uint32_t n_rows;
    uint32_t operand_place[9], n_operand_places; /* operands of a call of the sampler */
    struct sample_key last_sample;               /* of the last call */
    ir_ref last_exec;
    uint32_t last_flow;
    uint32_t n_flow; /* flow instructions and registers in memory so far; they end sampler groups */
    ir_ref *stepped; /* per vreg: the value that the step hook has seen; only in single-step code */
    uint32_t n_stepped; /* instructions that the step hook has reported */
};

/* --- emit.c: operations, with the rules of Direct3D ------------------------------------------- */

ir_ref vm_op1(struct lower *l, enum ir_op op, ir_ref a);
ir_ref vm_op2(struct lower *l, enum ir_op op, ir_ref a, ir_ref b);
ir_ref vm_op3(struct lower *l, enum ir_op op, ir_ref a, ir_ref b, ir_ref c);
ir_ref vm_literal(struct lower *l, float x);
/* The number of a scalar, which is added to the uniforms if it is not among them. */
uint32_t vm_find_scalar(struct lower *l, const struct vm_scalar *key);
/* A word of the uniforms. */
ir_ref vm_scalar(struct lower *l, enum vm_scalar_from from, unsigned index, unsigned component);
static inline ir_ref vm_neg(struct lower *l, ir_ref a)
{
    return vm_op1(l, IR_FNEG, a);
}
static inline ir_ref vm_abs(struct lower *l, ir_ref a)
{
    return vm_op1(l, IR_FABS, a);
}
static inline ir_ref vm_add(struct lower *l, ir_ref a, ir_ref b)
{
    return vm_op2(l, IR_FADD, a, b);
}
static inline ir_ref vm_sub(struct lower *l, ir_ref a, ir_ref b)
{
    return vm_op2(l, IR_FSUB, a, b);
}
ir_ref vm_mul(struct lower *l, ir_ref a, ir_ref b); /* zero rule, unless options->ieee */
ir_ref vm_mad(struct lower *l, ir_ref a, ir_ref b, ir_ref c);
ir_ref vm_dot(struct lower *l, unsigned n, const ir_ref *a, const ir_ref *b);
ir_ref vm_max(struct lower *l, ir_ref a, ir_ref b); /* of two zeros, the first */
ir_ref vm_saturate(struct lower *l, ir_ref a);
/* a (comparison) b, enum vm_compare. */
ir_ref vm_compare(struct lower *l, unsigned comparison, ir_ref a, ir_ref b);
ir_ref vm_bool(struct lower *l, ir_ref mask, ir_ref then, ir_ref otherwise); /* SELECT */

/* --- functions.c: transcendental functions (util/simd/math.h) --------------------------------- */

ir_ref vm_rcp(struct lower *l, ir_ref x);
ir_ref vm_rsq(struct lower *l, ir_ref x); /* of |x| */
ir_ref vm_nrm(struct lower *l, ir_ref x); /* rsq; FLT_MAX for 0 */
ir_ref vm_div(struct lower *l, ir_ref a, ir_ref b);
ir_ref vm_div_one(struct lower *l, ir_ref a, ir_ref b); /* 1 where b is 0 */
ir_ref vm_exp2(struct lower *l, ir_ref x);
ir_ref vm_log2(struct lower *l, ir_ref x); /* of |x| */
ir_ref vm_pow(struct lower *l, ir_ref x, ir_ref y);
ir_ref vm_sin(struct lower *l, ir_ref x);
ir_ref vm_cos(struct lower *l, ir_ref x);
ir_ref vm_exponent(struct lower *l, ir_ref x); /* logp of vs_1_1: x */
ir_ref vm_mantissa(struct lower *l, ir_ref x); /* and y */
ir_ref vm_lit_z(struct lower *l, ir_ref x, ir_ref y, ir_ref w);
ir_ref vm_round_even(struct lower *l, ir_ref x);

/* --- origin.c: which instruction an operation is for ------------------------------------------ */

/* Of the operations that follow: the number of an instruction + 1, or 0. */
void vm_lower_set_origin(struct lower *l, uint32_t origin);
/* That of storing an output slot. */
uint32_t vm_lower_output_origin(const struct lower *l, uint32_t slot);
/* Counts the operations of a function for vm_code_operations. */
MUST_CHECK enum status vm_lower_count_operations(struct lower *l, const struct ir *body,
                                                 const struct ir *preamble);

/* --- writes.c: what loops write --------------------------------------------------------------- */

/* Fills lower.loop_writes. False: no memory. */
bool vm_lower_find_writes(struct lower *l);
/* True if an instruction inside the loop, or a routine that it calls, may write the vreg. */
bool vm_lower_loop_writes(const struct lower *l, uint32_t loop, uint32_t vreg);

/* --- region.c: values in regions -------------------------------------------------------------- */

/* What a vreg holds in the lanes of the region. */
ir_ref vm_lower_get(struct lower *l, uint32_t vreg);
/* Sets a vreg in all lanes of the region. */
void vm_lower_put(struct lower *l, uint32_t vreg, ir_ref ref);
/* Begins a region that the lanes of `mask` execute. */
void vm_lower_begin_region(struct lower *l, ir_ref mask, bool is_masked);
/* Begins a region that all lanes of the region around it execute, or none. */
void vm_lower_begin_uniform_region(struct lower *l, ir_ref mask);
/* What a vreg held when the region began. */
ir_ref vm_lower_before(const struct lower *l, uint32_t vreg);
/* The value of a vreg at the end of the region, for all lanes of the region around it. */
ir_ref vm_lower_value_at_end(struct lower *l, uint32_t vreg);
/* Ends the region of an IF, and the IF. */
void vm_lower_end_if_region(struct lower *l);
/* Sets a vreg for the lanes that execute the current instruction. */
void vm_lower_set(struct lower *l, uint32_t vreg, ir_ref ref);
/* What a register holds in all lanes, those that do not execute the current instruction included.
 */
ir_ref vm_lower_all_lanes(struct lower *l, uint32_t vreg);

/* --- memory.c: registers in memory ------------------------------------------------------------ */

/* Makes places for vregs and aL. False: no memory. */
bool vm_lower_make_places(struct lower *l);
ir_ref vm_lower_load(struct lower *l, uint32_t vreg);
void vm_lower_store(struct lower *l, uint32_t vreg, ir_ref ref);
void vm_lower_store_al(struct lower *l);
/* Fills lower.routine_at and routine_length. False: no memory. */
bool vm_lower_find_routines(struct lower *l);
/* Calls the routine of a label. */
void vm_lower_call(struct lower *l, uint32_t label);
void vm_lower_begin_routine(struct lower *l);

/* --- operand.c: register access --------------------------------------------------------------- */

/* Component c of source s, after swizzle and modifier. */
ir_ref vm_lower_src(struct lower *l, const struct vm_instr *in, unsigned s, unsigned c);
/* Component c of an operand, `row` registers further on (matrices). */
ir_ref vm_lower_operand(struct lower *l, const struct vm_src *src, unsigned row, unsigned c);
/* Component as stored in the register: no swizzle, no modifier. */
ir_ref vm_lower_register(struct lower *l, const struct vm_src *src, unsigned row,
                         unsigned component);
/* Component c of the interpolated coordinate set of a stage. */
ir_ref vm_lower_coord(struct lower *l, unsigned stage, unsigned c);
/* Vreg of a component of a destination, or -1. */
int64_t vm_lower_destination(const struct lower *l, unsigned file, unsigned reg, unsigned c);
/* Queues ref as the new value of component c of the destination; vm_lower_commit makes it visible.
 */
void vm_lower_write(struct lower *l, const struct vm_instr *in, unsigned c, ir_ref ref);
/* The same with the modifiers of the destination. */
void vm_lower_write_result(struct lower *l, const struct vm_instr *in, unsigned c, ir_ref ref);
void vm_lower_write_output(struct lower *l, unsigned file, unsigned reg, unsigned c, ir_ref ref);
void vm_lower_commit(struct lower *l);
/* Lanes in which a predicate holds. */
ir_ref vm_lower_predicate(struct lower *l, const struct vm_src *predicate, unsigned c);

/* --- flow.c: control flow --------------------------------------------------------------------- */

void vm_lower_begin(struct lower *l); /* before the first instruction */
/* Lowers a flow instruction and returns the next one to lower. */
uint32_t vm_lower_flow(struct lower *l, uint32_t instr);

/* --- alu.c, tex.c: instructions --------------------------------------------------------------- */

void vm_lower_alu(struct lower *l, const struct vm_instr *in);
void vm_lower_texture(struct lower *l, const struct vm_instr *in);
/* Derivative of a value inside the quad. */
ir_ref vm_derivative(struct lower *l, ir_ref x, bool vertical);

#endif
