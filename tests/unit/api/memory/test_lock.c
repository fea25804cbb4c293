/* Tests of locks of textures, surfaces and volumes: addresses and call order. */
#include "api_test.h"

START_TEST(lock_offsets)
{
    static const struct {
        D3DFORMAT format;
        INT pitch;
        size_t rows; /* rows that applications write */
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
        if (cases[i].pitch != 128) /* ATI formats return a copy */
            ck_assert_int_eq((char *)part.pBits - (char *)all.pBits, cases[i].offset);
        ck_assert_uint_eq(*(unsigned char *)part.pBits, 0x5a);
        OK(IDirect3DSurface9_UnlockRect(surface));
        release(surface);
    }
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

    /* Textures tolerate it, surfaces of cube textures do not, cube textures do. */
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

/* Other pools accept any rectangle and compute the address; the dirty region is clipped. */
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

/* A lockable surface that stays bound gets a staging copy after some stalls. Draws go on to that
 * copy, and each lock sees them. */
START_TEST(locks_of_bound_surfaces)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *target, *depth;

    OK(IDirect3DDevice9_CreateRenderTarget(device, 64, 64, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0,
                                           TRUE, &target, NULL));
    OK(IDirect3DDevice9_CreateDepthStencilSurface(device, 64, 64, D3DFMT_D16_LOCKABLE,
                                                  D3DMULTISAMPLE_NONE, 0, FALSE, &depth, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, depth));
    for (DWORD i = 0; i < 8; i++) {
        DWORD colour = 0xff000000 | i << 16 | (255 - i);
        D3DLOCKED_RECT lock;

        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, colour, 1, 0));
        OK(IDirect3DSurface9_LockRect(target, &lock, NULL, 0));
        ck_assert_uint_eq(*(const DWORD *)lock.pBits, colour);
        OK(IDirect3DSurface9_UnlockRect(target));
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, (float)i / 65535, 0));
        OK(IDirect3DSurface9_LockRect(depth, &lock, NULL, 0));
        ck_assert_uint_eq(*(const uint16_t *)lock.pBits, i);
        OK(IDirect3DSurface9_UnlockRect(depth));
    }
    release(target);
    release(depth);
    release(device);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/lock");
    TCase *tc = tcase_create("locks");

    tcase_add_test(tc, lock_offsets);
    tcase_add_test(tc, second_lock_is_refused);
    tcase_add_loop_test(tc, bad_rectangles, 0, sizeof(bad_rects) / sizeof(bad_rects[0]));
    tcase_add_test(tc, block_rectangles);
    tcase_add_test(tc, volume_locks);
    tcase_add_test(tc, back_buffer_locks);
    tcase_add_test(tc, locks_of_bound_surfaces);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
