/* Texture stages, rule by rule; test_pixel_cascade.c tests all combinations of operations and
 * arguments. */
#include "ff_run.h"

#include "vm/ir/code.h"

/* --- Colours --------------------------------------------------------------------------------- */

struct colour {
    double c[4];
};

static double sat(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* Values of all argument registers in one lane. */
struct registers {
    struct colour diffuse, current, texture, tfactor, specular, temp, constant;
};

/* --- A batch of random colours --------------------------------------------------------------- */

struct textures {
    float texel[FF_STAGES][4][VM_LANES];
    bool by_coord[FF_STAGES]; /* returns the coordinates instead of a texel */
    struct sample last[FF_STAGES];
    float coord[FF_STAGES][4][VM_LANES];
};

static void sample_texture(void *ctx, const struct sample *s)
{
    struct textures *t = ctx;

    t->last[s->sampler] = *s;
    for (unsigned c = 0; c < 4; c++) {
        if (s->coord[c])
            memcpy(t->coord[s->sampler][c], s->coord[c], sizeof(t->coord[0][0]));
    }
    for (unsigned c = 0; c < 4; c++) {
        const float *from = t->texel[s->sampler][c];

        if (t->by_coord[s->sampler] && c < 3 && s->coord[c])
            from = s->coord[c];
        if (s->texel[c])
            memcpy(s->texel[c], from, VM_LANES * sizeof(float));
    }
}

static void random_colours(float v[4][VM_LANES], uint32_t *seed)
{
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned lane = 0; lane < VM_LANES; lane++)
            v[c][lane] = (float)(test_random(seed) & 0xff) / 255.0f;
    }
}

struct fixture {
    struct test_state t;
    struct test_run run;
    struct textures tex;
};

static struct fixture *fixture_create(uint32_t seed)
{
    struct fixture *f = mem_calloc(1, sizeof(*f));

    test_state_init(&f->t);
    f->t.render[D3DRS_LIGHTING] = FALSE;
    f->t.s.inputs |= FF_IN_DIFFUSE | FF_IN_SPECULAR;
    random_colours(test_attr(&f->run.in, VM_USAGE_COLOR, 0)->v, &seed);
    random_colours(test_attr(&f->run.in, VM_USAGE_COLOR, 1)->v, &seed);
    for (unsigned i = 0; i < FF_STAGES; i++) {
        struct test_attr *coord = test_attr(&f->run.in, VM_USAGE_TEXCOORD, i);

        random_colours(coord->v, &seed);
        for (unsigned lane = 0; lane < VM_LANES; lane++) {
            coord->v[2][lane] += 1.0f;
            coord->v[3][lane] += 2.0f;
        }
        random_colours(f->tex.texel[i], &seed);
        f->t.s.texcoord_size[i] = 4;
    }
    f->run.sample = sample_texture;
    f->run.sample_ctx = &f->tex;
    return f;
}

static struct colour lane_colour(float v[4][VM_LANES], unsigned lane)
{
    return (struct colour){{v[0][lane], v[1][lane], v[2][lane], v[3][lane]}};
}

static struct colour d3dcolour(DWORD c)
{
    return (struct colour){
        {(c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0, (c & 255) / 255.0, (c >> 24) / 255.0}};
}

static struct registers lane_registers(struct fixture *f, unsigned lane)
{
    struct registers r = {
        .diffuse = lane_colour(test_attr(&f->run.in, VM_USAGE_COLOR, 0)->v, lane),
        .texture = lane_colour(f->tex.texel[0], lane),
        .tfactor = d3dcolour(f->t.render[D3DRS_TEXTUREFACTOR]),
        .specular = lane_colour(test_attr(&f->run.in, VM_USAGE_COLOR, 1)->v, lane),
        .constant = d3dcolour(f->t.stage[0][D3DTSS_CONSTANT]),
    };

    r.current = r.diffuse;
    return r;
}

static struct colour result(const struct fixture *f, unsigned lane)
{
    struct colour c;

    for (unsigned i = 0; i < 4; i++)
        c.c[i] = output(&f->run, VM_USAGE_TARGET, 0, i, lane);
    return c;
}

static void assert_colour(struct colour got, struct colour want, double tolerance, const char *what)
{
    for (int i = 0; i < 4; i++)
        ck_assert_msg(fabs(got.c[i] - want.c[i]) <= tolerance, "%s, component %d: got %g, want %g",
                      what, i, got.c[i], want.c[i]);
}

static void set_stage(struct fixture *f, unsigned i, DWORD cop, DWORD c1, DWORD c2, DWORD aop,
                      DWORD a1, DWORD a2)
{
    DWORD *s = f->t.stage[i];

    s[D3DTSS_COLOROP] = cop;
    s[D3DTSS_COLORARG1] = c1;
    s[D3DTSS_COLORARG2] = c2;
    s[D3DTSS_ALPHAOP] = aop;
    s[D3DTSS_ALPHAARG1] = a1;
    s[D3DTSS_ALPHAARG2] = a2;
}

/* --- Tests ----------------------------------------------------------------------------------- */

/* Results of hardware for one set of colours, accurate to 3/255. */
START_TEST(known_results)
{
    static const struct {
        DWORD op, want;
    } table[] = {
        {D3DTOP_SELECTARG1, 0x00ff00},
        {D3DTOP_SELECTARG2, 0x333333},
        {D3DTOP_MODULATE, 0x003300},
        {D3DTOP_MODULATE2X, 0x006600},
        {D3DTOP_MODULATE4X, 0x00cc00},
        {D3DTOP_ADD, 0x33ff33},
        {D3DTOP_ADDSIGNED, 0x00b200},
        {D3DTOP_ADDSIGNED2X, 0x00ff00},
        {D3DTOP_SUBTRACT, 0x00cc00},
        {D3DTOP_ADDSMOOTH, 0x33ff33},
        {D3DTOP_BLENDDIFFUSEALPHA, 0x227722},
        {D3DTOP_BLENDTEXTUREALPHA, 0x14ad14},
        {D3DTOP_BLENDFACTORALPHA, 0x07e407},
        {D3DTOP_BLENDTEXTUREALPHAPM, 0x14ff14},
        {D3DTOP_BLENDCURRENTALPHA, 0x227722},
        {D3DTOP_MODULATEALPHA_ADDCOLOR, 0x1fff1f},
        {D3DTOP_MODULATECOLOR_ADDALPHA, 0x99cc99},
        {D3DTOP_MODULATEINVALPHA_ADDCOLOR, 0x14ff14},
        {D3DTOP_MODULATEINVCOLOR_ADDALPHA, 0xcc99cc},
        {D3DTOP_DOTPRODUCT3, 0x999999},
        {D3DTOP_MULTIPLYADD, 0xff3300},
        {D3DTOP_LERP, 0x003333},
    };
    struct fixture *f = fixture_create(1);
    struct colour want = d3dcolour(table[_i].want), got;

    test_set(&f->run.in, VM_USAGE_COLOR, 0, 1.0f, 0.0f, 0.0f, 0x55 / 255.0f);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        f->tex.texel[0][0][lane] = f->tex.texel[0][2][lane] = 0.0f;
        f->tex.texel[0][1][lane] = 1.0f;
        f->tex.texel[0][3][lane] = 0x99 / 255.0f;
    }
    f->t.render[D3DRS_TEXTUREFACTOR] = 0xdd333333;
    f->t.s.texture_kind[0] = 2;
    set_stage(f, 0, table[_i].op, D3DTA_TEXTURE, D3DTA_TFACTOR, D3DTOP_SELECTARG1, D3DTA_DIFFUSE,
              0);
    f->t.stage[0][D3DTSS_COLORARG0] = D3DTA_DIFFUSE;
    run_pixel(&f->t, &f->run);
    got = result(f, 5);
    got.c[3] = want.c[3];
    assert_colour(got, want, 3.0 / 255.0, "known result");
    mem_free(f);
}
END_TEST

static void assert_diffuse(struct fixture *f, const char *what)
{
    run_pixel(&f->t, &f->run);
    for (unsigned lane = 0; lane < VM_LANES; lane++)
        assert_colour(result(f, lane), lane_registers(f, lane).diffuse, 0.0, what);
}

/* Conditions that end the cascade, and stages without a texture. */
START_TEST(unbound_and_disabled)
{
    static const D3DTEXTURESTAGESTATETYPE arg[] = {D3DTSS_COLORARG0, D3DTSS_COLORARG1,
                                                   D3DTSS_COLORARG2};
    struct fixture *f = fixture_create(7);

    f->t.stage[0][D3DTSS_COLOROP] = D3DTOP_DISABLE;
    assert_diffuse(f, "stage 0 off");
    /* A colour argument reads the missing texture: this stage and all later ones are off. */
    f->t.render[D3DRS_TEXTUREFACTOR] = 0x12345678;
    set_stage(f, 1, D3DTOP_SELECTARG1, D3DTA_TFACTOR, 0, D3DTOP_SELECTARG1, D3DTA_TFACTOR, 0);
    for (unsigned i = 0; i < 3; i++) {
        set_stage(f, 0, D3DTOP_LERP, D3DTA_TFACTOR, D3DTA_TFACTOR, D3DTOP_SELECTARG1, D3DTA_TFACTOR,
                  0);
        f->t.stage[0][D3DTSS_COLORARG0] = D3DTA_TFACTOR;
        f->t.stage[0][arg[i]] = D3DTA_TEXTURE | D3DTA_COMPLEMENT;
        assert_diffuse(f, "texture of stage 0 missing");
    }
    /* SELECTARG2 does not read argument 1. */
    set_stage(f, 0, D3DTOP_SELECTARG2, D3DTA_TEXTURE, D3DTA_TFACTOR, D3DTOP_SELECTARG1,
              D3DTA_TFACTOR, 0);
    f->t.stage[1][D3DTSS_COLOROP] = D3DTOP_DISABLE;
    run_pixel(&f->t, &f->run);
    assert_colour(result(f, 3), d3dcolour(0x12345678), 1e-7,
                  "argument 2 of a stage without texture");
    /* The alpha of a missing texture is 1, as an argument and as a factor. */
    f->t.stage[0][D3DTSS_ALPHAARG1] = D3DTA_TEXTURE;
    run_pixel(&f->t, &f->run);
    ck_assert_double_eq(result(f, 3).c[3], 1.0);
    set_stage(f, 0, D3DTOP_BLENDTEXTUREALPHA, D3DTA_TFACTOR, D3DTA_DIFFUSE, D3DTOP_SELECTARG1,
              D3DTA_TFACTOR, 0);
    run_pixel(&f->t, &f->run);
    assert_colour(result(f, 3), d3dcolour(0x12345678), 1e-7, "blended by no texture");
    mem_free(f);
}
END_TEST

/* Stage results are clamped at both ends before the next stage reads them. */
START_TEST(clamp_between_stages)
{
    struct fixture *f = fixture_create(8);

    test_set(&f->run.in, VM_USAGE_COLOR, 0, 1.0f, 1.0f, 1.0f, 1.0f);
    f->t.render[D3DRS_TEXTUREFACTOR] = 0x80808080;
    set_stage(f, 0, D3DTOP_ADD, D3DTA_DIFFUSE, D3DTA_DIFFUSE, D3DTOP_ADD, D3DTA_DIFFUSE,
              D3DTA_DIFFUSE);
    set_stage(f, 1, D3DTOP_SUBTRACT, D3DTA_CURRENT, D3DTA_TFACTOR, D3DTOP_SUBTRACT, D3DTA_CURRENT,
              D3DTA_TFACTOR);
    run_pixel(&f->t, &f->run);
    assert_colour(result(f, 0), d3dcolour(0x7f7f7f7f), 1e-6, "upper end");
    set_stage(f, 0, D3DTOP_SUBTRACT, D3DTA_TFACTOR, D3DTA_DIFFUSE, D3DTOP_SUBTRACT, D3DTA_TFACTOR,
              D3DTA_DIFFUSE);
    set_stage(f, 1, D3DTOP_ADD, D3DTA_CURRENT, D3DTA_DIFFUSE, D3DTOP_ADD, D3DTA_CURRENT,
              D3DTA_DIFFUSE);
    run_pixel(&f->t, &f->run);
    assert_colour(result(f, 0), d3dcolour(0xffffffff), 0.0, "lower end");
    mem_free(f);
}
END_TEST

/* RESULTARG TEMP, ALPHAOP DISABLE and bump stages: results of hardware (diffuse 80ffff02). */
struct cascade_stage {
    DWORD cop, c1, c2, aop, a1, a2, to, constant;
    char texture; /* b: bump map, r: red, 0: none */
};
#define S(x) D3DTOP_SELECTARG1, D3DTA_##x, 0
#define OFF D3DTOP_DISABLE, 0, 0
#define BUMP D3DTOP_BUMPENVMAP, D3DTA_TEXTURE, D3DTA_CURRENT
#define OP2(op, x, y) D3DTOP_##op, D3DTA_##x, D3DTA_##y
static const struct {
    DWORD want;
    struct cascade_stage stage[4];
} cascades[] = {
    {0x80ffff02, {{OFF, OFF, 1, 0, 0}}},
    {0x80ffff02, {{S(CURRENT), OFF, 1, 0, 0}}},
    {0x80ffff02, {{S(CURRENT), S(CURRENT), 1, 0, 0}}},
    {0x80ffff02, {{S(DIFFUSE), S(DIFFUSE), 1, 0, 0}}},
    {0x00000000, {{S(TEMP), S(TEMP), 1, 0, 0}}},
    {0x80f0f000,
     {{S(CURRENT), OFF, 1, 0, 0}, {OP2(SUBTRACT, CURRENT, CONSTANT), OFF, 1, 0x0f0f0f0f, 0}}},
    {0x71f0f000,
     {{S(CURRENT), S(CURRENT), 1, 0, 0},
      {OP2(SUBTRACT, CURRENT, CONSTANT), OP2(SUBTRACT, CURRENT, CONSTANT), 1, 0x0f0f0f0f, 0}}},
    {0x80ff0000,
     {{BUMP, S(TEXTURE), 1, 0, 'b'}, {OP2(MODULATE, TEXTURE, CURRENT), OFF, 1, 0, 'r'}}},
    {0x80ff0000,
     {{BUMP, S(DIFFUSE), 1, 0, 'b'}, {OP2(MODULATE, TEXTURE, CURRENT), OFF, 1, 0, 'r'}}},
    {0x80ff0000,
     {{BUMP, S(TEMP), 1, 0, 'b'}, {OP2(MODULATE, TEXTURE, CURRENT), S(CURRENT), 1, 0, 'r'}}},
    {0x00ff0000,
     {{BUMP, S(TEMP), 1, 0, 'b'}, {OP2(MODULATE, TEXTURE, CURRENT), S(TEMP), 1, 0, 'r'}}},
    {0x80ff0000,
     {{BUMP, S(CURRENT), 1, 0, 'b'}, {OP2(MODULATE, TEXTURE, CURRENT), S(CURRENT), 1, 0, 'r'}}},
    {0x80ff0000,
     {{BUMP, OP2(ADD, DIFFUSE, CONSTANT), 1, 0x0f000000, 'b'},
      {OP2(MODULATE, TEXTURE, CURRENT), S(CURRENT), 1, 0, 'r'}}},
    {0x80ff0000,
     {{BUMP, OP2(MODULATE2X, DIFFUSE, CONSTANT), 1, 0x01000000, 'b'},
      {OP2(MODULATE, TEXTURE, CURRENT), S(CURRENT), 1, 0, 'r'}}},
    {0x80ffff00,
     {{BUMP, OP2(MODULATE2X, CURRENT, CONSTANT), 1, 0x01000000, 'b'},
      {OP2(MODULATE, CURRENT, CURRENT), S(CURRENT), 1, 0, 0}}},
    {0x01234567,
     {{S(CONSTANT), S(CONSTANT), 5, 0x01234567, 0},
      {BUMP, S(TEMP), 5, 0, 'b'},
      {S(TEXTURE), S(TEXTURE), 1, 0, 'r'},
      {S(TEMP), S(TEMP), 1, 0, 0}}},
    {0x00234567,
     {{S(CONSTANT), S(CONSTANT), 5, 0x01234567, 0},
      {BUMP, S(TEMP), 1, 0, 'b'},
      {S(TEXTURE), S(TEXTURE), 1, 0, 'r'},
      {S(TEMP), OFF, 1, 0, 0}}},
    {0x01234567,
     {{S(CONSTANT), S(CONSTANT), 1, 0x01234567, 0},
      {BUMP, S(TEXTURE), 5, 0, 'b'},
      {S(TEXTURE), S(TEXTURE), 5, 0, 'r'},
      {S(CURRENT), S(CURRENT), 1, 0, 0}}},
};

START_TEST(cascade)
{
    struct fixture *f = fixture_create(9);
    struct colour want = d3dcolour(cascades[_i].want);

    test_set(&f->run.in, VM_USAGE_COLOR, 0, 1.0f, 1.0f, 2 / 255.0f, 0x80 / 255.0f);
    for (unsigned i = 0; i < 4; i++) {
        const struct cascade_stage *s = &cascades[_i].stage[i];

        if (!s->cop)
            break;
        set_stage(f, i, s->cop, s->c1, s->c2, s->aop, s->a1, s->a2);
        f->t.stage[i][D3DTSS_RESULTARG] = s->to;
        f->t.stage[i][D3DTSS_CONSTANT] = s->constant;
        f->t.stage[i][D3DTSS_BUMPENVMAT00] = f->t.stage[i][D3DTSS_BUMPENVMAT01] = float_bits(1.0f);
        f->t.s.texture_kind[i] = s->texture ? 2 : 0;
        for (unsigned lane = 0; lane < VM_LANES; lane++) {
            f->tex.texel[i][0][lane] = s->texture == 'r';
            f->tex.texel[i][1][lane] = s->texture == 'b' ? -1 / 127.0f : 0.0f;
            f->tex.texel[i][2][lane] = s->texture == 'b';
            f->tex.texel[i][3][lane] = s->texture == 'b';
        }
    }
    run_pixel(&f->t, &f->run);
    /* 0x02 * 0x02 rounds to 0 in 8 bits. */
    assert_colour(result(f, 9), want, 0.5 / 255.0, "cascade");
    mem_free(f);
}
END_TEST

/* A bump stage offsets the coordinates of the next stage after projection. */
START_TEST(bump_offset)
{
    static const float m[4] = {0.25f, -0.5f, 0.75f, 2.0f};
    struct fixture *f = fixture_create(10);
    struct test_attr *coord = test_attr(&f->run.in, VM_USAGE_TEXCOORD, 1);
    bool luminance = _i & 1, projected = _i & 2;

    f->t.s.texture_kind[0] = f->t.s.texture_kind[1] = 2;
    set_stage(f, 0, luminance ? D3DTOP_BUMPENVMAPLUMINANCE : D3DTOP_BUMPENVMAP, D3DTA_TEXTURE,
              D3DTA_CURRENT, D3DTOP_DISABLE, 0, 0);
    set_stage(f, 1, D3DTOP_SELECTARG1, D3DTA_TEXTURE, 0, D3DTOP_SELECTARG1, D3DTA_TEXTURE, 0);
    f->t.stage[0][D3DTSS_BUMPENVMAT00] = float_bits(m[0]);
    f->t.stage[0][D3DTSS_BUMPENVMAT01] = float_bits(m[1]);
    f->t.stage[0][D3DTSS_BUMPENVMAT10] = float_bits(m[2]);
    f->t.stage[0][D3DTSS_BUMPENVMAT11] = float_bits(m[3]);
    f->t.stage[0][D3DTSS_BUMPENVLSCALE] = float_bits(2.0f);
    f->t.stage[0][D3DTSS_BUMPENVLOFFSET] = float_bits(-0.25f);
    f->t.stage[1][D3DTSS_TEXTURETRANSFORMFLAGS] =
        projected ? D3DTTFF_PROJECTED | D3DTTFF_COUNT4 : 0;
    run_pixel(&f->t, &f->run);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        double q = projected ? coord->v[3][lane] : 1.0;
        double du = f->tex.texel[0][0][lane], dv = f->tex.texel[0][1][lane];
        double u = coord->v[0][lane] / q + m[0] * du + m[2] * dv;
        double v = coord->v[1][lane] / q + m[1] * du + m[3] * dv;
        double light = luminance ? sat(f->tex.texel[0][2][lane] * 2.0 - 0.25) : 1.0;
        struct colour want = lane_colour(f->tex.texel[1], lane);

        ck_assert_double_eq_tol(f->tex.coord[1][0][lane], u, 1e-6);
        ck_assert_double_eq_tol(f->tex.coord[1][1][lane], v, 1e-6);
        for (int i = 0; i < 4; i++)
            want.c[i] *= light;
        assert_colour(result(f, lane), want, 1e-6, "bumped");
    }
    mem_free(f);
}
END_TEST

/* The divisor component, by flags and vertex components. */
START_TEST(projection)
{
    enum { N = 0, P = D3DTTFF_PROJECTED };
    static const struct {
        DWORD flags;
        uint8_t size;
        bool vs, transformed;
        unsigned want;
    } table[] = {
        {N, 4, false, false, 0},
        {D3DTTFF_COUNT4 | N, 4, false, false, 0},
        {D3DTTFF_COUNT4 | P, 4, false, false, 4},
        {D3DTTFF_COUNT3 | P, 4, false, false, 3},
        {D3DTTFF_COUNT2 | P, 4, false, false, 2},
        {0xffffffff, 4, false, false, 4},
        {0xffffffff, 3, false, false, 3},
        {D3DTTFF_COUNT3 | P, 2, false, false, 3}, /* the matrix produces it: 1 for an identity */
        {P, 4, false, false, 4},
        {P, 3, false, false, 3},
        {P, 2, false, false, 0},
        {D3DTTFF_COUNT1, 2, false, false, 0},
        {P, 4, true, false, 4},
        {D3DTTFF_COUNT3 | P, 4, true, false, 4},
        {0xffffffff, 4, true, false, 4},
        {D3DTTFF_COUNT4 | P, 2, false, true, 0},
        {D3DTTFF_COUNT3 | P, 3, false, true, 3},
    };
    struct fixture *f = fixture_create(11);
    struct test_attr *coord = test_attr(&f->run.in, VM_USAGE_TEXCOORD, 0);
    unsigned want = table[_i].want;

    f->t.s.texture_kind[0] = 4;
    f->t.s.texcoord_size[0] = table[_i].size;
    f->t.s.vertex_shader = table[_i].vs;
    f->t.s.transformed = table[_i].transformed;
    f->t.stage[0][D3DTSS_TEXTURETRANSFORMFLAGS] = table[_i].flags;
    set_stage(f, 0, D3DTOP_SELECTARG1, D3DTA_TEXTURE, 0, D3DTOP_SELECTARG1, D3DTA_TEXTURE, 0);
    ck_assert_uint_eq(ff_projection(&f->t.s, 0), want);
    run_pixel(&f->t, &f->run);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        for (unsigned c = 0; c < 3; c++) {
            double q = want ? coord->v[want - 1][lane] : 1.0, x = coord->v[c][lane];

            if (q != 0.0)
                ck_assert_double_eq_tol(f->tex.coord[0][c][lane], x / q, 1e-6 * fabs(x / q));
        }
    }
    mem_free(f);
}
END_TEST

/* Specular is added to the colour after the cascade, not to alpha, and the sum is clamped. */
START_TEST(specular_add)
{
    struct fixture *f = fixture_create(12);

    f->t.stage[0][D3DTSS_COLOROP] = D3DTOP_DISABLE;
    f->t.render[D3DRS_SPECULARENABLE] = TRUE;
    run_pixel(&f->t, &f->run);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        struct registers r = lane_registers(f, lane);

        for (int i = 0; i < 3; i++)
            r.diffuse.c[i] = sat(r.diffuse.c[i] + r.specular.c[i]);
        assert_colour(result(f, lane), r.diffuse, 1e-6, "specular add");
    }
    mem_free(f);
}
END_TEST

/* PREMODULATE: the next stage multiplies CURRENT by its texture, in the half that requests it. */
START_TEST(premodulate)
{
    struct fixture *f = fixture_create(13);

    set_stage(f, 0, D3DTOP_PREMODULATE, D3DTA_DIFFUSE, 0, D3DTOP_SELECTARG1, D3DTA_DIFFUSE, 0);
    f->t.s.texture_kind[1] = 2;
    assert_diffuse(f, "no next stage");
    set_stage(f, 1, D3DTOP_SELECTARG1, D3DTA_CURRENT, 0, D3DTOP_SELECTARG1, D3DTA_CURRENT, 0);
    f->t.s.texture_kind[1] = 0;
    assert_diffuse(f, "no next texture");
    f->t.s.texture_kind[1] = 2;
    for (unsigned alpha = 0; alpha < 2; alpha++) {
        if (alpha)
            f->t.stage[0][D3DTSS_ALPHAOP] = D3DTOP_PREMODULATE;
        run_pixel(&f->t, &f->run);
        for (unsigned lane = 0; lane < VM_LANES; lane++) {
            struct colour want = lane_registers(f, lane).diffuse;

            for (unsigned i = 0; i < 3 + alpha; i++)
                want.c[i] *= f->tex.texel[1][i][lane];
            assert_colour(result(f, lane), want, 1e-6, "premodulate");
        }
    }
    mem_free(f);
}
END_TEST

/* State that a program does not read is not in its key. */
START_TEST(key_is_canonical)
{
    struct fixture *f = fixture_create(14), *g = fixture_create(14);
    struct ff_pixel_key a, b;

    f->t.s.texture_kind[0] = g->t.s.texture_kind[0] = 2;
    set_stage(g, 3, D3DTOP_ADD, D3DTA_TFACTOR, D3DTA_TEXTURE, D3DTOP_ADD, D3DTA_TEMP,
              D3DTA_DIFFUSE);
    g->t.s.texture_kind[4] = 3;
    g->t.stage[0][D3DTSS_COLORARG0] = D3DTA_TEMP;
    g->t.stage[0][D3DTSS_ALPHAARG2] = D3DTA_TFACTOR;
    g->t.stage[0][D3DTSS_CONSTANT] = 0x12345678;
    g->t.render[D3DRS_TEXTUREFACTOR] = 0;
    g->t.stage[2][D3DTSS_TEXTURETRANSFORMFLAGS] = D3DTTFF_PROJECTED;
    g->t.stage[0][D3DTSS_RESULTARG] = D3DTA_TEMP; /* the last stage writes CURRENT anyway */
    ff_pixel_key_init(&a, &f->t.s);
    ff_pixel_key_init(&b, &g->t.s);
    ck_assert(!memcmp(&a, &b, sizeof(a)));
    g->t.stage[0][D3DTSS_ALPHAOP] = D3DTOP_MODULATE;
    ff_pixel_key_init(&b, &g->t.s);
    ck_assert(memcmp(&a, &b, sizeof(a)));
    mem_free(f);
    mem_free(g);
}
END_TEST

/* Number of lane arrays that the program of a state computes, without sampling. */
static unsigned count_rows(const struct test_state *t)
{
    struct vm_options options = {.live_outputs = UINT64_MAX};
    struct ff_pixel_key key;
    struct vm_program *program;
    struct vm_code *code;
    const struct ir_inst *inst;
    unsigned rows = 0;
    uint32_t n;

    ff_pixel_key_init(&key, &t->s);
    ck_assert_int_eq(ff_pixel_build(&program, &key), ST_OK);
    ck_assert_int_eq(vm_code_create(&code, program, &options), ST_OK);
    inst = ir_insts(code->body, &n);
    for (ir_ref ref = 1; ref < n; ref++)
        rows += inst[ref].op == IR_FMUL0 || inst[ref].op == IR_FMUL || inst[ref].op == IR_FADD ||
                inst[ref].op == IR_FSUB;
    vm_code_destroy(code);
    vm_program_destroy(program);
    return rows;
}

/* Common combiners cost as many products and sums as their formulas need. */
START_TEST(common_combiners_are_short)
{
    enum { T = D3DTA_TEXTURE, C = D3DTA_CURRENT, D = D3DTA_DIFFUSE, F = D3DTA_TFACTOR };
    struct fixture *f = fixture_create(18);

    f->t.s.unit_range_textures = 0xff;
    for (unsigned i = 0; i < 4; i++)
        f->t.s.texture_kind[i] = 2;
    set_stage(f, 0, D3DTOP_SELECTARG1, T, 0, D3DTOP_SELECTARG1, T, 0);
    ck_assert_uint_eq(count_rows(&f->t), 0);
    set_stage(f, 0, D3DTOP_MODULATE, T, D, D3DTOP_SELECTARG1, T, 0);
    ck_assert_uint_eq(count_rows(&f->t), 3);
    set_stage(f, 0, D3DTOP_MODULATE, T, D, D3DTOP_MODULATE, T, D);
    ck_assert_uint_eq(count_rows(&f->t), 4);
    /* Light map, detail map, decal and another light map; alpha remains that of the first
     * texture. */
    set_stage(f, 0, D3DTOP_MODULATE, T, D, D3DTOP_SELECTARG1, T, 0);
    set_stage(f, 1, D3DTOP_MODULATE2X, T, C, D3DTOP_DISABLE, 0, 0);
    ck_assert_uint_eq(count_rows(&f->t), 3 + 6);
    set_stage(f, 2, D3DTOP_ADDSIGNED, T, C, D3DTOP_SELECTARG2, T, C);
    ck_assert_uint_eq(count_rows(&f->t), 3 + 6 + 6);
    set_stage(f, 3, D3DTOP_BLENDTEXTUREALPHA, T, C, D3DTOP_SELECTARG2, T, C);
    ck_assert_uint_eq(count_rows(&f->t), 3 + 6 + 6 + 9);
    /* Dot product with the factor: makes the texel's components signed (a product and a sum each), then three products
     * and two sums. */
    set_stage(f, 0, D3DTOP_DOTPRODUCT3, T, F, D3DTOP_DISABLE, 0, 0);
    set_stage(f, 1, D3DTOP_MODULATE, T, C, D3DTOP_SELECTARG1, T, 0);
    set_stage(f, 2, D3DTOP_DISABLE, 0, 0, D3DTOP_DISABLE, 0, 0);
    ck_assert_uint_eq(count_rows(&f->t), 6 + 5 + 3);
    mem_free(f);
}
END_TEST

/* A program is built even for state values out of range. */
START_TEST(any_state_builds)
{
    struct fixture *f = fixture_create(15);
    uint32_t seed = 77;

    for (unsigned n = 0; n < 400; n++) {
        struct ff_pixel_key key;
        struct vm_program *program;

        for (unsigned i = 0; i < FF_STAGES; i++) {
            for (unsigned s = 0; s < FF_STAGE_STATES; s++)
                f->t.stage[i][s] = test_random(&seed) & (n & 1 ? 0xffffffff : 0x1f);
            f->t.s.texture_kind[i] = (uint8_t[]){0, 2, 3, 4}[test_random(&seed) & 3];
        }
        ff_pixel_key_init(&key, &f->t.s);
        ck_assert_int_eq(ff_pixel_build(&program, &key), ST_OK);
        vm_program_destroy(program);
    }
    mem_free(f);
}
END_TEST

START_TEST(bump_constants)
{
    struct fixture *f = fixture_create(16);
    float c[VM_SYSTEM_COUNT][4];

    f->t.stage[5][D3DTSS_BUMPENVMAT00] = float_bits(1.0f);
    f->t.stage[5][D3DTSS_BUMPENVMAT01] = float_bits(2.0f);
    f->t.stage[5][D3DTSS_BUMPENVMAT10] = float_bits(3.0f);
    f->t.stage[5][D3DTSS_BUMPENVMAT11] = float_bits(4.0f);
    f->t.stage[5][D3DTSS_BUMPENVLSCALE] = float_bits(5.0f);
    f->t.stage[5][D3DTSS_BUMPENVLOFFSET] = float_bits(6.0f);
    ff_bump_constants(f->t.s.stage, c);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_float_eq(c[VM_SYSTEM_BUMP_MATRIX + 5][i], 1.0f + (float)i);
    ck_assert_float_eq(c[VM_SYSTEM_BUMP_LUMINANCE + 5][0], 5.0f);
    ck_assert_float_eq(c[VM_SYSTEM_BUMP_LUMINANCE + 5][1], 6.0f);
    mem_free(f);
}
END_TEST

/* Every allocation may fail: the status reports it and nothing leaks. */
START_TEST(out_of_memory)
{
    struct fixture *f = fixture_create(17);
    struct ff_pixel_key key;
    struct vm_program *program;
    int64_t live;

    f->t.s.texture_kind[0] = 2;
    ff_pixel_key_init(&key, &f->t.s);
    live = mem_live_blocks();
    for (int64_t n = 0;; n++) {
        enum status st;

        mem_fail_after(n);
        st = ff_pixel_build(&program, &key);
        mem_fail_after(-1);
        if (st == ST_OK)
            break;
        ck_assert_int_eq(st, ST_NOMEM);
        ck_assert_int_eq(mem_live_blocks(), live);
        ck_assert_int_lt(n, 1000);
    }
    vm_program_destroy(program);
    mem_free(f);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ff/pixel");
    TCase *tc = tcase_create("stages");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, known_results, 0, 22);
    tcase_add_test(tc, unbound_and_disabled);
    tcase_add_test(tc, clamp_between_stages);
    tcase_add_loop_test(tc, cascade, 0, (int)(sizeof(cascades) / sizeof(cascades[0])));
    tcase_add_loop_test(tc, bump_offset, 0, 4);
    tcase_add_loop_test(tc, projection, 0, 17);
    tcase_add_test(tc, specular_add);
    tcase_add_test(tc, premodulate);
    tcase_add_test(tc, key_is_canonical);
    tcase_add_test(tc, common_combiners_are_short);
    tcase_add_test(tc, any_state_builds);
    tcase_add_test(tc, bump_constants);
    tcase_add_test(tc, out_of_memory);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
