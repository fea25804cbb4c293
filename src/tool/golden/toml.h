/* A TOML document as a tree that knows its lines. */
#ifndef TOOL_GOLDEN_TOML_H
#define TOOL_GOLDEN_TOML_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum toml_kind { TOML_TABLE, TOML_ARRAY, TOML_TEXT, TOML_WHOLE, TOML_REAL, TOML_BOOL, TOML_DATE };

struct toml_node {
    enum toml_kind kind;
    unsigned line; /* from 1; of a table made by [a.b], that of b's header */
    char *key;     /* NULL in arrays */
    char *text;    /* of TOML_TEXT */
    int64_t whole; /* of TOML_WHOLE, and 0 or 1 of TOML_BOOL */
    double real;   /* of TOML_REAL and TOML_WHOLE */
    struct toml_node *items;
    size_t count; /* of tables (in the order of lines) and arrays */
};

struct toml_error {
    unsigned line;
    char text[256];
};

/* The caller frees *out with toml_free. ST_DAMAGED: the text is no TOML, *error says where. */
MUST_CHECK enum status toml_read(const char *text, size_t n, struct toml_node **out,
                                 struct toml_error *error);
void toml_free(struct toml_node *root); /* NULL is allowed */
/* NULL where a table has no such key. */
const struct toml_node *toml_get(const struct toml_node *table, const char *key);

#ifdef __cplusplus
}
#endif

#endif
