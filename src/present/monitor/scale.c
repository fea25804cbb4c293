/* Pictures in windows of another size: where they appear, and filtered scaling. */
#include "present/monitor/scale.h"

#include "present/monitor/scale_kern.h"
#include "util/alloc.h"
#include "util/min_max.h"

#include <string.h>

/* --- Place in the window ---------------------------------------------------------------------- */

/* Rounds a * b / c to the nearest integer, at least 1. */
static uint32_t share(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t rounded = (2 * (uint64_t)a * b + c) / (2 * (uint64_t)c);

    return rounded ? (uint32_t)rounded : 1;
}

static void size_of(enum present_scaling scaling, const uint32_t picture[2], const uint32_t area[2],
                    uint32_t size[2])
{
    uint32_t times = min_u32(area[0] / picture[0], area[1] / picture[1]);

    memcpy(size, area, 2 * sizeof(size[0]));
    if (scaling == PRESENT_STRETCH)
        return;
    if (scaling == PRESENT_INTEGER && times) {
        size[0] = times * picture[0];
        size[1] = times * picture[1];
    } else if ((uint64_t)area[0] * picture[1] <= (uint64_t)area[1] * picture[0]) {
        size[1] = min_u32(share(area[0], picture[1], picture[0]), area[1]);
    } else {
        size[0] = min_u32(share(area[1], picture[0], picture[1]), area[0]);
    }
}

void present_place(enum present_scaling scaling, const uint32_t picture[2], const uint32_t area[2],
                   int32_t rect[4])
{
    uint32_t size[2] = {0, 0};

    if (picture[0] && picture[1] && area[0] && area[1])
        size_of(scaling, picture, area, size);
    for (unsigned i = 0; i < 2; i++) {
        rect[i] = (int32_t)((area[i] - size[i]) / 2);
        rect[i + 2] = rect[i] + (int32_t)size[i];
    }
}

void present_to_picture(enum present_scaling scaling, const uint32_t picture[2],
                        const uint32_t area[2], int32_t position[2])
{
    int32_t rect[4];

    present_place(scaling, picture, area, rect);
    for (unsigned i = 0; i < 2; i++) {
        int64_t size = rect[i + 2] - rect[i];
        int64_t at = (int64_t)position[i] - rect[i];

        if (size)
            position[i] = at < 0 ? 0 : (int32_t)((at < size ? at : size - 1) * picture[i] / size);
    }
}

/* The middle of the positions that show pixel `at` of m: those from ceil(at * size / m) on. */
static int32_t middle_of(int64_t at, int64_t size, int64_t m)
{
    int64_t first = (at * size + m - 1) / m, next = ((at + 1) * size + m - 1) / m;

    return (int32_t)(next > first ? (first + next - 1) / 2 : at * size / m);
}

void present_from_picture(enum present_scaling scaling, const uint32_t picture[2],
                          const uint32_t area[2], int32_t position[2])
{
    int32_t rect[4];

    present_place(scaling, picture, area, rect);
    for (unsigned i = 0; i < 2; i++) {
        int64_t size = rect[i + 2] - rect[i], last = (int64_t)picture[i] - 1;
        int64_t at = position[i] < 0 ? 0 : position[i] < last ? position[i] : last;

        if (size)
            position[i] = rect[i] + middle_of(at, size, picture[i]);
    }
}

/* --- Taps ------------------------------------------------------------------------------------- */

enum { ONE = 1 << SCALE_BITS };

struct scale_tap scale_tap_of(const struct scale_axis *axis, uint32_t i)
{
    uint32_t times =
        axis->filter == PRESENT_SHARP && axis->size > axis->pixels ? axis->size / axis->pixels : 1;
    uint64_t enlarged = (uint64_t)axis->pixels * times, whole = 2 * (uint64_t)axis->size;
    uint64_t at = (2 * (uint64_t)i + 1) * enlarged, pixel;
    struct scale_tap tap;

    if (axis->filter == PRESENT_NEAREST) {
        tap.a = tap.b = (uint32_t)((uint64_t)i * axis->pixels / axis->size);
        tap.weight = 0;
        return tap;
    }
    at = at < axis->size ? 0 : at - axis->size;
    pixel = at / whole;
    tap.a = (uint32_t)(pixel / times);
    tap.b = (uint32_t)((pixel + 1 < enlarged ? pixel + 1 : pixel) / times);
    tap.weight = (uint32_t)((at % whole * ONE + axis->size) / whole);
    return tap;
}

/* --- Pictures --------------------------------------------------------------------------------- */

void scaler_fini(struct scaler *scaler)
{
    mem_free(scaler->a);
    mem_free(scaler->rows);
    *scaler = (struct scaler){.a = NULL};
}

static uint32_t whole_steps(uint32_t n)
{
    return (n + SCALE_STEP - 1) / SCALE_STEP * SCALE_STEP;
}

static enum status reserve(struct scaler *scaler, uint32_t n)
{
    uint32_t room = whole_steps(n);

    if (room <= scaler->room)
        return ST_OK;
    scaler_fini(scaler);
    scaler->a = mem_alloc(3 * sizeof(*scaler->a) * room);
    scaler->rows = mem_alloc(2 * 3 * sizeof(*scaler->rows) * room);
    if (!scaler->a || !scaler->rows) {
        scaler_fini(scaler);
        return ST_NOMEM;
    }
    scaler->b = scaler->a + room;
    scaler->weights = scaler->b + room;
    scaler->row[0] = scaler->rows;
    scaler->row[1] = scaler->rows + 3 * (size_t)room;
    scaler->room = room;
    return ST_OK;
}

/* The columns behind the last one repeat it. */
static enum status set_columns(struct scaler *scaler, const struct scale_axis *axis)
{
    enum status st = reserve(scaler, axis->n);

    if (st != ST_OK || !memcmp(&scaler->columns, axis, sizeof(*axis)))
        return st;
    for (uint32_t x = 0; x < whole_steps(axis->n); x++) {
        struct scale_tap tap = scale_tap_of(axis, axis->first + min_u32(x, axis->n - 1));

        scaler->a[x] = (int32_t)tap.a;
        scaler->b[x] = (int32_t)tap.b;
        scaler->weights[x] = (int32_t)(ONE - tap.weight + (tap.weight << 16));
    }
    scaler->columns = *axis;
    return ST_OK;
}

/* Mixes two rows into n pixels; the kernel writes whole steps. */
static void write_row(const struct scale_kern *kern, uint32_t *out, uint32_t n,
                      const uint16_t *above, const uint16_t *below, uint32_t weight)
{
    uint32_t plane = whole_steps(n), steps = n / SCALE_STEP * SCALE_STEP;
    uint32_t rest[SCALE_STEP];

    kern->rows(out, above, below, weight, steps, plane);
    if (steps == n)
        return;
    kern->rows(rest, above + steps, below + steps, weight, SCALE_STEP, plane);
    memcpy(out + steps, rest, (n - steps) * sizeof(rest[0]));
}

static void hold_row(const struct scale_kern *kern, struct scaler *scaler, unsigned slot,
                     uint32_t row, const uint32_t *in)
{
    if (scaler->held[slot] == row)
        return;
    kern->columns(scaler->row[slot], in, scaler->a, scaler->b, scaler->weights,
                  whole_steps(scaler->columns.n));
    scaler->held[slot] = row;
}

/* The row that was below is above for the next pixels. */
static void move_up(struct scaler *scaler)
{
    uint16_t *row = scaler->row[0];
    uint32_t held = scaler->held[0];

    scaler->row[0] = scaler->row[1];
    scaler->held[0] = scaler->held[1];
    scaler->row[1] = row;
    scaler->held[1] = held;
}

static void scale_row(const struct scale_kern *kern, struct scaler *scaler, uint32_t *out,
                      const struct scale_tap *tap, const uint32_t *in, uint32_t pitch)
{
    if (scaler->held[1] == tap->a && scaler->held[0] != tap->a)
        move_up(scaler);
    hold_row(kern, scaler, 0, tap->a, in + (size_t)tap->a * pitch);
    if (tap->b != tap->a)
        hold_row(kern, scaler, 1, tap->b, in + (size_t)tap->b * pitch);
    write_row(kern, out, scaler->columns.n, scaler->row[0], scaler->row[tap->b != tap->a],
              tap->weight);
}

/* The part of `dst` that lies inside `size` pixels. */
static struct scale_axis axis_of(enum present_filter filter, int32_t from, int32_t to,
                                 uint32_t pixels, uint32_t size)
{
    int32_t first = from > 0 ? from : 0, end = min_i32(to, (int32_t)size);

    return (struct scale_axis){.filter = filter,
                               .pixels = pixels,
                               .size = (uint32_t)(to - from),
                               .first = (uint32_t)(first - from),
                               .n = end > first ? (uint32_t)(end - first) : 0};
}

enum status scale_image(struct scaler *scaler, enum present_filter filter,
                        const struct view_image *to, const struct view_rect *dst,
                        const struct view_image *from, const struct view_rect *src)
{
    const struct scale_kern *kern = KERN_PICK(scale_kern);
    const struct scale_axis x =
        axis_of(filter, dst->left, dst->right, (uint32_t)(src->right - src->left), to->width);
    const struct scale_axis y =
        axis_of(filter, dst->top, dst->bottom, (uint32_t)(src->bottom - src->top), to->height);
    const uint32_t *in = from->pixels + (size_t)src->top * from->pitch + src->left;
    uint32_t *out = to->pixels + (size_t)((int32_t)y.first + dst->top) * to->pitch +
                    ((int32_t)x.first + dst->left);
    enum status st;

    if (!x.n || !y.n)
        return ST_OK;
    if (filter == PRESENT_NEAREST) {
        view_stretch(to, dst, from, src);
        return ST_OK;
    }
    st = set_columns(scaler, &x);
    scaler->held[0] = scaler->held[1] = UINT32_MAX;
    for (uint32_t i = 0; st == ST_OK && i < y.n; i++) {
        struct scale_tap tap = scale_tap_of(&y, y.first + i);

        scale_row(kern, scaler, out + (size_t)i * to->pitch, &tap, in, from->pitch);
    }
    return st;
}
