/* Tests that meshes cover the whole patch once, for all combinations of segments: each inner edge
 * belongs to two triangles in opposite directions, each edge of the border to one, no triangle is
 * turned over, and the areas add up. Each edge of the patch has its own number of segments. */
#include "check_main.h"

#include "tess/tess.h"
#include "util/alloc.h"

#include <math.h>
#include <string.h>

static const uint8_t method = D3DDECLMETHOD_UV;
static const float nothing[21][4];
static const struct tess_points points = {1, &method, nothing};
static struct tess_mesh mesh;

/* Twice the area of a triangle in the plane of u and v, v downwards; positive: clockwise. */
static double area(const uint32_t *t)
{
    const float *a = mesh.vertex[t[0]], *b = mesh.vertex[t[1]], *c = mesh.vertex[t[2]];

    return ((double)b[0] - a[0]) * ((double)c[1] - a[1]) -
           ((double)b[1] - a[1]) * ((double)c[0] - a[0]);
}

/* Number of the edge of the patch that contains a segment of the border; 4: none. */
static unsigned border_edge(bool triangle, uint32_t from, uint32_t to)
{
    const float *a = mesh.vertex[from], *b = mesh.vertex[to];

    if (a[1] == 0.0f && b[1] == 0.0f)
        return 0;
    if (triangle)
        return a[0] == 0.0f && b[0] == 0.0f                                             ? 2
               : fabsf(a[0] + a[1] - 1.0f) < 1e-6f && fabsf(b[0] + b[1] - 1.0f) < 1e-6f ? 1
                                                                                        : 4;
    return a[0] == 1.0f && b[0] == 1.0f   ? 1
           : a[1] == 1.0f && b[1] == 1.0f ? 2
           : a[0] == 0.0f && b[0] == 0.0f ? 3
                                          : 4;
}

/* Counts the triangles on the side of each directed edge. */
static void check_edges(const struct tess_patch *patch)
{
    uint32_t n = mesh.n_vertices, found[5] = {0};
    uint8_t *uses = mem_calloc((size_t)n * n, 1);

    ck_assert_ptr_nonnull(uses);
    for (uint32_t i = 0; i < mesh.n_indices; i++) {
        uint32_t from = mesh.index[i], to = mesh.index[i % 3 == 2 ? i - 2 : i + 1];

        ck_assert(from < n && to < n);
        uses[(size_t)from * n + to]++;
    }
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            unsigned here = uses[(size_t)a * n + b];

            ck_assert_uint_le(here, 1);
            if (here && !uses[(size_t)b * n + a])
                found[border_edge(patch->triangle, a, b)]++;
        }
    for (unsigned e = 0; e < (patch->triangle ? 3 : 4); e++) {
        struct tess_partition p;

        tess_partition(&p, patch->segments[e], patch->edge_style);
        ck_assert_msg(found[e] == p.n, "edge %u: %u of %u segments (%g %g %g %g)", e, found[e], p.n,
                      (double)patch->segments[0], (double)patch->segments[1],
                      (double)patch->segments[2], (double)patch->segments[3]);
    }
    ck_assert_uint_eq(found[4], 0);
    mem_free(uses);
}

static void check_mesh(const struct tess_patch *patch)
{
    double sum = 0.0;

    ck_assert_int_eq(tess_patch_mesh(&mesh, patch, &points), ST_OK);
    ck_assert_uint_eq(mesh.n_indices % 3, 0);
    for (uint32_t i = 0; i < mesh.n_indices; i += 3) {
        double one = area(mesh.index + i);

        ck_assert_double_gt(one, patch->edge_style == D3DPATCHEDGE_DISCRETE ? 0.0 : -1e-7);
        sum += one;
    }
    ck_assert_double_eq_tol(sum, patch->triangle ? 1.0 : 2.0, 1e-5);
    check_edges(patch);
}

static struct tess_patch patch_of(bool triangle, const float segments[4], DWORD style)
{
    struct tess_patch patch = {
        triangle, D3DBASIS_BEZIER, D3DDEGREE_LINEAR, triangle ? 3 : 2, triangle ? 1 : 2, {0},
        style};

    memcpy(patch.segments, segments, sizeof(patch.segments));
    return patch;
}

START_TEST(all_combinations_are_closed)
{
    static const float discrete[] = {1, 2, 3, 4, 5, 7};
    static const float continuous[] = {1, 1.5f, 2, 3, 4.25f, 7};
    const DWORD style = _i & 1 ? D3DPATCHEDGE_CONTINUOUS : D3DPATCHEDGE_DISCRETE;
    const float *n = style ? continuous : discrete;
    bool triangle = _i & 2;

    for (unsigned i = 0; i < 6 * 6 * 6 * (triangle ? 1 : 6); i++) {
        struct tess_patch patch = patch_of(
            triangle, (float[4]){n[i % 6], n[i / 6 % 6], n[i / 36 % 6], n[i / 216 % 6]}, style);

        check_mesh(&patch);
    }
}
END_TEST

START_TEST(large_meshes_are_closed)
{
    struct tess_patch patch = patch_of(_i, (float[4]){64, 20, 33, 41}, D3DPATCHEDGE_DISCRETE);

    check_mesh(&patch);
}
END_TEST

START_TEST(memory_errors_leave_an_empty_mesh)
{
    struct tess_patch patch = patch_of(false, (float[4]){5, 6, 7, 8}, D3DPATCHEDGE_DISCRETE);

    tess_mesh_fini(&mesh);
    for (unsigned i = 0; i < 2; i++) {
        mem_fail_after(i);
        ck_assert_int_eq(tess_patch_mesh(&mesh, &patch, &points), ST_NOMEM);
        mem_fail_after(-1);
        ck_assert(!mesh.n_vertices && !mesh.n_indices);
        tess_mesh_fini(&mesh);
    }
    ck_assert_int_eq(tess_mesh_resize(&mesh, UINT32_MAX, UINT32_MAX, 3), ST_NOMEM);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tess/holes");
    TCase *tc = tcase_create("holes");

    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, all_combinations_are_closed, 0, 4);
    tcase_add_loop_test(tc, large_meshes_are_closed, 0, 2);
    tcase_add_test(tc, memory_errors_leave_an_empty_mesh);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
