/* Frames on their way from Present to sinks: a window that macOS allows in the program's thread
 * alone. */
#include "unit/present/metal/fake_macos.h"

#include "../api_test.h"

#include "util/alloc.h"

START_TEST(a_window_of_the_first_thread)
{
    IDirect3DDevice9 *device;

    fake_start();
    setenv("NOVEM_THREADS", "1", 1); /* the fake is for one thread */
    setenv("NOVEM_SINK", "metal", 1);
    device = create_device();
    ck_assert_ptr_null(fake.window);
    for (unsigned i = 1; i <= 3; i++) {
        OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff112233 * i, 1, 0));
        OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
        ck_assert_ptr_nonnull(fake.window);
        fake_look();
        ck_assert_uint_eq(fake.frames, i);
        ck_assert_uint_eq(fake.screen[0] & 0xffffff, 0x112233 * i);
        ck_assert(fake.shown_width == 640 && fake.shown_height == 480);
    }
    ck_assert_uint_eq(release(device), 0);
    ck_assert(!fake.visible);
    ck_assert_uint_eq(fake_alive(), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
    objc_replace(NULL);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present queue");
    TCase *c = tcase_create("all");

    tcase_add_test(c, a_window_of_the_first_thread);
    suite_add_tcase(s, c);
    return s;
}

TEST_MAIN(suite)
