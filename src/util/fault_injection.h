/* Mistakes that are made on purpose, one at a time, so that tools which compare pictures can be
 * tested: a fault must be found. None unless the setting FAULT names one. They sit where state is
 * translated, never in inner loops. */
#ifndef UTIL_FAULT_INJECTION_H
#define UTIL_FAULT_INJECTION_H

#include <stdbool.h>

enum fault {
    FAULT_NONE,
#define FAULT(id, name, what) FAULT_##id,
#include "util/fault_injection.def"
#undef FAULT
    FAULT_COUNT
};

/* Set before a device is made and never changed while one lives. */
extern enum fault fault_current;

static inline bool fault_is(enum fault fault)
{
    return fault_current == fault;
}

/* FAULT_COUNT: there is no such. */
enum fault fault_find(const char *name);
const char *fault_name(enum fault fault); /* of FAULT_NONE: "none" */
const char *fault_text(enum fault fault);

#endif
