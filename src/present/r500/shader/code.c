/* Assembler and disassembler of R500 shaders, driven by the field table code.def. */
#include "present/r500/shader/code.h"

#include "present/r500/shader/code_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct field {
    const char *key;
    uint8_t set, word, high, low;
    enum code_kind kind;
} fields[CODE_FIELDS] = {
#define CODE(set, id, key, word, hi, lo, kind) [id] = {key, set, word, hi, lo, KIND_##kind},
#include "present/r500/shader/code.def"
#undef CODE
};

static const char *const types[4] = {"alu", "out", "flow", "tex"};
static const uint8_t type_sets[4] = {CODE_ALU, CODE_ALU, CODE_FLOW, CODE_TEX};

unsigned code_words(enum code_shader shader)
{
    return shader == SHADER_US ? US_WORDS : PVS_WORDS;
}

static uint32_t field_bits(const struct field *f)
{
    return (UINT32_MAX >> (31 - f->high)) & (UINT32_MAX << f->low);
}

uint32_t code_get(const uint32_t *words, enum code_field_id id)
{
    return (words[fields[id].word] & field_bits(&fields[id])) >> fields[id].low;
}

/* --- To text ---------------------------------------------------------------------------------- */

static size_t append(char *text, size_t at, const char *format, ...) PRINTF_LIKE(3, 4);
static size_t append(char *text, size_t at, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(text + at, CODE_TEXT - at, format, args);
    va_end(args);
    return at + (size_t)n < CODE_TEXT ? at + (size_t)n : CODE_TEXT - 1;
}

void code_disassemble(char *text, const uint32_t *words, enum code_shader shader)
{
    unsigned set = shader == SHADER_PVS ? CODE_PVS : type_sets[words[0] & 3];
    uint32_t rest[US_WORDS];
    char value[CODE_VALUE];
    size_t at = append(text, 0, "%s", shader == SHADER_PVS ? "vs" : types[words[0] & 3]);

    memcpy(rest, words, sizeof(*rest) * code_words(shader));
    for (unsigned i = 0; i < CODE_FIELDS; i++) {
        const struct field *f = &fields[i];
        uint32_t bits = code_get(words, i);

        if (!(f->set & set))
            continue;
        rest[f->word] &= ~field_bits(f);
        if (!bits || i == US_TYPE)
            continue;
        code_value_print(value, f->kind, f->high - f->low + 1u, bits);
        at = f->kind == KIND_FLAG ? append(text, at, " %s", f->key)
                                  : append(text, at, " %s=%s", f->key, value);
    }
    for (unsigned w = 0; w < code_words(shader); w++)
        if (rest[w])
            at = append(text, at, " raw%u=0x%08x", w, rest[w]);
}

/* --- From text -------------------------------------------------------------------------------- */

static enum status refuse(struct code_error *error, const char *what, const char *item)
{
    snprintf(error->text, sizeof(error->text), "%s: %.48s", what, item);
    return ST_INVALID;
}

static bool put_raw(uint32_t *words, unsigned n, const char *item)
{
    unsigned word;
    uint32_t value;

    if (sscanf(item, "raw%u=%x", &word, &value) != 2 || word >= n)
        return false;
    words[word] |= value;
    return true;
}

/* item: key or key=value. */
static enum status put_item(uint32_t *words, unsigned set, unsigned n_words, char *item,
                            struct code_error *error)
{
    char *value = strchr(item, '=');
    size_t length = value ? (size_t)(value - item) : strlen(item);

    for (unsigned i = US_TYPE + 1; i < CODE_FIELDS; i++) {
        const struct field *f = &fields[i];
        uint32_t bits = 1;

        if (!(f->set & set) || strlen(f->key) != length || memcmp(f->key, item, length) != 0)
            continue;
        if ((f->kind == KIND_FLAG) != !value ||
            (value && !code_value_parse(value + 1, f->kind, f->high - f->low + 1u, &bits)))
            return refuse(error, "no such value", item);
        words[f->word] = (words[f->word] & ~field_bits(f)) | bits << f->low;
        return ST_OK;
    }
    return put_raw(words, n_words, item) ? ST_OK : refuse(error, "no such key", item);
}

static enum status kind_of(const char *item, enum code_shader shader, uint32_t *word, unsigned *set,
                           struct code_error *error)
{
    if (shader == SHADER_PVS) {
        *set = CODE_PVS;
        return strcmp(item, "vs") != 0 ? refuse(error, "no such instruction", item) : ST_OK;
    }
    for (uint32_t i = 0; i < 4; i++)
        if (!strcmp(item, types[i])) {
            *word = i;
            *set = type_sets[i];
            return ST_OK;
        }
    return refuse(error, "no such instruction", item);
}

/* Returns the next item of a line, NUL-terminated; NULL at its end. */
static char *next_item(char **line)
{
    char *item = *line + strspn(*line, " \t\r");

    if (!*item || *item == '#')
        return NULL;
    *line = item + strcspn(item, " \t\r");
    if (**line)
        *(*line)++ = '\0';
    return item;
}

/* Sets *used to false if the line holds no instruction. */
static enum status assemble_line(uint32_t *words, char *line, enum code_shader shader, bool *used,
                                 struct code_error *error)
{
    unsigned set, n = code_words(shader);
    char *item = next_item(&line);
    enum status st;

    *used = item != NULL;
    if (!item)
        return ST_OK;
    memset(words, 0, n * sizeof(*words));
    st = kind_of(item, shader, words, &set, error);
    while (st == ST_OK && (item = next_item(&line)))
        st = put_item(words, set, n, item, error);
    return st;
}

enum status code_assemble(uint32_t *words, size_t max, size_t *n, const char *text,
                          enum code_shader shader, struct code_error *error)
{
    uint32_t one[US_WORDS];
    char line[CODE_TEXT];

    *n = 0;
    for (error->line = 1; *text; error->line++) {
        size_t length = strcspn(text, "\n");
        enum status st;
        bool used;

        if (length >= sizeof(line))
            return refuse(error, "the line is too long", "");
        memcpy(line, text, length);
        line[length] = '\0';
        text += length + (text[length] == '\n');
        st = assemble_line(one, line, shader, &used, error);
        if (st != ST_OK)
            return st;
        if (!used)
            continue;
        if (max - *n < code_words(shader))
            return refuse(error, "too many instructions", "");
        memcpy(words + *n, one, sizeof(*one) * code_words(shader));
        *n += code_words(shader);
    }
    return ST_OK;
}
