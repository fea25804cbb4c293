/* Fixed amounts of work that tell how the processor runs at the moment. */
#ifndef TOOL_MEASURE_REFERENCE_H
#define TOOL_MEASURE_REFERENCE_H

#include <stdbool.h>

/* A chain of multiplications, each of the product before it. Its cycles are the same on all
 * processors of AMD since Zen and of Intel since Nehalem, and another thread of the core does not
 * change them: its time tells the clock. Returns seconds. */
double reference_chain(void);
/* Cycles of the chain; 0: not known for this processor. */
double reference_chain_cycles(void);

/* Instructions that do nothing, as many in a cycle as the core can begin. Another thread that runs
 * on the same core takes its part of them. Returns seconds. */
double reference_width(void);
/* Cycles that reference_width takes at most if no other thread shares the core; 0: not known. */
double reference_width_cycles(void);

/* Instructions a cycle that a core begins, of a vendor ("GenuineIntel") and a family and model as
 * CPUID counts them; 0: not known. */
unsigned reference_begins(const char vendor[12], unsigned family, unsigned model);

#endif
