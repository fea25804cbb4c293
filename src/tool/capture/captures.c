/* `novem captures`: replays every capture of a folder, compares its pictures with references, and
 * writes the results as a Markdown page. */
#include "tool/capture/captures.h"

#include "tool/capture/capture.h"
#include "tool/cli/cli.h"
#include "util/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Finding captures and reasons ------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct capture *)a)->name, ((const struct capture *)b)->name);
}

static bool add_capture(struct survey *s, const char *name)
{
    if (s->count == s->room) {
        size_t room = s->room ? 2 * s->room : 64;
        struct capture *bigger = mem_realloc(s->captures, room * sizeof(*bigger));

        if (!bigger)
            return false;
        s->captures = bigger;
        s->room = room;
    }
    s->captures[s->count] = (struct capture){.name = mem_strdup(name)};
    return s->captures[s->count++].name != NULL;
}

/* Lists the captures FOLDER/NAME/NAME.trace in the order of their names. */
static bool find_captures(struct survey *s)
{
    DIR *dir = opendir(s->folder);
    struct dirent *entry;
    char path[CAPTURES_PATH];
    bool ok = true;

    if (!dir)
        return false;
    while (ok && (entry = readdir(dir))) {
        snprintf(path, sizeof(path), "%s/%s/%s.trace", s->folder, entry->d_name, entry->d_name);
        if (entry->d_name[0] != '.' && access(path, R_OK) == 0 &&
            (!s->only || strstr(entry->d_name, s->only)))
            ok = add_capture(s, entry->d_name);
    }
    closedir(dir);
    if (s->count)
        qsort(s->captures, s->count, sizeof(*s->captures), by_name);
    return ok;
}

/* Reads lines "NAME<tab>reason"; "#" begins a comment. */
static bool read_reasons(struct survey *s)
{
    char *save = NULL;
    uint8_t *bytes;
    size_t n;

    if (s->reasons_path && tool_file_read(s->reasons_path, &bytes, &n) != ST_OK) {
        tool_error(s->command, "%s cannot be read: %s", s->reasons_path,
                   tool_file_reason(s->reasons_path, ST_IO));
        return false;
    }
    s->reasons = s->reasons_path ? (char *)bytes : NULL;
    for (char *line = s->reasons ? strtok_r(s->reasons, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save)) {
        char *tab = strchr(line, '\t');
        bool found = false;

        if (!tab || *line == '#')
            continue;
        *tab = 0;
        for (size_t i = 0; i < s->count; i++)
            if (!strcmp(s->captures[i].name, line)) {
                s->captures[i].reason = tab + 1;
                found = true;
            }
        if (!found && !s->only)
            tool_error(s->command, "%s names %s, which does not exist", s->reasons_path, line);
    }
    return true;
}

/* Numbers the notes in the order of the table; captures with the same reason share a note. */
static void number_notes(struct survey *s)
{
    unsigned notes = 0;

    for (size_t i = 0; i < s->count; i++) {
        struct capture *c = &s->captures[i];

        for (size_t k = 0; c->reason && !c->note && k < i; k++)
            if (s->captures[k].reason && !strcmp(s->captures[k].reason, c->reason))
                c->note = s->captures[k].note;
        if (c->reason && !c->note)
            c->note = ++notes;
    }
}

/* --- The command ------------------------------------------------------------------------------ */

static int run_all(struct survey *s)
{
    if (!find_captures(s))
        return tool_error(s->command, "%s: %s", s->folder, strerror(errno));
    if (!s->count)
        return tool_error(s->command, "%s has no captures (NAME/NAME.trace)", s->folder);
    if (mkdir(s->work, 0777) && errno != EEXIST)
        return tool_error(s->command, "%s: %s", s->work, strerror(errno));
    if (!read_reasons(s))
        return TOOL_ERROR;
    number_notes(s);
    for (size_t i = 0; i < s->count; i++) {
        struct capture *c = &s->captures[i];

        if (!captures_run(s, c) || !captures_compare_gpu(s, c))
            return tool_error(s->command, "cannot start a process for %s: %s", c->name,
                              strerror(errno));
        fprintf(stderr, "%3zu/%zu %-32s %s, worst %.3f %%, %.1f s\n", i + 1, s->count, c->name,
                c->status, 100 * c->worst, c->milliseconds / 1e3);
    }
    if (s->sheet_path && captures_write_sheet(s) != TOOL_OK)
        return TOOL_ERROR;
    return captures_write_page(s);
}

int tool_captures(int argc, char **argv)
{
    struct survey s = {.command = argv[0], .work = "captures-work", .limit = 300};
    const struct tool_option options[] = {
        {"-o", "OUT.md", "the page (default: standard output)", OPT_TEXT, &s.out},
        {"--work", "DIR", "folder for pictures, reports and logs (default: captures-work)",
         OPT_TEXT, &s.work},
        {"--reasons", "FILE.tsv", "lines `capture<tab>reason` for the notes", OPT_TEXT,
         &s.reasons_path},
        {"--sheet", "FILE.png", "a contact sheet: the worst picture of each, Novem's on the left",
         OPT_TEXT, &s.sheet_path},
        {"--gpu", "DIR", "pictures of a GPU, DIR/NAME/*.png; the last is compared with the others",
         OPT_TEXT, &s.gpu},
        {"--masks", NULL, "with --gpu: judge the GPU's pictures by masks, as `novem mask` does",
         OPT_FLAG, &s.masks},
        {"--only", "TEXT", "only captures whose name contains TEXT", OPT_TEXT, &s.only},
        {"--limit", "SECONDS", "time limit of one capture (default: 300)", OPT_UINT, &s.limit},
        {"--threads", "N", "render threads (default: one per processor)", OPT_UINT, &s.threads},
    };
    const struct tool_usage usage = {
        "captures DIR [options]",
        "Replays every DIR/NAME/NAME.trace, compares it with DIR/NAME/ref/CALL.png and writes the\n"
        "results as Markdown. Each capture runs in its own process, so a crash costs one row.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &s.folder);

    if (code < 0 && s.masks && !s.gpu)
        code = tool_error(s.command, "--masks needs --gpu");
    if (code < 0)
        code = run_all(&s);
    for (size_t i = 0; i < s.count; i++)
        mem_free(s.captures[i].name);
    mem_free(s.captures);
    mem_free(s.reasons);
    return code;
}
