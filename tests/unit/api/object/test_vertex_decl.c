/* Tests of vertex declarations: valid elements, and those of FVF codes. */
#include "api_test.h"

START_TEST(fvf_declarations_are_cached)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexDeclaration9 *a, *b, *again;
    D3DVERTEXELEMENT9 elements[MAXD3DDECLLENGTH + 1];
    UINT n = 0;
    DWORD fvf;

    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
    OK(IDirect3DDevice9_GetVertexDeclaration(device, &a));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_NORMAL));
    OK(IDirect3DDevice9_GetVertexDeclaration(device, &b));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
    OK(IDirect3DDevice9_GetVertexDeclaration(device, &again));
    ck_assert_ptr_eq(a, again);
    ck_assert_ptr_ne(a, b);
    ck_assert_uint_eq(refs_of(a), 2);
    OK(IDirect3DDevice9_SetFVF(device, 0));
    OK(IDirect3DDevice9_GetFVF(device, &fvf));
    ck_assert_uint_eq(fvf, D3DFVF_XYZRHW);
    OK(IDirect3DVertexDeclaration9_GetDeclaration(a, NULL, &n));
    ck_assert_uint_eq(n, 2);
    OK(IDirect3DVertexDeclaration9_GetDeclaration(a, elements, &n));
    ck_assert_int_eq(elements[0].Usage, D3DDECLUSAGE_POSITIONT);
    ck_assert_int_eq(elements[1].Stream, 0xff);
    release(again);
    release(a);
    release(b);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(declaration_rules)
{
    D3DVERTEXELEMENT9 e[] = {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                             {0, 16, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0},
                             D3DDECL_END()};
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexDeclaration9 *decl;

    for (WORD offset = 16; offset <= 20; offset++) {
        e[1].Offset = offset;
        if (offset % 4) {
            RETURNS(IDirect3DDevice9_CreateVertexDeclaration(device, e, &decl), E_FAIL);
        } else {
            OK(IDirect3DDevice9_CreateVertexDeclaration(device, e, &decl));
            release(decl);
        }
    }
    e[1].Type = D3DDECLTYPE_UNUSED;
    RETURNS(IDirect3DDevice9_CreateVertexDeclaration(device, e, &decl), E_FAIL);
    release(device);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/vertex_decl");
    TCase *tc = tcase_create("vertex_decl");

    tcase_add_test(tc, fvf_declarations_are_cached);
    tcase_add_test(tc, declaration_rules);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
