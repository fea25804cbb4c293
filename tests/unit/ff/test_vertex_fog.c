/* Vertex fog and point sizes against the documented formulas in double precision. */
#include "vertex_fixture.h"

#include <float.h>

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

/* Random ranges, in either order, around the depths of the vertices. */
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
            /* effect of rounding the depth to 24 bits */
            double slope = mode == D3DFOG_LINEAR ? 1.0 / fabs((double)end - start) : 1.0;

            assert_output(f, VM_USAGE_FOG, 0, lane, want, 1, 5e-6 * (1.0 + slope), "fog");
        }
    }
    mem_free(f);
}
END_TEST

/* Values that no application should set, and the resulting factor of every vertex. Rules: reference
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
                continue; /* a depth of about 0 has no fog */
            ck_assert_msg(fabs(output(&f->run, VM_USAGE_FOG, 0, 0, lane) - cases[n].factor) < 1e-30,
                          "case %u, lane %u: %g", n, lane,
                          output(&f->run, VM_USAGE_FOG, 0, 0, lane));
        }
    }
    mem_free(f);
}
END_TEST

/* Distances whose squares overflow or underflow. */
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

/* Without an equation the factor is the vertex's. Table fog uses no vertex factor. Transformed
 * vertices never compute one. */
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

static Suite *suite(void)
{
    Suite *s = suite_create("ff/vertex_fog");
    TCase *tc = tcase_create("fog");

    tcase_add_loop_test(tc, vertex_fog, 0, 2);
    tcase_add_loop_test(tc, vertex_fog_of_random_ranges, 0, 4);
    tcase_add_test(tc, vertex_fog_limits);
    tcase_add_test(tc, vertex_fog_of_extreme_distances);
    tcase_add_test(tc, given_fog);
    tcase_add_loop_test(tc, point_size, 0, 4);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
