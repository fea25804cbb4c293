/* Swap chains: back buffers, Present, the frames on their way to the sinks, and what shows them:
 * raster position and gamma ramp. */
#ifndef API_SWAPCHAIN_SWAPCHAIN_H
#define API_SWAPCHAIN_SWAPCHAIN_H

#include "api/com/device.h"
#include "cmd/packets.h"
#include "present/present.h"

struct tex_image;

/* --- Parameters ------------------------------------------------------------------------------- */

/* Validates and completes the parameters for CreateDevice, Reset and CreateAdditionalSwapChain;
 * mode as in CreateDeviceEx. */
HRESULT api_check_parameters(D3DPRESENT_PARAMETERS *parameters, struct device_kind kind,
                             UINT adapter, HWND focus);
HRESULT api_check_mode(const D3DPRESENT_PARAMETERS *parameters, const D3DDISPLAYMODEEX *mode);

/* --- Swap chains ------------------------------------------------------------------------------ */

struct swapchain {
    struct object base;
    bool implicit;
    unsigned number;
    D3DPRESENT_PARAMETERS parameters;
    unsigned n_buffers;
    struct surface *buffer[D3DPRESENT_BACK_BUFFERS_MAX_EX]; /* held by private references */
    cmd_handle front;    /* last presented image; 0 until GetFrontBufferData needs it */
    cmd_handle resolved; /* image that multisampled buffers resolve to; 0: not multisampled */
    UINT presents;
};
HRESULT api_swapchain_create(struct swapchain **out, struct device *device,
                             const D3DPRESENT_PARAMETERS *parameters, bool implicit);
/* Recreates the buffers of the implicit chain at Reset. */
HRESULT api_swapchain_recreate(struct swapchain *chain, const D3DPRESENT_PARAMETERS *parameters);
HRESULT api_swapchain_present(struct swapchain *chain, const RECT *src, const RECT *dst,
                              HWND window, DWORD flags);
HRESULT api_swapchain_buffer(struct swapchain *chain, UINT index, IDirect3DSurface9 **out);
HRESULT api_swapchain_mode(const struct swapchain *chain, D3DDISPLAYMODE *mode);
HRESULT api_swapchain_mode_ex(const struct swapchain *chain, D3DDISPLAYMODEEX *mode,
                              D3DDISPLAYROTATION *rotation);
HRESULT api_swapchain_front(struct swapchain *chain, struct surface *dst);

static inline struct swapchain *swapchain_of(void *iface)
{
    return iface;
}

/* --- Frames on their way ---------------------------------------------------------------------- */

/* Properties of a queued frame that its packet does not carry. */
struct present_info {
    uint32_t refreshes, refresh_rate; /* see struct present_frame */
    bool full_screen, whole_window;
    struct present_counters counters;
};

/* PRESENT_QUEUE_MAX exceeds the frames that may be queued (SetMaximumFrameLatency). */
enum { MAX_CHAINS = 256, PRESENT_QUEUE_MAX = 32 };

struct present_queue {
    D3DGAMMARAMP gamma;
    UINT refresh_rate, lines;                     /* of the monitor's mode */
    struct present_counters counters;             /* of the frame under construction */
    struct present_info frame[PRESENT_QUEUE_MAX]; /* ring, by number of all chains together */
    uint64_t submitted;                           /* frames; written by API calls */
    uint64_t presented;                           /* frames; written by the renderer */
    uint64_t frames[MAX_CHAINS];                  /* presented frames of each swap chain */
    bool chain_used[MAX_CHAINS];
};

void api_present_queue_init(struct present_queue *queue);
/* The options of present that the settings name. */
struct present_options api_present_options(void);
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
