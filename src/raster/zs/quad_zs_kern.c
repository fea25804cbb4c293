/* Depth kernel for quads of different primitives, tested in place (reference: depth/functions). */
#include "raster/zs/quad_zs_kern.h"

#include "raster/prim/kern_lanes.h"
#include "raster/prim/quad_lanes.h"
#include "raster/zs/depth_lanes.h"

#include <string.h>

/* Loads the depth pixels of a vector's quads. */
SIMD_INLINE i32v load_words(const struct raster_quad_depth *depth, unsigned lane, unsigned bytes)
{
    const struct raster_quads *quads = depth->quads;
    const char *from[SIMD_QUADS];

    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++) {
        unsigned q = lane / 4 + i;

        q = q < quads->n ? q : quads->n - 1;
        from[i] = (const char *)depth->base + (size_t)quads->y[q] * depth->pitch +
                  (size_t)quads->x[q] * bytes;
        if (SIMD_LANES == 1)
            from[i] += (size_t)(lane & 1) * bytes + (lane >> 1 & 1) * depth->pitch;
    }
    if (bytes == 2)
        return i32v_load_uint16_pairs_of_rows(from, depth->pitch);
    return i32v_load_pairs_of_rows(from, depth->pitch);
}

/* Stores two adjacent 16-bit pixels, each only if its bit of `covered` (0: left) is set. */
static inline void store_uint16_pair(uint8_t *row, const uint32_t words[2], unsigned covered)
{
    static const uint32_t fresh[4] = {0, 0xffff, 0xffff0000, 0xffffffff};
    uint32_t stored;

    memcpy(&stored, row, sizeof(stored));
    stored ^= (stored ^ (words[0] | words[1] << 16)) & fresh[covered];
    memcpy(row, &stored, sizeof(stored));
}

SIMD_INLINE void store_quads(const struct raster_quad_depth *depth, const uint32_t *words,
                             uint64_t lanes, unsigned bytes)
{
    const struct raster_quads *quads = depth->quads;

    for (unsigned q = 0; q < quads->n; q++) {
        uint8_t *row =
            depth->base + (size_t)quads->y[q] * depth->pitch + (size_t)quads->x[q] * bytes;
        unsigned above = lanes >> q * 4 & 3, below = lanes >> (q * 4 + 2) & 3;

        if (bytes == 2) {
            store_uint16_pair(row, words + q * 4, above);
            store_uint16_pair(row + depth->pitch, words + q * 4 + 2, below);
        } else {
            raster_store_pair(row, words + q * 4, above);
            raster_store_pair(row + depth->pitch, words + q * 4 + 2, below);
        }
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
        i32v word = load_words(depth, lane, depth_class_bytes(spec.class)), fresh;
        struct quad_pixels p;
        f32v z;

        find_quad_pixels(&p, &origins, quads, lane);
        z = f32v_add(quad_depth_at(&p), p.offset);
        passed |= bits_at(test_depth_words(ds, spec, z, word, &fresh), lane);
        i32v_store(words + lane, fresh);
    }
    passed &= lanes;
    if (depth->write && ds->depth_write)
        store_quads(depth, (const uint32_t *)words, passed, depth_class_bytes(spec.class));
    return passed;
}

/* Specialises the common functions, for a constant class. */
SIMD_INLINE uint64_t test_class(const struct raster_depth_stencil *ds,
                                const struct raster_quad_depth *depth, uint64_t lanes,
                                enum depth_class class)
{
    if (ds->depth_func == D3DCMP_LESSEQUAL)
        return test_quads(ds, depth, lanes, (struct depth_spec){class, D3DCMP_LESSEQUAL});
    if (ds->depth_func == D3DCMP_LESS)
        return test_quads(ds, depth, lanes, (struct depth_spec){class, D3DCMP_LESS});
    return test_quads(ds, depth, lanes, (struct depth_spec){class, ds->depth_func});
}

static uint64_t test_depth(const struct raster_depth_stencil *ds,
                           const struct raster_quad_depth *depth, uint64_t lanes)
{
    switch (depth_class_of(ds)) {
    case DEPTH_HIGH24:
        return test_class(ds, depth, lanes, DEPTH_HIGH24);
    case DEPTH_UNORM16:
        return test_class(ds, depth, lanes, DEPTH_UNORM16);
    case DEPTH_ANY16:
        return test_quads(ds, depth, lanes, (struct depth_spec){DEPTH_ANY16, ds->depth_func});
    default:
        return test_quads(ds, depth, lanes, (struct depth_spec){DEPTH_ANY32, ds->depth_func});
    }
}

const struct raster_quad_zs_kern KERN_NAME(raster_quad_zs_kern) = {.test = test_depth};
