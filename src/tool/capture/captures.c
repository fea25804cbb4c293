/* `novem captures`: replays every capture of a folder, compares its pictures with references, and
 * writes the results as a Markdown page.
 *
 * Each capture is replayed by a child process, so that a crash or an endless loop costs one row of
 * the table. */
#include "tool/capture/capture.h"
#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "util/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, TOLERANCE = 2 /* of 255, a channel */, WRAP_COLUMNS = 110 };

struct capture {
    char *name;
    char status[32]; /* "ok", or why the replay did not finish */
    unsigned long long calls, unsupported, failed, frames, draws;
    double milliseconds;
    unsigned references, compared;
    double worst;        /* largest share of pixels of a picture beyond TOLERANCE, 0 … 1 */
    char worst_name[32]; /* the file of that picture */
    double mean;         /* distance of a channel over all reference pictures, in 1/255 */
    const char *reason;  /* text of the note, NULL without one; points into survey.reasons */
    unsigned note;       /* number of the note, 0 without one */
};

struct survey {
    const char *command, *folder, *out, *work, *reasons_path, *sheet_path, *only;
    unsigned limit, threads;
    struct capture *captures;
    size_t count, room;
    char *reasons; /* text of the file of reasons; read_reasons splits it in place */
};

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
    char path[PATH_BYTES];
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
    qsort(s->captures, s->count, sizeof(*s->captures), by_name);
    return ok;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t room = 1 << 20, n;
    char *text;

    if (!file)
        return NULL;
    text = mem_alloc(room);
    n = text ? fread(text, 1, room - 1, file) : 0;
    if (text)
        text[n] = 0;
    fclose(file);
    return text;
}

/* Reads lines "NAME<tab>reason"; "#" begins a comment. */
static void read_reasons(struct survey *s)
{
    char *save = NULL;

    s->reasons = s->reasons_path ? read_file(s->reasons_path) : NULL;
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

/* --- Running one capture ---------------------------------------------------------------------- */

static void exec_replay(const struct survey *s, const char *name)
{
    char trace[PATH_BYTES], out[PATH_BYTES], ref[PATH_BYTES], report[PATH_BYTES], log[PATH_BYTES];
    char threads[16];
    const char *args[] = {"novem",       "replay",  trace,       "-o",    out,
                          "--snapshots", "calls",   "--like",    ref,     "--report",
                          report,        "--quiet", "--threads", threads, NULL};
    int fd;

    snprintf(trace, sizeof(trace), "%s/%s/%s.trace", s->folder, name, name);
    snprintf(ref, sizeof(ref), "%s/%s/ref", s->folder, name);
    snprintf(out, sizeof(out), "%s/%s", s->work, name);
    snprintf(report, sizeof(report), "%s/%s/report", s->work, name);
    snprintf(log, sizeof(log), "%s/%s/log", s->work, name);
    snprintf(threads, sizeof(threads), "%u", s->threads);
    if (mkdir(out, 0777) && errno != EEXIST)
        _exit(TOOL_ERROR);
    unlink(report);
    fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd >= 0) {
        dup2(fd, STDOUT_FILENO);
        dup2(fd, STDERR_FILENO);
    }
    alarm(s->limit); /* exec keeps the alarm; it ends a replay that takes too long */
    execv("/proc/self/exe", (char *const *)(uintptr_t)args);
    _exit(TOOL_ERROR);
}

static void set_status(struct capture *c, const struct survey *s, int status)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        snprintf(c->status, sizeof(c->status), "over %u s", s->limit);
    else if (WIFSIGNALED(status))
        snprintf(c->status, sizeof(c->status), "signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) != TOOL_OK)
        snprintf(c->status, sizeof(c->status), "error");
    else
        snprintf(c->status, sizeof(c->status), "ok");
}

static void read_report(struct capture *c, const struct survey *s)
{
    char path[PATH_BYTES], *save = NULL, *text;

    snprintf(path, sizeof(path), "%s/%s/report", s->work, c->name);
    text = read_file(path);
    for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save)) {
        char status[32];

        if (sscanf(line, "status %31[^\n]", status) == 1 && strcmp(status, "ok") &&
            !strcmp(c->status, "error"))
            snprintf(c->status, sizeof(c->status), "%s", status);
        sscanf(line, "calls %llu", &c->calls);
        sscanf(line, "unsupported %llu", &c->unsupported);
        sscanf(line, "failed %llu", &c->failed);
        sscanf(line, "frames %llu", &c->frames);
        sscanf(line, "draws %llu", &c->draws);
        sscanf(line, "milliseconds %lf", &c->milliseconds);
    }
    mem_free(text);
}

static void compare_one(const struct survey *s, struct capture *c, const char *file, double *sum)
{
    char path[PATH_BYTES];
    struct tool_image ours, reference;
    struct tool_difference d = {.mean = 255.0, .pixels = 1, .above = 1};

    c->references++;
    snprintf(path, sizeof(path), "%s/%s/ref/%s", s->folder, c->name, file);
    if (tool_png_read(path, &reference) != ST_OK) {
        tool_error(s->command, "%s is not a valid PNG", path);
        return;
    }
    snprintf(path, sizeof(path), "%s/%s/%s", s->work, c->name, file);
    if (tool_png_read(path, &ours) == ST_OK) {
        /* If the sizes differ, all pixels count as different. */
        if (tool_image_compare(&ours, &reference, TOLERANCE, &d, NULL) != ST_OK)
            d = (struct tool_difference){.mean = 255.0, .pixels = 1, .above = 1};
        c->compared++;
    }
    *sum += d.mean;
    if (!c->worst_name[0] || (double)d.above / (double)d.pixels > c->worst) {
        c->worst = (double)d.above / (double)d.pixels;
        snprintf(c->worst_name, sizeof(c->worst_name), "%.31s", file);
    }
    tool_image_fini(&ours);
    tool_image_fini(&reference);
}

static void compare_all(const struct survey *s, struct capture *c)
{
    char path[PATH_BYTES];
    struct dirent **files;
    double sum = 0;
    int n;

    snprintf(path, sizeof(path), "%s/%s/ref", s->folder, c->name);
    n = scandir(path, &files, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        size_t length = strlen(files[i]->d_name);

        if (length > 4 && length < 32 && !strcmp(files[i]->d_name + length - 4, ".png"))
            compare_one(s, c, files[i]->d_name, &sum);
        free(files[i]);
    }
    if (n >= 0)
        free(files);
    c->mean = c->references ? sum / c->references : 0;
}

/* Deletes pictures of an earlier run, which this run might compare if its replay fails. */
static void delete_pictures(const struct survey *s, const struct capture *c)
{
    char path[PATH_BYTES];
    struct dirent *entry;
    DIR *dir;

    snprintf(path, sizeof(path), "%s/%s", s->work, c->name);
    dir = opendir(path);
    while (dir && (entry = readdir(dir))) {
        size_t length = strlen(entry->d_name);

        if (length > 4 && !strcmp(entry->d_name + length - 4, ".png"))
            unlinkat(dirfd(dir), entry->d_name, 0);
    }
    if (dir)
        closedir(dir);
}

static bool run_capture(const struct survey *s, struct capture *c)
{
    pid_t child;
    int status;

    delete_pictures(s, c);
    fflush(NULL);
    child = fork();
    if (child < 0)
        return false;
    if (child == 0)
        exec_replay(s, c->name);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    set_status(c, s, status);
    read_report(c, s);
    compare_all(s, c);
    return true;
}

/* --- The page --------------------------------------------------------------------------------- */

static void print_intro(FILE *file)
{
    fprintf(file,
            "# Captures\n\n"
            "This page shows how Novem renders recordings of real programs. Read it to see which "
            "programs Novem replays\nand how far its pictures are from those of another "
            "implementation.\n\n"
            "`make captures` writes this page; do not edit it. `NOVEM_DATA` names the folder of "
            "the captures. The command\nreplays each capture in a process of its own and compares "
            "the pictures with references. The references were\nrendered by wined3d on llvmpipe. "
            "They are a second opinion, not the truth. The notes are kept in\n"
            "[captures-reasons.tsv](captures-reasons.tsv).\n\n");
    fprintf(file,
            "| column | meaning |\n"
            "| --- | --- |\n"
            "| # | number of the capture on the contact sheet (`--sheet`) |\n"
            "| status | `ok`: the replay reached the end of the capture; otherwise the error |\n"
            "| frames, draws | calls of Present, calls that draw |\n"
            "| ms | wall time a frame in milliseconds, on the machine that wrote this page; `-` "
            "without a Present |\n"
            "| pictures | reference pictures |\n"
            "| worst | largest share of pixels of one picture that differ by more than %d/255 in "
            "a channel |\n"
            "| mean | mean difference of a channel over all reference pictures, in 1/255 |\n"
            "| note | number of the note below the table |\n\n",
            TOLERANCE);
}

static void print_summary(FILE *file, const struct survey *s)
{
    unsigned replayed = 0, compared = 0, pictures = 0, within_1 = 0, within_01 = 0;

    for (size_t i = 0; i < s->count; i++) {
        const struct capture *c = &s->captures[i];

        replayed += !strcmp(c->status, "ok");
        pictures += c->references;
        compared += c->references != 0;
        within_1 += c->references && c->worst <= 0.01;
        within_01 += c->references && c->worst <= 0.001;
    }
    fprintf(file,
            "## Summary\n\n"
            "| | |\n"
            "| --- | --- |\n"
            "| captures | %zu |\n"
            "| replayed to the end | %u |\n"
            "| captures with references | %u |\n"
            "| reference pictures | %u |\n"
            "| captures of which every picture agrees in 99 %% of its pixels | %u |\n"
            "| captures of which every picture agrees in 99.9 %% of its pixels | %u |\n\n",
            s->count, replayed, compared, pictures, within_1, within_01);
}

static void print_row(FILE *file, unsigned number, const struct capture *c)
{
    fprintf(file, "| %u | %s | %s | %llu | %llu | ", number, c->name, c->status, c->frames,
            c->draws);
    if (c->frames)
        fprintf(file, "%.1f | ", c->milliseconds / (double)c->frames);
    else
        fprintf(file, "- | ");
    if (c->references)
        fprintf(file, "%u | %.3f %% | %.3f | ", c->references, 100 * c->worst, c->mean);
    else
        fprintf(file, "0 | - | - | ");
    if (c->note)
        fprintf(file, "%u |\n", c->note);
    else
        fprintf(file, "|\n");
}

static void print_results(FILE *file, const struct survey *s)
{
    fprintf(file,
            "## Results\n\n"
            "| # | capture | status | frames | draws | ms | pictures | worst | mean | note |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < s->count; i++)
        print_row(file, (unsigned)i + 1, &s->captures[i]);
}

/* Lists captures with calls that fail here or that the replay cannot execute. */
static void print_failed_calls(FILE *file, const struct survey *s)
{
    bool any = false;

    for (size_t i = 0; i < s->count; i++) {
        const struct capture *c = &s->captures[i];

        if (!c->failed && !c->unsupported)
            continue;
        if (!any)
            fprintf(file, "\n## Failed and unsupported calls\n\n"
                          "A failed call succeeded when it was recorded and returns an error from "
                          "Novem. The replay skips unsupported\ncalls. Captures without such calls "
                          "are left out.\n\n"
                          "| capture | failed | unsupported |\n"
                          "| --- | --- | --- |\n");
        any = true;
        fprintf(file, "| %s | %llu | %llu |\n", c->name, c->failed, c->unsupported);
    }
}

/* Writes words separated by spaces and breaks the line before WRAP_COLUMNS. *column is the width of
 * the line so far; new lines begin with indent spaces. */
static void print_words(FILE *file, const char *text, unsigned *column, unsigned indent)
{
    while (*(text += strspn(text, " "))) {
        unsigned n = (unsigned)strcspn(text, " ");

        if (*column + 1 + n > WRAP_COLUMNS) {
            fprintf(file, "\n%*s", (int)indent, "");
            *column = indent;
        } else if (*column > indent) {
            fputc(' ', file);
            ++*column;
        }
        fprintf(file, "%.*s", (int)n, text);
        *column += n;
        text += n;
    }
}

/* A note is a list item: its number, the captures that share it, and the reason. */
static void print_note(FILE *file, const struct survey *s, unsigned note)
{
    const char *reason = NULL;
    unsigned indent = (unsigned)fprintf(file, "%u. ", note), column = indent;

    for (size_t i = 0; i < s->count; i++) {
        const struct capture *c = &s->captures[i];
        bool more = false;
        char name[PATH_BYTES];

        if (c->note != note)
            continue;
        for (size_t k = i + 1; k < s->count; k++)
            more |= s->captures[k].note == note;
        snprintf(name, sizeof(name), "`%s`%s", c->name, more ? "," : ":");
        print_words(file, name, &column, indent);
        reason = c->reason;
    }
    print_words(file, reason, &column, indent);
    fputc('\n', file);
}

static void print_notes(FILE *file, const struct survey *s)
{
    unsigned notes = 0;

    for (size_t i = 0; i < s->count; i++)
        if (s->captures[i].note > notes)
            notes = s->captures[i].note;
    if (notes)
        fprintf(file, "\n## Notes\n\n");
    for (unsigned note = 1; note <= notes; note++)
        print_note(file, s, note);
}

static int write_page(const struct survey *s)
{
    FILE *file = s->out ? fopen(s->out, "w") : stdout;

    if (!file)
        return tool_error(s->command, "%s cannot be written", s->out);
    print_intro(file);
    print_summary(file, s);
    print_results(file, s);
    print_failed_calls(file, s);
    print_notes(file, s);
    if (file != stdout && fclose(file))
        return tool_error(s->command, "%s cannot be written", s->out);
    return TOOL_OK;
}

/* Writes a contact sheet: the worst picture of every capture that has references, beside the
 * reference. The number of a cell is the capture's in the table. */
static int write_sheet(const struct survey *s)
{
    struct tool_sheet sheet;
    unsigned cells = 0;
    enum status st;

    for (size_t i = 0; i < s->count; i++)
        cells += s->captures[i].references != 0;
    if (tool_sheet_create(&sheet, cells) != ST_OK)
        return tool_error(s->command, "the sheet would be too large");
    for (size_t i = 0; i < s->count; i++) {
        const struct capture *c = &s->captures[i];
        struct tool_image ours = {0}, reference = {0};
        char path[PATH_BYTES];

        if (!c->references)
            continue;
        snprintf(path, sizeof(path), "%s/%s/%s", s->work, c->name, c->worst_name);
        st = tool_png_read(path, &ours);
        snprintf(path, sizeof(path), "%s/%s/ref/%s", s->folder, c->name, c->worst_name);
        st = tool_png_read(path, &reference);
        tool_sheet_add(&sheet, (unsigned)i + 1, &ours, &reference);
        tool_image_fini(&ours);
        tool_image_fini(&reference);
    }
    st = tool_png_write(s->sheet_path, &sheet.image, 3);
    tool_image_fini(&sheet.image);
    return st == ST_OK ? TOOL_OK : tool_error(s->command, "%s cannot be written", s->sheet_path);
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
    read_reasons(s);
    number_notes(s);
    for (size_t i = 0; i < s->count; i++) {
        struct capture *c = &s->captures[i];

        if (!run_capture(s, c))
            return tool_error(s->command, "cannot start a process for %s: %s", c->name,
                              strerror(errno));
        fprintf(stderr, "%3zu/%zu %-32s %s, worst %.3f %%, %.1f s\n", i + 1, s->count, c->name,
                c->status, 100 * c->worst, c->milliseconds / 1e3);
    }
    if (s->sheet_path && write_sheet(s) != TOOL_OK)
        return TOOL_ERROR;
    return write_page(s);
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

    if (code < 0)
        code = run_all(&s);
    for (size_t i = 0; i < s.count; i++)
        mem_free(s.captures[i].name);
    mem_free(s.captures);
    mem_free(s.reasons);
    return code;
}
