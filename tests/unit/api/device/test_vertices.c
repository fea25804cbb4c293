/* Tests of vertex input arguments that scenes cannot express: null pointers, objects of other
 * devices, complete declarations, and buffers that are locked, or source and destination at
 * once. */
#include "api_test.h"

static const D3DVERTEXELEMENT9 end = D3DDECL_END();

static IDirect3DVertexBuffer9 *vertices(IDirect3DDevice9 *device, DWORD fvf, UINT bytes,
                                        const void *data)
{
    IDirect3DVertexBuffer9 *buffer;
    void *bits;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, bytes, 0, fvf, D3DPOOL_SYSTEMMEM, &buffer,
                                           NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &bits, 0));
    if (data)
        memcpy(bits, data, bytes);
    else
        memset(bits, 0, bytes);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    return buffer;
}

START_TEST(null_arguments)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexDeclaration9 *decl;
    D3DMATRIX m;

    REFUSED(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, NULL, NULL, 0));
    REFUSED(IDirect3DDevice9_SetClipStatus(device, NULL));
    REFUSED(IDirect3DDevice9_GetClipStatus(device, NULL));
    REFUSED(IDirect3DDevice9_CreateVertexDeclaration(device, NULL, &decl));
    REFUSED(IDirect3DDevice9_CreateVertexDeclaration(device, &end, NULL));
    REFUSED(IDirect3DDevice9_GetVertexDeclaration(device, NULL));
    REFUSED(IDirect3DDevice9_GetFVF(device, NULL));
    REFUSED(IDirect3DDevice9_SetTransform(device, D3DTS_VIEW, NULL));
    REFUSED(IDirect3DDevice9_MultiplyTransform(device, D3DTS_VIEW, NULL));
    REFUSED(IDirect3DDevice9_GetTransform(device, D3DTS_VIEW, NULL));
    REFUSED(IDirect3DDevice9_GetTransform(device, (D3DTRANSFORMSTATETYPE)0x7fffffff, &m));
    release(device);
}
END_TEST

START_TEST(stream_numbers)
{
    static const UINT beyond[] = {16, 17, 0x7fffffff, 0xffffffff};
    IDirect3DDevice9 *device = create_device();
    UINT value, offset, stride;
    IDirect3DVertexBuffer9 *buffer;

    for (unsigned i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++) {
        REFUSED(IDirect3DDevice9_SetStreamSource(device, beyond[i], NULL, 0, 0));
        REFUSED(IDirect3DDevice9_GetStreamSource(device, beyond[i], &buffer, &offset, &stride));
        REFUSED(IDirect3DDevice9_SetStreamSourceFreq(device, beyond[i], 1));
        REFUSED(IDirect3DDevice9_GetStreamSourceFreq(device, beyond[i], &value));
    }
    release(device);
}
END_TEST

/* At most sixty-four elements. */
START_TEST(longest_declaration)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexDeclaration9 *decl = NULL;
    D3DVERTEXELEMENT9 e[66], got[65];
    UINT n = 0;

    for (unsigned i = 0; i < 65; i++)
        e[i] = (D3DVERTEXELEMENT9){.Stream = (WORD)(i / 16),
                                   .Offset = (WORD)(i % 16 * 4),
                                   .Type = D3DDECLTYPE_FLOAT1,
                                   .Usage = (BYTE)(i / 16),
                                   .UsageIndex = (BYTE)(i % 16)};
    e[64] = end;
    OK(IDirect3DDevice9_CreateVertexDeclaration(device, e, &decl));
    OK(IDirect3DVertexDeclaration9_GetDeclaration(decl, got, &n));
    ck_assert_uint_eq(n, 65);
    ck_assert(!memcmp(got, e, sizeof(got)));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, decl));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_POINTLIST, 0, 1));
    release(decl);
    e[64] = e[63];
    e[64].Usage = D3DDECLUSAGE_TANGENT;
    e[65] = end;
    RETURNS(IDirect3DDevice9_CreateVertexDeclaration(device, e, &decl), E_FAIL);
    release(device);
}
END_TEST

START_TEST(objects_of_another_device)
{
    static const D3DVERTEXELEMENT9 e[] = {{0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0},
                                          D3DDECL_END()};
    IDirect3DDevice9 *device = create_device(), *other = create_device();
    IDirect3DVertexBuffer9 *own = vertices(device, D3DFVF_XYZRHW, 16, NULL),
                           *foreign = vertices(other, D3DFVF_XYZRHW, 16, NULL);
    IDirect3DVertexDeclaration9 *decl;

    OK(IDirect3DDevice9_CreateVertexDeclaration(other, e, &decl));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    REFUSED(IDirect3DDevice9_SetVertexDeclaration(device, decl));
    REFUSED(IDirect3DDevice9_SetStreamSource(device, 0, foreign, 0, 16));
    REFUSED(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, foreign, NULL, 0));
    REFUSED(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, own, decl, 0));
    OK(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, own, NULL, 0));
    release(decl);
    release(own);
    release(foreign);
    release(device);
    release(other);
}
END_TEST

/* Locked buffers are read and written nevertheless; a recorded state block does not contain the
 * call. */
START_TEST(locked_buffers)
{
    static const float position[] = {0.5f, 0.5f, 0.5f};
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexBuffer9 *from = vertices(device, 0, 12, position),
                           *to = vertices(device, D3DFVF_XYZRHW, 16, NULL);
    IDirect3DStateBlock9 *block;
    float *in, *out;

    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, from, 0, 12));
    OK(IDirect3DVertexBuffer9_Lock(from, 0, 0, (void **)&in, 0));
    OK(IDirect3DVertexBuffer9_Lock(to, 0, 0, (void **)&out, 0));
    in[0] = 0.25f;
    OK(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, to, NULL, 0));
    ck_assert_float_eq(out[0], 320.0f + 80.0f);
    OK(IDirect3DDevice9_BeginStateBlock(device));
    in[0] = -0.25f;
    OK(IDirect3DDevice9_ProcessVertices(device, 0, 0, 1, to, NULL, D3DPV_DONOTCOPYDATA));
    OK(IDirect3DDevice9_EndStateBlock(device, &block));
    ck_assert_float_eq(out[0], 320.0f - 80.0f);
    OK(IDirect3DVertexBuffer9_Unlock(from));
    OK(IDirect3DVertexBuffer9_Unlock(to));
    release(block);
    release(from);
    release(to);
    release(device);
}
END_TEST

/* A refused mode has no effect; the next valid one works. */
START_TEST(processing_modes)
{
    static const struct {
        DWORD flags;
        BOOL first;
        HRESULT on, off;
    } modes[] = {
        {D3DCREATE_HARDWARE_VERTEXPROCESSING, FALSE, D3DERR_INVALIDCALL, D3D_OK},
        {D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_PUREDEVICE, FALSE, D3DERR_INVALIDCALL,
         D3D_OK},
        {D3DCREATE_SOFTWARE_VERTEXPROCESSING, TRUE, D3D_OK, D3DERR_INVALIDCALL},
        {D3DCREATE_MIXED_VERTEXPROCESSING, FALSE, D3D_OK, D3D_OK},
    };
    IDirect3DDevice9 *device = create_device_flags(modes[_i].flags);
    bool mixed = modes[_i].flags == D3DCREATE_MIXED_VERTEXPROCESSING;

    ck_assert_int_eq(IDirect3DDevice9_GetSoftwareVertexProcessing(device), modes[_i].first);
    RETURNS(IDirect3DDevice9_SetSoftwareVertexProcessing(device, 7), modes[_i].on);
    ck_assert_int_eq(IDirect3DDevice9_GetSoftwareVertexProcessing(device),
                     mixed || modes[_i].first);
    RETURNS(IDirect3DDevice9_SetSoftwareVertexProcessing(device, FALSE), modes[_i].off);
    ck_assert_int_eq(IDirect3DDevice9_GetSoftwareVertexProcessing(device),
                     !mixed && modes[_i].first);
    release(device);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/vertices");
    TCase *tc = tcase_create("vertices");

    tcase_add_test(tc, null_arguments);
    tcase_add_test(tc, stream_numbers);
    tcase_add_test(tc, longest_declaration);
    tcase_add_test(tc, objects_of_another_device);
    tcase_add_test(tc, locked_buffers);
    tcase_add_loop_test(tc, processing_modes, 0, 4);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
