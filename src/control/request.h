/* Parser of HTTP/1 requests. Private to the folder. */
#ifndef CONTROL_REQUEST_H
#define CONTROL_REQUEST_H

#include "control/control.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a request's line and headers with the empty line, and of its body. */
enum { CONTROL_HEAD_BYTES = 8192, CONTROL_BODY_BYTES = 4096 };
enum { CONTROL_TARGET_BYTES = 64, CONTROL_FIELD_BYTES = 64 };

enum control_status {
    CONTROL_OK = 200,
    CONTROL_BAD_REQUEST = 400,
    CONTROL_FORBIDDEN = 403,
    CONTROL_NOT_FOUND = 404,
    CONTROL_BAD_METHOD = 405,
    CONTROL_NO_LENGTH = 411,
    CONTROL_TOO_LARGE = 413,
    CONTROL_BAD_TYPE = 415,
    CONTROL_HEAD_TOO_LARGE = 431,
    CONTROL_FAILED = 500,
    CONTROL_BAD_VERSION = 505
};

enum control_method { CONTROL_GET, CONTROL_HEAD, CONTROL_POST };

/* The parts of a request that the server needs. Texts that a request lacks are empty; those that
 * are too long for their array are refused. */
struct control_request {
    enum control_method method;
    char target[CONTROL_TARGET_BYTES]; /* path without query: letters, digits and _-./ */
    char host[CONTROL_FIELD_BYTES], origin[CONTROL_FIELD_BYTES], token[CONTROL_FIELD_BYTES];
    char type[CONTROL_FIELD_BYTES]; /* Content-Type without parameters */
    bool has_origin;
    size_t body; /* its length in bytes */
};

/* Returns the length of the head, with its empty line, at the start of the bytes; 0: it is not
 * complete. */
size_t control_head_length(const char *bytes, size_t n);
/* Parses a head of that length. CONTROL_OK, or the reason why the request is refused. */
enum control_status control_parse_head(const char *bytes, size_t n, struct control_request *out);
/* Parses the body `name=…&value=…` of a form, with both fields or with the name alone. *value is
 * empty without one. False: other fields, a wrong escape, a zero byte, or a text that is too long.
 */
bool control_parse_form(const char *bytes, size_t n, char name[CONTROL_FIELD_BYTES],
                        char value[CONTROL_VALUE_BYTES]);

#endif
