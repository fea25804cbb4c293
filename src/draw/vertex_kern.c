/* Words of vertex elements to lanes and back (reference: vertices/missing-components). */
#include "draw/vertex_kern.h"

#include "util/simd_bytes.h"

/* Four lanes at a time: elements lie anywhere, so a load brings four words of one whatever the
 * width of a vector. */
static void quads(const uint8_t *from, const uint32_t *at, unsigned n, float *const row[4])
{
    for (unsigned i = 0; i < n; i += 4) {
        simde__m128 v[4];

        for (unsigned k = 0; k < 4; k++)
            v[k] = simde_mm_loadu_ps((const float *)(const void *)(from + at[i + k]));
        SIMDE_MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
        for (unsigned c = 0; c < 4; c++)
            simde_mm_store_ps(row[c] + i, v[c]);
    }
}

static void bytes(const uint32_t *word, unsigned n, int normalised, float *const row[4])
{
    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        i32v v = i32v_load((const int32_t *)word + i);
        f32v out[4];

        if (normalised)
            i32v_unorm_bytes(v, out);
        for (int c = 0; c < 4; c++, v = i32v_srl(v, 8)) {
            if (!normalised)
                out[c] = i32v_to_f32(i32v_and(v, i32v_set1(255)));
            f32v_store(row[c] + i, out[c]);
        }
    }
}

SIMD_INLINE f32v number(i32v half, enum vertex_halves kind)
{
    f32v v = i32v_to_f32(half);

    if (kind == VERTEX_SHORT)
        return v;
    return f32v_div(v, f32v_set1(kind == VERTEX_SHORT_N ? 32767.0f : 65535.0f));
}

SIMD_INLINE void halves_of(const uint32_t *word, unsigned n, enum vertex_halves kind,
                           float *const row[2])
{
    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        i32v v = i32v_load((const int32_t *)word + i), low, high;

        if (kind == VERTEX_USHORT_N) {
            low = i32v_and(v, i32v_set1(0xffff));
            high = i32v_srl(v, 16);
        } else {
            low = i32v_sra(i32v_sll(v, 16), 16);
            high = i32v_sra(v, 16);
        }
        f32v_store(row[0] + i, number(low, kind));
        f32v_store(row[1] + i, number(high, kind));
    }
}

static void halves(const uint32_t *word, unsigned n, enum vertex_halves kind, float *const row[2])
{
    switch (kind) {
    case VERTEX_SHORT:
        halves_of(word, n, VERTEX_SHORT, row);
        break;
    case VERTEX_SHORT_N:
        halves_of(word, n, VERTEX_SHORT_N, row);
        break;
    case VERTEX_USHORT_N:
        halves_of(word, n, VERTEX_USHORT_N, row);
        break;
    }
}

static void spread(const float *const row[4], unsigned n, float *out, uint32_t stride)
{
    for (unsigned i = 0; i < n; i += 4) {
        simde__m128 v[4];

        for (unsigned c = 0; c < 4; c++)
            v[c] = simde_mm_load_ps(row[c] + i);
        SIMDE_MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
        for (unsigned k = 0; k < 4; k++, out += stride)
            simde_mm_store_ps(out, v[k]);
    }
}

static void saturate(const float *row, unsigned n, float *out)
{
    for (unsigned i = 0; i < n; i += SIMD_LANES)
        f32v_store(out + i, f32v_sat(f32v_load(row + i)));
}

const struct vertex_kern KERN_NAME(vertex_kern) = {
    .quads = quads,
    .bytes = bytes,
    .halves = halves,
    .spread = spread,
    .saturate = saturate,
};
