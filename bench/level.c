/* Benchmark of compiled sampling functions beside the kernels, for each instruction set with a
 * compiler: level [--seconds S] [--isa NAME]
 *
 * Nanoseconds for 64 lanes of one level: `kernel` is the level function that a sampler has without
 * compiled functions, `function` is the compiled one. Lanes are 8x8 pixels of a rotated surface.
 * Then the time of a compilation in microseconds. */
#include "ir/pass/pass.h"
#include "ir/compile/compile.h"
#include "tex/cache/cache.h"
#include "tex/sample/sampler.h"
#include "util/alloc.h"
#include "util/fpenv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 64, TEXELS = 256, DEPTH = 16 };

static double round_seconds = 0.01;
static const char *only_isa;

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* --- Rows ------------------------------------------------------------------------------------- */

static const struct row {
    const char *name;
    D3DFORMAT format;
    enum tex_shape shape;
    uint8_t address;
    bool srgb;
} rows[] = {
    {"A8R8G8B8", D3DFMT_A8R8G8B8, TEX_2D, D3DTADDRESS_WRAP, false},
    {"A8R8G8B8 mirror", D3DFMT_A8R8G8B8, TEX_2D, D3DTADDRESS_MIRROR, false},
    {"A8R8G8B8 border", D3DFMT_A8R8G8B8, TEX_2D, D3DTADDRESS_BORDER, false},
    {"A8R8G8B8 cube", D3DFMT_A8R8G8B8, TEX_CUBE_MAP, D3DTADDRESS_CLAMP, false},
    {"A8R8G8B8 volume", D3DFMT_A8R8G8B8, TEX_VOLUME_MAP, D3DTADDRESS_WRAP, false},
    {"A8R8G8B8 sRGB", D3DFMT_A8R8G8B8, TEX_2D, D3DTADDRESS_WRAP, true},
    {"A8R8G8B8 sRGB border", D3DFMT_A8R8G8B8, TEX_2D, D3DTADDRESS_BORDER, true},
    {"A8R8G8B8 sRGB volume", D3DFMT_A8R8G8B8, TEX_VOLUME_MAP, D3DTADDRESS_WRAP, true},
    {"L8", D3DFMT_L8, TEX_2D, D3DTADDRESS_WRAP, false},
    {"L8 border", D3DFMT_L8, TEX_2D, D3DTADDRESS_BORDER, false},
    {"L8 sRGB", D3DFMT_L8, TEX_2D, D3DTADDRESS_WRAP, true},
    {"A8L8", D3DFMT_A8L8, TEX_2D, D3DTADDRESS_WRAP, false},
    {"R5G6B5", D3DFMT_R5G6B5, TEX_2D, D3DTADDRESS_WRAP, false},
    {"R5G6B5 mirror", D3DFMT_R5G6B5, TEX_2D, D3DTADDRESS_MIRROR, false},
    {"R5G6B5 border", D3DFMT_R5G6B5, TEX_2D, D3DTADDRESS_BORDER, false},
    {"R5G6B5 cube", D3DFMT_R5G6B5, TEX_CUBE_MAP, D3DTADDRESS_CLAMP, false},
    {"R5G6B5 volume", D3DFMT_R5G6B5, TEX_VOLUME_MAP, D3DTADDRESS_WRAP, false},
    {"R5G6B5 sRGB", D3DFMT_R5G6B5, TEX_2D, D3DTADDRESS_WRAP, true},
    {"A4R4G4B4", D3DFMT_A4R4G4B4, TEX_2D, D3DTADDRESS_WRAP, false},
    {"L16", D3DFMT_L16, TEX_2D, D3DTADDRESS_WRAP, false},
    {"A2R10G10B10", D3DFMT_A2R10G10B10, TEX_2D, D3DTADDRESS_WRAP, false},
    {"G16R16", D3DFMT_G16R16, TEX_2D, D3DTADDRESS_WRAP, false},
    {"A16B16G16R16", D3DFMT_A16B16G16R16, TEX_2D, D3DTADDRESS_WRAP, false},
    {"A16B16G16R16 border", D3DFMT_A16B16G16R16, TEX_2D, D3DTADDRESS_BORDER, false},
    {"A16B16G16R16 volume", D3DFMT_A16B16G16R16, TEX_VOLUME_MAP, D3DTADDRESS_WRAP, false},
    {"V8U8", D3DFMT_V8U8, TEX_2D, D3DTADDRESS_WRAP, false},
    {"Q8W8V8U8", D3DFMT_Q8W8V8U8, TEX_2D, D3DTADDRESS_WRAP, false},
    {"R16F", D3DFMT_R16F, TEX_2D, D3DTADDRESS_WRAP, false},
    {"G16R16F", D3DFMT_G16R16F, TEX_2D, D3DTADDRESS_WRAP, false},
    {"A16B16G16R16F", D3DFMT_A16B16G16R16F, TEX_2D, D3DTADDRESS_WRAP, false},
    {"A16B16G16R16F border", D3DFMT_A16B16G16R16F, TEX_2D, D3DTADDRESS_BORDER, false},
    {"A16B16G16R16F volume", D3DFMT_A16B16G16R16F, TEX_VOLUME_MAP, D3DTADDRESS_WRAP, false},
    {"R32F", D3DFMT_R32F, TEX_2D, D3DTADDRESS_WRAP, false},
    {"R32F border", D3DFMT_R32F, TEX_2D, D3DTADDRESS_BORDER, false},
    {"G32R32F", D3DFMT_G32R32F, TEX_2D, D3DTADDRESS_WRAP, false},
    {"A32B32G32R32F", D3DFMT_A32B32G32R32F, TEX_2D, D3DTADDRESS_WRAP, false},
    {"A32B32G32R32F border", D3DFMT_A32B32G32R32F, TEX_2D, D3DTADDRESS_BORDER, false},
    {"A32B32G32R32F volume", D3DFMT_A32B32G32R32F, TEX_VOLUME_MAP, D3DTADDRESS_WRAP, false},
    {"P8", D3DFMT_P8, TEX_2D, D3DTADDRESS_WRAP, false},
    {"A8P8", D3DFMT_A8P8, TEX_2D, D3DTADDRESS_WRAP, false},
    {"D16", D3DFMT_D16, TEX_2D, D3DTADDRESS_CLAMP, false},
    {"D24S8", D3DFMT_D24S8, TEX_2D, D3DTADDRESS_CLAMP, false},
    {"D24S8 border", D3DFMT_D24S8, TEX_2D, D3DTADDRESS_BORDER, false},
    {"D32F", D3DFMT_D32F_LOCKABLE, TEX_2D, D3DTADDRESS_CLAMP, false},
};
enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

static struct tex_image *picture(const struct row *row)
{
    struct tex_desc desc = {.format = row->format,
                            .shape = row->shape,
                            .width = TEXELS,
                            .height = TEXELS,
                            .depth = 1,
                            .levels = 2,
                            .samples = 1};
    struct tex_image *image;
    uint32_t noise = 1;

    if (row->shape == TEX_VOLUME_MAP)
        desc.depth = DEPTH;
    if (tex_image_create(&image, &desc, NULL))
        exit(1);
    for (size_t i = 0; i < image->bytes; i++) {
        noise = noise * 1664525u + 1013904223u;
        image->memory[i] = (uint8_t)(noise >> 24) & 0x3f; /* finite as floats, too */
    }
    return image;
}

/* --- Ways ------------------------------------------------------------------------------------- */

static _Alignas(64) float coord[3][TEX_LANES], texel[4][TEX_LANES], next[4][TEX_LANES];
static _Alignas(64) float weights[TEX_LANES];
static _Alignas(64) int32_t face_offset[TEX_LANES];

struct way {
    const struct tex_sampler_private *s;
    struct tex_coords at;
    const float *weight; /* of the next level; NULL: one level */
    struct ir_code *code;
    void *work;
};

static float *const results[4] = {texel[0], texel[1], texel[2], texel[3]};
static float *const next_results[4] = {next[0], next[1], next[2], next[3]};

static void run_kernel(struct way *way)
{
    way->s->minify(way->s, way->s->level, &way->at, ~UINT64_C(0), results);
    if (way->weight)
        way->s->minify(way->s, way->s->level + 1, &way->at, ~UINT64_C(0), next_results);
}

static void run_function(struct way *way)
{
    struct tex_level_args a;

    tex_level_args_init(&a, way->s, way->s->level, &way->at, way->weight, ~UINT64_C(0), results);
    ir_code_run(way->code, &a.args, way->work);
}

/* Nanoseconds, the best of many. */
static double measure(void (*run)(struct way *), struct way *way)
{
    double best = 1, end = seconds() + round_seconds;

    while (seconds() < end) {
        double start = seconds(), time;

        for (int i = 0; i < RUNS; i++)
            run(way);
        time = (seconds() - start) / RUNS;
        best = time < best ? time : best;
    }
    return best * 1e9;
}

static struct ir_code *compile(const struct tex_emit_shape *shape, enum cpu_isa isa)
{
    struct ir *ir = tex_emit_function(shape), *live = ir ? ir_remove_dead(ir) : NULL;
    struct ir_code *code = NULL;

    if (live && ir_compile(&code, live, isa) != ST_OK)
        code = NULL;
    ir_destroy(ir);
    ir_destroy(live);
    return code;
}

static void measure_filter(const struct row *row, struct tex_image *image, bool linear,
                           bool two_levels, enum cpu_isa isa)
{
    static const char *const names[2][2] = {{"point", "2 points"}, {"linear", "2 linear"}};
    uint8_t filter = linear ? D3DTEXF_LINEAR : D3DTEXF_POINT;
    struct tex_sampler_state state = {.address = {row->address, row->address, row->address},
                                      .min_filter = filter,
                                      .mag_filter = filter,
                                      .srgb = row->srgb};
    struct way way = {.at = {.axis = {coord[0], coord[1], coord[2]}, .reference = coord[2]},
                      .weight = two_levels ? weights : NULL};
    struct tex_emit_shape shape;
    struct tex_sampler sampler;
    double kernel, function, start;

    if (cpu_set_isa(isa) || tex_sampler_init(&sampler, image, &state))
        exit(1);
    way.s = tex_sampler_private(&sampler);
    if (row->shape == TEX_CUBE_MAP)
        way.at.face_offset = face_offset;
    if (way.s->decode_cache || !tex_level_shape(way.s, linear, two_levels, &shape))
        return;
    start = seconds();
    way.code = compile(&shape, isa);
    start = seconds() - start;
    if (!way.code)
        return;
    way.work = mem_alloc(ir_code_work_bytes(way.code) + 1);
    if (!way.work)
        exit(1);
    kernel = measure(run_kernel, &way);
    function = measure(run_function, &way);
    printf("%-7s %-22s %-8s %8.1f %8.1f %6.2f %8.1f\n", cpu_isa_name(isa), row->name,
           names[linear][two_levels], kernel, function, kernel / function, start * 1e6);
    mem_free(way.work);
    ir_code_destroy(way.code);
}

static void measure_row(const struct row *row, enum cpu_isa isa)
{
    struct tex_image *image = picture(row);

    for (unsigned way = 0; way < 4; way++)
        measure_filter(row, image, way & 1, way >> 1, isa);
    tex_image_unref(&image);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && !strcmp(argv[i], "--seconds"))
            round_seconds = atof(argv[i + 1]);
        else if (i + 1 < argc && !strcmp(argv[i], "--isa"))
            only_isa = argv[i + 1];
        else {
            fprintf(stderr, "usage: level [--seconds S] [--isa NAME]\n");
            return 2;
        }
    }
    for (unsigned i = 0; i < TEX_LANES; i++) {
        float x = (float)(i / 4 % 4 * 2 + (i & 1)), y = (float)(i / 16 * 2 + (i >> 1 & 1)),
              texel_size = 0.8f / TEXELS;

        coord[0][i] = 0.123f + (0.92f * x + 0.39f * y) * texel_size;
        coord[1][i] = 0.456f + (0.92f * y - 0.39f * x) * texel_size;
        coord[2][i] = 0.3f + 0.2f * coord[0][i];
        weights[i] = (float)i / TEX_LANES;
    }
    fp_enter();
    printf("%-7s %-31s %8s %8s %6s %8s\n", "simd", "ns for 64 lanes", "kernel", "function", "ratio",
           "compile");
    for (int isa = 0; isa < ISA_COUNT; isa++)
        for (unsigned r = 0; r < N_ROWS; r++)
            if ((!only_isa || !strcmp(only_isa, cpu_isa_name((enum cpu_isa)isa))) &&
                cpu_has_isa((enum cpu_isa)isa))
                measure_row(&rows[r], (enum cpu_isa)isa);
    return 0;
}
