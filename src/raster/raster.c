/* The door of the rasteriser: targets, scenes, draws and clears. */
#include "raster/raster_private.h"

#include "util/alloc.h"
#include "util/fpenv.h"

#include <string.h>

enum { BINS_LIMIT = 64 << 20, CALLER_LIMIT = 64 << 20 };

enum status raster_create(struct raster **out, struct pool *pool)
{
    struct raster *raster = mem_calloc(1, sizeof(*raster));

    *out = NULL;
    if (!raster)
        return ST_NOMEM;
    raster->kern = KERN_PICK(raster_kern);
    raster->pool = pool;
    raster->serial = 1;
    raster->arena.limit_bytes = BINS_LIMIT;
    raster->workers = mem_calloc(pool_workers(pool), sizeof(*raster->workers));
    if (!raster->workers) {
        raster_destroy(raster);
        return ST_NOMEM;
    }
    raster->n_workers = pool_workers(pool);
    for (unsigned i = 0; i < raster->n_workers; i++) {
        raster->workers[i].raster = raster;
        raster->workers[i].number = i;
    }
    *out = raster;
    return ST_OK;
}

void raster_destroy(struct raster *raster)
{
    if (!raster)
        return;
    raster_flush(raster);
    for (unsigned i = 0; i < raster->n_workers; i++)
        mem_free(raster->workers[i].work);
    mem_free(raster->workers);
    mem_free(raster->bins);
    mem_free(raster->busy);
    mem_free(raster->screen);
    arena_fini(&raster->arena);
    arena_fini(&raster->caller_arena);
    mem_free(raster);
}

void raster_limit_bins(struct raster *raster, size_t bytes)
{
    raster->arena.limit_bytes = bytes;
}

/* --- Targets -------------------------------------------------------------------------------------- */

static bool same_surface(const struct raster_surface *a, const struct raster_surface *b)
{
    if (!a->format && !b->format)
        return true;
    return a->format == b->format && a->data == b->data && a->row_pitch == b->row_pitch &&
           a->sample_pitch == b->sample_pitch && a->width == b->width && a->height == b->height;
}

static bool same_targets(const struct raster_targets *a, const struct raster_targets *b)
{
    for (unsigned t = 0; t < RASTER_TARGETS; t++)
        if (!same_surface(&a->colour[t], &b->colour[t]))
            return false;
    return same_surface(&a->depth, &b->depth) && a->width == b->width && a->height == b->height &&
           a->samples == b->samples;
}

/* The largest extent of any target: clears cover each over its own. */
static void scene_size(const struct raster_targets *targets, uint32_t *width, uint32_t *height)
{
    *width = targets->width;
    *height = targets->height;
    for (unsigned t = 0; t <= RASTER_TARGETS; t++) {
        const struct raster_surface *surface =
            t < RASTER_TARGETS ? &targets->colour[t] : &targets->depth;

        if (!surface->format)
            continue;
        *width = surface->width > *width ? surface->width : *width;
        *height = surface->height > *height ? surface->height : *height;
    }
}

static enum status reserve_bins(struct raster *raster, uint32_t tiles_x, uint32_t tiles_y)
{
    size_t tiles = (size_t)tiles_x * tiles_y;

    if (tiles > raster->bins_room) {
        struct bin *bins = mem_calloc(tiles, sizeof(*bins));
        uint32_t *busy = mem_alloc(tiles * sizeof(*busy));

        if (!bins || !busy) {
            mem_free(bins);
            mem_free(busy);
            return ST_NOMEM;
        }
        mem_free(raster->bins);
        mem_free(raster->busy);
        raster->bins = bins;
        raster->busy = busy;
        raster->bins_room = tiles;
    }
    raster->tiles_x = tiles_x;
    raster->tiles_y = tiles_y;
    return ST_OK;
}

enum status raster_set_targets(struct raster *raster, const struct raster_targets *targets)
{
    uint32_t width, height;
    enum status st;

    if (same_targets(&raster->targets, targets))
        return ST_OK;
    scene_size(targets, &width, &height);
    if (width > MAX_DIM || height > MAX_DIM ||
        (targets->samples != 1 && targets->samples != 2 && targets->samples != 4 &&
         targets->samples != 8))
        return ST_INVALID;
    raster_flush(raster);
    st = reserve_bins(raster, (width + TILE_DIM - 1) / TILE_DIM,
                      (height + TILE_DIM - 1) / TILE_DIM);
    if (st != ST_OK)
        return st;
    raster->targets = *targets;
    raster->extent[2] = (int32_t)width;
    raster->extent[3] = (int32_t)height;
    for (unsigned t = 0; t < RASTER_TARGETS; t++) {
        const struct tex_format *format = targets->colour[t].format;

        raster->pack[t] = format ? tex_packer(format) : NULL;
        raster->unpack[t] = format ? tex_unpacker(format) : NULL;
    }
    return ST_OK;
}

/* --- Scenes ----------------------------------------------------------------------------------------- */

static void run_tile(void *ctx, unsigned index, unsigned worker)
{
    struct raster *raster = ctx;

    raster_tile_run(&raster->workers[worker], raster->busy[index]);
}

static void add_queries(struct raster *raster)
{
    for (struct raster_query *query = raster->queries; query; query = query->next)
        for (unsigned i = 0; i < raster->n_workers; i++)
            *query->target += query->counts[i * QUERY_STRIDE];
    raster->queries = NULL;
}

void raster_make_room(struct raster *raster)
{
    if (raster->n_busy)
        pool_run(raster->pool, raster->n_busy, run_tile, raster);
    for (unsigned i = 0; i < raster->n_busy; i++)
        raster->bins[raster->busy[i]] = (struct bin){NULL, NULL};
    raster->n_busy = 0;
    add_queries(raster);
    raster->plan = NULL;
    arena_reset(&raster->arena);
}

void raster_flush(struct raster *raster)
{
    raster_make_room(raster);
    arena_reset(&raster->caller_arena);
    raster->serial += raster->touched;
    raster->touched = false;
}

uint64_t raster_scene_serial(const struct raster *raster)
{
    return raster->serial;
}

void *raster_alloc(struct raster *raster, size_t size)
{
    struct arena *arena = &raster->caller_arena;

    arena->limit_bytes = !arena->used_bytes && size > CALLER_LIMIT ? 0 : CALLER_LIMIT;
    return arena_alloc(arena, size);
}

/* --- Draws ------------------------------------------------------------------------------------------ */

static enum status project_all(struct raster *raster, const struct raster_vertices *vertices)
{
    if (vertices->count > raster->screen_room) {
        struct raster_screen_vertex *screen =
            mem_alloc((size_t)vertices->count * sizeof(*raster->screen));

        if (!screen)
            return ST_NOMEM;
        mem_free(raster->screen);
        raster->screen = screen;
        raster->screen_room = vertices->count;
    }
    for (uint32_t i = 0; i < vertices->count; i++)
        raster_project(raster, &raster->screen[i],
                       vertices->data + (size_t)i * vertices->stride_floats);
    return ST_OK;
}

static enum status draw_line(struct raster *raster, const struct raster_screen_vertex *from,
                             const struct raster_screen_vertex *to)
{
    struct raster_screen_vertex end[2] = {*from, *to};
    uint32_t planes = from->outside | to->outside;

    if ((from->outside & to->outside) || (planes & CLIP_DROP) ||
        (planes && !raster_clip_line(raster, end, planes)))
        return ST_OK;
    return raster_emit_line(raster, &end[0], &end[1], from->v, 1.0f, raster->state->last_pixel);
}

static enum status draw_one(struct raster *raster, enum raster_primitive primitive,
                            const uint32_t *index)
{
    const struct raster_screen_vertex *v = raster->screen;

    switch (primitive) {
    case RASTER_POINTS:
        if (v[index[0]].outside)
            return ST_OK;
        return raster_emit_point(raster, &v[index[0]], v[index[0]].v, 1.0f);
    case RASTER_LINES:
        return draw_line(raster, &v[index[0]], &v[index[1]]);
    default:
        return raster_draw_triangle(raster, &v[index[0]], &v[index[1]], &v[index[2]]);
    }
}

static enum status draw_all(struct raster *raster, uint32_t n_vertices,
                            enum raster_primitive primitive, const uint32_t *indices,
                            uint32_t count)
{
    unsigned corners = primitive == RASTER_POINTS ? 1 : primitive == RASTER_LINES ? 2 : 3;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < count && st == ST_OK; i++, indices += corners) {
        bool valid = true;

        for (unsigned k = 0; k < corners; k++)
            valid = valid && indices[k] < n_vertices;
        if (valid)
            st = draw_one(raster, primitive, indices);
    }
    return st;
}

static bool wraps(const struct raster_state *state)
{
    for (unsigned n = 0; n < state->n_attrs; n++)
        if (state->attr[n].wrap)
            return true;
    return false;
}

enum status raster_draw(struct raster *raster, const struct raster_state *state,
                        const struct raster_vertices *vertices, enum raster_primitive primitive,
                        const uint32_t *indices, uint32_t count)
{
    struct fp_mode mode = fp_enter();
    enum status st;

    raster->state = state;
    raster->plan_checked = false;
    raster->wraps = wraps(state);
    raster_clip_begin(raster);
    st = project_all(raster, vertices);
    if (st == ST_OK)
        st = draw_all(raster, vertices->count, primitive, indices, count);
    raster->state = NULL;
    fp_leave(mode);
    return st;
}

/* --- Clears ---------------------------------------------------------------------------------------- */

static void colour_fill(const struct raster *raster, unsigned target,
                        const struct raster_clear *clear, struct raster_fill *fill)
{
    const struct raster_surface *surface = &raster->targets.colour[target];
    _Alignas(64) float rgba[4][RASTER_LANES];
    const float *in[4] = {rgba[0], rgba[1], rgba[2], rgba[3]};
    uint8_t pixels[RASTER_LANES * 16];

    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < RASTER_LANES; i++)
            rgba[c][i] = clear->rgba[c];
    if (clear->srgb_write && (surface->format->caps & TEX_SRGB_WRITE))
        for (unsigned c = 0; c < 3; c++)
            tex_linear_to_srgb(rgba[c], RASTER_LANES);
    raster->pack[target](surface->format, pixels, RASTER_LANES, in);
    fill->surface = surface;
    fill->bytes = surface->format->bytes;
    fill->whole = true;
    memcpy(fill->value, pixels, fill->bytes);
    memset(fill->mask, 0xff, sizeof(fill->mask));
}

/* Bits that are neither depth nor stencil go with the depth. */
static bool depth_fill(const struct raster *raster, const struct raster_clear *clear,
                       struct raster_fill *fill)
{
    const struct raster_surface *surface = &raster->targets.depth;
    struct raster_depth_stencil ds = {0};
    _Alignas(64) float z[RASTER_LANES];
    _Alignas(64) uint32_t code[RASTER_LANES];
    uint32_t value = 0, mask = 0, all;

    raster_depth_layout(&ds, surface->format);
    for (unsigned i = 0; i < RASTER_LANES; i++)
        z[i] = clear->z;
    raster->kern->depth_encode(&ds, z, code);
    if (clear->depth && ds.depth_field) {
        value |= code[0];
        mask |= ~ds.stencil_field;
    }
    if (clear->stencil && ds.stencil_field) {
        value |= clear->stencil_value * ds.stencil_one & ds.stencil_field;
        mask |= ds.stencil_field;
    }
    fill->surface = surface;
    fill->bytes = surface->format->bytes;
    all = (uint32_t)((UINT64_C(1) << 8 * fill->bytes) - 1);
    fill->whole = (mask & all) == all;
    memcpy(fill->value, &value, sizeof(value));
    memcpy(fill->mask, &mask, sizeof(mask));
    return mask != 0;
}

/* Cuts the fills to one rectangle and their surfaces, and reckons what all of them cover. */
static bool cut_fills(const struct raster *raster, struct raster_clear_command *clear,
                      const struct raster_fill *fills, unsigned n, const int32_t *rect)
{
    int32_t all[4] = {MAX_DIM, MAX_DIM, 0, 0};

    clear->n_fills = 0;
    for (unsigned i = 0; i < n; i++) {
        struct raster_fill *fill = &clear->fill[clear->n_fills];
        const struct raster_surface *surface = fills[i].surface;
        uint32_t width = surface->width ? surface->width : raster->targets.width;
        uint32_t height = surface->height ? surface->height : raster->targets.height;
        int32_t size[4] = {0, 0, (int32_t)width, (int32_t)height};

        *fill = fills[i];
        memcpy(fill->rect, rect, sizeof(fill->rect));
        if (!raster_rect_cut(fill->rect, size))
            continue;
        for (unsigned side = 0; side < 2; side++) {
            all[side] = fill->rect[side] < all[side] ? fill->rect[side] : all[side];
            all[side + 2] =
                fill->rect[side + 2] > all[side + 2] ? fill->rect[side + 2] : all[side + 2];
        }
        clear->n_fills++;
    }
    memcpy(clear->rect, all, sizeof(all));
    return clear->n_fills != 0;
}

static bool try_clear(struct raster *raster, const struct raster_fill *fills, unsigned n,
                      const int32_t *rect)
{
    struct raster_clear_command *clear = arena_alloc(&raster->arena, sizeof(*clear));

    if (!clear)
        return false;
    return !cut_fills(raster, clear, fills, n, rect) || raster_bin_clear(raster, clear);
}

enum status raster_clear(struct raster *raster, const struct raster_clear *clear,
                         const int32_t (*rects)[4], unsigned n_rects)
{
    struct fp_mode mode = fp_enter();
    struct raster_fill fills[RASTER_TARGETS + 1];
    enum status st = ST_OK;
    unsigned n = 0;

    memset(fills, 0, sizeof(fills));
    for (unsigned t = 0; t < RASTER_TARGETS && clear->colour; t++)
        if (raster->targets.colour[t].format && raster->pack[t])
            colour_fill(raster, t, clear, &fills[n++]);
    if ((clear->depth || clear->stencil) && raster->targets.depth.format)
        n += depth_fill(raster, clear, &fills[n]);
    for (unsigned i = 0; i < n_rects && st == ST_OK && n; i++) {
        if (try_clear(raster, fills, n, rects[i]))
            continue;
        raster_make_room(raster);
        if (!try_clear(raster, fills, n, rects[i]))
            st = ST_NOMEM;
    }
    fp_leave(mode);
    return st;
}
