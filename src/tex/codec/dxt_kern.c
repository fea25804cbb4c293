/* Vectorised block decompression to A8R8G8B8, one block per lane, with the results of dxt.c
 * (reference: format/dxt1 and others).
 *
 * Both endpoints share a lane, 16 bits each, so that a signed multiply-add of halves blends them.
 * Divisions by 3, 5 and 7 multiply by the reciprocal, rounded up to 1/2048 or 1/16384. The product
 * exceeds the exact quotient by less than 1/divisor, so truncation gives the right integer. */
#include "tex/codec/dxt_kern.h"

#include "util/simd/simd.h"

#define INLINE SIMD_INLINE

/* Packs two 16-bit halves, the low one first. */
#define PAIR(low, high) ((int32_t)((uint32_t)(low) | (uint32_t)(high) << 16))

INLINE i32v word(uint32_t x)
{
    return i32v_set1((int32_t)x);
}

/* Mask of the lanes with bit n set. */
#define BIT(v, n) m32v_from_i32(i32v_sll(v, 31 - (n)))

/* --- Colours ---------------------------------------------------------------------------------- */

struct colours {
    i32v palette[4], codes;
};

/* Interpolates one channel, 8 bits of each endpoint, into the palette at bit `at`. */
INLINE void put_channel(struct colours *c, i32v pair, int at, const i32v weight[2], i32v half)
{
    i32v mixed[2];

    UNROLL
    for (int i = 0; i < 2; i++) {
        mixed[i] = i32v_srl(i32v_add(i32v_madd_16(pair, weight[i]), half), 11);
        c->palette[2 + i] = i32v_or(c->palette[2 + i], i32v_sll(mixed[i], at));
    }
    c->palette[0] = i32v_or(c->palette[0], i32v_sll(i32v_and(pair, word(0xffff)), at));
    c->palette[1] = i32v_or(c->palette[1], i32v_sll(i32v_srl(pair, 16), at));
}

/* Builds the palette: (2a + b + 1) / 3 is (2a + b + 1) * 683 / 2048; (a + b + 1) / 2 multiplies by
 * 1024. */
INLINE struct colours colours(i32v endpoints, i32v codes, bool may_have_three, uint32_t alpha)
{
    i32v five = i32v_set1(PAIR(31, 31)), six = i32v_set1(PAIR(63, 63)), half = word(683);
    i32v r = i32v_and(i32v_srl(endpoints, 11), five), g = i32v_and(i32v_srl(endpoints, 5), six);
    i32v b = i32v_and(endpoints, five);
    i32v weight[2] = {i32v_set1(PAIR(2 * 683, 683)), i32v_set1(PAIR(683, 2 * 683))};
    m32v three = m32v_none();
    struct colours c = {.codes = codes};

    if (may_have_three) {
        three = m32v_not(
            i32v_lt(i32v_srl(endpoints, 16), i32v_and(endpoints, word(0xffff)))); /* c0 <= c1 */
        weight[0] = i32v_select(three, i32v_set1(PAIR(1024, 1024)), weight[0]);
        half = i32v_select(three, word(1024), half);
    }
    UNROLL
    for (int i = 0; i < 4; i++)
        c.palette[i] = word(alpha);
    r = i32v_or(i32v_sll(r, 3), i32v_and(i32v_srl(r, 2), i32v_set1(PAIR(7, 7))));
    g = i32v_or(i32v_sll(g, 2), i32v_and(i32v_srl(g, 4), i32v_set1(PAIR(3, 3))));
    b = i32v_or(i32v_sll(b, 3), i32v_and(i32v_srl(b, 2), i32v_set1(PAIR(7, 7))));
    put_channel(&c, r, 16, weight, half);
    put_channel(&c, g, 8, weight, half);
    put_channel(&c, b, 0, weight, half);
    if (may_have_three)
        c.palette[3] = i32v_select(three, i32v_set1(0), c.palette[3]);
    return c;
}

INLINE i32v colour_of(const struct colours *c, int texel)
{
#if SIMD_LANES == 1
    return c->palette[c->codes >> 2 * texel & 3];
#else
    m32v odd = BIT(c->codes, 2 * texel), upper = BIT(c->codes, 2 * texel + 1);

    return i32v_select(upper, i32v_select(odd, c->palette[3], c->palette[2]),
                       i32v_select(odd, c->palette[1], c->palette[0]));
#endif
}

/* --- Interpolated 8-bit blocks ---------------------------------------------------------------- */

/* The 8 palette entries, as the bytes of two words, and the codes of 8 texels in each of two
 * words. */
struct ramp {
    i32v palette[2], codes[2];
};

/* Returns palette entry i + 1 of a ramp of seven steps, or of five, whose entries 6 and 7 are 0 and
 * 255. Dividing by 7 multiplies by 2341 / 16384, dividing by 5 by 3277 / 16384. */
INLINE i32v ramp_entry(i32v pair, m32v seven, int i)
{
    i32v weight = i32v_set1(PAIR((7 - i) * 2341, i * 2341)), half = word(3 * 2341);
    i32v weight_5 = i32v_set1(i < 5 ? PAIR((5 - i) * 3277, i * 3277) : 0);
    i32v half_5 = word(i < 6 ? 2 * 3277 : 255 << 14);

    weight = i32v_select(seven, weight, weight_5);
    half = i32v_select(seven, half, half_5);
    return i32v_srl(i32v_add(i32v_madd_16(pair, weight), half), 14);
}

/* Builds the palette from the block's two words. */
INLINE struct ramp ramp(i32v first, i32v second)
{
    i32v a = i32v_and(first, word(255)), b = i32v_and(i32v_srl(first, 8), word(255));
    i32v pair = i32v_or(a, i32v_sll(b, 16));
    m32v seven = i32v_lt(b, a);
    struct ramp r;

    r.palette[0] = i32v_or(a, i32v_sll(b, 8));
    r.palette[0] = i32v_or(r.palette[0], i32v_sll(ramp_entry(pair, seven, 1), 16));
    r.palette[0] = i32v_or(r.palette[0], i32v_sll(ramp_entry(pair, seven, 2), 24));
    r.palette[1] = ramp_entry(pair, seven, 3);
    r.palette[1] = i32v_or(r.palette[1], i32v_sll(ramp_entry(pair, seven, 4), 8));
    r.palette[1] = i32v_or(r.palette[1], i32v_sll(ramp_entry(pair, seven, 5), 16));
    r.palette[1] = i32v_or(r.palette[1], i32v_sll(ramp_entry(pair, seven, 6), 24));
    r.codes[0] = i32v_or(i32v_srl(first, 16), i32v_sll(second, 16)); /* 24 bits are significant */
    r.codes[1] = i32v_srl(second, 8);
    return r;
}

/* Returns a texel's value in the highest byte; the other bytes are 0. */
INLINE i32v ramp_of(const struct ramp *r, int texel)
{
    int bit = texel % 8 * 3;
    i32v codes = r->codes[texel / 8];
#if SIMD_LANES == 1
    uint32_t code = (uint32_t)codes >> bit, two = (uint32_t)r->palette[code >> 2 & 1];

    return (i32v)(two << (24 - (code & 3) * 8) & 0xff000000);
#else
    i32v v;

    v = i32v_select(BIT(codes, bit + 2), r->palette[1], r->palette[0]);
    v = i32v_select(BIT(codes, bit + 1), v, i32v_sll(v, 16));
    v = i32v_select(BIT(codes, bit), v, i32v_sll(v, 8));
    return i32v_and(v, word(0xff000000));
#endif
}

/* --- Blocks ----------------------------------------------------------------------------------- */

/* The two or four words of a block. */
struct words {
    i32v w[4];
};

INLINE struct words load_words(const int32_t *at, int words)
{
    struct words out;

    if (words == 2) {
        i32v_gather_pair(at, i32v_sll(i32v_iota(0), 1), &out.w[0], &out.w[1]);
        out.w[2] = out.w[3] = i32v_set1(0);
        return out;
    }
    i32v_gather_pair(at, i32v_sll(i32v_iota(0), 2), &out.w[0], &out.w[1]);
    i32v_gather_pair(at + 2, i32v_sll(i32v_iota(0), 2), &out.w[2], &out.w[3]);
    return out;
}

/* Returns a texel's four-bit alpha, expanded as v * 17, in the highest byte. */
INLINE i32v alpha_of(const struct words *in, int texel)
{
    i32v v = i32v_and(i32v_sll(in->w[texel / 8], 28 - texel % 8 * 4), word(0xf0000000));

    return i32v_or(v, i32v_srl(v, 4));
}

INLINE int words_of(enum tex_block_kind kind)
{
    return kind == TEX_BLOCK_DXT1 || kind == TEX_BLOCK_ATI1 ? 2 : 4;
}

/* Decodes SIMD_LANES blocks; output rows are `pitch` words apart. */
INLINE void decode_vector(enum tex_block_kind kind, const int32_t *blocks, int32_t *out,
                          size_t pitch)
{
    struct words in = load_words(blocks, words_of(kind));
    struct colours c;
    struct ramp first, second;

    if (kind == TEX_BLOCK_DXT1)
        c = colours(in.w[0], in.w[1], true, 0xff000000);
    else if (kind == TEX_BLOCK_DXT3 || kind == TEX_BLOCK_DXT5)
        c = colours(in.w[2], in.w[3], false, 0);
    if (kind >= TEX_BLOCK_DXT5)
        first = ramp(in.w[0], in.w[1]);
    if (kind == TEX_BLOCK_ATI2)
        second = ramp(in.w[2], in.w[3]);
    UNROLL
    for (int y = 0; y < 4; y++) {
        i32v row[4];

        UNROLL
        for (int x = 0; x < 4; x++) {
            int t = 4 * y + x;

            switch (kind) {
            case TEX_BLOCK_DXT1:
                row[x] = colour_of(&c, t);
                break;
            case TEX_BLOCK_DXT3:
                row[x] = i32v_or(colour_of(&c, t), alpha_of(&in, t));
                break;
            case TEX_BLOCK_DXT5:
                row[x] = i32v_or(colour_of(&c, t), ramp_of(&first, t));
                break;
            case TEX_BLOCK_ATI1:
                row[x] = i32v_or(i32v_srl(ramp_of(&first, t), 8), word(0xff000000));
                break;
            default: /* ATI2: the green block comes first */
                row[x] = i32v_or(i32v_srl(ramp_of(&second, t), 8), word(0xff0000ff));
                row[x] = i32v_or(row[x], i32v_srl(ramp_of(&first, t), 16));
            }
        }
        i32v_storeu_interleave4(out + (size_t)y * pitch, row);
    }
}

/* Decodes fewer than SIMD_LANES blocks. */
INLINE void decode_rest(enum tex_block_kind kind, const int32_t *blocks, unsigned n, int32_t *out,
                        size_t pitch)
{
    _Alignas(64) int32_t in[4 * SIMD_LANES] = {0}, texels[4][4 * SIMD_LANES];

    memcpy(in, blocks, n * (size_t)words_of(kind) * 4);
    decode_vector(kind, in, texels[0], 4 * SIMD_LANES);
    for (unsigned y = 0; y < 4; y++)
        memcpy(out + (size_t)y * pitch, texels[y], (size_t)n * 16);
}

INLINE void decode(enum tex_block_kind kind, const uint32_t *blocks, unsigned n, uint32_t *argb,
                   size_t pitch)
{
    const int32_t *in = (const int32_t *)blocks;
    int32_t *out = (int32_t *)argb;

    for (; n >= SIMD_LANES; n -= SIMD_LANES) {
        decode_vector(kind, in, out, pitch);
        in += SIMD_LANES * words_of(kind);
        out += 4 * SIMD_LANES;
    }
    if (n)
        decode_rest(kind, in, n, out, pitch);
}

#define KIND_FN(kind)                                                                              \
    static void kind(const uint32_t *blocks, unsigned n, uint32_t *argb, size_t pitch)             \
    {                                                                                              \
        decode(TEX_BLOCK_##kind, blocks, n, argb, pitch);                                          \
    }
#define KIND_ENTRY(kind) [TEX_BLOCK_##kind] = kind,
#define KINDS(X) X(DXT1) X(DXT3) X(DXT5) X(ATI1) X(ATI2)

KINDS(KIND_FN)

const struct tex_block_kern KERN_NAME(tex_block_kern) = {.decode = {KINDS(KIND_ENTRY)}};
