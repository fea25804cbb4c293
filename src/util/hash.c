/* XXH3 content hash from the header-only form of xxhash, which adds no DLL dependency. */
#include "util/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash_bytes(const void *data, size_t size, uint64_t seed)
{
    return XXH3_64bits_withSeed(data, size, seed);
}
