/* `novem trim`: a capture cut to some of its frames, or to one draw, which must look as before. */
#include "tool/inspect/trim_writer.h"
#include "tool/inspect/inspect.h"

#include "util/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is kept of calls before those that are wanted: at first as little as seems right. */
static const struct rule {
    bool settings, presents, draws; /* all of them */
    bool no_draws;                  /* of frames: what they follow from may look like nothing */
    const char *text;
} rules[] = {
    {false, false, false, true, "without draws before"},
    {false, false, false, false, "with the draws before that are needed"},
    {true, false, false, false, "with the draws before that are needed"},
    {true, true, false, false, "with the draws before that are needed, and all Presents"},
    {true, false, true, false, "with all draws before"},
    {true, true, true, false, "with all draws and Presents before"},
};
enum { RULES = sizeof(rules) / sizeof(rules[0]) };

struct trim {
    const char *command, *file, *out;
    struct look_needs needs; /* of the capture that is cut */
    uint64_t calls, kept;    /* of the capture, up to the last that is wanted */
    uint64_t draws, kept_draws;
    uint64_t at; /* what call needs.last has become */
};

/* --- Cutting ---------------------------------------------------------------------------------- */

static unsigned flags_of(const struct trim *t, uint64_t call)
{
    return call < t->needs.n ? t->needs.call[call] : 0;
}

/* A call before those that are wanted. */
static bool stays(const struct trim *t, const struct rule *rule, const struct trace_call *call)
{
    unsigned flags = flags_of(t, call->number);

    if (replay_is_present(call->function->name))
        return rule->presents;
    if (flags & LOOK_CALL_SUPERSEDED && !rule->settings)
        return false;
    if (rule->no_draws && replay_is_draw(call->function->name))
        return false;
    return rule->draws || !(flags & LOOK_CALL_ONLY_DRAWS) || flags & LOOK_CALL_NEEDED;
}

/* A call that returns 0, the device alone being told. */
static void put_made_up(struct look_cut *c, const struct trace_function *function,
                        const struct trace_call *like)
{
    struct trace_value args[5];
    const struct trace_call call = {.thread = like->thread,
                                    .function = function,
                                    .argc = function->argc,
                                    .args = args,
                                    .ret = {.kind = TRACE_UINT}};

    memset(args, 0, sizeof(args));
    args[0] = like->args[0];
    for (unsigned i = 1; i < 5; i++)
        args[i].kind = TRACE_NULL;
    look_cut_call(c, &call);
}

/* After a draw: so that programs show it. */
static void put_present(struct look_cut *c, const struct trace_call *draw, bool in_scene)
{
    static const char *const args[] = {"this", "pSourceRect", "pDestRect", "hDestWindowOverride",
                                       "pDirtyRegion"};
    static const struct trace_function end = {"IDirect3DDevice9::EndScene", 1, args, 0};
    static const struct trace_function present = {"IDirect3DDevice9::Present", 5, args, 0};

    if (in_scene)
        put_made_up(c, &end, draw);
    put_made_up(c, &present, draw);
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && !strcmp(text + n - m, end);
}

static enum status copy_calls(struct trim *t, struct look_cut *c, struct trace_reader *reader,
                              const struct rule *rule)
{
    const struct trace_call *call;
    bool in_scene = false, done = false;
    uint64_t frame = 0;
    enum status st = ST_OK;

    t->calls = t->kept = t->draws = t->kept_draws = 0;
    while (!done && (st = trace_next(reader, &call)) == ST_OK && call) {
        const char *name = call->function->name;
        bool last = t->needs.to_call && call->number == t->needs.last;

        if (!call->complete)
            continue;
        t->calls++;
        t->draws += replay_is_draw(name);
        if (ends_with(name, "::BeginScene") || ends_with(name, "::EndScene"))
            in_scene = ends_with(name, "::BeginScene");
        if (last || (!t->needs.to_call && frame >= t->needs.first) || stays(t, rule, call)) {
            look_cut_call(c, call);
            t->at = t->kept++;
            t->kept_draws += replay_is_draw(name);
        }
        if (last)
            put_present(c, call, in_scene);
        frame += replay_is_present(name) && !trace_failed(call);
        done = last || (!t->needs.to_call && frame > t->needs.last);
    }
    return !done ? (st ? st : ST_NOTFOUND) : c->failed ? ST_NOMEM : ST_OK;
}

static enum status write_cut(struct trim *t, const struct rule *rule)
{
    struct look_cut *c = mem_calloc(1, sizeof(*c));
    struct trace_reader *reader;
    struct trace_error error;
    enum status st;

    if (!c)
        return ST_NOMEM;
    st = trace_open(&reader, t->file, &error);
    if (st == ST_OK) {
        st = writer_open(&c->writer, t->out, NULL);
        if (st == ST_OK) {
            st = copy_calls(t, c, reader, rule);
            writer_flush(&c->writer);
            if (st == ST_OK && !c->writer.file)
                st = ST_IO;
            writer_close(&c->writer);
        }
        trace_close(reader);
    }
    look_cut_fini(c);
    mem_free(c);
    return st;
}

/* --- The command ------------------------------------------------------------------------------ */

static enum status attempt(struct trim *t, const struct rule *rule, bool *same)
{
    struct look_needs now = {.to_call = t->needs.to_call};
    enum status st = write_cut(t, rule);

    *same = false;
    now.last = now.to_call ? t->at : t->needs.last - t->needs.first;
    if (st == ST_OK)
        st = look_needs_gather(&now, t->out);
    *same = st == ST_OK && now.complete && now.hash == t->needs.hash;
    look_needs_fini(&now);
    return st;
}

static int report(const struct trim *t, const struct rule *rule)
{
    printf("%s: %" PRIu64 " of %" PRIu64 " calls, %" PRIu64 " of %" PRIu64 " draws, %s; ", t->out,
           t->kept, t->calls, t->kept_draws, t->draws, rule->text);
    if (t->needs.to_call)
        printf("the draw is call %" PRIu64 ", its targets are the same\n", t->at);
    else
        printf("the pictures are the same\n");
    return TOOL_OK;
}

static int cut(struct trim *t)
{
    unsigned i = 0;
    bool same = false;
    enum status st = look_supersede(&t->needs, t->file);

    for (; st == ST_OK && i < RULES; i++) {
        if (t->needs.to_call ? rules[i].no_draws : rules[i].presents)
            continue; /* Presents that stay would be frames */
        st = attempt(t, &rules[i], &same);
        if (same)
            return report(t, &rules[i]);
    }
    unlink(t->out);
    if (st != ST_OK)
        return tool_error(t->command, "%s: %s", t->out, status_text(st));
    tool_error(t->command, "%s: not cut: what is kept looks different without the rest", t->file);
    return TOOL_DIFFERS;
}

static int run(struct trim *t)
{
    enum status st;
    int code;

    setenv("NOVEM_THREADS", "1", 1); /* what is watched must not run behind */
    st = look_needs_gather(&t->needs, t->file);
    if (t->needs.complete)
        code = cut(t);
    else if (st != ST_OK && st != ST_DAMAGED)
        code = tool_error(t->command, "%s: %s", t->file, status_text(st));
    else if (t->needs.to_call)
        code = tool_error(t->command, "%s: call %" PRIu64 " draws and clears nothing", t->file,
                          t->needs.last);
    else
        code = tool_error(t->command, "%s: there is no frame %" PRIu64, t->file, t->needs.last);
    look_needs_fini(&t->needs);
    return code;
}

static bool parse_frames(const char *text, struct trim *t)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    t->needs.first = t->needs.last = strtoull(text, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        t->needs.last = strtoull(end + 1, &end, 10);
    return !*end && t->needs.first <= t->needs.last && t->needs.last < UINT32_MAX;
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
        return tool_error(t->command, "%s: only captures of apitrace's format can be cut", t->file);
    return TOOL_OK;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;

    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int tool_trim(int argc, char **argv)
{
    struct trim t = {.command = argv[0]};
    const char *frames = NULL;
    unsigned call = UINT32_MAX;
    const struct tool_option options[] = {
        {"--frames", "A-B", "the frames to keep, counted from 0", OPT_TEXT, &frames},
        {"--call", "N", "the draw or clear to keep, by the number of its call", OPT_UINT, &call},
        {"-o", "FILE", "the new capture", OPT_TEXT, &t.out},
    };
    const struct tool_usage usage = {
        "trim CAPTURE (--frames A-B | --call N) -o FILE",
        "Cuts a capture to some frames, or to one draw: calls that make and fill objects stay; of\n"
        "what was drawn and set before, what the frames or the targets of the draw follow from.\n"
        "The new capture is replayed; it stays only if pictures or targets are those of the old\n"
        "one. Ends with 1 where it cannot be cut so.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &t.file);

    if (code >= 0)
        return code;
    t.needs.to_call = call != UINT32_MAX;
    t.needs.last = call;
    if (!t.out || t.needs.to_call == !!frames || (frames && !parse_frames(frames, &t)))
        return tool_error(t.command,
                          "--frames A-B or --call N, and -o FILE say what to cut, and where to");
    if (is_same_file(t.file, t.out))
        return tool_error(t.command, "%s: is the capture itself", t.out);
    code = check_format(&t);
    return code == TOOL_OK ? run(&t) : code;
}
