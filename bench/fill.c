/* Benchmark of fill and triangle rates through the Direct3D 9 API, one row per run.
 * NOVEM_SIMD and NOVEM_THREADS apply; see scripts/bench.sh.
 *
 * Rates are millions of pixels (or triangles) per second, the best of several rounds, because noise
 * only makes rounds slower. */
#include "tool/cli/cli.h"

#include <d3d9.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 1024, HEIGHT = 768, ROUNDS = 5, LAYERS = 4, GRID = 128 };

struct vertex {
    float x, y, z, rhw;
    D3DCOLOR diffuse;
    float u, v;
};
static const DWORD FVF = D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1;

struct bench {
    IDirect3DDevice9 *device;
    IDirect3DTexture9 *texture;
    IDirect3DSurface9 *readback;
    IDirect3DPixelShader9 *shader;
    struct vertex *grid; /* GRID * GRID * 2 triangles */
};

/* ps_2_0, 32 arithmetic instructions on four-component registers:
 * mul/mad/dp4/add alternating over r0 and r1 with c0 … c3, then mov oC0, r0. */
static DWORD *arithmetic_shader(void)
{
    static DWORD code[512];
    DWORD *p = code;

    *p++ = 0xffff0200;
    *p++ = 0x0200001f, *p++ = 0x80000000, *p++ = 0x900f0000; /* dcl v0 */
    *p++ = 0x02000001, *p++ = 0x800f0000, *p++ = 0x90e40000; /* mov r0, v0 */
    *p++ = 0x02000001, *p++ = 0x800f0001, *p++ = 0xa0e40000; /* mov r1, c0 */
    for (unsigned i = 0; i < 7; i++) {
        *p++ = 0x03000005, *p++ = 0x800f0001, *p++ = 0x80e40001,
        *p++ = 0x80e40000; /* mul r1, r1, r0 */
        *p++ = 0x04000004, *p++ = 0x800f0000, *p++ = 0x80e40000, *p++ = 0xa0e40001,
        *p++ = 0x80e40001; /* mad r0, r0, c1, r1 */
        *p++ = 0x03000009, *p++ = 0x800f0001, *p++ = 0x80e40000,
        *p++ = 0xa0e40002; /* dp4 r1, r0, c2 */
        *p++ = 0x03000002, *p++ = 0x800f0000, *p++ = 0x80e40000,
        *p++ = 0x80e40001; /* add r0, r0, r1 */
    }
    *p++ = 0x02000001, *p++ = 0x800f0800, *p++ = 0x80e40000; /* mov oC0, r0 */
    *p++ = 0x0000ffff;
    return code;
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns when all submitted work is rendered. */
static void finish(struct bench *b)
{
    IDirect3DSurface9 *target;
    D3DLOCKED_RECT locked;

    IDirect3DDevice9_GetRenderTarget(b->device, 0, &target);
    IDirect3DDevice9_GetRenderTargetData(b->device, target, b->readback);
    IDirect3DSurface9_Release(target);
    /* GetRenderTargetData only queues the copy; the lock waits for it. */
    if (SUCCEEDED(IDirect3DSurface9_LockRect(b->readback, &locked, NULL, D3DLOCK_READONLY)))
        IDirect3DSurface9_UnlockRect(b->readback);
}

static void quad(struct bench *b, float z)
{
    const struct vertex v[4] = {
        {-0.5f, -0.5f, z, 1, 0x80ff8040, 0, 0},
        {WIDTH - 0.5f, -0.5f, z, 1, 0x8040ff80, 4, 0},
        {-0.5f, HEIGHT - 0.5f, z, 1, 0x808040ff, 0, 3},
        {WIDTH - 0.5f, HEIGHT - 0.5f, z, 1, 0x80ffffff, 4, 3},
    };

    IDirect3DDevice9_DrawPrimitiveUP(b->device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0]));
}

static void quads(struct bench *b)
{
    for (unsigned i = 0; i < LAYERS; i++)
        quad(b, 0.5f - 0.1f * (float)i);
}

static void clears(struct bench *b)
{
    for (unsigned i = 0; i < LAYERS; i++)
        IDirect3DDevice9_Clear(b->device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, i, 1.0f, 0);
}

static void triangles(struct bench *b)
{
    IDirect3DDevice9_DrawPrimitiveUP(b->device, D3DPT_TRIANGLELIST, 2 * GRID * GRID, b->grid,
                                     sizeof(b->grid[0]));
}

static void state(struct bench *b, int textured, int depth, int blend, int shader)
{
    IDirect3DDevice9 *d = b->device;

    IDirect3DDevice9_SetTexture(d, 0, textured ? (IDirect3DBaseTexture9 *)b->texture : NULL);
    IDirect3DDevice9_SetSamplerState(d, 0, D3DSAMP_MINFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetSamplerState(d, 0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetSamplerState(d, 0, D3DSAMP_MIPFILTER,
                                     textured > 1 ? D3DTEXF_LINEAR : D3DTEXF_NONE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ZENABLE, depth);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ALPHABLENDENABLE, blend);
    IDirect3DDevice9_SetRenderState(d, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    IDirect3DDevice9_SetRenderState(d, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    IDirect3DDevice9_SetRenderState(d, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice9_SetPixelShader(d, shader ? b->shader : NULL);
}

/* Calls work until a round lasts long enough. Returns millions of units per second of the best
 * round. */
static double rate(struct bench *b, void (*work)(struct bench *), double units, double round_time)
{
    double best = 0;

    for (unsigned round = 0; round < ROUNDS; round++) {
        double start = seconds(), now;
        unsigned calls = 0;

        do {
            IDirect3DDevice9_Clear(b->device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
            work(b);
            finish(b);
            calls++;
            now = seconds();
        } while (now - start < round_time);
        if (units * calls / (now - start) > best)
            best = units * calls / (now - start);
    }
    return best / 1e6;
}

static int fill_texture(IDirect3DTexture9 *texture)
{
    for (unsigned level = 0; level < IDirect3DTexture9_GetLevelCount(texture); level++) {
        D3DLOCKED_RECT rect;
        unsigned size = 256u >> level;

        if (FAILED(IDirect3DTexture9_LockRect(texture, level, &rect, NULL, 0)))
            return 0;
        for (unsigned y = 0; y < size; y++)
            for (unsigned x = 0; x < size; x++)
                ((DWORD *)((BYTE *)rect.pBits + y * (unsigned)rect.Pitch))[x] =
                    0xff000000u | (x * 2654435761u ^ y * 40503u) >> 8;
        IDirect3DTexture9_UnlockRect(texture, level);
    }
    return 1;
}

static struct vertex *make_grid(void)
{
    struct vertex *grid = calloc(6 * GRID * GRID, sizeof(*grid)), *v = grid;
    static const int corner[6][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 1}};

    for (int y = 0; grid && y < GRID; y++)
        for (int x = 0; x < GRID; x++)
            for (int c = 0; c < 6; c++, v++)
                *v = (struct vertex){(float)(x + corner[c][0]) * ((float)WIDTH / GRID) - 0.5f,
                                     (float)(y + corner[c][1]) * ((float)HEIGHT / GRID) - 0.5f,
                                     0.5f,
                                     1,
                                     0xff4080c0u + (unsigned)x,
                                     0,
                                     0};
    return grid;
}

static int create(struct bench *b)
{
    IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = WIDTH,
                               .BackBufferHeight = HEIGHT,
                               .BackBufferFormat = D3DFMT_X8R8G8B8,
                               .BackBufferCount = 1,
                               .SwapEffect = D3DSWAPEFFECT_DISCARD,
                               .Windowed = TRUE,
                               .EnableAutoDepthStencil = TRUE,
                               .AutoDepthStencilFormat = D3DFMT_D24S8};

    return d3d &&
           SUCCEEDED(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, NULL,
                                             D3DCREATE_HARDWARE_VERTEXPROCESSING, &p,
                                             &b->device)) &&
           SUCCEEDED(IDirect3DDevice9_CreateTexture(b->device, 256, 256, 0, 0, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_MANAGED, &b->texture, NULL)) &&
           fill_texture(b->texture) &&
           SUCCEEDED(IDirect3DDevice9_CreateOffscreenPlainSurface(
               b->device, WIDTH, HEIGHT, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, &b->readback, NULL)) &&
           SUCCEEDED(
               IDirect3DDevice9_CreatePixelShader(b->device, arithmetic_shader(), &b->shader)) &&
           (b->grid = make_grid()) != NULL;
}

/* Returns an exit code, or a negative number to continue. */
static int parse(double *seconds, int argc, char **argv)
{
    const struct tool_option options[] = {
        {"--seconds", "S", "time per rate (default: 0.5)", OPT_REAL, seconds},
    };
    const struct tool_usage usage = {
        .line = "[options]",
        .text = "Prints one line: Mpixels/s of a clear and of quads (plain, blended, with one and "
                "two\ntextures, with all, with depth), and Mtriangles/s.",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };

    tool_set_program("fill");
    return tool_parse(&usage, argc, argv, NULL);
}

int main(int argc, char **argv)
{
    const double pixels = (double)WIDTH * HEIGHT * LAYERS;
    double seconds = 0.5, round_time;
    struct bench b = {0};
    int code = parse(&seconds, argc, argv);

    if (code >= 0)
        return code;
    round_time = seconds / ROUNDS;
    if (!create(&b)) {
        fprintf(stderr, "fill: no device\n");
        return 1;
    }
    IDirect3DDevice9_SetFVF(b.device, FVF);
    IDirect3DDevice9_BeginScene(b.device);
    state(&b, 0, 0, 0, 0);
    printf("%8.0f", rate(&b, clears, pixels, round_time));
    printf(" %8.1f", rate(&b, quads, pixels, round_time));
    state(&b, 0, 1, 0, 0);
    printf(" %8.1f", rate(&b, quads, pixels, round_time));
    state(&b, 1, 0, 0, 0);
    printf(" %8.1f", rate(&b, quads, pixels, round_time));
    state(&b, 2, 0, 0, 0);
    printf(" %8.1f", rate(&b, quads, pixels, round_time));
    state(&b, 1, 1, 1, 0);
    printf(" %8.1f", rate(&b, quads, pixels, round_time));
    state(&b, 0, 0, 0, 1);
    printf(" %8.1f", rate(&b, quads, pixels, round_time));
    state(&b, 0, 1, 0, 0);
    printf(" %8.3f\n", rate(&b, triangles, 2.0 * GRID * GRID, round_time));
    return 0;
}
