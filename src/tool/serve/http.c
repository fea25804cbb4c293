/* HTTP server on 127.0.0.1: refuses requests without the token, checks paths, and adds headers that
 * keep a page from loading or running anything else.
 *
 * Host names: a page of another site may have its name resolved to 127.0.0.1 (DNS rebinding), so
 * the header Host must name this machine. */
#include "tool/serve/http.h"

#include "tool/serve/mhd.h"
#include "util/alloc.h"
#include "util/loopback.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

/* Bytes of a request's line and headers; connections at once; seconds without a byte. */
enum { REQUEST_BYTES = 16 << 10, CONNECTIONS = 256, IDLE_SECONDS = 30, STACK_BYTES = 512 << 10 };

struct http_server {
    const struct mhd *mhd;
    struct MHD_Daemon *daemon;
    struct http_options options;
    unsigned port;
    char token[HTTP_SECRET], address[96], hosts[2][32];
};

/* A request that is being received. */
struct upload {
    size_t n, size; /* of the body: received, announced */
    char body[];    /* size + 1 bytes */
};

/* --- Secrets ---------------------------------------------------------------------------------- */

static bool make_secret(char out[HTTP_SECRET])
{
    uint8_t bits[(HTTP_SECRET - 1) / 2];

    if (getrandom(bits, sizeof(bits), 0) != sizeof(bits))
        return false;
    for (size_t i = 0; i < sizeof(bits); i++)
        snprintf(out + 2 * i, 3, "%02x", bits[i]);
    return true;
}

/* The time tells nothing of the position of the first difference. */
static bool is_token(const struct http_server *s, const char *text)
{
    unsigned difference = 0;

    if (strlen(text) < HTTP_SECRET - 1)
        return false;
    for (unsigned i = 0; i < HTTP_SECRET - 1; i++)
        difference |= (unsigned)(s->token[i] ^ text[i]);
    return !difference;
}

/* --- Requests --------------------------------------------------------------------------------- */

static bool is_allowed(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("_.,=/-", c));
}

/* Whether a path after the token is what struct http_request promises. */
static bool is_plain_path(const char *path)
{
    size_t n = strlen(path);

    if (n > HTTP_PATH || (n && *path == '/'))
        return false;
    for (const char *p = path; *p; p++)
        if (!is_allowed(*p))
            return false;
    for (const char *p = path; *p;) {
        size_t element = strcspn(p, "/");

        if (!element || (element <= 2 && !strncmp(p, "..", element)))
            return false;
        p += element + (p[element] == '/');
    }
    return true;
}

/* The path after "/TOKEN/"; NULL: it has no such start. "/TOKEN" alone has none either: links of
 * its page would miss the token. */
static const char *path_after_token(const struct http_server *s, const char *url)
{
    if (*url != '/' || !is_token(s, url + 1) || url[HTTP_SECRET] != '/')
        return NULL;
    return url + HTTP_SECRET + 1;
}

struct host_check {
    const struct http_server *server;
    unsigned count, right;
};

static enum MHD_Result check_host(void *ctx, enum MHD_ValueKind kind, const char *name,
                                  const char *value)
{
    struct host_check *check = ctx;

    (void)kind;
    if (strcasecmp(name, "Host"))
        return MHD_YES;
    check->count++;
    for (unsigned i = 0; value && i < 2; i++)
        check->right += !strcasecmp(value, check->server->hosts[i]);
    return MHD_YES;
}

static bool has_own_host(const struct http_server *s, struct MHD_Connection *connection)
{
    struct host_check check = {.server = s};

    s->mhd->get_connection_values(connection, MHD_HEADER_KIND, check_host, &check);
    return check.count == 1 && check.right == 1;
}

static bool has_body(const struct http_server *s, struct MHD_Connection *connection)
{
    const char *length =
        s->mhd->lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");

    return s->mhd->lookup_connection_value(connection, MHD_HEADER_KIND, "Transfer-Encoding") ||
           (length && strcmp(length, "0"));
}

/* --- Bodies ----------------------------------------------------------------------------------- */

struct origin_check {
    const struct http_server *server;
    unsigned count, right;
};

static enum MHD_Result check_origin(void *ctx, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    static const char scheme[] = "http://";
    struct origin_check *check = ctx;

    (void)kind;
    if (strcasecmp(name, "Origin"))
        return MHD_YES;
    check->count++;
    for (unsigned i = 0; value && i < 2; i++)
        check->right += !strncmp(value, scheme, sizeof(scheme) - 1) &&
                        !strcmp(value + sizeof(scheme) - 1, check->server->hosts[i]);
    return MHD_YES;
}

/* Browsers name the site of the page in each POST: another site's page is refused. */
static bool has_own_origin(const struct http_server *s, struct MHD_Connection *connection)
{
    struct origin_check check = {.server = s};

    s->mhd->get_connection_values(connection, MHD_HEADER_KIND, check_origin, &check);
    return check.count == 1 && check.right == 1;
}

static bool is_json(const struct http_server *s, struct MHD_Connection *connection)
{
    const char *type = s->mhd->lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Type");

    return type && !strcasecmp(type, "application/json");
}

/* The announced length of a body. False: there is none, or it is too long. */
static bool body_length(const struct http_server *s, struct MHD_Connection *connection, size_t *n)
{
    const char *text =
        s->mhd->lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
    size_t digits = text ? strspn(text, "0123456789") : 0;

    *n = 0;
    if (s->mhd->lookup_connection_value(connection, MHD_HEADER_KIND, "Transfer-Encoding") ||
        !digits || digits > 7 || text[digits])
        return false;
    *n = strtoul(text, NULL, 10);
    return *n <= HTTP_BODY;
}

/* --- Answers ---------------------------------------------------------------------------------- */

void http_fail(struct http_answer *out, unsigned status, bool json, const char *text)
{
    size_t size = 6 * strlen(text) + 32;
    char *to = mem_alloc(size);

    mem_free(out->bytes);
    *out = (struct http_answer){.status = status, .bytes = to};
    out->type = json ? "application/json" : "text/plain; charset=utf-8";
    if (!to)
        return;
    if (!json) {
        out->n = (size_t)snprintf(to, size, "%s\n", text);
        return;
    }
    to += sprintf(to, "{\"error\": \"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        to += c < 32 || c == '"' || c == '\\' || c == '<' ? sprintf(to, "\\u%04x", c)
                                                          : sprintf(to, "%c", c);
    }
    to += sprintf(to, "\"}\n");
    out->n = (size_t)(to - out->bytes);
}

static void add_headers(const struct http_server *s, struct MHD_Response *response,
                        const struct http_answer *a, const char *nonce)
{
    static const char *const always[][2] = {
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"X-Frame-Options", "DENY"},
    };
    char policy[512];

    for (unsigned i = 0; i < sizeof(always) / sizeof(always[0]); i++)
        s->mhd->add_response_header(response, always[i][0], always[i][1]);
    snprintf(policy, sizeof(policy),
             "default-src 'none'; script-src 'nonce-%s'; style-src 'nonce-%s'; "
             "style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; "
             "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
             nonce, nonce);
    s->mhd->add_response_header(response, "Content-Security-Policy", policy);
    s->mhd->add_response_header(response, "Cache-Control",
                                a->unchanging ? "private, max-age=3600, immutable" : "no-store");
    if (a->type)
        s->mhd->add_response_header(response, "Content-Type", a->type);
    if (a->status == HTTP_BAD_METHOD)
        s->mhd->add_response_header(response, "Allow", a->post ? "POST" : "GET, HEAD");
}

/* Sends an answer and frees its bytes. */
static enum MHD_Result send_answer(const struct http_server *s, struct MHD_Connection *connection,
                                   struct http_answer *a, const char *nonce)
{
    struct MHD_Response *response = s->mhd->create_response_from_buffer(
        a->n, a->bytes ? a->bytes : (char *)"", MHD_RESPMEM_MUST_COPY);
    enum MHD_Result result;

    mem_free(a->bytes);
    if (!response)
        return MHD_NO;
    add_headers(s, response, a, nonce);
    result = s->mhd->queue_response(connection, a->status, response);
    s->mhd->destroy_response(response);
    return result;
}

/* Fills the answer to a request that is refused; false: it is not. */
static bool refuse(const struct http_server *s, struct MHD_Connection *connection, const char *url,
                   const char *method, struct http_answer *a)
{
    const char *path = path_after_token(s, url);
    bool takes_post = path && s->options.post && !strcmp(path, s->options.post);
    bool is_post = !strcmp(method, "POST");
    size_t n;

    if (!has_own_host(s, connection))
        http_fail(a, HTTP_FORBIDDEN, false, "this server answers only to its own address");
    else if (!path || !is_plain_path(path))
        http_fail(a, HTTP_NOT_FOUND, false, "not found");
    else if (takes_post ? !is_post : strcmp(method, "GET") && strcmp(method, "HEAD"))
        http_fail(a, HTTP_BAD_METHOD, false,
                  takes_post ? "only POST is allowed" : "only GET and HEAD are allowed");
    else if (!is_post && has_body(s, connection))
        http_fail(a, HTTP_TOO_LARGE, false, "a request has no body");
    else if (is_post && !has_own_origin(s, connection))
        http_fail(a, HTTP_FORBIDDEN, false, "only a page of this server may change something");
    else if (is_post && !is_json(s, connection))
        http_fail(a, HTTP_BAD_TYPE, false, "the body must be application/json");
    else if (is_post && !body_length(s, connection, &n))
        http_fail(a, HTTP_TOO_LARGE, false, "the body is too long, or its length is not announced");
    else
        return false;
    a->post = takes_post;
    return true;
}

/* The memory of a body; NULL: out of memory. */
static struct upload *begin_upload(const struct http_server *s, struct MHD_Connection *connection,
                                   const char *method)
{
    size_t size = 0;
    struct upload *up;

    if (!strcmp(method, "POST"))
        (void)body_length(s, connection, &size);
    up = mem_alloc(sizeof(*up) + size + 1);
    if (!up)
        return NULL;
    up->n = 0;
    up->size = size;
    up->body[0] = 0;
    return up;
}

static enum MHD_Result receive(struct upload *up, const char *bytes, size_t *n)
{
    if (*n > up->size - up->n)
        return MHD_NO;
    memcpy(up->body + up->n, bytes, *n);
    up->n += *n;
    up->body[up->n] = 0;
    *n = 0;
    return MHD_YES;
}

static void end_upload(void *ctx, struct MHD_Connection *connection, void **seen,
                       enum MHD_RequestTerminationCode why)
{
    (void)ctx;
    (void)connection;
    (void)why;
    mem_free(*seen);
    *seen = NULL;
}

static enum MHD_Result handle(void *ctx, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **seen)
{
    struct http_server *s = ctx;
    struct http_request request = {0};
    struct http_answer a = {0};
    struct upload *up = *seen;

    (void)version;
    /* The first call is that of the headers; a request that is refused ends here, with its body
     * unread. */
    if (!up) {
        if (refuse(s, connection, url, method, &a))
            return send_answer(s, connection, &a, "");
        *seen = begin_upload(s, connection, method);
        return *seen ? MHD_YES : MHD_NO;
    }
    if (*upload_size)
        return receive(up, upload, upload_size);
    request.path = path_after_token(s, url);
    request.body = up->size || !strcmp(method, "POST") ? up->body : NULL;
    request.n_body = up->n;
    if (!request.path || !make_secret(request.nonce))
        return MHD_NO;
    request.frame = s->mhd->lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "frame");
    s->options.answer(s->options.ctx, &request, &a);
    return send_answer(s, connection, &a, request.nonce);
}

/* Paths keep their escapes, which is_plain_path refuses: what is checked is what was sent. */
static size_t keep_escapes(void *ctx, struct MHD_Connection *connection, char *text)
{
    (void)ctx;
    (void)connection;
    return strlen(text);
}

static void drop_log(void *ctx, const char *format, va_list arguments)
{
    (void)ctx;
    (void)format;
    (void)arguments;
}

/* --- Start and stop --------------------------------------------------------------------------- */

static enum status start(struct http_server *s, const char **reason)
{
    enum status st = mhd_open(&s->mhd, reason);
    int fd;

    if (st != ST_OK)
        return st;
    if (!make_secret(s->token) || (fd = loopback_listen(s->options.port, CONNECTIONS, &s->port)) < 0) {
        *reason = strerror(errno);
        return ST_IO;
    }
    snprintf(s->hosts[0], sizeof(s->hosts[0]), "127.0.0.1:%u", s->port);
    snprintf(s->hosts[1], sizeof(s->hosts[1]), "localhost:%u", s->port);
    snprintf(s->address, sizeof(s->address), "http://%s/%s/", s->hosts[0], s->token);
    /* clang-format off */
    s->daemon = s->mhd->start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL |
            MHD_USE_ERROR_LOG,
        0, NULL, NULL, handle, s,
        MHD_OPTION_EXTERNAL_LOGGER, drop_log, NULL,
        MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK_BYTES,
        MHD_OPTION_NOTIFY_COMPLETED, end_upload, NULL,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_END);
    /* clang-format on */
    if (s->daemon)
        return ST_OK;
    *reason = "the HTTP server does not start";
    close(fd);
    return ST_IO;
}

enum status http_start(struct http_server **out, const struct http_options *options,
                       const char **reason)
{
    struct http_server *s = mem_calloc(1, sizeof(*s));
    enum status st = ST_NOMEM;

    *out = NULL;
    *reason = status_text(ST_NOMEM);
    if (s) {
        s->options = *options;
        st = start(s, reason);
    }
    if (st == ST_OK)
        *out = s;
    else
        mem_free(s);
    return st;
}

void http_stop(struct http_server *s)
{
    if (!s)
        return;
    s->mhd->stop_daemon(s->daemon);
    mem_free(s);
}

const char *http_address(const struct http_server *s)
{
    return s->address;
}
