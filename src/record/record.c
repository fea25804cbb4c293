/* Capture of the process: one file, one mutex, calls numbered in the order of their returns. */
#include "record/call.h"

#include "util/log.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool on;
static struct writer writer;
static unsigned threads;
static _Thread_local unsigned thread; /* thread number in the capture, from 1; 0: unassigned */

/* --- The file --------------------------------------------------------------------------------- */

static const char *process_name(char *out, size_t size)
{
#ifdef _WIN32
    DWORD n = GetModuleFileNameA(NULL, out, (DWORD)size);
#else
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
#endif
    if (n <= 0 || (size_t)n >= size)
        return NULL;
    out[n] = '\0';
    return out;
}

void record_open(const char *path)
{
    char process[1024];
    enum status st;

    if (!path || !*path || atomic_load(&on))
        return;
    pthread_mutex_lock(&mutex);
    if (!writer.chunk) {
        st = writer_open(&writer, path, process_name(process, sizeof(process)));
        if (st != ST_OK)
            log_once("record", path, "%s: %s; nothing is recorded", path, status_text(st));
        atomic_store(&on, st == ST_OK);
    }
    pthread_mutex_unlock(&mutex);
}

void record_close(void)
{
    if (!atomic_exchange(&on, false))
        return;
    pthread_mutex_lock(&mutex);
    writer_close(&writer);
    pthread_mutex_unlock(&mutex);
    record_forget_locks();
}

/* A thread that the exiting process killed may hold the mutex. */
__attribute__((destructor)) static void finish(void)
{
    if (atomic_load(&on) && !pthread_mutex_trylock(&mutex)) {
        writer_flush(&writer);
        pthread_mutex_unlock(&mutex);
    }
}

void record_flush(void)
{
    pthread_mutex_lock(&mutex);
    if (atomic_load(&on))
        writer_flush(&writer);
    pthread_mutex_unlock(&mutex);
}

/* --- Calls ------------------------------------------------------------------------------------ */

enum { EVENT_ENTER, EVENT_LEAVE };
enum { DETAIL_END, DETAIL_ARGUMENT, DETAIL_RESULT, DETAIL_FLAGS = 5 };

static void put_list(struct writer *w, const struct record_param *p, const uint64_t *args,
                     const uint8_t *at)
{
    size_t n = p->times * (p->count_arg ? (size_t)(uint32_t)args[p->count_arg] : 1);

    writer_array(w, n);
    if (p->type->shape == SHAPE_FLOAT) {
        writer_floats(w, at, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        writer_value(w, p->type, at + i * p->type->size);
}

/* If the call failed, its pointers may be invalid, so no pointee is read. */
static void put_argument(struct writer *w, const struct record_param *p, const uint64_t *args,
                         const uint64_t *arg, bool failed)
{
    const void *at = record_pointer(*arg);

    if (p->kind == PARAM_VALUE) {
        writer_value(w, p->type, arg);
        return;
    }
    if (failed || (p->kind != PARAM_CUSTOM && !at)) {
        writer_null(w);
        return;
    }
    if (p->kind == PARAM_CUSTOM) {
        p->write(w, args);
        return;
    }
    if (p->kind == PARAM_LIST) {
        put_list(w, p, args, at);
        return;
    }
    if (p->kind == PARAM_POINTER)
        writer_array(w, 1);
    writer_value(w, p->type, at);
}

static void put_arguments(struct writer *w, const struct record_method *method,
                          const uint64_t *args, bool output, bool failed)
{
    for (unsigned i = 0; i < method->count; i++) {
        if (method->params[i].output != output)
            continue;
        writer_tagged(w, DETAIL_ARGUMENT, i);
        put_argument(w, &method->params[i], args, &args[i], failed);
    }
}

static void put_signature(struct writer *w, struct record_method *method)
{
    bool is_new = method->epoch != w->epoch;

    if (is_new) {
        method->epoch = w->epoch;
        method->id = w->functions++;
        for (unsigned i = 0; i < method->count; i++)
            method->output |= method->params[i].output;
    }
    writer_number(w, method->id);
    if (!is_new)
        return;
    writer_string(w, method->name);
    writer_number(w, method->count);
    for (unsigned i = 0; i < method->count; i++)
        writer_string(w, method->params[i].name);
}

static void put_call(struct writer *w, struct record_method *method, const uint64_t *args,
                     uint64_t result)
{
    bool failed = method->result == &record_hresult && (int32_t)result < 0;

    writer_tagged(w, EVENT_ENTER, thread - 1);
    put_signature(w, method);
    if (method->fake)
        writer_tagged(w, DETAIL_FLAGS, WRITER_CALL_FAKE);
    put_arguments(w, method, args, false, failed);
    writer_byte(w, DETAIL_END);
    writer_tagged(w, EVENT_LEAVE, w->calls++);
    if (!failed && method->output)
        put_arguments(w, method, args, true, false);
    if (method->result) {
        writer_byte(w, DETAIL_RESULT);
        writer_value(w, method->result, &result);
    }
    writer_byte(w, DETAIL_END);
}

void record_call(struct record_method *method, const uint64_t *args, uint64_t result)
{
    pthread_mutex_lock(&mutex);
    if (!thread)
        thread = ++threads;
    if (atomic_load_explicit(&on, memory_order_relaxed))
        put_call(&writer, method, args, result);
    pthread_mutex_unlock(&mutex);
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
static struct record_method end_event = {.name = "D3DPERF_EndEvent", .result = &record_i32};

void record_create9(UINT version, IDirect3D9 *result)
{
    if (atomic_load(&on))
        record_call(&create9, (uint64_t[]){version}, (uintptr_t)result);
}

void record_create9_ex(UINT version, IDirect3D9Ex **out, HRESULT result)
{
    if (atomic_load(&on))
        record_call(&create9_ex, (uint64_t[]){version, (uintptr_t)out}, (uint32_t)result);
}

void record_begin_event(D3DCOLOR colour, const WCHAR *name, int result)
{
    if (atomic_load(&on))
        record_call(&begin_event, (uint64_t[]){colour, (uintptr_t)name}, (uint32_t)result);
}

void record_end_event(int result)
{
    if (atomic_load(&on))
        record_call(&end_event, NULL, (uint32_t)result);
}

void record_marker(D3DCOLOR colour, const WCHAR *name)
{
    if (atomic_load(&on))
        record_call(&marker, (uint64_t[]){colour, (uintptr_t)name}, 0);
}

void record_region(D3DCOLOR colour, const WCHAR *name)
{
    if (atomic_load(&on))
        record_call(&region, (uint64_t[]){colour, (uintptr_t)name}, 0);
}

/* --- Tables ----------------------------------------------------------------------------------- */

static const void *reals[RECORD_CLASS_COUNT];

const void *record_real(enum record_class class)
{
    return __atomic_load_n(&reals[class], __ATOMIC_ACQUIRE);
}

const void *record_vtbl(enum record_class class, const void *real)
{
    if (!atomic_load(&on))
        return real;
    __atomic_store_n(&reals[class], real, __ATOMIC_RELEASE);
    return record_tables[class];
}
