/* The frame of a function: registers of base addresses, entry and exit, calls. Compiled functions
 * are called with the arguments and work memory; all values are in registers or in work memory. */
#ifndef IR_X86_FRAME_H
#define IR_X86_FRAME_H

#include "ir/x86/encode.h"
#include "ir/machine/live.h"
#include "util/executable.h"

/* Registers with fixed uses. X86_AX and X86_DX are scratch. */
enum {
    X86_WORK = X86_SI,      /* work memory */
    X86_LANE = X86_DI,      /* number of the current vector's first lane */
    X86_BASE_LOAD = X86_CX, /* address of a base that has no register */
};

/* Work memory, in bytes: copies of base addresses, places for exchanges of values, the arguments'
 * address, offsets of lanes, then slots of values. */
enum {
    X86_WORK_BASES = 0,
    X86_WORK_SWAP_MASK = 128,
    X86_WORK_ARGS = 136,
    X86_WORK_SWAP = 192,
    X86_WORK_OFFSETS = 256,
    X86_WORK_SLOTS = 320,
};

struct x86_frame {
    uint8_t base[IR_BASES]; /* general register of a base's address; X86_BASE_IN_WORK,
                               X86_BASE_UNUSED */
    bool calls;
    int32_t stack_bytes;              /* below the saved registers */
    struct executable_frame prologue; /* set by ir_x86_enter */
};
enum { X86_BASE_IN_WORK = 0xfe, X86_BASE_UNUSED = 0xff };

/* Gives registers to the bases that are used most. */
void ir_x86_frame_init(struct x86_frame *frame, const struct machine_live *live,
                       const struct x86_target *target);
void ir_x86_enter(struct x86_code *code, struct x86_frame *frame);
void ir_x86_leave(struct x86_code *code, const struct x86_frame *frame);

/* The register of a base's address. It may be X86_BASE_LOAD, until the next call. */
unsigned ir_x86_base(struct x86_code *code, const struct x86_frame *frame, unsigned base);
/* Calls ir_args.call. Vector registers and scratch registers are lost. */
void ir_x86_call(struct x86_code *code, const struct x86_frame *frame, uint32_t function);

#endif
