/* Instruction selection: machine code of single operations whose operands have places. */
#ifndef IR_ARM64_SELECT_H
#define IR_ARM64_SELECT_H

#include "ir/arm64/frame.h"

/* A function whose registers are allocated. */
struct arm64_selector {
    struct arm64_code *code;
    const struct machine_live *live;
    const struct machine_allocation *allocation;
    struct arm64_frame *frame;
    const int16_t *least; /* per value: see ir_arm64_find_least */
    bool corrects;        /* an FMUL needs a correction: its constants are in registers */
    bool plain;           /* no FMUL is corrected */
    uint32_t ready;       /* a bit per arm64_frame.lanes: the register has the address */
};

/* What the machine has, and what the rows of its instructions require. */
extern const struct machine_registers ir_arm64_registers;
void ir_arm64_constraints(struct machine_constraint out[IR_OP_COUNT]);

/* Emits operation i, which is neither control flow nor a call. */
void ir_arm64_select(struct arm64_selector *s, uint32_t i);

/* Memory of lanes: at a register plus a displacement. Uses ARM64_X16 and ARM64_X17. */
struct arm64_memory {
    unsigned base;
    uint32_t offset;
};
/* At `reg` plus an offset, for accesses of so many bytes. */
struct arm64_memory ir_arm64_reach(struct arm64_code *code, unsigned reg, uint32_t offset,
                                   unsigned bytes);
/* Of the current vector: at a base, or ARM64_BASE_OF_WORK, plus an offset. */
struct arm64_memory ir_arm64_lane_memory(struct arm64_selector *s, unsigned base, uint32_t offset);
/* Loads the word of a UNIFORM for all lanes. */
void ir_arm64_load_uniform(struct arm64_selector *s, unsigned d, const struct ir_inst *inst);

/* The bits of a product depend on its operands: see products.c. least: per value, the exponent of
 * a magnitude that it is not below, unless it is 0. */
void ir_arm64_find_least(int16_t *least, const struct ir_inst *inst, uint32_t n);
/* True if FMUL needs no correction. */
bool ir_arm64_is_plain(const int16_t *least, const struct ir_inst *inst);
/* True if any needs one. */
bool ir_arm64_corrects(const int16_t *least, const struct ir_inst *inst, uint32_t n);
/* True if a function stores the same when it runs again: it loads nothing that it stores.
 * calls_repeat: IR_CALLS_REPEAT. Functions that make half floats do not: those that are denormals
 * look like flushes. */
bool ir_arm64_can_repeat(const struct ir_inst *inst, uint32_t n, bool calls_repeat);

#endif
