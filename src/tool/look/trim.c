/* `novem trim`: a capture cut to some of its frames, which must look as they did. */
#include "tool/look/look.h"

#include "record/writer.h"
#include "util/alloc.h"
#include "util/hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct trim {
    const char *command, *file, *out;
    uint64_t first, last;
    uint64_t frames, calls, kept; /* of the capture, up to the last frame */
};

/* --- Writing ---------------------------------------------------------------------------------- */

/* Signatures that the file has already, by address: the reader keeps one for each. */
struct signatures {
    const void **at;
    size_t n, max;
};

struct cut {
    struct writer writer;
    struct signatures functions, structs, enums, bitmasks;
    bool failed;
};

/* Writes the number of a signature; true: it must be spelled out now. */
static bool put_id(struct cut *c, struct signatures *s, const void *signature)
{
    size_t i = 0;

    while (i < s->n && s->at[i] != signature)
        i++;
    writer_number(&c->writer, i);
    if (i < s->n)
        return false;
    if (s->n == s->max) {
        size_t max = s->max ? 2 * s->max : 64;
        void *more = mem_realloc(s->at, max * sizeof(*s->at));

        if (!more) {
            c->failed = true;
            return true;
        }
        s->at = more;
        s->max = max;
    }
    s->at[s->n++] = signature;
    return true;
}

static void put_signed(struct cut *c, int64_t n)
{
    if (n < 0)
        writer_tagged(&c->writer, 3, (uint64_t)0 - (uint64_t)n);
    else
        writer_tagged(&c->writer, 4, (uint64_t)n);
}

static void put_names(struct cut *c, const struct trace_value *v)
{
    bool is_enum = v->kind == TRACE_ENUM;

    writer_byte(&c->writer, is_enum ? 9 : 10);
    if (!put_id(c, is_enum ? &c->enums : &c->bitmasks, v->names))
        return;
    writer_number(&c->writer, v->names->count);
    for (uint32_t i = 0; i < v->names->count; i++) {
        writer_string(&c->writer, v->names->entries[i].name);
        if (is_enum)
            put_signed(c, v->names->entries[i].value);
        else
            writer_number(&c->writer, (uint64_t)v->names->entries[i].value);
    }
}

static void put_struct(struct cut *c, const struct trace_struct *type)
{
    writer_byte(&c->writer, 12);
    if (!put_id(c, &c->structs, type))
        return;
    writer_string(&c->writer, type->name);
    writer_number(&c->writer, type->count);
    for (uint32_t i = 0; i < type->count; i++)
        writer_string(&c->writer, type->members[i]);
}

static void put_counted(struct cut *c, uint8_t tag, const void *bytes, size_t n)
{
    writer_tagged(&c->writer, tag, n);
    writer_bytes(&c->writer, bytes, n);
}

static void put_value(struct cut *c, const struct trace_value *v)
{
    struct writer *w = &c->writer;
    uint32_t items = v->kind == TRACE_REPR ? 2 : v->count;

    switch (v->kind) {
    case TRACE_MISSING:
    case TRACE_NULL:
        writer_byte(w, 0);
        return;
    case TRACE_BOOL:
        writer_byte(w, v->u.uint ? 2 : 1);
        return;
    case TRACE_SINT:
    case TRACE_UINT:
        if (v->kind == TRACE_UINT)
            writer_tagged(w, 4, v->u.uint);
        else
            put_signed(c, v->u.sint);
        return;
    case TRACE_FLOAT:
        writer_byte(w, 5);
        writer_bytes(w, &v->u.float_bits, 4);
        return;
    case TRACE_DOUBLE:
        writer_byte(w, 6);
        writer_bytes(w, &v->u.real, 8);
        return;
    case TRACE_STRING:
        put_counted(c, 7, v->u.text, v->count);
        return;
    case TRACE_BLOB:
        put_counted(c, 8, v->u.bytes, v->count);
        return;
    case TRACE_ENUM:
        put_names(c, v);
        put_signed(c, v->u.sint);
        return;
    case TRACE_BITMASK:
        put_names(c, v);
        writer_number(w, v->u.uint);
        return;
    case TRACE_OPAQUE:
        writer_tagged(w, 13, v->u.uint);
        return;
    case TRACE_WSTRING:
        writer_tagged(w, 15, v->count);
        for (uint32_t i = 0; i < v->count; i++)
            writer_number(w, v->u.units[i]);
        return;
    case TRACE_ARRAY:
        writer_tagged(w, 11, v->count);
        break;
    case TRACE_STRUCT:
        put_struct(c, v->type);
        break;
    case TRACE_REPR:
        writer_byte(w, 14);
        break;
    }
    for (uint32_t i = 0; i < items; i++)
        put_value(c, &v->u.items[i]);
}

static void put_call(struct cut *c, const struct trace_call *call)
{
    struct writer *w = &c->writer;

    writer_byte(w, 0);
    writer_number(w, call->thread);
    if (put_id(c, &c->functions, call->function)) {
        writer_string(w, call->function->name);
        writer_number(w, call->function->argc);
        for (uint32_t i = 0; i < call->function->argc; i++)
            writer_string(w, call->function->args[i]);
    }
    if (call->flags)
        writer_tagged(w, 5, call->flags);
    for (uint32_t i = 0; i < call->argc; i++) {
        if (call->args[i].kind == TRACE_MISSING)
            continue;
        writer_tagged(w, 1, i);
        put_value(c, &call->args[i]);
    }
    writer_byte(w, 0);
    writer_byte(w, 1);
    writer_number(w, w->calls++);
    if (call->ret.kind != TRACE_MISSING) {
        writer_byte(w, 2);
        put_value(c, &call->ret);
    }
    writer_byte(w, 0);
}

/* --- Cutting ---------------------------------------------------------------------------------- */

/* Everything that makes and fills objects and sets states stays; Presents of frames before go, and
 * draws of them unless they are wanted. */
static bool stays(const struct trim *t, const struct trace_call *call, uint64_t frame, bool draws)
{
    const char *name = call->function->name;

    if (frame >= t->first)
        return true;
    return !replay_is_present(name) && (draws || !replay_is_draw(name));
}

static enum status copy_calls(struct trim *t, struct cut *c, struct trace_reader *reader,
                              bool draws)
{
    const struct trace_call *call;
    uint64_t frame = 0;
    enum status st;

    t->calls = t->kept = 0;
    while (frame <= t->last && (st = trace_next(reader, &call)) == ST_OK && call) {
        if (!call->complete)
            continue;
        t->calls++;
        if (stays(t, call, frame, draws)) {
            put_call(c, call);
            t->kept++;
        }
        frame += replay_is_present(call->function->name) && !trace_failed(call);
    }
    return frame <= t->last ? (st ? st : ST_NOTFOUND) : c->failed ? ST_NOMEM : ST_OK;
}

static void free_signatures(struct cut *c)
{
    mem_free(c->functions.at);
    mem_free(c->structs.at);
    mem_free(c->enums.at);
    mem_free(c->bitmasks.at);
}

static enum status write_cut(struct trim *t, bool draws)
{
    struct cut *c = mem_calloc(1, sizeof(*c));
    struct trace_reader *reader;
    struct trace_error error;
    enum status st;

    if (!c)
        return ST_NOMEM;
    st = trace_open(&reader, t->file, &error);
    if (st == ST_OK) {
        st = writer_open(&c->writer, t->out, NULL);
        if (st == ST_OK) {
            st = copy_calls(t, c, reader, draws);
            writer_flush(&c->writer);
            if (st == ST_OK && !c->writer.file)
                st = ST_IO;
            writer_close(&c->writer);
        }
        trace_close(reader);
    }
    free_signatures(c);
    mem_free(c);
    return st;
}

/* --- Proving ---------------------------------------------------------------------------------- */

/* The pictures of frames first … last, as one number. */
struct look_through {
    uint64_t first, last, frames, hash;
};

static bool on_moment(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    struct look_through *l = ctx;
    struct replay_picture picture;

    if (!moment->present || moment->frame < l->first)
        return true;
    if (moment->frame > l->last)
        return false;
    l->frames++;
    if (replay_take_picture(replay, &picture) != ST_OK)
        return true;
    l->hash = hash_bytes(&picture.width, sizeof(picture.width), l->hash + 1);
    l->hash = hash_bytes(picture.rgba, (size_t)picture.width * picture.height * 4, l->hash);
    mem_free(picture.rgba);
    return true;
}

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
}

static enum status look_through(struct look_through *l, const char *file)
{
    const struct replay_options options = {
        .ctx = l, .on_moment = on_moment, .on_warning = on_warning};
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay = NULL;
    enum status st = trace_open(&reader, file, &error);

    if (st != ST_OK)
        return st;
    st = replay_create(&replay, reader, &options);
    if (st == ST_OK)
        st = replay_run(replay);
    replay_destroy(replay);
    trace_close(reader);
    return st;
}

/* --- The command ------------------------------------------------------------------------------ */

static enum status attempt(struct trim *t, bool draws, uint64_t wanted, bool *same)
{
    struct look_through now = {.last = t->last - t->first};
    enum status st = write_cut(t, draws);

    *same = false;
    if (st == ST_OK)
        st = look_through(&now, t->out);
    *same = st == ST_OK && now.hash == wanted && now.frames == t->last - t->first + 1;
    return st;
}

static int run(struct trim *t)
{
    struct look_through was = {.first = t->first, .last = t->last};
    enum status st = look_through(&was, t->file);
    bool same = false, draws = false;

    if (was.frames != t->last - t->first + 1)
        return tool_error(t->command, "%s: there is no frame %" PRIu64, t->file, t->last);
    st = attempt(t, false, was.hash, &same);
    if (st == ST_OK && !same) {
        draws = true;
        st = attempt(t, true, was.hash, &same);
    }
    if (st != ST_OK || !same)
        unlink(t->out);
    if (st != ST_OK)
        return tool_error(t->command, "%s: %s", t->out, status_text(st));
    if (!same) {
        tool_error(t->command, "%s: not cut: the frames look different without those before",
                   t->file);
        return TOOL_DIFFERS;
    }
    printf("%s: %" PRIu64 " of %" PRIu64 " calls, %s; the pictures are the same\n", t->out, t->kept,
           t->calls, draws ? "with the draws of frames before" : "without draws of frames before");
    return TOOL_OK;
}

static bool parse_frames(const char *text, struct trim *t)
{
    char *end;

    if (!text || *text < '0' || *text > '9')
        return false;
    t->first = t->last = strtoull(text, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        t->last = strtoull(end + 1, &end, 10);
    return !*end && t->first <= t->last && t->last < UINT32_MAX;
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

int tool_trim(int argc, char **argv)
{
    struct trim t = {.command = argv[0]};
    const char *frames = NULL;
    const struct tool_option options[] = {
        {"--frames", "A-B", "the frames to keep, counted from 0", OPT_TEXT, &frames},
        {"-o", "FILE", "the new capture", OPT_TEXT, &t.out},
    };
    const struct tool_usage usage = {
        "trim CAPTURE --frames A-B -o FILE",
        "Cuts a capture to some frames: calls that make and fill objects and set states stay,\n"
        "Presents of earlier frames go, and their draws too if the frames do not depend on them.\n"
        "The new capture is replayed; it stays only if its pictures are those of the old one.\n"
        "Ends with 1 where it cannot be cut so.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    int code = tool_parse(&usage, argc, argv, &t.file);

    if (code >= 0)
        return code;
    if (!parse_frames(frames, &t) || !t.out)
        return tool_error(t.command, "--frames A-B and -o FILE say what to cut, and where to");
    code = check_format(&t);
    return code == TOOL_OK ? run(&t) : code;
}
