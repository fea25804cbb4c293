/* Encoder of synthetic calls in the PIX run-file encoding, which the decoder then reads.
 *
 * Tested by tests/unit/trace/dx9mt/test_dx9mt.c. */
#include "trace/dx9mt/dx9mt_private.h"

#include "util/alloc.h"

#include <string.h>

static uint8_t *room_for(struct dx9mt *d, size_t n)
{
    uint8_t *at;

    if (d->calls_end + n > d->calls_room) {
        size_t room = (d->calls_end + n) * 2;
        uint8_t *bigger = mem_realloc(d->calls, room);

        if (!bigger) {
            d->no_memory = true;
            return NULL;
        }
        d->calls = bigger;
        d->calls_room = room;
    }
    at = d->calls + d->calls_end;
    d->calls_end += n;
    return at;
}

void dx9mt_call(struct dx9mt *d, enum dx9mt_call number, const uint32_t *words, size_t n,
                uint32_t address, const void *bytes, uint32_t size)
{
    const uint32_t block[4] = {address, size, 0, size};
    uint32_t head[3] = {0, number, 1};
    size_t total = sizeof(head) + n * 4 + (bytes ? sizeof(block) + size : 0);
    uint8_t *at = room_for(d, total);

    if (!at)
        return;
    head[0] = (uint32_t)(total - 4);
    memcpy(at, head, sizeof(head));
    memcpy(at + sizeof(head), words, n * 4);
    if (!bytes)
        return;
    at += sizeof(head) + n * 4;
    memcpy(at, block, sizeof(block));
    memcpy(at + sizeof(block), bytes, size);
}

enum status dx9mt_take_call(struct dx9mt *d, const struct trace_call **out)
{
    uint32_t size;

    *out = d->no_memory ? NULL : decoder_pending(&d->decoder);
    while (!d->no_memory && !*out && d->calls_at < d->calls_end) {
        const uint8_t *call = d->calls + d->calls_at;

        memcpy(&size, call, 4);
        d->calls_at += 4 + (size_t)size;
        if (!decoder_call(&d->decoder, call + 4, size, false, out))
            return ST_NOMEM;
    }
    if (!*out)
        d->calls_at = d->calls_end = 0;
    return d->no_memory ? ST_NOMEM : ST_OK;
}

/* --- States ----------------------------------------------------------------------------------- */

static bool changes(uint32_t *value, uint8_t *set, uint32_t to)
{
    if (*set && *value == to)
        return false;
    *value = to;
    *set = 1;
    return true;
}

void dx9mt_state(struct dx9mt *d, uint32_t state, uint32_t value)
{
    if (changes(&d->states[state], &d->states_set[state], value))
        CALL(d, CALL_SET_RENDER_STATE, DX9MT_DEVICE, state, value);
}

void dx9mt_stage_state(struct dx9mt *d, uint32_t state, uint32_t value)
{
    if (changes(&d->stage_states[state], &d->stage_states_set[state], value))
        CALL(d, CALL_SET_STAGE_STATE, DX9MT_DEVICE, 0, state, value);
}

void dx9mt_sampler(struct dx9mt *d, uint32_t sampler, uint32_t state, uint32_t value)
{
    if (changes(&d->samplers[sampler][state], &d->samplers_set[sampler][state], value))
        CALL(d, CALL_SET_SAMPLER_STATE, DX9MT_DEVICE, sampler, state, value);
}
