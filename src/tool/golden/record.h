/* Results as files know them: lines of JSON, read back for reports, merging and accepting. */
#ifndef TOOL_GOLDEN_RECORD_H
#define TOOL_GOLDEN_RECORD_H

#include "tool/golden/golden.h"

#include <cjson/cJSON.h>

struct records {
    cJSON *run;    /* the object about the run */
    cJSON **cases; /* in the order of names */
    size_t n, room;
    struct golden_summary summary;
};

/* Adds the results.jsonl of a folder, or a file of that kind. A case that is there already is
 * replaced by the later one. False after a message. */
bool records_read(struct records *records, const char *path, const char *command);
/* After the last file. */
void records_sort(struct records *records);
void records_free(struct records *records);

/* The text or number of a key; "" or otherwise where it is missing. */
const char *record_text(const cJSON *record, const char *key);
double record_number(const cJSON *record, const char *key, double otherwise);

/* results.jsonl, junit.xml, report.html and what it needs. False after a message. */
bool records_write(const struct records *records, const char *folder, const char *command);
bool records_write_reports(const struct records *records, const char *folder, const char *command);
bool report_junit(const struct records *records, const char *path);
bool report_html(const struct records *records, const char *folder);
/* A line for each case that did not come out as expected, and the numbers. */
void records_print(const struct records *records);

#endif
