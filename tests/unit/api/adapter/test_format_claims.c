/* Tests that CheckDeviceFormat and related calls agree with creation, for all formats, unknown
 * numbers and FOURCCs, resource types and usages: creation succeeds exactly for what is claimed
 * (reference: device/format-checks). */
#include "format_oracle.h"

/* A plain device, an Ex device, and the reference device of Direct3D 9Ex, created once. */
enum { DEVICES = 3 };
static IDirect3D9 *d3d9[DEVICES];
static IDirect3DDevice9 *device[DEVICES];

static void open_devices(void)
{
    device[0] = create_device();
    device[1] = (IDirect3DDevice9 *)create_device_ex();
    device[2] = (IDirect3DDevice9 *)create_type_ex(D3DDEVTYPE_REF);
    for (int ex = 0; ex < DEVICES; ex++)
        OK(IDirect3DDevice9_GetDirect3D(device[ex], &d3d9[ex]));
}

static void close_devices(void)
{
    for (int ex = 0; ex < DEVICES; ex++) {
        IDirect3D9_Release(d3d9[ex]);
        ck_assert_uint_eq(IDirect3DDevice9_Release(device[ex]), 0);
    }
}

static HRESULT ask(int ex, DWORD usage, D3DRESOURCETYPE type, D3DFORMAT format)
{
    D3DDEVTYPE device_type = ex == 2 ? D3DDEVTYPE_REF : D3DDEVTYPE_HAL;

    return IDirect3D9_CheckDeviceFormat(d3d9[ex], 0, device_type, D3DFMT_X8R8G8B8, usage, type,
                                        format);
}

/* All named formats, all small numbers, and unknown FOURCCs. */
enum { SMALL = 256, RANDOM = 64, WALKED = ORACLE_FORMATS + SMALL + RANDOM };

static D3DFORMAT walked(int i)
{
    uint32_t x = (uint32_t)i * 2654435761u;

    if (i < ORACLE_FORMATS)
        return oracle_formats[i].d3d;
    i -= ORACLE_FORMATS;
    if (i < SMALL)
        return (D3DFORMAT)i;
    return (D3DFORMAT)(i % 2 ? (x & 0x0f0f0f0f) | 0x41414141 : x);
}

static bool is_driver_name(D3DFORMAT format)
{
    return format == ORACLE_FOURCC('R', 'E', 'S', 'Z') ||
           format == ORACLE_FOURCC('I', 'N', 'S', 'T') ||
           format == ORACLE_FOURCC('N', 'V', 'D', 'B') ||
           format == ORACLE_FOURCC('A', 'T', 'O', 'C') ||
           format == ORACLE_FOURCC('S', 'S', 'A', 'A') ||
           format == ORACLE_FOURCC('R', '2', 'V', 'B');
}

/* Images that the reference device alone has; MULTI2_ARGB8, without levels, has tests of its own.
 */
static bool is_of_reference(D3DFORMAT format)
{
    return format == D3DFMT_A1 || format == D3DFMT_A2B10G10R10_XR_BIAS;
}

/* --- Creation --------------------------------------------------------------------------------- */

static HRESULT create_surface(IDirect3DDevice9 *d, DWORD usage, D3DFORMAT format,
                              IDirect3DSurface9 **out)
{
    if (usage == D3DUSAGE_RENDERTARGET)
        return IDirect3DDevice9_CreateRenderTarget(d, 16, 16, format, D3DMULTISAMPLE_NONE, 0, FALSE,
                                                   out, NULL);
    if (usage == D3DUSAGE_DEPTHSTENCIL)
        return IDirect3DDevice9_CreateDepthStencilSurface(d, 16, 16, format, D3DMULTISAMPLE_NONE, 0,
                                                          FALSE, out, NULL);
    return IDirect3DDevice9_CreateOffscreenPlainSurface(d, 16, 16, format, D3DPOOL_DEFAULT, out,
                                                        NULL);
}

static HRESULT create(IDirect3DDevice9 *d, D3DRESOURCETYPE type, DWORD usage, D3DFORMAT format)
{
    DWORD levels = usage & D3DUSAGE_AUTOGENMIPMAP ? 0 : 2;
    void *made = &made;
    HRESULT hr;

    switch (type) {
    case D3DRTYPE_TEXTURE:
        hr = IDirect3DDevice9_CreateTexture(d, 16, 16, levels, usage, format, D3DPOOL_DEFAULT,
                                            (IDirect3DTexture9 **)&made, NULL);
        break;
    case D3DRTYPE_CUBETEXTURE:
        hr = IDirect3DDevice9_CreateCubeTexture(d, 16, levels, usage, format, D3DPOOL_DEFAULT,
                                                (IDirect3DCubeTexture9 **)&made, NULL);
        break;
    case D3DRTYPE_VOLUMETEXTURE:
        hr = IDirect3DDevice9_CreateVolumeTexture(d, 16, 16, 4, levels, usage, format,
                                                  D3DPOOL_DEFAULT,
                                                  (IDirect3DVolumeTexture9 **)&made, NULL);
        break;
    default:
        hr = create_surface(d, usage, format, (IDirect3DSurface9 **)&made);
    }
    ck_assert_int_eq(SUCCEEDED(hr), made != NULL);
    if (SUCCEEDED(hr))
        release(made);
    else
        ck_assert_int_eq(hr, D3DERR_INVALIDCALL);
    return hr;
}

static const D3DRESOURCETYPE types[] = {D3DRTYPE_SURFACE, D3DRTYPE_TEXTURE, D3DRTYPE_CUBETEXTURE,
                                        D3DRTYPE_VOLUMETEXTURE};
static const DWORD single_usages[] = {
    D3DUSAGE_RENDERTARGET,  D3DUSAGE_DEPTHSTENCIL,       D3DUSAGE_DYNAMIC,
    D3DUSAGE_AUTOGENMIPMAP, D3DUSAGE_WRITEONLY,          D3DUSAGE_POINTS,
    D3DUSAGE_RTPATCHES,     D3DUSAGE_NPATCHES,           D3DUSAGE_DONOTCLIP,
    D3DUSAGE_DMAP,          D3DUSAGE_SOFTWAREPROCESSING,
};
enum { SINGLE = sizeof(single_usages) / sizeof(single_usages[0]) };

static void check_usage(int ex, D3DRESOURCETYPE type, DWORD usage, D3DFORMAT format)
{
    HRESULT claim = ask(ex, usage, type, format), made;

    ck_assert_msg(claim == D3D_OK || claim == D3DERR_NOTAVAILABLE || claim == D3DOK_NOAUTOGEN,
                  "format %u", (unsigned)format);
    if (claim == D3DOK_NOAUTOGEN)
        ck_assert(usage & D3DUSAGE_AUTOGENMIPMAP);
    if (is_driver_name(format)) {
        ck_assert(FAILED(create(device[ex], type, usage, format)));
        return;
    }
    made = create(device[ex], type, usage, format);
    ck_assert_msg(SUCCEEDED(claim) == SUCCEEDED(made),
                  "format %u (%08x) type %d usage %x ex %d: claim %08x, creation %08x",
                  (unsigned)format, (unsigned)format, type, (unsigned)usage, ex, (unsigned)claim,
                  (unsigned)made);
}

/* Every single usage, and every pair of usages. */
static void claims_match_creation(D3DFORMAT format)
{
    int devices = is_of_reference(format) ? DEVICES : DEVICES - 1;

    for (int ex = 0; ex < devices; ex++)
        for (unsigned t = 0; t < 4; t++)
            for (unsigned a = 0; a <= SINGLE; a++)
                for (unsigned b = a; b <= SINGLE; b++) {
                    DWORD usage =
                        (a < SINGLE ? single_usages[a] : 0) | (b < SINGLE ? single_usages[b] : 0);

                    if (types[t] != D3DRTYPE_SURFACE)
                        check_usage(ex, types[t], usage, format);
                    else if (!usage || usage == D3DUSAGE_RENDERTARGET ||
                             usage == D3DUSAGE_DEPTHSTENCIL)
                        check_usage(ex, types[t], usage, format);
                    else if (usage != D3DUSAGE_SOFTWAREPROCESSING &&
                             usage != (D3DUSAGE_SOFTWAREPROCESSING | D3DUSAGE_RENDERTARGET) &&
                             usage != (D3DUSAGE_SOFTWAREPROCESSING | D3DUSAGE_DEPTHSTENCIL))
                        ck_assert_int_eq(ask(ex, usage, types[t], format), D3DERR_NOTAVAILABLE);
                }
}

/* Query usages only restrict the answer. */
static void query_usages_restrict(D3DFORMAT format)
{
    static const DWORD queries[] = {
        D3DUSAGE_QUERY_FILTER,        D3DUSAGE_QUERY_SRGBREAD,
        D3DUSAGE_QUERY_SRGBWRITE,     D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING,
        D3DUSAGE_QUERY_VERTEXTEXTURE, D3DUSAGE_QUERY_LEGACYBUMPMAP,
        D3DUSAGE_QUERY_WRAPANDMIP};
    static const DWORD usages[] = {0, D3DUSAGE_RENDERTARGET, D3DUSAGE_DEPTHSTENCIL,
                                   D3DUSAGE_DYNAMIC};

    for (unsigned t = 0; t < 4; t++)
        for (unsigned u = 0; u < 4; u++)
            for (unsigned q = 0; q < sizeof(queries) / sizeof(queries[0]); q++) {
                HRESULT hr = ask(0, usages[u] | queries[q], types[t], format);

                ck_assert(hr == D3D_OK || hr == D3DERR_NOTAVAILABLE);
                if (hr == D3D_OK)
                    ck_assert_int_eq(ask(0, usages[u], types[t], format), D3D_OK);
            }
}

static void arguments(D3DFORMAT format)
{

    RETURNS(ask(0, 0, D3DRTYPE_VERTEXBUFFER, format), D3DERR_INVALIDCALL);
    RETURNS(ask(0, 0, D3DRTYPE_INDEXBUFFER, format), D3DERR_INVALIDCALL);
    RETURNS(ask(0, 0, D3DRTYPE_VOLUME, format), D3DERR_NOTAVAILABLE);
    RETURNS(ask(0, 0, (D3DRESOURCETYPE)77, format), D3DERR_NOTAVAILABLE);
    RETURNS(IDirect3D9_CheckDeviceFormat(d3d9[0], 1, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0,
                                         D3DRTYPE_TEXTURE, format),
            D3DERR_INVALIDCALL);
    RETURNS(IDirect3D9_CheckDeviceFormat(d3d9[0], 0, (D3DDEVTYPE)9, D3DFMT_X8R8G8B8, 0,
                                         D3DRTYPE_TEXTURE, format),
            D3DERR_INVALIDCALL);
    RETURNS(IDirect3D9_CheckDeviceFormat(d3d9[0], 0, D3DDEVTYPE_HAL, D3DFMT_UNKNOWN, 0,
                                         D3DRTYPE_TEXTURE, format),
            D3DERR_INVALIDCALL);
    /* As adapter format: only display formats are accepted. */
    RETURNS(IDirect3D9_CheckDeviceFormat(d3d9[0], 0, D3DDEVTYPE_HAL, format, 0, D3DRTYPE_TEXTURE,
                                         D3DFMT_A8R8G8B8),
            format == D3DFMT_UNKNOWN ? D3DERR_INVALIDCALL
            : format == D3DFMT_X8R8G8B8 || format == D3DFMT_R5G6B5 || format == D3DFMT_X1R5G5B5 ||
                    format == D3DFMT_A2R10G10B10
                ? D3D_OK
                : D3DERR_NOTAVAILABLE);
}

/* FOURCCs that drivers define, with the queries of real applications. */
START_TEST(driver_names)
{
    D3DFORMAT resz = ORACLE_FOURCC('R', 'E', 'S', 'Z'), inst = ORACLE_FOURCC('I', 'N', 'S', 'T');
    D3DFORMAT nvdb = ORACLE_FOURCC('N', 'V', 'D', 'B'), atoc = ORACLE_FOURCC('A', 'T', 'O', 'C');

    OK(ask(0, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, resz));
    RETURNS(ask(0, 0, D3DRTYPE_SURFACE, resz), D3DERR_NOTAVAILABLE);
    RETURNS(ask(0, D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, resz), D3DERR_NOTAVAILABLE);
    OK(ask(0, 0, D3DRTYPE_SURFACE, inst));
    RETURNS(ask(0, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, inst), D3DERR_NOTAVAILABLE);
    RETURNS(ask(0, 0, D3DRTYPE_TEXTURE, inst), D3DERR_NOTAVAILABLE);
    OK(ask(0, 0, D3DRTYPE_SURFACE, nvdb));
    RETURNS(ask(0, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, nvdb), D3DERR_NOTAVAILABLE);
    RETURNS(ask(0, 0, D3DRTYPE_TEXTURE, nvdb), D3DERR_NOTAVAILABLE);
    OK(ask(0, 0, D3DRTYPE_SURFACE, atoc));
    RETURNS(ask(0, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, atoc), D3DERR_NOTAVAILABLE);
    RETURNS(ask(0, 0, D3DRTYPE_TEXTURE, atoc), D3DERR_NOTAVAILABLE);
    OK(ask(0, 0, D3DRTYPE_SURFACE, ORACLE_FOURCC('R', '2', 'V', 'B')));
    OK(ask(0, 0, D3DRTYPE_SURFACE, ORACLE_FOURCC('S', 'S', 'A', 'A')));
    for (int i = 0; i < ORACLE_FORMATS; i++)
        if (strstr("GET4 GET1 CENT COPM A2M1", oracle_formats[i].name))
            for (unsigned t = 0; t < 4; t++)
                for (unsigned u = 0; u < SINGLE; u++)
                    RETURNS(ask(0, single_usages[u], types[t], oracle_formats[i].d3d),
                            D3DERR_NOTAVAILABLE);
}
END_TEST

/* --- Other checks ----------------------------------------------------------------------------- */

static bool is_claimed(DWORD usage, D3DFORMAT format)
{
    return ask(0, usage, D3DRTYPE_SURFACE, format) == D3D_OK && !is_driver_name(format);
}

/* Every pair: CheckDepthStencilMatch succeeds exactly where both formats are supported, and then
 * they draw together. */
static void depth_matches(D3DFORMAT target)
{
    IDirect3DSurface9 *colour = NULL, *depth;
    D3DRECT one = {0, 0, 1, 1};

    if (is_claimed(D3DUSAGE_RENDERTARGET, target))
        OK(create_surface(device[0], D3DUSAGE_RENDERTARGET, target, &colour));
    for (int i = 0; i < ORACLE_FORMATS; i++) {
        D3DFORMAT format = oracle_formats[i].d3d;
        bool both = colour && is_claimed(D3DUSAGE_DEPTHSTENCIL, format);

        RETURNS(IDirect3D9_CheckDepthStencilMatch(d3d9[0], 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8,
                                                  target, format),
                both ? D3D_OK : D3DERR_NOTAVAILABLE);
        if (!both)
            continue;
        OK(create_surface(device[0], D3DUSAGE_DEPTHSTENCIL, format, &depth));
        OK(IDirect3DDevice9_SetRenderTarget(device[0], 0, colour));
        OK(IDirect3DDevice9_SetDepthStencilSurface(device[0], depth));
        OK(IDirect3DDevice9_Clear(device[0], 1, &one, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 0.5f,
                                  0));
        OK(IDirect3DDevice9_SetDepthStencilSurface(device[0], NULL));
        release(depth);
    }
    if (colour) {
        IDirect3DSurface9 *back;

        OK(IDirect3DDevice9_GetBackBuffer(device[0], 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
        OK(IDirect3DDevice9_SetRenderTarget(device[0], 0, back));
        release(back);
        release(colour);
    }
}

/* Windowed back buffer formats, against creation of swap chains. */
static void device_types(D3DFORMAT back)
{
    static const D3DFORMAT displays[] = {D3DFMT_X8R8G8B8, D3DFMT_R5G6B5, D3DFMT_X1R5G5B5};
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DSwapChain9 *chain = NULL;
    HRESULT made;

    p.BackBufferWidth = p.BackBufferHeight = 8;
    p.BackBufferFormat = back;
    p.EnableAutoDepthStencil = FALSE;
    made = IDirect3DDevice9_CreateAdditionalSwapChain(device[0], &p, &chain);
    if (SUCCEEDED(made))
        release(chain);
    for (int i = 0; i < 3; i++)
        ck_assert_msg((IDirect3D9_CheckDeviceType(d3d9[0], 0, D3DDEVTYPE_HAL, displays[i], back,
                                                  TRUE) == D3D_OK) == SUCCEEDED(made),
                      "back buffer %u", (unsigned)back);
    RETURNS(IDirect3D9_CheckDeviceType(d3d9[0], 0, D3DDEVTYPE_HAL, D3DFMT_A8R8G8B8, back, TRUE),
            D3DERR_NOTAVAILABLE);
}

/* A multisample type is claimed exactly where creation succeeds, with the right number of
 * levels. */
static void multisample_types(D3DFORMAT format)
{
    IDirect3DSurface9 *surface;

    if (format == D3DFMT_UNKNOWN) {
        REFUSED(IDirect3D9_CheckDeviceMultiSampleType(d3d9[0], 0, D3DDEVTYPE_HAL, format, TRUE,
                                                      D3DMULTISAMPLE_NONE, NULL));
        return;
    }
    for (int samples = 0; samples <= 16; samples++) {
        DWORD levels = 77;
        HRESULT claim = IDirect3D9_CheckDeviceMultiSampleType(
            d3d9[0], 0, D3DDEVTYPE_HAL, format, TRUE, (D3DMULTISAMPLE_TYPE)samples, &levels);
        bool target = is_claimed(D3DUSAGE_RENDERTARGET, format),
             depth = is_claimed(D3DUSAGE_DEPTHSTENCIL, format);

        ck_assert_uint_ge(levels, 1);
        if (samples && !target && !depth)
            ck_assert_int_eq(claim, D3DERR_NOTAVAILABLE);
        for (DWORD quality = 0; quality <= levels && (target || depth); quality++) {
            HRESULT made =
                target ? IDirect3DDevice9_CreateRenderTarget(device[0], 16, 16, format,
                                                             (D3DMULTISAMPLE_TYPE)samples, quality,
                                                             FALSE, &surface, NULL)
                       : IDirect3DDevice9_CreateDepthStencilSurface(device[0], 16, 16, format,
                                                                    (D3DMULTISAMPLE_TYPE)samples,
                                                                    quality, FALSE, &surface, NULL);

            if (SUCCEEDED(made))
                release(surface);
            if (samples) /* NONE has no quality levels to validate */
                ck_assert_int_eq(SUCCEEDED(made), claim == D3D_OK && quality < levels);
        }
    }
}

static void (*const checks[])(D3DFORMAT) = {
    claims_match_creation, query_usages_restrict, arguments,
    depth_matches,         device_types,          multisample_types};
enum {
    CHECKS = sizeof(checks) / sizeof(checks[0]),
    SLICE = 32, /* formats that share their devices and their process */
    SLICES = (WALKED + SLICE - 1) / SLICE
};

START_TEST(formats)
{
    int first = _i / CHECKS * SLICE;

    for (int i = first; i < first + SLICE && i < WALKED; i++)
        checks[_i % CHECKS](walked(i));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/format_claims");
    TCase *tc = tcase_create("claims");

    tcase_add_checked_fixture(tc, open_devices, close_devices);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, driver_names);
    tcase_add_loop_test(tc, formats, 0, CHECKS * SLICES);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
