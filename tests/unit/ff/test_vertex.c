/* Fixed-function transform and lighting against the documented formulas in double precision. */
#include "vertex_fixture.h"

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

/* Within 1e-4 of a discontinuity the two computations may differ. */
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

/* Each type alone and all mixed, with every combination of the related states. */
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

/* Every source of every material colour, with and without vertex colours. */
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

/* Normals use the inverse transpose of the whole 4x4 matrix (results of hardware). */
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

/* Vertices without normals have ambient and emissive light only; alpha is that of the source. */
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

/* Specular light of hardware on a grid at z = 1, in 255ths: centre, edge and diagonal
 * neighbours. */
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

/* SPECULARENABLE off: the vertex's specular colour passes, with and without lighting. */
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

/* Unlit colours saturate; a missing diffuse colour is white, a missing specular colour 0. */
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

/* All passes of an object have bit-identical positions, lit or not. */
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

/* Weighted sum of the positions or normals that the matrices give. */
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
    f->t.s.inputs |= FF_IN_BLENDINDICES | (indexed == 2 ? FF_IN_INDICES_D3DCOLOR : 0);
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

/* Input of a stage's matrix. */
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

/* Single matrix elements reveal the padding of missing components (results of hardware). */
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

    /* Values are not part of the key. */
    f->t.s.n_lights = g->t.s.n_lights = 1;
    f->t.lights[0].Type = g->t.lights[0].Type = D3DLIGHT_POINT;
    f->t.lights[0].Range = 5;
    ck_assert(same_key(f, g));
    g->t.lights[0].Type = D3DLIGHT_SPOT;
    ck_assert(!same_key(f, g));
    /* Nor are lights and materials of unlit vertices, disabled fog equations, and matrices of
     * stages without coordinates. */
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

/* A program is built even for state values out of range, and stays within the constants. */
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
    tcase_add_test(other, key_is_canonical);
    tcase_add_test(other, any_state_builds);
    tcase_add_test(other, out_of_memory);
    suite_add_tcase(s, light);
    suite_add_tcase(s, place);
    suite_add_tcase(s, other);
    return s;
}

TEST_MAIN(suite)
