/* The parts of a board behind DRM. Private to r500's drm files; Linux alone. */
#ifndef PRESENT_R500_DRM_BOARD_H
#define PRESENT_R500_DRM_BOARD_H

#include "present/r500/drm.h"

/* Structures and request numbers of the kernel, where libdrm's headers are installed. */
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
    const char *path; /* for messages, until opening has ended */
    int fd;
    struct drm_buffer buffers[DRM_BUFFERS];
    uint32_t connector, crtc;
    struct drm_mode_modeinfo mode;
    struct drm_mode_crtc before; /* what the display showed */
    uint32_t shown;              /* framebuffer on the display or on its way there; 0: none */
    bool flipping;
};

/* The kernel's answer, asked again where a signal or a reset of the GPU came between. */
int drm_call(struct drm_board *board, unsigned long request, void *data);
/* For a negative answer: logged with what was asked. */
enum status drm_status(const char *what, int result);
struct drm_buffer *drm_find(struct drm_board *board, uint32_t handle);

/* A connected display with its mode, ST_UNSUPPORTED where there is none. */
MUST_CHECK enum status drm_display_find(struct drm_board *board);
/* The last flip has happened. */
MUST_CHECK enum status drm_display_wait(struct drm_board *board);
MUST_CHECK enum status drm_display_flip(struct drm_board *board, const struct r500_flip *flip);
/* Before a buffer goes. */
void drm_display_forget(struct drm_board *board, struct drm_buffer *buffer);
void drm_display_restore(struct drm_board *board);

#endif
#endif

#endif
