/* Texture sampling rows: eight opaque full-screen layers of one texture with point, bilinear,
 * trilinear and anisotropic filters. Each layer has its own texture offset, and all layers are
 * drawn. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { LAYERS = 8, TEXELS = 512 };

struct layer_vertex {
    float x, y, z, rhw;
    D3DCOLOR diffuse;
    float u, v;
};
#define LAYER_FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1)

/* --- Textures --------------------------------------------------------------------------------- */

static struct ex_colour weave(float u, float v, void *ctx)
{
    float n = ex_fbm(u * 16.0f, v * 16.0f, 16, 4, 3), m = ex_fbm(u * 32.0f, v * 32.0f, 32, 2, 11);

    (void)ctx;
    return ex_rgba(n, 0.5f * (n + m), 0.25f + 0.5f * m, 1.0f);
}

/* Converts a colour to R5G6B5. */
static uint16_t narrow(uint32_t c)
{
    return (uint16_t)((c >> 8 & 0xf800) | (c >> 5 & 0x07e0) | (c >> 3 & 0x001f));
}

/* Encodes a DXT1 block between its texels with the least and the greatest green. */
static void encode_block(uint8_t *to, const uint32_t *from, int width)
{
    uint32_t dark = from[0], bright = from[0], index = 0;
    uint16_t ends[2];

    for (int i = 0; i < 16; i++) {
        uint32_t c = from[i / 4 * width + i % 4];

        if ((c & 0xff00) < (dark & 0xff00))
            dark = c;
        if ((c & 0xff00) > (bright & 0xff00))
            bright = c;
    }
    ends[0] = narrow(bright);
    ends[1] = narrow(dark);
    for (int i = 15; i >= 0 && ends[0] > ends[1]; i--) {
        static const uint8_t code[4] = {1, 3, 2, 0}; /* from the dark end to the bright end */
        int low = dark >> 8 & 255, high = bright >> 8 & 255;
        int at = ((int)(from[i / 4 * width + i % 4] >> 8 & 255) - low) * 3;

        index = index << 2 | code[(at + (high - low) / 2) / (high - low)];
    }
    memcpy(to, ends, 4);
    memcpy(to + 4, &index, 4);
}

/* 2x2 box filter in place. */
static void halve(uint32_t *t, int size)
{
    for (int y = 0; y < size / 2; y++)
        for (int x = 0; x < size / 2; x++) {
            const uint32_t *at = t + 2 * y * size + 2 * x;
            uint32_t sum = 0;

            for (int shift = 0; shift < 32; shift += 8)
                sum |= ((at[0] >> shift & 255) + (at[1] >> shift & 255) +
                        (at[size] >> shift & 255) + (at[size + 1] >> shift & 255) + 2) /
                           4
                       << shift;
            t[y * (size / 2) + x] = sum;
        }
}

/* Fills the levels of whole blocks; smaller levels are never sampled. */
static void fill_dxt1(IDirect3DTexture9 *texture, uint32_t *texels)
{
    for (int level = 0, size = TEXELS; size >= 4; halve(texels, size), size /= 2, level++) {
        D3DLOCKED_RECT locked;

        ex_check(IDirect3DTexture9_LockRect(texture, (UINT)level, &locked, NULL, 0), "LockRect");
        for (int y = 0; y < size; y += 4)
            for (int x = 0; x < size; x += 4)
                encode_block((uint8_t *)locked.pBits + y / 4 * locked.Pitch + x / 4 * 8,
                             texels + y * size + x, size);
        IDirect3DTexture9_UnlockRect(texture, (UINT)level);
    }
}

static bool make_dxt1(struct bench *bench)
{
    uint32_t *texels;

    if (FAILED(IDirect3DDevice9_CreateTexture(bench->app.device, TEXELS, TEXELS, 8, 0, D3DFMT_DXT1,
                                              D3DPOOL_MANAGED, &bench->texture[0], NULL)))
        return false;
    texels = ex_alloc((size_t)TEXELS * TEXELS * sizeof(*texels));
    for (int y = 0; y < TEXELS; y++)
        for (int x = 0; x < TEXELS; x++)
            texels[y * TEXELS + x] =
                ex_pack(weave(((float)x + 0.5f) / TEXELS, ((float)y + 0.5f) / TEXELS, NULL));
    fill_dxt1(bench->texture[0], texels);
    free(texels);
    return true;
}

/* --- Drawing ---------------------------------------------------------------------------------- */

/* Other states have their defaults: stage 0 modulates the texture with white vertices. */
static void set_states(struct bench *bench, DWORD filter, DWORD mip)
{
    IDirect3DDevice9 *d = bench->app.device;

    IDirect3DDevice9_SetTexture(d, 0, (IDirect3DBaseTexture9 *)bench->texture[0]);
    IDirect3DDevice9_SetSamplerState(d, 0, D3DSAMP_MINFILTER, filter);
    IDirect3DDevice9_SetSamplerState(d, 0, D3DSAMP_MAGFILTER,
                                     filter == D3DTEXF_ANISOTROPIC ? D3DTEXF_LINEAR : filter);
    IDirect3DDevice9_SetSamplerState(d, 0, D3DSAMP_MIPFILTER, mip);
    IDirect3DDevice9_SetSamplerState(d, 0, D3DSAMP_MAXANISOTROPY, 8);
    IDirect3DDevice9_SetRenderState(d, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice9_SetRenderState(d, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetFVF(d, LAYER_FVF);
}

/* Texture offset of a layer: it differs between layers and frames, and is never a texel centre. */
static void place(int layer, int frame, float *u, float *v)
{
    *u = ((float)(layer * 37 + frame % 512) + 0.3f) / TEXELS;
    *v = ((float)(layer * 53 + frame % 512) + 0.6f) / TEXELS;
}

static void draw_quad(struct bench *bench, const struct layer_vertex v[4])
{
    ex_check(IDirect3DDevice9_DrawPrimitiveUP(bench->app.device, D3DPT_TRIANGLESTRIP, 2, v,
                                              sizeof(v[0])),
             "DrawPrimitiveUP");
}

/* texels: step in texels per pixel. */
static void draw_layers(struct bench *bench, int frame, float texels)
{
    for (int layer = 0; layer < LAYERS; layer++) {
        struct layer_vertex v[4];
        float u, w;

        place(layer, frame, &u, &w);
        for (int i = 0; i < 4; i++) {
            float x = (float)(i & 1) * BENCH_WIDTH, y = (float)(i >> 1) * BENCH_HEIGHT;

            v[i] = (struct layer_vertex){x - 0.5f,
                                         y - 0.5f,
                                         0.5f,
                                         1.0f,
                                         0xffffffff,
                                         u + x * texels / TEXELS,
                                         w + y * texels / TEXELS};
        }
        draw_quad(bench, v);
    }
}

static bool begin_point(struct bench *bench)
{
    bench->texture[0] = ex_texture(&bench->app, TEXELS, weave, NULL);
    set_states(bench, D3DTEXF_POINT, D3DTEXF_NONE);
    return true;
}

static bool begin_bilinear(struct bench *bench)
{
    bench->texture[0] = ex_texture(&bench->app, TEXELS, weave, NULL);
    set_states(bench, D3DTEXF_LINEAR, D3DTEXF_NONE);
    return true;
}

static void draw_plain(struct bench *bench, int frame)
{
    draw_layers(bench, frame, 1.0f);
}

const struct bench_row bench_layers_point = {
    "layers-point", "8 layers, A8R8G8B8, a texel a pixel, point", begin_point, draw_plain};
const struct bench_row bench_layers_bilinear = {
    "layers-bilinear", "8 layers, A8R8G8B8, a texel a pixel, bilinear", begin_bilinear, draw_plain};

static bool begin_trilinear(struct bench *bench)
{
    if (!make_dxt1(bench))
        return false;
    set_states(bench, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    return true;
}

static bool begin_aniso(struct bench *bench)
{
    if (bench->app.caps.MaxAnisotropy < 8 || !make_dxt1(bench))
        return false;
    set_states(bench, D3DTEXF_ANISOTROPIC, D3DTEXF_LINEAR);
    return true;
}

static void draw_minified(struct bench *bench, int frame)
{
    draw_layers(bench, frame, 1.5f);
}

const struct bench_row bench_layers_trilinear = {"layers-trilinear",
                                                 "8 layers, DXT1, 1.5 texels a pixel, trilinear",
                                                 begin_trilinear, draw_minified};
const struct bench_row bench_layers_aniso = {"layers-aniso",
                                             "8 layers, DXT1, 1.5 texels a pixel, anisotropic 8x",
                                             begin_aniso, draw_minified};

/* A floor from distance 1 at the lower edge to distance 3 at the upper edge. A pixel at distance w
 * steps over 1.5 w texels to the right. Downwards 1 / w grows by 2 / 3 over the whole height, and v
 * = k w: a pixel steps over k w w (2 / 3) / height texels. That is six times as much where w is
 * 1.5, half way up. */
static void draw_tilted(struct bench *bench, int frame)
{
    const float across = 1.5f * BENCH_WIDTH / TEXELS,
                k = 6.0f * 1.5f * BENCH_HEIGHT / (1.5f * 2.0f / 3.0f) / TEXELS;

    for (int layer = 0; layer < LAYERS; layer++) {
        struct layer_vertex v[4];
        float u, w;

        place(layer, frame, &u, &w);
        for (int i = 0; i < 4; i++) {
            float x = (float)(i & 1), y = (float)(i >> 1), distance = i >> 1 ? 1.0f : 3.0f;

            v[i] = (struct layer_vertex){x * BENCH_WIDTH - 0.5f,
                                         y * BENCH_HEIGHT - 0.5f,
                                         0.5f,
                                         1.0f / distance,
                                         0xffffffff,
                                         u + (x - 0.5f) * across * distance,
                                         w + k * distance};
        }
        draw_quad(bench, v);
    }
}

const struct bench_row bench_layers_aniso_tilted = {
    "layers-aniso-tilted", "8 layers, DXT1, a floor seen at an angle, 4 to 8 probes", begin_aniso,
    draw_tilted};
