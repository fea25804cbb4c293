/* Real captures: each parses to its end with the counts in its README, and every reference picture
 * has a moment. NOVEM_DATA names the folder; without it the test reports that it checks nothing,
 * and does not count as passed. */
#include "check_main.h"

#include "trace/trace.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    char name[64];
    unsigned frames, draws, calls;
};

static struct row rows[256];
static int row_count;
static char folder[1024];

struct counts {
    unsigned frames, draws, calls, pictures, incomplete;
};

/* "| name | bytes | frames | draws | calls | …" */
static void read_table(void)
{
    const char *data = getenv("NOVEM_DATA");
    char path[1200], line[1024];
    FILE *file;

    snprintf(folder, sizeof(folder), "%s/traces", data ? data : "../shared/data");
    snprintf(path, sizeof(path), "%s/README.md", folder);
    file = fopen(path, "r");
    while (file && row_count < 256 && fgets(line, sizeof(line), file)) {
        struct row *row = &rows[row_count];

        if (sscanf(line, "| %63s | %*u | %u | %u | %u |", row->name, &row->frames, &row->draws,
                   &row->calls) == 4)
            row_count++;
    }
    if (file)
        fclose(file);
    if (!row_count)
        printf("SKIPPED: no captures in %s (set NOVEM_DATA)\n", folder);
}

/* The README counts calls as `apitrace dump` does, without queries marked verbose. */
static bool is_verbose(const char *name)
{
    static const char *const methods[] = {"::CheckDeviceFormat", "::EnumAdapterModes",
                                          "::GetAdapterModeCount", "::GetDeviceCaps"};

    for (unsigned i = 0; i < 4; i++) {
        const char *at = strstr(name, methods[i]);

        if (at && !at[strlen(methods[i])])
            return true;
    }
    return false;
}

static bool has_reference(const char *name, uint64_t call)
{
    char path[1400];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s/ref/%010llu.png", folder, name, (unsigned long long)call);
    file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

static enum status survey(const struct row *row, struct counts *n, struct trace_error *error)
{
    struct trace_reader *reader;
    const struct trace_call *call;
    char path[1400];
    enum status st;

    memset(n, 0, sizeof(*n));
    snprintf(path, sizeof(path), "%s/%s/%s.trace", folder, row->name, row->name);
    ck_assert_msg(trace_open(&reader, path, error) == ST_OK, "%s: %s", path, error->text);
    while ((st = trace_next(reader, &call)) == ST_OK && call) {
        n->incomplete += !call->complete;
        if (!call->complete)
            continue;
        n->calls += !is_verbose(call->function->name);
        n->draws += replay_is_draw(call->function->name);
        n->frames += replay_is_present(call->function->name);
        ck_assert_msg(replay_support_of(call->function->name) != REPLAY_UNKNOWN, "%s",
                      call->function->name);
        if (!trace_failed(call) && replay_has_moment(call->function->name))
            n->pictures += has_reference(row->name, call->number);
    }
    *error = *trace_reader_error(reader);
    trace_close(reader);
    return st;
}

static unsigned reference_count(const char *name)
{
    char path[1400];
    struct dirent *entry;
    unsigned n = 0;
    DIR *dir;

    snprintf(path, sizeof(path), "%s/%s/ref", folder, name);
    dir = opendir(path);
    while (dir && (entry = readdir(dir)))
        n += strstr(entry->d_name, ".png") != NULL;
    if (dir)
        closedir(dir);
    return n;
}

START_TEST(capture_reads_to_its_end)
{
    const struct row *row = &rows[_i];
    struct trace_error error;
    struct counts n;
    enum status st = survey(row, &n, &error);

    if (!strcmp(row->name, "tokitori-cut")) { /* truncated in its third chunk, inside call 2942 */
        ck_assert_int_eq(st, ST_DAMAGED);
        ck_assert_uint_eq(error.file_byte, 348098);
        ck_assert_msg(strstr(error.text, "cut off"), "%s", error.text);
        ck_assert_uint_eq(n.incomplete, 1);
        return;
    }
    ck_assert_msg(st == ST_OK, "%s: %s", row->name, error.text);
    ck_assert_msg(
        n.frames == row->frames && n.pictures == reference_count(row->name) && !n.incomplete,
        "%s: %u frames, %u pictures, %u incomplete", row->name, n.frames, n.pictures, n.incomplete);
    /* The README's row of this capture was counted differently. */
    if (strcmp(row->name, "spv3-launcher"))
        ck_assert_msg(n.draws == row->draws && n.calls == row->calls, "%s: %u draws, %u calls",
                      row->name, n.draws, n.calls);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("captures");
    TCase *tc = tcase_create("captures");

    read_table();
    tcase_add_loop_test(tc, capture_reads_to_its_end, 0, row_count);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
