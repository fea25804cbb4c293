/* Many triangles at once: workers look at them, set them up, and take turns to put them into bins
 * in their order, so that the scene is the one that raster_draw_triangle makes of them one by one.
 */
#include "raster/extent.h"
#include "raster/fragment.h"

#include "util/alloc.h"
#include "util/vary.h"

#include <stdatomic.h>
#include <string.h>

enum { MANY = 2 * SMALL_GROUP, PIECE = 256, PIECES = RASTER_GROUP / PIECE };
enum { ROOM_PRIMS = 1024 }; /* taken from the arena at once */

/* A group in progress. */
struct group {
    struct raster *raster;
    struct raster_found *found;
    const struct raster_plan *plan;
    const uint32_t *indices;
    uint32_t count, n_vertices;
    size_t prim_bytes;  /* a multiple of 64: bins keep a command's kind in the lowest bits */
    size_t small_bytes; /* the same, of those of few pixels */
    bool small;         /* which are looked for */
    struct raster_piece *pieces; /* a piece's fragments each; NULL: none are made */
    unsigned run;                /* the next of the piece's into bins */
    bool stopped;              /* the caller, as it may not cut or make room while others set up */
    atomic_bool ready[PIECES]; /* set up, all of it */
    _Alignas(64) uint32_t binned; /* triangles up to here are in bins, or not drawn at all */
    unsigned turn;                /* the piece that is next into bins */
};

static bool corners_of(const struct group *g, uint32_t i, const struct raster_screen_vertex *v[3])
{
    for (unsigned k = 0; k < 3; k++) {
        if (g->indices[3 * i + k] >= g->n_vertices)
            return false;
        v[k] = &g->raster->screen[g->indices[3 * i + k]];
    }
    return true;
}

static uint32_t piece_end(const struct group *g, unsigned piece)
{
    return (piece + 1) * PIECE < g->count ? (piece + 1) * PIECE : g->count;
}

/* --- Primitives ------------------------------------------------------------------------------- */

/* Whether a worker has memory for n primitives and what is written past them. */
static bool have_room(const struct group *g, struct raster_worker *worker, unsigned n)
{
    return raster_room_have(worker, (n + 2) * MOST_PARTS * g->small_bytes,
                            ROOM_PRIMS * g->prim_bytes);
}

static void set_up_one(const struct group *g, struct raster_room *room, uint32_t i)
{
    const struct raster_screen_vertex *v[3];
    struct raster_found *found = &g->found[i];
    size_t bytes;

    found->look = LOOK_NOTHING;
    if (!corners_of(g, i, v))
        return;
    found->look = (uint8_t)raster_triangle_look(g->raster, g->plan, v);
    if (found->look != LOOK_WHOLE)
        return;
    found->prim = (struct raster_prim *)(void *)room->at;
    bytes = raster_triangle_setup(g->raster, found, g->plan, v);
    room->at += bytes;
    room->left -= bytes;
}

/* Memory of primitives to come, which was last used in another scene: a half at a time, as the
 * processor has only so many lines under way. */
enum { HALF_GROUP = SMALL_GROUP / 2 };
static inline __attribute__((always_inline)) void
prefetch_room(const struct group *g, const struct raster_room *room, unsigned prim)
{
    const char *from = room->at + prim * g->small_bytes;

    for (size_t i = 0; i < HALF_GROUP * g->small_bytes; i += 64)
        __builtin_prefetch(from + i, 1);
}

/* Without branches, as nobody can foresee which triangles are drawn. */
static void note_small(const struct group *g, struct raster_room *room,
                       const struct raster_small_group *small, uint32_t first, uint32_t end)
{
    char *at = room->at;

    for (uint32_t i = first, k = 0; i < end; i++, k++) {
        uint32_t parts = small->parts[k], tile = (uint32_t)small->tile[k];

        g->found[i] = (struct raster_found){
            .prim = (struct raster_prim *)(void *)at,
            .look = parts ? LOOK_WHOLE : LOOK_NOTHING,
            .parts = (uint8_t)parts,
            .tile = tile < SEVERAL_TILES ? (uint16_t)tile : SEVERAL_TILES,
        };
        at += parts * g->small_bytes;
    }
    room->left -= (size_t)(at - room->at);
    room->at = at;
}

/* Triangles that are small, but not within 8x8 pixels; first: the number of the group's first. */
static void find_wide(const struct group *g, struct raster_small_group *small,
                      struct raster_extent *extent, uint32_t first)
{
    for (uint32_t rest = small->wide; rest; rest &= rest - 1) {
        unsigned k = (unsigned)__builtin_ctz(rest);
        struct raster_corners in = {.area = small->area[k]};

        corners_of(g, first + k, in.v);
        raster_find_extent(&extent[k], g->raster, g->plan, &in);
        small->parts[k] = extent[k].parts;
    }
}

static void put_wide(const struct group *g, const struct raster_small_group *small,
                     const struct raster_extent *extent, uint32_t first)
{
    for (uint32_t rest = small->wide; rest; rest &= rest - 1) {
        unsigned k = (unsigned)__builtin_ctz(rest);

        if (extent[k].parts)
            raster_put_parts(g->found[first + k].prim, &extent[k]);
    }
}

static void group_init(struct raster_small_group *small, const struct group *g)
{
    const struct raster_plan *plan = g->plan;

    small->screen = g->raster->screen;
    small->n_vertices = g->n_vertices;
    small->inside = !atomic_load_explicit(&g->raster->some_outside, memory_order_relaxed);
    memcpy(small->rect, plan->rect, sizeof(small->rect));
    small->clockwise = plan->s.cull != D3DCULL_CW;
    small->counter = plan->s.cull != D3DCULL_CCW;
    small->tile_shift = g->raster->tile_shift;
    small->tiles_x = g->raster->tiles_x;
}

static void note_fragments(const struct group *g, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        g->found[i].look = LOOK_NOTHING;
}

/* SMALL_GROUP triangles from the first on, or up to the end: the indices of those past it are none.
 * false: there was no memory. */
static bool set_up_some(const struct group *g, struct raster_worker *worker,
                        struct raster_piece *piece, uint32_t first, uint32_t end)
{
    const struct raster_vertices *vertices = &g->raster->vertices;
    struct raster_room *room = &worker->room;
    uint32_t few[3 * SMALL_GROUP];
    struct raster_extent extent[SMALL_GROUP];
    struct raster_small_group small;
    struct raster_small_room to = {.plan = g->plan,
                                   .vertices = vertices->data,
                                   .stride_bytes = vertices->stride_floats * 4,
                                   .prims = room->at,
                                   .prim_bytes = (uint32_t)g->small_bytes};

    group_init(&small, g);
    small.indices = g->indices + 3 * (size_t)first;
    if (end - first < SMALL_GROUP) {
        memset(few, 0xff, sizeof(few));
        memcpy(few, small.indices, 3 * (end - first) * sizeof(*few));
        small.indices = few;
    }
    if (!piece)
        prefetch_room(g, room, 0);
    g->raster->setup_kern->small(&small);
    find_wide(g, &small, extent, first);
    if (piece && raster_fragments_make(worker, piece, &to, &small, extent, first)) {
        note_fragments(g, first, end);
    } else {
        if (piece)
            piece->apart = true;
        prefetch_room(g, room, HALF_GROUP);
        if (small.drawn | small.wide)
            g->raster->setup_kern->planes(&small, &to);
        note_small(g, room, &small, first, end);
        put_wide(g, &small, extent, first);
    }
    if (piece && small.other && !have_room(g, worker, SMALL_GROUP)) /* as fragments took some */
        return false;
    for (; small.other; small.other &= small.other - 1)
        set_up_one(g, room, first + (uint32_t)__builtin_ctz(small.other));
    return true;
}

/* false: there was no memory. */
static bool set_up_piece(const struct group *g, struct raster_worker *worker, unsigned number)
{
    struct raster_piece *piece = g->pieces ? &g->pieces[number] : NULL;
    uint32_t end = piece_end(g, number);

    if (piece) {
        piece->n_runs = piece->n_open = 0;
        piece->failed = piece->apart = false;
    }
    for (uint32_t i = number * PIECE; i < end; i += SMALL_GROUP) {
        uint32_t some = end - i < SMALL_GROUP ? end : i + SMALL_GROUP;

        if (!have_room(g, worker, SMALL_GROUP) ||
            (g->small && !set_up_some(g, worker, piece, i, some))) {
            worker->lone.n = 0;
            return false;
        }
        for (uint32_t k = i; k < some && !g->small; k++)
            set_up_one(g, &worker->room, k);
    }
    if (piece)
        raster_fragments_end(worker, piece, g->plan);
    return !piece || !piece->failed;
}

/* --- Bins ------------------------------------------------------------------------------------- */

/* Triangles up to `end` that became primitives. */
static bool bin_found(struct group *g, uint32_t end)
{
    g->binned += raster_bin_found(g->raster, g->found + g->binned, end - g->binned, g->small_bytes);
    return g->binned == end;
}

/* Puts a piece into bins; false: stops at a triangle that has to be cut, or has no room. */
static bool bin_piece(struct group *g)
{
    const struct raster_piece *piece = g->pieces ? &g->pieces[g->turn] : NULL;

    for (; piece && g->run < piece->n_runs; g->run++) {
        const struct raster_run *run = &piece->run[g->run];

        if (!bin_found(g, run->triangle) ||
            !raster_bin_fragments(g->raster, run->tile, run->fragments))
            return false;
    }
    if (!bin_found(g, piece_end(g, g->turn)))
        return false;
    g->run = 0;
    g->turn++;
    return true;
}

static bool is_ready(const struct group *g)
{
    return g->turn < PIECES && atomic_load_explicit(&g->ready[g->turn], memory_order_acquire);
}

static void run_piece(void *ctx, unsigned piece, unsigned worker)
{
    struct group *g = ctx;

    if (set_up_piece(g, &g->raster->workers[worker], piece))
        atomic_store_explicit(&g->ready[piece], true, memory_order_release);
    if (worker == 0) /* the caller: bins stay in one processor's cache */
        while (!g->stopped && is_ready(g))
            g->stopped = !bin_piece(g);
}

static enum status draw_one(struct group *g, uint32_t i)
{
    const struct raster_screen_vertex *v[3];

    return corners_of(g, i, v) ? raster_draw_triangle(g->raster, v[0], v[1], v[2]) : ST_OK;
}

/* What is left when all is set up: triangles to be cut, and once room had to be made, after which
 * primitives are gone, all others. If some fragments of the first of those are drawn already, they
 * come once more, which changes nothing: they replace what is there and are not counted. */
static enum status bin_rest(struct group *g)
{
    struct raster *raster = g->raster;
    uint64_t rooms = raster->rooms;
    enum status st = ST_OK;

    while (st == ST_OK && raster->rooms == rooms && is_ready(g)) {
        if (bin_piece(g))
            continue;
        if (g->found[g->binned].look == LOOK_CUT)
            st = draw_one(g, g->binned++);
        else
            raster_make_room(raster);
    }
    for (; g->binned < g->count && st == ST_OK; g->binned++)
        st = draw_one(g, g->binned);
    return st;
}

/* The kernel reads attributes by four, at offsets of 32 bits. */
static bool looks_for_small(const struct group *g)
{
    const struct raster_vertices *vertices = &g->raster->vertices;
    uint64_t stride = vertices->stride_floats * sizeof(float);

    return g->plan->small && vertices->count * stride <= UINT32_MAX &&
           vertices->count * (uint64_t)sizeof(struct raster_screen_vertex) <= INT32_MAX &&
           vertices->stride_floats >= RASTER_V_ATTR + ((g->plan->s.n_attrs + 3u) & ~3u);
}

/* NULL: fragments are not for this plan, or there is no memory, without which it goes as well. */
static struct raster_piece *pieces_for(struct raster *raster, const struct group *g)
{
    if (!g->small || !g->plan->fragments)
        return NULL;
    if (!raster->pieces)
        raster->pieces = mem_alloc(PIECES * sizeof(*raster->pieces));
    return raster->pieces;
}

static enum status draw_group(struct group *g)
{
    struct raster *raster = g->raster;

    if (!(g->plan = raster_plan_get(raster))) {
        raster_make_room(raster);
        if (!(g->plan = raster_plan_get(raster)))
            return ST_NOMEM;
    }
    g->prim_bytes = (raster_prim_bytes(g->plan) + 63) & ~(size_t)63;
    g->small_bytes = (raster_plain_bytes(g->plan) + 63) & ~(size_t)63;
    g->small = looks_for_small(g);
    g->pieces = pieces_for(raster, g);
    g->run = 0;
    g->binned = 0;
    g->turn = 0;
    g->stopped = false;
    for (unsigned i = 0; i < PIECES; i++)
        atomic_init(&g->ready[i], false);
    pool_run(raster->pool, (g->count + PIECE - 1) / PIECE, run_piece, g);
    return bin_rest(g);
}

bool raster_many(const struct raster *raster, uint32_t count)
{
    return count >= MANY && !raster->wraps && raster->state->fill == D3DFILL_SOLID && !vary_now;
}

enum status raster_draw_many(struct raster *raster, uint32_t n_vertices, const uint32_t *indices,
                             uint32_t count)
{
    struct group group = {.raster = raster, .found = raster->found, .n_vertices = n_vertices};
    enum status st = ST_OK;

    for (uint32_t done = 0; done < count && st == ST_OK; done += RASTER_GROUP) {
        group.indices = indices + (size_t)done * 3;
        group.count = count - done < RASTER_GROUP ? count - done : RASTER_GROUP;
        st = draw_group(&group);
    }
    return st;
}
