/* Random numbers for kernel tests, with special values; the same sequence in every run. */
#ifndef TESTS_KERNEL_RASTER_RANDOM_H
#define TESTS_KERNEL_RASTER_RANDOM_H

#include "check_main.h"
#include "kernel/bits.h"

#include "raster/prim/plane.h"
#include "util/fpenv.h"

#include <math.h>
#include <string.h>

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

/* A plane with random numbers; its small values are 0 more often than a triangle's. */
static inline struct raster_attr_plane random_attr_plane(void)
{
    struct raster_attr_plane plane = {.value = random_float()};

    plane.tiny = random_u32() % 4 ? random_float() * 0x1p-4f : 0.0f;
    plane.a0 = random_u32() % 4 ? (double)random_float() * (double)random_float() : plane.value;
    plane.dadx = (double)random_float() / 3.0;
    plane.dady = (double)random_float() / 3.0;
    return plane;
}

/* A plane whose value is the same everywhere. */
static inline struct raster_attr_plane random_const_plane(void)
{
    float value = random_float();

    return (struct raster_attr_plane){.value = value, .a0 = value};
}

static inline void bits_plane(const struct raster_attr_plane *plane)
{
    uint64_t wide[3];

    memcpy(wide, &plane->a0, sizeof(wide));
    bits_floats(&plane->value, 2);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t bits = wide[i];

        if ((bits << 1) > UINT64_C(0xffe) << 52) /* NaNs have different bits */
            bits = 0;
        bits_word((uint32_t)bits);
        bits_word((uint32_t)(bits >> 32));
    }
}

/* Equal numbers, or both NaN. */
static inline void check_floats(const float *got, const float *want, unsigned n, const char *what)
{
    for (unsigned i = 0; i < n; i++)
        ck_assert_msg(bits_same(got[i], want[i]), "%s, %u: %a, scalar %a", what, i, got[i],
                      want[i]);
}

static inline void check_planes(const struct raster_attr_plane *got,
                                const struct raster_attr_plane *want, const char *what)
{
    const double *g = &got->a0, *w = &want->a0;

    check_floats(&got->value, &want->value, 2, what);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_msg(g[i] == w[i] || (isnan(g[i]) && isnan(w[i])), "%s, %u: %a, scalar %a", what,
                      i, g[i], w[i]);
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
