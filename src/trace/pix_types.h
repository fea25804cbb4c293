/* The types of Direct3D as they lie in PIX run files: 32-bit words, structs without gaps. */
#ifndef TRACE_PIX_TYPES_H
#define TRACE_PIX_TYPES_H

#include "trace/trace.h"

enum pix_shape {
    PIX_UINT,
    PIX_SINT,
    PIX_FLOAT,
    PIX_ADDRESS, /* of an object, a handle, memory */
    PIX_ENUM,
    PIX_BITMASK,
    PIX_STRUCT,
    PIX_ARRAY,
    PIX_TEXT, /* characters, a NUL after them unless all are used */
};

struct pix_type {
    enum pix_shape shape;
    unsigned size; /* in the file; of a struct: that of its members */
    union {
        const struct trace_names *names;
        const struct trace_struct *type;
        const struct pix_type *of;
    };
    const struct pix_type *const *members; /* of a struct */
    unsigned count;                        /* of an array */
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
