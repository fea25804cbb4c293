/* Tests patches against an oracle in double precision: points, tangents, normals and parameters
 * agree within 2 units in the last place, for all bases, degrees and sizes. Edges that two patches
 * share have the same bits. */
#include "check_main.h"

#include "oracle.h"

#include "tess/tess.h"

#include <stdlib.h>

enum { MAX_POINTS = 144, ELEMENTS = 5, AT = 0, DU, DV, NORMAL, UV };

static const uint8_t methods[ELEMENTS] = {D3DDECLMETHOD_DEFAULT, D3DDECLMETHOD_PARTIALU,
                                          D3DDECLMETHOD_PARTIALV, D3DDECLMETHOD_CROSSUV,
                                          D3DDECLMETHOD_UV};

static float vector[MAX_POINTS][ELEMENTS][4];
static double exact[MAX_POINTS][3];
static const struct tess_points points = {ELEMENTS, methods, (const float (*)[4])vector};
static struct tess_mesh mesh;

static float random_float(void)
{
    return (float)(rand() % 200001 - 100000) / 1024.0f;
}

static void set_point(unsigned p, const float at[3])
{
    for (unsigned e = 0; e < UV; e++)
        for (unsigned c = 0; c < 3; c++)
            vector[p][e][c] = at[c];
    for (unsigned c = 0; c < 3; c++)
        exact[p][c] = at[c];
}

/* A wavy surface above a grid, so that tangents are never parallel. */
static void set_surface(const struct tess_patch *patch)
{
    unsigned p = 0;

    for (unsigned y = 0; y < (patch->triangle ? patch->width : patch->height); y++)
        for (unsigned x = 0; x < patch->width && p < tess_patch_points(patch); x++) {
            if (patch->triangle && x > y)
                break;
            set_point(p++, (float[3]){100.0f * (float)x + random_float() / 4.0f,
                                      130.0f * (float)y + random_float() / 4.0f, random_float()});
        }
}

static void expect(float got, double want, const char *what)
{
    float wanted = (float)want;
    float ulp = nextafterf(fabsf(wanted), INFINITY) - fabsf(wanted);

    ck_assert_msg(fabs((double)got - want) <= 2.0 * ulp, "%s: %.9g instead of %.17g", what, got,
                  want);
}

static void expect_vertex(const float (*got)[4], const struct oracle_surface *want, double u,
                          double v)
{
    for (unsigned c = 0; c < 3; c++) {
        expect(got[AT][c], want->at[c], "point");
        expect(got[DU][c], want->du[c], "tangent u");
        expect(got[DV][c], want->dv[c], "tangent v");
        expect(got[NORMAL][c], want->normal[c], "normal");
    }
    expect(got[UV][0], u, "u");
    expect(got[UV][1], v, "v");
}

static const float (*vertex_at(uint32_t v))[4]
{
    return (const float(*)[4])mesh.vertex + (size_t)v * ELEMENTS;
}

/* --- Points ----------------------------------------------------------------------------------- */

/* Basis, degree, width, height of rectangles. */
static const struct tess_patch rectangles[] = {
    {false, D3DBASIS_BEZIER, D3DDEGREE_LINEAR, 2, 2, {0}, 0},
    {false, D3DBASIS_BEZIER, D3DDEGREE_CUBIC, 4, 4, {0}, 0},
    {false, D3DBASIS_BEZIER, D3DDEGREE_QUINTIC, 6, 6, {0}, 0},
    {false, D3DBASIS_BEZIER, D3DDEGREE_CUBIC, 7, 10, {0}, 0},
    {false, D3DBASIS_BEZIER, D3DDEGREE_LINEAR, 5, 3, {0}, 0},
    {false, D3DBASIS_BSPLINE, D3DDEGREE_LINEAR, 2, 3, {0}, 0},
    {false, D3DBASIS_BSPLINE, D3DDEGREE_CUBIC, 4, 4, {0}, 0},
    {false, D3DBASIS_BSPLINE, D3DDEGREE_CUBIC, 5, 9, {0}, 0},
    {false, D3DBASIS_BSPLINE, D3DDEGREE_QUINTIC, 6, 6, {0}, 0},
    {false, D3DBASIS_BSPLINE, D3DDEGREE_QUINTIC, 11, 7, {0}, 0},
    {false, D3DBASIS_INTERPOLATE, D3DDEGREE_CUBIC, 4, 4, {0}, 0},
    {false, D3DBASIS_INTERPOLATE, D3DDEGREE_CUBIC, 8, 5, {0}, 0},
};
enum { RECTANGLES = sizeof(rectangles) / sizeof(*rectangles) };

START_TEST(rectangles_agree_with_the_oracle)
{
    struct tess_patch patch = rectangles[_i];
    static const unsigned segments[][2] = {{1, 1}, {2, 3}, {7, 5}, {16, 24}};

    for (unsigned s = 0; s < 4; s++) {
        unsigned nu = segments[s][0], nv = segments[s][1];

        patch.segments[0] = patch.segments[2] = (float)nu;
        patch.segments[1] = patch.segments[3] = (float)nv;
        set_surface(&patch);
        ck_assert(tess_patch_is_valid(&patch));
        ck_assert_int_eq(tess_patch_mesh(&mesh, &patch, &points), ST_OK);
        ck_assert_uint_eq(mesh.n_vertices, (nu + 1) * (nv + 1));
        ck_assert_uint_eq(mesh.n_indices, 6 * nu * nv);
        for (unsigned y = 0; y <= nv; y++)
            for (unsigned x = 0; x <= nu; x++) {
                double u = (double)x / nu, v = (double)y / nv;
                struct oracle_surface want =
                    oracle_rectangle(&patch, (const double(*)[3])exact, u, v);

                expect_vertex(vertex_at(y * (nu + 1) + x), &want, u, v);
            }
    }
}
END_TEST

static const D3DDEGREETYPE degrees[] = {D3DDEGREE_LINEAR, D3DDEGREE_CUBIC, D3DDEGREE_QUINTIC};

static struct tess_patch triangle_of(D3DDEGREETYPE degree)
{
    uint32_t d = (uint32_t)degree;

    return (struct tess_patch){true, D3DBASIS_BEZIER, degree, (d + 1) * (d + 2) / 2, 1, {0}, 0};
}

START_TEST(triangles_agree_with_the_oracle)
{
    struct tess_patch patch = triangle_of(degrees[_i]);

    for (unsigned n = 1; n < 20; n += 3) {
        uint32_t at = 0;

        patch.segments[0] = patch.segments[1] = patch.segments[2] = (float)n;
        set_surface(&patch);
        ck_assert(tess_patch_is_valid(&patch));
        ck_assert_int_eq(tess_patch_mesh(&mesh, &patch, &points), ST_OK);
        ck_assert_uint_eq(mesh.n_vertices, (n + 1) * (n + 2) / 2);
        ck_assert_uint_eq(mesh.n_indices, 3 * n * n);
        for (unsigned y = 0; y <= n; y++)
            for (unsigned x = 0; x <= n - y; x++) {
                double u = (double)x / n, v = (double)y / n;
                struct oracle_surface want =
                    oracle_triangle((unsigned)patch.degree, (const double(*)[3])exact, u, v);

                expect_vertex(vertex_at(at++), &want, u, v);
            }
    }
}
END_TEST

/* Edges of different numbers of segments. Powers of two make the parameters exact. */
START_TEST(stitched_meshes_agree_with_the_oracle)
{
    struct tess_patch patch =
        _i < RECTANGLES ? rectangles[_i] : triangle_of(degrees[_i - RECTANGLES]);
    const float segments[4] = {4.0f, 16.0f, 2.0f, 8.0f};

    memcpy(patch.segments, segments, sizeof(segments));
    set_surface(&patch);
    ck_assert_int_eq(tess_patch_mesh(&mesh, &patch, &points), ST_OK);
    for (uint32_t i = 0; i < mesh.n_vertices; i++) {
        const float(*got)[4] = vertex_at(i);
        double u = got[UV][0], v = got[UV][1];
        struct oracle_surface want =
            patch.triangle
                ? oracle_triangle((unsigned)patch.degree, (const double(*)[3])exact, u, v)
                : oracle_rectangle(&patch, (const double(*)[3])exact, u, v);

        expect_vertex(got, &want, u, v);
    }
}
END_TEST

/* Interpolating surfaces go through every control point. */
START_TEST(interpolation_goes_through_all_points)
{
    struct tess_patch patch = {false, D3DBASIS_INTERPOLATE, D3DDEGREE_CUBIC, 6, 5, {5, 4, 5, 4}, 0};

    set_surface(&patch);
    ck_assert_int_eq(tess_patch_mesh(&mesh, &patch, &points), ST_OK);
    for (uint32_t i = 0; i < 30; i++)
        for (unsigned c = 0; c < 3; c++)
            ck_assert_float_eq(vertex_at(i)[AT][c], vector[i][AT][c]);
}
END_TEST

/* Tangents that are parallel, or 0, have no normal. */
START_TEST(collapsed_patches_have_no_normal)
{
    struct tess_patch patch = {false, D3DBASIS_BEZIER, D3DDEGREE_CUBIC, 4, 4, {2, 2, 2, 2}, 0};

    for (unsigned p = 0; p < 16; p++)
        set_point(p, (float[3]){1.0f, 2.0f, 3.0f});
    ck_assert_int_eq(tess_patch_mesh(&mesh, &patch, &points), ST_OK);
    for (uint32_t i = 0; i < mesh.n_vertices; i++)
        for (unsigned c = 0; c < 3; c++) {
            ck_assert_float_eq(vertex_at(i)[AT][c], (float)(c + 1));
            ck_assert_float_eq(vertex_at(i)[NORMAL][c], 0.0f);
        }
}
END_TEST

/* --- Shared edges ----------------------------------------------------------------------------- */

enum { EDGE_POINTS = 6, EDGE_VERTICES = 260 };

/* The places of an edge's control points in a patch, in the direction of the edge. */
static void edge_points(const struct tess_patch *patch, unsigned edge, unsigned place[EDGE_POINTS])
{
    unsigned d = (unsigned)patch->degree;

    for (unsigned i = 0; i <= d; i++) {
        unsigned x = edge == 0 ? i : edge == 1 ? d : edge == 2 ? d - i : 0;
        unsigned y = edge == 0 ? 0 : edge == 1 ? i : edge == 2 ? d : d - i;

        if (patch->triangle) {
            y = edge == 0 ? i : edge == 1 ? d : d - i;
            x = edge == 0 ? i : edge == 1 ? d - i : 0;
        }
        place[i] = x + (patch->triangle ? y * (y + 1) / 2 : y * (d + 1));
    }
}

/* The vertices of an edge of a stitched mesh, which begins with the edges in their order. */
static unsigned edge_vertices(const struct tess_patch *patch, unsigned edge,
                              float out[EDGE_VERTICES][3])
{
    unsigned edges = patch->triangle ? 3 : 4, first = 0, n, border = 0;

    for (unsigned i = 0; i < edges; i++) {
        struct tess_partition p;

        tess_partition(&p, patch->segments[i], patch->edge_style);
        first += i < edge ? p.n : 0;
        border += p.n;
        if (i == edge)
            n = p.n;
    }
    for (unsigned i = 0; i <= n; i++)
        memcpy(out[i], vertex_at((first + i) % border)[AT], sizeof(out[i]));
    return n;
}

static void make_patch(struct tess_patch *patch, unsigned edge, const float row[EDGE_POINTS][3],
                       bool reversed, float segments)
{
    unsigned place[EDGE_POINTS], d = (unsigned)patch->degree;

    set_surface(patch);
    edge_points(patch, edge, place);
    for (unsigned i = 0; i <= d; i++)
        set_point(place[i], row[reversed ? d - i : i]);
    for (unsigned i = 0; i < 4; i++)
        patch->segments[i] = segments + 1.0f + (float)i;
    patch->segments[edge] = segments;
    ck_assert_int_eq(tess_patch_mesh(&mesh, patch, &points), ST_OK);
}

/* Rectangles and triangles that share a row of control points, in both directions. */
START_TEST(shared_edges_have_the_same_bits)
{
    D3DDEGREETYPE degree = degrees[_i % 3];
    DWORD style = _i < 3 ? D3DPATCHEDGE_DISCRETE : D3DPATCHEDGE_CONTINUOUS;
    static float row[EDGE_POINTS][3], first[EDGE_VERTICES][3], other[EDGE_VERTICES][3];
    uint32_t d = (uint32_t)degree;

    for (unsigned trial = 0; trial < 200; trial++) {
        struct tess_patch shape[2] = {{false, D3DBASIS_BEZIER, degree, d + 1, d + 1, {0}, style},
                                      triangle_of(degree)};
        float segments = 2.0f + (float)(rand() % 100) / (style ? 7.0f : 1.0f);
        unsigned a = rand() % 2, b = rand() % 2, n;
        unsigned edge_a = rand() % (a ? 3 : 4), edge_b = rand() % (b ? 3 : 4);
        bool reversed = rand() % 2;

        shape[1].edge_style = style;
        for (unsigned i = 0; i <= d; i++)
            for (unsigned c = 0; c < 3; c++)
                row[i][c] = random_float() / 3.0f;
        make_patch(&shape[a], edge_a, row, false, segments);
        n = edge_vertices(&shape[a], edge_a, first);
        make_patch(&shape[b], edge_b, row, reversed, segments);
        ck_assert_uint_eq(edge_vertices(&shape[b], edge_b, other), n);
        for (unsigned i = 0; i <= n; i++)
            ck_assert_mem_eq(first[i], other[reversed ? n - i : i], sizeof(*first));
    }
}
END_TEST

/* Pieces of a mosaic share the rows that both read. */
START_TEST(mosaics_have_the_same_bits)
{
    D3DDEGREETYPE degree = degrees[_i];
    uint32_t d = (uint32_t)degree, n = d + 1;
    static float row[2][EDGE_VERTICES][3];
    struct tess_patch patch = {false, D3DBASIS_BSPLINE, degree, n, n, {9, 5, 9, 5}, 0};

    set_surface(&(struct tess_patch){false, D3DBASIS_BSPLINE, degree, n, n + 1, {0}, 0});
    for (unsigned piece = 0; piece < 2; piece++) {
        const struct tess_points window = {ELEMENTS, methods, (const float(*)[4])vector[piece * n]};

        ck_assert_int_eq(tess_patch_mesh(&mesh, &patch, &window), ST_OK);
        for (unsigned x = 0; x <= 9; x++)
            memcpy(row[piece][x], vertex_at(piece ? x : 5 * 10 + x)[AT], sizeof(*row[piece]));
    }
    ck_assert_mem_eq(row[0], row[1], 10 * sizeof(*row[0]));
}
END_TEST

/* --- What is a patch -------------------------------------------------------------------------- */

START_TEST(only_documented_patches_are_valid)
{
    static const struct tess_patch invalid[] = {
        {false, D3DBASIS_BEZIER, D3DDEGREE_QUADRATIC, 3, 3, {0}, 0},
        {false, D3DBASIS_BEZIER, (D3DDEGREETYPE)4, 5, 5, {0}, 0},
        {false, D3DBASIS_BEZIER, (D3DDEGREETYPE)0, 5, 5, {0}, 0},
        {false, D3DBASIS_BEZIER, D3DDEGREE_CUBIC, 3, 4, {0}, 0},
        {false, D3DBASIS_BEZIER, D3DDEGREE_CUBIC, 4, 3, {0}, 0},
        {false, D3DBASIS_BSPLINE, D3DDEGREE_QUINTIC, 5, 6, {0}, 0},
        {false, D3DBASIS_INTERPOLATE, D3DDEGREE_LINEAR, 4, 4, {0}, 0},
        {false, D3DBASIS_INTERPOLATE, D3DDEGREE_QUINTIC, 6, 6, {0}, 0},
        {false, (D3DBASISTYPE)3, D3DDEGREE_CUBIC, 4, 4, {0}, 0},
        {true, D3DBASIS_BSPLINE, D3DDEGREE_CUBIC, 10, 1, {0}, 0},
        {true, D3DBASIS_INTERPOLATE, D3DDEGREE_CUBIC, 10, 1, {0}, 0},
        {true, D3DBASIS_BEZIER, D3DDEGREE_QUADRATIC, 6, 1, {0}, 0},
        {true, D3DBASIS_BEZIER, D3DDEGREE_CUBIC, 9, 1, {0}, 0},
        {true, D3DBASIS_BEZIER, D3DDEGREE_LINEAR, 10, 1, {0}, 0},
        {true, D3DBASIS_BEZIER, D3DDEGREE_CUBIC, 10, 2, {0}, 0},
    };

    for (unsigned i = 0; i < sizeof(invalid) / sizeof(*invalid); i++)
        ck_assert_msg(!tess_patch_is_valid(&invalid[i]), "patch %u", i);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tess/patch");
    TCase *tc = tcase_create("patch");

    srand(1);
    tcase_add_loop_test(tc, rectangles_agree_with_the_oracle, 0, RECTANGLES);
    tcase_add_loop_test(tc, triangles_agree_with_the_oracle, 0, 3);
    tcase_add_loop_test(tc, stitched_meshes_agree_with_the_oracle, 0, RECTANGLES + 3);
    tcase_add_test(tc, interpolation_goes_through_all_points);
    tcase_add_test(tc, collapsed_patches_have_no_normal);
    tcase_add_loop_test(tc, shared_edges_have_the_same_bits, 0, 6);
    tcase_add_loop_test(tc, mosaics_have_the_same_bits, 0, 3);
    tcase_add_test(tc, only_documented_patches_are_valid);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
