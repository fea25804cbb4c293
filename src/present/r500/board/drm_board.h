/* State of a board of Linux's radeon DRM driver: buffers, command streams, page flips. Private to
 * the drm*.c files and their tests. */
#ifndef PRESENT_R500_BOARD_DRM_BOARD_H
#define PRESENT_R500_BOARD_DRM_BOARD_H

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

/* Kernel structures and ioctl numbers, if libdrm's headers are installed. */
#if defined(__linux__) && defined(__has_include)
#if __has_include(<libdrm/radeon_drm.h>)
#define R500_HAS_DRM 1
#include <libdrm/drm.h>
#include <libdrm/drm_mode.h>
#include <libdrm/radeon_drm.h>

enum {
    DRM_BUFFERS = 8,
    DRM_TRIES = 1000, /* of a request that a signal, a reset or a busy buffer defeats */
};

struct drm_buffer {
    struct r500_buffer buffer;
    uint32_t framebuffer; /* 0: none yet */
};

struct drm_board {
    struct r500_board board;
    const struct r500_drm_calls *calls;
    void *ctx;
    const char *path; /* for messages, only while opening */
    int fd;
    struct drm_buffer buffers[DRM_BUFFERS];
    uint32_t connector, crtc;
    struct drm_mode_modeinfo mode;
    struct drm_mode_crtc before; /* CRTC state before Novem took the display */
    uint32_t shown;              /* framebuffer displayed or queued; 0: none */
    bool flipping;
};

/* The operating system's. */
extern const struct r500_drm_calls drm_system_calls;
/* Calls ioctl, and repeats it after a signal or a GPU reset. */
int drm_call(struct drm_board *board, unsigned long request, void *data);
/* Logs a negative result with the name of the request, and returns its status. */
enum status drm_status(const char *what, int result);
/* handle 0: an unused one. NULL: not found. */
struct drm_buffer *drm_find(struct drm_board *board, uint32_t handle);

/* Finds a connected display and its mode; ST_UNSUPPORTED if there is none. */
MUST_CHECK enum status drm_display_find(struct drm_board *board);
/* Waits until the last flip has completed. */
MUST_CHECK enum status drm_display_wait(struct drm_board *board);
MUST_CHECK enum status drm_display_flip(struct drm_board *board, const struct r500_flip *flip);
/* Called before a buffer is released. */
void drm_display_forget(struct drm_board *board, struct drm_buffer *buffer);
void drm_display_restore(struct drm_board *board);

#endif
#endif

#endif
