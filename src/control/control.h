/* Control panel: a small HTTP server on 127.0.0.1, whose page shows figures of the running program
 * and changes its settings (docs/control.md). It opens no file. */
#ifndef CONTROL_CONTROL_H
#define CONTROL_CONTROL_H

#include "control/body.h"
#include "util/status.h"

#include <stdbool.h>

struct control; /* a server with its thread */

enum { CONTROL_VALUE_BYTES = 512 }; /* of a setting's value, with its end */

/* What the server asks the program. The functions run on the server's thread, one at a time, while
 * forks wait. They must not call control_stop, nor fork. */
struct control_handler {
    void *ctx;
    void (*figures)(void *ctx, struct control_body *out);  /* puts an object of JSON */
    void (*settings)(void *ctx, struct control_body *out); /* puts an array of JSON */
    /* Changes a setting, or does what a name stands for. False: it is refused, and *why has the
     * reason. */
    bool (*set)(void *ctx, const char *name, const char *value, struct control_body *why);
    bool (*act)(void *ctx, const char *name, struct control_body *why);
};

/* Starts a server that listens on the port, or on any free port with 0. The handler is copied.
 * ST_BUSY: another program has the port. ST_IO: the system refuses; *reason is a static text. */
MUST_CHECK enum status control_start(struct control **out, unsigned port,
                                     const struct control_handler *handler, const char **reason);
/* Ends the thread and all connections; NULL is allowed. */
void control_stop(struct control *control);
/* In a forked child, which has no thread of its parent: closes the sockets and frees the memory.
 * NULL is allowed. */
void control_drop(struct control *control);
unsigned control_port(const struct control *control);

#endif
