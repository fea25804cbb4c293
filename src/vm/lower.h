/* Lowering: the middle form between a program and its code. Private to vm/lower*.c.
 *
 * Registers are cut into components, "vregs". Inside a block (code without flow control) every
 * result is a value of its own: `now` tells which value a vreg holds at the moment, so moves,
 * swizzles, negations and write masks cost nothing. At the end of a block STORE puts what changed
 * back to the vregs' own places, and only there lane masks matter: the values in between may be
 * computed for idle lanes too. A program without flow control is one block; its vregs never touch
 * memory. */
#ifndef VM_LOWER_H
#define VM_LOWER_H

#include "util/arena.h"
#include "vm/code.h"
#include "vm/program.h"

/* A reference to 64 lanes, or to one uniform: kind, two modifiers, number. */
enum {
    REF_NONE = 0,
    REF_VALUE = 1u << 29,  /* result of an operation of the same block */
    REF_VREG = 2u << 29,   /* a register component as the block found it */
    REF_INPUT = 3u << 29,  /* an input slot */
    REF_SCALAR = 4u << 29, /* an entry of vm_code.scalar */
    REF_HOIST = 5u << 29,  /* result of an operation that runs once a draw */
};
#define REF_KIND_MASK (7u << 29)
#define REF_NEG (1u << 28) /* after REF_ABS */
#define REF_ABS (1u << 27)
#define REF_ID_MASK ((1u << 27) - 1)

/* What happens to a result before it is written. */
struct dst_mod {
    bool saturate;
    float scale;
};

enum ir_op_flags { IR_PURE, IR_LOCAL, IR_EFFECT, IR_EARLY_CLOBBER };
struct ir_op_info {
    uint8_t n_dst, n_src, n_imm, flags;
};
extern const struct ir_op_info vm_ir_op_info[VM_IR_COUNT];
static inline unsigned ir_op_words(unsigned opcode)
{
    return vm_ir_op_info[opcode].n_dst + vm_ir_op_info[opcode].n_src + vm_ir_op_info[opcode].n_imm;
}

struct ir_inst {
    uint8_t opcode;
    uint8_t opmode; /* of its kernel, see code.h; groups of another form do not share the op */
    bool saturate;
    uint32_t arg, n; /* first word in ir_stream.arg, groups */
};

enum ir_flow {
    FLOW_NONE,
    FLOW_IF_BOOL,
    FLOW_IF_PRED,
    FLOW_IF_COND,
    FLOW_ELSE,
    FLOW_ELSE_UNIFORM, /* of an if whose lanes stay together: a jump */
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
    FLOW_RECONVERGE, /* all lanes are back: start of the epilogue */
    FLOW_STEP,       /* tells the observer; imm: last instruction, target: first */
    FLOW_END,
    FLOW_COUNT
};

struct ir_block {
    uint32_t first_inst, n_insts;
    uint8_t flow; /* enum ir_flow: how it ends */
    bool masked;  /* lanes may be switched off here */
    uint32_t imm;
    uint32_t instr;  /* the flow instruction, for targets */
    uint32_t target; /* instruction whose flow operation the flow may go to, or VM_NO_TARGET */
};

/* Of instructions: lanes may be switched off when it begins; it belongs to an if on a constant. */
enum flow_flags { FLOW_FLAG_MASKED = 1, FLOW_FLAG_UNIFORM = 2 };

static inline bool vm_flow_opens(unsigned op)
{
    return op == VM_OP_IF || op == VM_OP_IFC || op == VM_OP_LOOP || op == VM_OP_REP;
}

static inline bool vm_flow_closes(unsigned op)
{
    return op == VM_OP_ENDIF || op == VM_OP_ENDLOOP || op == VM_OP_ENDREP;
}

/* The walk through the instructions. */
struct walk {
    uint32_t next;    /* instruction after the one under work */
    uint32_t nesting; /* open ifs and loops of the routine */
    uint32_t label;   /* that began the routine */
    bool in_main, reachable, lanes_may_have_returned;
};

/* Operations and their groups' words, either of the program or of the part that runs once a draw.
 */
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

/* A result that may be used again: hash table entry. */
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
    enum status status; /* the first error; emitting goes on harmlessly */
    unsigned rank;      /* version, see vm_version_rank */
    bool pixel, is_ps1; /* is_ps1: ps_1_x */

    struct ir_stream main, hoist;
    struct ir_block *block;
    struct vm_scalar *scalar;
    uint32_t n_block, cap_block, n_scalar, cap_scalar;
    uint32_t *scalar_hash; /* SCALAR_HASH heads of chains: number + 1 */
    uint32_t *scalar_next; /* per scalar: the next of its chain, + 1 */
    uint32_t cap_scalar_next;
    uint32_t *def_of; /* per c# below n_def_of: its definition + 1 */
    uint32_t n_def_of;
    uint32_t n_value, n_hoist; /* numbers given out */

    /* Cells: temporaries, t# of ps_1_1 … 1_3, a0, then output slots. */
    uint32_t n_vreg, vreg_texture, vreg_address, vreg_output;
    uint32_t *current_def;

    uint8_t *flow_flags; /* per instruction and one more, enum flow_flags */
    struct walk walk;
    struct ir_vn_entry *vn_table; /* VN_TABLE_SIZE entries */
    bool indexes_constants;

    struct pending {
        uint32_t vreg, ref;
    } pending[16]; /* results of the instruction, visible when it is complete */
    uint32_t n_pending;

    /* Texture matrix rows of ps_1_1 … 1_3 waiting for their last. */
    uint32_t row[2];
    uint32_t row_w[2]; /* the coordinates' w, for texm3x3vspec */
    uint32_t n_rows;

    uint32_t n_stepped; /* instructions that an observer has been told of, see observe() */
};

/* --- lower_value_numbering.c: building operations --------------------------------------------- */

uint32_t vm_lower_literal(struct lower *l, float x);
uint32_t vm_lower_scalar(struct lower *l, enum vm_scalar_from from, unsigned index,
                         unsigned component);
/* One instance of a kernel with one result; returns the reference to it. dst_mod may be NULL. */
uint32_t vm_lower_emit(struct lower *l, enum vm_ir_opcode opcode, const uint32_t *src, uint32_t imm,
                       const struct dst_mod *dst_mod);
uint32_t vm_lower_emit1(struct lower *l, enum vm_ir_opcode opcode, uint32_t a);
uint32_t vm_lower_emit2(struct lower *l, enum vm_ir_opcode opcode, uint32_t a, uint32_t b);
uint32_t vm_lower_emit3(struct lower *l, enum vm_ir_opcode opcode, uint32_t a, uint32_t b,
                        uint32_t c);
/* A instance as it is: ir_op_words(opcode) words in the order dst, src, imm. */
void vm_lower_instance(struct lower *l, enum vm_ir_opcode opcode, const uint32_t *words);
uint32_t vm_lower_new_value(struct lower *l);
/* A instance at the end of a stream; operations before first_op are complete. */
void vm_lower_append(struct lower *l, struct ir_stream *s, uint32_t first_inst,
                     enum vm_ir_opcode opcode, bool saturate, const uint32_t *words);
/* The form of a kernel for a instance's operands: a plain one if each class of them is of one kind.
 */
unsigned vm_lower_operand_mode(enum vm_ir_opcode opcode, const uint32_t *words, bool saturate);
/* The same in 64 lanes of work memory, without modifiers, for what is no kernel. */
uint32_t vm_lower_broadcast(struct lower *l, uint32_t ref);
static inline uint32_t ref_neg(uint32_t ref)
{
    return ref ^ REF_NEG;
}
static inline uint32_t ref_abs(uint32_t ref)
{
    return (ref & ~REF_NEG) | REF_ABS;
}

/* Room for one more element; false after an error. */
bool vm_lower_grow(struct lower *l, void *array, uint32_t n, uint32_t *capacity, size_t size);

/* --- lower_operand.c: registers --------------------------------------------------------------- */

/* Component c of source s, after swizzle and modifier. */
uint32_t vm_lower_src(struct lower *l, const struct vm_instr *in, unsigned s, unsigned c);
/* Component c of an operand with `row` registers added (matrices). */
uint32_t vm_lower_operand(struct lower *l, const struct vm_src *src, unsigned row, unsigned c);
/* The component after fetch alone: no swizzle, no modifier. */
uint32_t vm_lower_register(struct lower *l, const struct vm_src *src, unsigned row,
                           unsigned component);
/* Component c of the interpolated coordinate set of a stage. */
uint32_t vm_lower_coord(struct lower *l, unsigned stage, unsigned c);
/* Makes ref the new content of component c of the destination when the instruction is complete. */
void vm_lower_write(struct lower *l, const struct vm_instr *in, unsigned c, uint32_t ref);
void vm_lower_write_output(struct lower *l, unsigned file, unsigned reg, unsigned c, uint32_t ref);
void vm_lower_commit(struct lower *l);
/* The operand word of a predicate; 0 for none. */
uint32_t vm_lower_predicate(const struct vm_src *predicate, unsigned c);

/* --- lower_divergence.c, lower_flow.c: flow control ------------------------------------------- */

/* Fills flow_flags, and how many levels the code may need. ST_NOMEM, or ST_INVALID for recursion.
 */
MUST_CHECK enum status vm_lower_analyse_divergence(struct lower *l, uint32_t *max_cf_depth);
void vm_lower_begin(struct lower *l); /* before the first instruction */
void vm_lower_end(struct lower *l);   /* after the last */
void vm_lower_flow(struct lower *l, uint32_t instr);
void vm_lower_split_block(struct lower *l); /* ends the block here */
/* Lets the observer see the registers after instr, if the options want that. */
void vm_lower_step(struct lower *l, uint32_t instr);

/* --- lower_alu.c, lower_tex.c: instructions --------------------------------------------------- */

void vm_lower_alu(struct lower *l, const struct vm_instr *in);
void vm_lower_texture(struct lower *l, const struct vm_instr *in);

/* --- lower_dce.c: drops what nobody needs ----------------------------------------------------- */

/* Clears the dst words of groups whose results nobody needs; see vm_lower_instance_live. ST_NOMEM.
 */
MUST_CHECK enum status vm_lower_dce(struct lower *l);
/* False once vm_lower_dce found the instance useless. */
bool vm_lower_instance_live(const struct ir_inst *inst, const uint32_t *words);

/* --- lower_peephole.c: pairs of operations in one --------------------------------------------- */

/* After the sweep. ST_NOMEM. */
MUST_CHECK enum status vm_lower_peephole(struct lower *l);

/* --- lower_slot_alloc.c: places in memory ----------------------------------------------------- */

enum { VM_UNASSIGNED = 0xffffffff };
struct slot_alloc {
    uint32_t *vreg_slot, *value_slot; /* VM_UNASSIGNED while there is none */
    uint32_t *last_use;               /* per value: the last instance that reads it */
    uint32_t *def;                    /* per value: the instance that makes it */
    uint32_t *vreg_last_read; /* per vreg: the last instance of the block that reads it, + 1 */
    uint8_t *coalesced;       /* value lives in a vreg's slot */
    uint32_t *free_slot, n_free, n_slot;
};

/* Zeroed before; closed in any case. ST_NOMEM. */
MUST_CHECK enum status vm_slot_alloc_init(struct slot_alloc *p, const struct lower *l);
void vm_slot_alloc_fini(struct slot_alloc *p);
uint32_t vm_slot_of_vreg(struct slot_alloc *p, uint32_t vreg);
/* After outputs have slots: registers that the end only moves to an output are kept in its slot.
 * ST_NOMEM. */
MUST_CHECK enum status vm_slot_alloc_coalesce_outputs(struct slot_alloc *p, const struct lower *l);
/* One block: who reads what; results made in the vregs' places, how many; places for the others. */
void vm_slot_alloc_find_live_ranges(struct slot_alloc *p, const struct lower *l,
                                    const struct ir_block *b);
uint32_t vm_slot_alloc_coalesce_stores(struct slot_alloc *p, const struct lower *l,
                                       const struct ir_block *b);
void vm_slot_alloc_block(struct slot_alloc *p, const struct lower *l, const struct ir_block *b);
void vm_slot_alloc_forget_coalesced(struct slot_alloc *p, const struct lower *l); /* all of them */

/* --- lower_code.c: final form ----------------------------------------------------------------- */

MUST_CHECK enum status vm_lower_write_code(struct lower *l, struct vm_code *code);

#endif
