/* List of a capture's frames, which grows while another process reads. */
#include "unit/tool/command.h"
#include "unit/trace/record.h"

#include "tool/serve/index.h"

static struct frame_index *frames;

static void draw(void)
{
    record("IDirect3DDevice9::DrawPrimitive", 0, "ouuu", DEVICE, D3DPT_TRIANGLELIST, 0, 1);
}

/* Five frames of 0 to 4 draws; then calls without a Present, if `rest`. */
static void write_capture(bool rest)
{
    struct stream file;

    record_start();
    record_device(0);
    for (unsigned frame = 0; frame < 5; frame++) {
        for (unsigned i = 0; i < frame; i++)
            draw();
        record("IDirect3DDevice9::Present", 0, "onnnn", DEVICE);
        /* A Present that failed when it was recorded is not run, so it ends no frame. */
        record("IDirect3DDevice9::Present", (int64_t)(int32_t)0x88760868, "onnnn", DEVICE);
    }
    if (rest)
        draw();
    file = pack_snappy(&s, 1 << 20);
    ck_assert_int_eq(tool_file_write(in_folder("x.trace"), file.bytes, file.n), ST_OK);
    free(file.bytes);
}

static void read_all(void)
{
    bool complete = false;

    ck_assert_int_eq(frame_index_start(&frames, in_folder("x.trace")), ST_OK);
    for (unsigned i = 0; i < 1000 && !complete; i++) {
        usleep(10000);
        (void)frame_index_count(frames, &complete);
    }
    ck_assert(complete);
}

static void start(void)
{
    open_folder();
}

static void stop(void)
{
    frame_index_stop(frames);
    close_folder();
}

START_TEST(lists_frames)
{
    struct frame_entry entry[8];
    bool complete;

    write_capture(_i);
    read_all();
    /* The failed Present after the last frame begins another one. */
    ck_assert_uint_eq(frame_index_count(frames, &complete), 6);
    ck_assert_uint_eq(frame_index_get(frames, 0, entry, 8), 6);
    for (unsigned i = 0; i < 5; i++)
        ck_assert_uint_eq(entry[i].draws, i);
    ck_assert_uint_eq(entry[5].draws, (unsigned)_i);
    ck_assert_uint_eq(entry[0].call, 0);
    for (unsigned i = 1; i < 5; i++) /* its draws, a Present and the one that failed */
        ck_assert_uint_eq(entry[i + 1].call - entry[i].call, i + 2);
    ck_assert_uint_eq(frame_index_get(frames, 4, entry, 1), 1);
    ck_assert_uint_eq(entry[0].draws, 4);
    ck_assert_uint_eq(frame_index_get(frames, 6, entry, 1), 0);
    ck_assert_uint_eq(frame_index_get(frames, UINT64_MAX, entry, 1), 0);
}
END_TEST

/* A file that is no capture, or not there, has no frames. */
START_TEST(bad_files)
{
    bool complete;

    if (_i)
        write_text(in_folder("x.trace"), "nonsense");
    read_all();
    ck_assert_uint_eq(frame_index_count(frames, &complete), 0);
}
END_TEST

/* The end comes while the other process still reads. */
START_TEST(stops_early)
{
    write_capture(true);
    ck_assert_int_eq(frame_index_start(&frames, in_folder("x.trace")), ST_OK);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("index");
    TCase *tc = tcase_create("frames");

    tcase_add_checked_fixture(tc, start, stop);
    tcase_set_timeout(tc, 30);
    tcase_add_loop_test(tc, lists_frames, 0, 2);
    tcase_add_loop_test(tc, bad_files, 0, 2);
    tcase_add_test(tc, stops_early);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
