/* One batch of samples: projects cube directions, finds levels, and calls the level functions
 * (reference: texture/mip-level, texture/cube-faces, texture/anisotropic).
 *
 * Levels are chosen once a quad, or once a lane where the shader gives gradients or a level: an
 * "entry" is one such choice, `n` is 16 or 64, and n <= 16 says that four lanes share an entry. */
#include "tex/footprint.h"

#include "util/simd_math.h"

#include <float.h>
#include <string.h>

enum { QUADS = TEX_LANES / 4, LOD_LIMIT = 64 };

struct lanes_f32 {
    _Alignas(64) float lane[TEX_LANES];
};
struct lanes_i32 {
    _Alignas(64) int32_t lane[TEX_LANES];
};

/* Derivatives along the screen's x and y of up to three coordinates, and the coordinates. */
struct gradients {
    unsigned n, axes;
    struct lanes_f32 at[3], d[2][3];
};

/* What each entry uses. */
struct choice {
    unsigned n;
    bool anisotropic;
    uint64_t magnified;        /* lanes */
    struct lanes_i32 level;    /* the finer level, for lanes that are minified */
    struct lanes_i32 fraction; /* of the next one, in 1/256 */
    struct lanes_f32 probes;   /* anisotropic: how many, along which step in coordinates */
    struct lanes_f32 step[3];
};

/* --- Lanes and entries ------------------------------------------------------------------------ */

/* Bit e of 16 becomes bits 4e … 4e + 3. */
static uint64_t lanes_of_entries(uint64_t bits, unsigned n)
{
    if (n == TEX_LANES)
        return bits;
    bits = (bits | bits << 24) & UINT64_C(0x000000ff000000ff);
    bits = (bits | bits << 12) & UINT64_C(0x000f000f000f000f);
    bits = (bits | bits << 6) & UINT64_C(0x0303030303030303);
    bits = (bits | bits << 3) & UINT64_C(0x1111111111111111);
    return bits * 15;
}

static uint64_t entries_equal(const struct lanes_i32 *a, int32_t value, unsigned n)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < n; i += SIMD_LANES)
        bits |= (uint64_t)m32v_bits(i32v_eq(i32v_load(a->lane + i), i32v_set1(value))) << i;
    return lanes_of_entries(bits, n);
}

static void spread(float *lane, const float *entry, unsigned n)
{
    if (n == TEX_LANES) {
        memcpy(lane, entry, TEX_LANES * sizeof(*lane));
        return;
    }
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        f32v_store(lane + i, f32v_load_spread(entry + i / 4));
}

static unsigned entry_of_lane(unsigned lane, unsigned n)
{
    return n == TEX_LANES ? lane : lane / 4;
}

/* --- Cubes ------------------------------------------------------------------------------------ */

/* The face a direction points to: its axis, and the two coordinates on it before division. */
struct cube_axis {
    m32v y, z; /* neither: x */
    m32v negative;
    f32v major, s, t; /* major is not negative */
};

static inline f32v negate_where(m32v m, f32v v)
{
    return f32v_select(m, f32v_neg(v), v);
}

/* Components in the roles that the chosen axis gives them; v need not be the direction itself. */
static inline void face_roles(const struct cube_axis *c, const f32v v[3], f32v *major, f32v *s,
                              f32v *t)
{
    m32v flip_s = m32v_or(m32v_and(c->z, c->negative),
                          m32v_andnot(c->negative, m32v_not(m32v_or(c->y, c->z))));

    *major = negate_where(c->negative, f32v_select(c->z, v[2], f32v_select(c->y, v[1], v[0])));
    *s = negate_where(flip_s, f32v_select(m32v_or(c->y, c->z), v[0], v[2]));
    *t = f32v_select(c->y, negate_where(c->negative, v[2]), f32v_neg(v[1]));
}

/* The longest component; of equal ones z before y before x. */
static inline struct cube_axis cube_axis(const f32v v[3])
{
    f32v x = f32v_abs(v[0]), y = f32v_abs(v[1]), z = f32v_abs(v[2]), longest;
    struct cube_axis c;

    c.z = m32v_and(f32v_ge(z, x), f32v_ge(z, y));
    c.y = m32v_andnot(c.z, f32v_ge(y, x));
    longest = f32v_select(c.z, v[2], f32v_select(c.y, v[1], v[0]));
    c.negative = f32v_lt(longest, f32v_zero());
    face_roles(&c, v, &c.major, &c.s, &c.t);
    return c;
}

struct cube_lanes {
    struct lanes_f32 u, v;
    struct lanes_i32 face_word;
};

static void project_cube(const struct tex_sampler_private *s, const float *const coord[3],
                         struct cube_lanes *out)
{
    f32v half = f32v_set1(0.5f);
    i32v words = i32v_set1(s->face_words);

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v v[3] = {f32v_load(coord[0] + i), f32v_load(coord[1] + i), f32v_load(coord[2] + i)};
        struct cube_axis c = cube_axis(v);
        i32v axis = i32v_select(c.z, i32v_set1(4), i32v_select(c.y, i32v_set1(2), i32v_set1(0)));
        i32v face = i32v_sub(axis, m32v_as_i32(c.negative));

        f32v_store(out->u.lane + i, f32v_add(f32v_mul(f32v_div(c.s, c.major), half), half));
        f32v_store(out->v.lane + i, f32v_add(f32v_mul(f32v_div(c.t, c.major), half), half));
        i32v_store(out->face_word.lane + i, i32v_mul(face, words));
    }
}

/* Derivatives of the direction become derivatives on the face that the entry's first lane hits:
 * d(s / m) = (ds - (s / m) * dm) / m, and half of that since faces are two units wide. */
static void project_gradients(struct gradients *g)
{
    f32v half = f32v_set1(0.5f);

    for (unsigned i = 0; i < g->n; i += SIMD_LANES) {
        f32v v[3] = {f32v_load(g->at[0].lane + i), f32v_load(g->at[1].lane + i),
                     f32v_load(g->at[2].lane + i)};
        struct cube_axis c = cube_axis(v);
        f32v s = f32v_div(c.s, c.major), t = f32v_div(c.t, c.major);

        for (int k = 0; k < 2; k++) {
            f32v d[3] = {f32v_load(g->d[k][0].lane + i), f32v_load(g->d[k][1].lane + i),
                         f32v_load(g->d[k][2].lane + i)};
            f32v dm, ds, dt;

            face_roles(&c, d, &dm, &ds, &dt);
            ds = f32v_div(f32v_sub(ds, f32v_mul(s, dm)), c.major);
            dt = f32v_div(f32v_sub(dt, f32v_mul(t, dm)), c.major);
            f32v_store(g->d[k][0].lane + i, f32v_mul(ds, half));
            f32v_store(g->d[k][1].lane + i, f32v_mul(dt, half));
        }
    }
    g->axes = 2;
}

/* --- Derivatives ------------------------------------------------------------------------------ */

static void quad_differences(struct gradients *g, const float *const coord[3])
{
    g->n = QUADS;
    for (unsigned a = 0; a < g->axes; a++) {
        for (unsigned q = 0; q < QUADS; q += SIMD_LANES) {
            f32v lane[3]; /* itself, to the right, below */

            f32v_load_quads(coord[a] + 4 * q, lane);
            f32v_store(g->at[a].lane + q, lane[0]);
            f32v_store(g->d[0][a].lane + q, f32v_sub(lane[1], lane[0]));
            f32v_store(g->d[1][a].lane + q, f32v_sub(lane[2], lane[0]));
        }
    }
}

static void copy_lanes(struct lanes_f32 *to, const float *from)
{
    if (from)
        memcpy(to->lane, from, sizeof(to->lane));
    else
        memset(to->lane, 0, sizeof(to->lane));
}

static void given_gradients(struct gradients *g, const struct tex_sample *in,
                            const float *const coord[3])
{
    g->n = TEX_LANES;
    for (unsigned a = 0; a < g->axes; a++) {
        copy_lanes(&g->at[a], coord[a]);
        copy_lanes(&g->d[0][a], in->ddx[a]);
        copy_lanes(&g->d[1][a], in->ddy[a]);
    }
}

/* --- Level of detail -------------------------------------------------------------------------- */

/* What the squares of a footprint's derivatives and their product sum up to, in texels. */
struct footprint {
    f32v x2, y2, xy;
};

static inline struct footprint footprint(const struct tex_sampler_private *s,
                                         const struct gradients *g, unsigned i)
{
    struct footprint f = {f32v_zero(), f32v_zero(), f32v_zero()};

    for (unsigned a = 0; a < g->axes; a++) {
        f32v size = f32v_set1(s->size[a]);
        f32v x = f32v_mul(f32v_load(g->d[0][a].lane + i), size);
        f32v y = f32v_mul(f32v_load(g->d[1][a].lane + i), size);

        f.x2 = f32v_add(f.x2, f32v_mul(x, x));
        f.y2 = f32v_add(f.y2, f32v_mul(y, y));
        f.xy = f32v_add(f.xy, f32v_mul(x, y));
    }
    return f;
}

/* Probes along the longer axis: as many as it is longer than the shorter one, which counts as one
 * texel at least; 1/256 of tolerance keeps rounding from adding a probe. */
static inline f32v count_probes(const struct tex_sampler_private *s, f32v longer2, f32v shorter2)
{
    f32v one = f32v_set1(1.0f);
    f32v ratio = f32v_div(f32v_sqrt(longer2), f32v_sqrt(f32v_max(shorter2, one)));

    ratio = f32v_sub(ratio, f32v_set1(1.0f / 256.0f));
    ratio = f32v_min(f32v_max(ratio, one), f32v_set1(s->max_probes));
    return f32v_neg(f32v_floor(f32v_neg(ratio)));
}

/* The longer axis of the ellipse that a pixel's circle becomes is c * d/dx + s * d/dy, where (c, s)
 * is the direction on the screen that is stretched most. Derivatives that are equally long and at
 * right angles have no such direction, and too large ones none that could be found: the longer. */
static inline void longest_direction(const struct footprint *f, f32v difference, f32v root, f32v *c,
                                     f32v *s)
{
    f32v half = f32v_set1(0.5f), one = f32v_set1(1.0f), zero = f32v_zero();
    m32v known = m32v_and(f32v_gt(root, zero), f32v_le(root, f32v_set1(FLT_MAX)));
    m32v along_x = f32v_ge(difference, zero);
    f32v large = f32v_div(f32v_abs(difference), root), small;

    large = f32v_sqrt(f32v_add(half, f32v_mul(half, large)));
    small = f32v_div(f->xy, f32v_mul(root, large));
    large = f32v_select(known, large, one);
    small = f32v_where(known, small);
    *c = f32v_select(along_x, large, small);
    *s = f32v_select(along_x, small, large);
}

/* Square of the length that a level is chosen by, of an ellipse (reference: texture/anisotropic);
 * sets probes and steps. */
static inline f32v measure_ellipse(const struct tex_sampler_private *s, const struct gradients *g,
                                   const struct footprint *f, struct choice *choice, unsigned i)
{
    f32v half = f32v_set1(0.5f), two = f32v_set1(2.0f);
    f32v difference = f32v_sub(f->x2, f->y2), twice = f32v_mul(two, f->xy);
    f32v root = f32v_sqrt(f32v_add(f32v_mul(difference, difference), f32v_mul(twice, twice)));
    f32v longer2 = f32v_mul(half, f32v_add(f32v_add(f->x2, f->y2), root));
    f32v area2 = f32v_sub(f32v_mul(f->x2, f->y2), f32v_mul(f->xy, f->xy));
    f32v shorter2 = f32v_div(f32v_max(area2, f32v_zero()), longer2);
    f32v least2 = f32v_div(longer2, f32v_set1(s->max_probes * s->max_probes)), c, sine;

    f32v_store(choice->probes.lane + i, count_probes(s, longer2, shorter2));
    longest_direction(f, difference, root, &c, &sine);
    for (unsigned a = 0; a < g->axes; a++)
        f32v_store(choice->step[a].lane + i,
                   f32v_add(f32v_mul(c, f32v_load(g->d[0][a].lane + i)),
                            f32v_mul(sine, f32v_load(g->d[1][a].lane + i))));
    return f32v_max(shorter2, least2);
}

/* The level in texels, before any bias; sets probes and steps where anisotropic. */
static void measure(const struct tex_sampler_private *s, const struct gradients *g, float *lod,
                    struct choice *c)
{
    f32v half = f32v_set1(0.5f);

    for (unsigned i = 0; i < g->n; i += SIMD_LANES) {
        struct footprint f = footprint(s, g, i);
        f32v length2 = f32v_max(f.x2, f.y2);

        if (c->anisotropic)
            length2 = measure_ellipse(s, g, &f, c, i);
        f32v_store(lod + i, f32v_mul(half, f32v_log2(length2)));
    }
}

/* Splits a level, biases included, into level and fraction (reference: texture/mip-level); returns
 * the lanes that are magnified. */
static inline m32v split_level(const struct tex_sampler_private *s, f32v lod, struct choice *c,
                               unsigned i)
{
    f32v limit = f32v_set1(LOD_LIMIT);
    i32v first = i32v_set1(s->first << 8), last = i32v_set1(s->last << 8), fixed;
    m32v large;

    lod = f32v_min(f32v_max(lod, f32v_neg(limit)), limit); /* NaN counts as magnified */
    fixed = f32v_to_i32_round(f32v_mul(lod, f32v_set1(256.0f)));
    large = m32v_not(i32v_lt(i32v_set1(s->finest << 8), fixed));
    if (s->mip_filter == D3DTEXF_NONE)
        fixed = first;
    else if (s->mip_filter == D3DTEXF_POINT)
        fixed = i32v_add(fixed, i32v_set1(128));
    fixed = i32v_min(i32v_max(fixed, first), last);
    i32v_store(c->level.lane + i, i32v_sra(fixed, 8));
    i32v_store(c->fraction.lane + i, i32v_and(fixed, i32v_set1(255)));
    return large;
}

/* Adds the biases and splits. */
static void choose_levels(const struct tex_sampler_private *s, const float *lod, const float *bias,
                          struct choice *c)
{
    uint64_t magnified = 0;

    for (unsigned i = 0; i < c->n; i += SIMD_LANES) {
        f32v v = f32v_add(f32v_load(lod + i), f32v_set1(s->lod_bias));
        m32v large;

        if (bias)
            v = f32v_add(v, f32v_load(bias + i));
        large = split_level(s, v, c, i);
        if (c->anisotropic) /* several probes are minified whatever is left of the level */
            large = m32v_and(large, f32v_le(f32v_load(c->probes.lane + i), f32v_set1(1.0f)));
        magnified |= (uint64_t)m32v_bits(large) << i;
    }
    c->magnified = lanes_of_entries(magnified, c->n);
}

/* What quad_differences, measure and choose_levels do, at once for what most samples are: of two
 * coordinates, isotropic, without a level or gradients from the shader. */
static void choose_plain(const struct tex_sampler_private *s, const float *const coord[3],
                         struct choice *c)
{
    f32v half = f32v_set1(0.5f), one = f32v_set1(1.0f), bias = f32v_set1(s->lod_bias);
    f32v width = f32v_set1(s->size[0]), height = f32v_set1(s->size[1]);
    _Alignas(64) float longer2[QUADS];
    m32v short_ones = m32v_all();
    uint64_t magnified = 0;

    c->n = QUADS;
    for (unsigned q = 0; q < QUADS; q += SIMD_LANES) {
        f32v u[3], v[3], length2[2];

        f32v_load_quads(coord[0] + 4 * q, u);
        f32v_load_quads(coord[1] + 4 * q, v);
        for (int k = 0; k < 2; k++) { /* to the right, below */
            f32v du = f32v_mul(f32v_sub(u[k + 1], u[0]), width);
            f32v dv = f32v_mul(f32v_sub(v[k + 1], v[0]), height);

            length2[k] = f32v_add(f32v_mul(du, du), f32v_mul(dv, dv));
        }
        length2[0] = f32v_max(length2[0], length2[1]);
        short_ones = m32v_and(short_ones, f32v_le(length2[0], one));
        f32v_store(longer2 + q, length2[0]);
    }
    if (s->lod_bias <= 0.0f && m32v_every(short_ones)) { /* no level is above 0 */
        c->magnified = UINT64_MAX;
        return;
    }
    for (unsigned q = 0; q < QUADS; q += SIMD_LANES) {
        f32v lod = f32v_mul(half, f32v_log2(f32v_load(longer2 + q)));

        magnified |= (uint64_t)m32v_bits(split_level(s, f32v_add(lod, bias), c, q)) << q;
    }
    c->magnified = lanes_of_entries(magnified, c->n);
}

static void choose(const struct tex_sampler_private *s, const struct tex_sample *in,
                   const float *const coord[3], struct choice *c)
{
    struct gradients g;
    struct lanes_f32 lod, wide;

    c->anisotropic = false;
    if (in->lod_mode == TEX_LOD_EXPLICIT) {
        c->n = TEX_LANES;
        choose_levels(s, in->lod, NULL, c);
        return;
    }
    c->anisotropic = s->max_probes > 1.0f;
    if (in->lod_mode == TEX_LOD_IMPLICIT && s->shape == TEX_2D && !c->anisotropic) {
        choose_plain(s, coord, c);
        return;
    }
    g.axes = s->shape == TEX_2D ? 2 : 3;
    if (in->lod_mode == TEX_LOD_GRADIENT)
        given_gradients(&g, in, coord);
    else
        quad_differences(&g, coord);
    if (s->shape == TEX_CUBE_MAP)
        project_gradients(&g);
    c->n = g.n;
    measure(s, &g, lod.lane, c);
    if (in->lod_mode != TEX_LOD_BIAS) {
        choose_levels(s, lod.lane, NULL, c);
        return;
    }
    spread(wide.lane, lod.lane, g.n);
    c->n = TEX_LANES;
    if (c->anisotropic) {
        struct lanes_f32 narrow = c->probes;

        spread(c->probes.lane, narrow.lane, g.n);
        for (unsigned a = 0; a < g.axes; a++) {
            narrow = c->step[a];
            spread(c->step[a].lane, narrow.lane, g.n);
        }
    }
    choose_levels(s, wide.lane, in->lod, c);
}

/* --- Sampling --------------------------------------------------------------------------------- */

/* Calls the level function once for each level that lanes use. */
static void sample_levels(const struct tex_sampler_private *s, const struct choice *c,
                          const struct tex_coords *at, uint64_t lanes, int32_t above,
                          float *const out[4])
{
    while (lanes) {
        int32_t level = c->level.lane[entry_of_lane((unsigned)__builtin_ctzll(lanes), c->n)];
        uint64_t same = entries_equal(&c->level, level, c->n) & lanes;

        s->minify(s, &s->level[level + above], at, same, out);
        lanes &= ~same;
    }
}

/* The next level's part, of each lane. */
static void spread_fractions(const struct choice *c, struct lanes_f32 *weight)
{
    struct lanes_f32 entry;
    f32v scale = f32v_set1(1.0f / 256.0f);

    for (unsigned i = 0; i < c->n; i += SIMD_LANES)
        f32v_store(entry.lane + i, f32v_mul(i32v_to_f32(i32v_load(c->fraction.lane + i)), scale));
    spread(weight->lane, entry.lane, c->n);
}

static void blend_levels(const struct choice *c, uint64_t lanes, float *const out[4],
                         float *const coarse[4])
{
    struct lanes_f32 weight;
    f32v one = f32v_set1(1.0f);

    spread_fractions(c, &weight);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        m32v some = m32v_from_bits((unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS);
        f32v w = f32v_load(weight.lane + i), rest = f32v_sub(one, w);

        for (int k = 0; k < 4; k++) {
            f32v a, b;

            if (!out[k])
                continue;
            a = f32v_load(out[k] + i);
            b = f32v_load(coarse[k] + i);
            b = f32v_add(f32v_mul(a, rest), f32v_mul(b, w));
            f32v_store(out[k] + i, f32v_select(some, b, a));
        }
    }
}

/* Lanes among some that use the same level as the first of them. */
static uint64_t same_level(const struct choice *c, uint64_t lanes, int32_t *level)
{
    *level = c->level.lane[entry_of_lane((unsigned)__builtin_ctzll(lanes), c->n)];
    return lanes & entries_equal(&c->level, *level, c->n);
}

/* As sample_minified, both levels at once. */
static void sample_level_pairs(const struct tex_sampler_private *s, const struct choice *c,
                               const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    uint64_t blended = lanes & ~entries_equal(&c->fraction, 0, c->n), same;
    struct lanes_f32 weight;
    int32_t level;

    spread_fractions(c, &weight);
    for (; lanes; lanes &= ~same) {
        same = same_level(c, lanes, &level);
        if (!(same & blended)) {
            s->minify(s, &s->level[level], at, same, out);
            continue;
        }
        if (s->shadow) {
            tex_footprint_need(s, &s->level[level], at, same);
            tex_footprint_need(s, &s->level[level + 1], at, same);
        }
        s->minify_levels(s, &s->level[level], at, weight.lane, same, out);
    }
}

/* Minified lanes, with the mip filter. */
static void sample_minified(const struct tex_sampler_private *s, const struct choice *c,
                            const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    struct lanes_f32 memory[4];
    float *const coarse[4] = {memory[0].lane, memory[1].lane, memory[2].lane, memory[3].lane};
    float *wanted[4];
    uint64_t blended;

    if (s->minify_levels && s->mip_filter == D3DTEXF_LINEAR) {
        sample_level_pairs(s, c, at, lanes, out);
        return;
    }
    sample_levels(s, c, at, lanes, 0, out);
    if (s->mip_filter != D3DTEXF_LINEAR)
        return;
    blended = lanes & ~entries_equal(&c->fraction, 0, c->n);
    if (!blended)
        return;
    for (int k = 0; k < 4; k++)
        wanted[k] = out[k] ? coarse[k] : NULL;
    sample_levels(s, c, at, blended, 1, wanted);
    blend_levels(c, blended, out, coarse);
}

/* Probe p of n lies (2p + 1) / 2n - 1/2 steps from the middle. */
static void move_to_probe(const struct tex_sampler_private *s, const struct lanes_f32 *n,
                          const struct lanes_f32 step[3], const struct tex_coords *at, unsigned p,
                          struct lanes_f32 moved[3])
{
    unsigned axes = s->shape == TEX_VOLUME_MAP ? 3 : 2;
    f32v middle = f32v_set1((float)p + 0.5f), half = f32v_set1(0.5f);

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v along = f32v_sub(f32v_div(middle, f32v_load(n->lane + i)), half);

        for (unsigned a = 0; a < axes; a++) {
            f32v d = f32v_mul(f32v_load(step[a].lane + i), along);

            f32v_store(moved[a].lane + i, f32v_add(f32v_load(at->axis[a] + i), d));
        }
    }
}

static uint64_t lanes_above(const struct lanes_f32 *a, float value)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        bits |= (uint64_t)m32v_bits(f32v_gt(f32v_load(a->lane + i), f32v_set1(value))) << i;
    return bits;
}

static void accumulate(float *const out[4], float *const probe[4], uint64_t lanes)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        m32v some = m32v_from_bits((unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS);

        for (int k = 0; k < 4; k++) {
            f32v sum;

            if (!out[k])
                continue;
            sum = f32v_load(out[k] + i);
            f32v_store(out[k] + i, f32v_select(some, f32v_add(sum, f32v_load(probe[k] + i)), sum));
        }
    }
}

static void divide_by_probes(const struct lanes_f32 *n, uint64_t lanes, float *const out[4])
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        m32v some = m32v_from_bits((unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS);

        for (int k = 0; k < 4; k++) {
            f32v sum;

            if (!out[k])
                continue;
            sum = f32v_load(out[k] + i);
            f32v_store(out[k] + i, f32v_select(some, f32v_div(sum, f32v_load(n->lane + i)), sum));
        }
    }
}

/* Every probe of some lanes that use the same level. */
static void need_probes(const struct tex_sampler_private *s, const struct tex_level *level,
                        const struct tex_coords *at, const struct lanes_f32 *n,
                        const struct lanes_f32 step[3], bool two, uint64_t several)
{
    struct lanes_f32 moved[3];
    struct tex_coords here = *at;
    uint64_t lanes = several;

    here.axis[0] = moved[0].lane;
    here.axis[1] = moved[1].lane;
    for (unsigned p = 0; lanes; p++, lanes = several & lanes_above(n, (float)p)) {
        move_to_probe(s, n, step, at, p, moved);
        tex_footprint_need(s, level, &here, lanes);
        if (two)
            tex_footprint_need(s, level + 1, &here, lanes);
    }
}

static void sample_all_probes(const struct tex_sampler_private *s, const struct choice *c,
                              const struct tex_coords *at, const struct lanes_f32 *n,
                              const struct lanes_f32 step[3], uint64_t lanes, float *const out[4])
{
    struct tex_probes probes = {.count = n->lane, .step = {step[0].lane, step[1].lane}};
    uint64_t blended = 0, same;
    struct lanes_f32 weight;
    int32_t level;

    if (s->mip_filter == D3DTEXF_LINEAR)
        blended = lanes & ~entries_equal(&c->fraction, 0, c->n);
    spread_fractions(c, &weight);
    probes.weight = weight.lane;
    for (; lanes; lanes &= ~same) {
        same = same_level(c, lanes, &level);
        probes.two = (same & blended) != 0;
        if (s->shadow)
            need_probes(s, &s->level[level], at, n, step, probes.two, same);
        s->minify_probes(s, &s->level[level], at, &probes, same, out);
    }
}

static void sample_anisotropic(const struct tex_sampler_private *s, const struct choice *c,
                               const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    struct lanes_f32 n, step[3], moved[3], memory[4];
    float *const probe[4] = {out[0] ? memory[0].lane : NULL, out[1] ? memory[1].lane : NULL,
                             out[2] ? memory[2].lane : NULL, out[3] ? memory[3].lane : NULL};
    struct tex_coords here = *at;
    uint64_t several;

    spread(n.lane, c->probes.lane, c->n);
    several = lanes & lanes_above(&n, 1.0f);
    if (several != lanes)
        sample_minified(s, c, at, lanes & ~several, out);
    if (!several)
        return;
    for (int a = 0; a < (s->shape == TEX_VOLUME_MAP ? 3 : 2); a++) {
        spread(step[a].lane, c->step[a].lane, c->n);
        here.axis[a] = moved[a].lane;
    }
    if (s->minify_probes) {
        sample_all_probes(s, c, at, &n, step, several, out);
        return;
    }
    lanes = several;
    for (unsigned p = 0; lanes; p++, lanes = several & lanes_above(&n, (float)p)) {
        move_to_probe(s, &n, step, at, p, moved);
        sample_minified(s, c, &here, lanes, p ? probe : out);
        if (p)
            accumulate(out, probe, lanes);
    }
    divide_by_probes(&n, several, out);
}

static void sample(const struct tex_sampler_private *s, const struct tex_sample *in)
{
    static const struct lanes_f32 zero;
    const float *coord[3];
    struct tex_coords at;
    struct cube_lanes cube;
    struct choice c;
    uint64_t minified;

    for (int a = 0; a < 3; a++)
        at.axis[a] = coord[a] = in->coord[a] ? in->coord[a] : zero.lane;
    at.reference = coord[2];
    at.face_word = NULL;
    if (s->shape == TEX_CUBE_MAP) {
        project_cube(s, coord, &cube);
        at.axis[0] = cube.u.lane;
        at.axis[1] = cube.v.lane;
        at.face_word = cube.face_word.lane;
    }
    if (!s->needs_lod) {
        s->magnify(s, &s->level[s->first], &at, in->lanes, in->texel);
        return;
    }
    choose(s, in, coord, &c);
    if (in->lanes & c.magnified)
        s->magnify(s, &s->level[s->first], &at, in->lanes & c.magnified, in->texel);
    minified = in->lanes & ~c.magnified;
    if (minified && c.anisotropic)
        sample_anisotropic(s, &c, &at, minified, in->texel);
    else if (minified)
        sample_minified(s, &c, &at, minified, in->texel);
}

const struct tex_sample_kern KERN_NAME(tex_sample_kern) = {.sample = sample};
