/* Locked regions and memory uploads of a replay. Directly before each Unlock, the tracer records
 * the bytes of the locked range as they are then, in the pitch that the program saw.
 *
 * Tested by tests/unit/trace/replay/test_replay.c. */
#include "trace/replay/call.h"

#include "util/alloc.h"

#include <string.h>

enum status memory_add_region(struct replay *r, const struct region *region)
{
    if (r->locked.count == r->locked.room) {
        size_t room = r->locked.room ? r->locked.room * 2 : 16;
        struct region *bigger = mem_realloc(r->locked.regions, room * sizeof(*bigger));

        if (!bigger)
            return ST_NOMEM;
        r->locked.regions = bigger;
        r->locked.room = room;
    }
    r->locked.regions[r->locked.count++] = *region;
    return ST_OK;
}

void memory_remove_regions(struct replay *r, const struct object *object, int64_t part)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->locked.count; i++)
        if (r->locked.regions[i].object != object ||
            (part >= 0 && r->locked.regions[i].part != part))
            r->locked.regions[kept++] = r->locked.regions[i];
    r->locked.count = kept;
}

/* --- Copying ---------------------------------------------------------------------------------- */

/* Copies the part of one row that the blob covers. offset: of the blob within the region. */
static void copy_row(const struct region *g, const struct region_rows *p, uint64_t slice,
                     uint64_t row, uint64_t offset, const uint8_t *bytes, size_t size)
{
    uint64_t start = slice * g->traced_slice + p->traced + row * p->traced_pitch;
    uint64_t end = start + p->row_bytes;
    uint8_t *to = g->real + slice * g->real_slice + p->real + row * p->real_pitch;

    if (end <= offset || start >= offset + size)
        return;
    if (start < offset) {
        to += offset - start;
        start = offset;
    }
    if (end > offset + size)
        end = offset + size;
    memcpy(to, bytes + (start - offset), (size_t)(end - start));
}

static struct region *region_at(struct replay *r, uint64_t address)
{
    for (size_t i = r->locked.count; i-- > 0;) {
        struct region *g = &r->locked.regions[i];

        if (address == g->traced || (address > g->traced && address - g->traced < g->traced_size))
            return g;
    }
    return NULL;
}

void memory_upload(struct replay *r, const struct trace_call *call, uint64_t to,
                   const uint8_t *bytes, size_t size)
{
    struct region *g = region_at(r, to);
    uint64_t offset;

    if (!g || !g->real)
        return; /* the tracer repeats the last copy for an Unlock without Lock */
    offset = to - g->traced;
    r->stats.uploads++;
    if (offset + size < g->traced_size) {
        if (!r->stats.short_uploads++)
            replay_warn(r, call, "%zu of %llu locked bytes were recorded; later cases are counted",
                        size, (unsigned long long)g->traced_size);
        if (!size)
            return;
    }
    for (uint64_t slice = 0; slice < g->slices; slice++)
        for (unsigned i = 0; i < g->planes; i++)
            for (uint64_t row = 0; row < g->plane[i].rows; row++)
                copy_row(g, &g->plane[i], slice, row, offset, bytes, size);
}
