/* Random test of deferred execution: draws are batched into scenes, but copies, locks and all other
 * calls act as if each draw ran at once. Results must be equal whether or not the renderer finishes
 * after every call, for all renderer options. */
#include "order_world.h"

#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 250, SEEDS = 60 };

/* --- Calls ------------------------------------------------------------------------------------ */

static void some_corners(struct world *w, struct vertex corner[4])
{
    float x0 = (float)below(w, EDGE), y0 = (float)below(w, EDGE), z = (float)below(w, 5) * 0.25f;
    float x1 = x0 + 1 + (float)below(w, EDGE), y1 = y0 + 1 + (float)below(w, EDGE);
    float u = (float)below(w, 9) * 0.25f - 1, v = (float)below(w, 9) * 0.25f - 1;
    DWORD diffuse = below(w, 0xffffffff);

    corner[0] = (struct vertex){x0, y0, z, 1, diffuse, 0, 0, 1};
    corner[1] = (struct vertex){x1, y0, z, 1, ~diffuse, u, 0, 1};
    corner[2] = (struct vertex){x0, y1, z, 1, diffuse, 0, v, 0.5f};
    corner[3] = (struct vertex){x1, y1, z, 1, diffuse, u, v, -1};
}

static void do_draw(struct world *w)
{
    struct vertex corner[4];

    some_corners(w, corner);
    OK(IDirect3DDevice9_BeginScene(w->device));
    OK(IDirect3DDevice9_DrawPrimitiveUP(w->device, D3DPT_TRIANGLESTRIP, 2, corner,
                                        sizeof(corner[0])));
    OK(IDirect3DDevice9_EndScene(w->device));
}

/* Appends four vertices; a full buffer starts anew. */
static void do_append(struct world *w)
{
    enum { BYTES = 4 * sizeof(struct vertex) };
    IDirect3DVertexBuffer9 *buffer = w->buffer[APPENDED];
    bool anew = w->appended + BYTES > BUFFER_BYTES || !below(w, 8);
    void *bytes;

    if (anew)
        w->appended = 0;
    OK(IDirect3DVertexBuffer9_Lock(buffer, w->appended, BYTES, &bytes,
                                   anew ? D3DLOCK_DISCARD : D3DLOCK_NOOVERWRITE));
    some_corners(w, bytes);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    OK(IDirect3DDevice9_SetStreamSource(w->device, 0, buffer, 0, sizeof(struct vertex)));
    OK(IDirect3DDevice9_DrawPrimitive(w->device, D3DPT_TRIANGLESTRIP,
                                      w->appended / sizeof(struct vertex), 2));
    w->appended += BYTES;
}

/* Changes vertices or indices that pending draws read. */
static void do_kept(struct world *w)
{
    IDirect3DVertexBuffer9 *buffer = w->buffer[KEPT];
    UINT at = below(w, 16) * 4, n = below(w, INDEX_BYTES / 2);
    DWORD flags = below(w, 8) ? 0 : D3DLOCK_READONLY;
    uint16_t *index;
    void *bytes;

    OK(IDirect3DVertexBuffer9_Lock(buffer, at * (UINT)sizeof(struct vertex),
                                   4 * sizeof(struct vertex), &bytes, flags));
    note(w, bytes, 4 * sizeof(struct vertex));
    if (!flags)
        some_corners(w, bytes);
    OK(IDirect3DVertexBuffer9_Unlock(buffer));
    if (!below(w, 3)) {
        OK(IDirect3DIndexBuffer9_Lock(w->indices, 2 * n, 2, (void **)&index, 0));
        note(w, index, 2);
        *index = (uint16_t)below(w, 64);
        OK(IDirect3DIndexBuffer9_Unlock(w->indices));
    }
    OK(IDirect3DDevice9_SetIndices(w->device, w->indices)); /* draws from user memory unbind it */
    OK(IDirect3DDevice9_SetStreamSource(w->device, 0, buffer, 0, sizeof(struct vertex)));
    OK(IDirect3DDevice9_DrawIndexedPrimitive(w->device, D3DPT_TRIANGLELIST, 0, 0, 64, 0, 4));
}

/* Destroys objects that pending packets name; new objects reuse their handles. */
static void do_renew(struct world *w)
{
    enum image i = (enum image)(DYNAMIC + below(w, 2));

    if (below(w, 2)) {
        for (int b = 0; b < BUFFERS; b++)
            release(w->buffer[b]);
        release(w->indices);
        OK(IDirect3DDevice9_SetStreamSource(w->device, 0, NULL, 0, 0));
        OK(IDirect3DDevice9_SetIndices(w->device, NULL));
        make_buffers(w);
        w->appended = 0;
    } else {
        OK(IDirect3DDevice9_SetTexture(w->device, 0, NULL));
        OK(IDirect3DDevice9_SetTexture(w->device, 1, NULL));
        release(w->texture[i]);
        make_image(w, i);
    }
}

static void do_present(struct world *w)
{
    OK(IDirect3DDevice9_Present(w->device, NULL, NULL, NULL, NULL));
}

/* Often repeats the last clear. */
static void do_clear(struct world *w)
{
    DWORD flags = below(w, 3) ? D3DCLEAR_TARGET : 0;
    const D3DRECT rect = {(LONG)below(w, EDGE / 2), 0, EDGE / 2, (LONG)below(w, EDGE)};
    bool part = below(w, 2);
    HRESULT hr;

    flags |= below(w, 2) ? D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL : 0;
    if (below(w, 2))
        hr = IDirect3DDevice9_Clear(w->device, 0, NULL, flags, 0xff204060, 0.5f, 7);
    else
        hr =
            IDirect3DDevice9_Clear(w->device, part, part ? &rect : NULL, flags,
                                   below(w, 0xffffffff), (float)below(w, 5) * 0.25f, below(w, 256));
    note(w, &hr, sizeof(hr));
}

/* Four samples without depth, because the depth buffer has one sample. */
static void do_multisampled(struct world *w)
{
    OK(IDirect3DDevice9_SetDepthStencilSurface(w->device, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(w->device, 1, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(w->device, 0, w->multisampled));
}

static void do_target(struct world *w)
{
    static const enum image targets[] = {TARGET, GENERATED_TARGET, CUBE_TARGET, TARGET};
    IDirect3DSurface9 *surface = some_level(w, targets[below(w, 4)]);

    OK(IDirect3DDevice9_SetRenderTarget(w->device, 0, surface));
    release(surface);
    surface = below(w, 4) ? NULL : some_level(w, FLOAT_TARGET);
    OK(IDirect3DDevice9_SetRenderTarget(w->device, 1, surface));
    if (surface)
        release(surface);
}

static void do_depth(struct world *w)
{
    IDirect3DSurface9 *surface = below(w, 3) ? some_level(w, DEPTH) : NULL;

    OK(IDirect3DDevice9_SetDepthStencilSurface(w->device, surface));
    if (surface)
        release(surface);
}

static void do_texture(struct world *w)
{
    uint32_t i = below(w, 4) ? below(w, IMAGES) : DEPTH;

    OK(IDirect3DDevice9_SetTexture(w->device, below(w, 2), i == SYSTEM ? NULL : w->texture[i]));
}

static void do_states(struct world *w)
{
    static const D3DRENDERSTATETYPE switches[] = {D3DRS_ZENABLE, D3DRS_ZWRITEENABLE,
                                                  D3DRS_ALPHABLENDENABLE, D3DRS_STENCILENABLE};
    DWORD sampler = below(w, 2);

    OK(IDirect3DDevice9_SetRenderState(w->device, switches[below(w, 4)], below(w, 2)));
    OK(IDirect3DDevice9_SetRenderState(w->device, D3DRS_ZFUNC, 1 + below(w, 8)));
    OK(IDirect3DDevice9_SetRenderState(w->device, D3DRS_STENCILPASS, 1 + below(w, 8)));
    OK(IDirect3DDevice9_SetRenderState(w->device, D3DRS_SRCBLEND, D3DBLEND_ONE + below(w, 2)));
    OK(IDirect3DDevice9_SetSamplerState(w->device, sampler, D3DSAMP_MINFILTER, 1 + below(w, 3)));
    OK(IDirect3DDevice9_SetSamplerState(w->device, sampler, D3DSAMP_MAGFILTER, 1 + below(w, 2)));
    OK(IDirect3DDevice9_SetSamplerState(w->device, sampler, D3DSAMP_MIPFILTER, below(w, 3)));
    OK(IDirect3DDevice9_SetSamplerState(w->device, sampler, D3DSAMP_MAXMIPLEVEL, below(w, 4)));
    OK(IDirect3DDevice9_SetSamplerState(w->device, sampler, D3DSAMP_MAXANISOTROPY, 4));
}

static RECT some_rect(struct world *w, UINT edge, UINT unit)
{
    LONG x = (LONG)below(w, edge / unit), y = (LONG)below(w, edge / unit), n = (LONG)unit;

    return (RECT){x * n, y * n, (x + 1 + (LONG)below(w, edge / unit - (UINT)x)) * n,
                  (y + 1 + (LONG)below(w, edge / unit - (UINT)y)) * n};
}

static void do_copy(struct world *w)
{
    IDirect3DSurface9 *from = some_level(w, (enum image)below(w, IMAGES));
    IDirect3DSurface9 *to = some_level(w, (enum image)below(w, IMAGES));
    const RECT a = some_rect(w, EDGE / 4, 4), b = some_rect(w, EDGE / 4, 4);
    bool parts = below(w, 2);
    HRESULT hr;

    if (!below(w, 4)) {
        IDirect3DSurface9_AddRef(w->plain);
        release(to);
        to = w->plain;
    }
    if (!below(w, 3)) {
        IDirect3DSurface9_AddRef(w->multisampled);
        release(from);
        from = w->multisampled;
    }
    hr = IDirect3DDevice9_StretchRect(w->device, from, parts ? &a : NULL, to, parts ? &b : NULL,
                                      (D3DTEXTUREFILTERTYPE)below(w, 3));
    note(w, &hr, sizeof(hr));
    hr = IDirect3DDevice9_ColorFill(w->device, to, parts ? &b : NULL, below(w, 0xffffffff));
    note(w, &hr, sizeof(hr));
    release(from);
    release(to);
}

static void do_update(struct world *w)
{
    IDirect3DSurface9 *from = some_level(w, SYSTEM), *to = some_level(w, STATIC);
    const RECT rect = some_rect(w, EDGE / 4, 1);
    const POINT point = {0, 0};
    HRESULT hr;

    if (below(w, 2))
        hr = IDirect3DDevice9_UpdateTexture(w->device, w->texture[SYSTEM],
                                            w->texture[below(w, 2) ? STATIC : GENERATED_TARGET]);
    else
        hr = IDirect3DDevice9_UpdateSurface(w->device, from, &rect, to, &point);
    note(w, &hr, sizeof(hr));
    release(from);
    release(to);
}

static void do_lock(struct world *w)
{
    static const enum image lockable[] = {DYNAMIC,           MANAGED, MANAGED_BLOCKS,
                                          MANAGED_GENERATED, SYSTEM,  PALETTE};
    enum image i = lockable[below(w, 6)];
    IDirect3DSurface9 *surface = some_level(w, i);
    DWORD flags = below(w, 2) ? 0 : D3DLOCK_NO_DIRTY_UPDATE;
    bool blocks = i == DYNAMIC || i == MANAGED_BLOCKS;
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT lock;
    RECT rect;
    UINT unit;

    OK(IDirect3DSurface9_GetDesc(surface, &desc));
    unit = blocks || i == PALETTE ? 4 : 1;
    rect = some_rect(w, desc.Width, desc.Width < 4 ? desc.Width : unit);
    OK(IDirect3DSurface9_LockRect(surface, &lock, &rect, flags));
    for (LONG y = rect.top; y < rect.bottom; y += blocks ? 4 : 1)
        for (int b = 0; b < 4; b++)
            ((uint8_t *)lock.pBits)[(y - rect.top) / (blocks ? 4 : 1) * lock.Pitch + b] =
                (uint8_t)below(w, 256);
    OK(IDirect3DSurface9_UnlockRect(surface));
    release(surface);
}

/* Alternates writes and draws of a texture, as video players do. */
static void do_film(struct world *w)
{
    IDirect3DTexture9 *texture =
        (IDirect3DTexture9 *)w->texture[below(w, 2) ? MANAGED : MANAGED_GENERATED];
    D3DLOCKED_RECT lock;

    for (uint32_t frame = below(w, 4); frame < 4; frame++) {
        OK(IDirect3DTexture9_LockRect(texture, 0, &lock, NULL, 0));
        for (UINT y = 0; y < EDGE; y++)
            memset((char *)lock.pBits + y * (UINT)lock.Pitch, (int)below(w, 256), 4 * EDGE);
        OK(IDirect3DTexture9_UnlockRect(texture, 0));
        OK(IDirect3DDevice9_SetTexture(w->device, 0, (IDirect3DBaseTexture9 *)texture));
        do_draw(w);
    }
}

/* Rewrites parts of each level; the rest keeps its contents. */
static void do_discard(struct world *w)
{
    IDirect3DTexture9 *texture = (IDirect3DTexture9 *)w->texture[DYNAMIC];
    UINT levels = IDirect3DTexture9_GetLevelCount(texture);
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT lock;

    for (UINT level = below(w, 2); level < levels; level++) {
        OK(IDirect3DTexture9_GetLevelDesc(texture, level, &desc));
        OK(IDirect3DTexture9_LockRect(texture, level, &lock, NULL, D3DLOCK_DISCARD));
        for (UINT y = below(w, 2) * 8; y < desc.Height; y += 4)
            for (UINT x = 0; x < desc.Width; x += 4)
                for (int i = 0; i < 8; i++)
                    ((uint8_t *)lock.pBits)[y / 4 * (UINT)lock.Pitch + x * 2 + i] =
                        (uint8_t)below(w, 256);
        OK(IDirect3DTexture9_UnlockRect(texture, level));
    }
}

static void do_managed(struct world *w)
{
    enum image i = (enum image)(MANAGED + below(w, 3));
    const RECT rect = some_rect(w, EDGE, 1);

    switch (below(w, 5)) {
    case 0:
        IDirect3DBaseTexture9_SetLOD(w->texture[i], below(w, 3));
        break;
    case 1:
        OK(IDirect3DDevice9_EvictManagedResources(w->device));
        break;
    case 2:
        IDirect3DBaseTexture9_PreLoad(w->texture[i]);
        break;
    case 3:
        OK(IDirect3DTexture9_AddDirtyRect((IDirect3DTexture9 *)w->texture[i], &rect));
        break;
    case 4:
        IDirect3DBaseTexture9_GenerateMipSubLevels(w->texture[GENERATED_TARGET]);
        break;
    }
}

/* RESZ through POINTSIZE: copies depth to the texture of sampler 0. */
static void do_depth_copy(struct world *w)
{
    OK(IDirect3DDevice9_SetTexture(w->device, 0, w->texture[DEPTH_COPY]));
    OK(IDirect3DDevice9_SetRenderState(w->device, D3DRS_POINTSIZE, 0x7fa05000));
    OK(IDirect3DDevice9_SetRenderState(w->device, D3DRS_POINTSIZE, 0x3f800000));
}

static void do_palette(struct world *w)
{
    PALETTEENTRY entries[256];

    for (int i = 0; i < 256; i++)
        entries[i] = (PALETTEENTRY){(BYTE)i, (BYTE)below(w, 256), 0, 255};
    OK(IDirect3DDevice9_SetPaletteEntries(w->device, below(w, 2), entries));
    OK(IDirect3DDevice9_SetTexture(w->device, 0, w->texture[PALETTE]));
    do_draw(w);
    (void)IDirect3DDevice9_SetCurrentTexturePalette(w->device, below(w, 2));
}

static void do_count(struct world *w)
{
    DWORD passed = 0;

    OK(IDirect3DQuery9_Issue(w->count, D3DISSUE_BEGIN));
    do_draw(w);
    do_states(w);
    do_draw(w);
    OK(IDirect3DQuery9_Issue(w->count, D3DISSUE_END));
    if (below(w, 2))
        do_draw(w);
    while (IDirect3DQuery9_GetData(w->count, &passed, sizeof(passed), D3DGETDATA_FLUSH) == S_FALSE)
        ;
    note(w, &passed, sizeof(passed));
}

/* --- Results ---------------------------------------------------------------------------------- */

static void note_surface(struct world *w, IDirect3DSurface9 *surface)
{
    IDirect3DSurface9 *copy;
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT lock;
    UINT bytes;

    OK(IDirect3DSurface9_GetDesc(surface, &desc));
    bytes = desc.Format == D3DFMT_A16B16G16R16F ? 8 : 4;
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(w->device, desc.Width, desc.Height, desc.Format,
                                                    D3DPOOL_SYSTEMMEM, &copy, NULL));
    OK(IDirect3DDevice9_GetRenderTargetData(w->device, surface, copy));
    OK(IDirect3DSurface9_LockRect(copy, &lock, NULL, D3DLOCK_READONLY));
    for (UINT y = 0; y < desc.Height; y++)
        note(w, (const uint8_t *)lock.pBits + y * (UINT)lock.Pitch, desc.Width * bytes);
    OK(IDirect3DSurface9_UnlockRect(copy));
    release(copy);
}

static void note_target(struct world *w)
{
    IDirect3DSurface9 *target;

    OK(IDirect3DDevice9_GetRenderTarget(w->device, 0, &target));
    if (target != w->multisampled)
        note_surface(w, target);
    release(target);
}

/* Hashes each image as drawn, then all levels of render targets. */
static void note_images(struct world *w)
{
    IDirect3DSurface9 *surface;

    OK(IDirect3DDevice9_SetDepthStencilSurface(w->device, NULL));
    for (int i = 0; i < IMAGES; i++)
        for (UINT l = 0; l < IDirect3DBaseTexture9_GetLevelCount(w->texture[i]); l++)
            for (int face = 0; images[i].usage & D3DUSAGE_RENDERTARGET && face < 6; face++) {
                if (images[i].type == D3DRTYPE_CUBETEXTURE)
                    OK(IDirect3DCubeTexture9_GetCubeMapSurface(
                        (IDirect3DCubeTexture9 *)w->texture[i], (D3DCUBEMAP_FACES)face, l,
                        &surface));
                else
                    OK(IDirect3DTexture9_GetSurfaceLevel((IDirect3DTexture9 *)w->texture[i], l,
                                                         &surface));
                note_surface(w, surface);
                release(surface);
            }
    OK(IDirect3DDevice9_SetRenderTarget(w->device, 1, NULL));
    OK(IDirect3DTexture9_GetSurfaceLevel((IDirect3DTexture9 *)w->texture[TARGET], 0, &surface));
    OK(IDirect3DDevice9_SetRenderTarget(w->device, 0, surface));
    OK(IDirect3DDevice9_StretchRect(w->device, w->multisampled, NULL, surface, NULL, D3DTEXF_NONE));
    note_target(w);
    release(surface);
    for (int i = TARGET + 1; i < SYSTEM; i++) {
        OK(IDirect3DDevice9_SetTexture(w->device, 0, w->texture[i]));
        do_draw(w);
        note_target(w);
    }
}

/* Options that must not change any pixel. */
static void choose_ways(bool plain, unsigned seed)
{
    setenv("NOVEM_TILE_SIZE", plain || seed % 2 ? "64" : "16", 1);
    setenv("NOVEM_THREADS", plain ? "1" : "3", 1);
    setenv("NOVEM_EARLY_Z", plain ? "off" : "on", 1);
    setenv("NOVEM_FRAGMENT_PACKING", plain ? "off" : "on", 1);
    setenv("NOVEM_CULL_OVERDRAWN", plain ? "off" : "on", 1);
    setenv("NOVEM_FAST_CLEAR", plain ? "off" : "on", 1);
}

static uint64_t run(unsigned seed, unsigned steps, bool every)
{
    typedef void call_fn(struct world *);
    /* Mostly draws, and calls that leave draws pending. */
    static call_fn *const calls[] = {
        do_target, do_depth,   do_copy,         do_lock,       do_update,  do_clear, do_managed,
        do_states, do_texture, do_multisampled, do_depth_copy, do_palette, do_count, do_append,
        do_kept,   do_renew,   do_present,      do_discard,    do_film};
    enum { CALLS = sizeof(calls) / sizeof(calls[0]) };
    struct world w;
    uint64_t hash;

    setenv("NOVEM_SINK", "none", 1);
    choose_ways(every, seed);
    make_world(&w, seed, every);
    do_target(&w);
    do_depth(&w);
    for (unsigned step = 0; step < steps; step++) {
        switch (below(&w, 5)) {
        case 0:
            calls[below(&w, CALLS)](&w);
            break;
        case 1:
            (below(&w, 2) ? do_states : do_texture)(&w);
            break;
        case 2:
            (below(&w, 2) ? do_append : do_kept)(&w);
            break;
        default:
            do_draw(&w);
        }
        finish(&w);
        if (!below(&w, 32))
            note_target(&w);
    }
    note_images(&w);
    hash = w.hash;
    end_world(&w);
    return hash;
}

/* Runs in a child process, because settings are read once. */
static uint64_t run_apart(unsigned seed, unsigned steps, bool every)
{
    uint64_t hash = 0;
    int ends[2], status;
    pid_t child;

    ck_assert_int_eq(pipe(ends), 0);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (!child) {
        hash = run(seed, steps, every);
        _exit(write(ends[1], &hash, sizeof(hash)) != sizeof(hash));
    }
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], &hash, sizeof(hash)), sizeof(hash));
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    return hash;
}

/* On failure it searches the least number of steps that differ. */
START_TEST(deferred_equals_immediate)
{
    const char *first = getenv("ORDER_SEED"); /* runs more seeds than fit into a test run */
    unsigned seed = (unsigned)_i + (first ? (unsigned)strtoul(first, NULL, 10) : 0), steps = STEPS;

    if (run_apart(seed, steps, true) == run_apart(seed, steps, false))
        return;
    for (steps = 1; run_apart(seed, steps, true) == run_apart(seed, steps, false); steps++)
        ck_assert_uint_lt(steps, STEPS);
    ck_abort_msg("seed %u differs after %u steps", seed, steps);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/order");
    TCase *tc = tcase_create("order");

    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, deferred_equals_immediate, 0, SEEDS);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
