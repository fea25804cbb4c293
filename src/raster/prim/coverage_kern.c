/* Coverage kernel: edge functions of the pixels of a block and of the blocks of a tile. */
#include "raster/prim/coverage_kern.h"

#include "raster/prim/kern_lanes.h"
#include "raster/scene/blocks.h"

/* With 16 lanes a vector holds two rows of a block; with fewer than 8 lanes a row takes several
 * vectors. */
enum {
    ROWS = SIMD_LANES > BLOCK_DIM ? SIMD_LANES / BLOCK_DIM : 1,
    VECTORS = SIMD_LANES < BLOCK_DIM ? BLOCK_DIM / SIMD_LANES : 1
};

/* What three edge functions add from a block's first pixel to the lanes of its first row or rows,
 * and from there to the next. */
struct steps {
    i32v first[VECTORS][3], down[3];
};

SIMD_INLINE void find_steps(struct steps *steps, const int32_t a[3], const int32_t b[3])
{
    UNROLL
    for (int i = 0; i < 3; i++) {
        UNROLL
        for (int v = 0; v < VECTORS; v++) {
            i32v lane = i32v_iota(v * SIMD_LANES);
            i32v x = i32v_and(lane, i32v_set1(BLOCK_DIM - 1)), y = i32v_srl(lane, 3);

            steps->first[v][i] = i32v_mul(x, i32v_set1(a[i]));
            if (ROWS > 1)
                steps->first[v][i] = i32v_add(steps->first[v][i], i32v_mul(y, i32v_set1(b[i])));
        }
        steps->down[i] = i32v_set1(b[i] * ROWS);
    }
}

/* e: the edge functions at the block's first pixel. */
SIMD_INLINE uint64_t cover_block(const struct steps *steps, const i32v e[3])
{
    uint64_t outside = 0;

    UNROLL
    for (int v = 0; v < VECTORS; v++) {
        i32v at[3];

        UNROLL
        for (int i = 0; i < 3; i++)
            at[i] = i32v_add(e[i], steps->first[v][i]);
        UNROLL
        for (int row = 0; row < BLOCK_DIM; row += ROWS) {
            m32v negative = m32v_from_i32(i32v_or(at[0], i32v_or(at[1], at[2])));

            outside |= bits_at(negative, (unsigned)(row * BLOCK_DIM + v * SIMD_LANES));
            UNROLL
            for (int i = 0; i < 3; i++)
                at[i] = i32v_add(at[i], steps->down[i]);
        }
    }
    return ~outside;
}

static void cover_pixels(const struct raster_tile_edges *edges, uint64_t wanted, uint64_t *masks,
                         unsigned stride)
{
    struct steps steps;

    find_steps(&steps, edges->a, edges->b);
    for (; wanted; wanted &= wanted - 1) {
        uint32_t block = (uint32_t)__builtin_ctzll(wanted), to[3];
        uint32_t x = block % BLOCK_DIM * BLOCK_DIM, y = block / BLOCK_DIM * BLOCK_DIM;
        uint64_t *out = masks + (size_t)block * stride;

        for (int i = 0; i < 3; i++)
            to[i] = (uint32_t)edges->a[i] * x + (uint32_t)edges->b[i] * y;
        for (unsigned s = 0; s < edges->samples; s++) {
            const int32_t *at = edges->at[s];
            const i32v e[3] = {i32v_set1((int32_t)((uint32_t)at[0] + to[0])),
                               i32v_set1((int32_t)((uint32_t)at[1] + to[1])),
                               i32v_set1((int32_t)((uint32_t)at[2] + to[2]))};

            out[s] = cover_block(&steps, e);
        }
    }
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
    .cover_blocks = cover_blocks,
    .cover_pixels = cover_pixels,
};
