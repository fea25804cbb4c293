/* Reader of apitrace captures: header, enter and leave events, calls in the order of their leave
 * events. */
#include "trace/apitrace/apitrace.h"
#include "trace/apitrace/apitrace_private.h"

#include "util/alloc.h"

#include <string.h>

enum { VERSION_MIN = 4, VERSION_MAX = 6 };

static void read_properties(struct apitrace *r)
{
    while (!r->base.in.failed) {
        uint32_t length = 0;
        const char *name = reader_string(r, &r->signatures, &length);

        if (!length)
            return;
        if (r->base.property_count == READER_PROPERTIES_MAX) {
            container_fail(&r->base.in, ST_DAMAGED, "more than %d properties",
                           READER_PROPERTIES_MAX);
            return;
        }
        r->base.properties[r->base.property_count++] =
            (struct trace_property){name, reader_string(r, &r->signatures, NULL)};
    }
}

static void read_header(struct apitrace *r)
{
    uint64_t version = container_varuint(&r->base.in);

    if (r->base.in.failed)
        return;
    if (version < VERSION_MIN || version > VERSION_MAX) {
        container_fail(&r->base.in, ST_UNSUPPORTED,
                       "stream version %llu; versions %d to %d can be read",
                       (unsigned long long)version, VERSION_MIN, VERSION_MAX);
        return;
    }
    r->base.version = r->base.semantic_version = (unsigned)version;
    if (version < 6)
        return;
    r->base.semantic_version = (unsigned)container_varuint(&r->base.in);
    if (r->base.semantic_version > version)
        container_fail(&r->base.in, ST_UNSUPPORTED, "semantic version %u is newer than version %u",
                       r->base.semantic_version, r->base.version);
    read_properties(r);
}

static struct apitrace *of(struct trace_reader *base)
{
    return (struct apitrace *)base;
}

static void start(struct trace_reader *base)
{
    struct apitrace *r = of(base);

    r->signatures.limit_bytes = READER_SIGNATURE_BYTES_MAX;
    r->open_tail = &r->open;
    read_header(r);
}

static void calls_free(struct open_call *list)
{
    while (list) {
        struct open_call *next = list->next;

        heap_fini(&list->heap);
        mem_free(list);
        list = next;
    }
}

static void finish(struct trace_reader *base)
{
    struct apitrace *r = of(base);

    calls_free(r->open);
    calls_free(r->spare);
    calls_free(r->current);
    heap_fini(&r->signatures);
    mem_free(r->functions.entries);
    mem_free(r->structs.entries);
    mem_free(r->enums.entries);
    mem_free(r->bitmasks.entries);
    mem_free(r->frames.entries);
}

static struct open_call *call_create(struct apitrace *r)
{
    struct open_call *call = r->spare;
    struct heap heap = {0};
    size_t taken = 0;

    for (const struct open_call *open = r->open; open; open = open->next)
        taken += open->heap.used_bytes;
    if (call) {
        r->spare = call->next;
        heap = call->heap;
        heap_reset(&heap);
    } else {
        call = mem_alloc(sizeof(*call));
        if (!call) {
            container_fail(&r->base.in, ST_NOMEM, "%s", status_text(ST_NOMEM));
            return NULL;
        }
    }
    memset(call, 0, sizeof(*call));
    call->heap = heap;
    call->heap.limit_bytes = taken < READER_CALL_BYTES_MAX ? READER_CALL_BYTES_MAX - taken : 0;
    return call;
}

static void read_argument(struct apitrace *r, struct open_call *call)
{
    uint64_t index = container_varuint(&r->base.in);
    struct trace_value value;

    if (index >= call->call.argc) {
        container_fail(&r->base.in, ST_DAMAGED, "argument %llu of %s, which has %u",
                       (unsigned long long)index, call->call.function->name, call->call.argc);
        return;
    }
    reader_value(r, &call->heap, &value);
    if (!r->base.in.failed)
        call->args[index] = value;
}

static void read_stack(struct apitrace *r, struct open_call *call)
{
    uint32_t n = reader_count(r, "stack frames");
    const struct trace_frame **frames;

    if (n > 65536)
        container_fail(&r->base.in, ST_DAMAGED, "a call stack of %u frames is not plausible", n);
    if (r->base.in.failed)
        return;
    frames = reader_alloc(r, &call->heap, (size_t)n + 1, sizeof(*frames));
    for (uint32_t i = 0; frames && i < n && !r->base.in.failed; i++)
        frames[i] = reader_frame(r);
    if (r->base.in.failed)
        return;
    call->call.frames = frames;
    call->call.frame_count = n;
}

/* Reads the details of one event. The call keeps the details that precede damage. */
static void read_details(struct apitrace *r, struct open_call *call)
{
    uint8_t tag;

    while ((tag = container_byte(&r->base.in)) != 0) {
        struct trace_value value;

        switch (tag) {
        case 1:
            read_argument(r, call);
            break;
        case 2:
            reader_value(r, &call->heap, &value);
            if (!r->base.in.failed)
                call->call.ret = value;
            break;
        case 4:
            read_stack(r, call);
            break;
        case 5:
            call->call.flags = (uint32_t)container_varuint(&r->base.in);
            break;
        default:
            container_fail(&r->base.in, ST_DAMAGED, "0x%02x is not a tag of a call's detail", tag);
        }
    }
}

static void read_enter(struct apitrace *r)
{
    uint64_t thread = container_varuint(&r->base.in);
    const struct trace_function *function = reader_function(r);
    struct open_call *call;

    if (!function || r->base.in.failed)
        return;
    if (r->open_count == READER_OPEN_CALLS_MAX) {
        container_fail(&r->base.in, ST_DAMAGED, "more than %d calls are open",
                       READER_OPEN_CALLS_MAX);
        return;
    }
    call = call_create(r);
    if (!call)
        return;
    call->args = reader_alloc(r, &call->heap, function->argc + 1, sizeof(*call->args));
    if (!call->args) {
        call->next = r->spare;
        r->spare = call;
        return;
    }
    memset(call->args, 0, (function->argc + 1) * sizeof(*call->args));
    call->call = (struct trace_call){
        .number = r->next_number++,
        .thread = (uint32_t)thread,
        .function = function,
        .argc = function->argc,
        .args = call->args,
    };
    *r->open_tail = call;
    r->open_tail = &call->next;
    r->open_count++;
    read_details(r, call);
}

/* Unlinks a call from the list of open calls. */
static void open_unlink(struct apitrace *r, struct open_call **slot)
{
    struct open_call *call = *slot;

    *slot = call->next;
    if (r->open_tail == &call->next)
        r->open_tail = slot;
    call->next = NULL;
    r->open_count--;
}

static struct open_call *read_leave(struct apitrace *r)
{
    uint64_t number = container_varuint(&r->base.in);
    struct open_call **slot = &r->open, *call;

    while (*slot && (*slot)->call.number != number)
        slot = &(*slot)->next;
    call = *slot;
    if (!call) {
        container_fail(&r->base.in, ST_DAMAGED, "call %llu is left but was not entered",
                       (unsigned long long)number);
        return NULL;
    }
    read_details(r, call);
    if (r->base.in.failed)
        return NULL;
    open_unlink(r, slot);
    call->call.complete = true;
    return call;
}

/* Returns the next complete call; NULL at the end or after setting an error. */
static struct open_call *read_call(struct apitrace *r)
{
    while (!r->base.in.failed && !container_at_end(&r->base.in)) {
        uint8_t event = container_byte(&r->base.in);

        if (event == 0) {
            read_enter(r);
        } else if (event == 1) {
            struct open_call *call = read_leave(r);

            if (call)
                return call;
        } else {
            container_fail(&r->base.in, ST_DAMAGED, "0x%02x is not an event", event);
        }
    }
    return NULL;
}

static enum status next(struct trace_reader *base, const struct trace_call **out)
{
    struct apitrace *r = of(base);
    struct open_call *call = r->current;

    r->current = NULL;
    if (call) {
        call->next = r->spare;
        r->spare = call;
    }
    call = read_call(r);
    if (!call && r->open) {
        call = r->open;
        open_unlink(r, &r->open);
    }
    if (!call)
        return r->base.in.failed ? r->base.in.error.status : ST_OK;
    r->current = call;
    *out = &call->call;
    return ST_OK;
}

/* Accepts every stream, as the last format tried: raw brotli, for one, has no magic. */
static bool recognise(const uint8_t *first, size_t n)
{
    (void)first;
    (void)n;
    return true;
}

const struct trace_format apitrace_format = {
    "apitrace", sizeof(struct apitrace), recognise, start, next, finish,
};
