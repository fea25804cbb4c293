/* Functions of libmicrohttpd, loaded when they are needed: it brings a dozen libraries, which would
 * double the start time of every command. */
#ifndef TOOL_SERVE_MHD_H
#define TOOL_SERVE_MHD_H

#include "util/status.h"

#include <microhttpd.h>

#define MHD_FUNCTIONS(X)                                                                           \
    X(start_daemon)                                                                                \
    X(stop_daemon)                                                                                 \
    X(get_daemon_info)                                                                             \
    X(get_connection_values)                                                                       \
    X(lookup_connection_value)                                                                     \
    X(create_response_from_buffer)                                                                 \
    X(add_response_header)                                                                         \
    X(queue_response)                                                                              \
    X(destroy_response)

struct mhd {
#define X(name) __typeof__(&MHD_##name) name;
    MHD_FUNCTIONS(X)
#undef X
};

/* Loads the library once per process. ST_UNSUPPORTED: it is not there or too old, and *reason
 * (static) says so. */
MUST_CHECK enum status mhd_open(const struct mhd **out, const char **reason);

#endif
