/* Follows a shader through one invocation, step by step.
 *
 * Tested by tests/unit/tool/frame/test_steps.c. */
#include "tool/frame/steps.h"

#include "tool/frame/answer.h"
#include "tool/frame/constants.h"
#include "tool/frame/json.h"
#include "tool/frame/shader_lines.h"
#include "tool/inspect/frame.h"
#include "tool/shader/shader.h"
#include "util/alloc.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHY = 160 };

/* A texture lookup of the followed lane. */
struct lookup {
    bool done;
    unsigned sampler;
    enum lod lod_mode;
    float coordinate[3], lod, ddx[3], ddy[3], texel[4];
    bool has[4]; /* the texel's components that the program reads */
};

struct following {
    const struct frame_invocation *wanted;
    struct frame_walk *walk;
    struct draw_debug_hooks hooks;
    const struct vm_program *program;
    const struct draw_state *state;
    uint32_t *line; /* of each instruction */
    struct run_trace trace;
    struct lookup lookup[VM_MAX_SAMPLERS]; /* the last one of each sampler */
    unsigned lane;
    bool drawn;         /* the call draws */
    bool running, done; /* the invocation runs; it has run */
    bool killed, cut;
    char why[WHY];
    cJSON *answer, *steps, *last; /* last: the step before */
    uint32_t n;
    enum status status;
};

/* --- Keys ------------------------------------------------------------------------------------- */

/* Reads a number without leading zeros and, unless it ends the key, the '/' behind it. */
static bool number(const char **at, uint64_t most, uint64_t *out)
{
    char *end;

    if (**at < '0' || **at > '9' || (**at == '0' && (*at)[1] >= '0' && (*at)[1] <= '9'))
        return false;
    errno = 0;
    *out = strtoull(*at, &end, 10);
    if (errno || *out > most || (*end && (*end != '/' || !end[1])))
        return false;
    *at = *end ? end + 1 : end;
    return true;
}

static bool skip(const char **at, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(*at, word, n) != 0)
        return false;
    *at += n;
    return true;
}

bool frame_steps_parse(const char *key, struct frame_invocation *out)
{
    uint64_t x = 0, y = 0, instance = 0;

    *out = (struct frame_invocation){0};
    if (!skip(&key, "steps/") || !number(&key, UINT64_MAX, &out->call))
        return false;
    out->pixel = skip(&key, "pixel/");
    if (out->pixel && (!number(&key, UINT32_MAX, &x) || !number(&key, UINT32_MAX, &y)))
        return false;
    if (!out->pixel && !skip(&key, "vertex/"))
        return false;
    if (!number(&key, out->pixel ? UINT32_MAX : INT64_MAX, &out->number) ||
        (*key && !number(&key, UINT32_MAX, &instance)))
        return false;
    out->x = (uint32_t)x;
    out->y = (uint32_t)y;
    out->instance = (uint32_t)instance;
    return !*key;
}

/* --- Texture lookups -------------------------------------------------------------------------- */

static void on_sampled(void *ctx, const struct sample *s)
{
    struct following *f = ctx;
    struct lookup *l = &f->lookup[s->sampler % VM_MAX_SAMPLERS];
    unsigned lane = f->lane;

    if (!f->running || !(s->lanes >> lane & 1))
        return;
    *l = (struct lookup){.done = true, .sampler = s->sampler, .lod_mode = s->lod_mode};
    for (unsigned c = 0; c < 3; c++) {
        bool gradient = s->lod_mode == LOD_GRADIENT;

        l->coordinate[c] = s->coord[c] ? s->coord[c][lane] : 0.0f;
        l->ddx[c] = gradient && s->ddx[c] ? s->ddx[c][lane] : 0.0f;
        l->ddy[c] = gradient && s->ddy[c] ? s->ddy[c][lane] : 0.0f;
    }
    l->lod = s->lod ? s->lod[lane] : 0.0f;
    for (unsigned c = 0; c < 4; c++) {
        l->has[c] = s->texel[c] != NULL;
        l->texel[c] = l->has[c] ? s->texel[c][lane] : 0.0f;
    }
}

/* The texture that a sampler has; 0: none. */
static uint32_t texture_of(const struct following *f, unsigned sampler)
{
    const struct cmd_stream *stream = frame_walk_last_stream(f->walk);
    const struct cmd_bindings *bindings = frame_walk_bindings(f->walk, stream);
    unsigned i = sampler + (f->wanted->pixel ? 0 : DRAW_VERTEX_SAMPLER);

    return bindings && i < CMD_SAMPLERS ? frame_walk_id(f->walk, stream, bindings->texture[i]) : 0;
}

static void add_lookup(const struct following *f, cJSON *list, const struct lookup *l)
{
    const uint8_t *kind = vm_program_info(f->program)->sampler_kind;
    bool flat = l->sampler < VM_MAX_SAMPLERS && kind[l->sampler] == 2 && l->coordinate[2] == 0.0f;
    cJSON *object = frame_append(list), *texel;
    char name[FRAME_CONSTANT_NAME];

    frame_add_number(object, "sampler", l->sampler);
    if (frame_constant_name(name, f->program, FRAME_SAMPLER, l->sampler))
        frame_add_text(object, "name", name);
    frame_add_number(object, "resource", texture_of(f, l->sampler));
    cJSON_AddItemToObject(object, "coordinates", frame_floats(l->coordinate, flat ? 2 : 3));
    if (l->lod_mode == LOD_BIAS || l->lod_mode == LOD_EXPLICIT)
        cJSON_AddItemToObject(object, l->lod_mode == LOD_BIAS ? "bias" : "level",
                              frame_float(l->lod));
    if (l->lod_mode == LOD_GRADIENT) {
        cJSON_AddItemToObject(object, "ddx", frame_floats(l->ddx, flat ? 2 : 3));
        cJSON_AddItemToObject(object, "ddy", frame_floats(l->ddy, flat ? 2 : 3));
    }
    texel = frame_add_array(object, "value");
    for (unsigned c = 0; c < 4; c++)
        cJSON_AddItemToArray(texel, l->has[c] ? frame_float(l->texel[c]) : cJSON_CreateNull());
}

/* Adds what a step's instructions have read. A call of the sampler may serve several instructions;
 * no other call comes between them. */
static void add_lookups(const struct following *f, cJSON *step, const struct vm_step *o)
{
    cJSON *list = NULL;

    for (uint32_t i = o->first; i <= o->last; i++) {
        int sampler = vm_instr_sampler(f->program, i);

        if (sampler < 0 || !f->lookup[sampler % VM_MAX_SAMPLERS].done)
            continue;
        list = list ? list : frame_add_array(step, "textures");
        add_lookup(f, list, &f->lookup[sampler % VM_MAX_SAMPLERS]);
    }
}

/* --- Steps ------------------------------------------------------------------------------------ */

/* The components in which the predicate lets an instruction write. Its own write of p0 has not been
 * stored yet. */
static unsigned predicate_mask(const struct following *f, const struct vm_src *predicate)
{
    const struct run_trace *t = &f->trace;
    unsigned mask = 0;

    for (unsigned i = 0; i < t->n; i++)
        if (t->shown[i].file == VM_FILE_PREDICATE)
            for (unsigned c = 0; c < 4; c++) {
                unsigned from = predicate->swizzle >> 2 * c & 3;
                bool on = t->shown[i].x[f->lane][from] != 0.0f;

                mask |= (unsigned)(on != (predicate->modifier == VM_MOD_NOT)) << c;
            }
    return mask;
}

static void add_write(struct following *f, cJSON *step, const struct run_register *r, unsigned mask)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(step, "writes");
    char name[VM_REGISTER_TEXT];

    vm_register_text(name, r->file, r->reg);
    frame_add_register(list, name, NULL, mask, r->x[f->lane]);
}

static void add_writes(struct following *f, cJSON *step, const struct vm_step *o, unsigned allowed)
{
    struct run_trace *t = &f->trace;

    /* A loop has changed aL after its own step. */
    if (run_trace_update(t, &t->shown[0], o) && t->n)
        add_write(f, f->last ? f->last : step, &t->shown[0], VM_MASK_X);
    for (unsigned i = 1; i < t->n; i++) {
        struct run_register *r = &t->shown[i];
        unsigned named = run_trace_is_destination(r, o) ? o->dst->mask & allowed : 0u;
        unsigned mask = (run_trace_update(t, r, o) | named) & r->present;

        if (mask)
            add_write(f, step, r, mask);
    }
}

static cJSON *begin_step(struct following *f, const struct vm_step *o)
{
    cJSON *step = frame_append(f->steps);

    f->n++;
    frame_add_number(step, "line", f->line[o->last]);
    if (o->first != o->last)
        frame_add_number(step, "first", f->line[o->first]);
    (void)frame_add_array(step, "writes");
    return step;
}

static void on_step(void *ctx, const struct vm_step *o)
{
    struct following *f = ctx;
    unsigned allowed = VM_MASK_ALL;
    cJSON *step;

    if (!f->running || !(o->lanes >> f->lane & 1))
        return;
    f->cut |= f->n == FRAME_STEPS;
    if (f->cut)
        return;
    if (!f->trace.n)
        run_trace_list(&f->trace, o);
    step = begin_step(f, o);
    if (o->predicate) {
        allowed = predicate_mask(f, o->predicate);
        frame_add_mask(step, "predicate",
                       o->dst->file == VM_FILE_NONE ? allowed : allowed & o->dst->mask);
    }
    add_writes(f, step, o, allowed);
    add_lookups(f, step, o);
    if ((o->killed >> f->lane & 1) && !f->killed) {
        f->killed = true;
        cJSON_AddTrueToObject(step, "killed");
    }
    f->last = step;
}

/* --- Invocations ------------------------------------------------------------------------------ */

/* The lane of the wanted invocation; -1: the batch does not have it. */
static int lane_of(const struct following *f, const struct draw_shader_batch *b)
{
    if (f->wanted->pixel)
        return b->lane;
    for (unsigned lane = 0; b->lane < 0 && lane < VM_LANES; lane++)
        if ((b->covered >> lane & 1) &&
            b->first + (b->index ? b->index[lane] : lane) == (int64_t)f->wanted->number)
            return (int)lane;
    return -1;
}

/* What is known before the first step. */
static enum status describe(struct following *f, const struct draw_shader_batch *b)
{
    bool pixel = f->wanted->pixel;
    char id[FRAME_SHADER_ID], version[16], *text, *from;
    enum status st = frame_shader_id(b->program, id);

    if (st == ST_OK)
        st = vm_program_text(&text, b->program);
    if (st != ST_OK)
        return st;
    f->line = mem_alloc((vm_program_length(b->program) + 1) * sizeof(*f->line));
    st = f->line ? frame_instruction_lines(b->program, text, f->line) : ST_NOMEM;
    from = text + strspn(text, " \t\n");
    snprintf(version, sizeof(version), "%.*s", (int)strcspn(from, " \t\n"), from);
    frame_add_text(f->answer, "shader", id);
    frame_add_text(f->answer, "version", version);
    cJSON_AddBoolToObject(f->answer, "fixed", pixel ? !f->state->ps : !f->state->vs);
    cJSON_AddItemToObject(f->answer, "lines", frame_shader_lines(text));
    cJSON_AddItemToObject(f->answer, "inputs", frame_inputs_json(b->program, b->inputs + f->lane));
    cJSON_AddItemToObject(f->answer, "constants",
                          frame_step_constants_json(f->state, b->program, pixel));
    f->steps = frame_add_array(f->answer, "steps");
    mem_free(text);
    return st;
}

static void on_before(void *ctx, const struct draw_shader_batch *b)
{
    struct following *f = ctx;
    int lane = f->done || f->status != ST_OK ? -1 : lane_of(f, b);

    f->running = false;
    if (lane < 0)
        return;
    f->lane = (unsigned)lane;
    f->program = f->trace.program = b->program;
    f->trace.only = lane;
    run_trace_begin(&f->trace, 0, VM_LANES);
    f->status = describe(f, b);
    f->running = f->done = f->status == ST_OK;
}

/* --- Outputs ---------------------------------------------------------------------------------- */

static void on_after(void *ctx, const float *const colour[DRAW_TARGETS])
{
    struct following *f = ctx;
    struct run_trace *t = &f->trace;
    cJSON *list;

    if (!f->running || !f->wanted->pixel)
        return;
    f->running = false;
    list = frame_add_array(f->answer, "outputs");
    for (unsigned i = 0; i < DRAW_TARGETS; i++) {
        char name[VM_REGISTER_TEXT];
        bool first = vm_program_info(f->program)->major < 2;

        vm_register_text(name, first ? VM_FILE_TEMP : VM_FILE_COLOROUT, i);
        if (colour[i])
            frame_add_register(list, name, NULL, VM_MASK_ALL, colour[i]);
    }
    for (unsigned i = 0; i < t->n; i++)
        if (t->shown[i].file == VM_FILE_DEPTHOUT)
            frame_add_register(list, "oDepth", NULL, VM_MASK_X, t->shown[i].x[f->lane]);
}

static void on_vertices(void *ctx, const struct draw_shader_batch *b,
                        const float *const position[4])
{
    struct following *f = ctx;

    (void)position;
    if (!f->running || f->wanted->pixel)
        return;
    f->running = false;
    cJSON_AddItemToObject(f->answer, "outputs",
                          frame_vertex_outputs_json(b->program, b->outputs + f->lane));
}

/* --- The draw --------------------------------------------------------------------------------- */

static void explain(struct following *f, const struct draw_args *args, uint32_t instances)
{
    const struct frame_invocation *w = f->wanted;

    if (w->instance >= instances)
        snprintf(f->why, WHY, "The draw has no instance %" PRIu32 ".", w->instance);
    else if (!w->pixel)
        snprintf(f->why, WHY, "The draw has no vertex %" PRIu64 ".", w->number);
    else if (w->number >= args->primitives)
        snprintf(f->why, WHY, "The draw has no primitive %" PRIu64 ".", w->number);
    else
        snprintf(f->why, WHY,
                 "The pixel shader does not run at %" PRIu32 ", %" PRIu32 " for primitive %" PRIu64
                 " of instance %" PRIu32 ".",
                 w->x, w->y, w->number, w->instance);
}

static enum status run(struct following *f, struct draw *draw, const struct draw_state *state,
                       const struct draw_args *args)
{
    const struct frame_invocation *w = f->wanted;
    struct draw_args of_instance = *args;

    of_instance.instance = w->instance;
    f->hooks = (struct draw_debug_hooks){.ctx = f,
                                         .shaders = true,
                                         .x = w->pixel ? (float)w->x : -1.0f,
                                         .y = (float)w->y,
                                         .before = on_before,
                                         .step = on_step,
                                         .sampled = on_sampled,
                                         .after = on_after,
                                         .vertices = on_vertices};
    if (!w->pixel)
        return inspect_vertices_run(draw, state, &of_instance, &f->hooks,
                                    frame_walk_hooks(f->walk));
    return inspect_pixel_run(draw, state, &of_instance, w->x, w->y, (uint32_t)w->number, &f->hooks,
                             frame_walk_hooks(f->walk));
}

/* A call may make several draws: the first one that has the invocation is followed. */
static void on_draw(void *ctx, struct frame_walk *walk, struct draw *draw,
                    const struct draw_state *state, const struct draw_args *args)
{
    struct following *f = ctx;
    uint32_t instances = inspect_instances(state, args);
    enum status st = ST_OK;

    if (frame_walk_call(walk) != f->wanted->call || f->done || f->status != ST_OK)
        return;
    f->drawn = true;
    f->state = state;
    if (f->wanted->instance < instances &&
        (!f->wanted->pixel || f->wanted->number < args->primitives))
        st = run(f, draw, state, args);
    if (f->status == ST_OK)
        f->status = st;
    if (!f->done)
        explain(f, args, instances);
}

static bool on_call(void *ctx, struct frame_walk *walk, const struct trace_call *call)
{
    const struct following *f = ctx;

    (void)walk;
    return call->number <= f->wanted->call && !f->done && f->status == ST_OK;
}

/* --- The answer ------------------------------------------------------------------------------- */

static void begin_answer(struct following *f)
{
    const struct frame_invocation *w = f->wanted;

    frame_add_number(f->answer, "call", (double)w->call);
    frame_add_text(f->answer, "stage", w->pixel ? "pixel" : "vertex");
    if (w->pixel) {
        frame_add_number(f->answer, "x", w->x);
        frame_add_number(f->answer, "y", w->y);
    }
    frame_add_number(f->answer, w->pixel ? "primitive" : "vertex", (double)w->number);
    frame_add_number(f->answer, "instance", w->instance);
}

static void end_answer(struct following *f)
{
    if (!f->done) {
        frame_add_text(f->answer, "why", f->why);
        return;
    }
    cJSON_AddBoolToObject(f->answer, "killed", f->killed);
    cJSON_AddBoolToObject(f->answer, "cut", f->cut);
}

enum status frame_steps_json(struct frame_walk *walk, const struct frame_invocation *wanted,
                             cJSON **out)
{
    struct following *f = mem_calloc(1, sizeof(*f));
    const struct frame_visitor visitor = {.ctx = f, .call = on_call, .draw = on_draw};
    enum status st;

    *out = NULL;
    if (!f)
        return ST_NOMEM;
    f->wanted = wanted;
    f->walk = walk;
    f->answer = cJSON_CreateObject();
    begin_answer(f);
    st = f->answer ? frame_walk_run(walk, &visitor) : ST_NOMEM;
    if (st == ST_OK)
        st = f->status;
    if (st == ST_OK && !f->drawn)
        st = ST_NOTFOUND;
    end_answer(f);
    if (st == ST_OK)
        *out = f->answer;
    else
        cJSON_Delete(f->answer);
    mem_free(f->line);
    mem_free(f);
    return st;
}
