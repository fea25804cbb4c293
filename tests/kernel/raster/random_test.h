/* Random depth and stencil states. */
#ifndef TESTS_KERNEL_RASTER_RANDOM_TEST_H
#define TESTS_KERNEL_RASTER_RANDOM_TEST_H

#include "kernel/raster/random.h"

#include "raster/state/params.h"

static inline struct raster_depth_stencil random_test(unsigned code)
{
    bool whole = code == RASTER_DEPTH_UNORM32 || code == RASTER_DEPTH_FLOAT32;

    return (struct raster_depth_stencil){
        .depth_test = random_u32() & 1,
        .depth_write = random_u32() & 1,
        .stencil_test = random_u32() & 1,
        .bounds_test = random_u32() & 1,
        .code = (uint8_t)code,
        .bits = whole ? 32 : 24,
        .shift = whole ? 0 : 8,
        .depth_func = (uint8_t)(1 + random_u32() % 8),
        .stencil_func = (uint8_t)(1 + random_u32() % 8),
        .fail = (uint8_t)(1 + random_u32() % 8),
        .zfail = (uint8_t)(1 + random_u32() % 8),
        .pass = (uint8_t)(1 + random_u32() % 8),
        .depth_field = whole ? 0xffffffff : 0xffffff00,
        .stencil_field = whole ? 0 : 0xff,
        .stencil_one = 1,
        .ref = random_u32() & 0xff,
        .mask = random_u32() & 0xff,
        .write_mask = whole || random_u32() % 8 == 0 ? 0 : random_u32() & 0xff,
        .bounds = {random_u32() >> 2, random_u32()},
    };
}

/* Turns a random state of UNORM codes into one of a format of 16 bits: D15S1 with a bit of stencil,
 * else D16. */
static inline void make_test_16(struct raster_depth_stencil *ds, bool d15s1)
{
    ds->bytes = 2;
    ds->bits = d15s1 ? 15 : 16;
    ds->shift = d15s1;
    ds->depth_field = d15s1 ? 0xfffe : 0xffff;
    ds->stencil_field = d15s1;
    ds->stencil_test = ds->stencil_test && d15s1;
    ds->ref &= ds->stencil_field;
    ds->mask &= ds->stencil_field;
    ds->write_mask &= ds->stencil_field;
    ds->bounds[0] >>= 16;
    ds->bounds[1] >>= 16;
}

#endif
