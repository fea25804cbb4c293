/* The variants `colours` and `rotated`: vertex colours and positions of draws.
 *
 * Draws from vertex buffers get their colours from a second stream. Vertices of DrawPrimitiveUP are
 * copied and changed. The projection and vertex shaders rotate other positions. */
#include "variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* At least the vertices of the largest row. */
enum { COLOUR_COUNT = 1 << 18, COLOUR_STREAM = 1, DECLARATIONS = 8, UP_BYTES = 4096 };

/* A declaration or FVF of the row, and the declaration with colours of the second stream. */
struct widened {
    IDirect3DVertexDeclaration9 *from, *to;
    DWORD fvf;
};

static struct {
    IDirect3DVertexDeclaration9 *declaration; /* of the row, or FVF */
    DWORD fvf, bound_fvf; /* bound_fvf: of DrawPrimitiveUP; 0: another is bound */
    bool widened;         /* colours of the second stream are bound */
    IDirect3DVertexBuffer9 *colours;
    struct widened known[DECLARATIONS];
    int n_known;
} geometry;

/* 64 to 255 in each channel. */
D3DCOLOR bench_vary_colour(uint32_t n)
{
    return 0xff000000 | (0x404040 + (ex_hash(n, 9) & 0x7f7f7f) + (ex_hash(n, 4) & 0x3f3f3f));
}

/* Half to one and a half of an alpha that is less than one. */
static D3DCOLOR vary_alpha(uint32_t n, D3DCOLOR colour)
{
    uint32_t alpha = colour >> 24;

    if (alpha && alpha < 0xaa)
        alpha = alpha / 2 + ex_hash(n, 1) % (alpha + 1);
    return (bench_vary_colour(n) & 0xffffff) | alpha << 24;
}

void bench_turn(const struct bench *bench, void *vertices, size_t stride, int count, int group)
{
    if (bench->variant != BENCH_ROTATED)
        return;
    for (int first = 0; first < count; first += group) {
        char *at = (char *)vertices + (size_t)first * stride;
        float middle[2] = {0, 0};

        for (int i = 0; i < group; i++)
            for (int k = 0; k < 2; k++)
                middle[k] += ((float *)(void *)(at + (size_t)i * stride))[k] / (float)group;
        for (int i = 0; i < group; i++) {
            float *p = (float *)(void *)(at + (size_t)i * stride);
            float x = p[0] - middle[0], y = p[1] - middle[1];

            p[0] = middle[0] + x * BENCH_TURN_COS - y * BENCH_TURN_SIN;
            p[1] = middle[1] + x * BENCH_TURN_SIN + y * BENCH_TURN_COS;
        }
    }
}

/* --- Bound vertices --------------------------------------------------------------------------- */

static HRESULT WINAPI hook_SetFVF(IDirect3DDevice9 *d, DWORD fvf)
{
    geometry.fvf = geometry.bound_fvf = fvf;
    geometry.declaration = NULL;
    geometry.widened = false;
    return bench_hook.real->SetFVF(d, fvf);
}

static HRESULT WINAPI hook_SetVertexDeclaration(IDirect3DDevice9 *d,
                                                IDirect3DVertexDeclaration9 *declaration)
{
    geometry.fvf = geometry.bound_fvf = 0;
    geometry.declaration = declaration;
    geometry.widened = false;
    return bench_hook.real->SetVertexDeclaration(d, declaration);
}

/* The elements of the bound declaration, with the colour of the second stream. */
static IDirect3DVertexDeclaration9 *widen(IDirect3DDevice9 *d)
{
    D3DVERTEXELEMENT9 elements[MAXD3DDECLLENGTH + 1];
    const D3DVERTEXELEMENT9 colour = {
        COLOUR_STREAM, 0, D3DDECLTYPE_D3DCOLOR, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_COLOR, 0};
    const D3DVERTEXELEMENT9 end = D3DDECL_END();
    IDirect3DVertexDeclaration9 *from = NULL, *to = NULL;
    UINT count = 0, kept = 0;

    ex_check(bench_hook.real->GetVertexDeclaration(d, &from), "GetVertexDeclaration");
    ex_check(IDirect3DVertexDeclaration9_GetDeclaration(from, elements, &count), "GetDeclaration");
    IDirect3DVertexDeclaration9_Release(from);
    for (UINT i = 0; i + 1 < count; i++)
        if (elements[i].Usage != D3DDECLUSAGE_COLOR || elements[i].UsageIndex)
            elements[kept++] = elements[i];
    elements[kept++] = colour;
    elements[kept] = end;
    ex_check(bench_hook.real->CreateVertexDeclaration(d, elements, &to), "CreateVertexDeclaration");
    bench_hook_own(to);
    return to;
}

static IDirect3DVertexDeclaration9 *widened(IDirect3DDevice9 *d)
{
    struct widened *new = &geometry.known[geometry.n_known];

    for (const struct widened *w = geometry.known; w < new; w++)
        if (w->from == geometry.declaration && w->fvf == geometry.fvf)
            return w->to;
    if (geometry.n_known == DECLARATIONS) {
        fprintf(stderr, "bench: a row has more than %d vertex declarations\n", DECLARATIONS);
        exit(1);
    }
    if (geometry.fvf)
        bench_hook.real->SetFVF(d, geometry.fvf); /* DrawPrimitiveUP may have bound another */
    *new = (struct widened){geometry.declaration, widen(d), geometry.fvf};
    geometry.n_known++;
    return new->to;
}

static void bind_colours(IDirect3DDevice9 *d)
{
    if (geometry.widened)
        return;
    bench_hook.real->SetVertexDeclaration(d, widened(d));
    bench_hook.real->SetStreamSource(d, COLOUR_STREAM, geometry.colours, 0, sizeof(D3DCOLOR));
    geometry.widened = true;
    geometry.bound_fvf = 0;
}

static HRESULT WINAPI colours_DrawPrimitive(IDirect3DDevice9 *d, D3DPRIMITIVETYPE type, UINT first,
                                            UINT count)
{
    bind_colours(d);
    return bench_hook.real->DrawPrimitive(d, type, first, count);
}

static HRESULT WINAPI colours_DrawIndexedPrimitive(IDirect3DDevice9 *d, D3DPRIMITIVETYPE type,
                                                   INT base, UINT low, UINT vertices, UINT first,
                                                   UINT count)
{
    bind_colours(d);
    return bench_hook.real->DrawIndexedPrimitive(d, type, base, low, vertices, first, count);
}

/* --- Vertices of the program ------------------------------------------------------------------ */

static UINT vertex_count(D3DPRIMITIVETYPE type, UINT primitives)
{
    return type == D3DPT_TRIANGLELIST ? 3 * primitives : primitives + 2;
}

/* Copies vertices of FVF with position, colour and texture coordinates, and changes the colour or
 * inserts one. Returns the stride. */
static UINT copy_coloured(uint8_t *to, const uint8_t *from, UINT count, UINT stride, DWORD fvf)
{
    UINT position = (fvf & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW ? 16 : 12;
    UINT had = fvf & D3DFVF_DIFFUSE ? 4 : 0, wide = stride + 4 - had;

    for (UINT i = 0; i < count; i++, from += stride, to += wide) {
        D3DCOLOR colour = 0xffffffff;

        memcpy(to, from, position);
        memcpy(&colour, from + position, had);
        colour = vary_alpha(i, colour);
        memcpy(to + position, &colour, 4);
        memcpy(to + position + 4, from + position + had, stride - position - had);
    }
    return wide;
}

static HRESULT WINAPI hook_DrawPrimitiveUP(IDirect3DDevice9 *d, D3DPRIMITIVETYPE type, UINT count,
                                           const void *data, UINT stride)
{
    union {
        uint8_t bytes[UP_BYTES];
        float aligned;
    } copy;
    UINT vertices = vertex_count(type, count);
    DWORD fvf = geometry.fvf;

    if (vertices * (stride + 4) > UP_BYTES) {
        fprintf(stderr, "bench: DrawPrimitiveUP with more than %d bytes\n", UP_BYTES);
        exit(1);
    }
    if (bench_hook.bench->variant == BENCH_COLOURS) {
        stride = copy_coloured(copy.bytes, data, vertices, stride, fvf);
        fvf |= D3DFVF_DIFFUSE;
        if (geometry.bound_fvf != fvf)
            bench_hook.real->SetFVF(d, fvf);
        geometry.bound_fvf = fvf;
        geometry.widened = false;
        data = copy.bytes;
    } else if ((fvf & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW) {
        memcpy(copy.bytes, data, vertices * stride);
        bench_turn(bench_hook.bench, copy.bytes, stride, (int)vertices, (int)vertices);
        data = copy.bytes;
    }
    return bench_hook.real->DrawPrimitiveUP(d, type, count, data, stride);
}

/* --- Transforms, stages and shaders ----------------------------------------------------------- */

/* Rotates in clip space by an angle on the screen. */
static HRESULT WINAPI rotated_SetTransform(IDirect3DDevice9 *d, D3DTRANSFORMSTATETYPE state,
                                           const D3DMATRIX *m)
{
    const float aspect = (float)BENCH_WIDTH / BENCH_HEIGHT;
    D3DMATRIX turn = ex_identity(), both;

    if (state != D3DTS_PROJECTION)
        return bench_hook.real->SetTransform(d, state, m);
    turn._11 = turn._22 = BENCH_TURN_COS;
    turn._12 = BENCH_TURN_SIN * aspect;
    turn._21 = -BENCH_TURN_SIN / aspect;
    both = ex_multiply(m, &turn);
    return bench_hook.real->SetTransform(d, state, &both);
}

/* A stage that shows the texture alone shows the colour, too. It still differs from MODULATE, so
 * changes of the stage stay changes. */
static HRESULT WINAPI colours_SetTextureStageState(IDirect3DDevice9 *d, DWORD stage,
                                                   D3DTEXTURESTAGESTATETYPE type, DWORD value)
{
    if (type == D3DTSS_COLOROP && value == D3DTOP_SELECTARG1)
        value = D3DTOP_MODULATE2X;
    return bench_hook.real->SetTextureStageState(d, stage, type, value);
}

static HRESULT WINAPI hook_CreateVertexShader(IDirect3DDevice9 *d, const DWORD *tokens,
                                              IDirect3DVertexShader9 **shader)
{
    DWORD *varied;
    HRESULT hr;

    if (bench_hook.bench->depths)
        return bench_hook.real->CreateVertexShader(d, tokens, shader);
    varied = bench_vary_shader(tokens, bench_hook.bench->variant);
    hr = bench_hook.real->CreateVertexShader(d, varied, shader);
    free(varied);
    return hr;
}

static HRESULT WINAPI colours_CreatePixelShader(IDirect3DDevice9 *d, const DWORD *tokens,
                                                IDirect3DPixelShader9 **shader)
{
    DWORD *varied;
    HRESULT hr;

    if (bench_hook.bench->depths)
        return bench_hook.real->CreatePixelShader(d, tokens, shader);
    varied = bench_vary_shader(tokens, BENCH_COLOURS);
    hr = bench_hook.real->CreatePixelShader(d, varied, shader);
    free(varied);
    return hr;
}

static void make_colours(void)
{
    D3DCOLOR *to;
    IDirect3DDevice9 *d = bench_hook.bench->app.device;

    ex_check(bench_hook.real->CreateVertexBuffer(d, COLOUR_COUNT * sizeof(*to), D3DUSAGE_WRITEONLY,
                                                 0, D3DPOOL_MANAGED, &geometry.colours, NULL),
             "CreateVertexBuffer");
    bench_hook_own(geometry.colours);
    ex_check(IDirect3DVertexBuffer9_Lock(geometry.colours, 0, 0, (void **)&to, 0), "Lock");
    for (uint32_t i = 0; i < COLOUR_COUNT; i++)
        to[i] = bench_vary_colour(i);
    IDirect3DVertexBuffer9_Unlock(geometry.colours);
}

void bench_hook_geometry(enum bench_variant variant)
{
    IDirect3DDevice9Vtbl *vtbl = &bench_hook.vtbl;

    memset(&geometry, 0, sizeof(geometry));
    vtbl->SetFVF = hook_SetFVF;
    vtbl->SetVertexDeclaration = hook_SetVertexDeclaration;
    vtbl->DrawPrimitiveUP = hook_DrawPrimitiveUP;
    vtbl->CreateVertexShader = hook_CreateVertexShader;
    if (variant == BENCH_ROTATED) {
        vtbl->SetTransform = rotated_SetTransform;
        return;
    }
    vtbl->DrawPrimitive = colours_DrawPrimitive;
    vtbl->DrawIndexedPrimitive = colours_DrawIndexedPrimitive;
    vtbl->SetTextureStageState = colours_SetTextureStageState;
    vtbl->CreatePixelShader = colours_CreatePixelShader;
    make_colours();
}
