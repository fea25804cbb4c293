/* Tests of the setting RESOLUTION: the desktop's size, the largest mode, and back buffers of size 0
 * (reference: device/resolution). */
#include "api_test.h"

#include <stdlib.h>

START_TEST(desktop_and_largest_mode)
{
    IDirect3D9 *d3d9;
    D3DDISPLAYMODE mode;
    UINT count;

    setenv("NOVEM_RESOLUTION", "1300X700", 1);
    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    OK(IDirect3D9_GetAdapterDisplayMode(d3d9, 0, &mode));
    ck_assert(mode.Width == 1300 && mode.Height == 700);
    count = IDirect3D9_GetAdapterModeCount(d3d9, 0, D3DFMT_X8R8G8B8);
    ck_assert_uint_gt(count, 3);
    for (UINT i = 0; i < count; i++) {
        OK(IDirect3D9_EnumAdapterModes(d3d9, 0, D3DFMT_X8R8G8B8, i, &mode));
        ck_assert(mode.Width <= 1300 && mode.Height <= 700);
    }
    ck_assert(mode.Width == 1300 && mode.Height == 700);
    REFUSED(IDirect3D9_EnumAdapterModes(d3d9, 0, D3DFMT_X8R8G8B8, count, &mode));
    ck_assert_uint_eq(IDirect3D9_GetAdapterModeCount(d3d9, 0, D3DFMT_DXT1), 0);
    ck_assert_uint_eq(release(d3d9), 0);
}
END_TEST

static const struct {
    BOOL windowed;
    UINT width, height, got_width, got_height; /* got_width 0: refused */
} buffers[] = {
    {TRUE, 0, 0, 1300, 700},         {TRUE, 0, 300, 1300, 300},   {TRUE, 320, 240, 320, 240},
    {FALSE, 1300, 700, 1300, 700},   {FALSE, 640, 480, 640, 480}, {FALSE, 0, 0, 0, 0},
    {FALSE, 1920, 1080, 1920, 1080}, {FALSE, 1301, 700, 0, 0}, /* not a mode */
};

/* A program that asks for a size keeps it, even one that no mode of the list has any more. */
START_TEST(back_buffers)
{
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3DDevice9 *device;
    D3DDISPLAYMODE mode;

    setenv("NOVEM_RESOLUTION", "1300x700", 1);
    device = create_device();
    p.Windowed = buffers[_i].windowed;
    p.BackBufferFormat = D3DFMT_X8R8G8B8;
    p.BackBufferWidth = buffers[_i].width;
    p.BackBufferHeight = buffers[_i].height;
    RETURNS(IDirect3DDevice9_Reset(device, &p),
            buffers[_i].got_width ? D3D_OK : D3DERR_INVALIDCALL);
    if (buffers[_i].got_width) {
        ck_assert_uint_eq(p.BackBufferWidth, buffers[_i].got_width);
        ck_assert_uint_eq(p.BackBufferHeight, buffers[_i].got_height);
        OK(IDirect3DDevice9_GetDisplayMode(device, 0, &mode));
        ck_assert_uint_eq(mode.Width, p.Windowed ? 1300 : p.BackBufferWidth);
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("resolution");
    TCase *tc = tcase_create("resolution");

    tcase_add_test(tc, desktop_and_largest_mode);
    tcase_add_loop_test(tc, back_buffers, 0, sizeof(buffers) / sizeof(buffers[0]));
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
