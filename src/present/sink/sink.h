/* Declares the operations of all sinks in sinks.def. */
#ifndef PRESENT_SINK_SINK_H
#define PRESENT_SINK_SINK_H

#include "present/monitor/view.h"

#define SINK(name) extern const struct present_sink_ops present_##name##_ops;
#include "present/sink/sinks.def"
#undef SINK

#endif
