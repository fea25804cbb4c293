/* Frames of a program on Novem in memory that other programs see: the sink "shm:NAME"
 * (docs/present.md tells how to read it). Stands alone, for viewers of others; C and C++. All
 * numbers are little-endian, and the layout is that of 32- and 64-bit programs. */
#ifndef NOVEM_FRAMES_H
#define NOVEM_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#define NOVEM_FRAMES_MAGIC 0x4d46564eu /* "NVFM" */
#define NOVEM_FRAMES_VERSION 1u
#define NOVEM_FRAMES_SLOTS 3u
#define NOVEM_FRAMES_B8G8R8X8 1u /* bytes blue, green, red, anything */

/* At the beginning of the file. */
struct novem_frames {
    uint32_t magic; /* stored last: all but `published` and `closed` stays as it is */
    uint32_t version;
    uint32_t slots;       /* that frames take turns in */
    uint32_t slot_offset; /* of the first, from the file's beginning */
    uint32_t slot_bytes;  /* from one to the next */
    uint32_t writer;      /* number of the process that writes */
    uint32_t published; /* frames so far; the newest is in slot (published - 1) % slots. 0: none */
    uint32_t closed;    /* 1: no frame will follow here; there may be a new file of the name */
    uint32_t reserved[8]; /* 0 */
};

/* At the beginning of each slot; rows of pixels follow, the top one first. */
struct novem_frame {
    uint32_t sequence; /* odd: being written. A copy counts if it is even and the same afterwards */
    uint32_t count;    /* what `published` is with this frame */
    uint32_t number_low, number_high; /* of the frame in its swap chain, from 0 */
    uint32_t width, height;           /* pixels */
    uint32_t pitch;                   /* bytes from a row to the next */
    uint32_t format;                  /* NOVEM_FRAMES_B8G8R8X8 */
    uint32_t draws, primitives;       /* calls and triangles of the frame, for the curious */
    uint32_t reserved[6];             /* 0 */
};

#define NOVEM_FRAMES_ASSERT(name, truth) typedef char novem_frames_##name[(truth) ? 1 : -1]
NOVEM_FRAMES_ASSERT(header_bytes, sizeof(struct novem_frames) == 64);
NOVEM_FRAMES_ASSERT(published_at, offsetof(struct novem_frames, published) == 24);
NOVEM_FRAMES_ASSERT(closed_at, offsetof(struct novem_frames, closed) == 28);
NOVEM_FRAMES_ASSERT(frame_bytes, sizeof(struct novem_frame) == 64);
NOVEM_FRAMES_ASSERT(width_at, offsetof(struct novem_frame, width) == 16);
NOVEM_FRAMES_ASSERT(format_at, offsetof(struct novem_frame, format) == 28);

#endif
