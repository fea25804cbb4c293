/* Sink "shm:NAME": publishes frames in shared memory (novem_frames.h), for `novem view` and other
 * viewers. Only the newest frame matters, so the writer never waits for readers.
 *
 * Tested by tests/unit/present/shared/test_frames.c. */
#include "present/monitor/view.h"
#include "present/shared/mapped.h"
#include "present/shared/novem_frames.h"
#include "present/sink/sink.h"
#include "util/alloc.h"
#include "util/log.h"
#include "util/process.h"

#include <string.h>

enum { PAGE = 4096 };

struct present_sink {
    char path[MAPPED_PATH_BYTES];
    uint32_t magic;       /* of a file that may be replaced; 0: any of this name */
    struct mapped mapped; /* created with the first frame, which gives the size */
    uint32_t slot_bytes;
    /* Never read from the shared memory, to which other programs may write. */
    uint32_t published, sequence[NOVEM_FRAMES_SLOTS];
    struct canvas canvas;
};

static struct novem_frames *header_of(const struct present_sink *sink)
{
    return (struct novem_frames *)(void *)sink->mapped.bytes;
}

/* --- The file --------------------------------------------------------------------------------- */

static void leave(struct present_sink *sink)
{
    if (!sink->mapped.bytes)
        return;
    if (mapped_is_whole(&sink->mapped, sink->path))
        __atomic_store_n(&header_of(sink)->closed, 1, __ATOMIC_RELEASE);
#ifdef _WIN32
    mapped_close(&sink->mapped);
    mapped_remove(&sink->mapped, sink->path);
#else
    mapped_remove(&sink->mapped, sink->path);
    mapped_close(&sink->mapped);
#endif
}

/* Creates a file for frames of at most this size. Viewers of the old file follow to the new one. */
static enum status enter(struct present_sink *sink, uint64_t frame_bytes)
{
    uint64_t slot = (frame_bytes + sizeof(struct novem_frame) + PAGE - 1) / PAGE * PAGE;
    uint64_t size = PAGE + NOVEM_FRAMES_SLOTS * slot;
    struct novem_frames *header;
    enum status st;

    leave(sink);
    if (slot > UINT32_MAX || size > SIZE_MAX)
        return ST_NOMEM;
    st = mapped_create(&sink->mapped, sink->path, (size_t)size, sink->magic);
    if (st != ST_OK)
        return st;
    sink->published = 0;
    memset(sink->sequence, 0, sizeof(sink->sequence));
    sink->slot_bytes = (uint32_t)slot;
    header = header_of(sink);
    header->version = NOVEM_FRAMES_VERSION;
    header->slots = NOVEM_FRAMES_SLOTS;
    header->slot_offset = PAGE;
    header->slot_bytes = sink->slot_bytes;
    header->writer = (uint32_t)process_id();
    __atomic_store_n(&header->magic, NOVEM_FRAMES_MAGIC, __ATOMIC_RELEASE);
    return ST_OK;
}

/* --- Frames ----------------------------------------------------------------------------------- */

static enum status fill(struct present_sink *sink, struct novem_frame *slot,
                        const struct present_frame *frame, const struct view_gamma *gamma,
                        uint32_t count)
{
    const struct view_image to = {(uint32_t *)(void *)(slot + 1), frame->width, frame->width,
                                  frame->height};

    slot->count = count;
    slot->number_low = (uint32_t)frame->number;
    slot->number_high = (uint32_t)(frame->number >> 32);
    slot->width = frame->width;
    slot->height = frame->height;
    slot->pitch = frame->width * 4;
    slot->format = NOVEM_FRAMES_B8G8R8X8;
    slot->draws = frame->counters.draws;
    slot->primitives = (uint32_t)frame->counters.primitives;
    return canvas_copy(&sink->canvas, frame, gamma, &to);
}

static enum status shm_show(struct present_sink *sink, const struct present_frame *frame,
                            const struct present_view *view)
{
    uint64_t bytes = (uint64_t)frame->width * 4 * frame->height;
    enum status st = ST_OK;
    struct novem_frame *slot;
    uint32_t count, at, sequence;

    if (frame->chain)
        return ST_OK;
    if (!sink->mapped.bytes || bytes + sizeof(*slot) > sink->slot_bytes)
        st = enter(sink, bytes);
    if (st != ST_OK)
        return st;
    if (!mapped_is_whole(&sink->mapped, sink->path))
        return ST_IO;
    count = ++sink->published;
    at = (count - 1) % NOVEM_FRAMES_SLOTS;
    slot =
        (struct novem_frame *)(void *)(sink->mapped.bytes + PAGE + (size_t)sink->slot_bytes * at);
    sequence = sink->sequence[at] + 1;
    sink->sequence[at] = sequence + 1;
    __atomic_store_n(&slot->sequence, sequence, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* the odd sequence is visible before any pixel */
    st = fill(sink, slot, frame, view->gamma, count);
    __atomic_store_n(&slot->sequence, sequence + 1, __ATOMIC_RELEASE);
    if (st == ST_OK)
        __atomic_store_n(&header_of(sink)->published, count, __ATOMIC_RELEASE);
    return st;
}

/* --- Opening ---------------------------------------------------------------------------------- */

static enum status shm_open_sink(struct present_sink **out, const char *target,
                                 const struct present_options *options)
{
    struct present_sink *sink;

    (void)options;
    *out = NULL;
    if (!*target) {
        log_error("present", "shm needs a name: shm:NAME");
        return ST_INVALID;
    }
    sink = mem_calloc(1, sizeof(*sink));
    if (!sink)
        return ST_NOMEM;
    /* The names in /dev/shm are Novem's own. */
    sink->magic = strpbrk(target, "/\\") ? NOVEM_FRAMES_MAGIC : 0;
    if (!mapped_path(sink->path, target)) {
        mem_free(sink);
        return ST_INVALID;
    }
    *out = sink;
    return ST_OK;
}

static enum status shm_close(struct present_sink *sink)
{
    leave(sink);
    canvas_fini(&sink->canvas);
    mem_free(sink);
    return ST_OK;
}

const struct present_sink_ops present_shm_ops = {
    .name = "shm",
    .pacing = PRESENT_PACE_ALL,
    .open = shm_open_sink,
    .show = shm_show,
    .close = shm_close,
};
