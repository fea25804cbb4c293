/* Tests of device state: defaults, Get calls, and the contents of state blocks. */
#include "api_test.h"

static DWORD float_bits(float f)
{
    DWORD bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

/* --- Defaults, independent of states.def ------------------------------------------------------ */

static const struct {
    D3DRENDERSTATETYPE state;
    DWORD value;
} defaults[] = {
    {D3DRS_ZENABLE, D3DZB_TRUE},
    {D3DRS_FILLMODE, 3},
    {D3DRS_SHADEMODE, 2},
    {D3DRS_ZWRITEENABLE, 1},
    {D3DRS_ALPHATESTENABLE, 0},
    {D3DRS_LASTPIXEL, 1},
    {D3DRS_SRCBLEND, 2},
    {D3DRS_DESTBLEND, 1},
    {D3DRS_CULLMODE, 3},
    {D3DRS_ZFUNC, 4},
    {D3DRS_ALPHAREF, 0},
    {D3DRS_ALPHAFUNC, 8},
    {D3DRS_DITHERENABLE, 0},
    {D3DRS_ALPHABLENDENABLE, 0},
    {D3DRS_FOGENABLE, 0},
    {D3DRS_SPECULARENABLE, 0},
    {D3DRS_FOGCOLOR, 0},
    {D3DRS_FOGTABLEMODE, 0},
    {D3DRS_FOGSTART, 0},
    {D3DRS_FOGEND, 0x3f800000},
    {D3DRS_FOGDENSITY, 0x3f800000},
    {D3DRS_STENCILFUNC, 8},
    {D3DRS_STENCILMASK, 0xffffffff},
    {D3DRS_STENCILWRITEMASK, 0xffffffff},
    {D3DRS_TEXTUREFACTOR, 0xffffffff},
    {D3DRS_WRAP0, 0},
    {D3DRS_WRAP15, 0},
    {D3DRS_CLIPPING, 1},
    {D3DRS_LIGHTING, 1},
    {D3DRS_AMBIENT, 0},
    {D3DRS_COLORVERTEX, 1},
    {D3DRS_LOCALVIEWER, 1},
    {D3DRS_NORMALIZENORMALS, 0},
    {D3DRS_DIFFUSEMATERIALSOURCE, 1},
    {D3DRS_SPECULARMATERIALSOURCE, 2},
    {D3DRS_AMBIENTMATERIALSOURCE, 0},
    {D3DRS_EMISSIVEMATERIALSOURCE, 0},
    {D3DRS_POINTSIZE_MIN, 0x3f800000},
    {D3DRS_POINTSCALE_A, 0x3f800000},
    {D3DRS_MULTISAMPLEANTIALIAS, 1},
    {D3DRS_MULTISAMPLEMASK, 0xffffffff},
    {D3DRS_COLORWRITEENABLE, 15},
    {D3DRS_BLENDOP, 1},
    {D3DRS_POSITIONDEGREE, 3},
    {D3DRS_NORMALDEGREE, 1},
    {D3DRS_MINTESSELLATIONLEVEL, 0x3f800000},
    {D3DRS_ADAPTIVETESS_X, 0},
    {D3DRS_ADAPTIVETESS_Z, 0x3f800000},
    {D3DRS_CCW_STENCILFUNC, 8},
    {D3DRS_CCW_STENCILPASS, 1},
    {D3DRS_COLORWRITEENABLE3, 15},
    {D3DRS_BLENDFACTOR, 0xffffffff},
    {D3DRS_SRGBWRITEENABLE, 0},
    {D3DRS_DEPTHBIAS, 0},
    {D3DRS_SEPARATEALPHABLENDENABLE, 0},
    {D3DRS_SRCBLENDALPHA, 2},
    {D3DRS_DESTBLENDALPHA, 1},
    {D3DRS_BLENDOPALPHA, 1},
};

START_TEST(render_state_defaults)
{
    IDirect3DDevice9 *device = create_device();
    D3DCAPS9 caps;
    DWORD value;

    for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++) {
        OK(IDirect3DDevice9_GetRenderState(device, defaults[i].state, &value));
        ck_assert_msg(value == defaults[i].value, "state %d is %#x, not %#x", defaults[i].state,
                      (unsigned)value, (unsigned)defaults[i].value);
    }
    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    OK(IDirect3DDevice9_GetRenderState(device, D3DRS_POINTSIZE_MAX, &value));
    ck_assert_uint_eq(value, float_bits(caps.MaxPointSize));
    release(device);
}
END_TEST

START_TEST(stage_and_sampler_defaults)
{
    IDirect3DDevice9 *device = create_device();
    DWORD value;

    for (DWORD i = 0; i < 8; i++) {
        OK(IDirect3DDevice9_GetTextureStageState(device, i, D3DTSS_COLOROP, &value));
        ck_assert_uint_eq(value, i ? D3DTOP_DISABLE : D3DTOP_MODULATE);
        OK(IDirect3DDevice9_GetTextureStageState(device, i, D3DTSS_ALPHAOP, &value));
        ck_assert_uint_eq(value, i ? D3DTOP_DISABLE : D3DTOP_SELECTARG1);
        OK(IDirect3DDevice9_GetTextureStageState(device, i, D3DTSS_COLORARG1, &value));
        ck_assert_uint_eq(value, D3DTA_TEXTURE);
        OK(IDirect3DDevice9_GetTextureStageState(device, i, D3DTSS_TEXCOORDINDEX, &value));
        ck_assert_uint_eq(value, i);
        OK(IDirect3DDevice9_GetTextureStageState(device, i, D3DTSS_RESULTARG, &value));
        ck_assert_uint_eq(value, D3DTA_CURRENT);
    }
    for (DWORD i = 0; i < 16; i++) {
        OK(IDirect3DDevice9_GetSamplerState(device, i, D3DSAMP_ADDRESSU, &value));
        ck_assert_uint_eq(value, D3DTADDRESS_WRAP);
        OK(IDirect3DDevice9_GetSamplerState(device, i, D3DSAMP_MAGFILTER, &value));
        ck_assert_uint_eq(value, D3DTEXF_POINT);
        OK(IDirect3DDevice9_GetSamplerState(device, i, D3DSAMP_MIPFILTER, &value));
        ck_assert_uint_eq(value, D3DTEXF_NONE);
        OK(IDirect3DDevice9_GetSamplerState(device, i, D3DSAMP_MAXANISOTROPY, &value));
        ck_assert_uint_eq(value, 1);
    }
    /* Numbers above the last stage are accepted. */
    OK(IDirect3DDevice9_SetTextureStageState(device, 9999, D3DTSS_COLOROP, 1));
    OK(IDirect3DDevice9_SetSamplerState(device, 0x40000000, D3DSAMP_ADDRESSU, 1));
    OK(IDirect3DDevice9_SetTexture(device, 77, NULL));
    release(device);
}
END_TEST

START_TEST(clip_planes_share_the_last)
{
    IDirect3DDevice9 *device = create_device();
    float plane[4] = {2, 8, 5};
    D3DCAPS9 caps;

    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    for (DWORD i = 0; i < 64; i++) {
        plane[3] = (float)i;
        OK(IDirect3DDevice9_SetClipPlane(device, i, plane));
    }
    for (DWORD i = 0; i < 64; i++) {
        OK(IDirect3DDevice9_GetClipPlane(device, i, plane));
        ck_assert_float_eq(plane[3], i < caps.MaxUserClipPlanes - 1 ? (float)i : 63.0f);
    }
    release(device);
}
END_TEST

/* All 0 initially; any bits are stored; NULL is refused. */
START_TEST(clip_planes_store_any_bits)
{
    IDirect3DDevice9 *device = create_device();
    const DWORD odd[4] = {0x7fc00001, 0xff800000, 0x00000001, 0x80000000};
    DWORD got[4];

    for (DWORD i = 0; i < 8; i++) {
        memset(got, 0xff, sizeof(got));
        OK(IDirect3DDevice9_GetClipPlane(device, i, (float *)got));
        ck_assert(!got[0] && !got[1] && !got[2] && !got[3]);
    }
    OK(IDirect3DDevice9_SetClipPlane(device, 2, (const float *)odd));
    OK(IDirect3DDevice9_GetClipPlane(device, 2, (float *)got));
    ck_assert_mem_eq(got, odd, sizeof(odd));
    OK(IDirect3DDevice9_GetClipPlane(device, 1, (float *)got));
    ck_assert(!got[0] && !got[3]);
    ck_assert_int_eq(IDirect3DDevice9_SetClipPlane(device, 2, NULL), D3DERR_INVALIDCALL);
    ck_assert_int_eq(IDirect3DDevice9_GetClipPlane(device, 2, NULL), D3DERR_INVALIDCALL);
    OK(IDirect3DDevice9_GetClipPlane(device, 2, (float *)got));
    ck_assert_mem_eq(got, odd, sizeof(odd));
    release(device);
}
END_TEST

START_TEST(stream_frequency)
{
    static const struct {
        UINT stream, setting;
        HRESULT result;
        UINT after;
    } steps[] = {
        {0, D3DSTREAMSOURCE_INSTANCEDATA | 1, D3DERR_INVALIDCALL, 1},
        {1, 0, D3DERR_INVALIDCALL, 1},
        {1, 2, D3D_OK, 2},
        {1, D3DSTREAMSOURCE_INDEXEDDATA, D3D_OK, D3DSTREAMSOURCE_INDEXEDDATA},
        {1, D3DSTREAMSOURCE_INSTANCEDATA, D3D_OK, D3DSTREAMSOURCE_INSTANCEDATA},
        {1, D3DSTREAMSOURCE_INSTANCEDATA | D3DSTREAMSOURCE_INDEXEDDATA, D3DERR_INVALIDCALL,
         D3DSTREAMSOURCE_INSTANCEDATA},
    };
    IDirect3DDevice9 *device = create_device();
    UINT setting;

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        RETURNS(IDirect3DDevice9_SetStreamSourceFreq(device, steps[i].stream, steps[i].setting),
                steps[i].result);
        OK(IDirect3DDevice9_GetStreamSourceFreq(device, steps[i].stream, &setting));
        ck_assert_uint_eq(setting, steps[i].after);
    }
    release(device);
}
END_TEST

START_TEST(unbinding_keeps_stride)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexBuffer9 *buffer, *got;
    UINT offset, stride;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 64, 0, 0, D3DPOOL_MANAGED, &buffer, NULL));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 4, 32));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, NULL, 0, 0));
    OK(IDirect3DDevice9_GetStreamSource(device, 0, &got, &offset, &stride));
    ck_assert_ptr_null(got);
    ck_assert_uint_eq(offset, 4);
    ck_assert_uint_eq(stride, 32);
    release(buffer);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* --- Constants -------------------------------------------------------------------------------- */

START_TEST(constant_limits)
{
    static const struct {
        DWORD flags;
        UINT registers, reported;
    } kinds[] = {{D3DCREATE_HARDWARE_VERTEXPROCESSING, 256, 256},
                 {D3DCREATE_SOFTWARE_VERTEXPROCESSING, 8192, 8192},
                 {D3DCREATE_MIXED_VERTEXPROCESSING, 8192, 256}};
    IDirect3DDevice9 *device = create_device_flags(kinds[_i].flags);
    float data[16] = {1, 2, 3, 4}, back[4];
    UINT n = kinds[_i].registers;
    D3DCAPS9 caps;

    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    ck_assert_uint_eq(caps.MaxVertexShaderConst, kinds[_i].reported);
    OK(IDirect3DDevice9_SetVertexShaderConstantF(device, n - 1, data, 1));
    OK(IDirect3DDevice9_GetVertexShaderConstantF(device, n - 1, back, 1));
    ck_assert_mem_eq(back, data, sizeof(back));
    REFUSED(IDirect3DDevice9_SetVertexShaderConstantF(device, n, data, 1));
    REFUSED(IDirect3DDevice9_SetVertexShaderConstantF(device, n - 1, data, 4));
    REFUSED(IDirect3DDevice9_SetVertexShaderConstantF(device, 0xffffffff, data, 1));
    REFUSED(IDirect3DDevice9_SetVertexShaderConstantF(device, 1, data, 0xffffffff));
    OK(IDirect3DDevice9_SetPixelShaderConstantF(device, 223, data, 1));
    REFUSED(IDirect3DDevice9_SetPixelShaderConstantF(device, 224, data, 1));
    REFUSED(IDirect3DDevice9_SetPixelShaderConstantF(device, 223, data, 4));
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* --- State blocks ----------------------------------------------------------------------------- */

/* States of vertex state, of pixel state and of neither, with two values each. */
struct values {
    DWORD cull, zfunc, fog_start;
    float vs_constant, ps_constant, material;
    D3DMATRIX view;
    IDirect3DTexture9 *texture;
    BOOL light;
};

static void write_values(IDirect3DDevice9 *device, const struct values *v)
{
    float c[4] = {v->vs_constant};
    D3DMATERIAL9 material = {.Power = v->material};

    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, v->cull));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZFUNC, v->zfunc));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_FOGSTART, v->fog_start));
    OK(IDirect3DDevice9_SetVertexShaderConstantF(device, 7, c, 1));
    c[0] = v->ps_constant;
    OK(IDirect3DDevice9_SetPixelShaderConstantF(device, 7, c, 1));
    OK(IDirect3DDevice9_SetMaterial(device, &material));
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_VIEW, &v->view));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)v->texture));
    OK(IDirect3DDevice9_LightEnable(device, 0, v->light));
}

/* vertex, pixel, rest: the expected values of each group. */
static void check_values(IDirect3DDevice9 *device, const struct values *vertex,
                         const struct values *pixel, const struct values *rest)
{
    IDirect3DBaseTexture9 *texture;
    D3DMATERIAL9 material;
    D3DMATRIX view;
    DWORD value;
    BOOL enabled;
    float c[4];

    OK(IDirect3DDevice9_GetRenderState(device, D3DRS_CULLMODE, &value));
    ck_assert_uint_eq(value, vertex->cull);
    OK(IDirect3DDevice9_GetRenderState(device, D3DRS_ZFUNC, &value));
    ck_assert_uint_eq(value, pixel->zfunc);
    OK(IDirect3DDevice9_GetVertexShaderConstantF(device, 7, c, 1));
    ck_assert_float_eq(c[0], vertex->vs_constant);
    OK(IDirect3DDevice9_GetPixelShaderConstantF(device, 7, c, 1));
    ck_assert_float_eq(c[0], pixel->ps_constant);
    OK(IDirect3DDevice9_GetLightEnable(device, 0, &enabled));
    ck_assert_int_eq(enabled != 0, vertex->light);
    OK(IDirect3DDevice9_GetMaterial(device, &material));
    ck_assert_float_eq(material.Power, rest->material);
    OK(IDirect3DDevice9_GetTransform(device, D3DTS_VIEW, &view));
    ck_assert_mem_eq(&view, &rest->view, sizeof(view));
    OK(IDirect3DDevice9_GetTexture(device, 0, &texture));
    ck_assert_ptr_eq(texture, rest->texture);
    if (texture)
        release(texture);
}

static void make_values(IDirect3DDevice9 *device, struct values *a, struct values *b)
{
    *a = (struct values){
        D3DCULL_CCW, D3DCMP_LESSEQUAL, 0, 0, 0, 0, {.m = {{1}, {2}, {3}, {4}}}, NULL, FALSE};
    *b = (struct values){
        D3DCULL_CW, D3DCMP_GREATER, 0x40000000, 3, 4, 5, {.m = {{5}, {6}, {7}, {8}}}, NULL, TRUE};
    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED,
                                      &b->texture, NULL));
}

START_TEST(created_block)
{
    static const D3DSTATEBLOCKTYPE types[] = {D3DSBT_ALL, D3DSBT_VERTEXSTATE, D3DSBT_PIXELSTATE};
    IDirect3DDevice9 *device = create_device();
    bool has_vertex = types[_i] != D3DSBT_PIXELSTATE, has_pixel = types[_i] != D3DSBT_VERTEXSTATE;
    IDirect3DStateBlock9 *block;
    struct values a, b;

    make_values(device, &a, &b);
    write_values(device, &b);
    OK(IDirect3DDevice9_CreateStateBlock(device, types[_i], &block));
    write_values(device, &a);
    OK(IDirect3DStateBlock9_Apply(block));
    check_values(device, has_vertex ? &b : &a, has_pixel ? &b : &a,
                 types[_i] == D3DSBT_ALL ? &b : &a);

    /* Captured again at the other values. */
    write_values(device, &a);
    OK(IDirect3DStateBlock9_Capture(block));
    check_values(device, &a, &a, &a);
    write_values(device, &b);
    OK(IDirect3DStateBlock9_Apply(block));
    check_values(device, has_vertex ? &a : &b, has_pixel ? &a : &b,
                 types[_i] == D3DSBT_ALL ? &a : &b);
    write_values(device, &a);
    release(block);
    ck_assert_uint_eq(release(b.texture), 0);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(recorded_block)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DStateBlock9 *block, *other;
    struct values a, b;

    make_values(device, &a, &b);
    write_values(device, &a);
    OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_ALL, &other));
    OK(IDirect3DDevice9_BeginStateBlock(device));
    REFUSED(IDirect3DDevice9_BeginStateBlock(device));
    REFUSED(IDirect3DStateBlock9_Apply(other));
    REFUSED(IDirect3DStateBlock9_Capture(other));
    write_values(device, &b);
    check_values(device, &a, &a, &a); /* recording does not change the device */
    OK(IDirect3DDevice9_EndStateBlock(device, &block));
    check_values(device, &a, &a, &a);
    OK(IDirect3DStateBlock9_Apply(block));
    check_values(device, &b, &b, &b);
    OK(IDirect3DStateBlock9_Capture(block));
    write_values(device, &a);
    OK(IDirect3DStateBlock9_Apply(block));
    check_values(device, &b, &b, &b);
    release(other);
    release(block);
    write_values(device, &a);
    release(b.texture);
    block = (IDirect3DStateBlock9 *)0x1234;
    REFUSED(IDirect3DDevice9_EndStateBlock(device, &block));
    ck_assert_ptr_eq(block, (void *)0x1234);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Calls that act at once and are not recorded. */
START_TEST(unrecorded_calls)
{
    D3DMATRIX two = {.m = {{2, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 2, 0}, {0, 0, 0, 2}}}, got, one;
    IDirect3DDevice9 *device = create_device();
    IDirect3DStateBlock9 *block;
    IDirect3DSurface9 *target;
    D3DVIEWPORT9 viewport;

    OK(IDirect3DDevice9_CreateRenderTarget(device, 128, 128, D3DFMT_A8R8G8B8, 0, 0, FALSE, &target,
                                           NULL));
    OK(IDirect3DDevice9_GetTransform(device, D3DTS_WORLDMATRIX(255), &one));
    OK(IDirect3DDevice9_BeginStateBlock(device));
    OK(IDirect3DDevice9_MultiplyTransform(device, D3DTS_WORLDMATRIX(255), &two));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    OK(IDirect3DDevice9_EndStateBlock(device, &block));
    OK(IDirect3DDevice9_GetTransform(device, D3DTS_WORLDMATRIX(255), &got));
    ck_assert_mem_eq(&got, &two, sizeof(two));
    OK(IDirect3DDevice9_GetViewport(device, &viewport));
    ck_assert_uint_eq(viewport.Width, 128);
    OK(IDirect3DDevice9_SetTransform(device, D3DTS_WORLDMATRIX(255), &one));
    OK(IDirect3DStateBlock9_Apply(block));
    OK(IDirect3DDevice9_GetTransform(device, D3DTS_WORLDMATRIX(255), &got));
    ck_assert_mem_eq(&got, &one, sizeof(one));
    release(block);
    release(target);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* At Capture, before Apply, after Apply: NULL, the first or the second declaration. */
START_TEST(declaration_in_blocks)
{
    static const D3DVERTEXELEMENT9 elements[] = {{0, 0, D3DDECLTYPE_FLOAT3, 0, 0, 0},
                                                 D3DDECL_END()};
    static const int cases[][3] = {{0, 2, 2}, {2, 0, 2}, {0, 0, 0}, {2, 2, 2}};
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexDeclaration9 *decl[3] = {NULL}, *got;
    IDirect3DStateBlock9 *block;

    for (int i = 1; i < 3; i++)
        OK(IDirect3DDevice9_CreateVertexDeclaration(device, elements, &decl[i]));
    OK(IDirect3DDevice9_SetVertexDeclaration(device, decl[1]));
    if (_i) {
        OK(IDirect3DDevice9_CreateStateBlock(device, D3DSBT_VERTEXSTATE, &block));
    } else {
        OK(IDirect3DDevice9_BeginStateBlock(device));
        OK(IDirect3DDevice9_SetVertexDeclaration(device, decl[1]));
        OK(IDirect3DDevice9_EndStateBlock(device, &block));
    }
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        OK(IDirect3DDevice9_SetVertexDeclaration(device, decl[cases[i][0]]));
        OK(IDirect3DStateBlock9_Capture(block));
        OK(IDirect3DDevice9_SetVertexDeclaration(device, decl[cases[i][1]]));
        OK(IDirect3DStateBlock9_Apply(block));
        OK(IDirect3DDevice9_GetVertexDeclaration(device, &got));
        ck_assert_ptr_eq(got, decl[cases[i][2]]);
        if (got)
            release(got);
    }
    release(block);
    release(decl[1]);
    release(decl[2]);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* --- FVF -------------------------------------------------------------------------------------- */

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
    Suite *s = suite_create("api/state");
    TCase *tc = tcase_create("state");

    tcase_add_test(tc, render_state_defaults);
    tcase_add_test(tc, stage_and_sampler_defaults);
    tcase_add_test(tc, clip_planes_share_the_last);
    tcase_add_test(tc, clip_planes_store_any_bits);
    tcase_add_test(tc, stream_frequency);
    tcase_add_test(tc, unbinding_keeps_stride);
    tcase_add_loop_test(tc, constant_limits, 0, 3);
    tcase_add_loop_test(tc, created_block, 0, 3);
    tcase_add_test(tc, recorded_block);
    tcase_add_test(tc, unrecorded_calls);
    tcase_add_loop_test(tc, declaration_in_blocks, 0, 2);
    tcase_add_test(tc, fvf_declarations_are_cached);
    tcase_add_test(tc, declaration_rules);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
