/* Scheduler of a golden run: worker threads process groups of cases, a batch of scenes or the
 * frames of one capture each.
 *
 * A worker renders the group's pictures, compares them, retries failures and removes the pictures
 * of cases that pass.
 *
 * Tested by tests/unit/tool/golden/test_runner.c. */
#include "tool/golden/run.h"

#include "tool/golden/manifest.h"
#include "tool/golden/result.h"
#include "tool/golden/files.h"
#include "tool/cli/cli.h"
#include "tool/golden/runner.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/path.h"
#include "util/process.h"
#include "util/threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GROUP_MOST = 4096 };

struct group {
    size_t first, n;
};

struct golden_job {
    const struct golden_manifest *manifest;
    const struct golden_options *options;
    struct golden_result *results;
    struct group *groups;
    size_t n_groups;
    char *own_scene, *own_capture, *own_mask, *work;
    pthread_mutex_t lock; /* protects the fields below */
    size_t done, bad;
    uint64_t started, shown;
};

/* --- Groups ----------------------------------------------------------------------------------- */

static bool joins(const struct golden_job *r, const struct group *group,
                  const struct golden_case *c)
{
    const struct golden_case *first = &r->manifest->cases[group->first];
    const struct golden_runner *runner = &r->manifest->candidate;
    unsigned batch = runner->batch ? runner->batch : 1;

    if (c->broken || first->broken || c->skip || first->skip || c->kind != first->kind)
        return false;
    if (c->kind == GOLDEN_CAPTURE)
        return !strcmp(c->input, first->input) && group->n < GROUP_MOST &&
               c->frame == first->frame + group->n;
    return group->n < batch;
}

static bool make_groups(struct golden_job *r)
{
    const struct golden_manifest *m = r->manifest;

    r->groups = mem_calloc(m->n_cases + 1, sizeof(*r->groups));
    for (size_t i = 0; r->groups && i < m->n_cases; i++) {
        struct group *last = r->n_groups ? &r->groups[r->n_groups - 1] : NULL;

        if (last && joins(r, last, &m->cases[i]))
            last->n++;
        else
            r->groups[r->n_groups++] = (struct group){i, 1};
    }
    return r->groups != NULL;
}

/* --- Progress --------------------------------------------------------------------------------- */

static void progress(struct golden_job *r, const struct golden_result *results, size_t n)
{
    enum { WIDTH = 40 };
    char bar[WIDTH + 1];
    uint64_t now = clock_now();

    pthread_mutex_lock(&r->lock);
    r->done += n;
    for (size_t i = 0; i < n; i++)
        r->bad += results[i].verdict > GOLDEN_SKIPPED;
    if (!r->options->quiet && isatty(STDERR_FILENO) && now - r->shown > CLOCK_SECOND / 10) {
        r->shown = now;
        for (unsigned i = 0; i < WIDTH; i++)
            bar[i] = r->done * WIDTH / r->manifest->n_cases > i ? '#' : '.';
        bar[WIDTH] = '\0';
        fprintf(stderr, "\r[%s] %zu of %zu, %zu unexpected, %.0f s ", bar, r->done,
                r->manifest->n_cases, r->bad, (double)(now - r->started) / (double)CLOCK_SECOND);
    }
    pthread_mutex_unlock(&r->lock);
}

/* --- Pictures --------------------------------------------------------------------------------- */

struct group_job {
    struct golden_job *job;
    unsigned number;
    struct rendering *reference, *candidate; /* n renderings each; png NULL: nothing to render */
    const struct golden_case **cases;
    struct golden_result *results;
    size_t n;
};

static bool needs_reference(const struct golden_case *c)
{
    return c->kind != GOLDEN_IMAGE && !c->n_goldens && !c->requires_golden && !c->broken &&
           !c->skip;
}

static bool needs_candidate(const struct golden_manifest *m, const struct golden_case *c)
{
    const struct golden_runner *runner = &m->candidate;

    return !c->broken && !c->skip &&
           ((c->kind == GOLDEN_SCENE && runner->scene) ||
            (c->kind == GOLDEN_CAPTURE && runner->capture));
}

/* Path of the candidate's picture; NULL: it has none. Freed with mem_free. */
static char *candidate_path(const struct golden_job *r, const struct golden_case *c)
{
    const struct golden_manifest *m = r->manifest;

    if (needs_candidate(m, c))
        return golden_format("%s/candidate/%s.png", r->options->out, c->name);
    if (c->candidate && c->kind == GOLDEN_IMAGE)
        return golden_format("%s", c->candidate);
    return m->candidate.folder ? golden_format("%s/%s.png", m->candidate.folder, c->name) : NULL;
}

static void render(const struct group_job *group_job, bool reference, struct rendering *renderings,
                   size_t n)
{
    const struct golden_job *r = group_job->job;
    const struct golden_runner *runner =
        reference ? &r->manifest->reference : &r->manifest->candidate;
    const struct runner_job job = {
        .runner = runner,
        .scene = reference && !runner->scene ? r->own_scene : runner->scene,
        .capture = reference && !runner->capture ? r->own_capture : runner->capture,
        .work = r->work,
        .number = group_job->number,
        .out = reference ? NULL : r->options->out,
    };

    if (n)
        runner_render(&job, renderings, n);
}

/* Renders all pictures of the group that one runner has to make, in one batch. */
static void render_with_runner(const struct group_job *group_job, bool reference)
{
    struct rendering *renderings = mem_calloc(group_job->n, sizeof(*renderings)), *own;
    size_t n = 0;

    own = reference ? group_job->reference : group_job->candidate;
    for (size_t i = 0; renderings && i < group_job->n; i++)
        if (own[i].png && (reference || needs_candidate(group_job->job->manifest, own[i].c)))
            renderings[n++] = own[i];
    if (renderings)
        render(group_job, reference, renderings, n);
    for (size_t i = 0, k = 0; renderings && i < group_job->n && k < n; i++)
        if (own[i].png == renderings[k].png)
            own[i] = renderings[k++];
    mem_free(renderings);
}

static bool prepare(struct group_job *group_job, const struct group *group)
{
    const struct golden_job *r = group_job->job;

    group_job->n = group->n;
    group_job->results = r->results + group->first;
    group_job->reference = mem_calloc(group_job->n, sizeof(*group_job->reference));
    group_job->candidate = mem_calloc(group_job->n, sizeof(*group_job->candidate));
    if (!group_job->reference || !group_job->candidate)
        return false;
    for (size_t i = 0; i < group_job->n; i++) {
        const struct golden_case *c = &r->manifest->cases[group->first + i];

        group_job->reference[i].c = group_job->candidate[i].c = c;
        if (needs_reference(c))
            group_job->reference[i].png =
                golden_format("%s/reference/%s.png", r->options->out, c->name);
        group_job->candidate[i].png = candidate_path(r, c);
    }
    return true;
}

static void finish(struct group_job *group_job)
{
    for (size_t i = 0; group_job->reference && group_job->candidate && i < group_job->n; i++) {
        mem_free(group_job->reference[i].png);
        mem_free(group_job->candidate[i].png);
    }
    mem_free(group_job->reference);
    mem_free(group_job->candidate);
}

/* --- Verdicts --------------------------------------------------------------------------------- */

/* Sets the verdict for a missing picture or an abnormal end of the command. */
static void set_end_verdict(const struct rendering *rendering, struct golden_result *result)
{
    const char *words = rendering->last_line;
    enum golden_verdict v = result->verdict;
    bool shows = v != GOLDEN_MISSING;

    if (rendering->end == RENDER_TIMEOUT) {
        result->verdict = GOLDEN_TIMEOUT;
        snprintf(result->message, sizeof(result->message), "exceeded the time-out%s%s",
                 *words ? "; " : "", words);
    } else if (rendering->end == RENDER_SIGNAL || (rendering->end == RENDER_CODE && !shows)) {
        result->verdict = GOLDEN_CRASHED;
        snprintf(result->message, sizeof(result->message), "%s %d%s%s%s",
                 rendering->end == RENDER_SIGNAL ? "signal" : "exit code", rendering->code,
                 shows ? "" : ", no picture", *words ? "; " : "", words);
    } else if (rendering->end == RENDER_UNSTARTED) {
        result->verdict = GOLDEN_ERROR;
        snprintf(result->message, sizeof(result->message), "cannot start the command");
    }
}

/* An abnormal end of a batch does not count against cases whose picture exists. */
static bool ended_alone(const struct rendering *rendering)
{
    return rendering->end != RENDER_NONE && (rendering->alone || !path_exists(rendering->png));
}

/* Renders the mask of a differing case and compares again with it. */
static void compare_masked(const struct group_job *group_job, const struct golden_case *c,
                           const char *rendered, const char *candidate,
                           struct golden_result *result)
{
    const struct golden_job *r = group_job->job;
    const struct runner_job job = {&r->manifest->reference, r->own_mask, NULL, r->work,
                                   group_job->number,       NULL};
    struct rendering rendering = {.c = c,
                                  .png = golden_format("%s/mask/%s.png", r->options->out, c->name)};
    char *low = golden_format("%s.low.png", rendering.png),
         *high = golden_format("%s.high.png", rendering.png);
    struct golden_case masked = *c;

    masked.mask = rendering.png;
    masked.mask_low = low;
    masked.mask_high = high;
    if (rendering.png && low && high) {
        /* A mask that an earlier run left may be that of another Novem. */
        if (result->tries == 1 || !path_exists(rendering.png))
            runner_render_one(&job, &rendering);
        golden_compare(r->manifest, &masked, rendered, candidate, result);
    }
    mem_free(low);
    mem_free(high);
    mem_free(result->mask);
    result->mask = rendering.png;
}

static void compare(const struct group_job *group_job, size_t i)
{
    const struct golden_job *r = group_job->job;
    struct golden_result *result = &group_job->results[i];
    const struct rendering *reference = &group_job->reference[i],
                           *candidate = &group_job->candidate[i];
    const struct golden_case *c = candidate->c;
    bool rendered = reference->png && path_exists(reference->png);

    result->tries++;
    if (c->broken) {
        result->verdict = GOLDEN_ERROR;
        snprintf(result->message, sizeof(result->message), "%s", c->broken);
    } else if (c->skip) {
        result->verdict = GOLDEN_SKIPPED;
        snprintf(result->message, sizeof(result->message), "%s", c->skip);
    } else if (!candidate->png) {
        result->verdict = GOLDEN_MISSING;
        snprintf(result->message, sizeof(result->message),
                 "the candidate has no %s command and no folder",
                 c->kind == GOLDEN_CAPTURE ? "capture" : "scene");
    } else if (needs_reference(c) && !rendered) {
        result->verdict = GOLDEN_ERROR;
        snprintf(result->message, sizeof(result->message),
                 "%s: the reference produced no picture; %s", c->input,
                 reference->first_line[0] ? reference->first_line : "it printed nothing");
    } else {
        golden_compare(r->manifest, c, rendered ? reference->png : NULL, candidate->png, result);
        if (result->verdict == GOLDEN_FAIL && c->generates_mask)
            compare_masked(group_job, c, rendered ? reference->png : NULL, candidate->png, result);
        if (ended_alone(candidate))
            set_end_verdict(candidate, result);
    }
}

static bool is_bad(const struct golden_result *result)
{
    return result->verdict == GOLDEN_FAIL || result->verdict == GOLDEN_CRASHED ||
           result->verdict == GOLDEN_TIMEOUT || result->verdict == GOLDEN_MISSING;
}

/* Retries a failed case; a case that passes the retry is flaky. */
static void retry(const struct group_job *group_job, size_t i)
{
    struct golden_result *result = &group_job->results[i], first = *result;
    unsigned retries = group_job->job->manifest->candidate.retries;

    if (!is_bad(result) || !needs_candidate(group_job->job->manifest, result->c) ||
        result->c->expect_fail || result->c->known_failure)
        return;
    first.reference = NULL;
    for (unsigned k = 0; k < retries && is_bad(result); k++) {
        render(group_job, false, &group_job->candidate[i], 1);
        compare(group_job, i);
    }
    if (result->verdict == GOLDEN_PASS) {
        result->verdict = GOLDEN_FLAKY;
        snprintf(result->message, sizeof(result->message),
                 "passed at try %u, first result: %s: %.400s", result->tries,
                 golden_verdict_names[first.verdict], first.message);
    }
}

static char *keep_path(const char *path)
{
    bool plain = path && path_exists(path) && !path_is_folder(path) && !path_is_special(path);

    return plain ? mem_strdup(path) : NULL; /* the report's reader would block on a pipe */
}

static void drop_log(const struct golden_job *r, const struct golden_case *c)
{
    char *path = golden_format("%s/logs/%s.log", r->options->out, c->name);

    if (path)
        path_remove(path);
    mem_free(path);
}

/* Removes the pictures of a case that passes. */
static void tidy(const struct group_job *group_job, size_t i)
{
    const struct golden_job *r = group_job->job;
    struct golden_result *result = &group_job->results[i];
    bool drop =
        (result->verdict == GOLDEN_PASS || result->verdict == GOLDEN_FIXED) && !r->options->keep;

    if (drop && group_job->reference[i].png)
        path_remove(group_job->reference[i].png);
    if (drop && needs_candidate(r->manifest, result->c)) {
        path_remove(group_job->candidate[i].png);
        drop_log(r, result->c);
    }
    if (!result->reference)
        result->reference = keep_path(group_job->reference[i].png);
    result->candidate = keep_path(group_job->candidate[i].png);
    if (result->reference && !path_exists(result->reference)) {
        mem_free(result->reference);
        result->reference = NULL;
    }
}

static void run_group(void *ctx, unsigned index, unsigned worker)
{
    struct golden_job *r = ctx;
    struct group_job group_job = {.job = r, .number = index};
    uint64_t start = clock_now();

    (void)worker;
    for (size_t i = 0; i < r->groups[index].n; i++) {
        r->results[r->groups[index].first + i].c = &r->manifest->cases[r->groups[index].first + i];
        r->results[r->groups[index].first + i].verdict = GOLDEN_ERROR;
    }
    if (!process_is_stopped() && prepare(&group_job, &r->groups[index])) {
        render_with_runner(&group_job, true);
        render_with_runner(&group_job, false);
        for (size_t i = 0; i < group_job.n; i++) {
            compare(&group_job, i);
            retry(&group_job, i);
            golden_apply_expectation(&group_job.results[i]);
            tidy(&group_job, i);
            group_job.results[i].seconds =
                (double)(clock_now() - start) / (double)CLOCK_SECOND / (double)group_job.n;
        }
    }
    finish(&group_job);
    progress(r, r->results + r->groups[index].first, r->groups[index].n);
}

/* --- All groups ------------------------------------------------------------------------------- */

/* What a line of the shell begins with to set the variable for its command. */
#ifdef _WIN32
#define ONE_THREAD "set NOVEM_THREADS=1&& "
#else
#define ONE_THREAD "NOVEM_THREADS=1 "
#endif

static bool own_commands(struct golden_job *r)
{
    const char *threads = r->options->jobs == 1 ? "" : ONE_THREAD;
    char path[4096], *self;

    path_of_program(path, sizeof(path));
    self = *path ? process_quote(path) : NULL;
    if (!self)
        return false;
    r->own_scene = golden_format("%s%s scene --list {list}", threads, self);
    r->own_capture =
        golden_format("%s%s replay {capture} --frames {frames} -o {out} --quiet", threads, self);
    r->own_mask = golden_format("%s mask {scene} --frames {frames} -o {out} --low {out}.low.png "
                                "--high {out}.high.png --quiet --jobs 1",
                                self);
    mem_free(self);
    r->work = golden_format("%s/work-%lu", r->options->out, process_id());
    return r->own_scene && r->own_capture && r->own_mask && r->work;
}

static bool run_all(struct golden_job *r)
{
    struct pool *pool = NULL;
    char *inside = golden_format("%s/", r->work);
    bool good = inside && golden_make_folders(inside) && make_groups(r) &&
                pool_create(&pool, r->options->jobs) == ST_OK;

    if (good)
        pool_run(pool, (unsigned)r->n_groups, run_group, r);
    pool_destroy(pool);
    mem_free(inside);
    path_remove_folder(r->work);
    return good;
}

bool golden_run(const struct golden_manifest *manifest, const struct golden_options *options,
                struct golden_result *results)
{
    struct golden_job r = {
        .manifest = manifest, .options = options, .results = results, .started = clock_now()};
    bool good;

    pthread_mutex_init(&r.lock, NULL);
    process_catch_signals();
    good = own_commands(&r) && run_all(&r);
    if (process_is_stopped())
        tool_error(options->command, "stopped by a signal, so there are no results");
    else if (!good)
        tool_write_error(options->command, options->out);
    else if (!options->quiet && isatty(STDERR_FILENO))
        fprintf(stderr, "\r%*s\r", 90, "");
    good = good && !process_is_stopped();
    process_release_signals();
    pthread_mutex_destroy(&r.lock);
    mem_free(r.own_scene);
    mem_free(r.own_capture);
    mem_free(r.own_mask);
    mem_free(r.work);
    mem_free(r.groups);
    return good;
}

void golden_results_free(struct golden_result *results, size_t n)
{
    for (size_t i = 0; results && i < n; i++) {
        mem_free(results[i].reference);
        mem_free(results[i].candidate);
        mem_free(results[i].mask);
    }
    mem_free(results);
}
