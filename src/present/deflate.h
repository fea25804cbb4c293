/* A quick deflate (RFC 1951, in the frame of RFC 1950) with the same bytes on every host. Private
 * to present. */
#ifndef PRESENT_DEFLATE_H
#define PRESENT_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

/* NULL: out of memory. The caller frees with mem_free. */
uint8_t *deflate_quickly(const uint8_t *bytes, size_t n, size_t *out_n);

#endif
