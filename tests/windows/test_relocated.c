/* Test of a d3d9.dll that another address range than its preferred one receives: two threads draw,
 * and the calls are recorded. The name of the capture is in use, as by a launcher. */
#include "check_main.h"

#include <check.h>
#include <d3d9.h>
#include <stdio.h>
#include <stdlib.h>

enum { TARGET_SIZE = 64, HEADER_BYTES = 4096 };

/* The headers of a PE file, as LoadLibrary would find it: beside the program, else in the system's
 * folder. */
static void read_headers(uint8_t *out)
{
    char path[MAX_PATH];
    FILE *file;

    ck_assert(SearchPathA(NULL, "d3d9.dll", NULL, sizeof(path), path, NULL) != 0);
    file = fopen(path, "rb");
    ck_assert(file != NULL);
    ck_assert(fread(out, 1, HEADER_BYTES, file) > 0);
    fclose(file);
}

/* Occupies the preferred base, so that the dll must be loaded elsewhere. */
static void *reserve_base(void)
{
    static _Alignas(16) uint8_t headers[HEADER_BYTES];
    const IMAGE_DOS_HEADER *dos = (void *)headers;
    const IMAGE_NT_HEADERS *nt;
    void *base;

    read_headers(headers);
    nt = (void *)(headers + dos->e_lfanew);
    ck_assert_uint_eq(nt->Signature, IMAGE_NT_SIGNATURE);
    ck_assert_uint_eq(nt->OptionalHeader.Magic, IMAGE_NT_OPTIONAL_HDR_MAGIC);
    base = (void *)(uintptr_t)nt->OptionalHeader.ImageBase;
    VirtualAlloc(base, 1, MEM_RESERVE, PAGE_NOACCESS); /* if it fails, the base is in use */
    return base;
}

static IDirect3DDevice9 *make_device(IDirect3D9 *d3d9)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = TARGET_SIZE,
                               .BackBufferHeight = TARGET_SIZE,
                               .BackBufferFormat = D3DFMT_X8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_DISCARD,
                               .Windowed = TRUE};
    IDirect3DDevice9 *device = NULL;
    HWND window = CreateWindowA("static", "relocated", WS_OVERLAPPEDWINDOW, 0, 0, 100, 100, NULL,
                                NULL, NULL, NULL);

    ck_assert_int_eq(
        IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, window,
                                D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_MULTITHREADED, &p,
                                &device),
        D3D_OK);
    return device;
}

static D3DCOLOR read_pixel(IDirect3DDevice9 *device)
{
    IDirect3DSurface9 *target, *copy;
    D3DLOCKED_RECT locked;
    D3DCOLOR colour;

    ck_assert_int_eq(IDirect3DDevice9_GetRenderTarget(device, 0, &target), D3D_OK);
    ck_assert_int_eq(IDirect3DDevice9_CreateOffscreenPlainSurface(device, TARGET_SIZE, TARGET_SIZE,
                                                                  D3DFMT_X8R8G8B8,
                                                                  D3DPOOL_SYSTEMMEM, &copy, NULL),
                     D3D_OK);
    ck_assert_int_eq(IDirect3DDevice9_GetRenderTargetData(device, target, copy), D3D_OK);
    ck_assert_int_eq(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY), D3D_OK);
    colour = *(const D3DCOLOR *)locked.pBits;
    IDirect3DSurface9_UnlockRect(copy);
    IDirect3DSurface9_Release(copy);
    IDirect3DSurface9_Release(target);
    return colour & 0xffffff;
}

static void draw(IDirect3DDevice9 *device, D3DCOLOR colour)
{
    const struct {
        float x, y, z, rhw;
        D3DCOLOR colour;
    } corners[] = {{-1, -1, 0, 1, colour},
                   {3 * TARGET_SIZE, -1, 0, 1, colour},
                   {-1, 3 * TARGET_SIZE, 0, 1, colour}};

    IDirect3DDevice9_BeginScene(device);
    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE);
    ck_assert_int_eq(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, corners,
                                                      sizeof(corners[0])),
                     D3D_OK);
    IDirect3DDevice9_EndScene(device);
    ck_assert_uint_eq(read_pixel(device), colour);
}

static DWORD WINAPI draw_red(void *device)
{
    draw(device, 0xff0000);
    return 0;
}

/* The size of the capture that the dll wrote, or 0. */
static long capture_size(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size;

    if (!file)
        return 0;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    fclose(file);
    return size;
}

START_TEST(another_base)
{
    IDirect3D9 *(WINAPI * create)(UINT);

    void *base = reserve_base();
    char capture[64];
    IDirect3DDevice9 *device;
    HMODULE module;
    IDirect3D9 *d3d9;
    HANDLE thread, taken;

    ck_assert_int_eq(_putenv("NOVEM_RECORD=relocated.trace"), 0);
    taken = CreateFileA("relocated.trace", GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_ALWAYS, 0,
                        NULL);
    ck_assert(taken != INVALID_HANDLE_VALUE);
    module = LoadLibraryA("d3d9.dll");
    ck_assert(module != NULL);
    ck_assert((void *)module != base);
    create = (void *)GetProcAddress(module, "Direct3DCreate9");
    ck_assert(create != NULL);
    d3d9 = create(D3D_SDK_VERSION);
    ck_assert(d3d9 != NULL);
    device = make_device(d3d9);
    draw(device, 0x00ff00);
    thread = CreateThread(NULL, 0, draw_red, device, 0, NULL);
    ck_assert_uint_eq(WaitForSingleObject(thread, 60000), WAIT_OBJECT_0);
    CloseHandle(thread);
    draw(device, 0x0000ff);
    ck_assert_int_eq(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
    ck_assert_uint_eq(IDirect3D9_Release(d3d9), 0);
    CloseHandle(taken);
    ck_assert_int_eq(capture_size("relocated.trace"), 0);
    snprintf(capture, sizeof(capture), "relocated-%lu.trace", GetCurrentProcessId());
    if (GetFileAttributesA("d3d9.dll") !=
        INVALID_FILE_ATTRIBUTES) /* a dll of ours, not Wine's own */
        ck_assert_msg(capture_size(capture) > 0, "nothing was recorded");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("relocated dll");
    TCase *tc = tcase_create("relocated dll");

    tcase_add_test(tc, another_base);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
