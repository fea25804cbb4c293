/* `novem replay` when memory runs out: each allocation fails in turn
 * (a sample of them under sanitizers). The replay prints the right
 * hashes, or ends with an error message and a non-zero exit code. */
#define COBJMACROS
#include "sanitized.h"
#include "unit/api/api_test.h"
#include "unit/tool/command.h"

#include "record/record.h"
#include "tool/capture/capture.h"
#include "util/log.h"
#include "vm/vm.h"

#include <sys/wait.h>

enum { SIDE = 32, SAMPLES = D3DMULTISAMPLE_4_SAMPLES };
static char capture[64], compiled[64];

#ifdef SANITIZED
enum { EVERY = 16 };
#else
enum { EVERY = 3 };
#endif

struct vertex {
    float x, y, z;
    D3DCOLOR colour;
    float u, v;
};

static IDirect3DPixelShader9 *create_shader(IDirect3DDevice9 *device)
{
    IDirect3DPixelShader9 *shader;
    uint32_t *words;
    size_t n;

    ck_assert_int_eq(
        vm_assemble(
            &words, &n,
            "ps_2_0\ndcl v0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, v0\nmov oC0, r0\n",
            NULL),
        ST_OK);
    OK(IDirect3DDevice9_CreatePixelShader(device, (const DWORD *)words, &shader));
    mem_free(words);
    return shader;
}

static IDirect3DTexture9 *create_texture(IDirect3DDevice9 *device, D3DFORMAT format, D3DPOOL pool)
{
    IDirect3DTexture9 *texture;
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_CreateTexture(device, SIDE, SIDE, 1, 0, format, pool, &texture, NULL));
    OK(IDirect3DTexture9_LockRect(texture, 0, &lock, NULL, 0));
    memset(lock.pBits, 0x5b, (size_t)lock.Pitch * (format == D3DFMT_DXT1 ? SIDE / 4 : SIDE));
    OK(IDirect3DTexture9_UnlockRect(texture, 0));
    return texture;
}

static IDirect3DVertexBuffer9 *create_vertices(IDirect3DDevice9 *device)
{
    static const struct vertex corners[4] = {{-1, -1, 0, 0xffff4000, 0, 0},
                                             {-1, 1, 0, 0xff00ff80, 0, 1},
                                             {1, -1, 0, 0xff2000ff, 1, 0},
                                             {1, 1, 0, 0xffffffff, 1, 1}};
    IDirect3DVertexBuffer9 *buffer;
    void *to;

    OK(IDirect3DDevice9_CreateVertexBuffer(device, sizeof(corners), 0, 0, D3DPOOL_MANAGED, &buffer,
                                           NULL));
    OK(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &to, 0));
    memcpy(to, corners, sizeof(corners));
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    return buffer;
}

static void draw_frame(IDirect3DDevice9 *device, IDirect3DTexture9 *texture,
                       IDirect3DPixelShader9 *shader, IDirect3DSurface9 *target)
{
    IDirect3DSurface9 *back;

    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff203040, 1, 0));
    OK(IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
    OK(IDirect3DDevice9_SetPixelShader(device, shader));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2));
    OK(IDirect3DDevice9_StretchRect(device, target, NULL, back, NULL, D3DTEXF_NONE));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, back));
    OK(IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 1));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    IDirect3DSurface9_Release(back);
}

static void record_capture(void)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIDE,
                               .BackBufferHeight = SIDE,
                               .BackBufferFormat = D3DFMT_X8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_COPY,
                               .Windowed = TRUE};
    IDirect3DSurface9 *target[2];
    IDirect3DVertexBuffer9 *vertices;
    IDirect3DTexture9 *texture[2];
    IDirect3DPixelShader9 *shader;
    IDirect3DDevice9 *device;
    IDirect3D9 *d3d9;

    record_open(capture);
    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    OK(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, D3DFMT_X8R8G8B8, 0, 0, FALSE,
                                           &target[0], NULL));
    OK(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, D3DFMT_X8R8G8B8, SAMPLES, 0, FALSE,
                                           &target[1], NULL));
    texture[0] = create_texture(device, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED);
    texture[1] = create_texture(device, D3DFMT_DXT1, D3DPOOL_MANAGED);
    shader = create_shader(device);
    vertices = create_vertices(device);
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1));
    OK(IDirect3DDevice9_SetStreamSource(device, 0, vertices, 0, sizeof(struct vertex)));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    draw_frame(device, texture[0], NULL, target[0]);
    draw_frame(device, texture[1], shader, target[1]);
    for (unsigned i = 0; i < 2; i++) {
        IDirect3DTexture9_Release(texture[i]);
        IDirect3DSurface9_Release(target[i]);
    }
    IDirect3DPixelShader9_Release(shader);
    IDirect3DVertexBuffer9_Release(vertices);
    ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
    IDirect3D9_Release(d3d9);
    record_close();
}

static void setup(void)
{
    log_set_level(LOG_NONE);
    setenv("NOVEM_LOG", "none", 1);
    open_folder();
    path_in_folder(capture, "x.trace");
    path_in_folder(compiled, "x.nvs");
    record_capture();
    run_command(tool_compile, TOOL_OK, 4, (char *[]){"compile", capture, "-o", compiled, NULL});
}

/* Runs the replay in a process of its own, in which allocation n fails, alone or with all later
 * ones. n < 0: none fails. Returns the exit code; code 99: less than n allocations were made. */
static int replay(const char *file, const char *threads, int64_t n, bool once, char out[4096],
                  char err[4096])
{
    char path[2][64], *text[2] = {out, err};
    int status;
    pid_t child;

    path_in_folder(path[0], "out");
    path_in_folder(path[1], "err");
    fflush(NULL);
    child = fork();
    if (!child) {
        const char *argv[] = {"replay", file, "--hash", "--quiet", "--threads", threads, NULL};
        int code;

        if (!freopen(path[0], "w", stdout) || !freopen(path[1], "w", stderr))
            _exit(98);
        if (once)
            mem_fail_once(n);
        else
            mem_fail_after(n);
        code = tool_replay(6, (char **)(uintptr_t)argv);
        fflush(NULL);
        _exit(n >= 0 && !mem_has_failed() ? 99 : code);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "allocation %lld: signal %d", (long long)n, WTERMSIG(status));
    for (unsigned i = 0; i < 2; i++) {
        uint8_t *bytes;
        size_t size;

        ck_assert_int_eq(tool_file_read(path[i], &bytes, &size), ST_OK);
        snprintf(text[i], 4096, "%s", (const char *)bytes);
        mem_free(bytes);
    }
    return WEXITSTATUS(status);
}

/* Lets each EVERYth allocation fail, from the first on. */
static void fail_each(const char *file, const char *threads, bool once, int64_t first)
{
    static char good[4096], out[4096], err[4096];
    unsigned failures = 0;

    ck_assert_int_eq(replay(file, threads, -1, once, good, err), TOOL_OK);
    for (int64_t n = first % EVERY;; n += EVERY) {
        int code = replay(file, threads, n, once, out, err);

        if (code == 99)
            break;
        failures += code != TOOL_OK;
        if (code == TOOL_OK)
            ck_assert_msg(!strcmp(out, good), "allocation %lld fails unnoticed", (long long)n);
        else
            ck_assert_msg(*err, "allocation %lld fails without a message", (long long)n);
    }
    ck_assert_uint_gt(failures, 50 / EVERY);
}

START_TEST(one_failed_allocation_is_noticed)
{
    fail_each(capture, "1", true, 0);
    fail_each(capture, "2", true, 1);
}
END_TEST

START_TEST(memory_that_stays_short_is_noticed)
{
    fail_each(capture, "1", false, 2);
    fail_each(capture, "2", false, 3);
}
END_TEST

START_TEST(compiled_streams_notice_too)
{
    fail_each(compiled, "1", true, 4);
    fail_each(compiled, "1", false, 5);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("capture/memory");
    TCase *tc = tcase_create("capture/memory");

    tcase_add_checked_fixture(tc, setup, close_folder);
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, one_failed_allocation_is_noticed);
    tcase_add_test(tc, memory_that_stays_short_is_noticed);
    tcase_add_test(tc, compiled_streams_notice_too);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
