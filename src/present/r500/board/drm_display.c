/* DRM mode setting: selects a display, flips pages, restores the picture at the end.
 *
 * Tested by tests/unit/present/r500/board/test_drm.c. */
#include "present/r500/board/drm_board.h"

#ifdef R500_HAS_DRM

#include "util/alloc.h"
#include "util/clock.h"
#include "util/log.h"

#include <errno.h>
#include <string.h>

enum {
    IDS = 32, /* maximum ids of a kind */
    MODES = 128,
    CONNECTED = 1,
    FLIP_MS = 1000, /* timeout of a flip; a refresh takes at most about 40 */
    BUSY_TRIES = 100,
    BUSY_NS = 1000000,
    BITS = 32,
    DEPTH = 24,
};

/* --- Display selection ------------------------------------------------------------------------ */

struct connector {
    uint32_t id, encoder, encoders[IDS], n_encoders, n_modes;
    struct drm_mode_modeinfo modes[MODES];
};

static uint32_t at_most(uint32_t n, uint32_t limit)
{
    return n < limit ? n : limit;
}

/* Calls twice, for the counts and for the contents, because the kernel fills only arrays that are
 * large enough. */
static int get_connector(struct drm_board *b, uint32_t id, struct connector *out, bool *connected)
{
    struct drm_mode_get_connector get = {.connector_id = id};
    int r = drm_call(b, DRM_IOCTL_MODE_GETCONNECTOR, &get);

    *connected = r >= 0 && get.connection == CONNECTED && get.count_modes > 0 &&
                 get.count_modes <= MODES && get.count_encoders <= IDS;
    if (!*connected)
        return r;
    *out = (struct connector){.id = id};
    get = (struct drm_mode_get_connector){
        .connector_id = id,
        .modes_ptr = (uintptr_t)out->modes,
        .count_modes = get.count_modes,
        .encoders_ptr = (uintptr_t)out->encoders,
        .count_encoders = get.count_encoders,
    };
    r = drm_call(b, DRM_IOCTL_MODE_GETCONNECTOR, &get);
    out->encoder = get.encoder_id;
    out->n_encoders = at_most(get.count_encoders, IDS);
    out->n_modes = at_most(get.count_modes, MODES);
    *connected = r >= 0 && out->n_modes;
    return r;
}

/* Returns the CRTC that drives the connector, else the first one that can; 0: none. */
static uint32_t crtc_of(struct drm_board *b, const struct connector *connector,
                        const uint32_t *crtcs, uint32_t n_crtcs)
{
    struct drm_mode_get_encoder get = {.encoder_id = connector->encoder};

    if (get.encoder_id && drm_call(b, DRM_IOCTL_MODE_GETENCODER, &get) >= 0 && get.crtc_id)
        return get.crtc_id;
    for (uint32_t i = 0; i < connector->n_encoders; i++) {
        get = (struct drm_mode_get_encoder){.encoder_id = connector->encoders[i]};
        if (drm_call(b, DRM_IOCTL_MODE_GETENCODER, &get) < 0)
            continue;
        for (uint32_t k = 0; k < n_crtcs; k++)
            if (get.possible_crtcs >> k & 1)
                return crtcs[k];
    }
    return 0;
}

/* Keeps the current mode, else selects the connector's first mode, the preferred one. */
static void take(struct drm_board *b, const struct connector *connector, uint32_t crtc)
{
    b->connector = connector->id;
    b->crtc = crtc;
    b->before = (struct drm_mode_crtc){.crtc_id = crtc};
    if (drm_call(b, DRM_IOCTL_MODE_GETCRTC, &b->before) < 0)
        b->before.mode_valid = 0;
    b->mode = b->before.mode_valid ? b->before.mode : connector->modes[0];
    b->board.width = b->mode.hdisplay;
    b->board.height = b->mode.vdisplay;
}

static enum status look(struct drm_board *b, struct connector *connector, const uint32_t *ids,
                        uint32_t n, const uint32_t *crtcs, uint32_t n_crtcs)
{
    for (uint32_t i = 0; i < n; i++) {
        bool connected;
        int r = get_connector(b, ids[i], connector, &connected);
        uint32_t crtc = connected ? crtc_of(b, connector, crtcs, n_crtcs) : 0;

        if (r < 0)
            return drm_status("a connector", r);
        if (!crtc)
            continue;
        take(b, connector, crtc);
        if (b->board.width && b->board.height)
            return ST_OK;
    }
    log_error("present", "%s: no display is connected", b->path);
    return ST_UNSUPPORTED;
}

enum status drm_display_find(struct drm_board *b)
{
    uint32_t connectors[IDS] = {0}, crtcs[IDS] = {0};
    struct drm_mode_card_res get = {0};
    struct connector *connector;
    enum status st;
    int r = drm_call(b, DRM_IOCTL_MODE_GETRESOURCES, &get);

    get = (struct drm_mode_card_res){
        .connector_id_ptr = (uintptr_t)connectors,
        .count_connectors = at_most(get.count_connectors, IDS),
        .crtc_id_ptr = (uintptr_t)crtcs,
        .count_crtcs = at_most(get.count_crtcs, IDS),
    };
    if (r >= 0)
        r = drm_call(b, DRM_IOCTL_MODE_GETRESOURCES, &get);
    if (r < 0)
        return drm_status("displays", r);
    connector = mem_alloc(sizeof(*connector));
    if (!connector)
        return ST_NOMEM;
    st = look(b, connector, connectors, at_most(get.count_connectors, IDS), crtcs,
              at_most(get.count_crtcs, IDS));
    mem_free(connector);
    return st;
}

/* --- Flips ------------------------------------------------------------------------------------ */

/* Ignores events of other types. */
static void take_events(struct drm_board *b, const uint8_t *bytes, size_t n)
{
    struct drm_event event;

    for (size_t at = 0; n - at >= sizeof(event); at += event.length) {
        memcpy(&event, bytes + at, sizeof(event));
        if (event.length < sizeof(event) || event.length > n - at)
            return;
        if (event.type == DRM_EVENT_FLIP_COMPLETE)
            b->flipping = false;
    }
}

enum status drm_display_wait(struct drm_board *b)
{
    uint64_t end = clock_now() + FLIP_MS * (uint64_t)1000000;

    while (b->flipping) {
        uint8_t events[1024];
        int n = b->calls->read(b->ctx, b->fd, events, sizeof(events), FLIP_MS);

        if (n > 0)
            take_events(b, events, (size_t)n);
        else if (n != -EINTR && n != -EAGAIN && n != 0)
            return drm_status("events of the display", n);
        if (b->flipping && (n == 0 || clock_now() > end)) {
            log_error("present", "r500: the display does not complete a flip");
            b->flipping = false;
            return ST_IO;
        }
    }
    return ST_OK;
}

static enum status add_framebuffer(struct drm_board *b, struct drm_buffer *buffer,
                                   const struct r500_flip *flip)
{
    struct drm_mode_fb_cmd add = {.width = flip->width,
                                  .height = flip->height,
                                  .pitch = flip->pitch,
                                  .bpp = BITS,
                                  .depth = DEPTH,
                                  .handle = flip->handle};
    int r = drm_call(b, DRM_IOCTL_MODE_ADDFB, &add);

    if (r < 0)
        return drm_status("a frame buffer", r);
    buffer->framebuffer = add.fb_id;
    return ST_OK;
}

static enum status set_crtc(struct drm_board *b, uint32_t framebuffer)
{
    struct drm_mode_crtc set = {.set_connectors_ptr = (uintptr_t)&b->connector,
                                .count_connectors = 1,
                                .crtc_id = b->crtc,
                                .fb_id = framebuffer,
                                .mode_valid = 1,
                                .mode = b->mode};
    int r = drm_call(b, DRM_IOCTL_MODE_SETCRTC, &set);

    return r < 0 ? drm_status("the display (another program may have it)", r) : ST_OK;
}

/* The kernel accepts one pending flip per CRTC, of any program. */
static enum status page_flip(struct drm_board *b, uint32_t framebuffer)
{
    struct drm_mode_crtc_page_flip flip = {
        .crtc_id = b->crtc, .fb_id = framebuffer, .flags = DRM_MODE_PAGE_FLIP_EVENT};
    int r = -EBUSY;

    for (unsigned i = 0; i < BUSY_TRIES && r == -EBUSY; i++) {
        if (i)
            clock_sleep_until(clock_now() + BUSY_NS);
        r = drm_call(b, DRM_IOCTL_MODE_PAGE_FLIP, &flip);
    }
    if (r < 0)
        return drm_status("a page flip", r);
    b->flipping = true;
    return ST_OK;
}

enum status drm_display_flip(struct drm_board *b, const struct r500_flip *flip)
{
    struct drm_buffer *buffer = drm_find(b, flip->handle);
    enum status st = buffer ? drm_display_wait(b) : ST_INVALID;

    if (st == ST_OK && !buffer->framebuffer)
        st = add_framebuffer(b, buffer, flip);
    if (st != ST_OK)
        return st;
    st = b->shown ? page_flip(b, buffer->framebuffer) : set_crtc(b, buffer->framebuffer);
    if (st == ST_OK)
        b->shown = buffer->framebuffer;
    return st;
}

/* --- Restoring the display -------------------------------------------------------------------- */

void drm_display_forget(struct drm_board *b, struct drm_buffer *buffer)
{
    if (!buffer->framebuffer)
        return;
    if (drm_display_wait(b) != ST_OK)
        log_warn("present", "r500: a buffer is released while the display flips to it");
    if (b->shown == buffer->framebuffer)
        b->shown = 0; /* removing it turned the display off */
    (void)drm_call(b, DRM_IOCTL_MODE_RMFB, &buffer->framebuffer);
    buffer->framebuffer = 0;
}

void drm_display_restore(struct drm_board *b)
{
    if (!b->before.mode_valid)
        return;
    b->before.set_connectors_ptr = (uintptr_t)&b->connector;
    b->before.count_connectors = 1;
    if (drm_call(b, DRM_IOCTL_MODE_SETCRTC, &b->before) < 0)
        log_warn("present", "r500: the display's picture cannot be restored");
}

#else
typedef int r500_no_display; /* avoids an empty translation unit */
#endif
