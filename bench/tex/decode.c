/* Benchmarks of decoding formats that cannot be sampled in place, in bytes of decoded texels per
 * second. */
#include "bench.h"

#include "tex/cache/cache.h"

struct decode {
    struct tex_image *image;
};

static void touch(void *ctx)
{
    struct decode *d = ctx;

    tex_image_touch(d->image);
}

static void decode_all(void *ctx)
{
    struct decode *d = ctx;

    if (tex_decode_cache_update(d->image))
        bench_fail("no memory");
    tex_decode_cache_require_all(d->image->decode_cache);
}

static double measure(const struct bench_row *row)
{
    struct tex_desc desc = {.format = row->format,
                            .shape = TEX_2D,
                            .width = row->size,
                            .height = row->size,
                            .depth = 1,
                            .levels = 1,
                            .samples = 1};
    struct decode d;
    struct bench_work work = {touch, decode_all, &d};
    double took;

    if (tex_image_create(&d.image, &desc, NULL))
        bench_fail("no memory");
    bench_noise(d.image->memory, d.image->bytes);
    took = bench_seconds(&work);
    tex_image_unref(&d.image);
    return (double)row->size * row->size * 4.0 / took * 1e-9;
}

#define FOURCC(a, b, c, d) (D3DFORMAT) MAKEFOURCC(a, b, c, d)

static const struct bench_row rows[] = {
    {"decode DXT1", "GB/s", measure, D3DFMT_DXT1, 512, 0},
    {"decode DXT3", "GB/s", measure, D3DFMT_DXT3, 512, 0},
    {"decode DXT5", "GB/s", measure, D3DFMT_DXT5, 512, 0},
    {"decode ATI1", "GB/s", measure, FOURCC('A', 'T', 'I', '1'), 512, 0},
    {"decode ATI2", "GB/s", measure, FOURCC('A', 'T', 'I', '2'), 512, 0},
    {"decode YUY2", "GB/s", measure, D3DFMT_YUY2, 512, 0},
    {"decode R8G8_B8G8", "GB/s", measure, D3DFMT_R8G8_B8G8, 512, 0},
};

BENCH_TABLE(bench_decode, "Decoding: texels out, one processor", rows);
