/* Kernels: each operation of ops.def but control flow and calls, over 64 lanes in memory, once per instruction set. The
 * interpreter strings them together; the builder evaluates constants with them. */
#ifndef IR_KERN_KERN_H
#define IR_KERN_KERN_H

#include "ir/ir.h"
#include "util/cpu.h"

/* --- Steps and places ------------------------------------------------------------------------------------------- */

/* Steps use the System V ABI on 64-bit Windows too: no vector register is callee-saved there. */
#if defined(_WIN32) && defined(__x86_64__)
#define IR_STEP_ABI __attribute__((sysv_abi))
#else
#define IR_STEP_ABI
#endif

/* A place in memory. It holds one of
 *   lanes    a word for each lane; aligned to 64 bytes
 *   uniform  one word for all lanes, repeated over 64 bytes; aligned to 64 bytes
 *   mask     64 bits, bit i: lane i; aligned to 8 bytes */
struct ir_place {
    uint32_t offset;      /* bytes in the area */
    uint16_t area;        /* index into ir_frame.area */
    uint16_t word_stride; /* bytes from the word of a lane to that of the next one: 4, of uniforms 0 */
};
enum { IR_LANES_BYTES = 4 * IR_LANES, IR_UNIFORM_BYTES = 64, IR_MASK_BYTES = 8 };
enum { IR_AREA_WORK, IR_AREA_CONSTANTS, IR_AREA_BASE, IR_AREAS = IR_AREA_BASE + IR_BASES };

struct ir_frame {
    char *area[IR_AREAS]; /* IR_AREA_BASE + i: ir_args.base[i] */
    const struct ir_args *args;
};

struct ir_step;
/* Runs a step, and perhaps those behind it. Returns the step to go on with, or NULL at the end. */
typedef IR_STEP_ABI const struct ir_step *ir_step_fn(const struct ir_step *step, const struct ir_frame *f);

struct ir_step {
    ir_step_fn *fn;
    struct ir_place d, arg[3]; /* place of the result; of the operands, of those that the operation has */
    uint32_t imm;              /* as in struct ir_inst; of a jump: distance to the step to go to */
    uint32_t base;             /* READ, WRITE: as in struct ir_inst */
};

/* The end of a kernel: jumps to the next one where the compiler can, so that each kernel has a jump of its own, whose
 * target processors predict well. */
#if __has_attribute(musttail)
#define IR_NEXT_STEP(step, f) __attribute__((musttail)) return (step)[1].fn((step) + 1, f)
#else
#define IR_NEXT_STEP(step, f) return (step) + 1
#endif

/* --- Kernels ---------------------------------------------------------------------------------------------------- */

enum {
#define IR_FUSED(first, second, k, ...) IR_FUSED_##first##_##second##_##k,
#include "ir/kern/fused.def"
#undef IR_FUSED
    IR_FUSED_COUNT
};

/* Kernels of PURE and COMMUTES rows. The result may take the place of an operand. */
struct ir_kern {
    const char *isa;
    ir_step_fn *lanes[IR_OP_COUNT];    /* results of 64 lanes, and masks; operands of any kind */
    ir_step_fn *uniform[IR_OP_COUNT];  /* uniform results; operands are uniforms, and masks equal in all lanes. NULL for
                                          results that are masks. */
    ir_step_fn *fused[IR_FUSED_COUNT]; /* of 64 lanes */
    ir_step_fn *move_lanes, *move_uniform, *move_mask; /* the result is arg[0] */
};
KERN_DECLARE(struct ir_kern, ir_kern);

/* Kernels of READ and WRITE rows; NULL for others. UNIFORM and LOAD_AT yield uniforms, LOAD and GATHER lanes. */
struct ir_memory_kern {
    ir_step_fn *fn[IR_OP_COUNT];
};
KERN_DECLARE(struct ir_memory_kern, ir_memory_kern);

/* Evaluates a PURE or COMMUTES operation for one lane, in the mode of util/fpenv.h, which it enters and leaves. Masks
 * are 0 or 1. QUAD and FIRST return their operand, LANE returns 0. */
uint32_t ir_eval(enum ir_op op, const uint32_t arg[3], uint32_t imm);

#endif
