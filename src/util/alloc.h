/* Central allocator with 64-byte alignment. All memory of the project comes from it, so that tests
 * can make any allocation fail. */
#ifndef UTIL_ALLOC_H
#define UTIL_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* mem_alloc and mem_calloc return NULL if memory is short or n * size overflows. mem_alloc leaves
 * contents undefined, mem_calloc zeroes them. Every pointer is aligned to 64 bytes (a cache line,
 * the widest vector). Free it with mem_free. */
void *mem_alloc(size_t size);
void *mem_calloc(size_t n, size_t size);
/* As realloc: on failure the old block stays valid. */
void *mem_realloc(void *old, size_t size);
char *mem_strdup(const char *text);
void mem_free(void *block); /* NULL is allowed */

/* For tests: makes the n-th allocation from now (0 = the next) and all later ones fail. A negative
 * n disables it. */
void mem_fail_after(int64_t n);
/* The same for the n-th allocation alone. */
void mem_fail_once(int64_t n);
/* Whether an allocation has failed since the last of these calls on its request. */
bool mem_has_failed(void);
/* Number of blocks allocated and not yet freed, for leak checks. */
int64_t mem_live_blocks(void);

#endif
