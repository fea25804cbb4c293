/* Tests vertex reuse: remapped indices name the same vertices as the original indices, for every
 * way of sharing. */
#include "check_main.h"

#include "draw/vertex/primitive_assembly.h"
#include "draw/vertex/reuse.h"
#include "util/alloc.h"

#include <string.h>

static struct vertex_reuse_memory memory;
static struct draw_state state;
static struct unique_vertices got;

static uint64_t random_bits = 1;
static uint32_t random_u32(void)
{
    random_bits = random_bits * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_bits >> 32);
}

static void free_scratch(void)
{
    vertex_reuse_memory_fini(&memory);
    memset(&memory, 0, sizeof(memory));
}

/* The vertex number that remapped index i names. */
static uint32_t vertex_at(uint32_t i)
{
    uint32_t place = got.index[i];

    ck_assert_uint_lt(place, got.n_vertices);
    return got.vertex ? got.vertex[place] + got.first : got.first + place;
}

static uint32_t index_at(const void *data, uint32_t bytes, uint32_t i)
{
    return bytes == 2 ? ((const uint16_t *)data)[i] : ((const uint32_t *)data)[i];
}

/* Checks a list of n_primitives triangles with random indices low + k * step, k < different. */
static void check_list(uint32_t bytes, uint32_t low, uint32_t different, uint32_t step,
                       uint32_t n_primitives)
{
    uint32_t n = 3 * n_primitives, missing = random_u32() % 3;
    struct draw_args args = {
        .type = D3DPT_TRIANGLELIST, .indexed = true, .start_index = 5, .primitives = n_primitives};
    uint8_t *data = mem_calloc(n + 5, bytes);

    ck_assert(data != NULL);
    for (uint32_t i = 0; i < n + 5; i++) {
        uint32_t value = low + random_u32() % different * step;

        if (bytes == 2)
            ((uint16_t *)(void *)data)[i] = (uint16_t)value;
        else
            ((uint32_t *)(void *)data)[i] = value;
    }
    state.indices.data = data;
    state.indices.bytes = bytes;
    state.indices.size = (size_t)(n + 5 - missing) * bytes;
    ck_assert_int_eq(collect_unique_vertices(&memory, &state, &args, 0, n_primitives, &got), ST_OK);
    ck_assert_uint_eq(got.n_indices, n);
    for (uint32_t i = 0; i < n; i++)
        ck_assert_uint_eq(vertex_at(i), i + missing < n ? index_at(data, bytes, i + 5) : 0);
    mem_free(data);
}

START_TEST(lists)
{
    for (int round = 0; round < 300; round++) {
        uint32_t n = random_u32() % 400 + 1;

        check_list(2, random_u32() % 1000, random_u32() % 900 + 1, random_u32() % 40 + 1, n);
        check_list(4, random_u32() % 100000, random_u32() % 900 + 1, random_u32() % 3000 + 1, n);
    }
    check_list(4, 0xfffffff0, 16, 1, 100);
    check_list(4, 0, 16, 0x0fffffff, 100);
    free_scratch();
}
END_TEST

/* If the indices reference nearly all vertices of a range, the batch gets the whole range, else
 * only the referenced vertices. */
START_TEST(unreferenced_vertices)
{
    check_list(4, 100000, 500, 1, 1000);
    ck_assert(got.n_vertices >= 500 || got.vertex);
    check_list(4, 100000, 500, 2, 1000);
    ck_assert_uint_le(got.n_vertices, 501);
    check_list(4, 100000, 500, 3, 1000);
    ck_assert_uint_le(got.n_vertices, 501);
    check_list(4, 7, 500, 2, BATCH_PRIMITIVES); /* so many indices that the whole range is taken */
    ck_assert_uint_ge(got.n_vertices, 990);
    free_scratch();
}
END_TEST

START_TEST(without_indices)
{
    static const D3DPRIMITIVETYPE types[] = {D3DPT_POINTLIST,     D3DPT_LINELIST,
                                             D3DPT_LINESTRIP,     D3DPT_TRIANGLELIST,
                                             D3DPT_TRIANGLESTRIP, D3DPT_TRIANGLEFAN};

    for (unsigned t = 0; t < sizeof(types) / sizeof(types[0]); t++)
        for (uint32_t first = 0; first < 3000; first += 997) {
            struct draw_args args = {.type = types[t], .primitives = 5000};
            uint32_t at = 0;

            ck_assert_int_eq(collect_unique_vertices(&memory, &state, &args, first, 50, &got),
                             ST_OK);
            for (uint32_t p = 0; p < 50; p++) {
                uint32_t want[3];
                unsigned n_vertices = assemble_primitive(types[t], first + p, want);

                for (unsigned k = 0; k < n_vertices; k++)
                    ck_assert_uint_eq(vertex_at(at++), want[k]);
            }
            ck_assert_uint_eq(at, got.n_indices);
            ck_assert_uint_le(got.n_vertices, got.n_indices);
        }
    free_scratch();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("draw/vertex_reuse");
    TCase *t = tcase_create("vertex_reuse");

    tcase_add_test(t, lists);
    tcase_add_test(t, unreferenced_vertices);
    tcase_add_test(t, without_indices);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
