/* SSIM of two images: vertical Gaussian means over a ring buffer of horizontally filtered rows.
 *
 * Tested by tests/unit/tool/image/test_flip.c. */
#include "tool/image/ssim.h"

#include "tool/image/image.h"
#include "util/alloc.h"

#include <math.h>
#include <string.h>

enum { WINDOW = 11 };
/* The averaged quantities: both luminances, their squares and their product. */
enum { MEAN_A, MEAN_B, SQUARE_A, SQUARE_B, PRODUCT, MEANS };

struct ssim {
    double weights[WINDOW];
    uint32_t width, height; /* at least WINDOW each */
    uint32_t windows;       /* windows per row */
    double *luma[2];        /* one row of each image */
    double *filtered;       /* ring buffer of WINDOW lines with MEANS rows each */
    double *column;         /* MEANS rows */
};

static void set_weights(double weights[WINDOW])
{
    double sum = 0.0;

    for (int i = 0; i < WINDOW; i++) {
        weights[i] = exp(-(i - 5) * (i - 5) / (2.0 * 1.5 * 1.5));
        sum += weights[i];
    }
    for (int i = 0; i < WINDOW; i++)
        weights[i] /= sum;
}

static void luma_row(const struct ssim *s, const struct tool_image *image, uint32_t y, double *out)
{
    const uint8_t *row =
        image->rgba + 4 * (size_t)image->width * (y < image->height ? y : image->height - 1);

    for (uint32_t x = 0; x < s->width; x++) {
        const uint8_t *p = row + 4 * (size_t)(x < image->width ? x : image->width - 1);

        out[x] = 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
    }
}

static double *filtered_row(const struct ssim *s, uint32_t y)
{
    return s->filtered + (size_t)(y % WINDOW) * MEANS * s->windows;
}

static void filter_row(const struct ssim *s, double *out)
{
    memset(out, 0, (size_t)MEANS * s->windows * sizeof(double));
    for (int t = 0; t < WINDOW; t++) {
        const double *a = s->luma[0] + t, *b = s->luma[1] + t, w = s->weights[t];

        for (uint32_t x = 0; x < s->windows; x++) {
            out[MEAN_A * s->windows + x] += w * a[x];
            out[MEAN_B * s->windows + x] += w * b[x];
            out[SQUARE_A * s->windows + x] += w * a[x] * a[x];
            out[SQUARE_B * s->windows + x] += w * b[x] * b[x];
            out[PRODUCT * s->windows + x] += w * a[x] * b[x];
        }
    }
}

/* Sums SSIM over the windows whose last line is y. */
static double windows_row(const struct ssim *s, uint32_t y)
{
    const double c1 = 0.01 * 255.0 * 0.01 * 255.0, c2 = 0.03 * 255.0 * 0.03 * 255.0;
    size_t n = (size_t)MEANS * s->windows;
    double sum = 0.0;

    memset(s->column, 0, n * sizeof(double));
    for (int t = 0; t < WINDOW; t++) {
        const double *row = filtered_row(s, y - WINDOW + 1 + (uint32_t)t), w = s->weights[t];

        for (size_t i = 0; i < n; i++)
            s->column[i] += w * row[i];
    }
    for (uint32_t x = 0; x < s->windows; x++) {
        const double *at = s->column + x;
        double a = at[MEAN_A * s->windows], b = at[MEAN_B * s->windows];
        double variance_a = at[SQUARE_A * s->windows] - a * a;
        double variance_b = at[SQUARE_B * s->windows] - b * b;
        double covariance = at[PRODUCT * s->windows] - a * b;

        sum += (2.0 * a * b + c1) * (2.0 * covariance + c2) /
               ((a * a + b * b + c1) * (variance_a + variance_b + c2));
    }
    return sum;
}

static double mean_over(const struct ssim *s, const struct tool_image *a,
                        const struct tool_image *b)
{
    double sum = 0.0;

    for (uint32_t y = 0; y < s->height; y++) {
        luma_row(s, a, y, s->luma[0]);
        luma_row(s, b, y, s->luma[1]);
        filter_row(s, filtered_row(s, y));
        if (y >= WINDOW - 1)
            sum += windows_row(s, y);
    }
    return sum / ((double)s->windows * (s->height - WINDOW + 1));
}

enum status ssim_compare(const struct tool_image *a, const struct tool_image *b, double *out)
{
    struct ssim s = {.width = a->width > WINDOW ? a->width : WINDOW,
                     .height = a->height > WINDOW ? a->height : WINDOW};
    enum status st = ST_NOMEM;

    *out = 0.0;
    if (a->width != b->width || a->height != b->height || !a->width || !a->height)
        return ST_INVALID;
    s.windows = s.width - WINDOW + 1;
    set_weights(s.weights);
    s.luma[0] = mem_alloc(2 * (size_t)s.width * sizeof(double));
    s.filtered = mem_alloc((size_t)WINDOW * MEANS * s.windows * sizeof(double));
    s.column = mem_alloc((size_t)MEANS * s.windows * sizeof(double));
    if (s.luma[0] && s.filtered && s.column) {
        s.luma[1] = s.luma[0] + s.width;
        *out = mean_over(&s, a, b);
        st = ST_OK;
    }
    mem_free(s.luma[0]);
    mem_free(s.filtered);
    mem_free(s.column);
    return st;
}
