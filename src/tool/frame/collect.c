/* Visitor that makes answers from the events of a frame.
 *
 * Tested by tests/unit/tool/frame/test_answer.c. */
#include "tool/frame/collect.h"

#include "tool/frame/json.h"
#include "tool/frame/mesh_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void fail(struct frame_collector *c, enum status st)
{
    if (c->status == ST_OK)
        c->status = st;
}

static void emit(struct frame_collector *c, const char *key, cJSON *answer)
{
    if (answer)
        c->emit(c->ctx, key, answer);
    else
        fail(c, ST_NOMEM);
}

static bool is_wanted(const struct frame_collector *c, enum frame_want want)
{
    return c->want & want && (c->call == UINT64_MAX || c->call == frame_walk_call(c->walk));
}

/* --- Pictures --------------------------------------------------------------------------------- */

static bool take(struct frame_collector *c, const struct draw_target *target, bool changes,
                 struct frame_picture *out)
{
    enum status st = frame_picture_write(&c->pictures, target, changes, out);

    if (st != ST_OK && st != ST_UNSUPPORTED)
        fail(c, st);
    return st == ST_OK;
}

static bool take_resource(struct frame_collector *c, uint32_t id, uint32_t face, uint32_t level,
                          bool changes, struct frame_picture *out)
{
    const struct frame_resource *r = frame_walk_resource(c->walk, id);
    struct cmd_stream *stream =
        r && !r->gone && r->kind == CMD_IMAGE ? frame_walk_stream(c->walk, r->stream) : NULL;
    struct draw_target target = {.face = face, .level = level};

    if (!stream)
        return false;
    target.image = cmd_rendered_image(stream, r->handle);
    return target.image && take(c, &target, changes, out);
}

/* Takes pictures of the event's targets; before: only of those that have none yet. */
static void take_targets(struct frame_collector *c, struct cmd_stream *stream, bool before)
{
    const struct frame_event *e = &c->events.event[c->index];
    struct frame_picture *picture = before ? c->before : c->after;
    bool *has = before ? c->has_before : c->has_after;

    if (!c->event || !(c->want & FRAME_WANT_PICTURES))
        return;
    draw_flush(cmd_renderer(stream));
    for (unsigned i = 0; i < e->n_targets; i++)
        if (!before || !has[i])
            has[i] = take_resource(c, e->target[i].resource, e->target[i].face, e->target[i].level,
                                   true, &picture[i]);
}

/* --- Events ----------------------------------------------------------------------------------- */

static void begin_event(struct frame_collector *c)
{
    c->pending = true;
    c->drawn = false;
    memset(c->has_before, 0, sizeof(c->has_before));
    memset(c->has_after, 0, sizeof(c->has_after));
    c->event = NULL;
    if (is_wanted(c, FRAME_WANT_EVENTS))
        c->event = frame_event_json(&c->events.event[c->index], c->now);
}

static void end_event(struct frame_collector *c)
{
    const struct frame_event *e = c->pending ? &c->events.event[c->index] : NULL;
    const struct frame_picture *before[FRAME_TARGETS], *after[FRAME_TARGETS];
    char key[FRAME_KEY];

    c->pending = false;
    if (!e || !c->event)
        return;
    for (unsigned i = 0; i < FRAME_TARGETS; i++) {
        before[i] = c->has_before[i] ? &c->before[i] : NULL;
        after[i] = c->has_after[i] ? &c->after[i] : NULL;
    }
    frame_event_add_targets(c->event, e, before, after);
    snprintf(key, sizeof(key), "event/%" PRIu64, e->call);
    emit(c, key, c->event);
    c->event = NULL;
}

/* --- Visiting --------------------------------------------------------------------------------- */

static void flush(const struct frame_collector *c)
{
    struct cmd_stream *stream;

    for (unsigned i = 0; i < frame_walk_streams(c->walk); i++)
        if ((stream = frame_walk_stream(c->walk, i)))
            draw_flush(cmd_renderer(stream));
}

/* Whether the wanted level exists. */
static bool has_level(const struct frame_collector *c)
{
    const struct frame_resource *r = frame_walk_resource(c->walk, c->level.resource);
    bool volume = r && r->kind == CMD_IMAGE && r->image.shape == TEX_VOLUME_MAP;
    uint32_t depth;

    if (!r || r->kind != CMD_IMAGE || c->level.level >= r->image.levels)
        return false;
    depth = volume ? r->image.depth >> c->level.level : 1;
    return c->level.face < (r->image.shape == TEX_CUBE_MAP ? 6u : 1u) &&
           c->slice < (depth ? depth : 1);
}

static void take_level(struct frame_collector *c)
{
    struct frame_picture picture;

    if (c->taken || !(c->want & FRAME_WANT_LEVEL))
        return;
    c->taken = true;
    flush(c);
    if (has_level(c) && take_resource(c, c->level.resource, c->level.face + c->slice,
                                      c->level.level, false, &picture))
        emit(c, "", frame_picture_json(&picture));
}

/* One call alone is wanted, and it has passed. */
static bool is_past(const struct frame_collector *c, uint64_t call)
{
    return !c->whole && c->call != UINT64_MAX && call > c->call;
}

static bool on_call(void *ctx, struct frame_walk *walk, const struct trace_call *call)
{
    struct frame_collector *c = ctx;

    (void)walk;
    end_event(c);
    c->now = call;
    if (is_past(c, call->number)) {
        take_level(c);
        return false;
    }
    return c->status == ST_OK && !c->events.failed;
}

static void on_marker(void *ctx, struct frame_walk *walk, const struct trace_call *call)
{
    struct frame_collector *c = ctx;

    end_event(c);
    c->now = call;
    frame_events_marker(&c->events, walk, call);
    if (c->events.failed)
        return;
    c->index = c->events.n - 1;
    begin_event(c);
    end_event(c);
}

static void on_before(void *ctx, struct frame_walk *walk, const struct frame_packet *packet)
{
    struct frame_collector *c = ctx;
    bool fresh;
    struct frame_event *e = frame_events_begin(&c->events, walk, packet, &fresh);

    if (!e)
        return;
    c->index = (uint32_t)(e - c->events.event);
    if (fresh)
        begin_event(c);
    if (c->pending)
        take_targets(c, packet->stream, true);
}

static void put_mesh(struct frame_collector *c, struct draw *draw, const struct draw_state *state,
                     const struct draw_args *args)
{
    char key[FRAME_KEY];
    cJSON *mesh;
    enum status st;

    if (!is_wanted(c, FRAME_WANT_MESHES))
        return;
    st = frame_mesh_json(&mesh, draw, state, args, frame_walk_hooks(c->walk), c->mesh_limit);
    snprintf(key, sizeof(key), "mesh/%" PRIu64, frame_walk_call(c->walk));
    if (st == ST_OK)
        emit(c, key, mesh);
    else
        fail(c, st);
}

static void on_draw(void *ctx, struct frame_walk *walk, struct draw *draw,
                    const struct draw_state *state, const struct draw_args *args)
{
    struct frame_collector *c = ctx;
    const struct vm_program *programs[2] = {NULL, NULL};
    const struct frame_shader *shaders[2];
    struct cmd_stream *stream = frame_walk_last_stream(walk);
    enum status st;

    if (!c->pending || c->drawn)
        return;
    c->drawn = true;
    st = draw_programs(draw, state, args->type, &programs[0], &programs[1]);
    if (st == ST_NOMEM)
        fail(c, st);
    if (st != ST_OK)
        programs[0] = programs[1] = NULL;
    frame_events_draw(&c->events, &c->events.event[c->index], state, args, programs[0], programs[1],
                      shaders);
    if (c->event)
        frame_event_add_draw(c->event, state, c->events.has_previous ? c->events.previous : NULL,
                             walk, stream, strstr(frame_walk_name(walk), "UP") != NULL,
                             c->events.samplers, shaders, programs);
    if (programs[0])
        put_mesh(c, draw, state, args);
    frame_events_keep(&c->events, state);
}

static void on_after(void *ctx, struct frame_walk *walk, const struct frame_packet *packet)
{
    struct frame_collector *c = ctx;

    frame_events_use(&c->events, walk, packet);
    if (c->pending && c->events.event[c->index].call == frame_walk_call(walk))
        take_targets(c, packet->stream, false);
}

static void on_upload(void *ctx, struct frame_walk *walk, const struct frame_packet *packet)
{
    struct frame_collector *c = ctx;

    frame_events_upload(&c->events, walk, packet);
}

static void on_forget(void *ctx, struct frame_walk *walk)
{
    struct frame_collector *c = ctx;

    (void)walk;
    frame_pictures_forget(&c->pictures);
}

void frame_collector_begin(struct frame_collector *c, struct frame_walk *walk)
{
    c->walk = walk;
    c->pictures.surfaces.most = FRAME_SURFACE_BYTES;
    c->visitor = (struct frame_visitor){.ctx = c,
                                        .call = on_call,
                                        .marker = on_marker,
                                        .before = on_before,
                                        .after = on_after,
                                        .draw = on_draw,
                                        .upload = on_upload,
                                        .forget = on_forget};
}

/* --- The end of the frame --------------------------------------------------------------------- */

static void put_shaders(struct frame_collector *c)
{
    char key[FRAME_KEY];

    for (uint32_t i = 0; i < c->events.n_shaders; i++) {
        snprintf(key, sizeof(key), "shader/%s", c->events.shader[i].id);
        emit(c, key, frame_shader_json(&c->events.shader[i]));
    }
}

/* Every level, face and slice of an image. */
static void put_levels(struct frame_collector *c, const struct frame_resource *r)
{
    bool volume = r->image.shape == TEX_VOLUME_MAP;
    uint32_t faces = r->image.shape == TEX_CUBE_MAP ? 6 : 1;
    struct frame_picture picture;
    char key[FRAME_KEY];

    for (uint32_t level = 0; level < r->image.levels; level++) {
        uint32_t depth = r->image.depth >> level ? r->image.depth >> level : 1;

        for (uint32_t face = 0; face < faces; face++)
            for (uint32_t slice = 0; slice < (volume ? depth : 1); slice++) {
                snprintf(key, sizeof(key),
                         "resource/%" PRIu32 "/end/%" PRIu32 "/%" PRIu32 "/%" PRIu32, r->id, face,
                         level, slice);
                if (c->status == ST_OK &&
                    take_resource(c, r->id, volume ? slice : face, level, false, &picture))
                    emit(c, key, frame_picture_json(&picture));
            }
    }
}

static void put_textures(struct frame_collector *c)
{
    const struct frame_resource *r;

    for (uint32_t id = 1; (r = frame_walk_resource(c->walk, id)); id++)
        for (uint32_t i = 0; i < c->events.n_uses && r->kind == CMD_IMAGE; i++)
            if (c->events.use[i].resource == id) {
                put_levels(c, r);
                break;
            }
}

enum status frame_collector_end(struct frame_collector *c)
{
    end_event(c);
    frame_events_finish(&c->events);
    if (c->events.failed)
        fail(c, ST_NOMEM);
    if (c->status != ST_OK)
        return c->status;
    flush(c);
    take_level(c);
    if (c->want & FRAME_WANT_LIST)
        emit(c, "frame", frame_list_json(&c->events, c->walk));
    if (c->want & FRAME_WANT_RESOURCES)
        emit(c, "resources", frame_resources_json(&c->events, c->walk));
    if (c->want & FRAME_WANT_SHADERS)
        put_shaders(c);
    if (c->want & FRAME_WANT_TEXTURES)
        put_textures(c);
    return c->status;
}

void frame_collector_fini(struct frame_collector *c)
{
    cJSON_Delete(c->event);
    c->event = NULL;
    frame_events_fini(&c->events);
    frame_pictures_fini(&c->pictures);
}
