/* Recorder: the reader reads what it writes, and the replayer shows the same picture. */
#define COBJMACROS
#include "unit/api/api_test.h"

#include "record/file.h"
#include "record/record.h"
#include "record/types.h"
#include "record/writer.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/log.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[64];
static struct trace_reader *reader;
static const struct trace_call *call;

static void setup(void)
{
    strcpy(path, "/tmp/novem-test-XXXXXX");
    close(mkstemp(path));
}

static void teardown(void)
{
    unlink(path);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static void open_capture(void)
{
    struct trace_error error;

    ck_assert_msg(trace_open(&reader, path, &error) == ST_OK, "%s", error.text);
    ck_assert_uint_eq(trace_version(reader), 6);
    ck_assert_str_eq(trace_container_name(reader), "snappy");
}

static const struct trace_call *next_call(void)
{
    enum status st = trace_next(reader, &call);

    ck_assert_msg(st == ST_OK, "%s", trace_reader_error(reader)->text);
    return call;
}

/* Returns the value of the next call of this name. */
static const struct trace_value *find(const char *name)
{
    do
        ck_assert_msg(next_call() != NULL, "%s was not recorded", name);
    while (strcmp(call->function->name, name) != 0);
    ck_assert(call->complete);
    return call->args;
}

static void close_capture(void)
{
    ck_assert_ptr_null(next_call());
    trace_close(reader);
}

/* --- The stream ------------------------------------------------------------------------------- */

static void put_call(struct writer *w, unsigned size, uint8_t *bytes)
{
    bool first = !w->calls;

    writer_byte(w, 0); /* enter */
    writer_number(w, 3);
    writer_number(w, 0);
    if (first) {
        writer_string(w, "f");
        writer_number(w, 1);
        writer_string(w, "data");
    }
    writer_byte(w, 1);
    writer_number(w, 0);
    writer_array(w, 3);
    writer_blob(w, bytes, size);
    writer_value(w, &record_D3DFORMAT, &(D3DFORMAT){D3DFMT_DXT1});
    writer_value(w, &record_RECT, &(RECT){-1, 2, INT32_MIN, 4});
    writer_byte(w, 0);
    writer_byte(w, 1); /* leave */
    writer_number(w, w->calls++);
    writer_byte(w, 0);
}

/* Chunks end anywhere: in numbers, names and blobs larger than a chunk. */
START_TEST(test_stream)
{
    enum { MOST = 3 << 20, CALLS = 300 };
    uint8_t *bytes = mem_alloc(MOST);
    uint32_t seed = 5;
    struct writer w;

    for (size_t i = 0; i < MOST; i++)
        bytes[i] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> (i & 4096 ? 24 : 30));
    ck_assert_int_eq(writer_open(&w, path, "a program"), ST_OK);
    for (unsigned i = 0; i < CALLS; i++)
        put_call(&w, i == 7 ? MOST : i * 101, bytes);
    writer_close(&w);

    open_capture();
    for (unsigned i = 0; i < CALLS; i++) {
        const struct trace_value *v;

        ck_assert_ptr_nonnull(next_call());
        ck_assert_uint_eq(call->number, i);
        ck_assert_uint_eq(call->thread, 3);
        v = call->args[0].u.items;
        ck_assert_uint_eq(v[0].count, i == 7 ? MOST : i * 101);
        ck_assert(!memcmp(v[0].u.bytes, bytes, v[0].count));
        ck_assert_int_eq(v[1].kind, TRACE_ENUM);
        ck_assert_int_eq(v[1].u.sint, D3DFMT_DXT1);
        ck_assert_str_eq(v[2].type->name, "RECT");
        ck_assert_int_eq((int32_t)trace_number(&v[2].u.items[0]), -1);
        ck_assert_int_eq((int32_t)trace_number(&v[2].u.items[2]), INT32_MIN);
    }
    close_capture();
    mem_free(bytes);
}
END_TEST

START_TEST(test_unwritable)
{
    IDirect3D9 *d3d9;

    log_set_level(LOG_NONE);
    record_open("/nowhere/at/all");
    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    ck_assert_uint_eq(IDirect3D9_Release(d3d9), 0);
    record_close();
}
END_TEST

/* --- Calls ------------------------------------------------------------------------------------ */

static const float triangle[3][4] = {{0, 0, 0.5f, 1}, {600, 0, 0.5f, 1}, {0, 400, 0.5f, 1}};

static void fill_buffer(IDirect3DDevice9 *device)
{
    IDirect3DVertexBuffer9 *buffer;
    void *at;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, 100, 0, D3DFVF_XYZRHW, D3DPOOL_DEFAULT, &buffer,
                                           NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 52, 0, &at, 0));
    memcpy(at, triangle, sizeof(triangle));
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, buffer, 52, 16));
    ck_assert_uint_eq(IDirect3DVertexBuffer9_Release(buffer), 0);
}

static void fill_texture(IDirect3DDevice9 *device)
{
    const RECT part = {4, 4, 12, 8};
    IDirect3DTexture9 *texture;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_CreateTexture(device, 16, 16, 1, 0, D3DFMT_DXT1, D3DPOOL_MANAGED, &texture,
                                      NULL));
    OK(IDirect3DTexture9_LockRect(texture, 0, &lock, &part, 0));
    memset(lock.pBits, 0x5a, 16);
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    OK(IDirect3DTexture9_LockRect(texture, 0, &lock, NULL, D3DLOCK_READONLY));
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    ck_assert_uint_eq(IDirect3DTexture9_Release(texture), 0);
}

static void draw_frame(IDirect3DDevice9 *device, D3DCOLOR colour)
{
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, colour, 1, 0));
    OK(IDirect3DDevice9_BeginScene(device));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, 1));
    OK(IDirect3DDevice9_EndScene(device));
}

static IDirect3DDevice9 *begin_recorded(DWORD flags)
{
    IDirect3DDevice9 *device;

    record_open(path);
    device = create_device_flags(D3DCREATE_HARDWARE_VERTEXPROCESSING | flags);
    return device;
}

static void record_program(void)
{
    static const DWORD code[] = {0x12345678, 0x0000ffff}; /* invalid version token */
    const float constants[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    IDirect3DDevice9 *device = begin_recorded(0);
    IDirect3DVertexShader9 *shader;

    fill_buffer(device);
    fill_texture(device);
    REFUSED(IDirect3DDevice9_CreateVertexShader(device, code, &shader));
    OK(IDirect3DDevice9_SetVertexShaderConstantF(device, 2, constants, 2));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, D3DZB_FALSE));
    draw_frame(device, 0xff102030);
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 1, triangle, 16));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
    record_close();
}

static uint64_t out(const struct trace_value *v)
{
    ck_assert_int_eq(v->kind, TRACE_ARRAY);
    ck_assert_uint_eq(v->count, 1);
    return trace_number(&v->u.items[0]);
}

START_TEST(test_calls)
{
    const struct trace_value *a;
    uint64_t device;

    record_program();
    open_capture();
    a = find("Direct3DCreate9");
    ck_assert_uint_eq(call->number, 0);
    ck_assert_uint_eq(trace_number(&a[0]), D3D_SDK_VERSION);
    a = find("IDirect3D9::CreateDevice");
    ck_assert_str_eq(call->function->args[5], "pPresentationParameters");
    ck_assert_str_eq(a[5].u.items[0].type->members[13], "PresentationInterval");
    device = out(&a[6]);
    next_call(); /* calls inside the runtime are not recorded */
    ck_assert_str_eq(call->function->name, "IDirect3D9::Release");
    a = find("memcpy");
    ck_assert_uint_eq(call->flags, TRACE_FAKE);
    ck_assert_uint_eq(a[1].count, 48);
    ck_assert(!memcmp(a[1].u.bytes, triangle, sizeof(triangle)));
    ck_assert_str_eq((next_call(), call->function->name), "IDirect3DVertexBuffer9::Unlock");
    a = find("memcpy");
    ck_assert_uint_eq(a[1].count, 16);
    ck_assert_str_eq((next_call(), call->function->name), "IDirect3DTexture9::UnlockRect");
    find("IDirect3DTexture9::LockRect");
    ck_assert_str_eq((next_call(), call->function->name), "IDirect3DTexture9::UnlockRect");
    a = find("IDirect3DDevice9::CreateVertexShader");
    ck_assert(trace_failed(call));
    ck_assert_int_eq(a[2].kind, TRACE_MISSING);
    a = find("IDirect3DDevice9::SetVertexShaderConstantF");
    ck_assert_uint_eq(trace_number(&a[0]), device);
    ck_assert_uint_eq(a[2].count, 8);
    ck_assert_uint_eq(a[2].u.items[7].u.float_bits, 0x41000000);
    a = find("IDirect3DDevice9::SetRenderState");
    ck_assert_int_eq(a[2].kind, TRACE_ENUM);
    a = find("IDirect3DDevice9::DrawPrimitiveUP");
    ck_assert_uint_eq(a[3].count, 48);
    find("IDirect3DDevice9::Present");
    find("IDirect3DDevice9::Release");
    ck_assert_uint_eq(trace_number(&call->ret), 0);
    close_capture();
}
END_TEST

/* --- Replay ----------------------------------------------------------------------------------- */

static bool take(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    ck_assert(moment->present);
    ck_assert_int_eq(replay_take_picture(replay, ctx), ST_OK);
    return true;
}

START_TEST(test_replay)
{
    struct replay_picture picture = {0};
    const struct replay_options options = {.ctx = &picture, .on_moment = take};
    struct replay *replay;
    const uint8_t *at;

    record_program();
    open_capture();
    ck_assert_int_eq(replay_create(&replay, reader, &options), ST_OK);
    ck_assert_int_eq(replay_run(replay), ST_OK);
    ck_assert_uint_eq(replay_get_stats(replay)->failed, 0);
    ck_assert_uint_eq(replay_get_stats(replay)->skipped, 0);
    ck_assert_uint_eq(replay_get_stats(replay)->unsupported, 0);
    ck_assert_uint_eq(replay_get_stats(replay)->short_uploads, 0);
    ck_assert_uint_eq(replay_get_stats(replay)->uploads, 2);
    ck_assert_uint_eq(picture.width, 640);
    at = picture.rgba + 4 * (470 * 640 + 630);
    ck_assert_uint_eq(at[0] << 16 | at[1] << 8 | at[2], 0x102030);
    ck_assert(memcmp(at, picture.rgba, 3) != 0); /* covered by the triangle */
    replay_destroy(replay);
    trace_close(reader);
    mem_free(picture.rgba);
}
END_TEST

/* --- Killed programs and many threads --------------------------------------------------------- */

START_TEST(test_killed)
{
    enum { FRAMES = 3 };
    pid_t child = fork();
    unsigned frames = 0;
    int status;

    if (!child) {
        IDirect3DDevice9 *device = begin_recorded(0);

        fill_buffer(device);
        for (unsigned i = 0; i < FRAMES; i++) {
            draw_frame(device, i);
            IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL);
        }
        raise(SIGKILL);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    open_capture();
    while (next_call())
        frames += !strcmp(call->function->name, "IDirect3DDevice9::Present");
    ck_assert_uint_eq(frames, FRAMES);
    trace_close(reader);
}
END_TEST

/* --- Two processes with one name ----------------------------------------------------------------
 */

static void ignore(void *ctx, enum log_level level, const char *line)
{
    (void)ctx, (void)level, (void)line;
}

static unsigned presents(const char *file)
{
    struct trace_error error;
    unsigned n = 0;

    ck_assert_msg(trace_open(&reader, file, &error) == ST_OK, "%s: %s", file, error.text);
    while (next_call())
        n += !strcmp(call->function->name, "IDirect3DDevice9::Present");
    trace_close(reader);
    return n;
}

/* A launcher records while the game that it started records one frame to the same name. */
START_TEST(test_name_taken)
{
    IDirect3DDevice9 *device;
    int status, ready[2];
    char other[96], go;
    pid_t child;

    ck_assert_int_eq(pipe(ready), 0);
    child = fork();
    if (!child) {
        ck_assert_int_eq(read(ready[0], &go, 1), 1);
        log_set_sink(ignore, NULL);
        device = begin_recorded(0);
        OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
        IDirect3DDevice9_Release(device);
        record_close();
        _exit(0);
    }
    device = begin_recorded(0);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    ck_assert_int_eq(write(ready[1], "", 1), 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
    record_close();
    close(ready[0]);
    close(ready[1]);
    snprintf(other, sizeof(other), "%s-%d", path, (int)child);
    ck_assert_uint_eq(presents(path), 2);
    ck_assert_uint_eq(presents(other), 1);
    unlink(other);
    record_program(); /* the name is free again */
    ck_assert_uint_eq(presents(path), 1);
}
END_TEST

/* A forked child writes nothing to the capture of its parent. Its own objects go to another one. */
START_TEST(test_forked)
{
    IDirect3DDevice9 *device;
    char other[96];
    int status;
    pid_t child;

    setenv("NOVEM_THREADS", "1", 1); /* TSan starts no threads after a fork of several */
    device = begin_recorded(0);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_TEXTUREFACTOR, 1)); /* stays in the buffer */
    child = fork();
    if (!child) {
        log_set_sink(ignore, NULL);
        if (_i) {
            device = begin_recorded(0);
            OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
        }
        IDirect3DDevice9_Release(device);
        exit(0); /* runs the destructors, as programs do */
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status)); /* under ASan with 1: the child leaves what the parent owns */
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
    record_close();
    ck_assert_uint_eq(presents(path), 1);
    snprintf(other, sizeof(other), "%s-%d", path, (int)child);
    if (_i)
        ck_assert_uint_eq(presents(other), 1);
    ck_assert_int_eq(unlink(other), _i ? 0 : -1);
}
END_TEST

START_TEST(test_names)
{
    char name[64], expected[64];
    unsigned long process = (unsigned long)getpid();

    ck_assert_int_eq(record_file_name(name, sizeof(name), "/a.b/game.trace", 0), ST_OK);
    ck_assert_str_eq(name, "/a.b/game.trace");
    ck_assert_int_eq(record_file_name(name, sizeof(name), "/a.b/game.trace", 1), ST_OK);
    snprintf(expected, sizeof(expected), "/a.b/game-%lu.trace", process);
    ck_assert_str_eq(name, expected);
    ck_assert_int_eq(record_file_name(name, sizeof(name), "/a.b/game", 2), ST_OK);
    snprintf(expected, sizeof(expected), "/a.b/game-%lu-2", process);
    ck_assert_str_eq(name, expected);
    ck_assert_int_eq(record_file_name(name, 8, "/a.b/game", 0), ST_INVALID);
}
END_TEST

/* A capture must not take the number of a standard stream that the program has closed. */
START_TEST(test_standard_streams)
{
    int kept = dup(STDIN_FILENO);
    FILE *file;

    close(STDIN_FILENO);
    ck_assert_int_eq(record_file_open(&file, path), ST_OK);
    ck_assert_int_gt(fileno(file), STDERR_FILENO);
    fclose(file);
    dup2(kept, STDIN_FILENO);
    close(kept);
}
END_TEST

/* A pipe without a reader is an error, not the end of the program. */
START_TEST(test_broken_pipe)
{
    int ends[2];
    sigset_t pending;
    FILE *file;

    ck_assert_int_eq(pipe(ends), 0);
    file = fdopen(ends[1], "wb");
    close(ends[0]);
    ck_assert(!record_file_write(file, "x", 1));
    ck_assert_int_eq(errno, EPIPE);
    sigpending(&pending);
    ck_assert(!sigismember(&pending, SIGPIPE));
    fclose(file);
}
END_TEST

enum { THREADS = 4, ROUNDS = 200 };

static void *set_states(void *ctx)
{
    IDirect3DDevice9 *device = ctx;

    for (unsigned i = 0; i < ROUNDS; i++) {
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_TEXTUREFACTOR, i));
        fill_texture(device);
    }
    return NULL;
}

START_TEST(test_threads)
{
    IDirect3DDevice9 *device = begin_recorded(D3DCREATE_MULTITHREADED);
    unsigned calls[THREADS + 1] = {0};
    pthread_t threads[THREADS];

    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, set_states, device), 0);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
    record_close();
    open_capture();
    while (next_call()) {
        ck_assert_uint_le(call->thread, THREADS);
        calls[call->thread] += !strcmp(call->function->name, "IDirect3DDevice9::SetRenderState");
    }
    trace_close(reader);
    for (unsigned i = 1; i <= THREADS; i++)
        ck_assert_uint_eq(calls[i], ROUNDS);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("trace/record");
    TCase *tests = tcase_create("record");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_stream);
    tcase_add_test(tests, test_unwritable);
    tcase_add_test(tests, test_calls);
    tcase_add_test(tests, test_replay);
    tcase_add_test(tests, test_killed);
    tcase_add_test(tests, test_name_taken);
    tcase_add_loop_test(tests, test_forked, 0, 2);
    tcase_add_test(tests, test_names);
    tcase_add_test(tests, test_standard_streams);
    tcase_add_test(tests, test_broken_pipe);
    tcase_add_test(tests, test_threads);
    suite_add_tcase(s, tests);
    return s;
}

TEST_MAIN(suite)
