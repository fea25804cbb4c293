/* Histories of pixels of surfaces that are no first level: what a key means is what is bound after
 * its call. */
#define COBJMACROS
#include "unit/api/api_test.h"
#include "unit/tool/command.h"

#include "record/record.h"
#include "tool/inspect/inspect.h"
#include "tool/serve/work.h"
#include "util/alloc.h"
#include "util/log.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIDE = 16 };
static char path[64];
static unsigned calls[4];

/* Clears a face's level of a cube. */
static void clear_face(IDirect3DDevice9 *device, IDirect3DCubeTexture9 *cube, unsigned face,
                       unsigned level, D3DCOLOR colour)
{
    IDirect3DSurface9 *surface;

    OK(IDirect3DCubeTexture9_GetCubeMapSurface(cube, (D3DCUBEMAP_FACES)face, level, &surface));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, surface));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, colour, 0, 0));
    IDirect3DSurface9_Release(surface);
}

static void run_program(void)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIDE,
                               .BackBufferHeight = SIDE,
                               .BackBufferFormat = D3DFMT_X8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_COPY,
                               .Windowed = TRUE};
    IDirect3D9 *d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    IDirect3DCubeTexture9 *cube;
    IDirect3DDevice9 *device;

    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    OK(IDirect3DDevice9_CreateCubeTexture(device, SIDE, 2, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                                          D3DPOOL_DEFAULT, &cube, NULL));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    clear_face(device, cube, 0, 0, 0xff0a0b0c);
    clear_face(device, cube, 3, 0, 0xff102030);
    clear_face(device, cube, 3, 1, 0xff405060);
    clear_face(device, cube, 0, 0, 0xff708090);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    IDirect3DCubeTexture9_Release(cube);
    IDirect3DDevice9_Release(device);
    IDirect3D9_Release(d3d9);
}

static void setup(void)
{
    setenv("NOVEM_THREADS", "1", 1);
    log_set_level(LOG_NONE);
    open_folder();
    path_in_folder(path, "x.trace");
    record_open(path);
    run_program();
    record_close();
}

/* The answer of a process of its own, as in a session. Returns its length, or 0 and an error. */
static size_t ask(const char *question, char *out, size_t most)
{
    int ends[2], status;
    size_t n = 0;
    ssize_t got;
    pid_t pid;

    ck_assert_int_eq(pipe(ends), 0);
    pid = fork();
    ck_assert_int_ge(pid, 0);
    if (!pid) {
        struct serve_work work = {.command = "test", .file = path, .folder = folder};
        char *text = NULL, error[SESSION_TEXT] = "";
        enum status st = serve_work_go_to(&work, 1, error);

        if (st == ST_OK)
            st = serve_work_answer(&work, question, &text, &n, error);
        if (st != ST_OK) {
            text = error;
            n = strlen(error);
        }
        _exit(write(ends[1], text, n) == (ssize_t)n ? st != ST_OK : 2);
    }
    close(ends[1]);
    while ((got = read(ends[0], out + n, most - 1 - n)) > 0)
        n += (size_t)got;
    out[n] = 0;
    close(ends[0]);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return WEXITSTATUS(status) ? 0 : n;
}

/* The calls of the clears, and the resource that they clear. */
static int find_clears(void)
{
    static char text[65536];
    const cJSON *e;
    unsigned n = 0;
    int resource;
    cJSON *frame;

    ck_assert_uint_gt(ask("frame", text, sizeof(text)), 0);
    frame = cJSON_Parse(text);
    cJSON_ArrayForEach(e, cJSON_GetObjectItem(frame, "events"))
    {
        const cJSON *target = cJSON_GetArrayItem(cJSON_GetObjectItem(e, "targets"), 0);

        ck_assert_uint_lt(n, 4);
        calls[n++] = (unsigned)cJSON_GetObjectItem(e, "call")->valueint;
        resource = cJSON_GetObjectItem(target, "resource")->valueint;
    }
    ck_assert_uint_eq(n, 4);
    cJSON_Delete(frame);
    return resource;
}

/* The history is that of `novem pixel`, to the byte. */
START_TEST(faces_and_levels)
{
    static char text[65536];
    int resource = find_clears();
    char key[64], call[16], error[128];

    for (unsigned i = 0; i < 4; i++) {
        char *words[] = {"pixel", path, "--call", call, "--at", "5,6", "--json", NULL};
        const char *printed;

        snprintf(call, sizeof(call), "%u", calls[i]);
        snprintf(key, sizeof(key), "pixel/%s/%d/5/6", call, resource);
        ck_assert_msg(ask(key, text, sizeof(text)), "%s: %s", key, text);
        printed = run_command(tool_pixel, TOOL_OK, 7, words);
        ck_assert_str_eq(text, printed);
    }
    snprintf(key, sizeof(key), "pixel/%u/%d/8/0", calls[2], resource);
    ck_assert_uint_eq(ask(key, error, sizeof(error)), 0); /* level 1 has 8 pixels in a row */
    ck_assert_str_eq(error, "8,0 is outside of the surface, 8x8");
    snprintf(key, sizeof(key), "pixel/%u/%d/16/0", calls[1], resource);
    ck_assert_uint_eq(ask(key, error, sizeof(error)), 0);
    ck_assert_str_eq(error, "16,0 is outside of the surface, 16x16");
    snprintf(key, sizeof(key), "pixel/9999/%d/0/0", resource);
    ck_assert_uint_eq(ask(key, error, sizeof(error)), 0);
    ck_assert_str_eq(error, "the frame ends before call 9999");
    snprintf(key, sizeof(key), "pixel/%u/77/0/0", calls[1]);
    ck_assert_uint_eq(ask(key, error, sizeof(error)), 0);
    ck_assert_ptr_nonnull(strstr(error, "there is no picture 77"));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("serve/pixel");
    TCase *tc = tcase_create("serve/pixel");

    tcase_add_checked_fixture(tc, setup, close_folder);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, faces_and_levels);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
