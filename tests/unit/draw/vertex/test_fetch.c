/* Tests vertex fetch: elements of all types against hand-computed values, ends of streams, and
 * instance data. */
#include "check_main.h"

#include "draw/vertex/fetch.h"
#include "draw/vertex/vertex_kern.h"

#include <string.h>

struct row {
    uint8_t type, bytes;
    uint8_t data[16];
    float want[4];
};

/* Source: D3DDECLTYPE documentation. Signed normalised shorts are divided by 32767, 10-bit fields
 * by 511. */
static const struct row rows[] = {
    {D3DDECLTYPE_FLOAT1, 4, {0, 0, 0x80, 0x3f}, {1, 0, 0, 1}},
    {D3DDECLTYPE_FLOAT2, 8, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}, {1, -2, 0, 1}},
    {D3DDECLTYPE_FLOAT3, 12, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f}, {1, -2, .5f, 1}},
    {D3DDECLTYPE_FLOAT4,
     16,
     {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f, 0, 0, 0x40, 0x40},
     {1, -2, .5f, 3}},
    /* memory order B, G, R, A */
    {D3DDECLTYPE_D3DCOLOR, 4, {0, 51, 255, 102}, {1, 51 / 255.0f, 0, 102 / 255.0f}},
    {D3DDECLTYPE_UBYTE4, 4, {0, 51, 255, 102}, {0, 51, 255, 102}},
    {D3DDECLTYPE_UBYTE4N, 4, {0, 51, 255, 102}, {0, 51 / 255.0f, 1, 102 / 255.0f}},
    {D3DDECLTYPE_SHORT2, 4, {0xff, 0xff, 0, 0x80}, {-1, -32768, 0, 1}},
    {D3DDECLTYPE_SHORT4, 8, {1, 0, 2, 0, 0, 1, 0xfe, 0xff}, {1, 2, 256, -2}},
    {D3DDECLTYPE_SHORT2N, 4, {0xff, 0x7f, 0x01, 0x80}, {1, -1, 0, 1}},
    {D3DDECLTYPE_SHORT4N,
     8,
     {0, 0, 0xff, 0x7f, 1, 0, 0xff, 0xff},
     {0, 1, 1 / 32767.0f, -1 / 32767.0f}},
    {D3DDECLTYPE_USHORT2N, 4, {0xff, 0xff, 1, 0}, {1, 1 / 65535.0f, 0, 1}},
    {D3DDECLTYPE_USHORT4N,
     8,
     {0xff, 0xff, 1, 0, 0, 0x80, 0, 0},
     {1, 1 / 65535.0f, 32768 / 65535.0f, 0}},
    /* 1 | 1023 << 10 | 512 << 20 */
    {D3DDECLTYPE_UDEC3, 4, {0x01, 0xfc, 0x0f, 0x20}, {1, 1023, 512, 1}},
    {D3DDECLTYPE_DEC3N, 4, {0x01, 0xfc, 0x0f, 0x20}, {1 / 511.0f, -1 / 511.0f, -512 / 511.0f, 1}},
    {D3DDECLTYPE_FLOAT16_2, 4, {0, 0x3c, 0, 0xc0}, {1, -2, 0, 1}},
    {D3DDECLTYPE_FLOAT16_4, 8, {0, 0x3c, 0, 0xc0, 0, 0x38, 0xff, 0x7b}, {1, -2, .5f, 65504}},
};

static _Alignas(64) float work[8 * VM_LANES];
static struct draw_pipeline pipeline;
static struct draw_state state;

static void pipeline_one(const struct row *row, uint16_t offset)
{
    memset(&pipeline, 0, sizeof(pipeline));
    pipeline.n_fetch = 1;
    pipeline.fetch[0] = (struct pipeline_fetch){.stream = 2,
                                                .type = row->type,
                                                .offset = offset,
                                                .bytes = row->bytes,
                                                .slot = {0, 1, 2, 3}};
}

static void fetch(const uint32_t *index, unsigned n, int64_t base, uint32_t instance)
{
    fetch_batch(&pipeline, &state, KERN_PICK(vertex_kern),
                &(struct fetch_lanes){index, n, base, instance}, work);
}

START_TEST(types)
{
    const struct row *row = &rows[_i];
    uint8_t memory[4 * 24] = {0};
    uint32_t index[3] = {2, 0, 3}; /* vertex 3 lies past the end */

    ck_assert_uint_eq(decl_type_bytes(row->type), row->bytes);
    pipeline_one(row, 4);
    memcpy(memory + 1 + 2 * 24 + 4, row->data, row->bytes);
    state.stream[2] = (struct draw_stream){
        .data = memory, .size = 1 + 3 * 24, .offset = 1, .stride = 24, .frequency = 1};
    fetch(index, 3, 0, 0);
    for (unsigned c = 0; c < 4; c++)
        ck_assert_msg(work[c * VM_LANES] == row->want[c], "type %u component %u: %g", row->type, c,
                      (double)work[c * VM_LANES]);
    /* bytes past the end of the stream read as 0 */
    ck_assert(work[2] == 0.0f);
}
END_TEST

START_TEST(every_type_has_a_row)
{
    for (unsigned type = 0; type < D3DDECLTYPE_UNUSED; type++) {
        unsigned found = 0;

        for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
            found += rows[i].type == type;
        ck_assert_uint_eq(found, 1);
    }
    ck_assert_uint_eq(decl_type_bytes(D3DDECLTYPE_UNUSED), 0);
    ck_assert_uint_eq(decl_type_bytes(200), 0);
}
END_TEST

START_TEST(streams_advance_by_vertex_or_instance)
{
    float data[8] = {10, 11, 12, 13, 14, 15, 16, 17};
    uint32_t index[2] = {0, 1};
    struct row row = {D3DDECLTYPE_FLOAT1, 4, {0}, {0}};

    pipeline_one(&row, 0);
    state.stream[2] = (struct draw_stream){
        .data = (uint8_t *)data, .size = sizeof(data), .stride = 4, .frequency = 1};
    fetch(index, 2, 3, 9);
    ck_assert(work[0] == 13 && work[1] == 14);
    fetch(index, 2, -1, 9); /* negative base: vertex -1 does not exist */
    ck_assert(work[0] == 0 && work[1] == 10);
    state.stream[2].frequency = D3DSTREAMSOURCE_INSTANCEDATA | 2;
    fetch(index, 2, 3, 5);
    ck_assert(work[0] == 12 && work[1] == 12);
    state.stream[2].data = NULL;
    fetch(index, 2, 3, 5);
    ck_assert(work[0] == 0 && work[1] == 0);
}
END_TEST

/* Addresses from the largest strides and indices do not wrap around into the buffer. */
START_TEST(addresses_do_not_wrap)
{
    static const uint32_t strides[] = {0x80000000, 0xfffffffc, UINT32_MAX};
    float data[4] = {1, 2, 3, 4};
    uint32_t index[2] = {UINT32_MAX, 0x80000000};
    struct row row = {D3DDECLTYPE_FLOAT1, 4, {0}, {0}};

    pipeline_one(&row, 0);
    for (unsigned i = 0; i < 3; i++) {
        state.stream[2] = (struct draw_stream){.data = (uint8_t *)data,
                                               .size = sizeof(data),
                                               .offset = 4,
                                               .stride = strides[i],
                                               .frequency = 1};
        work[0] = work[1] = 9;
        fetch(index, 2, INT32_MAX, 0);
        ck_assert(work[0] == 0 && work[1] == 0);
        fetch(index, 2, -(int64_t)UINT32_MAX, 0);
        ck_assert(work[0] == 2 && work[1] == 0);
    }
}
END_TEST

/* A batch equals single vertices: all types, with and without an index, to the end of the stream
 * and beyond it. */
START_TEST(batch_equals_single_vertices)
{
    const struct row *row = &rows[_i];
    enum { VERTICES = 100, STRIDE = 20, OFFSET = 3, ELEMENT = 2 };
    static uint8_t memory[OFFSET + VERTICES * STRIDE];
    const D3DVERTEXELEMENT9 element = {2, ELEMENT, row->type, 0, D3DDECLUSAGE_POSITION, 0};
    uint32_t index[VM_LANES];

    for (unsigned i = 0; i < sizeof(memory); i++)
        memory[i] = (uint8_t)(i * 41 % 120);
    pipeline_one(row, ELEMENT);
    for (unsigned size = sizeof(memory) - 16; size <= sizeof(memory); size++)
        for (unsigned n = 1; n <= VM_LANES; n++) {
            state.stream[2] = (struct draw_stream){
                .data = memory, .size = size, .offset = OFFSET, .stride = STRIDE, .frequency = 1};
            for (unsigned i = 0; i < n; i++)
                index[i] = (i * 29 + n) % (VERTICES - 7);
            for (unsigned indexed = 0; indexed < 2; indexed++) {
                fetch(indexed ? index : NULL, n,
                            indexed ? 7 : VERTICES - n, 0);
                for (unsigned i = 0; i < n; i++) {
                    float want[4];

                    fetch_value(&state, &element, indexed ? index[i] + 7 : VERTICES - n + i, want);
                    for (unsigned c = 0; c < 4; c++)
                        ck_assert_msg(!memcmp(&work[c * VM_LANES + i], &want[c], 4),
                                      "type %u, vertex %u of %u", row->type, i, n);
                }
            }
        }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("draw/vertex_fetch");
    TCase *t = tcase_create("fetch");

    tcase_add_loop_test(t, types, 0, sizeof(rows) / sizeof(rows[0]));
    tcase_add_loop_test(t, batch_equals_single_vertices, 0, sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(t, every_type_has_a_row);
    tcase_add_test(t, streams_advance_by_vertex_or_instance);
    tcase_add_test(t, addresses_do_not_wrap);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
