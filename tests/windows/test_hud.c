/* Tests of the HUD, screenshots and gamma ramps in a window. */
#include "show.h"

#include <stdio.h>
#include <string.h>

/* Positions inside and outside the HUD. */
enum { HUD_X = 9, HUD_Y = 9, FREE_X = 600, FREE_Y = 400 };

static IDirect3DSurface9 *front_of(IDirect3DDevice9Ex *device)
{
    IDirect3DSurface9 *surface;

    ck_assert_int_eq(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, SHOW_WIDTH, SHOW_HEIGHT,
                                                                    D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM,
                                                                    &surface, NULL),
                     D3D_OK);
    ck_assert_int_eq(IDirect3DDevice9Ex_GetFrontBufferData(device, 0, surface), D3D_OK);
    return surface;
}

static bool is_all(IDirect3DSurface9 *surface, D3DCOLOR colour)
{
    D3DLOCKED_RECT locked;
    bool same = true;

    ck_assert_int_eq(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    for (int y = 0; y < SHOW_HEIGHT; y++)
        for (int x = 0; x < SHOW_WIDTH; x++)
            same &= ((((DWORD *)((BYTE *)locked.pBits + y * locked.Pitch))[x] ^ colour) & 0xffffff) == 0;
    IDirect3DSurface9_UnlockRect(surface);
    return same;
}

/* White letters over the frame's colour at one quarter, and amber ones that name the setting that
 * changes pictures; the image itself has no HUD. */
START_TEST(hud_is_not_in_the_image)
{
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, true, D3DPRESENT_INTERVAL_ONE);
    IDirect3DSurface9 *front;
    int letters = 0, amber = 0;

    for (int i = 0; i < 40; i++)
        show_colour(device, 0xff4080c0);
    ck_assert_uint_eq(pixel_soon(window, FREE_X, FREE_Y, RGB(0x40, 0x80, 0xc0)), RGB(0x40, 0x80, 0xc0));
    ck_assert_uint_eq(pixel(window, HUD_X, HUD_Y), RGB(0x10, 0x20, 0x30));
    ck_assert_uint_eq(pixel(window, 7, 7), RGB(0x40, 0x80, 0xc0));
    for (int y = HUD_Y; y < HUD_Y + 20; y++)
        for (int x = HUD_X; x < HUD_X + 60; x++)
            letters += pixel(window, x, y) == RGB(255, 255, 255);
    ck_assert_int_gt(letters, 50);
    for (int y = HUD_Y; y < HUD_Y + 150; y++)
        for (int x = HUD_X; x < HUD_X + 100; x++)
            amber += pixel(window, x, y) == RGB(0xff, 0xd0, 0x60);
    ck_assert_int_gt(amber, 50);
    front = front_of(device);
    ck_assert(is_all(front, 0xff4080c0));
    IDirect3DSurface9_Release(front);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

/* --- Screenshots ------------------------------------------------------------------------------ */

static bool file_exists(const char *path)
{
    return GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES;
}

static void press(BYTE key, bool down)
{
    keybd_event(key, 0, down ? 0 : KEYEVENTF_KEYUP, 0);
    pump();
}

/* A missing folder is made; a key that is held writes one file, and one that is pressed and released
 * between two frames too; existing files are not overwritten. */
START_TEST(key_writes_screenshot)
{
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, true, D3DPRESENT_INTERVAL_IMMEDIATE);
    char text[8] = "";
    FILE *other;

    show_frames(device, 0xff102030);
    ck_assert(!file_exists("shots"));
    press(VK_F11, true);
    show_frames(device, 0xff102030);
    press(VK_F11, false);
    show_frames(device, 0xff102030);
    ck_assert(file_exists("shots\\deep\\screenshot-0001.png"));
    other = fopen("shots\\deep\\screenshot-0002.png", "wb");
    ck_assert(other && fputs("mine", other) >= 0 && !fclose(other));
    press(VK_F11, true);
    press(VK_F11, false);
    show_frames(device, 0xff102030);
    ck_assert(file_exists("shots\\deep\\screenshot-0001.png"));
    ck_assert(file_exists("shots\\deep\\screenshot-0003.png"));
    ck_assert(!file_exists("shots\\deep\\screenshot-0004.png"));
    other = fopen("shots\\deep\\screenshot-0002.png", "rb");
    ck_assert(other && fgets(text, sizeof(text), other) && !strcmp(text, "mine") && !fclose(other));
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

/* --- Gamma ------------------------------------------------------------------------------------ */

START_TEST(gamma_ramps_change_the_full_screen)
{
    bool windowed = _i;
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, windowed, D3DPRESENT_INTERVAL_ONE);
    COLORREF plain = RGB(0x40, 0x80, 0xc0), ramped = windowed ? plain : RGB(0x20, 0xbf, 0xc0);
    IDirect3DSurface9 *front;

    pump();
    show_colour(device, 0xff4080c0);
    ck_assert_uint_eq(pixel_soon(window, FREE_X, FREE_Y, plain), plain);
    set_gamma(device, 2);
    show_colour(device, 0xff4080c0);
    Sleep(100);
    ck_assert_uint_eq(pixel_soon(window, FREE_X, FREE_Y, ramped), ramped);
    front = front_of(device);
    ck_assert(is_all(front, 0xff4080c0));
    IDirect3DSurface9_Release(front);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows hud");
    TCase *tc = tcase_create("hud");

    _putenv("NOVEM_HUD=fps,frametimes,draws,memory");
    _putenv("NOVEM_MUL_ZERO=ieee");
    _putenv("NOVEM_SCREENSHOT_KEY=F11");
    _putenv("NOVEM_SCREENSHOT_DIR=shots\\deep");
    tcase_add_test(tc, hud_is_not_in_the_image);
    tcase_add_test(tc, key_writes_screenshot);
    tcase_add_loop_test(tc, gamma_ramps_change_the_full_screen, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
