/* Parser of the paths of a frame's pages, answers and pictures. */
#include "tool/serve/key.h"

#include <string.h>

/* --- Parts ------------------------------------------------------------------------------------ */

/* Skips a word; false: the text has another one. */
static bool skip(const char **at, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(*at, word, n))
        return false;
    *at += n;
    return true;
}

/* Reads a decimal number without leading zeros. */
static bool number(const char **at, uint64_t most, uint64_t *out)
{
    const char *p = *at;
    uint64_t value = 0;

    if (*p < '0' || *p > '9' || (*p == '0' && p[1] >= '0' && p[1] <= '9'))
        return false;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');

        if (value > (most - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *at = p;
    *out = value;
    return true;
}

static bool number32(const char **at, uint32_t *out)
{
    uint64_t value = 0;
    bool good = number(at, UINT32_MAX, &value);

    *out = (uint32_t)value;
    return good;
}

/* A picture's name: small letters, digits and '-', then .png or .f32. */
static bool picture(struct serve_key *out, const char *name)
{
    size_t n = strspn(name, "0123456789abcdefghijklmnopqrstuvwxyz-");

    out->picture = name;
    out->raw = !strcmp(name + n, ".f32");
    return n && n < SERVE_NAME - 4 && (out->raw || !strcmp(name + n, ".png"));
}

/* Whether a key consists of elements that are neither empty nor dots. */
static bool is_key(const char *text)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,=-";

    for (;;) {
        size_t n = strspn(text, letters);

        if (!n || (n <= 2 && !strncmp(text, "..", n)))
            return false;
        text += n;
        if (!*text)
            return true;
        if (*text++ != '/')
            return false;
    }
}

/* --- Keys ------------------------------------------------------------------------------------- */

static bool pixel(struct serve_key *out, const char *at)
{
    out->kind = SERVE_PIXEL;
    return number(&at, UINT64_MAX, &out->call) && skip(&at, "/") && number32(&at, &out->resource) &&
           skip(&at, "/") && number32(&at, &out->x) && skip(&at, "/") && number32(&at, &out->y) &&
           !*at;
}

/* "ID/KEY" */
static bool edit(struct serve_key *out, const char *at)
{
    size_t n = strspn(at, "0123456789abcdef");
    struct serve_key rest;

    if (n != SERVE_EDIT_ID - 1 || at[n] != '/')
        return false;
    memcpy(out->edit, at, n);
    out->edit[n] = 0;
    out->rest = at + n + 1;
    out->kind = SERVE_CAPTURE;
    if (!strcmp(out->rest, "capture"))
        return true;
    out->kind = SERVE_EDIT;
    return serve_key_parse_data(&rest, out->rest) && rest.kind == SERVE_ANSWER;
}

bool serve_key_parse_data(struct serve_key *out, const char *key)
{
    const char *at = key;

    out->key = key;
    if (!is_key(key))
        return false;
    out->kind = !strcmp(key, "frame") ? SERVE_FRAME : SERVE_FILM;
    if (!strcmp(key, "frame") || !strcmp(key, "film"))
        return true;
    if (skip(&at, "film/")) {
        out->kind = SERVE_THUMB;
        return serve_number(at, &out->film);
    }
    if (skip(&at, "edit/"))
        return edit(out, at);
    if (skip(&at, "pixel/"))
        return pixel(out, at);
    out->kind = strcmp(key, "candidate") ? SERVE_ANSWER : SERVE_CANDIDATE;
    return true;
}

bool serve_key_parse(struct serve_key *out, const char *path)
{
    const char *at = path;

    *out = (struct serve_key){.kind = SERVE_PAGE};
    if (!*at)
        return true;
    if (skip(&at, "data/"))
        return serve_key_parse_data(out, at);
    out->kind = SERVE_PICTURE;
    return skip(&at, "images/") && picture(out, at);
}

bool serve_number(const char *text, uint64_t *out)
{
    return number(&text, UINT64_MAX, out) && !*text;
}
