/* Falls back to lower multisample types where the replaying implementation has fewer. */
#ifndef TRACE_REPLAY_SAMPLES_H
#define TRACE_REPLAY_SAMPLES_H

#include "trace/replay/methods.h"

/* Lowers the multisampling after a failure `hr` and warns. Returns false at the lowest type. */
bool samples_lower(struct replay_call *q, D3DMULTISAMPLE_TYPE *type, DWORD *quality, HRESULT hr);
/* Runs the handler of a METHOD_SAMPLES method with lower types until it succeeds. */
HRESULT samples_create(struct replay_call *q, handler_fn *create);

#endif
