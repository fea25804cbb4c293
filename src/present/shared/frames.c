/* Reader of the shared-memory sink: copies frames while another program writes them. It trusts no
 * value in the file: it reads each once, checks its copy and uses the copy. It reads with system
 * calls, because a mapping raises SIGBUS when the writer truncates the file.
 *
 * Tested by tests/unit/present/shared/test_frames.c and tests/fuzz/present/test_frames.c. */
#ifndef _WIN32

#include "present/shared/frames.h"

#include "present/shared/mapped.h"
#include "present/shared/novem_frames.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/log.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIDE_MAX = 16384, SLOTS_MAX = 64, TRIES = 4 };
static const uint64_t CHECK_INTERVAL = CLOCK_SECOND / 5; /* interval of checks for a new file */

struct pixels {
    uint32_t *words;
    size_t room;
};

struct frames_reader {
    char path[MAPPED_PATH_BYTES];
    int file;                   /* -1: none */
    struct stat about;          /* of the file */
    struct novem_frames header; /* checked copy; its `published` and `closed` are old */
    uint64_t checked_at;        /* time of the last check for a new file */
    uint32_t last;              /* count of the last returned frame; 0: none from this file */
    struct pixels shown, spare; /* of the last returned frame, and for the next one */
    uint64_t torn;
};

enum status frames_open(struct frames_reader **out, const char *name)
{
    struct frames_reader *reader = mem_calloc(1, sizeof(*reader));

    *out = NULL;
    if (!reader)
        return ST_NOMEM;
    reader->file = -1;
    if (!mapped_path(reader->path, name)) {
        mem_free(reader);
        return ST_INVALID;
    }
    *out = reader;
    return ST_OK;
}

void frames_close(struct frames_reader *reader)
{
    if (!reader)
        return;
    if (reader->file >= 0)
        close(reader->file);
    mem_free(reader->shown.words);
    mem_free(reader->spare.words);
    mem_free(reader);
}

/* Returns false if the file is shorter. */
static bool read_at(int file, void *to, size_t n, uint64_t at)
{
    uint8_t *bytes = to;

    while (n) {
        ssize_t got = pread(file, bytes, n, (off_t)at);

        if (got > 0) {
            bytes += got;
            at += (uint64_t)got;
            n -= (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool frames_has_writer(const struct frames_reader *reader)
{
    uint32_t closed;

    return reader->file >= 0 && reader->last &&
           read_at(reader->file, &closed, sizeof(closed), offsetof(struct novem_frames, closed)) &&
           !closed;
}

uint64_t frames_torn_count(const struct frames_reader *reader)
{
    return reader->torn;
}

/* --- The file --------------------------------------------------------------------------------- */

/* The header is constant, so one copy and one check suffice. */
static bool read_header(int file, uint64_t file_bytes, struct novem_frames *h)
{
    uint32_t magic;

    if (!read_at(file, &magic, sizeof(magic), 0))
        return false;
    __atomic_thread_fence(__ATOMIC_ACQUIRE); /* the writer stores the magic number last */
    return magic == NOVEM_FRAMES_MAGIC && read_at(file, h, sizeof(*h), 0) &&
           h->version == NOVEM_FRAMES_VERSION && h->slots && h->slots < SLOTS_MAX &&
           h->slot_offset >= sizeof(*h) && h->slot_offset % 64 == 0 && h->slot_bytes % 64 == 0 &&
           h->slot_bytes >= sizeof(struct novem_frame) &&
           h->slot_offset + (uint64_t)h->slots * h->slot_bytes <= file_bytes;
}

static bool is_current(const struct frames_reader *reader, const struct stat *about)
{
    return reader->file >= 0 && reader->about.st_ino == about->st_ino &&
           reader->about.st_dev == about->st_dev;
}

/* Opens the file of the name if it is another one; returns -1 if it is not. A pipe must not block
 * the reader. */
static int open_new(const struct frames_reader *reader, struct stat *about)
{
    int file = open(reader->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    if (file < 0)
        return -1;
    if (fstat(file, about) || !S_ISREG(about->st_mode))
        log_once("present", reader->path, "%s: not a file with frames", reader->path);
    else if (!is_current(reader, about))
        return file;
    close(file);
    return -1;
}

/* Switches to a valid new file of the same name, if there is one. */
static void check_for_new_file(struct frames_reader *reader)
{
    uint64_t now = clock_now();
    struct novem_frames header;
    struct stat about;
    int file;

    if (reader->checked_at && now - reader->checked_at < CHECK_INTERVAL &&
        now >= reader->checked_at)
        return;
    reader->checked_at = now;
    file = open_new(reader, &about);
    if (file < 0)
        return;
    if (!read_header(file, (uint64_t)about.st_size, &header)) {
        close(file);
        return;
    }
    if (reader->file >= 0)
        close(reader->file);
    reader->file = file;
    reader->about = about;
    reader->header = header;
    reader->last = 0;
}

/* --- Frames ----------------------------------------------------------------------------------- */

static enum status make_room(struct pixels *pixels, size_t n)
{
    uint32_t *words;

    if (n <= pixels->room)
        return ST_OK;
    words = mem_alloc(n * sizeof(*words));
    if (!words)
        return ST_NOMEM;
    mem_free(pixels->words);
    *pixels = (struct pixels){words, n};
    return ST_OK;
}

static bool fits(const struct novem_frame *frame, uint32_t slot_bytes)
{
    return frame->width && frame->height && frame->width <= SIDE_MAX && frame->height <= SIDE_MAX &&
           frame->format == NOVEM_FRAMES_B8G8R8X8 && frame->pitch >= 4 * frame->width &&
           sizeof(*frame) + (uint64_t)frame->pitch * frame->height <= slot_bytes;
}

/* Reads the rows at an offset of the file. ST_BUSY: the file is shorter now. */
static enum status read_rows(struct frames_reader *reader, uint64_t at,
                             const struct novem_frame *about)
{
    size_t row = (size_t)about->width * 4;
    enum status st = make_room(&reader->spare, (size_t)about->width * about->height);

    if (st != ST_OK)
        return st;
    if (about->pitch == row)
        return read_at(reader->file, reader->spare.words, row * about->height, at) ? ST_OK
                                                                                   : ST_BUSY;
    for (uint32_t y = 0; y < about->height; y++)
        if (!read_at(reader->file, reader->spare.words + (size_t)y * about->width, row,
                     at + (uint64_t)y * about->pitch))
            return ST_BUSY;
    return ST_OK;
}

/* Copies one frame to the spare pixels. Returns ST_BUSY if the writer reused the slot meanwhile. */
static enum status take(struct frames_reader *reader, uint32_t count, struct novem_frame *about)
{
    const struct novem_frames *h = &reader->header;
    uint64_t slot = h->slot_offset + (uint64_t)((count - 1) % h->slots) * h->slot_bytes;
    uint32_t before, after;
    enum status st;

    if (!read_at(reader->file, &before, sizeof(before), slot) || before & 1)
        return ST_BUSY;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (!read_at(reader->file, about, sizeof(*about), slot) || about->count != count ||
        !fits(about, h->slot_bytes))
        return ST_BUSY;
    st = read_rows(reader, slot + sizeof(*about), about);
    __atomic_thread_fence(__ATOMIC_ACQUIRE); /* ends the copy before the sequence is read again */
    if (st == ST_OK && (!read_at(reader->file, &after, sizeof(after), slot) || after != before))
        return ST_BUSY;
    return st;
}

/* Retries, because each attempt may find a newer frame. */
static enum status take_newest(struct frames_reader *reader, struct novem_frame *about)
{
    enum status st = ST_BUSY;

    for (unsigned i = 0; i < TRIES && st == ST_BUSY; i++) {
        uint32_t count;

        if (reader->file < 0 ||
            !read_at(reader->file, &count, sizeof(count), offsetof(struct novem_frames, published)))
            return ST_NOTFOUND;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (!count || count == reader->last)
            return ST_NOTFOUND;
        st = take(reader, count, about);
        reader->torn += st == ST_BUSY;
    }
    return st == ST_BUSY ? ST_NOTFOUND : st;
}

enum status frames_next(struct frames_reader *reader, struct frames_picture *out)
{
    struct novem_frame about;
    struct pixels taken;
    enum status st = take_newest(reader, &about);

    if (st == ST_NOTFOUND) {
        check_for_new_file(reader);
        st = take_newest(reader, &about);
    }
    if (st != ST_OK)
        return st;
    taken = reader->spare;
    reader->spare = reader->shown;
    reader->shown = taken;
    reader->last = about.count;
    *out = (struct frames_picture){
        .pixels = taken.words,
        .width = about.width,
        .height = about.height,
        .number = about.number_low | (uint64_t)about.number_high << 32,
        .count = about.count,
        .writer = reader->header.writer,
        .draws = about.draws,
        .primitives = about.primitives,
    };
    return ST_OK;
}

#endif
