/* State that is set to what it is already: programs and the API do that often, and a compiled
 * stream does without. For each piece of state the last packet is remembered. */
#include "trace/nvs_private.h"

#include "draw/draw.h"
#include "ff/ff.h"
#include "util/alloc.h"

#include <string.h>

enum {
    PACKET = 68, /* bytes of the largest that is remembered */
    TRANSFORMS = 512,
    /* Where the pieces begin. */
    RENDER = 0,
    SAMPLER = RENDER + FF_RENDER_STATES,
    STAGE = SAMPLER + DRAW_SAMPLERS * DRAW_SAMPLER_STATES,
    TRANSFORM = STAGE + FF_STAGES * FF_STAGE_STATES,
    CLIP_PLANE = TRANSFORM + TRANSFORMS,
    FREQUENCY = CLIP_PLANE + 6,
    MATERIAL = FREQUENCY + DRAW_STREAMS,
    VIEWPORT,
    SCISSOR,
    NAMES, /* from here on pieces that name resources */
    TEXTURE = NAMES,
    STREAM = TEXTURE + DRAW_SAMPLERS,
    TARGET = STREAM + DRAW_STREAMS,
    SHADER = TARGET + DRAW_TARGETS + 1,
    INDICES = SHADER + 2,
    DECLARATION,
    PIECES,
    NONE = PIECES
};

struct nvs_same {
    struct {
        bool known;
        uint8_t packet[PACKET];
    } last[PIECES];
};

enum status nvs_same_create(struct nvs_same **out)
{
    *out = mem_calloc(1, sizeof(**out));
    return *out ? ST_OK : ST_NOMEM;
}

void nvs_same_destroy(struct nvs_same *same)
{
    mem_free(same);
}

static unsigned at(unsigned first, uint32_t i, unsigned n)
{
    return i < n ? first + i : NONE;
}

static unsigned at_pair(unsigned first, uint32_t i, unsigned n, uint32_t k, unsigned m)
{
    return i < n && k < m ? first + i * m + k : NONE;
}

/* The piece of state that the packet sets, or NONE. All begin with what tells pieces apart. */
static unsigned piece_of(enum cmd_op op, const void *packet)
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
        return at(CLIP_PLANE, word[0], 6);
    case CMD_SET_STREAM_FREQUENCY:
        return at(FREQUENCY, word[0], DRAW_STREAMS);
    case CMD_SET_MATERIAL:
        return MATERIAL;
    case CMD_SET_VIEWPORT:
        return VIEWPORT;
    case CMD_SET_SCISSOR:
        return SCISSOR;
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

bool nvs_same_packet(struct nvs_same *same, enum cmd_op op, const void *packet, size_t bytes)
{
    unsigned piece = piece_of(op, packet);

    if (op == CMD_DESTROY) /* bindings of it become empty */
        for (unsigned i = NAMES; i < PIECES; i++)
            same->last[i].known = false;
    if (piece == NONE || bytes > PACKET)
        return false;
    if (same->last[piece].known && !memcmp(same->last[piece].packet, packet, bytes))
        return true;
    same->last[piece].known = true;
    memcpy(same->last[piece].packet, packet, bytes);
    return false;
}
