/* Writes the frame log: one system call for each row, so that no end of the program loses rows. */
#include "present/file/frame_log.h"

#include "present/file/stream.h"
#include "util/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { ROW_BYTES = 256 };

static const char header[] = "chain,frame,present_ms,since_last_ms,render_ms,wait_ms,show_ms,draws,"
                             "primitives\n";

/* A pipe has no place to store rows: its reader could stop or end the program. */
static enum status refuse_pipes(const struct frame_log *log)
{
    struct stat about;

    if (!fstat(log->file, &about) && (S_ISREG(about.st_mode) || S_ISCHR(about.st_mode)))
        return ST_OK;
    log_error("present", "%s: a frame log (FRAME_LOG) cannot be a pipe", log->path);
    return ST_IO;
}

static enum status open_log(struct frame_log *log, const struct frame_times *times)
{
    enum status st;

    log->file = output_file_open(log->path, log->name);
    if (log->file < 0) {
        log_error("present", "%s: the frame log (FRAME_LOG) cannot be opened: %s", log->name,
                  strerror(errno));
        return ST_IO;
    }
    log->state = FRAME_LOG_OPEN;
    log->start = log->done = times->due;
    if (strcmp(log->path, log->name) != 0)
        log_warn("present", "%s is the file of another device or program: these rows go to %s",
                 log->name, log->path);
    st = refuse_pipes(log);
    return st == ST_OK ? stream_write(log->file, log->path, header, sizeof(header) - 1, NULL) : st;
}

/* Milliseconds with three digits behind a point, whatever the program's locale is. */
static int put_ms(char *out, size_t size, uint64_t from, uint64_t to)
{
    uint64_t us = to > from ? (to - from) / 1000 : 0;

    return snprintf(out, size, "%" PRIu64 ".%03u,", us / 1000, (unsigned)(us % 1000));
}

/* Times that a first frame has no start for are empty. */
static size_t format_row(const struct frame_log *log, const struct present_frame *frame,
                         const struct frame_times *times, bool first, char row[ROW_BYTES])
{
    const struct {
        uint64_t from, to;
        bool known;
    } columns[] = {{log->start, times->due, true},
                   {log->last[frame->chain], times->due, log->last[frame->chain] != 0},
                   {log->done, times->ready, !first},
                   {times->ready, times->due, true},
                   {times->due, times->done, true}};
    int n = snprintf(row, ROW_BYTES, "%" PRIu32 ",%" PRIu64 ",", frame->chain, frame->number);

    for (unsigned i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        n += columns[i].known
                 ? put_ms(row + n, ROW_BYTES - (size_t)n, columns[i].from, columns[i].to)
                 : snprintf(row + n, ROW_BYTES - (size_t)n, ",");
    n += snprintf(row + n, ROW_BYTES - (size_t)n, "%" PRIu32 ",%" PRIu64 "\n",
                  frame->counters.draws, frame->counters.primitives);
    return (size_t)n;
}

enum status frame_log_add(struct frame_log *log, const struct present_frame *frame,
                          const struct frame_times *times)
{
    bool first = log->state == FRAME_LOG_NEW;
    enum status st = ST_OK;
    char row[ROW_BYTES];

    if (log->state == FRAME_LOG_FAILED)
        return ST_OK;
    if (frame->chain >= FRAME_LOG_CHAINS) {
        log_once("present", "frame log", "%s: frames of swap chains from %d on are left out",
                 log->path, FRAME_LOG_CHAINS);
        return ST_OK;
    }
    if (first)
        st = open_log(log, times);
    if (st == ST_OK)
        st = stream_write(log->file, log->path, row, format_row(log, frame, times, first, row),
                          NULL);
    log->last[frame->chain] = times->due;
    log->done = times->done;
    if (st == ST_OK)
        return ST_OK;
    if (log->state == FRAME_LOG_OPEN)
        (void)!stream_close(log->file, log->path);
    log->state = FRAME_LOG_FAILED;
    return st;
}

enum status frame_log_fini(struct frame_log *log)
{
    bool open = log->state == FRAME_LOG_OPEN;

    log->state = FRAME_LOG_FAILED;
    return open ? stream_close(log->file, log->path) : ST_OK;
}
