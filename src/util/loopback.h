/* Sockets that only this machine reaches. Not in Windows builds. */
#ifndef UTIL_LOOPBACK_H
#define UTIL_LOOPBACK_H

/* Listens on 127.0.0.1; port 0: one that is free. *actual: the port. The socket is closed in
 * programs that this one starts. Returns -1 with errno on failure. */
int loopback_listen(unsigned port, int backlog, unsigned *actual);

#endif
