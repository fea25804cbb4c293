/* All memory of the project comes from here, so that tests can make any allocation fail. */
#ifndef UTIL_ALLOC_H
#define UTIL_ALLOC_H

#include <stddef.h>
#include <stdint.h>

/* NULL when memory is short or n * size overflows; contents undefined for alloc, zero for calloc.
 * Every pointer is aligned to 64 bytes (a cache line, the widest vector). Free with mem_free. */
void *mem_alloc(size_t size);
void *mem_calloc(size_t n, size_t size);
/* As realloc: on failure the old block stays. */
void *mem_realloc(void *old, size_t size);
char *mem_strdup(const char *text);
void mem_free(void *block); /* NULL is allowed */

/* Fault injection: the n-th allocation from now (0 = the next) and all after it fail; negative
 * switches injection off. */
void mem_fail_after(int64_t n);
/* Blocks allocated and not yet freed, for leak checks. */
int64_t mem_live_blocks(void);

#endif
