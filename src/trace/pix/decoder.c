/* Decoder of calls in the PIX run-file encoding; synthesises a memcpy call for the locked memory of
 * each Unlock.
 *
 * Tested by tests/unit/trace/pix/test_pix.c. */
#include "trace/pix/decoder.h"

#include <string.h>

enum { MEMCPY_ARGS = 3, MEMCPY = DECODER_FUNCTIONS - 1 };
#define HEAP_BYTES_MAX ((size_t)1 << 30) /* values of one call */

void decoder_init(struct decoder *p)
{
    static const char *const memcpy_args[MEMCPY_ARGS] = {"dest", "src", "n"};

    p->heap.limit_bytes = HEAP_BYTES_MAX;
    for (uint32_t i = 0; i < MEMCPY; i++) {
        const struct pix_method *m = pix_method(PIX_CALL_FIRST + i);

        if (m)
            p->functions[i] = (struct trace_function){m->name, m->argc, m->args, i};
    }
    p->functions[MEMCPY] = (struct trace_function){"memcpy", MEMCPY_ARGS, memcpy_args, MEMCPY};
}

void decoder_fini(struct decoder *p)
{
    heap_fini(&p->heap);
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

/* PIX run files do not record addresses of locked memory. The decoder makes up an address from the
 * object, face and level. */
static struct trace_value memory_address(const struct trace_call *call)
{
    uint64_t part = number_of(call, "FaceType") * 16 + number_of(call, "Level");

    return (struct trace_value){
        .kind = TRACE_OPAQUE,
        .u.uint = (uint64_t)1 << 63 | (part & 0xff) << 32 | (uint32_t)number_of(call, "this"),
    };
}

/* Stores the address where the lock returned it: an out argument or a struct's last member. */
static bool finish_lock(struct decoder *p, bool packed)
{
    static const char *const names[] = {"ppbData", "pLockedRect", "pLockedVolume"};
    struct trace_value *copy = heap_alloc(&p->heap, 4 * sizeof(*copy));
    struct trace_value *args = (struct trace_value *)(uintptr_t)p->call.args;

    p->call.flags = packed ? TRACE_PACKED : 0;
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

/* Returns the memory contents at an Unlock as a memcpy call before the Unlock. */
static bool start_unlock(struct decoder *p, const struct call_block *block)
{
    struct trace_value *args = heap_alloc(&p->heap, MEMCPY_ARGS * sizeof(*args));

    if (!args)
        return false;
    args[0] = memory_address(&p->call);
    args[1] =
        (struct trace_value){.kind = TRACE_BLOB, .count = block->size, .u.bytes = block->bytes};
    args[2] = (struct trace_value){.kind = TRACE_UINT, .u.uint = block->size};
    p->unlock = p->call;
    p->unlock.number = p->next_number++;
    p->unlock_pending = true;
    p->call = (struct trace_call){
        .number = p->call.number,
        .flags = TRACE_FAKE,
        .complete = true,
        .function = &p->functions[MEMCPY],
        .argc = MEMCPY_ARGS,
        .args = args,
    };
    return true;
}

/* --- Calls ------------------------------------------------------------------------------------ */

const struct trace_call *decoder_pending(struct decoder *p)
{
    if (!p->unlock_pending)
        return NULL;
    p->unlock_pending = false;
    return &p->unlock;
}

static uint32_t first_word(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

bool decoder_call(struct decoder *p, const uint8_t *bytes, size_t n, bool packed,
                  const struct trace_call **out)
{
    uint32_t number = n >= 8 ? first_word(bytes) : 0;
    const struct pix_method *method = pix_method(number);
    struct call_block block;
    const char *name;

    *out = NULL;
    if (!method)
        return true;
    heap_reset(&p->heap);
    p->call = (struct trace_call){
        .number = p->next_number++,
        .complete = true,
        .function = &p->functions[number - PIX_CALL_FIRST],
        .argc = method->argc,
    };
    if (!decoder_read(p, method, bytes + 8, n - 8, &block))
        return false;
    name = strstr(method->name, "::");
    if (name && !strncmp(name, "::Lock", 6) && !finish_lock(p, packed))
        return false;
    if (name && !strncmp(name, "::Unlock", 8) && block.bytes && !start_unlock(p, &block))
        return false;
    *out = &p->call;
    return true;
}
