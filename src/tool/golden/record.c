/* Reader of result records, of whole runs or of shards. */
#include "tool/golden/record.h"

#include "tool/golden/result.h"
#include "tool/golden/files.h"

#include "tool/cli/cli.h"
#include "util/alloc.h"
#include "util/path.h"
#include "util/plural.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *record_text(const cJSON *record, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record, key));

    return text ? text : "";
}

double record_number(const cJSON *record, const char *key, double otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(record, key);

    return cJSON_IsNumber(item) ? item->valuedouble : otherwise;
}

enum golden_verdict record_verdict(const cJSON *record)
{
    unsigned v = 0;

    while (v < GOLDEN_ERROR && strcmp(golden_verdict_names[v], record_text(record, "verdict")))
        v++;
    return (enum golden_verdict)v;
}

static bool add(struct records *records, cJSON *record)
{
    if (records->n == records->capacity) {
        size_t capacity = records->capacity ? 2 * records->capacity : 256;
        cJSON **more = mem_realloc(records->cases, capacity * sizeof(*more));

        if (!more)
            return false;
        records->cases = more;
        records->capacity = capacity;
    }
    records->cases[records->n++] = record;
    return true;
}

/* Parses one record; the first line describes the run. Returns NULL, or the error text. */
static const char *take_line(struct records *records, const char *line, bool first)
{
    cJSON *record = cJSON_Parse(line);
    bool is_case = record_text(record, "case")[0] && record_text(record, "verdict")[0];

    if (!record || (first ? !record_text(record, "novem")[0] : !is_case)) {
        cJSON_Delete(record);
        return "is not a result record";
    }
    if (first && records->run) {
        cJSON_Delete(record);
    } else if (first) {
        records->run = record;
    } else if (!add(records, record)) {
        cJSON_Delete(record);
        return "out of memory";
    }
    return NULL;
}

static bool read_lines(struct records *records, char *text, const char *path, const char *command)
{
    const char *wrong;
    unsigned n = 1;

    for (char *line = text, *end; *line; line = end, n++) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        wrong = take_line(records, line, n == 1);
        if (wrong) {
            tool_error(command, "%s:%u: %s", path, n, wrong);
            return false;
        }
    }
    if (n == 1)
        tool_error(command, "%s: is empty", path);
    return n > 1;
}

bool records_read(struct records *records, const char *path, const char *command)
{
    bool folder = path_is_folder(path), good = false;
    char *file = golden_format("%s%s", path, folder ? "/results.jsonl" : "");
    uint8_t *text = NULL;
    size_t n;
    enum status st = file ? tool_file_read(file, &text, &n) : ST_NOMEM;

    if (st == ST_OK)
        good = read_lines(records, (char *)text, file, command);
    else
        tool_error(command, "%s: %s", file ? file : path, tool_file_reason(file ? file : path, st));
    mem_free(text);
    mem_free(file);
    return good;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(record_text(*(cJSON *const *)a, "case"), record_text(*(cJSON *const *)b, "case"));
}

static void count(struct records *records)
{
    struct golden_summary *s = &records->summary;

    memset(s, 0, sizeof(*s));
    s->total = records->n;
    for (size_t i = 0; i < records->n; i++) {
        s->count[record_verdict(records->cases[i])]++;
        s->seconds += record_number(records->cases[i], "seconds", 0.0);
    }
}

void records_sort(struct records *records)
{
    size_t n = 0;

    if (records->n)
        qsort(records->cases, records->n, sizeof(*records->cases), by_name);
    for (size_t i = 0; i < records->n; i++) {
        if (n && !by_name(&records->cases[n - 1], &records->cases[i]))
            cJSON_Delete(records->cases[--n]);
        records->cases[n++] = records->cases[i];
    }
    records->n = n;
    count(records);
}

void records_free(struct records *records)
{
    for (size_t i = 0; i < records->n; i++)
        cJSON_Delete(records->cases[i]);
    cJSON_Delete(records->run);
    mem_free(records->cases);
    memset(records, 0, sizeof(*records));
}

static bool write_line(FILE *file, const cJSON *record)
{
    char *text = cJSON_PrintUnformatted(record);
    bool good = text && fprintf(file, "%s\n", text) > 0;

    cJSON_free(text);
    return good;
}

bool records_write(const struct records *records, const char *folder, const char *command)
{
    char *path = golden_format("%s/results.jsonl", folder);
    FILE *file = path && golden_make_folders(path) ? path_open(path, "w") : NULL;
    bool good = file && write_line(file, records->run);

    for (size_t i = 0; good && i < records->n; i++)
        good = write_line(file, records->cases[i]);
    if (file && !tool_file_close(file, path))
        good = false;
    if (!good)
        tool_write_error(command, path ? path : folder);
    mem_free(path);
    return good;
}

void records_print(const struct records *records)
{
    const char *comma = "";

    for (size_t i = 0; i < records->n; i++) {
        const cJSON *r = records->cases[i];
        const char *verdict = record_text(r, "verdict");

        if (strcmp(verdict, golden_verdict_names[GOLDEN_PASS]) &&
            strcmp(verdict, golden_verdict_names[GOLDEN_XFAIL]))
            printf("%-15s %-40s %s\n", verdict, record_text(r, "case"), record_text(r, "message"));
    }
    printf(PLURAL_FORMAT ": ", PLURAL(records->n, "case", "cases"));
    for (unsigned v = 0; v < GOLDEN_VERDICTS; v++) {
        if (!records->summary.count[v])
            continue;
        printf("%s%zu %s", comma, records->summary.count[v], golden_verdict_names[v]);
        comma = ", ";
    }
    printf("%s\n", *comma ? "" : "none");
}

int golden_exit_code(const struct golden_summary *summary)
{
    size_t right = 0;

    for (unsigned v = 0; v <= GOLDEN_SKIPPED; v++)
        right += summary->count[v];
    if (summary->count[GOLDEN_ERROR])
        return TOOL_ERROR;
    return right == summary->total ? TOOL_OK : TOOL_DIFFERS;
}
