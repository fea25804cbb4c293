/* Finds the pipeline of a draw among the most recent ones, or makes it. A draw that differs in
 * values alone gets a copy of a pipeline of its shape.
 *
 * Tested by tests/unit/raster/state/test_pipeline.c. */
#include "raster/state/decide.h"

#include "raster/scene/scene.h"
#include "raster/worker/worker.h"
#include "util/alloc.h"
#include "util/equal.h"

#include <stddef.h>
#include <string.h>

static struct raster_query *query_get(struct raster *raster, uint64_t *target)
{
    struct raster_query *query;
    size_t bytes = (size_t)raster->n_workers * QUERY_STRIDE * sizeof(uint64_t);

    for (query = raster->queries; query; query = query->next)
        if (query->target == target)
            return query;
    query = arena_alloc(&raster->arena, sizeof(*query));
    if (!query)
        return NULL;
    *query = (struct raster_query){.target = target, .next = raster->queries};
    query->counts = arena_alloc(&raster->arena, bytes);
    if (!query->counts)
        return NULL;
    memset(query->counts, 0, bytes);
    return raster->queries = query;
}

/* Grows the shader's work memory of all workers: one part for whole blocks, one for batches. */
static bool work_reserve(struct raster *raster, size_t bytes)
{
    bytes = (bytes + 63) & ~(size_t)63;
    for (unsigned i = 0; i < raster->n_workers; i++) {
        struct raster_worker *worker = &raster->workers[i];
        float *work;

        if (worker->work_bytes >= bytes)
            continue;
        work = mem_calloc(2, bytes);
        if (!work)
            return false;
        mem_free(worker->block.work);
        worker->block.work = work;
        worker->batch.work = work + bytes / sizeof(*work);
        worker->work_bytes = bytes;
    }
    return true;
}

/* Includes slots past the shader's own, such as that of a fog factor. */
static size_t work_bytes(const struct raster_state *state)
{
    size_t bytes = state->work_bytes;

    for (unsigned n = 0; n < state->n_attrs; n++) {
        size_t end = (state->attr[n].slot + (size_t)1) * RASTER_LANES * sizeof(float);

        bytes = end > bytes ? end : bytes;
    }
    return bytes;
}

/* Whether two states have one shape. Two values change code, by being 0: the density of fog and the
 * counter of samples. */
static bool same_shape(const struct raster_state *a, const struct raster_state *b)
{
    return bytes_equal(a, b, offsetof(struct raster_state, values)) &&
           !a->values.samples_passed == !b->values.samples_passed &&
           raster_fog_mode(a) == raster_fog_mode(b);
}

/* Values first: they differ between most draws. */
static bool same_state(const struct raster_state *a, const struct raster_state *b)
{
    return bytes_equal(&a->values, &b->values, sizeof(a->values)) &&
           bytes_equal(a, b, offsetof(struct raster_state, values));
}

/* Finds the newest entry whose pipeline the state can use, entirely or after a change of values. */
static struct raster_recent *find_recent(struct raster_recents *recents,
                                         const struct raster_state *state, bool any_values)
{
    for (unsigned i = 1; i <= RECENT_PIPELINES; i++) {
        struct raster_recent *recent = &recents->entry[(recents->next - i) % RECENT_PIPELINES];

        if (recent->pipeline &&
            (any_values ? same_shape(&recent->state, state) : same_state(&recent->state, state)))
            return recent;
    }
    return NULL;
}

static void add_recent(struct raster_recents *recents, const struct raster_pipeline *pipeline,
                       const struct raster_state *state)
{
    struct raster_recent *recent = &recents->entry[recents->next++ % RECENT_PIPELINES];

    recent->pipeline = pipeline;
    memcpy(&recent->state, state, sizeof(*state));
}

/* shape: a pipeline of the same shape; NULL: none is known. */
static const struct raster_pipeline *new_pipeline(struct raster *raster,
                                                  const struct raster_state *state,
                                                  const struct raster_pipeline *shape)
{
    struct raster_pipeline *pipeline = arena_alloc(&raster->arena, sizeof(*pipeline));
    struct raster_query *query = NULL;

    if (!pipeline || (!shape && !work_reserve(raster, work_bytes(state))) ||
        (state->values.samples_passed &&
         !(query = query_get(raster, state->values.samples_passed))))
        return NULL;
    if (shape) {
        memcpy(pipeline, shape, sizeof(*pipeline));
        pipeline->query = query;
    } else {
        memset(pipeline, 0, sizeof(*pipeline));
        memcpy(&pipeline->s, state, sizeof(*state));
        pipeline->query = query;
        raster_pipeline_decide(raster, pipeline);
        raster->written |= pipeline->writes;
        raster->shapes_decided++;
    }
    raster_pipeline_set_values(raster, pipeline, &state->values);
    return pipeline;
}

/* Applications alternate between a few states, so the most recent pipelines are kept. */
const struct raster_pipeline *raster_pipeline_get(struct raster *raster)
{
    const struct raster_state *state = raster->state;
    const struct raster_pipeline *pipeline;
    struct raster_recent *recent;

    if (raster->pipeline)
        return raster->pipeline;
    if ((recent = find_recent(&raster->recent, state, false)))
        return raster->pipeline = recent->pipeline;
    recent = find_recent(&raster->recent_shapes, state, true);
    if (!(pipeline = new_pipeline(raster, state, recent ? recent->pipeline : NULL)))
        return NULL;
    add_recent(&raster->recent, pipeline, state);
    if (!recent)
        add_recent(&raster->recent_shapes, pipeline, state);
    return raster->pipeline = pipeline;
}
