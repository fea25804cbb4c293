/* Rows with many calls and uploads: alpha-tested quads, 20,000 draw calls, dynamic buffers. */
#include "bench.h"

#include "bench/tile.psh.h"
#include "bench/tile.vsh.h"

#include <stdlib.h>
#include <string.h>

static struct ex_colour leaf(float u, float v, void *ctx)
{
    float x = 2.0f * u - 1.0f, y = 2.0f * v - 1.0f, n = ex_fbm(u * 8.0f, v * 8.0f, 8, 4, 17);
    float shape = 0.9f - (x * x + y * y) + 0.6f * (n - 0.5f);

    (void)ctx;
    return ex_rgba(0.2f + 0.4f * n, 0.4f + 0.5f * n, 0.1f + 0.3f * v,
                   ex_clamp(0.5f + 2.0f * shape, 0.0f, 1.0f));
}

/* Two triangles per quad; the number of quads must fit 16-bit indices. */
static IDirect3DIndexBuffer9 *quad_indices(struct bench *bench, UINT quads)
{
    uint16_t *index = ex_alloc(sizeof(*index) * 6 * quads);
    IDirect3DIndexBuffer9 *buffer;

    for (UINT i = 0; i < 6 * quads; i++) {
        static const uint8_t corner[6] = {0, 1, 2, 1, 3, 2};

        index[i] = (uint16_t)(4 * (i / 6) + corner[i % 6]);
    }
    buffer = bench_indices(bench, index, sizeof(*index) * 6 * quads, D3DFMT_INDEX16);
    free(index);
    return buffer;
}

/* --- Alpha-tested quads ----------------------------------------------------------------------- */

enum { LEAVES = 2000 };

static void make_leaves(struct bench *bench)
{
    struct bench_screen_vertex *v = ex_alloc(sizeof(*v) * 4 * LEAVES);

    for (uint32_t i = 0; i < LEAVES; i++) {
        float size = 40.0f + 24.0f * ex_random(4 * i);

        bench_corners(v + 4 * i, ex_random(4 * i + 1) * (BENCH_WIDTH + 40) - 40,
                      ex_random(4 * i + 2) * (BENCH_HEIGHT + 40) - 40, size, size,
                      ex_random(4 * i + 3), 0xffc0c0c0 + (ex_hash(i, 3) & 0x3f3f3f));
    }
    bench_turn(bench, v, sizeof(*v), 4 * LEAVES, 4);
    bench->vertices = bench_vertices(bench, v, sizeof(*v) * 4 * LEAVES);
    IDirect3DVertexBuffer9_AddRef(bench->vertices);
    free(v);
}

static bool begin_leaves(struct bench *bench)
{
    IDirect3DDevice9 *d = bench->app.device;

    make_leaves(bench);
    IDirect3DDevice9_SetIndices(d, quad_indices(bench, LEAVES));
    bench->texture[0] = ex_texture(&bench->app, 64, leaf, NULL);
    IDirect3DDevice9_SetTexture(d, 0, (IDirect3DBaseTexture9 *)bench->texture[0]);
    bench_filter(bench, 0, D3DTEXF_LINEAR, D3DTEXF_POINT);
    IDirect3DDevice9_SetRenderState(d, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ALPHATESTENABLE, TRUE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ALPHAFUNC, D3DCMP_GREATEREQUAL);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ALPHAREF, 0x80);
    return true;
}

static void draw_leaves(struct bench *bench, int frame)
{
    IDirect3DDevice9 *d = bench->app.device;

    (void)frame;
    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff203010, 1.0f, 0);
    IDirect3DDevice9_SetFVF(d, BENCH_SCREEN_FVF);
    IDirect3DDevice9_SetStreamSource(d, 0, bench->vertices, 0, sizeof(struct bench_screen_vertex));
    ex_check(IDirect3DDevice9_DrawIndexedPrimitive(d, D3DPT_TRIANGLELIST, 0, 0, 4 * LEAVES, 0,
                                                   2 * LEAVES),
             "DrawIndexedPrimitive");
}

const struct bench_row bench_alpha_quads = {
    "alpha-quads", "2,000 quads of 52x52 pixels, textured, alpha and depth tested", begin_leaves,
    draw_leaves};

/* --- Draw calls ------------------------------------------------------------------------------- */

/* Squares of five pixels. */
enum { DRAWS_X = 160, DRAWS_Y = 125 };

static bool begin_draws(struct bench *bench)
{
    static const struct vec3 corners[4] = {{0, 1, 0.5f}, {1, 1, 0.5f}, {0, 0, 0.5f}, {1, 0, 0.5f}};
    IDirect3DDevice9 *d = bench->app.device;

    bench->vertices = bench_vertices(bench, corners, sizeof(corners));
    IDirect3DVertexBuffer9_AddRef(bench->vertices);
    IDirect3DDevice9_SetIndices(d, quad_indices(bench, 1));
    for (int i = 0; i < 4; i++)
        bench->texture[i] = ex_texture(&bench->app, 16 << i, leaf, NULL);
    bench_shaders(bench, tile_vsh, tile_psh);
    return true;
}

static void draw_draws(struct bench *bench, int frame)
{
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff000000, 1.0f, 0);
    IDirect3DDevice9_SetFVF(d, D3DFVF_XYZ);
    IDirect3DDevice9_SetStreamSource(d, 0, bench->vertices, 0, sizeof(struct vec3));
    for (int i = 0; i < DRAWS_X * DRAWS_Y; i++) {
        float x = (float)(i % DRAWS_X), y = (float)(i / DRAWS_X);
        const float constants[3][4] = {
            {x * 2.0f / DRAWS_X - 1.0f, y * 2.0f / DRAWS_Y - 1.0f, 1.6f / DRAWS_X, 1.6f / DRAWS_Y},
            {x / DRAWS_X, y / DRAWS_Y, 0.01f * (float)(frame % 100), 1.0f},
            {0.1f, 0.1f, 0.8f, 0.8f}};

        IDirect3DDevice9_SetVertexShaderConstantF(d, 0, constants[0], 3);
        IDirect3DDevice9_SetTexture(d, 0, (IDirect3DBaseTexture9 *)bench->texture[i % 4]);
        ex_check(IDirect3DDevice9_DrawIndexedPrimitive(d, D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2),
                 "DrawIndexedPrimitive");
    }
}

const struct bench_row bench_draws = {
    "draws", "20,000 draws of 5x5 pixels, constants and a texture set before each", begin_draws,
    draw_draws};

/* --- Dynamic data ----------------------------------------------------------------------------- */

/* 65,536 vertices; quads share none. */
enum { TEXELS = 512, QUADS_X = 128, VERTICES = 4 * QUADS_X * QUADS_X, PHASES = 4 };

struct dynamic {
    uint32_t *texels; /* PHASES images */
    struct bench_screen_vertex *vertices;
    IDirect3DVertexBuffer9 *buffer;
};
static struct dynamic dynamic;

static struct bench_screen_vertex wave_vertex(int i, int phase)
{
    int quad = i / 4;
    float u = (float)(quad % QUADS_X + i % 2) / QUADS_X,
          v = (float)(quad / QUADS_X + i / 2 % 2) / QUADS_X;
    float bend = 20.0f * ex_sin(9.0f * v + 0.5f * EX_PI * (float)phase);

    return (struct bench_screen_vertex){100.0f + 800.0f * u + bend,
                                        50.0f + 650.0f * v + 10.0f * ex_sin(12.0f * u),
                                        0.5f,
                                        1.0f,
                                        0xffffffff,
                                        u,
                                        v};
}

/* Prepares the uploaded data: a frame only copies it. */
static void make_data(const struct bench *bench)
{
    if (!dynamic.texels) {
        dynamic.texels = ex_alloc(sizeof(uint32_t) * PHASES * TEXELS * TEXELS);
        dynamic.vertices = ex_alloc(sizeof(*dynamic.vertices) * PHASES * VERTICES);
    }
    for (int phase = 0; phase < PHASES; phase++) {
        uint32_t *texel = dynamic.texels + phase * TEXELS * TEXELS;

        for (int i = 0; i < TEXELS * TEXELS; i++)
            texel[i] = 0xff000000 | (uint32_t)((i ^ i >> 9) & 255) << 8 |
                       (uint32_t)(i >> 10 & 255) | (uint32_t)(64 * phase) << 16;
        for (int i = 0; i < VERTICES; i++)
            dynamic.vertices[phase * VERTICES + i] = wave_vertex(i, phase);
    }
    bench_turn(bench, dynamic.vertices, sizeof(*dynamic.vertices), PHASES * VERTICES, VERTICES);
}

static bool begin_dynamic(struct bench *bench)
{
    IDirect3DDevice9 *d = bench->app.device;

    make_data(bench);
    if (FAILED(IDirect3DDevice9_CreateTexture(d, TEXELS, TEXELS, 1, D3DUSAGE_DYNAMIC,
                                              D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &bench->texture[0],
                                              NULL)))
        return false;
    ex_check(IDirect3DDevice9_CreateVertexBuffer(d, VERTICES * sizeof(struct bench_screen_vertex),
                                                 D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, 0,
                                                 D3DPOOL_DEFAULT, &dynamic.buffer, NULL),
             "CreateVertexBuffer");
    bench_own(bench, dynamic.buffer);
    IDirect3DDevice9_SetIndices(d, quad_indices(bench, QUADS_X * QUADS_X));
    IDirect3DDevice9_SetTexture(d, 0, (IDirect3DBaseTexture9 *)bench->texture[0]);
    bench_filter(bench, 0, D3DTEXF_LINEAR, D3DTEXF_NONE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ZENABLE, FALSE);
    return true;
}

static void upload(struct bench *bench, int phase)
{
    D3DLOCKED_RECT locked;
    void *to;

    ex_check(IDirect3DTexture9_LockRect(bench->texture[0], 0, &locked, NULL, D3DLOCK_DISCARD),
             "LockRect");
    for (int y = 0; y < TEXELS; y++)
        memcpy((uint8_t *)locked.pBits + y * locked.Pitch,
               dynamic.texels + (phase * TEXELS + y) * TEXELS, TEXELS * sizeof(uint32_t));
    IDirect3DTexture9_UnlockRect(bench->texture[0], 0);
    ex_check(IDirect3DVertexBuffer9_Lock(dynamic.buffer, 0, 0, &to, D3DLOCK_DISCARD), "Lock");
    memcpy(to, dynamic.vertices + phase * VERTICES, VERTICES * sizeof(*dynamic.vertices));
    IDirect3DVertexBuffer9_Unlock(dynamic.buffer);
}

static void draw_dynamic(struct bench *bench, int frame)
{
    IDirect3DDevice9 *d = bench->app.device;

    upload(bench, frame % PHASES);
    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET, 0xff102030, 1.0f, 0);
    IDirect3DDevice9_SetFVF(d, BENCH_SCREEN_FVF);
    IDirect3DDevice9_SetStreamSource(d, 0, dynamic.buffer, 0, sizeof(struct bench_screen_vertex));
    ex_check(IDirect3DDevice9_DrawIndexedPrimitive(d, D3DPT_TRIANGLELIST, 0, 0, VERTICES, 0,
                                                   2 * QUADS_X * QUADS_X),
             "DrawIndexedPrimitive");
}

const struct bench_row bench_dynamic = {
    "dynamic", "a 512x512 texture and 65,536 vertices filled anew and drawn", begin_dynamic,
    draw_dynamic};
