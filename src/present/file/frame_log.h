/* Frame log: a CSV file with a row for each frame. Private to present. */
#ifndef PRESENT_FILE_FRAME_LOG_H
#define PRESENT_FILE_FRAME_LOG_H

#include "present/present.h"
#include "util/output_file.h"

enum { FRAME_LOG_CHAINS = 256 }; /* frames of chains with higher numbers are not logged */

/* Times of a frame in nanoseconds, by clock_now. */
struct frame_times {
    uint64_t ready; /* the frame is rendered and reaches the sinks */
    uint64_t due;   /* frame pacing lets it be shown */
    uint64_t done;  /* all sinks have it */
};

/* All zero: no log. */
struct frame_log {
    const char *name; /* the file, as the user named it; borrowed */
    enum { FRAME_LOG_NEW, FRAME_LOG_OPEN, FRAME_LOG_FAILED } state;
    int file;
    char path[OUTPUT_PATH_BYTES];
    uint64_t start;                  /* time of the first frame */
    uint64_t done;                   /* time at which the last frame of any chain was done */
    uint64_t last[FRAME_LOG_CHAINS]; /* time of the chain's last frame; 0: none yet */
};

/* Writes a row; the first call creates the file. The row is on disk, as far as the system's cache
 * is, when the call returns. ST_IO: logged; the log ends. */
MUST_CHECK enum status frame_log_add(struct frame_log *log, const struct present_frame *frame,
                                     const struct frame_times *times);
/* ST_IO: the file could not be closed; logged. */
MUST_CHECK enum status frame_log_fini(struct frame_log *log);

#endif
