/* DRM board: system calls, requests to the driver, and their errors.
 *
 * Tested by tests/unit/present/r500/board/test_drm.c. */
#include "present/r500/board/drm_board.h"

#ifdef R500_HAS_DRM

#include "util/clock.h"
#include "util/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { AGAIN_NS = 1000000 };

/* --- System calls ----------------------------------------------------------------------------- */

static int real_open(void *ctx, const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);

    (void)ctx;
    return fd < 0 ? -errno : fd;
}

static void real_close(void *ctx, int fd)
{
    (void)ctx;
    close(fd);
}

static int real_ioctl(void *ctx, int fd, unsigned long request, void *data)
{
    (void)ctx;
    return ioctl(fd, request, data) < 0 ? -errno : 0;
}

static void *real_map(void *ctx, int fd, uint64_t offset, size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);

    (void)ctx;
    return at == MAP_FAILED ? NULL : at;
}

static void real_unmap(void *ctx, void *at, size_t size)
{
    (void)ctx;
    munmap(at, size);
}

static int real_read(void *ctx, int fd, void *data, size_t size, int timeout)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    int n = poll(&wait, 1, timeout);

    (void)ctx;
    if (n > 0)
        n = (int)read(fd, data, size);
    return n < 0 ? -errno : n;
}

const struct r500_drm_calls drm_system_calls = {real_open, real_close, real_ioctl,
                                                real_map,  real_unmap, real_read};

/* --- Requests --------------------------------------------------------------------------------- */

int drm_call(struct drm_board *b, unsigned long request, void *data)
{
    int r = -EAGAIN;

    for (unsigned i = 0; i < DRM_TRIES && (r == -EINTR || r == -EAGAIN); i++) {
        if (i && r == -EAGAIN)
            clock_sleep_until(clock_now() + AGAIN_NS);
        r = b->calls->ioctl(b->ctx, b->fd, request, data);
    }
    return r;
}

enum status drm_status(const char *what, int result)
{
    log_error("present", "r500: %s: %s", what, strerror(-result));
    switch (-result) {
    case ENOMEM:
    case ENOSPC:
        return ST_NOMEM;
    case EINVAL:
    case ENOENT:
        return ST_INVALID;
    case EBUSY:
        return ST_BUSY;
    case EIO:
    case ENODEV:
    case EDEADLK:
        return ST_LOST;
    default:
        return ST_IO;
    }
}

struct drm_buffer *drm_find(struct drm_board *b, uint32_t handle)
{
    for (unsigned i = 0; i < DRM_BUFFERS; i++)
        if (b->buffers[i].buffer.handle == handle)
            return &b->buffers[i];
    return NULL;
}

#else
typedef int r500_no_drm_calls; /* avoids an empty translation unit */
#endif
