/* Many triangles at once: workers look at them and set them up, the caller puts them into bins in
 * their order, so that the scene is the one that raster_draw_triangle makes of them one by one. */
#include "raster/extent.h"

#include "util/vary.h"

#include <pthread.h>
#include <string.h>

enum { MANY = 2 * SMALL_GROUP, PIECE = 256, PIECES = RASTER_GROUP / PIECE };
enum { ROOM_PRIMS = 256 }; /* taken from the arena at once */

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
    pthread_mutex_t arena_lock;
    bool ready[PIECES]; /* there was memory for its primitives */
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
static bool have_room(struct group *g, struct raster_room *room, unsigned n)
{
    size_t need = (n + 2) * MOST_PARTS * g->small_bytes, take = ROOM_PRIMS * g->prim_bytes;

    if (room->rooms == g->raster->rooms + 1 && room->left >= need)
        return true;
    pthread_mutex_lock(&g->arena_lock);
    room->at = arena_alloc(&g->raster->arena, take);
    pthread_mutex_unlock(&g->arena_lock);
    room->left = take;
    room->rooms = room->at ? g->raster->rooms + 1 : 0;
    return room->at != NULL;
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
    memcpy(small->rect, plan->rect, sizeof(small->rect));
    small->clockwise = plan->s.cull != D3DCULL_CW;
    small->counter = plan->s.cull != D3DCULL_CCW;
    small->tile_shift = g->raster->tile_shift;
    small->tiles_x = g->raster->tiles_x;
}

/* SMALL_GROUP triangles from the first on, or up to the end: the indices of those past it are none.
 */
static void set_up_some(const struct group *g, struct raster_room *room, uint32_t first,
                        uint32_t end)
{
    const struct raster_vertices *vertices = &g->raster->vertices;
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
    prefetch_room(g, room, 0);
    g->raster->setup_kern->small(&small);
    find_wide(g, &small, extent, first);
    prefetch_room(g, room, HALF_GROUP);
    if (small.drawn | small.wide)
        g->raster->setup_kern->planes(&small, &to);
    note_small(g, room, &small, first, end);
    put_wide(g, &small, extent, first);
    for (; small.other; small.other &= small.other - 1)
        set_up_one(g, room, first + (uint32_t)__builtin_ctz(small.other));
}

static void prepare_piece(void *ctx, unsigned piece, unsigned worker)
{
    struct group *g = ctx;
    struct raster_room *room = &g->raster->workers[worker].room;
    uint32_t end = piece_end(g, piece);

    for (uint32_t i = piece * PIECE; i < end; i += SMALL_GROUP) {
        uint32_t some = end - i < SMALL_GROUP ? end : i + SMALL_GROUP;

        g->ready[piece] = have_room(g, room, SMALL_GROUP);
        if (!g->ready[piece])
            return;
        if (g->small)
            set_up_some(g, room, i, some);
        for (uint32_t k = i; k < some && !g->small; k++)
            set_up_one(g, room, k);
    }
}

/* --- Bins ------------------------------------------------------------------------------------- */

/* Triangles of a piece into bins. *i stops at the first that must be drawn alone, because the
 * primitives are gone: room had to be made for more. */
static enum status bin_piece(struct group *g, unsigned piece, uint32_t *i)
{
    const struct raster_screen_vertex *v[3];
    struct raster *raster = g->raster;
    uint64_t rooms = raster->rooms;
    uint32_t end = piece_end(g, piece);
    enum status st = ST_OK;

    for (; *i < end && raster->rooms == rooms && st == ST_OK; ++*i) {
        const struct raster_found *found = &g->found[*i];

        if (found->look == LOOK_CUT) {
            corners_of(g, *i, v);
            st = raster_draw_triangle(raster, v[0], v[1], v[2]);
        } else if (found->look == LOOK_WHOLE && !raster_bin_parts(raster, found, g->small_bytes)) {
            raster_make_room(raster);
            break;
        }
    }
    return st;
}

/* Triangles that no worker has looked at, or whose primitives are gone. */
static enum status draw_alone(struct group *g, uint32_t i)
{
    const struct raster_screen_vertex *v[3];
    enum status st = ST_OK;

    for (; i < g->count && st == ST_OK; i++)
        if (corners_of(g, i, v))
            st = raster_draw_triangle(g->raster, v[0], v[1], v[2]);
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

static enum status draw_group(struct group *g)
{
    struct raster *raster = g->raster;
    unsigned pieces = (g->count + PIECE - 1) / PIECE;
    uint64_t rooms;
    uint32_t i = 0;
    enum status st = ST_OK;

    if (!(g->plan = raster_plan_get(raster))) {
        raster_make_room(raster);
        if (!(g->plan = raster_plan_get(raster)))
            return ST_NOMEM;
    }
    rooms = raster->rooms;
    g->prim_bytes = (raster_prim_bytes(g->plan) + 63) & ~(size_t)63;
    g->small_bytes = (raster_plain_bytes(g->plan) + 63) & ~(size_t)63;
    g->small = looks_for_small(g);
    pool_run(raster->pool, pieces, prepare_piece, g);
    for (unsigned p = 0; p < pieces && g->ready[p] && st == ST_OK && raster->rooms == rooms; p++)
        st = bin_piece(g, p, &i);
    return st == ST_OK ? draw_alone(g, i) : st;
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

    pthread_mutex_init(&group.arena_lock, NULL);
    for (uint32_t done = 0; done < count && st == ST_OK; done += RASTER_GROUP) {
        group.indices = indices + (size_t)done * 3;
        group.count = count - done < RASTER_GROUP ? count - done : RASTER_GROUP;
        st = draw_group(&group);
    }
    pthread_mutex_destroy(&group.arena_lock);
    return st;
}
