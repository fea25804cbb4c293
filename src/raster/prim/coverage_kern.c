/* Coverage kernel: edge functions of the pixels of a block and of the blocks of a tile. */
#include "raster/prim/coverage_kern.h"

#include "raster/prim/kern_lanes.h"
#include "raster/scene/blocks.h"

static uint64_t cover(const int32_t e[3], const int32_t a[3], const int32_t b[3])
{
    /* With 16 lanes a vector holds two rows; with fewer than 8 lanes a row takes several
     * vectors. */
    enum { ROWS = SIMD_LANES > BLOCK_DIM ? SIMD_LANES / BLOCK_DIM : 1 };
    enum { VECTORS = SIMD_LANES < BLOCK_DIM ? BLOCK_DIM / SIMD_LANES : 1 };
    uint64_t outside = 0;

    for (int v = 0; v < VECTORS; v++) {
        i32v lane = i32v_iota(v * SIMD_LANES), at[3], down[3];
        i32v x = i32v_and(lane, i32v_set1(BLOCK_DIM - 1)), y = i32v_srl(lane, 3);

        for (int i = 0; i < 3; i++) {
            i32v across = i32v_mul(x, i32v_set1(a[i]));

            at[i] = i32v_add(i32v_set1(e[i]), across);
            if (ROWS > 1)
                at[i] = i32v_add(at[i], i32v_mul(y, i32v_set1(b[i])));
            down[i] = i32v_set1(b[i] * ROWS);
        }
        for (int row = 0; row < BLOCK_DIM; row += ROWS) {
            m32v negative = m32v_from_i32(i32v_or(at[0], i32v_or(at[1], at[2])));

            outside |= bits_at(negative, (unsigned)(row * BLOCK_DIM + v * SIMD_LANES));
            for (int i = 0; i < 3; i++)
                at[i] = i32v_add(at[i], down[i]);
        }
    }
    return ~outside;
}

static void cover_blocks(const struct raster_tile_edges *edges, uint64_t wanted, uint64_t *some,
                         uint64_t *whole)
{
    uint64_t outside = 0, crossed = 0;

    EACH_VECTOR(i)
    {
        i32v x = i32v_and(i32v_iota((int32_t)i), i32v_set1(BLOCK_DIM - 1));
        i32v y = i32v_srl(i32v_iota((int32_t)i), 3), least = i32v_set1(0), most = i32v_set1(0);

        if (!(wanted >> i & SIMD_ALL_BITS))
            continue;
        for (unsigned k = 0; k < 3; k++) {
            i32v to = i32v_add(i32v_mul(x, i32v_set1(edges->a[k] * BLOCK_DIM)),
                               i32v_mul(y, i32v_set1(edges->b[k] * BLOCK_DIM)));

            most = i32v_or(most, i32v_add(to, i32v_set1(edges->most[k])));
            least = i32v_or(least, i32v_add(to, i32v_set1(edges->least[k])));
        }
        outside |= bits_at(m32v_from_i32(most), i);
        crossed |= bits_at(m32v_from_i32(least), i);
    }
    *some = wanted & ~outside;
    *whole = *some & ~crossed;
}

const struct raster_coverage_kern KERN_NAME(raster_coverage_kern) = {
    .cover = cover,
    .cover_blocks = cover_blocks,
};
