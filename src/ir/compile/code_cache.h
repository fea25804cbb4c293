/* Caches of machine code: one function per key, compiled once and shared by all threads of the
 * process. A client has a cache of its own. */
#ifndef IR_COMPILE_CODE_CACHE_H
#define IR_COMPILE_CODE_CACHE_H

#include "ir/compile/compile.h"

#include <pthread.h>

/* A program needs some ten codes of a kind. With more than these, clients go on without: the memory
 * of code stays below some megabytes. */
enum { IR_CACHED_CODES = 512, IR_CACHE_BUCKETS = 128 };

struct ir_cached_code;
struct ir_code_cache {
    /* Makes the function of a key, which the cache then owns. NULL: no memory. */
    struct ir *(*build)(const void *key);
    size_t key_bytes;      /* equal keys have equal bytes */
    size_t max_work_bytes; /* functions that need more work memory are not kept */
    pthread_mutex_t lock;
    unsigned users, n;
    struct ir_cached_code *bucket[IR_CACHE_BUCKETS];
};
#define IR_CODE_CACHE(build, key, work_bytes)                                                      \
    {                                                                                              \
        build, sizeof(key), work_bytes, PTHREAD_MUTEX_INITIALIZER, 0, 0,                           \
        {                                                                                          \
            NULL                                                                                   \
        }                                                                                          \
    }

/* The cache compiles only while it has users, and keeps all code until the last has gone. */
void ir_code_cache_use(struct ir_code_cache *cache);
void ir_code_cache_leave(struct ir_code_cache *cache);

/* The code of a key for the instruction set in use; valid while the caller is a user. NULL: there
 * is none. */
const struct ir_code *ir_code_cache_get(struct ir_code_cache *cache, const void *key);

#endif
