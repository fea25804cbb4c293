/* Test of the frame rate limit without presentation intervals. */
#include "show.h"

static double fifty_frames(void *what)
{
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, true, D3DPRESENT_INTERVAL_FOUR);
    double start = seconds(), took;

    (void)what;
    for (int i = 0; i < 50; i++)
        ck_assert_int_eq(present_ex(device, 0), D3D_OK);
    took = seconds() - start;
    ck_assert_msg(took >= 45 / 50.0, "%f s", took);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
    return took;
}

START_TEST(frame_limit_holds)
{
    double took = quickest(fifty_frames, NULL, 2); /* FOUR would take 3 */

    ck_assert_msg(took < 2, "%f s", took);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows limit");
    TCase *tc = tcase_create("limit");

    _putenv("NOVEM_FRAME_LIMIT=50");
    _putenv("NOVEM_VSYNC=off");
    tcase_add_test(tc, frame_limit_holds);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
