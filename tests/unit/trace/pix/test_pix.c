/* PIX run files: values of calls, pixels of a replay, and the numbers in docs/formats.md. */
#include "check_main.h"
#include "pix_stream.h"

#include "trace/pix/methods.h"
#include "trace/trace.h"
#include "util/alloc.h"

#include <stdio.h>
#include <zlib.h>

static struct stream s;

static void setup(void)
{
    s = (struct stream){0};
    put_pix_sample(&s);
}

static void teardown(void)
{
    free(s.bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static struct trace_reader *opened(const void *bytes, size_t n)
{
    struct trace_reader *reader;
    struct trace_error error;

    ck_assert_msg(trace_open_memory(&reader, bytes, n, &error) == ST_OK, "%s", error.text);
    return reader;
}

/* Returns the next call of this name. */
static const struct trace_call *find(struct trace_reader *reader, const char *name)
{
    const struct trace_call *call;

    do
        ck_assert_int_eq(trace_next(reader, &call), ST_OK);
    while (call && strcmp(call->function->name, name));
    ck_assert_msg(call, "there is no %s", name);
    return call;
}

/* --- Values ----------------------------------------------------------------------------------- */

START_TEST(values_of_calls)
{
    struct trace_reader *reader = opened(s.bytes, s.n);
    const struct trace_call *call;
    const struct trace_value *v;

    ck_assert_str_eq(trace_format_name(reader), "PIX run file");
    ck_assert_str_eq(trace_container_name(reader), "none");
    call = find(reader, "Direct3DCreate9");
    ck_assert_uint_eq(call->ret.u.uint, P_D3D);
    ck_assert_uint_eq(trace_number(&call->args[0]), 32);
    call = find(reader, "IDirect3D9::CreateDevice");
    v = &call->args[5].u.items[0];
    ck_assert_int_eq(v->kind, TRACE_STRUCT);
    ck_assert_str_eq(v->type->name, "D3DPRESENT_PARAMETERS");
    ck_assert_str_eq(v->type->members[13], "PresentationInterval");
    ck_assert_uint_eq(trace_number(&v->u.items[1]), 4);
    ck_assert_uint_eq(trace_number(&call->args[6].u.items[0]), P_DEVICE);
    call = find(reader, "IDirect3DDevice9::SetRenderState");
    ck_assert_int_eq(call->args[1].kind, TRACE_ENUM);
    ck_assert_int_eq(call->args[1].u.sint, 22);
    ck_assert_int_eq(call->ret.kind, TRACE_ENUM);
    call = find(reader, "IDirect3DDevice9::Clear");
    ck_assert_int_eq(call->args[2].kind, TRACE_NULL);
    ck_assert_uint_eq(trace_number(&call->args[4]), 0xff102030);
    ck_assert_int_eq(call->args[5].kind, TRACE_FLOAT);
    ck_assert_uint_eq(call->args[5].u.float_bits, 0x3f800000);
    trace_close(reader);
}
END_TEST

START_TEST(memory_behind_pointers)
{
    struct trace_reader *reader = opened(s.bytes, s.n);
    const struct trace_call *call = find(reader, "IDirect3DDevice9::CreateVertexShader");

    ck_assert_int_eq(call->args[1].kind, TRACE_BLOB);
    ck_assert_uint_eq(call->args[1].count, 32);
    ck_assert_uint_eq(trace_number(&call->args[2].u.items[0]), P_SHADER);
    call = find(reader, "IDirect3DDevice9::CreateVertexDeclaration");
    ck_assert_uint_eq(call->args[1].count, 2);
    ck_assert_str_eq(call->args[1].u.items[0].type->name, "D3DVERTEXELEMENT9");
    call = find(reader, "IDirect3DDevice9::SetVertexShaderConstantF");
    ck_assert_uint_eq(call->args[2].count, 8);
    ck_assert_uint_eq(call->args[2].u.items[7].u.float_bits, float_word(8));
    ck_assert_uint_eq(trace_number(&call->args[3]), 2);
    call = find(reader, "IDirect3DDevice9::SetClipPlane");
    ck_assert_uint_eq(call->args[2].count, 4);
    ck_assert_uint_eq(call->args[2].u.items[3].u.float_bits, float_word(4));
    trace_close(reader);
}
END_TEST

/* A lock, and the memcpy before its Unlock, have the same address; call numbers count all three. */
START_TEST(locked_memory)
{
    struct trace_reader *reader = opened(s.bytes, s.n);
    const struct trace_call *call = find(reader, "IDirect3DTexture9::LockRect");
    uint64_t number = call->number, address;

    ck_assert_uint_eq(call->flags, TRACE_PACKED);
    ck_assert_uint_eq(trace_number(&call->args[2].u.items[0].u.items[0]), 8);
    address = trace_number(&call->args[2].u.items[0].u.items[1]);
    ck_assert_uint_eq(address, (uint64_t)1 << 63 | P_TEXTURE);
    ck_assert_int_eq(trace_next(reader, &call), ST_OK);
    ck_assert_str_eq(call->function->name, "memcpy");
    ck_assert_uint_eq(call->flags, TRACE_FAKE);
    ck_assert_uint_eq(call->number, number + 1);
    ck_assert_uint_eq(trace_number(&call->args[0]), address);
    ck_assert_uint_eq(call->args[1].count, 12);
    ck_assert_int_eq(trace_next(reader, &call), ST_OK);
    ck_assert_str_eq(call->function->name, "IDirect3DTexture9::UnlockRect");
    ck_assert_uint_eq(call->number, number + 2);
    call = find(reader, "IDirect3DVertexBuffer9::Lock");
    ck_assert_uint_eq(trace_number(&call->args[3].u.items[0]), (uint64_t)1 << 63 | P_BUFFER);
    trace_close(reader);
}
END_TEST

/* Numbers that are no Direct3D 9 calls, chunks of other types, truncated parameters. */
START_TEST(oddities)
{
    const uint32_t words[3] = {1, 2, 3};
    struct stream odd = {0}, body = {0};
    struct trace_reader *reader;
    const struct trace_call *call;

    put_pix_header(&odd);
    for (unsigned number = 0; number < 206; number++)
        put_pix_call(&odd, false, number, words, 3, NULL);
    put_pix_call(&odd, false, 516, words, 3, NULL);
    put_bytes(&body, "anything", 8);
    put_chunk(&odd, 0x3ed, &body);
    put_chunk(&odd, 12345, &body);
    PIX_CALL(&odd, 293, 0x8876086c, P_DEVICE, 22); /* failed, and has no value */
    reader = opened(odd.bytes, odd.n);
    ck_assert_int_eq(trace_next(reader, &call), ST_OK);
    ck_assert_str_eq(call->function->name, "IDirect3DDevice9::SetRenderState");
    ck_assert(trace_failed(call));
    ck_assert_int_eq(call->args[2].kind, TRACE_MISSING);
    ck_assert_int_eq(trace_next(reader, &call), ST_OK);
    ck_assert_ptr_null(call);
    trace_close(reader);
    free(odd.bytes);
    free(body.bytes);
}
END_TEST

/* --- Pictures --------------------------------------------------------------------------------- */

static struct replay_picture picture;

static bool on_moment(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    (void)ctx;
    ck_assert(moment->present);
    ck_assert_int_eq(replay_take_picture(replay, &picture), ST_OK);
    return true;
}

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    ck_abort_msg("%s", line);
}

static uint32_t pixel(unsigned x, unsigned y)
{
    const uint8_t *p = picture.rgba + 4 * (y * picture.width + x);

    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static void check_picture(void)
{
    static const uint32_t texels[2][3] = {{0xff0000, 0x00ff00, 0x0000ff},
                                          {0xffffff, 0x000000, 0xff00ff}};

    ck_assert_uint_eq(picture.width, 8);
    ck_assert_uint_eq(picture.height, 4);
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 8; x++) {
            uint32_t want = x < 3 && y < 2 ? texels[y][x] : x > 3 && y == 3 ? 0xff0000 : 0x102030;

            ck_assert_msg(pixel(x, y) == want, "%u,%u is %06x", x, y, pixel(x, y));
        }
    mem_free(picture.rgba);
}

static void replay_and_check(const void *bytes, size_t n)
{
    const struct replay_options options = {.on_moment = on_moment, .on_warning = on_warning};
    struct trace_reader *reader = opened(bytes, n);
    struct replay *replay;

    ck_assert_int_eq(replay_create(&replay, reader, &options), ST_OK);
    ck_assert_int_eq(replay_run(replay), ST_OK);
    ck_assert_uint_eq(replay_get_stats(replay)->frames, 1);
    ck_assert_uint_eq(replay_get_stats(replay)->draws, 2);
    ck_assert_uint_eq(replay_get_stats(replay)->uploads, 2);
    ck_assert_uint_eq(replay_get_stats(replay)->short_uploads, 0);
    ck_assert_uint_eq(replay_get_stats(replay)->failed, 0);
    ck_assert_uint_eq(replay_get_stats(replay)->skipped, 0);
    ck_assert_uint_eq(replay_get_stats(replay)->unsupported, 0);
    replay_destroy(replay);
    trace_close(reader);
    check_picture();
}

START_TEST(pixels)
{
    replay_and_check(s.bytes, s.n);
}
END_TEST

START_TEST(pixels_from_gzip)
{
    static uint8_t packed[1 << 16];
    z_stream z = {
        .next_in = s.bytes, .avail_in = (uInt)s.n, .next_out = packed, .avail_out = sizeof(packed)};

    ck_assert_int_eq(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, 0), Z_OK);
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    replay_and_check(packed, sizeof(packed) - z.avail_out);
    deflateEnd(&z);
}
END_TEST

/* --- Document --------------------------------------------------------------------------------- */

/* Checks every row "| first-last | interface |" of docs/formats.md: the names at both ends. */
START_TEST(numbers_in_formats_md)
{
    FILE *file = fopen("docs/formats.md", "r");
    char line[1024], interface[64], first[64], last[64], name[160];
    unsigned from, to, rows = 0, next = 219;

    ck_assert_msg(file, "docs/formats.md is not here: tests run in the project's folder");
    while (fgets(line, sizeof(line), file)) {
        if (sscanf(line, "| %u-%u | `%63[A-Za-z0-9]` | `%63[A-Za-z0-9]` | `%63[A-Za-z0-9]` |",
                   &from, &to, interface, first, last) != 5)
            continue;
        ck_assert_uint_eq(from, next);
        snprintf(name, sizeof(name), "%s::%s", interface, first);
        ck_assert_str_eq(pix_method(from)->name, name);
        snprintf(name, sizeof(name), "%s::%s", interface, last);
        ck_assert_str_eq(pix_method(to)->name, name);
        next = to + 1;
        rows++;
    }
    fclose(file);
    ck_assert_uint_eq(rows, 15);
    ck_assert_uint_eq(next, PIX_CALL_END);
    ck_assert_ptr_null(pix_method(next));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("PIX run files");
    TCase *tc = tcase_create("pix");

    setenv("NOVEM_THREADS", "1", 0);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, values_of_calls);
    tcase_add_test(tc, memory_behind_pointers);
    tcase_add_test(tc, locked_memory);
    tcase_add_test(tc, oddities);
    tcase_add_test(tc, pixels);
    tcase_add_test(tc, pixels_from_gzip);
    tcase_add_test(tc, numbers_in_formats_md);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
