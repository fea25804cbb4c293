/* Creation rules and lock rules of textures, surfaces, volumes and buffers. */
#include "api_test.h"

#include "util/alloc.h"

/* --- Creation (reference: resources/access) --------------------------------------------------- */

enum what { COLOUR, ATI2, DEPTH };

static D3DFORMAT format_of(enum what what)
{
    return what == COLOUR ? D3DFMT_A8R8G8B8
           : what == ATI2 ? (D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '2')
                          : D3DFMT_D24S8;
}

/* Pool and usage rows of 2D and cube textures that exist, for colour, ATI2 and depth. */
static const struct {
    D3DPOOL pool;
    DWORD usage;
    bool ok[3];
    bool lockable[3];
} rows[] = {
    {D3DPOOL_DEFAULT, 0, {1, 1, 1}, {0, 1, 0}},
    {D3DPOOL_DEFAULT, D3DUSAGE_DYNAMIC, {1, 1, 1}, {1, 1, 1}},
    {D3DPOOL_DEFAULT, D3DUSAGE_RENDERTARGET, {1, 0, 0}, {0, 0, 0}},
    {D3DPOOL_DEFAULT, D3DUSAGE_DEPTHSTENCIL, {0, 0, 1}, {0, 0, 0}},
    {D3DPOOL_DEFAULT, D3DUSAGE_DYNAMIC | D3DUSAGE_RENDERTARGET, {0, 0, 0}, {0, 0, 0}},
    {D3DPOOL_DEFAULT, D3DUSAGE_WRITEONLY, {0, 0, 0}, {0, 0, 0}},
    {D3DPOOL_MANAGED, 0, {1, 1, 0}, {1, 1, 0}},
    {D3DPOOL_MANAGED, D3DUSAGE_DYNAMIC, {0, 0, 0}, {0, 0, 0}},
    {D3DPOOL_MANAGED, D3DUSAGE_RENDERTARGET, {0, 0, 0}, {0, 0, 0}},
    {D3DPOOL_SYSTEMMEM, 0, {1, 1, 0}, {1, 1, 0}},
    {D3DPOOL_SYSTEMMEM, D3DUSAGE_RENDERTARGET, {0, 0, 0}, {0, 0, 0}},
    {D3DPOOL_SCRATCH, 0, {1, 1, 0}, {1, 1, 0}},
    {D3DPOOL_SCRATCH, D3DUSAGE_DYNAMIC, {0, 0, 0}, {0, 0, 0}},
};

static void check_level(IDirect3DDevice9 *device, IDirect3DTexture9 *texture, int row, int what)
{
    IDirect3DSurface9 *surface, *target;
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT lock;
    HRESULT locks = rows[row].lockable[what] ? D3D_OK : D3DERR_INVALIDCALL;

    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
    OK(IDirect3DSurface9_GetDesc(surface, &desc));
    ck_assert_int_eq(desc.Pool, rows[row].pool);
    ck_assert_uint_eq(desc.Usage, rows[row].usage);
    RETURNS(IDirect3DSurface9_LockRect(surface, &lock, NULL, 0), locks);
    RETURNS(IDirect3DSurface9_UnlockRect(surface), locks);
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    RETURNS(IDirect3DDevice9_SetRenderTarget(device, 0, surface),
            desc.Usage & D3DUSAGE_RENDERTARGET ? D3D_OK : D3DERR_INVALIDCALL);
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    RETURNS(IDirect3DDevice9_SetDepthStencilSurface(device, surface),
            desc.Usage & D3DUSAGE_DEPTHSTENCIL ? D3D_OK : D3DERR_INVALIDCALL);
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    release(target);
    release(surface);
}

START_TEST(texture_access)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DTexture9 *texture;

    for (int what = COLOUR; what <= DEPTH; what++) {
        HRESULT hr = IDirect3DDevice9_CreateTexture(device, 16, 16, 1, rows[_i].usage,
                                                    format_of(what), rows[_i].pool, &texture, NULL);

        ck_assert_msg(SUCCEEDED(hr) == rows[_i].ok[what], "row %d, format %d: %#x", _i, what,
                      (unsigned)hr);
        if (SUCCEEDED(hr)) {
            check_level(device, texture, _i, what);
            release(texture);
        } else {
            ck_assert_int_eq(hr, D3DERR_INVALIDCALL);
            ck_assert_ptr_null(texture);
        }
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(unknown_format_is_refused)
{
    IDirect3DDevice9 *d = create_device();
    void *out = d;

#define NOTHING(call)                                                                              \
    out = d;                                                                                       \
    REFUSED(call);                                                                                 \
    ck_assert_ptr_null(out)
    NOTHING(IDirect3DDevice9_CreateRenderTarget(d, 64, 64, D3DFMT_UNKNOWN, 0, 0, FALSE,
                                                (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateRenderTarget(d, 64, 64, D3DFMT_D16, 0, 0, FALSE,
                                                (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateDepthStencilSurface(d, 64, 64, D3DFMT_UNKNOWN, 0, 0, TRUE,
                                                       (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateDepthStencilSurface(d, 64, 64, D3DFMT_A8R8G8B8, 0, 0, TRUE,
                                                       (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateOffscreenPlainSurface(d, 64, 64, D3DFMT_UNKNOWN, D3DPOOL_DEFAULT,
                                                         (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateOffscreenPlainSurface(
        d, 64, 64, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateOffscreenPlainSurface(d, 0, 64, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH,
                                                         (IDirect3DSurface9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateTexture(d, 64, 64, 1, 0, D3DFMT_UNKNOWN, D3DPOOL_DEFAULT,
                                           (IDirect3DTexture9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateTexture(d, 64, 64, 8, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                           (IDirect3DTexture9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateTexture(d, 6, 8, 1, 0, D3DFMT_DXT1, D3DPOOL_SCRATCH,
                                           (IDirect3DTexture9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateCubeTexture(d, 64, 1, 0, D3DFMT_UNKNOWN, D3DPOOL_DEFAULT,
                                               (IDirect3DCubeTexture9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateVolumeTexture(d, 64, 64, 1, 1, 0, D3DFMT_UNKNOWN,
                                                 D3DPOOL_DEFAULT, (IDirect3DVolumeTexture9 **)&out,
                                                 NULL));
    NOTHING(IDirect3DDevice9_CreateVertexBuffer(d, 16, 0, 0, D3DPOOL_SCRATCH,
                                                (IDirect3DVertexBuffer9 **)&out, NULL));
    NOTHING(IDirect3DDevice9_CreateVertexBuffer(d, 16, D3DUSAGE_RENDERTARGET, 0, D3DPOOL_DEFAULT,
                                                (IDirect3DVertexBuffer9 **)&out, NULL));
    ck_assert_uint_eq(release(d), 0);
}
END_TEST

START_TEST(level_counts)
{
    static const UINT sizes[][3] = {{32, 32, 6}, {256, 1, 9}, {1, 256, 9}, {1, 1, 1}, {257, 3, 9}};
    IDirect3DDevice9 *device = create_device();
    IDirect3DTexture9 *texture;
    D3DSURFACE_DESC desc;

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        OK(IDirect3DDevice9_CreateTexture(device, sizes[i][0], sizes[i][1], 0, 0, D3DFMT_X8R8G8B8,
                                          D3DPOOL_DEFAULT, &texture, NULL));
        ck_assert_uint_eq(IDirect3DTexture9_GetLevelCount(texture), sizes[i][2]);
        OK(IDirect3DTexture9_GetLevelDesc(texture, sizes[i][2] - 1, &desc));
        ck_assert_uint_eq(desc.Width, 1);
        REFUSED(IDirect3DTexture9_GetLevelDesc(texture, sizes[i][2], &desc));
        release(texture);
    }
    release(device);
}
END_TEST

START_TEST(generated_levels_are_hidden)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVolumeTexture9 *volumes;
    IDirect3DSurface9 *surface;
    IDirect3DTexture9 *texture;
    D3DSURFACE_DESC desc;

    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 0, D3DUSAGE_AUTOGENMIPMAP, D3DFMT_X8R8G8B8,
                                      D3DPOOL_MANAGED, &texture, NULL));
    ck_assert_uint_eq(IDirect3DTexture9_GetLevelCount(texture), 1);
    OK(IDirect3DTexture9_GetLevelDesc(texture, 0, &desc));
    ck_assert_uint_eq(desc.Usage, D3DUSAGE_AUTOGENMIPMAP);
    REFUSED(IDirect3DTexture9_GetSurfaceLevel(texture, 1, &surface));
    ck_assert_int_eq(IDirect3DTexture9_GetAutoGenFilterType(texture), D3DTEXF_LINEAR);
    REFUSED(IDirect3DTexture9_SetAutoGenFilterType(texture, D3DTEXF_NONE));
    OK(IDirect3DTexture9_SetAutoGenFilterType(texture, D3DTEXF_ANISOTROPIC));
    ck_assert_int_eq(IDirect3DTexture9_GetAutoGenFilterType(texture), D3DTEXF_ANISOTROPIC);
    release(texture);
    REFUSED(IDirect3DDevice9_CreateTexture(device, 64, 64, 2, D3DUSAGE_AUTOGENMIPMAP,
                                           D3DFMT_X8R8G8B8, D3DPOOL_MANAGED, &texture, NULL));
    REFUSED(IDirect3DDevice9_CreateTexture(device, 64, 64, 0, D3DUSAGE_AUTOGENMIPMAP,
                                           D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, &texture, NULL));
    REFUSED(IDirect3DDevice9_CreateVolumeTexture(device, 64, 64, 64, 0, D3DUSAGE_AUTOGENMIPMAP,
                                                 D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, &volumes, NULL));
    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 0, D3DUSAGE_AUTOGENMIPMAP, D3DFMT_DXT5,
                                      D3DPOOL_DEFAULT, &texture, NULL));
    ck_assert_uint_eq(IDirect3DTexture9_GetLevelCount(texture), 1);
    release(texture);
    release(device);
}
END_TEST

/* --- Locks ------------------------------------------------------------------------------------ */

START_TEST(lock_offsets)
{
    static const struct {
        D3DFORMAT format;
        INT pitch;
        size_t rows; /* that a program fills */
        ptrdiff_t offset;
    } cases[] = {
        {D3DFMT_DXT1, 256, 32, 15 * 256 + 15 * 8},
        {D3DFMT_DXT5, 512, 32, 15 * 512 + 15 * 16},
        {(D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '1'), 128, 128, 60 * 128 + 60},
        {(D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '2'), 128, 128, 60 * 128 + 60},
        {D3DFMT_A8R8G8B8, 512, 128, 60 * 512 + 60 * 4},
    };
    const RECT rect = {60, 60, 68, 68};
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *surface;
    D3DLOCKED_RECT all, part;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 128, 128, cases[i].format,
                                                        D3DPOOL_SCRATCH, &surface, NULL));
        OK(IDirect3DSurface9_LockRect(surface, &all, NULL, 0));
        ck_assert_int_eq(all.Pitch, cases[i].pitch);
        memset(all.pBits, 0x5a, (size_t)all.Pitch * cases[i].rows);
        OK(IDirect3DSurface9_UnlockRect(surface));
        OK(IDirect3DSurface9_LockRect(surface, &part, &rect, 0));
        if (cases[i].pitch != 128) /* ATI formats hand out a copy */
            ck_assert_int_eq((char *)part.pBits - (char *)all.pBits, cases[i].offset);
        ck_assert_uint_eq(*(unsigned char *)part.pBits, 0x5a);
        OK(IDirect3DSurface9_UnlockRect(surface));
        release(surface);
    }
    release(device);
}
END_TEST

/* Reference: textures/block-size. */
START_TEST(block_sizes)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *surface;

    REFUSED(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 5, 8, D3DFMT_DXT1, D3DPOOL_SCRATCH,
                                                         &surface, NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(
        device, 5, 7, (D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '1'), D3DPOOL_SCRATCH, &surface, NULL));
    release(surface);
    release(device);
}
END_TEST

/* A usage that the call implies: only plain surfaces lose their pointer. */
START_TEST(implied_usage)
{
    IDirect3DDevice9Ex *device = create_device_ex();
    IDirect3DSurface9 *const before = (IDirect3DSurface9 *)device, *surface = before;

    REFUSED(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(device, 8, 8, D3DFMT_D24S8,
                                                           D3DMULTISAMPLE_NONE, 0, TRUE, &surface,
                                                           NULL, D3DUSAGE_DEPTHSTENCIL));
    ck_assert_ptr_eq(surface, before);
    REFUSED(IDirect3DDevice9Ex_CreateOffscreenPlainSurfaceEx(
        device, 8, 8, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, &surface, NULL, D3DUSAGE_RENDERTARGET));
    ck_assert_ptr_null(surface);
    release(device);
}
END_TEST

START_TEST(second_lock_is_refused)
{
    IDirect3DDevice9 *device = create_device();
    D3DLOCKED_RECT lock, untouched = {4711, device};
    IDirect3DCubeTexture9 *cube;
    IDirect3DSurface9 *surface;
    IDirect3DTexture9 *texture;

    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 64, 64, D3DFMT_X8R8G8B8,
                                                    D3DPOOL_DEFAULT, &surface, NULL));
    REFUSED(IDirect3DSurface9_UnlockRect(surface));
    OK(IDirect3DSurface9_LockRect(surface, &lock, NULL, 0));
    REFUSED(IDirect3DSurface9_LockRect(surface, &untouched, NULL, 0));
    ck_assert_int_eq(untouched.Pitch, 4711);
    ck_assert_ptr_eq(untouched.pBits, device);
    OK(IDirect3DSurface9_UnlockRect(surface));
    REFUSED(IDirect3DSurface9_UnlockRect(surface));
    release(surface);

    /* Textures are milder, cube surfaces are not, cube textures are. */
    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED,
                                      &texture, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
    OK(IDirect3DTexture9_LockRect(texture, 0, &lock, NULL, 0));
    REFUSED(IDirect3DSurface9_LockRect(surface, &lock, NULL, 0));
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    OK(IDirect3DSurface9_UnlockRect(surface));
    release(surface);
    release(texture);
    OK(IDirect3DDevice9_CreateCubeTexture(device, 64, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &cube,
                                          NULL));
    OK(IDirect3DCubeTexture9_GetCubeMapSurface(cube, D3DCUBEMAP_FACE_NEGATIVE_X, 0, &surface));
    REFUSED(IDirect3DSurface9_UnlockRect(surface));
    OK(IDirect3DCubeTexture9_UnlockRect(cube, D3DCUBEMAP_FACE_NEGATIVE_X, 0));
    release(surface);
    release(cube);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static const RECT bad_rects[] = {
    {60, 60, 60, 68},  {60, 60, 68, 60},  {68, 60, 60, 68},   {60, 68, 68, 60},
    {-8, 60, 0, 68},   {60, -8, 68, 0},   {-16, 60, -8, 68},  {60, -16, 68, -8},
    {60, 60, 136, 68}, {60, 60, 68, 136}, {136, 60, 144, 68}, {60, 136, 68, 144},
};

/* Other pools take any rectangle, and compute with it; the dirty region stays inside. */
START_TEST(bad_rectangles)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DTexture9 *mild, *strict;
    D3DLOCKED_RECT all, part;
    const RECT *r = &bad_rects[_i];

    OK(IDirect3DDevice9_CreateTexture(device, 128, 128, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM,
                                      &mild, NULL));
    OK(IDirect3DDevice9_CreateTexture(device, 128, 128, 1, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8,
                                      D3DPOOL_DEFAULT, &strict, NULL));
    OK(IDirect3DTexture9_LockRect(mild, 0, &all, NULL, 0));
    OK(IDirect3DTexture9_UnlockRect(mild, 0));
    OK(IDirect3DTexture9_LockRect(mild, 0, &part, r, 0));
    ck_assert_int_eq((char *)part.pBits - (char *)all.pBits, r->top * all.Pitch + r->left * 4);
    OK(IDirect3DTexture9_UnlockRect(mild, 0));
    REFUSED(IDirect3DTexture9_LockRect(strict, 0, &part, r, 0));
    REFUSED(IDirect3DTexture9_AddDirtyRect(mild, r));
    OK(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)mild,
                                      (IDirect3DBaseTexture9 *)strict));
    release(mild);
    release(strict);
    release(device);
}
END_TEST

START_TEST(block_rectangles)
{
    static const RECT half = {0, 0, 2, 4}, block = {0, 0, 4, 4}, small = {0, 0, 2, 2};
    IDirect3DDevice9 *device = create_device();
    IDirect3DTexture9 *strict, *mild;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_CreateTexture(device, 128, 128, 1, D3DUSAGE_DYNAMIC, D3DFMT_DXT1,
                                      D3DPOOL_DEFAULT, &strict, NULL));
    OK(IDirect3DDevice9_CreateTexture(device, 128, 128, 1, 0, D3DFMT_DXT1, D3DPOOL_MANAGED, &mild,
                                      NULL));
    REFUSED(IDirect3DTexture9_LockRect(strict, 0, &lock, &half, 0));
    OK(IDirect3DTexture9_LockRect(strict, 0, &lock, &block, 0));
    OK(IDirect3DTexture9_UnlockRect(strict, 0));
    OK(IDirect3DTexture9_LockRect(mild, 0, &lock, &half, 0));
    OK(IDirect3DTexture9_UnlockRect(mild, 0));
    release(strict);
    release(mild);

    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 2, D3DUSAGE_DYNAMIC, D3DFMT_DXT1,
                                      D3DPOOL_DEFAULT, &strict, NULL));
    OK(IDirect3DTexture9_LockRect(strict, 1, &lock, &small, 0));
    OK(IDirect3DTexture9_UnlockRect(strict, 1));
    REFUSED(IDirect3DTexture9_LockRect(strict, 1, &lock, &block, 0));
    release(strict);
    release(device);
}
END_TEST

START_TEST(volume_locks)
{
    static const D3DBOX good[] = {{0, 0, 2, 2, 0, 1}, {0, 0, 4, 4, 0, 1}, {1, 1, 2, 2, 1, 2}};
    static const D3DBOX bad[] = {{0, 0, 0, 4, 0, 1},  {0, 0, 4, 4, 1, 1}, {4, 0, 0, 4, 0, 1},
                                 {0, 0, 4, 4, 1, 0},  {0, 0, 8, 4, 0, 1}, {0, 0, 4, 4, 0, 3},
                                 {8, 0, 16, 4, 0, 1}, {0, 0, 4, 4, 2, 4}};
    IDirect3DDevice9 *device = create_device();
    IDirect3DVolumeTexture9 *volumes;
    D3DLOCKED_BOX all, lock;

    OK(IDirect3DDevice9_CreateVolumeTexture(device, 4, 4, 2, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH,
                                            &volumes, NULL));
    OK(IDirect3DVolumeTexture9_LockBox(volumes, 0, &all, NULL, 0));
    REFUSED(IDirect3DVolumeTexture9_LockBox(volumes, 0, &lock, NULL, 0));
    OK(IDirect3DVolumeTexture9_UnlockBox(volumes, 0));
    REFUSED(IDirect3DVolumeTexture9_UnlockBox(volumes, 0));
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        OK(IDirect3DVolumeTexture9_LockBox(volumes, 0, &lock, &good[i], 0));
        ck_assert_int_eq((char *)lock.pBits - (char *)all.pBits,
                         (int)good[i].Front * lock.SlicePitch + (int)good[i].Top * lock.RowPitch +
                             (int)good[i].Left * 4);
        OK(IDirect3DVolumeTexture9_UnlockBox(volumes, 0));
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        REFUSED(IDirect3DVolumeTexture9_LockBox(volumes, 0, &lock, &bad[i], 0));
    release(volumes);

    OK(IDirect3DDevice9_CreateVolumeTexture(device, 4, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                            &volumes, NULL));
    lock.pBits = device;
    REFUSED(IDirect3DVolumeTexture9_LockBox(volumes, 0, &lock, NULL, 0));
    ck_assert_ptr_null(lock.pBits);
    release(volumes);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(back_buffer_locks)
{
    IDirect3DDevice9 *device = create_device();
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DSurface9 *back;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    REFUSED(IDirect3DSurface9_LockRect(back, &lock, NULL, 0));
    release(back);
    p.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    OK(IDirect3DDevice9_Reset(device, &p));
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back));
    OK(IDirect3DSurface9_LockRect(back, &lock, NULL, D3DLOCK_DISCARD));
    OK(IDirect3DSurface9_UnlockRect(back));
    release(back);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* --- Buffers ---------------------------------------------------------------------------------- */

START_TEST(buffer_locks)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexBuffer9 *buffer;
    D3DVERTEXBUFFER_DESC desc;
    unsigned char *data, *again;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 1025, 0, D3DFVF_XYZ, D3DPOOL_MANAGED, &buffer,
                                           NULL));
    OK(IDirect3DVertexBuffer9_GetDesc(buffer, &desc));
    ck_assert_uint_eq(desc.Size, 1025);
    ck_assert_uint_eq(desc.FVF, D3DFVF_XYZ);
    ck_assert_int_eq(desc.Format, D3DFMT_VERTEXDATA);
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&data, 0));
    ck_assert_uint_eq((uintptr_t)data % 16, 0);
    memset(data, 0x77, 1025);
    OK(IDirect3DVertexBuffer9_Lock(buffer, 16, 4, (void **)&again, D3DLOCK_READONLY));
    ck_assert_ptr_eq(again, data + 16);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    REFUSED(IDirect3DVertexBuffer9_Unlock(buffer));
    /* Contents and address stay on DISCARD. */
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 1025, (void **)&again, D3DLOCK_DISCARD));
    ck_assert_ptr_eq(again, data);
    ck_assert_uint_eq(again[1024], 0x77);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    REFUSED(IDirect3DVertexBuffer9_Lock(buffer, 1026, 0, (void **)&again, 0));
    REFUSED(IDirect3DVertexBuffer9_Lock(buffer, 1000, 26, (void **)&again, 0));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, (void **)&again, 0xdeadbeef));
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    release(buffer);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(priorities)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *surface;
    IDirect3DTexture9 *texture;

    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED,
                                      &texture, NULL));
    ck_assert_uint_eq(IDirect3DTexture9_SetPriority(texture, 1), 0);
    ck_assert_uint_eq(IDirect3DTexture9_SetPriority(texture, 2), 1);
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
    ck_assert_uint_eq(IDirect3DSurface9_SetPriority(surface, 1), 0);
    ck_assert_uint_eq(IDirect3DSurface9_GetPriority(surface), 0);
    release(surface);
    release(texture);
    OK(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                      &texture, NULL));
    ck_assert_uint_eq(IDirect3DTexture9_SetPriority(texture, 1), 0);
    ck_assert_uint_eq(IDirect3DTexture9_GetPriority(texture), 0);
    release(texture);
    release(device);
}
END_TEST

/* --- User memory ------------------------------------------------------------------------------ */

START_TEST(user_memory)
{
    IDirect3DDevice9Ex *device = create_device_ex();
    unsigned char memory[33 * 33];
    HANDLE handle = memory;
    IDirect3DTexture9 *texture, *copy;
    IDirect3DVertexBuffer9 *buffer;
    D3DLOCKED_RECT lock;

    for (unsigned i = 0; i < sizeof(memory); i++)
        memory[i] = (unsigned char)(i * 7);
    REFUSED(IDirect3DDevice9Ex_CreateTexture(device, 33, 33, 0, 0, D3DFMT_L8, D3DPOOL_SYSTEMMEM,
                                             &texture, &handle));
    REFUSED(IDirect3DDevice9Ex_CreateTexture(device, 33, 33, 1, 0, D3DFMT_L8, D3DPOOL_SCRATCH,
                                             &texture, &handle));
    RETURNS(IDirect3DDevice9Ex_CreateVertexBuffer(device, 16, 0, 0, D3DPOOL_SYSTEMMEM, &buffer,
                                                  &handle),
            D3DERR_NOTAVAILABLE);
    OK(IDirect3DDevice9Ex_CreateTexture(device, 33, 33, 1, 0, D3DFMT_L8, D3DPOOL_SYSTEMMEM,
                                        &texture, &handle));
    OK(IDirect3DTexture9_LockRect(texture, 0, &lock, NULL, 0));
    ck_assert_int_eq(lock.Pitch, 33);
    ck_assert_ptr_eq(lock.pBits, memory);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));

    OK(IDirect3DDevice9Ex_CreateTexture(device, 33, 33, 1, D3DUSAGE_DYNAMIC, D3DFMT_L8,
                                        D3DPOOL_DEFAULT, &copy, NULL));
    OK(IDirect3DDevice9Ex_UpdateTexture(device, (IDirect3DBaseTexture9 *)texture,
                                        (IDirect3DBaseTexture9 *)copy));
    OK(IDirect3DTexture9_LockRect(copy, 0, &lock, NULL, D3DLOCK_READONLY));
    for (int y = 0; y < 33; y++)
        ck_assert_mem_eq((char *)lock.pBits + y * lock.Pitch, memory + 33 * y, 33);
    OK(IDirect3DTexture9_UnlockRect(copy, 0));
    release(copy);
    release(texture);
    REFUSED(IDirect3DDevice9Ex_CreateTexture(device, 16, 16, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED,
                                             &texture, NULL));
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

START_TEST(video_memory_falls)
{
    IDirect3DDevice9 *device = create_device();
    UINT before = IDirect3DDevice9_GetAvailableTextureMem(device), after;
    IDirect3DTexture9 *texture;

    OK(IDirect3DDevice9_CreateTexture(device, 1024, 1024, 1, D3DUSAGE_RENDERTARGET, D3DFMT_X8R8G8B8,
                                      D3DPOOL_DEFAULT, &texture, NULL));
    after = IDirect3DDevice9_GetAvailableTextureMem(device);
    ck_assert_uint_gt(before, after + 0x200000);
    release(texture);
    ck_assert_uint_eq(IDirect3DDevice9_GetAvailableTextureMem(device), before);
    release(device);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/resources");
    TCase *tc = tcase_create("resources");

    tcase_add_loop_test(tc, texture_access, 0, sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(tc, unknown_format_is_refused);
    tcase_add_test(tc, level_counts);
    tcase_add_test(tc, generated_levels_are_hidden);
    tcase_add_test(tc, lock_offsets);
    tcase_add_test(tc, block_sizes);
    tcase_add_test(tc, implied_usage);
    tcase_add_test(tc, second_lock_is_refused);
    tcase_add_loop_test(tc, bad_rectangles, 0, sizeof(bad_rects) / sizeof(bad_rects[0]));
    tcase_add_test(tc, block_rectangles);
    tcase_add_test(tc, volume_locks);
    tcase_add_test(tc, back_buffer_locks);
    tcase_add_test(tc, buffer_locks);
    tcase_add_test(tc, priorities);
    tcase_add_test(tc, user_memory);
    tcase_add_test(tc, video_memory_falls);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
