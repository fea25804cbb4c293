/* State of the JIT compiler, shared by its parts: superblocks, register allocation, instruction
 * selection. Private to the module. */
#ifndef VM_JIT_COMPILER_H
#define VM_JIT_COMPILER_H

#include "vm/ir/code.h"
#include "vm/jit/encode_x86.h"

enum { JIT_REGISTERS = 32, JIT_NONE = -1, JIT_TEMPORARY = -2, JIT_NO_NEXT_USE = INT32_MAX };
enum { JIT_MAX_SRC = 8, JIT_MAX_GUARDS = 8 };

/* One instance of an IR instruction, the unit that the JIT compiles. */
struct jit_inst {
    const struct vm_ir_op *op;
    const uint32_t *arg;
    uint8_t opcode;
    int32_t result_next_use;           /* next instance that reads the result */
    int32_t src_next_use[JIT_MAX_SRC]; /* per operand in work memory: next instance that reads the
                                          same slot */
    bool is_last_def;                  /* no later instance writes the same slot */
};

/* State of a slot of work memory during compilation of a superblock. */
struct jit_slot {
    int8_t reg;         /* or JIT_NONE */
    bool in_memory;     /* its own memory is up to date */
    bool defined;       /* written by an instance of the superblock */
    bool live_in;       /* read before any instance wrote it. A recomputation of the vector reads
                           the old value again, so the new one is stored last */
    bool live_out;      /* read after the superblock */
    bool is_final;      /* holds the value that it has after the superblock */
    bool nan_unchecked; /* may be a NaN that no check has covered */
    int32_t next_use;   /* next instance that reads it */
};

struct jit {
    struct x86_code code;
    const struct vm_code *vm;
    bool avx512, ieee;
    const uint8_t *allocatable; /* allocatable registers */
    unsigned n_allocatable;

    struct jit_slot *slot;
    uint32_t n_slots;
    const uint8_t *live_across_blocks; /* per slot: live across blocks, or an output */
    uint8_t *live; /* per slot: a later instance reads it; superblock.c reuses the array for other
                      marks */
    int32_t *next_use; /* per slot: next instance that reads it */
    struct jit_inst *inst;
    uint32_t n_insts;

    /* Guards of indexed constants: the function of a superblock requires that all lanes have the
     * same index. */
    struct jit_guard {
        uint32_t slot;
        int32_t min, max; /* lowest and highest register number to which the index is added */
    } guard[JIT_MAX_GUARDS];
    unsigned n_guards;

    /* State of the pass over one vector. */
    bool exact_mul0;                  /* products obey the zero rule; no NaN checks */
    bool masked;                      /* lanes may be inactive */
    bool out_of_registers;            /* register allocation failed */
    bool has_nan_check;               /* the code checks for NaN */
    int32_t current;                  /* current instance */
    int16_t owner[JIT_REGISTERS];     /* slot, JIT_NONE or JIT_TEMPORARY */
    int32_t locked_by[JIT_REGISTERS]; /* last instance that needs the register unchanged */
    int32_t index_slot;               /* slot whose index r11 holds, or -1 */
    int nan_accum;                    /* AVX2: register with the sum of all checked values */
};

/* True if results are checked for NaN: under the zero rule, in the first computation of a
 * vector. */
static inline bool jit_checks_nan(const struct jit *j)
{
    return !j->exact_mul0 && !j->ieee;
}

/* --- regalloc.c: register allocation ---------------------------------------------------------- */

void jit_regalloc_begin(struct jit *j);
/* Allocates a temporary register. The result is a valid register even if jit.out_of_registers. */
struct x86_operand jit_alloc_temp(struct jit *j);
void jit_free_temp(struct jit *j, struct x86_operand ref); /* only if ref is temporary */
/* Operand k of the current instance, with its modifiers. */
struct x86_operand jit_operand(struct jit *j, unsigned k);
/* Present value of a slot that is not an operand of the current instance. */
struct x86_operand jit_slot_contents(struct jit *j, uint32_t slot);
/* Loads ref into a register unless it is in one. */
struct x86_operand jit_to_register(struct jit *j, struct x86_operand ref);
/* Operand k in memory, not in a register. A recomputation of the vector reads it there again. */
struct x86_operand jit_operand_in_memory(struct jit *j, unsigned k);
/* Makes ref, a temporary register, the register of the current instance's result slot.
 * nan_unchecked: see jit_slot. */
void jit_define_result(struct jit *j, struct x86_operand ref, bool nan_unchecked);
/* Frees the registers of values that have no further use, after storing those that are live_out.
 * Slots that are live_in are stored at the end of the superblock. */
void jit_end_inst(struct jit *j);
/* Emits a NaN check of a register, if jit_checks_nan. */
void jit_nan_check(struct jit *j, int reg);
/* At the end of a superblock: checks the remaining values for NaN, then stores the remaining
 * live_out slots. */
void jit_nan_check_rest(struct jit *j);
void jit_store_live_out(struct jit *j);
/* Slot of an operand, or -1. */
int32_t jit_slot_of(uint32_t arg);

/* --- isel_x86.c: instruction selection -------------------------------------------------------- */

bool jit_is_supported(unsigned opcode);
void jit_select_inst(struct jit *j, const struct jit_inst *inst);

/* --- superblock.c: superblocks and what is known of them before code is emitted --------------- */

/* Instances of a superblock. Longer code would not stay in the instruction cache from vector to
 * vector. */
enum { JIT_MAX_INSTS = 512 };

/* True for a store that observes the lane mask. */
static inline bool jit_is_masked(const struct vm_ir_op *op)
{
    return op->opcode == VM_IR_STORE && op->fn[0] != op->fn[1];
}
/* Marks branch targets, a byte per IR instruction. NULL: no memory. */
uint8_t *jit_find_branch_targets(const struct vm_code *vm);
/* Returns the end of the superblock at `first`. */
uint32_t jit_superblock_end(const struct vm_code *vm, const uint8_t *branch_target, uint32_t first,
                            uint32_t limit);
/* Finds the guards of a superblock. Returns its end: the first IR instruction that guards at its
 * start cannot cover. */
uint32_t jit_find_guards(struct jit *j, uint32_t first, uint32_t end);
/* Fills jit.inst; false if there are too few instances to be worth a function. */
bool jit_list_insts(struct jit *j, uint32_t first, uint32_t end);
/* Sets jit_slot.live_out for a superblock that ends before IR instruction `end`. */
void jit_find_live_out(struct jit *j, uint32_t end);
/* Fills the next uses of jit.inst, for lanes that may be inactive if jit.masked. */
void jit_find_next_uses(struct jit *j);

#endif
