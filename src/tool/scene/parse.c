/* Scanner of the scene language: splits lines into words and blocks, and words into numbers.
 *
 * Tested by tests/conformance. */
#include "tool/scene/parse.h"
#include "tool/scene/command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The } that belongs to a {; blocks of HLSL have braces of their own. */
static char *find_close(char *open)
{
    unsigned depth = 0;

    for (char *at = open; *at; at++) {
        depth += *at == '{';
        if (*at == '}' && --depth == 0)
            return at;
    }
    return NULL;
}

/* Cuts the block that starts at `open` out of the text; the line continues after its }. */
static char *cut_block(struct scene *scene, char *open)
{
    char *close = find_close(open);

    if (!close)
        scene_fail(scene, "a block is not closed");
    *open = '\0';
    *close = '\0';
    scene->line.block = open + 1;
    scene->line.block_line = scene->next_line;
    for (char *c = open + 1; c < close; c++) {
        if (*c == '\n')
            scene->next_line++;
    }
    return close + 1;
}

static void split_words(struct scene *scene, char *text)
{
    struct line *line = &scene->line;

    for (char *w = strtok(text, " \t\r"); w; w = strtok(NULL, " \t\r")) {
        if (!strcmp(w, "->")) {
            line->outcome = strtok(NULL, " \t\r");
            if (!line->outcome)
                scene_fail(scene, "-> without a name");
            break;
        }
        if (line->n == MAX_WORDS)
            scene_fail(scene, "too many words");
        line->word[line->n++] = w;
    }
}

/* Removes comments, but keeps the rule that the scene tests. */
static void drop_comment(struct scene *scene, char *text)
{
    char *hash = strchr(text, '#');

    if (!hash)
        return;
    if (!strncmp(hash, "# rule: ", 8))
        scene->has_rule = true;
    *hash = '\0';
}

/* Terminates the line at `at` and advances the text to the next line. */
static char *cut_line(struct scene *scene, char *at)
{
    char *end = at + strcspn(at, "\n");

    scene->at = *end ? end + 1 : end;
    *end = '\0';
    scene->next_line++;
    return at;
}

static void split_line(struct scene *scene)
{
    char *start = scene->at, *after;
    size_t plain = strcspn(start, "{#\n"); /* up to the first of a block, a comment or the end */

    scene->line.number = scene->next_line;
    if (start[plain] != '{') {
        drop_comment(scene, cut_line(scene, start));
        split_words(scene, start);
        return;
    }
    after = cut_block(scene, start + plain);
    drop_comment(scene, cut_line(scene, after));
    split_words(scene, start);
    split_words(scene, after);
}

bool parse_line(struct scene *scene)
{
    while (*scene->at) {
        memset(&scene->line, 0, sizeof(scene->line));
        split_line(scene);
        if (scene->line.n)
            return true;
    }
    return false;
}

const char *parse_word(struct scene *scene, int i)
{
    if (i >= scene->line.n)
        scene_fail(scene, "%s: an argument is missing", scene->line.word[0]);
    return scene->line.word[i];
}

const char *parse_key(const struct scene *scene, const char *key)
{
    size_t n = strlen(key);

    for (int i = 1; i < scene->line.n; i++) {
        const char *w = scene->line.word[i];
        if (!strncmp(w, key, n) && w[n] == '=')
            return w + n + 1;
    }
    return NULL;
}

bool parse_flag(const struct scene *scene, const char *word)
{
    for (int i = 1; i < scene->line.n; i++) {
        if (!strcmp(scene->line.word[i], word))
            return true;
    }
    return false;
}

bool parse_is_number(const char *text)
{
    if (*text == '-' || *text == '+')
        text++;
    return isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1]));
}

float parse_float(struct scene *scene, const char *text)
{
    char *end;
    float value = strtof(text, &end);

    if (end == text || *end)
        scene_fail(scene, "'%s' is not a number", text);
    return value;
}

static uint32_t parse_integer(struct scene *scene, const char *text, int base)
{
    char *end;
    unsigned long long value = strtoull(text, &end, base);

    if (end == text || *end || (value > UINT32_MAX && *text != '-'))
        scene_fail(scene, "'%s' is not an integer", text);
    return (uint32_t)value;
}

uint32_t parse_uint(struct scene *scene, const char *text)
{
    return parse_integer(scene, text, 0);
}

uint32_t parse_hex(struct scene *scene, const char *text)
{
    return parse_integer(scene, text, 16);
}

uint32_t parse_colour(struct scene *scene, const char *text)
{
    size_t n = strlen(text);

    if (n != 6 && n != 8)
        scene_fail(scene, "'%s' is not a colour (aarrggbb or rrggbb)", text);
    return parse_hex(scene, text) | (n == 6 ? 0xff000000u : 0);
}

void parse_size(struct scene *scene, const char *text, UINT *w, UINT *h, UINT *d)
{
    char *end;

    *w = (UINT)strtoul(text, &end, 10);
    *h = *end == 'x' ? (UINT)strtoul(end + 1, &end, 10) : 0;
    *d = *end == 'x' ? (UINT)strtoul(end + 1, &end, 10) : 1;
    if (*end || !*w || !*h || !*d)
        scene_fail(scene, "'%s' is not a size", text);
}

int parse_floats(struct scene *scene, const char *text, float *out, int max)
{
    char part[40];
    int n = 0;

    while (*text) {
        size_t len = strcspn(text, ",");
        if (len >= sizeof(part) || n == max)
            scene_fail(scene, "bad list of numbers at '%s'", text);
        memcpy(part, text, len);
        part[len] = '\0';
        out[n++] = parse_float(scene, part);
        text += len + (text[len] == ',');
    }
    return n;
}

LONG parse_whole(struct scene *scene, float value)
{
    if (!(value >= -2147483648.0f && value < 2147483648.0f))
        scene_fail(scene, "%g is too large", (double)value);
    return (LONG)value;
}

UINT parse_key_uint(struct scene *scene, const char *key, UINT otherwise)
{
    const char *value = parse_key(scene, key);

    return value ? parse_uint(scene, value) : otherwise;
}

char *parse_block_word(struct scene *scene, char **at)
{
    char *c = *at, *word;

    (void)scene;
    if (!c)
        return NULL;
    for (;;) {
        c += strspn(c, " \t\r\n");
        if (*c != '#')
            break;
        c += strcspn(c, "\n");
    }
    if (!*c) {
        *at = c;
        return NULL;
    }
    word = c;
    c += strcspn(c, " \t\r\n");
    if (*c)
        *c++ = '\0';
    *at = c;
    return word;
}
