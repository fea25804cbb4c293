/* Handlers of the methods that need more than their arguments. */
#ifndef TRACE_REPLAY_HANDLERS_H
#define TRACE_REPLAY_HANDLERS_H

#include "trace/replay/methods.h"

#define METHOD(kinds, name, handler, flags) handler_fn replay_##handler;
#define PLAIN(table, name, flags)
#define IGNORED(kinds, name)
#include "trace/replay/methods.def"
#undef METHOD
#undef PLAIN
#undef IGNORED

#endif
