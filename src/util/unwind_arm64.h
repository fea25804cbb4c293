/* Unwind data of Windows on ARM64 for a function at the start of its code (an .xdata record). */
#ifndef UTIL_UNWIND_ARM64_H
#define UTIL_UNWIND_ARM64_H

#include "util/executable.h"

enum { UNWIND_ARM64_CODE_WORDS = 10, UNWIND_ARM64_WORDS = 3 + UNWIND_ARM64_CODE_WORDS };

/* Writes the record. bytes: of the code. Returns the number of words; 0: the code is too long. */
unsigned unwind_arm64(uint32_t out[UNWIND_ARM64_WORDS], size_t bytes,
                      const struct executable_frame *frame);

#endif
