/* Reference sampler for tests, written only from docs/reference.md (texture/...). It computes one
 * sample at a time in double precision and rounds to single precision where the rules say so. */
#ifndef TESTS_ORACLE_SAMPLE_H
#define TESTS_ORACLE_SAMPLE_H

#include "oracle_texel.h"

struct oracle {
    const struct oracle_format *format;
    struct tex_image *image;
    const struct tex_sampler_state *state;
    bool srgb;
};

struct oracle_colour {
    double c[4];
};

/* --- Addresses -------------------------------------------------------------------------------- */

/* Converts a coordinate to 1/256 texel (reference: texture/address, texture/point). */
static inline int oracle_position(double t, uint32_t size, unsigned mode)
{
    double top = size * 256.0, low = 0.0, high = top;

    switch (mode) {
    case D3DTADDRESS_WRAP:
        t = f32(t - floor(t));
        break;
    case D3DTADDRESS_MIRROR:
        t = f32(t - 2.0 * floor(t / 2.0));
        t = t < f32(2.0 - t) ? t : f32(2.0 - t);
        break;
    case D3DTADDRESS_MIRRORONCE:
        t = fabs(t);
        break;
    case D3DTADDRESS_BORDER: /* far enough that no texel contributes */
        low = -512.0;
        high = top + 512.0;
        break;
    }
    t = f32(t * top);
    if (!(t > low)) /* also for NaN */
        t = low;
    return (int)rint(t > high ? high : t);
}

/* Applies the address mode to an index outside the level. Returns false for the border colour. */
static inline bool oracle_inside(int *index, uint32_t size, unsigned mode)
{
    int n = (int)size;

    if (mode == D3DTADDRESS_BORDER)
        return *index >= 0 && *index < n;
    if (mode == D3DTADDRESS_WRAP)
        *index = (*index + n) % n;
    *index = *index < 0 ? 0 : *index >= n ? n - 1 : *index;
    return true;
}

/* --- One level -------------------------------------------------------------------------------- */

struct oracle_footprint {
    const struct oracle *o;
    const struct tex_level *level;
    int texel[3];       /* the lower one of the two */
    double fraction[3]; /* weight of the next texel */
    double reference;
    unsigned axes;
    uint8_t address[3];
};

static inline struct oracle_texel oracle_at(const struct oracle_footprint *p, const int offset[3])
{
    const struct oracle *o = p->o;
    uint32_t size[3] = {p->level->width, p->level->height, p->level->depth};
    int at[3] = {0, 0, 0};
    bool inside = true;
    struct oracle_texel t;

    for (unsigned a = 0; a < p->axes; a++) {
        at[a] = p->texel[a] + offset[a];
        inside = oracle_inside(&at[a], size[a], p->address[a]) && inside;
    }
    if (inside)
        t = oracle_texel(o->format, p->level, (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2],
                         o->state->palette, o->srgb);
    else
        t = oracle_border(o->format, o->state->border, o->srgb);
    for (int c = 0; c < 4 && (o->format->flags & ORACLE_COMPARES); c++) {
        t.value[c] = p->reference <= f32(t.value[c] / t.max[c]);
        t.max[c] = 1.0;
    }
    return t;
}

static inline double oracle_weigh(bool is_float, double value, double weight)
{
    return is_float && weight == 0.0 ? 0.0 : f32(value * weight);
}

/* Blends along x, then y, then z; codes are divided by their maximum last. */
static inline struct oracle_texel oracle_blend(const struct oracle_footprint *p, int axis,
                                               int offset[3])
{
    struct oracle_texel t[2];

    if (axis < 0)
        return oracle_at(p, offset);
    for (int i = 0; i < 2; i++) {
        offset[axis] = i;
        t[i] = oracle_blend(p, axis - 1, offset);
    }
    for (int c = 0; c < 4; c++)
        t[0].value[c] = f32(oracle_weigh(t[0].is_float, t[0].value[c], 1.0 - p->fraction[axis]) +
                            oracle_weigh(t[0].is_float, t[1].value[c], p->fraction[axis]));
    return t[0];
}

static inline struct oracle_colour oracle_divide(const struct oracle_texel *t)
{
    struct oracle_colour out;

    for (int c = 0; c < 4; c++)
        out.c[c] = f32(t->value[c] / t->max[c]);
    return out;
}

/* Alpha is this texel, red its right neighbour, green the one below, blue the lower right one. */
static inline struct oracle_colour oracle_gather(const struct oracle_footprint *p)
{
    static const int offset[4][3] = {{1, 0}, {0, 1}, {1, 1}, {0, 0}};
    int from = p->o->format->sources[0] == 'r' ? 0 : 3;
    struct oracle_colour out;

    for (int c = 0; c < 4; c++) {
        struct oracle_texel t = oracle_at(p, offset[c]);

        out.c[c] = f32(t.value[from] / t.max[from]);
    }
    return out;
}

enum oracle_filter { ORACLE_POINT, ORACLE_LINEAR, ORACLE_GATHER };

/* at: for cube maps, coordinates on the face. */
static inline struct oracle_colour oracle_level(const struct oracle *o, const double at[3],
                                                double reference, unsigned face, unsigned level,
                                                enum oracle_filter filter)
{
    struct oracle_footprint p = {.o = o,
                                 .level = tex_image_level(o->image, face, level),
                                 .reference = reference,
                                 .axes = o->image->desc.shape == TEX_VOLUME_MAP ? 3 : 2};
    uint32_t size[3] = {p.level->width, p.level->height, p.level->depth};
    int offset[3] = {0, 0, 0};
    struct oracle_texel t;

    for (unsigned a = 0; a < p.axes; a++) {
        int position;

        p.address[a] = o->image->desc.shape == TEX_CUBE_MAP ? (uint8_t)D3DTADDRESS_CLAMP
                                                            : o->state->address[a];
        position = oracle_position(at[a], size[a], p.address[a]);
        if (filter == ORACLE_LINEAR)
            position -= 128;
        p.texel[a] = (int)floor(position / 256.0);
        p.fraction[a] = position / 256.0 - p.texel[a];
    }
    if (filter == ORACLE_GATHER)
        return oracle_gather(&p);
    t = filter == ORACLE_LINEAR ? oracle_blend(&p, (int)p.axes - 1, offset) : oracle_at(&p, offset);
    return oracle_divide(&t);
}

/* --- Cube maps -------------------------------------------------------------------------------- */

/* Axes and signs of u and v on each face, and the face's major axis
 * (reference: texture/cube-orientation: +x is (1,-v,-u), ...). */
static const struct {
    int u, v, major;
    double u_sign, v_sign;
} oracle_faces[6] = {{2, 1, 0, -1, -1}, {2, 1, 0, 1, -1}, {0, 2, 1, 1, 1},
                     {0, 2, 1, 1, -1},  {0, 1, 2, 1, -1}, {0, 1, 2, -1, -1}};

static inline unsigned oracle_face(const double d[3])
{
    double x = fabs(d[0]), y = fabs(d[1]), z = fabs(d[2]);
    unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;

    return 2 * axis + (d[axis] < 0);
}

static inline void oracle_on_face(unsigned face, const double d[3], double at[3])
{
    double axis = d[oracle_faces[face].major], major = face & 1 ? -axis : axis;
    double u = oracle_faces[face].u_sign * d[oracle_faces[face].u];
    double v = oracle_faces[face].v_sign * d[oracle_faces[face].v];

    at[0] = f32(f32(u / major) / 2.0 + 0.5);
    at[1] = f32(f32(v / major) / 2.0 + 0.5);
    at[2] = 0.0;
}

/* --- Levels ----------------------------------------------------------------------------------- */

/* Samples with a biased LOD in 1/256 (reference: texture/mag-or-min, texture/max-level,
 * texture/mip-none, texture/mip-linear). */
static inline struct oracle_colour oracle_with_level(const struct oracle *o, const double at[3],
                                                     double reference, unsigned face, int level)
{
    const struct tex_sampler_state *s = o->state;
    int last = (int)o->image->desc.levels - 1, base_level = (int)s->lod, first = base_level;
    int filter = s->mip_filter;
    bool magnified;
    struct oracle_colour fine, coarse;
    double w;

    if (filter != D3DTEXF_NONE && (int)s->max_mip_level > first)
        first = (int)s->max_mip_level;
    if (first > last)
        first = last;
    magnified = level <= (base_level < last ? base_level : last) * 256;
    if (magnified || filter == D3DTEXF_NONE || level < first * 256)
        level = first * 256;
    if (filter == D3DTEXF_POINT)
        level = (level + 128) / 256 * 256;
    if (level > last * 256)
        level = last * 256;
    if (magnified)
        return oracle_level(o, at, reference, face, (unsigned)first,
                            s->mag_filter > D3DTEXF_POINT ? ORACLE_LINEAR : ORACLE_POINT);
    fine = oracle_level(o, at, reference, face, (unsigned)level / 256,
                        s->min_filter > D3DTEXF_POINT ? ORACLE_LINEAR : ORACLE_POINT);
    if (level % 256 == 0)
        return fine;
    coarse = oracle_level(o, at, reference, face, (unsigned)level / 256 + 1,
                          s->min_filter > D3DTEXF_POINT ? ORACLE_LINEAR : ORACLE_POINT);
    w = level % 256 / 256.0;
    for (int c = 0; c < 4; c++)
        fine.c[c] = f32(f32(fine.c[c] * (1.0 - w)) + f32(coarse.c[c] * w));
    return fine;
}

/* Rounds to 1/256; NaN magnifies. */
static inline int oracle_fixed(double lod)
{
    return isnan(lod) ? -64 * 256 : (int)rint(fmin(fmax(lod, -64.0), 64.0) * 256.0);
}

/* log2 of the longer of two derivative vectors in texels (reference: texture/mip-level). For cube
 * maps on the face that `d` selects, whose edge is two units. */
static inline double oracle_lod(const struct oracle *o, const double d[3], double dx[3],
                                double dy[3])
{
    const struct tex_desc *desc = &o->image->desc;
    double size[3] = {desc->width, desc->height, desc->depth}, length[2] = {0, 0};
    double *v[2] = {dx, dy};
    int axes = desc->shape == TEX_VOLUME_MAP ? 3 : 2;

    for (int k = 0; k < 2; k++) {
        double on_face[3];

        if (desc->shape == TEX_CUBE_MAP) {
            unsigned f = oracle_face(d);
            double major = fabs(d[oracle_faces[f].major]);
            double sign = f & 1 ? -1.0 : 1.0, dm = sign * v[k][oracle_faces[f].major];
            double su = oracle_faces[f].u_sign, sv = oracle_faces[f].v_sign;
            int u = oracle_faces[f].u, w = oracle_faces[f].v;

            on_face[0] = (su * v[k][u] - su * d[u] / major * dm) / major / 2.0;
            on_face[1] = (sv * v[k][w] - sv * d[w] / major * dm) / major / 2.0;
            v[k] = on_face;
        }
        for (int a = 0; a < axes; a++)
            length[k] += v[k][a] * size[a] * v[k][a] * size[a];
    }
    return log2(length[0] > length[1] ? length[0] : length[1]) / 2.0;
}

#endif
