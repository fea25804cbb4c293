/* One draw call: plan, vertices in chunks, primitives to the rasteriser. */
#include "draw/draw_private.h"

#include "draw/assemble.h"
#include "draw/fetch.h"
#include "util/fpenv.h"

#include <string.h>

enum {
    CHUNK_PRIMITIVES = 32768,
    CHUNK_CORNERS = 3 * CHUNK_PRIMITIVES,
    MAP_MAX_RANGE =
        1 << 20, /* wider index ranges in one chunk are not looked up, but shaded anew */
    SHADING_MAX_BYTES = 64 << 20
};

/* A draw in progress. */
struct run {
    struct draw *draw;
    const struct draw_state *state;
    const struct draw_args *args;
    struct vertex_stage vertex;
    struct raster_state raster;
    uint32_t stride_floats;
    uint32_t *corner;  /* indices as the program named them, CHUNK_CORNERS */
    uint32_t *unique;  /* the different ones among them */
    uint32_t *compact; /* each corner as a position in `unique` */
};

/* --- Indices ---------------------------------------------------------------------------------- */

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
static void copy_indices(const struct draw_state *state, uint64_t first, uint32_t n, uint32_t *out)
{
    uint32_t bytes = state->indices.bytes;
    uint64_t there = state->indices.data ? state->indices.size / bytes : 0;
    uint32_t known = first >= there ? 0 : there - first < n ? (uint32_t)(there - first) : n;
    const uint8_t *from = known ? state->indices.data + first * bytes : NULL;

    for (uint32_t i = 0; i < known && bytes == 2; i++) {
        uint16_t narrow;

        memcpy(&narrow, from + (size_t)i * 2, 2);
        out[i] = narrow;
    }
    if (known && bytes == 4)
        memcpy(out, from, (size_t)known * 4);
    memset(out + known, 0, (size_t)(n - known) * sizeof(*out));
}

/* The corners of primitives first … first + n - 1; returns how many. */
static uint32_t collect_corners(const struct run *run, uint32_t first, uint32_t n)
{
    const struct draw_args *args = run->args;
    uint32_t count = 0;

    if (args->indexed && args->type == D3DPT_TRIANGLELIST) {
        copy_indices(run->state, (uint64_t)args->start_index + (uint64_t)first * 3, n * 3,
                     run->corner);
        return n * 3;
    }
    for (uint32_t p = 0; p < n; p++) {
        uint32_t position[3];
        unsigned corners = assemble_corners(args->type, first + p, position);

        for (unsigned c = 0; c < corners; c++)
            run->corner[count++] =
                args->indexed ? read_index(run->state, (uint64_t)args->start_index + position[c])
                              : position[c];
    }
    return count;
}

/* Fills `unique` and `compact`, so that a vertex shared in the chunk is shaded once. Returns the
 * number of unique vertices, or 0 where memory is short. */
static uint32_t share_vertices(const struct run *run, uint32_t count)
{
    uint32_t low = UINT32_MAX, high = 0, range, n = 0;
    uint32_t *map;

    for (uint32_t i = 0; i < count; i++) {
        low = run->corner[i] < low ? run->corner[i] : low;
        high = run->corner[i] > high ? run->corner[i] : high;
    }
    range = high - low;
    if (range >= MAP_MAX_RANGE) {
        for (uint32_t i = 0; i < count; i++) {
            run->unique[i] = run->corner[i];
            run->compact[i] = i;
        }
        return count;
    }
    map = draw_scratch_get(&run->draw->map, ((size_t)range + 1) * sizeof(*map));
    if (!map)
        return 0;
    memset(map, 0xff, ((size_t)range + 1) * sizeof(*map));
    for (uint32_t i = 0; i < count; i++) { /* without a branch, which nobody could foresee */
        uint32_t *slot = &map[run->corner[i] - low];
        bool first = *slot == UINT32_MAX;

        run->unique[n] = run->corner[i];
        run->compact[i] = *slot = first ? n : *slot;
        n += first;
    }
    return n;
}

/* --- Chunks ----------------------------------------------------------------------------------- */

static enum status run_chunk(struct run *run, uint32_t first, uint32_t n, uint32_t instance)
{
    const struct draw_args *args = run->args;
    uint32_t corners = collect_corners(run, first, n);
    uint32_t vertices = share_vertices(run, corners);
    float *data;

    if (!vertices)
        return ST_NOMEM;
    data = draw_scratch_get(&run->draw->vertices,
                            ((size_t)vertices + 3) * run->stride_floats * sizeof(float));
    if (!data)
        return ST_NOMEM;
    vertex_stage_run(&run->vertex, run->unique, vertices, args->base_vertex, instance, data,
                     run->stride_floats);
    clip_status_add(run->state, run->vertex.plan, data + RASTER_V_POSITION, vertices,
                    run->stride_floats);
    return raster_draw(run->draw->raster, &run->raster,
                       &(struct raster_vertices){
                           .data = data, .stride_floats = run->stride_floats, .count = vertices},
                       assemble_kind(args->type), run->compact, n);
}

static enum status run_instance(struct run *run, uint32_t instance)
{
    uint32_t done = 0;
    enum status st = ST_OK;

    while (!st && done < run->args->primitives) {
        uint32_t left = run->args->primitives - done;
        uint32_t n = left < CHUNK_PRIMITIVES ? left : CHUNK_PRIMITIVES;

        st = run_chunk(run, done, n, instance);
        done += n;
    }
    return st;
}

/* Instances are drawn by indexed draws alone, as many as stream 0 says, and only where some stream
 * advances per instance (reference: vertices/instancing). */
static uint32_t instance_count(const struct draw_state *state, const struct draw_args *args)
{
    for (unsigned s = 0; args->indexed && s < DRAW_STREAMS; s++)
        if (fetch_per_instance(&state->stream[s]))
            return state->stream[0].frequency & 0x3fffffff;
    return 1;
}

/* --- The draw --------------------------------------------------------------------------------- */

enum status draw_find_plan(struct draw *draw, const struct draw_key *key,
                           const struct draw_state *state, const struct draw_plan **out)
{
    struct draw_plan *plan = plan_cache_find(&draw->plans, key);
    enum status st;

    if (!plan) {
        if (plan_cache_full(&draw->plans)) {
            draw_flush(draw); /* the open scene uses plans */
            plan_cache_evict(&draw->plans);
        }
        if ((st = plan_cache_create(&draw->plans, &plan, key, state)))
            return st;
    }
    *out = plan;
    return ST_OK;
}

static enum status get_scratch(struct run *run)
{
    uint32_t *all =
        draw_scratch_get(&run->draw->indices, 3 * (size_t)CHUNK_CORNERS * sizeof(uint32_t));

    if (!all)
        return ST_NOMEM;
    run->corner = all;
    run->unique = all + CHUNK_CORNERS;
    run->compact = all + 2 * CHUNK_CORNERS;
    return ST_OK;
}

static enum status run_draw(struct draw *draw, const struct draw_state *state,
                            const struct draw_args *args)
{
    struct run run = {.draw = draw, .state = state, .args = args};
    struct tex_sampler vertex_samplers[4];
    const D3DLIGHT9 *lights[FF_LIGHTS];
    const struct draw_plan *plan;
    const struct shade *shade;
    struct draw_key key;
    struct ff_state ff;
    uint32_t instances = instance_count(state, args);
    enum status st;
    bool any;

    draw->plans.statistics.draws++;
    if (draw->shading.used_bytes > SHADING_MAX_BYTES)
        draw_flush(draw);
    plan_ff_state(&ff, state, lights);
    ff.sprites = args->type == D3DPT_POINTLIST && state->render[D3DRS_POINTSPRITEENABLE];
    plan_key_init(&key, state, &ff);
    key.ieee = draw->ieee;
    if ((st = draw_find_plan(draw, &key, state, &plan)))
        return st;
    if ((st = feedback_begin(draw, state, plan)) || (st = target_bind(draw, state, &any)) || !any)
        return st;
    feedback_note(draw, state, plan);
    if ((st = shade_prepare(draw, plan, state, &ff, &shade)) ||
        (st = vertex_stage_init(&run.vertex, draw, plan, state, &ff, vertex_samplers)) ||
        (st = get_scratch(&run)))
        return st;
    run.vertex.sizes =
        args->type == D3DPT_POINTLIST || state->render[D3DRS_FILLMODE] == D3DFILL_POINT;
    output_state(&run.raster, state, plan, &draw->targets);
    /* Software, which keeps a clip status, clamps depths instead (reference: clip/software). */
    run.raster.depth_clamp = state->clip_status && !run.raster.clipping;
    shade_state(&run.raster, plan, shade);
    run.stride_floats = (RASTER_V_ATTR + plan->n_attr + 3) & ~3u;
    for (uint32_t i = 0; !st && i < instances; i++)
        st = run_instance(&run, i);
    return st;
}

enum status draw_primitives(struct draw *draw, const struct draw_state *state,
                            const struct draw_args *args)
{
    struct fp_mode mode;
    enum status st;

    if (!args->primitives || !state->decl || !assemble_vertices(args->type, 1))
        return ST_OK;
    mode = fp_enter();
    st = run_draw(draw, state, args);
    feedback_end(draw);
    fp_leave(mode);
    return st;
}
