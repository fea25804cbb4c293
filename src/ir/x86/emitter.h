/* What x86 emits for control flow and for values in memory. */
#ifndef IR_X86_EMITTER_H
#define IR_X86_EMITTER_H

#include "ir/machine/flow.h"
#include "ir/x86/select.h"

/* Its state is a struct x86_selector. */
extern const struct machine_emitter ir_x86_emitter;

/* Bytes of work memory. */
size_t ir_x86_work_bytes(const struct machine_allocation *allocation,
                         const struct x86_target *target);

#endif
