/* R500 board of Linux's radeon DRM driver: buffers, command streams, page flips. */
#ifndef PRESENT_R500_BOARD_DRM_H
#define PRESENT_R500_BOARD_DRM_H

#include "present/r500/board/board.h"

/* System calls, which tests replace. Negative results are errors: -EINTR and so on. */
struct r500_drm_calls {
    int (*open)(void *ctx, const char *path);
    void (*close)(void *ctx, int fd);
    int (*ioctl)(void *ctx, int fd, unsigned long request, void *data);
    void *(*map)(void *ctx, int fd, uint64_t offset, size_t size); /* NULL: failure */
    void (*unmap)(void *ctx, void *at, size_t size);
    /* Waits for data; returns bytes, or 0 after `timeout` milliseconds. */
    int (*read)(void *ctx, int fd, void *data, size_t size, int timeout);
};

/* calls NULL: the operating system's. The display keeps its mode; closing the board restores its
 * picture. Logs errors. ST_UNSUPPORTED: no R500, no display, or not Linux. */
MUST_CHECK enum status r500_drm_open(struct r500_board **out, const char *path,
                                     const struct r500_drm_calls *calls, void *ctx);

#endif
