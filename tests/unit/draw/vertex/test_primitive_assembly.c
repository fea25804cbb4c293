/* Tests primitive assembly: vertices, provoking vertices and winding of each topology. */
#include "check_main.h"

#include "draw/vertex/primitive_assembly.h"

struct row {
    D3DPRIMITIVETYPE type;
    unsigned p, n;
    uint32_t vertex[3];
};

/* The first vertex is the provoking one: list 3i, strip i, fan i + 1 (D3DRS_SHADEMODE
 * documentation). */
static const struct row rows[] = {
    {D3DPT_POINTLIST, 5, 1, {5}},
    {D3DPT_LINELIST, 3, 2, {6, 7}},
    {D3DPT_LINESTRIP, 3, 2, {3, 4}},
    {D3DPT_TRIANGLELIST, 2, 3, {6, 7, 8}},
    {D3DPT_TRIANGLESTRIP, 0, 3, {0, 1, 2}},
    {D3DPT_TRIANGLESTRIP, 1, 3, {1, 3, 2}},
    {D3DPT_TRIANGLESTRIP, 4, 3, {4, 5, 6}},
    {D3DPT_TRIANGLEFAN, 0, 3, {1, 2, 0}},
    {D3DPT_TRIANGLEFAN, 3, 3, {4, 5, 0}},
};

START_TEST(vertices)
{
    const struct row *row = &rows[_i];
    uint32_t vertex[3];

    ck_assert_uint_eq(assemble_primitive(row->type, row->p, vertex), row->n);
    for (unsigned c = 0; c < row->n; c++)
        ck_assert_uint_eq(vertex[c], row->vertex[c]);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("draw/primitive_assembly");
    TCase *t = tcase_create("primitive_assembly");

    tcase_add_loop_test(t, vertices, 0, sizeof(rows) / sizeof(rows[0]));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
