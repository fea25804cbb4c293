/* The sinks, one file each. */
#ifndef PRESENT_SINKS_H
#define PRESENT_SINKS_H

#include "present/view.h"

extern const struct present_sink_ops present_png_ops, present_window_ops;

#endif
