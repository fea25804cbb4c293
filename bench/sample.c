/* Benchmark of texture sampling by format and filter, for each instruction set.
 *
 * Batches are 8x8 pixels of a surface that is rotated by some degrees, or axis-aligned if the row
 * says so. Each set has two results: nanoseconds per sample on one core, the best of several
 * rounds, and millions of samples per second. The last column is the lower bound: one load per
 * texel, at the cost that `one load` and `gather`, which loads quads of four, have in the same
 * run. */
#include "tex/tex.h"
#include "tool/cli/cli.h"
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

/* --- Rows ------------------------------------------------------------------------------------- */

struct row {
    const char *name;
    D3DFORMAT format;
    enum tex_shape shape;
    uint8_t filter, mip, anisotropy;
    float step;     /* texels from one pixel to the next */
    float across;   /* factor of `step` in the perpendicular direction */
    unsigned loads; /* texels per sample */
    bool straight, srgb;
    uint8_t kernel; /* width and height of a convolution */
};

#define POINT D3DTEXF_POINT
#define LINEAR D3DTEXF_LINEAR
#define NO_MIPS D3DTEXF_NONE
#define ANISO D3DTEXF_ANISOTROPIC

#define ROW_2D(name, format, filter, mip, step, loads)                                             \
    {                                                                                              \
        name, D3DFMT_##format, TEX_2D, filter, mip, 1, step, 1, loads, false, false, 0             \
    }
#define ROW_STRAIGHT(name, format, filter, mip, step, loads)                                       \
    {                                                                                              \
        name, D3DFMT_##format, TEX_2D, filter, mip, 1, step, 1, loads, true, false, 0              \
    }
#define ROW_SRGB(name, format, filter, mip, step, loads)                                           \
    {                                                                                              \
        name, D3DFMT_##format, TEX_2D, filter, mip, 1, step, 1, loads, false, true, 0              \
    }
#define ROW_CONVOLUTION(title, side)                                                               \
    {                                                                                              \
        .name = title, .format = D3DFMT_A1, .shape = TEX_2D, .filter = D3DTEXF_CONVOLUTIONMONO,    \
        .mip = NO_MIPS, .anisotropy = 1, .step = 0.8f, .across = 1,                                \
        .loads = ((side) + 1) * ((side) + 1), .kernel = (side)                                     \
    }
#define ROW_ANISO(name, most, step, across, loads)                                                 \
    {                                                                                              \
        name, D3DFMT_A8R8G8B8, TEX_2D, ANISO, LINEAR, most, step, across, loads, false, false, 0   \
    }

static const struct row rows[] = {
    ROW_2D("A8R8G8B8 point", A8R8G8B8, POINT, NO_MIPS, 0.8f, 1),
    ROW_2D("A8R8G8B8 bilinear", A8R8G8B8, LINEAR, NO_MIPS, 0.8f, 4),
    ROW_STRAIGHT("A8R8G8B8 point, straight", A8R8G8B8, POINT, NO_MIPS, 1.0f, 1),
    ROW_STRAIGHT("A8R8G8B8 bilinear, straight", A8R8G8B8, LINEAR, NO_MIPS, 1.0f, 4),
    ROW_STRAIGHT("A8R8G8B8 trilinear, straight", A8R8G8B8, LINEAR, LINEAR, 1.5f, 8),
    ROW_2D("A8R8G8B8 bilinear, mip point", A8R8G8B8, LINEAR, POINT, 1.7f, 4),
    ROW_2D("A8R8G8B8 trilinear", A8R8G8B8, LINEAR, LINEAR, 1.7f, 8),
    ROW_2D("A8R8G8B8 trilinear, magnified", A8R8G8B8, LINEAR, LINEAR, 0.4f, 4),
    ROW_ANISO("A8R8G8B8 anisotropic 8, 1 probe", 8, 1.5f, 1, 8),
    ROW_ANISO("A8R8G8B8 anisotropic 2", 2, 1.7f, 2, 16),
    ROW_ANISO("A8R8G8B8 anisotropic 8", 8, 1.7f, 8, 64),
    ROW_ANISO("A8R8G8B8 anisotropic 16", 16, 1.7f, 16, 128),
    ROW_2D("A8R8G8B8 pyramid", A8R8G8B8, D3DTEXF_PYRAMIDALQUAD, NO_MIPS, 0.8f, 4),
    ROW_2D("A8R8G8B8 Gaussian", A8R8G8B8, D3DTEXF_GAUSSIANQUAD, NO_MIPS, 0.8f, 4),
    ROW_2D("A8R8G8B8 Gaussian, trilinear", A8R8G8B8, D3DTEXF_GAUSSIANQUAD, LINEAR, 1.7f, 8),
    ROW_2D("DXT1 bilinear", DXT1, LINEAR, NO_MIPS, 0.8f, 4),
    ROW_2D("DXT1 trilinear", DXT1, LINEAR, LINEAR, 1.7f, 8),
    ROW_2D("DXT5 bilinear", DXT5, LINEAR, NO_MIPS, 0.8f, 4),
    ROW_2D("DXT5 trilinear", DXT5, LINEAR, LINEAR, 1.7f, 8),
    ROW_SRGB("A8R8G8B8 sRGB point", A8R8G8B8, POINT, NO_MIPS, 0.8f, 1),
    ROW_SRGB("A8R8G8B8 sRGB bilinear", A8R8G8B8, LINEAR, NO_MIPS, 0.8f, 4),
    ROW_SRGB("A8R8G8B8 sRGB trilinear", A8R8G8B8, LINEAR, LINEAR, 1.7f, 8),
    ROW_2D("R5G6B5 bilinear", R5G6B5, LINEAR, NO_MIPS, 0.8f, 4),
    ROW_2D("L8 bilinear", L8, LINEAR, NO_MIPS, 0.8f, 4),
    ROW_2D("A16B16G16R16F bilinear", A16B16G16R16F, LINEAR, NO_MIPS, 0.8f, 4),
    ROW_2D("A16B16G16R16F trilinear", A16B16G16R16F, LINEAR, LINEAR, 1.7f, 8),
    ROW_2D("A16B16G16R16 bilinear", A16B16G16R16, LINEAR, NO_MIPS, 0.8f, 4),
    ROW_2D("A32B32G32R32F bilinear", A32B32G32R32F, LINEAR, NO_MIPS, 0.8f, 4),
    ROW_2D("R32F point", R32F, POINT, NO_MIPS, 0.8f, 1),
    ROW_2D("R32F bilinear", R32F, LINEAR, NO_MIPS, 0.8f, 4),
    ROW_2D("D24X8 bilinear (comparison)", D24X8, LINEAR, NO_MIPS, 0.8f, 4),
    ROW_2D("A1 point", A1, POINT, NO_MIPS, 0.8f, 1),
    ROW_2D("A1 bilinear", A1, LINEAR, NO_MIPS, 0.8f, 4),
    ROW_CONVOLUTION("A1 convolution 1x1", 1),
    ROW_CONVOLUTION("A1 convolution 3x3", 3),
    ROW_CONVOLUTION("A1 convolution 7x7", 7),
    {"cube bilinear", D3DFMT_A8R8G8B8, TEX_CUBE_MAP, LINEAR, NO_MIPS, 1, 0.8f, 1, 4, 0, 0, 0},
    {"cube trilinear", D3DFMT_A8R8G8B8, TEX_CUBE_MAP, LINEAR, LINEAR, 1, 1.7f, 1, 8, 0, 0, 0},
    {"volume, two slices", D3DFMT_A8R8G8B8, TEX_VOLUME_MAP, LINEAR, NO_MIPS, 1, 0.8f, 1, 8, 0, 0,
     0},
};

static unsigned size_of(const struct row *row)
{
    return row->shape == TEX_VOLUME_MAP ? 64 : TEXELS;
}

static struct tex_image *picture(const struct row *row)
{
    unsigned size = size_of(row);
    struct tex_desc desc = {.format = row->format,
                            .shape = row->shape,
                            .width = size,
                            .height = size,
                            .depth = 1,
                            .levels = 0,
                            .samples = 1};
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

/* Pixel (x, y) of batch b maps to a rotated and stretched position of the texture. */
static void set_coords(const struct row *row, unsigned b, unsigned lane, unsigned x, unsigned y)
{
    float px = (float)(b % 8 * 8 + x), py = (float)(b / 8 * 8 + y) * row->across;
    float scale = row->step / (float)size_of(row);
    float along = row->straight ? 1.0f : 0.92f, aside = row->straight ? 0.0f : 0.39f;
    float u = (along * px + aside * py) * scale, v = (along * py - aside * px) * scale;

    batches[b].coord[0][lane] = u + 0.123f;
    batches[b].coord[1][lane] = v + 0.456f;
    batches[b].coord[2][lane] = row->shape == TEX_CUBE_MAP ? 0.9f : 0.3f + 0.2f * u;
}

static void set_all_coords(const struct row *row)
{
    for (unsigned b = 0; b < BATCHES; b++)
        for (unsigned q = 0; q < TEX_LANES / 4; q++)
            for (unsigned i = 0; i < 4; i++)
                set_coords(row, b, 4 * q + i, q % 4 * 2 + i % 2, q / 4 * 2 + i / 2);
}

/* --- Measurement ------------------------------------------------------------------------------ */

/* Returns nanoseconds per sample; work runs all batches once. */
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
        struct sample in = {
            .lod_mode = LOD_IMPLICIT,
            .lanes = UINT64_MAX,
            .coord = {batches[b].coord[0], batches[b].coord[1], batches[b].coord[2]},
            .texel = {texel[0], texel[1], texel[2], texel[3]},
        };

        tex_sample(ctx, &in);
    }
}

static uint32_t words[TEXELS * TEXELS], addresses[BATCHES * TEX_LANES];

/* Written so that the compiler cannot assume zeros and drop the loads. */
static void fill_words(void)
{
    for (unsigned i = 0; i < TEXELS * TEXELS; i++)
        words[i] = i * 2654435761u;
}

static void scatter_addresses(void)
{
    for (unsigned i = 0; i < BATCHES * TEX_LANES; i++)
        addresses[i] = i * 37 % (TEXELS * (TEXELS - 1) - 1);
}

static void load_all(const void *ctx)
{
    const uint32_t *w = ctx;
    uint32_t sum = 0;

    for (unsigned i = 0; i < BATCHES * TEX_LANES; i++)
        sum += w[addresses[i]];
    texel[0][0] = (float)sum;
}

static void gather_all(const void *ctx)
{
    const uint32_t *w = ctx;
    uint32_t sum = 0;

    for (unsigned i = 0; i < BATCHES * TEX_LANES; i++) {
        const uint32_t *upper = w + addresses[i], *lower = upper + TEXELS;

        sum += upper[0] + upper[1] + lower[0] + lower[1];
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
        .max_anisotropy = row->anisotropy,
        .srgb = row->srgb,
        .convolution = row->kernel | (uint32_t)row->kernel << 8};

    if (cpu_set_isa(isa))
        return -1.0;
    if (tex_sampler_init(&sampler, image, &state))
        fail("no memory");
    return best_of(sample_all, &sampler);
}

static bool wanted(const char *name, const char *const *words)
{
    bool any = !*words;

    for (; *words; words++)
        any |= strstr(name, *words) != NULL;
    return any;
}

static void print_row(const struct row *row, double one, double four)
{
    struct tex_image *image = picture(row);

    set_all_coords(row);
    printf("%-32s", row->name);
    for (int isa = 0; isa < ISA_COUNT; isa++)
        if (isa_wanted((enum cpu_isa)isa)) {
            double ns = measure(row, image, (enum cpu_isa)isa);

            printf(" %8.2f %5.0f", ns, 1e3 / ns);
        }
    printf(" %8.2f\n", row->loads == 1 ? one : four * row->loads / 4);
    tex_image_unref(&image);
}

static bool has_row(const char *const *words)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (wanted(rows[i].name, words))
            return true;
    return false;
}

/* False after a message: this machine lacks the instruction set, or a word is in no row's name. */
static bool check(const char *const *words)
{
    bool has_isa = !only_isa;

    for (int isa = 0; isa < ISA_COUNT; isa++)
        has_isa |= isa_wanted((enum cpu_isa)isa);
    if (!has_isa)
        tool_error("", "this machine has no instruction set '%s'", only_isa);
    for (; has_isa && *words; words++) {
        const char *one[] = {*words, NULL};

        if (!has_row(one)) {
            tool_error("", "no row's name contains '%s'", *words);
            return false;
        }
    }
    return has_isa;
}

/* Returns an exit code, or a negative number to continue. */
static int parse(double *seconds, int argc, char **argv, const char **words)
{
    const struct tool_option options[] = {
        {"--seconds", "S", "time per row and instruction set (default: 0.14)", OPT_REAL, seconds},
        {"--isa", "NAME", "only this instruction set: scalar, sse2, neon, avx2 or avx512", OPT_TEXT,
         &only_isa},
    };
    const struct tool_usage usage = {
        "[options] [WORD ...]",
        "Prints ns a sample and millions of samples a second, by format and filter.\n"
        "With words, only rows whose name contains one of them.",
        options,
        sizeof(options) / sizeof(options[0]),
        0,
        (unsigned)argc,
    };
    int code;

    tool_set_program("sample");
    code = tool_parse(&usage, argc, argv, words);
    return code < 0 && !check(words) ? TOOL_ERROR : code;
}

int main(int argc, char **argv)
{
    const char **names = calloc((size_t)argc + 1, sizeof(*names));
    double one, four, all_seconds = ROUNDS * round_seconds;
    int code = names ? parse(&all_seconds, argc, argv, names) : TOOL_ERROR;

    if (code >= 0)
        return code;
    round_seconds = all_seconds / ROUNDS;
    fill_words();
    scatter_addresses();
    one = best_of(load_all, words);
    four = best_of(gather_all, words);
    printf("%-32s", "ns a sample, millions a second");
    for (int isa = 0; isa < ISA_COUNT; isa++)
        if (isa_wanted((enum cpu_isa)isa))
            printf(" %14s", cpu_isa_name((enum cpu_isa)isa));
    printf(" %8s\none load %32.2f\ngather %34.2f\n", "floor", one, four);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (wanted(rows[i].name, names))
            print_row(&rows[i], one, four);
    free(names);
    return 0;
}
