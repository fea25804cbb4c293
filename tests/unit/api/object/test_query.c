/* Tests of occlusion queries that overlap, nest, restart and end early: each counts from its begin
 * to its end. */
#include "api_test.h"

enum { QUERIES = 12, STEPS = 6000 };

static UINT64 result_of(IDirect3DQuery9 *query)
{
    UINT64 count = 0;
    HRESULT hr = S_FALSE;

    for (int i = 0; i < 1000 && hr == S_FALSE; i++)
        hr = IDirect3DQuery9_GetData(query, &count, sizeof(count), D3DGETDATA_FLUSH);
    OK(hr);
    return count;
}

/* width x height pixels. */
static void draw_area(IDirect3DDevice9 *device, unsigned width, unsigned height)
{
    float x1 = (float)width - 0.5f, y1 = (float)height - 0.5f;
    float v[4][4] = {{-0.5f, -0.5f, 0, 1}, {x1, -0.5f, 0, 1}, {-0.5f, y1, 0, 1}, {x1, y1, 0, 1}};

    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, v, sizeof(v[0])));
}

static IDirect3DQuery9 *create_query(IDirect3DDevice9 *device)
{
    IDirect3DQuery9 *query;

    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query));
    return query;
}

static IDirect3DDevice9 *create_quiet_device(void)
{
    IDirect3DDevice9 *device = create_device();

    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE));
    return device;
}

START_TEST(overlapping_queries_count_their_own_draws)
{
    IDirect3DDevice9 *device = create_quiet_device();
    IDirect3DQuery9 *a = create_query(device), *b = create_query(device);

    draw_area(device, 10, 10);
    OK(IDirect3DQuery9_Issue(a, D3DISSUE_BEGIN));
    draw_area(device, 3, 1);
    OK(IDirect3DQuery9_Issue(b, D3DISSUE_BEGIN));
    draw_area(device, 50, 1);
    OK(IDirect3DQuery9_Issue(a, D3DISSUE_END));
    draw_area(device, 700, 1); /* clipped to the target's 640 */
    OK(IDirect3DQuery9_Issue(b, D3DISSUE_END));
    draw_area(device, 10, 10);
    ck_assert_uint_eq(result_of(b), 690);
    ck_assert_uint_eq(result_of(a), 53);
    release(a);
    release(b);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(inner_queries_count_for_outer_ones)
{
    IDirect3DDevice9 *device = create_quiet_device();
    IDirect3DQuery9 *outer = create_query(device), *inner = create_query(device);

    OK(IDirect3DQuery9_Issue(outer, D3DISSUE_BEGIN));
    draw_area(device, 1, 1);
    for (unsigned i = 1; i <= 3; i++) {
        OK(IDirect3DQuery9_Issue(inner, D3DISSUE_BEGIN));
        draw_area(device, 10 * i, 1);
        OK(IDirect3DQuery9_Issue(inner, D3DISSUE_END));
        if (i != 2)
            ck_assert_uint_eq(result_of(inner), 10 * i); /* discards the result once */
    }
    draw_area(device, 100, 1);
    OK(IDirect3DQuery9_Issue(outer, D3DISSUE_END));
    ck_assert_uint_eq(result_of(outer), 161);
    release(inner);
    release(outer);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* Random order of begins, ends, draws, results, presents, releases and creations. */
START_TEST(random_query_sequences)
{
    IDirect3DDevice9 *device = create_quiet_device();
    IDirect3DQuery9 *query[QUERIES];
    UINT64 want[QUERIES] = {0};
    enum { FRESH, RUNNING, ENDED } state[QUERIES] = {FRESH};
    unsigned answers = 0;

    srand(17 + (unsigned)_i);
    for (unsigned q = 0; q < QUERIES; q++)
        query[q] = create_query(device);
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned q = (unsigned)rand() % QUERIES, what = (unsigned)rand() % 100;

        if (what < 30) {
            OK(IDirect3DQuery9_Issue(query[q], D3DISSUE_BEGIN));
            state[q] = RUNNING;
            want[q] = 0;
        } else if (what < 55) {
            OK(IDirect3DQuery9_Issue(query[q], D3DISSUE_END));
            state[q] = ENDED;
        } else if (what < 90) {
            unsigned width = (unsigned)rand() % 40, height = (unsigned)rand() % 3;

            draw_area(device, width, height);
            for (unsigned i = 0; i < QUERIES; i++)
                want[i] += state[i] == RUNNING ? width * height : 0;
        } else if (what < (_i ? 91 : 97)) {
            if (state[q] == ENDED) {
                answers++;
                ck_assert_msg(result_of(query[q]) == want[q], "step %u, query %u", step, q);
            }
        } else if (what < 99) {
            release(query[q]);
            query[q] = create_query(device);
            state[q] = FRESH;
            want[q] = 0;
        } else if (rand() % 10 == 0) {
            OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
        }
    }
    ck_assert_uint_gt(answers, 5);
    for (unsigned q = 0; q < QUERIES; q++)
        release(query[q]);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* More begins and ends without reading results than there are counters. */
START_TEST(many_unread_queries)
{
    enum { MANY = 700 };
    IDirect3DDevice9 *device = create_quiet_device();
    IDirect3DQuery9 *all = create_query(device), *query[MANY];

    OK(IDirect3DQuery9_Issue(all, D3DISSUE_BEGIN));
    for (unsigned i = 0; i < MANY; i++) {
        query[i] = create_query(device);
        OK(IDirect3DQuery9_Issue(query[i], D3DISSUE_BEGIN));
        draw_area(device, 1 + i % 5, 1);
        OK(IDirect3DQuery9_Issue(query[i], D3DISSUE_END));
    }
    OK(IDirect3DQuery9_Issue(all, D3DISSUE_END));
    for (unsigned i = 0; i < MANY; i++) {
        ck_assert_uint_eq(result_of(query[i]), 1 + i % 5);
        release(query[i]);
    }
    ck_assert_uint_eq(result_of(all), MANY / 5 * 15);
    release(all);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(query_types)
{
    IDirect3DDevice9 *device = create_device();
    D3DQUERYTYPE type = _i;
    IDirect3DQuery9 *query = (IDirect3DQuery9 *)0x1234;
    HRESULT probe = IDirect3DDevice9_CreateQuery(device, type, NULL);
    HRESULT made = IDirect3DDevice9_CreateQuery(device, type, &query);
    bool wanted = type >= D3DQUERYTYPE_EVENT && type <= D3DQUERYTYPE_TIMESTAMPFREQ;

    ck_assert_int_eq(probe, made);
    ck_assert_int_eq(made, wanted ? D3D_OK : D3DERR_NOTAVAILABLE);
    if (wanted) {
        unsigned char data[16];
        DWORD size = IDirect3DQuery9_GetDataSize(query);

        memset(data, 0, sizeof(data));
        OK(IDirect3DQuery9_GetData(query, NULL, 0, 0));
        OK(IDirect3DQuery9_GetData(query, data, 2, 0));
        ck_assert_uint_eq(data[1], 0xdd);
        ck_assert_uint_eq(data[2], 0);
        OK(IDirect3DQuery9_GetData(query, data, sizeof(data), 0));
        ck_assert_uint_eq(data[size - 1], 0xdd);
        ck_assert_uint_eq(data[size], 0);
        release(query);
    } else {
        ck_assert_ptr_eq(query, (void *)0x1234);
    }
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

/* What the reference device offers: VCACHE, and MEMORYPRESSURE with Ex (reference: query/types).
 * _i: with Ex. */
START_TEST(reference_types)
{
    D3DPRESENT_PARAMETERS p = test_parameters();
    IDirect3D9 *d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    IDirect3DDevice9 *device;

    if (_i)
        device = (IDirect3DDevice9 *)create_type_ex(D3DDEVTYPE_REF);
    else
        OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_REF, NULL,
                                   D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &device));
    for (unsigned type = 0; type < 32; type++) {
        bool wanted = type == D3DQUERYTYPE_VCACHE ||
                      (type >= D3DQUERYTYPE_EVENT && type <= D3DQUERYTYPE_TIMESTAMPFREQ) ||
                      (_i && type == D3DQUERYTYPE_MEMORYPRESSURE);

        RETURNS(IDirect3DDevice9_CreateQuery(device, (D3DQUERYTYPE)type, NULL),
                wanted ? D3D_OK : D3DERR_NOTAVAILABLE);
    }
    release(device);
    ck_assert_uint_eq(release(d3d9), 0);
}
END_TEST

static HRESULT wait_for(IDirect3DQuery9 *query, void *data, DWORD size)
{
    HRESULT hr = S_FALSE;

    for (int i = 0; i < 1000 && hr == S_FALSE; i++)
        hr = IDirect3DQuery9_GetData(query, data, size, 0);
    return hr;
}

START_TEST(query_answers)
{
    static const struct {
        float x, y, z, rhw;
        DWORD colour;
    } quad[] = {{0, 0, 0, 1, 0}, {640, 0, 0, 1, 0}, {0, 480, 0, 1, 0}, {640, 480, 0, 1, 0}};
    IDirect3DDevice9 *device = create_device();
    IDirect3DQuery9 *occlusion, *event, *frequency;
    UINT64 count, ticks;
    BOOL done = 7;

    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &occlusion));
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_EVENT, &event));
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_TIMESTAMPFREQ, &frequency));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0));
    OK(IDirect3DQuery9_Issue(occlusion, D3DISSUE_END)); /* in any order */
    OK(IDirect3DQuery9_Issue(occlusion, D3DISSUE_BEGIN));
    OK(IDirect3DQuery9_Issue(occlusion, D3DISSUE_BEGIN));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, 20));
    OK(IDirect3DQuery9_Issue(occlusion, D3DISSUE_END));
    OK(wait_for(occlusion, &count, sizeof(count)));
    ck_assert_uint_eq(count, 640 * 480);
    OK(IDirect3DQuery9_Issue(event, D3DISSUE_END));
    OK(wait_for(event, &done, sizeof(done)));
    ck_assert_int_eq(done, TRUE);
    OK(IDirect3DQuery9_Issue(frequency, D3DISSUE_END));
    OK(wait_for(frequency, &ticks, sizeof(ticks)));
    ck_assert_uint_gt(ticks, 0);
    release(occlusion);
    release(event);
    release(frequency);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(vertex_cache)
{
    IDirect3DDevice9 *device = (IDirect3DDevice9 *)create_type_ex(D3DDEVTYPE_REF);
    D3DDEVINFO_VCACHE cache;
    IDirect3DQuery9 *query;
    DWORD part[2] = {0, 7};

    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_VCACHE, &query));
    ck_assert_uint_eq(IDirect3DQuery9_GetDataSize(query), sizeof(cache));
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
    OK(wait_for(query, &cache, sizeof(cache)));
    ck_assert_mem_eq(&cache.Pattern, "CACH", 4);
    ck_assert_uint_eq(cache.OptMethod, 1);
    ck_assert_uint_ge(cache.CacheSize, 1);
    ck_assert_uint_ge(cache.MagicNumber, 1);
    ck_assert_uint_le(cache.MagicNumber, cache.CacheSize);
    OK(IDirect3DQuery9_GetData(query, part, 4, 0));
    ck_assert_mem_eq(part, "CACH", 4);
    ck_assert_uint_eq(part[1], 7);
    release(query);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

START_TEST(memory_pressure)
{
    IDirect3DDevice9 *device = (IDirect3DDevice9 *)create_type_ex(D3DDEVTYPE_REF);
    D3DMEMORYPRESSURE pressure;
    IDirect3DQuery9 *query;

    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_MEMORYPRESSURE, &query));
    ck_assert_uint_eq(IDirect3DQuery9_GetDataSize(query), sizeof(pressure));
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN));
    RETURNS(IDirect3DQuery9_GetData(query, &pressure, sizeof(pressure), 0), S_FALSE);
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
    memset(&pressure, 0xee, sizeof(pressure));
    OK(wait_for(query, &pressure, sizeof(pressure)));
    ck_assert_uint_eq(pressure.BytesEvictedFromProcess, 0);
    ck_assert_uint_eq(pressure.SizeOfInefficientAllocation, 0);
    ck_assert_uint_eq(pressure.LevelOfEfficiency, 100);
    release(query);
    ck_assert_uint_eq(release(device), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/query");
    TCase *tc = tcase_create("queries");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, overlapping_queries_count_their_own_draws);
    tcase_add_test(tc, inner_queries_count_for_outer_ones);
    tcase_add_loop_test(tc, random_query_sequences, 0, 2);
    tcase_add_test(tc, many_unread_queries);
    tcase_add_loop_test(tc, query_types, 0, 40);
    tcase_add_test(tc, query_answers);
    tcase_add_loop_test(tc, reference_types, 0, 2);
    tcase_add_test(tc, vertex_cache);
    tcase_add_test(tc, memory_pressure);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
