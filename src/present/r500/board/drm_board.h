/* State of a DRM board. Private to the drm*.c files; Linux only. */
#ifndef PRESENT_R500_BOARD_DRM_BOARD_H
#define PRESENT_R500_BOARD_DRM_BOARD_H

#include "present/r500/board/drm.h"

/* Kernel structures and ioctl numbers, if libdrm's headers are installed. */
#if defined(__linux__) && defined(__has_include)
#if __has_include(<libdrm/radeon_drm.h>)
#define R500_HAS_DRM 1
#include <libdrm/drm.h>
#include <libdrm/drm_mode.h>
#include <libdrm/radeon_drm.h>

enum { DRM_BUFFERS = 8 };

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

/* Calls ioctl, and repeats it after a signal or a GPU reset. */
int drm_call(struct drm_board *board, unsigned long request, void *data);
/* Logs a negative result with the name of the request, and returns its status. */
enum status drm_status(const char *what, int result);
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
