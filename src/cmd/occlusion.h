/* Declares occlusion queries as ranges of sample counters. Private to cmd. */
#ifndef CMD_OCCLUSION_H
#define CMD_OCCLUSION_H

#include <stdbool.h>
#include <stdint.h>

struct draw;

enum { OCCLUSION_COUNTERS = 1024 };

/* The result of a query is the sum of the counters from `begin` up to, but without, `end`. Queries
 * that overlap share counters. */
struct occlusion_query {
    struct occlusion_query *next; /* in the pending list of struct occlusion */
    bool pending, active;         /* has counters not yet added to value; has begun, not ended */
    uint32_t begin, end;
    uint64_t value; /* samples of the resolved counters */
};

/* The draws between two successive begins or ends share one counter. Queries may therefore overlap
 * without a flush between them. */
struct occlusion {
    struct occlusion_query *pending;
    unsigned n_active; /* active queries */
    uint32_t n;        /* counters in use; the last one belongs to the next draws */
    uint64_t counter[OCCLUSION_COUNTERS];
};

/* Restarts the count if the query was begun before. */
void occlusion_begin(struct occlusion *all, struct draw *draw, struct occlusion_query *query);
void occlusion_end(struct occlusion *all, struct draw *draw, struct occlusion_query *query);
/* Removes a query before it is freed or begun again. */
void occlusion_cancel(struct occlusion *all, struct draw *draw, struct occlusion_query *query);
/* Flushes the open scene and adds all counters to the values of the pending queries. */
void occlusion_resolve(struct occlusion *all, struct draw *draw);
/* The counter for the next draw. NULL: no query is active. */
uint64_t *occlusion_counter(struct occlusion *all);

#endif
