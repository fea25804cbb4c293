/* The reader of PIX run files: chunks of events and attributes, among them the calls. */
#include "trace/pix.h"

#include "util/alloc.h"

#include <string.h>

enum {
    PIECE_BYTES = 1 << 16,
    MEMCPY_ARGS = 3,
    CALL_FACTOR = 64, /* bytes of a call and of a packed file */
    CALL_BYTES_FLOOR = 64 << 20,
};
#define HEAP_BYTES_MAX ((size_t)1 << 30) /* values of one call */

static struct pix *of(struct trace_reader *base)
{
    return (struct pix *)base;
}

static uint32_t word_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* --- Start ------------------------------------------------------------------------------------ */

/* The first chunk: 20 bytes, of type 0x3e8. */
static bool recognise(const uint8_t *first, size_t n)
{
    return n >= 8 && word_at(first) >= 4 && word_at(first + 4) == 0x3e8;
}

static void start(struct trace_reader *base)
{
    static const char *const memcpy_args[MEMCPY_ARGS] = {"dest", "src", "n"};
    struct pix *p = of(base);

    p->heap.limit_bytes = p->names.limit_bytes = HEAP_BYTES_MAX;
    for (uint32_t i = 0; i < PIX_FUNCTIONS - 1; i++) {
        const struct pix_method *m = pix_method(PIX_CALL_FIRST + i);

        if (m)
            p->functions[i] = (struct trace_function){m->name, m->argc, m->args, i};
    }
    p->functions[PIX_FUNCTIONS - 1] =
        (struct trace_function){"memcpy", MEMCPY_ARGS, memcpy_args, PIX_FUNCTIONS - 1};
}

static void finish(struct trace_reader *base)
{
    struct pix *p = of(base);

    heap_fini(&p->heap);
    heap_fini(&p->names);
    mem_free(p->bytes);
}

/* --- Locked memory ---------------------------------------------------------------------------- */

static const struct trace_value *argument(const struct trace_call *call, const char *name)
{
    for (uint32_t i = 0; i < call->argc; i++)
        if (!strcmp(call->function->args[i], name))
            return &call->args[i];
    return NULL;
}

static uint64_t number_of(const struct trace_call *call, const char *name)
{
    const struct trace_value *value = argument(call, name);

    return value ? trace_number(value) : 0;
}

/* PIX does not say where a buffer was locked, so all locked memory gets an address that says of
 * which object, face and level it is. */
static struct trace_value memory_address(const struct trace_call *call)
{
    uint64_t part = number_of(call, "FaceType") * 16 + number_of(call, "Level");

    return (struct trace_value){
        .kind = TRACE_OPAQUE,
        .u.uint = (uint64_t)1 << 63 | (part & 0xff) << 32 | (uint32_t)number_of(call, "this"),
    };
}

/* Puts the address where the lock returned it: alone, or as the last member of a struct. */
static bool finish_lock(struct pix *p)
{
    static const char *const names[] = {"ppbData", "pLockedRect", "pLockedVolume"};
    struct trace_value *copy = heap_alloc(&p->heap, 4 * sizeof(*copy));
    struct trace_value *args = (struct trace_value *)(uintptr_t)p->call.args;

    p->call.flags = TRACE_PACKED;
    for (uint32_t i = 0; copy && i < p->call.argc; i++)
        for (unsigned k = 0; k < 3; k++) {
            struct trace_value *out = &args[i], *last = copy;

            if (strcmp(p->call.function->args[i], names[k]))
                continue;
            if (k && (out->kind != TRACE_ARRAY || out->u.items[0].kind != TRACE_STRUCT))
                continue;
            if (k) {
                copy[0] = out->u.items[0];
                memcpy(copy + 1, copy[0].u.items, copy[0].count * sizeof(*copy));
                last = copy + copy[0].count;
                copy[0].u.items = copy + 1;
            }
            *last = memory_address(&p->call);
            *out = (struct trace_value){.kind = TRACE_ARRAY, .count = 1, .u.items = copy};
        }
    return copy != NULL;
}

/* What the memory holds at an Unlock comes first, as a call of its own. */
static bool start_unlock(struct pix *p, const struct pix_block *block)
{
    struct trace_value *args = heap_alloc(&p->heap, MEMCPY_ARGS * sizeof(*args));

    if (!args)
        return false;
    args[0] = memory_address(&p->call);
    args[1] =
        (struct trace_value){.kind = TRACE_BLOB, .count = block->size, .u.bytes = block->bytes};
    args[2] = (struct trace_value){.kind = TRACE_UINT, .u.uint = block->size};
    p->unlock = p->call;
    p->unlock_waits = true;
    p->call = (struct trace_call){
        .number = p->call.number,
        .flags = TRACE_FAKE,
        .complete = true,
        .function = &p->functions[PIX_FUNCTIONS - 1],
        .argc = MEMCPY_ARGS,
        .args = args,
    };
    return true;
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* The most bytes that a call may have: gzip makes up to a thousand of one. */
static uint64_t call_bytes_max(const struct container *in)
{
    uint64_t most = in->size * CALL_FACTOR;

    return most > CALL_BYTES_FLOOR ? most : CALL_BYTES_FLOOR;
}

/* Bytes of the chunk, in memory that grows as they come, so that a wrong size takes no more than
 * twice what the file holds. */
static bool take_bytes(struct pix *p, uint32_t n)
{
    struct container *in = &p->base.in;
    size_t have = 0;

    if (in->plain ? n > in->size - container_tell(in) : n > call_bytes_max(in)) {
        container_fail(in, ST_DAMAGED, "a call of %u bytes does not fit into the file", n);
        return false;
    }
    while (have < n) {
        size_t piece = have < PIECE_BYTES ? PIECE_BYTES : have;

        if (piece > n - have)
            piece = n - have;
        if (have + piece > p->room) {
            uint8_t *bigger = mem_realloc(p->bytes, have + piece);

            if (!bigger) {
                container_fail(in, ST_NOMEM, "%s", status_text(ST_NOMEM));
                return false;
            }
            p->bytes = bigger;
            p->room = have + piece;
        }
        container_bytes(in, p->bytes + have, piece);
        if (in->failed)
            return false;
        have += piece;
    }
    return true;
}

/* A call's number, a word without a known meaning, result and parameters. True where there is a
 * call to hand out; the numbers below and above those of Direct3D 9 are PIX's own and the helpers'.
 */
static bool decode_call(struct pix *p, const uint8_t *bytes, size_t n)
{
    uint32_t cid = n >= 8 ? word_at(bytes) : 0;
    const struct pix_method *method = pix_method(cid);
    struct pix_block block;
    const char *name;
    bool done;

    if (!method)
        return false;
    heap_reset(&p->heap);
    p->call = (struct trace_call){
        .number = p->next_number++,
        .complete = true,
        .function = &p->functions[cid - PIX_CALL_FIRST],
        .argc = method->argc,
    };
    done = pix_read_call(p, method, bytes + 8, n - 8, &block);
    name = strstr(method->name, "::");
    if (done && name && !strncmp(name, "::Lock", 6))
        done = finish_lock(p);
    if (done && name && !strncmp(name, "::Unlock", 8) && block.bytes) {
        p->next_number++;
        done = start_unlock(p, &block);
        p->unlock.number++;
    }
    if (!done)
        container_fail(&p->base.in, ST_NOMEM, "%s", status_text(ST_NOMEM));
    return done;
}

/* The rest of a chunk is a call: its size and its bytes. */
static bool read_call(struct pix *p, uint32_t rest)
{
    uint32_t size;

    if (rest < 4) {
        container_fail(&p->base.in, ST_DAMAGED, "a call of %u bytes has no room for its size",
                       rest);
        return false;
    }
    size = container_u32(&p->base.in);
    if (size > rest - 4)
        container_fail(&p->base.in, ST_DAMAGED, "a call of %u bytes in a chunk with %u", size,
                       rest - 4);
    if (p->base.in.failed || !take_bytes(p, size))
        return false;
    container_skip(&p->base.in, rest - 4 - size);
    return !p->base.in.failed && decode_call(p, p->bytes, size);
}

/* The program's path, counted and in UTF-16. */
static void read_process(struct pix *p, uint32_t rest)
{
    uint32_t n = rest >= 4 ? container_u32(&p->base.in) : 0;
    char *text = NULL;

    rest -= rest >= 4 ? 4 : rest;
    if (n <= rest / 2 && n < 4096 && p->base.property_count < READER_PROPERTIES_MAX)
        text = heap_alloc(&p->names, n + 1);
    for (uint32_t i = 0; text && i < n; i++, rest -= 2) {
        uint8_t low = container_byte(&p->base.in), high = container_byte(&p->base.in);

        text[i] = high || low >= 0x7f ? '?' : (char)low;
    }
    container_skip(&p->base.in, rest);
    if (!text || p->base.in.failed)
        return;
    text[n] = 0;
    p->base.properties[p->base.property_count++] = (struct trace_property){"process.name", text};
}

/* --- Chunks ----------------------------------------------------------------------------------- */

/* True where the chunk held a call to hand out. */
static bool read_chunk(struct pix *p)
{
    struct container *in = &p->base.in;
    uint32_t size = container_u32(in), type = container_u32(in), first, second;

    if (!in->failed && size < 4)
        container_fail(in, ST_DAMAGED, "a chunk of %u bytes has no room for its type", size);
    if (in->failed)
        return false;
    size -= 4;
    if ((type != PIX_EVENT && type != PIX_ATTRIBUTE) || size < 8) {
        container_skip(in, size);
        return false;
    }
    first = container_u32(in);
    second = container_u32(in);
    size -= 8;
    if (type == PIX_ATTRIBUTE && second == PIX_CALL_LATER)
        return read_call(p, size);
    if (type == PIX_EVENT && first == PIX_CALL_AT_ONCE && size >= PIX_EVENT_BYTES) {
        container_skip(in, PIX_EVENT_BYTES);
        return read_call(p, size - PIX_EVENT_BYTES);
    }
    if (type == PIX_EVENT && first == PIX_PROCESS_START)
        read_process(p, size);
    else
        container_skip(in, size);
    return false;
}

static enum status next(struct trace_reader *base, const struct trace_call **out)
{
    struct pix *p = of(base);

    if (p->unlock_waits) {
        p->unlock_waits = false;
        *out = &p->unlock;
        return ST_OK;
    }
    while (!base->in.failed && !container_at_end(&base->in))
        if (read_chunk(p)) {
            *out = &p->call;
            return ST_OK;
        }
    return base->in.failed ? base->in.error.status : ST_OK;
}

const struct trace_format pix_format = {
    "PIX run file", sizeof(struct pix), recognise, start, next, finish,
};
