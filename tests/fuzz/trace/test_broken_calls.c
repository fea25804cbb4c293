/* Fuzz test of the replayer and renderer: well-formed captures whose arguments, sizes and objects
 * have flipped bits. No crash, no hang, no leak. */
#include "check_main.h"
#include "damage.h"
#include "unit/trace/record.h"

#include "trace/trace.h"
#include "util/alloc.h"

#include <stdio.h>
#include <string.h>

static void record_shader(void)
{
    static const uint32_t tokens[] = {0xfffe0101, 0x0000001f, 0x80000000, 0x900f0000,
                                      0x00000001, 0xc00f0000, 0x90e40000, 0x0000ffff};

    enter("IDirect3DDevice9::CreateVertexShader", 3);
    put_arg(&s, 0);
    put_opaque(&s, DEVICE);
    put_arg(&s, 1);
    put_blob(&s, tokens, sizeof(tokens));
    put_arg(&s, 2);
    put(&s, 0x0b);
    put_var(&s, 1);
    put_opaque(&s, 0x600);
    put_end(&s);
    put_leave(&s, call_number++);
    put_ret(&s);
    put_enum(0);
    put_end(&s);
    record("IDirect3DDevice9::SetVertexShader", 0, "oo", DEVICE, 0x600);
}

static void record_draw_up(void)
{
    static const float vertices[] = {0, 0, 0.5f, 1, 40, 0, 0.5f, 1, 0, 40, 0.5f, 1};

    record("IDirect3DDevice9::SetVertexShader", 0, "oo", DEVICE, 0);
    record("IDirect3DDevice9::SetFVF", 0, "ou", DEVICE, D3DFVF_XYZRHW);
    enter("IDirect3DDevice9::DrawPrimitiveUP", 5);
    put_arg(&s, 0);
    put_opaque(&s, DEVICE);
    put_arg(&s, 1);
    put_uint(&s, D3DPT_TRIANGLELIST);
    put_arg(&s, 2);
    put_uint(&s, 1);
    put_arg(&s, 3);
    put_blob(&s, vertices, sizeof(vertices));
    put_arg(&s, 4);
    put_uint(&s, 16);
    put_end(&s);
    put_leave(&s, call_number++);
    put_ret(&s);
    put_enum(0);
    put_end(&s);
}

static void record_upload(void)
{
    static const uint8_t bytes[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

    record_texture(TEXTURE, 4, 4, D3DFMT_A8R8G8B8);
    record_lock(16, 0x9000, NULL, 0);
    record_memcpy(0x9000, bytes, sizeof(bytes));
    record("IDirect3DTexture9::UnlockRect", 0, "ou", TEXTURE, 0);
    record("IDirect3DTexture9::GetSurfaceLevel", 0, "ouO", TEXTURE, 0, SURFACE);
    record("IDirect3DSurface9::Release", 1, "o", SURFACE);
    record("IDirect3DDevice9::SetTexture", 0, "ouo", DEVICE, 0, TEXTURE);
    record("IDirect3DDevice9::CreateVertexBuffer", 0, "ouuuuOn", DEVICE, 64, 0, 0, D3DPOOL_DEFAULT,
           BUFFER);
    record("IDirect3DVertexBuffer9::Lock", 0, "ouuOu", BUFFER, 0, 64, 0x7000, 0);
    record_memcpy(0x7000, bytes, sizeof(bytes));
    record("IDirect3DVertexBuffer9::Unlock", 0, "o", BUFFER);
    record("IDirect3DDevice9::SetStreamSource", 0, "ououu", DEVICE, 0, BUFFER, 0, 16);
}

static void record_sample(void)
{
    record_start();
    record_device(0);
    record_upload();
    record_shader();
    record("IDirect3DDevice9::GetBackBuffer", 0, "ouuuO", DEVICE, 0, 0, 0, SURFACE + 1);
    record("IDirect3DDevice9::GetDepthStencilSurface", 0, "oO", DEVICE, SURFACE + 2);
    record("IDirect3DDevice9::GetSwapChain", 0, "ouO", DEVICE, 0, SURFACE + 3);
    record("IDirect3DDevice9::CreateRenderTarget", 0, "ouuuuuuOn", DEVICE, 32, 32, D3DFMT_A8R8G8B8,
           0, 0, 0, SURFACE + 4);
    record("IDirect3DDevice9::SetRenderTarget", 0, "ouo", DEVICE, 0, SURFACE + 4);
    record("IDirect3DDevice9::BeginScene", 0, "o", DEVICE);
    record("IDirect3DDevice9::Clear", 0, "ounuuuu", DEVICE, 0, 3, 0xff102030, 1, 0);
    record("IDirect3DDevice9::SetRenderState", 0, "ouu", DEVICE, D3DRS_ALPHABLENDENABLE, 1);
    record("IDirect3DDevice9::SetSamplerState", 0, "ouuu", DEVICE, 0, D3DSAMP_MAGFILTER, 2);
    record("IDirect3DDevice9::SetFVF", 0, "ou", DEVICE, D3DFVF_XYZ);
    record("IDirect3DDevice9::DrawPrimitive", 0, "ouuu", DEVICE, 4, 0, 1);
    record_draw_up();
    record("IDirect3DDevice9::EndScene", 0, "o", DEVICE);
    record("IDirect3DDevice9::StretchRect", 0, "oononu", DEVICE, SURFACE + 4, SURFACE + 1, 1);
    record("IDirect3DDevice9::SetRenderTarget", 0, "ouo", DEVICE, 0, SURFACE + 1);
    record("IDirect3DDevice9::CreateQuery", 0, "ouO", DEVICE, 9, 0x800);
    record("IDirect3DQuery9::Issue", 0, "ou", 0x800, 2);
    record("IDirect3DDevice9::Present", 0, "onnnn", DEVICE);
    record("IDirect3DSurface9::Release", 0, "o", SURFACE + 4);
    record("IDirect3DVertexBuffer9::Release", 0, "o", BUFFER);
    record_reset();
    record("IDirect3DDevice9::SetRenderTarget", 0, "ouo", DEVICE, 0, SURFACE + 1);
    record("IDirect3DSwapChain9::Present", 0, "onnnnu", SURFACE + 3, 0);
    record("IDirect3DTexture9::Release", 0, "o", TEXTURE);
    record("IDirect3DDevice9::Release", 0, "o", DEVICE);
    record("IDirect3D9::Release", 0, "o", D3D);
}

static bool on_moment(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    struct replay_picture picture;

    (void)ctx;
    (void)moment;
    if (replay_take_picture(replay, &picture) == ST_OK)
        mem_free(picture.rgba);
    return true;
}

static char last_warning[512];

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    snprintf(last_warning, sizeof(last_warning), "%s", line);
}

static struct replay_stats run(const struct stream *stream)
{
    const struct replay_options options = {.on_moment = on_moment, .on_warning = on_warning};
    struct stream file = pack_snappy(stream, 1 << 20);
    struct replay_stats stats = {0};
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay;

    if (trace_open_memory(&reader, file.bytes, file.n, &error) == ST_OK) {
        ck_assert_int_eq(replay_create(&replay, reader, &options), ST_OK);
        (void)!replay_run(replay);
        stats = *replay_get_stats(replay);
        replay_destroy(replay);
        trace_close(reader);
    }
    free(file.bytes);
    return stats;
}

START_TEST(sample_is_sound)
{
    struct replay_stats stats;

    record_sample();
    stats = run(&s);
    ck_assert_str_eq(last_warning, "");
    ck_assert_uint_eq(stats.frames, 2);
    ck_assert_uint_eq(stats.failed, 0);
    ck_assert_uint_eq(stats.skipped, 0);
    ck_assert_uint_eq(stats.unsupported, 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* Flips only bytes after the signatures of the first calls. Half of the flips change one bit, the
 * others replace a byte by a small or a large number. */
START_TEST(flipped_calls)
{
    uint32_t seed = (uint32_t)_i * 7919 + 1;

    limit_memory(4);
    record_sample();
    for (int round = 0; round < 150; round++) {
        size_t at;
        uint8_t old;

        at = 40 + next_random(&seed) % (s.n - 40);
        old = s.bytes[at];
        next_random(&seed);
        s.bytes[at] = seed >> 31 ? (uint8_t)(old ^ 1u << (seed >> 24 & 7))
                                 : (uint8_t)(seed >> 24 & 1 ? seed >> 16 & 7 : 0x7f);
        run(&s);
        s.bytes[at] = old;
        ck_assert_msg(mem_live_blocks() == 0, "round %d, byte %zu: %lld blocks left", round, at,
                      (long long)mem_live_blocks());
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("broken calls");
    TCase *tc = tcase_create("broken calls");

    setenv("NOVEM_THREADS", "1", 0);
    tcase_add_test(tc, sample_is_sound);
    tcase_add_loop_test(tc, flipped_calls, 0, 2);
    tcase_set_timeout(tc, 120);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
