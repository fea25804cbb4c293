/* Format of dx9mt frame files. Interface of trace/dx9mt. */
#ifndef TRACE_DX9MT_DX9MT_H
#define TRACE_DX9MT_DX9MT_H

#include "trace/reader/reader.h"

extern const struct trace_format dx9mt_format;

#endif
