/* Names and descriptions of injected faults, and the active fault. */
#include "util/fault_injection.h"

#include <string.h>

enum fault fault_current;

static const struct {
    const char *name, *text;
} faults[FAULT_COUNT] = {
    {"none", "nothing is wrong"},
#define FAULT(id, name, what) {name, what},
#include "util/fault_injection.def"
#undef FAULT
};

enum fault fault_find(const char *name)
{
    enum fault fault = FAULT_NONE;

    while (fault < FAULT_COUNT && strcmp(name, faults[fault].name))
        fault++;
    return fault;
}

const char *fault_name(enum fault fault)
{
    return faults[fault].name;
}

const char *fault_text(enum fault fault)
{
    return faults[fault].text;
}
