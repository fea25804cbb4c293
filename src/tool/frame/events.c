/* Gathers the events of a frame and how they use resources and shaders.
 *
 * Tested by tests/unit/tool/frame/test_answer.c. */
#include "tool/frame/events.h"

#include "tool/frame/json.h"
#include "tool/frame/mesh_table.h"
#include "tool/frame/state_table.h"
#include "tool/inspect/history.h"
#include "tool/inspect/state_names.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/plural.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const frame_kind_names[] = {"draw", "clear", "copy", "begin", "end", "mark"};
const char *const frame_how_names[] = {"draw", "clear",    "copy",    "upload",  "texture",
                                       "copy", "vertices", "indices", "present", "test"};

/* Makes room for one more element. */
static bool grow(struct frame_events *events, void *table, uint32_t n, uint32_t *max, size_t size)
{
    void **slot = table, *more;
    uint32_t wanted = *max ? 2 * *max : 64;

    if (n < *max)
        return true;
    more = mem_realloc(*slot, wanted * size);
    if (!more) {
        events->failed = true;
        return false;
    }
    *slot = more;
    *max = wanted;
    return true;
}

void frame_events_fini(struct frame_events *events)
{
    for (uint32_t i = 0; i < events->n; i++)
        free(events->event[i].text);
    for (uint32_t i = 0; i < events->n_shaders; i++) {
        mem_free(events->shader[i].text);
        mem_free(events->shader[i].draws);
    }
    mem_free(events->event);
    mem_free(events->pass);
    mem_free(events->use);
    mem_free(events->shader);
    mem_free(events->previous);
    memset(events, 0, sizeof(*events));
}

const struct frame_event *frame_events_find(const struct frame_events *events, uint64_t call)
{
    for (uint32_t i = 0; i < events->n; i++)
        if (events->event[i].call == call)
            return &events->event[i];
    return NULL;
}

/* --- Events ----------------------------------------------------------------------------------- */

static struct frame_event *add_event(struct frame_events *events, const struct frame_walk *walk,
                                     enum frame_kind kind)
{
    struct frame_event *e;

    if (!grow(events, &events->event, events->n, &events->max, sizeof(*e)))
        return NULL;
    e = &events->event[events->n++];
    memset(e, 0, sizeof(*e));
    e->call = frame_walk_call(walk);
    e->kind = kind;
    e->depth = events->depth;
    snprintf(e->name, sizeof(e->name), "%s", frame_walk_name(walk));
    return e;
}

void frame_target_slot(char out[16], const struct frame_target *target)
{
    if (target->slot < DRAW_TARGETS)
        snprintf(out, 16, "target %u", target->slot);
    else
        snprintf(out, 16, "%s", target->slot == DRAW_TARGETS ? "depth" : "destination");
}

static void add_target(struct frame_event *e, const struct frame_walk *walk,
                       struct cmd_stream *stream, const struct cmd_surface *surface, unsigned slot)
{
    const struct tex_image *image = cmd_rendered_image(stream, surface->image);
    const struct tex_level *level;
    struct frame_target *t = &e->target[e->n_targets];
    bool volume = image && image->desc.shape == TEX_VOLUME_MAP;
    uint32_t id = frame_walk_id(walk, stream, surface->image);

    if (!image || e->n_targets == FRAME_TARGETS)
        return;
    for (unsigned i = 0; i < e->n_targets; i++)
        if (e->target[i].resource == id && e->target[i].face == surface->face &&
            e->target[i].level == surface->level)
            return;
    level = &image->level[(volume ? 0 : surface->face) * image->desc.levels + surface->level];
    e->n_targets++;
    *t = (struct frame_target){.resource = id,
                               .face = surface->face,
                               .level = surface->level,
                               .slot = (uint8_t)slot,
                               .format = image->format->name,
                               .width = level->width,
                               .height = level->height,
                               .samples = image->desc.samples};
}

static void add_bound_targets(struct frame_event *e, const struct frame_walk *walk,
                              struct cmd_stream *stream)
{
    const struct draw_state *state = cmd_rendered_state(stream);

    for (unsigned t = 0; t <= DRAW_TARGETS; t++) {
        const struct draw_target *target = t < DRAW_TARGETS ? &state->target[t] : &state->depth;
        const struct cmd_surface surface = {cmd_bound_target(stream, t), target->face,
                                            target->level};

        if (target->image)
            add_target(e, walk, stream, &surface, t);
    }
}

static void describe_clear(struct frame_event *e, const struct cmd_clear *p)
{
    size_t n = (size_t)snprintf(e->what, sizeof(e->what), "clear");

    if (p->flags & D3DCLEAR_TARGET)
        n += (size_t)snprintf(e->what + n, sizeof(e->what) - n, ", colour 0x%08" PRIx32, p->colour);
    if (p->flags & D3DCLEAR_ZBUFFER)
        n += (size_t)snprintf(e->what + n, sizeof(e->what) - n, ", depth %.9g", (double)p->z);
    if (p->flags & D3DCLEAR_STENCIL)
        n += (size_t)snprintf(e->what + n, sizeof(e->what) - n, ", stencil %" PRIu32, p->stencil);
    if (p->n_rects)
        snprintf(e->what + n, sizeof(e->what) - n, ", " PLURAL_FORMAT,
                 PLURAL(p->n_rects, "rectangle", "rectangles"));
}

static void describe_draw(struct frame_event *e, uint32_t type, uint32_t primitives)
{
    const char *name = inspect_primitive_name(type);

    e->primitives = primitives;
    snprintf(e->what, sizeof(e->what), PLURAL_FORMAT ", %s",
             PLURAL(primitives, "primitive", "primitives"),
             name ? name + strlen("D3DPT_") : "unknown type");
}

static struct frame_event *begin_bound(struct frame_events *events, struct frame_walk *walk,
                                       const struct frame_packet *p)
{
    struct frame_event *e = add_event(events, walk, p->op == CMD_CLEAR ? FRAME_CLEAR : FRAME_DRAW);
    const struct cmd_draw *draw = p->packet;
    const struct cmd_draw_up *up = p->packet;

    if (!e)
        return NULL;
    if (p->op == CMD_CLEAR)
        describe_clear(e, p->packet);
    else if (p->op == CMD_DRAW)
        describe_draw(e, draw->type, draw->primitives);
    else if (p->op == CMD_DRAW_UP)
        describe_draw(e, up->type, up->primitives);
    else
        snprintf(e->what, sizeof(e->what), "patch");
    e->failed = e->kind == FRAME_DRAW;
    add_bound_targets(e, walk, p->stream);
    return e;
}

static const struct cmd_surface *copied(const struct frame_packet *p, const char **what)
{
    switch (p->op) {
    case CMD_COPY:
        *what = "copy";
        return &((const struct cmd_copy *)p->packet)->dst;
    case CMD_STRETCH:
        *what = "stretched copy";
        return &((const struct cmd_stretch *)p->packet)->dst;
    case CMD_FILL:
        *what = "fill";
        return &((const struct cmd_fill *)p->packet)->dst;
    case CMD_COMPOSE_RECTS:
        *what = "composed glyphs";
        return &((const struct cmd_compose_rects *)p->packet)->dst;
    default:
        return NULL;
    }
}

struct frame_event *frame_events_begin(struct frame_events *events, struct frame_walk *walk,
                                       const struct frame_packet *packet, bool *fresh)
{
    struct frame_event *last = events->n ? &events->event[events->n - 1] : NULL;
    const struct cmd_surface *dst;
    const char *what = NULL;

    *fresh = false;
    dst = copied(packet, &what);
    if (!dst && packet->op != CMD_CLEAR && !cmd_is_draw(packet->op))
        return NULL;
    if (!last || last->call != frame_walk_call(walk)) {
        *fresh = true;
        last = dst ? add_event(events, walk, FRAME_COPY) : begin_bound(events, walk, packet);
        if (last && dst)
            snprintf(last->what, sizeof(last->what), "%s", what);
    }
    if (last && dst && last->kind == FRAME_COPY)
        add_target(last, walk, packet->stream, dst, FRAME_DESTINATION);
    return last;
}

void frame_events_marker(struct frame_events *events, struct frame_walk *walk,
                         const struct trace_call *call)
{
    bool begins = !strcmp(call->function->name, "D3DPERF_BeginEvent");
    bool ends = !strcmp(call->function->name, "D3DPERF_EndEvent");
    struct frame_event *e;

    if (ends && events->depth)
        events->depth--;
    e = add_event(events, walk, begins ? FRAME_BEGIN : ends ? FRAME_END : FRAME_MARK);
    if (!e)
        return;
    if (begins)
        events->depth++;
    if (!ends && call->argc > 0)
        e->colour = (uint32_t)trace_number(&call->args[0]);
    if (!ends && call->argc > 1)
        e->text = frame_trace_text(&call->args[1]);
}

/* --- Shaders of draws ------------------------------------------------------------------------- */

enum status frame_shader_id(const struct vm_program *program, char id[FRAME_SHADER_ID])
{
    char *text;
    enum status st = vm_program_text(&text, program);

    if (st)
        return st;
    snprintf(id, FRAME_SHADER_ID, "%016" PRIx64, hash_bytes(text, strlen(text), 0));
    mem_free(text);
    return ST_OK;
}

static struct frame_shader *new_shader(struct frame_events *events,
                                       const struct vm_program *program, bool pixel, bool fixed)
{
    struct frame_shader made = {.program = vm_program_id(program), .pixel = pixel, .fixed = fixed};
    size_t n = 0, from;

    if (!grow(events, &events->shader, events->n_shaders, &events->max_shaders, sizeof(made)))
        return NULL;
    if (vm_program_text(&made.text, program) != ST_OK) {
        events->failed = true;
        return NULL;
    }
    snprintf(made.id, sizeof(made.id), "%016" PRIx64, hash_bytes(made.text, strlen(made.text), 0));
    from = strspn(made.text, " \t\n");
    n = strcspn(made.text + from, " \t\n");
    snprintf(made.version, sizeof(made.version), "%.*s", (int)n, made.text + from);
    events->shader[events->n_shaders] = made;
    return &events->shader[events->n_shaders++];
}

/* The shader of a program; equal text is one shader. */
static struct frame_shader *shader_of(struct frame_events *events, const struct vm_program *program,
                                      bool pixel, bool fixed)
{
    struct frame_shader *made;

    for (uint32_t i = 0; i < events->n_shaders; i++)
        if (events->shader[i].program == vm_program_id(program))
            return &events->shader[i];
    made = new_shader(events, program, pixel, fixed);
    for (uint32_t i = 0; made && i + 1 < events->n_shaders; i++)
        if (!strcmp(events->shader[i].id, made->id)) {
            mem_free(made->text);
            events->n_shaders--;
            return &events->shader[i];
        }
    return made;
}

static void note_draw(struct frame_events *events, struct frame_shader *shader, uint64_t call)
{
    if (!grow(events, &shader->draws, shader->n, &shader->max, sizeof(*shader->draws)))
        return;
    if (!shader->n || shader->draws[shader->n - 1] != call)
        shader->draws[shader->n++] = call;
}

void frame_events_draw(struct frame_events *events, struct frame_event *event,
                       const struct draw_state *state, const struct draw_args *args,
                       const struct vm_program *vertex, const struct vm_program *pixel,
                       const struct frame_shader *shaders[2])
{
    shaders[0] = shaders[1] = NULL;
    events->samplers = frame_samplers(vertex, pixel);
    event->vertices = args->indexed ? args->vertices : frame_mesh_corners(args);
    if (events->has_previous)
        event->changed = frame_states_differ(events->previous, state);
    if (!vertex || !pixel)
        return;
    event->failed = 0;
    if (!event->primitives)
        event->primitives = args->primitives;
    for (unsigned i = 0; i < 2; i++) {
        struct frame_shader *shader =
            shader_of(events, i ? pixel : vertex, i, i ? !state->ps : !state->vs);

        if (shader)
            note_draw(events, shader, event->call);
    }
    for (uint32_t i = 0; i < events->n_shaders; i++) /* the table does not move from here on */
        if (events->shader[i].n && events->shader[i].draws[events->shader[i].n - 1] == event->call)
            shaders[events->shader[i].pixel] = &events->shader[i];
}

void frame_events_keep(struct frame_events *events, const struct draw_state *state)
{
    if (!events->previous)
        events->previous = mem_alloc(sizeof(*events->previous));
    events->failed |= !events->previous;
    events->has_previous = events->previous;
    if (events->previous)
        memcpy(events->previous, state, sizeof(*state));
}

/* --- Uses ------------------------------------------------------------------------------------- */

static void add_use(struct frame_events *events, uint32_t resource, enum frame_how how,
                    uint64_t call)
{
    if (!resource)
        return;
    for (uint32_t i = events->n_uses; i-- > 0 && events->use[i].call == call;)
        if (events->use[i].resource == resource && events->use[i].how == how)
            return;
    if (grow(events, &events->use, events->n_uses, &events->max_uses, sizeof(*events->use)))
        events->use[events->n_uses++] = (struct frame_use){resource, (uint8_t)how, call};
}

static bool tests_depth(const struct draw_state *state)
{
    return state->render[D3DRS_ZENABLE] || state->render[D3DRS_STENCILENABLE];
}

static bool writes_stencil(const struct draw_state *state)
{
    static const D3DRENDERSTATETYPE operations[] = {D3DRS_STENCILFAIL,      D3DRS_STENCILZFAIL,
                                                    D3DRS_STENCILPASS,      D3DRS_CCW_STENCILFAIL,
                                                    D3DRS_CCW_STENCILZFAIL, D3DRS_CCW_STENCILPASS};
    unsigned n = state->render[D3DRS_TWOSIDEDSTENCILMODE] ? 6 : 3;

    if (!state->render[D3DRS_STENCILENABLE] || !state->render[D3DRS_STENCILWRITEMASK])
        return false;
    for (unsigned i = 0; i < n; i++)
        if (state->render[operations[i]] != D3DSTENCILOP_KEEP)
            return true;
    return false;
}

static bool writes_depth(const struct draw_state *state)
{
    return (state->render[D3DRS_ZENABLE] && state->render[D3DRS_ZWRITEENABLE]) ||
           writes_stencil(state);
}

/* Whether the draw reads the stream: an element of its declaration lies there. */
static bool reads_stream(const struct draw_state *state, enum cmd_op op, unsigned stream)
{
    if (op == CMD_DRAW_UP && !stream)
        return false;
    for (unsigned i = 0; state->decl && i < state->decl->n; i++)
        if (state->decl->element[i].Stream == stream)
            return true;
    return false;
}

/* How a packet reads a resource that is bound; false: it does not. */
static bool bound_use(const struct frame_events *events, const struct frame_packet *p,
                      const struct cmd_access *access, enum frame_how *how)
{
    const struct draw_state *state = cmd_rendered_state(p->stream);
    bool draws = cmd_is_draw(p->op);

    switch (access->bound) {
    case CMD_USE_BIND_TEXTURE:
        *how = FRAME_AS_TEXTURE;
        return !draws || events->samplers >> access->index & 1;
    case CMD_USE_BIND_STREAM:
        *how = FRAME_AS_VERTICES;
        return !draws || reads_stream(state, p->op, access->index);
    case CMD_USE_BIND_INDICES:
        *how = FRAME_AS_INDICES;
        return p->op == CMD_DRAW && ((const struct cmd_draw *)p->packet)->indexed;
    case CMD_USE_BIND_TARGET:
        *how = draws ? FRAME_BY_DRAW : FRAME_BY_CLEAR;
        if (p->op == CMD_CLEAR)
            return ((const struct cmd_clear *)p->packet)->flags &
                   (access->index == CMD_DEPTH_TARGET ? D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL
                                                      : D3DCLEAR_TARGET);
        if (!draws || access->index != CMD_DEPTH_TARGET)
            return true;
        if (!writes_depth(state))
            *how = FRAME_AS_TEST;
        return tests_depth(state);
    default:
        return false;
    }
}

void frame_events_use(struct frame_events *events, struct frame_walk *walk,
                      const struct frame_packet *p)
{
    const struct cmd_bindings *bindings = frame_walk_bindings(walk, p->stream);
    struct cmd_access access[CMD_MAX_ACCESSES];
    uint64_t call = frame_walk_call(walk);
    enum frame_how how;
    unsigned n;

    if (!bindings || !(cmd_uses(p->op) & CMD_USE_ACCESS))
        return;
    n = cmd_accesses(p->op, p->packet, bindings, access);
    for (unsigned i = 0; i < n; i++) {
        uint32_t id = frame_walk_id(walk, p->stream, access[i].handle);

        if (access[i].bound) {
            if (bound_use(events, p, &access[i], &how))
                add_use(events, id, how, call);
            continue;
        }
        if (access[i].read)
            add_use(events, id, p->op == CMD_PRESENT ? FRAME_AS_PRESENT : FRAME_AS_SOURCE, call);
        if (access[i].write)
            add_use(events, id, FRAME_BY_COPY, call);
    }
}

void frame_events_upload(struct frame_events *events, struct frame_walk *walk,
                         const struct frame_packet *p)
{
    cmd_handle handle = p->op == CMD_WRITE_BUFFER
                            ? ((const struct cmd_write_buffer *)p->packet)->buffer
                            : ((const struct cmd_write_image *)p->packet)->dst.image;

    add_use(events, frame_walk_id(walk, p->stream, handle), FRAME_BY_UPLOAD, frame_walk_call(walk));
}

/* --- Passes ----------------------------------------------------------------------------------- */

static bool is_marker(const struct frame_event *e)
{
    return e->kind >= FRAME_BEGIN;
}

static bool same_pass(const struct frame_event *a, const struct frame_event *b)
{
    if ((a->kind == FRAME_COPY) != (b->kind == FRAME_COPY))
        return false;
    if (a->kind == FRAME_COPY)
        return true;
    if (a->n_targets != b->n_targets)
        return false;
    for (unsigned i = 0; i < a->n_targets; i++)
        if (a->target[i].resource != b->target[i].resource ||
            a->target[i].slot != b->target[i].slot || a->target[i].face != b->target[i].face ||
            a->target[i].level != b->target[i].level)
            return false;
    return true;
}

static void describe_pass(struct frame_pass *pass, const struct frame_event *event)
{
    static const char *const one[] = {"draw", "clear", "copy"};
    static const char *const many[] = {"draws", "clears", "copies"};
    const struct frame_event *shown = NULL;
    uint32_t count[3] = {0};
    size_t n = 0;

    for (uint32_t i = pass->first; i <= pass->last; i++)
        if (!is_marker(&event[i])) {
            count[event[i].kind]++;
            shown = shown ? shown : &event[i];
        }
    pass->what[0] = 0;
    for (unsigned k = 0; k < 3; k++)
        if (count[k])
            n += (size_t)snprintf(pass->what + n, sizeof(pass->what) - n, "%s" PLURAL_FORMAT,
                                  n ? ", " : "", PLURAL(count[k], one[k], many[k]));
    for (unsigned i = 0; shown && i < shown->n_targets && n < sizeof(pass->what); i++)
        n += (size_t)snprintf(pass->what + n, sizeof(pass->what) - n, "%s%s %" PRIu32 "x%" PRIu32,
                              i ? " + " : " to ", shown->target[i].format, shown->target[i].width,
                              shown->target[i].height);
}

/* Ends of markers stay in the pass before: returns the first event from `from` on that is none. */
static uint32_t skip_ends(struct frame_events *events, uint32_t from)
{
    for (; events->n_passes && from < events->n && events->event[from].kind == FRAME_END; from++) {
        events->event[from].pass = events->n_passes - 1;
        events->pass[events->n_passes - 1].last = from;
    }
    return from;
}

void frame_events_finish(struct frame_events *events)
{
    const struct frame_event *in_pass = NULL;
    uint32_t from = 0; /* first marker that waits for the next event */

    for (uint32_t i = 0; i < events->n; i++) {
        struct frame_event *e = &events->event[i];

        from = skip_ends(events, from);
        if (from > i || (is_marker(e) && i + 1 < events->n))
            continue;
        if (!is_marker(e) && (!in_pass || !same_pass(in_pass, e))) {
            if (!grow(events, &events->pass, events->n_passes, &events->max_passes,
                      sizeof(*events->pass)))
                return;
            events->pass[events->n_passes++] = (struct frame_pass){.first = from};
            in_pass = e;
        }
        for (; from <= i; from++)
            events->event[from].pass = events->n_passes ? events->n_passes - 1 : 0;
        if (events->n_passes)
            events->pass[events->n_passes - 1].last = i;
    }
    for (uint32_t i = 0; i < events->n_passes; i++)
        describe_pass(&events->pass[i], events->event);
}
