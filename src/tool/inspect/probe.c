/* What a draw does to one pixel, told by the renderer itself: parts of the draw are drawn again
 * with a scissor of that pixel and with tests switched off, and the samples that pass are counted.
 */
#include "tool/inspect/inspect.h"

#include "util/alloc.h"

#include <string.h>

/* The tests in the order of the pipeline; a probe has the first few of them. */
enum step {
    STEP_COVERED,
    STEP_CULL,
    STEP_CLIP,
    STEP_SAMPLES,
    STEP_SHADER,
    STEP_ALPHA,
    STEP_BOUNDS,
    STEP_STENCIL,
    STEP_DEPTH,
    STEP_COUNT
};

static const char *const step_name[STEP_COUNT] = {"coverage",         "culling",      "clip planes",
                                                  "multisample mask", "shader",       "alpha test",
                                                  "depth bounds",     "stencil test", "depth test"};

/* A draw under the probe. */
struct subject {
    struct look_probe *probe;
    struct draw *draw;
    const struct draw_state *state; /* as the program set it */
    const struct draw_args *args;
    struct look_event *event;
    struct look_values held; /* in the targets now, and after each probe */
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

/* A shader that keeps all pixels, in place of one that may not. */
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

/* The state with the tests up to `last`. */
static void set_tests(const struct subject *s, enum step last)
{
    struct draw_state *state = s->probe->state;
    DWORD *rs = state->render;

    memcpy(rs, s->state->render, sizeof(state->render));
    state->ps = s->state->ps;
    state->alpha_to_mask = s->state->alpha_to_mask;
    only_pixel(s, state);
    if (last < STEP_CULL)
        rs[D3DRS_CULLMODE] = D3DCULL_NONE;
    if (last < STEP_CLIP)
        rs[D3DRS_CLIPPLANEENABLE] = 0;
    if (last < STEP_SAMPLES)
        rs[D3DRS_MULTISAMPLEMASK] = 0xffffffff;
    if (last < STEP_SHADER)
        use_neutral_shader(s, state);
    if (last < STEP_ALPHA) {
        rs[D3DRS_ALPHATESTENABLE] = FALSE;
        rs[D3DRS_ADAPTIVETESS_Y] = 0;
        state->alpha_to_mask = false;
    }
    if (last < STEP_BOUNDS)
        rs[D3DRS_ADAPTIVETESS_X] = 0;
    if (last < STEP_STENCIL)
        rs[D3DRS_STENCILENABLE] = FALSE;
    if (last < STEP_DEPTH)
        rs[D3DRS_ZENABLE] = D3DZB_FALSE;
}

static bool has_depth(const struct subject *s)
{
    return s->held.target[DRAW_TARGETS].format != NULL;
}

static bool is_on(const struct subject *s, enum step step)
{
    const struct draw_state *state = s->state;
    const DWORD *rs = state->render;
    bool triangles = s->args->type >= D3DPT_TRIANGLELIST;

    switch (step) {
    case STEP_CULL:
        return triangles && rs[D3DRS_CULLMODE] != D3DCULL_NONE;
    case STEP_CLIP:
        return rs[D3DRS_CLIPPLANEENABLE] != 0;
    case STEP_SAMPLES:
        return s->held.target[s->probe->target].samples > 1 &&
               rs[D3DRS_MULTISAMPLEMASK] != 0xffffffff;
    case STEP_SHADER:
        return state->ps && vm_program_info(state->ps)->kills;
    case STEP_ALPHA:
        return rs[D3DRS_ALPHATESTENABLE] || covers_by_alpha(state);
    case STEP_BOUNDS:
        return has_depth(s) && rs[D3DRS_ADAPTIVETESS_X] == (DWORD)MAKEFOURCC('N', 'V', 'D', 'B');
    case STEP_STENCIL:
        return has_depth(s) && rs[D3DRS_STENCILENABLE] &&
               look_value_stencil(&s->held.target[DRAW_TARGETS], 0) >= 0;
    case STEP_DEPTH:
        return has_depth(s) && rs[D3DRS_ZENABLE] != D3DZB_FALSE;
    default:
        return false;
    }
}

/* --- Probes ----------------------------------------------------------------------------------- */

/* Draws primitives first … end - 1 of an instance with the probe's state; returns the samples that
 * passed. What has become of the pixel stays. */
static uint64_t draw_part(struct subject *s, uint32_t instance, uint32_t first, uint32_t end)
{
    D3DCLIPSTATUS9 *status = s->state->clip_status, kept;
    struct draw_args args = *s->args;
    uint64_t passed = 0;
    enum status st;

    if (status)
        kept = *status;
    /* The lines of a strip but the last leave their last pixel to the next one. */
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

static uint64_t count(struct subject *s, enum step last, uint32_t instance, uint32_t first,
                      uint32_t end)
{
    uint64_t passed;

    set_tests(s, last);
    write_no_colour(s->probe->state);
    passed = draw_part(s, instance, first, end);
    look_values_write(&s->held, s->state, s->probe->x, s->probe->y);
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

static void add_test(struct look_primitive *p, const char *name, uint64_t before, uint64_t after)
{
    p->test[p->n_tests++] = (struct look_test){name, before, after};
    if (!after && before)
        p->outcome = name;
}

static void run_tests(struct subject *s, struct look_primitive *p, uint64_t covered)
{
    uint64_t left = covered;

    add_test(p, step_name[STEP_COVERED], covered, covered);
    for (unsigned step = STEP_CULL; left && step < STEP_COUNT; step++) {
        uint64_t passed;

        if (step == STEP_SAMPLES && s->state->render[D3DRS_SCISSORTESTENABLE]) {
            passed = is_scissored(s) ? 0 : left;
            add_test(p, "scissor", left, passed);
            left = passed;
        }
        if (!left || !is_on(s, (enum step)step))
            continue;
        passed = count(s, (enum step)step, p->instance, p->number, p->number + 1);
        add_test(p, step_name[step], left, passed);
        left = passed;
    }
}

/* The shaders once more, with all tests off that come after them. */
static void run_shaders(struct subject *s, struct look_primitive *p)
{
    size_t bytes = 0;

    set_tests(s, STEP_SHADER);
    s->probe->state->render[D3DRS_CULLMODE] = D3DCULL_NONE;
    s->probe->at = p;
    s->probe->text = s->probe->tracing ? open_memstream(&p->trace, &bytes) : NULL;
    s->probe->hooks.shaders = true;
    draw_part(s, p->instance, p->number, p->number + 1);
    s->probe->hooks.shaders = false;
    if (s->probe->text)
        fclose(s->probe->text);
    look_values_write(&s->held, s->state, s->probe->x, s->probe->y);
}

/* The pixel as the primitive leaves it, which is what the next one finds. */
static void apply(struct subject *s, struct look_primitive *p)
{
    p->before = s->held;
    if (!is_scissored(s)) {
        set_tests(s, STEP_COUNT);
        draw_part(s, p->instance, p->number, p->number + 1);
        look_values_read(&s->held, s->state, s->probe->x, s->probe->y);
    }
    p->after = s->held;
    if (!p->outcome)
        p->outcome =
            look_values_same(&p->before, &p->after) ? "passed, nothing changed" : "written";
}

static void look_at(struct subject *s, uint32_t instance, uint32_t number, uint64_t covered)
{
    struct look_event *event = s->event;
    struct look_primitive *p;

    if (!(event->n_primitives & (event->n_primitives + 1))) { /* full: double */
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

/* Primitives that cover the pixel, by halves. */
static void search(struct subject *s, uint32_t instance, uint32_t first, uint32_t end)
{
    uint64_t covered = s->status ? 0 : count(s, STEP_COVERED, instance, first, end);
    uint32_t middle = first + (end - first) / 2;

    if (!covered)
        return;
    if (end - first == 1) {
        look_at(s, instance, first, covered);
        return;
    }
    search(s, instance, first, middle);
    search(s, instance, middle, end);
}

static uint32_t instances_of(const struct draw_state *state, const struct draw_args *args)
{
    for (unsigned i = 0; args->indexed && i < DRAW_STREAMS; i++)
        if (state->stream[i].frequency & D3DSTREAMSOURCE_INSTANCEDATA)
            return state->stream[0].frequency & 0x3fffffff;
    return 1;
}

enum status look_probe_draw(struct look_probe *probe, struct draw *draw,
                            const struct draw_state *state, const struct draw_args *args,
                            struct look_event *event)
{
    struct subject s = {probe, draw, state, args, event, .status = ST_OK};
    uint32_t instances = instances_of(state, args);
    struct look_values start;

    memcpy(probe->state, state, sizeof(*state));
    probe->hooks.x = (float)probe->x;
    probe->hooks.y = (float)probe->y;
    draw_flush(draw);
    look_values_read(&s.held, state, probe->x, probe->y);
    start = s.held;
    for (uint32_t i = 0; i < instances; i++)
        search(&s, i, 0, args->primitives);
    look_values_write(&start, state, probe->x, probe->y);
    event->before = start;
    return s.status;
}

/* --- Life ------------------------------------------------------------------------------------- */

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

enum status look_probe_init(struct look_probe *probe)
{
    enum status st;

    probe->hooks.ctx = probe;
    probe->hooks.before = look_follow_before;
    probe->hooks.step = look_follow_step;
    probe->hooks.after = look_follow_after;
    probe->state = mem_alloc(sizeof(*probe->state));
    probe->trace = mem_alloc(sizeof(*probe->trace));
    if (!probe->state || !probe->trace)
        return ST_NOMEM;
    st = assemble(&probe->neutral[0], "ps_2_0\nmov oC0, c0\n");
    return st ? st : assemble(&probe->neutral[1], "ps_3_0\nmov oC0, c0\n");
}

void look_probe_fini(struct look_probe *probe)
{
    vm_program_destroy(probe->neutral[0]);
    vm_program_destroy(probe->neutral[1]);
    mem_free(probe->state);
    mem_free(probe->trace);
}
