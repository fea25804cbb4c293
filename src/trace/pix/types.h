/* Type descriptors of PIX run files: Direct3D types as 32-bit words, structs without padding. */
#ifndef TRACE_PIX_TYPES_H
#define TRACE_PIX_TYPES_H

#include "trace/trace.h"

enum pix_shape {
    PIX_UINT,
    PIX_SINT,
    PIX_FLOAT,
    PIX_ADDRESS, /* object, handle or memory address */
    PIX_ENUM,
    PIX_BITMASK,
    PIX_STRUCT,
    PIX_ARRAY,
    PIX_TEXT, /* characters; NUL-terminated unless the field is full */
};

struct pix_type {
    enum pix_shape shape;
    unsigned size; /* bytes in the file; for a struct, the sum of its members */
    union {
        const struct trace_names *names;
        const struct trace_struct *type;
        const struct pix_type *of;
    };
    const struct pix_type *const *members; /* struct only */
    unsigned count;                        /* array only */
};

#define TYPE(name) extern const struct pix_type pix_##name;
TYPE(u32)
TYPE(i32)
TYPE(f32)
TYPE(object)
TYPE(handle)
TYPE(address)
#include "record/type_names.def"
#undef TYPE

unsigned pix_size(const struct pix_type *type);

#endif
