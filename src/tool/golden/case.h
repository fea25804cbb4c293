/* Interface of the files that parse one [[case]] table of a manifest. */
#ifndef TOOL_GOLDEN_CASE_H
#define TOOL_GOLDEN_CASE_H

#include "tool/golden/manifest_reader.h"
#include "tool/golden/manifest.h"

/* The table being parsed. */
struct case_source {
    struct golden_reader *reader;
    struct arena *memory;
    const struct toml_node *table, *override; /* override: the candidate backend's subtable, or
                                               * NULL */
    unsigned line;                            /* line of the invalid value */
    const char *wrong;                        /* error text; NULL: valid */
};

/* --- case_value.c ----------------------------------------------------------------------------- */

/* Marks a value as invalid; the first mark of a case counts. */
void case_blame(struct case_source *s, const struct toml_node *node, const char *what);
/* The value of a key; NULL if it is absent. */
const struct toml_node *case_find(const struct case_source *s, const char *key);
/* Same for a string that is not empty, in the manifest's memory. */
const char *case_find_text(struct case_source *s, const char *key);
/* Resolves a relative path against the manifest's folder. */
char *case_in_folder(struct case_source *s, const char *path);
/* Finds the backend's subtable and marks keys that do not exist. */
void case_find_override(struct case_source *s);
void case_check_keys(struct case_source *s, const struct toml_node *table);

/* --- case_golden.c ---------------------------------------------------------------------------- */

/* Reads the goldens of the most specific key that has any: backend, vendor, none. */
void case_read_goldens(struct case_source *s, const char *key, struct golden_case *c);
void case_read_mask(struct case_source *s, struct golden_case *c);

#endif
