/* Implements overlapping occlusion queries as ranges of sample counters (reference:
 * query/overlapping).
 *
 * Tested by tests/unit/api/object/test_query.c and tests/conformance/query. */
#include "cmd/occlusion.h"

#include "draw/draw.h"

#include <string.h>

void occlusion_resolve(struct occlusion *all, struct draw *draw)
{
    struct occlusion_query *query = all->pending, *next;

    draw_flush(draw);
    all->pending = NULL;
    for (; query; query = next) {
        uint32_t end = query->active ? all->n : query->end;

        next = query->next;
        for (uint32_t i = query->begin; i < end; i++)
            query->value += all->counter[i];
        query->begin = 0;
        query->next = all->pending;
        query->pending = query->active;
        if (query->active)
            all->pending = query;
    }
    memset(all->counter, 0, all->n * sizeof(all->counter[0]));
    all->n = all->n_active != 0;
}

/* Opens a new counter for the next draws. */
static void advance(struct occlusion *all, struct draw *draw)
{
    if (all->n == OCCLUSION_COUNTERS)
        occlusion_resolve(all, draw);
    else
        all->n++;
}

static void unlink_query(struct occlusion *all, struct occlusion_query *query)
{
    struct occlusion_query **at = &all->pending;

    if (!query->pending)
        return;
    while (*at != query)
        at = &(*at)->next;
    *at = query->next;
    query->pending = false;
}

void occlusion_cancel(struct occlusion *all, struct draw *draw, struct occlusion_query *query)
{
    occlusion_end(all, draw, query);
    unlink_query(all, query);
}

void occlusion_begin(struct occlusion *all, struct draw *draw, struct occlusion_query *query)
{
    occlusion_cancel(all, draw, query);
    all->n_active++;
    advance(all, draw);
    query->begin = all->n - 1;
    query->value = 0;
    query->active = query->pending = true;
    query->next = all->pending;
    all->pending = query;
}

void occlusion_end(struct occlusion *all, struct draw *draw, struct occlusion_query *query)
{
    if (!query->active)
        return;
    query->active = false;
    query->end = all->n;
    all->n_active--;
    if (all->n_active)
        advance(all, draw);
}

uint64_t *occlusion_counter(struct occlusion *all)
{
    return all->n_active ? &all->counter[all->n - 1] : NULL;
}
