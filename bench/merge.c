/* Benchmark of merge functions beside the output kernels, for each instruction set with a compiler:
 *   merge [--seconds S] [--isa NAME]
 *
 * Nanoseconds for 64 lanes, all of them written: `kernel` writes a block of a surface, `function`
 * copies it to words, runs the function and copies back, `core` is the function alone. Then the
 * time of a compilation in microseconds. */
#include "ir/pass/pass.h"
#include "ir/compile/compile.h"
#include "raster/merge/merge.h"
#include "raster/output/output_kern.h"
#include "raster/state/pixel_write.h"
#include "tex/tex.h"
#include "util/alloc.h"
#include "util/cpu.h"
#include "util/fpenv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 64, PITCH = 1024 };

static double round_seconds = 0.02;
static const char *only_isa;

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* --- Keys ------------------------------------------------------------------------------------- */

static const struct raster_blend over = {D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
                                 sum = {D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD},
                                 layer = {D3DBLEND_ONE, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
                                 tint = {D3DBLEND_DESTCOLOR, D3DBLEND_ZERO, D3DBLENDOP_ADD},
                                 twice = {D3DBLEND_DESTCOLOR, D3DBLEND_SRCCOLOR, D3DBLENDOP_ADD},
                                 add_alpha = {D3DBLEND_SRCALPHA, D3DBLEND_ONE, D3DBLENDOP_ADD},
                                 subtract = {D3DBLEND_SRCALPHA, D3DBLEND_ONE,
                                             D3DBLENDOP_REVSUBTRACT},
                                 factor = {D3DBLEND_BLENDFACTOR, D3DBLEND_INVBLENDFACTOR,
                                           D3DBLENDOP_ADD},
                                 most = {D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_MAX};

static const struct row {
    const char *name;
    D3DFORMAT format;
    const struct raster_blend *rgb, *alpha; /* NULL: none; the colour's */
    unsigned write_mask;
    bool srgb;
} rows[] = {
    {"A8R8G8B8", D3DFMT_A8R8G8B8, NULL, NULL, 15, false},
    {"X8R8G8B8", D3DFMT_X8R8G8B8, NULL, NULL, 15, false},
    {"A8R8G8B8 rgb", D3DFMT_A8R8G8B8, NULL, NULL, 7, false},
    {"A8R8G8B8 r", D3DFMT_A8R8G8B8, NULL, NULL, 1, false},
    {"A8R8G8B8 sRGB", D3DFMT_A8R8G8B8, NULL, NULL, 15, true},
    {"A8R8G8B8 over", D3DFMT_A8R8G8B8, &over, NULL, 15, false},
    {"X8R8G8B8 over", D3DFMT_X8R8G8B8, &over, NULL, 15, false},
    {"A8R8G8B8 over rgb", D3DFMT_A8R8G8B8, &over, NULL, 7, false},
    {"A8R8G8B8 over sRGB", D3DFMT_A8R8G8B8, &over, NULL, 15, true},
    {"A8R8G8B8 sum", D3DFMT_A8R8G8B8, &sum, NULL, 15, false},
    {"A8R8G8B8 layer", D3DFMT_A8R8G8B8, &layer, NULL, 15, false},
    {"A8R8G8B8 tint", D3DFMT_A8R8G8B8, &tint, NULL, 15, false},
    {"A8R8G8B8 twice", D3DFMT_A8R8G8B8, &twice, NULL, 15, false},
    {"A8R8G8B8 add alpha", D3DFMT_A8R8G8B8, &add_alpha, NULL, 15, false},
    {"A8R8G8B8 subtract", D3DFMT_A8R8G8B8, &subtract, NULL, 15, false},
    {"A8R8G8B8 factor", D3DFMT_A8R8G8B8, &factor, NULL, 15, false},
    {"A8R8G8B8 max", D3DFMT_A8R8G8B8, &most, NULL, 15, false},
    {"A8R8G8B8 over, alpha sum", D3DFMT_A8R8G8B8, &over, &sum, 15, false},
    {"R5G6B5", D3DFMT_R5G6B5, NULL, NULL, 15, false},
    {"R5G6B5 over", D3DFMT_R5G6B5, &over, NULL, 15, false},
    {"R5G6B5 add alpha", D3DFMT_R5G6B5, &add_alpha, NULL, 15, false},
    {"A4R4G4B4 over rgb", D3DFMT_A4R4G4B4, &over, NULL, 7, false},
    {"A2R10G10B10", D3DFMT_A2R10G10B10, NULL, NULL, 15, false},
    {"A2R10G10B10 over", D3DFMT_A2R10G10B10, &over, NULL, 15, false},
    {"G16R16 over", D3DFMT_G16R16, &over, NULL, 15, false},
    {"A16B16G16R16", D3DFMT_A16B16G16R16, NULL, NULL, 15, false},
    {"A16B16G16R16 over", D3DFMT_A16B16G16R16, &over, NULL, 15, false},
    {"L8 over", D3DFMT_L8, &over, NULL, 15, false},
    {"R16F", D3DFMT_R16F, NULL, NULL, 15, false},
    {"A16B16G16R16F", D3DFMT_A16B16G16R16F, NULL, NULL, 15, false},
    {"A16B16G16R16F rgb", D3DFMT_A16B16G16R16F, NULL, NULL, 7, false},
    {"A16B16G16R16F over", D3DFMT_A16B16G16R16F, &over, NULL, 15, false},
    {"A16B16G16R16F add alpha", D3DFMT_A16B16G16R16F, &add_alpha, NULL, 15, false},
    {"R32F", D3DFMT_R32F, NULL, NULL, 15, false},
    {"G32R32F over", D3DFMT_G32R32F, &over, NULL, 15, false},
    {"A32B32G32R32F", D3DFMT_A32B32G32R32F, NULL, NULL, 15, false},
    {"A32B32G32R32F over", D3DFMT_A32B32G32R32F, &over, NULL, 15, false},
};
enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

/* --- Ways ------------------------------------------------------------------------------------- */

static struct memory {
    float colour[4][RASTER_LANES];
    uint32_t words[4][RASTER_LANES];
    float factor[4];
} memory __attribute__((aligned(64)));
static struct raster_merge_tables tables;
static uint8_t surface[8 * PITCH] __attribute__((aligned(64)));

struct way {
    const struct raster_output_kern *kern;
    struct raster_pixel_write write;
    struct ir_code *code;
    void *work;
    bool reads;
};

static void run_kernel(struct way *way)
{
    static const float *const from[4] = {memory.colour[0], memory.colour[1], memory.colour[2],
                                         memory.colour[3]};

    way->kern->write[way->write.class](&way->write, surface, PITCH, from, ~UINT64_C(0));
}

static void run_core(struct way *way)
{
    struct ir_args args = {.base = {[RASTER_MERGE_PIXELS] = memory.words,
                                    [RASTER_MERGE_UNIFORMS] = memory.factor,
                                    [RASTER_MERGE_TABLES] = &tables}};

    for (unsigned c = 0; c < 4; c++)
        args.base[RASTER_MERGE_COLOURS + c] = memory.colour[c];
    ir_code_run(way->code, &args, way->work);
}

static void run_function(struct way *way)
{
    unsigned size = raster_pixel_size(way->write.format->bytes);

    if (way->reads)
        way->kern->read_words[size](surface, PITCH, memory.words);
    run_core(way);
    way->kern->write_words[size](surface, PITCH, memory.words, ~UINT64_C(0));
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

static struct ir_code *compile(const struct raster_merge_target *target, enum cpu_isa isa)
{
    struct ir *ir = raster_merge_target_function(target), *live = ir ? ir_remove_dead(ir) : NULL;
    struct ir_code *code = NULL;

    if (live && ir_compile(&code, live, isa) != ST_OK)
        code = NULL;
    ir_destroy(ir);
    ir_destroy(live);
    return code;
}

static void measure_row(const struct row *row, enum cpu_isa isa)
{
    struct raster_state state = {.blend_enable = row->rgb != NULL, .srgb_write = row->srgb};
    struct raster_blend_params params = {.factor = {0.25f, 0.5f, 0.75f, 1.0f}};
    struct way way = {.kern = KERN_FOR(raster_output_kern, isa)};
    struct raster_merge_target target;
    double kernel, function, core, start;

    target = (struct raster_merge_target){.format = tex_format_get(row->format),
                                          .blends = row->rgb,
                                          .srgb = row->srgb,
                                          .write_mask = (uint8_t)row->write_mask};
    if (row->rgb) {
        params.rgb = target.rgb = *row->rgb;
        params.alpha = target.alpha = row->alpha ? *row->alpha : *row->rgb;
    }
    raster_pixel_write_init(&way.write, tex_format_get(row->format), &state, row->write_mask);
    way.write.blend = row->rgb ? &params : NULL;
    way.reads = raster_merge_reads(&target);
    start = seconds();
    way.code = compile(&target, isa);
    start = seconds() - start;
    if (!way.code)
        return;
    way.work = mem_alloc(ir_code_work_bytes(way.code) + 1);
    if (!way.work)
        exit(1);
    kernel = measure(run_kernel, &way);
    function = measure(run_function, &way);
    core = measure(run_core, &way);
    printf("%-7s %-26s %8.1f %8.1f %6.2f %8.1f %8.1f\n", cpu_isa_name(isa), row->name, kernel,
           function, kernel / function, core, start * 1e6);
    mem_free(way.work);
    ir_code_destroy(way.code);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && !strcmp(argv[i], "--seconds"))
            round_seconds = atof(argv[i + 1]);
        else if (i + 1 < argc && !strcmp(argv[i], "--isa"))
            only_isa = argv[i + 1];
        else {
            fprintf(stderr, "usage: merge [--seconds S] [--isa NAME]\n");
            return 2;
        }
    }
    raster_merge_tables_init(&tables);
    for (unsigned i = 0; i < 4 * RASTER_LANES; i++)
        memory.colour[i / RASTER_LANES][i % RASTER_LANES] = (float)(i * 37 % 256) / 255.0f;
    memset(surface, 0x35, sizeof(surface));
    fp_enter();
    printf("%-7s %-26s %8s %8s %6s %8s %8s\n", "simd", "ns for 64 lanes", "kernel", "function",
           "ratio", "core", "compile");
    for (int isa = 0; isa < ISA_COUNT; isa++)
        for (unsigned r = 0; r < N_ROWS; r++)
            if ((!only_isa || !strcmp(only_isa, cpu_isa_name((enum cpu_isa)isa))) &&
                cpu_has_isa((enum cpu_isa)isa))
                measure_row(&rows[r], (enum cpu_isa)isa);
    return 0;
}
