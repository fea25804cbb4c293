/* Draw probe: finds out which primitives of a draw change one pixel and which test stops each of
 * them.
 *
 * The probe redraws parts of the draw with a one-pixel scissor and some tests disabled, and counts
 * the samples that pass. The renderer itself gives all answers.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "tool/inspect/probe.h"

#include "draw/draw.h"
#include "tool/inspect/frame.h"
#include "tool/inspect/history.h"
#include "tool/inspect/value.h"
#include "util/alloc.h"
#include "util/text_stream.h"

#include <string.h>

/* Tests in pipeline order; a probe enables a prefix of them. */
enum stage {
    STAGE_COVERED,
    STAGE_CULL,
    STAGE_CLIP,
    STAGE_SAMPLES,
    STAGE_SHADER,
    STAGE_ALPHA,
    STAGE_BOUNDS,
    STAGE_STENCIL,
    STAGE_DEPTH,
    STAGE_COUNT
};

static const char *const stage_name[STAGE_COUNT] = {
    "coverage",   "culling",      "clip planes",  "multisample mask", "shader",
    "alpha test", "depth bounds", "stencil test", "depth test"};

/* The probed draw. */
struct subject {
    struct inspect_probe *probe;
    struct draw *draw;
    const struct draw_state *state; /* as the program set it */
    const struct draw_args *args;
    struct inspect_event *event;
    struct inspect_values contents; /* of the targets before and after each probe */
    enum status status;
};

/* --- States ----------------------------------------------------------------------------------- */

static void only_pixel(const struct subject *s, struct draw_state *state)
{
    state->render[D3DRS_SCISSORTESTENABLE] = TRUE;
    state->scissor =
        (RECT){(LONG)s->probe->x, (LONG)s->probe->y, (LONG)s->probe->x + 1, (LONG)s->probe->y + 1};
}

static void write_no_colour(struct draw_state *state)
{
    state->render[D3DRS_COLORWRITEENABLE] = state->render[D3DRS_COLORWRITEENABLE1] = 0;
    state->render[D3DRS_COLORWRITEENABLE2] = state->render[D3DRS_COLORWRITEENABLE3] = 0;
}

/* Replaces a shader that may discard the pixel by one that never does. */
static void use_neutral_shader(const struct subject *s, struct draw_state *state)
{
    if (state->ps && vm_program_info(state->ps)->kills)
        state->ps = s->probe->neutral[vm_program_info(state->ps)->major >= 3];
}

static bool covers_by_alpha(const struct draw_state *state)
{
    return state->alpha_to_mask ||
           state->render[D3DRS_ADAPTIVETESS_Y] == (DWORD)MAKEFOURCC('A', 'T', 'O', 'C');
}

/* Enables only the tests up to `last`. */
static void set_tests(const struct subject *s, enum stage last)
{
    struct draw_state *state = s->probe->state;
    DWORD *rs = state->render;

    memcpy(rs, s->state->render, sizeof(state->render));
    state->ps = s->state->ps;
    state->alpha_to_mask = s->state->alpha_to_mask;
    only_pixel(s, state);
    if (last < STAGE_CULL)
        rs[D3DRS_CULLMODE] = D3DCULL_NONE;
    if (last < STAGE_CLIP)
        rs[D3DRS_CLIPPLANEENABLE] = 0;
    if (last < STAGE_SAMPLES)
        rs[D3DRS_MULTISAMPLEMASK] = 0xffffffff;
    if (last < STAGE_SHADER)
        use_neutral_shader(s, state);
    if (last < STAGE_ALPHA) {
        rs[D3DRS_ALPHATESTENABLE] = FALSE;
        rs[D3DRS_ADAPTIVETESS_Y] = 0;
        state->alpha_to_mask = false;
    }
    if (last < STAGE_BOUNDS)
        rs[D3DRS_ADAPTIVETESS_X] = 0;
    if (last < STAGE_STENCIL)
        rs[D3DRS_STENCILENABLE] = FALSE;
    if (last < STAGE_DEPTH)
        rs[D3DRS_ZENABLE] = D3DZB_FALSE;
}

static bool has_depth(const struct subject *s)
{
    return s->contents.target[DRAW_TARGETS].format != NULL;
}

static bool is_on(const struct subject *s, enum stage stage)
{
    const struct draw_state *state = s->state;
    const DWORD *rs = state->render;
    bool triangles = s->args->type >= D3DPT_TRIANGLELIST;

    switch (stage) {
    case STAGE_CULL:
        return triangles && rs[D3DRS_CULLMODE] != D3DCULL_NONE;
    case STAGE_CLIP:
        return rs[D3DRS_CLIPPLANEENABLE] != 0;
    case STAGE_SAMPLES:
        return s->contents.target[s->probe->target].samples > 1 &&
               rs[D3DRS_MULTISAMPLEMASK] != 0xffffffff;
    case STAGE_SHADER:
        return state->ps && vm_program_info(state->ps)->kills;
    case STAGE_ALPHA:
        return rs[D3DRS_ALPHATESTENABLE] || covers_by_alpha(state);
    case STAGE_BOUNDS:
        return has_depth(s) && rs[D3DRS_ADAPTIVETESS_X] == (DWORD)MAKEFOURCC('N', 'V', 'D', 'B');
    case STAGE_STENCIL:
        return has_depth(s) && rs[D3DRS_STENCILENABLE] &&
               inspect_value_stencil(&s->contents.target[DRAW_TARGETS], 0) >= 0;
    case STAGE_DEPTH:
        return has_depth(s) && rs[D3DRS_ZENABLE] != D3DZB_FALSE;
    default:
        return false;
    }
}

/* --- Probes ----------------------------------------------------------------------------------- */

/* Draws primitives first … end - 1 of an instance with the probe's state. Returns the number of
 * passed samples and leaves the pixel changed. */
static uint64_t draw_part(struct subject *s, uint32_t instance, uint32_t first, uint32_t end)
{
    D3DCLIPSTATUS9 *status = s->state->clip_status, kept;
    struct draw_args args = *s->args;
    uint64_t passed = 0;
    enum status st;

    if (status)
        kept = *status;
    /* Every line of a strip except the last one leaves its last pixel to the next line. */
    if (args.type == D3DPT_LINESTRIP && end < args.primitives)
        s->probe->state->render[D3DRS_LASTPIXEL] = FALSE;
    args.first = first;
    args.primitives = end;
    args.instance = instance;
    args.instances = 1;
    s->probe->state->occlusion = &passed;
    st = draw_primitives(s->draw, s->probe->state, &args);
    draw_flush(s->draw);
    if (st != ST_OK)
        s->status = st;
    if (status)
        *status = kept;
    return passed;
}

static uint64_t count(struct subject *s, enum stage last, uint32_t instance, uint32_t first,
                      uint32_t end)
{
    uint64_t passed;

    set_tests(s, last);
    write_no_colour(s->probe->state);
    passed = draw_part(s, instance, first, end);
    inspect_values_write(&s->contents, s->state, s->probe->x, s->probe->y);
    return passed;
}

/* --- A primitive ------------------------------------------------------------------------------ */

static bool is_scissored(const struct subject *s)
{
    const RECT *r = &s->state->scissor;
    LONG x = (LONG)s->probe->x, y = (LONG)s->probe->y;

    return s->state->render[D3DRS_SCISSORTESTENABLE] &&
           (x < r->left || x >= r->right || y < r->top || y >= r->bottom);
}

static void add_test(struct inspect_primitive *p, const char *name, uint64_t before, uint64_t after)
{
    p->test[p->n_tests++] = (struct inspect_test){name, before, after};
    if (!after && before)
        p->outcome = name;
}

static void run_tests(struct subject *s, struct inspect_primitive *p, uint64_t covered)
{
    uint64_t left = covered;

    add_test(p, stage_name[STAGE_COVERED], covered, covered);
    for (unsigned stage = STAGE_CULL; left && stage < STAGE_COUNT; stage++) {
        uint64_t passed;

        if (stage == STAGE_SAMPLES && s->state->render[D3DRS_SCISSORTESTENABLE]) {
            passed = is_scissored(s) ? 0 : left;
            add_test(p, "scissor", left, passed);
            left = passed;
        }
        if (!left || !is_on(s, (enum stage)stage))
            continue;
        passed = count(s, (enum stage)stage, p->instance, p->number, p->number + 1);
        add_test(p, stage_name[stage], left, passed);
        left = passed;
    }
}

/* Enables no test but those before the shader, and culls nothing. */
static void set_shading(const struct subject *s)
{
    set_tests(s, STAGE_SHADER);
    s->probe->state->render[D3DRS_CULLMODE] = D3DCULL_NONE;
}

/* Runs the shaders again with all later tests disabled. */
static void run_shaders(struct subject *s, struct inspect_primitive *p)
{
    size_t bytes = 0;

    set_shading(s);
    s->probe->at = p;
    s->probe->text = s->probe->tracing ? text_stream_open(&p->trace, &bytes) : NULL;
    s->probe->hooks.shaders = true;
    draw_part(s, p->instance, p->number, p->number + 1);
    s->probe->hooks.shaders = false;
    if (s->probe->text)
        text_stream_close(s->probe->text, &p->trace, &bytes);
    inspect_values_write(&s->contents, s->state, s->probe->x, s->probe->y);
}

/* Draws the primitive for real; the next primitive starts from the resulting pixel. */
static void apply(struct subject *s, struct inspect_primitive *p)
{
    p->before = s->contents;
    if (!is_scissored(s)) {
        set_tests(s, STAGE_COUNT);
        draw_part(s, p->instance, p->number, p->number + 1);
        inspect_values_read(&s->contents, s->state, s->probe->x, s->probe->y);
    }
    p->after = s->contents;
    if (!p->outcome)
        p->outcome =
            inspect_values_same(&p->before, &p->after) ? "passed, nothing changed" : "written";
}

static void probe_primitive(struct subject *s, uint32_t instance, uint32_t number, uint64_t covered)
{
    struct inspect_event *event = s->event;
    struct inspect_primitive *p;

    if (!(event->n_primitives & (event->n_primitives + 1))) { /* full: double the capacity */
        size_t max = 2 * (size_t)event->n_primitives + 1;
        void *more = mem_realloc(event->primitive, max * sizeof(*p));

        if (!more) {
            s->status = ST_NOMEM;
            return;
        }
        event->primitive = more;
    }
    p = &event->primitive[event->n_primitives++];
    memset(p, 0, sizeof(*p));
    p->instance = instance;
    p->number = number;
    run_tests(s, p, covered);
    run_shaders(s, p);
    apply(s, p);
}

/* --- A draw ----------------------------------------------------------------------------------- */

/* Binary search for the primitives that cover the pixel. */
static void search(struct subject *s, uint32_t instance, uint32_t first, uint32_t end)
{
    uint64_t covered = s->status ? 0 : count(s, STAGE_COVERED, instance, first, end);
    uint32_t middle = first + (end - first) / 2;

    if (!covered)
        return;
    if (end - first == 1) {
        probe_primitive(s, instance, first, covered);
        return;
    }
    search(s, instance, first, middle);
    search(s, instance, middle, end);
}

uint32_t inspect_instances(const struct draw_state *state, const struct draw_args *args)
{
    for (unsigned i = 0; args->indexed && i < DRAW_STREAMS; i++)
        if (state->stream[i].frequency & D3DSTREAMSOURCE_INSTANCEDATA)
            return state->stream[0].frequency & 0x3fffffff;
    return 1;
}

enum status inspect_probe_draw(struct inspect_probe *probe, struct draw *draw,
                               const struct draw_state *state, const struct draw_args *args,
                               struct inspect_event *event)
{
    struct subject s = {probe, draw, state, args, event, .status = ST_OK};
    uint32_t instances = inspect_instances(state, args);
    struct inspect_values start;

    memcpy(probe->state, state, sizeof(*state));
    probe->hooks.x = (float)probe->x;
    probe->hooks.y = (float)probe->y;
    draw_flush(draw);
    inspect_values_read(&s.contents, state, probe->x, probe->y);
    start = s.contents;
    for (uint32_t i = 0; i < instances; i++)
        search(&s, i, 0, args->primitives);
    inspect_values_write(&start, state, probe->x, probe->y);
    event->before = start;
    return s.status;
}

enum status inspect_pixel_run(struct draw *draw, const struct draw_state *state,
                              const struct draw_args *args, uint32_t x, uint32_t y,
                              uint32_t primitive, struct draw_debug_hooks *hooks,
                              struct draw_debug_hooks *resume)
{
    struct inspect_probe probe = {.x = x, .y = y, .state = mem_alloc(sizeof(*probe.state))};
    struct subject s = {&probe, draw, state, args, NULL, .status = ST_OK};

    if (!probe.state)
        return ST_NOMEM;
    memcpy(probe.state, state, sizeof(*state));
    draw_flush(draw);
    inspect_values_read(&s.contents, state, x, y);
    set_shading(&s);
    draw_set_debug_hooks(draw, hooks);
    draw_part(&s, args->instance, primitive, primitive + 1);
    draw_set_debug_hooks(draw, resume);
    inspect_values_write(&s.contents, state, x, y);
    mem_free(probe.state);
    return s.status;
}

/* --- Create and destroy ----------------------------------------------------------------------- */

static enum status assemble(struct vm_program **out, const char *text)
{
    uint32_t *words;
    size_t n;
    enum status st = vm_assemble(&words, &n, text, NULL);

    if (st != ST_OK)
        return st;
    st = vm_program_create(out, words, n, &vm_limits_hardware, NULL);
    mem_free(words);
    return st;
}

enum status inspect_probe_init(struct inspect_probe *probe)
{
    enum status st;

    probe->hooks.ctx = probe;
    probe->hooks.before = inspect_trace_before;
    probe->hooks.step = inspect_trace_step;
    probe->hooks.after = inspect_trace_after;
    probe->state = mem_alloc(sizeof(*probe->state));
    probe->trace = mem_calloc(1, sizeof(*probe->trace));
    if (!probe->state || !probe->trace)
        return ST_NOMEM;
    st = assemble(&probe->neutral[0], "ps_2_0\nmov oC0, c0\n");
    return st ? st : assemble(&probe->neutral[1], "ps_3_0\nmov oC0, c0\n");
}

void inspect_probe_fini(struct inspect_probe *probe)
{
    vm_program_destroy(probe->neutral[0]);
    vm_program_destroy(probe->neutral[1]);
    mem_free(probe->state);
    mem_free(probe->trace);
}
