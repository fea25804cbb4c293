/* Fill rate rows: clears, solid quads with and without depth, blended quads. */
#include "bench.h"

enum { CLEARS = 64, QUADS = 16 };

/* A different colour for each layer and frame. */
static D3DCOLOR layer_colour(int layer, int frame, D3DCOLOR alpha)
{
    return alpha << 24 | (ex_hash((uint32_t)layer, (uint32_t)frame % 7) & 0xffffff);
}

static void set_states(struct bench *bench)
{
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_SetRenderState(d, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetFVF(d, BENCH_SCREEN_FVF);
}

/* --- Clears ----------------------------------------------------------------------------------- */

static bool begin_clears(struct bench *bench)
{
    set_states(bench);
    return true;
}

/* Imitates applications with redundant clears. All but the last clear and triangle are overdrawn: a
 * renderer may skip them. */
static void draw_clears(struct bench *bench, int frame)
{
    for (int i = 0; i < CLEARS; i++) {
        float x = 16.0f * (float)(i % 60) + 20.0f, y = 11.0f * (float)i + 20.0f;
        const struct bench_screen_vertex v[3] = {
            {.x = x, .y = y, .z = 0.5f, .rhw = 1, .diffuse = layer_colour(i + 100, frame, 255)},
            {.x = x + 4, .y = y, .z = 0.5f, .rhw = 1, .diffuse = 0xffffffff},
            {.x = x, .y = y + 4, .z = 0.5f, .rhw = 1, .diffuse = 0xff000000}};

        ex_check(IDirect3DDevice9_Clear(bench->app.device, 0, NULL,
                                        D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER,
                                        layer_colour(i, frame, 255), 1.0f, 0),
                 "Clear");
        ex_check(IDirect3DDevice9_DrawPrimitiveUP(bench->app.device, D3DPT_TRIANGLELIST, 1, v,
                                                  sizeof(v[0])),
                 "DrawPrimitiveUP");
    }
}

const struct bench_row bench_clears = {"clears",
                                       "64 clears of colour and depth, a tiny triangle after each",
                                       begin_clears, draw_clears};

/* --- Solid and blended quads ------------------------------------------------------------------ */

static bool begin_flat(struct bench *bench)
{
    set_states(bench);
    IDirect3DDevice9_SetRenderState(bench->app.device, D3DRS_ZENABLE, FALSE);
    return true;
}

/* Each quad is nearer than the one before. */
static void draw_quads(struct bench *bench, int frame, D3DCOLOR alpha)
{
    for (int i = 0; i < QUADS; i++) {
        D3DCOLOR c = layer_colour(i, frame, alpha), colours[4] = {c, c, c, c};

        bench_draw_screen(bench, 0.9f - 0.05f * (float)i, colours);
    }
}

static void draw_flat(struct bench *bench, int frame)
{
    draw_quads(bench, frame, 255);
}

static void draw_flat_z(struct bench *bench, int frame)
{
    IDirect3DDevice9_Clear(bench->app.device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
    draw_quads(bench, frame, 255);
}

const struct bench_row bench_flat = {"flat", "16 quads of one colour over the screen", begin_flat,
                                     draw_flat};
const struct bench_row bench_flat_z = {
    "flat-z", "the same, each tested and written to the depth buffer", begin_clears, draw_flat_z};

static bool begin_blend(struct bench *bench)
{
    IDirect3DDevice9 *d = bench->app.device;

    begin_flat(bench);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ALPHABLENDENABLE, TRUE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
    IDirect3DDevice9_SetRenderState(d, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
    return true;
}

static void draw_blend(struct bench *bench, int frame)
{
    static const D3DCOLOR ground[4] = {0xff000000, 0xffff8000, 0xff0080ff, 0xffffffff};

    bench_draw_screen(bench, 0.5f, ground);
    draw_quads(bench, frame, 0x20);
}

const struct bench_row bench_blend = {"blend", "16 quads of one colour, alpha blended", begin_blend,
                                      draw_blend};
