/* Random numbers for kernel tests, with special values; the same sequence in every run. */
#ifndef TESTS_KERNEL_RASTER_RANDOM_H
#define TESTS_KERNEL_RASTER_RANDOM_H

#include "check_main.h"
#include "kernel/bits.h"

#include "util/fpenv.h"

#include <math.h>

static uint64_t random_bits = 1;
static inline uint32_t random_u32(void)
{
    random_bits = random_bits * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_bits >> 32);
}

static inline uint64_t random_u64(void)
{
    return (uint64_t)random_u32() << 32 | random_u32();
}

static inline float random_float(void)
{
    static const float odd[] = {0.0f,   -0.0f, 1.0f,     -1.0f,          NAN,  INFINITY, -INFINITY,
                                1e-40f, 0.5f,  0x1p-14f, 0x1.fffffep-1f, 3e38f};

    if (random_u32() % 8 == 0)
        return odd[random_u32() % (sizeof(odd) / sizeof(odd[0]))];
    return (float)(int32_t)random_u32() * 0x1p-30f;
}

static inline void random_floats(float *out, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        out[i] = random_float();
}

/* Equal numbers, or both NaN. */
static inline void check_floats(const float *got, const float *want, unsigned n, const char *what)
{
    for (unsigned i = 0; i < n; i++)
        ck_assert_msg(bits_same(got[i], want[i]), "%s, %u: %a, scalar %a", what, i, got[i],
                      want[i]);
}

static struct fp_mode old_mode;
static inline void set_mode(void)
{
    old_mode = fp_enter();
    random_bits = 1;
}
static inline void put_mode_back(void)
{
    fp_leave(old_mode);
}

#endif
