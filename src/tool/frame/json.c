/* JSON values of answers from bytes, floats and arguments of a capture.
 *
 * Tested by tests/unit/tool/frame/test_json.c. */
#include "tool/frame/json.h"

#include "tool/frame/answer.h"
#include "util/text_stream.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Text ------------------------------------------------------------------------------------- */

/* The length of the UTF-8 character at `at`, which has n bytes; 0: there is none. */
static unsigned character(const uint8_t *at, size_t n, uint32_t *out)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned length = at[0] < 0x80 ? 1 : at[0] >> 5 == 6 ? 2 : at[0] >> 4 == 14 ? 3 : 4;
    uint32_t c = length == 1 ? at[0] : at[0] & (0x7fu >> length);

    if (length == 4 && at[0] >> 3 != 30)
        return 0;
    if (length > n)
        return 0;
    for (unsigned i = 1; i < length; i++) {
        if (at[i] >> 6 != 2)
            return 0;
        c = c << 6 | (at[i] & 63u);
    }
    if (c < least[length] || c > 0x10ffff || c >> 11 == 27)
        return 0;
    *out = c;
    return length;
}

static void put_utf8(FILE *out, uint32_t c)
{
    if (c > 0x10ffff || c >> 11 == 27)
        c = 0xfffd;
    if (c < 0x80) {
        fputc((int)c, out);
    } else if (c < 0x800) {
        fputc((int)(0xc0 | c >> 6), out);
        fputc((int)(0x80 | (c & 63)), out);
    } else if (c < 0x10000) {
        fputc((int)(0xe0 | c >> 12), out);
        fputc((int)(0x80 | (c >> 6 & 63)), out);
        fputc((int)(0x80 | (c & 63)), out);
    } else {
        fputc((int)(0xf0 | c >> 18), out);
        fputc((int)(0x80 | (c >> 12 & 63)), out);
        fputc((int)(0x80 | (c >> 6 & 63)), out);
        fputc((int)(0x80 | (c & 63)), out);
    }
}

char *frame_utf8(const char *bytes, size_t n)
{
    const uint8_t *at = (const uint8_t *)bytes;
    char *text = NULL;
    size_t size;
    FILE *out = text_stream_open(&text, &size);

    while (out && n) {
        uint32_t c = 0xfffd;
        unsigned length = character(at, n, &c);

        put_utf8(out, c);
        at += length ? length : 1;
        n -= length ? length : 1;
    }
    return text_stream_close(out, &text, &size);
}

/* Code units: pairs of surrogates are one character. */
static void put_wide(FILE *out, const uint32_t *units, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = units[i];

        if (c >> 10 == 54 && i + 1 < n && units[i + 1] >> 10 == 55)
            c = 0x10000 + ((c & 1023) << 10 | (units[++i] & 1023));
        put_utf8(out, c);
    }
}

char *frame_trace_text(const struct trace_value *value)
{
    char *text = NULL;
    size_t size;
    FILE *out;

    if (value->kind == TRACE_STRING)
        return frame_utf8(value->u.text, value->count);
    if (value->kind != TRACE_WSTRING)
        return NULL;
    out = text_stream_open(&text, &size);
    if (out)
        put_wide(out, value->u.units, value->count);
    return text_stream_close(out, &text, &size);
}

/* --- Arguments -------------------------------------------------------------------------------- */

enum { LONGEST = 2000 }; /* of an argument: bytes; the rest is "…" */

static void put_value(FILE *out, const struct trace_value *value);

static void put_items(FILE *out, const struct trace_value *value)
{
    bool named = value->kind == TRACE_STRUCT;

    fputc('{', out);
    for (uint32_t i = 0; i < value->count && ftell(out) < LONGEST; i++) {
        fprintf(out, "%s", i ? ", " : "");
        if (named && value->type->members[i][0])
            fprintf(out, "%s = ", value->type->members[i]);
        put_value(out, &value->u.items[i]);
    }
    fputc('}', out);
}

static void put_bits(FILE *out, const struct trace_value *value)
{
    uint64_t rest = value->u.uint;
    const char *separator = "";

    for (uint32_t i = 0; i < value->names->count && rest; i++) {
        uint64_t bits = (uint64_t)value->names->entries[i].value;

        if (!bits || (rest & bits) != bits)
            continue;
        fprintf(out, "%s%s", separator, value->names->entries[i].name);
        separator = "|";
        rest &= ~bits;
    }
    if (rest || !*separator)
        fprintf(out, "%s0x%" PRIx64, separator, rest);
}

static void put_enum(FILE *out, const struct trace_value *value)
{
    for (uint32_t i = 0; i < value->names->count; i++)
        if (value->names->entries[i].value == value->u.sint) {
            fputs(value->names->entries[i].name, out);
            return;
        }
    fprintf(out, "%" PRId64, value->u.sint);
}

static void put_value(FILE *out, const struct trace_value *value)
{
    char *text;
    float x;

    switch (value->kind) {
    case TRACE_MISSING:
        fputc('?', out);
        break;
    case TRACE_NULL:
        fputs("NULL", out);
        break;
    case TRACE_BOOL:
        fputs(value->u.uint ? "TRUE" : "FALSE", out);
        break;
    case TRACE_SINT:
        fprintf(out, "%" PRId64, value->u.sint);
        break;
    case TRACE_UINT:
        fprintf(out, "%" PRIu64, value->u.uint);
        break;
    case TRACE_FLOAT:
        memcpy(&x, &value->u.float_bits, sizeof(x));
        fprintf(out, "%.9g", (double)x);
        break;
    case TRACE_DOUBLE:
        fprintf(out, "%.17g", value->u.real);
        break;
    case TRACE_STRING:
    case TRACE_WSTRING:
        text = frame_trace_text(value);
        fprintf(out, "\"%s\"", text ? text : "");
        free(text);
        break;
    case TRACE_BLOB:
        fprintf(out, "%" PRIu32 " bytes", value->count);
        break;
    case TRACE_ENUM:
        put_enum(out, value);
        break;
    case TRACE_BITMASK:
        put_bits(out, value);
        break;
    case TRACE_ARRAY:
    case TRACE_STRUCT:
        put_items(out, value);
        break;
    case TRACE_OPAQUE:
        fprintf(out, "0x%" PRIx64, value->u.uint);
        break;
    case TRACE_REPR:
        put_value(out, &value->u.items[0]);
        break;
    }
}

char *frame_argument_text(const struct trace_value *value)
{
    char *text = NULL, *whole, *valid;
    size_t size = 0, n;
    FILE *out = text_stream_open(&text, &size);

    if (out)
        put_value(out, value);
    whole = text_stream_close(out, &text, &size);
    if (!whole)
        return NULL;
    n = strlen(whole);
    if (n > LONGEST) {
        n = LONGEST;
        while (n && ((uint8_t)whole[n] & 0xc0) == 0x80)
            n--;
        memcpy(whole + n, "…", sizeof("…"));
    }
    valid = frame_utf8(whole, strlen(whole));
    free(whole);
    return valid;
}

/* --- Members ---------------------------------------------------------------------------------- */

void frame_add_text(cJSON *object, const char *key, const char *text)
{
    char *valid = text ? frame_utf8(text, strlen(text)) : NULL;

    if (valid)
        cJSON_AddStringToObject(object, key, valid);
    free(valid);
}

void frame_add_number(cJSON *object, const char *key, double value)
{
    cJSON_AddNumberToObject(object, key, value);
}

cJSON *frame_float(float value)
{
    char text[32];

    if (!isfinite(value))
        return cJSON_CreateString(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    /* cJSON prints doubles with up to 17 digits; nine give a float back, and are shorter. */
    snprintf(text, sizeof(text), "%.9g", (double)value);
    return cJSON_CreateNumber(strtod(text, NULL));
}

cJSON *frame_floats(const float *values, unsigned n)
{
    cJSON *array = cJSON_CreateArray();

    for (unsigned i = 0; i < n; i++)
        cJSON_AddItemToArray(array, frame_float(values[i]));
    return array;
}

cJSON *frame_add_array(cJSON *object, const char *key)
{
    return cJSON_AddArrayToObject(object, key);
}

cJSON *frame_add_object(cJSON *object, const char *key)
{
    return cJSON_AddObjectToObject(object, key);
}

cJSON *frame_append(cJSON *array)
{
    cJSON *object = cJSON_CreateObject();

    cJSON_AddItemToArray(array, object);
    return object;
}

/* --- Answers as text -------------------------------------------------------------------------- */

static void put_escape(char **to, uint32_t c)
{
    if (c >= 0x10000) {
        *to += sprintf(*to, "\\u%04x", (unsigned)(0xd7c0 + (c >> 10)));
        c = 0xdc00 | (c & 1023);
    }
    *to += sprintf(*to, "\\u%04x", (unsigned)c);
}

char *frame_answer_text(const cJSON *answer)
{
    char *printed = cJSON_PrintUnformatted(answer), *text, *to;
    size_t n = printed ? strlen(printed) : 0, more = 0;

    for (size_t i = 0; i < n; i++)
        more += (uint8_t)printed[i] >= 0x80 || printed[i] == '<' || printed[i] == '>' ||
                printed[i] == '&';
    text = to = printed ? cJSON_malloc(n + 6 * more + 1) : NULL;
    for (size_t i = 0; text && i < n;) {
        uint32_t c = 0xfffd;
        unsigned length = character((const uint8_t *)printed + i, n - i, &c);

        if (c < 0x80 && c != '<' && c != '>' && c != '&')
            *to++ = (char)c;
        else
            put_escape(&to, c);
        i += length ? length : 1;
    }
    if (text)
        *to = 0;
    cJSON_free(printed);
    return text;
}
