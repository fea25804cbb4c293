/* Vertex reuse: collects the unique vertices of a batch of primitives, so that each is shaded once.
 *
 * The indices of a batch usually name nearly all vertices from the lowest to the highest index. The
 * batch then shades this whole range, and needs no remap table. */
#include "draw/vertex/reuse.h"

#include "draw/vertex/primitive_assembly.h"
#include "draw/vertex/vertex_kern.h"

#include <string.h>

/* If the indices of a batch span a wider range, it shades one vertex for each index. */
enum { MAX_RANGE = 1 << 20 };
/* In a typical mesh, six indices name each vertex. A batch with more indices for each vertex of the
 * range than this shades the whole range: to find the few unreferenced vertices would take as long
 * as shading them. */
enum { INDICES_PER_VERTEX = 4 };

void vertex_reuse_memory_fini(struct vertex_reuse_memory *memory)
{
    scratch_fini(&memory->indices);
    scratch_fini(&memory->map);
}

struct index_scan {
    const struct draw_state *state;
    const struct draw_args *args;
    const struct vertex_kern *kern;
    uint32_t *index, *vertex; /* BATCH_INDICES each */
    uint32_t n, low, high;
};

/* --- Indices ---------------------------------------------------------------------------------- */

uint32_t vertex_index(const struct draw_state *state, uint64_t i)
{
    uint32_t bytes = state->indices.bytes;
    uint16_t narrow;
    uint32_t wide;

    if (!state->indices.data || (i + 1) * bytes > state->indices.size)
        return 0;
    if (bytes == 2) {
        memcpy(&narrow, state->indices.data + i * 2, 2);
        return narrow;
    }
    memcpy(&wide, state->indices.data + i * 4, 4);
    return wide;
}

/* Copies the indices of a triangle list, which need no assembly. Indices past the end of the buffer
 * are 0. */
static void copy_indices(struct index_scan *c, uint64_t first, uint32_t n)
{
    const struct draw_state *state = c->state;
    uint32_t bytes = state->indices.bytes;
    uint64_t n_available = state->indices.data ? state->indices.size / bytes : 0;
    uint32_t n_valid = first >= n_available      ? 0
                       : n_available - first < n ? (uint32_t)(n_available - first)
                                                 : n;

    if (n_valid && bytes == 2)
        c->kern->widen_uint16(state->indices.data + first * bytes, n_valid, c->index);
    if (n_valid && bytes == 4)
        memcpy(c->index, state->indices.data + first * bytes, (size_t)n_valid * 4);
    memset(c->index + n_valid, 0, (size_t)(n - n_valid) * sizeof(*c->index));
    c->n = n;
}

static void assemble(struct index_scan *c, uint32_t first, uint32_t n)
{
    const struct draw_args *args = c->args;

    c->n = 0;
    for (uint32_t p = 0; p < n; p++) {
        uint32_t vertex[3];
        unsigned n_vertices = assemble_primitive(args->type, first + p, vertex);

        for (unsigned k = 0; k < n_vertices; k++)
            c->index[c->n++] = args->indexed
                                   ? vertex_index(c->state, (uint64_t)args->start_index + vertex[k])
                                   : vertex[k];
    }
}

/* --- Vertices --------------------------------------------------------------------------------- */

/* One vertex for each index. */
static void reuse_nothing(const struct index_scan *c, struct unique_vertices *out)
{
    memcpy(c->vertex, c->index, c->n * sizeof(*c->vertex));
    for (uint32_t i = 0; i < c->n; i++)
        c->index[i] = i;
    out->vertex = c->vertex;
    out->n_vertices = c->n;
}

/* All vertices of the range, referenced or not. */
static void reuse_range(const struct index_scan *c, struct unique_vertices *out)
{
    c->kern->subtract(c->index, c->n, c->low);
    out->first = c->low;
    out->n_vertices = c->high - c->low + 1;
}

/* The referenced vertices in ascending order. remap: position of each vertex of the range. */
static void reuse_referenced(const struct index_scan *c, const uint8_t *referenced, uint32_t *remap,
                             struct unique_vertices *out)
{
    uint32_t range = c->high - c->low + 1, n = 0;

    for (uint32_t i = 0; i < range; i++) { /* no branch on referenced[i]: it is unpredictable */
        remap[i] = n;
        if (n < BATCH_INDICES)
            c->vertex[n] = c->low + i;
        n += referenced[i];
    }
    for (uint32_t i = 0; i < c->n; i++)
        c->index[i] = remap[c->index[i] - c->low];
    out->vertex = c->vertex;
    out->n_vertices = n;
}

/* Sets a byte for each referenced vertex of the range. Returns their number. */
static uint32_t mark_referenced(const struct index_scan *c, uint8_t *referenced, uint32_t range)
{
    /* Local copies: byte stores to `referenced` may alias *c. */
    const uint32_t *index = c->index, n = c->n, low = c->low;

    memset(referenced, 0, range);
    for (uint32_t i = 0; i < n; i++)
        referenced[index[i] - low] = 1;
    return c->kern->count_ones(referenced, range);
}

/* Whether successive primitives of a non-indexed draw reference the whole range. */
static bool references_range(const struct index_scan *c, uint32_t first)
{
    return !c->args->indexed && (c->args->type != D3DPT_TRIANGLEFAN || !first);
}

/* Selects the vertices to shade. A clip status must count referenced vertices only; without one, a
 * few unreferenced vertices may be shaded too. references_all: the range has none. */
static enum status choose_reuse(struct vertex_reuse_memory *memory, const struct index_scan *c,
                                bool references_all, struct unique_vertices *out)
{
    uint32_t range = c->high - c->low; /* vertices minus 1: their number may be 2^32 */
    size_t remap_bytes = ((size_t)range + 1) * sizeof(uint32_t);
    uint32_t *map;

    if (references_all || (range < c->n / INDICES_PER_VERTEX && !c->state->clip_status)) {
        reuse_range(c, out);
        return ST_OK;
    }
    if (range >= MAX_RANGE) {
        reuse_nothing(c, out);
        return ST_OK;
    }
    map = scratch_get(&memory->map, remap_bytes + range + 1 + 64);
    if (!map)
        return ST_NOMEM;
    if (mark_referenced(c, (uint8_t *)map + remap_bytes, range + 1) > range - range / 4 &&
        !c->state->clip_status)
        reuse_range(c, out);
    else
        reuse_referenced(c, (uint8_t *)map + remap_bytes, map, out);
    return ST_OK;
}

enum status collect_unique_vertices(struct vertex_reuse_memory *memory,
                                    const struct draw_state *state, const struct draw_args *args,
                                    uint32_t first, uint32_t n, struct unique_vertices *out)
{
    struct index_scan c = {.state = state, .args = args, .kern = KERN_PICK(vertex_kern)};

    c.index = scratch_get(&memory->indices, 2 * (size_t)BATCH_INDICES * sizeof(*c.index));
    if (!c.index)
        return ST_NOMEM;
    c.vertex = c.index + BATCH_INDICES;
    if (args->indexed && args->type == D3DPT_TRIANGLELIST)
        copy_indices(&c, (uint64_t)args->start_index + (uint64_t)first * 3, n * 3);
    else
        assemble(&c, first, n);
    c.kern->min_max(c.index, c.n, &c.low, &c.high);
    *out = (struct unique_vertices){.n_indices = c.n, .index = c.index};
    return choose_reuse(memory, &c, references_range(&c, first), out);
}
