/* Sockets of the server, for Windows. ws2_32.dll is loaded when a server starts: the dll imports
 * nothing of it.
 *
 * Tested by tests/tool/control.py under Wine. */
#ifdef _WIN32
#include <winsock2.h>

#include "control/sockets.h"

#include "util/alloc.h"

#include <pthread.h>
#include <string.h>

enum { BACKLOG = 16 };

/* --- Functions of ws2_32.dll ------------------------------------------------------------------ */

#define FUNCTIONS(X)                                                                               \
    X(WSAStartup)                                                                                  \
    X(WSACleanup)                                                                                  \
    X(WSAGetLastError)                                                                             \
    X(socket)                                                                                      \
    X(bind)                                                                                        \
    X(connect)                                                                                     \
    X(listen)                                                                                      \
    X(accept)                                                                                      \
    X(getsockname)                                                                                 \
    X(select)                                                                                      \
    X(ioctlsocket)                                                                                 \
    X(recv)                                                                                        \
    X(send)                                                                                        \
    X(shutdown)                                                                                    \
    X(closesocket)

static struct {
#define X(name) __typeof__(name) *p_##name;
    FUNCTIONS(X)
#undef X
} ws;
static bool loaded;

static void load(void)
{
    HMODULE dll = LoadLibraryA("ws2_32.dll");

    loaded = dll != NULL;
#define X(name)                                                                                    \
    if (loaded)                                                                                    \
        ws.p_##name = (__typeof__(ws.p_##name))(void *)GetProcAddress(dll, #name);                 \
    loaded = loaded && ws.p_##name;
    FUNCTIONS(X)
#undef X
}

static bool is_loaded(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    return loaded;
}

/* --- Listening -------------------------------------------------------------------------------- */

/* A datagram socket that sends to itself wakes the waiter: select knows no other objects. */
struct sockets {
    SOCKET listener, wake;
};

/* htons is a function of the dll. */
static u_short swapped(unsigned port)
{
    return (u_short)((port & 255) << 8 | (port >> 8 & 255));
}

static bool prepare(SOCKET s)
{
    u_long on = 1;

    return s != INVALID_SOCKET && !ws.p_ioctlsocket(s, (long)FIONBIO, &on);
}

/* A socket on 127.0.0.1. Other programs cannot take a port that is in use, unless they ask for it.
 */
static SOCKET bound(int type, unsigned port, struct sockaddr_in *at)
{
    SOCKET s = ws.p_socket(AF_INET, type, 0);
    int n = sizeof(*at);

    *at = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = swapped(port)};
    at->sin_addr.s_addr = 0x0100007f;
    if (prepare(s) && !ws.p_bind(s, (struct sockaddr *)at, n) &&
        !ws.p_getsockname(s, (struct sockaddr *)at, &n))
        return s;
    if (s != INVALID_SOCKET) {
        int error = ws.p_WSAGetLastError();

        ws.p_closesocket(s);
        SetLastError((DWORD)error); /* WSAGetLastError reads the same value */
    }
    return INVALID_SOCKET;
}

static enum status open_both(struct sockets *s, unsigned port, unsigned *actual)
{
    struct sockaddr_in at;

    s->listener = bound(SOCK_STREAM, port, &at);
    if (s->listener == INVALID_SOCKET || ws.p_listen(s->listener, BACKLOG))
        return ws.p_WSAGetLastError() == WSAEADDRINUSE ? ST_BUSY : ST_IO;
    *actual = swapped(at.sin_port);
    s->wake = bound(SOCK_DGRAM, 0, &at);
    if (s->wake == INVALID_SOCKET || ws.p_connect(s->wake, (struct sockaddr *)&at, sizeof(at)))
        return ST_IO;
    return ST_OK;
}

enum status sockets_open(struct sockets **out, unsigned port, unsigned *actual, const char **reason)
{
    struct sockets *s = mem_alloc(sizeof(*s));
    enum status st;
    WSADATA data;

    *out = NULL;
    if (!s)
        return ST_NOMEM;
    *s = (struct sockets){INVALID_SOCKET, INVALID_SOCKET};
    *reason = "Windows has no socket for it";
    if (!is_loaded() || ws.p_WSAStartup(0x202, &data)) {
        mem_free(s);
        return ST_IO;
    }
    st = open_both(s, port, actual);
    if (st != ST_OK)
        sockets_close(s);
    else
        *out = s;
    return st;
}

void sockets_close(struct sockets *s)
{
    if (s->listener != INVALID_SOCKET)
        ws.p_closesocket(s->listener);
    if (s->wake != INVALID_SOCKET)
        ws.p_closesocket(s->wake);
    ws.p_WSACleanup();
    mem_free(s);
}

void sockets_wake(struct sockets *s)
{
    (void)ws.p_send(s->wake, "", 1, 0);
}

/* --- Connections ------------------------------------------------------------------------------ */

static void add(fd_set *set, SOCKET s)
{
    if (set->fd_count < FD_SETSIZE)
        set->fd_array[set->fd_count++] = s;
}

/* FD_ISSET calls a function of the dll. */
static bool has(const fd_set *set, SOCKET s)
{
    for (u_int i = 0; i < set->fd_count; i++)
        if (set->fd_array[i] == s)
            return true;
    return false;
}

bool sockets_wait(struct sockets *s, struct socket_wait *waits, unsigned n, bool accept,
                  unsigned milliseconds)
{
    struct timeval time = {(long)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000};
    fd_set in = {0}, out = {0};
    char woken[16];

    add(&in, s->wake);
    if (accept)
        add(&in, s->listener);
    for (unsigned i = 0; i < n; i++)
        add(waits[i].write ? &out : &in, (SOCKET)waits[i].socket);
    if (ws.p_select(0, &in, &out, NULL, &time) == SOCKET_ERROR) {
        in.fd_count = out.fd_count = 0;
        Sleep(10); /* no loop without a pause */
    }
    for (unsigned i = 0; i < n; i++)
        waits[i].ready = has(waits[i].write ? &out : &in, (SOCKET)waits[i].socket);
    if (has(&in, s->wake))
        (void)ws.p_recv(s->wake, woken, sizeof(woken), 0);
    return accept && has(&in, s->listener);
}

socket_handle sockets_accept(struct sockets *s)
{
    SOCKET accepted = ws.p_accept(s->listener, NULL, NULL);

    if (accepted == INVALID_SOCKET || prepare(accepted))
        return (socket_handle)accepted;
    ws.p_closesocket(accepted);
    return NO_SOCKET;
}

static long result(int n)
{
    if (n != SOCKET_ERROR)
        return n;
    return ws.p_WSAGetLastError() == WSAEWOULDBLOCK ? SOCKET_LATER : SOCKET_FAILED;
}

long socket_read(socket_handle socket, char *out, size_t n)
{
    return result(ws.p_recv((SOCKET)socket, out, (int)n, 0));
}

long socket_write(socket_handle socket, const char *bytes, size_t n)
{
    return result(ws.p_send((SOCKET)socket, bytes, (int)n, 0));
}

void socket_finish(socket_handle socket)
{
    (void)ws.p_shutdown((SOCKET)socket, SD_SEND);
}

void socket_close(socket_handle socket)
{
    (void)ws.p_closesocket((SOCKET)socket);
}

#endif
