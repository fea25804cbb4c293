/* Tests of the functions beside Direct3D 9: settings before and after they are read, the log
 * callback, and hashes of surfaces. */
#include "api/novem/novem.h"

#include "api_test.h"
#include "util/log.h"
#include "util/version.h"

#include <stdio.h>

START_TEST(versions)
{
    ck_assert_str_eq(novem_version(), version_text());
    ck_assert_int_eq(novem_numerics_version(), atoi(NOVEM_NUMERICS));
    ck_assert_uint_eq(novem_interface(), NOVEM_INTERFACE);
    for (int result = NOVEM_FAILED; result <= NOVEM_OK; result++)
        ck_assert_str_ne(novem_result_text(result), novem_result_text(1));
}
END_TEST

/* --- Settings --------------------------------------------------------------------------------- */

START_TEST(settings)
{
    setenv("NOVEM_CONFIG", "/dev/null", 1);
    setenv("NOVEM_TILE_SIZE", "16", 1);
    ck_assert_int_eq(novem_set(NULL, "1"), NOVEM_INVALID_ARGUMENT);
    ck_assert_int_eq(novem_set("THREADS", NULL), NOVEM_INVALID_ARGUMENT);
    ck_assert_int_eq(novem_set("THREAD", "1"), NOVEM_UNKNOWN_SETTING);
    ck_assert_int_eq(novem_set("THREADS", "one"), NOVEM_INVALID_VALUE);
    ck_assert_int_eq(novem_set("threads", "3"), NOVEM_OK);
    ck_assert_int_eq(novem_set("TILE_SIZE", "8"), NOVEM_OK);
    ck_assert_int_eq(novem_set("LOG", "error"), NOVEM_OK);
    ck_assert_ptr_null(novem_setting(NULL));
    ck_assert_ptr_null(novem_setting("COLOUR"));
    ck_assert_str_eq(novem_setting("Threads"), "3");
    ck_assert_str_eq(novem_setting("TILE_SIZE"), "16"); /* the user wins */
    ck_assert_str_eq(novem_setting("JIT"), "on");
    ck_assert_int_eq(log_level("api"), LOG_ERROR);
    ck_assert_int_eq(novem_set("THREADS", "2"), NOVEM_TOO_LATE);
    ck_assert_str_eq(novem_setting("THREADS"), "3");
}
END_TEST

START_TEST(devices_read_the_settings)
{
    IDirect3DDevice9 *device;
    D3DCAPS9 caps;

    ck_assert_int_eq(novem_set("SHADER_MODEL", "2"), NOVEM_OK);
    device = create_device();
    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    ck_assert_uint_eq(caps.PixelShaderVersion, D3DPS_VERSION(2, 0));
    ck_assert_int_eq(novem_set("SHADER_MODEL", "3"), NOVEM_TOO_LATE);
    release(device);
}
END_TEST

/* --- Log -------------------------------------------------------------------------------------- */

static char last[128];
static int last_level;

static void keep(void *context, int level, const char *line)
{
    ++*(unsigned *)context;
    last_level = level;
    snprintf(last, sizeof(last), "%s", line);
}

START_TEST(log_callback)
{
    unsigned first = 0, second = 0;

    novem_set_log(keep, &first);
    log_warn("tex", "format %d", 3);
    ck_assert_str_eq(last, "novem: tex: format 3");
    ck_assert_int_eq(last_level, NOVEM_LOG_WARN);
    novem_set_log(keep, &second);
    log_error("api", "refused");
    ck_assert_int_eq(last_level, NOVEM_LOG_ERROR);
    novem_set_log(NULL, NULL);
    log_set_level(LOG_NONE);
    log_error("api", "unheard");
    ck_assert_uint_eq(first, 1);
    ck_assert_uint_eq(second, 1);
}
END_TEST

/* --- Surfaces --------------------------------------------------------------------------------- */

static uint64_t hash_of(IDirect3DSurface9 *surface)
{
    uint64_t hash = 0;

    ck_assert_int_eq(novem_surface_hash(surface, &hash), NOVEM_OK);
    ck_assert_uint_ne(hash, 0);
    return hash;
}

/* A target has the hash of its copy in system memory, and another one after a draw. */
START_TEST(hash_of_targets)
{
    IDirect3DDevice9 *device = create_device();
    const RECT corner = {36, 4, 37, 5};
    IDirect3DSurface9 *target, *copy, *other;
    uint64_t red;

    OK(IDirect3DDevice9_CreateRenderTarget(device, 37, 5, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0,
                                           FALSE, &target, NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 37, 5, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 5, 37, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                                    &other, NULL));
    OK(IDirect3DDevice9_ColorFill(device, target, NULL, 0xffff0000));
    OK(IDirect3DDevice9_ColorFill(device, other, NULL, 0xffff0000));
    OK(IDirect3DDevice9_GetRenderTargetData(device, target, copy));
    red = hash_of(target);
    ck_assert_uint_eq(red, UINT64_C(17044042855741371743));
    ck_assert_uint_eq(hash_of(copy), red);
    ck_assert_uint_ne(hash_of(other), red);
    OK(IDirect3DDevice9_ColorFill(device, target, &corner, 0xffff0001));
    ck_assert_uint_ne(hash_of(target), red);
    ck_assert_uint_eq(hash_of(copy), red);
    release(target);
    release(copy);
    release(other);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(hash_of_blocks)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *surface;
    IDirect3DTexture9 *texture;
    D3DLOCKED_RECT locked;
    uint64_t zero;

    OK(IDirect3DDevice9_CreateTexture(device, 8, 8, 1, 0, D3DFMT_DXT5, D3DPOOL_MANAGED, &texture,
                                      NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface));
    zero = hash_of(surface);
    OK(IDirect3DSurface9_LockRect(surface, &locked, NULL, 0));
    ((uint8_t *)locked.pBits)[locked.Pitch + 31] = 1; /* the last byte */
    OK(IDirect3DSurface9_UnlockRect(surface));
    ck_assert_uint_ne(hash_of(surface), zero);
    release(surface);
    release(texture);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(hash_refuses)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *depth, *samples, *plain;
    D3DLOCKED_RECT locked;
    uint64_t hash = 1;

    OK(IDirect3DDevice9_GetDepthStencilSurface(device, &depth));
    OK(IDirect3DDevice9_CreateRenderTarget(device, 8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES,
                                           0, FALSE, &samples, NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 8, 8, D3DFMT_L8, D3DPOOL_SYSTEMMEM,
                                                    &plain, NULL));
    ck_assert_int_eq(novem_surface_hash(NULL, &hash), NOVEM_INVALID_ARGUMENT);
    ck_assert_uint_eq(hash, 0);
    ck_assert_int_eq(novem_surface_hash(plain, NULL), NOVEM_INVALID_ARGUMENT);
    ck_assert_int_eq(novem_surface_hash(depth, &hash), NOVEM_INVALID_ARGUMENT);
    ck_assert_int_eq(novem_surface_hash(samples, &hash), NOVEM_INVALID_ARGUMENT);
    OK(IDirect3DSurface9_LockRect(plain, &locked, NULL, 0));
    ck_assert_int_eq(novem_surface_hash(plain, &hash), NOVEM_INVALID_ARGUMENT);
    OK(IDirect3DSurface9_UnlockRect(plain));
    ck_assert_int_eq(novem_surface_hash(plain, &hash), NOVEM_OK);
    release(depth);
    release(samples);
    release(plain);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("novem");
    TCase *tc = tcase_create("novem");

    tcase_add_test(tc, versions);
    tcase_add_test(tc, settings);
    tcase_add_test(tc, devices_read_the_settings);
    tcase_add_test(tc, log_callback);
    tcase_add_test(tc, hash_of_targets);
    tcase_add_test(tc, hash_of_blocks);
    tcase_add_test(tc, hash_refuses);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
