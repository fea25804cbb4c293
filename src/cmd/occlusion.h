/* Occlusion queries: which draws each of them counts. Private to cmd. */
#ifndef CMD_OCCLUSION_H
#define CMD_OCCLUSION_H

#include <stdbool.h>
#include <stdint.h>

struct draw;

enum { OCCLUSION_COUNTERS = 1024 };

/* A query counts all counters from `begin` up to `end`, its own draws and those of queries that
 * overlap it. */
struct occlusion_query {
    struct occlusion_query *next; /* in struct occlusion, while some counters are not in value */
    bool pending, active;         /* counts: begun, not ended */
    uint32_t begin, end;
    uint64_t value; /* samples, settled counters only */
};

/* The time between two begins or ends has a counter of its own, so that queries may overlap without
 * a flush between them. */
struct occlusion {
    struct occlusion_query *pending;
    unsigned n_active; /* queries that count */
    uint32_t n;       /* counters in use; the last one is that of draws to come */
    uint64_t counter[OCCLUSION_COUNTERS];
};

/* Begun again, a query forgets what it has counted. */
void occlusion_begin(struct occlusion *all, struct draw *draw, struct occlusion_query *query);
void occlusion_end(struct occlusion *all, struct draw *draw, struct occlusion_query *query);
/* The query is about to go. */
void occlusion_cancel(struct occlusion *all, struct draw *draw, struct occlusion_query *query);
/* Finishes all draws and brings every value up to date. */
void occlusion_resolve(struct occlusion *all, struct draw *draw);
/* Where draws of this moment count, or NULL. */
uint64_t *occlusion_counter(struct occlusion *all);

#endif
