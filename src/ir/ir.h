/* Intermediate representation of everything that runs per lane: a function over 64 lanes (vertices,
 * fragments) in static single assignment form with structured control flow. It knows nothing of
 * Direct3D. docs/ir.md explains it; ops.def has the operations.
 *
 * A function is a list of instructions. A value is the number of the instruction that defines it,
 * and has one of two types: a lane word (32 bits a lane, which operations read as floats or
 * integers) or a mask (a truth value a lane).
 *
 * Machines run a function in vectors of 1, 4, 8, 16 or 64 lanes, one vector after another. IF and
 * ENDLOOP test the lanes of a vector. So a value may differ between machines in lanes that the
 * function masks out later, and nowhere else: what is stored must not depend on the width (clients
 * select with the lanes' own mask after ENDIF). CALL is a barrier: all lanes are up to it before
 * the function is called once, so IF and LOOP around a CALL test all 64 lanes.
 *
 * Errors: memory shortage is kept in the function (ir_status); building goes on without effect. */
#ifndef IR_IR_H
#define IR_IR_H

#include "util/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { IR_LANES = 64 };

enum ir_op {
    IR_NONE, /* no instruction: value 0 */
#define IR_OP(name, ...) IR_##name,
#include "ir/ops.def"
#undef IR_OP
    IR_OP_COUNT
};

enum ir_type { IR_TYPE_NONE, IR_TYPE_WORD, IR_TYPE_MASK };
enum ir_class {
    IR_CLASS_PURE,
    IR_CLASS_COMMUTES,
    IR_CLASS_READ,
    IR_CLASS_WRITE,
    IR_CLASS_FLOW,
    IR_CLASS_CALL
};
enum ir_nan { IR_NAN_STOPS, IR_NAN_PASSES, IR_NAN_MULTIPLIES };

struct ir_op_info {
    const char *name;       /* "FADD" */
    uint8_t result;         /* enum ir_type */
    uint8_t n_args, arg[3]; /* enum ir_type */
    uint8_t op_class, nan;  /* enum ir_class, enum ir_nan */
};
extern const struct ir_op_info ir_op_info[IR_OP_COUNT];
/* True if ir_inst.imm is a number of the operation, not an offset. */
bool ir_has_number(enum ir_op op);

/* A value: the index of its instruction; 0: none. */
typedef uint32_t ir_ref;

/* How often a value changes. The rate of a result is the highest of its operands'. */
enum ir_rate { IR_RATE_DRAW, IR_RATE_LANE };

struct ir_inst {
    uint8_t op;       /* enum ir_op */
    uint8_t rate : 4; /* enum ir_rate of the result */
    uint8_t base : 4; /* READ, WRITE: index into ir_args.base; otherwise 0 */
    uint16_t origin;  /* see ir_set_origin */
    ir_ref arg[3];
    uint32_t
        imm; /* bits of a constant; byte offset; shift; permutation; number of a function; or 0 */
};

/* Memory that a function reads and writes. Memory at different bases does not overlap. What a
 * function writes at a base it may read there later; a CALL may change memory at every base. */
enum { IR_BASES = 16 };
typedef void ir_call_fn(void *ctx, uint32_t function);
struct ir_args {
    /* 64-byte aligned where LOAD, STORE, MLOAD, MSTORE use it. Where GATHERs load two words of the
     * same 16 bytes, counted from the offset of the lane, all of these can be read. */
    void *base[IR_BASES];
    ir_call_fn *call;
    void *call_ctx;
};

struct ir; /* a function under construction, and finished */

/* --- build: functions
 * ------------------------------------------------------------------------------------------- */

/* constant_bases: a bit per base of *constant* memory. Nothing changes a word of it between an
 * instruction that loads it and the uses of the value, so that a machine may load it again there.
 * Words that UNIFORM loads from it change with the draw only. NULL: no memory. */
struct ir *ir_create(uint32_t constant_bases);
/* With constant_bases: a machine may run the function again from its beginning, calls included.
 * They read what is constant or was stored before them in the same run, and write what the function
 * only loads. Without calls, the machine finds out itself. */
#define IR_CALLS_REPEAT (UINT32_C(1) << 31)
void ir_destroy(struct ir *ir); /* NULL is allowed */
enum status ir_status(const struct ir *ir);
/* Instructions 1 to n - 1; inst[0] is IR_NONE. */
const struct ir_inst *ir_insts(const struct ir *ir, uint32_t *n);

/* Appends an instruction and returns its value. Constants are folded, and an equal instruction
 * whose value is visible here is used again, so the result may be an older value. Operands that the
 * operation lacks are 0. */
ir_ref ir_emit(struct ir *ir, enum ir_op op, ir_ref a, ir_ref b, ir_ref c, uint32_t imm);
ir_ref ir_emit_mem(struct ir *ir, enum ir_op op, unsigned base, uint32_t offset, ir_ref a, ir_ref b,
                   ir_ref c);
ir_ref ir_const_f32(struct ir *ir, float x);
ir_ref ir_const_i32(struct ir *ir, int32_t x);

/* What the instructions that follow are for: a number of the client, 0 at first. It changes no
 * code. Passes keep it, and machine code tells it (ir/compile/compile.h). An instruction that is
 * used again keeps the number of its first use. */
enum { IR_ORIGINS = 1 << 16 };
void ir_set_origin(struct ir *ir, uint32_t origin);

/* Control flow. Values that are defined between ir_if and ir_endif are visible only there: ir_phi,
 * called directly after ir_endif, merges them. Values of a loop stay visible after it. ir_loop_phi,
 * called directly after ir_loop, makes a variable of the loop, which ir_loop_next gives its next
 * value before ir_endloop. */
void ir_if(struct ir *ir, ir_ref mask);
void ir_if_rare(struct ir *ir, ir_ref mask); /* the same, with the hint that it hardly ever runs */
void ir_endif(struct ir *ir);
ir_ref ir_phi(struct ir *ir, ir_ref then, ir_ref before);
void ir_loop(struct ir *ir);
void ir_loop_uniform(struct ir *ir); /* with the hint that all lanes run the same rounds */
ir_ref ir_loop_phi(struct ir *ir, ir_ref initial);
void ir_loop_next(struct ir *ir, ir_ref phi, ir_ref next);
void ir_endloop(struct ir *ir, ir_ref again);

#endif
