/* Reader of the shared-memory sink: copies frames while another program writes them. It trusts no
 * value in the file. */
#ifndef _WIN32

#include "present/shared/frames.h"

#include "present/shared/mapped.h"
#include "present/shared/novem_frames.h"
#include "util/alloc.h"
#include "util/clock.h"

#include <string.h>

enum { SIDE_MAX = 16384, TRIES = 4 };
static const uint64_t CHECK_INTERVAL = CLOCK_SECOND / 5; /* interval of checks for a new file */

struct frames_reader {
    char path[MAPPED_PATH_BYTES];
    struct mapped mapped;
    uint64_t checked_at; /* time of the last check */
    uint32_t last;       /* count of the last returned frame; 0: none from this file */
    uint32_t *pixels;
    size_t room; /* pixels */
    uint64_t torn;
};

enum status frames_open(struct frames_reader **out, const char *name)
{
    struct frames_reader *reader = mem_calloc(1, sizeof(*reader));

    *out = NULL;
    if (!reader)
        return ST_NOMEM;
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
    mapped_close(&reader->mapped);
    mem_free(reader->pixels);
    mem_free(reader);
}

static const struct novem_frames *header_of(const struct mapped *mapped)
{
    return (const struct novem_frames *)(const void *)mapped->bytes;
}

bool frames_has_writer(const struct frames_reader *reader)
{
    return reader->mapped.bytes && reader->last &&
           !__atomic_load_n(&header_of(&reader->mapped)->closed, __ATOMIC_ACQUIRE);
}

uint64_t frames_torn_count(const struct frames_reader *reader)
{
    return reader->torn;
}

/* --- The file --------------------------------------------------------------------------------- */

/* The header is constant, so one check suffices. */
static bool is_sound(const struct mapped *mapped)
{
    const struct novem_frames *h = header_of(mapped);

    return mapped->size >= sizeof(*h) &&
           __atomic_load_n(&h->magic, __ATOMIC_ACQUIRE) == NOVEM_FRAMES_MAGIC &&
           h->version == NOVEM_FRAMES_VERSION && h->slots && h->slots < 64 &&
           h->slot_offset >= sizeof(*h) && h->slot_offset % 64 == 0 && h->slot_bytes % 64 == 0 &&
           h->slot_bytes >= sizeof(struct novem_frame) &&
           h->slot_offset + (uint64_t)h->slots * h->slot_bytes <= mapped->size;
}

/* Switches to a valid new file of the same name, if there is one. */
static void check_for_new_file(struct frames_reader *reader)
{
    uint64_t now = clock_now();
    struct mapped found;

    if (reader->checked_at && now - reader->checked_at < CHECK_INTERVAL &&
        now >= reader->checked_at)
        return;
    reader->checked_at = now;
    if (mapped_read(&found, reader->path, &reader->mapped) != ST_OK)
        return;
    if (!is_sound(&found)) {
        mapped_close(&found);
        return;
    }
    mapped_close(&reader->mapped);
    reader->mapped = found;
    reader->last = 0;
}

/* --- Frames ----------------------------------------------------------------------------------- */

static enum status make_room(struct frames_reader *reader, size_t pixels)
{
    uint32_t *grown;

    if (pixels <= reader->room)
        return ST_OK;
    grown = mem_realloc(reader->pixels, pixels * sizeof(*grown));
    if (!grown)
        return ST_NOMEM;
    reader->pixels = grown;
    reader->room = pixels;
    return ST_OK;
}

static bool fits(const struct novem_frame *frame, uint32_t slot_bytes)
{
    return frame->width && frame->height && frame->width <= SIDE_MAX && frame->height <= SIDE_MAX &&
           frame->format == NOVEM_FRAMES_B8G8R8X8 && frame->pitch >= 4 * frame->width &&
           sizeof(*frame) + (uint64_t)frame->pitch * frame->height <= slot_bytes;
}

static enum status copy(struct frames_reader *reader, const struct novem_frame *slot,
                        const struct novem_frame *about)
{
    enum status st = make_room(reader, (size_t)about->width * about->height);
    const uint8_t *rows = (const uint8_t *)(slot + 1);

    if (st != ST_OK)
        return st;
    for (uint32_t y = 0; y < about->height; y++)
        memcpy(reader->pixels + (size_t)y * about->width, rows + (size_t)y * about->pitch,
               (size_t)about->width * 4);
    return ST_OK;
}

/* Copies one frame. Returns ST_BUSY if the writer reused the slot meanwhile. */
static enum status take(struct frames_reader *reader, uint32_t count, struct novem_frame *about)
{
    const struct novem_frames *h = header_of(&reader->mapped);
    const struct novem_frame *slot =
        (const void *)(reader->mapped.bytes + h->slot_offset +
                       (size_t)((count - 1) % h->slots) * h->slot_bytes);
    uint32_t before = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
    enum status st = ST_BUSY;

    if (before & 1)
        return ST_BUSY;
    memcpy(about, slot, sizeof(*about));
    if (about->count == count && fits(about, h->slot_bytes))
        st = copy(reader, slot, about);
    __atomic_thread_fence(__ATOMIC_ACQUIRE); /* ends the copy before the sequence is read again */
    if (st == ST_OK && __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) != before)
        return ST_BUSY;
    return st;
}

/* Retries, because each attempt may find a newer frame. */
static enum status take_newest(struct frames_reader *reader, struct novem_frame *about)
{
    const struct novem_frames *h = header_of(&reader->mapped);
    enum status st = ST_BUSY;

    for (unsigned i = 0; i < TRIES && st == ST_BUSY; i++) {
        uint32_t count = __atomic_load_n(&h->published, __ATOMIC_ACQUIRE);

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
    enum status st = reader->mapped.bytes ? take_newest(reader, &about) : ST_NOTFOUND;

    if (st == ST_NOTFOUND) {
        check_for_new_file(reader);
        st = reader->mapped.bytes ? take_newest(reader, &about) : ST_NOTFOUND;
    }
    if (st != ST_OK)
        return st;
    reader->last = about.count;
    *out = (struct frames_picture){
        .pixels = reader->pixels,
        .width = about.width,
        .height = about.height,
        .number = about.number_low | (uint64_t)about.number_high << 32,
        .count = about.count,
        .writer = header_of(&reader->mapped)->writer,
        .draws = about.draws,
        .primitives = about.primitives,
    };
    return ST_OK;
}

#endif
