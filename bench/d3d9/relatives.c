/* Compares variants of a row with the row: processor time of a frame, the least of several rounds.
 *
 * The row and its variants take turns, so that a slower phase of the machine affects all. */
#include "bench.h"

#include <stdlib.h>

struct relative {
    const char *reason; /* why there is none; NULL: it is measured */
    int frames;         /* of a round; 0: not known */
    double ms;          /* processor time of a frame */
};

/* Draws a variant for a round and keeps the least time. */
static void take_turn(struct bench *bench, const struct bench_row *row, enum bench_variant variant,
                      struct relative *r, const struct bench_relatives *options)
{
    double ms;

    bench_reset(bench);
    bench_vary(bench, variant);
    if (!row->begin(bench)) {
        r->reason = bench->refusal ? bench->refusal : "this device cannot draw it";
        bench_vary_end(bench);
        return;
    }
    bench_frames(bench, row, 2, 0.0); /* includes lazy compilation */
    if (!r->frames) {
        if (options->pictures) {
            char path[1024];

            snprintf(path, sizeof(path), "%s%s-%s.png", options->pictures, row->name,
                     bench_variants[variant].name);
            bench_frames(bench, row, 1, 0.0);
            bench_picture(bench, path);
        }
        r->frames = bench_calibrate(bench, row, options->seconds / options->rounds, 0.0);
    }
    ms = bench_processor_seconds();
    bench_frames(bench, row, r->frames, 0.0);
    ms = 1000.0 * (bench_processor_seconds() - ms) / r->frames;
    if (r->ms == 0.0 || ms < r->ms)
        r->ms = ms;
    bench_vary_end(bench);
}

static void report(const struct bench_row *row, enum bench_variant variant,
                   const struct relative *r, double row_ms, FILE *json)
{
    const char *name = bench_variants[variant].name;

    if (r->reason) {
        printf("%-19s %-8s %9s %6s   %s\n", row->name, name, "-", "-", r->reason);
        if (json)
            fprintf(json, "{\"row\": \"%s\", \"variant\": \"%s\", \"left_out\": \"%s\"}\n",
                    row->name, name, r->reason);
    } else {
        printf("%-19s %-8s %9.3f %6.2f\n", row->name, name, r->ms, r->ms / row_ms);
        if (json)
            fprintf(json, "{\"row\": \"%s\", \"variant\": \"%s\", \"ms\": %.4f, \"times\": %.3f}\n",
                    row->name, name, r->ms, r->ms / row_ms);
    }
    fflush(stdout);
}

void bench_compare_relatives(struct bench *bench, const struct bench_row *row,
                             const struct bench_relatives *options)
{
    struct relative relatives[BENCH_VARIANTS] = {0};
    bool wanted[BENCH_VARIANTS];

    for (int v = 0; v < BENCH_VARIANTS; v++) {
        wanted[v] = v == BENCH_ROW || options->only == BENCH_ROW || options->only == (unsigned)v;
        relatives[v].reason = bench_left_out(row, (enum bench_variant)v);
    }
    for (unsigned round = 0; round < options->rounds; round++)
        for (int v = 0; v < BENCH_VARIANTS; v++)
            if (wanted[v] && !relatives[v].reason && !relatives[BENCH_ROW].reason)
                take_turn(bench, row, (enum bench_variant)v, &relatives[v], options);
    for (int v = 0; v < BENCH_VARIANTS; v++)
        if (wanted[v] && (relatives[v].reason || relatives[v].frames))
            report(row, (enum bench_variant)v, &relatives[v], relatives[0].ms, options->json);
}
