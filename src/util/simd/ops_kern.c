/* Kernels that apply the integer operations of util/simd/ to arrays, for tests. */
#include "util/simd/ops_kern.h"

#include "util/simd/byte_lookup.h"
#include "util/simd/gather_local.h"

SIMD_INLINE f32v unorm8(i32v word, int channel)
{
    f32v out[4];

    i32v_unpack_unorm8(word, out);
    return out[channel];
}

#define M(name, expression)                                                                        \
    static void name##_n(int32_t *out, const int32_t *at_a, const int32_t *at_b, size_t n)         \
    {                                                                                              \
        for (size_t i = 0; i < n; i += SIMD_LANES) {                                               \
            i32v a = i32v_loadu(at_a + i), b = i32v_loadu(at_b + i);                               \
                                                                                                   \
            (void)a, (void)b;                                                                      \
            i32v_storeu(out + i, expression);                                                      \
        }                                                                                          \
    }
SIMD_OPS(M)
#undef M

static void select_words(int32_t *out, const int32_t *low, const int32_t *high,
                         const int32_t *order)
{
    i32v_storeu(out, i32v_select_words(i32v_loadu(low), i32v_loadu(high), i32v_loadu(order)));
}

static int32_t first(const int32_t *a)
{
    return i32v_first(i32v_loadu(a));
}

#if SIMD_LANES == 16

static void load_lanes(int32_t *out, const int32_t *rest, unsigned lanes, const int32_t *p)
{
    i32v_storeu(out, i32v_loadu_lanes(i32v_loadu(rest), m32v_from_bits(lanes), p));
}

static void transpose_fours(int32_t out[64], const int32_t in[64])
{
    i32v from[4], to[4];

    for (int i = 0; i < 4; i++)
        from[i] = i32v_loadu(in + 16 * i);
    i32v_transpose_fours(from, to);
    for (int i = 0; i < 4; i++)
        i32v_storeu(out + 16 * i, to[i]);
}

SIMD_VBMI static void lookup_64_bytes(int32_t *out, const int32_t *tables, const int32_t *index)
{
    i32v_storeu(out, i32v_lookup_64_bytes(i32v_loadu(tables), i32v_loadu(index)));
}

SIMD_VBMI static void lookup_128_bytes(int32_t *out, const int32_t *tables, const int32_t *index)
{
    const i32v table[2] = {i32v_loadu(tables), i32v_loadu(tables + 16)};

    i32v_storeu(out, i32v_lookup_128_bytes(table, i32v_loadu(index)));
}

SIMD_VBMI static void byte_planes(int32_t *out, const int32_t *words)
{
    i32v_storeu(out, i32v_byte_planes(i32v_loadu(words)));
}

SIMD_VBMI static void add_madd_16(int32_t *out, const int32_t *sum, const int32_t *a,
                                  const int32_t *b)
{
    i32v_storeu(out, i32v_add_madd_16(i32v_loadu(sum), i32v_loadu(a), i32v_loadu(b)));
}

#endif

#define M(name, expression) name##_n,
const struct simd_ops_kern KERN_NAME(simd_ops_kern) = {
    .lanes = SIMD_LANES,
    .fn = {SIMD_OPS(M)},
    .select_words = select_words,
    .first = first,
#if SIMD_LANES == 16
    .load_lanes = load_lanes,
    .transpose_fours = transpose_fours,
    .lookup_64_bytes = lookup_64_bytes,
    .lookup_128_bytes = lookup_128_bytes,
    .byte_planes = byte_planes,
    .add_madd_16 = add_madd_16,
#endif
};
