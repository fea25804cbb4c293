/* Growable text with strings of JSON. */
#include "control/body.h"

#include "util/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

static bool reserve(struct control_body *body, size_t n)
{
    size_t room = body->room ? body->room : FIRST_ROOM;
    char *bytes;

    if (body->failed || n <= body->room - body->n)
        return !body->failed;
    while (room - body->n < n)
        room *= 2;
    bytes = mem_realloc(body->bytes, room);
    body->failed = !bytes;
    if (!bytes)
        return false;
    body->bytes = bytes;
    body->room = room;
    return true;
}

void control_put_bytes(struct control_body *body, const char *bytes, size_t n)
{
    if (!n || !reserve(body, n))
        return;
    memcpy(body->bytes + body->n, bytes, n);
    body->n += n;
}

void control_put(struct control_body *body, const char *text)
{
    control_put_bytes(body, text, strlen(text));
}

void control_format(struct control_body *body, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    control_put(body, text);
}

/* `<` is escaped for scripts; DEL and bytes of UTF-8 stay. */
void control_put_string(struct control_body *body, const char *text)
{
    if (!text) {
        control_put(body, "null");
        return;
    }
    control_put(body, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c < 32 || c == '"' || c == '\\' || c == '<')
            control_format(body, "\\u%04x", c);
        else
            control_put_bytes(body, text, 1);
    }
    control_put(body, "\"");
}

void control_body_free(struct control_body *body)
{
    mem_free(body->bytes);
    *body = (struct control_body){0};
}
