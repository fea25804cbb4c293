/* Processes of `novem captures`: a child replays a capture, so that a crash or an endless loop
 * costs one row of the table.
 *
 * Tested by tests/unit/tool/capture/test_captures.c. */
#include "tool/capture/captures.h"

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

bool captures_execute(const char *log, unsigned limit, const char *const args[], int *status)
{
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child < 0)
        return false;
    if (child == 0) {
        int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);

        if (fd >= 0) {
            dup2(fd, STDOUT_FILENO);
            dup2(fd, STDERR_FILENO);
        }
        alarm(limit); /* exec keeps the alarm; it ends a process that takes too long */
        execv("/proc/self/exe", (char *const *)(uintptr_t)args);
        _exit(TOOL_ERROR);
    }
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            return false;
    return true;
}

static bool replay(const struct survey *s, const char *name, int *status)
{
    char trace[CAPTURES_PATH], out[CAPTURES_PATH], ref[CAPTURES_PATH], report[CAPTURES_PATH],
        log[CAPTURES_PATH];
    char threads[16];
    const char *args[] = {"novem",       "replay",  trace,       "-o",    out,
                          "--snapshots", "calls",   "--like",    ref,     "--report",
                          report,        "--quiet", "--threads", threads, NULL};

    snprintf(trace, sizeof(trace), "%s/%s/%s.trace", s->folder, name, name);
    snprintf(ref, sizeof(ref), "%s/%s/ref", s->folder, name);
    snprintf(out, sizeof(out), "%s/%s", s->work, name);
    snprintf(report, sizeof(report), "%s/%s/report", s->work, name);
    snprintf(log, sizeof(log), "%s/%s/log", s->work, name);
    snprintf(threads, sizeof(threads), "%u", s->threads);
    unlink(report);
    return captures_execute(log, s->limit, args, status);
}

static void set_status(struct capture *c, const struct survey *s, int status)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        snprintf(c->status, sizeof(c->status), "over %u s", s->limit);
    else if (WIFSIGNALED(status))
        snprintf(c->status, sizeof(c->status), "signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) == TOOL_DIFFERS) /* at the end, but calls failed */
        snprintf(c->status, sizeof(c->status), "ok");
    else if (WEXITSTATUS(status) != TOOL_OK)
        snprintf(c->status, sizeof(c->status), "error");
    else
        snprintf(c->status, sizeof(c->status), "ok");
}

static void read_report(struct capture *c, const struct survey *s)
{
    char path[CAPTURES_PATH], *save = NULL, *text;
    uint8_t *bytes;
    size_t n;

    snprintf(path, sizeof(path), "%s/%s/report", s->work, c->name);
    text = tool_file_read(path, &bytes, &n) == ST_OK ? (char *)bytes : NULL;
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
    char path[CAPTURES_PATH];
    struct tool_image ours, reference;
    struct tool_difference d = {.mean = 255.0, .pixels = 1, .above = 1};
    enum status st;

    c->references++;
    snprintf(path, sizeof(path), "%s/%s/ref/%s", s->folder, c->name, file);
    st = tool_png_read(path, &reference);
    if (st != ST_OK) {
        tool_error(s->command, "%s: %s", path,
                   st == ST_IO || st == ST_NOMEM ? tool_file_reason(path, st)
                                                 : "is not a valid PNG");
        return;
    }
    snprintf(path, sizeof(path), "%s/%s/%s", s->work, c->name, file);
    if (tool_png_read(path, &ours) == ST_OK) {
        /* If the sizes differ, all pixels count as different. */
        if (tool_image_compare(&ours, &reference, CAPTURES_TOLERANCE, &d, NULL) != ST_OK)
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
    char path[CAPTURES_PATH];
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

/* A replay that failed has said why: the last line of its log. */
static void print_reason(const struct survey *s, const struct capture *c)
{
    char path[CAPTURES_PATH], *line;
    uint8_t *bytes;
    size_t n;

    snprintf(path, sizeof(path), "%s/%s/log", s->work, c->name);
    if (tool_file_read(path, &bytes, &n) != ST_OK)
        return;
    while (n && bytes[n - 1] == '\n')
        bytes[--n] = '\0';
    line = strrchr((char *)bytes, '\n');
    line = line ? line + 1 : (char *)bytes;
    line += strncmp(line, "novem replay: ", 14) ? 0 : 14;
    if (*line)
        tool_error(s->command, "%s: %s", c->name, line);
    mem_free(bytes);
}

/* The folder of the capture's pictures, report and log. Returns false after an error message. */
static bool make_folder(const struct survey *s, struct capture *c)
{
    char path[CAPTURES_PATH];

    snprintf(path, sizeof(path), "%s/%s", s->work, c->name);
    if (!mkdir(path, 0777) || errno == EEXIST)
        return true;
    tool_error(s->command, "%s: %s", path, strerror(errno));
    snprintf(c->status, sizeof(c->status), "error");
    return false;
}

/* Deletes pictures of an earlier run, which this run might compare if its replay fails. */
static void delete_pictures(const struct survey *s, const struct capture *c)
{
    char path[CAPTURES_PATH];
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

bool captures_run(const struct survey *s, struct capture *c)
{
    int status;

    if (!make_folder(s, c))
        return true;
    delete_pictures(s, c);
    if (!replay(s, c->name, &status))
        return false;
    set_status(c, s, status);
    read_report(c, s);
    if (!WIFEXITED(status) || WEXITSTATUS(status) == TOOL_ERROR)
        print_reason(s, c);
    compare_all(s, c);
    return true;
}
