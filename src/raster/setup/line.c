/* Line setup: one-pixel-wide lines by the diamond-exit rule (reference: raster/lines), and
 * antialiased ones (reference: raster/lines-antialias). */
#include "raster/setup/setup.h"

#include "raster/bin/bin.h"
#include "util/math.h"
#include "util/variant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HALF = SUBPIXEL / 2 };

/* The nearest pixel, the only one whose diamond may contain the point; ties go left and up. */
static int32_t nearest(int32_t fixed)
{
    return (fixed - HALF + SUBPIXEL - 1) >> SUBPIXEL_BITS;
}

/* Whether the point is in its nearest pixel's diamond. Its two lower sides belong to it, and for
 * y-major lines its right corner. */
static bool in_diamond(int32_t x, int32_t y, bool y_major)
{
    int32_t dx = x - nearest(x) * SUBPIXEL, dy = y - nearest(y) * SUBPIXEL;
    int32_t reach = abs(dx) + abs(dy);

    return reach < HALF || (reach == HALF && (dy > 0 || (y_major && dx == HALF)));
}

/* First and last pixel along the major axis; false: none. */
static bool major_range(struct raster_line *line, const struct raster_screen_vertex *from,
                        const struct raster_screen_vertex *to, bool last_pixel)
{
    int32_t start = line->y_major ? from->y : from->x, end = line->y_major ? to->y : to->x;
    bool starts_in = in_diamond(from->x, from->y, line->y_major);
    bool ends_in = in_diamond(to->x, to->y, line->y_major);
    bool forward = end > start;
    int32_t first, last, stop = nearest(end);

    if (forward) {
        first = (start + SUBPIXEL - 1) >> SUBPIXEL_BITS;
        last = end >> SUBPIXEL_BITS;
        if (starts_in && nearest(start) < first)
            first = nearest(start);
        if (ends_in)
            last = last_pixel ? (stop > last ? stop : last) : stop - 1;
        line->first = first;
        line->last = last;
    } else {
        first = start >> SUBPIXEL_BITS;
        last = (end + SUBPIXEL - 1) >> SUBPIXEL_BITS;
        if (starts_in && nearest(start) > first)
            first = nearest(start);
        if (ends_in)
            last = last_pixel ? (stop < last ? stop : last) : stop + 1;
        line->first = last;
        line->last = first;
    }
    return line->first <= line->last;
}

static bool is_y_major(const struct raster_screen_vertex *from,
                       const struct raster_screen_vertex *to)
{
    return abs(to->y - from->y) > abs(to->x - from->x);
}

static bool line_init(struct raster_line *line, const struct raster_screen_vertex *from,
                      const struct raster_screen_vertex *to, bool last_pixel)
{
    int32_t dx = to->x - from->x, dy = to->y - from->y;
    int32_t major = abs(dx), minor = dy, at_major = from->x, at_minor = from->y;

    if (!dx && !dy)
        return false;
    line->y_major = is_y_major(from, to);
    if (line->y_major) {
        major = abs(dy);
        minor = dx;
        at_major = from->y;
        at_minor = from->x;
    }
    line->length = major;
    line->slope = (line->y_major ? dy : dx) < 0 ? -minor : minor;
    line->offset = (int64_t)(at_minor - HALF) * major - (int64_t)at_major * line->slope;
    return major_range(line, from, to, last_pixel);
}

/* Attributes vary only along the major axis. */
static void attr_along(struct raster_attr_plane *plane, bool y_major, double length, double f0,
                       double f1)
{
    double slope = (f1 - f0) / length, most = fabs(f0) > fabs(f1) ? fabs(f0) : fabs(f1);

    plane->value = math_narrowf(f0);
    plane->tiny = math_mulf(math_narrowf(most), RASTER_TINY);
    plane->a0 = f0;
    plane->dadx = y_major ? 0.0 : slope;
    plane->dady = y_major ? slope : 0.0;
}

/* So does depth. */
static void plane_along(struct raster_interp_plane *plane, bool y_major, double length, double f0,
                        double f1)
{
    float slope = math_narrowf((f1 - f0) / length);

    plane->a0 = math_narrowf(f0);
    plane->dadx = y_major ? 0.0f : slope;
    plane->dady = y_major ? slope : 0.0f;
}

static void line_attributes(struct raster_prim *prim, const struct raster_screen_vertex *from,
                            const struct raster_screen_vertex *to, const float *flat, bool y_major,
                            double length)
{
    const struct raster_state *state = &prim->pipeline->s;

    for (unsigned n = 0; n < state->n_attrs; n++) {
        double f0 = from->v[RASTER_V_ATTR + n], f1 = to->v[RASTER_V_ATTR + n];
        bool is_flat = state->attr[n].interp == RASTER_FLAT;

        if (is_flat || f0 == f1) {
            prim->const_attribs |= UINT64_C(1) << n;
            prim->attr[n] = raster_const_plane(is_flat ? flat[RASTER_V_ATTR + n] : (float)f0);
            continue;
        }
        if (!prim->affine && state->attr[n].interp == RASTER_PERSPECTIVE) {
            f0 *= from->rhw;
            f1 *= to->rhw;
        }
        attr_along(&prim->attr[n], y_major, length, f0, f1);
    }
}

static void line_planes(struct raster_prim *prim, const struct raster_screen_vertex *from,
                        const struct raster_screen_vertex *to, const float *flat, float face)
{
    const struct raster_state *state = &prim->pipeline->s;
    bool y_major = is_y_major(from, to);
    int32_t fixed = y_major ? to->y - from->y : to->x - from->x;
    double length = (double)fixed / SUBPIXEL;

    prim->anchor_x = (float)from->x / SUBPIXEL;
    prim->anchor_y = (float)from->y / SUBPIXEL;
    prim->face = face;
    prim->affine = from->rhw == to->rhw;
    plane_along(&prim->z, y_major, length, from->z, to->z);
    attr_along(&prim->rhw, y_major, length, from->rhw, to->rhw);
    prim->rhw.tiny = 0.0f;
    prim->depth_offset =
        state->values.depth_bias +
        math_mulf(state->values.slope_bias, fabsf(prim->z.dadx) + fabsf(prim->z.dady));
    line_attributes(prim, from, to, flat, y_major, length);
}

static bool line_rect(int32_t rect[4], const struct raster_line *line)
{
    int32_t m0 = raster_line_minor(line, line->first), m1 = raster_line_minor(line, line->last);
    int32_t low = m0 < m1 ? m0 : m1, high = m0 < m1 ? m1 : m0;
    int32_t box[4] = {line->first, low, line->last + 1, high + 1};
    int32_t turned[4] = {low, line->first, high + 1, line->last + 1};

    return raster_rect_intersect(rect, line->y_major ? turned : box);
}

/* -1: no room, flush and retry; 0: no pixels; 1: binned. */
static int try_line(struct raster *raster, const struct raster_line *line,
                    const struct raster_screen_vertex *from, const struct raster_screen_vertex *to,
                    const float *flat, float face)
{
    struct raster_prim *prim = raster_prim_create(raster, PRIM_LINE);

    if (!prim)
        return -1;
    if (!line_rect(prim->rect, line))
        return 0;
    raster_edges_of_prim(prim)->line = *line;
    line_planes(prim, from, to, flat, face);
    return raster_bin_prim(raster, prim) ? 1 : -1;
}

/* --- Lines of variant renderers: polygons ----------------------------------------------------- */

/* Turns a plane that changes along the major axis to one that changes along the line. */
static void turn_attr(struct raster_attr_plane *plane, double dx, double dy)
{
    double slope = plane->dadx * dx + plane->dady * dy, length2 = dx * dx + dy * dy;

    plane->dadx = slope * dx / length2;
    plane->dady = slope * dy / length2;
}

static void turn_planes(struct raster_prim *prim, double dx, double dy)
{
    struct raster_attr_plane z = {.dadx = prim->z.dadx, .dady = prim->z.dady};

    turn_attr(&z, dx, dy);
    prim->z.dadx = math_narrowf(z.dadx);
    prim->z.dady = math_narrowf(z.dady);
    turn_attr(&prim->rhw, dx, dy);
    for (unsigned n = 0; n < prim->pipeline->s.n_attrs; n++)
        if (!(prim->const_attribs >> n & 1))
            turn_attr(&prim->attr[n], dx, dy);
}

/* Draws one half of the polygon. Results as try_line's. */
static int try_half(struct raster *raster, const struct raster_screen_vertex corner[3],
                    const struct raster_screen_vertex *from, const struct raster_screen_vertex *to,
                    const float *flat, float face)
{
    struct raster_prim *prim = raster_prim_create(raster, PRIM_TRIANGLE);

    if (!prim)
        return -1;
    if (!raster_tri_edges_setup(raster, prim, corner))
        return 0;
    line_planes(prim, from, to, flat, face);
    if (variant_current->line != VARIANT_PARALLELOGRAM)
        turn_planes(prim, to->x - from->x, to->y - from->y);
    return raster_bin_prim(raster, prim) ? 1 : -1;
}

/* Writes the corners of the polygon of a line that is not a point; the last is the first again. */
static void polygon_corners(struct raster_screen_vertex corner[5],
                            const struct raster_screen_vertex *from,
                            const struct raster_screen_vertex *to, bool y_major)
{
    enum variant_line shape = (enum variant_line)variant_current->line;
    double dx = to->x - from->x, dy = to->y - from->y, length = sqrt(dx * dx + dy * dy);
    double more = shape == VARIANT_WIDE ? SUBPIXEL / 64.0 : 0.0, half = SUBPIXEL / 2.0 + more;
    double along[2] = {dx / length, dy / length}, across[2] = {-dy / length, dx / length};

    if (shape == VARIANT_PARALLELOGRAM) {
        across[0] = y_major;
        across[1] = !y_major;
    }
    for (unsigned i = 0; i < 5; i++) {
        double side = i == 1 || i == 2 ? -half : half, beyond = i == 2 || i == 3 ? more : -more;

        corner[i] = i == 2 || i == 3 ? *to : *from;
        corner[i].x += (int32_t)lrint(side * across[0] + beyond * along[0]);
        corner[i].y += (int32_t)lrint(side * across[1] + beyond * along[1]);
    }
}

static enum status emit_polygon(struct raster *raster, const struct raster_screen_vertex *from,
                                const struct raster_screen_vertex *to, const float *flat,
                                float face)
{
    struct raster_screen_vertex corner[5];

    if (from->x == to->x && from->y == to->y)
        return ST_OK;
    polygon_corners(corner, from, to, is_y_major(from, to));
    for (unsigned i = 0; i < 4; i += 2) {
        if (try_half(raster, corner + i, from, to, flat, face) >= 0)
            continue;
        raster_flush_bins(raster);
        if (try_half(raster, corner + i, from, to, flat, face) < 0)
            return ST_NOMEM;
    }
    return ST_OK;
}

/* --- Antialiased lines ------------------------------------------------------------------------ */

/* As try_line. LASTPIXEL means nothing here. */
static int try_aa_line(struct raster *raster, const struct raster_screen_vertex *from,
                       const struct raster_screen_vertex *to, const float *flat, float face)
{
    const int32_t start[2] = {from->x, from->y}, end[2] = {to->x, to->y};
    struct raster_aa_line line;
    int32_t rect[4];
    struct raster_prim *prim;

    if (!raster_aa_line_init(&line, rect, start, end))
        return 0;
    prim = raster_prim_create(raster, PRIM_AA_LINE);
    if (!prim)
        return -1;
    if (!raster_rect_intersect(prim->rect, rect))
        return 0;
    raster_edges_of_prim(prim)->aa_line = line;
    line_planes(prim, from, to, flat, face);
    return raster_bin_prim(raster, prim) ? 1 : -1;
}

static enum status emit_aa_line(struct raster *raster, const struct raster_screen_vertex *from,
                                const struct raster_screen_vertex *to, const float *flat,
                                float face)
{
    if (try_aa_line(raster, from, to, flat, face) >= 0)
        return ST_OK;
    raster_flush_bins(raster);
    return try_aa_line(raster, from, to, flat, face) >= 0 ? ST_OK : ST_NOMEM;
}

/* --- Drawing ---------------------------------------------------------------------------------- */

enum status raster_emit_line(struct raster *raster, const struct raster_screen_vertex *from,
                             const struct raster_screen_vertex *to, const float *flat, float face,
                             bool last_pixel)
{
    struct raster_line line;

    if (raster->state->antialiased_lines)
        return emit_aa_line(raster, from, to, flat, face);
    if (variant_current && variant_current->line)
        return emit_polygon(raster, from, to, flat, face);
    if (!line_init(&line, from, to, last_pixel))
        return ST_OK;
    if (try_line(raster, &line, from, to, flat, face) >= 0)
        return ST_OK;
    raster_flush_bins(raster);
    return try_line(raster, &line, from, to, flat, face) >= 0 ? ST_OK : ST_NOMEM;
}
