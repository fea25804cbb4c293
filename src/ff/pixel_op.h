/* Code generation for one texture stage operation. Private to ff. */
#ifndef FF_PIXEL_OP_H
#define FF_PIXEL_OP_H

#include "ff/pixel.h"

/* Operands of an operation on colour, alpha or both. */
struct pixel_op_code {
    struct vm_dst out; /* saturates where necessary */
    struct vm_src a[FF_ARGS];
    struct vm_src factor; /* of BLEND*ALPHA */
};

void pixel_emit_op(struct vm_builder *b, unsigned op, const struct pixel_op_code *o);

#endif
