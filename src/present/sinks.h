/* Declares the operations of all sinks in sinks.def. */
#ifndef PRESENT_SINKS_H
#define PRESENT_SINKS_H

#include "present/view.h"

#define SINK(name) extern const struct present_sink_ops present_##name##_ops;
#include "present/sinks.def"
#undef SINK

#endif
