/* Reports for the pages of continuous integration: a summary in Markdown, annotations of GitHub.
 *
 * Tested by tests/unit/tool/golden/test_ci.c. */
#include "tool/golden/record.h"

#include "tool/cli/cli.h"
#include "util/path.h"
#include "util/plural.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* GitHub shows at most 10 errors of a step, and a summary of at most 1 MiB. */
enum { ANNOTATIONS_MOST = 10, ROWS_MOST = 500 };

/* A cell of a table: no markup and one line. */
static void put_cell(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_[]<>|&#~", *text))
            fputc('\\', file);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
    }
}

static bool is_shown(const cJSON *record)
{
    enum golden_verdict v = record_verdict(record);

    return v == GOLDEN_FIXED || v > GOLDEN_SKIPPED;
}

static void put_counts(FILE *file, const struct records *records)
{
    fprintf(file, "| verdict | cases |\n| --- | ---: |\n");
    for (unsigned v = 0; v < GOLDEN_VERDICTS; v++)
        if (records->summary.count[v])
            fprintf(file, "| %s | %zu |\n", golden_verdict_names[v], records->summary.count[v]);
}

static void put_rows(FILE *file, const struct records *records)
{
    size_t n = 0;

    for (size_t i = 0; i < records->n; i++) {
        const cJSON *record = records->cases[i];

        if (!is_shown(record) || n++ >= ROWS_MOST)
            continue;
        if (n == 1)
            fprintf(file, "\n| verdict | case | message |\n| --- | --- | --- |\n");
        fprintf(file, "| %s | ", record_text(record, "verdict"));
        put_cell(file, record_text(record, "case"));
        fputs(" | ", file);
        put_cell(file, record_text(record, "message"));
        fputs(" |\n", file);
    }
    if (n > ROWS_MOST)
        fprintf(file, "\n" PLURAL_FORMAT " in the report.\n",
                PLURAL(n - ROWS_MOST, "more case is", "more cases are"));
}

bool report_summary(const struct records *records, const char *path)
{
    const char *step = getenv("GITHUB_STEP_SUMMARY"); /* other commands write to it, too */
    bool append = step && !strcmp(step, path);
    FILE *file = path_open(path, append ? "a" : "w");

    if (!file)
        return false;
    fprintf(file, "## Golden images: %s\n\n",
            golden_exit_code(&records->summary) == TOOL_OK ? "as expected" : "not as expected");
    put_counts(file, records);
    put_rows(file, records);
    return tool_file_close(file, append ? NULL : path);
}

/* Text of a workflow command; a property escapes two more characters. */
static void put_command_text(const char *text, bool property)
{
    for (; *text; text++) {
        if (strchr("%\r\n", *text) || (property && strchr(":,", *text)))
            printf("%%%02X", (unsigned char)*text);
        else
            putchar(*text);
    }
}

void report_annotations(const struct records *records)
{
    size_t errors = 0, shown = 0;

    for (size_t i = 0; i < records->n; i++)
        errors += record_verdict(records->cases[i]) > GOLDEN_SKIPPED;
    for (size_t i = 0; i < records->n; i++) {
        const cJSON *record = records->cases[i];

        if (record_verdict(record) <= GOLDEN_SKIPPED)
            continue;
        if (++shown == ANNOTATIONS_MOST && errors > ANNOTATIONS_MOST) {
            printf("::error title=golden::%zu more cases are not as expected\n",
                   errors - shown + 1);
            return;
        }
        printf("::error file=");
        put_command_text(record_text(records->run, "manifest"), true);
        printf(",line=%.0f,title=", fmin(fmax(record_number(record, "line", 1.0), 1.0), 1e9));
        put_command_text(record_text(record, "case"), true);
        printf("::%s: ", record_text(record, "verdict"));
        put_command_text(record_text(record, "message"), false);
        putchar('\n');
    }
}
