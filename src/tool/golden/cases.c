/* List of a manifest's cases: added cases, broken ones, order; filters and shards.
 *
 * Tested by tests/unit/tool/golden/test_manifest.c. */
#include "tool/golden/files.h"
#include "tool/golden/manifest_reader.h"
#include "tool/golden/manifest.h"

#include "util/alloc.h"
#include "util/folder_names.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

struct golden_case *golden_case_add(struct golden_reader *reader)
{
    struct golden_manifest *m = reader->manifest;

    if (m->n_cases == m->capacity) {
        size_t capacity = m->capacity ? 2 * m->capacity : 64;
        struct golden_case *more = mem_realloc(m->cases, capacity * sizeof(*more));

        if (!more) {
            reader->nomem = true;
            return NULL;
        }
        m->cases = more;
        m->capacity = capacity;
    }
    memset(&m->cases[m->n_cases], 0, sizeof(*m->cases));
    return &m->cases[m->n_cases++];
}

void golden_case_broken(struct golden_reader *reader, const char *name, unsigned line,
                        const char *message)
{
    struct golden_manifest *m = reader->manifest;
    struct golden_case *c = golden_case_add(reader);

    if (!c)
        return;
    c->line = line;
    c->name =
        name ? golden_print(&m->memory, "%s", name) : golden_print(&m->memory, "line-%05u", line);
    c->broken = golden_print(&m->memory, "%s:%u: %s", m->path, line, message);
    reader->nomem |= !c->name || !c->broken;
}

static int by_name(const void *a, const void *b)
{
    const struct golden_case *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Drops the cases of patterns that also have a case of their own. */
static void drop_replaced(struct golden_manifest *m)
{
    size_t kept = 0;

    for (size_t i = 0, end; i < m->n_cases; i = end) {
        bool own = false;

        for (end = i; end < m->n_cases && !strcmp(m->cases[end].name, m->cases[i].name); end++)
            own |= !m->cases[end].of_pattern;
        for (size_t k = i; k < end; k++)
            if (!own || !m->cases[k].of_pattern)
                m->cases[kept++] = m->cases[k];
    }
    m->n_cases = kept;
}

void golden_cases_sort(struct golden_reader *reader)
{
    struct golden_manifest *m = reader->manifest;
    size_t first = 0;

    if (m->n_cases)
        qsort(m->cases, m->n_cases, sizeof(*m->cases), by_name);
    drop_replaced(m);
    for (size_t i = 1; i < m->n_cases; i++) {
        struct golden_case *c = &m->cases[i];

        if (strcmp(c->name, m->cases[first].name)) {
            first = i;
            continue;
        }
        c->broken = golden_print(&m->memory, "%s:%u: duplicate case '%s', first on line %u",
                                 m->path, c->line, c->name, m->cases[first].line);
        c->name = golden_print(&m->memory, "%s@%zu", c->name, i - first + 1);
        reader->nomem |= !c->broken || !c->name;
    }
}

/* --- Selection -------------------------------------------------------------------------------- */

bool golden_matches(const char *pattern, const char *name)
{
    const char *last = strrchr(name, '/');

    return folder_name_matches(pattern, name) || (last && folder_name_matches(pattern, last + 1));
}

unsigned golden_shard(const char *name, unsigned n)
{
    return (unsigned)(hash_bytes(name, strlen(name), 0) % n);
}
