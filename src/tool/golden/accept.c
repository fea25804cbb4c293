/* `novem golden accept`: copies candidate pictures to the goldens' paths and updates the manifest.
 *
 * It changes only lines that are no longer true: hashes, and expect-fail of cases that pass. */
#include "tool/golden/accept.h"

#include "tool/golden/manifest.h"
#include "tool/golden/result.h"
#include "tool/golden/files.h"

#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "tool/image/png.h"
#include "util/alloc.h"
#include "util/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALTERNATES_MOST = 16 };

struct manifest_text {
    const char *path;
    char **lines; /* without line ends; lines[0] is line 1 */
    char **after; /* replacement of each line; NULL: unchanged */
    size_t n;
    bool changed;
};

struct acceptance {
    const struct accept_options *options;
    struct manifest_text manifest;
    const char *store; /* NULL: no store */
    unsigned accepted, refused;
};

/* --- The manifest's text ---------------------------------------------------------------------- */

static bool read_lines(struct manifest_text *m, const char *path)
{
    uint8_t *text;
    size_t n, capacity = 2;

    if (tool_file_read(path, &text, &n) != ST_OK)
        return false;
    for (size_t i = 0; i < n; i++)
        capacity += text[i] == '\n';
    m->path = path;
    m->lines = mem_calloc(capacity, sizeof(*m->lines));
    m->after = mem_calloc(capacity, sizeof(*m->after));
    for (char *line = (char *)text; m->lines && m->after && *line;) {
        size_t length = strcspn(line, "\n");

        m->lines[m->n++] = golden_format("%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    mem_free(text);
    return m->lines && m->after;
}

static void free_lines(struct manifest_text *m)
{
    for (size_t i = 0; m->lines && m->after && i < m->n; i++) {
        mem_free(m->lines[i]);
        mem_free(m->after[i]);
    }
    mem_free(m->lines);
    mem_free(m->after);
}

/* The first line of the [[case]] at `line` (from 1) that has the key and contains the text; n if
 * there is none. */
static size_t find_line(const struct manifest_text *m, unsigned line, const char *key,
                        const char *text)
{
    for (size_t i = line ? line - 1 : m->n; i < m->n; i++) {
        const char *at = m->lines[i] + strspn(m->lines[i], " \t");

        if (i + 1 > line && at[0] == '[' && strncmp(at, "[case.", 6))
            return m->n;
        if (!m->after[i] && !strncmp(at, key, strlen(key)) && strchr(" =", at[strlen(key)]) &&
            strstr(at, text))
            return i;
    }
    return m->n;
}

/* Replaces a text within a line. If `with` is "" and `text` is the whole line, the line is
 * removed. */
static void replace(struct manifest_text *m, size_t i, const char *text, const char *with)
{
    const char *at = strstr(m->lines[i], text);

    m->after[i] =
        golden_format("%.*s%s%s", (int)(at - m->lines[i]), m->lines[i], with, at + strlen(text));
    m->changed |= m->after[i] != NULL;
}

/* Prints a unified diff without context lines. */
static void print_patch(const struct manifest_text *m)
{
    size_t gone = 0;

    if (!m->changed)
        return;
    printf("--- %s\n+++ %s\n", m->path, m->path);
    for (size_t i = 0; i < m->n; i++) {
        if (!m->after[i])
            continue;
        if (m->after[i][0]) {
            printf("@@ -%zu +%zu @@\n-%s\n+%s\n", i + 1, i + 1 - gone, m->lines[i], m->after[i]);
        } else {
            printf("@@ -%zu +%zu,0 @@\n-%s\n", i + 1, i - gone, m->lines[i]);
            gone++;
        }
    }
}

static bool write_manifest(const struct manifest_text *m)
{
    char *other = golden_format("%s.new", m->path);
    FILE *file = other ? path_open(other, "w") : NULL;
    bool good = file != NULL;

    for (size_t i = 0; file && i < m->n; i++) {
        const char *line = m->after[i] ? m->after[i] : m->lines[i];

        if (*line || !m->after[i])
            fprintf(file, "%s\n", line);
    }
    if (file && !tool_file_close(file, other))
        good = false;
    good = good && path_rename(other, m->path);
    mem_free(other);
    return good;
}

/* --- Pictures --------------------------------------------------------------------------------- */

/* Loads a valid PNG and computes its content hash; the caller frees it. */
static bool take_picture(const char *path, struct png_file *out, char hash[17], const char **why)
{
    struct tool_image image;
    enum status st = png_load(path, out, why);

    if (st != ST_OK)
        return false;
    st = png_decode(out, &image, why);
    if (st != ST_OK) {
        png_unload(out);
        return false;
    }
    snprintf(hash, 17, "%016" PRIx64, tool_image_hash(&image, true));
    tool_image_fini(&image);
    return true;
}

/* The output path: x.png, or with `add` the first free one of x.2.png …; freed with mem_free. */
static char *output_path(const char *golden, bool add)
{
    const char *dot = strrchr(golden, '.');
    char *path = mem_strdup(golden);

    if (!dot || strchr(dot, '/'))
        dot = golden + strlen(golden);
    for (unsigned i = 2; add && path && i <= ALTERNATES_MOST && path_exists(path); i++) {
        mem_free(path);
        path = golden_format("%.*s.%u%s", (int)(dot - golden), golden, i, dot);
    }
    return path;
}

static bool copy_picture(const struct acceptance *a, const char *name, const char *from,
                         const char *to, const char *hash, const struct png_file *picture)
{
    printf("%s: %s -> %s (%s, hash %s)\n", name, from, to,
           !path_exists(to) ? "new" : "replaces the old one", hash);
    if (!a->options->apply)
        return true;
    if (golden_make_folders(to) && tool_file_write(to, picture->bytes, picture->n) == ST_OK)
        return true;
    tool_write_error(a->options->command, to);
    return false;
}

/* --- Cases ------------------------------------------------------------------------------------ */

static void refuse(struct acceptance *a, const cJSON *record, const char *why)
{
    a->refused++;
    tool_error(a->options->command, "%s: %s", record_text(record, "case"), why);
}

/* Accepts a golden of the store, which the manifest names by its hash. */
static bool accept_stored(struct acceptance *a, const cJSON *record, const struct png_file *picture,
                          const char *hash)
{
    const char *old = record_text(record, "stored");
    unsigned first = (unsigned)record_number(record, "line", 0.0);
    bool pair = find_line(&a->manifest, first, "reference", old) < a->manifest.n;
    size_t line = find_line(&a->manifest, first, pair ? "reference" : "golden", old);
    char *to = golden_format("%s/%.2s/%s.png", a->store, hash, hash), text[32];
    bool good = to && line < a->manifest.n;

    snprintf(text, sizeof(text), "hash:%s", hash);
    if (good)
        replace(&a->manifest, line, old, text);
    else
        refuse(a, record, "the manifest has no line with its hash");
    good = good && copy_picture(a, record_text(record, "case"), record_text(record, "candidate"),
                                to, hash, picture);
    mem_free(to);
    return good;
}

static bool accept_file(struct acceptance *a, const cJSON *record, const struct png_file *picture,
                        const char *hash)
{
    char *to = output_path(record_text(record, "golden"), a->options->add);
    const char *old = record_text(record, "wants-hash");
    size_t line =
        find_line(&a->manifest, (unsigned)record_number(record, "line", 0.0), "hash", old);
    bool good = to && copy_picture(a, record_text(record, "case"), record_text(record, "candidate"),
                                   to, hash, picture);

    if (good && *old && line < a->manifest.n && strcmp(old, hash))
        replace(&a->manifest, line, old, hash);
    mem_free(to);
    return good;
}

static void accept_picture(struct acceptance *a, const cJSON *record)
{
    struct png_file picture;
    const char *why;
    char hash[17];
    bool good;

    if (!record_text(record, "golden")[0] && !(record_text(record, "stored")[0] && a->store)) {
        refuse(a, record,
               "the manifest gives no path for its golden, such as golden = "
               "\"goldens/{backend}/{name}.png\" in [defaults]");
        return;
    }
    if (!take_picture(record_text(record, "candidate"), &picture, hash, &why)) {
        refuse(a, record, why);
        return;
    }
    good = record_text(record, "golden")[0] ? accept_file(a, record, &picture, hash)
                                            : accept_stored(a, record, &picture, hash);
    a->accepted += good;
    a->refused += !good;
    png_unload(&picture);
}

static void accept_pass(struct acceptance *a, const cJSON *record)
{
    unsigned first = (unsigned)record_number(record, "line", 0.0);
    size_t line = find_line(&a->manifest, first, "expect-fail", record_text(record, "expect-fail"));

    if (line == a->manifest.n) {
        refuse(a, record, "expect-fail is not on a line of its own in the manifest");
        return;
    }
    replace(&a->manifest, line, a->manifest.lines[line], "");
    a->accepted++;
}

static bool wanted(const struct accept_options *options, const char *name)
{
    bool any = !options->filter || !options->filter->n;

    for (unsigned i = 0; !any && i < options->filter->n; i++)
        any = golden_matches(options->filter->text[i], name);
    return any;
}

static void accept_record(struct acceptance *a, const cJSON *record)
{
    const char *verdict = record_text(record, "verdict");

    if (!wanted(a->options, record_text(record, "case")))
        return;
    if (!strcmp(verdict, golden_verdict_names[GOLDEN_FAIL]) ||
        !strcmp(verdict, golden_verdict_names[GOLDEN_NEW]))
        accept_picture(a, record);
    else if (!strcmp(verdict, golden_verdict_names[GOLDEN_XPASS]))
        accept_pass(a, record);
}

int golden_accept(const struct records *records, const struct accept_options *options)
{
    struct acceptance a = {.options = options, .store = record_text(records->run, "store")};
    int code = TOOL_OK;

    a.store = a.store[0] ? a.store : NULL;
    if (!read_lines(&a.manifest, record_text(records->run, "manifest"))) {
        free_lines(&a.manifest);
        return tool_error(options->command, "%s: cannot be read",
                          record_text(records->run, "manifest"));
    }
    for (size_t i = 0; i < records->n; i++)
        accept_record(&a, records->cases[i]);
    print_patch(&a.manifest);
    if (options->apply && a.manifest.changed && !write_manifest(&a.manifest))
        code = tool_write_error(options->command, a.manifest.path);
    printf("%u %s%s\n", a.accepted, options->apply ? "accepted" : "to accept",
           options->apply || !a.accepted ? "" : "; --yes does it");
    free_lines(&a.manifest);
    return a.refused ? TOOL_ERROR : code;
}
