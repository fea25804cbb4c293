/* Frame pacing by monitor refreshes and a frame-rate limit. The caller passes the current time; all
 * times are in nanoseconds. Private to present. */
#ifndef PRESENT_FRAME_PACING_H
#define PRESENT_FRAME_PACING_H

#include <stdint.h>

enum { FRAME_PACER_CHAINS = 256 }; /* chains with higher numbers are not paced */

/* All zero: no frame shown yet, no limit. */
struct frame_pacer {
    uint64_t limit; /* minimum interval between frames; 0: no limit */
    struct {
        uint64_t refresh, time; /* of the last frame: its refresh number and presentation time */
    } last[FRAME_PACER_CHAINS];
};

/* Returns the earliest time at which the chain's next frame may be shown, never before `now`, and
 * records the frame as shown then. refreshes: the minimum number of refreshes (of length `period`,
 * numbered from time 0) for which the previous frame stays; 0: any.
 *
 * A late frame is shown at once, and the next one may follow at the next refresh. The limit
 * compensates lateness below one frame interval, so that the mean rate holds. If the clock is set
 * back or the period changes, pacing restarts, so that no wait exceeds the requested interval. */
uint64_t frame_pacer_next(struct frame_pacer *pacer, uint32_t chain, unsigned refreshes,
                          uint64_t period, uint64_t now);

#endif
