/* Between the files that read a manifest. */
#ifndef TOOL_GOLDEN_MANIFEST_H
#define TOOL_GOLDEN_MANIFEST_H

#include "tool/golden/golden.h"
#include "tool/golden/toml.h"

struct golden_reader {
    struct golden_manifest *manifest;
    const struct toml_node *defaults; /* NULL: none */
    const char *backend;              /* NULL: the candidate has no key */
    bool nomem;
};

/* Adds the cases that a [[case]] stands for, or a broken one. */
void golden_case_read(struct golden_reader *reader, const struct toml_node *table);
/* Adds a case that cannot be run. name may be NULL: it is called by its place. */
void golden_case_broken(struct golden_reader *reader, const char *name, unsigned line,
                        const char *message);
/* A new case at the end of the list; NULL: no memory. */
struct golden_case *golden_case_add(struct golden_reader *reader);

#endif
