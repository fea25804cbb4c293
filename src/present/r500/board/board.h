/* Interface of an R500 board, which executes command streams and displays buffers: a file or a DRM
 * device. */
#ifndef PRESENT_R500_BOARD_BOARD_H
#define PRESENT_R500_BOARD_BOARD_H

#include "present/r500/stream/file.h"

enum r500_use { R500_TEXTURE, R500_TARGET };

struct r500_board;
struct r500_board_ops {
    /* out->data: zeroed mapping. The board owns it until release. */
    enum status (*create)(struct r500_board *board, uint32_t bytes, enum r500_use use,
                          struct r500_buffer *out);
    void (*release)(struct r500_board *board, struct r500_buffer *buffer);
    /* Waits until the texture may be written: no stream reads it, its target is not displayed. */
    enum status (*begin)(struct r500_board *board, const struct r500_buffer *texture);
    enum status (*submit)(struct r500_board *board, const struct r500_submit *submit,
                          const struct r500_buffer *texture);
    enum status (*flip)(struct r500_board *board, const struct r500_flip *flip);
    enum status (*close)(struct r500_board *board); /* logs failures */
};

struct r500_board {
    const struct r500_board_ops *ops;
    enum r500_chip chip;
    uint32_t width, height;      /* of the display; 0: any size */
    struct async_writer *writer; /* calls the board of a file; else NULL */
};

/* The first buffer creates the file, so that a device without frames leaves none. Calls return
 * ST_IO, logged, if the file cannot be written. */
MUST_CHECK enum status r500_board_file(struct r500_board **out, const char *name,
                                       enum r500_chip chip);

struct r500_drm_calls; /* system calls, which tests replace */
/* calls NULL: the operating system's. The display keeps its mode; closing the board restores its
 * picture. Logs errors. ST_UNSUPPORTED: no R500, no display, or not Linux. */
MUST_CHECK enum status r500_drm_open(struct r500_board **out, const char *path,
                                     const struct r500_drm_calls *calls, void *ctx);

#endif
