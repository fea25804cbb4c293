/* Replayer of captures: looks up the handler of each call, runs it, compares the result with the
 * recorded one, and announces moments with a picture. */
#include "trace/replay/replay_private.h"

#include "util/alloc.h"
#include "util/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WARNINGS_MAX = 100 }; /* later warnings are only counted */

/* --- Binding names to handlers ---------------------------------------------------------------- */

static const struct method methods[] = {
#define METHOD(kinds, name, handler, flags) {kinds, #name, replay_##handler, flags},
#define IGNORED(kinds, name) {kinds, #name, NULL, 0},
#include "trace/replay/methods.def"
#undef METHOD
#undef IGNORED
};

static const struct {
    const char *name;
    uint32_t kinds;
} interface_names[] = {
    {"IDirect3D9", KIND(D3D)},
    {"IDirect3DDevice9", KIND(DEVICE)},
    {"IDirect3DSwapChain9", KIND(SWAP_CHAIN)},
    {"IDirect3DSurface9", KIND(SURFACE)},
    {"IDirect3DTexture9", KIND(TEXTURE)},
    {"IDirect3DCubeTexture9", KIND(CUBE)},
    {"IDirect3DVolumeTexture9", KIND(VOLUME_TEXTURE)},
    {"IDirect3DVolume9", KIND(VOLUME)},
    {"IDirect3DVertexBuffer9", KIND(VERTEX_BUFFER)},
    {"IDirect3DIndexBuffer9", KIND(INDEX_BUFFER)},
    {"IDirect3DVertexShader9", KIND(VERTEX_SHADER)},
    {"IDirect3DPixelShader9", KIND(PIXEL_SHADER)},
    {"IDirect3DVertexDeclaration9", KIND(DECLARATION)},
    {"IDirect3DStateBlock9", KIND(STATE_BLOCK)},
    {"IDirect3DQuery9", KIND(QUERY)},
    {"IDirect3DBaseTexture9", KINDS_TEXTURE},
    {"IDirect3DResource9",
     KINDS_TEXTURE | KIND(SURFACE) | KIND(VERTEX_BUFFER) | KIND(INDEX_BUFFER)},
};

/* Returns the object kinds of an interface name, with or without "Ex"; 0 if unknown. */
static uint32_t interface_kinds(const char *name, size_t length)
{
    if (length > 2 && !strncmp(name + length - 2, "Ex", 2))
        length -= 2;
    for (size_t i = 0; i < sizeof(interface_names) / sizeof(interface_names[0]); i++)
        if (strlen(interface_names[i].name) == length &&
            !strncmp(interface_names[i].name, name, length))
            return interface_names[i].kinds;
    return 0;
}

const struct method *method_find(const char *name)
{
    const char *colons = strstr(name, "::");
    uint32_t kinds = colons ? interface_kinds(name, (size_t)(colons - name)) : 0;

    if (colons && !kinds)
        return NULL;
    if (colons)
        name = colons + 2;
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
        if ((kinds ? (methods[i].kinds & kinds) != 0 : methods[i].kinds == 0) &&
            !strcmp(methods[i].name, name))
            return &methods[i];
    return NULL;
}

enum replay_support replay_support_of(const char *name)
{
    const struct method *method = method_find(name);

    return !method ? REPLAY_UNKNOWN : method->run ? REPLAY_RUN : REPLAY_IGNORED;
}

static bool has_flag(const char *name, unsigned flags)
{
    const struct method *method = method_find(name);

    return method && method->flags & flags;
}

bool replay_is_draw(const char *name)
{
    return has_flag(name, METHOD_DRAW);
}

bool replay_is_present(const char *name)
{
    return has_flag(name, METHOD_PRESENT);
}

bool replay_has_moment(const char *name)
{
    return has_flag(name, METHOD_PRESENT | METHOD_READBACK);
}

/* Looks up the binding of a function, once per function; NULL if out of memory. */
static const struct binding *bind(struct replay *r, const struct trace_function *function)
{
    struct binding *binding;

    if (function->index >= r->binding_count) {
        uint32_t count = (function->index + 64) & ~63u;
        struct binding *bigger = mem_realloc(r->bindings, count * sizeof(*bigger));

        if (!bigger)
            return NULL;
        memset(bigger + r->binding_count, 0, (count - r->binding_count) * sizeof(*bigger));
        r->bindings = bigger;
        r->binding_count = count;
    }
    binding = &r->bindings[function->index];
    if (!binding->bound) {
        binding->method = method_find(function->name);
        binding->kinds = interface_kinds(function->name, strcspn(function->name, ":"));
        binding->bound = true;
    }
    return binding;
}

/* --- Warnings and memory ---------------------------------------------------------------------- */

static void warn_line(struct replay *r, const char *line)
{
    if (r->options.on_warning)
        r->options.on_warning(r->options.ctx, line);
    else
        log_warn("replay", "%s", line);
}

static void warn_args(struct replay *r, const struct trace_call *call, const char *format,
                      va_list args)
{
    char line[512];
    int n;

    if (r->warnings++ > WARNINGS_MAX)
        return;
    if (r->warnings > WARNINGS_MAX) {
        warn_line(r, "further warnings are only counted");
        return;
    }
    n = snprintf(line, sizeof(line), "call %llu %.100s: ", (unsigned long long)call->number,
                 call->function->name);
    vsnprintf(line + n, sizeof(line) - (size_t)n, format, args);
    warn_line(r, line);
}

void replay_warn(struct replay *r, const struct trace_call *call, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    warn_args(r, call, format, args);
    va_end(args);
}

HRESULT replay_call_skip(struct replay_call *q, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    warn_args(q->replay, q->call, format, args);
    va_end(args);
    return REPLAY_SKIPPED;
}

void *replay_scratch(struct replay *r, size_t size)
{
    if (size > r->scratch_size) {
        uint8_t *bigger = mem_alloc(size);

        if (!bigger)
            return NULL;
        mem_free(r->scratch);
        r->scratch = bigger;
        r->scratch_size = size;
    }
    return r->scratch;
}

/* --- Running ---------------------------------------------------------------------------------- */

static void announce(struct replay *r, const struct replay_call *q, bool present)
{
    struct replay_moment moment = {
        .call = q->call->number,
        .name = q->call->function->name,
        .present = present,
        .frame = r->stats.frames,
    };

    r->moment_chain = q->self->kind == OBJ_SWAP_CHAIN ? q->self : NULL;
    r->moment_device = r->moment_chain ? r->moment_chain->device : q->self;
    if (r->options.on_moment && !r->options.on_moment(r->options.ctx, r, &moment))
        r->stopped = true;
    r->moment_chain = r->moment_device = NULL;
}

/* Looks up the object of a method call; returns false after a warning if none fits. */
static bool find_self(struct replay_call *q, const struct binding *binding)
{
    uint64_t address = trace_number(arg(q, 0));
    const struct method *method = binding->method;

    if (!method->kinds)
        return true;
    q->self = object_find(q->replay, address);
    if (!q->self || !q->self->iface) {
        replay_call_skip(q, "object 0x%llx %s", (unsigned long long)address,
                         q->self ? "is gone" : "is unknown");
        return false;
    }
    if (!(method->kinds & binding->kinds & 1u << q->self->kind)) {
        replay_call_skip(q, "object 0x%llx is of another kind", (unsigned long long)address);
        return false;
    }
    if (method->flags & METHOD_EX && !q->self->ex) {
        replay_call_skip(q, "object 0x%llx has no 9Ex interface", (unsigned long long)address);
        return false;
    }
    return true;
}

static void execute(struct replay_call *q, const struct binding *binding)
{
    const struct method *method = binding->method;
    struct replay_stats *stats = &q->replay->stats;
    HRESULT hr;

    if (!find_self(q, binding)) {
        stats->skipped++;
        return;
    }
    if (method->flags & METHOD_PRESENT)
        announce(q->replay, q, true);
    if (q->replay->stopped)
        return;
    hr = method->run(q);
    if (method->flags & METHOD_PRESENT)
        stats->frames++;
    if (hr == REPLAY_SKIPPED) {
        stats->skipped++;
        return;
    }
    stats->executed++;
    if (method->flags & METHOD_DRAW)
        stats->draws++;
    if (FAILED(hr)) {
        stats->failed++;
        replay_warn(q->replay, q->call, "succeeded when recorded, fails now: 0x%08x", (unsigned)hr);
    } else if (method->flags & METHOD_READBACK) {
        announce(q->replay, q, false);
    }
}

static void replay_call(struct replay *r, const struct trace_call *call)
{
    struct replay_call q = {.replay = r, .call = call};
    const struct binding *binding;

    if (!call->complete) {
        r->stats.incomplete++;
        return;
    }
    r->stats.calls++;
    binding = bind(r, call->function);
    if (!binding) {
        r->stats.skipped++;
    } else if (!binding->method) {
        if (log_once("replay", call->function->name, "%s is not supported and left out",
                     call->function->name))
            r->warnings++;
        r->stats.unsupported++;
    } else if (binding->method->run && !trace_failed(call)) {
        /* Calls that failed when recorded are not executed: they may succeed on another
         * implementation, and the replay would then diverge. */
        if (r->options.on_call && !r->options.on_call(r->options.ctx, r, call))
            r->stopped = true;
        else
            execute(&q, binding);
    }
}

enum status replay_create(struct replay **out, struct trace_reader *reader,
                          const struct replay_options *options)
{
    struct replay *r = mem_calloc(1, sizeof(*r));

    *out = r;
    if (!r)
        return ST_NOMEM;
    r->reader = reader;
    if (options)
        r->options = *options;
    return ST_OK;
}

enum status replay_run(struct replay *r)
{
    const struct trace_call *call;
    enum status st;

    while ((st = trace_next(r->reader, &call)) == ST_OK && call) {
        replay_call(r, call);
        if (r->lost)
            return ST_LOST;
        if (r->stopped)
            return ST_OK;
    }
    return st;
}

const struct replay_stats *replay_get_stats(const struct replay *r)
{
    return &r->stats;
}

void replay_destroy(struct replay *r)
{
    if (!r)
        return;
    objects_fini(r);
    replay_windows_fini(r);
    mem_free(r->bindings);
    mem_free(r->regions);
    mem_free(r->scratch);
    mem_free(r);
}
