/* novem-retrace: replays a capture on any Direct3D 9 library and writes the pictures that
 * `novem golden` compares.
 *
 * Tested by tests/tool/retrace.sh. */
#include "arguments.h"
#include "library.h"
#include "png.h"
#include "window.h"

#include "trace/trace.h"
#include "util/alloc.h"
#include "util/path.h"
#include "util/plural.h"
#include "util/version.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "novem-retrace"

enum { GOOD = 0, INCOMPLETE = 1, BAD = 2 };
enum { RANGES_MAX = 1024, WARNINGS_MAX = 20, NO_PROGRESS = -1 };

static const char help[] =
    "usage: " PROGRAM " CAPTURE [options]\n"
    "\n"
    "Replays the Direct3D 9 calls of a capture on a library and writes pictures as PNG:\n"
    "back buffer 0 before each Present, or a target after one call. Multisampling is resolved.\n"
    "The exit code is 1 if a call failed or was skipped, or a picture is missing; 2 if there is\n"
    "no library or device, the capture is damaged, or a selected frame does not exist.\n"
#ifndef _WIN32
    "A compiled stream (novem compile) is played as calls with the same pictures.\n"
#endif
    "\n"
#ifdef _WIN32
    "  --d3d9 FILE.dll       the library (default: d3d9.dll as Windows finds it, beside this\n"
    "                        program first)\n"
#else
    "  --d3d9 LIB.so         the library (default: Novem's own)\n"
    "  --window KIND         what the library gets as window handles: none: numbers that name\n"
    "                        no window (default); sdl: pointers to hidden windows of SDL 2\n"
#endif
    "  --frames LIST         frames from 0, as 5, 5-9, 5- or 2,5-9; stops after the last\n"
    "                        (default: all)\n"
    "  --call N              only one picture: back buffer 0 after call N of the capture\n"
    "  --target              with --call and --calls: render target 0 instead\n"
    "  --calls LIST          a picture after each draw and clear of these calls, as 70-95: back\n"
    "                        buffer 0, or with --target render target 0\n"
    "  -o OUT                folder that gets frame-00005.png and so on (default: .); with\n"
    "                        --calls: call-00070.png; with --call: the PNG file (default: "
    "call.png)\n"
    "  --adapter             no capture: print the library's adapter and driver\n"
    "  --quiet               no summary and no warnings\n"
    "  --version             print the version\n"
    "  --help                print this text\n";

struct range {
    uint64_t first, last;
};

struct job {
    const char *file, *library, *window, *frames, *call, *calls, *out;
    bool target, quiet, adapter;
    struct range range[RANGES_MAX];
    unsigned ranges;
    uint64_t last;  /* highest frame wanted */
    uint64_t seen;  /* frames that were presented */
    uint64_t until; /* call of --call */
    uint64_t
        drawn; /* of --calls: the call before, whose picture is to be taken; UINT64_MAX: none */
    uint64_t pictures, missing, warnings;
    bool taken, failed;
};

static int error(const char *format, ...) PRINTF_LIKE(1, 2);
static int error(const char *format, ...)
{
    va_list args;

    fputs(PROGRAM ": ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return BAD;
}

/* --- Pictures --------------------------------------------------------------------------------- */

static void write_picture(struct job *job, const char *path, struct replay_picture *picture)
{
    errno = 0;
    if (png_write_rgba(path, picture->width, picture->height, picture->rgba, 3)) {
        job->pictures++;
    } else {
        error("%s cannot be written: %s", path, strerror(errno));
        job->failed = true;
    }
    mem_free(picture->rgba);
}

typedef enum status take_fn(void *replay, struct replay_picture *out);

static bool wanted(const struct job *job, uint64_t frame)
{
    for (unsigned i = 0; i < job->ranges; i++)
        if (frame >= job->range[i].first && frame <= job->range[i].last)
            return true;
    return !job->ranges;
}

/* Called at each Present before it happens; take reads its picture from the replay. */
static bool at_present(struct job *job, const struct replay_moment *moment, take_fn *take,
                       void *replay)
{
    struct replay_picture picture;
    char path[4096];
    enum status st;

    job->seen = moment->frame + 1;
    if (wanted(job, moment->frame)) {
        st = take(replay, &picture);
        snprintf(path, sizeof(path), "%s/frame-%05" PRIu64 ".png", job->out, moment->frame);
        if (st == ST_OK) {
            write_picture(job, path, &picture);
        } else {
            error("call %" PRIu64 " %s: no picture: %s", moment->call, moment->name,
                  status_text(st));
            job->missing++;
        }
    }
    return !job->failed && moment->frame < job->last;
}

static enum status take_from_replay(void *replay, struct replay_picture *out)
{
    return replay_take_picture(replay, out);
}

static bool on_moment(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    struct job *job = ctx;

    return job->call || job->calls || !moment->present ||
           at_present(job, moment, take_from_replay, replay);
}

static void take_target(struct job *job, struct replay *replay)
{
    struct replay_picture picture;
    enum status st = replay_take_target(replay, !job->target, &picture);

    job->taken = true;
    if (st == ST_OK) {
        write_picture(job, job->out, &picture);
    } else {
        error("%s: no picture after call %" PRIu64 ": %s", job->file, job->until, status_text(st));
        job->failed = true;
    }
}

/* The picture after a call of --calls that has been executed. A call without one, such as a draw to
 * D3DFMT_NULL, gets no file. */
static void take_drawn(struct job *job, struct replay *replay)
{
    struct replay_picture picture;
    char path[4096];

    if (job->drawn == UINT64_MAX)
        return;
    snprintf(path, sizeof(path), "%s/call-%05" PRIu64 ".png", job->out, job->drawn);
    job->drawn = UINT64_MAX;
    if (replay_take_target(replay, !job->target, &picture) == ST_OK)
        write_picture(job, path, &picture);
}

static bool is_clear(const char *name)
{
    const char *method = strstr(name, "::");

    return method && !strcmp(method, "::Clear");
}

static bool on_listed_call(struct job *job, struct replay *replay, const struct trace_call *call)
{
    const char *name = call->function->name;

    take_drawn(job, replay);
    if (wanted(job, call->number) && (replay_is_draw(name) || is_clear(name)))
        job->drawn = call->number;
    return !job->failed && (call->number <= job->last);
}

/* The first call after the wanted one: the wanted one and all before it have been executed. */
static bool on_call(void *ctx, struct replay *replay, const struct trace_call *call)
{
    struct job *job = ctx;

    if (job->calls)
        return on_listed_call(job, replay, call);
    if (!job->call || call->number <= job->until)
        return true;
    take_target(job, replay);
    return false;
}

static void on_warning(void *ctx, const char *line)
{
    struct job *job = ctx;

    if (job->quiet)
        return;
    if (job->warnings++ < WARNINGS_MAX)
        fprintf(stderr, PROGRAM ": %s\n", line);
    else if (job->warnings == WARNINGS_MAX + 1)
        fprintf(stderr, PROGRAM ": further warnings are not shown\n");
}

static void *open_window(void *ctx, uint32_t width, uint32_t height)
{
    (void)ctx;
    return window_open(width, height);
}

/* --- The replay ------------------------------------------------------------------------------- */

static void print_count(uint64_t n, const char *what)
{
    if (n)
        fprintf(stderr, ", %" PRIu64 " %s", n, what);
}

static void print_summary(const struct job *job, const struct replay_stats *s)
{
    fprintf(stderr, "%s on %s: " PLURAL_FORMAT ", " PLURAL_FORMAT ", " PLURAL_FORMAT, job->file,
            library_path(), PLURAL(job->pictures, "picture", "pictures"),
            PLURAL(s->draws, "draw", "draws"), PLURAL(s->calls, "call", "calls"));
    print_count(s->failed, "failed");
    print_count(s->skipped, "skipped");
    print_count(s->unsupported, "unsupported");
    print_count(s->incomplete, "incomplete");
    fputc('\n', stderr);
}

/* Every selected frame must exist. */
static int check_frames(const struct job *job, const struct replay_stats *s)
{
    for (unsigned i = 0; i < job->ranges; i++) {
        const struct range *r = &job->range[i];
        uint64_t needed = r->last == UINT64_MAX ? r->first : r->last;

        if (needed >= job->seen)
            return error("%s: there is no frame %" PRIu64 "; the capture has %" PRIu64, job->file,
                         needed, s->frames);
    }
    return job->pictures + job->missing
               ? GOOD
               : error("%s: the capture has no frame%s%s", job->file, job->frames ? " " : "",
                       job->frames ? job->frames : "");
}

/* Says how a replay ended. reason: of damage. */
static int judge(struct job *job, const struct replay_stats *s, enum status st, const char *reason)
{
    int code;

    if (!job->quiet)
        print_summary(job, s);
    if (job->failed)
        return BAD;
    if (st == ST_DAMAGED && !job->taken)
        return error("%s: %s; everything before it was replayed", job->file, reason);
    if (st == ST_LOST)
        return error("%s: %s creates no device", job->file, library_path());
    if (st != ST_OK && st != ST_DAMAGED)
        return error("%s: %s", job->file, status_text(st));
    if (job->calls && !job->pictures)
        return error("%s: no draw and no clear among the calls %s has a picture", job->file,
                     job->calls);
    code = job->call || job->calls ? GOOD : check_frames(job, s);
    if (code == GOOD && (s->failed || s->skipped || s->unsupported || job->missing)) {
        error("%s: " PLURAL_FORMAT " failed, %" PRIu64 " skipped, %" PRIu64
              " not supported; " PLURAL_FORMAT " missing",
              job->file, PLURAL(s->failed, "call", "calls"), s->skipped, s->unsupported,
              PLURAL(job->missing, "picture", "pictures"));
        code = INCOMPLETE;
    }
    return code;
}

/* Takes the picture of a call that is the last of the capture. */
static bool take_last(struct job *job, struct replay *replay, enum status st)
{
    if (job->calls && !job->failed)
        take_drawn(job, replay);
    if (!job->call || job->taken || (st != ST_OK && st != ST_DAMAGED) || job->failed)
        return true;
    if (replay_get_stats(replay)->last_call < job->until) {
        error("%s: the capture ends before call %" PRIu64, job->file, job->until);
        return false;
    }
    take_target(job, replay);
    return true;
}

static int run_capture(struct job *job)
{
    const struct replay_options options = {.ctx = job,
                                           .on_moment = on_moment,
                                           .on_call = on_call,
                                           .on_warning = on_warning,
                                           .open_window = window_is_real() ? open_window : NULL};
    struct trace_reader *reader;
    struct replay *replay = NULL;
    struct trace_error why;
    enum status st;
    int code = BAD;

    if (trace_open(&reader, job->file, &why) != ST_OK)
        return error("%s: %s", job->file, why.text);
    st = replay_create(&replay, reader, &options);
    if (st == ST_OK) {
        st = replay_run(replay);
        if (take_last(job, replay, st))
            code = judge(job, replay_get_stats(replay), st, trace_reader_error(reader)->text);
    } else {
        code = error("%s", status_text(st));
    }
    /* The pictures are complete: a library that crashes when it is closed changes no result. */
    fflush(stderr);
    replay_destroy(replay);
    trace_close(reader);
    return code;
}

/* --- Compiled streams ------------------------------------------------------------------------- */

static bool is_compiled(const char *path)
{
    char magic[8] = "";
    FILE *file = path_open(path, "rb");
    bool yes = file && fread(magic, 1, sizeof(magic), file) == sizeof(magic) &&
               !memcmp(magic, "NOVEMNVS", sizeof(magic));

    if (file)
        fclose(file);
    return yes;
}

#ifdef _WIN32

static int run_compiled(struct job *job)
{
    return error("%s: this program has no zstd, which compiled streams are packed with; the native "
                 "one makes a capture of it: NOVEM_RECORD=FILE.trace " PROGRAM " %s",
                 job->file, job->file);
}

#else

static enum status take_from_calls(void *calls, struct replay_picture *out)
{
    return nvs_calls_take_picture(calls, out);
}

static bool on_compiled_moment(void *ctx, struct nvs_calls *calls,
                               const struct replay_moment *moment)
{
    return !moment->present || at_present(ctx, moment, take_from_calls, calls);
}

static int run_compiled(struct job *job)
{
    const struct nvs_calls_options options = {.ctx = job,
                                              .on_moment = on_compiled_moment,
                                              .on_warning = on_warning,
                                              .open_window = window_is_real() ? open_window : NULL};
    struct nvs_calls *calls;
    struct trace_error why;
    enum status st;
    int code;

    if (job->call || job->calls)
        return error("%s: %s needs a capture; a compiled stream has no calls", job->file,
                     job->call ? "--call" : "--calls");
    if (nvs_calls_open(&calls, job->file, &why) != ST_OK)
        return error("%s: %s", job->file, why.text);
    st = nvs_calls_run(calls, &options);
    code = judge(job, nvs_calls_get_stats(calls), st, nvs_calls_error(calls)->text);
    fflush(stderr);
    nvs_calls_close(calls);
    return code;
}

#endif

static int run(struct job *job)
{
    return is_compiled(job->file) ? run_compiled(job) : run_capture(job);
}

/* --- The command line ------------------------------------------------------------------------- */

static bool parse_number(const char **at, uint64_t *out)
{
    char *end;

    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *out = strtoull(*at, &end, 10);
    *at = end;
    return !errno;
}

/* Parses "2,5-9,12-". */
static bool parse_list(struct job *job, const char *at)
{
    job->last = UINT64_MAX;
    if (!at)
        return true;
    job->last = 0;
    do {
        struct range *r = &job->range[job->ranges];

        if (job->ranges++ == RANGES_MAX || !parse_number(&at, &r->first))
            return false;
        r->last = r->first;
        if (*at == '-' && (*++at == ',' || !*at))
            r->last = UINT64_MAX;
        else if (at[-1] == '-' && !parse_number(&at, &r->last))
            return false;
        if (r->last < r->first)
            return false;
        job->last = r->last > job->last ? r->last : job->last;
    } while (*at++ == ',');
    return !at[-1];
}

/* Takes the option at argv[i]. Returns the number of words used; 0: no such option. */
static int take_option(struct job *job, int argc, char **argv, int i)
{
    const struct {
        const char *name;
        const char **value;
        bool *flag;
    } options[] = {
        {"--d3d9", &job->library, NULL},    {"--window", &job->window, NULL},
        {"--frames", &job->frames, NULL},   {"--call", &job->call, NULL},
        {"--calls", &job->calls, NULL},     {"-o", &job->out, NULL},
        {"--target", NULL, &job->target},   {"--quiet", NULL, &job->quiet},
        {"--adapter", NULL, &job->adapter},
    };

    for (size_t k = 0; k < sizeof(options) / sizeof(options[0]); k++) {
        if (strcmp(argv[i], options[k].name))
            continue;
        if (options[k].flag) {
            *options[k].flag = true;
            return 1;
        }
        if (i + 1 == argc) {
            error("%s needs a value", argv[i]);
            return 0;
        }
        *options[k].value = argv[i + 1];
        return 2;
    }
    error("unknown option %s (try --help)", argv[i]);
    return 0;
}

static int print_text(const char *a, const char *b)
{
    if (printf("%s%s%s", a, b, *b ? "\n" : "") >= 0 && !fflush(stdout))
        return GOOD;
    return error("the output could not be written: %s", strerror(errno));
}

/* Returns an exit code, or NO_PROGRESS to continue. */
static int parse(struct job *job, int argc, char **argv)
{
    for (int i = 1; i < argc;) {
        int used = 1;

        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return print_text(help, "");
        if (!strcmp(argv[i], "--version"))
            return print_text(PROGRAM " ", version_text());
        if (argv[i][0] == '-' && argv[i][1])
            used = take_option(job, argc, argv, i);
        else if (!job->file)
            job->file = argv[i];
        else
            return error("too many arguments at '%s' (try --help)", argv[i]);
        if (!used)
            return BAD;
        i += used;
    }
    if (job->adapter &&
        (job->file || job->frames || job->call || job->calls || job->target || job->out))
        return error("--adapter goes with --d3d9 and --window only");
    if (!job->file && !job->adapter)
        return error("usage: " PROGRAM " CAPTURE [options] (try --help)");
    return NO_PROGRESS;
}

/* Returns an exit code, or NO_PROGRESS to continue. */
static int print_adapter(const struct job *job)
{
    if (!job->adapter)
        return NO_PROGRESS;
    return library_print_adapter(PROGRAM) ? print_text("", "") : BAD;
}

static int prepare(struct job *job)
{
    const char *call = job->call;

    const char *list = job->calls ? job->calls : job->frames;

    if (!parse_list(job, list))
        return error("'%s' is not a list of %s", list, job->calls ? "calls" : "frames");
    if (call && (!parse_number(&call, &job->until) || *call))
        return error("--call needs a number, not '%s'", job->call);
    if (job->calls && (job->call || job->frames))
        return error("--calls goes with neither --call nor --frames");
    job->drawn = UINT64_MAX;
    if (job->call && job->frames)
        return error("--call and --frames exclude each other");
    if (job->target && !job->call && !job->calls)
        return error("--target needs --call or --calls");
    if (!job->out)
        job->out = job->call ? "call.png" : ".";
    if (job->window && !window_kind(PROGRAM, job->window))
        return BAD;
    if (!library_open(PROGRAM, job->library))
        return BAD;
    if (!job->adapter && !job->call && !path_make_folder(job->out) && errno != EEXIST)
        return error("%s: %s", job->out, strerror(errno));
    return NO_PROGRESS;
}

int main(int argc, char **argv)
{
    static struct job job;
    int code;

    take_arguments(&argc, &argv);
    code = parse(&job, argc, argv);
    if (code == NO_PROGRESS)
        code = prepare(&job);
    if (code == NO_PROGRESS)
        code = print_adapter(&job);
    return code == NO_PROGRESS ? run(&job) : code;
}
