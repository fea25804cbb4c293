/* One case of the HTML report: a script file that the page loads when the reader opens the case. */
#ifndef TOOL_GOLDEN_REPORT_CASE_H
#define TOOL_GOLDEN_REPORT_CASE_H

#include "tool/golden/record.h"

struct report_case {
    const cJSON *record;
    size_t number; /* names the case's files */
    bool pictures; /* embed the pictures */
    cJSON *extra;  /* data of the page beyond the record; the caller owns it */
    bool good;     /* the case needs no file, or its file was written */
};

/* Writes FOLDER/report/NUMBER.js: pictures as data URIs, the log and further pages. Measures FLIP
 * and SSIM of differing pictures. Sets extra and good. */
void report_case_write(const char *folder, struct report_case *c);

#endif
