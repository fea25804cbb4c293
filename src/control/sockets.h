/* Sockets of the server: one that listens on 127.0.0.1, its connections, and a way to wake the
 * thread that waits for them. Windows loads ws2_32.dll here, so that the dll does not import it.
 * Private to the folder. */
#ifndef CONTROL_SOCKETS_H
#define CONTROL_SOCKETS_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOCKETS_MOST = 16 }; /* connections that sockets_wait takes */

struct sockets;
typedef intptr_t socket_handle;
#define NO_SOCKET ((socket_handle)-1)

/* Listens on the port, or on any free one with 0; *actual receives its number. ST_BUSY: the port is
 * in use. ST_IO: *reason is a static text. */
MUST_CHECK enum status sockets_open(struct sockets **out, unsigned port, unsigned *actual,
                                    const char **reason);
void sockets_close(struct sockets *sockets);
/* Ends the wait of another thread, or the next one. */
void sockets_wake(struct sockets *sockets);

/* A connection that is waited for. */
struct socket_wait {
    socket_handle socket;
    bool write; /* wait until it takes bytes, else until it has some */
    bool ready; /* out */
};
/* Waits for connections to become ready, for a new one if `accept`, for sockets_wake, or for the
 * time to pass. Returns whether there is a new one. */
bool sockets_wait(struct sockets *sockets, struct socket_wait *waits, unsigned n, bool accept,
                  unsigned milliseconds);
/* Takes a new connection, which does not block; NO_SOCKET: there is none, or the system refuses. */
socket_handle sockets_accept(struct sockets *sockets);

enum { SOCKET_END = 0, SOCKET_FAILED = -1, SOCKET_LATER = -2 };
/* Returns the number of bytes, above zero; SOCKET_END: the peer sends no more; SOCKET_LATER: none
 * at present. */
long socket_read(socket_handle socket, char *out, size_t n);
long socket_write(socket_handle socket, const char *bytes, size_t n);
/* Says to the peer that no more bytes follow. */
void socket_finish(socket_handle socket);
void socket_close(socket_handle socket);

#endif
