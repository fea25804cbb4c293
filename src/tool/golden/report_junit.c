/* Results as JUnit XML, which continuous integration shows. */
#include "tool/golden/record.h"

#include <string.h>

static void put_text(FILE *file, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        switch (*p) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            /* XML has no other control characters, quoted or not. */
            fputc(*p < 32 && *p != '\n' && *p != '\t' ? '?' : *p, file);
        }
    }
}

/* Failures are what the candidate does wrong; errors are the suite's own, and crashes. */
static const char *element_of(const char *verdict)
{
    if (!strcmp(verdict, "pass"))
        return NULL;
    if (!strcmp(verdict, "expected fail"))
        return "skipped";
    return !strcmp(verdict, "error") || !strcmp(verdict, "crashed") ? "error" : "failure";
}

static void put_case(FILE *file, const cJSON *record)
{
    const char *name = record_text(record, "case"), *slash = strrchr(name, '/');
    const char *verdict = record_text(record, "verdict"), *element = element_of(verdict);

    fprintf(file, "  <testcase classname=\"");
    if (slash)
        for (const char *p = name; p < slash; p++)
            put_text(file, (const char[]){*p == '/' ? '.' : *p, '\0'});
    else
        put_text(file, "golden");
    fprintf(file, "\" name=\"");
    put_text(file, slash ? slash + 1 : name);
    fprintf(file, "\" time=\"%.3f\"", record_number(record, "seconds", 0.0));
    if (!element) {
        fprintf(file, "/>\n");
        return;
    }
    fprintf(file, ">\n    <%s type=\"", element);
    put_text(file, verdict);
    fprintf(file, "\" message=\"");
    put_text(file, record_text(record, "message"));
    fprintf(file, "\"/>\n  </testcase>\n");
}

bool report_junit(const struct records *records, const char *path)
{
    const size_t *count = records->summary.count;
    size_t errors = count[GOLDEN_ERROR] + count[GOLDEN_CRASHED], skipped = count[GOLDEN_XFAIL];
    FILE *file = fopen(path, "w");
    bool good;

    if (!file)
        return false;
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"golden\" tests=\"%zu\" "
            "failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
            records->n, records->n - count[GOLDEN_PASS] - errors - skipped, errors, skipped,
            records->summary.seconds);
    for (size_t i = 0; i < records->n; i++)
        put_case(file, records->cases[i]);
    fprintf(file, "</testsuite>\n");
    good = !ferror(file);
    return !fclose(file) && good;
}
