/* Tests of frame pacing in a window: presentation intervals, vertical blank, latency. */
#include "show.h"

#include <math.h>

static double refresh_time(void)
{
    DEVMODEA mode = {.dmSize = sizeof(mode)};

    EnumDisplaySettingsA(NULL, ENUM_CURRENT_SETTINGS, &mode);
    return 1.0 / (mode.dmDisplayFrequency > 1 ? mode.dmDisplayFrequency : 60);
}

static double processor_time(void)
{
    FILETIME made, gone, kernel, user;

    GetProcessTimes(GetCurrentProcess(), &made, &gone, &kernel, &user);
    return ((double)user.dwHighDateTime * 4294967296.0 + user.dwLowDateTime) * 1e-7;
}

static const struct interval {
    UINT interval;
    DWORD flags;
    double refreshes;
} intervals[] = {
    {D3DPRESENT_INTERVAL_DEFAULT, 0, 1}, {D3DPRESENT_INTERVAL_ONE, 0, 1},
    {D3DPRESENT_INTERVAL_TWO, 0, 2},     {D3DPRESENT_INTERVAL_THREE, 0, 3},
    {D3DPRESENT_INTERVAL_FOUR, 0, 4},    {D3DPRESENT_INTERVAL_IMMEDIATE, 0, 0},
    {D3DPRESENT_INTERVAL_ONE, 0x100, 0}, /* FORCEIMMEDIATE */
};
enum { FRAMES = 30, LATENCY = 3 };

static double frames_of(void *what)
{
    const struct interval *interval = what;
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, true, interval->interval);
    double start = seconds(), used = processor_time(), took, least;

    for (int i = 0; i < FRAMES; i++)
        ck_assert_int_eq(present_ex(device, interval->flags), D3D_OK);
    took = seconds() - start, used = processor_time() - used;
    least = (FRAMES - LATENCY - 2) * interval->refreshes * refresh_time();
    ck_assert_msg(took >= least, "%f s, not %f", took, least);
    if (interval->refreshes > 2) /* waiting takes no processor time */
        ck_assert_msg(used < took / 2, "%f s of %f s", used, took);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
    return took;
}

START_TEST(presentation_intervals)
{
    const struct interval *interval = &intervals[_i];
    double most = 20 * refresh_time(), took;

    if (interval->refreshes)
        most = (FRAMES + 2) * interval->refreshes * refresh_time() + 1;
    took = quickest(frames_of, (void *)interval, most);
    ck_assert_msg(took < most, "%f s, not %f", took, most);
}
END_TEST

/* Releasing a device does not wait for the presentation times of pending frames. */
static double release(void *what)
{
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, true, D3DPRESENT_INTERVAL_FOUR);
    double start, took;

    (void)what;
    ck_assert_int_eq(IDirect3DDevice9Ex_SetMaximumFrameLatency(device, 20), D3D_OK);
    for (int i = 0; i < 20; i++)
        ck_assert_int_eq(present_ex(device, 0), D3D_OK);
    start = seconds();
    IDirect3DDevice9Ex_Release(device);
    took = seconds() - start;
    DestroyWindow(window);
    return took;
}

START_TEST(release_does_not_wait)
{
    double most = 10 * 4 * refresh_time(), took = quickest(release, NULL, most);

    ck_assert_msg(took < most, "%f s", took);
}
END_TEST

static double refused_frames(void *what)
{
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, true, D3DPRESENT_INTERVAL_FOUR);
    double start = seconds(), took;
    int *refused = what;

    *refused = 0;
    for (int i = 0; i < 20; i++)
        *refused += present_ex(device, D3DPRESENT_DONOTWAIT) == D3DERR_WASSTILLDRAWING;
    took = seconds() - start;
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
    return took;
}

/* In 20 refreshes five frames are accepted besides those that may be queued. */
START_TEST(do_not_wait_is_refused)
{
    int refused = 0;
    double most = 20 * refresh_time(), took = quickest(refused_frames, &refused, most);

    ck_assert_msg(took < most, "%f s", took);
    ck_assert_int_gt(refused, 10);
}
END_TEST

/* Seconds of 30 vertical blanks; INFINITY unless more than 20 waits return early in the refresh. */
static double blanks(void *what)
{
    HWND window = open_window();
    IDirect3DDevice9Ex *device = make_device(window, true, D3DPRESENT_INTERVAL_ONE);
    D3DRASTER_STATUS status;
    double start = seconds(), took;
    int early = 0;

    (void)what;
    for (int i = 0; i < 30; i++) {
        ck_assert_int_eq(IDirect3DDevice9Ex_WaitForVBlank(device, 0), D3D_OK);
        ck_assert_int_eq(IDirect3DDevice9Ex_GetRasterStatus(device, 0, &status), D3D_OK);
        early += status.InVBlank || status.ScanLine < 300;
    }
    took = seconds() - start;
    ck_assert_msg(took >= 28 * refresh_time(), "%f s", took);
    ck_assert_int_eq(IDirect3DDevice9Ex_WaitForVBlank(device, 1), D3DERR_INVALIDCALL);
    IDirect3DDevice9Ex_Release(device);
    DestroyWindow(window);
    return early > 20 ? took : INFINITY;
}

START_TEST(vblank_matches_refresh)
{
    double most = 60 * refresh_time() + 0.5, took = quickest(blanks, NULL, most);

    ck_assert_msg(took < most, "%f s", took);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows pacing");
    TCase *tc = tcase_create("pacing");

    tcase_add_loop_test(tc, presentation_intervals, 0, sizeof(intervals) / sizeof(intervals[0]));
    tcase_add_test(tc, release_does_not_wait);
    tcase_add_test(tc, do_not_wait_is_refused);
    tcase_add_test(tc, vblank_matches_refresh);
    suite_add_tcase(s, tc);
    return s;
}

#include "check_main.h"
TEST_MAIN(suite)
