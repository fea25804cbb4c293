/* Property test of the texture stage cascade: for random states the program computes the documented
 * formulas, stage by stage.
 *
 * The oracle uses double precision with a bound of the single-precision error so far, so the
 * tolerance of every comparison follows from the arithmetic. It has three constants, not one per
 * case. */
#include "ff_run.h"

/* --- Numbers with error bounds --------------------------------------------------------------- */

/* Two single-precision roundings: a documented operation may be one or two operations of the
 * program, and differences of nearly equal numbers keep the errors of their terms. */
#define ROUNDING 1.2e-7

struct num {
    double v, e;
};

static struct num exact(double v)
{
    return (struct num){v, 0.0};
}

static struct num add(struct num a, struct num b)
{
    return (struct num){a.v + b.v, a.e + b.e + ROUNDING * (fabs(a.v) + fabs(b.v))};
}

static struct num scale(struct num a, double k)
{
    return (struct num){a.v * k, a.e * fabs(k)};
}

static struct num sub(struct num a, struct num b)
{
    return add(a, scale(b, -1.0));
}

static struct num mul(struct num a, struct num b)
{
    double v = a.v * b.v;

    return (struct num){v, fabs(a.v) * b.e + fabs(b.v) * a.e + a.e * b.e + ROUNDING * fabs(v)};
}

/* Division by an exact number far from 0. */
static struct num over(struct num a, double q)
{
    return (struct num){a.v / q, (a.e + ROUNDING * fabs(a.v)) / fabs(q)};
}

static struct num clamp(struct num a)
{
    return (struct num){a.v < 0.0 ? 0.0 : a.v > 1.0 ? 1.0 : a.v, a.e};
}

/* --- The oracle ------------------------------------------------------------------------------ */

struct colour {
    struct num c[4];
};

static struct colour from_dword(DWORD c)
{
    return (struct colour){{{(c >> 16 & 255) / 255.0, ROUNDING},
                            {(c >> 8 & 255) / 255.0, ROUNDING},
                            {(c & 255) / 255.0, ROUNDING},
                            {(c >> 24) / 255.0, ROUNDING}}};
}

static struct colour from_lane(float v[4][VM_LANES], unsigned lane)
{
    return (struct colour){
        {exact(v[0][lane]), exact(v[1][lane]), exact(v[2][lane]), exact(v[3][lane])}};
}

/* Test texels are linear in the coordinates: a colour per lane plus a slope. Without the unit-range
 * flag of the texture, texels may be outside 0 to 1, as in signed and float formats. */
static const double slope[4][3] = {
    {0.125, -0.0625, 0.25}, {-0.125, 0.25, 0.125}, {0.0625, 0.125, -0.25}, {0.25, 0.125, 0.0625}};

struct fixture {
    struct test_state t;
    struct test_run run;
    float texel[FF_STAGES][4][VM_LANES];
};

static unsigned dimensions(unsigned kind)
{
    return kind == 2 ? 2 : 3;
}

static void sample_texture(void *ctx, const struct sample *s)
{
    const struct fixture *f = ctx;
    unsigned n = dimensions(f->t.s.texture_kind[s->sampler]);

    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        float texel[4];

        for (unsigned c = 0; c < 4; c++) {
            texel[c] = f->texel[s->sampler][c][lane];
            for (unsigned i = 0; i < n; i++)
                texel[c] += s->coord[i][lane] * (float)slope[c][i];
            if (f->t.s.unit_range_textures >> s->sampler & 1)
                texel[c] = fminf(fmaxf(texel[c], 0.0f), 1.0f);
        }
        for (unsigned c = 0; c < 4; c++)
            if (s->texel[c])
                s->texel[c][lane] = texel[c];
    }
}

static double stage_float(const DWORD *stage, D3DTEXTURESTAGESTATETYPE id)
{
    float value;

    memcpy(&value, &stage[id], sizeof(value));
    return value;
}

/* State of one lane at the start of a stage. */
struct lane {
    struct fixture *f;
    unsigned lane, stage;
    struct colour diffuse, specular, current, temp;
    struct colour texel, last_texel; /* of this stage and of the preceding one */
    unsigned last_op[2];             /* colour and alpha operation of the preceding stage; 0:
                                        none */
};

static bool exists(unsigned op)
{
    return op >= D3DTOP_DISABLE && op <= D3DTOP_LERP;
}

static bool is_bump(unsigned op)
{
    return op == D3DTOP_BUMPENVMAP || op == D3DTOP_BUMPENVMAPLUMINANCE;
}

/* D3DTSS_TEXTURETRANSFORMFLAGS: the last coordinate of the count divides; cube directions need no
 * division. A bump map in the preceding stage then offsets u and v and may scale the sampled
 * colour. */
static struct colour sampled(const struct lane *l)
{
    struct fixture *f = l->f;
    const DWORD *stage = f->t.stage[l->stage], *before = f->t.stage[l->stage - !!l->stage];
    unsigned kind = f->t.s.texture_kind[l->stage], flags = stage[D3DTSS_TEXTURETRANSFORMFLAGS];
    const struct test_attr *in = test_has(&f->run.in, VM_USAGE_TEXCOORD, l->stage);
    struct colour out = {{exact(0), exact(0), exact(0), exact(1)}};
    struct num coord[3];

    if (!kind) /* opaque black */
        return out;
    for (unsigned i = 0; i < 3; i++) {
        coord[i] = exact(in->v[i][l->lane]);
        if (flags & D3DTTFF_PROJECTED && kind != 3)
            coord[i] = over(coord[i], in->v[(flags & 7) - 1][l->lane]);
    }
    for (unsigned i = 0; i < 2 && is_bump(l->last_op[0]); i++) {
        static const D3DTEXTURESTAGESTATETYPE m[2][2] = {
            {D3DTSS_BUMPENVMAT00, D3DTSS_BUMPENVMAT10}, {D3DTSS_BUMPENVMAT01, D3DTSS_BUMPENVMAT11}};

        for (unsigned j = 0; j < 2; j++)
            coord[i] = add(coord[i], mul(exact(stage_float(before, m[i][j])), l->last_texel.c[j]));
    }
    for (unsigned c = 0; c < 4; c++) {
        out.c[c] = exact(f->texel[l->stage][c][l->lane]);
        for (unsigned i = 0; i < dimensions(kind); i++)
            out.c[c] = add(out.c[c], mul(coord[i], exact(slope[c][i])));
        if (f->t.s.unit_range_textures >> l->stage & 1)
            out.c[c] = clamp(out.c[c]);
    }
    if (l->last_op[0] == D3DTOP_BUMPENVMAPLUMINANCE) {
        struct num light =
            clamp(add(mul(l->last_texel.c[2], exact(stage_float(before, D3DTSS_BUMPENVLSCALE))),
                      exact(stage_float(before, D3DTSS_BUMPENVLOFFSET))));

        for (unsigned c = 0; c < 4; c++)
            out.c[c] = mul(out.c[c], light);
    }
    return out;
}

static struct colour argument(const struct lane *l, unsigned arg, unsigned half)
{
    struct colour x;

    switch (arg & D3DTA_SELECTMASK) {
    case D3DTA_DIFFUSE:
        x = l->diffuse;
        break;
    case D3DTA_CURRENT:
        x = l->current;
        for (int i = 0; i < 4; i++)
            if (l->last_op[half] == D3DTOP_PREMODULATE && l->f->t.s.texture_kind[l->stage])
                x.c[i] = mul(x.c[i], l->texel.c[i]);
        break;
    case D3DTA_TEXTURE:
        x = l->texel;
        break;
    case D3DTA_TFACTOR:
        x = from_dword(l->f->t.render[D3DRS_TEXTUREFACTOR]);
        break;
    case D3DTA_SPECULAR:
        x = l->specular;
        break;
    case D3DTA_TEMP:
        x = l->temp;
        break;
    default:
        x = from_dword(l->f->t.stage[l->stage][D3DTSS_CONSTANT]);
        break;
    }
    if (arg & D3DTA_ALPHAREPLICATE)
        x.c[0] = x.c[1] = x.c[2] = x.c[3];
    for (int i = 0; i < 4 && arg & D3DTA_COMPLEMENT; i++)
        x.c[i] = sub(exact(1.0), x.c[i]);
    return x;
}

/* arg1 * alpha + arg2 * (1 - alpha). */
static struct num blend(struct num a, struct num b, struct num alpha)
{
    return add(mul(a, alpha), mul(b, sub(exact(1.0), alpha)));
}

/* Component i of a componentwise operation. */
static struct num component_of(const struct lane *l, unsigned op, const struct colour a[3], int i)
{
    struct num x = a[1].c[i], y = a[2].c[i], one = exact(1.0), half = exact(0.5);
    struct num X = a[1].c[3];

    switch (op) {
    case D3DTOP_SELECTARG1:
    case D3DTOP_PREMODULATE:
        return x;
    case D3DTOP_SELECTARG2:
        return y;
    case D3DTOP_MODULATE:
        return mul(x, y);
    case D3DTOP_MODULATE2X:
        return scale(mul(x, y), 2.0);
    case D3DTOP_MODULATE4X:
        return scale(mul(x, y), 4.0);
    case D3DTOP_ADD:
        return add(x, y);
    case D3DTOP_ADDSIGNED:
        return sub(add(x, y), half);
    case D3DTOP_ADDSIGNED2X:
        return scale(sub(add(x, y), half), 2.0);
    case D3DTOP_SUBTRACT:
        return sub(x, y);
    case D3DTOP_ADDSMOOTH:
        return add(x, mul(y, sub(one, x)));
    case D3DTOP_BLENDDIFFUSEALPHA:
        return blend(x, y, l->diffuse.c[3]);
    case D3DTOP_BLENDTEXTUREALPHA:
        return blend(x, y, l->texel.c[3]);
    case D3DTOP_BLENDFACTORALPHA:
        return blend(x, y, from_dword(l->f->t.render[D3DRS_TEXTUREFACTOR]).c[3]);
    case D3DTOP_BLENDTEXTUREALPHAPM:
        return add(x, mul(y, sub(one, l->texel.c[3])));
    case D3DTOP_BLENDCURRENTALPHA:
        return blend(x, y, l->current.c[3]);
    case D3DTOP_MODULATEALPHA_ADDCOLOR:
        return add(x, mul(X, y));
    case D3DTOP_MODULATECOLOR_ADDALPHA:
        return add(mul(x, y), X);
    case D3DTOP_MODULATEINVALPHA_ADDCOLOR:
        return add(mul(sub(one, X), y), x);
    case D3DTOP_MODULATEINVCOLOR_ADDALPHA:
        return add(mul(sub(one, x), y), X);
    case D3DTOP_MULTIPLYADD:
        return add(a[0].c[i], mul(x, y));
    case D3DTOP_LERP:
        return blend(x, y, a[0].c[i]);
    }
    ck_abort_msg("no formula for operation %u", op);
    return one;
}

/* Components first to last of the result; the dot product is the same in all. */
static void operate(const struct lane *l, unsigned half, int first, int last, struct colour *out)
{
    static const D3DTEXTURESTAGESTATETYPE id[2][4] = {
        {D3DTSS_COLORARG0, D3DTSS_COLORARG1, D3DTSS_COLORARG2, D3DTSS_COLOROP},
        {D3DTSS_ALPHAARG0, D3DTSS_ALPHAARG1, D3DTSS_ALPHAARG2, D3DTSS_ALPHAOP}};
    const DWORD *stage = l->f->t.stage[l->stage];
    struct num dot = exact(0.0);
    struct colour a[3];

    for (int i = 0; i < 3; i++)
        a[i] = argument(l, stage[id[half][i]], half);
    if (stage[id[half][3]] == D3DTOP_DOTPRODUCT3) {
        for (int i = 0; i < 3; i++)
            dot = add(dot, mul(sub(a[1].c[i], exact(0.5)), sub(a[2].c[i], exact(0.5))));
        for (int i = first; i <= last; i++)
            out->c[i] = clamp(scale(dot, 4.0));
        return;
    }
    for (int i = first; i <= last; i++)
        out->c[i] = clamp(component_of(l, stage[id[half][3]], a, i));
}

/* Number of stages before the cascade ends, at COLOROP DISABLE or a colour that reads a missing
 * texture. */
static unsigned active_stages(const struct fixture *f)
{
    for (unsigned i = 0; i < FF_STAGES; i++) {
        const DWORD *s = f->t.stage[i];
        DWORD op = s[D3DTSS_COLOROP];
        bool t[3] = {(s[D3DTSS_COLORARG0] & D3DTA_SELECTMASK) == D3DTA_TEXTURE,
                     (s[D3DTSS_COLORARG1] & D3DTA_SELECTMASK) == D3DTA_TEXTURE,
                     (s[D3DTSS_COLORARG2] & D3DTA_SELECTMASK) == D3DTA_TEXTURE};

        if (op == D3DTOP_DISABLE)
            return i;
        if (!exists(op) || f->t.s.texture_kind[i])
            continue;
        if ((t[0] && (op == D3DTOP_MULTIPLYADD || op == D3DTOP_LERP)) ||
            (t[1] && op != D3DTOP_SELECTARG2) ||
            (t[2] && op != D3DTOP_SELECTARG1 && op != D3DTOP_PREMODULATE))
            return i;
    }
    return FF_STAGES;
}

static void run_stage(struct lane *l, bool last)
{
    const DWORD *s = l->f->t.stage[l->stage];
    bool to_temp = !last && s[D3DTSS_RESULTARG] == D3DTA_TEMP;
    DWORD op = s[D3DTSS_COLOROP], alpha_op = s[D3DTSS_ALPHAOP];
    struct colour out = to_temp ? l->temp : l->current;

    l->texel = sampled(l);
    if (!is_bump(op)) {
        if (exists(op))
            operate(l, 0, 0, op == D3DTOP_DOTPRODUCT3 ? 3 : 2, &out);
        if (op != D3DTOP_DOTPRODUCT3 && exists(alpha_op) && alpha_op != D3DTOP_DISABLE &&
            !is_bump(alpha_op))
            operate(l, 1, 3, 3, &out);
        else if (op != D3DTOP_DOTPRODUCT3 && l->stage == 0)
            out.c[3] = to_temp ? clamp(l->diffuse.c[3]) : l->diffuse.c[3];
        *(to_temp ? &l->temp : &l->current) = out;
    }
    l->last_op[0] = is_bump(op) && !l->f->t.s.texture_kind[l->stage] ? 0 : op;
    l->last_op[1] = is_bump(op) || op == D3DTOP_DOTPRODUCT3 ? 0 : alpha_op;
    l->last_texel = l->texel;
}

static struct colour oracle(struct fixture *f, unsigned lane)
{
    unsigned n = active_stages(f);
    struct lane l = {.f = f, .lane = lane};

    l.diffuse = from_lane(test_attr(&f->run.in, VM_USAGE_COLOR, 0)->v, lane);
    l.specular = from_lane(test_attr(&f->run.in, VM_USAGE_COLOR, 1)->v, lane);
    l.current = l.diffuse;
    for (; l.stage < n; l.stage++)
        run_stage(&l, l.stage + 1 == n);
    for (int i = 0; i < 3 && f->t.render[D3DRS_SPECULARENABLE]; i++)
        l.current.c[i] = add(l.current.c[i], l.specular.c[i]);
    for (int i = 0; i < 4; i++)
        l.current.c[i] = clamp(l.current.c[i]);
    return l.current;
}

/* --- Random states --------------------------------------------------------------------------- */

static unsigned below(uint32_t *seed, unsigned n)
{
    return (test_random(seed) >> 8) % n;
}

static void random_lanes(float v[4][VM_LANES], uint32_t *seed, float low, float high)
{
    for (unsigned c = 0; c < 4; c++)
        for (unsigned lane = 0; lane < VM_LANES; lane++)
            v[c][lane] = test_float(seed, low, high);
}

static void random_stage(struct fixture *f, unsigned i, uint32_t *seed)
{
    static const D3DTEXTURESTAGESTATETYPE args[] = {D3DTSS_COLORARG0, D3DTSS_COLORARG1,
                                                    D3DTSS_COLORARG2, D3DTSS_ALPHAARG0,
                                                    D3DTSS_ALPHAARG1, D3DTSS_ALPHAARG2};
    static const D3DTEXTURESTAGESTATETYPE floats[] = {D3DTSS_BUMPENVMAT00,  D3DTSS_BUMPENVMAT01,
                                                      D3DTSS_BUMPENVMAT10,  D3DTSS_BUMPENVMAT11,
                                                      D3DTSS_BUMPENVLSCALE, D3DTSS_BUMPENVLOFFSET};
    static const DWORD modifiers[] = {0, 0, D3DTA_COMPLEMENT, D3DTA_ALPHAREPLICATE,
                                      D3DTA_COMPLEMENT | D3DTA_ALPHAREPLICATE};
    static const DWORD flags[] = {0, 0, D3DTTFF_PROJECTED | D3DTTFF_COUNT3,
                                  D3DTTFF_PROJECTED | D3DTTFF_COUNT4};
    DWORD *s = f->t.stage[i];

    for (unsigned k = 0; k < 6; k++)
        s[args[k]] = below(seed, 7) | modifiers[below(seed, 5)];
    for (unsigned k = 0; k < 6; k++)
        s[floats[k]] = float_bits(test_float(seed, -1.5f, 1.5f));
    s[D3DTSS_COLOROP] = D3DTOP_SELECTARG1 + below(seed, D3DTOP_LERP - 1);
    s[D3DTSS_ALPHAOP] = D3DTOP_DISABLE + below(seed, D3DTOP_LERP);
    if (below(seed, 24) == 0)
        s[D3DTSS_COLOROP] = D3DTOP_DISABLE;
    if (below(seed, 8) == 0) /* it clamps nothing itself */
        s[below(seed, 2) ? D3DTSS_COLOROP : D3DTSS_ALPHAOP] = D3DTOP_PREMODULATE;
    if (below(seed, 8) == 0) {
        s[D3DTSS_COLOROP] = D3DTOP_SELECTARG1 + below(seed, 3);
        s[D3DTSS_ALPHAOP] = D3DTOP_DISABLE + below(seed, 4);
    }
    if (below(seed, 24) == 0)
        s[below(seed, 2) ? D3DTSS_COLOROP : D3DTSS_ALPHAOP] = below(seed, 2) ? 0 : D3DTOP_LERP + 1;
    if (below(seed, 4) == 0) /* equal halves become one operation */
        for (unsigned k = 0; k < 4; k++)
            s[k == 3 ? D3DTSS_ALPHAOP : args[3 + k]] = s[k == 3 ? D3DTSS_COLOROP : args[k]];
    s[D3DTSS_RESULTARG] = below(seed, 4) ? D3DTA_CURRENT : D3DTA_TEMP;
    s[D3DTSS_CONSTANT] = test_random(seed);
    s[D3DTSS_TEXTURETRANSFORMFLAGS] = flags[below(seed, 4)];
    f->t.s.texture_kind[i] = (uint8_t[]){2, 2, 2, 3, 4, 0}[below(seed, 6)];
    random_lanes(f->texel[i], seed, -0.5f, 1.25f);
}

static void random_case(struct fixture *f, uint32_t *seed)
{
    for (unsigned i = 0; i < FF_STAGES; i++)
        random_stage(f, i, seed);
    f->t.s.unit_range_textures = (uint8_t)(below(seed, 2) * test_random(seed));
    f->t.render[D3DRS_TEXTUREFACTOR] = test_random(seed);
    f->t.render[D3DRS_SPECULARENABLE] = below(seed, 2);
    /* Interpolation may leave 0 to 1 by a rounding error; here by more, so that it shows. */
    random_lanes(test_attr(&f->run.in, VM_USAGE_COLOR, 0)->v, seed, -0.25f, 1.25f);
    random_lanes(test_attr(&f->run.in, VM_USAGE_COLOR, 1)->v, seed, -0.25f, 1.25f);
    for (unsigned i = 0; i < FF_STAGES; i++) {
        struct test_attr *coord = test_attr(&f->run.in, VM_USAGE_TEXCOORD, i);

        random_lanes(coord->v, seed, -1.0f, 1.0f);
        for (unsigned lane = 0; lane < VM_LANES; lane++) { /* divisors are at least 1 in
                                                              magnitude */
            coord->v[2][lane] = 2.0f + coord->v[2][lane];
            coord->v[3][lane] = -2.0f + coord->v[3][lane];
        }
    }
}

/* --- Test ------------------------------------------------------------------------------------ */

/* Cases per run; all 2400 together draw every operation in every stage in both halves. */
enum { RUNS = 12, CASES = 200 };

START_TEST(any_cascade)
{
    struct fixture *f = mem_calloc(1, sizeof(*f));
    uint32_t seed = 0x2545f491u + 977u * (unsigned)_i;
    unsigned compared = 0, sharp = 0;

    test_state_init(&f->t);
    f->t.render[D3DRS_LIGHTING] = FALSE;
    f->t.s.inputs |= FF_IN_DIFFUSE | FF_IN_SPECULAR;
    memset(f->t.s.texcoord_size, 4, sizeof(f->t.s.texcoord_size));
    f->run.sample = sample_texture;
    f->run.sample_ctx = f;
    for (unsigned n = 0; n < CASES; n++) {
        random_case(f, &seed);
        run_pixel(&f->t, &f->run);
        for (unsigned lane = 0; lane < VM_LANES; lane += 7) {
            struct colour want = oracle(f, lane);

            for (unsigned c = 0; c < 4; c++) {
                double got = output(&f->run, VM_USAGE_TARGET, 0, c, lane);

                ck_assert_msg(fabs(got - want.c[c].v) <= want.c[c].e + ROUNDING,
                              "run %d case %u lane %u component %u: got %.9g, want %.9g +- %g", _i,
                              n, lane, c, got, want.c[c].v, want.c[c].e);
                compared++;
                sharp += want.c[c].e < 1e-4;
            }
        }
    }
    /* Amplified errors make a few bounds wide; nearly all must be tight. */
    ck_assert_uint_gt(sharp, compared / 100 * 99);
    mem_free(f);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ff/pixel_cascade");
    TCase *tc = tcase_create("cascade");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, any_cascade, 0, RUNS);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
