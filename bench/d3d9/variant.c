/* Variants of rows: names, rows without a variant, installation, write mask and fog. */
#include "variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench_hook bench_hook;

const struct bench_variant_text bench_variants[BENCH_VARIANTS] = {
    [BENCH_ROW] = {"row", "the row itself"},
    [BENCH_COLOURS] = {"colours", "another colour at each vertex"},
    [BENCH_ROTATED] = {"rotated", "geometry rotated by 7 degrees"},
    [BENCH_TARGET] = {"target",
                      "R5G6B5 for 8-bit targets, A32B32G32R32F for halves, R16F for R32F"},
    [BENCH_TEXTURE] = {"texture", "A4R4G4B4 for A8R8G8B8, A8B8G8R8 if dynamic, L8 for DXT1"},
    [BENCH_MASK] = {"mask", "only red and blue are written"},
    [BENCH_FOG] = {"fog", "fog of each pixel"},
};

/* --- Rows without a variant ------------------------------------------------------------------- */

enum {
    COLOURS = 1 << BENCH_COLOURS,
    ROTATED = 1 << BENCH_ROTATED,
    TEXTURE = 1 << BENCH_TEXTURE,
    FOG = 1 << BENCH_FOG,
    OUTPUT = 1 << BENCH_MASK | FOG,
};

static const struct {
    const struct bench_row *row;
    unsigned variants;
    const char *reason;
} left_out[] = {
    {&bench_stretchrect, COLOURS | ROTATED | TEXTURE | OUTPUT, "StretchRect draws no vertices"},
    {&bench_stretchrect_scaled, COLOURS | ROTATED | TEXTURE | OUTPUT,
     "StretchRect draws no vertices"},
    {&bench_clears, COLOURS, "its triangles have varying colours"},
    {&bench_point_sprites, COLOURS, "a point has one colour"},
    {&bench_point_sprites, ROTATED, "points are parallel to the axes"},
    {&bench_lit_mesh, TEXTURE, "no texture"},
    {&bench_blended_mesh, TEXTURE, "no texture"},
    {&bench_clears, TEXTURE, "no texture"},
    {&bench_flat, TEXTURE, "no texture"},
    {&bench_flat_z, TEXTURE, "no texture"},
    {&bench_blend, TEXTURE, "no texture"},
    {&bench_small_triangles, TEXTURE, "no texture"},
    {&bench_skinning, TEXTURE, "no texture"},
    {&bench_long_shader, TEXTURE, "no texture"},
    {&bench_branches, TEXTURE, "no texture"},
    {&bench_shadow_volumes, TEXTURE, "no texture"},
    {&bench_shadow_map, TEXTURE, "its texture is a target"},
    {&bench_hdr, TEXTURE, "its texture is a target"},
    {&bench_long_shader, FOG, "ps_3_0 has no fog"},
    {&bench_branches, FOG, "ps_3_0 has no fog"},
    {&bench_skinning, FOG, "ps_3_0 has no fog"},
};

const char *bench_left_out(const struct bench_row *row, enum bench_variant variant)
{
    for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
        if (left_out[i].row == row && left_out[i].variants & 1u << variant)
            return left_out[i].reason;
    return NULL;
}

/* --- Write mask and fog ----------------------------------------------------------------------- */

#define WRITTEN (D3DCOLORWRITEENABLE_RED | D3DCOLORWRITEENABLE_BLUE)

static const D3DRENDERSTATETYPE mask_state[4] = {D3DRS_COLORWRITEENABLE, D3DRS_COLORWRITEENABLE1,
                                                 D3DRS_COLORWRITEENABLE2, D3DRS_COLORWRITEENABLE3};

static HRESULT WINAPI mask_SetRenderState(IDirect3DDevice9 *d, D3DRENDERSTATETYPE state,
                                          DWORD value)
{
    for (int i = 0; i < 4; i++)
        if (state == mask_state[i])
            value &= WRITTEN;
    return bench_hook.real->SetRenderState(d, state, value);
}

static void hook_mask(IDirect3DDevice9 *d)
{
    bench_hook.vtbl.SetRenderState = mask_SetRenderState;
    for (int i = 0; i < 4; i++)
        bench_hook.real->SetRenderState(d, mask_state[i], WRITTEN);
}

/* A row with fog of each vertex has fog of each pixel instead. */
static HRESULT WINAPI fog_SetRenderState(IDirect3DDevice9 *d, D3DRENDERSTATETYPE state, DWORD value)
{
    if (state == D3DRS_FOGVERTEXMODE)
        state = D3DRS_FOGTABLEMODE;
    return bench_hook.real->SetRenderState(d, state, value);
}

/* Depths get no fog. */
static HRESULT WINAPI fog_SetPixelShader(IDirect3DDevice9 *d, IDirect3DPixelShader9 *shader)
{
    bench_hook.real->SetRenderState(d, D3DRS_FOGENABLE, !shader || shader != bench_hook.depths);
    return bench_hook.real->SetPixelShader(d, shader);
}

static HRESULT WINAPI fog_CreatePixelShader(IDirect3DDevice9 *d, const DWORD *tokens,
                                            IDirect3DPixelShader9 **shader)
{
    HRESULT hr = bench_hook.real->CreatePixelShader(d, tokens, shader);

    if (SUCCEEDED(hr) && bench_hook.bench->depths)
        bench_hook.depths = *shader;
    return hr;
}

static void hook_fog(IDirect3DDevice9 *d)
{
    const IDirect3DDevice9Vtbl *real = bench_hook.real;

    bench_hook.vtbl.SetRenderState = fog_SetRenderState;
    bench_hook.vtbl.SetPixelShader = fog_SetPixelShader;
    bench_hook.vtbl.CreatePixelShader = fog_CreatePixelShader;
    real->SetRenderState(d, D3DRS_FOGENABLE, TRUE);
    real->SetRenderState(d, D3DRS_FOGCOLOR, 0xff8090a0);
    real->SetRenderState(d, D3DRS_FOGTABLEMODE, D3DFOG_EXP);
    real->SetRenderState(d, D3DRS_FOGDENSITY, bench_float(0.25f));
}

/* --- Installation ----------------------------------------------------------------------------- */

void bench_hook_own(void *object)
{
    if (bench_hook.n_owned == HOOK_OWNED) {
        fprintf(stderr, "bench: a variant creates more than %d objects\n", HOOK_OWNED);
        exit(1);
    }
    bench_hook.owned[bench_hook.n_owned++] = object;
}

void bench_vary(struct bench *bench, enum bench_variant variant)
{
    IDirect3DDevice9 *d = bench->app.device;

    bench->variant = variant;
    if (variant == BENCH_ROW)
        return;
    memset(&bench_hook, 0, sizeof(bench_hook));
    bench_hook.bench = bench;
    bench_hook.real = d->lpVtbl;
    bench_hook.vtbl = *d->lpVtbl;
    if (variant == BENCH_COLOURS || variant == BENCH_ROTATED)
        bench_hook_geometry(variant);
    else if (variant == BENCH_TARGET)
        bench_hook_targets();
    else if (variant == BENCH_TEXTURE)
        bench_hook_textures();
    else if (variant == BENCH_MASK)
        hook_mask(d);
    else
        hook_fog(d);
    d->lpVtbl = (void *)&bench_hook.vtbl;
}

void bench_vary_end(struct bench *bench)
{
    if (bench->variant == BENCH_ROW)
        return;
    bench->variant = BENCH_ROW;
    bench->app.device->lpVtbl = (void *)bench_hook.real;
    bench_release(bench); /* unbinds what is released now */
    while (bench_hook.n_owned) {
        IUnknown *object = bench_hook.owned[--bench_hook.n_owned];

        object->lpVtbl->Release(object);
    }
}
