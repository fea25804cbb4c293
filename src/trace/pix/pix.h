/* Format of PIX run files. Interface of trace/pix, beside decoder.h: other readers use its
 * decoder. */
#ifndef TRACE_PIX_PIX_H
#define TRACE_PIX_PIX_H

#include "trace/reader/reader.h"

extern const struct trace_format pix_format;

#endif
