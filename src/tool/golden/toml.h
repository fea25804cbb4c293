/* TOML documents as a tree of nodes with line numbers. */
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
    unsigned line; /* from 1; a table made by [a.b] has the line of b's header */
    char *key;     /* NULL in arrays */
    char *text;    /* TOML_TEXT */
    int64_t whole; /* TOML_WHOLE; TOML_BOOL: 0 or 1 */
    double real;   /* TOML_REAL and TOML_WHOLE */
    struct toml_node *items;
    size_t count; /* of tables (in order of lines) and arrays */
};

struct toml_error {
    unsigned line;
    char text[256];
};

/* The caller frees *out with toml_free. ST_DAMAGED: invalid TOML; *error gives the line. */
MUST_CHECK enum status toml_read(const char *text, size_t n, struct toml_node **out,
                                 struct toml_error *error);
void toml_free(struct toml_node *root); /* NULL is allowed */
/* Returns NULL if the table has no such key. */
const struct toml_node *toml_get(const struct toml_node *table, const char *key);

#ifdef __cplusplus
}
#endif

#endif
