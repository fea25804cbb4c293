/* IDirect3DQuery9: supported types, Issue and GetData. */
#include "api/adapter/adapter.h"
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/object/object.h"
#include "cmd/cmd.h"
#include "util/alloc.h"
#include "util/log.h"

#include <math.h>
#include <string.h>

OBJECT_METHODS(IDirect3DQuery9, query)

enum progress { QUERY_FRESH, QUERY_BUILDING, QUERY_ISSUED, QUERY_DONE };
struct query {
    struct object base;
    D3DQUERYTYPE type;
    enum progress state;
    cmd_handle handle;
    unsigned polls;
    /* Samples of the target at the end: those that the program asked for, and those of the image.
     * 0: they are the same. */
    double asked, stored;
    union result {
        uint64_t value;
        D3DDEVINFO_VCACHE vertex_cache;
        D3DMEMORYPRESSURE pressure;
    } result;
};

static struct query *query_of(IDirect3DQuery9 *iface)
{
    return (struct query *)iface;
}

/* The documented types (reference: query/types). */
static const struct query_type {
    const char *name;
    DWORD size; /* of the result in bytes; 0: no device offers the type */
    enum { OF_ALL, OF_REFERENCE, OF_REFERENCE_EX } offer;
} query_types[] = {
#define TYPE(name, ...) [D3DQUERYTYPE_##name] = {#name, __VA_ARGS__}
    TYPE(VCACHE, sizeof(D3DDEVINFO_VCACHE), OF_REFERENCE),
    TYPE(RESOURCEMANAGER, 0, OF_ALL),
    TYPE(VERTEXSTATS, 0, OF_ALL),
    TYPE(EVENT, sizeof(BOOL), OF_ALL),
    TYPE(OCCLUSION, sizeof(DWORD), OF_ALL),
    TYPE(TIMESTAMP, sizeof(UINT64), OF_ALL),
    TYPE(TIMESTAMPDISJOINT, sizeof(BOOL), OF_ALL),
    TYPE(TIMESTAMPFREQ, sizeof(UINT64), OF_ALL),
    TYPE(PIPELINETIMINGS, 0, OF_ALL),
    TYPE(INTERFACETIMINGS, 0, OF_ALL),
    TYPE(VERTEXTIMINGS, 0, OF_ALL),
    TYPE(PIXELTIMINGS, 0, OF_ALL),
    TYPE(BANDWIDTHTIMINGS, 0, OF_ALL),
    TYPE(CACHEUTILIZATION, 0, OF_ALL),
    TYPE(MEMORYPRESSURE, sizeof(D3DMEMORYPRESSURE), OF_REFERENCE_EX),
#undef TYPE
};

/* NULL: not a documented type. */
static const struct query_type *query_type(D3DQUERYTYPE type)
{
    unsigned i = (unsigned)type;

    return i < sizeof(query_types) / sizeof(query_types[0]) && query_types[i].name ? &query_types[i]
                                                                                   : NULL;
}

static bool is_offered(const struct query_type *type, struct device_kind kind)
{
    return type->size && (type->offer == OF_ALL || api_offers(FEATURE_QUERIES, kind)) &&
           (type->offer != OF_REFERENCE_EX || kind.ex);
}

struct query_state api_query_state(struct object *obj)
{
    const struct query *query = (const struct query *)obj;

    return (struct query_state){.type = query->type,
                                .begun = query->state == QUERY_BUILDING,
                                .ended =
                                    query->state == QUERY_ISSUED || query->state == QUERY_DONE};
}

/* Sizes of results in bytes. */
static DWORD data_size(D3DQUERYTYPE type)
{
    return query_type(type)->size;
}

/* Types with a beginning of their own; the others ignore D3DISSUE_BEGIN. */
static bool has_begin(D3DQUERYTYPE type)
{
    return type == D3DQUERYTYPE_OCCLUSION || type == D3DQUERYTYPE_TIMESTAMPDISJOINT ||
           type == D3DQUERYTYPE_MEMORYPRESSURE;
}

static D3DQUERYTYPE WINAPI query_GetType(IDirect3DQuery9 *iface)
{
    return query_of(iface)->type;
}

static DWORD WINAPI query_GetDataSize(IDirect3DQuery9 *iface)
{
    return data_size(query_of(iface)->type);
}

static void note_target(struct query *query, const struct surface *target)
{
    query->asked = query->stored = 0.0;
    if (!target || !target->altered)
        return;
    query->asked = (double)target->width * target->height * target->sample_count;
    query->stored = (double)target->stored_width * target->stored_height * target->stored_samples;
}

/* Samples in the program's count; what is visible stays visible (docs/picture-settings.md).
 */
static void count_as_asked(const struct query *query, union result *result)
{
    if (query->type == D3DQUERYTYPE_OCCLUSION && query->stored > 0.0)
        result->value = (uint64_t)ceil((double)result->value * query->asked / query->stored);
}

/* Issue accepts any order of calls (reference: queries/order). */
static HRESULT WINAPI query_Issue(IDirect3DQuery9 *iface, DWORD flags)
{
    struct query *query = query_of(iface);
    struct cmd_begin_query begin = {query->handle};
    struct cmd_end_query end = {query->handle};
    ENTER_OBJECT(d, query);
    enum status st;

    if (flags == D3DISSUE_BEGIN) {
        if (!has_begin(query->type))
            return D3D_OK;
        st = cmd_emit_begin_query(d->stream, &begin, NULL, 0);
        query->state = QUERY_BUILDING;
    } else if (flags == D3DISSUE_END) {
        st = cmd_emit_end_query(d->stream, &end, NULL, 0);
        query->state = QUERY_ISSUED;
        note_target(query, d->target[0]);
    } else {
        return D3DERR_INVALIDCALL;
    }
    query->polls = 0;
    return api_hresult(st);
}

/* A batch of primitives shades each of its vertices once, so a mesh that is ordered for any cache
 * is ordered well. The size is that of a small one, so that other renderers profit, too. */
static const D3DDEVINFO_VCACHE vertex_cache = {
    .Pattern = MAKEFOURCC('C', 'A', 'C', 'H'), .OptMethod = 1, .CacheSize = 16, .MagicNumber = 8};

/* Results that the renderer does not count; timestamps are in nanoseconds. */
static void complete_result(D3DQUERYTYPE type, union result *result)
{
    switch (type) {
    case D3DQUERYTYPE_EVENT:
        result->value = TRUE;
        break;
    case D3DQUERYTYPE_TIMESTAMPFREQ:
        result->value = 1000000000;
        break;
    case D3DQUERYTYPE_TIMESTAMPDISJOINT:
        result->value = FALSE; /* the clock is monotonic */
        break;
    case D3DQUERYTYPE_VCACHE:
        result->vertex_cache = vertex_cache;
        break;
    case D3DQUERYTYPE_MEMORYPRESSURE: /* nothing is ever evicted */
        result->pressure = (D3DMEMORYPRESSURE){.LevelOfEfficiency = 100};
        break;
    default:
        break;
    }
}

/* Flushes from the second poll on, else polling without D3DGETDATA_FLUSH would never end. After
 * POLLS_BEFORE_WAIT polls it waits for the result. */
static HRESULT poll(struct query *query, struct device *d, DWORD flags)
{
    enum { POLLS_BEFORE_WAIT = 8 };
    enum cmd_query_wait wait =
        (flags & D3DGETDATA_FLUSH) || query->polls ? CMD_QUERY_FLUSH : CMD_QUERY_POLL;
    enum status st = cmd_query_result(d->stream, query->handle,
                                      query->polls++ < POLLS_BEFORE_WAIT ? wait : CMD_QUERY_WAIT,
                                      &query->result.value);

    if (st == ST_BUSY)
        return S_FALSE;
    if (st == ST_OK) {
        query->state = QUERY_DONE;
        complete_result(query->type, &query->result);
        count_as_asked(query, &query->result);
    }
    return api_hresult(st);
}

static HRESULT WINAPI query_GetData(IDirect3DQuery9 *iface, void *data, DWORD size, DWORD flags)
{
    struct query *query = query_of(iface);
    DWORD wanted = data_size(query->type);
    ENTER_OBJECT(d, query);
    HRESULT hr = S_OK;

    if (!data && size)
        return D3DERR_INVALIDCALL;
    if (query->state == QUERY_BUILDING)
        return S_FALSE;
    if (query->state == QUERY_ISSUED)
        hr = poll(query, d, flags);
    if (hr != S_OK || !data)
        return hr;
    if (query->state == QUERY_FRESH) {
        memset(data, 0xdd, size < wanted ? size : wanted); /* reference: queries/never-issued */
        return S_OK;
    }
    if (query->type == D3DQUERYTYPE_OCCLUSION && size >= sizeof(UINT64))
        wanted = sizeof(UINT64); /* callers with space get the upper half too */
    memcpy(data, &query->result, size < wanted ? size : wanted);
    return S_OK;
}

/* clang-format off */
static const IDirect3DQuery9Vtbl query_vtbl = {
    OBJECT_VTBL(query),
    .GetType = query_GetType,
    .GetDataSize = query_GetDataSize,
    .Issue = query_Issue,
    .GetData = query_GetData,
};
/* clang-format on */

static void query_destroy(struct object *obj)
{
    cmd_destroy(obj->device->stream, ((struct query *)obj)->handle);
    mem_free(obj);
}

static const IID *const query_iids[] = {&IID_IUnknown, &IID_IDirect3DQuery9, NULL};
static const struct object_class query_class = {&query_vtbl, RECORD_QUERY, query_iids,
                                                query_destroy};

/* out NULL: tests whether the type is supported. */
static HRESULT create_query(struct query **out, struct device *device, D3DQUERYTYPE type)
{
    const struct query_type *known = query_type(type);
    struct query *query;
    enum status st;

    if (!known || !is_offered(known, api_kind(device))) { /* *out stays as it is */
        const char *name = known ? known->name : "unknown";

        log_once("api", name, "CreateQuery: queries of type %s (%u) are not offered by this device",
                 name, (unsigned)type);
        return D3DERR_NOTAVAILABLE;
    }
    if (!out)
        return D3D_OK;
    query = mem_calloc(1, sizeof(*query));
    if (!query)
        return E_OUTOFMEMORY;
    st = cmd_create_query(device->stream, type, &query->handle);
    if (st != ST_OK) {
        mem_free(query);
        return api_hresult(st);
    }
    query->type = type;
    api_object_init(&query->base, &query_class, device, 1);
    *out = query;
    return D3D_OK;
}

HRESULT WINAPI device_CreateQuery(IDirect3DDevice9Ex *iface, D3DQUERYTYPE type,
                                  IDirect3DQuery9 **out)
{
    ENTER(d, iface);

    return create_query((struct query **)out, d, type);
}
