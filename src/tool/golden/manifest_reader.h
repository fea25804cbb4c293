/* Interface between the files that parse a manifest. */
#ifndef TOOL_GOLDEN_MANIFEST_READER_H
#define TOOL_GOLDEN_MANIFEST_READER_H

#include "tool/golden/manifest.h"
#include "tool/golden/toml.h"

struct golden_reader {
    struct golden_manifest *manifest;
    const struct toml_node *defaults; /* the [defaults] table; NULL: none */
    const char *backend;              /* NULL: the candidate has no backend key */
    bool nomem;
};

/* case.c: adds all cases that one [[case]] table declares, or a broken case. */
void golden_case_read(struct golden_reader *reader, const struct toml_node *table);

/* --- cases.c ---------------------------------------------------------------------------------- */

/* Adds a case that cannot run. name NULL: the case is named after its line. */
void golden_case_broken(struct golden_reader *reader, const char *name, unsigned line,
                        const char *message);
/* Appends a case to the list; NULL: out of memory. */
struct golden_case *golden_case_add(struct golden_reader *reader);
/* Sorts by name. Of two cases with one name the later is broken, because both would write the same
 * files. */
void golden_cases_sort(struct golden_reader *reader);

#endif
