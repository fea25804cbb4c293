/* Values of a [[case]] table: the backend's subtable comes first, then the case, then the defaults.
 *
 * Tested by tests/unit/tool/golden/test_manifest.c and tests/unit/tool/golden/test_verdict.c. */
#include "tool/golden/files.h"
#include "tool/golden/case.h"

#include <stdio.h>
#include <string.h>

void case_blame(struct case_source *s, const struct toml_node *node, const char *what)
{
    if (s->wrong)
        return;
    s->line = node->line;
    s->wrong = node->key ? golden_print(s->memory, "'%s' %s", node->key, what)
                         : golden_print(s->memory, "%s", what);
    s->reader->nomem |= !s->wrong;
}

const struct toml_node *case_find(const struct case_source *s, const char *key)
{
    const struct toml_node *node = s->override ? toml_get(s->override, key) : NULL;

    if (!node)
        node = toml_get(s->table, key);
    if (!node && s->reader->defaults)
        node = toml_get(s->reader->defaults, key);
    return node;
}

/* Returns NULL if the key is absent. */
const char *case_find_text(struct case_source *s, const char *key)
{
    const struct toml_node *node = case_find(s, key);
    char *out;

    if (!node)
        return NULL;
    if (node->kind != TOML_TEXT || !node->text[0]) {
        case_blame(s, node, "must be a string");
        return NULL;
    }
    out = golden_print(s->memory, "%s", node->text);
    s->reader->nomem |= !out;
    return out;
}

char *case_in_folder(struct case_source *s, const char *path)
{
    char *out =
        golden_print(s->memory, "%s%s", path[0] == '/' ? "" : s->reader->manifest->folder, path);

    s->reader->nomem |= !out;
    return out;
}

void case_check_keys(struct case_source *s, const struct toml_node *table)
{
    static const char *const keys[] = {
        "name",      "scene",     "scenes",      "capture", "frames",  "images",
        "reference", "candidate", "tolerance",   "alpha",   "ignore",  "golden",
        "hash",      "mask",      "expect-fail", "reason",  "backend", "skip",
    };

    for (size_t i = 0; i < table->count; i++) {
        bool known = false;

        for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
            known |= !strcmp(table->items[i].key, keys[k]);
        if (!known)
            case_blame(s, &table->items[i], "is not a key of a case");
    }
}

/* Finds the backend's subtable: [case.backend."vendor/driver"], else [case.backend.vendor]. */
void case_find_override(struct case_source *s)
{
    const struct toml_node *all = toml_get(s->table, "backend");
    const char *backend = s->reader->backend;
    char vendor[128];

    for (size_t i = 0; all && i < all->count; i++) {
        if (all->kind != TOML_TABLE || all->items[i].kind != TOML_TABLE)
            case_blame(s, all, "must be tables, [case.backend.\"vendor/driver\"]");
        else
            case_check_keys(s, &all->items[i]);
    }
    if (!all || !backend || s->wrong)
        return;
    s->override = toml_get(all, backend);
    snprintf(vendor, sizeof(vendor), "%.*s", (int)strcspn(backend, "/"), backend);
    if (!s->override)
        s->override = toml_get(all, vendor);
}
