/* Samplers against a reference sampler written from the rules (oracle_sample.h): random formats,
 * shapes, sizes, states and coordinates, on every instruction set. Results are bit-exact except for
 * formats whose decoding rounds before filtering (signed, sRGB). */
#include "check_main.h"
#include "oracle_sample.h"
#include "still.h"
#include "tex_helpers.h"
#include "util/cpu.h"

#include <stdio.h>

enum { CASES = 3000 };

static void leave(void)
{
    ck_assert_int_eq(cpu_set_isa(ISA_SCALAR), ST_OK);
    leave_fp_mode();
}

/* --- Random cases ----------------------------------------------------------------------------- */

static uint64_t seed;

static uint32_t any(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 32);
}
static uint32_t below(uint32_t n)
{
    return any() % n;
}
static double between(double low, double high)
{
    return low + (high - low) * (any() / 4294967296.0);
}
static float tame_float(void)
{
    static const float special[] = {0.0f, -0.0f, 1.0f, INFINITY, -INFINITY, NAN, 1e-40f, 2e-38f};

    return below(12) ? (float)(between(-8, 8) * exp2(between(-6, 6))) : special[below(8)];
}

static uint32_t any_size(uint32_t most)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 64, 100, 255, 256, 300};
    uint32_t size = sizes[below(15)];

    return size < most ? size : most;
}

static struct tex_desc any_desc(const struct oracle_format *f)
{
    struct tex_desc d = desc_of((D3DFORMAT)f->d3d, TEX_2D, 1, 1, 1, 1, 1);
    uint32_t longest, levels = 1;

    if (f->layout != ORACLE_DEPTH)
        d.shape = (enum tex_shape)below(3);
    d.width = any_size(d.shape == TEX_2D ? 300 : 24);
    d.height = d.shape == TEX_CUBE_MAP ? d.width : any_size(d.shape == TEX_2D ? 300 : 24);
    if (d.shape == TEX_VOLUME_MAP)
        d.depth = any_size(9);
    if (d.shape == TEX_2D && below(12) == 0) { /* maximum size */
        d.width = 16384 - below(2) * below(9000);
        d.height = 1 + below(3);
        if (below(2)) {
            uint32_t width = d.width;

            d.width = d.height;
            d.height = width;
        }
    }
    longest = d.width > d.height ? d.width : d.height;
    for (longest = longest > d.depth ? longest : d.depth; longest > 1; longest /= 2)
        levels++;
    d.levels = 1 + below(levels);
    return d;
}

static void fill(const struct oracle_format *f, struct tex_image *image)
{
    for (uint32_t i = 0; i < image->faces * image->desc.levels; i++) {
        struct tex_level *l = &image->level[i];
        size_t rows = tex_block_rows(image->format, l->height);

        for (uint32_t z = 0; z < l->depth; z++) {
            for (size_t b = 0; b + 4 <= rows * l->row_pitch; b += 4) {
                uint32_t word = any();
                float value = tame_float();

                if (f->layout == ORACLE_FLOAT)
                    memcpy(&word, &value, 4);
                else if (f->d3d == D3DFMT_D32F_LOCKABLE)
                    memcpy(&word, &(float){(float)between(0, 1)}, 4);
                memcpy(l->data + z * (size_t)l->slice_pitch + b, &word, 4);
            }
        }
    }
    tex_image_touch(image);
}

static struct tex_sampler_state any_state(const struct tex_image *image, const uint32_t *palette)
{
    struct tex_sampler_state s = {
        .min_filter = (uint8_t)(1 + below(2)),
        .mag_filter = (uint8_t)(1 + below(2)),
        .mip_filter = (uint8_t)below(3),
        .max_anisotropy = 1,
        .srgb = below(4) == 0,
        .border = any(),
        .palette = below(4) ? palette : NULL,
    };

    for (int a = 0; a < 3; a++)
        s.address[a] = (uint8_t)(D3DTADDRESS_WRAP + below(5));
    if (below(3) == 0)
        s.max_mip_level = below(image->desc.levels + 3);
    if (below(3) == 0)
        s.lod = below(image->desc.levels);
    if (below(3) == 0)
        s.lod_bias = (float)between(-3, 3);
    if (below(24) == 0)
        s.lod_bias = below(3) ? below(2) ? INFINITY : -INFINITY : NAN;
    if (below(6) == 0)
        memcpy(&s.lod_bias, &(uint32_t){FOURCC('G', 'E', 'T', '4')}, 4);
    return s;
}

/* --- One case --------------------------------------------------------------------------------- */

struct trial {
    struct oracle o;
    struct tex_sampler_state state;
    struct sample sample;
    struct sample_batch at, dx, dy, out;
    _Alignas(64) float lod[TEX_LANES];
};

static float any_coordinate(uint32_t size)
{
    static const float special[] = {0.0f,  -0.0f,    1.0f,      -1.0f, 1e-42f, 1e9f, -1e9f,
                                    3e38f, INFINITY, -INFINITY, NAN,   -1e-9f, 2.0f, 16777217.0f};
    float n = (float)size;

    switch (below(8)) {
    case 0: /* a corner of a texel, or next to it */
        return ((float)below(3 * size) - n) / n + (float)between(-1, 1) * 0.004f / n;
    case 1: /* a texel centre */
        return ((float)below(3 * size) - n + 0.5f) / n;
    case 2:
        return special[below(14)];
    case 3:
        return (float)between(-1000, 1000);
    default:
        return (float)between(-1.5, 2.5);
    }
}

static void any_coordinates(struct trial *t)
{
    const struct tex_desc *d = &t->o.image->desc;
    uint32_t size[4] = {d->width, d->height, d->depth, 1};
    bool implicit = t->sample.lod_mode < LOD_EXPLICIT;

    for (int i = 0; i < TEX_LANES; i++) {
        for (int a = 0; a < 3; a++) {
            double zoom = exp2(between(-3, d->shape == TEX_CUBE_MAP ? 1 : 4)) / size[a];
            float *c = &t->at.c[a][i];

            *c = any_coordinate(size[a]);
            if (d->shape == TEX_CUBE_MAP && below(8))
                *c = (float)between(-1, 1);
            if ((t->o.format->flags & ORACLE_COMPARES) && a == 2)
                *c = (float)between(-0.2, 1.2);
            t->dx.c[a][i] = (float)(between(-1, 1) * zoom);
            t->dy.c[a][i] = (float)(between(-1, 1) * zoom);
            if (implicit && (i & 3)) { /* affine over the quad */
                float first = t->at.c[a][i & ~3];

                *c = first + (float)(i & 1) * t->dx.c[a][i & ~3] +
                     (float)(i >> 1 & 1) * t->dy.c[a][i & ~3];
            } else if (implicit && (isnan(*c) || fabsf(*c) > 1e6f)) {
                *c = 0.25f;
            }
        }
        t->lod[i] = (float)between(-2, d->levels + 1);
        if (below(4) == 0)
            t->lod[i] = (float)below(d->levels + 1) + (float)(int)below(3) * 0.5f - 0.5f;
        if (below(32) == 0)
            t->lod[i] = below(2) ? NAN : below(2) ? INFINITY : -INFINITY;
    }
}

static struct oracle_colour want_with(const struct trial *t, int i, int level)
{
    double d[3] = {t->at.c[0][i], t->at.c[1][i], t->at.c[2][i]}, at[3];
    unsigned face = 0;
    uint32_t bias;

    memcpy(at, d, sizeof(at));
    if (t->o.image->desc.shape == TEX_CUBE_MAP) {
        face = oracle_face(d);
        oracle_on_face(face, d, at);
    }
    memcpy(&bias, &t->state.lod_bias, 4);
    if (bias == FOURCC('G', 'E', 'T', '4') && (t->o.format->flags & ORACLE_GATHERS) &&
        t->o.image->desc.shape == TEX_2D) {
        unsigned first = t->state.lod, last = t->o.image->desc.levels - 1;

        if (t->state.mip_filter != D3DTEXF_NONE && t->state.max_mip_level > first)
            first = t->state.max_mip_level;
        return oracle_level(&t->o, at, d[2], 0, first < last ? first : last, ORACLE_GATHER);
    }
    return oracle_with_level(&t->o, at, d[2], face, level);
}

/* LOD in 1/256 before rounding; `margin` is the allowed error of log2 in single precision. */
static double level_of(const struct trial *t, int i, double *margin)
{
    int base = t->sample.lod_mode == LOD_GRADIENT ? i : i & ~3;
    double d[3], dx[3], dy[3], lod;

    *margin = 0.0;
    if (t->sample.lod_mode == LOD_EXPLICIT)
        return f32((double)t->lod[i] + t->state.lod_bias);
    for (int a = 0; a < 3; a++) {
        d[a] = t->at.c[a][base];
        dx[a] = t->dx.c[a][base];
        dy[a] = t->dy.c[a][base];
        if (t->sample.lod_mode != LOD_GRADIENT) {
            dx[a] = f32(t->at.c[a][base + 1] - d[a]);
            dy[a] = f32(t->at.c[a][base + 2] - d[a]);
        }
    }
    *margin = 1e-5;
    if (t->o.image->desc.shape == TEX_CUBE_MAP) /* differences of quotients */
        *margin = 1e-3;
    lod = oracle_lod(&t->o, d, dx, dy) + t->state.lod_bias;
    return t->sample.lod_mode == LOD_BIAS ? lod + t->lod[i] : lod;
}

static bool same(float got, double want, double tolerance)
{
    if (isnan(want))
        return isnan(got);
    return tolerance == 0.0 || isinf(want) ? (double)got == want
                                           : fabs((double)got - want) <= tolerance;
}

static bool agrees(const struct trial *t, int i, int level, double tolerance)
{
    struct oracle_colour want = want_with(t, i, level);

    for (int c = 0; c < 4; c++)
        if (t->sample.texel[c] && !same(t->out.c[c][i], want.c[c], tolerance))
            return false;
    return true;
}

static void check_lane(const struct trial *t, int i, const char *what)
{
    bool inexact = t->o.format->layout == ORACLE_SIGNED || t->o.srgb;
    double margin, lod = level_of(t, i, &margin), tolerance = inexact ? 1e-6 : 0.0;
    struct oracle_colour want;

    if (agrees(t, i, oracle_fixed(lod), tolerance) ||
        (margin > 0.0 && (agrees(t, i, oracle_fixed(lod - margin), tolerance) ||
                          agrees(t, i, oracle_fixed(lod + margin), tolerance))))
        return;
    want = want_with(t, i, oracle_fixed(lod));
    ck_abort_msg(
        "%s lane %d at %.9g %.9g %.9g level %.6f: %.9g %.9g %.9g %.9g, not %.9g %.9g %.9g %.9g",
        what, i, t->at.c[0][i], t->at.c[1][i], t->at.c[2][i], lod, t->out.c[0][i], t->out.c[1][i],
        t->out.c[2][i], t->out.c[3][i], want.c[0], want.c[1], want.c[2], want.c[3]);
}

static void run(struct trial *t, bool still, const char *what)
{
    struct tex_sampler sampler;

    for (int c = 0; c < 4; c++) {
        t->sample.coord[c] = c < 3 ? t->at.c[c] : NULL;
        t->sample.texel[c] = below(6) ? t->out.c[c] : NULL;
        for (int i = 0; i < TEX_LANES; i++)
            t->out.c[c][i] = -77.0f;
    }
    for (int a = 0; a < 3; a++) {
        t->sample.ddx[a] = t->dx.c[a];
        t->sample.ddy[a] = t->dy.c[a];
    }
    t->sample.lod = t->lod;
    t->sample.lanes = below(3) ? ~UINT64_C(0) : (uint64_t)any() << 32 | any();
    if (still)
        init_still(&sampler, t->o.image, &t->state);
    else
        ck_assert_int_eq(tex_sampler_init(&sampler, t->o.image, &t->state), ST_OK);
    tex_sample(&sampler, &t->sample);
    for (int i = 0; i < TEX_LANES; i++) {
        if (t->sample.lanes >> i & 1)
            check_lane(t, i, what);
        else
            for (int c = 0; c < 4; c++)
                ck_assert(t->out.c[c][i] == -77.0f || !t->sample.texel[c]);
    }
}

static void try_format(const struct oracle_format *f, uint32_t number)
{
    static struct trial t;
    uint32_t palette[256];
    struct tex_desc d;
    char what[200];

    seed = number * UINT64_C(1000003) + f->d3d;
    d = any_desc(f);
    for (int i = 0; i < 256; i++)
        palette[i] = any();
    memset(&t, 0, sizeof(t));
    ck_assert_int_eq(tex_image_create(&t.o.image, &d, NULL), ST_OK);
    fill(f, t.o.image);
    t.state = any_state(t.o.image, palette);
    t.o.format = f;
    t.o.state = &t.state;
    t.o.srgb = t.state.srgb && (f->flags & ORACLE_SRGB) != 0;
    t.sample.lod_mode = (enum lod)below(4);
    any_coordinates(&t);
    snprintf(what, sizeof(what),
             "case %u: %s %ux%ux%u shape %d levels %u, address %d %d %d, filters %d %d %d, mode %d",
             number, t.o.image->format->name, d.width, d.height, d.depth, d.shape, d.levels,
             t.state.address[0], t.state.address[1], t.state.address[2], t.state.min_filter,
             t.state.mag_filter, t.state.mip_filter, t.sample.lod_mode);
    run(&t, number / ORACLE_FORMATS % 2, what);
    tex_image_unref(&t.o.image);
}

START_TEST(random_cases)
{
    enum cpu_isa isa = (enum cpu_isa)_i;

    if (cpu_set_isa(isa) != ST_OK)
        return;
    for (uint32_t n = 0; n < CASES; n++)
        try_format(&oracle_formats[n % ORACLE_FORMATS], n);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex sampler oracle");
    TCase *tc = tcase_create("oracle");

    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, enter_fp_mode, leave);
    tcase_add_loop_test(tc, random_cases, 0, ISA_COUNT);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
