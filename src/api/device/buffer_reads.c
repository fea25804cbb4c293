/* Brings the bytes of vertex and index buffers that a draw reads to the renderer
 * (reference: locks/read-time).
 *
 * The streams of the declaration and the vertices that the indices name give the range of each
 * buffer. Indices are scanned only if a bound buffer has changed since its last draws. */
#include "api/device/buffer_reads.h"

#include "api/memory/resource.h"
#include "api/object/object.h"
#include "api/state/state.h"
#include "cmd/cmd.h"

#include <string.h>

enum { MAX_ELEMENT_BYTES = 16 };

/* Bytes of a vertex from its address on, in the streams that the declaration uses; 0: not used. */
static void find_extents(const struct vertex_decl *decl, uint32_t extent[STREAMS])
{
    for (unsigned i = 0; i + 1 < decl->n; i++) {
        const D3DVERTEXELEMENT9 *e = &decl->element[i];
        uint32_t end = (uint32_t)e->Offset + MAX_ELEMENT_BYTES;

        if (e->Stream < STREAMS && end > extent[e->Stream])
            extent[e->Stream] = end;
    }
}

/* --- Indices ---------------------------------------------------------------------------------- */

struct vertex_range {
    uint32_t low, high;
};

static void scan16(const uint8_t *bytes, uint64_t n, struct vertex_range *range)
{
    for (uint64_t i = 0; i < n; i++) {
        uint16_t v;

        memcpy(&v, bytes + 2 * i, 2);
        range->low = v < range->low ? v : range->low;
        range->high = v > range->high ? v : range->high;
    }
}

static void scan32(const uint8_t *bytes, uint64_t n, struct vertex_range *range)
{
    for (uint64_t i = 0; i < n; i++) {
        uint32_t v;

        memcpy(&v, bytes + 4 * i, 4);
        range->low = v < range->low ? v : range->low;
        range->high = v > range->high ? v : range->high;
    }
}

/* The lowest and the highest vertex. Indices past the end of the buffer are 0. */
static struct vertex_range scan_indices(struct device *d, const struct buffer_reads *reads)
{
    struct vertex_range range = {UINT32_MAX, 0};
    uint64_t n = reads->n, available = n;
    const uint8_t *bytes = reads->user_indices;
    uint32_t size = reads->index_bytes;
    size_t buffer_bytes;

    if (!bytes) {
        size = d->state->indices->format == D3DFMT_INDEX32 ? 4 : 2;
        bytes = cmd_buffer_contents(d->stream, d->state->indices->handle, &buffer_bytes);
        available = buffer_bytes / size;
        available = available > reads->start_index ? available - reads->start_index : 0;
        bytes += (size_t)reads->start_index * size;
    }
    if (n > available)
        range.low = 0;
    n = n < available ? n : available;
    if (size == 4)
        scan32(bytes, n, &range);
    else
        scan16(bytes, n, &range);
    return range;
}

static struct vertex_range find_vertices(struct device *d, const struct buffer_reads *reads)
{
    if (!reads->n)
        return (struct vertex_range){1, 0};
    return reads->indexed ? scan_indices(d, reads) : (struct vertex_range){0, reads->n - 1};
}

/* --- Ranges ----------------------------------------------------------------------------------- */

/* Streams that do not advance by one vertex with each index, and buffers whose draws have scanned
 * more indices than the buffer is long, are read as a whole. */
static bool reads_all(struct device *d, unsigned stream, const struct buffer_reads *reads)
{
    const UINT frequency = d->state->frequency[stream];
    struct buffer *buffer = d->state->stream[stream].buffer;

    if ((frequency & D3DSTREAMSOURCE_INSTANCEDATA) ||
        (frequency != 1 && !(frequency & D3DSTREAMSOURCE_INDEXEDDATA)))
        return true;
    if (reads->indexed && buffer->scanned < buffer->size)
        buffer->scanned += reads->n < buffer->size ? reads->n * 2 : buffer->size;
    return buffer->scanned >= buffer->size && !buffer->locks;
}

/* Address of byte `byte` of a vertex, clipped to 0 ... SIZE_MAX. */
static size_t address(const struct stream_source *source, int64_t vertex, uint32_t byte)
{
    int64_t at;

    if (__builtin_mul_overflow(vertex, (int64_t)source->stride, &at) ||
        __builtin_add_overflow(at, (int64_t)source->offset + byte, &at))
        return vertex < 0 ? 0 : SIZE_MAX;
    return at < 0 ? 0 : (uint64_t)at > SIZE_MAX ? SIZE_MAX : (size_t)at;
}

static enum status update_streams(struct device *d, const struct buffer_reads *reads,
                                  const uint32_t extent[STREAMS], uint32_t mask)
{
    struct vertex_range range = find_vertices(d, reads);
    enum status st = ST_OK;

    for (; mask && st == ST_OK; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctz(mask);
        const struct stream_source *source = &d->state->stream[i];
        size_t from = 0, to = SIZE_MAX;

        if (!reads_all(d, i, reads)) {
            from = address(source, reads->base + range.low, 0);
            to = address(source, reads->base + range.high, extent[i]);
        }
        st = cmd_update_buffer(d->stream, source->buffer->handle, from, to);
    }
    return st;
}

static enum status update_indices(struct device *d, const struct buffer_reads *reads)
{
    const struct buffer *buffer = d->state->indices;
    const struct stream_source source = {.stride = buffer->format == D3DFMT_INDEX32 ? 4 : 2};
    int64_t first = reads->start_index;

    return cmd_update_buffer(d->stream, buffer->handle, address(&source, first, 0),
                             address(&source, first + reads->n, 0));
}

HRESULT api_before_buffer_reads(struct device *d, const struct buffer_reads *reads)
{
    uint32_t extent[STREAMS] = {0}, mask = 0;
    enum status st = ST_OK;

    if (!cmd_has_stale_buffers(d->stream))
        return D3D_OK;
    find_extents(d->state->decl, extent);
    for (unsigned i = reads->first_stream; i < STREAMS; i++)
        if (extent[i] && d->state->stream[i].buffer &&
            cmd_is_stale(d->stream, d->state->stream[i].buffer->handle))
            mask |= 1u << i;
    if (mask)
        st = update_streams(d, reads, extent, mask);
    if (st == ST_OK && reads->indexed && !reads->user_indices)
        st = update_indices(d, reads);
    return api_hresult(st);
}
