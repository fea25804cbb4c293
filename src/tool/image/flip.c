/* LDR-FLIP of whole images: builds the filters, processes tiles with their filter margins and pools
 * the errors. */
#include "tool/image/flip.h"

#include "tool/image/flip_kern.h"
#include "tool/image/image.h"
#include "util/alloc.h"
#include "util/fpenv.h"

#include <math.h>
#include <string.h>

enum { TILE_WIDTH = 256, TILE_HEIGHT = 64, BINS = 1 << 16 };

/* Planes after the horizontal filters. The vertical filters turn each plane into one row, or into
 * two if it has two vertical filters. */
enum { H_Y, H_CX, H_CZ1, H_CZ2, H_GAUSS, H_SLOPE, H_BEND, H_PLANES };
enum { V_Y, V_CX, V_CZ1, V_CZ2, V_EDGE_X, V_EDGE_Y, V_POINT_X, V_POINT_Y, V_ROWS };
enum { IN_Y, IN_CX, IN_CZ, IN_PLANES };

struct flip {
    const struct flip_kern *kern;
    struct flip_constants constants;
    double linear[256], to_xyz[9];
    float from_byte[3][256][IN_PLANES]; /* contribution of a red, green or blue byte to Y, X - Y and
                                         * Y - Z */
    unsigned reach;                     /* radius of the widest filter in pixels */
    struct flip_filter filters[H_PLANES];
    float *weights;
    size_t in_pitch, in_plane, h_plane;
    float *planes; /* input and filtered planes of both images */
    float *rows;   /* V_ROWS rows per image */
    float *out;    /* one row of errors */
    double sum, max, *weight_of_bin;
};

double flip_pixels_per_degree(double distance, double width_pixels, double width_metres)
{
    return distance * (width_pixels / width_metres) * (M_PI / 180.0);
}

double flip_default_pixels_per_degree(void)
{
    return flip_pixels_per_degree(0.7, 3840.0, 0.7);
}

/* --- Colours ---------------------------------------------------------------------------------- */

static void invert(const double m[9], double out[9])
{
    double det = 0.0;

    for (int i = 0; i < 9; i++) {
        int r0 = (i % 3 + 1) % 3 * 3, r1 = (i % 3 + 2) % 3 * 3;
        int c0 = (i / 3 + 1) % 3, c1 = (i / 3 + 2) % 3;

        out[i] = m[r0 + c0] * m[r1 + c1] - m[r0 + c1] * m[r1 + c0];
    }
    for (int i = 0; i < 3; i++)
        det += m[i] * out[3 * i];
    for (int i = 0; i < 9; i++)
        out[i] /= det;
}

static double lab_root(double x)
{
    const double delta = 6.0 / 29.0;

    return x > delta * delta * delta ? cbrt(x) : x / (3.0 * delta * delta) + 4.0 / 29.0;
}

/* Colour difference between pure green and pure blue, the largest possible one. */
static double largest_colour_error(const double to_xyz[9])
{
    double lab[2][3];

    for (int i = 0; i < 2; i++) {
        double x = lab_root(to_xyz[1 + i]), y = lab_root(to_xyz[4 + i]);
        double z = lab_root(to_xyz[7 + i]);

        lab[i][0] = 116.0 * y - 16.0;
        lab[i][1] = 0.01 * lab[i][0] * 500.0 * (x - y);
        lab[i][2] = 0.01 * lab[i][0] * 200.0 * (y - z);
    }
    return pow(fabs(lab[0][0] - lab[1][0]) + hypot(lab[0][1] - lab[1][1], lab[0][2] - lab[1][2]),
               0.7);
}

static void set_colours(struct flip *f)
{
    /* Linear sRGB to XYZ (D65) with the authors' coefficients; the rows are then divided by
     * white. */
    static const double srgb[9] = {
        10135552.0 / 24577794.0, 8788810.0 / 24577794.0, 4435075.0 / 24577794.0,
        2613072.0 / 12288897.0,  8788810.0 / 12288897.0, 887015.0 / 12288897.0,
        1425312.0 / 73733382.0,  8788810.0 / 73733382.0, 70074185.0 / 73733382.0,
    };
    double to_rgb[9];

    for (int i = 0; i < 9; i++)
        f->to_xyz[i] = srgb[i] / (srgb[i / 3 * 3] + srgb[i / 3 * 3 + 1] + srgb[i / 3 * 3 + 2]);
    invert(f->to_xyz, to_rgb);
    for (int i = 0; i < 9; i++) {
        f->constants.to_xyz[i] = (float)f->to_xyz[i];
        f->constants.to_rgb[i] = (float)to_rgb[i];
    }
    f->constants.colour_max = (float)largest_colour_error(f->to_xyz);
    for (int i = 0; i < 256; i++) {
        double s = i / 255.0, linear = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);

        for (int c = 0; c < 3; c++) {
            float *share = f->from_byte[c][i];

            share[IN_Y] = (float)(f->to_xyz[3 + c] * linear);
            share[IN_CX] = (float)((f->to_xyz[c] - f->to_xyz[3 + c]) * linear);
            share[IN_CZ] = (float)((f->to_xyz[3 + c] - f->to_xyz[6 + c]) * linear);
        }
    }
}

/* --- Filters ---------------------------------------------------------------------------------- */

enum { MOST_PARTS = 2 };

/* Contrast sensitivity functions as Gaussians a * sqrt(pi / b) * exp(-pi^2 x^2 / b), x in degrees.
 * The blue-yellow function is a sum of two, each separated into rows and columns. */
static void set_sensitivity(struct flip *f, double ppd, unsigned radius)
{
    static const struct {
        unsigned plane, parts;
        double a[MOST_PARTS], b[MOST_PARTS];
    } channels[] = {
        {H_Y, 1, {1.0}, {0.0047}},
        {H_CX, 1, {1.0}, {0.0053}},
        {H_CZ1, 2, {34.1, 13.5}, {0.04, 0.025}},
    };

    for (size_t c = 0; c < sizeof(channels) / sizeof(channels[0]); c++) {
        double squares = 0.0;

        for (unsigned p = 0; p < channels[c].parts; p++) {
            double a = channels[c].a[p], b = channels[c].b[p], sum = 0.0;
            float *weights = f->filters[channels[c].plane + p].weights;

            for (int i = 0; i <= (int)radius; i++) {
                double w = sqrt(a * sqrt(M_PI / b)) * exp(-M_PI * M_PI * i * i / (ppd * ppd * b));

                weights[i] = (float)w;
                sum += i ? 2.0 * w : w;
            }
            squares += sum * sum;
        }
        for (unsigned p = 0; p < channels[c].parts; p++)
            for (unsigned i = 0; i <= radius; i++)
                f->filters[channels[c].plane + p].weights[i] /= (float)sqrt(squares);
    }
}

/* Gaussian as wide as a perceived edge, 0.082 degrees, and its derivatives. The positive weights of
 * a derivative add up to 1, the negative ones to -1. */
static void set_features(struct flip *f, double deviation, unsigned radius)
{
    double sums[3][2] = {{0}};

    for (int i = 0; i <= (int)radius; i++) {
        double gauss = exp(-(double)i * i / (2.0 * deviation * deviation));
        double w[3] = {gauss, i * gauss, (i * i / (deviation * deviation) - 1.0) * gauss};

        for (unsigned p = 0; p < 3; p++) {
            double count = i && p != 1 ? 2.0 : 1.0; /* the first derivative's other half is
                                                     * negative */

            f->filters[H_GAUSS + p].weights[i] = (float)w[p];
            sums[p][w[p] < 0.0] += count * fabs(w[p]);
        }
    }
    for (unsigned p = 0; p < 3; p++)
        for (unsigned i = 0; i <= radius; i++) {
            float *w = &f->filters[H_GAUSS + p].weights[i];

            if (*w != 0.0f)
                *w /= (float)sums[p][*w < 0.0f];
        }
}

static size_t in_steps(size_t n)
{
    return (n + FLIP_STEP - 1) / FLIP_STEP * FLIP_STEP;
}

static MUST_CHECK enum status flip_init(struct flip *f, double ppd)
{
    double deviation = 0.5 * 0.082 * ppd; /* edge width of the paper */
    unsigned spatial = (unsigned)ceil(3.0 * sqrt(0.04 / (2.0 * M_PI * M_PI)) * ppd);
    unsigned feature = (unsigned)ceil(3.0 * deviation);

    f->kern = KERN_PICK(flip_kern);
    f->reach = spatial > feature ? spatial : feature;
    f->in_pitch = in_steps(TILE_WIDTH + 2 * f->reach);
    f->in_plane = f->in_pitch * (TILE_HEIGHT + 2 * f->reach);
    f->h_plane = TILE_WIDTH * (TILE_HEIGHT + 2 * (size_t)f->reach);
    f->planes = mem_calloc(2 * (IN_PLANES * f->in_plane + H_PLANES * f->h_plane), sizeof(float));
    f->rows = mem_calloc(2 * V_ROWS * TILE_WIDTH, sizeof(float));
    f->out = mem_calloc(TILE_WIDTH, sizeof(float));
    f->weight_of_bin = mem_calloc(BINS, sizeof(double));
    f->weights = mem_calloc((size_t)H_PLANES * (f->reach + 1), sizeof(float));
    if (!f->planes || !f->rows || !f->out || !f->weight_of_bin || !f->weights)
        return ST_NOMEM;
    for (unsigned p = 0; p < H_PLANES; p++)
        f->filters[p] = (struct flip_filter){
            p == H_SLOPE  ? FLIP_SLOPE
            : p == H_BEND ? FLIP_BEND
                          : FLIP_MEAN,
            p < H_GAUSS ? spatial : feature,
            f->weights + (size_t)p * (f->reach + 1),
        };
    set_colours(f);
    set_sensitivity(f, ppd, spatial);
    set_features(f, deviation, feature);
    return ST_OK;
}

static void flip_fini(struct flip *f)
{
    mem_free(f->planes);
    mem_free(f->rows);
    mem_free(f->out);
    mem_free(f->weight_of_bin);
    mem_free(f->weights);
}

/* --- Tiles ------------------------------------------------------------------------------------ */

struct tile {
    uint32_t x, y, width, height;
};

static uint32_t within(int64_t at, uint32_t n)
{
    return at < 0 ? 0 : at >= n ? n - 1 : (uint32_t)at;
}

static bool same_around(const struct flip *f, const struct tile *t, const struct tool_image *a,
                        const struct tool_image *b)
{
    uint32_t x0 = within((int64_t)t->x - f->reach, a->width);
    uint32_t x1 = within((int64_t)t->x + t->width - 1 + f->reach, a->width);
    uint32_t y1 = within((int64_t)t->y + t->height - 1 + f->reach, a->height);

    for (uint32_t y = within((int64_t)t->y - f->reach, a->height); y <= y1; y++) {
        size_t at = 4 * ((size_t)y * a->width + x0);

        if (memcmp(a->rgba + at, b->rgba + at, 4 * (size_t)(x1 - x0 + 1)) != 0)
            return false;
    }
    return true;
}

static void load_tile(const struct flip *f, const struct tile *t, const struct tool_image *image,
                      float *in)
{
    for (uint32_t row = 0; row < t->height + 2 * f->reach; row++) {
        uint32_t y = within((int64_t)t->y + row - f->reach, image->height);
        const uint8_t *line = image->rgba + 4 * (size_t)y * image->width;
        float *out = in + row * f->in_pitch;

        for (uint32_t i = 0; i < t->width + 2 * f->reach; i++, out++) {
            const uint8_t *pixel =
                line + 4 * (size_t)within((int64_t)t->x + i - f->reach, image->width);

            for (unsigned p = 0; p < IN_PLANES; p++)
                out[p * f->in_plane] = f->from_byte[0][pixel[0]][p] + f->from_byte[1][pixel[1]][p] +
                                       f->from_byte[2][pixel[2]][p];
        }
    }
}

static void filter_along_rows(const struct flip *f, const struct tile *t, const float *in,
                              float *out)
{
    static const unsigned source[H_PLANES] = {
        [H_Y] = IN_Y,     [H_CX] = IN_CX,   [H_CZ1] = IN_CZ, [H_CZ2] = IN_CZ,
        [H_GAUSS] = IN_Y, [H_SLOPE] = IN_Y, [H_BEND] = IN_Y,
    };

    for (unsigned p = 0; p < H_PLANES; p++)
        for (uint32_t row = 0; row < t->height + 2 * f->reach; row++)
            f->kern->filter(out + p * f->h_plane + (size_t)row * TILE_WIDTH,
                            in + source[p] * f->in_plane + row * f->in_pitch + f->reach, 1,
                            &f->filters[p], in_steps(t->width));
}

static void filter_along_columns(const struct flip *f, const struct tile *t, uint32_t row,
                                 const float *h, float *out)
{
    static const struct {
        unsigned plane, filter;
    } source[V_ROWS] = {
        [V_Y] = {H_Y, H_Y},
        [V_CX] = {H_CX, H_CX},
        [V_CZ1] = {H_CZ1, H_CZ1},
        [V_CZ2] = {H_CZ2, H_CZ2},
        [V_EDGE_X] = {H_SLOPE, H_GAUSS},
        [V_EDGE_Y] = {H_GAUSS, H_SLOPE},
        [V_POINT_X] = {H_BEND, H_GAUSS},
        [V_POINT_Y] = {H_GAUSS, H_BEND},
    };

    for (unsigned v = 0; v < V_ROWS; v++)
        f->kern->filter(out + (size_t)v * TILE_WIDTH,
                        h + source[v].plane * f->h_plane + (size_t)(row + f->reach) * TILE_WIDTH,
                        TILE_WIDTH, &f->filters[source[v].filter], in_steps(t->width));
}

static struct flip_rows rows_of(const float *v)
{
    return (struct flip_rows){
        v + V_Y * TILE_WIDTH,       v + V_CX * TILE_WIDTH,      v + V_CZ1 * TILE_WIDTH,
        v + V_CZ2 * TILE_WIDTH,     v + V_EDGE_X * TILE_WIDTH,  v + V_EDGE_Y * TILE_WIDTH,
        v + V_POINT_X * TILE_WIDTH, v + V_POINT_Y * TILE_WIDTH,
    };
}

static void pool(struct flip *f, const float *errors, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        double e = (double)errors[i];

        f->sum += e;
        f->max = fmax(f->max, e);
        f->weight_of_bin[(size_t)(e * (BINS - 1) + 0.5)] += e;
    }
}

static void compare_tile(struct flip *f, const struct tile *t, const struct tool_image *a,
                         const struct tool_image *b, float *map)
{
    const struct tool_image *images[2] = {a, b};
    float *in[2] = {f->planes, f->planes + f->in_plane * IN_PLANES};
    float *h[2] = {in[1] + f->in_plane * IN_PLANES, NULL};
    float *rows[2] = {f->rows, f->rows + V_ROWS * TILE_WIDTH};
    const struct flip_rows filtered[2] = {rows_of(rows[0]), rows_of(rows[1])};

    h[1] = h[0] + f->h_plane * H_PLANES;
    for (int i = 0; i < 2; i++) {
        load_tile(f, t, images[i], in[i]);
        filter_along_rows(f, t, in[i], h[i]);
    }
    for (uint32_t row = 0; row < t->height; row++) {
        filter_along_columns(f, t, row, h[0], rows[0]);
        filter_along_columns(f, t, row, h[1], rows[1]);
        f->kern->errors(f->out, &filtered[0], &filtered[1], &f->constants, in_steps(t->width));
        pool(f, f->out, t->width);
        if (map)
            memcpy(map + (size_t)(t->y + row) * a->width + t->x, f->out, t->width * sizeof(float));
    }
}

static double weighted_percentile(const struct flip *f, double share)
{
    double sum = 0.0;

    for (size_t i = 0; i < BINS; i++) {
        sum += f->weight_of_bin[i];
        if (f->sum > 0.0 && sum > share * f->sum)
            return (double)i / (BINS - 1);
    }
    return f->max;
}

static void compare_all(struct flip *f, const struct tool_image *a, const struct tool_image *b,
                        float *map)
{
    struct fp_mode old = fp_enter();

    for (uint32_t y = 0; y < a->height; y += TILE_HEIGHT)
        for (uint32_t x = 0; x < a->width; x += TILE_WIDTH) {
            struct tile t = {x, y, a->width - x, a->height - y};

            t.width = t.width < TILE_WIDTH ? t.width : TILE_WIDTH;
            t.height = t.height < TILE_HEIGHT ? t.height : TILE_HEIGHT;
            if (!same_around(f, &t, a, b))
                compare_tile(f, &t, a, b, map);
        }
    fp_leave(old);
}

enum status flip_compare(const struct tool_image *a, const struct tool_image *b,
                         double pixels_per_degree, struct flip_result *out, float *map)
{
    size_t pixels = (size_t)a->width * a->height;
    struct flip *f;
    enum status st;

    memset(out, 0, sizeof(*out));
    if (a->width != b->width || a->height != b->height || !pixels ||
        !(pixels_per_degree >= 1.0 && pixels_per_degree <= 1000.0))
        return ST_INVALID;
    f = mem_calloc(1, sizeof(*f));
    if (!f)
        return ST_NOMEM;
    st = flip_init(f, pixels_per_degree);
    if (st == ST_OK) {
        if (map)
            memset(map, 0, pixels * sizeof(float));
        compare_all(f, a, b, map);
        out->mean = f->sum / (double)pixels;
        out->max = f->max;
        out->quartile1 = weighted_percentile(f, 0.25);
        out->median = weighted_percentile(f, 0.5);
        out->quartile3 = weighted_percentile(f, 0.75);
    }
    flip_fini(f);
    mem_free(f);
    return st;
}
