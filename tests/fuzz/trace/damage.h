/* Reproducible damage to files in memory: the same seed gives the same damage. */
#ifndef TESTS_FUZZ_DAMAGE_H
#define TESTS_FUZZ_DAMAGE_H

#include "sanitized.h"
#include "util/log.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

/* Limits the address space, and silences the log: refusals and warnings are expected. */
static inline void limit_memory(unsigned gib)
{
    const struct rlimit limit = {(rlim_t)gib << 30, (rlim_t)gib << 30};

    log_set_level(LOG_NONE);
#ifndef SANITIZED /* shadow memory needs more, see scripts/test.sh */
    setrlimit(RLIMIT_AS, &limit);
#else
    (void)limit;
#endif
}

static inline uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Flips a bit, or replaces the byte. */
static inline uint8_t damaged(uint8_t byte, uint32_t *seed)
{
    return (uint8_t)(next_random(seed) & 1 ? byte ^ 1u << (*seed >> 29) : *seed >> 20);
}

enum { DAMAGE_MOST = 4 };

struct damage {
    size_t at[DAMAGE_MOST];
    uint8_t old[DAMAGE_MOST];
    unsigned n;
};

/* Damages n bytes at or after `from`. */
static inline struct damage damage(uint8_t *bytes, size_t from, size_t size, unsigned n,
                                   uint32_t *seed)
{
    struct damage done = {.n = n};

    for (unsigned k = 0; k < n; k++) {
        done.at[k] = from + next_random(seed) % (size - from);
        done.old[k] = bytes[done.at[k]];
        bytes[done.at[k]] = damaged(done.old[k], seed);
    }
    return done;
}

static inline void mend(uint8_t *bytes, const struct damage *done)
{
    for (unsigned k = done->n; k-- > 0;)
        bytes[done->at[k]] = done->old[k];
}

#endif
