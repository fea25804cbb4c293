/* Replay handlers of queries: creation, and comparison of results with the recorded ones.
 *
 * Tested by tests/unit/trace/replay/test_methods.c. */
#include "trace/replay/args.h"
#include "trace/replay/handlers.h"
#include "util/plural.h"

#include <time.h>

/* A null out pointer only asks whether the query type is supported. */
HRESULT replay_create_query(struct replay_call *q)
{
    IDirect3DQuery9 *query = NULL;
    HRESULT hr;

    if (arg_out_null(q, 2))
        return IDirect3DDevice9_CreateQuery((IDirect3DDevice9 *)q->self->iface, arg_u32(q, 1),
                                            NULL);
    hr = IDirect3DDevice9_CreateQuery((IDirect3DDevice9 *)q->self->iface, arg_u32(q, 1), &query);
    if (SUCCEEDED(hr))
        replay_call_out(q, 2, OBJ_QUERY, query, NULL);
    return hr;
}

/* Polls until the result is there, as the program must have done. Returns at once for a query that
 * was never issued. */
static HRESULT wait_for_data(IDirect3DQuery9 *query, void *data, DWORD size)
{
    const struct timespec pause = {.tv_nsec = 100000};
    HRESULT hr = S_FALSE;

    for (int i = 0; i < 5000; i++) {
        hr = IDirect3DQuery9_GetData(query, data, size, D3DGETDATA_FLUSH);
        if (hr != S_FALSE)
            break;
        if (i > 100)
            nanosleep(&pause, NULL);
    }
    return hr;
}

/* Programs poll, so only the call that returned data matters. Of the results, only the number of
 * passed pixels is the same in all implementations. */
HRESULT replay_query_get_data(struct replay_call *q)
{
    IDirect3DQuery9 *query = q->self->iface;
    const struct trace_value *recorded = value_pointee(arg(q, 1));
    struct replay_stats *stats = &q->replay->stats;
    DWORD pixels = 0;
    HRESULT hr;

    if (q->call->ret.u.sint != S_OK || !recorded || recorded->kind != TRACE_UINT ||
        IDirect3DQuery9_GetType(query) != D3DQUERYTYPE_OCCLUSION || arg_u32(q, 2) != sizeof(pixels))
        return S_OK;
    hr = wait_for_data(query, &pixels, sizeof(pixels));
    if (FAILED(hr))
        return hr;
    stats->queries++;
    if (hr != S_OK || pixels != (DWORD)recorded->u.uint) {
        stats->query_differences++;
        replay_warn(q->replay, q->call, PLURAL_FORMAT " passed, %u when recorded",
                    PLURAL((unsigned)pixels, "pixel", "pixels"), (unsigned)recorded->u.uint);
    }
    return S_OK;
}
