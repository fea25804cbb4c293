/* Fake radeon driver for tests: buffers, streams by the kernel's rules and the chip model, one
 * display. It executes work as late as possible, so that a missing wait gives a wrong picture. */
#ifndef TEST_R500_FAKE_KERNEL_H
#define TEST_R500_FAKE_KERNEL_H

#include "present/r500/board/drm_board.h"
#include "present/r500/check/check.h"
#include "present/r500/model/model.h"
#include "util/alloc.h"

#include "check_main.h"

#include <errno.h>
#include <string.h>

enum { FAKE_BUFFERS = 16, FAKE_FD = 77, CONNECTOR = 11, ENCODER = 21, CRTC = 31, CONSOLE = 99 };

struct fake_framebuffer {
    uint32_t id, handle, width, height, pitch;
};

struct fake {
    const char *driver;
    uint32_t device, mode_width, mode_height;
    bool connected, encoder_is_set;
    struct r500_buffer buffers[FAKE_BUFFERS];
    bool video[FAKE_BUFFERS]; /* buffer is in video memory */
    struct fake_framebuffer framebuffers[FAKE_BUFFERS];
    uint32_t next_handle, next_framebuffer;
    unsigned maps, opens;
    uint32_t front, pending; /* framebuffer ids: displayed, and queued */
    /* A submitted stream that has not been executed. */
    uint32_t stream[1024];
    struct r500_reloc relocs[4];
    struct r500_submit work;
    bool busy;
    /* Fault injection: from call `fail_at` (counted from 0) on, `fail_times` calls return
     * -fail_errno. A non-zero `fail_request` restricts that to one request. */
    unsigned calls, fail_at, fail_times, failed;
    unsigned long fail_request;
    int fail_errno;
    bool stuck;  /* flips never complete */
    bool torn;   /* a stream drew to the displayed buffer */
    bool resets; /* failing streams lose the video memory */
};

static inline void fake_init(struct fake *f)
{
    *f = (struct fake){.driver = "radeon",
                       .device = 0x7146,
                       .mode_width = 64,
                       .mode_height = 48,
                       .connected = true,
                       .encoder_is_set = true,
                       .front = CONSOLE,
                       .fail_at = UINT32_MAX};
}

static struct r500_buffer *fake_buffer(struct fake *f, uint32_t handle)
{
    for (unsigned i = 0; handle && i < FAKE_BUFFERS; i++)
        if (f->buffers[i].handle == handle)
            return &f->buffers[i];
    return NULL;
}

static struct fake_framebuffer *fake_framebuffer(struct fake *f, uint32_t id)
{
    for (unsigned i = 0; id && i < FAKE_BUFFERS; i++)
        if (f->framebuffers[i].id == id)
            return &f->framebuffers[i];
    return NULL;
}

/* The model may run out of memory too. */
static void fake_finish(struct fake *f)
{
    const struct r500_memory memory = {f->buffers, FAKE_BUFFERS};
    struct r500_error error;
    enum status st = f->busy ? r500_run(&f->work, &memory, &error) : ST_OK;

    ck_assert_msg(st == ST_OK || st == ST_NOMEM, "%s", error.text);
    f->busy = false;
}

/* --- Requests --------------------------------------------------------------------------------- */

static int fake_create(struct fake *f, struct drm_radeon_gem_create *gem)
{
    for (unsigned i = 0; i < FAKE_BUFFERS; i++) {
        struct r500_buffer *buffer = &f->buffers[i];

        if (buffer->handle)
            continue;
        if (!gem->size || gem->size % 4096 || gem->initial_domain & RADEON_GEM_DOMAIN_CPU)
            return -EINVAL;
        buffer->data = mem_alloc(gem->size);
        if (!buffer->data)
            return -ENOMEM;
        memset(buffer->data, 0xcd, gem->size); /* contents left by another process */
        buffer->size = (uint32_t)gem->size;
        f->video[i] = gem->initial_domain & RADEON_GEM_DOMAIN_VRAM;
        gem->handle = buffer->handle = ++f->next_handle;
        return 0;
    }
    return -ENOMEM;
}

static int fake_close_handle(struct fake *f, uint32_t handle)
{
    struct r500_buffer *buffer = fake_buffer(f, handle);

    if (!buffer)
        return -EINVAL;
    fake_finish(f);
    mem_free(buffer->data);
    *buffer = (struct r500_buffer){0};
    return 0;
}

static int fake_place(struct fake *f, struct drm_radeon_gem_mmap *map)
{
    if (!fake_buffer(f, map->handle))
        return -ENOENT;
    map->addr_ptr = (uint64_t)map->handle << 32;
    return 0;
}

static int fake_cs(struct fake *f, const struct drm_radeon_cs *cs)
{
    const uint64_t *pointers = (const void *)(uintptr_t)cs->chunks;
    const struct r500_memory memory = {f->buffers, FAKE_BUFFERS};
    const struct fake_framebuffer *front = fake_framebuffer(f, f->front);
    struct r500_error error;

    fake_finish(f);
    f->work = (struct r500_submit){.stream = f->stream, .relocs = f->relocs};
    for (uint32_t i = 0; i < cs->num_chunks; i++) {
        const struct drm_radeon_cs_chunk *chunk = (const void *)(uintptr_t)pointers[i];
        const void *data = (const void *)(uintptr_t)chunk->chunk_data;

        if (chunk->chunk_id == RADEON_CHUNK_ID_IB && chunk->length_dw <= 1024) {
            memcpy(f->stream, data, chunk->length_dw * 4);
            f->work.n = chunk->length_dw;
        } else if (chunk->chunk_id == RADEON_CHUNK_ID_RELOCS && chunk->length_dw <= 16) {
            memcpy(f->relocs, data, chunk->length_dw * 4);
            f->work.n_relocs = chunk->length_dw / 4;
        } else if (chunk->chunk_id == RADEON_CHUNK_ID_FLAGS && chunk->length_dw == 2) {
            memcpy(f->work.flags, data, 8);
        } else {
            return -EINVAL;
        }
    }
    if (r500_check(&f->work, &memory, r500_chip_by_device(f->device), &error) != ST_OK)
        return -EINVAL;
    f->torn |= front && front->handle == f->relocs[0].handle;
    f->busy = true;
    return 0;
}

static int fake_add(struct fake *f, struct drm_mode_fb_cmd *add)
{
    const struct r500_buffer *buffer = fake_buffer(f, add->handle);

    if (!buffer)
        return -ENOENT;
    if (add->bpp != 32 || add->depth != 24 || add->pitch % 256 || add->pitch < add->width * 4 ||
        add->pitch * add->height > buffer->size)
        return -EINVAL;
    for (unsigned i = 0; i < FAKE_BUFFERS; i++)
        if (!f->framebuffers[i].id) {
            add->fb_id = 100 + ++f->next_framebuffer;
            f->framebuffers[i] = (struct fake_framebuffer){add->fb_id, add->handle, add->width,
                                                           add->height, add->pitch};
            return 0;
        }
    return -ENOMEM;
}

static int fake_remove(struct fake *f, uint32_t id)
{
    struct fake_framebuffer *framebuffer = fake_framebuffer(f, id);

    if (!framebuffer)
        return -ENOENT;
    *framebuffer = (struct fake_framebuffer){0};
    f->front = f->front == id ? 0 : f->front; /* the display turns off */
    f->pending = f->pending == id ? 0 : f->pending;
    return 0;
}

static int fake_set(struct fake *f, const struct drm_mode_crtc *set)
{
    const struct fake_framebuffer *framebuffer = fake_framebuffer(f, set->fb_id);

    if (set->crtc_id != CRTC || set->count_connectors != 1 ||
        *(const uint32_t *)(uintptr_t)set->set_connectors_ptr != CONNECTOR || !set->mode_valid)
        return -EINVAL;
    if (!framebuffer && set->fb_id != CONSOLE)
        return -ENOENT;
    if (framebuffer &&
        (framebuffer->width < set->mode.hdisplay || framebuffer->height < set->mode.vdisplay))
        return -ENOSPC;
    fake_finish(f);
    f->front = set->fb_id;
    return 0;
}

static int fake_flip(struct fake *f, const struct drm_mode_crtc_page_flip *flip)
{
    if (f->pending)
        return -EBUSY;
    if (flip->crtc_id != CRTC || !fake_framebuffer(f, flip->fb_id) || !f->front)
        return -EINVAL;
    if (!(flip->flags & DRM_MODE_PAGE_FLIP_EVENT))
        return -EINVAL;
    f->pending = flip->fb_id;
    return 0;
}

static int fake_connector(const struct fake *f, struct drm_mode_get_connector *get)
{
    uint32_t modes = get->count_modes, encoders = get->count_encoders;
    struct drm_mode_modeinfo mode = {.hdisplay = (uint16_t)f->mode_width,
                                     .vdisplay = (uint16_t)f->mode_height};
    const uint32_t encoder = ENCODER;

    get->connection = f->connected ? 1 : 2;
    get->count_modes = f->connected;
    get->count_encoders = 1;
    get->encoder_id = f->encoder_is_set ? ENCODER : 0;
    if (modes >= 1 && f->connected)
        memcpy((void *)(uintptr_t)get->modes_ptr, &mode, sizeof(mode));
    if (encoders >= 1)
        memcpy((void *)(uintptr_t)get->encoders_ptr, &encoder, 4);
    return get->connector_id == CONNECTOR ? 0 : -ENOENT;
}

static int fake_resources(struct drm_mode_card_res *get)
{
    const uint32_t connector = CONNECTOR, crtc = CRTC;

    if (get->count_connectors >= 1)
        memcpy((void *)(uintptr_t)get->connector_id_ptr, &connector, 4);
    if (get->count_crtcs >= 1)
        memcpy((void *)(uintptr_t)get->crtc_id_ptr, &crtc, 4);
    get->count_connectors = get->count_crtcs = 1;
    return 0;
}

static int fake_crtc(const struct fake *f, struct drm_mode_crtc *get)
{
    get->mode_valid = f->encoder_is_set;
    get->fb_id = CONSOLE;
    get->mode.hdisplay = (uint16_t)f->mode_width;
    get->mode.vdisplay = (uint16_t)f->mode_height;
    return 0;
}

static int fake_version(const struct fake *f, struct drm_version *version)
{
    size_t n = strlen(f->driver);

    memcpy(version->name, f->driver, n < version->name_len ? n : version->name_len);
    version->name_len = n;
    return 0;
}

static int fake_answer(struct fake *f, unsigned long request, void *data)
{
    switch (request) {
    case DRM_IOCTL_VERSION:
        return fake_version(f, data);
    case DRM_IOCTL_RADEON_INFO:
        memcpy((void *)(uintptr_t)((struct drm_radeon_info *)data)->value, &f->device, 4);
        return 0;
    case DRM_IOCTL_MODE_GETRESOURCES:
        return fake_resources(data);
    case DRM_IOCTL_MODE_GETCONNECTOR:
        return fake_connector(f, data);
    case DRM_IOCTL_MODE_GETENCODER:
        ((struct drm_mode_get_encoder *)data)->crtc_id = f->encoder_is_set ? CRTC : 0;
        ((struct drm_mode_get_encoder *)data)->possible_crtcs = 1;
        return 0;
    case DRM_IOCTL_MODE_GETCRTC:
        return fake_crtc(f, data);
    case DRM_IOCTL_RADEON_GEM_CREATE:
        return fake_create(f, data);
    case DRM_IOCTL_RADEON_GEM_MMAP:
        return fake_place(f, data);
    case DRM_IOCTL_GEM_CLOSE:
        return fake_close_handle(f, ((struct drm_gem_close *)data)->handle);
    case DRM_IOCTL_RADEON_GEM_WAIT_IDLE:
        fake_finish(f);
        return 0;
    case DRM_IOCTL_RADEON_CS:
        return fake_cs(f, data);
    case DRM_IOCTL_MODE_ADDFB:
        return fake_add(f, data);
    case DRM_IOCTL_MODE_RMFB:
        return fake_remove(f, *(uint32_t *)data);
    case DRM_IOCTL_MODE_SETCRTC:
        return fake_set(f, data);
    case DRM_IOCTL_MODE_PAGE_FLIP:
        return fake_flip(f, data);
    }
    return -ENOTTY;
}

/* --- System calls ----------------------------------------------------------------------------- */

static int fake_open(void *ctx, const char *path)
{
    struct fake *f = ctx;

    if (strcmp(path, "/dev/dri/card0") != 0)
        return -ENOENT;
    f->opens++;
    return FAKE_FD;
}

static void fake_close(void *ctx, int fd)
{
    struct fake *f = ctx;

    ck_assert_int_eq(fd, FAKE_FD);
    f->opens--;
}

static void fake_reset(struct fake *f)
{
    f->busy = false;
    for (unsigned i = 0; i < FAKE_BUFFERS; i++)
        if (f->buffers[i].data && f->video[i])
            memset(f->buffers[i].data, 0xee, f->buffers[i].size);
}

static int fake_ioctl(void *ctx, int fd, unsigned long request, void *data)
{
    struct fake *f = ctx;
    bool counts = !f->fail_request || f->fail_request == request;

    ck_assert_int_eq(fd, FAKE_FD);
    if (counts && f->calls++ >= f->fail_at && f->failed < f->fail_times) {
        f->failed++;
        if (f->resets)
            fake_reset(f);
        return -f->fail_errno;
    }
    return fake_answer(f, request, data);
}

static void *fake_map(void *ctx, int fd, uint64_t offset, size_t size)
{
    struct fake *f = ctx;
    struct r500_buffer *buffer = fake_buffer(f, (uint32_t)(offset >> 32));

    if (!buffer || size > buffer->size || fd != FAKE_FD)
        return NULL;
    f->maps++;
    return buffer->data;
}

static void fake_unmap(void *ctx, void *at, size_t size)
{
    struct fake *f = ctx;

    ck_assert_ptr_nonnull(at);
    ck_assert_uint_gt(size, 0);
    f->maps--;
}

/* Completes the flip. */
static int fake_read(void *ctx, int fd, void *data, size_t size, int timeout)
{
    struct fake *f = ctx;
    struct drm_event_vblank event = {.base = {DRM_EVENT_FLIP_COMPLETE, sizeof(event)}};

    ck_assert_int_eq(fd, FAKE_FD);
    ck_assert_int_gt(timeout, 0);
    ck_assert_uint_ge(size, sizeof(event));
    if (!f->pending || f->stuck)
        return 0;
    fake_finish(f);
    f->front = f->pending;
    f->pending = 0;
    memcpy(data, &event, sizeof(event));
    return sizeof(event);
}

static const struct r500_drm_calls fake_calls = {fake_open, fake_close, fake_ioctl,
                                                 fake_map,  fake_unmap, fake_read};

/* Checks that all handles are released, and that the display is off or shows the console. */
static inline void fake_is_clean(const struct fake *f)
{
    for (unsigned i = 0; i < FAKE_BUFFERS; i++) {
        ck_assert_uint_eq(f->buffers[i].handle, 0);
        ck_assert_uint_eq(f->framebuffers[i].id, 0);
    }
    ck_assert_uint_eq(f->maps, 0);
    ck_assert_uint_eq(f->opens, 0);
    ck_assert(!f->torn);
}

#endif
