/* Instruction selection: machine code of a function whose registers are allocated. */
#ifndef IR_X86_SELECT_H
#define IR_X86_SELECT_H

#include "ir/x86/allocate.h"
#include "ir/x86/encode.h"

/* Registers with fixed uses. X86_AX and X86_DX are scratch; X86_CX holds the address of a base that
 * has no register. */
enum {
    X86_WORK = X86_SI, /* work memory */
    X86_LANE = X86_DI, /* number of the current vector's first lane */
};

/* Work memory, in bytes: copies of base addresses, the arguments' address, places for exchanges and
 * for offsets of lanes, then the slots. */
enum {
    X86_WORK_BASES = 0,
    X86_WORK_SWAP_MASK = 64,
    X86_WORK_ARGS = 72,
    X86_WORK_SWAP = 128,
    X86_WORK_OFFSETS = 192,
    X86_WORK_SLOTS = 256,
};

/* Where control flow goes on: an open IF or LOOP. */
struct x86_open {
    size_t jump; /* IF: to ENDIF */
    size_t top;  /* LOOP: its first instruction */
};

enum { X86_BASE_IN_WORK = 0xfe, X86_BASE_UNUSED = 0xff };

struct x86_selector {
    struct x86_code *code;
    const struct x86_live *live;
    const struct x86_allocation *allocation;
    const struct x86_registers *registers;
    uint8_t base[IR_BASES]; /* general register of a base's address, or X86_BASE_IN_WORK,
                               X86_BASE_UNUSED */
    struct x86_open *open;  /* stack, one for each IF and LOOP */
    uint32_t n_open;
    unsigned n_saved; /* words that the function has pushed */
    size_t region;    /* start of the current region's code */
    bool single;      /* one vector stands for all lanes */
};

/* Of the target. */
const struct x86_registers *ir_x86_registers(const struct x86_target *target);
void ir_x86_constraints(struct x86_constraint out[IR_OP_COUNT], const struct x86_target *target);

/* Emits all instructions. Each region between barriers is a loop over the vectors of the 64 lanes.
 */
void ir_x86_select(struct x86_selector *s);
/* Loads base addresses from the arguments, which register `args` points to: of bases with a
 * register, or of those that calls destroy. */
void ir_x86_load_bases(struct x86_selector *s, unsigned args, bool after_call);
/* Bytes of work memory. */
size_t ir_x86_work_bytes(const struct x86_allocation *allocation, const struct x86_target *target);

/* x86.c: generates the code of a function for code->target, without finishing it. */
MUST_CHECK enum status ir_x86_generate(struct x86_code *code, size_t *work_bytes,
                                       const struct ir_inst *inst, uint32_t n);

#endif
