/* Tests of dirty regions: what UpdateTexture copies (reference: copy/updatetexture-dirty). */
#include "api_test.h"

static void fill_texture(IDirect3DTexture9 *texture, DWORD colour, const RECT *rect, DWORD flags)
{
    UINT w = rect ? (UINT)(rect->right - rect->left) : 64, h = rect ? w : 64;
    D3DLOCKED_RECT lock;

    OK(IDirect3DTexture9_LockRect(texture, 0, &lock, rect, flags));
    for (UINT y = 0; y < h; y++)
        for (UINT x = 0; x < w; x++)
            memcpy((char *)lock.pBits + (int)y * lock.Pitch + x * 4, &colour, 4);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
}

static void expect(IDirect3DTexture9 *texture, DWORD centre, DWORD corner)
{
    IDirect3DSurface9 *surface;

    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
    ck_assert_uint_eq(surface_pixel(surface, 32, 32), centre);
    ck_assert_uint_eq(surface_pixel(surface, 1, 1), corner);
    release(surface);
}

/* The source owns the dirty region, and a copy clears it (reference: copy/updatetexture-dirty). */
START_TEST(dirty_regions)
{
    static const RECT part = {24, 24, 40, 40};
    IDirect3DDevice9 *device = create_device();
    IDirect3DTexture9 *src, *one, *two;

    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM,
                                      &src, NULL));
    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 1, D3DUSAGE_DYNAMIC, D3DFMT_X8R8G8B8,
                                      D3DPOOL_DEFAULT, &one, NULL));
    OK(IDirect3DDevice9_CreateTexture(device, 64, 64, 1, D3DUSAGE_DYNAMIC, D3DFMT_X8R8G8B8,
                                      D3DPOOL_DEFAULT, &two, NULL));
#define UPDATE(dst)                                                                                \
    OK(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)src,                        \
                                      (IDirect3DBaseTexture9 *)(dst)))
    fill_texture(src, 0x80, NULL, D3DLOCK_NO_DIRTY_UPDATE);
    UPDATE(one); /* new textures are dirty */
    expect(one, 0x80, 0x80);
    UPDATE(two); /* clean after the copy */
    expect(two, 0, 0);
    OK(IDirect3DTexture9_AddDirtyRect(one, NULL)); /* of the destination: no effect */
    fill_texture(src, 0x90, NULL, D3DLOCK_READONLY);
    UPDATE(one);
    expect(one, 0x80, 0x80);
    OK(IDirect3DTexture9_AddDirtyRect(src, &part));
    UPDATE(one);
    expect(one, 0x90, 0x80);
    fill_texture(src, 0xa0, NULL, 0);
    UPDATE(one);
    expect(one, 0xa0, 0xa0);
    fill_texture(src, 0xb0, &part, 0);
    UPDATE(one);
    expect(one, 0xb0, 0xa0);
    REFUSED(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)one,
                                           (IDirect3DBaseTexture9 *)two));
    release(src);
    release(one);
    release(two);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/dirty");
    TCase *tc = tcase_create("dirty");

    tcase_add_test(tc, dirty_regions);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
