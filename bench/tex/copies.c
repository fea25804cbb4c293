/* Benchmarks of StretchRect, ColorFill, mip generation and UpdateTexture, in destination pixels per
 * second. */
#include "bench.h"

#include "tex/tex.h"

#include <string.h>

struct copy {
    struct tex_image *dst, *src;
    struct tex_box to, from;
    unsigned filter;
};

static struct tex_image *create(D3DFORMAT format, unsigned size, unsigned levels)
{
    struct tex_desc desc = {.format = format,
                            .shape = TEX_2D,
                            .width = size,
                            .height = size,
                            .depth = 1,
                            .levels = levels,
                            .samples = 1};
    struct tex_image *image;

    if (tex_image_create(&image, &desc, NULL))
        bench_fail("no memory");
    bench_noise(image->memory, image->bytes);
    return image;
}

static void stretch(void *ctx)
{
    struct copy *c = ctx;
    const struct tex_region to = {c->dst, 0, 0, c->to}, from = {c->src, 0, 0, c->from};

    if (tex_stretch(&to, &from, c->filter))
        bench_fail("cannot convert");
}

/* From row->size to size, and from row->format to the format in row->detail. */
static double measure_stretch(const struct bench_row *row, unsigned size, unsigned filter)
{
    struct copy c = {create((D3DFORMAT)row->detail, size, 1),
                     create(row->format, row->size, 1),
                     {0, 0, 0, size, size, 1},
                     {0, 0, 0, row->size, row->size, 1},
                     filter};
    struct bench_work work = {NULL, stretch, &c};
    double took = bench_seconds(&work);

    tex_image_unref(&c.dst);
    tex_image_unref(&c.src);
    return (double)size * size / took * 1e-6;
}

static double equal(const struct bench_row *row)
{
    return measure_stretch(row, row->size, D3DTEXF_NONE);
}

static double larger_point(const struct bench_row *row)
{
    return measure_stretch(row, row->size * 3 / 2, D3DTEXF_POINT);
}

static double smaller_point(const struct bench_row *row)
{
    return measure_stretch(row, row->size * 2 / 3, D3DTEXF_POINT);
}

static double larger_linear(const struct bench_row *row)
{
    return measure_stretch(row, row->size * 3 / 2, D3DTEXF_LINEAR);
}

static double smaller_linear(const struct bench_row *row)
{
    return measure_stretch(row, row->size * 2 / 3, D3DTEXF_LINEAR);
}

static double half_linear(const struct bench_row *row)
{
    return measure_stretch(row, row->size / 2, D3DTEXF_LINEAR);
}

static void fill(void *ctx)
{
    struct copy *c = ctx;

    if (tex_fill(c->dst, 0, 0, &c->to, 0x80402010))
        bench_fail("cannot fill");
}

static double measure_fill(const struct bench_row *row)
{
    struct copy c = {.dst = create(row->format, row->size, 1),
                     .to = {0, 0, 0, row->size, row->size, 1}};
    struct bench_work work = {NULL, fill, &c};
    double took = bench_seconds(&work);

    tex_image_unref(&c.dst);
    return (double)row->size * row->size / took * 1e-6;
}

static void generate(void *ctx)
{
    struct copy *c = ctx;

    if (tex_generate_mips(c->dst, D3DTEXF_LINEAR))
        bench_fail("no mip maps");
}

/* Pixels of level 0; all lower levels are generated. */
static double measure_mips(const struct bench_row *row)
{
    struct copy c = {.dst = create(row->format, row->size, 0)};
    struct bench_work work = {NULL, generate, &c};
    double took = bench_seconds(&work);

    tex_image_unref(&c.dst);
    return (double)row->size * row->size / took * 1e-6;
}

/* Memory copy bandwidth, as a yardstick. */
static void copy_memory(void *ctx)
{
    struct copy *c = ctx;

    memcpy(c->dst->memory, c->src->memory, c->dst->bytes);
}

static double measure_memcpy(const struct bench_row *row)
{
    struct copy c = {.dst = create(row->format, row->size, 1),
                     .src = create(row->format, row->size, 1)};
    struct bench_work work = {NULL, copy_memory, &c};
    double took = bench_seconds(&work);

    tex_image_unref(&c.dst);
    tex_image_unref(&c.src);
    return (double)row->size * row->size / took * 1e-6;
}

/* --- Through the device ----------------------------------------------------------------------- */

struct update {
    IDirect3DDevice9 *device;
    IDirect3DTexture9 *dst, *src;
};

static void update(void *ctx)
{
    struct update *u = ctx;

    bench_check(IDirect3DTexture9_AddDirtyRect(u->src, NULL), "AddDirtyRect");
    bench_check(IDirect3DDevice9_UpdateTexture(u->device, (IDirect3DBaseTexture9 *)u->src,
                                               (IDirect3DBaseTexture9 *)u->dst),
                "UpdateTexture");
}

static double measure_update(const struct bench_row *row)
{
    struct update u = {.device = bench_open()};
    struct bench_work work = {NULL, update, &u};
    double took;

    bench_check(IDirect3DDevice9_CreateTexture(u.device, row->size, row->size, 0, 0, row->format,
                                               D3DPOOL_DEFAULT, &u.dst, NULL),
                "CreateTexture");
    bench_check(IDirect3DDevice9_CreateTexture(u.device, row->size, row->size, 0, 0, row->format,
                                               D3DPOOL_SYSTEMMEM, &u.src, NULL),
                "CreateTexture");
    took = bench_seconds(&work);
    IDirect3DTexture9_Release(u.dst);
    IDirect3DTexture9_Release(u.src);
    bench_close(u.device);
    return (double)row->size * row->size / took * 1e-6;
}

static const struct bench_row rows[] = {
    {"memcpy of A8R8G8B8 1024x1024", "Mp/s", measure_memcpy, D3DFMT_A8R8G8B8, 1024, 0},
    {"stretch A8R8G8B8 1:1", "Mp/s", equal, D3DFMT_A8R8G8B8, 1024, D3DFMT_A8R8G8B8},
    {"stretch D24S8 1:1", "Mp/s", equal, D3DFMT_D24S8, 1024, D3DFMT_D24S8},
    {"stretch A8R8G8B8 to X8B8G8R8", "Mp/s", equal, D3DFMT_A8R8G8B8, 1024, D3DFMT_X8B8G8R8},
    {"stretch A8R8G8B8 to R5G6B5", "Mp/s", equal, D3DFMT_A8R8G8B8, 1024, D3DFMT_R5G6B5},
    {"stretch R5G6B5 to X8R8G8B8", "Mp/s", equal, D3DFMT_R5G6B5, 1024, D3DFMT_X8R8G8B8},
    {"stretch A16B16G16R16F to A8R8G8B8", "Mp/s", equal, D3DFMT_A16B16G16R16F, 1024,
     D3DFMT_A8R8G8B8},
    {"stretch YUY2 to X8R8G8B8", "Mp/s", equal, D3DFMT_YUY2, 1024, D3DFMT_X8R8G8B8},
    {"stretch DXT5 to A8R8G8B8", "Mp/s", equal, D3DFMT_DXT5, 1024, D3DFMT_A8R8G8B8},
    {"stretch A8R8G8B8 x1.5 point", "Mp/s", larger_point, D3DFMT_A8R8G8B8, 1024, D3DFMT_A8R8G8B8},
    {"stretch A8R8G8B8 /1.5 point", "Mp/s", smaller_point, D3DFMT_A8R8G8B8, 1024, D3DFMT_A8R8G8B8},
    {"stretch R5G6B5 x1.5 point", "Mp/s", larger_point, D3DFMT_R5G6B5, 1024, D3DFMT_R5G6B5},
    {"stretch A8R8G8B8 x1.5 linear", "Mp/s", larger_linear, D3DFMT_A8R8G8B8, 1024, D3DFMT_A8R8G8B8},
    {"stretch A8R8G8B8 /1.5 linear", "Mp/s", smaller_linear, D3DFMT_A8R8G8B8, 1024,
     D3DFMT_A8R8G8B8},
    {"stretch A8R8G8B8 /2 linear", "Mp/s", half_linear, D3DFMT_A8R8G8B8, 1024, D3DFMT_A8R8G8B8},
    {"stretch R5G6B5 x1.5 linear", "Mp/s", larger_linear, D3DFMT_R5G6B5, 1024, D3DFMT_R5G6B5},
    {"stretch A16B16G16R16F /1.5 linear", "Mp/s", smaller_linear, D3DFMT_A16B16G16R16F, 1024,
     D3DFMT_A16B16G16R16F},
    {"mip maps of A8R8G8B8", "Mp/s", measure_mips, D3DFMT_A8R8G8B8, 1024, 0},
    {"mip maps of R5G6B5", "Mp/s", measure_mips, D3DFMT_R5G6B5, 1024, 0},
    {"mip maps of A16B16G16R16F", "Mp/s", measure_mips, D3DFMT_A16B16G16R16F, 1024, 0},
    {"fill A8R8G8B8", "Mp/s", measure_fill, D3DFMT_A8R8G8B8, 1024, 0},
    {"fill R5G6B5", "Mp/s", measure_fill, D3DFMT_R5G6B5, 1024, 0},
    {"fill A16B16G16R16F", "Mp/s", measure_fill, D3DFMT_A16B16G16R16F, 1024, 0},
    {"update A8R8G8B8 512x512, all levels", "Mp/s", measure_update, D3DFMT_A8R8G8B8, 512, 0},
};

BENCH_TABLE(bench_copies, "Copies: destination pixels, one processor", rows);
