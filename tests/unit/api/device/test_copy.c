/* Tests which copies between resources are valid: every pair of surface kinds with every operation,
 * against the documentation's tables and public conformance tests of hardware; rectangles and
 * locks. */
#include "api_test.h"

enum { EDGE = 16 };

/* --- Surface kinds ---------------------------------------------------------------------------- */

enum kind {
    TARGET,
    TARGET_TEXTURE,
    TARGET_CUBE,
    TEXTURE,
    DYNAMIC_TEXTURE,
    CUBE,
    PLAIN,
    MANAGED_TEXTURE,
    SYSTEM_TEXTURE,
    SYSTEM_PLAIN,
    SCRATCH_TEXTURE,
    SCRATCH_PLAIN,
    DEPTH,
    DISCARDABLE_DEPTH,
    KINDS
};

static const struct {
    const char *name;
    D3DRESOURCETYPE type;
    DWORD usage;
    D3DPOOL pool;
} kinds[KINDS] = {
    [TARGET] = {"target", D3DRTYPE_SURFACE, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT},
    [TARGET_TEXTURE] = {"target texture", D3DRTYPE_TEXTURE, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT},
    [TARGET_CUBE] = {"target cube", D3DRTYPE_CUBETEXTURE, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT},
    [TEXTURE] = {"texture", D3DRTYPE_TEXTURE, 0, D3DPOOL_DEFAULT},
    [DYNAMIC_TEXTURE] = {"dynamic", D3DRTYPE_TEXTURE, D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT},
    [CUBE] = {"cube", D3DRTYPE_CUBETEXTURE, 0, D3DPOOL_DEFAULT},
    [PLAIN] = {"plain", D3DRTYPE_SURFACE, 0, D3DPOOL_DEFAULT},
    [MANAGED_TEXTURE] = {"managed", D3DRTYPE_TEXTURE, 0, D3DPOOL_MANAGED},
    [SYSTEM_TEXTURE] = {"system texture", D3DRTYPE_TEXTURE, 0, D3DPOOL_SYSTEMMEM},
    [SYSTEM_PLAIN] = {"system plain", D3DRTYPE_SURFACE, 0, D3DPOOL_SYSTEMMEM},
    [SCRATCH_TEXTURE] = {"scratch texture", D3DRTYPE_TEXTURE, 0, D3DPOOL_SCRATCH},
    [SCRATCH_PLAIN] = {"scratch plain", D3DRTYPE_SURFACE, 0, D3DPOOL_SCRATCH},
    [DEPTH] = {"depth", D3DRTYPE_SURFACE, D3DUSAGE_DEPTHSTENCIL, D3DPOOL_DEFAULT},
    [DISCARDABLE_DEPTH] = {"discardable", D3DRTYPE_SURFACE, D3DUSAGE_DEPTHSTENCIL, D3DPOOL_DEFAULT},
};

static bool is_depth(enum kind k)
{
    return k == DEPTH || k == DISCARDABLE_DEPTH;
}
static bool is_target(enum kind k)
{
    return k <= TARGET_CUBE;
}
static bool on_device(enum kind k)
{
    return kinds[k].pool == D3DPOOL_DEFAULT;
}

static IDirect3DSurface9 *make_level(IDirect3DDevice9 *device, enum kind k, D3DFORMAT format)
{
    IDirect3DSurface9 *surface;

    if (kinds[k].type == D3DRTYPE_TEXTURE) {
        IDirect3DTexture9 *texture;

        OK(IDirect3DDevice9_CreateTexture(device, EDGE, EDGE, 1, kinds[k].usage, format,
                                          kinds[k].pool, &texture, NULL));
        OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
        release(texture);
    } else {
        IDirect3DCubeTexture9 *cube;

        OK(IDirect3DDevice9_CreateCubeTexture(device, EDGE, 1, kinds[k].usage, format,
                                              kinds[k].pool, &cube, NULL));
        OK(IDirect3DCubeTexture9_GetCubeMapSurface(cube, D3DCUBEMAP_FACE_NEGATIVE_Y, 0, &surface));
        release(cube);
    }
    return surface;
}

static IDirect3DSurface9 *make(IDirect3DDevice9 *device, enum kind k, D3DFORMAT format)
{
    IDirect3DSurface9 *surface;

    if (kinds[k].type != D3DRTYPE_SURFACE)
        return make_level(device, k, format);
    if (is_depth(k))
        OK(IDirect3DDevice9_CreateDepthStencilSurface(device, EDGE, EDGE, D3DFMT_D24S8, 0, 0,
                                                      k == DISCARDABLE_DEPTH, &surface, NULL));
    else if (k == TARGET)
        OK(IDirect3DDevice9_CreateRenderTarget(device, EDGE, EDGE, format, 0, 0, FALSE, &surface,
                                               NULL));
    else
        OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, EDGE, EDGE, format, kinds[k].pool,
                                                        &surface, NULL));
    return surface;
}

/* --- All pairs -------------------------------------------------------------------------------- */

/* Documented for a "Direct3D 9 driver", without and with stretching, and for depth surfaces that
 * are not discardable. */
static bool may_stretch(enum kind src, enum kind dst, bool scaled)
{
    if (!on_device(src) || !on_device(dst))
        return false;
    if (is_depth(src) || is_depth(dst))
        return src == DEPTH && dst == DEPTH && !scaled;
    return is_target(dst) || (src == PLAIN && dst == PLAIN && !scaled);
}

/* Documented: from SYSTEMMEM to all DEFAULT surfaces except depth. */
static bool may_update(enum kind src, enum kind dst)
{
    return kinds[src].pool == D3DPOOL_SYSTEMMEM && on_device(dst) && !is_depth(dst);
}

static bool may_read_back(enum kind src, enum kind dst)
{
    return is_target(src) && kinds[dst].pool == D3DPOOL_SYSTEMMEM;
}

static void expect(HRESULT got, bool ok, const char *what, enum kind src, enum kind dst)
{
    ck_assert_msg(got == (ok ? D3D_OK : D3DERR_INVALIDCALL), "%s %s to %s: %#x", what,
                  kinds[src].name, kinds[dst].name, (unsigned)got);
}

START_TEST(pairs)
{
    static const RECT half = {0, 0, EDGE / 2, EDGE};
    IDirect3DDevice9 *device = create_device();

    for (enum kind from = 0; from < KINDS; from++) {
        for (enum kind to = 0; to < KINDS; to++) {
            IDirect3DSurface9 *src = make(device, from, D3DFMT_A8R8G8B8);
            IDirect3DSurface9 *dst = make(device, to, D3DFMT_A8R8G8B8);

            expect(IDirect3DDevice9_StretchRect(device, src, NULL, dst, NULL, D3DTEXF_NONE),
                   may_stretch(from, to, false), "StretchRect", from, to);
            expect(IDirect3DDevice9_StretchRect(device, src, &half, dst, NULL, D3DTEXF_LINEAR),
                   may_stretch(from, to, true), "scaling", from, to);
            expect(IDirect3DDevice9_UpdateSurface(device, src, NULL, dst, NULL),
                   may_update(from, to), "UpdateSurface", from, to);
            expect(IDirect3DDevice9_GetRenderTargetData(device, src, dst), may_read_back(from, to),
                   "GetRenderTargetData", from, to);
            release(src);
            release(dst);
        }
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(fills)
{
    static const RECT refused[] = {{4, 4, 4, 8}, {8, 4, 4, 8}, {-1, 0, 4, 4}, {0, 0, 4, EDGE + 1}};
    IDirect3DDevice9 *device = create_device();

    for (enum kind k = 0; k < KINDS; k++) {
        IDirect3DSurface9 *dst = make(device, k, D3DFMT_A8R8G8B8);

        expect(IDirect3DDevice9_ColorFill(device, dst, NULL, 1), is_target(k) || k == PLAIN, "fill",
               k, k);
        for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
            REFUSED(IDirect3DDevice9_ColorFill(device, dst, &refused[i], 1));
        release(dst);
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* --- Formats ---------------------------------------------------------------------------------- */

/* Compressed sources convert but do not stretch; video formats convert in one direction. */
START_TEST(stretch_formats)
{
    static const struct {
        enum kind src, dst;
        D3DFORMAT from, to;
        bool equal, scaled;
    } cases[] = {
        {TEXTURE, TARGET, D3DFMT_DXT1, D3DFMT_A8R8G8B8, true, false},
        {CUBE, TARGET_TEXTURE, D3DFMT_DXT5, D3DFMT_R5G6B5, true, false},
        {PLAIN, PLAIN, D3DFMT_DXT3, D3DFMT_DXT3, true, false},
        {PLAIN, PLAIN, D3DFMT_A8R8G8B8, D3DFMT_DXT1, false, false},
        {PLAIN, PLAIN, D3DFMT_DXT1, D3DFMT_DXT5, false, false},
        {PLAIN, TARGET, D3DFMT_YUY2, D3DFMT_X8R8G8B8, true, true},
        {PLAIN, TARGET, D3DFMT_UYVY, D3DFMT_A8R8G8B8, true, true},
        {PLAIN, PLAIN, D3DFMT_YUY2, D3DFMT_YUY2, true, false},
        {PLAIN, PLAIN, D3DFMT_A8R8G8B8, D3DFMT_YUY2, false, false},
        {PLAIN, PLAIN, D3DFMT_YUY2, D3DFMT_UYVY, false, false},
        {PLAIN, PLAIN, D3DFMT_A8R8G8B8, D3DFMT_R5G6B5, true, false},
        {PLAIN, PLAIN, D3DFMT_R5G6B5, D3DFMT_X8R8G8B8, true, false},
        {PLAIN, PLAIN, D3DFMT_A8R8G8B8, D3DFMT_P8, false, false},
        {TARGET, TARGET, D3DFMT_A16B16G16R16F, D3DFMT_A8R8G8B8, true, true},
        {TARGET_CUBE, TARGET, D3DFMT_R32F, D3DFMT_A32B32G32R32F, true, true},
    };
    static const RECT half = {0, 0, EDGE / 2, EDGE / 2};
    IDirect3DDevice9 *device = create_device();

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        IDirect3DSurface9 *src = make(device, cases[i].src, cases[i].from);
        IDirect3DSurface9 *dst = make(device, cases[i].dst, cases[i].to);

        expect(IDirect3DDevice9_StretchRect(device, src, NULL, dst, NULL, D3DTEXF_NONE),
               cases[i].equal, "StretchRect", cases[i].src, cases[i].dst);
        expect(IDirect3DDevice9_StretchRect(device, src, &half, dst, NULL, D3DTEXF_POINT),
               cases[i].scaled, "scaling", cases[i].src, cases[i].dst);
        release(src);
        release(dst);
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(copies_require_equal_formats)
{
    static const D3DFORMAT formats[] = {D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_A8B8G8R8,
                                        D3DFMT_R5G6B5, D3DFMT_R32F};
    enum { N = sizeof(formats) / sizeof(formats[0]) };
    IDirect3DDevice9 *device = create_device();

    for (int a = 0; a < N; a++) {
        for (int b = 0; b < N; b++) {
            IDirect3DSurface9 *system = make(device, SYSTEM_PLAIN, formats[a]);
            IDirect3DSurface9 *target = make(device, TARGET, formats[b]);
            HRESULT want = a == b ? D3D_OK : D3DERR_INVALIDCALL;

            RETURNS(IDirect3DDevice9_UpdateSurface(device, system, NULL, target, NULL), want);
            RETURNS(IDirect3DDevice9_GetRenderTargetData(device, target, system), want);
            release(system);
            release(target);
        }
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(fill_formats)
{
    static const RECT aligned = {4, 4, 8, 8}, odd = {5, 5, 7, 7};
    static const struct {
        D3DFORMAT format;
        bool odd;
    } cases[] = {{D3DFMT_A8R8G8B8, true}, {D3DFMT_R5G6B5, true}, {D3DFMT_R32F, true},
                 {D3DFMT_P8, true},       {D3DFMT_L8, true},     {D3DFMT_V8U8, true},
                 {D3DFMT_DXT1, false},    {D3DFMT_DXT5, false}};
    IDirect3DDevice9 *device = create_device();

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        IDirect3DSurface9 *surface = make(device, PLAIN, cases[i].format);

        OK(IDirect3DDevice9_ColorFill(device, surface, NULL, 0xdeadbeef));
        OK(IDirect3DDevice9_ColorFill(device, surface, &aligned, 0xdeadbeef));
        RETURNS(IDirect3DDevice9_ColorFill(device, surface, &odd, 0xdeadbeef),
                cases[i].odd ? D3D_OK : D3DERR_INVALIDCALL);
        release(surface);
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* --- Rectangles ------------------------------------------------------------------------------- */

static const RECT bad_rects[] = {{0, 8, 8, 0},
                                 {8, 0, 0, 8},
                                 {4, 4, 4, 8},
                                 {4, 4, 8, 4},
                                 {-1, 0, 4, 4},
                                 {0, -1, 4, 4},
                                 {0, 0, 17, 4},
                                 {0, 0, 4, 17},
                                 {16, 0, 20, 4},
                                 {0, 0, 0, 0},
                                 {INT32_MIN, 0, INT32_MAX, 4}};
enum { BAD_RECTS = sizeof(bad_rects) / sizeof(bad_rects[0]) };

START_TEST(rectangles)
{
    static const RECT corner = {12, 12, 16, 16};
    static const POINT fits = {12, 12}, right = {13, 12}, low = {12, 13}, left = {-1, 0},
                       far = {INT32_MAX, 0};
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *system = make(device, SYSTEM_PLAIN, D3DFMT_A8R8G8B8);
    IDirect3DSurface9 *target = make(device, TARGET, D3DFMT_A8R8G8B8);
    IDirect3DSurface9 *plain = make(device, PLAIN, D3DFMT_A8R8G8B8);

    for (int i = 0; i < BAD_RECTS; i++) {
        const RECT *bad = &bad_rects[i];
        bool empty = bad->left == bad->right || bad->top == bad->bottom;
        HRESULT want = empty ? D3D_OK : D3DERR_INVALIDCALL; /* (reference: copy/stretchrect-empty) */

        RETURNS(IDirect3DDevice9_StretchRect(device, plain, bad, target, NULL, D3DTEXF_NONE), want);
        RETURNS(IDirect3DDevice9_StretchRect(device, plain, NULL, target, bad, D3DTEXF_NONE), want);
        RETURNS(IDirect3DDevice9_StretchRect(device, plain, bad, target, bad, D3DTEXF_NONE), want);
        REFUSED(IDirect3DDevice9_UpdateSurface(device, system, bad, plain, NULL));
    }
    OK(IDirect3DDevice9_UpdateSurface(device, system, &corner, plain, &fits));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, system, &corner, plain, &right));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, system, &corner, plain, &low));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, system, &corner, plain, &left));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, system, &corner, plain, &far));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, system, NULL, plain, &fits));
    REFUSED(IDirect3DDevice9_StretchRect(device, NULL, NULL, target, NULL, D3DTEXF_NONE));
    REFUSED(IDirect3DDevice9_StretchRect(device, plain, NULL, NULL, NULL, D3DTEXF_NONE));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, NULL, NULL, plain, NULL));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, system, NULL, NULL, NULL));
    for (int filter = D3DTEXF_NONE; filter < 16; filter++)
        RETURNS(IDirect3DDevice9_StretchRect(device, plain, NULL, target, NULL, filter),
                filter <= D3DTEXF_LINEAR ? D3D_OK : D3DERR_INVALIDCALL);
    release(system);
    release(target);
    release(plain);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Copies within a surface are allowed, scaling is not (reference: copy/stretchrect-within). */
START_TEST(one_surface)
{
    static const RECT left = {0, 0, 4, 4}, right = {8, 8, 12, 12}, wide = {8, 8, 16, 12};
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *target = make(device, TARGET, D3DFMT_A8R8G8B8);

    OK(IDirect3DDevice9_StretchRect(device, target, NULL, target, NULL, D3DTEXF_NONE));
    OK(IDirect3DDevice9_StretchRect(device, target, &left, target, &right, D3DTEXF_NONE));
    REFUSED(IDirect3DDevice9_StretchRect(device, target, &left, target, &wide, D3DTEXF_NONE));
    REFUSED(IDirect3DDevice9_StretchRect(device, target, &left, target, NULL, D3DTEXF_NONE));
    release(target);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(update_blocks)
{
    static const RECT block = {4, 8, 8, 12}, odd = {2, 0, 6, 4}, narrow = {0, 0, 2, 4};
    static const POINT aligned = {12, 4}, crooked = {2, 0};
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *src = make(device, SYSTEM_TEXTURE, D3DFMT_DXT5);
    IDirect3DSurface9 *dst = make(device, TEXTURE, D3DFMT_DXT5);

    OK(IDirect3DDevice9_UpdateSurface(device, src, &block, dst, &aligned));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, src, &block, dst, &crooked));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, src, &odd, dst, NULL));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, src, &narrow, dst, NULL));
    release(src);
    release(dst);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* --- Locks, scenes, multisampled depth -------------------------------------------------------- */

START_TEST(locked_surfaces)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *system = make(device, SYSTEM_PLAIN, D3DFMT_A8R8G8B8);
    IDirect3DSurface9 *target = make(device, TARGET, D3DFMT_A8R8G8B8);
    IDirect3DSurface9 *plain = make(device, PLAIN, D3DFMT_A8R8G8B8);
    D3DLOCKED_RECT lock;

    OK(IDirect3DSurface9_LockRect(plain, &lock, NULL, 0));
    REFUSED(IDirect3DDevice9_StretchRect(device, plain, NULL, target, NULL, D3DTEXF_NONE));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, system, NULL, plain, NULL));
    REFUSED(IDirect3DDevice9_ColorFill(device, plain, NULL, 0));
    OK(IDirect3DSurface9_UnlockRect(plain));
    OK(IDirect3DSurface9_LockRect(system, &lock, NULL, D3DLOCK_READONLY));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, system, NULL, plain, NULL));
    REFUSED(IDirect3DDevice9_GetRenderTargetData(device, target, system));
    OK(IDirect3DSurface9_UnlockRect(system));
    OK(IDirect3DDevice9_UpdateSurface(device, system, NULL, plain, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, target, system));
    OK(IDirect3DDevice9_StretchRect(device, plain, NULL, target, NULL, D3DTEXF_NONE));
    release(system);
    release(target);
    release(plain);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(depth_in_scenes)
{
    static const RECT all = {0, 0, EDGE, EDGE}, part = {0, 0, EDGE, EDGE - 1};
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *a = make(device, DEPTH, 0), *b = make(device, DEPTH, 0), *other;
    IDirect3DSurface9 *plain = make(device, PLAIN, D3DFMT_A8R8G8B8);
    IDirect3DSurface9 *target = make(device, TARGET, D3DFMT_A8R8G8B8);

    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, EDGE, EDGE, D3DFMT_D16, 0, 0, FALSE,
                                                  &other, NULL));
    OK(IDirect3DDevice9_StretchRect(device, a, &all, b, &all, D3DTEXF_LINEAR));
    REFUSED(IDirect3DDevice9_StretchRect(device, a, &part, b, &part, D3DTEXF_NONE));
    REFUSED(IDirect3DDevice9_StretchRect(device, a, NULL, other, NULL, D3DTEXF_NONE));
    OK(IDirect3DDevice9_BeginScene(device));
    REFUSED(IDirect3DDevice9_StretchRect(device, a, NULL, b, NULL, D3DTEXF_NONE));
    OK(IDirect3DDevice9_StretchRect(device, plain, NULL, target, NULL, D3DTEXF_NONE));
    OK(IDirect3DDevice9_EndScene(device));
    OK(IDirect3DDevice9_StretchRect(device, a, NULL, b, NULL, D3DTEXF_NONE));
    release(a);
    release(b);
    release(other);
    release(plain);
    release(target);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Ex devices copy whole surfaces between all kinds, but not with rectangles. */
START_TEST(ex_copies)
{
    static const RECT all = {0, 0, EDGE, EDGE};
    IDirect3DDevice9Ex *ex = create_device_ex();
    IDirect3DDevice9 *device = (IDirect3DDevice9 *)ex;
    IDirect3DSurface9 *src = make(device, TARGET, D3DFMT_A8R8G8B8);
    IDirect3DSurface9 *dst = make(device, TEXTURE, D3DFMT_A8R8G8B8);
    IDirect3DSurface9 *other = make(device, TEXTURE, D3DFMT_R5G6B5);

    OK(IDirect3DDevice9_StretchRect(device, src, NULL, dst, NULL, D3DTEXF_NONE));
    REFUSED(IDirect3DDevice9_StretchRect(device, src, &all, dst, &all, D3DTEXF_NONE));
    REFUSED(IDirect3DDevice9_StretchRect(device, src, NULL, other, NULL, D3DTEXF_NONE));
    release(src);
    release(dst);
    release(other);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* --- Front buffer ----------------------------------------------------------------------------- */

START_TEST(front_buffer)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *system = make(device, SYSTEM_PLAIN, D3DFMT_A8R8G8B8);
    IDirect3DSurface9 *level = make(device, SYSTEM_TEXTURE, D3DFMT_A8R8G8B8);
    IDirect3DSurface9 *blocks = make(device, SYSTEM_TEXTURE, D3DFMT_DXT1);
    IDirect3DSurface9 *plain = make(device, PLAIN, D3DFMT_A8R8G8B8);

    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff203040, 1.0f, 0));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    OK(IDirect3DDevice9_GetFrontBufferData(device, 0, system));
    OK(IDirect3DDevice9_GetFrontBufferData(device, 0, level));
    REFUSED(IDirect3DDevice9_GetFrontBufferData(device, 0, plain));
    REFUSED(IDirect3DDevice9_GetFrontBufferData(device, 0, blocks));
    REFUSED(IDirect3DDevice9_GetFrontBufferData(device, 0, NULL));
    REFUSED(IDirect3DDevice9_GetFrontBufferData(device, 1, system));
    release(system);
    release(level);
    release(blocks);
    release(plain);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Copies between devices are refused. */
START_TEST(two_devices)
{
    IDirect3DDevice9 *device = create_device(), *other = create_device();
    IDirect3DSurface9 *target = make(device, TARGET, D3DFMT_A8R8G8B8),
                      *system = make(device, SYSTEM_PLAIN, D3DFMT_A8R8G8B8),
                      *alien = make(other, TARGET, D3DFMT_A8R8G8B8),
                      *alien_system = make(other, SYSTEM_PLAIN, D3DFMT_A8R8G8B8);
    IDirect3DTexture9 *from, *to;

    OK(IDirect3DDevice9_CreateTexture(other, EDGE, EDGE, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM,
                                      &from, NULL));
    OK(IDirect3DDevice9_CreateTexture(device, EDGE, EDGE, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                      &to, NULL));
    REFUSED(IDirect3DDevice9_StretchRect(device, alien, NULL, target, NULL, D3DTEXF_NONE));
    REFUSED(IDirect3DDevice9_StretchRect(device, target, NULL, alien, NULL, D3DTEXF_NONE));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, alien_system, NULL, target, NULL));
    REFUSED(IDirect3DDevice9_UpdateSurface(device, system, NULL, alien, NULL));
    REFUSED(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)from,
                                           (IDirect3DBaseTexture9 *)to));
    REFUSED(IDirect3DDevice9_GetRenderTargetData(device, alien, system));
    REFUSED(IDirect3DDevice9_GetRenderTargetData(device, target, alien_system));
    REFUSED(IDirect3DDevice9_ColorFill(device, alien, NULL, 0));
    REFUSED(IDirect3DDevice9_GetFrontBufferData(device, 0, alien_system));
    OK(IDirect3DDevice9_GetRenderTargetData(device, target, system));
    release(from);
    release(to);
    release(target);
    release(system);
    release(alien);
    release(alien_system);
    ck_assert_uint_eq(release(other), 0);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(update_surface_blocks)
{
    static const RECT two = {0, 0, 2, 2};
    static const struct {
        UINT src, dst;
        const RECT *rect;
        bool ok;
    } cases[] = {{1, 0, NULL, 1}, {0, 1, NULL, 0}, {5, 4, NULL, 0},
                 {4, 5, NULL, 0}, {4, 5, &two, 0}, {5, 5, &two, 1}};
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *from, *to;
    IDirect3DTexture9 *src, *dst;

    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 0, 0, D3DFMT_DXT1, D3DPOOL_SYSTEMMEM, &src,
                                      NULL));
    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 0, 0, D3DFMT_DXT1, D3DPOOL_DEFAULT, &dst,
                                      NULL));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        OK(IDirect3DTexture9_GetSurfaceLevel(src, cases[i].src, &from));
        OK(IDirect3DTexture9_GetSurfaceLevel(dst, cases[i].dst, &to));
        RETURNS(IDirect3DDevice9_UpdateSurface(device, from, cases[i].rect, to, NULL),
                cases[i].ok ? D3D_OK : D3DERR_INVALIDCALL);
        release(from);
        release(to);
    }
    release(src);
    release(dst);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/copy");
    TCase *tc = tcase_create("copies");

    tcase_add_test(tc, pairs);
    tcase_add_test(tc, fills);
    tcase_add_test(tc, stretch_formats);
    tcase_add_test(tc, copies_require_equal_formats);
    tcase_add_test(tc, fill_formats);
    tcase_add_test(tc, rectangles);
    tcase_add_test(tc, one_surface);
    tcase_add_test(tc, update_blocks);
    tcase_add_test(tc, locked_surfaces);
    tcase_add_test(tc, depth_in_scenes);
    tcase_add_test(tc, ex_copies);
    tcase_add_test(tc, front_buffer);
    tcase_add_test(tc, two_devices);
    tcase_add_test(tc, update_surface_blocks);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
