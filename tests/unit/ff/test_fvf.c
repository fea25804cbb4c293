/* FVF codes against the element table of the Direct3D runtime. */
#include "ff/ff.h"

#include "check_main.h"

#include <string.h>

#define E(offset, type, usage, index)                                                              \
    {                                                                                              \
        0, offset, D3DDECLTYPE_##type, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_##usage, index          \
    }
#define P E(0, FLOAT3, POSITION, 0)

struct fvf_case {
    DWORD fvf;
    unsigned stride;
    D3DVERTEXELEMENT9 elements[9];
};

static const struct fvf_case cases[] = {
    {D3DFVF_XYZ, 12, {P, D3DDECL_END()}},
    {D3DFVF_XYZW, 16, {E(0, FLOAT4, POSITION, 0), D3DDECL_END()}},
    {D3DFVF_XYZRHW, 16, {E(0, FLOAT4, POSITIONT, 0), D3DDECL_END()}},
    {D3DFVF_XYZB1, 16, {P, E(12, FLOAT1, BLENDWEIGHT, 0), D3DDECL_END()}},
    {D3DFVF_XYZB2, 20, {P, E(12, FLOAT2, BLENDWEIGHT, 0), D3DDECL_END()}},
    {D3DFVF_XYZB3, 24, {P, E(12, FLOAT3, BLENDWEIGHT, 0), D3DDECL_END()}},
    {D3DFVF_XYZB4, 28, {P, E(12, FLOAT4, BLENDWEIGHT, 0), D3DDECL_END()}},
    {D3DFVF_XYZB5,
     32,
     {P, E(12, FLOAT4, BLENDWEIGHT, 0), E(28, FLOAT1, BLENDINDICES, 0), D3DDECL_END()}},
    {D3DFVF_XYZB1 | D3DFVF_LASTBETA_UBYTE4, 16, {P, E(12, UBYTE4, BLENDINDICES, 0), D3DDECL_END()}},
    {D3DFVF_XYZB1 | D3DFVF_LASTBETA_D3DCOLOR,
     16,
     {P, E(12, D3DCOLOR, BLENDINDICES, 0), D3DDECL_END()}},
    {D3DFVF_XYZB2 | D3DFVF_LASTBETA_UBYTE4,
     20,
     {P, E(12, FLOAT1, BLENDWEIGHT, 0), E(16, UBYTE4, BLENDINDICES, 0), D3DDECL_END()}},
    {D3DFVF_XYZB2 | D3DFVF_LASTBETA_D3DCOLOR,
     20,
     {P, E(12, D3DCOLOR, BLENDWEIGHT, 0), E(16, UBYTE4, BLENDINDICES, 0), D3DDECL_END()}},
    {D3DFVF_XYZB3 | D3DFVF_LASTBETA_UBYTE4,
     24,
     {P, E(12, FLOAT2, BLENDWEIGHT, 0), E(20, UBYTE4, BLENDINDICES, 0), D3DDECL_END()}},
    {D3DFVF_XYZB3 | D3DFVF_LASTBETA_D3DCOLOR,
     24,
     {P, E(12, FLOAT2, BLENDWEIGHT, 0), E(20, D3DCOLOR, BLENDINDICES, 0), D3DDECL_END()}},
    {D3DFVF_XYZB4 | D3DFVF_LASTBETA_UBYTE4,
     28,
     {P, E(12, FLOAT3, BLENDWEIGHT, 0), E(24, UBYTE4, BLENDINDICES, 0), D3DDECL_END()}},
    {D3DFVF_XYZB4 | D3DFVF_LASTBETA_D3DCOLOR,
     28,
     {P, E(12, FLOAT3, BLENDWEIGHT, 0), E(24, D3DCOLOR, BLENDINDICES, 0), D3DDECL_END()}},
    {D3DFVF_XYZB5 | D3DFVF_LASTBETA_UBYTE4,
     32,
     {P, E(12, FLOAT4, BLENDWEIGHT, 0), E(28, UBYTE4, BLENDINDICES, 0), D3DDECL_END()}},
    {D3DFVF_XYZB5 | D3DFVF_LASTBETA_D3DCOLOR,
     32,
     {P, E(12, FLOAT4, BLENDWEIGHT, 0), E(28, D3DCOLOR, BLENDINDICES, 0), D3DDECL_END()}},
    {D3DFVF_NORMAL, 12, {E(0, FLOAT3, NORMAL, 0), D3DDECL_END()}},
    {D3DFVF_PSIZE, 4, {E(0, FLOAT1, PSIZE, 0), D3DDECL_END()}},
    {D3DFVF_DIFFUSE, 4, {E(0, D3DCOLOR, COLOR, 0), D3DDECL_END()}},
    {D3DFVF_SPECULAR, 4, {E(0, D3DCOLOR, COLOR, 1), D3DDECL_END()}},
    {D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE1(0), 4, {E(0, FLOAT1, TEXCOORD, 0), D3DDECL_END()}},
    {D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE2(0), 8, {E(0, FLOAT2, TEXCOORD, 0), D3DDECL_END()}},
    {D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0), 12, {E(0, FLOAT3, TEXCOORD, 0), D3DDECL_END()}},
    {D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE4(0), 16, {E(0, FLOAT4, TEXCOORD, 0), D3DDECL_END()}},
    {D3DFVF_TEX4 | D3DFVF_TEXCOORDSIZE1(0) | D3DFVF_TEXCOORDSIZE3(1) | D3DFVF_TEXCOORDSIZE2(2) |
         D3DFVF_TEXCOORDSIZE4(3),
     40,
     {E(0, FLOAT1, TEXCOORD, 0), E(4, FLOAT3, TEXCOORD, 1), E(16, FLOAT2, TEXCOORD, 2),
      E(24, FLOAT4, TEXCOORD, 3), D3DDECL_END()}},
    {D3DFVF_XYZB4 | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX2 | D3DFVF_TEXCOORDSIZE2(0) |
         D3DFVF_TEXCOORDSIZE3(1),
     56,
     {P, E(12, FLOAT4, BLENDWEIGHT, 0), E(28, D3DCOLOR, COLOR, 0), E(32, D3DCOLOR, COLOR, 1),
      E(36, FLOAT2, TEXCOORD, 0), E(44, FLOAT3, TEXCOORD, 1), D3DDECL_END()}},
    {D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_PSIZE | D3DFVF_DIFFUSE | D3DFVF_TEX1,
     40,
     {P, E(12, FLOAT3, NORMAL, 0), E(24, FLOAT1, PSIZE, 0), E(28, D3DCOLOR, COLOR, 0),
      E(32, FLOAT2, TEXCOORD, 0), D3DDECL_END()}},
};

static unsigned count(const D3DVERTEXELEMENT9 *e)
{
    unsigned n = 0;

    while (e[n].Stream != 0xff)
        n++;
    return n + 1;
}

START_TEST(code_to_elements)
{
    const struct fvf_case *c = &cases[_i];
    D3DVERTEXELEMENT9 made[MAXD3DDECLLENGTH + 1];
    unsigned n = ff_fvf_to_elements(c->fvf, made);

    ck_assert_msg(n == count(c->elements), "fvf %08lx: %u elements", (unsigned long)c->fvf, n);
    ck_assert_msg(!memcmp(made, c->elements, n * sizeof(*made)), "fvf %08lx",
                  (unsigned long)c->fvf);
    ck_assert_uint_eq(ff_fvf_stride(c->fvf), c->stride);
}
END_TEST

/* A declaration without a position has no code, even if a code would produce it. */
START_TEST(elements_to_code)
{
    const struct fvf_case *c = &cases[_i];
    DWORD want = c->fvf & D3DFVF_POSITION_MASK ? c->fvf : 0;

    ck_assert_uint_eq(ff_elements_to_fvf(c->elements), want);
}
END_TEST

START_TEST(refused_codes)
{
    D3DVERTEXELEMENT9 made[MAXD3DDECLLENGTH + 1];

    ck_assert_uint_eq(ff_fvf_to_elements(D3DFVF_XYZ | 9 << D3DFVF_TEXCOUNT_SHIFT, made), 0);
    ck_assert_uint_eq(ff_fvf_to_elements(D3DFVF_XYZRHW | 0x4000, made), 0);
    ck_assert_uint_eq(ff_fvf_stride(D3DFVF_XYZRHW | 0x4000), 0);
    ck_assert_uint_eq(ff_fvf_to_elements(0, made), 1);
}
END_TEST

START_TEST(declarations_without_code)
{
    static const D3DVERTEXELEMENT9 gap[] = {E(0, FLOAT3, POSITIONT, 0), E(16, FLOAT3, NORMAL, 0),
                                            D3DDECL_END()};
    static const D3DVERTEXELEMENT9 second[] = {E(0, FLOAT3, POSITION, 1), D3DDECL_END()};
    static const D3DVERTEXELEMENT9 streams[] = {
        P, {1, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}, D3DDECL_END()};
    static const D3DVERTEXELEMENT9 tangent[] = {P, E(12, FLOAT3, TANGENT, 0), D3DDECL_END()};
    static const D3DVERTEXELEMENT9 far_set[] = {P, E(12, FLOAT2, TEXCOORD, 9), D3DDECL_END()};
    static const D3DVERTEXELEMENT9 half[] = {P, E(12, FLOAT16_2, TEXCOORD, 0), D3DDECL_END()};
    static const D3DVERTEXELEMENT9 empty[] = {D3DDECL_END()};

    ck_assert_uint_eq(ff_elements_to_fvf(gap), 0);
    ck_assert_uint_eq(ff_elements_to_fvf(second), 0);
    ck_assert_uint_eq(ff_elements_to_fvf(streams), 0);
    ck_assert_uint_eq(ff_elements_to_fvf(tangent), 0);
    ck_assert_uint_eq(ff_elements_to_fvf(far_set), 0);
    ck_assert_uint_eq(ff_elements_to_fvf(half), 0);
    ck_assert_uint_eq(ff_elements_to_fvf(empty), 0);
}
END_TEST

/* Every 16-bit code with several texture sizes: no write past the end, and the round trip holds. */
START_TEST(all_codes)
{
    static const DWORD sizes[] = {0, 0xffff0000, 0x1b1b0000, 0xaaaa0000};
    D3DVERTEXELEMENT9 made[MAXD3DDECLLENGTH + 1];

    for (DWORD low = 0; low < 0x10000; low++) {
        for (unsigned s = 0; s < 4; s++) {
            DWORD back;
            unsigned n = ff_fvf_to_elements(low | sizes[s], made), m;
            D3DVERTEXELEMENT9 again[MAXD3DDECLLENGTH + 1];

            ck_assert_uint_le(n, 16);
            if (!n || !(low & D3DFVF_POSITION_MASK))
                continue;
            back = ff_elements_to_fvf(made);
            m = ff_fvf_to_elements(back, again);
            ck_assert_msg(back && m == n && !memcmp(made, again, n * sizeof(*made)),
                          "fvf %08lx comes back as %08lx", (unsigned long)(low | sizes[s]),
                          (unsigned long)back);
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ff/fvf");
    TCase *tc = tcase_create("fvf");
    int n = sizeof(cases) / sizeof(cases[0]);

    tcase_add_loop_test(tc, code_to_elements, 0, n);
    tcase_add_loop_test(tc, elements_to_code, 0, n);
    tcase_add_test(tc, refused_codes);
    tcase_add_test(tc, declarations_without_code);
    tcase_add_test(tc, all_codes);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
