/* Goldens and masks of a case: expands patterns to the files that exist.
 *
 * Tested by tests/unit/tool/golden/test_manifest.c and tests/unit/tool/golden/test_verdict.c. */
#include "tool/golden/manifest.h"
#include "tool/golden/files.h"
#include "tool/golden/case.h"
#include "util/path.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LIST_MOST = 64, ALTERNATES_MOST = 16 };

/* Replaces {name} and {backend} in a pattern; NULL: out of memory. */
static char *fill_in(struct case_source *s, const char *pattern, const char *name,
                     const char *backend)
{
    char *out = golden_print(s->memory, "%s", "");

    while (out && *pattern) {
        size_t n = strcspn(pattern, "{");
        const char *value = "{";

        if (pattern[n] && !strncmp(pattern + n, "{name}", 6)) {
            value = name;
            out = golden_print(s->memory, "%s%.*s%s", out, (int)n, pattern, value);
            pattern += n + 6;
        } else if (pattern[n] && !strncmp(pattern + n, "{backend}", 9)) {
            value = backend;
            out = golden_print(s->memory, "%s%.*s%s", out, (int)n, pattern, value);
            pattern += n + 9;
        } else {
            n += pattern[n] != '\0';
            out = golden_print(s->memory, "%s%.*s", out, (int)n, pattern);
            pattern += n;
        }
    }
    s->reader->nomem |= !out;
    return out;
}

struct golden_list {
    const char *path[LIST_MOST];
    unsigned n;
};

/* Lists the existing files of x.png, x.2.png, x.3.png …; goldens of the store are resolved
 * later. */
static void add_existing(struct case_source *s, const char *path, struct golden_list *list)
{
    const char *dot = strrchr(path, '.');

    if (!strncmp(path, "hash:", 5)) {
        if (list->n < LIST_MOST)
            list->path[list->n++] = path;
        return;
    }
    if (!dot || strchr(dot, '/'))
        dot = path + strlen(path);
    for (unsigned i = 1; i <= ALTERNATES_MOST && list->n < LIST_MOST; i++) {
        char *other = i == 1
                          ? golden_print(s->memory, "%s", path)
                          : golden_print(s->memory, "%.*s.%u%s", (int)(dot - path), path, i, dot);

        if (!other || !path_exists(other))
            break;
        list->path[list->n++] = other;
    }
}

/* Adds the goldens that a pattern names for one backend key; "" is no key. */
static void add_pattern(struct case_source *s, const char *pattern, const char *name,
                        const char *key, struct golden_list *list)
{
    bool keyed = strstr(pattern, "{backend}") != NULL;
    char *path;

    if (keyed != (key[0] != '\0'))
        return;
    path = fill_in(s, pattern, name, key);
    if (path && strncmp(path, "hash:", 5))
        path = case_in_folder(s, path);
    if (path)
        add_existing(s, path, list);
}

static unsigned patterns_of(const struct toml_node *node, const char **out)
{
    unsigned n = 0;

    if (node->kind == TOML_TEXT)
        out[n++] = node->text;
    for (size_t i = 0; node->kind == TOML_ARRAY && i < node->count && n < LIST_MOST; i++) {
        if (node->items[i].kind != TOML_TEXT)
            return 0;
        out[n++] = node->items[i].text;
    }
    return n;
}

/* Path for an accepted picture: the candidate's own pattern, else the first one. */
static const char *accept_path(struct case_source *s, const char *const *patterns, unsigned n,
                               const char *name)
{
    const char *backend = s->reader->backend;

    for (unsigned i = 0; i < n; i++)
        if (strncmp(patterns[i], "hash:", 5) && (backend || !strstr(patterns[i], "{backend}"))) {
            char *path = fill_in(s, patterns[i], name, backend ? backend : "");

            return path ? case_in_folder(s, path) : NULL;
        }
    return NULL;
}

void case_read_goldens(struct case_source *s, const char *key, struct golden_case *c)
{
    const struct toml_node *node = case_find(s, key);
    const char *patterns[LIST_MOST], *backend = s->reader->backend ? s->reader->backend : "";
    struct golden_list list = {.n = 0};
    char vendor[128];
    const char *const keys[] = {backend, vendor, ""};
    const char **out;
    unsigned n;

    if (!node)
        return;
    n = patterns_of(node, patterns);
    if (!n)
        case_blame(s, node, "must be a path or a list of paths");
    snprintf(vendor, sizeof(vendor), "%.*s", (int)strcspn(backend, "/"), backend);
    for (unsigned k = 0; k < 3 && !list.n; k++)
        for (unsigned i = 0; i < n; i++)
            add_pattern(s, patterns[i], c->name, keys[k], &list);
    out = arena_alloc(s->memory, (list.n + 1) * sizeof(*out));
    s->reader->nomem |= !out;
    if (!out)
        return;
    memcpy(out, list.path, list.n * sizeof(*out));
    c->goldens = out;
    c->n_goldens = list.n;
    c->golden_path = accept_path(s, patterns, n, c->name);
    for (unsigned i = 0; i < n && !list.n && !c->requires_golden; i++)
        c->requires_golden = !strstr(patterns[i], "{backend}");
}

void case_read_mask(struct case_source *s, struct golden_case *c)
{
    const char *mask = case_find_text(s, "mask");
    char *path;

    if (mask && !strcmp(mask, "auto")) {
        c->generates_mask = c->kind != GOLDEN_IMAGE;
        if (!c->generates_mask)
            case_blame(s, case_find(s, "mask"), "works only for scenes and captures");
        return;
    }
    path = mask ? fill_in(s, mask, c->name, s->reader->backend ? s->reader->backend : "") : NULL;
    c->mask = path ? case_in_folder(s, path) : NULL;
}
