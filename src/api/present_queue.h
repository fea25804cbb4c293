/* What a device shows on its monitor: frames on their way to the sinks, the beam that draws them,
 * the gamma ramp. */
#ifndef API_PRESENT_QUEUE_H
#define API_PRESENT_QUEUE_H

#include "api/com.h"
#include "cmd/cmd.h"
#include "present/present.h"

struct device;
struct swapchain;

/* What the API knows of a frame and the packet doesn't say. */
struct present_info {
    uint32_t refreshes, refresh_rate; /* see struct present_frame */
    bool whole_window;
    struct present_counters counters;
};

/* More than can be on their way (SetMaximumFrameLatency). */
enum { PRESENT_QUEUE_MAX = 32 };

struct present_queue {
    D3DGAMMARAMP gamma;
    UINT refresh_rate, lines;             /* of the monitor's mode */
    struct present_counters counters;     /* of the frame that the program makes now */
    struct present_info frame[PRESENT_QUEUE_MAX]; /* by number, of all chains together */
    uint64_t submitted;                           /* frames; the API's side */
    uint64_t presented;                           /* the renderer's side */
};

void api_present_queue_init(struct present_queue *queue);
/* Opens the sinks that the settings name. */
MUST_CHECK enum status api_present_open(struct device *device);
/* The mode may have changed. */
void api_present_update_mode(struct device *device);
/* A cmd_present_fn; ctx is the device. */
void api_present_frame(void *ctx, const struct cmd_present *packet, const struct tex_image *image);
/* Emits the packet. */
MUST_CHECK enum status api_present_submit(struct swapchain *chain,
                                          const struct cmd_present *packet);

static inline void api_present_count_draw(struct present_queue *queue, uint32_t primitives)
{
    queue->counters.draws++;
    queue->counters.primitives += primitives;
}

/* Where the beam is: it runs down the screen once a refresh, after the vertical blank. */
void api_raster_status(const struct device *device, D3DRASTER_STATUS *status);

#endif
