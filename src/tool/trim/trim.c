/* `novem trim`: cuts a capture to a range of frames or to one draw and checks that the result
 * renders the same pictures. */
#include "tool/trim/trim.h"

#include "tool/cli/cli.h"
#include "tool/trim/dependencies.h"
#include "tool/trim/writer.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/output_file.h"
#include "util/path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Policies for the calls before the wanted ones, tried from the smallest result up until the
 * picture is right. */
static const struct trim_policy {
    bool all_state, all_presents, all_draws;
    bool no_draws; /* of frames: their dependencies may not be visible as draws */
    const char *text;
} policies[] = {
    {false, false, false, true, "without draws before"},
    {false, false, false, false, "with the draws before that are needed"},
    {true, false, false, false, "with the draws before that are needed"},
    {true, true, false, false, "with the draws before that are needed, and all Presents"},
    {true, false, true, false, "with all draws before"},
    {true, true, true, false, "with all draws and Presents before"},
};
enum { POLICIES = sizeof(policies) / sizeof(policies[0]) };

struct trim {
    const char *command, *file, *out;
    struct trim_dependencies deps; /* of the original capture */
    uint64_t calls, kept;          /* of the original capture, up to the last wanted call */
    uint64_t draws, kept_draws;
    uint64_t at; /* number of call deps.last in the new capture */
    int error;   /* errno of an output that could not be written, or 0 */
};

/* --- Cutting ---------------------------------------------------------------------------------- */

static unsigned flags_of(const struct trim *t, uint64_t call)
{
    return call < t->deps.n ? t->deps.call[call] : 0;
}

/* Whether a call before the wanted ones is kept. */
static bool keeps_call(const struct trim *t, const struct trim_policy *policy,
                       const struct trace_call *call)
{
    unsigned flags = flags_of(t, call->number);

    if (replay_is_present(call->function->name))
        return policy->all_presents;
    if (flags & TRIM_CALL_DEAD_STATE && !policy->all_state)
        return false;
    if (flags & TRIM_CALL_CACHES)
        return true;
    if (policy->no_draws && replay_is_draw(call->function->name))
        return false;
    return policy->all_draws || !(flags & TRIM_CALL_ONLY_DRAWS) || flags & TRIM_CALL_NEEDED;
}

/* Writes a call that returns 0 and whose only non-null argument is the device. */
static void put_synthetic_call(struct trim_writer *c, const struct trace_function *function,
                               const struct trace_call *like)
{
    struct trace_value args[5];
    const struct trace_call call = {.thread = like->thread,
                                    .complete = true,
                                    .function = function,
                                    .argc = function->argc,
                                    .args = args,
                                    .ret = {.kind = TRACE_UINT}};

    memset(args, 0, sizeof(args));
    args[0] = like->args[0];
    for (unsigned i = 1; i < 5; i++)
        args[i].kind = TRACE_NULL;
    trim_writer_call(c, &call);
}

/* Adds a Present after the wanted draw, so that players show the result. */
static void put_present(struct trim_writer *c, const struct trace_call *draw, bool in_scene)
{
    static const char *const args[] = {"this", "pSourceRect", "pDestRect", "hDestWindowOverride",
                                       "pDirtyRegion"};
    static const struct trace_function end = {"IDirect3DDevice9::EndScene", 1, args, 0};
    static const struct trace_function present = {"IDirect3DDevice9::Present", 5, args, 0};

    if (in_scene)
        put_synthetic_call(c, &end, draw);
    put_synthetic_call(c, &present, draw);
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && !strcmp(text + n - m, end);
}

static enum status copy_calls(struct trim *t, struct trim_writer *c, struct trace_reader *reader,
                              const struct trim_policy *policy)
{
    const struct trace_call *call;
    bool in_scene = false, done = false;
    uint64_t frame = 0;
    enum status st = ST_OK;

    t->calls = t->kept = t->draws = t->kept_draws = 0;
    while (!done && (st = trace_next(reader, &call)) == ST_OK && call) {
        const char *name = call->function->name;
        bool last = t->deps.to_call && call->number == t->deps.last;

        if (!call->complete)
            continue;
        t->calls++;
        t->draws += replay_is_draw(name);
        if (ends_with(name, "::BeginScene") || ends_with(name, "::EndScene"))
            in_scene = ends_with(name, "::BeginScene");
        if (last || (!t->deps.to_call && frame >= t->deps.first) || keeps_call(t, policy, call)) {
            trim_writer_call(c, call);
            t->at = t->kept++;
            t->kept_draws += replay_is_draw(name);
        }
        if (last)
            put_present(c, call, in_scene);
        frame += replay_is_present(name) && !trace_failed(call);
        done = last || (!t->deps.to_call && frame > t->deps.last);
    }
    return !done ? (st ? st : ST_NOTFOUND) : c->failed ? ST_NOMEM : ST_OK;
}

static enum status write_trimmed(struct trim *t, const struct trim_policy *policy)
{
    struct trim_writer *c = mem_calloc(1, sizeof(*c));
    struct trace_reader *reader;
    struct trace_error error;
    enum status st;

    if (!c)
        return ST_NOMEM;
    st = trace_open(&reader, t->file, &error);
    if (st == ST_OK) {
        st = writer_open(&c->writer, t->out, NULL);
        t->error = st == ST_IO ? errno : 0;
        if (st == ST_OK) {
            st = copy_calls(t, c, reader, policy);
            writer_flush(&c->writer);
            if (st == ST_OK && !c->writer.file) {
                st = ST_IO;
                t->error = errno;
            }
            writer_close(&c->writer);
        }
        trace_close(reader);
    }
    trim_writer_fini(c);
    mem_free(c);
    return st;
}

/* --- The command ------------------------------------------------------------------------------ */

static enum status attempt(struct trim *t, const struct trim_policy *policy, bool *same)
{
    struct trim_dependencies now = {.to_call = t->deps.to_call};
    enum status st = write_trimmed(t, policy);

    *same = false;
    now.last = now.to_call ? t->at : t->deps.last - t->deps.first;
    if (st == ST_OK)
        st = trim_dependencies_gather(&now, t->out);
    *same = st == ST_OK && now.complete && now.hash == t->deps.hash;
    trim_dependencies_fini(&now);
    return st;
}

static int report(const struct trim *t, const struct trim_policy *policy)
{
    printf("%s: %" PRIu64 " of %" PRIu64 " calls, %" PRIu64 " of %" PRIu64 " draws, %s; ", t->out,
           t->kept, t->calls, t->kept_draws, t->draws, policy->text);
    if (t->deps.to_call)
        printf("the draw is call %" PRIu64 ", its targets are the same\n", t->at);
    else
        printf("the pictures are the same\n");
    return TOOL_OK;
}

static int trim_capture(struct trim *t)
{
    unsigned i = 0;
    bool same = false;
    enum status st = trim_mark_dead_state(&t->deps, t->file);

    for (; st == ST_OK && i < POLICIES; i++) {
        if (t->deps.to_call ? policies[i].no_draws : policies[i].all_presents)
            continue; /* a kept Present would count as a frame */
        st = attempt(t, &policies[i], &same);
        if (same)
            return report(t, &policies[i]);
    }
    output_file_discard(t->out);
    errno = t->error;
    if (t->error)
        return tool_write_error(t->command, t->out);
    if (st != ST_OK)
        return tool_error(t->command, "%s: %s", t->out, status_text(st));
    tool_error(t->command, "%s: not trimmed: the kept calls render differently without the others",
               t->file);
    return TOOL_DIFFERS;
}

static int run(struct trim *t)
{
    enum status st;
    int code;

    path_set_variable("NOVEM_THREADS",
                      "1"); /* the hooks must see each packet before the next call */
    st = trim_dependencies_gather(&t->deps, t->file);
    if (t->deps.complete)
        code = trim_capture(t);
    else if (st != ST_OK && st != ST_DAMAGED)
        code = tool_error(t->command, "%s: %s", t->file, status_text(st));
    else if (t->deps.to_call)
        code = tool_error(t->command, "%s: call %" PRIu64 " neither draws nor clears", t->file,
                          t->deps.last);
    else
        code = tool_error(t->command, "%s: there is no frame %" PRIu64, t->file, t->deps.last);
    trim_dependencies_fini(&t->deps);
    return code;
}

static bool parse_frames(const char *text, struct trim *t)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    t->deps.first = t->deps.last = strtoull(text, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        t->deps.last = strtoull(end + 1, &end, 10);
    return !*end && t->deps.first <= t->deps.last && t->deps.last < UINT32_MAX;
}

static int check_format(const struct trim *t)
{
    struct trace_reader *reader;
    struct trace_error error;
    bool good;

    if (trace_open(&reader, t->file, &error) != ST_OK)
        return tool_error(t->command, "%s: %s", t->file, error.text);
    good = !strcmp(trace_format_name(reader), "apitrace");
    trace_close(reader);
    if (!good)
        return tool_error(t->command, "%s: only captures in apitrace's format can be trimmed",
                          t->file);
    return TOOL_OK;
}

int tool_trim(int argc, char **argv)
{
    struct trim t = {.command = argv[0]};
    const char *frames = NULL;
    unsigned call = UINT32_MAX;
    const struct tool_option options[] = {
        {"--frames", "A-B", "the frames to keep, counted from 0", OPT_TEXT, &frames},
        {"--call", "N", "the call number of the draw or clear to keep", OPT_UINT, &call},
        {"-o", "FILE", "the new capture (output file)", OPT_TEXT, &t.out},
    };
    const struct tool_usage usage = {
        "trim CAPTURE (--frames A-B | --call N) -o FILE",
        "Cuts a capture to a range of frames, or to one draw. Calls that create and fill objects\n"
        "are kept; of earlier draws and states only those that the frames or the draw's targets\n"
        "depend on. The new capture is replayed, and kept only if it renders the same pictures\n"
        "or targets. The exit code is 1 if the capture cannot be cut this way.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &t.file);

    if (code >= 0)
        return code;
    t.deps.to_call = call != UINT32_MAX;
    t.deps.last = call;
    if (!t.out || t.deps.to_call == !!frames || (frames && !parse_frames(frames, &t)))
        return tool_error(t.command, "--frames A-B or --call N, and -o FILE are required");
    if (tool_file_is_same(t.file, t.out))
        return tool_error(t.command, "%s: is the capture itself", t.out);
    code = check_format(&t);
    return code == TOOL_OK ? run(&t) : code;
}
