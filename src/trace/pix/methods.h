/* Method table of PIX run files: names, parameters and encoding of each call by its number. */
#ifndef TRACE_PIX_METHODS_H
#define TRACE_PIX_METHODS_H

#include "trace/pix/types.h"

/* Encoding of a parameter. A null pointer is still followed by a pointee of zeros. */
enum pix_param_kind {
    PIX_VALUE,    /* the value itself; for a reference, the referenced value */
    PIX_POINTS,   /* the pointer, then its pointee */
    PIX_LIST,     /* the pointer, then the first element; all elements in a block */
    PIX_ELEMENTS, /* the pointer only; elements in a block */
    PIX_MEMORY,   /* the pointer only; bytes in a block */
};

struct pix_param {
    const char *c_type;
    enum pix_param_kind kind;
    const struct pix_type *type;
};

struct pix_method {
    const char *name;
    const struct pix_type *result; /* NULL: none */
    unsigned argc;
    const char *const *args;
    const struct pix_param *params;
};

enum { PIX_CALL_FIRST = 206, PIX_CALL_END = 516 };

/* Returns NULL for a number that is no Direct3D 9 call. */
const struct pix_method *pix_method(uint32_t number);
/* Returns whether the run file records only the pointer, not its pointee. */
bool pix_is_pointer_only(const struct pix_param *param);

#endif
