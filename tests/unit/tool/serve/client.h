/* HTTP client of the tests: sends bytes to the server and returns what comes back. */
#ifndef TESTS_SERVE_CLIENT_H
#define TESTS_SERVE_CLIENT_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* -1: nothing listens there. */
static inline int client_connect_to(const char *address, unsigned port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    inet_pton(AF_INET, address, &at.sin_addr);
    if (!connect(fd, (struct sockaddr *)&at, sizeof(at)))
        return fd;
    close(fd);
    return -1;
}

static inline int client_connect(unsigned port)
{
    return client_connect_to("127.0.0.1", port);
}

/* Sends n bytes, as far as the server takes them, and reads up to the end or `size` - 1 bytes. */
static inline const char *client_exchange_in(unsigned port, const char *request, size_t n,
                                             char *answer, size_t size)
{
    int fd = client_connect(port);
    size_t have = 0;
    ssize_t part;

    while (n && (part = send(fd, request, n, MSG_NOSIGNAL)) > 0) {
        request += part;
        n -= (size_t)part;
    }
    shutdown(fd, SHUT_WR);
    while (have < size - 1 && (part = read(fd, answer + have, size - 1 - have)) > 0)
        have += (size_t)part;
    answer[have] = 0;
    close(fd);
    return answer;
}

/* The same with a static buffer, which holds up to the next call. */
static inline const char *client_exchange(unsigned port, const char *request, size_t n)
{
    static char answer[1 << 18];

    return client_exchange_in(port, request, n, answer, sizeof(answer));
}

/* 0: it is no answer. */
static inline int client_status(const char *answer)
{
    int status = 0;

    return sscanf(answer, "HTTP/1.%*d %d", &status) == 1 ? status : 0;
}

#endif
