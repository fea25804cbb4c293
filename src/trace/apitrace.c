/* The reader of apitrace captures: header, enter and leave events, calls in the order they end. */
#include "trace/apitrace_private.h"

#include "util/alloc.h"

#include <string.h>

enum { VERSION_MIN = 4, VERSION_MAX = 6 };

static void read_properties(struct trace_reader *r)
{
    while (!r->in.failed) {
        uint32_t length = 0;
        const char *name = reader_string(r, &r->signatures, &length);

        if (!length)
            return;
        if (r->property_count == READER_PROPERTIES_MAX) {
            container_fail(&r->in, ST_DAMAGED, "more than %d properties", READER_PROPERTIES_MAX);
            return;
        }
        r->properties[r->property_count++] =
            (struct trace_property){name, reader_string(r, &r->signatures, NULL)};
    }
}

static void read_header(struct trace_reader *r)
{
    uint64_t version = container_varuint(&r->in);

    if (r->in.failed)
        return;
    if (version < VERSION_MIN || version > VERSION_MAX) {
        container_fail(&r->in, ST_UNSUPPORTED, "stream version %llu; versions %d to %d can be read",
                       (unsigned long long)version, VERSION_MIN, VERSION_MAX);
        return;
    }
    r->version = r->semantic_version = (unsigned)version;
    if (version < 6)
        return;
    r->semantic_version = (unsigned)container_varuint(&r->in);
    if (r->semantic_version > version)
        container_fail(&r->in, ST_UNSUPPORTED, "semantic version %u is newer than version %u",
                       r->semantic_version, r->version);
    read_properties(r);
}

static enum status reader_create(struct trace_reader **out)
{
    struct trace_reader *r = mem_calloc(1, sizeof(*r));

    *out = r;
    if (!r)
        return ST_NOMEM;
    r->signatures.limit_bytes = READER_SIGNATURE_BYTES_MAX;
    r->open_tail = &r->open;
    return ST_OK;
}

static enum status open_finish(struct trace_reader **out, struct trace_error *error, enum status st)
{
    struct trace_reader *r = *out;

    if (st == ST_OK)
        read_header(r);
    if (!r->in.failed)
        return ST_OK;
    *error = r->in.error;
    trace_close(r);
    *out = NULL;
    return error->status;
}

enum status trace_open(struct trace_reader **out, const char *path, struct trace_error *error)
{
    memset(error, 0, sizeof(*error));
    if (reader_create(out) != ST_OK) {
        error->status = ST_NOMEM;
        strcpy(error->text, status_text(ST_NOMEM));
        return ST_NOMEM;
    }
    return open_finish(out, error, container_open(&(*out)->in, path));
}

enum status trace_open_memory(struct trace_reader **out, const void *data, size_t size,
                              struct trace_error *error)
{
    memset(error, 0, sizeof(*error));
    if (reader_create(out) != ST_OK) {
        error->status = ST_NOMEM;
        strcpy(error->text, status_text(ST_NOMEM));
        return ST_NOMEM;
    }
    return open_finish(out, error, container_open_memory(&(*out)->in, data, size));
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

void trace_close(struct trace_reader *r)
{
    if (!r)
        return;
    container_close(&r->in);
    calls_free(r->open);
    calls_free(r->spare);
    calls_free(r->current);
    heap_fini(&r->signatures);
    mem_free(r->functions.entries);
    mem_free(r->structs.entries);
    mem_free(r->enums.entries);
    mem_free(r->bitmasks.entries);
    mem_free(r->frames.entries);
    mem_free(r);
}

static struct open_call *call_create(struct trace_reader *r)
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
            container_fail(&r->in, ST_NOMEM, "%s", status_text(ST_NOMEM));
            return NULL;
        }
    }
    memset(call, 0, sizeof(*call));
    call->heap = heap;
    call->heap.limit_bytes = taken < READER_CALL_BYTES_MAX ? READER_CALL_BYTES_MAX - taken : 0;
    return call;
}

static void read_argument(struct trace_reader *r, struct open_call *call)
{
    uint64_t index = container_varuint(&r->in);
    struct trace_value value;

    if (index >= call->call.argc) {
        container_fail(&r->in, ST_DAMAGED, "argument %llu of %s, which has %u",
                       (unsigned long long)index, call->call.function->name, call->call.argc);
        return;
    }
    reader_value(r, &call->heap, &value);
    if (!r->in.failed)
        call->args[index] = value;
}

static void read_stack(struct trace_reader *r, struct open_call *call)
{
    uint32_t n = reader_count(r, "stack frames");
    const struct trace_frame **frames;

    if (n > 65536)
        container_fail(&r->in, ST_DAMAGED, "a call stack of %u frames is not plausible", n);
    if (r->in.failed)
        return;
    frames = reader_alloc(r, &call->heap, (size_t)n + 1, sizeof(*frames));
    for (uint32_t i = 0; frames && i < n && !r->in.failed; i++)
        frames[i] = reader_frame(r);
    if (r->in.failed)
        return;
    call->call.frames = frames;
    call->call.frame_count = n;
}

/* The details of one event. What was read before damage stays in the call. */
static void read_details(struct trace_reader *r, struct open_call *call)
{
    uint8_t tag;

    while ((tag = container_byte(&r->in)) != 0) {
        struct trace_value value;

        switch (tag) {
        case 1:
            read_argument(r, call);
            break;
        case 2:
            reader_value(r, &call->heap, &value);
            if (!r->in.failed)
                call->call.ret = value;
            break;
        case 4:
            read_stack(r, call);
            break;
        case 5:
            call->call.flags = (uint32_t)container_varuint(&r->in);
            break;
        default:
            container_fail(&r->in, ST_DAMAGED, "0x%02x is no tag of a call's detail", tag);
        }
    }
}

static void read_enter(struct trace_reader *r)
{
    uint64_t thread = container_varuint(&r->in);
    const struct trace_function *function = reader_function(r);
    struct open_call *call;

    if (!function || r->in.failed)
        return;
    if (r->open_count == READER_OPEN_CALLS_MAX) {
        container_fail(&r->in, ST_DAMAGED, "more than %d calls are open", READER_OPEN_CALLS_MAX);
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

/* Takes a call out of the list of open ones. */
static void open_unlink(struct trace_reader *r, struct open_call **slot)
{
    struct open_call *call = *slot;

    *slot = call->next;
    if (r->open_tail == &call->next)
        r->open_tail = slot;
    call->next = NULL;
    r->open_count--;
}

static struct open_call *read_leave(struct trace_reader *r)
{
    uint64_t number = container_varuint(&r->in);
    struct open_call **slot = &r->open, *call;

    while (*slot && (*slot)->call.number != number)
        slot = &(*slot)->next;
    call = *slot;
    if (!call) {
        container_fail(&r->in, ST_DAMAGED, "call %llu is left but was not entered",
                       (unsigned long long)number);
        return NULL;
    }
    read_details(r, call);
    if (r->in.failed)
        return NULL;
    open_unlink(r, slot);
    call->call.complete = true;
    return call;
}

/* The next call that is complete; NULL at the end or with the error set. */
static struct open_call *read_call(struct trace_reader *r)
{
    while (!r->in.failed && !container_at_end(&r->in)) {
        uint8_t event = container_byte(&r->in);

        if (event == 0) {
            read_enter(r);
        } else if (event == 1) {
            struct open_call *call = read_leave(r);

            if (call)
                return call;
        } else {
            container_fail(&r->in, ST_DAMAGED, "0x%02x is no event", event);
        }
    }
    return NULL;
}

enum status trace_next(struct trace_reader *r, const struct trace_call **out)
{
    struct open_call *call = r->current;

    *out = NULL;
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
        return r->in.failed ? r->in.error.status : ST_OK;
    r->current = call;
    *out = &call->call;
    return ST_OK;
}

const struct trace_error *trace_reader_error(const struct trace_reader *r)
{
    return &r->in.error;
}

unsigned trace_version(const struct trace_reader *r)
{
    return r->version;
}

unsigned trace_semantic_version(const struct trace_reader *r)
{
    return r->semantic_version;
}

const char *trace_container_name(const struct trace_reader *r)
{
    return r->in.name;
}

bool trace_property(const struct trace_reader *r, unsigned i, const char **name, const char **value)
{
    if (i >= r->property_count)
        return false;
    *name = r->properties[i].name;
    *value = r->properties[i].value;
    return true;
}

void trace_progress(const struct trace_reader *r, uint64_t *done, uint64_t *total)
{
    *done = r->in.taken;
    *total = r->in.size;
}
