/* Growable arrays. Private to vm. */
#ifndef VM_ISA_ARRAY_H
#define VM_ISA_ARRAY_H

#include "util/alloc.h"
#include "util/status.h"

/* Grows *array to hold n + 1 elements of size bytes; n_max is its capacity. */
MUST_CHECK static inline enum status vm_grow(void **array, size_t n, size_t *n_max, size_t size)
{
    size_t larger = *n_max ? *n_max * 2 : 16;
    void *grown;

    if (n < *n_max)
        return ST_OK;
    grown = mem_realloc(*array, larger * size);
    if (!grown)
        return ST_NOMEM;
    *array = grown;
    *n_max = larger;
    return ST_OK;
}

#endif
