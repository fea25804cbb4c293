/* When frames may be shown. Knows no clock: times are given and returned, in nanoseconds. Private
 * to present. */
#ifndef PRESENT_FRAME_PACING_H
#define PRESENT_FRAME_PACING_H

#include <stdint.h>

enum { FRAME_PACER_CHAINS = 256 }; /* chains of higher numbers do not wait */

/* Zeroed: no frame was shown, and there is no limit. */
struct frame_pacer {
    uint64_t limit; /* from a frame to the next, at least; 0: none */
    struct {
        uint64_t refresh, time; /* when the last frame counted as shown */
    } last[FRAME_PACER_CHAINS];
};

/* The time from which the chain's next frame may be shown, never before `now`; it counts as shown
 * then. refreshes: of `period` each, that the frame before is to stay for; 0: as may be.
 *
 * Refreshes are numbered from time 0. A frame that is late is shown at once, and the next may
 * follow at the next refresh. The limit makes up for lateness of less than a frame, so that the
 * mean holds. A clock that was set back, or another period, begins anew: no wait is longer than
 * what was asked. */
uint64_t frame_pacer_next(struct frame_pacer *pacer, uint32_t chain, unsigned refreshes,
                          uint64_t period, uint64_t now);

#endif
