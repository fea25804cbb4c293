/* Tests of SCALING, SCALE_FILTER and FRAME_LOG: the picture in a window of another size. */
#include "show.h"

#include <stdio.h>
#include <string.h>

/* A picture of 640x480 in an area of 800x640: 800x600 pixels between bars of 20 rows. */
enum { AREA_WIDTH = 800, AREA_HEIGHT = 640, TOP = 20, PICTURE_HEIGHT = 600 };

static const COLORREF black = RGB(0, 0, 0), red = RGB(255, 0, 0), blue = RGB(0, 0, 255);

static HWND open_large_window(void)
{
    HWND window = open_window();

    SetWindowPos(window, NULL, 10, 10, AREA_WIDTH, AREA_HEIGHT, SWP_NOZORDER);
    pump();
    return window;
}

static IDirect3DDevice9Ex *make_copying_device(HWND window)
{
    D3DPRESENT_PARAMETERS p = show_parameters(window, true, D3DPRESENT_INTERVAL_IMMEDIATE);
    IDirect3DDevice9Ex *device = NULL;
    IDirect3D9Ex *d3d9;

    p.SwapEffect = D3DSWAPEFFECT_COPY;
    ck_assert_int_eq(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d9), D3D_OK);
    ck_assert_int_eq(IDirect3D9Ex_CreateDeviceEx(d3d9, 0, D3DDEVTYPE_HAL, window,
                                                 D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, NULL, &device),
                     D3D_OK);
    IDirect3D9Ex_Release(d3d9);
    return device;
}

/* Red at the left, blue at the right, from column 320 on. */
static void clear_halves(IDirect3DDevice9Ex *device)
{
    const D3DRECT right = {320, 0, 640, 480};

    IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xffff0000, 1, 0);
    IDirect3DDevice9Ex_Clear(device, 1, &right, D3DCLEAR_TARGET, 0xff0000ff, 1, 0);
}

/* Column x of 800 shows (2x + 1) * 640 / 1600 - 1/2: 399 is at 319.1, 400 at 319.9. */
START_TEST(pictures_keep_their_shape)
{
    HWND window = open_large_window();
    IDirect3DDevice9Ex *device = make_device(window, true, D3DPRESENT_INTERVAL_IMMEDIATE);
    const COLORREF mixed = RGB(229, 0, 26); /* weight 13 / 128 of blue */

    clear_halves(device);
    ck_assert_int_eq(present_ex(device, 0), D3D_OK);
    ck_assert_uint_eq(pixel_soon(window, 10, AREA_HEIGHT / 2, red), red);
    ck_assert_uint_eq(pixel(window, 790, AREA_HEIGHT / 2), blue);
    for (int x = 0; x < AREA_WIDTH; x += 50) {
        ck_assert_uint_eq(pixel(window, x, 0), black);
        ck_assert_uint_eq(pixel(window, x, TOP - 1), black);
        ck_assert(pixel(window, x, TOP) != black);
        ck_assert(pixel(window, x, TOP + PICTURE_HEIGHT - 1) != black);
        ck_assert_uint_eq(pixel(window, x, TOP + PICTURE_HEIGHT), black);
        ck_assert_uint_eq(pixel(window, x, AREA_HEIGHT - 1), black);
    }
    ck_assert_uint_eq(pixel(window, 398, 300), red);
    ck_assert_uint_eq(pixel(window, 399, 300), mixed);
    ck_assert_uint_eq(pixel(window, 400, 300), RGB(26, 0, 229));
    ck_assert_uint_eq(pixel(window, 401, 300), blue);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

/* The program places the picture itself: no bars, and the rest of the window stays. */
START_TEST(destinations_of_present_stay)
{
    HWND window = open_large_window();
    IDirect3DDevice9Ex *device = make_copying_device(window);
    const RECT dst = {100, 200, 180, 260}, all = {0, 0, AREA_WIDTH, AREA_HEIGHT};

    IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xffff0000, 1, 0);
    ck_assert_int_eq(present_ex(device, 0), D3D_OK);
    ck_assert_uint_eq(pixel_soon(window, 400, 300, red), red);
    IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff0000ff, 1, 0);
    ck_assert_int_eq(IDirect3DDevice9Ex_PresentEx(device, NULL, &dst, NULL, NULL, 0), D3D_OK);
    ck_assert_uint_eq(pixel_soon(window, 100, 200, blue), blue);
    ck_assert_uint_eq(pixel(window, 179, 259), blue);
    ck_assert_uint_eq(pixel(window, 99, 200), red);
    ck_assert_uint_eq(pixel(window, 180, 259), red);
    ck_assert_uint_eq(pixel(window, 179, 260), red);
    /* One that covers the window is as none. */
    ck_assert_int_eq(IDirect3DDevice9Ex_PresentEx(device, NULL, &all, NULL, NULL, 0), D3D_OK);
    ck_assert_uint_eq(pixel_soon(window, 400, 300, blue), blue);
    ck_assert_uint_eq(pixel(window, 400, TOP - 1), black);
    ck_assert_uint_eq(pixel(window, 400, TOP), blue);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

/* The file of the first device has a header and a row for each of its frames; rows have 9 fields. */
START_TEST(frames_are_logged)
{
    FILE *file = fopen("frames.csv", "rb");
    char line[256];
    int rows = 0;

    ck_assert(file && fgets(line, sizeof(line), file) && !strncmp(line, "chain,frame,present_ms,", 23));
    while (fgets(line, sizeof(line), file)) {
        int commas = 0;

        for (const char *c = line; *c; c++)
            commas += *c == ',';
        ck_assert_int_eq(commas, 8);
        ck_assert_int_eq(line[strlen(line) - 1], '\n');
        ck_assert_int_eq(line[strlen(line) - 2], '0'); /* no primitives, and no carriage return */
        rows++;
    }
    fclose(file);
    ck_assert_int_eq(rows, 1);
    file = fopen("frames-2.csv", "rb");
    ck_assert(file && !fclose(file));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows scaling");
    TCase *tc = tcase_create("scaling");

    _putenv("NOVEM_SCALING=aspect");
    _putenv("NOVEM_SCALE_FILTER=linear");
    _putenv("NOVEM_FRAME_LOG=frames.csv");
    tcase_add_test(tc, pictures_keep_their_shape);
    tcase_add_test(tc, destinations_of_present_stay);
    tcase_add_test(tc, frames_are_logged);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
