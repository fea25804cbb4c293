/* A number and its noun in messages: "1 call", "3 calls". */
#ifndef UTIL_PLURAL_H
#define UTIL_PLURAL_H

#include <inttypes.h>

/* Format and arguments: printf(PLURAL_FORMAT " failed\n", PLURAL(n, "call", "calls")). */
#define PLURAL_FORMAT "%" PRIu64 " %s"
#define PLURAL(n, one, many) (uint64_t)(n), (n) == 1 ? (one) : (many)

#endif
