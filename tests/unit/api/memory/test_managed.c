/* Tests of managed textures with a device copy (reference: locks/managed): addresses, bindings,
 * memory. tests/conformance/lock tests what draws show. */
#include "api_test.h"

#include "util/alloc.h"

struct vertex {
    float x, y, z, rhw, u, v;
};

static void draw(IDirect3DDevice9 *device)
{
    static const struct vertex quad[] = {{-0.5f, -0.5f, 0, 1, 0, 0},
                                         {639.5f, -0.5f, 0, 1, 1, 0},
                                         {-0.5f, 479.5f, 0, 1, 0, 1},
                                         {639.5f, 479.5f, 0, 1, 1, 1}};

    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof(quad[0])));
    OK(IDirect3DDevice9_EndScene(device));
}

static IDirect3DTexture9 *drawn_texture(IDirect3DDevice9 *device)
{
    IDirect3DTexture9 *texture;

    OK(IDirect3DDevice9_CreateTexture(device, 8, 8, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED,
                                      &texture, NULL));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    draw(device);
    return texture;
}

static char *touch(IDirect3DTexture9 *texture, UINT level, DWORD flags)
{
    D3DLOCKED_RECT lock;

    OK(IDirect3DTexture9_LockRect(texture, level, &lock, NULL, flags));
    memset(lock.pBits, 0x55, (size_t)lock.Pitch * (8u >> level));
    OK(IDirect3DTexture9_UnlockRect(texture, level));
    return lock.pBits;
}

/* Also of a locked level while a lock of another creates the device copy, and across
 * EvictManagedResources. */
START_TEST(addresses_stay)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DTexture9 *texture = drawn_texture(device);
    char *first = touch(texture, 0, 0);
    D3DLOCKED_RECT open;

    draw(device);
    OK(IDirect3DTexture9_LockRect(texture, 1, &open, NULL, 0));
    ck_assert_ptr_eq((char *)open.pBits, first + 8 * 8 * 4);
    ck_assert_ptr_eq(touch(texture, 0, D3DLOCK_NO_DIRTY_UPDATE), first);
    memset(open.pBits, 0x66, 4 * 4 * 4);
    OK(IDirect3DTexture9_UnlockRect(texture, 1));
    draw(device);
    ck_assert_ptr_eq(touch(texture, 0, 0), first);
    OK(IDirect3DDevice9_EvictManagedResources(device));
    ck_assert_ptr_eq(touch(texture, 0, 0), first);
    OK(IDirect3DTexture9_LockRect(texture, 1, &open, NULL, D3DLOCK_READONLY));
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(((char *)open.pBits)[i], 0x66);
    OK(IDirect3DTexture9_UnlockRect(texture, 1));
    release(texture);
    release(device);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* Only a NO_DIRTY_UPDATE lock after a draw creates a device copy. */
START_TEST(usual_locks_create_no_copy)
{
    setenv("NOVEM_THREADS", "1", 1); /* no other thread allocates meanwhile */
    IDirect3DDevice9 *device = create_device();
    IDirect3DTexture9 *texture = drawn_texture(device);
    long blocks = mem_live_blocks();

    touch(texture, 0, 0);
    touch(texture, 1, D3DLOCK_READONLY);
    touch(texture, 0, D3DLOCK_READONLY | D3DLOCK_NO_DIRTY_UPDATE);
    draw(device);
    OK(IDirect3DDevice9_EvictManagedResources(device));
    touch(texture, 0, D3DLOCK_NO_DIRTY_UPDATE); /* all is dirty already */
    ck_assert_int_eq(mem_live_blocks(), blocks);
    draw(device);
    touch(texture, 0, D3DLOCK_NO_DIRTY_UPDATE);
    ck_assert_int_gt(mem_live_blocks(), blocks);
    OK(IDirect3DDevice9_EvictManagedResources(device));
    ck_assert_int_eq(mem_live_blocks(), blocks);
    release(texture);
    release(device);
}
END_TEST

/* The device's lists stay consistent in any order of release, bound or not. */
START_TEST(many_textures)
{
    IDirect3DDevice9 *device = create_device();
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DTexture9 *t[5];

    for (int i = 0; i < 5; i++) {
        t[i] = drawn_texture(device);
        if (i != 3)
            touch(t[i], 0, D3DLOCK_NO_DIRTY_UPDATE);
    }
    release(t[1]);
    draw(device);
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)t[2]));
    release(t[4]);
    release(t[2]); /* bound: stays alive */
    draw(device);
    OK(IDirect3DDevice9_EvictManagedResources(device));
    draw(device);
    touch(t[0], 0, D3DLOCK_NO_DIRTY_UPDATE);
    IDirect3DTexture9_PreLoad(t[0]);
    IDirect3DTexture9_PreLoad(t[3]);
    OK(IDirect3DDevice9_Reset(device, &p));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)t[0]));
    draw(device);
    release(t[0]);
    release(t[3]);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* Without memory for the device copy the lock fails, and nothing else changes. */
START_TEST(no_memory)
{
    setenv("NOVEM_THREADS", "1", 1);
    IDirect3DDevice9 *device = create_device();
    IDirect3DTexture9 *texture = drawn_texture(device);
    D3DLOCKED_RECT lock;
    HRESULT hr = D3D_OK;

    for (int fail = 0; fail < 20; fail++) {
        mem_fail_after(fail);
        hr = IDirect3DTexture9_LockRect(texture, 0, &lock, NULL, D3DLOCK_NO_DIRTY_UPDATE);
        mem_fail_after(-1);
        if (SUCCEEDED(hr))
            break;
        RETURNS(hr, E_OUTOFMEMORY);
    }
    OK(hr);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    draw(device);
    release(texture);
    ck_assert_uint_eq(release(device), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/managed");
    TCase *tc = tcase_create("managed");

    tcase_add_test(tc, addresses_stay);
    tcase_add_test(tc, usual_locks_create_no_copy);
    tcase_add_test(tc, many_textures);
    tcase_add_test(tc, no_memory);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
