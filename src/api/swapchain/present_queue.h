/* Frame presentation of a device: frames queued for the sinks, raster status and gamma ramp. */
#ifndef API_SWAPCHAIN_PRESENT_QUEUE_H
#define API_SWAPCHAIN_PRESENT_QUEUE_H

#include "api/com/com.h"
#include "cmd/cmd.h"
#include "present/present.h"

struct device;
struct swapchain;

/* Properties of a queued frame that its packet does not carry. */
struct present_info {
    uint32_t refreshes, refresh_rate; /* see struct present_frame */
    bool whole_window;
    struct present_counters counters;
};

/* Exceeds the frames that may be queued (SetMaximumFrameLatency). */
enum { PRESENT_QUEUE_MAX = 32 };

struct present_queue {
    D3DGAMMARAMP gamma;
    UINT refresh_rate, lines;                     /* of the monitor's mode */
    struct present_counters counters;             /* of the frame under construction */
    struct present_info frame[PRESENT_QUEUE_MAX]; /* ring, by number of all chains together */
    uint64_t submitted;                           /* frames; written by API calls */
    uint64_t presented;                           /* frames; written by the renderer */
};

void api_present_queue_init(struct present_queue *queue);
/* Opens the sinks that the settings name. */
MUST_CHECK enum status api_present_open(struct device *device);
/* Reads the monitor's mode again. */
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

/* Raster position: it starts with the vertical blank and runs down the screen once a refresh. */
void api_raster_status(const struct device *device, D3DRASTER_STATUS *status);

#endif
