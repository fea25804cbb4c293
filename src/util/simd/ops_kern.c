/* Kernels that apply the integer operations of util/simd/ to arrays, for tests. */
#include "util/simd/ops_kern.h"

#include "util/simd/byte_lookup.h"
#include "util/simd/gather_local.h"
#include "util/simd/uint16.h"

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

/* --- Moves ------------------------------------------------------------------------------------ */

static void put(int32_t *out, unsigned vector, i32v value)
{
    i32v_storeu(out + vector * SIMD_LANES, value);
}

/* Byte offsets of quads of words. */
static void offsets_of(uint32_t at[16], const int32_t *index)
{
    for (int i = 0; i < 16; i++)
        at[i] = (uint32_t)index[i] * 4;
}

static void GATHER_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    put(out, 0, i32v_gather(in, i32v_loadu(index)));
}

static void GATHER_PAIR_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    i32v first, second;

    i32v_gather_pair(in, i32v_loadu(index), &first, &second);
    put(out, 0, first);
    put(out, 1, second);
}

static void LOAD_WORDS_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    put(out, 0, i32v_load_words(in, index));
}

static void LOAD_PAIRS_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    i32v first, second;

    i32v_load_pairs(in, index, &first, &second);
    put(out, 0, first);
    put(out, 1, second);
}

/* The lower row starts one word after the upper one. */
static void LOAD_2X2_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    i32v texel[4];

    i32v_load_2x2(in, in + 1, index, texel);
    for (unsigned i = 0; i < 4; i++)
        put(out, i, texel[i]);
}

static void LOAD_SPREAD_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    (void)index;
    put(out, 0, f32v_bits(f32v_load_spread((const float *)(const void *)in)));
}

static void LOAD_QUADS_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    f32v column[3];

    (void)index;
    f32v_load_quads((const float *)(const void *)in, column);
    for (unsigned i = 0; i < 3; i++)
        put(out, i, f32v_bits(column[i]));
}

static void LOAD_ROWS_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    uint32_t at[16];
    f32v row[4];

    offsets_of(at, index);
    f32v_load_rows(in, at, row);
    for (unsigned i = 0; i < 4; i++)
        put(out, i, f32v_bits(row[i]));
}

/* Unaligned. */
static void LOAD_UINT16_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    (void)index;
    put(out, 0, i32v_load_uint16((const char *)in + 2));
}

static void LOAD_UINT16_AT_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    put(out, 0, i32v_load_uint16_at((const uint16_t *)(const void *)in, index));
}

/* Lower halves of words, unaligned and read back. */
static void STORE_UINT16_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    uint16_t halves[SIMD_LANES + 1];

    (void)index;
    i32v_store_uint16(halves + 1, i32v_and(i32v_loadu(in), i32v_set1(0xffff)));
    for (unsigned i = 0; i < SIMD_LANES; i++)
        out[i] = halves[i + 1];
}

static void load_four(f32v row[4], const int32_t *in)
{
    for (unsigned i = 0; i < 4; i++)
        row[i] = i32v_as_f32(i32v_loadu(in + i * SIMD_LANES));
}

static void STORE_ROWS_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    f32v row[4];

    (void)index;
    load_four(row, in);
    f32v_store_rows((float *)(void *)out, 4, row);
}

/* Lanes in reverse order. */
static void STORE_ROWS_AT_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    uint32_t at[SIMD_LANES];
    f32v row[4];

    (void)index;
    for (uint32_t i = 0; i < SIMD_LANES; i++)
        at[i] = 16 * (SIMD_LANES - 1 - i);
    load_four(row, in);
    f32v_store_rows_at(out, at, row);
}

static void DEINTERLEAVE_2_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    i32v first, second;

    (void)index;
    i32v_load_deinterleave2(in, &first, &second);
    put(out, 0, first);
    put(out, 1, second);
}

static void INTERLEAVE_2_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    (void)index;
    i32v_storeu_interleave2(out, i32v_loadu(in), i32v_loadu(in + SIMD_LANES));
}

static void INTERLEAVE_4_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    i32v word[4];

    (void)index;
    for (unsigned i = 0; i < 4; i++)
        word[i] = i32v_loadu(in + i * SIMD_LANES);
    i32v_storeu_interleave4(out, word);
}

static void REDUCE_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    (void)index;
    put(out, 0, i32v_set1(i32v_reduce_min(i32v_loadu(in))));
    put(out, 1, i32v_set1(i32v_reduce_max(i32v_loadu(in))));
}

static void IOTA_move(int32_t *out, const int32_t *in, const int32_t *index)
{
    (void)index;
    put(out, 0, i32v_iota(in[0]));
}

/* --- Two vectors ------------------------------------------------------------------------------ */

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
#define N(name, vectors) name##_move,
const struct simd_ops_kern KERN_NAME(simd_ops_kern) = {
    .lanes = SIMD_LANES,
    .fn = {SIMD_OPS(M)},
    .move = {SIMD_MOVES(N)},
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
