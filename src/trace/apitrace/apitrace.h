/* Format of apitrace captures. Interface of trace/apitrace. */
#ifndef TRACE_APITRACE_APITRACE_H
#define TRACE_APITRACE_APITRACE_H

#include "trace/reader/reader.h"

extern const struct trace_format apitrace_format;

#endif
