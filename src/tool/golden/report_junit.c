/* Writer of JUnit XML for continuous integration: one suite per folder of cases.
 *
 * Tested by tests/unit/tool/golden/test_report.c. */
#include "tool/cli/cli.h"
#include "tool/golden/result.h"
#include "tool/golden/record.h"
#include "tool/golden/text.h"
#include "util/path.h"

#include <stdio.h>
#include <string.h>

/* Failures are wrong results of the candidate; errors are crashes and faults of the suite
 * itself. */
enum outcome { PASSED, FAILED, WRONG, SKIPPED, OUTCOMES };

static enum outcome outcome_of(const cJSON *record)
{
    const char *verdict = record_text(record, "verdict");

    if (!strcmp(verdict, golden_verdict_names[GOLDEN_PASS]) ||
        !strcmp(verdict, golden_verdict_names[GOLDEN_FIXED]))
        return PASSED;
    if (!strcmp(verdict, golden_verdict_names[GOLDEN_XFAIL]) ||
        !strcmp(verdict, golden_verdict_names[GOLDEN_SKIPPED]))
        return SKIPPED;
    return !strcmp(verdict, golden_verdict_names[GOLDEN_ERROR]) ||
                   !strcmp(verdict, golden_verdict_names[GOLDEN_CRASHED])
               ? WRONG
               : FAILED;
}

/* Cases are sorted by name, so the cases of a folder are adjacent. */
static size_t folder_length(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash ? (size_t)(slash - name) : 0;
}

static bool same_folder(const cJSON *first, const cJSON *second)
{
    const char *a = record_text(first, "case"), *b = record_text(second, "case");
    size_t n = folder_length(a);

    return n == folder_length(b) && !memcmp(a, b, n);
}

static void put_attribute(FILE *file, const char *name, const char *text)
{
    fprintf(file, " %s=\"", name);
    golden_put_xml(file, text);
    fputc('"', file);
}

static void put_counts(FILE *file, cJSON *const *records, size_t n)
{
    size_t count[OUTCOMES] = {0};
    double seconds = 0.0;

    for (size_t i = 0; i < n; i++) {
        count[outcome_of(records[i])]++;
        seconds += record_number(records[i], "seconds", 0.0);
    }
    fprintf(file, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\"", n,
            count[FAILED], count[WRONG], count[SKIPPED], seconds);
}

static void put_outcome(FILE *file, const cJSON *record)
{
    static const char *const element[OUTCOMES] = {NULL, "failure", "error", "skipped"};
    enum outcome outcome = outcome_of(record);

    if (!element[outcome])
        return;
    fprintf(file, "      <%s", element[outcome]);
    if (outcome != SKIPPED)
        put_attribute(file, "type", record_text(record, "verdict"));
    put_attribute(file, "message", record_text(record, "message"));
    fputs("/>\n", file);
}

/* Writes the case's key facts to <system-out>. */
static void put_facts(FILE *file, const cJSON *record)
{
    static const char *const texts[] = {"verdict",     "tolerance", "reason",
                                        "expect-fail", "reference", "candidate"};
    static const char *const numbers[] = {"max", "differing", "flip", "ssim"};

    fputs("      <system-out>", file);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (!record_text(record, texts[i])[0])
            continue;
        fprintf(file, "%s: ", texts[i]);
        golden_put_xml(file, record_text(record, texts[i]));
        fputc('\n', file);
    }
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (cJSON_GetObjectItemCaseSensitive(record, numbers[i]))
            fprintf(file, "%s: %g\n", numbers[i], record_number(record, numbers[i], 0.0));
    fputs("</system-out>\n", file);
}

static void put_case(FILE *file, const cJSON *record, const char *suite)
{
    const char *name = record_text(record, "case");
    size_t n = folder_length(name);

    fputs("    <testcase", file);
    put_attribute(file, "classname", suite);
    put_attribute(file, "name", n ? name + n + 1 : name);
    fprintf(file, " time=\"%.3f\">\n", record_number(record, "seconds", 0.0));
    put_outcome(file, record);
    put_facts(file, record);
    fputs("    </testcase>\n", file);
}

/* Folder a/b becomes suite a.b. */
static void put_suite(FILE *file, cJSON *const *records, size_t n)
{
    const char *name = record_text(records[0], "case");
    char suite[512];

    snprintf(suite, sizeof(suite), "%.*s", (int)folder_length(name), name);
    for (char *slash = suite; (slash = strchr(slash, '/'));)
        *slash = '.';
    if (!suite[0])
        strcpy(suite, "golden");
    fputs("  <testsuite", file);
    put_attribute(file, "name", suite);
    put_counts(file, records, n);
    fputs(">\n", file);
    for (size_t i = 0; i < n; i++)
        put_case(file, records[i], suite);
    fputs("  </testsuite>\n", file);
}

bool report_junit(const struct records *records, const char *path)
{
    FILE *file = path_open(path, "w");
    size_t n = records->n;

    if (!file)
        return false;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"golden\"", file);
    put_counts(file, records->cases, n);
    fputs(">\n", file);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && same_folder(records->cases[i], records->cases[end]);)
            end++;
        put_suite(file, records->cases + i, end - i);
    }
    fputs("</testsuites>\n", file);
    return tool_file_close(file, path);
}
