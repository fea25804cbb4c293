/* Multisample types that the replaying implementation lacks: tries lower ones.
 *
 * Tested by tests/unit/trace/replay/test_replay.c. */
#include "trace/replay/samples.h"
#include "trace/replay/args.h"

#include <string.h>

bool samples_lower(struct replay_call *q, D3DMULTISAMPLE_TYPE *type, DWORD *quality, HRESULT hr)
{
    unsigned from = (unsigned)*type;

    if (from == D3DMULTISAMPLE_NONE || replay_is_out_of_memory(hr))
        return false; /* fewer samples would need less memory, and give another picture */
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

/* The call is repeated with other arguments. */
HRESULT samples_create(struct replay_call *q, handler_fn *create)
{
    enum { TYPE = 4, QUALITY = 5, ARGS_MAX = 10 };
    D3DMULTISAMPLE_TYPE type = arg_u32(q, TYPE);
    DWORD quality = arg_u32(q, QUALITY);
    HRESULT hr = create(q);

    while (FAILED(hr) && samples_lower(q, &type, &quality, hr)) {
        struct trace_value args[ARGS_MAX];
        struct trace_call call = *q->call;
        struct replay_call lower = {q->replay, &call, q->self};

        call.argc = call.argc < ARGS_MAX ? call.argc : ARGS_MAX;
        memcpy(args, q->call->args, call.argc * sizeof(*args));
        args[TYPE] = (struct trace_value){.kind = TRACE_UINT, .u.uint = type};
        args[QUALITY] = (struct trace_value){.kind = TRACE_UINT, .u.uint = quality};
        call.args = args;
        hr = create(&lower);
    }
    return hr;
}
