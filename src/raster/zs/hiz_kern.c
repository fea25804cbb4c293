/* Hierarchical Z kernel: computes depth ranges of 8x8 blocks and compares a primitive's range with
 * them, for all blocks of a tile in one call.
 *
 * Depth is monotonic along rows and columns, and every step of its computation preserves order,
 * rounding included. So all codes of a block lie between those of two of its corners. */
#include "raster/zs/hiz_kern.h"

#include "raster/zs/depth_lanes.h"

/* Range of words, flipped so that they compare as signed integers. */
struct zrange {
    i32v least, most;
};

SIMD_INLINE void widen(struct zrange *range, i32v field, const uint8_t *base, size_t pitch,
                       unsigned bytes)
{
    UNROLL
    EACH_VECTOR(i)
    {
        i32v stored = flip(i32v_and(load_block(base, pitch, bytes, i, ~UINT64_C(0)), field));

        range->least = i32v_min(range->least, stored);
        range->most = i32v_max(range->most, stored);
    }
}

SIMD_INLINE void read_zranges(const struct raster_depth_stencil *ds,
                              const struct hiz_surface *words, uint64_t blocks, struct hiz *hiz,
                              unsigned bytes)
{
    i32v field = i32v_set1((int32_t)ds->depth_field);

    for (; blocks; blocks &= blocks - 1) {
        unsigned block = (unsigned)__builtin_ctzll(blocks);
        const uint8_t *base = words->base + block / BLOCK_DIM * BLOCK_DIM * words->pitch +
                              (size_t)(block % BLOCK_DIM * BLOCK_DIM) * bytes;
        struct zrange range = {i32v_set1(INT32_MAX), i32v_set1(INT32_MIN)};

        for (unsigned s = 0; s < words->samples; s++)
            widen(&range, field, base + s * words->sample_pitch, words->pitch, bytes);
        hiz->zmin[block] = (uint32_t)i32v_reduce_min(range.least) ^ UINT32_C(0x80000000);
        hiz->zmax[block] = (uint32_t)i32v_reduce_max(range.most) ^ UINT32_C(0x80000000);
    }
}

static void read_zrange(const struct raster_depth_stencil *ds, const struct hiz_surface *words,
                        uint64_t blocks, struct hiz *hiz)
{
    if (ds->bytes == 2)
        read_zranges(ds, words, blocks, hiz, 2);
    else
        read_zranges(ds, words, blocks, hiz, 4);
}

/* The corner of every block with the least or the greatest depth. */
struct corner {
    f32v across[(BLOCK_DIM + SIMD_LANES - 1) / SIMD_LANES]; /* by columns of blocks */
    f32v down;                                              /* y distance, of the first row of
                                                               blocks */
};

SIMD_INLINE struct corner find_corner(const struct hiz_plane *plane, bool most)
{
    float before = -plane->margin, after = (float)(BLOCK_DIM - 1) + plane->margin;
    float right = (plane->z->dadx >= 0.0f) == most ? after : before;
    float down = (plane->z->dady >= 0.0f) == most ? after : before;
    i32v y = i32v_srl(i32v_iota(0), 3);
    struct corner corner;

    for (unsigned i = 0; i < BLOCK_DIM; i += SIMD_LANES) {
        i32v x = i32v_and(i32v_iota((int32_t)i), i32v_set1(BLOCK_DIM - 1));
        f32v dx = f32v_add(f32v_set1(plane->dx), f32v_mul(i32v_to_f32(x), f32v_set1(BLOCK_DIM)));

        corner.across[i / SIMD_LANES] =
            f32v_mul(f32v_set1(plane->z->dadx), f32v_add(dx, f32v_set1(right)));
    }
    corner.down = f32v_add(f32v_set1(plane->dy), f32v_mul(i32v_to_f32(y), f32v_set1(BLOCK_DIM)));
    corner.down = f32v_add(corner.down, f32v_set1(down));
    return corner;
}

/* Codes of the blocks from i on, shifted to their place in words. */
SIMD_INLINE i32v codes_at(const struct raster_depth_stencil *ds, const struct hiz_plane *plane,
                          const struct corner *corner, unsigned i)
{
    f32v row = f32v_set1((float)(i / BLOCK_DIM * BLOCK_DIM));
    f32v down = f32v_mul(f32v_set1(plane->z->dady), f32v_add(corner->down, row));
    f32v z = f32v_add(corner->across[i % BLOCK_DIM / SIMD_LANES], down);

    z = f32v_add(f32v_add(f32v_set1(plane->z->a0), z), f32v_set1(plane->offset));
    return i32v_mul(encode_depth(ds->code, z, depth_scale(ds)), i32v_set1(1 << ds->shift));
}

SIMD_INLINE void test_all(const struct raster_depth_stencil *ds, const struct hiz_plane *plane,
                          uint64_t wanted, struct hiz *hiz, bool const_depth)
{
    bool less = ds->depth_func == D3DCMP_LESS || ds->depth_func == D3DCMP_LESSEQUAL;
    bool strict = ds->depth_func == D3DCMP_LESS || ds->depth_func == D3DCMP_GREATER;
    struct corner nearest = find_corner(plane, false), furthest = find_corner(plane, true);
    i32v only = codes_at(ds, plane, &nearest, 0);
    uint64_t passes = 0, fails = 0;

    EACH_VECTOR(i)
    {
        i32v low, high, least, most;
        m32v below, above;

        if (!(wanted >> i & SIMD_ALL_BITS))
            continue;
        low = const_depth ? only : codes_at(ds, plane, &nearest, i);
        high = const_depth ? only : codes_at(ds, plane, &furthest, i);
        i32v_store((int32_t *)hiz->prim_zmin + i, low);
        i32v_store((int32_t *)hiz->prim_zmax + i, high);
        least = flip(i32v_load((const int32_t *)hiz->zmin + i));
        most = flip(i32v_load((const int32_t *)hiz->zmax + i));
        low = flip(low);
        high = flip(high);
        /* below: the whole block is in front of the stored range; above: behind it. strict excludes
         * equality. */
        below = less == strict ? i32v_lt(high, least) : m32v_not(i32v_lt(least, high));
        above = less == strict ? m32v_not(i32v_lt(low, most)) : i32v_lt(most, low);
        passes |= bits_at(less ? below : above, i);
        fails |= bits_at(less ? above : below, i);
    }
    hiz->tested = wanted;
    hiz->passes = passes & wanted;
    hiz->fails = fails & wanted;
}

static void test(const struct raster_depth_stencil *ds, const struct hiz_plane *plane,
                 uint64_t wanted, struct hiz *hiz)
{
    if (plane->z->dadx == 0.0f && plane->z->dady == 0.0f)
        test_all(ds, plane, wanted, hiz, true);
    else
        test_all(ds, plane, wanted, hiz, false);
}

const struct raster_hiz_kern KERN_NAME(raster_hiz_kern) = {
    .read_zrange = read_zrange,
    .test = test,
};
