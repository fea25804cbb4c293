/* Hooks Present of a Direct3D 9 program that it is linked into, which is otherwise unchanged
 * (docs/programs.md). It counts frames, saves selected ones as PNG before they are presented, and
 * closes the program after the last. Presentation intervals are turned off. Environment variables:
 *
 *   FRAMES        number of frames; default 1000
 *   FRAMES_SAVE   frames to save, as in " 10 500 ", to FRAMES_NAME-10.png and so on
 *   FRAMES_NAME   prefix of file names; measurements go to FRAMES_NAME.txt
 *   FRAMES_CLICK  frame and position of clicks of the left button, as in " 30:120,45 "
 *   FRAMES_CLOCK  "real" keeps the program's clock; otherwise the clock follows the frame number,
 *                 so that all implementations draw the same frames */
#include <windows.h>
#include <d3d9.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#define STBI_ONLY_PNG
#include <stb_image_write.h>

enum { WARM_UP = 20, PATIENCE = 200 };

typedef HRESULT(WINAPI *create_device_fn)(IDirect3D9 *, UINT, D3DDEVTYPE, HWND, DWORD,
                                          D3DPRESENT_PARAMETERS *, IDirect3DDevice9 **);
typedef HRESULT(WINAPI *present_fn)(IDirect3DDevice9 *, const RECT *, const RECT *, HWND,
                                    const RGNDATA *);
typedef HRESULT(WINAPI *present_chain_fn)(IDirect3DSwapChain9 *, const RECT *, const RECT *, HWND,
                                          const RGNDATA *, DWORD);
typedef HRESULT(WINAPI *reset_fn)(IDirect3DDevice9 *, D3DPRESENT_PARAMETERS *);
typedef HRESULT(WINAPI *create_device_ex_fn)(IDirect3D9Ex *, UINT, D3DDEVTYPE, HWND, DWORD,
                                             D3DPRESENT_PARAMETERS *, D3DDISPLAYMODEEX *,
                                             IDirect3DDevice9Ex **);
typedef HRESULT(WINAPI *present_ex_fn)(IDirect3DDevice9Ex *, const RECT *, const RECT *, HWND,
                                       const RGNDATA *, DWORD);
typedef HRESULT(WINAPI *reset_ex_fn)(IDirect3DDevice9Ex *, D3DPRESENT_PARAMETERS *,
                                     D3DDISPLAYMODEEX *);

typedef BOOL(WINAPI *counter_fn)(LARGE_INTEGER *);

static create_device_fn real_create_device;
static present_fn real_present;
static present_chain_fn real_present_chain;
static reset_fn real_reset;
static create_device_ex_fn real_create_device_ex;
static present_ex_fn real_present_ex;
static reset_ex_fn real_reset_ex;

/* The original functions: fake_imports replaces the clock in the program's import table. */
static counter_fn real_counter, real_frequency;
static bool real_clock;
static LONG frames, frames_wanted = 1000;
static HWND window;
static double start_seconds, start_cpu;
static volatile LONG64 ticks; /* of the program's clock, in microseconds */

/* --- Output files ----------------------------------------------------------------------------- */

static const char *setting(const char *name)
{
    const char *value = getenv(name);

    return value ? value : "";
}

static void note(const char *text, double a, double b, double c)
{
    char path[MAX_PATH];
    FILE *file;

    snprintf(path, sizeof(path), "%s.txt", setting("FRAMES_NAME"));
    file = fopen(path, "a");
    if (!file)
        return;
    fprintf(file, text, a, b, c);
    fclose(file);
}

static void write_bytes(void *file, void *data, int size)
{
    fwrite(data, 1, (size_t)size, file);
}

/* The surface is X8R8G8B8 or A8R8G8B8. */
static void write_png(const char *path, const D3DSURFACE_DESC *desc, const D3DLOCKED_RECT *locked)
{
    unsigned char *rgb = malloc((size_t)desc->Width * desc->Height * 3), *to = rgb;
    FILE *file = fopen(path, "wb");

    for (UINT y = 0; rgb && y < desc->Height; y++) {
        const unsigned char *from = (unsigned char *)locked->pBits + (ptrdiff_t)locked->Pitch * y;

        for (UINT x = 0; x < desc->Width; x++, from += 4, to += 3) {
            to[0] = from[2];
            to[1] = from[1];
            to[2] = from[0];
        }
    }
    if (rgb && file)
        stbi_write_png_to_func(write_bytes, file, (int)desc->Width, (int)desc->Height, 3, rgb,
                               (int)desc->Width * 3);
    if (file)
        fclose(file);
    free(rgb);
}

static void save(IDirect3DDevice9 *device, IDirect3DSurface9 *shown)
{
    IDirect3DSurface9 *plain = NULL, *copy = NULL;
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT locked;
    char path[MAX_PATH];

    snprintf(path, sizeof(path), "%s-%ld.png", setting("FRAMES_NAME"), frames);
    IDirect3DSurface9_GetDesc(shown, &desc);
    if (SUCCEEDED(IDirect3DDevice9_CreateRenderTarget(device, desc.Width, desc.Height,
                                                      D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0,
                                                      FALSE, &plain, NULL)) &&
        SUCCEEDED(IDirect3DDevice9_CreateOffscreenPlainSurface(
            device, desc.Width, desc.Height, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, &copy, NULL)) &&
        SUCCEEDED(IDirect3DDevice9_StretchRect(device, shown, NULL, plain, NULL, D3DTEXF_NONE)) &&
        SUCCEEDED(IDirect3DDevice9_GetRenderTargetData(device, plain, copy)) &&
        SUCCEEDED(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY))) {
        write_png(path, &desc, &locked);
        IDirect3DSurface9_UnlockRect(copy);
    } else {
        note("frame %.0f could not be saved\n", frames, 0, 0);
    }
    if (plain)
        IDirect3DSurface9_Release(plain);
    if (copy)
        IDirect3DSurface9_Release(copy);
}

/* --- Clocks ---------------------------------------------------------------------------------- */

static double seconds(void)
{
    LARGE_INTEGER now, rate;

    real_counter(&now);
    real_frequency(&rate);
    return (double)now.QuadPart / (double)rate.QuadPart;
}

static double cpu_seconds(void)
{
    FILETIME made, ended, kernel, user;

    GetProcessTimes(GetCurrentProcess(), &made, &ended, &kernel, &user);
    return (kernel.dwLowDateTime + (double)user.dwLowDateTime) * 1e-7 +
           (kernel.dwHighDateTime + (double)user.dwHighDateTime) * 429.4967296;
}

static LONG64 fake_microseconds(void)
{
    return InterlockedIncrement64(&ticks);
}

static BOOL WINAPI fake_counter(LARGE_INTEGER *out)
{
    out->QuadPart = fake_microseconds();
    return TRUE;
}

static BOOL WINAPI fake_frequency(LARGE_INTEGER *out)
{
    out->QuadPart = 1000000;
    return TRUE;
}

static DWORD WINAPI fake_milliseconds(void)
{
    return (DWORD)(fake_microseconds() / 1000);
}

static ULONGLONG WINAPI fake_milliseconds64(void)
{
    return (ULONGLONG)fake_microseconds() / 1000;
}

static void WINAPI fake_sleep(DWORD milliseconds)
{
    (void)milliseconds;
    Sleep(0);
    InterlockedAdd64(&ticks, 100);
}

static void *fake_function(const char *name)
{
    static const struct {
        const char *name;
        void *function;
    } fakes[] = {
        {"QueryPerformanceCounter", fake_counter}, {"QueryPerformanceFrequency", fake_frequency},
        {"GetTickCount", fake_milliseconds},       {"timeGetTime", fake_milliseconds},
        {"GetTickCount64", fake_milliseconds64},   {"Sleep", fake_sleep},
    };

    for (size_t i = 0; i < sizeof(fakes) / sizeof(fakes[0]); i++)
        if (!strcmp(fakes[i].name, name))
            return fakes[i].function;
    return NULL;
}

/* --- Hooks ----------------------------------------------------------------------------------- */

static void write_pointer(void *at, const void *value)
{
    DWORD old;

    VirtualProtect(at, sizeof(value), PAGE_READWRITE, &old);
    memcpy(at, &value, sizeof(value));
    VirtualProtect(at, sizeof(value), old, &old);
}

/* Replaces a method in a vtable; *real: the previous one. */
static void hook(void *method, const void *ours, void *real)
{
    if (!memcmp(method, &ours, sizeof(ours)))
        return;
    memcpy(real, method, sizeof(ours));
    write_pointer(method, ours);
}

static void fake_imports(void)
{
    BYTE *base = (BYTE *)GetModuleHandleA(NULL);
    IMAGE_NT_HEADERS *headers = (IMAGE_NT_HEADERS *)(base + ((IMAGE_DOS_HEADER *)base)->e_lfanew);
    IMAGE_IMPORT_DESCRIPTOR *dll =
        (IMAGE_IMPORT_DESCRIPTOR *)(base + headers->OptionalHeader
                                               .DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT]
                                               .VirtualAddress);

    for (; dll->Name; dll++) {
        IMAGE_THUNK_DATA *names = (IMAGE_THUNK_DATA *)(base + dll->OriginalFirstThunk);
        IMAGE_THUNK_DATA *functions = (IMAGE_THUNK_DATA *)(base + dll->FirstThunk);

        for (; names->u1.AddressOfData; names++, functions++) {
            void *fake = NULL;

            if (!IMAGE_SNAP_BY_ORDINAL(names->u1.Ordinal))
                fake =
                    fake_function(((IMAGE_IMPORT_BY_NAME *)(base + names->u1.AddressOfData))->Name);
            if (fake)
                write_pointer(&functions->u1.Function, fake);
        }
    }
}

/* --- Frames ---------------------------------------------------------------------------------- */

static void click(void)
{
    char wanted[32];
    const char *at;
    int x, y;

    snprintf(wanted, sizeof(wanted), " %ld:", frames);
    at = strstr(setting("FRAMES_CLICK"), wanted);
    if (!at || sscanf(at + strlen(wanted), "%d,%d", &x, &y) != 2)
        return;
    PostMessageA(window, WM_MOUSEMOVE, 0, MAKELPARAM(x, y));
    PostMessageA(window, WM_LBUTTONDOWN, MK_LBUTTON, MAKELPARAM(x, y));
    PostMessageA(window, WM_LBUTTONUP, 0, MAKELPARAM(x, y));
}

static void before_frame(IDirect3DDevice9 *device, IDirect3DSurface9 *shown)
{
    char wanted[32];

    frames++;
    snprintf(wanted, sizeof(wanted), " %ld ", frames);
    if (strstr(setting("FRAMES_SAVE"), wanted))
        save(device, shown);
    click();
}

static void after_frame(void)
{
    if (frames == WARM_UP) {
        start_seconds = seconds();
        start_cpu = cpu_seconds();
    }
    if (frames == frames_wanted) {
        double n = frames_wanted - WARM_UP;

        note("frames %.0f, %.1f a second, %.2f ms of processor time each\n", frames,
             n / (seconds() - start_seconds), (cpu_seconds() - start_cpu) * 1000 / n);
        PostMessageA(window, WM_CLOSE, 0, 0);
    }
    if (frames == frames_wanted + PATIENCE) {
        note("did not close\n", 0, 0, 0);
        ExitProcess(2);
    }
    ticks = frames * 16667LL;
}

static void before_present(IDirect3DDevice9 *device)
{
    IDirect3DSurface9 *shown;

    if (SUCCEEDED(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &shown))) {
        before_frame(device, shown);
        IDirect3DSurface9_Release(shown);
    }
}

static HRESULT after_present(HRESULT hr)
{
    if (FAILED(hr))
        note("frame %.0f: Present 0x%08.0f\n", frames, (double)(unsigned)hr, 0);
    after_frame();
    return hr;
}

static HRESULT WINAPI present(IDirect3DDevice9 *device, const RECT *src, const RECT *dst,
                              HWND other, const RGNDATA *dirty)
{
    before_present(device);
    return after_present(real_present(device, src, dst, other, dirty));
}

static HRESULT WINAPI present_ex(IDirect3DDevice9Ex *device, const RECT *src, const RECT *dst,
                                 HWND other, const RGNDATA *dirty, DWORD flags)
{
    before_present((IDirect3DDevice9 *)device);
    return after_present(real_present_ex(device, src, dst, other, dirty, flags));
}

static HRESULT WINAPI present_chain(IDirect3DSwapChain9 *chain, const RECT *src, const RECT *dst,
                                    HWND other, const RGNDATA *dirty, DWORD flags)
{
    D3DPRESENT_PARAMETERS params;
    IDirect3DSurface9 *shown;
    IDirect3DDevice9 *device;
    HRESULT hr;

    if (SUCCEEDED(IDirect3DSwapChain9_GetPresentParameters(chain, &params)) && params.hDeviceWindow)
        window = params.hDeviceWindow; /* of an additional chain: not the device's */
    IDirect3DSwapChain9_GetDevice(chain, &device);
    if (SUCCEEDED(IDirect3DSwapChain9_GetBackBuffer(chain, 0, D3DBACKBUFFER_TYPE_MONO, &shown))) {
        before_frame(device, shown);
        IDirect3DSurface9_Release(shown);
    }
    IDirect3DDevice9_Release(device);
    hr = real_present_chain(chain, src, dst, other, dirty, flags);
    after_frame();
    return hr;
}

static void never_wait(D3DPRESENT_PARAMETERS *params)
{
    params->PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE;
}

static HRESULT after_reset(HRESULT hr, const D3DPRESENT_PARAMETERS *params)
{
    SetForegroundWindow(window); /* some applications draw only while active */
    note(FAILED(hr) ? "frame %.0f: Reset to %.0fx%.0f fails\n" : "frame %.0f: Reset to %.0fx%.0f\n",
         frames, params->BackBufferWidth, params->BackBufferHeight);
    return hr;
}

static HRESULT WINAPI reset(IDirect3DDevice9 *device, D3DPRESENT_PARAMETERS *params)
{
    never_wait(params);
    return after_reset(real_reset(device, params), params);
}

static HRESULT WINAPI reset_ex(IDirect3DDevice9Ex *device, D3DPRESENT_PARAMETERS *params,
                               D3DDISPLAYMODEEX *mode)
{
    never_wait(params);
    return after_reset(real_reset_ex(device, params, mode), params);
}

static void hook_device(IDirect3DDevice9 *device, HWND focus, const D3DPRESENT_PARAMETERS *params)
{
    IDirect3DSwapChain9 *chain;

    window = params->hDeviceWindow ? params->hDeviceWindow : focus;
    hook(&device->lpVtbl->Present, present, &real_present);
    hook(&device->lpVtbl->Reset, reset, &real_reset);
    if (SUCCEEDED(IDirect3DDevice9_GetSwapChain(device, 0, &chain))) {
        hook(&chain->lpVtbl->Present, present_chain, &real_present_chain);
        IDirect3DSwapChain9_Release(chain);
    }
}

static HRESULT WINAPI create_device(IDirect3D9 *d3d, UINT adapter, D3DDEVTYPE type, HWND focus,
                                    DWORD flags, D3DPRESENT_PARAMETERS *params,
                                    IDirect3DDevice9 **out)
{
    HRESULT hr;

    never_wait(params);
    hr = real_create_device(d3d, adapter, type, focus, flags, params, out);
    note("CreateDevice %.0fx%.0f: %.0f\n", params->BackBufferWidth, params->BackBufferHeight, hr);
    if (SUCCEEDED(hr))
        hook_device(*out, focus, params);
    return hr;
}

static HRESULT WINAPI create_device_ex(IDirect3D9Ex *d3d, UINT adapter, D3DDEVTYPE type, HWND focus,
                                       DWORD flags, D3DPRESENT_PARAMETERS *params,
                                       D3DDISPLAYMODEEX *mode, IDirect3DDevice9Ex **out)
{
    HRESULT hr;

    never_wait(params);
    hr = real_create_device_ex(d3d, adapter, type, focus, flags, params, mode, out);
    note("CreateDeviceEx %.0fx%.0f: %.0f\n", params->BackBufferWidth, params->BackBufferHeight, hr);
    if (FAILED(hr))
        return hr;
    hook_device((IDirect3DDevice9 *)*out, focus, params);
    hook(&(*out)->lpVtbl->PresentEx, present_ex, &real_present_ex);
    hook(&(*out)->lpVtbl->ResetEx, reset_ex, &real_reset_ex);
    return hr;
}

static void ended(void)
{
    if (frames >= frames_wanted)
        note("closed\n", 0, 0, 0);
}

__attribute__((constructor)) static void begin(void)
{
    IDirect3D9 *(WINAPI * create)(UINT) = NULL;
    HRESULT(WINAPI * create_ex)(UINT, IDirect3D9Ex **) = NULL;
    HMODULE dll = LoadLibraryA("d3d9.dll");
    FARPROC function = dll ? GetProcAddress(dll, "Direct3DCreate9") : NULL;
    IDirect3D9Ex *ex;
    IDirect3D9 *d3d;

    memcpy(&create, &function, sizeof(create));
    d3d = create ? create(D3D_SDK_VERSION) : NULL;
    if (!d3d)
        return;
    hook(&d3d->lpVtbl->CreateDevice, create_device, &real_create_device);
    IDirect3D9_Release(d3d);
    function = GetProcAddress(dll, "Direct3DCreate9Ex");
    memcpy(&create_ex, &function, sizeof(create_ex));
    if (create_ex && SUCCEEDED(create_ex(D3D_SDK_VERSION, &ex))) {
        hook(&ex->lpVtbl->CreateDevice, create_device, &real_create_device);
        hook(&ex->lpVtbl->CreateDeviceEx, create_device_ex, &real_create_device_ex);
        IDirect3D9Ex_Release(ex);
    }
    if (getenv("FRAMES"))
        frames_wanted = atol(getenv("FRAMES"));
    real_counter = QueryPerformanceCounter;
    real_frequency = QueryPerformanceFrequency;
    real_clock = !strcmp(setting("FRAMES_CLOCK"), "real");
    if (!real_clock)
        fake_imports();
    atexit(ended);
}
