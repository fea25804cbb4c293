/* Handlers of methods. */
#ifndef TRACE_REPLAY_HANDLERS_H
#define TRACE_REPLAY_HANDLERS_H

#include "trace/replay/methods.h"

#define METHOD(kinds, name, handler, flags) handler_fn replay_##handler;
#define IGNORED(kinds, name)
#include "trace/replay/methods.def"
#undef METHOD
#undef IGNORED

#endif
