/* Injected faults: deliberate renderer errors, one at a time, that test image-comparison tools. The
 * setting FAULT selects one; the default is none. Faults apply where state is translated, never in
 * inner loops. */
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

/* Set before a device is created; must not change while a device exists. */
extern enum fault fault_current;

static inline bool fault_is(enum fault fault)
{
    return fault_current == fault;
}

/* Returns FAULT_COUNT for an unknown name. */
enum fault fault_find(const char *name);
const char *fault_name(enum fault fault); /* "none" for FAULT_NONE */
const char *fault_text(enum fault fault);

#endif
