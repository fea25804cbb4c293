/* Gathers the costs of a frame: counts of its draws, and the times of its events.
 *
 * Tested by tests/unit/tool/frame/test_cost.c. */
#include "tool/frame/cost.h"

#include "tool/frame/shader_lines.h"
#include "tool/frame/shader_settings.h"
#include "util/alloc.h"
#include "util/hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MARKERS = 32, MARKER_NAME = 64 };

struct gathering {
    struct frame_cost *cost;
    struct draw_counter *counter;
    char marker[MARKERS][MARKER_NAME];
    unsigned depth; /* of markers; those past MARKERS have no name */
    struct cmd_stream *stream;
    enum status status;
};

/* --- Tables ----------------------------------------------------------------------------------- */

/* Makes room for one more entry, which is zeros. False: out of memory. */
static bool grow(void *table, uint32_t n, uint32_t *max, size_t size)
{
    void **slot = table, *more;
    uint32_t wanted = *max ? 2 * *max : 64;

    if (n == *max) {
        if (!(more = mem_realloc(*slot, wanted * size)))
            return false;
        *slot = more;
        *max = wanted;
    }
    memset((uint8_t *)*slot + n * size, 0, size);
    return true;
}

static char *open_markers(const struct gathering *g)
{
    unsigned n = g->depth < MARKERS ? g->depth : MARKERS;
    char *out = mem_alloc(n * (MARKER_NAME + (size_t)1) + 1), *at = out;

    for (unsigned i = 0; out && i < n; i++)
        at += sprintf(at, "%s%s", i ? ";" : "", g->marker[i]);
    if (out)
        *at = 0;
    return out;
}

/* The event of the current call; several packets of a call share it. NULL: out of memory. */
static struct frame_cost_event *event_of(struct gathering *g, struct frame_walk *walk)
{
    struct frame_cost *cost = g->cost;
    uint64_t call = frame_walk_call(walk);
    const char *colons = strstr(frame_walk_name(walk), "::");
    struct frame_cost_event *e;

    if (cost->n_events && cost->event[cost->n_events - 1].call == call)
        return &cost->event[cost->n_events - 1];
    if (!grow(&cost->event, cost->n_events, &cost->max_events, sizeof(*e))) {
        g->status = ST_NOMEM;
        return NULL;
    }
    e = &cost->event[cost->n_events];
    e->call = call;
    e->seconds = -1.0;
    e->shader[0] = e->shader[1] = FRAME_COST_NONE;
    snprintf(e->name, sizeof(e->name), "%s", colons ? colons + 2 : frame_walk_name(walk));
    if (!(e->marker = open_markers(g))) {
        g->status = ST_NOMEM;
        return NULL;
    }
    cost->n_events++;
    return e;
}

/* --- Shaders ---------------------------------------------------------------------------------- */

static uint32_t count_lines(const char *text)
{
    uint32_t n = 0;

    for (; *text; text++)
        n += *text == '\n' || !text[1];
    return n;
}

/* The index of the shader with this text, which is taken over. FRAME_COST_NONE: out of memory. */
static uint32_t find_shader(struct frame_cost *cost, char *text, bool pixel)
{
    struct frame_cost_shader *s;
    char id[FRAME_COST_ID];

    snprintf(id, sizeof(id), "%016" PRIx64, hash_bytes(text, strlen(text), 0));
    for (uint32_t i = 0; i < cost->n_shaders; i++)
        if (!strcmp(cost->shader[i].id, id) && cost->shader[i].pixel == pixel) {
            mem_free(text);
            return i;
        }
    if (!grow(&cost->shader, cost->n_shaders, &cost->max_shaders, sizeof(*s))) {
        mem_free(text);
        return FRAME_COST_NONE;
    }
    s = &cost->shader[cost->n_shaders++];
    memcpy(s->id, id, sizeof(id));
    s->pixel = pixel;
    s->text = text;
    s->n_lines = count_lines(text);
    s->line = mem_calloc(s->n_lines + 1, sizeof(*s->line));
    return s->line ? cost->n_shaders - 1 : FRAME_COST_NONE;
}

/* Adds executions to the lines that show the instructions. */
static enum status add_lines(struct frame_cost_shader *s, const struct draw_shader_counts *counts)
{
    uint32_t n = vm_program_length(counts->program);
    uint32_t *line = mem_alloc((n + 1) * sizeof(*line));
    enum status st = line ? frame_instruction_lines(counts->program, s->text, line) : ST_NOMEM;

    for (uint32_t i = 0; st == ST_OK && i < n && i < counts->n_executed; i++)
        if (line[i] < s->n_lines)
            s->line[line[i]] += counts->executed[i];
    mem_free(line);
    return st;
}

/* Keeps the constants of the draw that executes most. */
static enum status keep_settings(struct frame_cost_shader *s, const struct frame_cost_event *e,
                                 const struct draw_state *state,
                                 const struct draw_shader_counts *counts)
{
    const struct vm_program *program = s->pixel ? state->ps : state->vs;
    char *settings;

    if (s->settings && counts->instructions <= s->most)
        return ST_OK;
    s->generated = !program;
    settings = program
                   ? frame_shader_settings(program, s->text,
                                           s->pixel ? &state->ps_constants : &state->vs_constants)
                   : mem_strdup("");
    if (!settings)
        return ST_NOMEM;
    mem_free(s->settings);
    s->settings = settings;
    s->most = counts->instructions;
    s->most_call = e->call;
    return ST_OK;
}

static void add_shader(struct gathering *g, struct frame_cost_event *e,
                       const struct draw_state *state, const struct draw_shader_counts *counts,
                       bool pixel)
{
    struct frame_cost_shader *s;
    char *text;
    enum status st = vm_program_text(&text, counts->program);

    if (!st && (e->shader[pixel] = find_shader(g->cost, text, pixel)) == FRAME_COST_NONE)
        st = ST_NOMEM;
    if (!st) {
        s = &g->cost->shader[e->shader[pixel]];
        s->draws++;
        s->invocations += counts->invocations;
        s->instructions += counts->instructions;
        s->lookups += counts->lookups;
        st = add_lines(s, counts);
        if (st == ST_OK)
            st = keep_settings(s, e, state, counts);
    }
    if (st)
        g->status = st;
}

/* --- Targets ---------------------------------------------------------------------------------- */

static void add_target(struct gathering *g, uint32_t resource, const struct draw_target *target,
                       bool depth, uint64_t written)
{
    struct frame_cost *cost = g->cost;
    const struct tex_level *level = tex_image_level(target->image, 0, target->level);
    struct frame_cost_target *t = NULL;

    for (uint32_t i = 0; i < cost->n_targets && !t; i++)
        if (cost->target[i].resource == resource && cost->target[i].width == level->width &&
            cost->target[i].height == level->height)
            t = &cost->target[i];
    if (!t) {
        if (!grow(&cost->target, cost->n_targets, &cost->max_targets, sizeof(*t))) {
            g->status = ST_NOMEM;
            return;
        }
        t = &cost->target[cost->n_targets++];
        t->resource = resource;
        t->width = level->width;
        t->height = level->height;
        t->samples = target->image->desc.samples;
        t->depth = depth;
    }
    t->written += written;
}

static void add_targets(struct gathering *g, struct frame_walk *walk, struct frame_cost_event *e,
                        const struct draw_state *state, const struct draw_counts *counts)
{
    const struct cmd_bindings *bindings = frame_walk_bindings(walk, g->stream);
    uint64_t written = 0;

    if (!bindings) {
        g->status = ST_NOMEM;
        return;
    }
    e->target = 0;
    for (unsigned t = 0; t <= DRAW_TARGETS; t++) {
        const struct draw_target *target = t < DRAW_TARGETS ? &state->target[t] : &state->depth;
        uint32_t id = frame_walk_id(walk, g->stream, bindings->target[t]);

        if (!target->image)
            continue;
        if (!e->target)
            e->target = id;
        written = counts->written[t] > written ? counts->written[t] : written;
        add_target(g, id, target, t == DRAW_TARGETS, counts->written[t]);
    }
    e->written += written;
}

/* --- The frame -------------------------------------------------------------------------------- */

static void add_counts(struct frame_cost_event *e, const struct draw_counts *c)
{
    e->draw = true;
    e->references += c->references;
    e->vertices += c->vertex.invocations;
    e->primitives += c->primitives;
    e->outside += c->outside;
    e->culled += c->culled;
    e->drawn += c->drawn;
    e->clipped += c->clipped;
    e->covered += c->samples[DRAW_COVERED];
    e->killed += c->samples[DRAW_KILLED];
    e->alpha_failed += c->samples[DRAW_ALPHA_FAILED];
    e->tested += c->samples[DRAW_TESTED];
    e->stencil_failed += c->samples[DRAW_STENCIL_FAILED];
    e->depth_failed += c->samples[DRAW_DEPTH_FAILED];
    e->passed += c->samples[DRAW_PASSED];
    e->shaded += c->pixel.invocations;
    e->lookups += c->vertex.lookups + c->pixel.lookups;
    e->instructions[0] += c->vertex.instructions;
    e->instructions[1] += c->pixel.instructions;
}

static void before(void *ctx, struct frame_walk *walk, const struct frame_packet *packet)
{
    struct gathering *g = ctx;

    g->stream = packet->stream;
    if (frame_cost_is_event(packet->op) && !frame_cost_is_present(frame_walk_name(walk)))
        event_of(g, walk);
}

static void on_draw(void *ctx, struct frame_walk *walk, struct draw *draw,
                    const struct draw_state *state, const struct draw_args *args)
{
    struct gathering *g = ctx;
    struct frame_cost_event *e = g->status ? NULL : event_of(g, walk);
    struct draw_counts counts;

    if (!e)
        return;
    e->draw = true;
    g->status = draw_count(g->counter, draw, state, args, NULL, &counts);
    if (g->status == ST_INVALID || g->status == ST_UNSUPPORTED) { /* the draw fails, too */
        g->status = ST_OK;
        return;
    }
    if (g->status)
        return;
    add_counts(e, &counts);
    add_shader(g, e, state, &counts.vertex, false);
    add_shader(g, e, state, &counts.pixel, true);
    add_targets(g, walk, e, state, &counts);
}

/* Copies a marker's name as ASCII, without what separates stacks. */
static void copy_name(char out[MARKER_NAME], const struct trace_value *name)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < name->count && n + 1 < MARKER_NAME; i++) {
        uint32_t c = name->kind == TRACE_WSTRING  ? name->u.units[i]
                     : name->kind == TRACE_STRING ? (uint8_t)name->u.text[i]
                                                  : 0;

        if (c)
            out[n++] = c < 32 || c > 126 || c == ';' ? '_' : (char)c;
    }
    out[n] = 0;
}

static void on_marker(void *ctx, struct frame_walk *walk, const struct trace_call *call)
{
    struct gathering *g = ctx;

    (void)walk;
    if (!strcmp(call->function->name, "D3DPERF_EndEvent")) {
        g->depth -= g->depth > 0;
    } else if (!strcmp(call->function->name, "D3DPERF_BeginEvent")) {
        if (g->depth < MARKERS) {
            strcpy(g->marker[g->depth], "marker");
            if (call->argc > 1)
                copy_name(g->marker[g->depth], &call->args[1]);
        }
        g->depth++;
    }
}

static bool on_call(void *ctx, struct frame_walk *walk, const struct trace_call *call)
{
    (void)walk;
    (void)call;
    return ((struct gathering *)ctx)->status == ST_OK;
}

static void finish(struct frame_cost *cost, const struct frame_times *times)
{
    cost->timed = times->seconds && times->n == cost->n_events;
    for (uint32_t i = 0; i < cost->n_events && cost->timed; i++) {
        struct frame_cost_event *e = &cost->event[i];

        e->seconds = times->seconds[i];
        for (unsigned k = 0; k < 2; k++)
            if (e->shader[k] != FRAME_COST_NONE)
                cost->shader[e->shader[k]].seconds += e->seconds;
    }
    for (uint32_t i = 0; i < cost->n_targets; i++) {
        struct frame_cost_target *t = &cost->target[i];

        t->overdraw = (double)t->written / ((double)t->width * t->height * t->samples);
    }
}

enum status frame_cost_gather(struct frame_cost *out, struct frame_walk *walk, unsigned runs)
{
    struct gathering g = {.cost = out};
    const struct frame_visitor visitor = {
        .ctx = &g, .call = on_call, .before = before, .draw = on_draw, .marker = on_marker};
    struct frame_times times;
    enum status st;

    *out = (struct frame_cost){.frame = frame_walk_frame(walk)};
    if ((st = frame_times_measure(&times, walk, runs)) == ST_OK &&
        (st = draw_counter_create(&g.counter)) == ST_OK) {
        st = frame_walk_run(walk, &visitor);
        st = g.status ? g.status : st;
    }
    draw_counter_destroy(g.counter);
    finish(out, &times);
    mem_free(times.seconds);
    return st;
}

void frame_cost_fini(struct frame_cost *cost)
{
    for (uint32_t i = 0; i < cost->n_events; i++)
        mem_free(cost->event[i].marker);
    for (uint32_t i = 0; i < cost->n_shaders; i++) {
        mem_free(cost->shader[i].text);
        mem_free(cost->shader[i].line);
        mem_free(cost->shader[i].settings);
    }
    mem_free(cost->event);
    mem_free(cost->shader);
    mem_free(cost->target);
    *cost = (struct frame_cost){0};
}
