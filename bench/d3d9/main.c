/* Benchmark program: measures the time per frame of scenes, in rounds of equally many frames.
 *
 * After a warm-up each round ends with a read of its last frame, which waits for all frames. Time
 * and processor time are those of a round divided by its frames. --compute keeps the calling thread
 * busy for MS in every frame, as games do. */
#include "bench.h"

#include "tool/cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_ROUNDS = 64 };

/* Target of a row: processor time of wined3d on llvmpipe divided by ours (docs/performance.md); 0:
 * no target is set. */
struct goal {
    const struct bench_row *row;
    double ratio;
};

static const struct goal rows[] = {
    {&bench_lit_mesh, 0},
    {&bench_combiner, 0},
    {&bench_textured_mesh, 0},
    {&bench_blended_mesh, 0},
    {&bench_terrain, 0},
    {&bench_point_sprites, 0},
    {&bench_sprites, 0},
    {&bench_upload, 0},
    {&bench_stretchrect, 0},
    {&bench_stretchrect_scaled, 0},
    {&bench_autogen, 0},
    {&bench_layers_aniso_tilted, 0},
    {&bench_clears, 36 / 2.0},
    {&bench_flat, 78 / 4.0},
    {&bench_flat_z, 87 / 5.0},
    {&bench_layers_point, 78 / 8.0},
    {&bench_layers_bilinear, 109 / 12.0},
    {&bench_layers_trilinear, 277 / 28.0},
    {&bench_layers_aniso, 1190 / 60.0},
    {&bench_blend, 107 / 7.0},
    {&bench_lit_textured_mesh, 59 / 16.0},
    {&bench_combiner_4, 133 / 16.0},
    {&bench_small_triangles, 166 / 30.0},
    {&bench_long_shader, 102 / 60.0},
    {&bench_bump_cubes, 57 / 14.0},
    {&bench_branches, 20 / 5.0},
    {&bench_shadow_map, 58 / 13.0},
    {&bench_targets_4, 96 / 10.0},
    {&bench_hdr, 59 / 9.0},
    {&bench_shadow_volumes, 88 / 10.0},
    {&bench_alpha_quads, 87 / 12.0},
    {&bench_draws, 209 / 45.0},
    {&bench_bump_cubes_ms4, 149 / 26.0},
    {&bench_skinning, 109 / 16.0},
    {&bench_dynamic, 35 / 6.0},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

struct options {
    const char *rows, *json, *pictures;
    double seconds, compute;
    unsigned rounds;
    D3DFORMAT depth;
    bool relatives;
    enum bench_variant variant;
};

struct result {
    int frames;                    /* per round */
    double least_ms, median_ms;    /* per frame */
    double processor_ms, calls_ms; /* per frame: all threads; calling thread */
};

/* --- Measurement ------------------------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static struct result measure(struct bench *bench, const struct bench_row *row,
                             const struct options *options)
{
    double work = options->compute, processor, calls, ms[MAX_ROUNDS];
    struct result result = {0};

    bench_frames(bench, row, 2, 0.0); /* includes lazy compilation */
    result.frames = bench_calibrate(bench, row, options->seconds / options->rounds, work);
    processor = bench_processor_seconds();
    calls = bench_caller_seconds();
    for (unsigned i = 0; i < options->rounds; i++)
        ms[i] = 1000.0 * bench_frames(bench, row, result.frames, work) / result.frames;
    processor = bench_processor_seconds() - processor;
    calls = bench_caller_seconds() - calls;
    qsort(ms, (size_t)options->rounds, sizeof(ms[0]), compare);
    result.least_ms = ms[0];
    result.median_ms = ms[options->rounds / 2];
    result.processor_ms = 1000.0 * processor / result.frames / options->rounds;
    result.calls_ms = 1000.0 * calls / result.frames / options->rounds - work;
    return result;
}

/* --- Reports ---------------------------------------------------------------------------------- */

static bool listed(const char *list, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, name, length) && (at[length] == ',' || !at[length]))
            return true;
    return !list;
}

static void take_picture(struct bench *bench, const struct bench_row *row, const char *prefix)
{
    char path[1024];

    snprintf(path, sizeof(path), "%s%s.png", prefix, row->name);
    bench_frames(bench, row, 1, 0.0);
    bench_picture(bench, path);
}

static void report(const struct goal *goal, const struct result *r, FILE *json)
{
    const struct bench_row *row = goal->row;

    printf("%-19s %9.2f %9.3f %9.3f %9.3f %9.3f   %s\n", row->name, 1000.0 / r->least_ms,
           r->least_ms, r->median_ms, r->processor_ms, r->calls_ms, row->what);
    fflush(stdout);
    if (json)
        fprintf(
            json,
            "{\"row\": \"%s\", \"least_ms\": %.4f, \"median_ms\": %.4f, \"processor_ms\": %.4f, "
            "\"goal\": %.1f}\n",
            row->name, r->least_ms, r->median_ms, r->processor_ms, goal->ratio);
}

static void run_row(struct bench *bench, const struct goal *goal, const struct options *options,
                    FILE *json)
{
    const struct bench_row *row = goal->row;

    bench_reset(bench);
    bench_vary(bench, options->variant);
    if (bench_left_out(row, options->variant)) {
        printf("%-19s has no such variant: %s\n", row->name, bench_left_out(row, options->variant));
    } else if (!row->begin(bench)) {
        printf("%-19s this device cannot%s%s\n", row->name, bench->refusal ? ": " : "",
               bench->refusal ? bench->refusal : "");
    } else {
        if (options->pictures)
            take_picture(bench, row, options->pictures);
        if (options->seconds > 0.0) {
            struct result result = measure(bench, row, options);

            report(goal, &result, json);
        }
    }
    bench_vary_end(bench);
}

static void run_rows(struct bench *bench, const struct options *options, FILE *json)
{
    printf("%s\n%-19s %9s %9s %9s %9s %9s   at %dx%d\n", bench->adapter.Description, "row",
           "frames/s", "least ms", "median ms", "cpu ms", "calls ms", BENCH_WIDTH, BENCH_HEIGHT);
    for (int i = 0; i < ROWS; i++)
        if (listed(options->rows, rows[i].row->name))
            run_row(bench, &rows[i], options, json);
}

static void run_relatives(struct bench *bench, const struct options *options, FILE *json)
{
    const struct bench_relatives relatives = {.seconds = options->seconds,
                                              .rounds = options->rounds,
                                              .only = options->variant,
                                              .pictures = options->pictures,
                                              .json = json};

    printf("%s\n%-19s %-8s %9s %6s   at %dx%d\n", bench->adapter.Description, "row", "variant",
           "cpu ms", "times", BENCH_WIDTH, BENCH_HEIGHT);
    for (int i = 0; i < ROWS; i++)
        if (listed(options->rows, rows[i].row->name))
            bench_compare_relatives(bench, rows[i].row, &relatives);
}

/* D3DFMT_UNKNOWN: rows cannot have it. */
static D3DFORMAT depth_format(const char *name)
{
    return !strcmp(name, "D24S8")   ? D3DFMT_D24S8
           : !strcmp(name, "D24X8") ? D3DFMT_D24X8
           : !strcmp(name, "D16")   ? D3DFMT_D16
           : !strcmp(name, "D32")   ? D3DFMT_D32
                                    : D3DFMT_UNKNOWN;
}

/* BENCH_VARIANTS: there is none. */
static enum bench_variant variant_named(const char *name)
{
    int v = 0;

    while (v < BENCH_VARIANTS && strcmp(name, bench_variants[v].name) != 0)
        v++;
    return (enum bench_variant)v;
}

/* Whether every name of the list is a row; prints the first that is none. */
static bool check_rows(const char *list)
{
    while (list && *list) {
        int length = (int)strcspn(list, ",");
        bool known = false;

        for (int i = 0; i < ROWS; i++)
            known |=
                !strncmp(list, rows[i].row->name, (size_t)length) && !rows[i].row->name[length];
        if (!known) {
            tool_error("", "there is no row '%.*s'", length, list);
            return false;
        }
        list += length + (list[length] == ',');
    }
    return true;
}

/* Returns an exit code, or a negative number to continue. */
static int read_arguments(struct options *o, int argc, char **argv)
{
    const char *depth = "D24S8", *variant = "row";
    const struct tool_option options[] = {
        {"--rows", "A,B", "only these rows", OPT_TEXT, &o->rows},
        {"--seconds", "S", "time per row (default: 2)", OPT_REAL, &o->seconds},
        {"--rounds", "N", "rounds per row (default: 5)", OPT_UINT, &o->rounds},
        {"--compute", "MS", "keep the calling thread busy for MS in each frame", OPT_REAL,
         &o->compute},
        {"--depth", "FORMAT", "D24S8 (default), D24X8, D16 or D32", OPT_TEXT, &depth},
        {"--variant", "V", "draw the rows as colours, rotated, target, texture, mask or fog",
         OPT_TEXT, &variant},
        {"--relatives", NULL, "compare variants with their rows, all or that of --variant",
         OPT_FLAG, &o->relatives},
        {"--json", "FILE", "write the results to FILE, one row a line", OPT_TEXT, &o->json},
        {"--pictures", "PREFIX", "write a picture of each row to PREFIXROW.png", OPT_TEXT,
         &o->pictures},
    };
    const struct tool_usage usage = {
        .line = "[options]",
        .text = "Measures the time a frame of scenes that are drawn through Direct3D 9.",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    int code;

    tool_set_program("d3d9");
    code = tool_parse(&usage, argc, argv, NULL);
    if (code >= 0)
        return code;
    o->depth = depth_format(depth);
    o->variant = variant_named(variant);
    if (o->rounds < 1 || o->rounds > MAX_ROUNDS)
        return tool_error("", "--rounds is 1 to %d, not %u", MAX_ROUNDS, o->rounds);
    if (o->depth == D3DFMT_UNKNOWN)
        return tool_error("", "--depth is D24S8, D24X8, D16 or D32, not '%s'", depth);
    if (o->variant == BENCH_VARIANTS)
        return tool_error(
            "", "--variant is colours, rotated, target, texture, mask or fog, not '%s'", variant);
    if (o->relatives && o->compute > 0.0)
        return tool_error("", "--relatives compares processor time: it has no --compute");
    if (o->relatives && o->seconds <= 0.0)
        return tool_error("", "--relatives needs --seconds above 0");
    return check_rows(o->rows) ? code : TOOL_ERROR;
}

int main(int argc, char **argv)
{
    struct options options = {.seconds = 2.0, .rounds = 5, .depth = D3DFMT_D24S8};
    struct bench bench;
    FILE *json = NULL;
    int code = read_arguments(&options, argc, argv);

    if (code >= 0)
        return code;
    if (options.json && !(json = fopen(options.json, "w")))
        return tool_error("", "%s cannot be written: %s", options.json, strerror(errno));
    bench_draw_all_layers();
    bench_open(&bench, BENCH_WIDTH, BENCH_HEIGHT, options.depth);
    if (options.relatives)
        run_relatives(&bench, &options, json);
    else
        run_rows(&bench, &options, json);
    bench_close(&bench);
    if (json && (ferror(json) | fclose(json)))
        return tool_error("", "%s cannot be written: %s", options.json, strerror(errno));
    return 0;
}
