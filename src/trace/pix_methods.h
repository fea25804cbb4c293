/* The calls of PIX run files by number: names, parameters and how each is recorded. */
#ifndef TRACE_PIX_METHODS_H
#define TRACE_PIX_METHODS_H

#include "trace/pix_types.h"

/* How a parameter lies in a call. What a pointer points to follows it even if it is null, as zeros.
 */
enum pix_param_kind {
    PIX_VALUE,    /* itself; a reference: what it refers to */
    PIX_POINTS,   /* the pointer, and what it points to */
    PIX_LIST,     /* the pointer and the first element; all of them in a block */
    PIX_ELEMENTS, /* the pointer alone; elements in a block */
    PIX_MEMORY,   /* the pointer alone; bytes in a block */
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

/* NULL for a number that stands for no call of Direct3D 9. */
const struct pix_method *pix_method(uint32_t number);
/* A pointer that is recorded alone, though it points to something. */
bool pix_is_pointer_only(const struct pix_param *param);

#endif
