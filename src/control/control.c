/* The server's thread: accepts connections, receives requests, sends answers. A connection has one
 * request and a time in which it must be over, so that a slow peer is dropped. When all places are
 * taken, a new connection replaces the one that has to end first: browsers open connections ahead,
 * and send nothing over them. */
#include "control/control.h"

#include "control/answer.h"
#include "control/sockets.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/forks.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

enum { CONNECTIONS = 8, STACK_BYTES = 256 << 10 };
_Static_assert((int)CONNECTIONS <= (int)SOCKETS_MOST, "sockets_wait takes all connections");
#define RECEIVE_TIME (2 * CLOCK_SECOND)
#define SEND_TIME (5 * CLOCK_SECOND)
#define DRAIN_TIME (2 * CLOCK_SECOND)

enum phase {
    RECEIVING,
    SENDING,
    DRAINING /* waits for the peer's end: closing before it could destroy the answer */
};

struct connection {
    socket_handle socket; /* NO_SOCKET: the place is free */
    enum phase phase;
    uint64_t deadline;
    size_t received, head; /* head: its length; 0: not complete */
    char bytes[CONTROL_HEAD_BYTES + CONTROL_BODY_BYTES];
    struct control_body out;
    size_t sent;
};

struct control {
    struct sockets *sockets;
    struct answer_place place;
    pthread_t thread;
    atomic_bool quit;
    bool refused; /* the last accept failed: waits a little before the next one */
    struct connection connection[CONNECTIONS];
};

/* Held by servers except while they wait: a forked child finds their connections in order. */
static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;

/* --- Connections ------------------------------------------------------------------------------ */

static void end_connection(struct connection *c)
{
    if (c->socket != NO_SOCKET)
        socket_close(c->socket);
    control_body_free(&c->out);
    c->socket = NO_SOCKET;
}

/* A free place, or that of the connection whose time ends first. */
static struct connection *place_for_one(struct control *control)
{
    struct connection *first = &control->connection[0];

    for (unsigned i = 0; i < CONNECTIONS; i++) {
        struct connection *c = &control->connection[i];

        if (c->socket == NO_SOCKET)
            return c;
        if (c->deadline < first->deadline)
            first = c;
    }
    return first;
}

static void accept_one(struct control *control)
{
    socket_handle socket = sockets_accept(control->sockets);
    struct connection *c;

    control->refused = socket == NO_SOCKET;
    if (control->refused)
        return;
    c = place_for_one(control);
    end_connection(c);
    c->socket = socket;
    c->phase = RECEIVING;
    c->deadline = clock_now() + RECEIVE_TIME;
    c->received = c->head = c->sent = 0;
}

static void begin_to_send(struct connection *c)
{
    if (c->out.failed) {
        end_connection(c);
        return;
    }
    c->phase = SENDING;
    c->deadline = clock_now() + SEND_TIME;
}

/* The bytes of the head and the body that it announces; 0: the request will be refused as it is. */
static size_t whole_length(const struct connection *c)
{
    struct control_request request;

    return control_parse_head(c->bytes, c->head, &request) == CONTROL_OK ? c->head + request.body
                                                                         : 0;
}

/* Answers a request once it is complete. */
static void answer_if_complete(const struct control *control, struct connection *c)
{
    if (!c->head)
        c->head = control_head_length(c->bytes, c->received);
    if (c->head > CONTROL_HEAD_BYTES || (!c->head && c->received >= CONTROL_HEAD_BYTES))
        answer_refusal(CONTROL_HEAD_TOO_LARGE, &c->out);
    else if (c->head && c->received >= whole_length(c))
        answer_request(&control->place, c->bytes, c->head, c->bytes + c->head, &c->out);
    else
        return;
    begin_to_send(c);
}

static void receive(const struct control *control, struct connection *c)
{
    long n = socket_read(c->socket, c->bytes + c->received, sizeof(c->bytes) - c->received);

    if (n == SOCKET_LATER)
        return;
    if (n <= 0) {
        end_connection(c);
        return;
    }
    c->received += (size_t)n;
    answer_if_complete(control, c);
}

static void send_more(struct connection *c)
{
    long n = socket_write(c->socket, c->out.bytes + c->sent, c->out.n - c->sent);

    if (n == SOCKET_LATER)
        return;
    if (n <= 0) {
        end_connection(c);
        return;
    }
    c->sent += (size_t)n;
    if (c->sent < c->out.n)
        return;
    socket_finish(c->socket);
    c->phase = DRAINING;
    c->deadline = clock_now() + DRAIN_TIME;
}

static void drain(struct connection *c)
{
    long n = socket_read(c->socket, c->bytes, sizeof(c->bytes));

    if (n == SOCKET_END || n == SOCKET_FAILED)
        end_connection(c);
}

static void serve(const struct control *control, struct connection *c)
{
    switch (c->phase) {
    case RECEIVING:
        receive(control, c);
        break;
    case SENDING:
        send_more(c);
        break;
    case DRAINING:
        drain(c);
        break;
    }
}

/* --- The thread ------------------------------------------------------------------------------- */

/* Milliseconds until the first deadline, at most a minute. */
static unsigned time_left(const struct control *control, uint64_t now)
{
    uint64_t first = now + 60 * CLOCK_SECOND;

    if (control->refused)
        return 100;
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        const struct connection *c = &control->connection[i];

        if (c->socket != NO_SOCKET && c->deadline < first)
            first = c->deadline;
    }
    return first > now ? (unsigned)((first - now) / 1000000) + 1 : 0;
}

/* Holds `busy` before and after. */
static void wait_and_serve(struct control *control)
{
    struct connection *waiting[CONNECTIONS];
    struct socket_wait waits[CONNECTIONS];
    unsigned n = 0;
    bool incoming;

    for (unsigned i = 0; i < CONNECTIONS; i++) {
        struct connection *c = &control->connection[i];

        if (c->socket == NO_SOCKET)
            continue;
        waits[n] = (struct socket_wait){c->socket, c->phase == SENDING, false};
        waiting[n++] = c;
    }
    pthread_mutex_unlock(&busy);
    incoming = sockets_wait(control->sockets, waits, n, !control->refused,
                            time_left(control, clock_now()));
    pthread_mutex_lock(&busy);
    control->refused = false;
    for (unsigned i = 0; i < n; i++) {
        if (waits[i].ready)
            serve(control, waiting[i]);
        if (waiting[i]->socket != NO_SOCKET && clock_now() >= waiting[i]->deadline)
            end_connection(waiting[i]);
    }
    if (incoming)
        accept_one(control);
}

static void *thread_main(void *arg)
{
    struct control *control = arg;

    pthread_mutex_lock(&busy);
    while (!atomic_load(&control->quit))
        wait_and_serve(control);
    pthread_mutex_unlock(&busy);
    return NULL;
}

/* Signals of the program go to its own threads. */
static bool start_thread(struct control *control)
{
    pthread_attr_t attributes;
    bool good;
#ifndef _WIN32
    sigset_t every, before;

    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
#endif
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    good = !pthread_create(&control->thread, &attributes, thread_main, control);
    pthread_attr_destroy(&attributes);
#ifndef _WIN32
    pthread_sigmask(SIG_SETMASK, &before, NULL);
#endif
    return good;
}

/* --- Start and stop --------------------------------------------------------------------------- */

void control_drop(struct control *control)
{
    if (!control)
        return;
    for (unsigned i = 0; i < CONNECTIONS; i++)
        end_connection(&control->connection[i]);
    if (control->sockets)
        sockets_close(control->sockets);
    mem_free(control);
}

enum status control_start(struct control **out, unsigned port,
                          const struct control_handler *handler, const char **reason)
{
    struct control *control = mem_calloc(1, sizeof(*control));
    enum status st;

    fork_guard(&busy, FORK_SERVER);
    *out = NULL;
    *reason = status_text(ST_NOMEM);
    if (!control)
        return ST_NOMEM;
    atomic_init(&control->quit, false);
    control->place.handler = *handler;
    for (unsigned i = 0; i < CONNECTIONS; i++)
        control->connection[i].socket = NO_SOCKET;
    st = sockets_open(&control->sockets, port, &control->place.port, reason);
    if (st == ST_OK && !secret_make(control->place.token)) {
        *reason = "the system gives no random numbers";
        st = ST_IO;
    }
    if (st == ST_OK && !start_thread(control)) {
        *reason = "no thread can be created";
        st = ST_IO;
    }
    if (st != ST_OK)
        control_drop(control);
    else
        *out = control;
    return st;
}

void control_stop(struct control *control)
{
    if (!control)
        return;
    atomic_store(&control->quit, true);
    sockets_wake(control->sockets);
    pthread_join(control->thread, NULL);
    control_drop(control);
}

unsigned control_port(const struct control *control)
{
    return control->place.port;
}
