/* Depth kernel for quads of different primitives, tested in place (reference: depth/functions). */
#include "raster/zs/quad_zs_kern.h"

#include "raster/prim/kern_lanes.h"
#include "raster/prim/quad_lanes.h"
#include "raster/zs/depth_lanes.h"

/* Loads the depth words of a vector's quads. */
SIMD_INLINE i32v load_words(const struct raster_quad_depth *depth, unsigned lane)
{
    const struct raster_quads *quads = depth->quads;
    const char *from[SIMD_QUADS];

    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++) {
        unsigned q = lane / 4 + i;

        q = q < quads->n ? q : quads->n - 1;
        from[i] = (const char *)depth->base + (size_t)quads->y[q] * depth->pitch +
                  (size_t)quads->x[q] * 4;
        if (SIMD_LANES == 1)
            from[i] += (lane & 1) * 4 + (lane >> 1 & 1) * depth->pitch;
    }
    return i32v_load_pairs_of_rows(from, depth->pitch);
}

static void store_quads(const struct raster_quad_depth *depth, const uint32_t *words,
                        uint64_t lanes)
{
    const struct raster_quads *quads = depth->quads;

    for (unsigned q = 0; q < quads->n; q++) {
        uint8_t *row = depth->base + (size_t)quads->y[q] * depth->pitch + (size_t)quads->x[q] * 4;

        raster_store_pair(row, words + q * 4, lanes >> q * 4 & 3);
        raster_store_pair(row + depth->pitch, words + q * 4 + 2, lanes >> (q * 4 + 2) & 3);
    }
}

SIMD_INLINE uint64_t test_quads(const struct raster_depth_stencil *ds,
                                const struct raster_quad_depth *depth, uint64_t lanes,
                                struct depth_spec spec)
{
    const struct raster_quads *quads = depth->quads;
    _Alignas(64) int32_t words[RASTER_LANES];
    struct quad_origins origins;
    uint64_t passed = 0;

    find_quad_origins(&origins, quads);
    for (unsigned lane = 0; lane < quads->n * 4; lane += SIMD_LANES) {
        i32v word = load_words(depth, lane), fresh;
        struct quad_pixels p;
        f32v z;

        find_quad_pixels(&p, &origins, quads, lane);
        z = f32v_add(quad_depth_at(&p), p.offset);
        passed |= bits_at(test_depth_words(ds, spec, z, word, &fresh), lane);
        i32v_store(words + lane, fresh);
    }
    passed &= lanes;
    if (depth->write && ds->depth_write)
        store_quads(depth, (const uint32_t *)words, passed);
    return passed;
}

/* Specialises the common depth formats and functions. */
static uint64_t test_depth(const struct raster_depth_stencil *ds,
                           const struct raster_quad_depth *depth, uint64_t lanes)
{
    struct depth_spec spec = depth_spec_of(ds);

    if (spec.high24 && spec.func == D3DCMP_LESSEQUAL)
        return test_quads(ds, depth, lanes, (struct depth_spec){true, D3DCMP_LESSEQUAL});
    if (spec.high24 && spec.func == D3DCMP_LESS)
        return test_quads(ds, depth, lanes, (struct depth_spec){true, D3DCMP_LESS});
    return test_quads(ds, depth, lanes, spec);
}

const struct raster_quad_zs_kern KERN_NAME(raster_quad_zs_kern) = {.test = test_depth};
