/* Common code of the examples: window, device, frame loop and deterministic arithmetic. */
#include "common.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Window ----------------------------------------------------------------------------------- */

#ifdef _WIN32
static bool closed;

static LRESULT CALLBACK window_proc(HWND window, UINT message, WPARAM w, LPARAM l)
{
    if (message == WM_CLOSE || (message == WM_KEYDOWN && w == VK_ESCAPE)) {
        closed = true;
        return 0;
    }
    return DefWindowProcA(window, message, w, l);
}

static HWND open_window(const char *title, int width, int height)
{
    WNDCLASSA class = {.lpfnWndProc = window_proc, .lpszClassName = "example"};
    RECT r = {0, 0, width, height};
    HWND window;

    class.hInstance = GetModuleHandleA(NULL);
    class.hCursor = LoadCursorA(NULL, (LPCSTR)IDC_ARROW);
    RegisterClassA(&class);
    AdjustWindowRect(&r, WS_OVERLAPPEDWINDOW, FALSE);
    window = CreateWindowA("example", title, WS_OVERLAPPEDWINDOW | WS_VISIBLE, 0, 0,
                           r.right - r.left, r.bottom - r.top, NULL, NULL, class.hInstance, NULL);
    if (!window) {
        fprintf(stderr, "CreateWindow failed with error %lu\n", GetLastError());
        exit(1);
    }
    return window;
}

static bool window_closed(void)
{
    MSG message;

    while (PeekMessageA(&message, NULL, 0, 0, PM_REMOVE)) {
        TranslateMessage(&message);
        DispatchMessageA(&message);
    }
    return closed;
}

enum { DEFAULT_FRAMES = 0 };
#else
static HWND open_window(const char *title, int width, int height)
{
    (void)title, (void)width, (void)height;
    return NULL;
}

static bool window_closed(void)
{
    return false;
}

enum { DEFAULT_FRAMES = 60 };
#endif

/* --- Program ---------------------------------------------------------------------------------- */

void ex_check(HRESULT hr, const char *what)
{
    if (SUCCEEDED(hr))
        return;
    fprintf(stderr, "%s fails with %08x\n", what, (unsigned)hr);
    exit(1);
}

void *ex_alloc(size_t size)
{
    void *block = calloc(1, size);

    if (!block) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return block;
}

static void print_help(const char *program)
{
    printf("usage: %s [options]\n\n"
           "  --frames N    draw N frames; 0: until the window closes\n"
           "  --start N     number of the first frame (default: 0)\n"
           "  --size WxH    size of the picture, at least 16x16 (default: 960x540)\n"
           "  --samples N   samples of a pixel, where the device has them\n\n"
           "The environment variable EXAMPLE_FRAMES sets another default of --frames.\n",
           program);
    exit(fflush(stdout) ? 2 : 0);
}

static void refuse(const char *program, const char *argument, const char *why)
{
    fprintf(stderr, "%s: %s %s (try --help)\n", program, argument, why);
    exit(2);
}

/* A whole number from 0 to 999999. */
static bool read_number(const char *text, int *out)
{
    size_t n = strspn(text, "0123456789");

    *out = atoi(text);
    return n && n < 7 && !text[n];
}

static bool read_size(const char *text, int *width, int *height)
{
    char rest;

    return sscanf(text, "%dx%d%c", width, height, &rest) == 2 && *width >= 16 && *height >= 16 &&
           *width <= 16384 && *height <= 16384;
}

static void read_arguments(struct ex_app *app, int argc, char **argv, int *samples)
{
    const char *env = getenv("EXAMPLE_FRAMES");
    int frames = env ? atoi(env) : DEFAULT_FRAMES;

    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool is_size = !strcmp(name, "--size");
        int *number = !strcmp(name, "--frames")    ? &frames
                      : !strcmp(name, "--start")   ? &app->frame
                      : !strcmp(name, "--samples") ? samples
                                                   : NULL;

        if (!strcmp(name, "--help") || !strcmp(name, "-h"))
            print_help(argv[0]);
        if (!is_size && !number)
            refuse(argv[0], name, "is no option");
        if (!value)
            refuse(argv[0], name, "needs a value");
        if (is_size && !read_size(value, &app->width, &app->height))
            refuse(argv[0], name, "needs a size such as 320x240");
        if (number && !read_number(value, number))
            refuse(argv[0], name, "needs a number");
    }
    app->last_frame = frames > 0 ? app->frame + frames - 1 : -1;
}

static void choose_samples(struct ex_app *app, int samples)
{
    if (samples > 1 && SUCCEEDED(IDirect3D9_CheckDeviceMultiSampleType(
                           app->d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, D3DFMT_A8R8G8B8, TRUE,
                           (D3DMULTISAMPLE_TYPE)samples, NULL)))
        app->pp.MultiSampleType = (D3DMULTISAMPLE_TYPE)samples;
}

static void open_type(struct ex_app *app, const char *title, int argc, char **argv, D3DDEVTYPE type)
{
    int samples = 0;

    memset(app, 0, sizeof(*app));
    app->width = 960;
    app->height = 540;
    read_arguments(app, argc, argv, &samples);
    app->time = (float)app->frame / 60.0f;
    app->d3d = Direct3DCreate9(D3D_SDK_VERSION);
    if (!app->d3d) {
        fprintf(stderr, "Direct3DCreate9 failed\n");
        exit(1);
    }
    app->window = open_window(title, app->width, app->height);
    app->pp.BackBufferWidth = (UINT)app->width;
    app->pp.BackBufferHeight = (UINT)app->height;
    app->pp.BackBufferFormat = D3DFMT_A8R8G8B8;
    app->pp.SwapEffect = D3DSWAPEFFECT_DISCARD;
    app->pp.Windowed = TRUE;
    app->pp.hDeviceWindow = app->window;
    app->pp.EnableAutoDepthStencil = TRUE;
    app->pp.AutoDepthStencilFormat = D3DFMT_D24S8;
    choose_samples(app, samples);
    ex_check(IDirect3D9_CreateDevice(app->d3d, D3DADAPTER_DEFAULT, type, app->window,
                                     D3DCREATE_HARDWARE_VERTEXPROCESSING, &app->pp, &app->device),
             "CreateDevice");
    ex_check(IDirect3DDevice9_GetDeviceCaps(app->device, &app->caps), "GetDeviceCaps");
}

void ex_open(struct ex_app *app, const char *title, int argc, char **argv)
{
    open_type(app, title, argc, argv, D3DDEVTYPE_HAL);
}

void ex_open_reference(struct ex_app *app, const char *title, int argc, char **argv)
{
    open_type(app, title, argc, argv, D3DDEVTYPE_REF);
}

bool ex_next_frame(struct ex_app *app)
{
    ex_check(IDirect3DDevice9_Present(app->device, NULL, NULL, NULL, NULL), "Present");
    if (window_closed() || app->frame == app->last_frame)
        return false;
    app->frame++;
    app->time = (float)app->frame / 60.0f;
    return true;
}

void ex_close(struct ex_app *app)
{
    IDirect3DDevice9_Release(app->device);
    IDirect3D9_Release(app->d3d);
}

/* --- Arithmetic ------------------------------------------------------------------------------- */

float ex_floor(float x)
{
    float t = (float)(int32_t)x;

    return t > x ? t - 1.0f : t;
}

/* Taylor series up to x^11 with an error of 1e-7 in a quarter turn. libm is not used: its results
 * differ between systems. */
float ex_sin(float x)
{
    float turns = ex_floor(x * (1.0f / (2.0f * EX_PI)) + 0.5f), y, s;

    y = x - turns * 6.28125f; /* 2 pi in two parts; multiples of the first are exact */
    y = y - turns * 1.9353072e-3f;
    if (y > EX_PI / 2.0f)
        y = EX_PI - y;
    if (y < -EX_PI / 2.0f)
        y = -EX_PI - y;
    s = y * y;
    return y * (1.0f + s * (-1.6666667e-1f +
                            s * (8.3333333e-3f +
                                 s * (-1.9841270e-4f + s * (2.7557319e-6f + s * -2.5052108e-8f)))));
}

float ex_cos(float x)
{
    return ex_sin(x + EX_PI / 2.0f);
}

float ex_clamp(float x, float lowest, float highest)
{
    return x < lowest ? lowest : x > highest ? highest : x;
}

float ex_mix(float a, float b, float t)
{
    return a + (b - a) * t;
}

float ex_smooth(float from, float to, float x)
{
    float t = ex_clamp((x - from) / (to - from), 0.0f, 1.0f);

    return t * t * (3.0f - 2.0f * t);
}

struct vec3 ex_vec3(float x, float y, float z)
{
    return (struct vec3){x, y, z};
}

struct vec3 ex_add(struct vec3 a, struct vec3 b)
{
    return ex_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

struct vec3 ex_sub(struct vec3 a, struct vec3 b)
{
    return ex_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

struct vec3 ex_scale(struct vec3 a, float s)
{
    return ex_vec3(a.x * s, a.y * s, a.z * s);
}

struct vec3 ex_cross(struct vec3 a, struct vec3 b)
{
    return ex_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

float ex_dot(struct vec3 a, struct vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

struct vec3 ex_normalize(struct vec3 a)
{
    float length = sqrtf(ex_dot(a, a));

    return length > 0.0f ? ex_scale(a, 1.0f / length) : a;
}

uint32_t ex_hash(uint32_t x, uint32_t y)
{
    uint32_t h = x * 0x9e3779b1u ^ (y + 0x7f4a7c15u) * 0x85ebca77u;

    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

float ex_random(uint32_t n)
{
    return (float)(ex_hash(n, 1) >> 8) / 16777215.0f;
}

D3DMATRIX ex_identity(void)
{
    D3DMATRIX m;

    memset(&m, 0, sizeof(m));
    for (int i = 0; i < 4; i++)
        m.m[i][i] = 1.0f;
    return m;
}

D3DMATRIX ex_multiply(const D3DMATRIX *a, const D3DMATRIX *b)
{
    D3DMATRIX r;

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            r.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] +
                        a->m[i][2] * b->m[2][j] + a->m[i][3] * b->m[3][j];
        }
    }
    return r;
}

D3DMATRIX ex_translation(float x, float y, float z)
{
    D3DMATRIX m = ex_identity();

    m.m[3][0] = x;
    m.m[3][1] = y;
    m.m[3][2] = z;
    return m;
}

D3DMATRIX ex_scaling(float x, float y, float z)
{
    D3DMATRIX m = ex_identity();

    m.m[0][0] = x;
    m.m[1][1] = y;
    m.m[2][2] = z;
    return m;
}

/* Rotation in the plane of two axes. */
static D3DMATRIX rotation(int a, int b, float angle)
{
    D3DMATRIX m = ex_identity();
    float s = ex_sin(angle), c = ex_cos(angle);

    m.m[a][a] = c;
    m.m[a][b] = s;
    m.m[b][a] = -s;
    m.m[b][b] = c;
    return m;
}

D3DMATRIX ex_rotation_x(float angle)
{
    return rotation(1, 2, angle);
}

D3DMATRIX ex_rotation_y(float angle)
{
    return rotation(2, 0, angle);
}

D3DMATRIX ex_rotation_z(float angle)
{
    return rotation(0, 1, angle);
}

D3DMATRIX ex_look_at(struct vec3 eye, struct vec3 at, struct vec3 up)
{
    struct vec3 z = ex_normalize(ex_sub(at, eye));
    struct vec3 x = ex_normalize(ex_cross(up, z));
    struct vec3 y = ex_cross(z, x);
    D3DMATRIX m = {{{
        x.x,
        y.x,
        z.x,
        0, //
        x.y,
        y.y,
        z.y,
        0, //
        x.z,
        y.z,
        z.z,
        0, //
        -ex_dot(x, eye),
        -ex_dot(y, eye),
        -ex_dot(z, eye),
        1,
    }}};

    return m;
}

D3DMATRIX ex_perspective(float slope, float aspect, float zn, float zf)
{
    D3DMATRIX m;

    memset(&m, 0, sizeof(m));
    m.m[0][0] = 1.0f / (slope * aspect);
    m.m[1][1] = 1.0f / slope;
    m.m[2][2] = zf / (zf - zn);
    m.m[2][3] = 1.0f;
    m.m[3][2] = -zn * zf / (zf - zn);
    return m;
}

D3DMATRIX ex_orthographic(float w, float h, float zn, float zf)
{
    D3DMATRIX m = ex_identity();

    m.m[0][0] = 2.0f / w;
    m.m[1][1] = 2.0f / h;
    m.m[2][2] = 1.0f / (zf - zn);
    m.m[3][2] = -zn / (zf - zn);
    return m;
}

D3DMATRIX ex_transpose(const D3DMATRIX *m)
{
    D3DMATRIX r;

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            r.m[i][j] = m->m[j][i];
    }
    return r;
}

D3DMATRIX ex_invert_rigid(const D3DMATRIX *m)
{
    D3DMATRIX r = ex_identity();

    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            r.m[i][j] = m->m[j][i];
    }
    for (int j = 0; j < 3; j++)
        r.m[3][j] = -(m->m[3][0] * m->m[j][0] + m->m[3][1] * m->m[j][1] + m->m[3][2] * m->m[j][2]);
    return r;
}
