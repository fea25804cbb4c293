/* Log lines of devices: what they are, Resets, calls that fail, locks that wait. */
#include "api_test.h"
#include "util/log.h"

#include <stdio.h>

static char lines[64][1024];
static unsigned n;

static void keep(void *ctx, enum log_level level, const char *line)
{
    (void)ctx;
    (void)level;
    if (n < 64)
        snprintf(lines[n++], sizeof(lines[0]), "%s", line);
}

static const char *find(const char *text)
{
    for (unsigned i = 0; i < n; i++)
        if (strstr(lines[i], text))
            return lines[i];
    return NULL;
}

static void expect(unsigned count, const char *text)
{
    unsigned found = 0;

    for (unsigned i = 0; i < n; i++)
        found += strstr(lines[i], text) != NULL;
    ck_assert_msg(found == count, "'%s' in %u lines of %u, the last: %s", text, found, n,
                  n ? lines[n - 1] : "none");
}

static void setup(void)
{
    setenv("NOVEM_LOG", "info", 1);
    setenv("NOVEM_THREADS", "3", 1);
    setenv("NOVEM_MUL_ZERO", "ieee", 1);
    setenv("NOVEM_TILE_SIZE", "32", 1);
    log_set_sink(keep, NULL);
}

static void teardown(void)
{
    log_set_sink(NULL, NULL);
}

START_TEST(a_device_and_its_resets)
{
    IDirect3DDevice9 *device = create_device();
    D3DPRESENT_PARAMETERS p = test_parameters();
    const char *line = find("device of Novem ");
    IDirect3DSurface9 *target;

    ck_assert_ptr_nonnull(line);
    ck_assert_ptr_nonnull(strstr(line, " 3 threads, "));
    ck_assert_ptr_nonnull(strstr(line, sizeof(void *) == 8 ? " 64 bit, " : " 32 bit, "));
    ck_assert_ptr_nonnull(strstr(line, "; program test_report; HAL, hardware vertex processing, "
                                       "640x480 A8R8G8B8 in a window; MUL_ZERO=ieee; "
                                       "no novem.conf"));
    ck_assert_ptr_null(strstr(line, "TILE_SIZE")); /* changes no picture */
    p.BackBufferWidth = 320;
    OK(IDirect3DDevice9_Reset(device, &p));
    expect(1, "api: Reset: 320x480 A8R8G8B8 in a window");
    OK(IDirect3DDevice9_CreateRenderTarget(device, 16, 16, D3DFMT_A8R8G8B8, 0, 0, FALSE, &target,
                                           NULL));
    REFUSED(IDirect3DDevice9_Reset(device, &p));
    REFUSED(IDirect3DDevice9_Reset(device, &p));
    expect(1, "Reset failed (D3DERR_INVALIDCALL): the program holds 1 resources");
    for (unsigned i = 0; i < 3; i++)
        RETURNS(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL), D3DERR_DEVICELOST);
    expect(1, "the device is lost: a Reset failed");
    IDirect3DSurface9_Release(target);
    OK(IDirect3DDevice9_Reset(device, &p));
    p.SwapEffect = 77;
    REFUSED(IDirect3DDevice9_Reset(device, &p));
    expect(1, "Reset A8R8G8B8 failed (D3DERR_INVALIDCALL): 320x480 A8R8G8B8 in a window, 1 back "
              "buffers, swap effect 77, ");
    IDirect3DDevice9_Release(device);
}
END_TEST

START_TEST(devices_that_are_refused)
{
    IDirect3D9 *d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DDevice9 *device;

    REFUSED(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, 0, &p, &device));
    expect(1, "CreateDevice failed (D3DERR_INVALIDCALL): flags 0x0");
    p.BackBufferFormat = D3DFMT_DXT1;
    REFUSED(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL,
                                    D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &device));
    expect(1, "CreateDevice DXT1 failed (D3DERR_INVALIDCALL): 640x480 DXT1 in a window");
    expect(0, "device of Novem");
    IDirect3D9_Release(d3d9);
}
END_TEST

/* One line for each call and format, however often it fails. */
START_TEST(calls_that_fail)
{
    IDirect3DDevice9 *device = create_device();
    IDirect3DVertexBuffer9 *buffer;
    IDirect3DTexture9 *texture;
    IDirect3DSurface9 *surface;
    D3DLOCKED_RECT locked;
    IDirect3D9 *d3d9;

    for (unsigned i = 0; i < 3; i++) {
        REFUSED(IDirect3DDevice9_CreateTexture(device, 1u << i, 4, 0, D3DUSAGE_RENDERTARGET,
                                               D3DFMT_DXT1, D3DPOOL_DEFAULT, &texture, NULL));
        REFUSED(IDirect3DDevice9_CreateTexture(device, 4, 4, 0, 0,
                                               (D3DFORMAT)MAKEFOURCC('N', 'O', 'N', 'E'),
                                               D3DPOOL_DEFAULT, &texture, NULL));
        REFUSED(IDirect3DDevice9_CreateDepthStencilSurface(device, 4, 4, D3DFMT_A8R8G8B8, 0, 0,
                                                           FALSE, &surface, NULL));
        REFUSED(
            IDirect3DDevice9_CreateVertexBuffer(device, 0, 0, 0, D3DPOOL_DEFAULT, &buffer, NULL));
        REFUSED(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, 1));
    }
    expect(1, "CreateTexture DXT1 failed (D3DERR_INVALIDCALL): 1x4x1, 0 levels, usage 0x1, pool 0");
    expect(1, "CreateTexture NONE failed");
    expect(1, "CreateDepthStencilSurface A8R8G8B8 failed");
    expect(1, "CreateVertexBuffer failed (D3DERR_INVALIDCALL): 0 bytes");
    expect(1, "a draw failed (D3DERR_INVALIDCALL): no vertex declaration or FVF is set");
    OK(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &surface));
    REFUSED(IDirect3DSurface9_LockRect(surface, &locked, NULL, 0));
    expect(1, "LockRect of a back buffer A8R8G8B8 failed");
    IDirect3DSurface9_Release(surface);
    OK(IDirect3DDevice9_GetDirect3D(device, &d3d9));
    for (unsigned i = 0; i < 3; i++)
        RETURNS(IDirect3D9_CheckDeviceFormat(d3d9, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8,
                                             D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, D3DFMT_DXT5),
                D3DERR_NOTAVAILABLE);
    expect(1, "CheckDeviceFormat DXT5 failed (D3DERR_NOTAVAILABLE): resource type 1, usage 0x1");
    IDirect3D9_Release(d3d9);
    IDirect3DDevice9_Release(device);
}
END_TEST

/* Warnings alone pass by default. */
START_TEST(the_usual_level)
{
    IDirect3DDevice9 *device;
    IDirect3DSurface9 *surface;
    D3DLOCKED_RECT locked;

    setenv("NOVEM_LOG", "warn", 1);
    device = create_device();
    OK(IDirect3DDevice9_CreateRenderTarget(device, 64, 64, D3DFMT_A8R8G8B8, 0, 0, TRUE, &surface,
                                           NULL));
    OK(IDirect3DDevice9_ColorFill(device, surface, NULL, 17));
    OK(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY));
    IDirect3DSurface9_UnlockRect(surface);
    IDirect3DSurface9_Release(surface);
    IDirect3DDevice9_Release(device);
    ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(locks_that_wait)
{
    static const float triangle[] = {0, 0, 0, 1, 64, 0, 0, 1, 0, 32, 0, 1};
    IDirect3DDevice9 *device = create_device();
    IDirect3DSurface9 *target, *copy;
    D3DLOCKED_RECT locked;

    OK(IDirect3DDevice9_CreateRenderTarget(device, 64, 32, D3DFMT_A8R8G8B8, 0, 0, TRUE, &target,
                                           NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, 64, 32, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY)); /* nothing to wait for */
    IDirect3DSurface9_UnlockRect(copy);
    expect(0, "slow: ");
    for (unsigned i = 0; i < 3; i++) {
        /* A draw leaves the scene open, so the lock finds work whatever the renderer's speed. */
        OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
        OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
        OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
        OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, 16));
        OK(IDirect3DSurface9_LockRect(target, &locked, NULL, D3DLOCK_READONLY));
        IDirect3DSurface9_UnlockRect(target);
    }
    expect(1, "slow: Lock or GetDC of a render target (64x32 A8R8G8B8) waits for the renderer");
    IDirect3DSurface9_Release(copy);
    IDirect3DSurface9_Release(target);
    IDirect3DDevice9_Release(device);
    expect(1, "device released after 0 frames: 3 locks waited ");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/report");
    TCase *tc = tcase_create("report");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_device_and_its_resets);
    tcase_add_test(tc, devices_that_are_refused);
    tcase_add_test(tc, calls_that_fail);
    tcase_add_test(tc, the_usual_level);
    tcase_add_test(tc, locks_that_wait);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
