/* Many triangles at once: workers look at them and set them up, the caller puts them into bins in
 * their order, so that the scene is the one that raster_draw_triangle makes of them one by one. */
#include "raster/raster_private.h"

#include <pthread.h>
#include <string.h>

enum { MANY = 2 * SMALL_GROUP, PIECE = 256, PIECES = RASTER_GROUP / PIECE };

/* A group in progress. */
struct group {
    struct raster *raster;
    struct raster_found *found;
    const struct raster_plan *plan;
    const uint32_t *indices;
    uint32_t count, n_vertices;
    size_t prim_bytes; /* a multiple of 64: bins keep a command's kind in the lowest bits */
    pthread_mutex_t arena_lock;
    struct {
        bool ready; /* there was memory for its primitives */
        char *prims;
    } piece[PIECES];
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

static enum raster_look look_at(const struct group *g, uint32_t i)
{
    const struct raster_screen_vertex *v[3];

    return corners_of(g, i, v) ? raster_triangle_look(g->raster, g->plan, v) : LOOK_NOTHING;
}

/* Whether all corners lie within all planes; they go to lane k then. */
static bool load_corners(const struct group *g, uint32_t i, struct raster_small_group *small,
                         unsigned k)
{
    const struct raster_screen_vertex *v[3];

    if (!corners_of(g, i, v) || (v[0]->outside | v[1]->outside | v[2]->outside))
        return false;
    for (unsigned n = 0; n < 3; n++) {
        small->x[n][k] = v[n]->x;
        small->y[n][k] = v[n]->y;
    }
    return true;
}

/* SMALL_GROUP triangles from the first on, or up to the end. */
static void look_at_some(struct group *g, uint32_t first, uint32_t end, struct raster_small *found)
{
    const struct raster_plan *plan = g->plan;
    struct raster_small_group small = {.clockwise = plan->s.cull != D3DCULL_CW,
                                       .counter = plan->s.cull != D3DCULL_CCW};
    uint32_t loaded = 0;

    memcpy(small.rect, plan->rect, sizeof(small.rect));
    for (uint32_t i = first; i < end; i++)
        loaded |= (uint32_t)load_corners(g, i, &small, i - first) << (i - first);
    g->raster->setup_kern->small(&small);
    for (uint32_t i = first, k = 0; i < end; i++, k++) {
        g->found[i].look = LOOK_NOTHING;
        if (~(loaded & ~small.other) >> k & 1) {
            g->found[i].look = (uint8_t)look_at(g, i);
        } else if (small.drawn >> k & 1) {
            g->found[i].look = LOOK_SMALL;
            for (unsigned n = 0; n < 4; n++)
                found[k].rect[n] = small.box[n][k];
            found[k].pixels = (small.pixels[0][k] | (uint64_t)small.pixels[1][k] << 32)
                              << (found[k].rect[1] & 1) * BLOCK_DIM << (found[k].rect[0] & 1);
        }
    }
}

/* Returns how many triangles of the piece are to be set up. */
static uint32_t look_at_piece(struct group *g, unsigned piece, struct raster_small *small)
{
    uint32_t n = 0, first = piece * PIECE, end = piece_end(g, piece);

    for (uint32_t i = first; i < end && !g->plan->small; i++)
        g->found[i].look = (uint8_t)look_at(g, i);
    for (uint32_t i = first; i < end && g->plan->small; i += SMALL_GROUP)
        look_at_some(g, i, i + SMALL_GROUP < end ? i + SMALL_GROUP : end, small + (i - first));
    for (uint32_t i = first; i < end; i++)
        n += g->found[i].look == LOOK_WHOLE || g->found[i].look == LOOK_SMALL;
    return n;
}

static void set_up_piece(struct group *g, unsigned piece, const struct raster_small *small)
{
    const struct raster_screen_vertex *v[3];
    char *at = g->piece[piece].prims;
    struct raster_prim *prim;

    for (uint32_t i = piece * PIECE; i < piece_end(g, piece); i++) {
        uint8_t look = g->found[i].look;

        if ((look != LOOK_WHOLE && look != LOOK_SMALL) || !corners_of(g, i, v))
            continue;
        prim = (struct raster_prim *)(void *)at;
        if (look == LOOK_SMALL)
            raster_small_setup(prim, g->plan, v, &small[i % PIECE]);
        else
            raster_triangle_setup(g->raster, prim, g->plan, v);
        g->found[i].tile = raster_only_tile(g->raster, prim->rect);
        at += g->prim_bytes;
    }
}

static void prepare_piece(void *ctx, unsigned piece, unsigned worker)
{
    struct group *g = ctx;
    struct raster_small small[PIECE];
    uint32_t n = look_at_piece(g, piece, small);

    (void)worker;
    g->piece[piece].ready = true;
    if (!n)
        return;
    pthread_mutex_lock(&g->arena_lock);
    g->piece[piece].prims = arena_alloc(&g->raster->arena, n * g->prim_bytes);
    pthread_mutex_unlock(&g->arena_lock);
    if (g->piece[piece].prims)
        set_up_piece(g, piece, small);
    else
        g->piece[piece].ready = false;
}

/* Most triangles of a large draw are small; where they lie is known without a look at them. */
static bool bin_whole(struct raster *raster, struct raster_prim *prim, uint16_t tile)
{
    return tile == SEVERAL_TILES ? raster_bin_prim(raster, prim)
                                 : raster_bin_in_tile(raster, prim, tile);
}

/* Triangles of a piece into bins. *i stops at the first that must be drawn alone, because the
 * primitives are gone: room had to be made for more. */
static enum status bin_piece(struct group *g, unsigned piece, uint32_t *i)
{
    const struct raster_screen_vertex *v[3];
    struct raster *raster = g->raster;
    uint64_t rooms = raster->rooms;
    char *at = g->piece[piece].prims;
    enum status st = ST_OK;

    for (; *i < piece_end(g, piece) && raster->rooms == rooms && st == ST_OK; ++*i) {
        if (g->found[*i].look == LOOK_NOTHING)
            continue;
        if (g->found[*i].look == LOOK_CUT) {
            corners_of(g, *i, v);
            st = raster_draw_triangle(raster, v[0], v[1], v[2]);
            continue;
        }
        if (!bin_whole(raster, (struct raster_prim *)(void *)at, g->found[*i].tile)) {
            raster_make_room(raster);
            break;
        }
        at += g->prim_bytes;
    }
    return st;
}

static enum status draw_alone(struct group *g, uint32_t i)
{
    const struct raster_screen_vertex *v[3];
    enum status st = ST_OK;

    for (; i < g->count && st == ST_OK; i++)
        if (g->found[i].look != LOOK_NOTHING && corners_of(g, i, v))
            st = raster_draw_triangle(g->raster, v[0], v[1], v[2]);
    return st;
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
    pool_run(raster->pool, pieces, prepare_piece, g);
    for (unsigned p = 0; p < pieces && g->piece[p].ready && st == ST_OK && raster->rooms == rooms;
         p++)
        st = bin_piece(g, p, &i);
    return st == ST_OK ? draw_alone(g, i) : st;
}

bool raster_many(const struct raster *raster, uint32_t count)
{
    return count >= MANY && !raster->wraps && raster->state->fill == D3DFILL_SOLID;
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
