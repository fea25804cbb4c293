/* The frame of a function: registers of addresses, entry and exit, calls. Compiled functions are
 * called with the arguments and work memory; all values are in registers or in work memory. */
#ifndef IR_ARM64_FRAME_H
#define IR_ARM64_FRAME_H

#include "ir/arm64/encode.h"
#include "ir/machine/allocate.h"
#include "util/executable.h"

/* General registers with fixed uses. */
enum {
    ARM64_ARGS = 0,  /* the arguments */
    ARM64_WORK = 1,  /* work memory */
    ARM64_LANE = 2,  /* number of the current vector's first lane */
    ARM64_AT = 3,    /* address of the last LOAD_AT; scratch of other operations */
    ARM64_FIRST = 4, /* of the registers of addresses, which are up to number 15 */
    ARM64_X16 = 16,  /* scratch; what tests leave for jumps */
    ARM64_X17 = 17,  /* scratch: addresses */
    ARM64_FP = 29,
    ARM64_SP = 31
};
enum { ARM64_ADDRESSES = 12, ARM64_NO_REGISTER = 0xff };

/* Vector registers with fixed uses: constants of products, and scratch of single operations and of
 * moves. Lower ones have values. */
enum {
    ARM64_VALUES = 27,
    ARM64_SCALE = 27,   /* 2^64 */
    ARM64_LEAST = 28,   /* 2^-62 */
    ARM64_UNSCALE = 29, /* 2^-64 */
    ARM64_T = 30,
    ARM64_U = 31
};

/* Work memory, in bytes: a place for exchanges of values, then slots. */
enum { ARM64_WORK_SWAP = 0, ARM64_WORK_SLOTS = 64 };

/* Things that loads and stores of lanes add 4 * lane to: bases, and work memory. */
enum { ARM64_BASE_OF_WORK = IR_BASES, ARM64_BASES };

struct arm64_frame {
    uint8_t base[IR_BASES];     /* register of the address; ARM64_NO_REGISTER: in the arguments */
    uint8_t lanes[ARM64_BASES]; /* register of the address of the current vector, or none */
    bool calls;
    bool saves; /* the lower halves of vector registers 8 to 15 are the caller's */
    struct executable_frame prologue; /* set by ir_arm64_enter and ir_arm64_leave */
};

/* Gives registers to the addresses that are used most. */
void ir_arm64_frame_init(struct arm64_frame *frame, const struct machine_live *live,
                         const struct machine_allocation *allocation);
void ir_arm64_enter(struct arm64_code *code, struct arm64_frame *frame);
void ir_arm64_leave(struct arm64_code *code, struct arm64_frame *frame);

/* The register of a base's address. It may be ARM64_X17. */
unsigned ir_arm64_base(struct arm64_code *code, const struct arm64_frame *frame, unsigned base);
/* Calls ir_args.call. Vector registers and scratch registers are lost. keeps_status: the
 * floating-point status register stays as it was before the call. */
void ir_arm64_call(struct arm64_code *code, const struct arm64_frame *frame, uint32_t function,
                   bool keeps_status);

/* A value that is loaded or stored by lanes: the base of its memory; ARM64_BASES: it is not. Of an
 * operand or a result, home or slot. */
static inline unsigned arm64_lane_base(const struct machine_live *live,
                                       const struct machine_allocation *allocation, uint32_t value)
{
    const struct ir_inst *inst = &live->inst[value];

    if (live->homed[value])
        return inst->op == IR_LOAD ? inst->base : (unsigned)ARM64_BASES;
    return allocation->wide[value] ? (unsigned)ARM64_BASE_OF_WORK : (unsigned)ARM64_BASES;
}

#endif
