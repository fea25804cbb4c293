/* Chip model, rasteriser: one sample at each pixel centre; left and top edges are inside.
 *
 * Tested by tests/unit/present/r500/model/test_model.c. */
#include "present/r500/model/state.h"

#include "util/min_max.h"

#include <string.h>

enum { WORK_MAX = 1 << 28 }; /* limit of a stream, about ten seconds */
enum { TRIANGLES = 4, FAN = 5, STRIP = 6, QUADS = 13, QUAD_STRIP = 14, POLYGON = 15 };

struct raster {
    struct model *m;
    struct model_shader *shader;
    unsigned n_components;
    int32_t left, top, right, bottom; /* writable area; right and bottom are exclusive */
    uint8_t *pixels;
    uint32_t pitch; /* in bytes */
    uint32_t channel_mask;
};

/* Edge function: twice the signed area of a, b and the sample; positive if clockwise on screen. */
static int64_t edge(const struct model_vertex *a, const struct model_vertex *b, int64_t x,
                    int64_t y)
{
    return (int64_t)(b->x - a->x) * (y - a->y) - (int64_t)(b->y - a->y) * (x - a->x);
}

/* Returns whether the edge is a left or top edge of a triangle that is clockwise on the screen. */
static bool owns_its_edge(const struct model_vertex *a, const struct model_vertex *b)
{
    return b->y < a->y || (b->y == a->y && b->x > a->x);
}

static void pixel(struct raster *r, const struct model_vertex *const v[3], const int64_t w[3],
                  int32_t x, int32_t y)
{
    uint8_t *to = r->pixels + (size_t)y * r->pitch + (size_t)x * 4, colour[4];
    double components[MODEL_COMPONENTS], area = (double)(w[0] + w[1] + w[2]);

    for (unsigned c = 0; c < r->n_components; c++)
        components[c] = ((double)w[0] * (double)v[0]->components[c] +
                         (double)w[1] * (double)v[1]->components[c] +
                         (double)w[2] * (double)v[2]->components[c]) /
                        area;
    model_shade(r->shader, components, colour);
    for (unsigned i = 0; i < 4; i++)
        if (r->channel_mask >> i & 1)
            to[i] = colour[i];
}

/* Returns the first pixel whose sample is at or after a coordinate. */
static int32_t first_pixel(int32_t at)
{
    return (at + MODEL_SUBPIXELS / 2 - 1 + 16384 * MODEL_SUBPIXELS) / MODEL_SUBPIXELS - 16384;
}

/* Charges the work of a draw; fails above the limit, so that every stream ends. */
static bool may_work(struct raster *r, int64_t width, int64_t height)
{
    if (width > 0 && height > 0)
        r->m->work += (uint64_t)(width * height) * (model_shader_length(r->shader) + 1);
    return r->m->work <= WORK_MAX ||
           model_fail(r->m, ST_UNSUPPORTED, "too many pixels for the model");
}

static void triangle(struct raster *r, const struct model_vertex *a, const struct model_vertex *b,
                     const struct model_vertex *c)
{
    const struct model_vertex *v[3] = {a, b, c};
    int64_t area = edge(a, b, c->x, c->y), least[3];
    int32_t left, top, right, bottom;

    if (area == 0 || r->m->status != ST_OK)
        return;
    if (area < 0) {
        v[1] = c;
        v[2] = b;
    }
    for (unsigned i = 0; i < 3; i++)
        least[i] = owns_its_edge(v[(i + 1) % 3], v[(i + 2) % 3]) ? 0 : 1;
    left = max_i32(r->left, first_pixel(min_i32(a->x, min_i32(b->x, c->x))));
    top = max_i32(r->top, first_pixel(min_i32(a->y, min_i32(b->y, c->y))));
    right = min_i32(r->right, first_pixel(max_i32(a->x, max_i32(b->x, c->x))) + 1);
    bottom = min_i32(r->bottom, first_pixel(max_i32(a->y, max_i32(b->y, c->y))) + 1);
    if (!may_work(r, right - left, bottom - top))
        return;
    for (int32_t y = top; y < bottom; y++)
        for (int32_t x = left; x < right; x++) {
            int64_t sx = (int64_t)x * MODEL_SUBPIXELS + MODEL_SUBPIXELS / 2;
            int64_t sy = (int64_t)y * MODEL_SUBPIXELS + MODEL_SUBPIXELS / 2;
            int64_t w[3] = {edge(v[1], v[2], sx, sy), edge(v[2], v[0], sx, sy),
                            edge(v[0], v[1], sx, sy)};

            if (w[0] >= least[0] && w[1] >= least[1] && w[2] >= least[2])
                pixel(r, v, w, x, y);
        }
}

static void primitives(struct raster *r, const struct model_vertex *v, uint32_t n, uint32_t kind)
{
    switch (kind) {
    case TRIANGLES:
        for (uint32_t i = 0; i + 3 <= n; i += 3)
            triangle(r, &v[i], &v[i + 1], &v[i + 2]);
        break;
    case FAN:
    case POLYGON:
        for (uint32_t i = 2; i < n; i++)
            triangle(r, &v[0], &v[i - 1], &v[i]);
        break;
    case STRIP:
        for (uint32_t i = 2; i < n; i++)
            triangle(r, &v[i - 2], &v[i - 1], &v[i]);
        break;
    case QUADS:
        for (uint32_t i = 0; i + 4 <= n; i += 4) {
            triangle(r, &v[i], &v[i + 1], &v[i + 2]);
            triangle(r, &v[i], &v[i + 2], &v[i + 3]);
        }
        break;
    default:
        model_fail(r->m, ST_UNSUPPORTED, "not modelled: primitives of type %u", kind);
        break;
    }
}

/* Clips the scissor rectangle to the colour buffer, which must lie inside its memory. */
static bool init(struct raster *r)
{
    struct model *m = r->m;
    uint32_t first = model_reg(m, R500_SC_SCISSOR0), last = model_reg(m, R500_SC_SCISSOR1);
    uint32_t pitch = R500_GET(RB3D_COLORPITCH, PITCH, model_reg(m, R500_RB3D_COLORPITCH));
    uint32_t offset = model_reg(m, R500_RB3D_COLOROFFSET);
    uint64_t rows;

    r->left = (int32_t)R500_GET(SC_SCISSOR0, X0, first);
    r->top = (int32_t)R500_GET(SC_SCISSOR0, Y0, first);
    r->right = (int32_t)R500_GET(SC_SCISSOR1, X1, last) + 1;
    r->bottom = (int32_t)R500_GET(SC_SCISSOR1, Y1, last) + 1;
    r->pitch = pitch * 4;
    r->channel_mask = model_reg(m, R500_RB3D_COLOR_CHANNEL_MASK);
    if (m->status != ST_OK)
        return false;
    if (!m->target || !m->target->data || offset % 32 || (uint32_t)r->right > pitch ||
        offset > m->target->size)
        return model_fail(m, ST_DAMAGED, "no colour buffer, or one outside of its memory");
    rows = (m->target->size - offset) / r->pitch;
    if ((uint64_t)r->bottom > rows)
        return model_fail(m, ST_DAMAGED, "the scissor reaches beyond the colour buffer");
    r->pixels = m->target->data + offset;
    return true;
}

void model_raster(struct model *m, const struct model_vertex *vertices, uint32_t n,
                  unsigned n_components, uint32_t primitive)
{
    struct raster r = {.m = m, .n_components = n_components};

    if (!init(&r))
        return;
    r.shader = model_shader_create(m);
    if (r.shader)
        primitives(&r, vertices, n, primitive);
    model_shader_destroy(r.shader);
}
