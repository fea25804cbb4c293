/* Test of FULLSCREEN = off under a window manager. */
#include "managed.h"

START_TEST(runs_in_a_window)
{
    HWND window = open_managed();
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    const COLORREF colour = RGB(0x20, 0x40, 0x60);
    POINT corner = {0, 0};
    RECT client;

    show_colour(device, 0xff204060);
    GetClientRect(window, &client);
    ClientToScreen(window, &corner);
    ck_assert(client.right == SHOW_WIDTH && client.bottom == SHOW_HEIGHT);
    ck_assert(screen_shows(corner.x + 1, corner.y + 1, colour, true));
    ck_assert(screen_shows(corner.x + 200, corner.y - 6, colour, false)); /* the title bar */
    SetCursorPos(corner.x + 10, corner.y + 10);
    pump();
    SetCursorPos(corner.x + 320, corner.y + 240);
    for (int i = 0; i < WAITS && mouse_at != MAKELPARAM(320, 240); i++)
        pump();
    ck_assert(mouse_at == MAKELPARAM(320, 240));
    IDirect3DDevice9Ex_Release(device);
    is_back(window);
    DestroyWindow(window);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows managed off");
    TCase *tc = tcase_create("off");

    find_real();
    _putenv("NOVEM_FULLSCREEN=off");
    tcase_add_test(tc, runs_in_a_window);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
