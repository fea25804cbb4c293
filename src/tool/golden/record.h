/* Result records: JSON lines of a run, read back to report, merge and accept results. */
#ifndef TOOL_GOLDEN_RECORD_H
#define TOOL_GOLDEN_RECORD_H

#include "tool/golden/result.h"

#include <cjson/cJSON.h>

struct records {
    cJSON *run;    /* the record of the run */
    cJSON **cases; /* sorted by name */
    size_t n, capacity;
    struct golden_summary summary;
};

/* Reads a results file, or results.jsonl of a folder. A later record of a case replaces an earlier
 * one. Returns false after an error message. */
bool records_read(struct records *records, const char *path, const char *command);
/* Called after the last records_read. */
void records_sort(struct records *records);
void records_free(struct records *records);

/* Value of a key; "" or `otherwise` if the key is missing. */
const char *record_text(const cJSON *record, const char *key);
double record_number(const cJSON *record, const char *key, double otherwise);
enum golden_verdict record_verdict(const cJSON *record);

/* report_json.c: writes JSON lines: one object about the run, then one per case. */
MUST_CHECK enum status golden_write_json(const char *path, const struct golden_manifest *manifest,
                                         const struct golden_result *results, size_t n);
/* record.c: Writes results.jsonl. Returns false after an error message. */
bool records_write(const struct records *records, const char *folder, const char *command);
/* report_junit.c, report_page.c: write junit.xml, and report.html with the page's files. */
bool report_junit(const struct records *records, const char *path);
bool report_html(const struct records *records, const char *folder);
/* report_ci.c: writes a summary in Markdown; prints annotations of GitHub. */
bool report_summary(const struct records *records, const char *path);
void report_annotations(const struct records *records);
/* record.c: Prints one line for each case with an unexpected verdict, and the totals. */
void records_print(const struct records *records);

#endif
