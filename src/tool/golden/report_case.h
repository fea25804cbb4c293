/* A case in the page: a file of its own, which is read when somebody looks at the case. */
#ifndef TOOL_GOLDEN_REPORT_CASE_H
#define TOOL_GOLDEN_REPORT_CASE_H

#include "tool/golden/record.h"

struct report_case {
    const cJSON *record;
    size_t number; /* names its files */
    bool pictures; /* wanted in its file */
    cJSON *extra;  /* what the page has beyond the record; owned by whoever made the case */
    bool good;     /* its file is written, if it needs one */
};

/* FOLDER/report/NUMBER.js: pictures as data URIs, the log and further pages. Measures FLIP and SSIM
 * of pictures that differ. Fills extra and good. */
void report_case_write(const char *folder, struct report_case *c);

#endif
