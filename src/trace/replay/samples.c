/* Multisample types that the replaying implementation lacks: tries lower ones.
 *
 * Tested by tests/unit/trace/replay/test_replay.c. */
#include "trace/replay/samples.h"

bool samples_lower(struct replay_call *q, D3DMULTISAMPLE_TYPE *type, DWORD *quality, HRESULT hr)
{
    unsigned from = (unsigned)*type;

    if (from == D3DMULTISAMPLE_NONE)
        return false;
    replay_warn(q->replay, q->call,
                "multisampling %u of quality %u was refused (0x%08x), trying a lower type", from,
                (unsigned)*quality, (unsigned)hr);
    if (*quality)
        *quality = from != D3DMULTISAMPLE_NONMASKABLE ? 0 : *quality > 2 ? 2 : *quality - 1;
    else if (from > 8)
        *type = D3DMULTISAMPLE_8_SAMPLES;
    else if (from > 4)
        *type = D3DMULTISAMPLE_4_SAMPLES;
    else
        *type = from > 2 ? D3DMULTISAMPLE_2_SAMPLES : D3DMULTISAMPLE_NONE;
    return true;
}
