/* Table of the methods that the replayer knows, by name. */
#ifndef TRACE_REPLAY_METHODS_H
#define TRACE_REPLAY_METHODS_H

#include "trace/replay/call.h"

typedef HRESULT handler_fn(struct replay_call *q);

enum method_flags {
    METHOD_EX = 1,       /* 9Ex interfaces only */
    METHOD_PRESENT = 2,  /* ends a frame */
    METHOD_READBACK = 4, /* has a picture afterwards */
    METHOD_DRAW = 8,
    METHOD_SAMPLES = 16, /* arguments 4 and 5 are a multisample type and its quality */
};

struct method {
    uint32_t kinds; /* 0: a plain function */
    const char *name;
    handler_fn *run; /* NULL: known and deliberately ignored */
    unsigned flags;
};

/* Finds the method for a recorded name such as "IDirect3DDevice9Ex::Present"; NULL if unknown. */
const struct method *method_find(const char *name);
/* Returns the object kinds of the interface in a recorded name; 0 if it is unknown. */
uint32_t method_interface_kinds(const char *name);

#endif
