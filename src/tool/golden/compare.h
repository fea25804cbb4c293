/* Comparison of two golden runs. */
#ifndef TOOL_GOLDEN_COMPARE_H
#define TOOL_GOLDEN_COMPARE_H

#include "tool/golden/record.h"

/* Prints the changes from run a to run b and writes them as a page (NULL: none). Returns
 * TOOL_DIFFERS if b has new failures, else TOOL_OK or TOOL_ERROR. */
int golden_compare_runs(const struct records *a, const struct records *b, const char *page,
                        const char *command);

#endif
