/* Image difference metrics: per pixel, and densest window of differing pixels. */
#include "tool/golden/tolerance.h"
#include "tool/golden/manifest.h"
#include "tool/golden/result.h"
#include "tool/image/flip.h"
#include "tool/image/image.h"
#include "tool/image/ssim.h"
#include "util/alloc.h"

#include <math.h>
#include <string.h>

enum { WINDOW = 8 /* default window size */ };

struct sums {
    uint64_t distance, squares, pixels;
};

/* Stores the largest channel difference of each pixel of a row; out is zeroed before. */
static void row_distances(const uint8_t *a, const uint8_t *b, uint32_t width, unsigned channels,
                          uint8_t *out, struct sums *sums)
{
    for (uint32_t x = 0; x < width; x++, a += 4, b += 4) {
        unsigned most = 0;

        if (!memcmp(a, b, 4))
            continue; /* out is already 0 */
        for (unsigned c = 0; c < channels; c++) {
            unsigned d = (unsigned)(a[c] > b[c] ? a[c] - b[c] : b[c] - a[c]);

            sums->distance += d;
            sums->squares += d * d;
            most = d > most ? d : most;
        }
        out[x] = (uint8_t)most;
    }
}

/* Removes excluded pixels from the differences and the sums. */
static void exclude_pixels(const uint8_t *a, const uint8_t *b, const uint8_t *excluded,
                           uint32_t width, unsigned channels, uint8_t *distances, struct sums *sums,
                           struct golden_metrics *out)
{
    for (uint32_t x = 0; x < width; x++) {
        if (!excluded[x])
            continue;
        sums->pixels--;
        if (!distances[x])
            continue;
        out->in_mask += excluded[x] == GOLDEN_MASKED;
        for (unsigned c = 0; c < channels; c++) {
            int d = a[4 * x + c] - b[4 * x + c];

            sums->distance -= (uint64_t)(d < 0 ? -d : d);
            sums->squares -= (uint64_t)(d * d);
        }
        distances[x] = 0;
    }
}

static void count_row(const uint8_t *distances, uint32_t y, uint32_t width, unsigned threshold,
                      struct golden_metrics *out)
{
    for (uint32_t x = 0; x < width; x++) {
        unsigned d = distances[x];
        uint64_t eight = 1;

        if (x + 8 <= width)
            memcpy(&eight, distances + x, 8);
        if (!eight)
            x += 7;
        if (!d)
            continue;
        if (!out->differing)
            out->box = (struct golden_rect){x, y, x + 1, y + 1};
        out->box.x0 = x < out->box.x0 ? x : out->box.x0;
        out->box.x1 = x + 1 > out->box.x1 ? x + 1 : out->box.x1;
        out->box.y1 = y + 1;
        out->differing++;
        out->above += d > threshold;
        out->max = d > out->max ? d : out->max;
    }
}

/* Largest number of pixels above the threshold in any window. columns[x] counts them in the
 * window's rows of column x. */
static unsigned find_densest(const uint8_t *distances, const struct golden_metrics *m,
                             unsigned threshold, unsigned width, unsigned height, uint32_t *columns)
{
    unsigned most = 0;

    for (uint32_t y = m->box.y0; y < m->box.y1; y++) {
        const uint8_t *row = distances + (size_t)y * m->width;
        const uint8_t *gone = y >= m->box.y0 + height ? row - (size_t)height * m->width : NULL;
        unsigned in_window = 0;

        for (uint32_t x = m->box.x0; x < m->box.x1; x++) {
            columns[x] += row[x] > threshold;
            if (gone)
                columns[x] -= gone[x] > threshold;
            in_window += columns[x];
            if (x >= m->box.x0 + width)
                in_window -= columns[x - width];
            most = in_window > most ? in_window : most;
        }
    }
    return most;
}

static void measure_rows(const struct tool_image *a, const struct tool_image *b,
                         const uint8_t *excluded, const struct golden_case *c, uint8_t *distances,
                         struct golden_metrics *out)
{
    unsigned channels = c->ignore_alpha ? 3 : 4;
    struct sums sums = {.pixels = (uint64_t)a->width * a->height};

    for (uint32_t y = 0; y < a->height; y++) {
        size_t at = (size_t)y * a->width;
        const uint8_t *p = a->rgba + 4 * at, *q = b->rgba + 4 * at;
        bool equal = !memcmp(p, q, 4 * (size_t)a->width);

        if (!equal)
            row_distances(p, q, a->width, channels, distances + at, &sums);
        if (excluded)
            exclude_pixels(p, q, excluded + at, a->width, channels, distances + at, &sums, out);
        if (!equal)
            count_row(distances + at, y, a->width, c->tolerance.above, out);
    }
    out->mean = sums.pixels ? (double)sums.distance / (double)(channels * sums.pixels) : 0.0;
    out->psnr =
        sums.squares
            ? 10.0 * log10(255.0 * 255.0 * (double)(channels * sums.pixels) / (double)sums.squares)
            : INFINITY;
}

/* Computes FLIP and SSIM after making excluded pixels equal. */
static enum status measure_perceptual(const struct tool_image *a, const struct tool_image *b,
                                      const uint8_t *excluded, const struct golden_case *c,
                                      struct golden_metrics *out)
{
    size_t pixels = (size_t)a->width * a->height;
    struct tool_image copy = {0};
    struct flip_result flip;
    enum status st = ST_OK;

    if (excluded)
        st = tool_image_create(&copy, a->width, a->height);
    for (size_t i = 0; st == ST_OK && excluded && i < pixels; i++)
        memcpy(copy.rgba + 4 * i, (excluded[i] ? a : b)->rgba + 4 * i, 4);
    if (excluded)
        b = &copy;
    if (st == ST_OK && c->tolerance.measure == GOLDEN_SSIM)
        st = ssim_compare(a, b, &out->ssim);
    else if (st == ST_OK)
        st = flip_compare(a, b, flip_default_pixels_per_degree(), &flip, NULL);
    if (st == ST_OK && c->tolerance.measure == GOLDEN_FLIP)
        out->flip = flip.mean;
    tool_image_fini(&copy);
    return st;
}

enum status golden_measure(const struct tool_image *a, const struct tool_image *b,
                           const uint8_t *excluded, const struct golden_case *c,
                           struct golden_metrics *out)
{
    const struct golden_tolerance *t = &c->tolerance;
    bool own = t->measure == GOLDEN_WINDOW;
    uint8_t *distances = mem_calloc((size_t)a->width * a->height, 1);
    uint32_t *columns = mem_calloc(a->width, sizeof(*columns));
    enum status st = distances && columns ? ST_OK : ST_NOMEM;

    memset(out, 0, sizeof(*out));
    out->flip = out->ssim = GOLDEN_UNMEASURED;
    if (st == ST_OK) {
        out->measured = true;
        out->width = a->width;
        out->height = a->height;
        measure_rows(a, b, excluded, c, distances, out);
        if (out->above)
            out->densest = find_densest(distances, out, t->above, own ? t->width : WINDOW,
                                        own ? t->height : WINDOW, columns);
    }
    mem_free(distances);
    mem_free(columns);
    if (st == ST_OK && (t->measure == GOLDEN_FLIP || t->measure == GOLDEN_SSIM))
        st = measure_perceptual(a, b, excluded, c, out);
    return st;
}

bool golden_within(const struct golden_metrics *m, const struct golden_tolerance *t)
{
    switch (t->measure) {
    case GOLDEN_EXACT:
        return !m->differing;
    case GOLDEN_MAX:
        return m->max <= t->above;
    case GOLDEN_COUNT:
        return m->above <= t->count;
    case GOLDEN_WINDOW:
        return m->densest <= t->count;
    case GOLDEN_FLIP:
        return m->flip >= 0.0 && m->flip <= t->limit;
    case GOLDEN_SSIM:
        return m->ssim >= t->limit;
    }
    return false;
}
