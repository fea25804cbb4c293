/* A growable text: the body of an answer, as JSON or HTML. Private to the folder, and for the
 * functions of struct control_handler. */
#ifndef CONTROL_BODY_H
#define CONTROL_BODY_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>

/* All zero: empty. Once memory runs out, the text stays as it is and `failed` is set. */
struct control_body {
    char *bytes; /* no terminating zero */
    size_t n, room;
    bool failed;
};

void control_put_bytes(struct control_body *body, const char *bytes, size_t n);
void control_put(struct control_body *body, const char *text);
/* A formatted text below 512 bytes. Numbers are integers: the program's locale may have another
 * decimal point. */
void control_format(struct control_body *body, const char *format, ...) PRINTF_LIKE(2, 3);
/* Puts a string of JSON with its quotes; NULL: null. Safe inside a script element. */
void control_put_string(struct control_body *body, const char *text);
/* Frees the memory and empties the text. */
void control_body_free(struct control_body *body);

#endif
