/* Vectorised decoding of packed YUV to A8R8G8B8, with the results of yuv.c.
 * Tested by tests/kernel/tex/codec/test_dxt_kern.c. */
#include "tex/codec/yuv_kern.h"

#include "util/simd/simd.h"

#define INLINE static inline __attribute__((always_inline))
/* Packs two 16-bit halves, the low one first. */
#define PAIR(low, high) ((int32_t)((uint32_t)(low)&0xffff) | (int32_t)((uint32_t)(high) << 16))

INLINE i32v byte_of(i32v v, int n)
{
    return n == 3 ? i32v_srl(v, 24) : i32v_and(i32v_srl(v, 8 * n), i32v_set1(255));
}

INLINE i32v clamp8(i32v v)
{
    return i32v_max(i32v_min(i32v_sra(v, 8), i32v_set1(255)), i32v_set1(0));
}

INLINE i32v argb_of(i32v r, i32v g, i32v b)
{
    i32v rg = i32v_or(i32v_sll(r, 16), i32v_sll(g, 8));

    return i32v_or(i32v_or(rg, b), i32v_set1((int32_t)0xff000000));
}

/* A colour channel's contribution from U and V, plus the constant part of 298 * (Y - 16) + 128. */
INLINE i32v share(i32v uv, int of_u, int of_v)
{
    i32v sum = i32v_madd_16(uv, i32v_set1(PAIR(of_u, of_v)));

    return i32v_add(sum, i32v_set1(128 - 298 * 16 - 128 * (of_u + of_v)));
}

/* Decodes two pixels. `own` and `shared` are the positions of the first byte of each kind; the
 * second one is two bytes later. */
INLINE void decode_video(i32v in, int own, int shared, i32v out[2])
{
    i32v uv = i32v_or(byte_of(in, shared), i32v_sll(byte_of(in, shared + 2), 16));
    i32v red = share(uv, 0, 409), green = share(uv, -100, -208), blue = share(uv, 516, 0);

    for (int i = 0; i < 2; i++) {
        i32v y = i32v_madd_16(byte_of(in, own + 2 * i), i32v_set1(298));

        out[i] = argb_of(clamp8(i32v_add(y, red)), clamp8(i32v_add(y, green)),
                         clamp8(i32v_add(y, blue)));
    }
}

INLINE void decode_rgb(i32v in, int own, int shared, i32v out[2])
{
    for (int i = 0; i < 2; i++)
        out[i] = argb_of(byte_of(in, shared), byte_of(in, own + 2 * i), byte_of(in, shared + 2));
}

INLINE void decode_pair(enum tex_yuv_kind kind, i32v in, i32v out[2])
{
    bool shared_first = kind == TEX_YUV_UYVY || kind == TEX_YUV_GRGB;
    int own = shared_first ? 1 : 0, shared = 1 - own;

    if (kind == TEX_YUV_UYVY || kind == TEX_YUV_YUY2)
        decode_video(in, own, shared, out);
    else
        decode_rgb(in, own, shared, out);
}

/* Decodes 2 * SIMD_LANES blocks. */
INLINE void decode_vectors(enum tex_yuv_kind kind, const int32_t *in, int32_t *out)
{
    i32v even, odd, texels[4];

    i32v_load_deinterleave2(in, &even, &odd);
    decode_pair(kind, even, texels);
    decode_pair(kind, odd, texels + 2);
    i32v_storeu_interleave4(out, texels);
}

INLINE void decode(enum tex_yuv_kind kind, const uint32_t *pairs, unsigned n, uint32_t *argb)
{
    const unsigned batch = 2 * SIMD_LANES;
    _Alignas(64) int32_t rest[2 * SIMD_LANES] = {0}, texels[4 * SIMD_LANES];

    for (; n >= batch; n -= batch, pairs += batch, argb += 2 * batch)
        decode_vectors(kind, (const int32_t *)pairs, (int32_t *)argb);
    if (!n)
        return;
    memcpy(rest, pairs, (size_t)n * 4);
    decode_vectors(kind, rest, texels);
    memcpy(argb, texels, (size_t)n * 8);
}

#define KIND_FN(kind)                                                                              \
    static void kind(const uint32_t *pairs, unsigned n, uint32_t *argb)                            \
    {                                                                                              \
        decode(TEX_YUV_##kind, pairs, n, argb);                                                    \
    }
#define KIND_ENTRY(kind) [TEX_YUV_##kind] = kind,
#define KINDS(X) X(UYVY) X(YUY2) X(RGBG) X(GRGB)

KINDS(KIND_FN)

const struct tex_yuv_kern KERN_NAME(tex_yuv_kern) = {.decode = {KINDS(KIND_ENTRY)}};
