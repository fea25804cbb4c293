/* DRM board: buffers and command submission through Linux's radeon driver. */
#include "present/r500/board/drm_board.h"

#include "present/r500/check/check.h"
#include "util/log.h"

#ifdef R500_HAS_DRM

#include "util/alloc.h"

#include <errno.h>
#include <string.h>

enum { PAGE = 4096, DRIVER_NAME = 32 };

static struct drm_board *of(struct r500_board *board)
{
    return (struct drm_board *)board;
}

/* --- Buffers ---------------------------------------------------------------------------------- */

static void close_handle(struct drm_board *b, uint32_t handle)
{
    struct drm_gem_close gem = {.handle = handle};

    (void)drm_call(b, DRM_IOCTL_GEM_CLOSE, &gem);
}

static void *map_buffer(struct drm_board *b, const struct r500_buffer *buffer, enum status *st)
{
    struct drm_radeon_gem_mmap map = {.handle = buffer->handle, .size = buffer->size};
    int r = drm_call(b, DRM_IOCTL_RADEON_GEM_MMAP, &map);
    void *at;

    *st = r < 0 ? drm_status("the mapping of a buffer", r) : ST_OK;
    if (r < 0)
        return NULL;
    at = b->calls->map(b->ctx, b->fd, map.addr_ptr, buffer->size);
    *st = at ? ST_OK : drm_status("a buffer's memory", -ENOMEM);
    return at;
}

static enum status create(struct r500_board *board, uint32_t bytes, enum r500_use use,
                          struct r500_buffer *out)
{
    struct drm_board *b = of(board);
    struct drm_buffer *slot = drm_find(b, 0);
    struct drm_radeon_gem_create gem = {
        .size = (bytes + PAGE - 1) / PAGE * PAGE,
        .alignment = PAGE,
        .initial_domain = use == R500_TEXTURE ? RADEON_GEM_DOMAIN_GTT : RADEON_GEM_DOMAIN_VRAM,
    };
    enum status st;
    int r = slot ? drm_call(b, DRM_IOCTL_RADEON_GEM_CREATE, &gem) : -ENOMEM;

    *out = (struct r500_buffer){0};
    if (r < 0)
        return drm_status("a buffer", r);
    *out = (struct r500_buffer){gem.handle, (uint32_t)gem.size, NULL};
    out->data = map_buffer(b, out, &st);
    if (st != ST_OK) {
        close_handle(b, gem.handle);
        *out = (struct r500_buffer){0};
        return st;
    }
    memset(out->data, 0, out->size);
    slot->buffer = *out;
    return ST_OK;
}

static void release(struct r500_board *board, struct r500_buffer *buffer)
{
    struct drm_board *b = of(board);
    struct drm_buffer *slot = drm_find(b, buffer->handle);

    if (slot) {
        drm_display_forget(b, slot);
        *slot = (struct drm_buffer){0};
    }
    b->calls->unmap(b->ctx, buffer->data, buffer->size);
    close_handle(b, buffer->handle);
    *buffer = (struct r500_buffer){0};
}

static enum status begin(struct r500_board *board, const struct r500_buffer *texture)
{
    struct drm_board *b = of(board);
    struct drm_radeon_gem_wait_idle wait = {.handle = texture->handle};
    enum status st = drm_display_wait(b);
    int r = -EBUSY;

    for (unsigned i = 0; st == ST_OK && i < DRM_TRIES && r == -EBUSY; i++)
        r = drm_call(b, DRM_IOCTL_RADEON_GEM_WAIT_IDLE, &wait);
    if (st == ST_OK && r < 0)
        st = drm_status("waiting for a buffer", r);
    return st;
}

/* --- Command streams -------------------------------------------------------------------------- */

/* Logs the checker's message for a refused stream; the driver logs its own only in the kernel. */
static void explain(struct drm_board *b, const struct r500_submit *submit)
{
    struct r500_buffer buffers[DRM_BUFFERS];
    const struct r500_memory memory = {buffers, DRM_BUFFERS};
    struct r500_error error;

    for (unsigned i = 0; i < DRM_BUFFERS; i++)
        buffers[i] = b->buffers[i].buffer;
    if (r500_check(submit, &memory, b->board.chip, &error) != ST_OK)
        log_error("present", "r500: dword %u of the stream: %s", error.at, error.text);
}

static enum status submit_stream(struct r500_board *board, const struct r500_submit *submit,
                                 const struct r500_buffer *texture)
{
    struct drm_board *b = of(board);
    struct drm_radeon_cs_chunk chunks[] = {
        {RADEON_CHUNK_ID_RELOCS, submit->n_relocs * R500_RELOC_DWORDS, (uintptr_t)submit->relocs},
        {RADEON_CHUNK_ID_IB, submit->n, (uintptr_t)submit->stream},
        {RADEON_CHUNK_ID_FLAGS, 2, (uintptr_t)submit->flags},
    };
    const uint64_t pointers[] = {(uintptr_t)&chunks[0], (uintptr_t)&chunks[1],
                                 (uintptr_t)&chunks[2]};
    struct drm_radeon_cs cs = {.num_chunks = 3, .chunks = (uintptr_t)pointers};
    int r = drm_call(b, DRM_IOCTL_RADEON_CS, &cs);

    (void)texture;
    if (r == -EINVAL)
        explain(b, submit);
    return r < 0 ? drm_status("a stream", r) : ST_OK;
}

static enum status flip(struct r500_board *board, const struct r500_flip *flip)
{
    return drm_display_flip(of(board), flip);
}

static enum status close_board(struct r500_board *board)
{
    struct drm_board *b = of(board);

    b->calls->close(b->ctx, b->fd);
    mem_free(b);
    return ST_OK;
}

static enum status end(struct r500_board *board)
{
    drm_display_restore(of(board));
    return close_board(board);
}

static const struct r500_board_ops ops = {create, release, begin, submit_stream, flip, end};

/* --- Opening ---------------------------------------------------------------------------------- */

static enum status find_chip(struct drm_board *b)
{
    char name[DRIVER_NAME] = "";
    struct drm_version version = {.name = name, .name_len = sizeof(name) - 1};
    uint32_t id = 0;
    struct drm_radeon_info info = {.request = RADEON_INFO_DEVICE_ID, .value = (uintptr_t)&id};
    int r = drm_call(b, DRM_IOCTL_VERSION, &version);

    if (r < 0)
        return drm_status("the driver's name", r);
    if (strcmp(name, "radeon") != 0) {
        log_error("present", "%s: the driver is '%s', not 'radeon'", b->path, name);
        return ST_UNSUPPORTED;
    }
    r = drm_call(b, DRM_IOCTL_RADEON_INFO, &info);
    if (r < 0)
        return drm_status("the chip's id", r);
    b->board.chip = r500_chip_by_device(id);
    if (b->board.chip != R500_CHIPS)
        return ST_OK;
    log_error("present", "%s: chip 0x%04x is not RV515, R520, RV530, R580, RV560 or RV570", b->path,
              id);
    return ST_UNSUPPORTED;
}

enum status r500_drm_open(struct r500_board **out, const char *path,
                          const struct r500_drm_calls *calls, void *ctx)
{
    struct drm_board *b = mem_calloc(1, sizeof(*b));
    enum status st;

    *out = NULL;
    if (!b)
        return ST_NOMEM;
    b->board.ops = &ops;
    b->calls = calls ? calls : &drm_system_calls;
    b->ctx = ctx;
    b->path = path;
    b->fd = b->calls->open(ctx, path);
    if (b->fd < 0) {
        log_error("present", "%s: %s", path, strerror(-b->fd));
        mem_free(b);
        return ST_IO;
    }
    st = find_chip(b);
    if (st == ST_OK)
        st = drm_display_find(b);
    b->path = NULL;
    if (st == ST_OK)
        *out = &b->board;
    else
        (void)!close_board(&b->board);
    return st;
}

#else

enum status r500_drm_open(struct r500_board **out, const char *path,
                          const struct r500_drm_calls *calls, void *ctx)
{
    (void)calls;
    (void)ctx;
    *out = NULL;
    log_error("present", "%s: built without radeon's interface (Linux and libdrm-dev)", path);
    return ST_UNSUPPORTED;
}

#endif
