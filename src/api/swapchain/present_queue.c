/* Frame presentation: passes frames from Present to the sinks, and emulates raster status, vertical
 * blank and gamma ramp.
 * Tested by tests/windows/test_pacing.c and tests/unit/present. */
#include "api/swapchain/swapchain.h"

#include "api/adapter/adapter.h"
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/config/config.h"
#include "api/window/window.h"
#include "cmd/cmd.h"
#include "util/clock.h"
#include "util/log.h"

#include <string.h>

#ifndef D3DPRESENT_FORCEIMMEDIATE
#define D3DPRESENT_FORCEIMMEDIATE 0x00000100
#endif

/* --- Frames ----------------------------------------------------------------------------------- */

void api_present_queue_init(struct present_queue *queue)
{
    for (unsigned i = 0; i < 256; i++)
        queue->gamma.red[i] = queue->gamma.green[i] = queue->gamma.blue[i] = (WORD)(i * 257);
}

struct present_options api_present_options(void)
{
    return (struct present_options){
        .sinks = api_config_text(CONFIG_SINK),
        .queue = api_config_number(CONFIG_SINK_QUEUE),
        .frame_limit = api_config_number(CONFIG_FRAME_LIMIT),
        .vsync = api_config_on(CONFIG_VSYNC),
        .scaling = (enum present_scaling)api_config_choice(CONFIG_SCALING),
        .filter = (enum present_filter)api_config_choice(CONFIG_SCALE_FILTER),
        .hud = api_config_text(CONFIG_HUD),
        .hud_scale = api_config_number(CONFIG_HUD_SCALE),
        .hud_corner = (enum present_corner)api_config_choice(CONFIG_HUD_PLACE),
        .hud_opacity = api_config_number(CONFIG_HUD_OPACITY),
        .frame_log = api_config_text(CONFIG_FRAME_LOG),
        .screenshot_key = api_config_text(CONFIG_SCREENSHOT_KEY),
        .screenshot_dir = api_config_text(CONFIG_SCREENSHOT_DIR),
        .measured = api_config_has_panel(),
    };
}

enum status api_present_open(struct device *d)
{
    struct present_options options = api_present_options();
    char changes[CONFIG_PICTURE_CHANGES_BYTES];

    if (api_config_picture_changes(changes, sizeof(changes)))
        options.hud_note = changes;
    return present_create(&d->present, &options);
}

void api_present_update_mode(struct device *d)
{
    D3DDISPLAYMODE mode;

    api_adapter_mode(d->creation.AdapterOrdinal, &mode);
    d->present_queue->refresh_rate = mode.RefreshRate;
    d->present_queue->lines = mode.Height;
}

/* Refreshes that a frame stays on the screen (reference: swap-chains/interval). */
static uint32_t refreshes(DWORD interval, DWORD flags)
{
    if (flags & D3DPRESENT_FORCEIMMEDIATE)
        return 0;
    switch (interval) {
    case D3DPRESENT_INTERVAL_IMMEDIATE:
        return 0;
    case D3DPRESENT_INTERVAL_TWO:
        return 2;
    case D3DPRESENT_INTERVAL_THREE:
        return 3;
    case D3DPRESENT_INTERVAL_FOUR:
        return 4;
    default:
        return 1;
    }
}

enum status api_present_submit(struct swapchain *chain, const struct cmd_present *packet)
{
    struct device *d = chain->base.device;
    const uint32_t size[2] = {chain->parameters.BackBufferWidth,
                              chain->parameters.BackBufferHeight};
    struct present_queue *queue = d->present_queue;
    enum status st;

    if (!chain->number)
        present_attend(d->present, size);
    queue->counters.bytes = d->video_bytes > 0 ? (uint64_t)d->video_bytes : 0;
    queue->frame[queue->submitted % PRESENT_QUEUE_MAX] = (struct present_info){
        .refreshes = refreshes(packet->interval, packet->flags),
        .refresh_rate = queue->refresh_rate,
        .full_screen = d->screen->active,
        .whole_window = api_fullscreen_covers(d->screen),
        .counters = queue->counters,
    };
    queue->counters = (struct present_counters){.draws = 0};
    st = cmd_emit_present(d->stream, packet, NULL, 0);
    queue->submitted += st == ST_OK;
    return st;
}

void api_present_frame(void *ctx, const struct cmd_present *packet, const struct tex_image *image)
{
    struct device *d = ctx;
    const struct present_info *info =
        &d->present_queue->frame[d->present_queue->presented++ % PRESENT_QUEUE_MAX];
    const struct tex_level *level = &image->level[0];
    struct present_frame frame = {
        .format = image->format,
        .data = level->data,
        .width = level->width,
        .height = level->height,
        .row_pitch = level->row_pitch,
        .window = packet->window,
        .full_screen = info->full_screen,
        .whole_window = info->whole_window,
        .refreshes = info->refreshes,
        .refresh_rate = info->refresh_rate,
        .chain = packet->chain,
        .number = d->present_queue->frames[packet->chain]++,
        .counters = info->counters,
    };

    memcpy(frame.src, packet->src, sizeof(frame.src));
    memcpy(frame.dst, packet->dst, sizeof(frame.dst));
    cmd_renderer_counts(d->stream, &frame.counters.threads, &frame.counters.pipelines);
    cmd_renderer_change(d->stream, api_config_number(CONFIG_THREADS),
                        api_config_forced(CONFIG_ANISOTROPY));
    present_show(d->present, &frame);
}

/* --- Raster status ---------------------------------------------------------------------------- */

/* A refresh starts with the vertical blank. Frame pacing waits for the same refreshes
 * (reference: device/beam). */
void api_raster_status(const struct device *d, D3DRASTER_STATUS *status)
{
    uint64_t lines = d->present_queue->lines, all = lines + lines / 24;
    uint64_t period = CLOCK_SECOND / d->present_queue->refresh_rate;
    uint64_t line = clock_now() % period * all / period;

    status->InVBlank = line < all - lines;
    status->ScanLine = status->InVBlank ? 0 : (UINT)(line - (all - lines));
}

HRESULT WINAPI device_GetRasterStatus(IDirect3DDevice9Ex *iface, UINT chain,
                                      D3DRASTER_STATUS *status)
{
    ENTER(d, iface);

    if (chain || !status)
        return D3DERR_INVALIDCALL;
    api_raster_status(d, status);
    return D3D_OK;
}

/* Waits for the start of the next refresh. Without a live sink there is none to wait for. */
HRESULT WINAPI device_WaitForVBlank(IDirect3DDevice9Ex *iface, UINT chain)
{
    const struct device *d = device_of(iface);
    uint64_t period = CLOCK_SECOND / d->present_queue->refresh_rate;

    if (chain)
        return D3DERR_INVALIDCALL;
    if (present_is_live(d->present))
        clock_sleep_until((clock_now() / period + 1) * period);
    return D3D_OK;
}

/* --- Gamma ------------------------------------------------------------------------------------ */

/* reference: device/gamma */
void WINAPI device_SetGammaRamp(IDirect3DDevice9Ex *iface, UINT chain, DWORD flags,
                                const D3DGAMMARAMP *ramp)
{
    ENTER(d, iface);
    uint16_t channels[3][256];

    if (chain || !ramp)
        return;
    if (flags & D3DSGR_CALIBRATE)
        log_once("api", "D3DSGR_CALIBRATE", "calibration of the gamma ramp is not supported");
    d->present_queue->gamma = *ramp;
    memcpy(channels[0], ramp->red, sizeof(channels[0]));
    memcpy(channels[1], ramp->green, sizeof(channels[1]));
    memcpy(channels[2], ramp->blue, sizeof(channels[2]));
    present_set_gamma(d->present, channels);
}

void WINAPI device_GetGammaRamp(IDirect3DDevice9Ex *iface, UINT chain, D3DGAMMARAMP *ramp)
{
    ENTER(d, iface);

    if (!chain && ramp)
        *ramp = d->present_queue->gamma;
}
