/* HTTP server for one user of this machine: it listens on 127.0.0.1 alone, and answers only
 * requests whose path starts with a random token. */
#ifndef TOOL_SERVE_HTTP_H
#define TOOL_SERVE_HTTP_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    HTTP_OK = 200,
    HTTP_BAD_REQUEST = 400,
    HTTP_FORBIDDEN = 403,
    HTTP_NOT_FOUND = 404,
    HTTP_BAD_METHOD = 405,
    HTTP_TOO_LARGE = 413,
    HTTP_BAD_TYPE = 415,
    HTTP_FAILED = 500,
    HTTP_BUSY = 503
};

/* Random bits of the token and of a page's nonce, as hexadecimal digits with a NUL. */
enum { HTTP_SECRET = 33, HTTP_PATH = 256 };

/* The longest body of a POST. */
enum { HTTP_BODY = 256 << 10 };

struct http_request {
    const char *path;  /* after "/TOKEN/"; at most HTTP_PATH bytes of [A-Za-z0-9_.,=/-],
                        * without empty, "." or ".." elements but for a last empty one */
    const char *frame; /* of "?frame=TEXT"; NULL: it has none */
    const char *body;  /* of a POST: JSON of n_body bytes, with a NUL behind; NULL: of a GET */
    size_t n_body;
    char nonce[HTTP_SECRET]; /* scripts and styles with it run in a page of this answer */
};

/* Zeroed before the handler fills it. */
struct http_answer {
    unsigned status;  /* HTTP_… */
    const char *type; /* static: "application/json" */
    char *bytes;      /* the server frees it with mem_free; NULL: none */
    size_t n;
    bool post;       /* private: the path accepts POST alone */
    bool unchanging; /* the path always has these bytes: browsers may keep them */
};

struct http_options {
    unsigned port; /* 0: any free one */
    void *ctx;
    /* The path that accepts POST, from a page of this server alone: the header Origin is that of
     * the server, and Content-Type is application/json, which other sites' forms cannot send. NULL:
     * none. */
    const char *post;
    /* Answers a request to GET or HEAD, or a POST, in a thread of its own. */
    void (*answer)(void *ctx, const struct http_request *request, struct http_answer *out);
};

struct http_server;

/* Starts to listen, in threads of its own. On failure *reason (static or of strerror) says why. */
MUST_CHECK enum status http_start(struct http_server **out, const struct http_options *options,
                                  const char **reason);
/* Waits for answers that handlers are working on. NULL is allowed. */
void http_stop(struct http_server *server);
/* "http://127.0.0.1:PORT/TOKEN/" */
const char *http_address(const struct http_server *server);

/* Puts a short text into an answer, as {"error": text} if `json`. */
void http_fail(struct http_answer *out, unsigned status, bool json, const char *text);

#endif
