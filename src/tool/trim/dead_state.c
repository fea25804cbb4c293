/* Dead-state elimination for `novem trim`: finds calls whose state is overwritten before any call
 * uses it.
 *
 * Tested by tests/unit/tool/trim/test_trim.c and tests/unit/tool/inspect/test_pixel.c. */
#include "cmd/packets.h"
#include "tool/trim/dependencies.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/hash.h"

#include <string.h>

/* The key of a method's value: the device and the `selector` arguments; 0 is the device itself. */
static const struct setter {
    const char *name, *what;
    unsigned selector[2];
} setters[] = {
    {"SetRenderState", NULL, {1, 0}},
    {"SetSamplerState", NULL, {1, 2}},
    {"SetTextureStageState", NULL, {1, 2}},
    {"SetTexture", NULL, {1, 0}},
    {"SetTransform", NULL, {1, 0}},
    {"SetViewport", NULL, {0, 0}},
    {"SetScissorRect", NULL, {0, 0}},
    {"SetMaterial", NULL, {0, 0}},
    {"SetLight", NULL, {1, 0}},
    {"LightEnable", NULL, {1, 0}},
    {"SetClipPlane", NULL, {1, 0}},
    {"SetStreamSource", NULL, {1, 0}},
    {"SetStreamSourceFreq", NULL, {1, 0}},
    {"SetIndices", NULL, {0, 0}},
    {"SetFVF", "declaration", {0, 0}},
    {"SetVertexDeclaration", "declaration", {0, 0}},
    {"SetVertexShader", NULL, {0, 0}},
    {"SetPixelShader", NULL, {0, 0}},
    {"SetVertexShaderConstantF", NULL, {1, 3}},
    {"SetVertexShaderConstantI", NULL, {1, 3}},
    {"SetVertexShaderConstantB", NULL, {1, 3}},
    {"SetPixelShaderConstantF", NULL, {1, 3}},
    {"SetPixelShaderConstantI", NULL, {1, 3}},
    {"SetPixelShaderConstantB", NULL, {1, 3}},
};

enum { SLOTS = 4096 };

struct state_table {
    struct {
        uint64_t key, call;
        uint32_t epoch;
    } slot[SLOTS];
    uint32_t epoch; /* entries of earlier epochs are empty */
    bool recording; /* a state block records, so set calls change the block, not the device */
};

static const char *method_of(const struct trace_call *call)
{
    const char *colons = strstr(call->function->name, "::");

    return colons ? colons + 2 : call->function->name;
}

/* Calls that do not use the state set so far. */
static bool ignores_state(const char *method)
{
    static const char *const names[] = {"BeginScene",
                                        "EndScene",
                                        "Present",
                                        "memcpy",
                                        "Lock",
                                        "LockRect",
                                        "LockBox",
                                        "Unlock",
                                        "UnlockRect",
                                        "UnlockBox",
                                        "CreateTexture",
                                        "CreateVertexBuffer",
                                        "CreateIndexBuffer",
                                        "CreateVertexShader",
                                        "CreatePixelShader",
                                        "CreateVertexDeclaration",
                                        "CreateRenderTarget",
                                        "UpdateTexture",
                                        "SetRenderTarget",
                                        "SetDepthStencilSurface",
                                        "GetSurfaceLevel",
                                        "GetDesc",
                                        "GetLevelDesc",
                                        "AddRef"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (!strcmp(method, names[i]))
            return true;
    return false;
}

static const struct setter *find_setter(const char *method)
{
    for (size_t i = 0; i < sizeof(setters) / sizeof(setters[0]); i++)
        if (!strcmp(method, setters[i].name))
            return &setters[i];
    return NULL;
}

/* Whether the call sets no value but gives a command, which later ones do not undo. */
static bool is_command(const struct setter *setter, const struct trace_call *call)
{
    return setter == &setters[0] && call->argc > 2 &&
           trace_number(&call->args[1]) == D3DRS_POINTSIZE &&
           cmd_is_size_command((uint32_t)trace_number(&call->args[2]));
}

static uint64_t key_of(const struct setter *setter, const struct trace_call *call)
{
    const char *what = setter->what ? setter->what : setter->name;
    uint64_t key = hash_bytes(what, strlen(what), 0);

    for (unsigned i = 0; i < 3; i++) {
        unsigned a = i ? setter->selector[i - 1] : 0;
        uint64_t n = a < call->argc ? trace_number(&call->args[a]) : 0;

        key = hash_bytes(&n, sizeof(n), key);
    }
    return key;
}

static void set(struct state_table *s, struct trim_dependencies *deps, uint64_t key, uint64_t call)
{
    uint32_t i = (uint32_t)(key % SLOTS), tried = 0;

    while (s->slot[i].epoch == s->epoch && s->slot[i].key != key && tried++ < 64)
        i = (i + 1) % SLOTS;
    if (s->slot[i].epoch == s->epoch && s->slot[i].key == key)
        deps->call[s->slot[i].call] |= TRIM_CALL_DEAD_STATE;
    s->slot[i].key = key;
    s->slot[i].call = call;
    s->slot[i].epoch = s->epoch;
}

static void on_call(struct state_table *s, struct trim_dependencies *deps,
                    const struct trace_call *call)
{
    const char *method = method_of(call);
    const struct setter *setter = find_setter(method);
    unsigned flags = deps->call[call->number];
    bool dropped = (flags & TRIM_CALL_ONLY_DRAWS) && !(flags & TRIM_CALL_NEEDED);

    if (!strcmp(method, "BeginStateBlock"))
        s->recording = true;
    if (!strcmp(method, "EndStateBlock"))
        s->recording = false;
    if (setter && is_command(setter, call))
        return;
    if (setter && !s->recording && !(flags & TRIM_CALL_DRAWS))
        set(s, deps, key_of(setter, call), call->number);
    else if (!dropped && !ignores_state(method))
        s->epoch++;
}

enum status trim_mark_dead_state(struct trim_dependencies *deps, const char *file)
{
    struct state_table *s = mem_calloc(1, sizeof(*s));
    const struct trace_call *call;
    struct trace_reader *reader;
    struct trace_error error;
    uint64_t frame = 0;
    enum status st;

    if (!s)
        return ST_NOMEM;
    s->epoch = 1;
    st = trace_open(&reader, file, &error);
    if (st != ST_OK) {
        mem_free(s);
        return st;
    }
    while ((st = trace_next(reader, &call)) == ST_OK && call && call->number < deps->n) {
        if (deps->to_call ? call->number == deps->last : frame >= deps->first)
            break;
        if (call->complete && !trace_failed(call))
            on_call(s, deps, call);
        frame += call->complete && replay_is_present(call->function->name) && !trace_failed(call);
    }
    trace_close(reader);
    mem_free(s);
    return st == ST_DAMAGED ? ST_OK : st;
}
