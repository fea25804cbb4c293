/* Writer of report.html, which embeds styles, scripts and the list of cases.
 *
 * Each case's pictures are in a script file of their own, because a page loaded from disk may load
 * scripts but not read files.
 *
 * Tested by tests/unit/tool/golden/test_report.c. */
#include "tool/cli/cli.h"
#include "tool/golden/result.h"
#include "tool/golden/files.h"
#include "tool/golden/report_case.h"
#include "tool/page/page.h"

#include "util/alloc.h"
#include "util/path.h"
#include "util/threads.h"

#include <stdio.h>
#include <string.h>

/* Limits of embedded pictures: all cases of a small run, else the worst cases that are not a plain
 * pass. */
enum { ALL_MOST = 500, PICTURES_MOST = 200 };

PAGE_PART(report_body, "golden/page/page.html");
PAGE_PART(report_style, "golden/page/page.css");
PAGE_PART(report_list, "golden/page/list.js");
PAGE_PART(report_pictures, "golden/page/pictures.js");
PAGE_PART(report_view, "golden/page/view.js");
PAGE_PART(report_case_view, "golden/page/case.js");

/* --- The page's file -------------------------------------------------------------------------- */

/* Escapes JSON so that it cannot end the script element. */
static void put_json(FILE *file, const cJSON *object)
{
    char *text = cJSON_PrintUnformatted(object);

    for (const char *p = text ? text : "{}"; *p; p++) {
        if (*p == '<')
            fputs("\\u003c", file);
        else
            fputc(*p, file);
    }
    cJSON_free(text);
}

static void put_page(FILE *file, const struct records *records, const struct report_case *cases)
{
    page_put_start(file, "Golden images");
    PAGE_PUT(file, report_style);
    fputs("</style>\n</head>\n<body>\n", file);
    PAGE_PUT(file, report_body);
    fputs("<script>\n\"use strict\";\nconst REPORT = {run:", file);
    put_json(file, records->run);
    fputs(",\ncases:[\n", file);
    for (size_t i = 0; i < records->n; i++) {
        fputc('[', file);
        put_json(file, cases[i].record);
        fputc(',', file);
        put_json(file, cases[i].extra);
        fputs("],\n", file);
    }
    fputs("]};\n</script>\n<script>\n", file);
    page_put_scripts(file);
    PAGE_PUT(file, report_list);
    PAGE_PUT(file, report_pictures);
    PAGE_PUT(file, report_view);
    PAGE_PUT(file, report_case_view);
    fputs("</script>\n</body>\n</html>\n", file);
}

static bool write_page(const char *folder, const struct records *records,
                       const struct report_case *cases)
{
    char *path = golden_format("%s/report.html", folder);
    FILE *file = path ? path_open(path, "w") : NULL;
    bool good = file != NULL;

    if (file) {
        put_page(file, records, cases);
        good = tool_file_close(file, path);
    }
    mem_free(path);
    return good;
}

/* --- Cases ------------------------------------------------------------------------------------ */

static bool has_verdict(const cJSON *record, enum golden_verdict verdict)
{
    return !strcmp(record_text(record, "verdict"), golden_verdict_names[verdict]);
}

/* Selects cases in two rounds: first those that fail, then those that pass but differ. */
static void choose_pictures(struct report_case *cases, size_t n)
{
    size_t room = PICTURES_MOST;

    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < n; i++) {
            const cJSON *record = cases[i].record;
            bool pass = has_verdict(record, GOLDEN_PASS);
            bool right = pass || has_verdict(record, GOLDEN_XFAIL) ||
                         has_verdict(record, GOLDEN_FIXED) || has_verdict(record, GOLDEN_SKIPPED);
            bool plain = pass && !(record_number(record, "differing", 0.0) > 0.0);

            if (n <= ALL_MOST) {
                cases[i].pictures = true;
            } else if (right == (round == 1) && !plain && room) {
                cases[i].pictures = true;
                room--;
            }
        }
}

struct work {
    const char *folder;
    struct report_case *cases;
};

static void write_case(void *ctx, unsigned index, unsigned worker)
{
    struct work *work = ctx;

    (void)worker;
    report_case_write(work->folder, &work->cases[index]);
}

static bool write_cases(const char *folder, struct report_case *cases, size_t n)
{
    struct work work = {folder, cases};
    char *inside = golden_format("%s/report/", folder);
    struct pool *pool = NULL;
    bool good = inside && golden_make_folders(inside) && pool_create(&pool, 0) == ST_OK;

    if (good)
        pool_run(pool, (unsigned)n, write_case, &work);
    for (size_t i = 0; i < n; i++)
        good &= cases[i].good;
    pool_destroy(pool);
    mem_free(inside);
    return good;
}

bool report_html(const struct records *records, const char *folder)
{
    struct report_case *cases = mem_calloc(records->n + 1, sizeof(*cases));
    bool good = cases != NULL;

    for (size_t i = 0; good && i < records->n; i++)
        cases[i] = (struct report_case){
            .record = records->cases[i], .number = i, .extra = cJSON_CreateObject()};
    if (good) {
        choose_pictures(cases, records->n);
        good = write_cases(folder, cases, records->n) && write_page(folder, records, cases);
    }
    for (size_t i = 0; cases && i < records->n; i++)
        cJSON_Delete(cases[i].extra);
    mem_free(cases);
    return good;
}
