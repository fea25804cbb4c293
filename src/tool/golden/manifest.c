/* Parser of the golden manifest: settings, both runners and the list of cases. */
#include "tool/golden/manifest.h"

#include "tool/golden/files.h"
#include "tool/golden/manifest_reader.h"

#include "tool/cli/cli.h"
#include "util/alloc.h"
#include "util/path.h"

#include <string.h>

enum { ERRORS_MOST = 200, SECONDS_MOST = 86400, BATCH_MOST = 10000 };

/* --- Settings and runners --------------------------------------------------------------------- */

static const char *text_of(struct golden_reader *reader, const struct toml_node *node)
{
    char *out = golden_print(&reader->manifest->memory, "%s", node->text);

    reader->nomem |= !out;
    return out;
}

/* Resolves relative paths against the manifest's folder. */
static const char *path_of(struct golden_reader *reader, const struct toml_node *node)
{
    char *out = golden_print(&reader->manifest->memory, "%s%s",
                             node->text[0] == '/' ? "" : reader->manifest->folder, node->text);

    reader->nomem |= !out;
    return out;
}

/* Returns NULL, or the error text. */
static const char *read_number(const struct toml_node *node, unsigned most, unsigned *out)
{
    if (node->kind != TOML_WHOLE || node->whole < 0 || node->whole > most)
        return "must be an integer in range";
    *out = (unsigned)node->whole;
    return NULL;
}

static const char *read_runner_key(struct golden_reader *reader, const struct toml_node *node,
                                   struct golden_runner *runner)
{
    if (!strcmp(node->key, "timeout"))
        return read_number(node, SECONDS_MOST, &runner->timeout);
    if (!strcmp(node->key, "retries"))
        return read_number(node, 100, &runner->retries);
    if (!strcmp(node->key, "batch"))
        return read_number(node, BATCH_MOST, &runner->batch);
    if (node->kind != TOML_TEXT)
        return "must be a string";
    if (!strcmp(node->key, "scene"))
        runner->scene = text_of(reader, node);
    else if (!strcmp(node->key, "capture"))
        runner->capture = text_of(reader, node);
    else if (!strcmp(node->key, "folder"))
        runner->folder = path_of(reader, node);
    else if (!strcmp(node->key, "backend"))
        runner->backend = text_of(reader, node);
    else
        return "is not a key of a candidate (scene, capture, folder, backend, timeout, retries, "
               "batch)";
    return NULL;
}

static bool complain(const struct golden_manifest *m, const char *command,
                     const struct toml_node *node, const char *what)
{
    tool_error(command, "%s:%u: '%s' %s", m->path, node->line, node->key, what);
    return false;
}

static bool read_runner(struct golden_reader *reader, const struct toml_node *table,
                        struct golden_runner *runner, const char *command)
{
    if (table->kind != TOML_TABLE)
        return complain(reader->manifest, command, table, "is not a table");
    for (size_t i = 0; i < table->count; i++) {
        const char *wrong = read_runner_key(reader, &table->items[i], runner);

        if (wrong)
            return complain(reader->manifest, command, &table->items[i], wrong);
    }
    return true;
}

/* A command serves the kinds of cases whose input it names; one that names none serves all. */
static void set_command(struct golden_runner *runner, const char *command)
{
    bool scenes = strstr(command, "{scene}") || strstr(command, "{list}");
    bool captures = strstr(command, "{capture}");

    if (scenes || !captures)
        runner->scene = command;
    if (captures || !scenes)
        runner->capture = command;
    runner->is_partial = !runner->scene || !runner->capture;
}

/* Resolves the candidate: a runner's name in the manifest, else a folder, else a command. */
static bool choose_candidate(struct golden_reader *reader, const struct toml_node *root,
                             const struct golden_choice *choice, const char *command)
{
    struct golden_runner *runner = &reader->manifest->candidate;
    const struct toml_node *runners = toml_get(root, "candidate"), *own = NULL;

    if (runners && runners->kind != TOML_TABLE)
        return complain(reader->manifest, command, runners, "is not a table");
    if (choice->candidate) {
        own = runners ? toml_get(runners, choice->candidate) : NULL;
        if (own && !read_runner(reader, own, runner, command))
            return false;
        if (!own && path_is_folder(choice->candidate))
            runner->folder = choice->candidate;
        else if (!own)
            set_command(runner, choice->candidate);
        if (!own && !runner->folder && !strchr(choice->candidate, '{')) {
            tool_error(command,
                       "%s: '%s' is not a folder, a [candidate.…] of the manifest, or a command "
                       "with placeholders",
                       reader->manifest->path, choice->candidate);
            return false;
        }
    }
    if (choice->backend)
        runner->backend = choice->backend;
    reader->backend = runner->backend;
    return true;
}

static bool read_settings(struct golden_reader *reader, const struct toml_node *root,
                          const struct golden_choice *choice, const char *command)
{
    struct golden_manifest *m = reader->manifest;

    m->reference = m->candidate = (struct golden_runner){.timeout = 60, .batch = 50};
    for (size_t i = 0; i < root->count; i++) {
        const struct toml_node *node = &root->items[i];

        if (!strcmp(node->key, "store") && node->kind == TOML_TEXT)
            m->store = path_of(reader, node);
        else if (!strcmp(node->key, "defaults") && node->kind == TOML_TABLE)
            reader->defaults = node;
        else if (!strcmp(node->key, "reference") && node->kind == TOML_TABLE) {
            if (!read_runner(reader, node, &m->reference, command))
                return false;
        } else if (strcmp(node->key, "candidate") &&
                   (strcmp(node->key, "case") || node->kind != TOML_ARRAY))
            return complain(m, command, node,
                            "is not a part of a manifest ([defaults], [reference], "
                            "[candidate.NAME], [[case]], store)");
    }
    return choose_candidate(reader, root, choice, command);
}

/* --- Text ------------------------------------------------------------------------------------- */

/* Blanks the [[case]] that contains an invalid line, at least up to that line, so that the parser
 * can read the others. False: the line is in no case. */
static bool blank_case(char *text, unsigned line)
{
    char *start = NULL, *at = text;
    unsigned n = 1, first = 0;

    for (; *at && n <= line; n++) {
        if (!strncmp(at, "[[case]]", 8)) {
            start = at;
            first = n;
        }
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    if (!start)
        return false;
    for (at = start, n = first; *at; at += *at == '\n', n++) {
        if (n > line && at[0] == '[' && strncmp(at, "[case.", 6))
            break;
        while (*at && *at != '\n')
            *at++ = ' ';
    }
    return true;
}

/* Parses everything that is valid in n bytes before a 0; the caller frees the tree. NULL after an
 * error message. */
static struct toml_node *read_text(struct golden_reader *reader, char *text, size_t n,
                                   const char *command)
{
    struct toml_node *root = NULL;
    struct toml_error error;
    unsigned errors = 0;
    enum status st;

    while ((st = toml_read(text, n, &root, &error)) == ST_DAMAGED) {
        if (++errors > ERRORS_MOST || !blank_case(text, error.line)) {
            tool_error(command, "%s:%u: %s", reader->manifest->path, error.line, error.text);
            return NULL;
        }
        golden_case_broken(reader, NULL, error.line, error.text);
    }
    if (st != ST_OK)
        tool_error(command, "%s: %s", reader->manifest->path, status_text(st));
    return root;
}

static bool read_root(struct golden_reader *reader, const struct toml_node *root,
                      const struct golden_choice *choice, const char *command)
{
    const struct toml_node *cases = toml_get(root, "case");

    if (!read_settings(reader, root, choice, command))
        return false;
    for (size_t i = 0; cases && i < cases->count; i++)
        golden_case_read(reader, &cases->items[i]);
    golden_cases_sort(reader);
    if (reader->nomem)
        tool_error(command, "%s: out of memory", reader->manifest->path);
    return !reader->nomem;
}

bool golden_manifest_load(struct golden_manifest *out, const char *path,
                          const struct golden_choice *choice, const char *command)
{
    struct golden_reader reader = {.manifest = out};
    const char *slash = strrchr(path, '/');
    struct toml_node *root;
    uint8_t *text;
    size_t n;
    enum status st = tool_file_read(path, &text, &n);
    bool good;

    memset(out, 0, sizeof(*out));
    if (st != ST_OK) {
        tool_error(command, "%s: %s", path, tool_file_reason(path, st));
        return false;
    }
    out->path = path;
    out->folder = golden_print(&out->memory, "%.*s", slash ? (int)(slash - path + 1) : 0, path);
    root = out->folder ? read_text(&reader, (char *)text, n, command) : NULL;
    good = root && read_root(&reader, root, choice, command);
    toml_free(root);
    mem_free(text);
    if (!good)
        golden_manifest_free(out);
    return good;
}

void golden_manifest_free(struct golden_manifest *manifest)
{
    mem_free(manifest->cases);
    arena_fini(&manifest->memory);
    memset(manifest, 0, sizeof(*manifest));
}
