/* `novem captures`: replays a folder of captures, each in a process of its own, compares what they
 * show with their reference pictures, and writes a table. */
#include "tool/tool.h"

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

enum { PATH_BYTES = 4096, NEAR_ENOUGH = 2 /* of 255 */, WITHIN_PERMILLE = 1 };

struct capture {
    char *name;
    char end[32]; /* "yes", or why not */
    unsigned long long calls, unsupported, failed, frames, draws;
    double milliseconds;
    unsigned references, compared;
    double worst; /* largest share of pixels further apart than NEAR_ENOUGH, 0 … 1 */
    char worst_name[32];
    double mean; /* over all reference pictures, in 1/255 */
    const char *reason;
};

struct survey {
    const char *command, *folder, *out, *work, *reasons_path, *sheet_path, *only;
    unsigned limit, threads;
    struct capture *captures;
    size_t count, room;
    char *reasons; /* the file's text, cut up in place */
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

/* FOLDER/NAME/NAME.trace */
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

/* Lines "NAME<tab>reason". */
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
            tool_error(s->command, "%s names %s, which is not there", s->reasons_path, line);
    }
}

/* --- Running one capture ---------------------------------------------------------------------- */

static void become_replay(const struct survey *s, const char *name)
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
    alarm(s->limit); /* survives exec, and ends the replay */
    execv("/proc/self/exe", (char *const *)(uintptr_t)args);
    _exit(TOOL_ERROR);
}

static void name_end(struct capture *c, const struct survey *s, int status)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        snprintf(c->end, sizeof(c->end), "no: over %u s", s->limit);
    else if (WIFSIGNALED(status))
        snprintf(c->end, sizeof(c->end), "no: signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) != TOOL_OK)
        snprintf(c->end, sizeof(c->end), "no: error");
    else
        snprintf(c->end, sizeof(c->end), "yes");
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
            !strcmp(c->end, "no: error"))
            snprintf(c->end, sizeof(c->end), "no: %.26s", status);
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
        tool_error(s->command, "%s is no sound PNG", path);
        return;
    }
    snprintf(path, sizeof(path), "%s/%s/%s", s->work, c->name, file);
    if (tool_png_read(path, &ours) == ST_OK) {
        /* A picture of another size counts as wholly wrong. */
        if (tool_image_compare(&ours, &reference, NEAR_ENOUGH, &d, NULL) != ST_OK)
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

/* Pictures of an earlier run must not be taken for this one's. */
static void forget_pictures(const struct survey *s, const struct capture *c)
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

    forget_pictures(s, c);
    fflush(NULL);
    child = fork();
    if (child < 0)
        return false;
    if (child == 0)
        become_replay(s, c->name);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    name_end(c, s, status);
    read_report(c, s);
    compare_all(s, c);
    return true;
}

/* --- The table -------------------------------------------------------------------------------- */

static void print_row(FILE *file, unsigned number, const struct capture *c)
{
    fprintf(file, "| %u | %s | %s | %llu | %llu | %llu | %llu | ", number, c->name, c->end,
            c->unsupported, c->failed, c->frames, c->draws);
    if (c->frames)
        fprintf(file, "%.1f | ", c->milliseconds / (double)c->frames);
    else
        fprintf(file, "- | ");
    if (c->references)
        fprintf(file, "%u | %.3f %% | %.3f | ", c->references, 100 * c->worst, c->mean);
    else
        fprintf(file, "0 | - | - | ");
    fprintf(file, "%s |\n", c->reason ? c->reason : "");
}

static void print_table(FILE *file, const struct survey *s)
{
    unsigned ended = 0, with = 0, close = 0, within = 0, references = 0;

    for (size_t i = 0; i < s->count; i++) {
        const struct capture *c = &s->captures[i];

        ended += !strcmp(c->end, "yes");
        references += c->references;
        with += c->references != 0;
        close += c->references && c->worst <= 0.01;
        within += c->references && c->worst * 1000 <= WITHIN_PERMILLE;
    }
    fprintf(file,
            "# Captures\n\n"
            "Written by `novem captures`. Each capture of a real program is replayed in a "
            "process of its\nown; pictures are compared with references made by another "
            "implementation (wined3d on\nllvmpipe): a second opinion, not the truth. "
            "*Worst* is the largest share of pixels of one\npicture that are further than "
            "%d/255 from the reference in a channel, *mean* the mean distance\nof a channel "
            "over all reference pictures, in 1/255. Reasons are kept by hand.\n\n",
            NEAR_ENOUGH);
    fprintf(file,
            "%zu captures, %u replayed to the end; %u have references (%u pictures). In "
            "every picture at least\n99 %% of the pixels agree in %u of them, 99.9 %% in %u.\n\n",
            s->count, ended, with, references, close, within);
    fprintf(file, "| # | capture | to the end | unsupported calls | failed calls | frames | draws "
                  "| ms/frame | references | worst | mean | reason |\n"
                  "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < s->count; i++)
        print_row(file, (unsigned)i + 1, &s->captures[i]);
}

static int write_table(const struct survey *s)
{
    FILE *file = s->out ? fopen(s->out, "w") : stdout;

    if (!file)
        return tool_error(s->command, "%s cannot be written", s->out);
    print_table(file, s);
    if (file != stdout && fclose(file))
        return tool_error(s->command, "%s cannot be written", s->out);
    return TOOL_OK;
}

/* The worst picture of every capture that has references, ours beside the other. */
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
        return tool_error(s->command, "%s holds no captures (NAME/NAME.trace)", s->folder);
    if (mkdir(s->work, 0777) && errno != EEXIST)
        return tool_error(s->command, "%s: %s", s->work, strerror(errno));
    read_reasons(s);
    for (size_t i = 0; i < s->count; i++) {
        struct capture *c = &s->captures[i];

        if (!run_capture(s, c))
            return tool_error(s->command, "no process for %s: %s", c->name, strerror(errno));
        fprintf(stderr, "%3zu/%zu %-32s %s, worst %.3f %%, %.1f s\n", i + 1, s->count, c->name,
                c->end, 100 * c->worst, c->milliseconds / 1e3);
    }
    if (s->sheet_path && write_sheet(s) != TOOL_OK)
        return TOOL_ERROR;
    return write_table(s);
}

int tool_captures(int argc, char **argv)
{
    struct survey s = {.command = argv[0], .work = "captures-work", .limit = 300};
    const struct tool_option options[] = {
        {"-o", "OUT.md", "the table (default: standard output)", OPT_TEXT, &s.out},
        {"--work", "DIR", "folder for pictures, reports and logs (default: captures-work)",
         OPT_TEXT, &s.work},
        {"--reasons", "FILE.tsv", "lines `capture<tab>reason` for the last column", OPT_TEXT,
         &s.reasons_path},
        {"--sheet", "FILE.png", "a contact sheet: the worst picture of each, ours on the left",
         OPT_TEXT, &s.sheet_path},
        {"--only", "TEXT", "only captures whose name contains TEXT", OPT_TEXT, &s.only},
        {"--limit", "SECONDS", "time for one capture (default: 300)", OPT_UINT, &s.limit},
        {"--threads", "N", "threads that render (default: one a processor)", OPT_UINT, &s.threads},
    };
    const struct tool_usage usage = {
        "captures DIR [options]",
        "Replays every DIR/NAME/NAME.trace and compares it with DIR/NAME/ref/CALL.png. A crash or\n"
        "an endless loop ends one row, not the table.",
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
