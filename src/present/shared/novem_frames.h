/* Shared-memory layout of the sink "shm:NAME" (docs/present.md describes the reading protocol).
 *
 * The header depends on nothing else, so that other viewers can include it, from C and C++. All
 * numbers are little-endian; 32-bit and 64-bit programs use the same layout. */
#ifndef NOVEM_FRAMES_H
#define NOVEM_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#define NOVEM_FRAMES_MAGIC 0x4d46564eu /* "NVFM" */
#define NOVEM_FRAMES_VERSION 1u
#define NOVEM_FRAMES_SLOTS 3u
#define NOVEM_FRAMES_B8G8R8X8 1u /* bytes blue, green, red, undefined */

/* Header at the start of the file. */
struct novem_frames {
    uint32_t magic; /* stored last; then only `published` and `closed` change */
    uint32_t version;
    uint32_t slots;       /* number of slots in the ring */
    uint32_t slot_offset; /* of the first slot, from the start of the file */
    uint32_t slot_bytes;  /* distance between slots */
    uint32_t writer;      /* process number of the writer */
    uint32_t published; /* frames so far; 0: none. The newest is in slot (published - 1) % slots */
    uint32_t closed;    /* 1: no more frames in this file; a new file of this name may follow */
    uint32_t reserved[8]; /* 0 */
};

/* Header of a slot; rows of pixels follow, top row first. */
struct novem_frame {
    uint32_t sequence; /* seqlock: odd while written. A copy is valid if it was even and is
                        * unchanged afterwards */
    uint32_t count;    /* value of `published` with this frame */
    uint32_t number_low, number_high; /* frame number in its swap chain, from 0 */
    uint32_t width, height;           /* pixels */
    uint32_t pitch;                   /* bytes per row */
    uint32_t format;                  /* NOVEM_FRAMES_B8G8R8X8 */
    uint32_t draws, primitives;       /* draw calls and triangles of the frame, for statistics */
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
