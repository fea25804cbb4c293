/* Reader and writer of baselines. A line has a case's name; a tab starts a remark, # a comment. */
#include "tool/golden/baseline.h"

#include "tool/cli/cli.h"
#include "tool/golden/files.h"
#include "util/alloc.h"
#include "util/path.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *name, const void *c)
{
    return strcmp(name, ((const struct golden_case *)c)->name);
}

bool baseline_read(struct golden_manifest *m, const char *path, const char *command)
{
    uint8_t *text;
    size_t n;
    unsigned number = 1;
    enum status st = tool_file_read(path, &text, &n);

    if (st != ST_OK) {
        tool_error(command, "%s: %s", path, tool_file_reason(path, st));
        return false;
    }
    if (strlen((char *)text) != n) {
        tool_error(command, "%s: not a text file", path);
        mem_free(text);
        return false;
    }
    for (char *line = (char *)text, *next; *line; line = next, number++) {
        struct golden_case *c;
        char *remark;

        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        line[strcspn(line, "\r")] = '\0';
        remark = strchr(line, '\t');
        if (remark)
            *remark++ = '\0';
        c = m->n_cases ? bsearch(line, m->cases, m->n_cases, sizeof(*m->cases), by_name) : NULL;
        if (c) {
            c->known_failure = true;
            c->remark = remark ? golden_print(&m->memory, "%s", remark) : NULL;
        } else if (*line && *line != '#') {
            tool_error(command, "%s:%u: warning: the manifest has no case '%s'", path, number,
                       line);
        }
    }
    mem_free(text);
    return true;
}

static bool is_known(const cJSON *record)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(record, "known-failure"));
}

static bool is_failure(const cJSON *record)
{
    static const enum golden_verdict failures[] = {GOLDEN_FAIL, GOLDEN_MISSING, GOLDEN_CRASHED,
                                                   GOLDEN_TIMEOUT};
    const char *verdict = record_text(record, "verdict");

    if (is_known(record) && !strcmp(verdict, golden_verdict_names[GOLDEN_XFAIL]))
        return true;
    for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++)
        if (!strcmp(verdict, golden_verdict_names[failures[i]]))
            return true;
    return false;
}

/* A case that was known keeps its remark, or has none; else its verdict is the remark. */
static bool write_line(FILE *file, const cJSON *record)
{
    const char *remark = record_text(record, is_known(record) ? "remark" : "verdict");

    return fprintf(file, "%s%s%s\n", record_text(record, "case"), *remark ? "\t" : "", remark) > 0;
}

bool baseline_write(const struct records *records, const char *path, const char *command)
{
    FILE *file = path ? path_open(path, "w") : stdout;
    bool good = file != NULL;

    if (good)
        fprintf(file, "# Known failures, one case a line; a tab starts a remark.\n");
    for (size_t i = 0; good && i < records->n; i++)
        if (is_failure(records->cases[i]))
            good = write_line(file, records->cases[i]);
    if (path && file && !tool_file_close(file, path))
        good = false;
    if (!good)
        tool_write_error(command, path ? path : "standard output");
    return good;
}
