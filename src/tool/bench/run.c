/* The run: each pass measures every figure once, so that a time in which the machine is slow spoils
 * one pass of a figure and not all. Each pass compiles anew: code and memory lie elsewhere.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/run.h"

#include "tool/bench/ceiling.h"
#include "tool/cli/cli.h"
#include "util/alloc.h"
#include "util/fpenv.h"

#include <string.h>
#include <unistd.h>

struct run {
    struct bench_results *results;
    struct bench_subjects *subjects;
    const struct bench_plan *plan;
    struct bench_texture *texture;
    struct pool *pool[BENCH_THREADS]; /* for plan->threads; NULL: one thread */
    float *ceiling_rows;
    struct measure_load load;
    double pass_seconds;
};

/* --- The list of figures ---------------------------------------------------------------------- */

static int add_figure(struct run *r, unsigned subject, enum cpu_isa isa, bool interpreted,
                      unsigned threads)
{
    const struct bench_subject *s = &r->subjects->list[subject];
    struct bench_figure *f = bench_results_add(r->results);

    if (!f)
        return tool_error(r->plan->command, "%s", status_text(ST_NOMEM));
    f->group = s->group;
    memcpy(f->name, s->name, sizeof(f->name));
    if (s->group == BENCH_SHADER)
        job_profile(&s->job, f->profile);
    f->isa = isa;
    f->interpreted = interpreted;
    f->threads = threads;
    f->instructions = s->instructions;
    f->operations = s->operations;
    f->text = s->text;
    f->subject = subject;
    return TOOL_OK;
}

static int add_threads(struct run *r, unsigned subject, enum cpu_isa isa, bool interpreted)
{
    const struct bench_plan *plan = r->plan;
    enum bench_group group = r->subjects->list[subject].group;
    int code = TOOL_OK;

    if (group != BENCH_SHADER)
        return add_figure(r, subject, isa, interpreted, 1);
    for (unsigned t = 0; t < plan->n_threads && code == TOOL_OK; t++)
        code = add_figure(r, subject, isa, interpreted, plan->threads[t]);
    return code;
}

static int add_figures(struct run *r)
{
    int code = TOOL_OK;

    for (unsigned s = 0; s < r->subjects->n; s++)
        for (unsigned isa = 0; isa < ISA_COUNT; isa++) {
            bool ceiling = r->subjects->list[s].group == BENCH_CEILING;

            if (!r->plan->isa[isa])
                continue;
            if ((r->plan->compiled || ceiling) && code == TOOL_OK)
                code = add_threads(r, s, (enum cpu_isa)isa, false);
            if (r->plan->interpreted && !ceiling && code == TOOL_OK)
                code = add_threads(r, s, (enum cpu_isa)isa, true);
        }
    return code;
}

/* --- One figure, one pass --------------------------------------------------------------------- */

enum { CEILING_PASSES = 16 };

static void ceiling_pass(void *ctx)
{
    KERN_PICK(ceiling_kern)->run(ctx, CEILING_PASSES);
}

/* A pass has few rounds, so the passes tell together whether they are right. */
enum { CALM_ROUNDS = 4, CALM_PASSES = 2 };

/* In cycles: passes may have run at different clocks. In ns where cycles are not known. */
static void add_pass(struct run *r, struct measure_passes *passes, const struct measure_result *m)
{
    measure_add(passes, m->cycles > 0 ? m->cycles : m->seconds * 1e9,
                m->calm_rounds >= CALM_ROUNDS);
    if (m->hertz > r->results->hertz)
        r->results->hertz = m->hertz;
}

/* The least of passes of one thread, in ns. */
static double ns_of(const struct run *r, const struct measure_passes *passes)
{
    return measure_least(passes) * (r->results->hertz > 0 ? 1e9 / r->results->hertz : 1);
}

static int out_of_memory(const struct run *r)
{
    return tool_error(r->plan->command, "%s", status_text(ST_NOMEM));
}

static int measure_ceiling(struct run *r, struct bench_figure *f)
{
    const struct measure_call call = {ceiling_pass, r->ceiling_rows};
    struct measure_result m;

    if (!measure_pass(&r->load, r->pass_seconds, &call, 1, &m))
        return out_of_memory(r);
    add_pass(r, &f->passes, &m);
    return TOOL_OK;
}

static void measure_threads(struct run *r, struct bench_subject *s, struct bench_figure *f)
{
    struct measure_call call[BENCH_THREADS_MAX];
    unsigned t = 0;

    while (r->plan->threads[t] != f->threads)
        t++;
    for (unsigned i = 0; i < f->threads; i++)
        call[i] = job_call(&s->job, i);
    measure_add(&f->passes,
                measure_pass_threads(&r->load, r->pass_seconds, r->pool[t], call, f->threads),
                false);
}

static int measure_one(struct run *r, struct bench_subject *s, struct bench_figure *f)
{
    struct measure_call call[2] = {job_call(&s->job, 0)};
    bool has_other = s->beside.program;
    struct measure_result m[2];

    if (has_other)
        call[1] = job_call(&s->beside, 0);
    if (!measure_pass(&r->load, r->pass_seconds, call, has_other ? 2 : 1, m))
        return out_of_memory(r);
    add_pass(r, &f->passes, &m[0]);
    if (has_other)
        add_pass(r, &f->beside, &m[1]);
    return TOOL_OK;
}

static void set_ceiling(const struct run *r, struct bench_figure *f)
{
    f->ns = ns_of(r, &f->passes) / CEILING_PASSES / CEILING_OPS;
    f->spread = measure_spread(&f->passes);
}

static void set_program(const struct run *r, const struct bench_subject *s, struct bench_figure *f)
{
    double ns = f->threads > 1 ? measure_least(&f->passes) : ns_of(r, &f->passes);
    double beside = ns_of(r, &f->beside), range = ns * measure_spread(&f->passes);

    f->extra = s->beside.program && !s->difference ? ns / beside - 1 : 0;
    if (s->difference) {
        ns -= beside;
        range += beside * measure_spread(&f->beside);
    }
    f->spread = ns > 0 ? range / ns : 0;
    f->ns = ns > 0 ? ns / s->divide / VM_LANES / f->threads : 0;
}

/* At the end, when the highest clock is known. */
static void set_figures(struct run *r)
{
    for (unsigned i = 0; i < r->results->n; i++) {
        struct bench_figure *f = &r->results->figure[i];

        f->calm = f->passes.calm && f->passes.n >= CALM_PASSES;
        if (!f->passes.n)
            continue;
        if (f->group == BENCH_CEILING)
            set_ceiling(r, f);
        else
            set_program(r, &r->subjects->list[f->subject], f);
    }
}

static enum status compile(struct run *r, struct bench_subject *s, const struct bench_figure *f)
{
    enum status st = job_compile(&s->job, f->interpreted, f->threads);

    if (st == ST_OK && s->group == BENCH_SAMPLER)
        st = bench_texture_bind(r->texture, s);
    if (st == ST_OK && s->beside.program)
        st = job_compile(&s->beside, f->interpreted, 1);
    if (st != ST_OK && s->job.code)
        job_drop(&s->job);
    return st;
}

/* Whether all code of a compiled figure is machine code. */
static bool is_in_mode(const struct bench_subject *s, const struct bench_figure *f)
{
    return f->interpreted || (vm_code_is_compiled(s->job.code) &&
                              (!s->beside.program || vm_code_is_compiled(s->beside.code)));
}

/* Runs the job once and compares its bits with those of other instruction sets and modes. */
static int check_bits(struct run *r, struct bench_subject *s, const struct bench_figure *f)
{
    struct fp_mode mode = fp_enter();
    struct measure_call call = job_call(&s->job, 0);
    uint64_t bits;

    call.run(call.ctx);
    fp_leave(mode);
    bits = job_hash(&s->job);
    if (s->has_bits && bits != s->bits)
        return tool_error(r->plan->command, "%s: the output bits of %s, %s, differ from others",
                          s->name, cpu_isa_name(f->isa), bench_mode(f->interpreted));
    s->has_bits = true;
    s->bits = bits;
    return TOOL_OK;
}

static int measure_figure(struct run *r, struct bench_figure *f, bool only_check)
{
    struct bench_subject *s = &r->subjects->list[f->subject];
    enum status st = cpu_set_isa(f->isa);
    int code = TOOL_OK;

    if (st == ST_OK && s->group == BENCH_CEILING)
        return only_check ? TOOL_OK : measure_ceiling(r, f);
    if (st == ST_OK)
        st = compile(r, s, f);
    if (st != ST_OK)
        return tool_error(r->plan->command, "%s: %s", s->name, status_text(st));
    if (only_check) {
        code = check_bits(r, s, f);
        f->absent = !is_in_mode(s, f);
    } else if (f->threads > 1) {
        measure_threads(r, s, f);
    } else {
        code = measure_one(r, s, f);
    }
    job_drop(&s->job);
    job_drop(&s->beside);
    return code;
}

/* --- Passes ----------------------------------------------------------------------------------- */

static void show_progress(const struct run *r, unsigned pass)
{
    if (r->plan->progress && pass < r->plan->passes)
        fprintf(stderr, "\rpass %u of %u ", pass + 1, r->plan->passes);
    else if (r->plan->progress)
        fprintf(stderr, "\r%*s\r", 20, "");
}

/* Runs each program once, and removes compiled figures of programs that have no machine code. */
static int check_figures(struct run *r)
{
    struct bench_results *results = r->results;
    unsigned kept = 0;
    int code = TOOL_OK;

    for (unsigned i = 0; i < results->n && code == TOOL_OK; i++)
        code = measure_figure(r, &results->figure[i], true);
    for (unsigned i = 0; i < results->n; i++)
        if (!results->figure[i].absent)
            results->figure[kept++] = results->figure[i];
    results->n = kept;
    return code;
}

static int run_passes(struct run *r, const bool *wants)
{
    unsigned n = 0;
    int code = TOOL_OK;

    for (unsigned i = 0; i < r->results->n; i++)
        n += !wants || wants[i];
    r->pass_seconds = n ? r->plan->seconds / n / r->plan->passes : 0;
    for (unsigned pass = 0; pass < r->plan->passes && code == TOOL_OK; pass++) {
        show_progress(r, pass);
        for (unsigned i = 0; i < r->results->n && code == TOOL_OK; i++)
            if (!wants || wants[i])
                code = measure_figure(r, &r->results->figure[i], false);
    }
    show_progress(r, r->plan->passes);
    return code;
}

static enum status create_pool(struct pool **out, unsigned threads)
{
    enum status st = pool_create(out, threads);

    return st == ST_OK && pool_workers(*out) < threads ? ST_NOMEM : st;
}

static int prepare(struct run *r)
{
    enum { FLOATS = CEILING_ROWS * CEILING_STRIDE };
    enum status st = bench_texture_create(&r->texture);

    if (st == ST_OK && !(r->ceiling_rows = mem_alloc(FLOATS * sizeof(float))))
        st = ST_NOMEM;
    for (unsigned t = 0; t < r->plan->n_threads && st == ST_OK; t++)
        if (r->plan->threads[t] > 1)
            st = create_pool(&r->pool[t], r->plan->threads[t]);
    if (st != ST_OK)
        return tool_error(r->plan->command, "%s", status_text(st));
    for (unsigned i = 0; i < FLOATS; i++)
        r->ceiling_rows[i] = 0.5f + (float)(i % 61) / 64.0f;
    return TOOL_OK;
}

static int run(struct run *r, const bool *wants)
{
    enum cpu_isa isa = cpu_isa();
    double from = measure_now();
    int code = prepare(r);

    if (code == TOOL_OK && !wants)
        code = check_figures(r);
    if (code == TOOL_OK)
        code = run_passes(r, wants);
    set_figures(r);
    for (unsigned t = 0; t < BENCH_THREADS; t++)
        pool_destroy(r->pool[t]);
    bench_texture_destroy(r->texture);
    mem_free(r->ceiling_rows);
    if (cpu_set_isa(isa) != ST_OK)
        code = TOOL_ERROR; /* it was selected before */
    r->results->seconds += measure_now() - from;
    return code;
}

int bench_run(struct bench_results *results, struct bench_subjects *subjects,
              const struct bench_plan *plan)
{
    struct run r = {.results = results, .subjects = subjects, .plan = plan};
    int code = add_figures(&r);

    if (code == TOOL_OK)
        code = run(&r, NULL);
    results->passes = plan->passes;
    results->lost = measure_lost(&r.load);
    return code;
}

int bench_run_again(struct bench_results *results, struct bench_subjects *subjects,
                    const struct bench_plan *plan, const bool *wants)
{
    struct run r = {.results = results, .subjects = subjects, .plan = plan};

    return run(&r, wants);
}
