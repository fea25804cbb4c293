/* Answers of the server: who may ask, which target is meant, and the headers of HTTP.
 *
 * A page of another site may have its name resolved to 127.0.0.1 (DNS rebinding), so the header
 * Host must name this machine. It may also send a POST, so that one needs the token of the panel's
 * page, and the right Origin. */
#include "control/answer.h"

#include "control/page.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- HTTP ------------------------------------------------------------------------------------- */

static const char *status_line(enum control_status status)
{
    switch (status) {
    case CONTROL_OK:
        return "200 OK";
    case CONTROL_FORBIDDEN:
        return "403 Forbidden";
    case CONTROL_NOT_FOUND:
        return "404 Not Found";
    case CONTROL_BAD_METHOD:
        return "405 Method Not Allowed";
    case CONTROL_NO_LENGTH:
        return "411 Length Required";
    case CONTROL_TOO_LARGE:
        return "413 Content Too Large";
    case CONTROL_BAD_TYPE:
        return "415 Unsupported Media Type";
    case CONTROL_HEAD_TOO_LARGE:
        return "431 Request Header Fields Too Large";
    case CONTROL_FAILED:
        return "500 Internal Server Error";
    case CONTROL_BAD_VERSION:
        return "505 HTTP Version Not Supported";
    default:
        return "400 Bad Request";
    }
}

/* An answer under construction. */
struct answer {
    enum control_status status;
    const char *type;
    const char *allow;        /* methods of the target */
    char nonce[SECRET_BYTES]; /* of a page's scripts and styles; empty: none */
    struct control_body body;
};

/* status: the one that stands in for an answer without memory. */
static void put_answer(struct answer *a, bool head_alone, struct control_body *out)
{
    if (a->body.failed) {
        control_body_free(&a->body);
        a->status = CONTROL_FAILED;
    }
    control_format(out, "HTTP/1.1 %s\r\nConnection: close\r\nCache-Control: no-store\r\n",
                   status_line(a->status));
    control_put(out, "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
                     "Cross-Origin-Resource-Policy: same-origin\r\n"
                     "Cross-Origin-Opener-Policy: same-origin\r\nX-Frame-Options: DENY\r\n"
                     "Content-Security-Policy: default-src 'none'; base-uri 'none'; "
                     "form-action 'none'; frame-ancestors 'none'");
    if (a->nonce[0])
        control_format(out,
                       "; connect-src 'self'; img-src data:; script-src 'nonce-%s'; "
                       "style-src 'nonce-%s'",
                       a->nonce, a->nonce);
    if (a->status == CONTROL_BAD_METHOD)
        control_format(out, "\r\nAllow: %s", a->allow ? a->allow : "GET, HEAD, POST");
    control_format(out, "\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n", a->type, a->body.n);
    if (!head_alone)
        control_put_bytes(out, a->body.bytes, a->body.n);
    control_body_free(&a->body);
}

static void refuse(struct answer *a, enum control_status status, const char *why)
{
    a->status = status;
    a->type = "text/plain; charset=utf-8";
    control_format(&a->body, "%s\n", why);
}

void answer_refusal(enum control_status status, struct control_body *out)
{
    struct answer a = {0};

    refuse(&a, status, status_line(status) + 4);
    put_answer(&a, false, out);
}

/* --- Who may ask ------------------------------------------------------------------------------ */

/* Whether a text is this server's address. Browsers leave out the port of HTTP, 80. */
static bool is_own_host(const struct answer_place *place, const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char text[32];

    for (unsigned i = 0; i < 2; i++) {
        snprintf(text, sizeof(text), "%s:%u", names[i], place->port);
        if (!strcasecmp(host, text) || (place->port == 80 && !strcasecmp(host, names[i])))
            return true;
    }
    return false;
}

static bool is_own_origin(const struct answer_place *place, const struct control_request *request)
{
    static const char scheme[] = "http://";

    return !request->has_origin || (!strncmp(request->origin, scheme, sizeof(scheme) - 1) &&
                                    is_own_host(place, request->origin + sizeof(scheme) - 1));
}

/* --- Targets ---------------------------------------------------------------------------------- */

static void answer_page(const struct answer_place *place, struct answer *a)
{
    if (!secret_make(a->nonce)) {
        refuse(a, CONTROL_FAILED, "the system gives no random numbers");
        return;
    }
    a->type = "text/html; charset=utf-8";
    page_put(&a->body, a->nonce, place->token);
}

static void answer_figures(const struct answer_place *place, struct answer *a)
{
    place->handler.figures(place->handler.ctx, &a->body);
}

static void answer_settings(const struct answer_place *place, struct answer *a)
{
    place->handler.settings(place->handler.ctx, &a->body);
}

/* A form that names a setting with its value, or an action. */
static void answer_form(const struct answer_place *place, const struct control_request *request,
                        const char *form, bool is_action, struct answer *a)
{
    const struct control_handler *handler = &place->handler;
    char name[CONTROL_FIELD_BYTES], value[CONTROL_VALUE_BYTES];
    struct control_body why = {0};
    bool good;

    if (!is_own_origin(place, request) || !secret_is(place->token, request->token)) {
        refuse(a, CONTROL_FORBIDDEN, "only the page of this panel may change something");
        return;
    }
    if (strcasecmp(request->type, "application/x-www-form-urlencoded")) {
        refuse(a, CONTROL_BAD_TYPE, "the body must be application/x-www-form-urlencoded");
        return;
    }
    if (!control_parse_form(form, request->body, name, value)) {
        refuse(a, CONTROL_BAD_REQUEST, "the body must be name=...&value=...");
        return;
    }
    good = is_action ? handler->act(handler->ctx, name, &why)
                     : handler->set(handler->ctx, name, value, &why);
    control_put_bytes(&why, "", 1);
    a->status = good ? CONTROL_OK : CONTROL_BAD_REQUEST;
    control_put(&a->body, good ? "{\"ok\": true" : "{\"ok\": false, \"error\": ");
    if (!good)
        control_put_string(&a->body, why.failed ? "out of memory" : why.bytes);
    control_put(&a->body, "}\n");
    control_body_free(&why);
}

static const struct {
    const char *path;
    void (*get)(const struct answer_place *place, struct answer *a); /* NULL: takes forms */
    bool is_action;
} targets[] = {
    {"/", answer_page, false},
    {"/figures", answer_figures, false},
    {"/settings", answer_settings, false},
    {"/set", NULL, false},
    {"/act", NULL, true},
};
enum { TARGETS = sizeof(targets) / sizeof(targets[0]) };

static void answer_target(const struct answer_place *place, const struct control_request *request,
                          const char *form, struct answer *a)
{
    unsigned i = 0;

    while (i < TARGETS && strcmp(targets[i].path, request->target))
        i++;
    if (i == TARGETS) {
        refuse(a, CONTROL_NOT_FOUND, "not found");
    } else if ((request->method == CONTROL_POST) != !targets[i].get) {
        a->allow = targets[i].get ? "GET, HEAD" : "POST";
        refuse(a, CONTROL_BAD_METHOD, "another method is allowed");
    } else if (targets[i].get) {
        targets[i].get(place, a);
    } else {
        answer_form(place, request, form, targets[i].is_action, a);
    }
}

void answer_request(const struct answer_place *place, const char *head, size_t head_length,
                    const char *body, struct control_body *out)
{
    struct answer a = {.status = CONTROL_OK, .type = "application/json"};
    struct control_request request;
    enum control_status status = control_parse_head(head, head_length, &request);

    if (status != CONTROL_OK)
        refuse(&a, status, status_line(status) + 4);
    else if (!is_own_host(place, request.host))
        refuse(&a, CONTROL_FORBIDDEN, "this server answers only to its own address");
    else
        answer_target(place, &request, body, &a);
    put_answer(&a, status == CONTROL_OK && request.method == CONTROL_HEAD, out);
}
