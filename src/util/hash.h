/* 64-bit content hash, the same on every host. */
#ifndef UTIL_HASH_H
#define UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>

/* XXH3 of the bytes. To chain calls, pass the previous result as seed. */
uint64_t hash_bytes(const void *data, size_t size, uint64_t seed);

#endif
