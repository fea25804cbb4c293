/* Arrays with one element per lane or per LOD group of a batch. A LOD group shares one LOD: it is a
 * quad, or a single lane if the shader supplies gradients or a LOD. In all functions `n` is the
 * number of groups: 16 quads or 64 lanes. Included by lod.h and cube.h. */
#ifndef TEX_SAMPLE_LANES_H
#define TEX_SAMPLE_LANES_H

#include "tex/sample/sample.h"

#include "util/simd/simd.h"

#include <string.h>

/* Functions of which each kernel uses some. */
#define KERNEL_PART static __attribute__((unused))

enum { QUADS = TEX_LANES / 4 };

struct lanes_f32 {
    _Alignas(64) float lane[TEX_LANES];
};
struct lanes_i32 {
    _Alignas(64) int32_t lane[TEX_LANES];
};

/* With 16 groups, expands bit q to bits 4q … 4q + 3; with 64, returns the bits unchanged. */
KERNEL_PART uint64_t lanes_of_lod_groups(uint64_t bits, unsigned n)
{
    if (n == TEX_LANES)
        return bits;
    if (!bits || bits == (1u << QUADS) - 1)
        return bits ? ~UINT64_C(0) : 0;
    bits = (bits | bits << 24) & UINT64_C(0x000000ff000000ff);
    bits = (bits | bits << 12) & UINT64_C(0x000f000f000f000f);
    bits = (bits | bits << 6) & UINT64_C(0x0303030303030303);
    bits = (bits | bits << 3) & UINT64_C(0x1111111111111111);
    return bits * 15;
}

/* Returns the lanes of the groups whose element equals `value`. */
KERNEL_PART uint64_t lod_groups_equal(const struct lanes_i32 *a, int32_t value, unsigned n)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < n; i += SIMD_LANES)
        bits |= (uint64_t)m32v_bits(i32v_eq(i32v_load(a->lane + i), i32v_set1(value))) << i;
    return lanes_of_lod_groups(bits, n);
}

KERNEL_PART void broadcast_lod_groups(float *lane, const float *group, unsigned n)
{
    if (n == TEX_LANES) {
        memcpy(lane, group, TEX_LANES * sizeof(*lane));
        return;
    }
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        f32v_store(lane + i, f32v_load_spread(group + i / 4));
}

KERNEL_PART unsigned lod_group_of_lane(unsigned lane, unsigned n)
{
    return n == TEX_LANES ? lane : lane / 4;
}

#endif
