/* Parser of HTTP/1 requests (RFC 9112), stricter than it has to be: lines end with CR LF, no header
 * has a second line, and fields that decide about the request stand in it once. */
#include "control/request.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

static bool is_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* A character of a header's name (RFC 9110, token). */
static bool is_token(char c)
{
    return is_alphanumeric(c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

size_t control_head_length(const char *bytes, size_t n)
{
    for (size_t i = 3; i < n; i++)
        if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' &&
            bytes[i - 3] == '\r')
            return i + 1;
    return 0;
}

/* --- The request's line ----------------------------------------------------------------------- */

/* A part of the head. */
struct span {
    const char *at;
    size_t n;
};

static bool is_text(struct span s, const char *text)
{
    return s.n == strlen(text) && !memcmp(s.at, text, s.n);
}

static bool is_name(struct span s, const char *text)
{
    return s.n == strlen(text) && !strncasecmp(s.at, text, s.n);
}

/* Takes the next word up to a blank or the end. */
static struct span next_word(struct span *line)
{
    const char *blank = memchr(line->at, ' ', line->n);
    struct span word = {line->at, blank ? (size_t)(blank - line->at) : line->n};
    size_t taken = word.n + (blank != NULL);

    line->at += taken;
    line->n -= taken;
    return word;
}

static bool parse_method(struct span word, enum control_method *out)
{
    static const char *const names[] = {
        [CONTROL_GET] = "GET", [CONTROL_HEAD] = "HEAD", [CONTROL_POST] = "POST"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!is_text(word, names[i]))
            continue;
        *out = (enum control_method)i;
        return true;
    }
    return false;
}

static enum control_status parse_target(struct span word, char out[CONTROL_TARGET_BYTES])
{
    const char *query = memchr(word.at, '?', word.n);
    size_t n = query ? (size_t)(query - word.at) : word.n;

    if (!n || word.at[0] != '/')
        return CONTROL_BAD_REQUEST;
    if (n >= CONTROL_TARGET_BYTES)
        return CONTROL_NOT_FOUND;
    for (size_t i = 0; i < n; i++)
        if (!is_alphanumeric(word.at[i]) && !strchr("_-./", word.at[i]))
            return CONTROL_NOT_FOUND;
    memcpy(out, word.at, n);
    out[n] = '\0';
    return CONTROL_OK;
}

/* `METHOD TARGET HTTP/1.x` */
static enum control_status parse_line(struct span line, struct control_request *out)
{
    struct span method = next_word(&line), target = next_word(&line), version = line;
    enum control_status status;

    if (!method.n || !target.n || version.n != 8 || memcmp(version.at, "HTTP/", 5))
        return CONTROL_BAD_REQUEST;
    status = parse_target(target, out->target);
    if (!is_text(version, "HTTP/1.1") && !is_text(version, "HTTP/1.0"))
        return CONTROL_BAD_VERSION;
    if (status == CONTROL_OK && !parse_method(method, &out->method))
        return CONTROL_BAD_METHOD;
    return status;
}

/* --- Headers ---------------------------------------------------------------------------------- */

static struct span trim(struct span s)
{
    while (s.n && (s.at[0] == ' ' || s.at[0] == '\t')) {
        s.at++;
        s.n--;
    }
    while (s.n && (s.at[s.n - 1] == ' ' || s.at[s.n - 1] == '\t'))
        s.n--;
    return s;
}

/* Values have visible characters and blanks. */
static bool has_controls(struct span s)
{
    for (size_t i = 0; i < s.n; i++)
        if (((unsigned char)s.at[i] < 32 && s.at[i] != '\t') || s.at[i] == 127)
            return true;
    return false;
}

/* Fields that may stand in a request once. */
struct seen {
    bool host, origin, token, type, length;
};

static enum control_status store(struct span value, char out[CONTROL_FIELD_BYTES], bool *seen)
{
    if (*seen || value.n >= CONTROL_FIELD_BYTES)
        return CONTROL_BAD_REQUEST;
    *seen = true;
    memcpy(out, value.at, value.n);
    out[value.n] = '\0';
    return CONTROL_OK;
}

static enum control_status parse_length(struct span value, size_t *out, bool *seen)
{
    size_t length = 0;

    if (*seen || !value.n)
        return CONTROL_BAD_REQUEST;
    *seen = true;
    for (size_t i = 0; i < value.n; i++) {
        if (value.at[i] < '0' || value.at[i] > '9')
            return CONTROL_BAD_REQUEST;
        if (length <= CONTROL_BODY_BYTES)
            length = 10 * length + (size_t)(value.at[i] - '0');
    }
    *out = length;
    return length <= CONTROL_BODY_BYTES ? CONTROL_OK : CONTROL_TOO_LARGE;
}

static enum control_status parse_header(struct span line, struct control_request *out,
                                        struct seen *seen)
{
    const char *colon = memchr(line.at, ':', line.n), *semicolon;
    struct span name = {line.at, colon ? (size_t)(colon - line.at) : 0}, value;

    if (!name.n)
        return CONTROL_BAD_REQUEST;
    for (size_t i = 0; i < name.n; i++)
        if (!is_token(name.at[i]))
            return CONTROL_BAD_REQUEST;
    value = trim((struct span){colon + 1, line.n - name.n - 1});
    if (has_controls(value))
        return CONTROL_BAD_REQUEST;
    if (is_name(name, "Host"))
        return store(value, out->host, &seen->host);
    if (is_name(name, "Origin"))
        return store(value, out->origin, &seen->origin);
    if (is_name(name, "X-Novem-Token"))
        return store(value, out->token, &seen->token);
    if (is_name(name, "Content-Length"))
        return parse_length(value, &out->body, &seen->length);
    if (is_name(name, "Transfer-Encoding"))
        return CONTROL_NO_LENGTH;
    if (!is_name(name, "Content-Type"))
        return CONTROL_OK;
    semicolon = memchr(value.at, ';', value.n);
    if (semicolon)
        value.n = (size_t)(semicolon - value.at);
    return store(trim(value), out->type, &seen->type);
}

enum control_status control_parse_head(const char *bytes, size_t n, struct control_request *out)
{
    struct span rest = {bytes, n};
    struct seen seen = {0};
    enum control_status status = CONTROL_OK;

    *out = (struct control_request){0};
    for (unsigned number = 0; status == CONTROL_OK; number++) {
        const char *end = memchr(rest.at, '\n', rest.n);
        struct span line = {rest.at, end ? (size_t)(end - rest.at) : 0};

        if (!line.n || line.at[line.n - 1] != '\r')
            return CONTROL_BAD_REQUEST;
        rest.at += line.n + 1;
        rest.n -= line.n + 1;
        line.n--;
        if (!line.n)
            break;
        status = number ? parse_header(line, out, &seen) : parse_line(line, out);
    }
    if (status != CONTROL_OK)
        return status;
    out->has_origin = seen.origin;
    if (!seen.host || !out->target[0])
        return CONTROL_BAD_REQUEST;
    if (out->method != CONTROL_POST && out->body)
        return CONTROL_TOO_LARGE;
    return out->method == CONTROL_POST && !seen.length ? CONTROL_NO_LENGTH : CONTROL_OK;
}

/* --- Forms ------------------------------------------------------------------------------------ */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Decodes a text of application/x-www-form-urlencoded. Control characters are refused. */
static bool decode(struct span s, char *out, size_t room)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++) {
        int c = (unsigned char)s.at[i];

        if (c == '%') {
            int high = i + 2 < s.n ? hex_digit(s.at[i + 1]) : -1;
            int low = i + 2 < s.n ? hex_digit(s.at[i + 2]) : -1;

            if (high < 0 || low < 0)
                return false;
            c = 16 * high + low;
            i += 2;
        } else if (c == '+') {
            c = ' ';
        }
        if (c < 32 || c == 127 || n + 1 >= room)
            return false;
        out[n++] = (char)c;
    }
    out[n] = '\0';
    return true;
}

/* Takes the field up to the next `&`. */
static struct span next_field(struct span *rest)
{
    const char *end = memchr(rest->at, '&', rest->n);
    struct span field = {rest->at, end ? (size_t)(end - rest->at) : rest->n};
    size_t taken = field.n + (end != NULL);

    rest->at += taken;
    rest->n -= taken;
    return field;
}

bool control_parse_form(const char *bytes, size_t n, char name[CONTROL_FIELD_BYTES],
                        char value[CONTROL_VALUE_BYTES])
{
    struct span rest = {bytes, n};
    bool has_name = false, has_value = false;

    name[0] = value[0] = '\0';
    while (rest.n) {
        struct span field = next_field(&rest), key = field, text;
        const char *equals = memchr(field.at, '=', field.n);

        if (!equals)
            return false;
        key.n = (size_t)(equals - field.at);
        text = (struct span){equals + 1, field.n - key.n - 1};
        if (is_text(key, "name") && !has_name)
            has_name = decode(text, name, CONTROL_FIELD_BYTES);
        else if (is_text(key, "value") && !has_value)
            has_value = decode(text, value, CONTROL_VALUE_BYTES);
        else
            return false;
        if (is_text(key, "name") ? !has_name : !has_value)
            return false;
    }
    return has_name && *name;
}
