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
struct show_frame {
    uint32_t refreshes, refresh_rate; /* see struct present_frame */
    bool whole_window;
    struct present_counters counters;
};

/* More than can be on their way (SetMaximumFrameLatency). */
enum { SHOW_FRAMES = 32 };

struct show {
    D3DGAMMARAMP gamma;
    UINT refresh_rate, lines;             /* of the monitor's mode */
    struct present_counters counters;     /* of the frame that the program makes now */
    struct show_frame frame[SHOW_FRAMES]; /* by number, of all chains together */
    uint64_t sent;                        /* frames; the API's side */
    uint64_t taken;                       /* the renderer's side */
};

void api_show_init(struct show *show);
/* Opens the sinks that the settings name. */
MUST_CHECK enum status api_show_open(struct device *device);
/* The mode may have changed. */
void api_show_mode(struct device *device);
/* A cmd_present_fn; ctx is the device. */
void api_show_frame(void *ctx, const struct cmd_present *packet, const struct tex_image *image);
/* Emits the packet. */
MUST_CHECK enum status api_show_present(struct swapchain *chain, const struct cmd_present *packet);

static inline void api_show_draw(struct show *show, uint32_t primitives)
{
    show->counters.draws++;
    show->counters.primitives += primitives;
}

/* Where the beam is: it runs down the screen once a refresh, after the vertical blank. */
void api_raster_status(const struct device *device, D3DRASTER_STATUS *status);

#endif
