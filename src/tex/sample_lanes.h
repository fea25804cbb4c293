/* Per-lane and per-LOD-group arrays of a batch. A LOD group shares one LOD: a quad, or a single
 * lane if the shader supplies gradients or a LOD. `n` is the number of groups, 16 or 64; n <= 16
 * means that four lanes share a group. Included only by sample_lod_kern.c. */
#ifndef TEX_SAMPLE_LANES_H
#define TEX_SAMPLE_LANES_H

#include "tex/sample_private.h"

#include "util/simd.h"

#include <string.h>

enum { QUADS = TEX_LANES / 4 };

struct lanes_f32 {
    _Alignas(64) float lane[TEX_LANES];
};
struct lanes_i32 {
    _Alignas(64) int32_t lane[TEX_LANES];
};

/* Expands bit e of 16 to bits 4e … 4e + 3. */
static uint64_t lanes_of_lod_groups(uint64_t bits, unsigned n)
{
    if (n == TEX_LANES)
        return bits;
    bits = (bits | bits << 24) & UINT64_C(0x000000ff000000ff);
    bits = (bits | bits << 12) & UINT64_C(0x000f000f000f000f);
    bits = (bits | bits << 6) & UINT64_C(0x0303030303030303);
    bits = (bits | bits << 3) & UINT64_C(0x1111111111111111);
    return bits * 15;
}

static uint64_t lod_groups_equal(const struct lanes_i32 *a, int32_t value, unsigned n)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < n; i += SIMD_LANES)
        bits |= (uint64_t)m32v_bits(i32v_eq(i32v_load(a->lane + i), i32v_set1(value))) << i;
    return lanes_of_lod_groups(bits, n);
}

static void broadcast_lod_groups(float *lane, const float *group, unsigned n)
{
    if (n == TEX_LANES) {
        memcpy(lane, group, TEX_LANES * sizeof(*lane));
        return;
    }
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        f32v_store(lane + i, f32v_load_spread(group + i / 4));
}

static unsigned lod_group_of_lane(unsigned lane, unsigned n)
{
    return n == TEX_LANES ? lane : lane / 4;
}

#endif
