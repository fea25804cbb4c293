/* Frame pacing with simulated clocks. */
#include "present/frame_pacing.h"

#include "check_main.h"

#include <stdlib.h>

enum { PERIOD = 16666666 };

static struct frame_pacer *make(uint64_t limit)
{
    struct frame_pacer *pacer = calloc(1, sizeof(*pacer));

    ck_assert_ptr_nonnull(pacer);
    pacer->limit = limit;
    return pacer;
}

/* Frames that take no time stay for the requested number of refreshes. */
START_TEST(frames_wait_for_refreshes)
{
    struct frame_pacer *pacer = make(0);
    uint64_t now = 1000 * (uint64_t)PERIOD + 5, shown;

    ck_assert_uint_eq(frame_pacer_next(pacer, 0, (unsigned)_i, PERIOD, now), now);
    for (unsigned n = 1; n < 10; n++) {
        shown = frame_pacer_next(pacer, 0, (unsigned)_i, PERIOD, now);
        ck_assert_uint_eq(shown, (1000 + n * (uint64_t)_i) * PERIOD);
        now = shown + 100;
    }
    free(pacer);
}
END_TEST

START_TEST(late_frames_do_not_wait)
{
    struct frame_pacer *pacer = make(0);
    uint64_t now = 77 * (uint64_t)PERIOD;

    for (unsigned n = 0; n < 10; n++, now += PERIOD + PERIOD / 5)
        ck_assert_uint_eq(frame_pacer_next(pacer, 0, 1, PERIOD, now), now);
    free(pacer);
}
END_TEST

START_TEST(immediate_frames_do_not_wait)
{
    struct frame_pacer *pacer = make(0);

    for (uint64_t now = 500; now < 600; now++) {
        ck_assert_uint_eq(frame_pacer_next(pacer, 0, 0, PERIOD, now), now);
        ck_assert_uint_eq(frame_pacer_next(pacer, FRAME_PACER_CHAINS, 1, PERIOD, now), now);
        ck_assert_uint_eq(frame_pacer_next(pacer, 1, 1, 0, now), now);
    }
    free(pacer);
}
END_TEST

START_TEST(chains_are_paced_separately)
{
    struct frame_pacer *pacer = make(0);
    uint64_t now = 10 * (uint64_t)PERIOD;

    for (unsigned n = 0; n < 5; n++) {
        now = frame_pacer_next(pacer, 0, 1, PERIOD, now);
        ck_assert_uint_eq(now, (10 + n) * (uint64_t)PERIOD);
        ck_assert_uint_eq(frame_pacer_next(pacer, 1, 1, PERIOD, now), now);
    }
    free(pacer);
}
END_TEST

/* Frames that alternately take 3 and 13 ms are shown every 10 ms. */
START_TEST(the_limit_holds_on_average)
{
    struct frame_pacer *pacer = make(10000000);
    uint64_t start = 123456789012, now = start;

    ck_assert_uint_eq(frame_pacer_next(pacer, 0, 0, PERIOD, now), now);
    for (unsigned n = 1; n <= 1000; n++) {
        now += n % 2 ? 3000000 : 13000000;
        now = frame_pacer_next(pacer, 0, 0, PERIOD, now);
    }
    ck_assert_uint_ge(now - start, 1000 * UINT64_C(10000000));
    ck_assert_uint_le(now - start, 1001 * UINT64_C(10000000));
    free(pacer);
}
END_TEST

/* After a long pause the limit does not release a burst of frames. */
START_TEST(the_limit_forgets_long_pauses)
{
    struct frame_pacer *pacer = make(10000000);
    uint64_t now = 5000000000;

    ck_assert_uint_eq(frame_pacer_next(pacer, 0, 0, PERIOD, now), now);
    now += 1000000000;
    ck_assert_uint_eq(frame_pacer_next(pacer, 0, 0, PERIOD, now), now);
    ck_assert_uint_eq(frame_pacer_next(pacer, 0, 0, PERIOD, now), now + 10000000);
    free(pacer);
}
END_TEST

/* The clock jumps in either direction: no wait exceeds two frames, then pacing continues. */
START_TEST(clocks_may_jump)
{
    const uint64_t limit = _i ? 10000000 : 0;
    struct frame_pacer *pacer = make(limit);
    uint64_t now = UINT64_C(1) << 50, seed = 1, shown;

    for (unsigned n = 0; n < 10000; n++) {
        shown = frame_pacer_next(pacer, 0, 1, PERIOD, now);
        ck_assert_uint_ge(shown, now);
        ck_assert_uint_le(shown - now, PERIOD + limit);
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        now = n % 3 ? shown + (seed >> 40) : seed >> 12;
    }
    free(pacer);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("frame_pacing");
    TCase *tc = tcase_create("frame_pacing");

    tcase_add_loop_test(tc, frames_wait_for_refreshes, 1, 5);
    tcase_add_test(tc, late_frames_do_not_wait);
    tcase_add_test(tc, immediate_frames_do_not_wait);
    tcase_add_test(tc, chains_are_paced_separately);
    tcase_add_test(tc, the_limit_holds_on_average);
    tcase_add_test(tc, the_limit_forgets_long_pauses);
    tcase_add_loop_test(tc, clocks_may_jump, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
