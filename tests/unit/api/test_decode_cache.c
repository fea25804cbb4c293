/* Tests of the decode cache under load: textures that are decoded during draws give the same
 * picture with any number of threads, and when memory for decoded copies is short. */
#include "api_test.h"

#include "util/alloc.h"

#include <stdio.h>

enum { TEXTURE_SIZE = 512, WIDTH = 640, HEIGHT = 480 };

static IDirect3DDevice9 *create_device_threads(int threads)
{
    char number[8];

    snprintf(number, sizeof(number), "%d", threads);
    setenv("NOVEM_THREADS", number, 1);
    setenv("NOVEM_SINK", "none", 1);
    return create_device();
}

static void fill(IDirect3DTexture9 *texture, uint32_t noise)
{
    for (UINT level = 0; level < IDirect3DTexture9_GetLevelCount(texture); level++) {
        D3DSURFACE_DESC desc;
        D3DLOCKED_RECT locked;
        UINT rows;

        OK(IDirect3DTexture9_GetLevelDesc(texture, level, &desc));
        OK(IDirect3DTexture9_LockRect(texture, level, &locked, NULL, 0));
        rows = desc.Format == D3DFMT_YUY2 ? desc.Height : (desc.Height + 3) / 4;
        for (UINT i = 0; i < rows * (UINT)locked.Pitch; i++) {
            noise = noise * 1664525u + 1013904223u;
            ((uint8_t *)locked.pBits)[i] = (uint8_t)(noise >> 24);
        }
        OK(IDirect3DTexture9_UnlockRect(texture, level));
    }
}

static IDirect3DTexture9 *make_texture(IDirect3DDevice9 *device, D3DFORMAT format, UINT levels)
{
    IDirect3DTexture9 *texture;

    OK(IDirect3DDevice9_CreateTexture(device, TEXTURE_SIZE, TEXTURE_SIZE, levels, 0, format,
                                      D3DPOOL_MANAGED, &texture, NULL));
    fill(texture, (uint32_t)format);
    return texture;
}

static HRESULT draw(IDirect3DDevice9 *device, IDirect3DTexture9 *texture, float texels)
{
    static const float w = WIDTH, h = HEIGHT;
    const float corner[4][6] = {{0, 0, 0.5f, 1, 0.1f, 0.2f},
                                {w, 0, 0.5f, 1, texels, 0.4f},
                                {0, h, 0.5f, 0.2f, 0, texels},
                                {w, h, 0.5f, 0.3f, texels, texels}};
    HRESULT hr;

    for (DWORD state = D3DSAMP_MAGFILTER; state <= D3DSAMP_MIPFILTER; state++)
        OK(IDirect3DDevice9_SetSamplerState(device, 0, (D3DSAMPLERSTATETYPE)state, D3DTEXF_LINEAR));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1));
    OK(IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_BeginScene(device));
    hr =
        IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corner, sizeof(corner[0]));
    OK(IDirect3DDevice9_EndScene(device));
    return hr;
}

static uint64_t picture_below(IDirect3DDevice9 *device, UINT top)
{
    IDirect3DSurface9 *target, *copy;
    D3DLOCKED_RECT locked;
    uint64_t hash = 1;

    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &target));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, WIDTH, HEIGHT, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(device, target, copy));
    OK(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY));
    for (UINT y = top; y < HEIGHT; y++)
        for (UINT x = 0; x < WIDTH * 4; x++)
            hash = (hash ^ ((uint8_t *)locked.pBits)[y * (UINT)locked.Pitch + x]) *
                   UINT64_C(1099511628211);
    OK(IDirect3DSurface9_UnlockRect(copy));
    release(copy);
    release(target);
    return hash;
}

static uint64_t picture(IDirect3DDevice9 *device)
{
    return picture_below(device, 0);
}

/* Draws all textures over one another, with changes between, and hashes the picture. */
static uint64_t pictures(int threads)
{
    static const D3DFORMAT formats[] = {D3DFMT_DXT1, D3DFMT_DXT5, D3DFMT_YUY2};
    IDirect3DDevice9 *device = create_device_threads(threads);
    uint64_t hash = 0;

    for (unsigned i = 0; i < 3; i++) {
        IDirect3DTexture9 *texture = make_texture(device, formats[i], i == 2 ? 1 : 0);

        OK(draw(device, texture, 0.3f));
        hash = hash * 31 + picture(device);
        OK(draw(device, texture, 3.0f));
        hash = hash * 31 + picture(device);
        fill(texture, i);
        OK(draw(device, texture, 1.0f));
        hash = hash * 31 + picture(device);
        OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
        release(texture);
    }
    ck_assert_uint_eq(release(device), 0);
    return hash;
}

START_TEST(thread_counts_give_equal_pixels)
{
    ck_assert_uint_eq(pictures(_i), pictures(1));
}
END_TEST

/* A draw between lock and unlock sees the texture before or after the write, never a mixture. */
START_TEST(drawn_while_locked)
{
    enum { TOP = 8 };
    IDirect3DDevice9 *device = create_device_threads(_i);
    IDirect3DTexture9 *texture = make_texture(device, D3DFMT_DXT1, 1);
    const RECT corner = {0, 0, TOP, TOP};
    D3DLOCKED_RECT locked;
    uint64_t old, mixed;

    OK(draw(device, texture, 3.0f)); /* decodes all of it */
    OK(draw(device, texture, 1.0f));
    old = picture_below(device, TOP);
    OK(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0));
    OK(draw(device, texture, 1.0f));
    for (UINT i = 0; i < TEXTURE_SIZE / 4 * (UINT)locked.Pitch; i++)
        ((uint8_t *)locked.pBits)[i] ^= 0x5a;
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    OK(IDirect3DDevice9_SetScissorRect(device, &corner));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SCISSORTESTENABLE, TRUE));
    OK(draw(device, texture, 1.0f));
    mixed = picture_below(device, TOP);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SCISSORTESTENABLE, FALSE));
    OK(draw(device, texture, 1.0f));
    ck_assert_uint_ne(picture_below(device, TOP), old);
    ck_assert(mixed == old || mixed == picture_below(device, TOP));
    OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
    release(texture);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* A draw without memory fails and draws nothing; the next one is complete. */
START_TEST(short_of_memory)
{
    IDirect3DDevice9 *device = create_device_threads(1);
    IDirect3DTexture9 *texture = make_texture(device, D3DFMT_DXT5, 1);
    uint64_t black, expected;
    unsigned failed = 0;

    OK(draw(device, texture, 1.0f));
    expected = picture(device);
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0));
    black = picture(device);
    ck_assert_uint_ne(black, expected);
    for (int n = 0;; n++) {
        IDirect3DTexture9 *fresh = make_texture(device, D3DFMT_DXT5, 1);
        HRESULT hr;

        OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)fresh));
        mem_fail_after(n);
        hr = draw(device, fresh, 1.0f);
        mem_fail_after(-1);
        if (FAILED(hr)) {
            RETURNS(hr, E_OUTOFMEMORY);
            ck_assert_uint_eq(picture(device), black);
            failed++;
        }
        OK(draw(device, fresh, 1.0f));
        ck_assert_uint_eq(picture(device), expected);
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0));
        OK(IDirect3DDevice9_SetTexture(device, 0, NULL));
        release(fresh);
        if (SUCCEEDED(hr))
            break;
        ck_assert_int_lt(n, 100);
    }
    ck_assert_uint_ge(failed, 5); /* the decoded copy alone takes five blocks */
    release(texture);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/decode_cache");
    TCase *tc = tcase_create("decoded");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, thread_counts_give_equal_pixels, 2, 5);
    tcase_add_loop_test(tc, drawn_while_locked, 1, 3);
    tcase_add_test(tc, short_of_memory);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
