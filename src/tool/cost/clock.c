/* Time of the instructions of an interpreted shader: its code tells where an instruction begins,
 * and the clock is read there. Reading it takes about as long as an operation, so what a reading
 * takes is subtracted.
 *
 * Tested by tests/unit/tool/cost/test_step.c. */
#include "tool/cost/tally.h"

#include "util/alloc.h"
#include "util/fpenv.h"

#include <string.h>

struct clock {
    double *run, *least; /* seconds of each origin: in this run, in the quickest */
    uint32_t n, origin;
    double since, reading;
};

static void on_origin(void *ctx, uint32_t origin)
{
    struct clock *c = ctx;
    double now = measure_now();

    if (c->origin < c->n)
        c->run[c->origin] += now - c->since - c->reading;
    c->origin = origin;
    c->since = measure_now();
}

/* What two readings measure that have nothing in between. */
static void calibrate(struct clock *c)
{
    enum { READINGS = 1000 };
    double best = 1.0;

    for (unsigned i = 0; i < READINGS; i++) {
        c->run[0] = 0.0;
        c->since = measure_now();
        on_origin(c, 0);
        best = c->run[0] < best ? c->run[0] : best;
    }
    c->reading = best;
}

static void run(struct clock *c, struct cost_job *job, bool is_first)
{
    memset(c->run, 0, c->n * sizeof(*c->run));
    c->origin = 0;
    c->since = measure_now();
    cost_job_run_marked(job, on_origin, c);
    on_origin(c, c->n);
    for (uint32_t i = 0; i < c->n; i++)
        if (is_first || c->run[i] < c->least[i])
            c->least[i] = c->run[i];
}

/* In picoseconds. */
static void fill(struct cost_tally *out, const struct clock *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        out->origin[i] = c->least[i] > 0.0 ? (uint64_t)(c->least[i] * 1e12) : 0;
        out->total += out->origin[i];
    }
}

bool cost_clock(struct cost_tally *out, struct cost_job *job, double seconds, unsigned *runs)
{
    struct clock c = {.n = out->n_origins, .run = mem_calloc(2 * out->n_origins, sizeof(double))};
    double end = measure_now() + seconds;
    struct fp_mode mode;

    *runs = 0;
    if (!c.run || !job->marked) {
        mem_free(c.run);
        return false;
    }
    c.least = c.run + c.n;
    calibrate(&c);
    mode = fp_enter();
    do
        run(&c, job, !(*runs)++);
    while (measure_now() < end);
    fp_leave(mode);
    fill(out, &c);
    mem_free(c.run);
    return out->total != 0;
}
