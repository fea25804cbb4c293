/* Lighting against the equations of the Direct3D 9 documentation ("Mathematics of Lighting") in
 * double precision, for random states: every combination of light type, LOCALVIEWER,
 * SPECULARENABLE, NORMALIZENORMALS and the four material sources. */
#include "camera.h"

/* --- The equations --------------------------------------------------------------------------- */

/* One light as seen from one vertex. */
struct seen {
    struct num3 direction; /* to the light, unit */
    struct num strength;   /* attenuation times spotlight factor */
};

static struct num3 world_vector(const D3DVECTOR *v, double w, const D3DMATRIX *view)
{
    const double in[4] = {v->x, v->y, v->z, w};
    double m[4][4];

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            m[i][j] = view->m[i][j];
    }
    return camera_through(in, m);
}

static struct num cosine_of_half(float angle)
{
    return (struct num){cos(angle / 2.0), 4.0 * NUM_STEP};
}

/* 1 if rho > cos(theta/2); 0 if rho <= cos(phi/2); otherwise the falloff. */
static struct num spot(const D3DLIGHT9 *light, const D3DMATRIX *view, struct num3 to_light,
                       bool *unsure)
{
    struct num3 axis = num3_unit(world_vector(&light->Direction, 0.0, view));
    struct num rho = num_neg(num3_dot(axis, to_light));
    struct num inner = cosine_of_half(light->Theta), outer = cosine_of_half(light->Phi);

    if (num_above(rho, inner, unsure))
        return num_exact(1.0);
    if (!num_above(rho, outer, unsure))
        return num_exact(0.0);
    return num_pow(num_div(num_sub(rho, outer), num_sub(inner, outer)), light->Falloff);
}

static struct seen see(const D3DLIGHT9 *light, const D3DMATRIX *view, struct num3 vertex,
                       bool *unsure)
{
    struct seen out = {.strength = num_exact(1.0)};
    struct num d, sum;

    if (light->Type == D3DLIGHT_DIRECTIONAL) {
        out.direction = num3_unit(world_vector(&light->Direction, 0.0, view));
        for (int i = 0; i < 3; i++)
            out.direction.c[i] = num_neg(out.direction.c[i]);
        return out;
    }
    out.direction = num3_add(world_vector(&light->Position, 1.0, view), vertex, num_exact(-1.0));
    d = num3_length(out.direction);
    out.direction = num3_unit(out.direction);
    if (num_above(d, num_exact(light->Range), unsure)) {
        out.strength = num_exact(0.0);
        return out;
    }
    sum = num_add(num_exact(light->Attenuation0), num_mul(num_exact(light->Attenuation1), d));
    sum = num_add(sum, num_mul(num_exact(light->Attenuation2), num_mul(d, d)));
    out.strength = num_div(num_exact(1.0), sum);
    if (light->Type == D3DLIGHT_SPOT)
        out.strength = num_mul(out.strength, spot(light, view, out.direction, unsure));
    return out;
}

/* (N.H)^power if both the light and the highlight are in front. */
static struct num highlight(const struct test_state *t, struct num3 n, struct num3 vertex,
                            struct num3 to_light, bool *unsure)
{
    struct num3 viewer = {{num_exact(0.0), num_exact(0.0), num_exact(-1.0)}};
    struct num zero = num_exact(0.0), n_dot_h;

    if (t->render[D3DRS_LOCALVIEWER]) {
        viewer = num3_unit(vertex);
        for (int i = 0; i < 3; i++)
            viewer.c[i] = num_neg(viewer.c[i]);
    }
    n_dot_h = num3_dot(n, num3_unit(num3_add(viewer, to_light, num_exact(1.0))));
    if (!num_above(num3_dot(n, to_light), zero, unsure) || !num_above(n_dot_h, zero, unsure))
        return zero;
    return num_pow(n_dot_h, t->material.Power);
}

struct colours {
    struct num diffuse[4], specular[4];
    bool unsure;
};

static void source(const struct test_state *t, const struct test_run *run, unsigned lane,
                   D3DRENDERSTATETYPE state, const D3DCOLORVALUE *material, double out[4])
{
    DWORD from = t->render[D3DRS_COLORVERTEX] ? t->render[state] : D3DMCS_MATERIAL;

    if (from == D3DMCS_COLOR1 && t->s.inputs & FF_IN_DIFFUSE) {
        camera_input(run, VM_USAGE_COLOR, 0, lane, out);
    } else if (from == D3DMCS_COLOR2 && t->s.inputs & FF_IN_SPECULAR) {
        camera_input(run, VM_USAGE_COLOR, 1, lane, out);
    } else {
        out[0] = material->r;
        out[1] = material->g;
        out[2] = material->b;
        out[3] = material->a;
    }
}

static void add(struct num sum[3], const D3DCOLORVALUE *colour, struct num k)
{
    const double c[3] = {colour->r, colour->g, colour->b};

    for (int i = 0; i < 3; i++)
        sum[i] = num_add(sum[i], num_mul(num_exact(c[i]), k));
}

static struct colours lit(const struct test_state *t, const struct camera *camera,
                          const struct test_run *run, unsigned lane)
{
    struct num3 vertex = camera_position(camera, run, lane);
    struct num3 n = camera_normal(camera, t, run, lane);
    bool has_normal = t->s.inputs & FF_IN_NORMAL;
    struct num ambient[3], diffuse[3] = {{0}}, specular[3] = {{0}};
    double cd[4], ca[4], cs[4], ce[4];
    struct colours out = {.unsure = false};

    for (int i = 0; i < 3; i++)
        ambient[i] = num_rounded((t->render[D3DRS_AMBIENT] >> (16 - 8 * i) & 255) / 255.0, 0.0);
    for (unsigned i = 0; i < t->s.n_lights; i++) {
        const D3DLIGHT9 *light = &t->lights[i];
        struct seen seen = see(light, &t->view, vertex, &out.unsure);
        struct num n_dot_l = num_not_below_0(num3_dot(n, seen.direction));

        add(ambient, &light->Ambient, seen.strength);
        if (!has_normal)
            continue;
        add(diffuse, &light->Diffuse, num_mul(n_dot_l, seen.strength));
        if (t->render[D3DRS_SPECULARENABLE])
            add(specular, &light->Specular,
                num_mul(highlight(t, n, vertex, seen.direction, &out.unsure), seen.strength));
    }
    source(t, run, lane, D3DRS_DIFFUSEMATERIALSOURCE, &t->material.Diffuse, cd);
    source(t, run, lane, D3DRS_AMBIENTMATERIALSOURCE, &t->material.Ambient, ca);
    source(t, run, lane, D3DRS_SPECULARMATERIALSOURCE, &t->material.Specular, cs);
    source(t, run, lane, D3DRS_EMISSIVEMATERIALSOURCE, &t->material.Emissive, ce);
    for (int i = 0; i < 3; i++) {
        struct num sum = num_add(num_mul(num_exact(ca[i]), ambient[i]), num_exact(ce[i]));

        out.diffuse[i] = num_saturated(num_add(sum, num_mul(num_exact(cd[i]), diffuse[i])));
        out.specular[i] = num_saturated(num_mul(num_exact(cs[i]), specular[i]));
        /* A bound this wide means that the vertex is near an edge; it would hide errors. */
        out.unsure |= !(out.diffuse[i].e < 1e-3 && out.specular[i].e < 1e-3);
    }
    out.diffuse[3] = num_saturated(num_exact(cd[3]));
    out.specular[3] = num_saturated(num_exact(cs[3]));
    return out;
}

/* --- Random states --------------------------------------------------------------------------- */

struct fixture {
    struct test_state t;
    struct test_run run;
    unsigned n_compared, skipped;
};

static D3DCOLORVALUE random_colour(uint32_t *seed, float low, float high)
{
    D3DCOLORVALUE c;

    c.r = test_float(seed, low, high);
    c.g = test_float(seed, low, high);
    c.b = test_float(seed, low, high);
    c.a = test_float(seed, 0.0f, 1.0f);
    return c;
}

static D3DVECTOR random_vector(uint32_t *seed, float range)
{
    D3DVECTOR v;

    v.x = test_float(seed, -range, range);
    v.y = test_float(seed, -range, range);
    v.z = test_float(seed, -range, range);
    return v;
}

/* One of two special values, or a random one. */
static float special(uint32_t *seed, float low, float high, float a, float b)
{
    unsigned n = test_random(seed) % 6;

    return n == 0 ? a : n == 1 ? b : test_float(seed, low, high);
}

/* Positive lights as well as negative ones. */
static void random_light(D3DLIGHT9 *light, uint32_t *seed, DWORD type)
{
    memset(light, 0, sizeof(*light));
    light->Type = (D3DLIGHTTYPE)(type <= 3 ? type : 1 + test_random(seed) % 3);
    light->Diffuse = random_colour(seed, -0.25f, 1.5f);
    light->Specular = random_colour(seed, -0.25f, 1.5f);
    light->Ambient = random_colour(seed, -0.05f, 0.2f);
    light->Position = random_vector(seed, 8.0f);
    light->Direction = random_vector(seed, 2.0f);
    light->Range = special(seed, 2.0f, 25.0f, 0.0f, 1e10f);
    light->Attenuation0 = test_float(seed, 0.2f, 1.5f);
    light->Attenuation1 = special(seed, 0.0f, 0.2f, 0.0f, 0.5f);
    light->Attenuation2 = special(seed, 0.0f, 0.05f, 0.0f, 0.1f);
    light->Phi = special(seed, 0.5f, 3.1f, 3.14159f, 4.5f);
    light->Theta = special(seed, 0.0f, 0.9f, 0.0f, 0.95f) * light->Phi;
    light->Falloff = special(seed, 0.2f, 3.0f, 0.0f, -0.5f);
}

static void random_state(struct fixture *f, uint32_t *seed, DWORD type)
{
    static const uint32_t colours[] = {FF_IN_DIFFUSE | FF_IN_SPECULAR, FF_IN_DIFFUSE,
                                       FF_IN_SPECULAR, 0};

    random_camera(&f->t, seed);
    f->t.s.n_lights = test_random(seed) % (FF_LIGHTS + 1);
    for (unsigned i = 0; i < f->t.s.n_lights; i++)
        random_light(&f->t.lights[i], seed, type);
    f->t.material.Diffuse = random_colour(seed, -0.5f, 1.5f);
    f->t.material.Ambient = random_colour(seed, -0.5f, 1.5f);
    f->t.material.Specular = random_colour(seed, -0.5f, 1.5f);
    f->t.material.Emissive = random_colour(seed, -0.5f, 0.5f);
    f->t.material.Power = special(seed, 0.25f, 40.0f, 0.0f, 1.0f);
    f->t.render[D3DRS_AMBIENT] = test_random(seed);
    f->t.render[D3DRS_COLORVERTEX] = test_random(seed) % 8 != 0;
    f->t.s.inputs = FF_IN_POSITION | colours[test_random(seed) % 4];
    if (test_random(seed) % 16)
        f->t.s.inputs |= FF_IN_NORMAL;
    random_components(&f->run, VM_USAGE_POSITION, 0, seed, -3, 3, 3);
    random_components(&f->run, VM_USAGE_NORMAL, 0, seed, -1, 1, 3);
    random_components(&f->run, VM_USAGE_COLOR, 0, seed, 0, 1, 4);
    random_components(&f->run, VM_USAGE_COLOR, 1, seed, 0, 1, 4);
}

static void compare(const struct fixture *f, unsigned lane, unsigned index,
                    const struct num want[4])
{
    for (unsigned c = 0; c < 4; c++) {
        double got = output(&f->run, VM_USAGE_COLOR, index, c, lane);

        ck_assert_msg(fabs(got - want[c].v) <= want[c].e + NUM_STEP,
                      "colour %u, lane %u, component %u: got %.9g, want %.9g within %.3g",
                      index + 1, lane, c, got, want[c].v, want[c].e);
    }
}

static void check_state(struct fixture *f)
{
    struct camera camera;

    camera_init(&camera, &f->t.world[0], &f->t.view);
    run_vertex(&f->t, &f->run);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        struct colours want = lit(&f->t, &camera, &f->run, lane);

        if (want.unsure) {
            f->skipped++;
            continue;
        }
        f->n_compared++;
        compare(f, lane, 0, want.diffuse);
        if (f->t.render[D3DRS_SPECULARENABLE])
            compare(f, lane, 1, want.specular);
    }
}

/* --- Tests ----------------------------------------------------------------------------------- */

/* _i: type (point, spot, directional, all mixed), then one bit for each of the three states. */
START_TEST(every_combination)
{
    struct fixture *f = mem_calloc(1, sizeof(*f));
    uint32_t seed = 77u + 1000003u * (unsigned)_i;

    test_state_init(&f->t);
    f->t.render[D3DRS_LOCALVIEWER] = _i >> 2 & 1;
    f->t.render[D3DRS_SPECULARENABLE] = _i >> 3 & 1;
    f->t.render[D3DRS_NORMALIZENORMALS] = _i >> 4 & 1;
    for (unsigned n = 0; n < 81; n++) {
        unsigned n_compared = f->n_compared;

        f->t.render[D3DRS_DIFFUSEMATERIALSOURCE] = n % 3;
        f->t.render[D3DRS_AMBIENTMATERIALSOURCE] = n / 3 % 3;
        f->t.render[D3DRS_SPECULARMATERIALSOURCE] = n / 9 % 3;
        f->t.render[D3DRS_EMISSIVEMATERIALSOURCE] = n / 27;
        random_state(f, &seed, 1u + (unsigned)_i % 4);
        check_state(f);
        ck_assert_uint_gt(f->n_compared, n_compared);
    }
    /* Only few vertices are so near to an edge that rounding decides. */
    ck_assert_uint_gt(f->n_compared, 50 * f->skipped);
    mem_free(f);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ff/lighting");
    TCase *tc = tcase_create("equations");

    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, every_combination, 0, 32);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
