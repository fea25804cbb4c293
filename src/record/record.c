/* Entry points of the recorder: starts and ends the capture, records global functions, and chooses
 * the vtables of objects.
 *
 * Tested by tests/unit/trace/test_record.c. */
#include "record/call.h"

void record_open(const char *path)
{
    if (path && *path && !record_is_on())
        record_start(path);
}

void record_close(void)
{
    if (record_stop())
        record_forget_locks();
}

/* --- Captures that start in the middle of a program ---------------------------------------------
 */

bool record_end(uint64_t *calls)
{
    bool whole = record_finish(calls);

    record_forget_locks();
    return whole;
}

void record_make_up(bool on)
{
    record_made_up = on;
}

const void *record_methods(enum record_class class, const void *real)
{
    record_set_real(class, real);
    return record_tables[class];
}

/* --- Calls without an object ------------------------------------------------------------------ */

#define FUNCTION(id, text, type, ...)                                                              \
    static const struct record_param id##_params[] = {__VA_ARGS__};                                \
    static struct record_method id = {                                                             \
        .name = text,                                                                              \
        .params = id##_params,                                                                     \
        .count = sizeof(id##_params) / sizeof(id##_params[0]),                                     \
        .result = type,                                                                            \
    };

static void put_bytes(struct writer *w, const uint64_t *args)
{
    writer_blob(w, record_pointer(args[1]), (size_t)args[2]);
}

static void put_name(struct writer *w, const uint64_t *args)
{
    const WCHAR *name = record_pointer(args[1]);

    if (name)
        writer_wide(w, (const uint16_t *)name);
    else
        writer_null(w);
}

#define EVENT_PARAMS                                                                               \
    {.name = "col", VALUE(u32)},                                                                   \
    {                                                                                              \
        .name = "wszName", .kind = PARAM_CUSTOM, .write = put_name                                 \
    }
FUNCTION(create9, "Direct3DCreate9", &record_object, {.name = "SDKVersion", VALUE(u32)})
FUNCTION(create9_ex, "Direct3DCreate9Ex", &record_hresult, {.name = "SDKVersion", VALUE(u32)},
         {.name = "ppD3D", POINTS_OUT(object)})
FUNCTION(begin_event, "D3DPERF_BeginEvent", &record_i32, EVENT_PARAMS)
FUNCTION(marker, "D3DPERF_SetMarker", NULL, EVENT_PARAMS)
FUNCTION(region, "D3DPERF_SetRegion", NULL, EVENT_PARAMS)
static const struct record_param contents_params[] = {
    {.name = "pSurface", VALUE(object)},
    {.name = "pData", .kind = PARAM_CUSTOM, .write = put_bytes},
};
static struct record_method contents = {
    .name = "NovemWriteSurface", .params = contents_params, .count = 2, .fake = true};
static struct record_method end_event = {.name = "D3DPERF_EndEvent", .result = &record_i32};

void record_create9(UINT version, IDirect3D9 *result)
{
    if (record_is_on())
        record_call(&create9, (uint64_t[]){version}, (uintptr_t)result);
}

void record_create9_ex(UINT version, IDirect3D9Ex **out, HRESULT result)
{
    if (record_is_on())
        record_call(&create9_ex, (uint64_t[]){version, (uintptr_t)out}, (uint32_t)result);
}

void record_contents(const void *surface, const void *bytes, size_t n)
{
    record_call(&contents, (uint64_t[]){(uintptr_t)surface, (uintptr_t)bytes, n}, 0);
}

void record_begin_event(D3DCOLOR colour, const WCHAR *name, int result)
{
    if (record_is_on())
        record_call(&begin_event, (uint64_t[]){colour, (uintptr_t)name}, (uint32_t)result);
}

void record_end_event(int result)
{
    if (record_is_on())
        record_call(&end_event, NULL, (uint32_t)result);
}

void record_marker(D3DCOLOR colour, const WCHAR *name)
{
    if (record_is_on())
        record_call(&marker, (uint64_t[]){colour, (uintptr_t)name}, 0);
}

void record_region(D3DCOLOR colour, const WCHAR *name)
{
    if (record_is_on())
        record_call(&region, (uint64_t[]){colour, (uintptr_t)name}, 0);
}

/* --- Tables ----------------------------------------------------------------------------------- */

const void *record_vtbl(enum record_class class, const void *real)
{
    return record_is_on() ? record_methods(class, real) : real;
}
