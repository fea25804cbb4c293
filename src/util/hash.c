/* XXH3 through the header-only form of the xxhash package, so that no dll depends on it. */
#include "util/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash_bytes(const void *data, size_t size, uint64_t seed)
{
    return XXH3_64bits_withSeed(data, size, seed);
}
