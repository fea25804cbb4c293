/* Copies instructions from one function to another. Private to the passes. */
#ifndef IR_PASS_COPY_H
#define IR_PASS_COPY_H

#include "ir/build/build.h"

struct ir_copy {
    const struct ir *from;
    const struct ir_inst *inst; /* of `from` */
    uint32_t n;
    struct ir *to;
    ir_ref *map;    /* per instruction of `from`: its value in `to`; 0: none yet */
    bool is_subset; /* `to` gets instructions of `from` and no others */
};

/* Makes an empty function `to`. False: no memory; nothing needs to be freed. */
bool ir_copy_begin(struct ir_copy *copy, const struct ir *from, uint32_t constant_bases);
/* Copies one instruction of any kind, with the operands that `map` names. */
void ir_copy_inst(struct ir_copy *copy, ir_ref ref);
/* Returns `to`, or NULL after an error. */
struct ir *ir_copy_end(struct ir_copy *copy);

/* The end of each IF and LOOP, per instruction; the caller frees it. NULL: no memory. */
uint32_t *ir_find_ends(const struct ir *ir);

#endif
