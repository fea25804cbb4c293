/* Test of shared resources in two processes: this one, and a second instance that receives the
 * handle. */
#include <check.h>
#include <d3d9.h>
#include <stdio.h>
#include <stdlib.h>

static IDirect3DDevice9Ex *make_device(void)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = 64,
                               .BackBufferHeight = 64,
                               .BackBufferFormat = D3DFMT_X8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_DISCARD,
                               .Windowed = TRUE};
    IDirect3DDevice9Ex *device = NULL;
    IDirect3D9Ex *d3d9;
    HWND window = CreateWindowA("static", "shared", WS_OVERLAPPEDWINDOW, 0, 0, 100, 100, NULL, NULL,
                                NULL, NULL);

    ck_assert_int_eq(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d9), D3D_OK);
    ck_assert_int_eq(IDirect3D9Ex_CreateDeviceEx(d3d9, 0, D3DDEVTYPE_HAL, window,
                                                 D3DCREATE_SOFTWARE_VERTEXPROCESSING, &p, NULL,
                                                 &device),
                     D3D_OK);
    IDirect3D9Ex_Release(d3d9);
    return device;
}

static IDirect3DSurface9 *make_target(IDirect3DDevice9Ex *device, HANDLE *handle)
{
    IDirect3DSurface9 *target = NULL;

    ck_assert_int_eq(IDirect3DDevice9Ex_CreateRenderTarget(device, 32, 32, D3DFMT_A8R8G8B8,
                                                           D3DMULTISAMPLE_NONE, 0, FALSE, &target,
                                                           handle),
                     D3D_OK);
    return target;
}

static void fill(IDirect3DDevice9Ex *device, IDirect3DSurface9 *target, D3DCOLOR colour)
{
    IDirect3DQuery9 *query;
    BOOL done;

    ck_assert_int_eq(IDirect3DDevice9Ex_ColorFill(device, target, NULL, colour), D3D_OK);
    ck_assert_int_eq(IDirect3DDevice9Ex_CreateQuery(device, D3DQUERYTYPE_EVENT, &query), D3D_OK);
    IDirect3DQuery9_Issue(query, D3DISSUE_END);
    while (IDirect3DQuery9_GetData(query, &done, sizeof(done), D3DGETDATA_FLUSH) == S_FALSE)
        Sleep(1);
    IDirect3DQuery9_Release(query);
}

static D3DCOLOR read_pixel(IDirect3DDevice9Ex *device, IDirect3DSurface9 *target)
{
    IDirect3DSurface9 *copy;
    D3DLOCKED_RECT locked;
    D3DCOLOR colour;

    ck_assert_int_eq(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, 32, 32, D3DFMT_A8R8G8B8,
                                                                    D3DPOOL_SYSTEMMEM, &copy, NULL),
                     D3D_OK);
    ck_assert_int_eq(IDirect3DDevice9Ex_GetRenderTargetData(device, target, copy), D3D_OK);
    ck_assert_int_eq(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    colour = *(D3DCOLOR *)locked.pBits;
    IDirect3DSurface9_UnlockRect(copy);
    IDirect3DSurface9_Release(copy);
    return colour;
}

/* The second process: it must read 0xff112233, and writes another colour. */
static int be_second(HANDLE handle)
{
    IDirect3DDevice9Ex *device = make_device();
    IDirect3DSurface9 *target = make_target(device, &handle);

    ck_assert_uint_eq(read_pixel(device, target), 0xff112233);
    fill(device, target, 0xff998877);
    IDirect3DSurface9_Release(target);
    IDirect3DDevice9Ex_Release(device);
    return 0;
}

static void run_second(HANDLE handle)
{
    STARTUPINFOA start = {.cb = sizeof(start)};
    char command[MAX_PATH + 16], path[MAX_PATH];
    PROCESS_INFORMATION process;
    DWORD code = 1;

    GetModuleFileNameA(NULL, path, sizeof(path));
    snprintf(command, sizeof(command), "\"%s\" %u", path, (unsigned)(UINT_PTR)handle);
    ck_assert(CreateProcessA(NULL, command, NULL, NULL, FALSE, 0, NULL, NULL, &start, &process));
    WaitForSingleObject(process.hProcess, 60000);
    ck_assert(GetExitCodeProcess(process.hProcess, &code));
    ck_assert_uint_eq(code, 0);
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
}

START_TEST(processes_share_pixels)
{
    IDirect3DDevice9Ex *device = make_device();
    HANDLE handle = NULL, wrong;
    IDirect3DSurface9 *target = make_target(device, &handle), *other = NULL;

    ck_assert(handle);
    fill(device, target, 0xff112233);
    run_second(handle);
    ck_assert_uint_eq(read_pixel(device, target), 0xff998877);
    wrong = handle;
    ck_assert_int_eq(IDirect3DDevice9Ex_CreateRenderTarget(device, 64, 64, D3DFMT_A8R8G8B8,
                                                           D3DMULTISAMPLE_NONE, 0, FALSE, &other,
                                                           &wrong),
                     D3DERR_INVALIDCALL);
    IDirect3DSurface9_Release(target);
    IDirect3DDevice9Ex_Release(device);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("windows shared");
    TCase *tc = tcase_create("shared");

    tcase_add_test(tc, processes_share_pixels);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    SRunner *runner;

    if (argc > 1)
        return be_second((HANDLE)(UINT_PTR)strtoul(argv[1], NULL, 10));
    runner = srunner_create(suite());
    srunner_run_all(runner, CK_NORMAL);
    srunner_free(runner);
    return 0;
}
