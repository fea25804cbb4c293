/* `novem golden compare`: the differences of two runs, as text and as a page. */
#include "tool/golden/compare.h"

#include "tool/cli/cli.h"
#include "tool/golden/text.h"
#include "util/path.h"

#include <stdio.h>
#include <string.h>

/* The section of a case; its order is that of the output. */
enum change { NEW_FAILURE, FIX, OTHER_VERDICT, OTHER_NUMBERS, ADDED, REMOVED, CHANGES };

static const char *const titles[CHANGES] = {"new failures",    "fixes", "other verdicts",
                                            "changed numbers", "added", "removed"};

static const char *const numbers[] = {"max", "differing", "in-mask", "flip", "ssim"};
enum { N_NUMBERS = sizeof(numbers) / sizeof(numbers[0]) };

struct pair {
    const cJSON *before, *after; /* one may be NULL */
};

static bool is_wrong(const cJSON *record)
{
    return record && record_verdict(record) > GOLDEN_SKIPPED;
}

/* A failure that was expected before is not new. */
static bool is_no_longer_expected(const struct pair *p)
{
    return p->before && p->after && record_verdict(p->before) == GOLDEN_XFAIL &&
           record_verdict(p->after) == GOLDEN_FAIL;
}

/* A failure that is expected or skipped now is not mended. */
static bool is_right(const cJSON *record)
{
    enum golden_verdict verdict = record_verdict(record);

    return verdict == GOLDEN_PASS || verdict == GOLDEN_FIXED;
}

static enum change change_of(const struct pair *p)
{
    if (is_wrong(p->after) && !is_wrong(p->before) && !is_no_longer_expected(p))
        return NEW_FAILURE;
    if (!p->before)
        return ADDED;
    if (!p->after)
        return REMOVED;
    if (is_wrong(p->before) && is_right(p->after))
        return FIX;
    if (record_verdict(p->before) != record_verdict(p->after))
        return OTHER_VERDICT;
    for (size_t i = 0; i < N_NUMBERS; i++)
        if (record_number(p->before, numbers[i], -1.0) != record_number(p->after, numbers[i], -1.0))
            return OTHER_NUMBERS;
    return CHANGES;
}

/* Walks both lists, which are sorted by name. False at the end. */
static bool next_pair(const struct records *a, const struct records *b, size_t at[2],
                      struct pair *out)
{
    const cJSON *x = at[0] < a->n ? a->cases[at[0]] : NULL;
    const cJSON *y = at[1] < b->n ? b->cases[at[1]] : NULL;
    int order = !x ? 1 : !y ? -1 : strcmp(record_text(x, "case"), record_text(y, "case"));

    *out = (struct pair){order <= 0 ? x : NULL, order >= 0 ? y : NULL};
    at[0] += out->before != NULL;
    at[1] += out->after != NULL;
    return x || y;
}

static void describe(const struct pair *p, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; p->before && p->after && i < N_NUMBERS && used < size; i++) {
        double x = record_number(p->before, numbers[i], 0.0);
        double y = record_number(p->after, numbers[i], 0.0);

        if (x != y)
            used += (size_t)snprintf(out + used, size - used, "%s%s %g -> %g", used ? ", " : "",
                                     numbers[i], x, y);
    }
    if (!used)
        snprintf(out, size, "%s", record_text(p->after ? p->after : p->before, "message"));
}

static const char *verdict_of(const cJSON *record)
{
    return record ? record_text(record, "verdict") : "none";
}

static void print_section(const struct records *a, const struct records *b, enum change change,
                          size_t n)
{
    size_t at[2] = {0, 0};
    struct pair p;
    char text[512];

    printf("%s: %zu\n", titles[change], n);
    while (next_pair(a, b, at, &p)) {
        if (change_of(&p) != change)
            continue;
        describe(&p, text, sizeof(text));
        printf("  %-40s %s -> %s  %s\n", record_text(p.after ? p.after : p.before, "case"),
               verdict_of(p.before), verdict_of(p.after), text);
    }
}

static void put_element(FILE *file, const char *tag, const char *text)
{
    fprintf(file, "<%s>", tag);
    golden_put_xml(file, text);
    fprintf(file, "</%s>", tag);
}

static void put_section(FILE *file, const struct records *a, const struct records *b,
                        enum change change, size_t n)
{
    size_t at[2] = {0, 0};
    struct pair p;
    char text[512];

    fprintf(file, "<h2>%c%s: %zu</h2>\n<table>\n<tr><th>case<th>before<th>after<th>numbers</tr>\n",
            titles[change][0] - 'a' + 'A', titles[change] + 1, n);
    while (next_pair(a, b, at, &p)) {
        if (change_of(&p) != change)
            continue;
        describe(&p, text, sizeof(text));
        fputs("<tr>", file);
        put_element(file, "td", record_text(p.after ? p.after : p.before, "case"));
        put_element(file, "td", verdict_of(p.before));
        put_element(file, "td", verdict_of(p.after));
        put_element(file, "td", text);
        fputs("</tr>\n", file);
    }
    fputs("</table>\n", file);
}

static bool write_page(const struct records *a, const struct records *b, const size_t *n,
                       const char *path)
{
    FILE *file = path_open(path, "w");
    bool any = false;

    if (!file)
        return false;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<title>Two golden runs</title>\n<style>\n"
          ":root { color-scheme: light dark; }\n"
          "body { font: 15px/1.5 system-ui, sans-serif; margin: 1em; overflow-wrap: anywhere; }\n"
          "table { border-collapse: collapse; width: 100%; }\n"
          "td, th { text-align: left; vertical-align: top; padding: 3px 8px 3px 0; }\n"
          "tr { border-bottom: 1px solid #8886; }\n"
          "</style>\n</head>\n<body>\n<h1>Two golden runs</h1>\n",
          file);
    for (unsigned i = 0; i < CHANGES; i++) {
        if (n[i])
            put_section(file, a, b, (enum change)i, n[i]);
        any |= n[i] != 0;
    }
    fprintf(file, "%s</body>\n</html>\n", any ? "" : "<p>The runs have the same results.</p>\n");
    return tool_file_close(file, path);
}

int golden_compare_runs(const struct records *a, const struct records *b, const char *page,
                        const char *command)
{
    size_t n[CHANGES + 1] = {0}, at[2] = {0, 0}, total = 0;
    struct pair p;

    while (next_pair(a, b, at, &p))
        n[change_of(&p)]++;
    for (unsigned i = 0; i < CHANGES; i++) {
        if (n[i])
            print_section(a, b, (enum change)i, n[i]);
        total += n[i];
    }
    printf("%zu changed, %zu unchanged\n", total, n[CHANGES]);
    if (page && !write_page(a, b, n, page))
        return tool_write_error(command, page);
    return n[NEW_FAILURE] ? TOOL_DIFFERS : TOOL_OK;
}
