/* Transform and lighting against the documented formulas in double precision, by another route:
 * matrices step by step, inverses by elimination, libm. */
#include "ff_run.h"

#include <float.h>

struct vec {
    double v[4];
};

static double sat(double x)
{
    return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

static double dot3(struct vec a, struct vec b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

static struct vec add3(struct vec a, struct vec b, double scale)
{
    return (struct vec){
        {a.v[0] + b.v[0] * scale, a.v[1] + b.v[1] * scale, a.v[2] + b.v[2] * scale, 0.0}};
}

static struct vec unit3(struct vec a)
{
    double d = sqrt(dot3(a, a));

    return d > 0.0 ? add3((struct vec){{0}}, a, 1.0 / d) : (struct vec){{0}};
}

static struct vec through(struct vec a, const D3DMATRIX *m)
{
    struct vec out = {{0}};

    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 4; i++)
            out.v[j] += a.v[i] * m->m[i][j];
    }
    return out;
}

/* Row vector times the inverse transpose of world * view, by solving (world * view) x = n. */
static struct vec through_inverse_transpose(struct vec n, const D3DMATRIX *world,
                                            const D3DMATRIX *view)
{
    double a[4][5] = {{0}};
    struct vec out;

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 4; k++)
                a[i][j] += (double)world->m[i][k] * view->m[k][j];
        }
        a[i][4] = i < 3 ? n.v[i] : 0.0;
    }
    for (int c = 0; c < 4; c++) {
        int pivot = c;

        for (int r = c + 1; r < 4; r++)
            pivot = fabs(a[r][c]) > fabs(a[pivot][c]) ? r : pivot;
        for (int j = 0; j < 5; j++) {
            double t = a[c][j];

            a[c][j] = a[pivot][j];
            a[pivot][j] = t;
        }
        for (int r = 0; r < 4; r++) {
            double k = r == c ? 0.0 : a[r][c] / a[c][c];

            for (int j = c; j < 5; j++)
                a[r][j] -= k * a[c][j];
        }
    }
    for (int i = 0; i < 4; i++)
        out.v[i] = i < 3 ? a[i][4] / a[i][i] : 0.0;
    return out;
}

static struct vec d3dvalue(D3DCOLORVALUE c)
{
    return (struct vec){{c.r, c.g, c.b, c.a}};
}

/* --- Fixture --------------------------------------------------------------------------------- */

struct fixture {
    struct test_state t;
    struct test_run run;
};

static void random_matrix(D3DMATRIX *m, uint32_t *seed, bool affine)
{
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            m->m[i][j] = test_float(seed, -1.0f, 1.0f) + (i == j ? 2.0f : 0.0f);
    }
    if (affine) {
        m->m[0][3] = m->m[1][3] = m->m[2][3] = 0.0f;
        m->m[3][3] = 1.0f;
    }
}

static D3DCOLORVALUE random_value(uint32_t *seed, float high)
{
    return (D3DCOLORVALUE){test_float(seed, 0, high), test_float(seed, 0, high),
                           test_float(seed, 0, high), test_float(seed, 0, 1)};
}

static void random_attr(struct test_attr *a, uint32_t *seed, float low, float high,
                        unsigned components)
{
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        for (unsigned c = 0; c < 4; c++)
            a->v[c][lane] = c < components ? test_float(seed, low, high) : c == 3;
    }
}

static void random_lights(struct fixture *f, uint32_t *seed, unsigned type, unsigned n)
{
    f->t.s.n_lights = n;
    for (unsigned i = 0; i < n; i++) {
        f->t.lights[i] = (D3DLIGHT9){
            .Type = type ? type : 1 + test_random(seed) % 3,
            .Diffuse = random_value(seed, 0.5f),
            .Specular = random_value(seed, 0.5f),
            .Ambient = random_value(seed, 0.1f),
            .Position = {test_float(seed, -9, 9), test_float(seed, -9, 9), test_float(seed, -9, 9)},
            .Direction = {test_float(seed, -1, 1), test_float(seed, -1, 1),
                          test_float(seed, -1, 1)},
            .Range = test_float(seed, 5, 25),
            .Falloff = test_float(seed, 0.5f, 2.0f),
            .Attenuation0 = test_float(seed, 0.2f, 1.0f),
            .Attenuation1 = test_float(seed, 0, 0.1f),
            .Attenuation2 = test_float(seed, 0, 0.01f),
            .Theta = test_float(seed, 0.2f, 1.0f),
            .Phi = test_float(seed, 1.1f, 3.0f),
        };
    }
}

static struct fixture *fixture_create(uint32_t seed)
{
    struct fixture *f = mem_calloc(1, sizeof(*f));

    test_state_init(&f->t);
    for (unsigned i = 0; i < 4; i++)
        random_matrix(&f->t.world[i], &seed, true);
    random_matrix(&f->t.view, &seed, true);
    random_matrix(&f->t.projection, &seed, false);
    for (unsigned i = 0; i < FF_STAGES; i++)
        random_matrix(&f->t.texture[i], &seed, false);
    f->t.material =
        (D3DMATERIAL9){random_value(&seed, 1), random_value(&seed, 1), random_value(&seed, 1),
                       random_value(&seed, 0.2f), test_float(&seed, 1, 8)};
    f->t.render[D3DRS_AMBIENT] = 0x40102030;
    f->t.s.inputs = FF_IN_POSITION | FF_IN_NORMAL | FF_IN_DIFFUSE | FF_IN_SPECULAR;
    random_attr(test_attr(&f->run.in, VM_USAGE_POSITION, 0), &seed, -2, 2, 3);
    random_attr(test_attr(&f->run.in, VM_USAGE_NORMAL, 0), &seed, -1, 1, 3);
    random_attr(test_attr(&f->run.in, VM_USAGE_COLOR, 0), &seed, 0, 1, 4);
    random_attr(test_attr(&f->run.in, VM_USAGE_COLOR, 1), &seed, 0, 1, 4);
    for (unsigned i = 0; i < 4; i++) {
        random_attr(test_attr(&f->run.in, VM_USAGE_TEXCOORD, i), &seed, -2, 2, i + 1);
        if (i == 0) /* one component: 0, 0, 1 follow */
            memset(test_attr(&f->run.in, VM_USAGE_TEXCOORD, 0)->v[1], 0,
                   sizeof(float[2][VM_LANES]));
    }
    return f;
}

static struct vec input(const struct fixture *f, unsigned usage, unsigned index, unsigned lane)
{
    const struct test_attr *a = test_has(&f->run.in, usage, index);

    return (struct vec){{a->v[0][lane], a->v[1][lane], a->v[2][lane], a->v[3][lane]}};
}

static struct vec eye_position(const struct fixture *f, unsigned lane)
{
    return through(through(input(f, VM_USAGE_POSITION, 0, lane), &f->t.world[0]), &f->t.view);
}

static struct vec eye_normal(const struct fixture *f, unsigned lane)
{
    struct vec n =
        through_inverse_transpose(input(f, VM_USAGE_NORMAL, 0, lane), &f->t.world[0], &f->t.view);

    return f->t.render[D3DRS_NORMALIZENORMALS] ? unit3(n) : n;
}

static void assert_output(const struct fixture *f, unsigned usage, unsigned index, unsigned lane,
                          struct vec want, unsigned components, double tolerance, const char *what)
{
    for (unsigned c = 0; c < components; c++) {
        double got = output(&f->run, usage, index, c, lane), scale = fabs(want.v[c]);

        ck_assert_msg(fabs(got - want.v[c]) <= tolerance * (scale > 1.0 ? scale : 1.0),
                      "%s, lane %u component %u: got %.9g, want %.9g", what, lane, c, got,
                      want.v[c]);
    }
}

/* --- Lighting reference ---------------------------------------------------------------------- */

static double light_strength(const D3DLIGHT9 *light, const struct fixture *f, struct vec l,
                             double d)
{
    double strength, rho, inner = cos(light->Theta / 2.0), outer = cos(light->Phi / 2.0);
    struct vec axis = {{light->Direction.x, light->Direction.y, light->Direction.z, 0.0}};

    if (light->Type == D3DLIGHT_DIRECTIONAL)
        return 1.0;
    if (d > light->Range)
        return 0.0;
    strength = 1.0 / (light->Attenuation0 + light->Attenuation1 * d + light->Attenuation2 * d * d);
    if (light->Type == D3DLIGHT_POINT)
        return strength;
    rho = -dot3(l, unit3(through(axis, &f->t.view)));
    if (rho <= outer)
        return 0.0;
    return rho > inner ? strength : strength * pow((rho - outer) / (inner - outer), light->Falloff);
}

/* Inside 1e-4 of a jump: the two computations may differ. */
static bool near_an_edge(const D3DLIGHT9 *light, double n_dot_l, double n_dot_h, double d)
{
    return fabs(n_dot_l) < 1e-4 || fabs(n_dot_h) < 1e-4 || fabs(d - light->Range) < 1e-4;
}

struct lit {
    struct vec diffuse, specular;
    bool unsure;
};

static struct vec source_colour(const struct fixture *f, D3DRENDERSTATETYPE state,
                                D3DCOLORVALUE material, unsigned lane)
{
    DWORD source = f->t.render[D3DRS_COLORVERTEX] ? f->t.render[state] : D3DMCS_MATERIAL;

    if (source == D3DMCS_COLOR1 && f->t.s.inputs & FF_IN_DIFFUSE)
        return input(f, VM_USAGE_COLOR, 0, lane);
    if (source == D3DMCS_COLOR2 && f->t.s.inputs & FF_IN_SPECULAR)
        return input(f, VM_USAGE_COLOR, 1, lane);
    return d3dvalue(material);
}

static struct lit reference_lighting(const struct fixture *f, unsigned lane)
{
    const D3DMATERIAL9 *m = &f->t.material;
    struct vec p = eye_position(f, lane), n = {{0}};
    struct vec to_eye = f->t.render[D3DRS_LOCALVIEWER] ? unit3(add3((struct vec){{0}}, p, -1.0))
                                                       : (struct vec){{0, 0, -1, 0}};
    DWORD a = f->t.render[D3DRS_AMBIENT];
    double ambient[3] = {(a >> 16 & 255) / 255.0, (a >> 8 & 255) / 255.0, (a & 255) / 255.0};
    double diffuse[3] = {0}, specular[3] = {0};
    struct vec cd = source_colour(f, D3DRS_DIFFUSEMATERIALSOURCE, m->Diffuse, lane);
    struct vec ca = source_colour(f, D3DRS_AMBIENTMATERIALSOURCE, m->Ambient, lane);
    struct vec cs = source_colour(f, D3DRS_SPECULARMATERIALSOURCE, m->Specular, lane);
    struct vec ce = source_colour(f, D3DRS_EMISSIVEMATERIALSOURCE, m->Emissive, lane);
    struct lit out = {.diffuse.v[3] = cd.v[3], .specular.v[3] = cs.v[3]};

    if (f->t.s.inputs & FF_IN_NORMAL)
        n = eye_normal(f, lane);
    for (unsigned i = 0; i < f->t.s.n_lights; i++) {
        const D3DLIGHT9 *light = &f->t.lights[i];
        struct vec at = {{light->Position.x, light->Position.y, light->Position.z, 1.0}};
        struct vec away = {{-light->Direction.x, -light->Direction.y, -light->Direction.z, 0.0}};
        struct vec l = light->Type == D3DLIGHT_DIRECTIONAL ? through(away, &f->t.view)
                                                           : add3(through(at, &f->t.view), p, -1.0);
        double d = sqrt(dot3(l, l)), k, n_dot_l, n_dot_h;

        l = unit3(l);
        k = light_strength(light, f, l, d);
        n_dot_l = dot3(n, l);
        n_dot_h = dot3(n, unit3(add3(l, to_eye, 1.0)));
        out.unsure |= near_an_edge(light, n_dot_l, n_dot_h, d) && dot3(n, n) > 0.0;
        for (int c = 0; c < 3; c++) {
            ambient[c] += d3dvalue(light->Ambient).v[c] * k;
            diffuse[c] += n_dot_l > 0.0 ? d3dvalue(light->Diffuse).v[c] * n_dot_l * k : 0.0;
            if (n_dot_l > 0.0 && n_dot_h > 0.0)
                specular[c] += d3dvalue(light->Specular).v[c] * pow(n_dot_h, m->Power) * k;
        }
    }
    for (int c = 0; c < 3; c++) {
        out.diffuse.v[c] = sat(ca.v[c] * ambient[c] + cd.v[c] * diffuse[c] + ce.v[c]);
        out.specular.v[c] = sat(cs.v[c] * specular[c]);
    }
    return out;
}

static void assert_lighting(struct fixture *f, const char *what)
{
    run_vertex(&f->t, &f->run);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        struct lit want = reference_lighting(f, lane);

        if (want.unsure)
            continue;
        assert_output(f, VM_USAGE_COLOR, 0, lane, want.diffuse, 4, 2e-5, what);
        if (f->t.render[D3DRS_SPECULARENABLE])
            assert_output(f, VM_USAGE_COLOR, 1, lane, want.specular, 4, 5e-5, what);
    }
}

/* --- Tests: lighting ------------------------------------------------------------------------- */

/* Each type alone and all mixed, with every combination of the states around it. */
START_TEST(light_types)
{
    uint32_t seed = 1000 + (unsigned)_i;
    struct fixture *f = fixture_create(seed * 7919);

    for (unsigned n = 0; n < 16; n++) {
        random_lights(f, &seed, (unsigned)_i, _i ? 1 : FF_LIGHTS);
        f->t.render[D3DRS_SPECULARENABLE] = n & 1;
        f->t.render[D3DRS_LOCALVIEWER] = n >> 1 & 1;
        f->t.render[D3DRS_NORMALIZENORMALS] = n >> 2 & 1;
        f->t.render[D3DRS_COLORVERTEX] = n >> 3 & 1;
        assert_lighting(f, "light type");
    }
    mem_free(f);
}
END_TEST

/* Every source of every material colour, with and without the vertex colours. */
START_TEST(material_sources)
{
    static const uint32_t colours[] = {0, FF_IN_DIFFUSE, FF_IN_SPECULAR,
                                       FF_IN_DIFFUSE | FF_IN_SPECULAR};
    uint32_t seed = 5;
    struct fixture *f = fixture_create(seed);

    random_lights(f, &seed, 0, 2);
    f->t.render[D3DRS_SPECULARENABLE] = TRUE;
    f->t.s.inputs = FF_IN_POSITION | FF_IN_NORMAL | colours[_i];
    for (unsigned n = 0; n < 81; n++) {
        f->t.render[D3DRS_DIFFUSEMATERIALSOURCE] = n % 3;
        f->t.render[D3DRS_AMBIENTMATERIALSOURCE] = n / 3 % 3;
        f->t.render[D3DRS_SPECULARMATERIALSOURCE] = n / 9 % 3;
        f->t.render[D3DRS_EMISSIVEMATERIALSOURCE] = n / 27;
        assert_lighting(f, "material source");
    }
    mem_free(f);
}
END_TEST

static void lit_quad(struct fixture *f)
{
    test_set(&f->run.in, VM_USAGE_COLOR, 0, 0.0f, 0.0f, 1.0f, 1.0f);
    f->t.s.inputs = FF_IN_POSITION | FF_IN_NORMAL | FF_IN_DIFFUSE;
    matrix_identity(&f->t.view);
    matrix_identity(&f->t.projection);
    f->t.render[D3DRS_AMBIENT] = 0;
    memset(&f->t.material, 0, sizeof(f->t.material));
    f->t.s.n_lights = 1;
    f->t.lights[0] =
        (D3DLIGHT9){.Type = D3DLIGHT_DIRECTIONAL, .Diffuse = {1, 1, 1, 0}, .Direction = {0, 0, 1}};
}

/* Normals go through the inverse transpose of all 4x4 elements (hardware's answers). */
START_TEST(normal_transform)
{
    static const struct {
        float world[4][4], normal[3], blue;
    } table[] = {
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}, {0, 0, -1}, 1},
        {{{1, 0, 1, 0}, {0, 1, 0, 0}, {1, 0, 1, 0}, {0, 0, 0.5f, 1}}, {0, 0, -1}, 1},
        {{{0, 0, 1, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}, {10, 10, 10, 1}}, {-1, 0, 0}, 1},
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -1}, {10, 10, 10, 0}}, {0, 0, -1}, 0},
    };
    struct fixture *f = fixture_create(6);

    lit_quad(f);
    memcpy(f->t.world[0].m, table[_i].world, sizeof(table[_i].world));
    test_set(&f->run.in, VM_USAGE_NORMAL, 0, table[_i].normal[0], table[_i].normal[1],
             table[_i].normal[2], 1);
    run_vertex(&f->t, &f->run);
    ck_assert_float_eq(output(&f->run, VM_USAGE_COLOR, 0, 0, 3), 0.0f);
    ck_assert_float_eq(output(&f->run, VM_USAGE_COLOR, 0, 2, 3), table[_i].blue);
    mem_free(f);
}
END_TEST

/* Vertices without normals take ambient and emissive light alone; alpha is the source's. */
START_TEST(without_normals)
{
    struct fixture *f = fixture_create(8);

    lit_quad(f);
    f->t.s.inputs = FF_IN_POSITION | FF_IN_DIFFUSE;
    test_set(&f->run.in, VM_USAGE_COLOR, 0, 1.0f, 1.0f, 1.0f, 0.5f);
    f->t.lights[0].Ambient = (D3DCOLORVALUE){0.25f, 0, 0, 0};
    f->t.material.Ambient = (D3DCOLORVALUE){1, 1, 1, 1};
    f->t.material.Diffuse.a = 0.75f;
    run_vertex(&f->t, &f->run);
    assert_output(f, VM_USAGE_COLOR, 0, 0, (struct vec){{0.25, 0, 0, 0.5}}, 4, 0, "vertex alpha");
    f->t.render[D3DRS_DIFFUSEMATERIALSOURCE] = D3DMCS_MATERIAL;
    run_vertex(&f->t, &f->run);
    assert_output(f, VM_USAGE_COLOR, 0, 0, (struct vec){{0.25, 0, 0, 0.75}}, 4, 0,
                  "material alpha");
    mem_free(f);
}
END_TEST

/* Specular light of hardware on a grid at z = 1, in 255ths: centre, edge and diagonal neighbours.
 */
START_TEST(specular_table)
{
    static const D3DLIGHT9 directional = {
        .Type = D3DLIGHT_DIRECTIONAL, .Specular = {1, 1, 1, 0}, .Direction = {0, 0, 1}};
    static const D3DLIGHT9 point = {
        .Type = D3DLIGHT_POINT, .Specular = {1, 1, 1, 0}, .Range = 100, .Attenuation2 = 1};
    static const D3DLIGHT9 spot = {.Type = D3DLIGHT_SPOT,
                                   .Specular = {1, 1, 1, 0},
                                   .Direction = {0, 0, 1},
                                   .Range = 100,
                                   .Falloff = 1,
                                   .Attenuation2 = 1,
                                   .Theta = 0.26179939f,
                                   .Phi = 1.04719755f};
    static const D3DLIGHT9 near_point = {
        .Type = D3DLIGHT_POINT, .Specular = {1, 1, 1, 0}, .Range = 1.2f, .Attenuation2 = 1};
    static const D3DLIGHT9 side = {.Type = D3DLIGHT_POINT,
                                   .Specular = {1, 1, 1, 0},
                                   .Position = {-1.1f, 0, 1.1f},
                                   .Range = 100,
                                   .Attenuation2 = 1};
    static const struct {
        const D3DLIGHT9 *light;
        bool local;
        float power;
        int want[3];
    } table[] = {
        {&directional, false, 30, {0xff, 0xff, 0xff}}, {&directional, true, 30, {0xff, 0x71, 0x3c}},
        {&point, false, 30, {0xff, 0x5a, 0x28}},       {&point, true, 30, {0xff, 0x07, 0x00}},
        {&spot, false, 30, {0xff, 0x14, 0x00}},        {&spot, true, 30, {0xff, 0x02, 0x00}},
        {&near_point, false, 30, {0xff, 0x5a, 0x00}},  {&side, true, 0, {0, 0, 0}},
        {&directional, true, 0, {0xff, 0xff, 0xff}},   {&point, true, 0, {0xff, 0xcc, 0xaa}},
        {&spot, false, 0, {0xff, 0x2e, 0x00}},         {&near_point, false, 0, {0xff, 0xcc, 0x00}},
    };
    struct fixture *f = fixture_create(9);
    struct test_attr *p = test_attr(&f->run.in, VM_USAGE_POSITION, 0);

    lit_quad(f);
    matrix_identity(&f->t.world[0]);
    f->t.s.inputs = FF_IN_POSITION | FF_IN_NORMAL;
    f->t.lights[0] = *table[_i].light;
    f->t.material.Specular = (D3DCOLORVALUE){1, 1, 1, 1};
    f->t.material.Power = table[_i].power;
    f->t.render[D3DRS_SPECULARENABLE] = TRUE;
    f->t.render[D3DRS_LOCALVIEWER] = table[_i].local;
    test_set(&f->run.in, VM_USAGE_NORMAL, 0, 0, 0, -1, 1);
    test_set(&f->run.in, VM_USAGE_POSITION, 0, 0, 0, 1, 1);
    p->v[0][1] = -0.5f;
    p->v[0][2] = p->v[1][2] = 0.5f;
    run_vertex(&f->t, &f->run);
    for (unsigned lane = 0; lane < 3; lane++) {
        double got = output(&f->run, VM_USAGE_COLOR, 1, 1, lane) * 255.0;

        ck_assert_msg(fabs(got - table[_i].want[lane]) <= 1.0, "row %d point %u: %g, want %d", _i,
                      lane, got, table[_i].want[lane]);
    }
    mem_free(f);
}
END_TEST

/* SPECULARENABLE off: the vertex's own specular colour passes, lighting or not. */
START_TEST(specular_passes_unlit)
{
    struct fixture *f = fixture_create(10);

    for (unsigned lit = 0; lit < 2; lit++) {
        f->t.render[D3DRS_LIGHTING] = lit;
        run_vertex(&f->t, &f->run);
        assert_output(f, VM_USAGE_COLOR, 1, 7, input(f, VM_USAGE_COLOR, 1, 7), 4, 0, "specular");
    }
    mem_free(f);
}
END_TEST

/* Unlit colours saturate; a missing diffuse is white, a missing specular nothing. */
START_TEST(unlit_colours)
{
    struct fixture *f = fixture_create(11);

    f->t.render[D3DRS_LIGHTING] = FALSE;
    test_set(&f->run.in, VM_USAGE_COLOR, 0, 2.0f, -1.0f, 0.5f, 1.5f);
    run_vertex(&f->t, &f->run);
    assert_output(f, VM_USAGE_COLOR, 0, 1, (struct vec){{1, 0, 0.5, 1}}, 4, 0, "saturated");
    f->t.s.inputs = FF_IN_POSITION;
    run_vertex(&f->t, &f->run);
    assert_output(f, VM_USAGE_COLOR, 0, 1, (struct vec){{1, 1, 1, 1}}, 4, 0, "default diffuse");
    assert_output(f, VM_USAGE_COLOR, 1, 1, (struct vec){{0, 0, 0, 0}}, 4, 0, "default specular");
    mem_free(f);
}
END_TEST

/* --- Tests: positions ------------------------------------------------------------------------ */

START_TEST(clip_position)
{
    struct fixture *f = fixture_create(20);

    f->t.render[D3DRS_LIGHTING] = FALSE;
    run_vertex(&f->t, &f->run);
    for (unsigned lane = 0; lane < VM_LANES; lane++)
        assert_output(f, VM_USAGE_POSITION, 0, lane,
                      through(eye_position(f, lane), &f->t.projection), 4, 4e-6, "clip");
    mem_free(f);
}
END_TEST

/* Passes of one object agree in every bit of the position, lit or not. */
START_TEST(position_is_invariant)
{
    struct fixture *f = fixture_create(21);
    float first[4][VM_LANES];
    uint32_t seed = 3;

    run_vertex(&f->t, &f->run);
    memcpy(first, test_has(&f->run.out, VM_USAGE_POSITION, 0)->v, sizeof(first));
    random_lights(f, &seed, 0, 8);
    f->t.render[D3DRS_FOGENABLE] = f->t.render[D3DRS_SPECULARENABLE] = TRUE;
    f->t.render[D3DRS_FOGVERTEXMODE] = D3DFOG_EXP;
    f->t.stage[2][D3DTSS_TEXCOORDINDEX] = D3DTSS_TCI_CAMERASPACEPOSITION;
    run_vertex(&f->t, &f->run);
    ck_assert(!memcmp(first, test_has(&f->run.out, VM_USAGE_POSITION, 0)->v, sizeof(first)));
    mem_free(f);
}
END_TEST

START_TEST(transformed_passes)
{
    struct fixture *f = fixture_create(22);
    uint32_t seed = 4;

    f->t.s.transformed = true;
    f->t.s.texcoord_size[2] = 3;
    f->t.stage[0][D3DTSS_TEXCOORDINDEX] = 2;
    f->t.stage[0][D3DTSS_TEXTURETRANSFORMFLAGS] = D3DTTFF_COUNT2; /* has no effect */
    random_attr(test_attr(&f->run.in, VM_USAGE_POSITIONT, 0), &seed, 0, 100, 4);
    run_vertex(&f->t, &f->run);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        assert_output(f, VM_USAGE_POSITION, 0, lane, input(f, VM_USAGE_POSITIONT, 0, lane), 4, 0,
                      "position");
        assert_output(f, VM_USAGE_COLOR, 0, lane, input(f, VM_USAGE_COLOR, 0, lane), 4, 0,
                      "colour");
        assert_output(f, VM_USAGE_TEXCOORD, 0, lane, input(f, VM_USAGE_TEXCOORD, 2, lane), 4, 0,
                      "coordinates");
    }
    mem_free(f);
}
END_TEST

/* Weighted sum of the positions and normals that each matrix gives. */
static struct vec blended(const struct fixture *f, const double *weight, const unsigned *matrix,
                          unsigned n, unsigned lane, bool normal)
{
    struct vec sum = {{0}};

    for (unsigned i = 0; i < n; i++) {
        const D3DMATRIX *world = &f->t.world[matrix[i]];
        struct vec v =
            normal
                ? through_inverse_transpose(input(f, VM_USAGE_NORMAL, 0, lane), world, &f->t.view)
                : through(through(input(f, VM_USAGE_POSITION, 0, lane), world), &f->t.view);

        for (int c = 0; c < 4; c++)
            sum.v[c] += weight[i] * v.v[c];
    }
    return sum;
}

START_TEST(vertex_blending)
{
    unsigned n = (unsigned)_i % 4, indexed = (unsigned)_i / 4; /* 0, as given, D3DCOLOR */
    struct fixture *f = fixture_create(23);
    struct test_attr *indices = test_attr(&f->run.in, VM_USAGE_BLENDINDICES, 0);
    uint32_t seed = 6;

    for (unsigned i = 0; i < 256; i++)
        random_matrix(&f->t.world[i], &seed, true);
    random_attr(test_attr(&f->run.in, VM_USAGE_BLENDWEIGHT, 0), &seed, 0, 0.4f, 3);
    f->t.render[D3DRS_VERTEXBLEND] = n ? n : D3DVBF_0WEIGHTS;
    f->t.render[D3DRS_INDEXEDVERTEXBLENDENABLE] = indexed != 0;
    f->t.render[D3DRS_LIGHTING] = FALSE;
    f->t.s.inputs |=
        FF_IN_BLENDINDICES | (indexed == 2 ? FF_IN_INDICES_D3DCOLOR : 0);
    f->t.stage[1][D3DTSS_TEXCOORDINDEX] = D3DTSS_TCI_CAMERASPACENORMAL;
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        for (unsigned c = 0; c < 4; c++)
            indices->v[c][lane] =
                (float)(test_random(&seed) & 255) / (indexed == 2 ? 255.0f : 1.0f);
    }
    run_vertex(&f->t, &f->run);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        static const unsigned bgra[4] = {2, 1, 0, 3};
        struct vec w = input(f, VM_USAGE_BLENDWEIGHT, 0, lane);
        double weight[4] = {n > 0 ? w.v[0] : 1, n > 1 ? w.v[1] : 1 - w.v[0],
                            n > 2 ? w.v[2] : 1 - w.v[0] - w.v[1], 1 - w.v[0] - w.v[1] - w.v[2]};
        unsigned matrix[4] = {0, 1, 2, 3};

        for (unsigned i = 0; i < 4 && indexed; i++)
            matrix[i] = (unsigned)lrint(indexed == 2 ? indices->v[bgra[i]][lane] * 255.0
                                                     : indices->v[i][lane]);
        assert_output(f, VM_USAGE_POSITION, 0, lane,
                      through(blended(f, weight, matrix, n + 1, lane, false), &f->t.projection), 4,
                      1e-5, "position");
        assert_output(f, VM_USAGE_TEXCOORD, 1, lane, blended(f, weight, matrix, n + 1, lane, true),
                      3, 1e-5, "normal");
    }
    mem_free(f);
}
END_TEST

START_TEST(tweening)
{
    struct fixture *f = fixture_create(24);
    uint32_t seed = 8;

    random_attr(test_attr(&f->run.in, VM_USAGE_POSITION, 1), &seed, -2, 2, 3);
    random_attr(test_attr(&f->run.in, VM_USAGE_NORMAL, 1), &seed, -1, 1, 3);
    f->t.s.inputs |= FF_IN_POSITION2 | FF_IN_NORMAL2;
    f->t.render[D3DRS_VERTEXBLEND] = D3DVBF_TWEENING;
    f->t.render[D3DRS_TWEENFACTOR] = float_bits(0.3f);
    f->t.render[D3DRS_LIGHTING] = FALSE;
    run_vertex(&f->t, &f->run);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        struct vec a = input(f, VM_USAGE_POSITION, 0, lane),
                   b = input(f, VM_USAGE_POSITION, 1, lane);
        struct vec p = add3(a, add3(b, a, -1.0), 0.3f);

        p.v[3] = 1.0;
        p = through(through(through(p, &f->t.world[0]), &f->t.view), &f->t.projection);
        assert_output(f, VM_USAGE_POSITION, 0, lane, p, 4, 1e-5, "tweened");
    }
    mem_free(f);
}
END_TEST

/* --- Tests: coordinates ---------------------------------------------------------------------- */

/* What comes into the matrix of a stage. */
static struct vec generated(const struct fixture *f, DWORD index, unsigned lane, bool transform)
{
    struct vec n = eye_normal(f, lane), p = eye_position(f, lane), i = unit3(p);
    struct vec r = add3(i, n, -2.0 * dot3(n, i)), v;
    unsigned set = index & 0xffff;
    double m;

    n.v[3] = p.v[3] = r.v[3] = 1.0;
    switch (index & 0xffff0000) {
    case D3DTSS_TCI_CAMERASPACENORMAL:
        return n;
    case D3DTSS_TCI_CAMERASPACEPOSITION:
        return p;
    case D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR:
        return r;
    case D3DTSS_TCI_SPHEREMAP:
        m = 2.0 * sqrt(r.v[0] * r.v[0] + r.v[1] * r.v[1] + (r.v[2] + 1.0) * (r.v[2] + 1.0));
        return (struct vec){{r.v[0] / m + 0.5, r.v[1] / m + 0.5, 0.0, 1.0}};
    }
    v = input(f, VM_USAGE_TEXCOORD, set, lane);
    if (transform) { /* set n has n + 1 components */
        for (unsigned c = set + 1; c < 4; c++)
            v.v[c] = c == set + 1;
    }
    return v;
}

START_TEST(texture_coordinates)
{
    static const DWORD sources[] = {0,
                                    1,
                                    2,
                                    3,
                                    D3DTSS_TCI_CAMERASPACENORMAL | 1,
                                    D3DTSS_TCI_CAMERASPACEPOSITION,
                                    D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR,
                                    D3DTSS_TCI_SPHEREMAP};
    struct fixture *f = fixture_create(30);
    unsigned count = (unsigned)_i;

    f->t.render[D3DRS_LIGHTING] = FALSE;
    for (unsigned i = 0; i < FF_STAGES; i++) {
        f->t.s.texcoord_size[i] = i < 4 ? (uint8_t)(i + 1) : 0;
        f->t.stage[i][D3DTSS_TEXCOORDINDEX] = sources[i];
        f->t.stage[i][D3DTSS_TEXTURETRANSFORMFLAGS] = count;
    }
    run_vertex(&f->t, &f->run);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        for (unsigned i = 0; i < FF_STAGES; i++) {
            bool transform = count >= 2 && count <= 4;
            struct vec want = generated(f, sources[i], lane, transform);

            if (transform)
                want = through(want, &f->t.texture[i]);
            for (unsigned c = count; c < 4 && transform; c++)
                want.v[c] = c == 3;
            assert_output(f, VM_USAGE_TEXCOORD, i, lane, want, 4, 2e-5, "coordinates");
        }
    }
    mem_free(f);
}
END_TEST

/* Single matrix elements show the padding of missing components (hardware's answers). */
START_TEST(texture_padding)
{
    static const struct {
        uint8_t size;
        float in[4], matrix[4][4];
        DWORD flags;
        float want[3];
    } table[] = {
        {2, {1, 1, 0, 1}, {{0}}, D3DTTFF_DISABLE, {1, 1, 0}},
        {2, {1, 1, 0, 1}, {{0}}, D3DTTFF_COUNT2, {0, 0, 0}},
        {2, {0.5f, 0.5f, 0, 1}, {{0}, {0}, {1, 0, 0, 0}, {0, 1, 0, 0}}, D3DTTFF_COUNT4, {1, 0, 0}},
        {2, {0.8f, 0.2f, 0, 1}, {{0}, {0}, {0, 1, 0, 0}, {0}}, D3DTTFF_COUNT2, {0, 1, 0}},
        {2, {0.8f, 0.2f, 0, 1}, {{0}, {0}, {0, 1, 0, 0}, {0}}, D3DTTFF_COUNT1, {0.8f, 0.2f, 0}},
        {3,
         {1, 1, 1, 1},
         {{1, 0, 0, 0}, {0, 0, 1, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}},
         D3DTTFF_COUNT3,
         {1, 1, 1}},
        {3,
         {1, 1, 1, 1},
         {{1, 0, 0, 0}, {0, 0, 1, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}},
         D3DTTFF_COUNT2,
         {1, 1, 0}},
        {2,
         {0, 0, 0, 1},
         {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}},
         D3DTTFF_COUNT3,
         {0, 0, 1}},
        {3, {1, 1, 1, 1}, {{0}, {0}, {0}, {0, 1, 0, 0}}, D3DTTFF_COUNT3, {0, 1, 0}},
        {0,
         {0, 0, 0, 0},
         {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}},
         D3DTTFF_COUNT3,
         {0, 0, 0}},
        {1,
         {1, 0, 0, 1},
         {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
         D3DTTFF_COUNT3,
         {1, 0, 0}},
    };
    struct fixture *f = fixture_create(31);

    f->t.s.texcoord_size[0] = table[_i].size;
    memcpy(f->t.texture[0].m, table[_i].matrix, sizeof(table[_i].matrix));
    f->t.stage[0][D3DTSS_TEXTURETRANSFORMFLAGS] = table[_i].flags;
    test_set(&f->run.in, VM_USAGE_TEXCOORD, 0, table[_i].in[0], table[_i].in[1], table[_i].in[2],
             table[_i].in[3]);
    run_vertex(&f->t, &f->run);
    for (unsigned c = 0; c < 3; c++)
        ck_assert_msg(output(&f->run, VM_USAGE_TEXCOORD, 0, c, 2) == table[_i].want[c],
                      "row %d component %u: %g", _i, c,
                      output(&f->run, VM_USAGE_TEXCOORD, 0, c, 2));
    mem_free(f);
}
END_TEST

/* --- Tests: fog and points ------------------------------------------------------------------- */

static double fog_reference(const struct fixture *f, unsigned lane, DWORD mode, double start,
                            double end, double density)
{
    struct vec p = eye_position(f, lane);
    double d = f->t.render[D3DRS_RANGEFOGENABLE] ? sqrt(dot3(p, p)) : fabs(p.v[2]);

    if (mode == D3DFOG_LINEAR)
        return start == end ? 0.0 : sat((end - d) / (end - start));
    return sat(exp(mode == D3DFOG_EXP ? -density * d : -(density * d) * (density * d)));
}

START_TEST(vertex_fog)
{
    static const float ranges[][3] = {
        {0.0f, 10.0f, 0.1f}, {1.5f, 4.0f, 0.5f}, {8.0f, 2.0f, 1.0f}, {3.0f, 3.0f, 0.0f}};
    struct fixture *f = fixture_create(40);

    f->t.render[D3DRS_FOGENABLE] = TRUE;
    f->t.render[D3DRS_LIGHTING] = FALSE;
    f->t.render[D3DRS_RANGEFOGENABLE] = _i;
    for (unsigned n = 0; n < 4; n++) {
        f->t.render[D3DRS_FOGSTART] = float_bits(ranges[n][0]);
        f->t.render[D3DRS_FOGEND] = float_bits(ranges[n][1]);
        f->t.render[D3DRS_FOGDENSITY] = float_bits(ranges[n][2]);
        for (DWORD mode = D3DFOG_EXP; mode <= D3DFOG_LINEAR; mode++) {
            f->t.render[D3DRS_FOGVERTEXMODE] = mode;
            run_vertex(&f->t, &f->run);
            for (unsigned lane = 0; lane < VM_LANES; lane++) {
                struct vec want = {
                    {fog_reference(f, lane, mode, ranges[n][0], ranges[n][1], ranges[n][2])}};

                assert_output(f, VM_USAGE_FOG, 0, lane, want, 1, 5e-6, "fog");
            }
        }
    }
    mem_free(f);
}
END_TEST

/* Random ranges, in either order and around the vertices' own depths. */
START_TEST(vertex_fog_of_random_ranges)
{
    struct fixture *f = fixture_create(43 + (uint32_t)_i);
    uint32_t seed = 100 + (uint32_t)_i;

    f->t.render[D3DRS_FOGENABLE] = TRUE;
    f->t.render[D3DRS_LIGHTING] = FALSE;
    f->t.render[D3DRS_RANGEFOGENABLE] = _i & 1;
    for (unsigned n = 0; n < 32; n++) {
        float start = test_float(&seed, -5, 20), end = test_float(&seed, -5, 20);
        float density = test_float(&seed, 0, 1);
        DWORD mode = D3DFOG_EXP + n % 3;

        f->t.render[D3DRS_FOGSTART] = float_bits(start);
        f->t.render[D3DRS_FOGEND] = float_bits(end);
        f->t.render[D3DRS_FOGDENSITY] = float_bits(density);
        f->t.render[D3DRS_FOGVERTEXMODE] = mode;
        run_vertex(&f->t, &f->run);
        for (unsigned lane = 0; lane < VM_LANES; lane++) {
            struct vec want = {{fog_reference(f, lane, mode, start, end, density)}};
            /* what rounding the depth to 24 bits may do */
            double slope = mode == D3DFOG_LINEAR ? 1.0 / fabs((double)end - start) : 1.0;

            assert_output(f, VM_USAGE_FOG, 0, lane, want, 1, 5e-6 * (1.0 + slope), "fog");
        }
    }
    mem_free(f);
}
END_TEST

/* Values that no program should set, and the factor of every vertex then: reference
 * fog/infinite-range and fog/not-a-number. */
START_TEST(vertex_fog_limits)
{
    static const struct {
        DWORD mode;
        float start, end, density, factor;
    } cases[] = {
        {D3DFOG_LINEAR, 0.0f, FLT_MAX, 0.0f, 1.0f},  {D3DFOG_LINEAR, 0.0f, INFINITY, 0.0f, 1.0f},
        {D3DFOG_LINEAR, -INFINITY, 30, 0.0f, 0.0f},  {D3DFOG_LINEAR, FLT_MAX, 0.0f, 0.0f, 0.0f},
        {D3DFOG_LINEAR, INFINITY, 1.0f, 0.0f, 0.0f}, {D3DFOG_LINEAR, 1.0f, -INFINITY, 0.0f, 1.0f},
        {D3DFOG_LINEAR, 0.0f, NAN, 0.0f, 0.0f},      {D3DFOG_LINEAR, NAN, 100.0f, 0.0f, 0.0f},
        {D3DFOG_EXP, 0.0f, 1.0f, 0.0f, 1.0f},        {D3DFOG_EXP2, 0.0f, 1.0f, 0.0f, 1.0f},
        {D3DFOG_EXP, 0.0f, 1.0f, -1.0f, 1.0f},       {D3DFOG_EXP, 0.0f, 1.0f, NAN, 0.0f},
        {D3DFOG_EXP2, 0.0f, 1.0f, NAN, 0.0f},        {D3DFOG_EXP, 0.0f, 1.0f, INFINITY, 0.0f},
        {D3DFOG_EXP2, 0.0f, 1.0f, FLT_MAX, 0.0f},
    };
    struct fixture *f = fixture_create(44);

    f->t.render[D3DRS_FOGENABLE] = TRUE;
    f->t.render[D3DRS_LIGHTING] = FALSE;
    for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
        f->t.render[D3DRS_FOGVERTEXMODE] = cases[n].mode;
        f->t.render[D3DRS_FOGSTART] = float_bits(cases[n].start);
        f->t.render[D3DRS_FOGEND] = float_bits(cases[n].end);
        f->t.render[D3DRS_FOGDENSITY] = float_bits(cases[n].density);
        run_vertex(&f->t, &f->run);
        for (unsigned lane = 0; lane < VM_LANES; lane++) {
            if (fabs(eye_position(f, lane).v[2]) < 1e-3)
                continue; /* nothing is near fog */
            ck_assert_msg(fabs(output(&f->run, VM_USAGE_FOG, 0, 0, lane) - cases[n].factor) < 1e-30,
                          "case %u, lane %u: %g", n, lane,
                          output(&f->run, VM_USAGE_FOG, 0, 0, lane));
        }
    }
    mem_free(f);
}
END_TEST

/* Distances whose squares are no numbers, or 0. */
START_TEST(vertex_fog_of_extreme_distances)
{
    static const float at[][2] = {
        {1e25f, 0.0f}, {3e38f, 0.0f}, {1e-25f, 1.0f}, {0.0f, 1.0f}, {4.0f, 0.5f}};
    struct fixture *f = fixture_create(45);

    matrix_identity(&f->t.world[0]);
    matrix_identity(&f->t.view);
    f->t.render[D3DRS_FOGENABLE] = f->t.render[D3DRS_RANGEFOGENABLE] = TRUE;
    f->t.render[D3DRS_LIGHTING] = FALSE;
    f->t.render[D3DRS_FOGVERTEXMODE] = D3DFOG_LINEAR;
    f->t.render[D3DRS_FOGSTART] = float_bits(0.0f);
    f->t.render[D3DRS_FOGEND] = float_bits(8.0f);
    for (unsigned n = 0; n < sizeof(at) / sizeof(at[0]); n++) {
        test_set(&f->run.in, VM_USAGE_POSITION, 0, 0, -at[n][0], 0, 1);
        run_vertex(&f->t, &f->run);
        ck_assert_msg(output(&f->run, VM_USAGE_FOG, 0, 0, 3) == at[n][1], "%g: %g", at[n][0],
                      output(&f->run, VM_USAGE_FOG, 0, 0, 3));
    }
    mem_free(f);
}
END_TEST

/* Without an equation the factor is the vertex's; table fog takes none; transformed vertices never
 * compute. */
START_TEST(given_fog)
{
    struct fixture *f = fixture_create(41);
    uint32_t seed = 12;

    f->t.render[D3DRS_FOGENABLE] = TRUE;
    run_vertex(&f->t, &f->run);
    ck_assert_float_eq(output(&f->run, VM_USAGE_FOG, 0, 0, 5),
                       (float)input(f, VM_USAGE_COLOR, 1, 5).v[3]);
    f->t.s.inputs &= ~(uint32_t)FF_IN_SPECULAR;
    run_vertex(&f->t, &f->run);
    ck_assert(test_has(&f->run.out, VM_USAGE_FOG, 0));
    ck_assert_float_eq(output(&f->run, VM_USAGE_FOG, 0, 0, 5), 0.0f);
    random_attr(test_attr(&f->run.in, VM_USAGE_FOG, 0), &seed, 0, 1, 1);
    f->t.s.inputs |= FF_IN_FOG | FF_IN_SPECULAR;
    run_vertex(&f->t, &f->run);
    ck_assert_float_eq(output(&f->run, VM_USAGE_FOG, 0, 0, 5),
                       (float)input(f, VM_USAGE_FOG, 0, 5).v[0]);
    f->t.s.inputs &= ~(uint32_t)FF_IN_FOG;
    f->t.render[D3DRS_FOGTABLEMODE] = D3DFOG_LINEAR;
    run_vertex(&f->t, &f->run);
    ck_assert(!test_has(&f->run.out, VM_USAGE_FOG, 0));
    f->t.render[D3DRS_FOGTABLEMODE] = D3DFOG_NONE;
    f->t.render[D3DRS_FOGVERTEXMODE] = D3DFOG_LINEAR;
    f->t.s.transformed = true;
    random_attr(test_attr(&f->run.in, VM_USAGE_POSITIONT, 0), &seed, 0, 100, 4);
    run_vertex(&f->t, &f->run);
    ck_assert_float_eq(output(&f->run, VM_USAGE_FOG, 0, 0, 5),
                       (float)input(f, VM_USAGE_COLOR, 1, 5).v[3]);
    mem_free(f);
}
END_TEST

START_TEST(point_size)
{
    struct fixture *f = fixture_create(42);
    const float a = 0.5f, b = 0.25f, c = 0.125f;
    uint32_t seed = 13;

    random_attr(test_attr(&f->run.in, VM_USAGE_PSIZE, 0), &seed, 1, 30, 1);
    f->t.render[D3DRS_POINTSIZE] = float_bits(30.75f);
    f->t.render[D3DRS_POINTSCALE_A] = float_bits(a);
    f->t.render[D3DRS_POINTSCALE_B] = float_bits(b);
    f->t.render[D3DRS_POINTSCALE_C] = float_bits(c);
    f->t.render[D3DRS_POINTSCALEENABLE] = _i & 1;
    f->t.s.inputs |= _i & 2 ? FF_IN_PSIZE : 0;
    run_vertex(&f->t, &f->run);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        struct vec p = eye_position(f, lane), size = {{30.75}};
        double d = sqrt(dot3(p, p));

        if (_i & 2)
            size.v[0] = input(f, VM_USAGE_PSIZE, 0, lane).v[0];
        if (_i & 1)
            size.v[0] *= 480.0 * sqrt(1.0 / (a + b * d + c * d * d));
        assert_output(f, VM_USAGE_PSIZE, 0, lane, size, 1, 2e-6, "point size");
    }
    mem_free(f);
}
END_TEST

/* --- Tests: keys ----------------------------------------------------------------------------- */

static bool same_key(const struct fixture *f, const struct fixture *g)
{
    struct ff_vertex_key a, b;

    ff_vertex_key_init(&a, &f->t.s);
    ff_vertex_key_init(&b, &g->t.s);
    return !memcmp(&a, &b, sizeof(a));
}

START_TEST(key_is_canonical)
{
    struct fixture *f = fixture_create(50), *g = fixture_create(51);
    uint32_t seed = 14;

    /* Values. */
    f->t.s.n_lights = g->t.s.n_lights = 1;
    f->t.lights[0].Type = g->t.lights[0].Type = D3DLIGHT_POINT;
    f->t.lights[0].Range = 5;
    ck_assert(same_key(f, g));
    g->t.lights[0].Type = D3DLIGHT_SPOT;
    ck_assert(!same_key(f, g));
    /* Lights and materials of unlit vertices, fog equations that are off, matrices of stages
     * without coordinates. */
    f->t.render[D3DRS_LIGHTING] = g->t.render[D3DRS_LIGHTING] = FALSE;
    random_lights(g, &seed, 0, 5);
    g->t.render[D3DRS_SPECULARENABLE] = g->t.render[D3DRS_NORMALIZENORMALS] = TRUE;
    g->t.render[D3DRS_LOCALVIEWER] = FALSE;
    g->t.render[D3DRS_AMBIENTMATERIALSOURCE] = D3DMCS_COLOR2;
    g->t.render[D3DRS_FOGVERTEXMODE] = D3DFOG_EXP2;
    g->t.render[D3DRS_RANGEFOGENABLE] = TRUE;
    g->t.stage[3][D3DTSS_TEXTURETRANSFORMFLAGS] = D3DTTFF_COUNT3;
    g->t.stage[4][D3DTSS_TEXCOORDINDEX] = 2;
    g->t.render[D3DRS_INDEXEDVERTEXBLENDENABLE] = TRUE;
    g->t.s.inputs &= ~(uint32_t)FF_IN_NORMAL;
    ck_assert(same_key(f, g));
    mem_free(f);
    mem_free(g);
}
END_TEST

/* States out of range: a program comes out all the same, and stays within the constants. */
START_TEST(any_state_builds)
{
    static float c[FF_VERTEX_CONSTANTS][4];
    struct fixture *f = fixture_create(52);
    uint32_t seed = 99;

    for (unsigned n = 0; n < 400; n++) {
        struct ff_vertex_key key;
        struct vm_program *program;

        random_lights(f, &seed, 0, test_random(&seed) % (FF_LIGHTS + 1));
        for (unsigned i = 0; i < FF_RENDER_STATES; i++)
            f->t.render[i] = test_random(&seed) & (n & 1 ? 0xffffffff : 3);
        for (unsigned i = 0; i < FF_STAGES; i++) {
            f->t.stage[i][D3DTSS_TEXCOORDINDEX] =
                test_random(&seed) & (n & 1 ? 0xffffffff : 0x7000f);
            f->t.stage[i][D3DTSS_TEXTURETRANSFORMFLAGS] =
                test_random(&seed) & (n & 1 ? 0xffffffff : 0x107);
            f->t.s.texcoord_size[i] = test_random(&seed) % 5;
        }
        f->t.s.inputs = test_random(&seed) & 0x7ff;
        f->t.s.transformed = test_random(&seed) & 1;
        ff_vertex_key_init(&key, &f->t.s);
        ck_assert_uint_le(ff_vertex_constants(&key, &f->t.s, c), FF_VERTEX_CONSTANTS);
        ck_assert_int_eq(ff_vertex_build(&program, &key), ST_OK);
        ck_assert_uint_le(vm_program_info(program)->float_constants, 65535);
        vm_program_destroy(program);
    }
    mem_free(f);
}
END_TEST

START_TEST(out_of_memory)
{
    struct fixture *f = fixture_create(53);
    uint32_t seed = 15;
    struct ff_vertex_key key;
    struct vm_program *program;
    int64_t live;

    random_lights(f, &seed, 0, 3);
    ff_vertex_key_init(&key, &f->t.s);
    live = mem_live_blocks();
    for (int64_t n = 0;; n++) {
        enum status st;

        mem_fail_after(n);
        st = ff_vertex_build(&program, &key);
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
    Suite *s = suite_create("ff/vertex");
    TCase *light = tcase_create("light"), *place = tcase_create("position"),
          *other = tcase_create("other");

    tcase_set_timeout(light, 60);
    tcase_add_loop_test(light, light_types, 0, 4);
    tcase_add_loop_test(light, material_sources, 0, 4);
    tcase_add_loop_test(light, normal_transform, 0, 4);
    tcase_add_test(light, without_normals);
    tcase_add_loop_test(light, specular_table, 0, 12);
    tcase_add_test(light, specular_passes_unlit);
    tcase_add_test(light, unlit_colours);
    tcase_add_test(place, clip_position);
    tcase_add_test(place, position_is_invariant);
    tcase_add_test(place, transformed_passes);
    tcase_add_loop_test(place, vertex_blending, 0, 12);
    tcase_add_test(place, tweening);
    tcase_add_loop_test(other, texture_coordinates, 0, 6);
    tcase_add_loop_test(other, texture_padding, 0, 11);
    tcase_add_loop_test(other, vertex_fog, 0, 2);
    tcase_add_loop_test(other, vertex_fog_of_random_ranges, 0, 4);
    tcase_add_test(other, vertex_fog_limits);
    tcase_add_test(other, vertex_fog_of_extreme_distances);
    tcase_add_test(other, given_fog);
    tcase_add_loop_test(other, point_size, 0, 4);
    tcase_add_test(other, key_is_canonical);
    tcase_add_test(other, any_state_builds);
    tcase_add_test(other, out_of_memory);
    suite_add_tcase(s, light);
    suite_add_tcase(s, place);
    suite_add_tcase(s, other);
    return s;
}

TEST_MAIN(suite)
