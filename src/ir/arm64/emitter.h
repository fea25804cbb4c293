/* What AArch64 emits for control flow and for values in memory. */
#ifndef IR_ARM64_EMITTER_H
#define IR_ARM64_EMITTER_H

#include "ir/arm64/select.h"
#include "ir/machine/flow.h"

/* Its state is a struct arm64_selector. */
extern const struct machine_emitter ir_arm64_emitter;

/* Bytes of work memory. */
size_t ir_arm64_work_bytes(const struct machine_allocation *allocation);

#endif
