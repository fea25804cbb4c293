/* Runs of micro-operations as machine code: what jit.c, jit_regalloc.c and jit_isel_x86.c share. */
#ifndef VM_JIT_H
#define VM_JIT_H

#include "vm/code.h"
#include "vm/jit_encode_x86.h"
#include "vm/lower.h"

enum { JIT_REGISTERS = 32, JIT_NONE = -1, JIT_TEMPORARY = -2, JIT_NO_NEXT_USE = INT32_MAX };
enum { JIT_MAX_SRC = 8, JIT_MAX_GUARDS = 8 };

/* One group of a micro-operation. */
struct jit_inst {
    const struct vm_ir_op *op;
    const uint32_t *arg;
    uint8_t opcode;
    int32_t result_next_use;           /* inst that reads its result next */
    int32_t src_next_use[JIT_MAX_SRC]; /* per operand in work memory: who reads the same next */
    bool is_last_def;                  /* no inst after it has a result in the same slot */
};

/* A slot of the work memory while a superblock is being made: where its present contents are. */
struct jit_slot {
    int8_t reg;      /* or JIT_NONE */
    bool in_memory;  /* in its own place */
    bool defined;    /* by an inst of the superblock */
    bool live_in;    /* before any inst made it: what is there is needed once more if the vector is
                           computed again, so it is stored last */
    bool live_out;   /* after the superblock */
    bool is_final;   /* the contents are those after the superblock */
    bool nan_unchecked; /* may be a NaN that nobody looked for */
    int32_t next_use;   /* inst that reads it next */
};

struct jit {
    struct x86_code code;
    const struct vm_code *vm;
    bool avx512, ieee;
    const uint8_t *allocatable; /* registers to use */
    unsigned n_allocatable;

    struct jit_slot *slot;
    uint32_t n_slots;
    const uint8_t *live_across_blocks; /* per slot: read from one block to another, or an output */
    uint8_t *live;          /* per slot: read later; or what else jit.c wants to mark */
    int32_t *next_use;      /* per slot: the inst that reads it next */
    struct jit_inst *inst;
    uint32_t n_insts;

    /* Rows that index constants. The function of a superblock is for lanes that have one index. */
    struct jit_guard {
        uint32_t slot;
        int32_t min, max; /* registers that are added */
    } guard[JIT_MAX_GUARDS];
    unsigned n_guards;

    /* The vector that is being made. */
    bool exact_mul0;                /* products keep the zero rule, and nothing is looked for */
    bool masked;                    /* some lanes may be off */
    bool out_of_registers;          /* registers did not suffice */
    bool has_nan_check;             /* a NaN was looked for */
    int32_t current;                /* the inst */
    int16_t owner[JIT_REGISTERS];   /* slot, JIT_NONE or JIT_TEMPORARY */
    int32_t locked_by[JIT_REGISTERS]; /* the last inst that needs the register to stay */
    int32_t index_slot;               /* the slot of which r11 holds the index, or -1 */
    int nan_accum;                  /* AVX2: register with the sum of what was looked at */
};

/* Whether results are looked at for what is no number: where the zero rule holds, the first time.
 */
static inline bool jit_checks_nan(const struct jit *j)
{
    return !j->exact_mul0 && !j->ieee;
}

/* --- jit_regalloc.c: registers and slots ------------------------------------------------------ */

void jit_regalloc_begin(struct jit *j);
struct x86_operand jit_alloc_temp(
    struct jit *j); /* a temporary register; some in any case, see jit.out_of_registers */
void jit_free_temp(struct jit *j, struct x86_operand ref); /* if temporary */
/* Operand k of the inst under work, with its modifiers. */
struct x86_operand jit_operand(struct jit *j, unsigned k);
/* What a slot holds now, as an operand that no inst names. */
struct x86_operand jit_slot_contents(struct jit *j, uint32_t slot);
/* The same in a register. */
struct x86_operand jit_to_register(struct jit *j, struct x86_operand ref);
/* Operand k stays in memory, where it is read once more if the vector is computed again. */
struct x86_operand jit_operand_in_memory(struct jit *j, unsigned k);
/* The inst's result: a temporary register becomes its slot's. nan_unchecked: see jit_slot. */
void jit_define_result(struct jit *j, struct x86_operand ref, bool nan_unchecked);
/* Registers of what the inst read last are free, and what nobody reads any more is stored if it is
 * live_out and may be. */
void jit_end_inst(struct jit *j);
/* What is left to be looked at, then to be stored. */
void jit_nan_check_rest(struct jit *j);
void jit_store_live_out(struct jit *j);
void jit_nan_check(struct jit *j, int reg);
/* An operand's slot, or -1. */
int32_t jit_slot_of(uint32_t arg);

/* --- jit_isel_x86.c: micro-operations --------------------------------------------------------- */

bool jit_is_supported(unsigned opcode);
void jit_select_inst(struct jit *j, const struct jit_inst *inst);

#endif
