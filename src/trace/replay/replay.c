/* Replayer of captures: finds the object and the handler of each call, runs it, compares the result
 * with the recorded one, and announces moments with a picture. */
#include "trace/replay/call.h"
#include "trace/replay/args.h"
#include "trace/replay/methods.h"
#include "trace/replay/samples.h"

#include "util/alloc.h"
#include "util/log.h"

#include <string.h>

/* Binding of a recorded function to a method, looked up by name once per function. */
struct binding {
    const struct method *method; /* NULL: unknown */
    uint32_t kinds;              /* mask of valid object kinds for `this` */
    bool bound;
};

/* Looks up the binding of a function, once per function; NULL if out of memory. */
static const struct binding *binding_of(struct replay *r, const struct trace_function *function)
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
        binding->kinds = method_interface_kinds(function->name);
        binding->bound = true;
    }
    return binding;
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
    hr = method->flags & METHOD_SAMPLES ? samples_create(q, method->run) : method->run(q);
    if (method->flags & METHOD_PRESENT)
        stats->frames++;
    if (hr == REPLAY_SKIPPED) {
        stats->skipped++;
        return;
    }
    stats->executed++;
    if (q->self && (q->self->kind == OBJ_DEVICE || q->self->device))
        q->replay->last_device = q->self->kind == OBJ_DEVICE ? q->self : q->self->device;
    if (method->flags & METHOD_DRAW)
        stats->draws++;
    if (FAILED(hr)) {
        stats->failed++;
        if (replay_is_out_of_memory(hr))
            replay_out_of_memory(q->replay);
        replay_warn(q->replay, q->call, "succeeded when recorded, fails now: 0x%08x", (unsigned)hr);
    } else if (method->flags & METHOD_READBACK) {
        announce(q->replay, q, false);
    }
}

static void replay_call(struct replay *r, const struct trace_call *call)
{
    struct replay_call q = {.replay = r, .call = call};
    const struct binding *binding;

    if (call->number > r->stats.last_call)
        r->stats.last_call = call->number;
    if (!call->complete) {
        r->stats.incomplete++;
        return;
    }
    r->stats.calls++;
    binding = binding_of(r, call->function);
    if (!binding) {
        r->stats.skipped++;
        replay_out_of_memory(r);
    } else if (!binding->method) {
        if (log_once("replay", call->function->name, "%s is not supported and left out",
                     call->function->name))
            r->warnings++;
        r->stats.unsupported++;
    } else if (!binding->method->run) {
        if (r->options.on_ignored)
            r->options.on_ignored(r->options.ctx, r, call);
    } else if (!trace_failed(call)) {
        /* Calls that failed when recorded are not executed: they may succeed on another
         * implementation, and the replay would then diverge. */
        if (r->options.on_call && !r->options.on_call(r->options.ctx, r, call))
            r->stopped = true;
        else
            execute(&q, binding);
    }
}

/* --- Calls that are not in the capture -------------------------------------------------------- */

void *replay_device(struct replay *r, const struct trace_call *call)
{
    const struct object *o = call->argc ? object_find(r, trace_number(&call->args[0])) : NULL;

    return o && o->kind == OBJ_DEVICE ? o->iface : NULL;
}

uint64_t replay_address(const struct replay *r, const void *object)
{
    for (const struct object *o = r->objects.all; object && o; o = o->next)
        if (o->iface == object && object_find((struct replay *)(uintptr_t)r, o->address) == o)
            return o->address;
    return 0;
}

uint64_t replay_spare_address(struct replay *r, unsigned n)
{
    uint64_t address = 0x5ead0000;

    for (;; address += 16)
        if (!object_find(r, address) && !n--)
            return address;
}

bool replay_inject(struct replay *r, const struct trace_call *call)
{
    const struct replay_stats before = r->stats;
    struct replay_call q = {.replay = r, .call = call};
    const struct binding binding = {.method = method_find(call->function->name),
                                    .kinds = method_interface_kinds(call->function->name)};
    bool good = binding.method && binding.method->run;

    if (good)
        execute(&q, &binding);
    good = good && r->stats.executed > before.executed && r->stats.failed == before.failed;
    r->stats = before;
    return good;
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
    r->windows.open = r->options.open_window;
    r->windows.ctx = r->options.ctx;
    return ST_OK;
}

enum status replay_step(struct replay *r, bool *more)
{
    const struct trace_call *call;
    enum status st = trace_next(r->reader, &call);

    *more = st == ST_OK && call;
    if (*more)
        replay_call(r, call);
    if (r->lost)
        st = ST_LOST;
    *more = *more && !r->lost && !r->stopped;
    return r->stats.out_of_memory ? ST_NOMEM : st;
}

enum status replay_run(struct replay *r)
{
    enum status st;
    bool more;

    do
        st = replay_step(r, &more);
    while (more);
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
    windows_fini(&r->windows);
    mem_free(r->bindings);
    mem_free(r->locked.regions);
    mem_free(r->scratch);
    mem_free(r);
}
