/* Frame pacing by monitor refreshes and a frame-rate limit. */
#include "present/frame_pacing.h"

#include <stdbool.h>

static uint64_t at_refresh(uint64_t *last, unsigned refreshes, uint64_t period, uint64_t now)
{
    uint64_t current = now / period;
    bool late = current >= *last + refreshes, turned_back = current < *last;

    if (late || turned_back) {
        *last = current;
        return now;
    }
    *last += refreshes;
    return *last * period;
}

static uint64_t within_limit(uint64_t *last, uint64_t limit, uint64_t now)
{
    uint64_t due = *last + limit;
    bool long_ago = now >= due && now - due >= limit, turned_back = now < *last;

    if (long_ago || turned_back) {
        *last = now;
        return now;
    }
    *last = due;
    return now < due ? due : now;
}

uint64_t frame_pacer_next(struct frame_pacer *pacer, uint32_t chain, unsigned refreshes,
                          uint64_t period, uint64_t now)
{
    uint64_t time = now;

    if (chain >= FRAME_PACER_CHAINS)
        return now;
    if (refreshes && period)
        time = at_refresh(&pacer->last[chain].refresh, refreshes, period, now);
    if (pacer->limit)
        time = within_limit(&pacer->last[chain].time, pacer->limit, time);
    return time;
}
