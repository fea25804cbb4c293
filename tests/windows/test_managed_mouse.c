/* Test of the mouse where a mode is refused, with bars around the picture (SCALING = integer): on a
 * screen of 800x600, a picture of 640x480 lies at 80,60 and has its own size. */
#include "managed.h"

static bool real_position_is(LONG x, LONG y)
{
    POINT at = {-1, -1};

    for (int i = 0; i < WAITS && (at.x != x || at.y != y); i++) {
        pump();
        at = real_position();
    }
    return at.x == x && at.y == y;
}

START_TEST(positions_follow_the_picture)
{
    HWND window = open_managed();
    IDirect3DDevice9Ex *device = make_device(window, false, D3DPRESENT_INTERVAL_IMMEDIATE);
    RECT client;

    show_colour(device, 0xff204060);
    ck_assert(window_comes_to(window, 0, 0, SCREEN_WIDTH, SCREEN_HEIGHT));
    ck_assert(screen_shows(81, 61, RGB(0x20, 0x40, 0x60), true));
    ck_assert(screen_shows(78, 58, RGB(0x20, 0x40, 0x60), false));
    ck_assert(GetClientRect(window, &client) && client.right == 640 && client.bottom == 480);
    ck_assert(mouse_moves_to(300, 200) && real_position_is(380, 260));
    ck_assert(mouse_moves_to(630, 470) && real_position_is(710, 530));
    IDirect3DDevice9Ex_Release(device);
    is_back(window);
    DestroyWindow(window);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows managed mouse");
    TCase *tc = tcase_create("mouse");

    find_real();
    _putenv("NOVEM_SCALING=integer");
    tcase_add_test(tc, positions_follow_the_picture);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
