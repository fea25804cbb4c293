/* Draws texels of any format and texture type to a float target, one per pixel, and reads them
 * back. */
#ifndef TESTS_FORMAT_DRAW_H
#define TESTS_FORMAT_DRAW_H

#include "format_oracle.h"

#include "util/alloc.h"
#include "vm/vm.h"

enum { SIDE = 8, SLICES = 3, MAX_TEXELS = SIDE * SIDE * SLICES };

static IDirect3D9 *d3d9;
static IDirect3DDevice9 *device;
static IDirect3DSurface9 *target, *readable; /* SIDE x SIDE floats */

static inline HRESULT ask(DWORD usage, D3DRESOURCETYPE type, D3DFORMAT format)
{
    return IDirect3D9_CheckDeviceFormat(d3d9, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, usage, type,
                                        format);
}

static inline void *assembled(const char *text)
{
    struct vm_error error;
    uint32_t *words;
    size_t n;

    ck_assert_int_eq(vm_assemble(&words, &n, text, &error), ST_OK);
    return words;
}

static inline void use_pixel_shader(const char *text)
{
    IDirect3DPixelShader9 *shader;
    void *words = assembled(text);

    OK(IDirect3DDevice9_CreatePixelShader(device, words, &shader));
    OK(IDirect3DDevice9_SetPixelShader(device, shader));
    IDirect3DPixelShader9_Release(shader);
    mem_free(words);
}

static inline void use_vertex_shader(const char *text)
{
    IDirect3DVertexShader9 *shader;
    void *words = assembled(text);

    OK(IDirect3DDevice9_CreateVertexShader(device, words, &shader));
    OK(IDirect3DDevice9_SetVertexShader(device, shader));
    IDirect3DVertexShader9_Release(shader);
    mem_free(words);
}

static inline void set_palette(void)
{
    PALETTEENTRY entries[256];

    for (unsigned i = 0; i < 256; i++)
        entries[i] = (PALETTEENTRY){(BYTE)i, (BYTE)(255 - i), (BYTE)(i ^ 85), (BYTE)(i / 2 + 64)};
    OK(IDirect3DDevice9_SetPaletteEntries(device, 3, entries));
    OK(IDirect3DDevice9_SetCurrentTexturePalette(device, 3));
}

static inline void open_target(void)
{
    device = create_device();
    OK(IDirect3DDevice9_GetDirect3D(device, &d3d9));
    OK(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, D3DFMT_A32B32G32R32F,
                                           D3DMULTISAMPLE_NONE, 0, FALSE, &target, NULL));
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(device, SIDE, SIDE, D3DFMT_A32B32G32R32F,
                                                    D3DPOOL_SYSTEMMEM, &readable, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    OK(IDirect3DDevice9_SetDepthStencilSurface(device, NULL));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));
    for (DWORD s = 0; s < 2; s++) {
        DWORD sampler = s ? D3DVERTEXTEXTURESAMPLER0 : 0;

        for (DWORD a = D3DSAMP_ADDRESSU; a <= D3DSAMP_ADDRESSW; a++)
            OK(IDirect3DDevice9_SetSamplerState(device, sampler, (D3DSAMPLERSTATETYPE)a,
                                                D3DTADDRESS_CLAMP));
        OK(IDirect3DDevice9_SetSamplerState(device, sampler, D3DSAMP_MIPFILTER, D3DTEXF_POINT));
    }
    set_palette();
    OK(IDirect3DDevice9_BeginScene(device));
}

static inline void close_target(void)
{
    OK(IDirect3DDevice9_EndScene(device));
    IDirect3DSurface9_Release(readable);
    IDirect3D9_Release(d3d9);
    IDirect3DSurface9_Release(target);
    ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
}

static inline uint32_t next_random(uint32_t *seed)
{
    return *seed = *seed * 1664525u + 1013904223u;
}

/* --- Texels ----------------------------------------------------------------------------------- */

/* One image: rows of blocks without padding. */
struct texels {
    struct oracle o;
    unsigned w, h, d;
    uint8_t bytes[MAX_TEXELS * 16];
};

static inline unsigned row_bytes(const struct texels *t)
{
    return (t->w + t->o.block_w - 1) / t->o.block_w * t->o.bytes;
}

static inline unsigned rows(const struct texels *t)
{
    return (t->h + t->o.block_h - 1) / t->o.block_h;
}

static inline void put_float(uint8_t *p, unsigned bits, uint32_t random)
{
    float value = (float)(int32_t)random / 0x1p29f; /* -4 to 4 */
    uint32_t word;
    uint16_t half = (uint16_t)((random & 0x83ff) | (8 + (random >> 16) % 9) << 10);

    memcpy(&word, &value, 4);
    memcpy(p, bits == 16 ? (void *)&half : (void *)&word, bits / 8);
}

static inline struct texels random_texels(const struct oracle *o, unsigned w, unsigned h,
                                          unsigned d, uint32_t seed)
{
    struct texels t = {.o = *o, .w = w, .h = h, .d = d};
    unsigned n = row_bytes(&t) * rows(&t) * d;

    seed = seed * 977u + (uint32_t)o->d3d;
    for (unsigned i = 0; i < n; i++)
        t.bytes[i] = (uint8_t)(next_random(&seed) >> 24);
    for (unsigned i = 0; o->kind == ORACLE_FLOATS && i < n; i += o->channel[0].bits / 8)
        put_float(t.bytes + i, o->channel[0].bits, next_random(&seed));
    return t;
}

static inline void wanted(const struct texels *t, unsigned x, unsigned y, unsigned z,
                          double rgba[4])
{
    const struct oracle *o = &t->o;
    const uint8_t *block =
        t->bytes + (z * rows(t) + y / o->block_h) * row_bytes(t) + x / o->block_w * o->bytes;

    oracle_decode(o, block, x % o->block_w, y % o->block_h, rgba);
}

/* ATI1 and ATI2 rows are addressed as one byte a pixel (reference: locks/ati). */
static inline void write_rows(const struct texels *t, unsigned z, uint8_t *to, unsigned pitch)
{
    const uint8_t *from = t->bytes + z * rows(t) * row_bytes(t);
    bool ati = ((DWORD)t->o.d3d & 0xffffff) == (MAKEFOURCC('A', 'T', 'I', 0) & 0xffffff);

    for (unsigned y = 0; y < rows(t); y++, from += row_bytes(t))
        memcpy(to + (size_t)y * (ati ? row_bytes(t) : pitch), from, row_bytes(t));
}

/* --- Drawing and reading ---------------------------------------------------------------------- */

struct vertex {
    float x, y, z, rhw, u, v, w, q;
};

/* Covers w x h pixels. Coordinates run from corner to corner; q is the LOD. */
static inline void draw_quad(unsigned w, unsigned h, const float from[3], const float right[3],
                             const float down[3], float level)
{
    struct vertex v[4];

    for (int i = 0; i < 4; i++) {
        float a = (float)(i & 1), b = (float)(i >> 1);

        v[i] = (struct vertex){a * (float)w - 0.5f,
                               b * (float)h - 0.5f,
                               0.5f,
                               1.0f,
                               from[0] + a * right[0] + b * down[0],
                               from[1] + a * right[1] + b * down[1],
                               from[2] + a * right[2] + b * down[2],
                               level};
    }
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE4(0)));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0])));
}

static const char sampling[] =
    "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexldl r0, v0, s0\nmov oC0, r0\n";

static float pixels[SIDE][SIDE][4];

static inline void read_pixels(void)
{
    D3DLOCKED_RECT lock;

    OK(IDirect3DDevice9_GetRenderTargetData(device, target, readable));
    OK(IDirect3DSurface9_LockRect(readable, &lock, NULL, D3DLOCK_READONLY));
    for (int y = 0; y < SIDE; y++)
        memcpy(pixels[y], (uint8_t *)lock.pBits + y * lock.Pitch, sizeof(pixels[y]));
    OK(IDirect3DSurface9_UnlockRect(readable));
}

static inline void expect_pixel(const char *what, const char *name, unsigned x, unsigned y,
                                const double want[4], double tolerance)
{
    for (int c = 0; c < 4; c++)
        ck_assert_msg(fabs(pixels[y][x][c] - want[c]) <= tolerance * fmax(1.0, fabs(want[c])),
                      "%s, %s: pixel %u, %u channel %d is %.9g, not %.9g", name, what, x, y, c,
                      pixels[y][x][c], want[c]);
}

static inline void expect_slice(const char *what, const char *name, const struct texels *t,
                                unsigned z, double tolerance)
{
    double want[4];

    read_pixels();
    for (unsigned y = 0; y < t->h; y++)
        for (unsigned x = 0; x < t->w; x++) {
            wanted(t, x, y, z, want);
            expect_pixel(what, name, x, y, want, tolerance);
        }
}

#endif
