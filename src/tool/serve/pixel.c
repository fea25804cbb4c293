/* The history of a pixel from the start of a session's frame.
 *
 * A key names no face or level: it means those at which the resource is a target after the call. So
 * the first run follows face 0 of level 0, and ends with a look at what is bound. If that is
 * another surface, another run follows that one. A resource that the frame makes is looked for
 * first.
 *
 * Tested by tests/unit/tool/serve/test_pixel.c and tests/unit/tool/serve/test_command.c. */
#include "tool/inspect/history.h"
#include "tool/inspect/streams.h"
#include "tool/serve/checkpoint.h"
#include "tool/serve/work.h"

#include "util/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct follow {
    struct serve_work *work;
    struct checkpoint found; /* goes back with the surface, a struct found */
    struct checkpoint start; /* goes back to follow other pixels, too */
    uint64_t last;           /* the call of the key */
    bool (*call)(void *pass, const struct trace_call *call);
    const struct cmd_debug_hooks *hooks;
    struct cmd_stream **stream; /* those that are open, by number */
    unsigned n_streams;
};

/* --- Finding the surface ---------------------------------------------------------------------- */

/* The surface, as a run has found it. */
struct found {
    bool known; /* else it is a guess */
    enum status status;
    char error[SESSION_TEXT];
    struct inspect_point point;
    uint32_t width, height;
};

static bool up_to_call(void *ctx, struct frame_walk *walk, const struct trace_call *call)
{
    (void)walk;
    return call->number <= *(const uint64_t *)ctx;
}

/* The face and level at which an image is a target now; 0 and 0 if it is none. */
static void find_target(struct inspect_point *point, const struct cmd_stream *stream,
                        const struct tex_image *image)
{
    const struct draw_state *state = cmd_rendered_state(stream);

    for (unsigned t = DRAW_TARGETS + 1; t-- > 0;) {
        const struct draw_target *target = t < DRAW_TARGETS ? &state->target[t] : &state->depth;

        if (target->image != image)
            continue;
        point->face = target->face;
        point->level = target->level;
    }
}

/* Looks whether the point lies in its surface. */
static enum status find_size(struct found *found, struct tex_image *image)
{
    const struct inspect_point *p = &found->point;
    const struct tex_level *level =
        tex_image_level(image, image->desc.shape == TEX_VOLUME_MAP ? 0 : p->face, p->level);

    found->width = level->width;
    found->height = level->height;
    if (p->x < level->width && p->y < level->height)
        return ST_OK;
    snprintf(found->error, SESSION_TEXT,
             "%" PRIu32 ",%" PRIu32 " is outside of the surface, %" PRIu32 "x%" PRIu32, p->x, p->y,
             level->width, level->height);
    return ST_NOTFOUND;
}

/* after: the call has run, so what is bound says the face and level. */
static enum status find(struct found *found, const struct frame_walk *walk,
                        const struct serve_key *key, bool after)
{
    const struct frame_resource *resource = frame_walk_resource(walk, key->resource);
    struct cmd_stream *stream = resource ? frame_walk_stream(walk, resource->stream) : NULL;
    struct tex_image *image = NULL;

    if (stream && !resource->gone && resource->kind == CMD_IMAGE)
        image = cmd_rendered_image(stream, resource->handle);
    if (!image) {
        snprintf(found->error, SESSION_TEXT, "there is no picture %" PRIu32 " after call %" PRIu64,
                 key->resource, key->call);
        return ST_NOTFOUND;
    }
    if (image->format->block_w > 1) {
        snprintf(found->error, SESSION_TEXT, "pixels of this format have no history");
        return ST_NOTFOUND;
    }
    found->point = (struct inspect_point){.stream = resource->stream,
                                          .image = resource->handle,
                                          .x = key->x,
                                          .y = key->y,
                                          .end = key->call + 1};
    if (after)
        find_target(&found->point, stream, image);
    return find_size(found, image);
}

/* After a run up to the call: what the key means. */
static void find_after(struct found *found, const struct frame_walk *walk,
                       const struct serve_key *key)
{
    found->known = true;
    if (frame_walk_call(walk) < key->call) {
        snprintf(found->error, SESSION_TEXT, "the frame ends before call %" PRIu64, key->call);
        found->status = ST_NOTFOUND;
    } else {
        found->status = find(found, walk, key, true);
    }
}

/* Runs the frame up to the call, and goes back to its start with what it found. */
static _Noreturn void run_to_find(struct follow *f, struct found *found,
                                  const struct serve_key *key)
{
    uint64_t call = key->call;
    const struct frame_visitor visitor = {.ctx = &call, .call = up_to_call};

    found->status = frame_walk_run(f->work->walk, &visitor);
    found->known = true;
    *found->error = 0; /* of the look at the frame's start */
    if (found->status == ST_OK)
        find_after(found, f->work->walk, key);
    checkpoint_return(&f->found);
}

/* --- Following -------------------------------------------------------------------------------- */

static void mark_start(void *ctx, void *state, size_t n)
{
    checkpoint_set(&((struct follow *)ctx)->start, state, n);
}

static void run_again(void *ctx)
{
    checkpoint_return(&((struct follow *)ctx)->start);
}

static bool pass_call(void *ctx, struct frame_walk *walk, const struct trace_call *call)
{
    const struct follow *f = ctx;

    (void)walk;
    return call->number <= f->last && f->call(f->hooks->ctx, call);
}

/* Notes a stream, so that its end is noticed. */
static void note_stream(struct follow *f, const struct frame_packet *packet)
{
    if (packet->number == INSPECT_NO_STREAM)
        return;
    if (packet->number >= f->n_streams) {
        void *more = mem_realloc(f->stream, (packet->number + 1) * sizeof(struct cmd_stream *));

        if (!more)
            return;
        f->stream = more;
        while (f->n_streams <= packet->number)
            f->stream[f->n_streams++] = NULL;
    }
    f->stream[packet->number] = packet->stream;
}

static void pass_before(void *ctx, struct frame_walk *walk, const struct frame_packet *packet)
{
    struct follow *f = ctx;

    (void)walk;
    note_stream(f, packet);
    f->hooks->before(f->hooks->ctx, packet->stream, packet->op, packet->packet, packet->data);
}

static void pass_after(void *ctx, struct frame_walk *walk, const struct frame_packet *packet)
{
    const struct follow *f = ctx;

    (void)walk;
    f->hooks->after(f->hooks->ctx, packet->stream, packet->op, packet->packet, packet->data);
}

/* Passes on that streams are about to be destroyed. */
static void pass_closed(void *ctx, struct frame_walk *walk)
{
    struct follow *f = ctx;

    for (unsigned i = 0; i < f->n_streams; i++)
        if (f->stream[i] && !frame_walk_stream(walk, i)) {
            f->hooks->close(f->hooks->ctx, f->stream[i]);
            f->stream[i] = NULL;
        }
}

static enum status run(void *ctx, bool (*call)(void *pass, const struct trace_call *call),
                       const struct cmd_debug_hooks *hooks)
{
    struct follow *f = ctx;
    const struct frame_visitor visitor = {.ctx = f,
                                          .call = pass_call,
                                          .before = pass_before,
                                          .after = pass_after,
                                          .forget = pass_closed};

    f->call = call;
    f->hooks = hooks;
    return frame_walk_run(f->work->walk, &visitor);
}

static bool same_surface(const struct inspect_point *a, const struct inspect_point *b)
{
    return a->stream == b->stream && a->image == b->image && a->face == b->face &&
           a->level == b->level;
}

/* If the surface was guessed, looks now what it is: goes back if it is another one. */
static enum status check_guess(struct follow *f, struct found *found, const struct serve_key *key)
{
    const struct inspect_point guess = found->point;

    if (found->known)
        return ST_OK;
    find_after(found, f->work->walk, key);
    if (found->status == ST_OK && !same_surface(&guess, &found->point))
        checkpoint_return(&f->found);
    return found->status;
}

static enum status follow(struct follow *f, struct found *found, const struct serve_key *key,
                          FILE *out)
{
    struct frame_walk *walk = f->work->walk;
    const struct inspect_frame frame = {.ctx = f,
                                        .number = frame_walk_frame(walk),
                                        .stream = f->stream,
                                        .n_streams = f->n_streams,
                                        .mark_start = mark_start,
                                        .run_again = run_again,
                                        .run = run};
    const struct inspect_request request = {.command = f->work->command,
                                            .file = f->work->file,
                                            .first = frame.number,
                                            .frame = frame.number,
                                            .call = key->call,
                                            .x = key->x,
                                            .y = key->y};
    struct inspect_history history;
    enum status st;

    st = inspect_history_follow(&history, &request, &found->point, &frame);
    if (st == ST_OK)
        st = check_guess(f, found, key);
    if (st != ST_OK)
        return st;
    history.width = found->width;
    history.height = found->height;
    inspect_print_json(&history, out);
    return ST_OK;
}

enum status serve_pixel(struct serve_work *work, const struct serve_key *key, char **out, size_t *n,
                        char error[SESSION_TEXT])
{
    struct follow f = {.work = work, .last = key->call};
    struct found found = {.status = ST_OK};
    enum status st;
    FILE *file;

    f.n_streams = frame_walk_streams(work->walk);
    f.stream = mem_calloc(f.n_streams + 1, sizeof(struct cmd_stream *));
    if (!f.stream)
        return ST_NOMEM;
    for (unsigned i = 0; i < f.n_streams; i++)
        f.stream[i] = frame_walk_stream(work->walk, i);
    checkpoint_set(&f.found, &found, sizeof(found));
    if (!found.known && find(&found, work->walk, key, false) != ST_OK)
        run_to_find(&f, &found, key);
    st = found.status;
    file = st == ST_OK ? open_memstream(out, n) : NULL;
    if (st == ST_OK && !file)
        return ST_NOMEM;
    if (st == ST_OK)
        st = follow(&f, &found, key, file);
    if (file && fclose(file) != 0)
        st = ST_NOMEM;
    if (st != ST_OK)
        memcpy(error, found.error, SESSION_TEXT);
    return st;
}
