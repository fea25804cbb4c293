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
#include "util/path.h"
#include "util/process.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* --- Commands --------------------------------------------------------------------------------- */

struct placeholder {
    const char *name, *value;
};

/* Appends text as one quoted shell word. */
static char *append_quoted(char *to, const char *text)
{
    char *quoted = to ? process_quote(text) : NULL, *out = NULL;

    if (quoted)
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

/* Polls every few milliseconds until the command ends. */
static void wait_for(struct process *process, double seconds, struct rendering *out)
{
    const uint64_t stop = clock_now() + (uint64_t)(seconds * (double)CLOCK_SECOND);
    uint64_t pause = CLOCK_SECOND / 2000;
    enum process_end end;

    while ((end = process_poll(process, &out->code)) == PROCESS_RUNS) {
        if (process_is_stopped() || clock_now() >= stop) {
            process_kill(process);
            out->end = RENDER_TIMEOUT;
            return;
        }
        clock_sleep_until(clock_now() + pause);
        pause = pause < CLOCK_SECOND / 50 ? pause + pause / 4 : pause;
    }
    out->end = end == PROCESS_SIGNAL ? RENDER_SIGNAL : out->code ? RENDER_CODE : RENDER_OK;
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
    FILE *file = path_open(log, "r");

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
    bool any = path_has_contents(log);

    for (size_t i = 0; job->out && i < n; i++) {
        char *path = golden_format("%s/logs/%s.log", job->out, renderings[i].c->name);

        if (path)
            path_remove(path);
        if (any && path && golden_make_folders(path) && !path_link(log, path))
            any = false; /* the file system has no hard links */
        mem_free(path);
    }
    path_remove(log);
}

/* Runs one command for the first out_n renderings; its end is stored in the first. */
static void run(const struct runner_job *job, const char *command, const struct placeholder *values,
                size_t n, double seconds, struct rendering *out, size_t out_n)
{
    char *line = fill_in(command, values, n);
    char *log = golden_format("%s/%u.log", job->work, job->number);
    struct process process;

    out->end = RENDER_UNSTARTED;
    if (line && log && !process_is_stopped() && process_start(&process, line, log)) {
        wait_for(&process, seconds, out);
        read_lines(log, out);
        keep_log(job, log, out, out_n);
    }
    mem_free(line);
    mem_free(log);
}

/* --- Scenes ----------------------------------------------------------------------------------- */

static bool has_picture(const struct rendering *rendering)
{
    return path_exists(rendering->png);
}

static bool write_list(const char *path, const struct rendering *renderings, size_t n)
{
    FILE *file = path_open(path, "w");

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
        path_remove(list);
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
        if (from && !path_rename(from, renderings[i].png) && errno != ENOENT)
            renderings[i].end = RENDER_UNSTARTED;
        mem_free(from);
    }
    for (uint64_t f = first; inside && f <= last; f++) {
        char *other = golden_format("%sframe-%05" PRIu64 ".png", inside, f);

        if (other)
            path_remove(other);
        mem_free(other);
    }
    if (folder)
        path_remove_folder(folder);
    mem_free(inside);
    mem_free(folder);
}

void runner_render_one(const struct runner_job *job, struct rendering *rendering)
{
    path_remove(rendering->png);
    if (golden_make_folders(rendering->png))
        render_scene_batch(job, rendering, 1);
}

void runner_render(const struct runner_job *job, struct rendering *renderings, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        path_remove(renderings[i].png);
        if (!golden_make_folders(renderings[i].png))
            return;
    }
    if (renderings[0].c->kind == GOLDEN_SCENE && job->scene)
        render_scenes(job, renderings, n);
    else if (renderings[0].c->kind == GOLDEN_CAPTURE && job->capture)
        render_frames(job, renderings, n);
}
