/* Lowering of programs to IR: data structures and interface of its passes. Private to the module.
 *
 * Each register component is one vreg. Inside a basic block every result is a new value (SSA):
 * current_def maps each vreg to its present value. Moves, swizzles, negations and write masks
 * therefore cost nothing. At the end of a block STORE writes the changed vregs back to their slots.
 * Only STORE observes the lane mask; other IR instructions may compute inactive lanes too. A
 * program without flow control is one block, and its vregs never touch memory. */
#ifndef VM_LOWER_PASSES_H
#define VM_LOWER_PASSES_H

#include "util/arena.h"
#include "vm/ir/code.h"
#include "vm/lower/lower.h"
#include "vm/program/program.h"

/* Reference to 64 lanes or to one uniform: kind, two modifiers, number. */
enum {
    REF_NONE = 0,
    REF_VALUE = 1u << 29,  /* result of an IR instruction of the same block */
    REF_VREG = 2u << 29,   /* a register component at the start of the block */
    REF_INPUT = 3u << 29,  /* an input slot */
    REF_SCALAR = 4u << 29, /* an entry of lower.scalar */
    REF_HOIST = 5u << 29,  /* result of a hoisted IR instruction (runs once a draw) */
};
#define REF_KIND_MASK (7u << 29)
#define REF_NEG (1u << 28) /* applied after REF_ABS */
#define REF_ABS (1u << 27)
#define REF_ID_MASK ((1u << 27) - 1)

/* Modifiers that apply to a result before it is written. */
struct dst_mod {
    bool saturate;
    float scale;
};

/* IR instruction: n instances of one opcode. Their words are consecutive in ir_stream.arg. */
struct ir_inst {
    uint8_t opcode;
    uint8_t opmode; /* operand mode of the kernel (ir/code.h) */
    bool saturate;
    uint32_t arg, n; /* first word in ir_stream.arg, number of instances */
};

enum ir_flow {
    FLOW_NONE,
    FLOW_IF_BOOL,
    FLOW_IF_PRED,
    FLOW_IF_COND,
    FLOW_ELSE,
    FLOW_ELSE_UNIFORM, /* else of an if that all lanes take together: only a jump */
    FLOW_ENDIF,
    FLOW_LOOP,
    FLOW_ENDLOOP,
    FLOW_BREAK,
    FLOW_BREAK_COND,
    FLOW_BREAK_PRED,
    FLOW_CALL,
    FLOW_CALL_BOOL,
    FLOW_CALL_PRED,
    FLOW_RETURN,
    FLOW_RECONVERGE, /* all lanes are active again: start of the epilogue */
    FLOW_STEP,       /* calls the step hook; imm: last instruction, target: first */
    FLOW_END,
    FLOW_COUNT
};

struct ir_block {
    uint32_t first_inst, n_insts;
    uint8_t flow; /* enum ir_flow: flow that ends the block */
    bool masked;  /* lanes may be inactive here */
    uint32_t imm;
    uint32_t instr;  /* the flow instruction, for branch targets */
    uint32_t target; /* instruction whose flow operation is the branch target, or VM_NO_TARGET */
};

/* Flags of an instruction. MASKED: lanes may be inactive when it starts. UNIFORM: if, else or endif
 * of a branch on a constant. */
enum flow_flags { FLOW_FLAG_MASKED = 1, FLOW_FLAG_UNIFORM = 2 };

static inline bool vm_flow_opens(unsigned op)
{
    return op == VM_OP_IF || op == VM_OP_IFC || op == VM_OP_LOOP || op == VM_OP_REP;
}

static inline bool vm_flow_closes(unsigned op)
{
    return op == VM_OP_ENDIF || op == VM_OP_ENDLOOP || op == VM_OP_ENDREP;
}

/* State of the forward pass over the instructions. */
struct walk {
    uint32_t next;    /* instruction after the current one */
    uint32_t nesting; /* open ifs and loops of the routine */
    uint32_t label;   /* label that started the routine */
    bool in_main, reachable, lanes_may_have_returned;
};

/* IR instructions and the operand words of their instances, of the main program or of the
 * preamble. */
struct ir_stream {
    struct ir_inst *inst;
    uint32_t *arg;
    uint32_t n_inst, cap_inst, n_arg, cap_arg;
};

static inline const uint32_t *ir_words(const struct ir_stream *s, const struct ir_inst *inst,
                                       uint32_t instance)
{
    return s->arg + inst->arg + instance * ir_op_words(inst->opcode);
}

/* Entry of the value-numbering hash table: a result that later instances may reuse. */
enum { VN_TABLE_SIZE = 4096, VN_MAX_PROBES = 8, SCALAR_HASH = 256 };
struct ir_vn_entry {
    uint32_t ref; /* REF_NONE: free */
    uint32_t block;
    uint32_t src[9]; /* operands and imm */
    uint8_t opcode;
    bool saturate;
};

struct lower {
    const struct vm_program *program;
    const struct vm_options *options;
    enum status status; /* the first error; emitting continues harmlessly */
    unsigned rank;      /* version, see vm_version_rank */
    bool pixel, is_ps1; /* is_ps1: ps_1_x */

    struct ir_stream main, hoist;
    struct ir_block *block;
    struct vm_scalar *scalar;
    uint32_t n_block, cap_block, n_scalar, cap_scalar;
    uint32_t *scalar_hash; /* SCALAR_HASH heads of chains: number + 1 */
    uint32_t *scalar_next; /* per scalar: next of its chain, + 1 */
    uint32_t cap_scalar_next;
    uint32_t *def_of; /* per c# below n_def_of: its definition + 1 */
    uint32_t n_def_of;
    uint32_t n_value, n_hoist; /* numbers assigned so far */

    /* Vregs: temporaries, t# of ps_1_1 … 1_3, a0, then output slots. */
    uint32_t n_vreg, vreg_texture, vreg_address, vreg_output;
    uint32_t *current_def;

    uint8_t *flow_flags; /* enum flow_flags, n_instr + 1 entries */
    struct walk walk;
    struct ir_vn_entry *vn_table; /* VN_TABLE_SIZE entries */
    bool indexes_constants;

    struct pending {
        uint32_t vreg, ref;
    } pending[16]; /* results of the current instruction; vm_lower_commit applies them */
    uint32_t n_pending;

    /* Rows of a ps_1_1 … 1_3 texture matrix that wait for the last row. */
    uint32_t row[2];
    uint32_t row_w[2]; /* w of the coordinates, for texm3x3vspec */
    uint32_t n_rows;

    uint32_t n_stepped; /* instructions that the step hook has reported, see vm_lower_step */
};

/* --- value_numbering.c: emitting IR ----------------------------------------------------------- */

uint32_t vm_lower_literal(struct lower *l, float x);
uint32_t vm_lower_scalar(struct lower *l, enum vm_scalar_from from, unsigned index,
                         unsigned component);
/* Emits one instance of a kernel with one result, or finds an equal one. Returns the reference of
 * the result. dst_mod may be NULL. */
uint32_t vm_lower_emit(struct lower *l, enum vm_ir_opcode opcode, const uint32_t *src, uint32_t imm,
                       const struct dst_mod *dst_mod);
uint32_t vm_lower_emit1(struct lower *l, enum vm_ir_opcode opcode, uint32_t a);
uint32_t vm_lower_emit2(struct lower *l, enum vm_ir_opcode opcode, uint32_t a, uint32_t b);
uint32_t vm_lower_emit3(struct lower *l, enum vm_ir_opcode opcode, uint32_t a, uint32_t b,
                        uint32_t c);
/* Emits one instance unchanged: ir_op_words(opcode) words in the order dst, src, imm. */
void vm_lower_instance(struct lower *l, enum vm_ir_opcode opcode, const uint32_t *words);
uint32_t vm_lower_new_value(struct lower *l);
/* Appends an instance to a stream. It may join the last IR instruction unless that lies before
 * first_inst. */
void vm_lower_append(struct lower *l, struct ir_stream *s, uint32_t first_inst,
                     enum vm_ir_opcode opcode, bool saturate, const uint32_t *words);
/* Operand mode for an instance: plain if it has no modifiers and no operand class mixes uniforms
 * with lane arrays. */
unsigned vm_lower_operand_mode(enum vm_ir_opcode opcode, const uint32_t *words, bool saturate);
/* Copies ref to 64 lanes of work memory without modifiers, for IR instructions that are not
 * kernels. */
uint32_t vm_lower_broadcast(struct lower *l, uint32_t ref);
static inline uint32_t ref_neg(uint32_t ref)
{
    return ref ^ REF_NEG;
}
static inline uint32_t ref_abs(uint32_t ref)
{
    return (ref & ~REF_NEG) | REF_ABS;
}

/* Makes room for one more element; false after an error. */
bool vm_lower_grow(struct lower *l, void *array, uint32_t n, uint32_t *capacity, size_t size);

/* --- operand.c: register access --------------------------------------------------------------- */

/* Component c of source s, after swizzle and modifier. */
uint32_t vm_lower_src(struct lower *l, const struct vm_instr *in, unsigned s, unsigned c);
/* Component c of an operand, `row` registers further on (matrices). */
uint32_t vm_lower_operand(struct lower *l, const struct vm_src *src, unsigned row, unsigned c);
/* Component as stored in the register: no swizzle, no modifier. */
uint32_t vm_lower_register(struct lower *l, const struct vm_src *src, unsigned row,
                           unsigned component);
/* Component c of the interpolated coordinate set of a stage. */
uint32_t vm_lower_coord(struct lower *l, unsigned stage, unsigned c);
/* Queues ref as the new value of component c of the destination; vm_lower_commit makes it
 * visible. */
void vm_lower_write(struct lower *l, const struct vm_instr *in, unsigned c, uint32_t ref);
/* Saturation and shift of an instruction. */
struct dst_mod vm_lower_dst_mod(const struct vm_instr *in);
/* Writes a value with the modifiers of the destination. Costs nothing without them. */
void vm_lower_write_copy(struct lower *l, const struct vm_instr *in, unsigned c, uint32_t ref);
void vm_lower_write_output(struct lower *l, unsigned file, unsigned reg, unsigned c, uint32_t ref);
void vm_lower_commit(struct lower *l);
/* Operand word of a predicate; 0 if there is none. */
uint32_t vm_lower_predicate(const struct vm_src *predicate, unsigned c);

/* --- divergence.c, flow.c: flow control ------------------------------------------------------- */

/* Fills flow_flags and the depth of the control-flow stack. ST_NOMEM, or ST_INVALID for
 * recursion. */
MUST_CHECK enum status vm_lower_analyse_divergence(struct lower *l, uint32_t *max_cf_depth);
void vm_lower_begin(struct lower *l); /* before the first instruction */
void vm_lower_end(struct lower *l);   /* after the last */
void vm_lower_flow(struct lower *l, uint32_t instr);
void vm_lower_split_block(struct lower *l); /* ends the block here */
/* Lets the step hook see the registers after instr, if vm_options.single_step is set. */
void vm_lower_step(struct lower *l, uint32_t instr);

/* --- alu.c, tex.c: instructions --------------------------------------------------------------- */

void vm_lower_alu(struct lower *l, const struct vm_instr *in);
void vm_lower_texture(struct lower *l, const struct vm_instr *in);

/* --- dce.c: dead-code elimination ------------------------------------------------------------- */

/* Clears the dst words of dead results; see vm_lower_instance_live. ST_NOMEM. */
MUST_CHECK enum status vm_lower_dce(struct lower *l);
/* False if vm_lower_dce found the instance dead. */
bool vm_lower_instance_live(const struct ir_inst *inst, const uint32_t *words);

/* --- peephole.c: fused IR instructions -------------------------------------------------------- */

/* Runs after vm_lower_dce. ST_NOMEM. */
MUST_CHECK enum status vm_lower_peephole(struct lower *l);

/* --- slot_alloc.c: slots of work memory ------------------------------------------------------- */

enum { VM_UNASSIGNED = 0xffffffff };
/* A table of n entries, all VM_UNASSIGNED; NULL: no memory. The caller frees it. */
uint32_t *vm_lower_new_table(size_t n);
struct slot_alloc {
    uint32_t *vreg_slot, *value_slot; /* VM_UNASSIGNED while there is none */
    uint32_t *last_use;               /* per value: last instance that reads it */
    uint32_t *def;                    /* per value: instance that defines it */
    uint32_t *vreg_last_read;         /* per vreg: last instance of the block that reads it, + 1 */
    uint8_t *coalesced;               /* per value: shares the slot of the vreg it is stored to */
    uint32_t *free_slot, n_free, n_slot;
};

/* The caller zeroes *p first, and calls vm_slot_alloc_fini even after ST_NOMEM. */
MUST_CHECK enum status vm_slot_alloc_init(struct slot_alloc *p, const struct lower *l);
void vm_slot_alloc_fini(struct slot_alloc *p);
uint32_t vm_slot_of_vreg(struct slot_alloc *p, uint32_t vreg);
/* Coalesces vregs with outputs: a vreg that the final block only moves to an output gets the slot
 * of that output. Outputs must have slots already. ST_NOMEM. */
MUST_CHECK enum status vm_slot_alloc_coalesce_outputs(struct slot_alloc *p, const struct lower *l);
/* The steps for one block, in this order. First, computes the live ranges of its values. */
void vm_slot_alloc_find_live_ranges(struct slot_alloc *p, const struct lower *l,
                                    const struct ir_block *b);
/* Assigns stored values to the slots of their vregs where possible. Returns the number of such
 * values. */
uint32_t vm_slot_alloc_coalesce_stores(struct slot_alloc *p, const struct lower *l,
                                       const struct ir_block *b);
/* Assigns slots to the other values. */
void vm_slot_alloc_block(struct slot_alloc *p, const struct lower *l, const struct ir_block *b);
/* Resets `coalesced` of all values. */
void vm_slot_alloc_forget_coalesced(struct slot_alloc *p, const struct lower *l);

/* --- uniform_layout.c ------------------------------------------------------------------------- */

/* New number of each scalar and hoisted result; VM_UNASSIGNED: unused. */
struct uniform_layout {
    uint32_t *scalar_at, *hoist_at;
    uint32_t n_scalars, n_hoists;
};
/* Fills *u and the layout of code's uniforms. The caller zeroes *u first, and calls
 * vm_lower_uniform_layout_fini even after ST_NOMEM. */
MUST_CHECK enum status vm_lower_lay_out_uniforms(struct uniform_layout *u, const struct lower *l,
                                                 struct vm_code *code);
void vm_lower_uniform_layout_fini(struct uniform_layout *u);

/* --- code.c: code emission -------------------------------------------------------------------- */

MUST_CHECK enum status vm_lower_write_code(struct lower *l, struct vm_code *code);

#endif
