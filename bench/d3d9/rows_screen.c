/* Rows of fixed-function pixels and calls: four texture stages over the screen, point sprites,
 * sprites. */
#include "bench.h"

#include <string.h>

static struct ex_colour noise(float u, float v, void *ctx)
{
    const uint32_t *seed = ctx;
    float a = ex_fbm(u * 8.0f, v * 8.0f, 8, 5, *seed),
          b = ex_fbm(u * 4.0f, v * 4.0f, 4, 5, *seed + 9);

    return ex_rgba(a, 0.5f * (a + b), b, ex_smooth(0.3f, 0.7f, b));
}

static struct ex_colour disc(float u, float v, void *ctx)
{
    float x = 2.0f * u - 1.0f, y = 2.0f * v - 1.0f,
          d = ex_clamp(1.0f - (x * x + y * y), 0.0f, 1.0f);

    (void)ctx;
    return ex_rgba(0.5f + 0.5f * d, 0.5f + 0.5f * u, 0.5f + 0.5f * v, d);
}

static void set_filters(struct bench *bench, DWORD stage, DWORD mip)
{
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_SetSamplerState(d, stage, D3DSAMP_MINFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetSamplerState(d, stage, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetSamplerState(d, stage, D3DSAMP_MIPFILTER, mip);
}

/* --- Four texture stages ---------------------------------------------------------------------- */

struct screen_vertex {
    float x, y, z, rhw;
    D3DCOLOR diffuse;
    float uv[4][2];
};
#define SCREEN_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX4)

struct stage {
    DWORD colour_op, alpha_op;
};

static bool begin_combiner(struct bench *bench)
{
    static const struct stage stages[4] = {{D3DTOP_MODULATE, D3DTOP_MODULATE},
                                           {D3DTOP_MODULATE2X, D3DTOP_SELECTARG2},
                                           {D3DTOP_BLENDTEXTUREALPHA, D3DTOP_ADD},
                                           {D3DTOP_ADDSIGNED, D3DTOP_MODULATE}};
    IDirect3DDevice9 *d = bench->app.device;

    for (DWORD i = 0; i < 4; i++) {
        uint32_t seed = 1 + 20 * i;

        bench->texture[i] = ex_texture(&bench->app, 256, noise, &seed);
        IDirect3DDevice9_SetTexture(d, i, (IDirect3DBaseTexture9 *)bench->texture[i]);
        IDirect3DDevice9_SetTextureStageState(d, i, D3DTSS_COLOROP, stages[i].colour_op);
        IDirect3DDevice9_SetTextureStageState(d, i, D3DTSS_COLORARG1, D3DTA_TEXTURE);
        IDirect3DDevice9_SetTextureStageState(d, i, D3DTSS_COLORARG2, D3DTA_CURRENT);
        IDirect3DDevice9_SetTextureStageState(d, i, D3DTSS_ALPHAOP, stages[i].alpha_op);
        IDirect3DDevice9_SetTextureStageState(d, i, D3DTSS_ALPHAARG1, D3DTA_TEXTURE);
        IDirect3DDevice9_SetTextureStageState(d, i, D3DTSS_ALPHAARG2, D3DTA_CURRENT);
        set_filters(bench, i, D3DTEXF_POINT);
    }
    IDirect3DDevice9_SetRenderState(d, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_LIGHTING, FALSE);
    return true;
}

/* Draws a screen of four textures, magnified, minified and rotated. */
static void draw_stages(struct bench *bench, float shift)
{
    static const float scale[4] = {4.0f, 1.5f, 7.0f, 2.3f};
    struct screen_vertex v[4];

    for (int i = 0; i < 4; i++) {
        float x = (float)(i & 1), y = (float)(i >> 1);

        v[i] = (struct screen_vertex){.x = x * BENCH_WIDTH - 0.5f,
                                      .y = y * BENCH_HEIGHT - 0.5f,
                                      .z = 0.5f,
                                      .rhw = 1.0f,
                                      .diffuse = i & 1 ? 0xffffe0c0 : 0xffc0e0ff};
        for (int t = 0; t < 4; t++) {
            float turn = 0.3f * (float)t;

            v[i].uv[t][0] = scale[t] * (x * ex_cos(turn) - 0.75f * y * ex_sin(turn)) + shift;
            v[i].uv[t][1] = scale[t] * (x * ex_sin(turn) + 0.75f * y * ex_cos(turn));
        }
    }
    IDirect3DDevice9_SetFVF(bench->app.device, SCREEN_FVF);
    ex_check(IDirect3DDevice9_DrawPrimitiveUP(bench->app.device, D3DPT_TRIANGLESTRIP, 2, v,
                                              sizeof(v[0])),
             "DrawPrimitiveUP");
}

static void draw_combiner(struct bench *bench, int frame)
{
    draw_stages(bench, 0.001f * (float)(frame % 1000));
}

static void draw_combiner_4(struct bench *bench, int frame)
{
    for (int i = 0; i < 4; i++)
        draw_stages(bench, 0.001f * (float)(frame % 1000) + 0.17f * (float)i);
}

const struct bench_row bench_combiner_4 = {"combiner-4", "the same four times, one over the other",
                                           begin_combiner, draw_combiner_4};
const struct bench_row bench_combiner = {"combiner",
                                         "four texture stages over the screen, bilinear mip-mapped",
                                         begin_combiner, draw_combiner};

/* --- Point sprites ---------------------------------------------------------------------------- */

struct point_vertex {
    struct vec3 position;
    D3DCOLOR diffuse;
};
enum { N_POINTS = 10000 };

static void make_points(struct bench *bench)
{
    struct point_vertex *to;

    ex_check(IDirect3DDevice9_CreateVertexBuffer(bench->app.device, N_POINTS * sizeof(*to),
                                                 D3DUSAGE_WRITEONLY, D3DFVF_XYZ | D3DFVF_DIFFUSE,
                                                 D3DPOOL_MANAGED, &bench->vertices, NULL),
             "CreateVertexBuffer");
    ex_check(IDirect3DVertexBuffer9_Lock(bench->vertices, 0, 0, (void **)&to, 0), "Lock");
    for (uint32_t i = 0; i < N_POINTS; i++) {
        to[i].position = ex_vec3(4.0f * ex_random(3 * i) - 2.0f, 3.0f * ex_random(3 * i + 1) - 1.5f,
                                 3.0f * ex_random(3 * i + 2));
        to[i].diffuse = 0xff000000 | (ex_hash(i, 5) & 0x3f3f3f);
    }
    IDirect3DVertexBuffer9_Unlock(bench->vertices);
}

static bool begin_point_sprites(struct bench *bench)
{
    D3DMATRIX view = ex_look_at(ex_vec3(0, 0, -3.5f), ex_vec3(0, 0, 0), ex_vec3(0, 1, 0));
    D3DMATRIX projection = ex_perspective(0.5f, (float)BENCH_WIDTH / BENCH_HEIGHT, 0.5f, 20.0f);
    IDirect3DDevice9 *d = bench->app.device;

    make_points(bench);
    bench->texture[0] = ex_texture(&bench->app, 32, disc, NULL);
    IDirect3DDevice9_SetTexture(d, 0, (IDirect3DBaseTexture9 *)bench->texture[0]);
    set_filters(bench, 0, D3DTEXF_NONE);
    IDirect3DDevice9_SetTransform(d, D3DTS_VIEW, &view);
    IDirect3DDevice9_SetTransform(d, D3DTS_PROJECTION, &projection);
    IDirect3DDevice9_SetRenderState(d, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_POINTSPRITEENABLE, TRUE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_POINTSCALEENABLE, TRUE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_POINTSIZE, bench_float(0.06f));
    IDirect3DDevice9_SetRenderState(d, D3DRS_POINTSCALE_A, bench_float(0.0f));
    IDirect3DDevice9_SetRenderState(d, D3DRS_POINTSCALE_C, bench_float(1.0f));
    IDirect3DDevice9_SetRenderState(d, D3DRS_ALPHABLENDENABLE, TRUE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    IDirect3DDevice9_SetRenderState(d, D3DRS_DESTBLEND, D3DBLEND_ONE);
    return true;
}

static void draw_point_sprites(struct bench *bench, int frame)
{
    D3DMATRIX world = ex_rotation_z(0.01f * (float)(frame % 628));
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_Clear(d, 0, NULL, D3DCLEAR_TARGET, 0xff000010, 1.0f, 0);
    IDirect3DDevice9_SetTransform(d, D3DTS_WORLD, &world);
    IDirect3DDevice9_SetFVF(d, D3DFVF_XYZ | D3DFVF_DIFFUSE);
    IDirect3DDevice9_SetStreamSource(d, 0, bench->vertices, 0, sizeof(struct point_vertex));
    ex_check(IDirect3DDevice9_DrawPrimitive(d, D3DPT_POINTLIST, 0, N_POINTS), "DrawPrimitive");
}

const struct bench_row bench_point_sprites = {"point-sprites",
                                              "10,000 scaled point sprites, added up",
                                              begin_point_sprites, draw_point_sprites};

/* --- Sprites ---------------------------------------------------------------------------------- */

struct sprite_vertex {
    float x, y, z, rhw;
    D3DCOLOR diffuse;
    float u, v;
};
#define SPRITE_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)
enum { N_SPRITES = 5000 };

static bool begin_sprites(struct bench *bench)
{
    IDirect3DDevice9 *d = bench->app.device;
    uint32_t seed = 77;

    bench->texture[0] = ex_texture(&bench->app, 32, disc, NULL);
    bench->texture[1] = ex_texture(&bench->app, 64, noise, &seed);
    set_filters(bench, 0, D3DTEXF_NONE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    IDirect3DDevice9_SetRenderState(d, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    IDirect3DDevice9_SetTextureStageState(d, 0, D3DTSS_ALPHAOP, D3DTOP_MODULATE);
    IDirect3DDevice9_SetFVF(d, SPRITE_FVF);
    return true;
}

/* Changes texture, blending and stages between sprites, as user interfaces do. */
static void draw_sprite(struct bench *bench, uint32_t n, float shift)
{
    float x = ex_floor(ex_random(2 * n) * (BENCH_WIDTH - 16) + shift),
          size = 8.0f + (float)(n % 3) * 4.0f;
    float y = ex_floor(ex_random(2 * n + 1) * (BENCH_HEIGHT - 16));
    IDirect3DDevice9 *d = bench->app.device;
    struct sprite_vertex v[4];

    for (int i = 0; i < 4; i++)
        v[i] = (struct sprite_vertex){x + size * (float)(i & 1) - 0.5f,
                                      y + size * (float)(i >> 1) - 0.5f,
                                      0.5f,
                                      1.0f,
                                      0xffc0a080 + n * 8 % 64,
                                      (float)(i & 1),
                                      (float)(i >> 1)};
    IDirect3DDevice9_SetTexture(d, 0, (IDirect3DBaseTexture9 *)bench->texture[n % 2]);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ALPHABLENDENABLE, n % 4 < 2);
    IDirect3DDevice9_SetTextureStageState(d, 0, D3DTSS_COLOROP,
                                          n % 3 ? D3DTOP_MODULATE : D3DTOP_SELECTARG1);
    ex_check(IDirect3DDevice9_DrawPrimitiveUP(d, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0])),
             "DrawPrimitiveUP");
}

static void draw_sprites(struct bench *bench, int frame)
{
    IDirect3DDevice9_Clear(bench->app.device, 0, NULL, D3DCLEAR_TARGET, 0xff102030, 1.0f, 0);
    for (uint32_t n = 0; n < N_SPRITES; n++)
        draw_sprite(bench, n, (float)(frame % 16));
}

const struct bench_row bench_sprites = {"sprites",
                                        "5,000 sprites, a draw each, states and texture change",
                                        begin_sprites, draw_sprites};
