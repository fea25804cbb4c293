/* Benchmarks of texture uploads and of the first frame that uses a texture. */
#include "bench.h"

#include "tex/format.h"

#include <stdlib.h>
#include <string.h>

struct upload {
    const struct bench_row *row;
    IDirect3DDevice9 *device;
    IDirect3DTexture9 *texture;
    uint8_t *noise;
    size_t bytes;
};

static void fill(struct upload *u)
{
    const struct tex_format *format = tex_format_get(u->row->format);
    D3DLOCKED_RECT locked;
    size_t rows = tex_block_rows(format, u->row->size);

    bench_check(IDirect3DTexture9_LockRect(u->texture, 0, &locked, NULL, D3DLOCK_DISCARD),
                "LockRect");
    memcpy(locked.pBits, u->noise, rows * (size_t)locked.Pitch);
    IDirect3DTexture9_UnlockRect(u->texture, 0);
}

static void create(struct upload *u)
{
    bench_check(IDirect3DDevice9_CreateTexture(u->device, u->row->size, u->row->size, 1,
                                               D3DUSAGE_DYNAMIC, u->row->format, D3DPOOL_DEFAULT,
                                               &u->texture, NULL),
                "CreateTexture");
}

/* Draws a square of `pixels` pixels that shows `texels` texels. */
static void draw(struct upload *u, float pixels, float texels)
{
    float end = texels / (float)u->row->size;
    const float corner[4][6] = {{0, 0, 0.5f, 1, 0, 0},
                                {pixels, 0, 0.5f, 1, end, 0},
                                {0, pixels, 0.5f, 1, 0, end},
                                {pixels, pixels, 0.5f, 1, end, end}};

    bench_check(IDirect3DDevice9_BeginScene(u->device), "BeginScene");
    IDirect3DDevice9_SetFVF(u->device, D3DFVF_XYZRHW | D3DFVF_TEX1);
    IDirect3DDevice9_SetTexture(u->device, 0, (IDirect3DBaseTexture9 *)u->texture);
    IDirect3DDevice9_SetSamplerState(u->device, 0, D3DSAMP_MINFILTER, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetSamplerState(u->device, 0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
    bench_check(IDirect3DDevice9_DrawPrimitiveUP(u->device, D3DPT_TRIANGLESTRIP, 2, corner,
                                                 sizeof(corner[0])),
                "DrawPrimitiveUP");
    IDirect3DDevice9_EndScene(u->device);
    bench_finish(u->device);
}

static void begin(struct upload *u, const struct bench_row *row)
{
    const struct tex_format *format = tex_format_get(row->format);

    *u = (struct upload){.row = row, .device = bench_open()};
    u->bytes = (size_t)tex_row_pitch(format, row->size) * tex_block_rows(format, row->size);
    u->noise = malloc(u->bytes);
    if (!u->noise)
        bench_fail("no memory");
    bench_noise(u->noise, u->bytes);
    create(u);
    fill(u);
}

static double end(struct upload *u, double seconds)
{
    IDirect3DDevice9_SetTexture(u->device, 0, NULL);
    IDirect3DTexture9_Release(u->texture);
    free(u->noise);
    bench_close(u->device);
    return seconds * 1e3;
}

/* --- First frame ------------------------------------------------------------------------------ */

static void renew(void *ctx)
{
    struct upload *u = ctx;

    IDirect3DDevice9_SetTexture(u->device, 0, NULL);
    IDirect3DTexture9_Release(u->texture);
    create(u);
    fill(u);
    bench_finish(u->device);
}

/* One texel per pixel. */
static void draw_some(void *ctx)
{
    struct upload *u = ctx;

    draw(u, (float)u->row->detail, (float)u->row->detail);
}

static void draw_all(void *ctx)
{
    struct upload *u = ctx;

    draw(u, (float)u->row->detail, (float)u->row->size);
}

static double first_frame(const struct bench_row *row)
{
    struct upload u;
    struct bench_work work = {renew, draw_some, &u};

    begin(&u, row);
    return end(&u, bench_seconds(&work));
}

static double first_frame_of_all(const struct bench_row *row)
{
    struct upload u;
    struct bench_work work = {renew, draw_all, &u};

    begin(&u, row);
    return end(&u, bench_seconds(&work));
}

static double later_frame(const struct bench_row *row)
{
    struct upload u;
    struct bench_work work = {NULL, draw_all, &u};

    begin(&u, row);
    draw_all(&u);
    return end(&u, bench_seconds(&work));
}

/* --- Every frame ------------------------------------------------------------------------------ */

static void fill_and_draw(void *ctx)
{
    struct upload *u = ctx;

    fill(u);
    draw(u, (float)u->row->detail, (float)u->row->size);
}

static double each_frame(const struct bench_row *row)
{
    struct upload u;
    struct bench_work work = {NULL, fill_and_draw, &u};

    begin(&u, row);
    return end(&u, bench_seconds(&work));
}

static const struct bench_row rows[] = {
    {"first frame, 64x64 of DXT5 4096x4096", "ms", first_frame, D3DFMT_DXT5, 4096, 64},
    {"first frame, 768x768 of DXT5 4096x4096", "ms", first_frame, D3DFMT_DXT5, 4096, 768},
    {"first frame, all of DXT5 4096x4096", "ms", first_frame_of_all, D3DFMT_DXT5, 4096, 768},
    {"later frame, all of DXT5 4096x4096", "ms", later_frame, D3DFMT_DXT5, 4096, 768},
    {"fill and draw 512x512 of DXT5", "ms", each_frame, D3DFMT_DXT5, 512, 512},
    {"fill and draw 512x512 of YUY2", "ms", each_frame, D3DFMT_YUY2, 512, 512},
    {"fill and draw 512x512 of A8R8G8B8", "ms", each_frame, D3DFMT_A8R8G8B8, 512, 512},
};

BENCH_TABLE(bench_upload, "Uploads and first frames, a device", rows);
