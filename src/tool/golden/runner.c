/* Executes the commands of one runner in child processes with time-outs.
 *
 * A command that takes a list gets many cases at once. Cases left without a picture run again
 * alone, so that a crash costs one case. */
#include "tool/cli/cli.h"
#include "tool/golden/runner.h"

#include "tool/golden/manifest.h"
#include "tool/golden/files.h"

#include "util/alloc.h"
#include "util/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* --- Commands --------------------------------------------------------------------------------- */

struct placeholder {
    const char *name, *value;
};

/* Appends text as one quoted shell word. */
static char *append_quoted(char *to, const char *text)
{
    char *quoted, *p, *out;

    if (!to)
        return NULL;
    quoted = mem_alloc(4 * strlen(text) + 3);
    if (!quoted) {
        mem_free(to);
        return NULL;
    }
    p = quoted;
    *p++ = '\'';
    for (; *text; text++) {
        if (*text == '\'') {
            memcpy(p, "'\\''", 4);
            p += 4;
        } else {
            *p++ = *text;
        }
    }
    *p++ = '\'';
    *p = '\0';
    out = golden_format("%s%s", to, quoted);
    mem_free(quoted);
    mem_free(to);
    return out;
}

static char *append_text(char *to, const char *text, size_t n)
{
    char *out = to ? golden_format("%s%.*s", to, (int)n, text) : NULL;

    mem_free(to);
    return out;
}

/* Replaces the placeholders of a command; freed with mem_free. NULL: out of memory. */
static char *fill_in(const char *command, const struct placeholder *values, size_t n)
{
    char *out = golden_format("%s", ""), path[PATH_MAX];

    while (out && *command) {
        size_t used = strcspn(command, "{"), program, i;

        out = append_text(out, command, used);
        command += used;
        for (i = 0; *command && i < n; i++)
            if (!strncmp(command, values[i].name, strlen(values[i].name)))
                break;
        program = *command && i == n ? tool_program_find(command, path, sizeof(path)) : 0;
        if (*command && i < n) {
            out = append_quoted(out, values[i].value);
            command += strlen(values[i].name);
        } else if (program) {
            out = append_quoted(out, path);
            command += program;
        } else if (*command) {
            out = append_text(out, command++, 1);
        }
    }
    return out;
}

/* --- Processes -------------------------------------------------------------------------------- */

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[sizeof(ends) / sizeof(ends[0])];
static volatile sig_atomic_t stopped;

static void note_signal(int number)
{
    stopped = number;
}

void runner_catch_signals(void)
{
    stopped = 0;
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        const struct sigaction note = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

        if (!sigaction(ends[i], NULL, &before[i]) && before[i].sa_handler != SIG_IGN)
            sigaction(ends[i], &note, NULL);
    }
}

bool runner_is_stopped(void)
{
    return stopped != 0;
}

void runner_release_signals(void)
{
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        sigaction(ends[i], &before[i], NULL);
    if (stopped)
        raise(stopped);
}

/* Starts the command in its own process group, so that a time-out ends all its children. */
static bool start(const char *command, const char *log, pid_t *pid)
{
    char *args[] = {"sh", "-c", (char *)command, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    bool good = false;

    if (posix_spawn_file_actions_init(&files))
        return false;
    if (!posix_spawnattr_init(&attributes)) {
        good =
            !posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0) &&
            !posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666) &&
            !posix_spawn_file_actions_adddup2(&files, 1, 2) &&
            !posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP) &&
            !posix_spawnattr_setpgroup(&attributes, 0) &&
            !posix_spawn(pid, "/bin/sh", &files, &attributes, args, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return good;
}

/* Polls every few milliseconds until the process ends. */
static void wait_for(pid_t pid, double seconds, struct rendering *out)
{
    const uint64_t stop = clock_now() + (uint64_t)(seconds * (double)CLOCK_SECOND);
    uint64_t pause = CLOCK_SECOND / 2000;
    int status;

    while (!waitpid(pid, &status, WNOHANG)) {
        if (stopped || clock_now() >= stop) {
            kill(-pid, SIGKILL);
            waitpid(pid, &status, 0);
            out->end = RENDER_TIMEOUT;
            return;
        }
        clock_sleep_until(clock_now() + pause);
        pause = pause < CLOCK_SECOND / 50 ? pause + pause / 4 : pause;
    }
    if (WIFSIGNALED(status)) {
        out->end = RENDER_SIGNAL;
        out->code = WTERMSIG(status);
    } else if (WEXITSTATUS(status) > 128) {
        out->end = RENDER_SIGNAL; /* the shell reports a signal this way */
        out->code = WEXITSTATUS(status) - 128;
    } else {
        out->end = WEXITSTATUS(status) ? RENDER_CODE : RENDER_OK;
        out->code = WEXITSTATUS(status);
    }
}

static void read_first_line(FILE *file, struct rendering *out)
{
    do {
        if (!fgets(out->first_line, sizeof(out->first_line), file))
            out->first_line[0] = '\0';
        out->first_line[strcspn(out->first_line, "\r\n")] = '\0';
    } while (!out->first_line[0] && !feof(file) && !ferror(file));
}

static void read_lines(const char *log, struct rendering *out)
{
    char bytes[2048], *at, *line;
    size_t n;
    FILE *file = fopen(log, "r");

    out->last_line[0] = out->first_line[0] = '\0';
    if (!file)
        return;
    read_first_line(file, out);
    rewind(file);
    fseek(file, -(long)sizeof(bytes) + 1, SEEK_END);
    if (ftell(file) < 0)
        rewind(file);
    n = fread(bytes, 1, sizeof(bytes) - 1, file);
    fclose(file);
    bytes[n] = '\0';
    while (n && (unsigned char)bytes[n - 1] <= ' ')
        bytes[--n] = '\0';
    at = strrchr(bytes, '\n');
    line = at ? at + 1 : bytes;
    snprintf(out->last_line, sizeof(out->last_line), "%.*s", (int)sizeof(out->last_line) - 1, line);
}

/* Links the command's output as the log of each of its cases. */
static void keep_log(const struct runner_job *job, const char *log,
                     const struct rendering *renderings, size_t n)
{
    struct stat info;
    bool any = !stat(log, &info) && info.st_size > 0;

    for (size_t i = 0; job->out && i < n; i++) {
        char *path = golden_format("%s/logs/%s.log", job->out, renderings[i].c->name);

        if (path)
            unlink(path);
        if (any && path && golden_make_folders(path) && link(log, path))
            any = false; /* the file system has no hard links */
        mem_free(path);
    }
    unlink(log);
}

/* Runs one command for the first out_n renderings; its end is stored in the first. */
static void run(const struct runner_job *job, const char *command, const struct placeholder *values,
                size_t n, double seconds, struct rendering *out, size_t out_n)
{
    char *line = fill_in(command, values, n);
    char *log = golden_format("%s/%u.log", job->work, job->number);
    pid_t pid;

    out->end = RENDER_UNSTARTED;
    if (line && log && !stopped && start(line, log, &pid)) {
        wait_for(pid, seconds, out);
        read_lines(log, out);
        keep_log(job, log, out, out_n);
    }
    mem_free(line);
    mem_free(log);
}

/* --- Scenes ----------------------------------------------------------------------------------- */

static bool has_picture(const struct rendering *rendering)
{
    return !access(rendering->png, F_OK);
}

static bool write_list(const char *path, const struct rendering *renderings, size_t n)
{
    FILE *file = fopen(path, "w");

    for (size_t i = 0; file && i < n; i++)
        fprintf(file, "%s\t%s\n", renderings[i].c->input, renderings[i].png);
    return file && tool_file_close(file, path);
}

static void render_scene_batch(const struct runner_job *job, struct rendering *renderings, size_t n)
{
    char *list = golden_format("%s/%u.list", job->work, job->number), frames[48];
    const struct placeholder values[] = {
        {"{scene}", renderings[0].c->input},
        {"{capture}", renderings[0].c->input},
        {"{out}", renderings[0].png},
        {"{case}", renderings[0].c->name},
        {"{frames}", frames},
        {"{list}", list},
    };

    snprintf(frames, sizeof(frames), "%" PRIu64 "-%" PRIu64, renderings[0].c->frame,
             renderings[0].c->frame);
    if (list && write_list(list, renderings, n))
        run(job, job->scene, values, sizeof(values) / sizeof(values[0]),
            (double)job->runner->timeout * (double)n, renderings, n);
    else
        renderings[0].end = RENDER_UNSTARTED;
    renderings[0].alone = n == 1;
    for (size_t i = 1; i < n; i++) {
        renderings[i].alone = false;
        renderings[i].end = renderings[0].end;
        renderings[i].code = renderings[0].code;
        memcpy(renderings[i].last_line, renderings[0].last_line, sizeof(renderings[i].last_line));
        memcpy(renderings[i].first_line, renderings[0].first_line,
               sizeof(renderings[i].first_line));
    }
    if (list)
        unlink(list);
    mem_free(list);
}

static void render_scenes(const struct runner_job *job, struct rendering *renderings, size_t n)
{
    bool lists = strstr(job->scene, "{list}") != NULL;

    if (lists)
        render_scene_batch(job, renderings, n);
    for (size_t i = 0; i < n; i++)
        if (!lists || (n > 1 && renderings[i].end != RENDER_OK && !has_picture(&renderings[i])))
            render_scene_batch(job, &renderings[i], 1);
}

/* --- Captures --------------------------------------------------------------------------------- */

/* The command writes frames to the job's folder; the requested ones are moved to their paths. */
static void render_frames(const struct runner_job *job, struct rendering *renderings, size_t n)
{
    uint64_t first = renderings[0].c->frame, last = renderings[n - 1].c->frame;
    char *folder = golden_format("%s/%u", job->work, job->number), frames[48];
    char *inside = folder ? golden_format("%s/", folder) : NULL;
    const struct placeholder values[] = {
        {"{capture}", renderings[0].c->input}, {"{frames}", frames}, {"{out}", folder},
        {"{case}", renderings[0].c->name},     {"{scene}", ""},      {"{list}", ""},
    };

    snprintf(frames, sizeof(frames), "%" PRIu64 "-%" PRIu64, first, last);
    if (inside && golden_make_folders(inside))
        run(job, job->capture, values, sizeof(values) / sizeof(values[0]),
            (double)job->runner->timeout * (double)n, renderings, n);
    for (size_t i = 0; inside && i < n; i++) {
        char *from = golden_format("%sframe-%05" PRIu64 ".png", inside, renderings[i].c->frame);

        renderings[i].alone = n == 1;
        renderings[i].end = renderings[0].end;
        renderings[i].code = renderings[0].code;
        memmove(renderings[i].last_line, renderings[0].last_line, sizeof(renderings[i].last_line));
        memmove(renderings[i].first_line, renderings[0].first_line,
                sizeof(renderings[i].first_line));
        if (from && rename(from, renderings[i].png) && errno != ENOENT)
            renderings[i].end = RENDER_UNSTARTED;
        mem_free(from);
    }
    for (uint64_t f = first; inside && f <= last; f++) {
        char *other = golden_format("%sframe-%05" PRIu64 ".png", inside, f);

        if (other)
            unlink(other);
        mem_free(other);
    }
    if (folder)
        rmdir(folder);
    mem_free(inside);
    mem_free(folder);
}

void runner_render_one(const struct runner_job *job, struct rendering *rendering)
{
    unlink(rendering->png);
    if (golden_make_folders(rendering->png))
        render_scene_batch(job, rendering, 1);
}

void runner_render(const struct runner_job *job, struct rendering *renderings, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unlink(renderings[i].png);
        if (!golden_make_folders(renderings[i].png))
            return;
    }
    if (renderings[0].c->kind == GOLDEN_SCENE && job->scene)
        render_scenes(job, renderings, n);
    else if (renderings[0].c->kind == GOLDEN_CAPTURE && job->capture)
        render_frames(job, renderings, n);
}
