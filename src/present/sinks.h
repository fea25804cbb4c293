/* The sinks, a row of sinks.def each. */
#ifndef PRESENT_SINKS_H
#define PRESENT_SINKS_H

#include "present/view.h"

#define SINK(name) extern const struct present_sink_ops present_##name##_ops;
#include "present/sinks.def"
#undef SINK

#endif
