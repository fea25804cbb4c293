/* Injected faults: deliberate renderer errors, one at a time, that test image-comparison tools. The
 * setting FAULT selects one; the default is none.
 *
 * A fault that is a change of state is applied to a copy of the state (draw/translate/faults.c).
 * The few others ask fault_is where they apply, never in inner loops. NOVEM_FAULTS is 0 in builds
 * without faults, such as d3d9.dll: then the compiler drops both. */
#ifndef UTIL_FAULT_INJECTION_H
#define UTIL_FAULT_INJECTION_H

#include <stdbool.h>

#ifndef NOVEM_FAULTS /* `make FAULTS=0` or `FAULTS=1` defines it */
#ifdef _WIN32
#define NOVEM_FAULTS 0
#else
#define NOVEM_FAULTS 1
#endif
#endif

enum fault {
    FAULT_NONE,
#define FAULT(id, name, what) FAULT_##id,
#include "util/fault_injection.def"
#undef FAULT
    FAULT_COUNT
};

/* Set before a device is created; must not change while a device exists. Without effect in builds
 * without faults. */
extern enum fault fault_current;

/* Constant in builds without faults. */
static inline bool fault_is(enum fault fault)
{
    return NOVEM_FAULTS && fault_current == fault;
}

/* Returns FAULT_COUNT for an unknown name. */
enum fault fault_find(const char *name);
const char *fault_name(enum fault fault); /* "none" for FAULT_NONE */
const char *fault_text(enum fault fault);

#endif
