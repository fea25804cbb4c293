/* Redundant-state filter: drops packets that set a state to its current value. Applications and the
 * API emit many of them. The filter stores the last packet of each state slot. */
#include "trace/stream/state_filter.h"

#include "draw/draw.h"
#include "ff/ff.h"
#include "util/alloc.h"

#include <string.h>

enum {
    PACKET_MAX = 68, /* bytes of the largest filtered packet */
    TRANSFORMS = 512,
    /* First slot of each state group. */
    RENDER = 0,
    SAMPLER = RENDER + FF_RENDER_STATES,
    STAGE = SAMPLER + DRAW_SAMPLERS * DRAW_SAMPLER_STATES,
    TRANSFORM = STAGE + FF_STAGES * FF_STAGE_STATES,
    CLIP_PLANE = TRANSFORM + TRANSFORMS,
    FREQUENCY = CLIP_PLANE + DRAW_CLIP_PLANES,
    MATERIAL = FREQUENCY + DRAW_STREAMS,
    VIEWPORT,
    SCISSOR,
    NPATCH,
    FIRST_BINDING, /* slots from here on refer to resources */
    TEXTURE = FIRST_BINDING,
    STREAM = TEXTURE + DRAW_SAMPLERS,
    TARGET = STREAM + DRAW_STREAMS,
    SHADER = TARGET + DRAW_TARGETS + 1,
    INDICES = SHADER + 2,
    DECLARATION,
    SLOTS,
    NONE = SLOTS
};

struct nvs_state_filter {
    struct {
        bool valid;
        uint8_t packet[PACKET_MAX];
    } last[SLOTS];
};

enum status nvs_state_filter_create(struct nvs_state_filter **out)
{
    *out = mem_calloc(1, sizeof(**out));
    return *out ? ST_OK : ST_NOMEM;
}

void nvs_state_filter_destroy(struct nvs_state_filter *filter)
{
    mem_free(filter);
}

static unsigned at(unsigned first, uint32_t i, unsigned n)
{
    return i < n ? first + i : NONE;
}

static unsigned at_pair(unsigned first, uint32_t i, unsigned n, uint32_t k, unsigned m)
{
    return i < n && k < m ? first + i * m + k : NONE;
}

/* Returns the state slot that the packet sets, or NONE. Packets start with their slot's index. */
static unsigned slot_of(enum cmd_op op, const void *packet)
{
    const uint32_t *word = packet;

    switch (op) {
    case CMD_SET_RENDER_STATE:
        return at(RENDER, word[0], FF_RENDER_STATES);
    case CMD_SET_SAMPLER_STATE:
        return at_pair(SAMPLER, word[0], DRAW_SAMPLERS, word[1], DRAW_SAMPLER_STATES);
    case CMD_SET_STAGE_STATE:
        return at_pair(STAGE, word[0], FF_STAGES, word[1], FF_STAGE_STATES);
    case CMD_SET_TRANSFORM:
        return at(TRANSFORM, word[0], TRANSFORMS);
    case CMD_SET_CLIP_PLANE:
        return at(CLIP_PLANE, word[0], DRAW_CLIP_PLANES);
    case CMD_SET_STREAM_FREQUENCY:
        return at(FREQUENCY, word[0], DRAW_STREAMS);
    case CMD_SET_MATERIAL:
        return MATERIAL;
    case CMD_SET_VIEWPORT:
        return VIEWPORT;
    case CMD_SET_SCISSOR:
        return SCISSOR;
    case CMD_SET_NPATCH:
        return NPATCH;
    case CMD_SET_TEXTURE:
        return at(TEXTURE, word[0], DRAW_SAMPLERS);
    case CMD_SET_STREAM:
        return at(STREAM, word[0], DRAW_STREAMS);
    case CMD_SET_TARGET:
        return at(TARGET, word[0], DRAW_TARGETS + 1);
    case CMD_SET_SHADER:
        return at(SHADER, word[0], 2);
    case CMD_SET_INDICES:
        return INDICES;
    case CMD_SET_DECLARATION:
        return DECLARATION;
    default:
        return NONE;
    }
}

bool nvs_state_filter_is_redundant(struct nvs_state_filter *filter, enum cmd_op op,
                                   const void *packet, size_t bytes)
{
    unsigned slot = slot_of(op, packet);

    if (op == CMD_DESTROY) /* Destroy clears bindings of the resource */
        for (unsigned i = FIRST_BINDING; i < SLOTS; i++)
            filter->last[i].valid = false;
    if (slot == NONE || bytes > PACKET_MAX)
        return false;
    if (filter->last[slot].valid && !memcmp(filter->last[slot].packet, packet, bytes))
        return true;
    filter->last[slot].valid = true;
    memcpy(filter->last[slot].packet, packet, bytes);
    return false;
}
