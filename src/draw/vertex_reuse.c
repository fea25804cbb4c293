/* Indices to corners, and corners to vertices, so that one that is shared in a chunk is shaded
 * once. Mostly a chunk names nearly all vertices from its least index to its largest; then those
 * are shaded, and nothing needs to be looked up. */
#include "draw/vertex_reuse.h"

#include "draw/primitive_assembly.h"

#include <string.h>

/* Wider ranges of indices in one chunk are not looked up, but shaded anew for each corner. */
enum { MAX_RANGE = 1 << 20 };
/* Of a vertex in a mesh there are some six. Where there are as many, all are shaded, as looking
 * which of them nobody names would take as long. */
enum { CORNERS_OF_ONE = 4 };

struct collection {
    const struct draw_state *state;
    const struct draw_args *args;
    const struct vertex_kern *kern;
    uint32_t *corner, *vertex; /* CHUNK_CORNERS each */
    uint32_t n, low, high;
};

/* --- Corners ---------------------------------------------------------------------------------- */

/* Index number i of the bound buffer; past its end 0. */
static uint32_t read_index(const struct draw_state *state, uint64_t i)
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

/* A list names its corners in order, so they are copied; past the end of the buffer they are 0. */
static void copy_indices(struct collection *c, uint64_t first, uint32_t n)
{
    const struct draw_state *state = c->state;
    uint32_t bytes = state->indices.bytes;
    uint64_t there = state->indices.data ? state->indices.size / bytes : 0;
    uint32_t known = first >= there ? 0 : there - first < n ? (uint32_t)(there - first) : n;

    if (known && bytes == 2)
        c->kern->widen(state->indices.data + first * bytes, known, c->corner);
    if (known && bytes == 4)
        memcpy(c->corner, state->indices.data + first * bytes, (size_t)known * 4);
    memset(c->corner + known, 0, (size_t)(n - known) * sizeof(*c->corner));
    c->n = n;
}

static void assemble(struct collection *c, uint32_t first, uint32_t n)
{
    const struct draw_args *args = c->args;

    c->n = 0;
    for (uint32_t p = 0; p < n; p++) {
        uint32_t position[3];
        unsigned corners = assemble_corners(args->type, first + p, position);

        for (unsigned k = 0; k < corners; k++)
            c->corner[c->n++] =
                args->indexed ? read_index(c->state, (uint64_t)args->start_index + position[k])
                              : position[k];
    }
}

/* --- Vertices --------------------------------------------------------------------------------- */

/* One vertex for each corner. */
static void share_nothing(const struct collection *c, struct corners *out)
{
    memcpy(c->vertex, c->corner, c->n * sizeof(*c->vertex));
    for (uint32_t i = 0; i < c->n; i++)
        c->corner[i] = i;
    out->vertex = c->vertex;
    out->n_vertices = c->n;
}

/* All vertices of the range. */
static void share_range(const struct collection *c, struct corners *out)
{
    c->kern->subtract(c->corner, c->n, c->low);
    out->first = c->low;
    out->n_vertices = c->high - c->low + 1;
}

/* The named ones, in ascending order; place: where in it each of the range is. */
static void share_named(const struct collection *c, const uint8_t *named, uint32_t *place,
                        struct corners *out)
{
    uint32_t range = c->high - c->low + 1, n = 0;

    for (uint32_t i = 0; i < range; i++) { /* without a branch, which nobody could foresee */
        place[i] = n;
        if (n < CHUNK_CORNERS)
            c->vertex[n] = c->low + i;
        n += named[i];
    }
    for (uint32_t i = 0; i < c->n; i++)
        c->corner[i] = place[c->corner[i] - c->low];
    out->vertex = c->vertex;
    out->n_vertices = n;
}

static uint32_t mark_named(const struct collection *c, uint8_t *named, uint32_t range)
{
    const uint32_t *corner = c->corner, n = c->n, low = c->low; /* bytes may not change these */

    memset(named, 0, range);
    for (uint32_t i = 0; i < n; i++)
        named[corner[i] - low] = 1;
    return c->kern->count(named, range);
}

/* Whether the range is what primitives in a row name without indices. */
static bool names_all(const struct collection *c, uint32_t first)
{
    return !c->args->indexed && (c->args->type != D3DPT_TRIANGLEFAN || !first);
}

/* A clip status is of named vertices alone; else a few more may be shaded. */
static enum status share(struct corner_memory *memory, const struct collection *c, bool all,
                         struct corners *out)
{
    uint32_t range = c->high - c->low; /* one less: it may be all there are */
    size_t places = ((size_t)range + 1) * sizeof(uint32_t);
    uint32_t *map;

    if (all || (range < c->n / CORNERS_OF_ONE && !c->state->clip_status)) {
        share_range(c, out);
        return ST_OK;
    }
    if (range >= MAX_RANGE) {
        share_nothing(c, out);
        return ST_OK;
    }
    map = draw_scratch_get(&memory->map, places + range + 1 + 64);
    if (!map)
        return ST_NOMEM;
    if (mark_named(c, (uint8_t *)map + places, range + 1) > range - range / 4 &&
        !c->state->clip_status)
        share_range(c, out);
    else
        share_named(c, (uint8_t *)map + places, map, out);
    return ST_OK;
}

enum status corners_collect(struct corner_memory *memory, const struct draw_state *state,
                            const struct draw_args *args, uint32_t first, uint32_t n,
                            struct corners *out)
{
    struct collection c = {.state = state, .args = args, .kern = KERN_PICK(vertex_kern)};

    c.corner = draw_scratch_get(&memory->corners, 2 * (size_t)CHUNK_CORNERS * sizeof(*c.corner));
    if (!c.corner)
        return ST_NOMEM;
    c.vertex = c.corner + CHUNK_CORNERS;
    if (args->indexed && args->type == D3DPT_TRIANGLELIST)
        copy_indices(&c, (uint64_t)args->start_index + (uint64_t)first * 3, n * 3);
    else
        assemble(&c, first, n);
    c.kern->range(c.corner, c.n, &c.low, &c.high);
    *out = (struct corners){.n = c.n, .corner = c.corner};
    return share(memory, &c, names_all(&c, first), out);
}
