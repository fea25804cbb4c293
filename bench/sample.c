/* What a sample costs, by format and filter, for each instruction set:
 *   sample [--seconds S] [NAME ...]      rows whose name contains one of the words
 *
 * Batches are 8x8 pixels of a surface that is turned by some degrees. `gather` is the floor: four
 * loads of words for each sample, added up. Figures are nanoseconds a sample on one core, the best
 * of several rounds. */
#include "tex/tex.h"
#include "util/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TEXELS = 512, BATCHES = 64, ROUNDS = 7, AXES = 3 };

struct batch {
    _Alignas(64) float coord[AXES][TEX_LANES];
};

static struct batch batches[BATCHES];
static _Alignas(64) float texel[4][TEX_LANES];
static double round_seconds = 0.02;
static const char *only_isa;

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fail(const char *what)
{
    fprintf(stderr, "sample: %s\n", what);
    exit(1);
}

/* --- What is measured ------------------------------------------------------------------------- */

struct row {
    const char *name;
    D3DFORMAT format;
    enum tex_shape shape;
    uint8_t filter, mip, anisotropy;
    float step;   /* texels from one pixel to the next */
    float across; /* the same at right angles, times this */
};

#define POINT D3DTEXF_POINT
#define LINEAR D3DTEXF_LINEAR
#define NO_MIPS D3DTEXF_NONE
#define ANISO D3DTEXF_ANISOTROPIC

static const struct row rows[] = {
    {"A8R8G8B8 point", D3DFMT_A8R8G8B8, TEX_2D, POINT, NO_MIPS, 1, 0.8f, 1},
    {"A8R8G8B8 bilinear", D3DFMT_A8R8G8B8, TEX_2D, LINEAR, NO_MIPS, 1, 0.8f, 1},
    {"A8R8G8B8 bilinear, mip point", D3DFMT_A8R8G8B8, TEX_2D, LINEAR, POINT, 1, 1.7f, 1},
    {"A8R8G8B8 trilinear", D3DFMT_A8R8G8B8, TEX_2D, LINEAR, LINEAR, 1, 1.7f, 1},
    {"A8R8G8B8 trilinear, magnified", D3DFMT_A8R8G8B8, TEX_2D, LINEAR, LINEAR, 1, 0.4f, 1},
    {"A8R8G8B8 anisotropic 2", D3DFMT_A8R8G8B8, TEX_2D, ANISO, LINEAR, 2, 1.7f, 2},
    {"A8R8G8B8 anisotropic 8", D3DFMT_A8R8G8B8, TEX_2D, ANISO, LINEAR, 8, 1.7f, 8},
    {"A8R8G8B8 anisotropic 16", D3DFMT_A8R8G8B8, TEX_2D, ANISO, LINEAR, 16, 1.7f, 16},
    {"DXT1 trilinear", D3DFMT_DXT1, TEX_2D, LINEAR, LINEAR, 1, 1.7f, 1},
    {"DXT5 bilinear", D3DFMT_DXT5, TEX_2D, LINEAR, NO_MIPS, 1, 0.8f, 1},
    {"R5G6B5 bilinear", D3DFMT_R5G6B5, TEX_2D, LINEAR, NO_MIPS, 1, 0.8f, 1},
    {"L8 bilinear", D3DFMT_L8, TEX_2D, LINEAR, NO_MIPS, 1, 0.8f, 1},
    {"A16B16G16R16F bilinear", D3DFMT_A16B16G16R16F, TEX_2D, LINEAR, NO_MIPS, 1, 0.8f, 1},
    {"R32F bilinear", D3DFMT_R32F, TEX_2D, LINEAR, NO_MIPS, 1, 0.8f, 1},
    {"D24X8 bilinear", D3DFMT_D24X8, TEX_2D, LINEAR, NO_MIPS, 1, 0.8f, 1},
    {"cube bilinear", D3DFMT_A8R8G8B8, TEX_CUBE_MAP, LINEAR, NO_MIPS, 1, 0.8f, 1},
    {"cube trilinear", D3DFMT_A8R8G8B8, TEX_CUBE_MAP, LINEAR, LINEAR, 1, 1.7f, 1},
    {"volume bilinear", D3DFMT_A8R8G8B8, TEX_VOLUME_MAP, LINEAR, NO_MIPS, 1, 0.8f, 1},
};

static unsigned size_of(const struct row *row)
{
    return row->shape == TEX_VOLUME_MAP ? 64 : TEXELS;
}

static struct tex_image *picture(const struct row *row)
{
    unsigned size = size_of(row);
    struct tex_desc desc = {row->format, row->shape, size, size, 1, 0, 1};
    struct tex_image *image;
    uint32_t noise = 1;

    if (row->shape == TEX_VOLUME_MAP)
        desc.depth = size;
    if (tex_image_create(&image, &desc, NULL))
        fail("no memory");
    for (size_t i = 0; i < image->bytes; i++) {
        noise = noise * 1664525u + 1013904223u;
        image->memory[i] = (uint8_t)(noise >> 24) & 0x3f; /* finite as floats, too */
    }
    return image;
}

/* Pixel (x, y) of batch b lies at a turned and stretched place of the texture. */
static void place(const struct row *row, unsigned b, unsigned lane, unsigned x, unsigned y)
{
    float px = (float)(b % 8 * 8 + x), py = (float)(b / 8 * 8 + y) * row->across;
    float scale = row->step / (float)size_of(row);
    float u = (0.92f * px + 0.39f * py) * scale, v = (0.92f * py - 0.39f * px) * scale;

    batches[b].coord[0][lane] = u + 0.123f;
    batches[b].coord[1][lane] = v + 0.456f;
    batches[b].coord[2][lane] = row->shape == TEX_CUBE_MAP ? 0.9f : 0.3f + 0.2f * u;
}

static void place_all(const struct row *row)
{
    for (unsigned b = 0; b < BATCHES; b++)
        for (unsigned q = 0; q < TEX_LANES / 4; q++)
            for (unsigned i = 0; i < 4; i++)
                place(row, b, 4 * q + i, q % 4 * 2 + i % 2, q / 4 * 2 + i / 2);
}

/* --- Measuring -------------------------------------------------------------------------------- */

/* Nanoseconds a sample; work runs all batches once. */
static double best_of(void (*work)(const void *ctx), const void *ctx)
{
    double best = 1e9;

    for (unsigned round = 0; round < ROUNDS; round++) {
        double start = seconds(), now;
        unsigned calls = 0;

        do {
            work(ctx);
            calls++;
        } while ((now = seconds()) < start + round_seconds);
        now = (now - start) * 1e9 / ((double)calls * BATCHES * TEX_LANES);
        if (now < best)
            best = now;
    }
    return best;
}

static void sample_all(const void *ctx)
{
    for (unsigned b = 0; b < BATCHES; b++) {
        struct tex_sample in = {
            .lod_mode = TEX_LOD_IMPLICIT,
            .lanes = UINT64_MAX,
            .coord = {batches[b].coord[0], batches[b].coord[1], batches[b].coord[2]},
            .texel = {texel[0], texel[1], texel[2], texel[3]},
        };

        tex_sample(ctx, &in);
    }
}

static void gather_all(const void *ctx)
{
    const uint32_t *words = ctx;
    uint32_t sum = 0;

    for (unsigned b = 0; b < BATCHES; b++)
        for (unsigned i = 0; i < TEX_LANES; i++) {
            unsigned at = (b * TEX_LANES + i) * 37 % (TEXELS * (TEXELS - 1) - 1);

            sum += words[at] + words[at + 1] + words[at + TEXELS] + words[at + TEXELS + 1];
        }
    texel[0][0] = (float)sum;
}

static bool isa_wanted(enum cpu_isa isa)
{
    return cpu_has_isa(isa) && (!only_isa || !strcmp(only_isa, cpu_isa_name(isa)));
}

static double measure(const struct row *row, struct tex_image *image, enum cpu_isa isa)
{
    struct tex_sampler sampler;
    struct tex_sampler_state state = {
        .address = {D3DTADDRESS_WRAP, D3DTADDRESS_WRAP, D3DTADDRESS_WRAP},
        .min_filter = row->filter,
        .mag_filter = row->filter == ANISO ? LINEAR : row->filter,
        .mip_filter = row->mip,
        .max_anisotropy = row->anisotropy};

    if (cpu_set_isa(isa))
        return -1.0;
    if (tex_sampler_init(&sampler, image, &state))
        fail("no memory");
    return best_of(sample_all, &sampler);
}

static bool wanted(const char *name, char **words, int n)
{
    for (int i = 0; i < n; i++)
        if (strstr(name, words[i]))
            return true;
    return n == 0;
}

int main(int argc, char **argv)
{
    static uint32_t words[TEXELS * TEXELS];
    int first = 1;

    for (; first + 1 < argc && !strncmp(argv[first], "--", 2); first += 2) {
        if (!strcmp(argv[first], "--seconds"))
            round_seconds = atof(argv[first + 1]) / ROUNDS;
        else if (!strcmp(argv[first], "--isa"))
            only_isa = argv[first + 1];
    }
    printf("%-32s", "ns a sample");
    for (int isa = 0; isa < ISA_COUNT; isa++)
        if (isa_wanted((enum cpu_isa)isa))
            printf(" %8s", cpu_isa_name((enum cpu_isa)isa));
    printf("\n%-32s %8.2f\n", "gather", best_of(gather_all, words));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tex_image *image;

        if (!wanted(rows[i].name, argv + first, argc - first))
            continue;
        image = picture(&rows[i]);
        place_all(&rows[i]);
        printf("%-32s", rows[i].name);
        for (int isa = 0; isa < ISA_COUNT; isa++)
            if (isa_wanted((enum cpu_isa)isa))
                printf(" %8.2f", measure(&rows[i], image, (enum cpu_isa)isa));
        printf("\n");
        tex_image_unref(&image);
    }
    return 0;
}
