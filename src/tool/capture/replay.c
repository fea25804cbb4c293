/* `novem replay`: executes a capture and writes a picture or a hash of every frame. */
#include "tool/capture/capture.h"
#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/path.h"
#include "util/plural.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct job {
    const char *command, *file;
    const char *folder, *frames, *snapshots, *like, *report;
    unsigned threads;
    bool hash, quiet;
    bool viewer_exact, follow; /* options for dx9mt frame files */

    uint64_t first, last; /* range of frames */
    bool by_call;
    struct trace_reader *reader; /* set for a capture */
    struct nvs *nvs;             /* set for a compiled stream */
    uint64_t pictures, missing;
    double started, shown, writing; /* seconds; writing: time spent on output files */
    double busy;                    /* CPU time of this thread, which does not render */
    bool failed;
};

static double seconds_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/* --- Progress --------------------------------------------------------------------------------- */

static void progress(struct job *job, uint64_t frame, bool end)
{
    enum { WIDTH = 40 };
    uint64_t done, total;
    char bar[WIDTH + 1];
    double t = now();

    if (job->quiet || !isatty(STDERR_FILENO) || (!end && t - job->shown < 0.1))
        return;
    job->shown = t;
    if (end) {
        fprintf(stderr, "\r%*s\r", WIDTH + 40, "");
        return;
    }
    if (job->nvs)
        nvs_progress(job->nvs, &done, &total);
    else
        trace_progress(job->reader, &done, &total);
    for (unsigned i = 0; i < WIDTH; i++)
        bar[i] = total && done * WIDTH / total > i ? '#' : '.';
    bar[WIDTH] = 0;
    fprintf(stderr, "\r[%s] frame %" PRIu64 ", %.1f s ", bar, frame, t - job->started);
}

/* --- Pictures --------------------------------------------------------------------------------- */

static void file_name(const struct job *job, const struct replay_moment *moment, char *out,
                      size_t size)
{
    if (job->by_call)
        snprintf(out, size, "%010" PRIu64 ".png", moment->call);
    else
        snprintf(out, size, "frame-%05" PRIu64 ".png", moment->frame);
}

/* Returns false after an error message: the folder is not writable. */
static bool show(struct job *job, const struct replay_moment *moment,
                 const struct replay_picture *picture, const char *name)
{
    struct tool_image image = {picture->width, picture->height, picture->rgba};
    char path[4096];

    if (job->hash) {
        printf("%s %" PRIu64 " %016" PRIx64 " %ux%u\n", job->by_call ? "call" : "frame",
               job->by_call ? moment->call : moment->frame, tool_image_hash(&image, true),
               picture->width, picture->height);
        return true;
    }
    snprintf(path, sizeof(path), "%s/%s", job->folder, name);
    if (tool_png_write(path, &image, 3) == ST_OK)
        return true;
    tool_write_error(job->command, path);
    job->failed = true;
    return false;
}

static bool wanted(const struct job *job, const struct replay_moment *moment, const char *name)
{
    char path[4096];

    if (!job->by_call && !moment->present)
        return false;
    if (moment->frame < job->first || moment->frame > job->last)
        return false;
    if (!job->like)
        return true;
    snprintf(path, sizeof(path), "%s/%s", job->like, name);
    return path_exists(path);
}

static enum status take_picture(struct job *job, struct replay *replay, struct replay_picture *out)
{
    return job->nvs ? nvs_take_picture(job->nvs, out) : replay_take_picture(replay, out);
}

static bool on_moment(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    struct job *job = ctx;
    struct replay_picture picture;
    char name[64];
    bool go_on = true;

    progress(job, moment->frame, false);
    file_name(job, moment, name, sizeof(name));
    if (wanted(job, moment, name)) {
        enum status st = take_picture(job, replay, &picture);

        if (st == ST_OK) {
            double start = now();

            job->pictures++;
            go_on = show(job, moment, &picture, name);
            mem_free(picture.rgba);
            job->writing += now() - start;
        } else {
            job->missing++;
            fprintf(stderr, "novem %s: call %" PRIu64 " %s: no picture: %s\n", job->command,
                    moment->call, moment->name, status_text(st));
        }
    }
    return go_on && moment->frame <= job->last;
}

static bool on_nvs_moment(void *ctx, struct nvs *nvs, const struct replay_moment *moment)
{
    (void)nvs;
    return on_moment(ctx, NULL, moment);
}

static void on_warning(void *ctx, const char *line)
{
    struct job *job = ctx;

    progress(job, 0, true);
    fprintf(stderr, "novem %s: %s\n", job->command, line);
}

/* --- Reports ---------------------------------------------------------------------------------- */

/* Writes "name value" lines for scripts. */
static bool write_report(const struct job *job, const struct replay_stats *s, enum status st,
                         double seconds)
{
    FILE *file = path_open(job->report, "w");

    if (!file)
        return false;
    fprintf(file, "status %s\ncomplete %d\n", status_text(st), st == ST_OK);
    fprintf(file,
            "calls %" PRIu64 "\nexecuted %" PRIu64 "\nframes %" PRIu64 "\ndraws %" PRIu64 "\n",
            s->calls, s->executed, s->frames, s->draws);
    fprintf(file, "failed %" PRIu64 "\nskipped %" PRIu64 "\nunsupported %" PRIu64 "\n", s->failed,
            s->skipped, s->unsupported);
    fprintf(file, "incomplete %" PRIu64 "\nuploads %" PRIu64 "\nshort_uploads %" PRIu64 "\n",
            s->incomplete, s->uploads, s->short_uploads);
    fprintf(file, "queries %" PRIu64 "\nquery_differences %" PRIu64 "\n", s->queries,
            s->query_differences);
    fprintf(file,
            "pictures %" PRIu64 "\nmissing %" PRIu64
            "\nmilliseconds %.1f\ncaller_milliseconds %.2f\n",
            job->pictures, job->missing, seconds * 1e3, job->busy * 1e3);
    return tool_file_close(file, job->report);
}

static void print_count(uint64_t n, const char *what)
{
    if (n)
        fprintf(stderr, ", %" PRIu64 " %s", n, what);
}

static void print_summary(const struct job *job, const struct replay_stats *s, double seconds)
{
    fprintf(stderr, "%s: " PLURAL_FORMAT ", " PLURAL_FORMAT ", " PLURAL_FORMAT, job->file,
            PLURAL(s->frames, "frame", "frames"), PLURAL(s->draws, "draw", "draws"),
            PLURAL(s->calls, "call", "calls"));
    print_count(s->failed, "failed");
    print_count(s->skipped, "skipped");
    print_count(s->unsupported, "unsupported");
    print_count(s->incomplete, "incomplete");
    print_count(s->short_uploads, s->short_uploads == 1 ? "upload without all its data"
                                                        : "uploads without all their data");
    print_count(s->query_differences,
                s->query_differences == 1 ? "different query result" : "different query results");
    fprintf(stderr, "; %.2f s", seconds);
    if (s->frames)
        fprintf(stderr, ", %.1f ms a frame", seconds * 1e3 / (double)s->frames);
    fputc('\n', stderr);
}

/* --- The command ------------------------------------------------------------------------------ */

static void start_clocks(struct job *job)
{
    job->started = now();
    job->busy = -seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* Says what a replay that reached its end has left out. A capture with such calls may render
 * differently here than where it was recorded. */
static int check_complete(const struct job *job, const struct replay_stats *s)
{
    if (s->failed || s->skipped || s->unsupported || job->missing)
        return tool_error(job->command,
                          "%s: " PLURAL_FORMAT " failed, %" PRIu64 " skipped, %" PRIu64
                          " not supported; " PLURAL_FORMAT " missing",
                          job->file, PLURAL(s->failed, "call", "calls"), s->skipped, s->unsupported,
                          PLURAL(job->missing, "picture", "pictures")),
               TOOL_DIFFERS;
    if (job->frames && !job->pictures)
        return tool_error(job->command, "%s: there is no frame %s", job->file, job->frames);
    if (job->last != UINT64_MAX && s->frames <= job->last)
        return tool_error(job->command, "%s: there is no frame %" PRIu64, job->file, job->last);
    return TOOL_OK;
}

/* Prints messages and writes reports at the end of a run. */
static int finish(struct job *job, enum status st, const struct replay_stats *stats,
                  const struct trace_error *error)
{
    double seconds = now() - job->started - job->writing;
    int code = TOOL_OK;

    job->busy += seconds_of(CLOCK_THREAD_CPUTIME_ID);
    progress(job, 0, true);
    if (stats && !job->quiet)
        print_summary(job, stats, seconds);
    if (stats && job->report && !write_report(job, stats, st, seconds))
        code = tool_write_error(job->command, job->report);
    if (st == ST_DAMAGED)
        code = tool_error(job->command, "%s: %s; everything before it was replayed", job->file,
                          error->text);
    else if (st != ST_OK)
        code = tool_error(job->command, "%s: %s", job->file, status_text(st));
    else if (code == TOOL_OK && !job->failed)
        code = check_complete(job, stats);
    return job->failed ? TOOL_ERROR : code;
}

static int run_capture(struct job *job)
{
    const struct replay_options options = {
        .ctx = job, .on_moment = on_moment, .on_warning = on_warning};
    struct trace_error error;
    struct replay *replay = NULL;
    enum status st;
    int code;

    if (trace_open(&job->reader, job->file, &error) != ST_OK)
        return tool_error(job->command, "%s: %s", job->file, error.text);
    trace_set_frames(job->reader, job->viewer_exact, job->follow);
    st = replay_create(&replay, job->reader, &options);
    start_clocks(job);
    if (st == ST_OK)
        st = replay_run(replay);
    code =
        finish(job, st, replay ? replay_get_stats(replay) : NULL, trace_reader_error(job->reader));
    replay_destroy(replay);
    trace_close(job->reader);
    return code;
}

static int run_compiled(struct job *job)
{
    const struct nvs_options options = {job, on_nvs_moment, on_warning, job->first, job->last};
    struct trace_error error;
    enum status st;
    int code;

    if (nvs_open(&job->nvs, job->file, &error) != ST_OK)
        return tool_error(job->command, "%s: %s", job->file, error.text);
    start_clocks(job);
    st = nvs_run(job->nvs, &options);
    code = finish(job, st, nvs_get_stats(job->nvs), nvs_error(job->nvs));
    nvs_close(job->nvs);
    return code;
}

static int run(struct job *job)
{
    return nvs_is_file(job->file) ? run_compiled(job) : run_capture(job);
}

/* Parses "5", "5-9" or "5-". */
static bool parse_frames(struct job *job)
{
    char *end;

    job->last = UINT64_MAX;
    if (!job->frames)
        return true;
    if (*job->frames < '0' || *job->frames > '9')
        return false;
    job->first = job->last = strtoull(job->frames, &end, 10);
    if (!*end)
        return true;
    if (*end++ != '-')
        return false;
    if (!*end) {
        job->last = UINT64_MAX;
        return true;
    }
    if (*end < '0' || *end > '9')
        return false;
    job->last = strtoull(end, &end, 10);
    return !*end && job->last >= job->first;
}

static int prepare(struct job *job)
{
    char number[16];

    if (!parse_frames(job))
        return tool_error(job->command, "'%s' is not a range of frames", job->frames);
    if (job->snapshots && strcmp(job->snapshots, "calls") && strcmp(job->snapshots, "frames"))
        return tool_error(job->command, "--snapshots must be 'frames' or 'calls', not '%s'",
                          job->snapshots);
    job->by_call = job->snapshots && !strcmp(job->snapshots, "calls");
    if (job->threads) {
        snprintf(number, sizeof(number), "%u", job->threads);
        path_set_variable("NOVEM_THREADS", number);
    }
    if (!job->hash && !path_make_folder(job->folder) && errno != EEXIST)
        return tool_error(job->command, "%s: %s", job->folder, strerror(errno));
    return -1;
}

int tool_replay(int argc, char **argv)
{
    struct job job = {.command = argv[0], .folder = "."};
    const struct tool_option options[] = {
        {"-o", "DIR", "folder for the pictures, created if missing (default: .)", OPT_TEXT,
         &job.folder},
        {"--frames", "A-B", "render only frames A to B, counted from 0; stops after B", OPT_TEXT,
         &job.frames},
        {"--hash", NULL, "print a content hash instead of writing pictures", OPT_FLAG, &job.hash},
        {"--snapshots", "WHAT",
         "frames: frame-00000.png …; calls: named by apitrace's call numbers", OPT_TEXT,
         &job.snapshots},
        {"--like", "DIR", "only pictures whose names exist in DIR", OPT_TEXT, &job.like},
        {"--threads", "N", "rendering threads (default: one per processor)", OPT_UINT,
         &job.threads},
        {"--report", "FILE", "write counts as `name value` lines", OPT_TEXT, &job.report},
        {"--viewer-exact", NULL, "show a dx9mt frame as dx9mt's viewer does, not as Direct3D",
         OPT_FLAG, &job.viewer_exact},
        {"--follow", NULL, "wait for further frames that a program writes to a dx9mt frame file",
         OPT_FLAG, &job.follow},
        {"--quiet", NULL, "no progress and no summary", OPT_FLAG, &job.quiet},
    };
    const struct tool_usage usage = {
        "replay FILE [options]",
        "Executes the Direct3D 9 calls of a capture and writes render target 0 at every Present "
        "as\n"
        "PNG. --snapshots calls also writes it after every GetRenderTargetData; these files are\n"
        "named by call number. A compiled stream (novem compile) has no calls to execute, and the\n"
        "replay skips draws that the selected frames do not depend on. The exit code is 1 if a "
        "call\n"
        "failed or was skipped, or a picture is missing; 2 if memory ran out, the capture is\n"
        "damaged, or a selected frame does not exist.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &job.file);

    if (code < 0)
        code = prepare(&job);
    return code < 0 ? run(&job) : code;
}
