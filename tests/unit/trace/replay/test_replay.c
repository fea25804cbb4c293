/* Replayer on a fake Direct3D 9 that counts references and detects misuse: object map, uploads
 * between different pitches, Reset, moments, skipped calls. */
#include "check_main.h"
#include "fake_d3d9.h"
#include "record.h"

#include "trace/trace.h"
#include "util/alloc.h"
#include "util/log.h"

/* --- Running ---------------------------------------------------------------------------------- */

static char warnings[4096];
static struct replay_stats stats;
static uint64_t moments[16];
static unsigned moment_count;
static int presents_at_moment;

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    strncat(warnings, line, sizeof(warnings) - strlen(warnings) - 2);
    strcat(warnings, "\n");
}

static bool on_moment(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    (void)ctx;
    (void)replay;
    moments[moment_count++] = moment->call;
    presents_at_moment = fake.presents;
    return true;
}

static enum status run(void (*look)(void))
{
    const struct replay_options options = {.on_moment = on_moment, .on_warning = on_warning};
    struct stream file = pack_snappy(&s, 1 << 20);
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay;
    enum status st;

    ck_assert_int_eq(trace_open_memory(&reader, file.bytes, file.n, &error), ST_OK);
    ck_assert_int_eq(replay_create(&replay, reader, &options), ST_OK);
    st = replay_run(replay);
    ck_assert_msg(st != ST_DAMAGED, "%s", trace_reader_error(reader)->text);
    stats = *replay_get_stats(replay);
    if (look)
        look();
    replay_destroy(replay);
    trace_close(reader);
    free(file.bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
    ck_assert_msg(fake.live == 0, "%d objects are left", fake.live);
    return st;
}

static void setup(void)
{
    memset(&fake, 0, sizeof(fake));
    fake.pitch = 64;
    fake.multisample_limit = 16;
    moment_count = 0;
    warnings[0] = 0;
    record_start();
}

static const uint8_t bytes[256] = {
    0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0xee, 0xee,
    0xee, 0xee, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b,
};

/* --- Uploads ---------------------------------------------------------------------------------- */

static const struct fake *bound;

static void take_bound(void)
{
    bound = fake.texture0;
}

static void record_upload(uint32_t pitch, const RECT *rect, size_t n)
{
    record_lock(pitch, 0x9000, rect, D3DLOCK_DONOTWAIT);
    record_memcpy(0x9000, bytes, n);
    record("IDirect3DTexture9::UnlockRect", 0, "ou", TEXTURE, 0);
    record("IDirect3DDevice9::SetTexture", 0, "ouo", DEVICE, 0, TEXTURE);
}

START_TEST(rows_are_copied_between_pitches)
{
    record_device(0);
    record_texture(TEXTURE, 3, 2, D3DFMT_A8R8G8B8);
    record_upload(16, NULL, 28);
    ck_assert_int_eq(run(take_bound), ST_OK);
    ck_assert_mem_eq(bound->memory, bytes, 12);
    ck_assert_uint_eq(bound->memory[12], 0); /* recorded padding is not copied */
    ck_assert_mem_eq(bound->memory + 64, bytes + 16, 12);
    ck_assert_uint_eq(fake.lock_flags, 0);
    ck_assert_int_eq(fake.locks, 0);
    ck_assert_uint_eq(stats.uploads, 1);
    ck_assert_uint_eq(stats.short_uploads, 0);
    ck_assert_str_eq(warnings, "");
}
END_TEST

START_TEST(rectangles_are_copied_alone)
{
    const RECT rect = {2, 1, 4, 3};

    record_device(0);
    record_texture(TEXTURE, 8, 4, D3DFMT_A8R8G8B8);
    record_upload(16, &rect, 24);
    ck_assert_int_eq(run(take_bound), ST_OK);
    ck_assert_mem_eq(bound->memory + 64 + 8, bytes, 8);
    ck_assert_mem_eq(bound->memory + 128 + 8, bytes + 16, 8);
    ck_assert_uint_eq(bound->memory[64 + 16], 0);
}
END_TEST

START_TEST(blocks_are_rows_of_four)
{
    record_device(0);
    record_texture(TEXTURE, 8, 8, D3DFMT_DXT1);
    record_upload(16, NULL, 32);
    ck_assert_int_eq(run(take_bound), ST_OK);
    ck_assert_mem_eq(bound->memory, bytes, 16);
    ck_assert_mem_eq(bound->memory + 64, bytes + 16, 16);
    ck_assert_uint_eq(bound->memory[128], 0);
}
END_TEST

/* Y, then V and U with half the pitch; NV12 has pairs. A part is that of Y alone. */
START_TEST(planes_are_copied_between_pitches)
{
    const RECT part = {0, 0, 2, 2};
    bool pairs = _i & 1;

    record_device(0);
    record_texture(TEXTURE, 4, 2,
                   pairs ? (D3DFORMAT)MAKEFOURCC('N', 'V', '1', '2')
                         : (D3DFORMAT)MAKEFOURCC('Y', 'V', '1', '2'));
    record_upload(8, _i < 2 ? NULL : &part, _i < 2 ? 24 : 10);
    ck_assert_int_eq(run(take_bound), ST_OK);
    ck_assert_uint_eq(stats.short_uploads, 0);
    ck_assert_mem_eq(bound->memory, bytes, _i < 2 ? 4 : 2);
    ck_assert_mem_eq(bound->memory + 64, bytes + 8, _i < 2 ? 4 : 2);
    ck_assert_uint_eq(bound->memory[_i < 2 ? 4 : 2], 0);
    ck_assert_mem_eq(bound->memory + 128, _i < 2 ? bytes + 16 : bound->memory + 4, pairs ? 4 : 2);
    if (!pairs)
        ck_assert_mem_eq(bound->memory + 128 + 32, _i < 2 ? bytes + 20 : bound->memory + 4, 2);
}
END_TEST

/* ATI2's pitch counts one byte per texel, while a row of blocks has four; blocks are packed. */
START_TEST(ati2_is_packed)
{
    record_device(0);
    record_texture(TEXTURE, 8, 8, MAKEFOURCC('A', 'T', 'I', '2'));
    record_upload(8, NULL, 64);
    ck_assert_int_eq(run(take_bound), ST_OK);
    ck_assert_mem_eq(bound->memory, bytes, 32);
    ck_assert_mem_eq(bound->memory + 64, bytes + 32, 32);
}
END_TEST

START_TEST(short_uploads_are_clipped_and_counted)
{
    record_device(0);
    record_texture(TEXTURE, 3, 2, D3DFMT_A8R8G8B8);
    record_upload(16, NULL, 20);
    ck_assert_int_eq(run(take_bound), ST_OK);
    ck_assert_mem_eq(bound->memory, bytes, 12);
    ck_assert_mem_eq(bound->memory + 64, bytes + 16, 4);
    ck_assert_uint_eq(bound->memory[64 + 4], 0);
    ck_assert_uint_eq(stats.short_uploads, 1);
}
END_TEST

START_TEST(long_and_stray_uploads_do_no_harm)
{
    static uint8_t much[8192];

    memset(much, 0xcc, sizeof(much));
    record_device(0);
    record_texture(TEXTURE, 3, 2, D3DFMT_A8R8G8B8);
    record_memcpy(0x9000, much, sizeof(much)); /* before the lock */
    record_lock(16, 0x9000, NULL, 0);
    record_memcpy(0x9000, much, sizeof(much));
    record("IDirect3DTexture9::UnlockRect", 0, "ou", TEXTURE, 0);
    record_memcpy(0x9000, much, sizeof(much)); /* after it */
    record("IDirect3DDevice9::SetTexture", 0, "ouo", DEVICE, 0, TEXTURE);
    ck_assert_int_eq(run(take_bound), ST_OK);
    ck_assert_uint_eq(bound->memory[11], 0xcc);
    ck_assert_uint_eq(bound->memory[12], 0);
    ck_assert_uint_eq(bound->memory[64 + 11], 0xcc);
    ck_assert_uint_eq(bound->memory[64 + 12], 0);
    ck_assert_uint_eq(bound->memory[128], 0);
    ck_assert_uint_eq(stats.uploads, 1);
}
END_TEST

START_TEST(read_only_images_are_not_written)
{
    record_device(0);
    record_texture(TEXTURE, 3, 2, D3DFMT_A8R8G8B8);
    record_lock(16, 0x9000, NULL, D3DLOCK_READONLY);
    record_memcpy(0x9000, bytes, 28);
    record("IDirect3DTexture9::UnlockRect", 0, "ou", TEXTURE, 0);
    record("IDirect3DDevice9::SetTexture", 0, "ouo", DEVICE, 0, TEXTURE);
    ck_assert_int_eq(run(take_bound), ST_OK);
    ck_assert_uint_eq(bound->memory[0], 0);
    ck_assert_uint_eq(fake.lock_flags, D3DLOCK_READONLY);
}
END_TEST

/* Buffers: the recorded address includes the offset; READONLY is dropped, because games write
 * through it. */
START_TEST(buffer_uploads_are_clipped)
{
    static const struct {
        unsigned offset, size, n, expected;
    } cases[] = {
        {16, 32, 32, 32}, {0, 0, 64, 64}, {48, 0, 64, 16}, {48, 100, 100, 16}, {64, 0, 4, 0}};

    record_device(0);
    record("IDirect3DDevice9::CreateVertexBuffer", 0, "ouuuuOn", DEVICE, 64, 0, 0, 0, BUFFER);
    record("IDirect3DVertexBuffer9::Lock", 0, "ouuOu", BUFFER, cases[_i].offset, cases[_i].size,
           0x7000 + cases[_i].offset, D3DLOCK_READONLY | D3DLOCK_DONOTWAIT | D3DLOCK_NOSYSLOCK);
    record_memcpy(0x7000 + cases[_i].offset, bytes, cases[_i].n);
    record("IDirect3DVertexBuffer9::Unlock", 0, "o", BUFFER);
    /* Fakes are never freed, so that the test can read their memory. */
    ck_assert_int_eq(run(NULL), ST_OK);
    ck_assert_uint_eq(fake.lock_flags, D3DLOCK_NOSYSLOCK);
    ck_assert_str_eq(warnings, "");
    for (unsigned i = 0; i < 128; i++) {
        unsigned at = i - cases[_i].offset;

        ck_assert_uint_eq(fake.buffer->memory[i],
                          i >= cases[_i].offset && at < cases[_i].expected ? bytes[at] : 0);
    }
}
END_TEST

/* --- Objects ---------------------------------------------------------------------------------- */

/* The program uses a level after its last Release; the texture still exists. */
START_TEST(levels_outlive_their_references)
{
    record_device(0);
    record_texture(TEXTURE, 4, 4, D3DFMT_A8R8G8B8);
    record("IDirect3DTexture9::GetSurfaceLevel", 0, "ouO", TEXTURE, 0, SURFACE);
    record("IDirect3DSurface9::Release", 1, "o", SURFACE);
    record("IDirect3DDevice9::SetRenderTarget", 0, "ouo", DEVICE, 0, SURFACE);
    record("IDirect3DDevice9::DrawPrimitive", 0, "ouuu", DEVICE, 4, 0, 1);
    record("IDirect3DTexture9::Release", 0, "o", TEXTURE);
    /* Now both are destroyed. */
    record("IDirect3DDevice9::SetRenderTarget", 0, "ouo", DEVICE, 0, SURFACE);
    ck_assert_int_eq(run(NULL), ST_OK);
    ck_assert_ptr_nonnull(fake.target0);
    ck_assert_uint_eq(stats.skipped, 1);
    ck_assert_uint_eq(stats.draws, 1);
    ck_assert_msg(strstr(warnings, "is gone"), "%s", warnings);
}
END_TEST

/* A texture and its levels share a count, so that the last Release may go through either. */
START_TEST(releases_may_go_through_the_level)
{
    record_device(0);
    record_texture(TEXTURE, 4, 4, D3DFMT_A8R8G8B8);
    record("IDirect3DTexture9::GetSurfaceLevel", 0, "ouO", TEXTURE, 0, SURFACE);
    if (_i) {
        record("IDirect3DSurface9::Release", 1, "o", SURFACE);
        record("IDirect3DSurface9::Release", 0, "o", SURFACE);
    } else {
        record("IDirect3DTexture9::Release", 1, "o", TEXTURE);
        record("IDirect3DTexture9::Release", 0, "o", TEXTURE);
    }
    record("IDirect3DDevice9::SetTexture", 0, "ouo", DEVICE, 0, TEXTURE);
    ck_assert_int_eq(run(NULL), ST_OK);
    ck_assert_uint_eq(stats.skipped, 1);
}
END_TEST

static int live_at_end;

static void take_live(void)
{
    live_at_end = fake.live;
}

/* An address is reused for one texture after another, the first never released. Nothing leaks, and
 * the address stands for the newest object, of any kind. */
START_TEST(addresses_are_used_again)
{
    record_device(0);
    for (int i = 0; i < 10; i++)
        record_texture(TEXTURE, 4, 4, D3DFMT_A8R8G8B8);
    record("IDirect3DTexture9::AddRef", 2, "o", TEXTURE);
    record("IDirect3DDevice9::CreateVertexBuffer", 0, "ouuuuOn", DEVICE, 64, 0, 0, 0, TEXTURE);
    record("IDirect3DDevice9::SetTexture", 0, "ouo", DEVICE, 0, TEXTURE); /* not a texture */
    record("IDirect3DTexture9::Release", 0, "o", TEXTURE);
    record("IDirect3DVertexBuffer9::Release", 0, "o", TEXTURE);
    ck_assert_int_eq(run(take_live), ST_OK);
    ck_assert_int_eq(live_at_end, 2); /* the IDirect3D9 and the device */
    ck_assert_uint_eq(stats.skipped, 2);
}
END_TEST

START_TEST(releases_are_not_repeated)
{
    record_device(0);
    record_texture(TEXTURE, 4, 4, D3DFMT_A8R8G8B8);
    record("IDirect3DTexture9::AddRef", 2, "o", TEXTURE);
    for (int i = 0; i < 5; i++)
        record("IDirect3DTexture9::Release", 0, "o", TEXTURE);
    record("IDirect3DDevice9::CreateQuery", 0, "oun", DEVICE, 9);
    record("IDirect3DDevice9::Release", 0, "o", DEVICE);
    record("IDirect3DDevice9::Release", 0, "o", DEVICE);
    record("IDirect3D9::Release", 0, "o", D3D);
    ck_assert_int_eq(run(take_live), ST_OK);
    ck_assert_int_eq(live_at_end, 0);
}
END_TEST

/* Reset requires all references to implicit surfaces back; afterwards the old addresses stand for
 * the new surfaces. */
START_TEST(reset_recreates_surfaces)
{
    record_device(0);
    record("IDirect3DDevice9::GetBackBuffer", 0, "ouuuO", DEVICE, 0, 0, 0, SURFACE);
    record("IDirect3DDevice9::GetDepthStencilSurface", 0, "oO", DEVICE, SURFACE + 1);
    record("IDirect3DDevice9::GetSwapChain", 0, "ouO", DEVICE, 0, SURFACE + 2);
    record("IDirect3DDevice9::GetRenderTarget", 0, "ouO", DEVICE, 0, SURFACE);
    record("IDirect3DSurface9::Release", 0, "o", SURFACE + 1);
    record("IDirect3DDevice9::SetRenderTarget", 0, "ouo", DEVICE, 0, SURFACE);
    record_reset();
    record("IDirect3DDevice9::SetRenderTarget", 0, "ouo", DEVICE, 0, SURFACE);
    record("IDirect3DSurface9::Release", 0, "o", SURFACE);
    record("IDirect3DSurface9::Release", 0, "o", SURFACE);
    record("IDirect3DDevice9::SetRenderTarget", 0, "ouo", DEVICE, 0, SURFACE);
    ck_assert_int_eq(run(NULL), ST_OK);
    ck_assert_int_eq(fake.resets, 1);
    ck_assert_ptr_eq(fake.target0, fake.back_buffer);
    ck_assert_str_eq(warnings, "");
    ck_assert_uint_eq(stats.skipped, 0);
}
END_TEST

/* --- Executed and skipped calls --------------------------------------------------------------- */

START_TEST(failures_are_not_repeated)
{
    record_device(0);
    record("IDirect3DDevice9::DrawPrimitive", (int32_t)D3DERR_INVALIDCALL, "ouuu", DEVICE, 4, 0, 1);
    record("IDirect3DDevice9::DrawPrimitive", 0, "ouuu", DEVICE, 4, 0, 1);
    record("IDirect3DDevice9::DrawPrimitive", 1, "ouuu", DEVICE, 4, 0, 1); /* S_FALSE is success */
    ck_assert_int_eq(run(NULL), ST_OK);
    ck_assert_int_eq(fake.draws, 2);
    ck_assert_uint_eq(stats.draws, 2);
}
END_TEST

START_TEST(new_failures_are_reported)
{
    record_device(0);
    fake.answer = D3DERR_INVALIDCALL;
    record("IDirect3DDevice9::SetTexture", 0, "ouo", DEVICE, 0, 0);
    record("IDirect3DDevice9::DrawPrimitive", 0, "ouuu", DEVICE, 4, 0, 1);
    ck_assert_int_eq(run(NULL), ST_OK);
    ck_assert_uint_eq(stats.failed, 1);
    ck_assert(strstr(warnings, "call 2 IDirect3DDevice9::SetTexture: succeeded when recorded"));
    ck_assert_int_eq(fake.draws, 1);
}
END_TEST

START_TEST(bad_calls_are_skipped)
{
    record_device(0);
    record("IDirect3DDevice9::DrawPrimitive", 0, "ouuu", 0x999, 4, 0, 1);     /* unknown object */
    record("IDirect3DDevice9::DrawPrimitive", 0, "ouuu", D3D, 4, 0, 1);       /* of another kind */
    record("IDirect3DDevice9::SetTexture", 0, "ouo", DEVICE, 0, DEVICE);      /* likewise */
    record("IDirect3DDevice9Ex::SetMaximumFrameLatency", 0, "ou", DEVICE, 1); /* not a 9Ex device */
    record("IDirect3DDevice9::Reset", 0, "oo", DEVICE, 0);                    /* no parameters */
    record("IDirect3DDevice9::SetVertexShaderConstantF", 0, "ouxu", DEVICE, 0, 4); /* no data */
    ck_assert_int_eq(run(NULL), ST_OK);
    ck_assert_uint_eq(stats.skipped, 6);
    ck_assert_uint_eq(stats.executed, 2);
    ck_assert_int_eq(fake.draws, 0);
}
END_TEST

START_TEST(unknown_calls_are_counted)
{
    log_set_level(LOG_NONE);
    record_device(0);
    record("IDirect3DDevice9::Frobnicate", 0, "ou", DEVICE, 1);
    record("IDirect3DVideoDecoder::Execute", 0, "ou", DEVICE, 1);
    record("glClear", 0, "u", 1);
    record("IDirect3DDevice9::GetDeviceCaps", 0, "on", DEVICE); /* known and ignored */
    ck_assert_int_eq(run(NULL), ST_OK);
    ck_assert_uint_eq(stats.unsupported, 3);
    ck_assert_uint_eq(stats.executed, 2);
}
END_TEST

START_TEST(moments_come_before_presents_and_after_reads)
{
    record_device(0); /* calls 0, 1 */
    record("IDirect3DDevice9::GetBackBuffer", 0, "ouuuO", DEVICE, 0, 0, 0, SURFACE);
    record("IDirect3DDevice9::GetRenderTargetData", 0, "ooo", DEVICE, SURFACE, SURFACE);
    record("IDirect3DDevice9::Present", 0, "onnnn", DEVICE);
    record("IDirect3DDevice9::Present", (int32_t)D3DERR_DEVICELOST, "onnnn", DEVICE);
    ck_assert_int_eq(run(NULL), ST_OK);
    ck_assert_uint_eq(moment_count, 2);
    ck_assert_uint_eq(moments[0], 3);
    ck_assert_uint_eq(moments[1], 4);
    ck_assert_int_eq(presents_at_moment, 0);
    ck_assert_int_eq(fake.presents, 1);
    ck_assert_uint_eq(stats.frames, 1);
}
END_TEST

START_TEST(devices_are_windowed)
{
    record_device(0);
    ck_assert_int_eq(run(NULL), ST_OK);
    ck_assert_int_eq(fake.parameters.Windowed, TRUE);
    ck_assert_uint_eq(fake.parameters.FullScreen_RefreshRateInHz, 0);
    ck_assert_uint_eq(fake.parameters.PresentationInterval, D3DPRESENT_INTERVAL_DEFAULT);
    ck_assert_uint_eq(fake.parameters.BackBufferWidth, 64);
    ck_assert_uint_eq(fake.parameters.AutoDepthStencilFormat, D3DFMT_D24S8);
    ck_assert_ptr_nonnull(fake.parameters.hDeviceWindow);
}
END_TEST

/* The type that was recorded, the one that is created, and the one without a reference device. */
START_TEST(reference_devices_stay)
{
    static const struct {
        D3DDEVTYPE recorded, created;
    } cases[] = {{D3DDEVTYPE_HAL, D3DDEVTYPE_HAL},
                 {D3DDEVTYPE_REF, D3DDEVTYPE_REF},
                 {D3DDEVTYPE_SW, D3DDEVTYPE_HAL},
                 {D3DDEVTYPE_NULLREF, D3DDEVTYPE_REF}};

    fake.no_reference = _i / 4;
    record_device_type(0, cases[_i % 4].recorded);
    ck_assert_int_eq(run(NULL), ST_OK);
    ck_assert_int_eq(fake.type, fake.no_reference ? D3DDEVTYPE_HAL : cases[_i % 4].created);
}
END_TEST

START_TEST(devices_fall_back_to_no_multisampling)
{
    fake.multisample_limit = 0;
    record_device(4);
    record("IDirect3DDevice9::DrawPrimitive", 0, "ouuu", DEVICE, 4, 0, 1);
    ck_assert_int_eq(run(NULL), ST_OK);
    ck_assert_int_eq(fake.draws, 1);
    ck_assert(strstr(warnings, "multisampling"));
}
END_TEST

/* Multisampling is lowered step by step: 16 samples, then 8, 4 and 2. */
START_TEST(multisampling_is_reduced)
{
    fake.multisample_limit = 4;
    record_device(16);
    ck_assert_int_eq(run(NULL), ST_OK);
    ck_assert_uint_eq(fake.parameters.MultiSampleType, 4);
    ck_assert(strstr(warnings, "multisampling 16"));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("replay");
    TCase *tc = tcase_create("uploads");

    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, rows_are_copied_between_pitches);
    tcase_add_loop_test(tc, planes_are_copied_between_pitches, 0, 4);
    tcase_add_test(tc, rectangles_are_copied_alone);
    tcase_add_test(tc, blocks_are_rows_of_four);
    tcase_add_test(tc, ati2_is_packed);
    tcase_add_test(tc, short_uploads_are_clipped_and_counted);
    tcase_add_test(tc, long_and_stray_uploads_do_no_harm);
    tcase_add_test(tc, read_only_images_are_not_written);
    tcase_add_loop_test(tc, buffer_uploads_are_clipped, 0, 5);
    suite_add_tcase(suite, tc);
    tc = tcase_create("objects");
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, levels_outlive_their_references);
    tcase_add_loop_test(tc, releases_may_go_through_the_level, 0, 2);
    tcase_add_test(tc, addresses_are_used_again);
    tcase_add_test(tc, releases_are_not_repeated);
    tcase_add_test(tc, reset_recreates_surfaces);
    suite_add_tcase(suite, tc);
    tc = tcase_create("calls");
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, failures_are_not_repeated);
    tcase_add_test(tc, new_failures_are_reported);
    tcase_add_test(tc, bad_calls_are_skipped);
    tcase_add_test(tc, unknown_calls_are_counted);
    tcase_add_test(tc, moments_come_before_presents_and_after_reads);
    tcase_add_test(tc, devices_are_windowed);
    tcase_add_loop_test(tc, reference_devices_stay, 0, 8);
    tcase_add_test(tc, devices_fall_back_to_no_multisampling);
    tcase_add_test(tc, multisampling_is_reduced);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
