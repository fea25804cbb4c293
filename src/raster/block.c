/* A block of 8x8 pixels that one primitive covers, or enough of it: a batch by itself, past the one
 * that is being filled. Its pixels lie in rows, one after another for each sample. Mostly all are
 * there and early tests are over; else the others are written too, and then put back.
 *
 * Some need no shading of their own: all those of a primitive with equal attributes are of one
 * colour, and words of pixels may come straight from a texture. */
#include "raster/raster_private.h"

#include <string.h>

/* --- What shaders read ------------------------------------------------------------------------ */

/* Lane i is the pixel (lane_x(i), lane_y(i)) of the block. */
static unsigned lane_x(unsigned lane)
{
    return lane / 4 % 4 * 2 + lane % 2;
}

static unsigned lane_y(unsigned lane)
{
    return lane / 16 * 2 + lane / 2 % 2;
}

static void put_position(struct raster_block_lanes *lanes, int32_t x, int32_t y)
{
    for (unsigned i = 0; i < RASTER_LANES; i++)
        lanes->x[i] = (float)(x + (int32_t)lane_x(i));
    for (unsigned i = 0; i < RASTER_LANES; i++)
        lanes->y[i] = (float)(y + (int32_t)lane_y(i));
}

static void put_face(struct raster_block_lanes *lanes, float face)
{
    for (unsigned i = 0; i < RASTER_LANES; i++)
        lanes->face[i] = face;
}

static void interpolate(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                        int32_t y)
{
    const struct raster_plan *plan = prim->plan;
    struct raster_block_lanes *lanes = &worker->block;
    struct raster_block block = {
        .prim = prim,
        .attr = plan->s.attr,
        .n_attrs = plan->s.n_attrs,
        .x = (float)x,
        .y = (float)y,
        .constants = worker->kept != prim,
        .z = plan->needs & RASTER_UNREAD_Z ? lanes->z : NULL,
        .w = plan->needs & RASTER_UNREAD_W ? lanes->w : NULL,
        .work = worker->work,
    };

    worker->raster->block_kern->interpolate(&block);
    worker->kept = prim; /* shaders keep their inputs */
    if (plan->needs & RASTER_UNREAD_XY)
        put_position(lanes, x, y);
    if (plan->needs & RASTER_UNREAD_FACE)
        put_face(lanes, prim->face);
}

/* --- Output ----------------------------------------------------------------------------------- */

enum { SAVED_PITCH = BLOCK_DIM * 4 }; /* of words in worker->saved */

static inline void copy_pair(uint8_t *row, uint8_t *lanes, size_t bytes, bool store)
{
    if (store)
        memcpy(row, lanes, 2 * bytes);
    else
        memcpy(lanes, row, 2 * bytes);
}

/* Between the block's rows and pixels in the order of lanes; `bytes` is a constant where this is
 * inlined. */
static inline void copy_rows(uint8_t *rows, size_t pitch, uint8_t *lanes, size_t bytes, bool store)
{
    for (unsigned y = 0; y < BLOCK_DIM; y += 2, rows += 2 * pitch) {
        for (unsigned x = 0; x < BLOCK_DIM; x += 2, lanes += 4 * bytes) {
            copy_pair(rows + x * bytes, lanes, bytes, store);
            copy_pair(rows + pitch + x * bytes, lanes + 2 * bytes, bytes, store);
        }
    }
}

static void copy_block(uint8_t *rows, size_t pitch, uint8_t *lanes, size_t bytes, bool store)
{
    switch (bytes) {
    case 2:
        copy_rows(rows, pitch, lanes, 2, store);
        break;
    case 4:
        copy_rows(rows, pitch, lanes, 4, store);
        break;
    case 8:
        copy_rows(rows, pitch, lanes, 8, store);
        break;
    default:
        copy_rows(rows, pitch, lanes, bytes, store);
        break;
    }
}

/* The coordinate that fog is by (reference: fog/table). */
static const float *fog_coordinate(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_state *state = &prim->plan->s;

    if (state->fog == RASTER_FOG_VERTEX)
        return worker->work + state->attr[state->fog_attr].slot * RASTER_LANES;
    if (state->fog_w)
        return worker->block.w;
    if (state->depth_bias == 0.0f && state->slope_bias == 0.0f)
        return worker->block.z;
    for (unsigned i = 0; i < RASTER_LANES; i++)
        worker->depth[i] = worker->block.z[i] + prim->depth_offset;
    return worker->depth;
}

static uint8_t *address(const struct raster_output *output, int32_t x, int32_t y)
{
    const struct raster_surface *surface = output->surface;

    return surface->data + (size_t)y * surface->row_pitch + (size_t)x * surface->format->bytes;
}

static void put_bytes(const struct raster_worker *worker, const struct raster_output *output,
                      const float *const source[4], uint8_t *rows, size_t pitch)
{
    unsigned low = output->mix.red_lowest ? 0 : 2;
    const float *const from[4] = {source[low], source[1], source[2 - low],
                                  output->mix.alpha ? source[3] : NULL};

    worker->raster->block_kern->put_bytes(rows, pitch, from);
}

/* The whole block is written, then what the mask lacks gets back what it held. */
static void save_rows(struct raster_worker *worker, const struct raster_surface *surface,
                      const uint8_t *rows, uint64_t mask)
{
    size_t bytes = BLOCK_DIM * (size_t)surface->format->bytes;

    for (unsigned y = 0; y < BLOCK_DIM && ~mask; y++, rows += surface->row_pitch)
        memcpy(worker->saved + y * bytes, rows, bytes);
}

static void restore_rows(const struct raster_worker *worker, const struct raster_surface *surface,
                         uint8_t *rows, uint64_t mask)
{
    size_t bytes = surface->format->bytes;

    if (bytes == 4 && ~mask) {
        worker->raster->block_kern->put_some(rows, surface->row_pitch, worker->saved, ~mask);
        return;
    }
    for (uint64_t rest = ~mask; rest; rest &= rest - 1) {
        size_t i = (size_t)__builtin_ctzll(rest);

        memcpy(rows + i / BLOCK_DIM * surface->row_pitch + i % BLOCK_DIM * bytes,
               worker->saved + i * bytes, bytes);
    }
}

/* Pixels of four bytes that do not depend on what is stored go to one sample's rows, or are made
 * once, in worker->saved, and put from there to all samples. */
static bool puts_at_once(const struct raster_worker *worker, const uint64_t *cover)
{
    return worker->raster->targets.samples == 1 && !~cover[0];
}

static void put_samples(const struct raster_worker *worker, const struct raster_surface *surface,
                        uint8_t *rows, const uint64_t *cover)
{
    for (unsigned s = 0; s < worker->raster->targets.samples; s++, rows += surface->sample_pitch)
        if (cover[s])
            worker->raster->block_kern->put_some(rows, surface->row_pitch, worker->saved, cover[s]);
}

static void put_bytes_block(struct raster_worker *worker, const struct raster_output *output,
                            const float *const source[4], uint8_t *rows, const uint64_t *cover)
{
    if (puts_at_once(worker, cover)) {
        put_bytes(worker, output, source, rows, output->surface->row_pitch);
        return;
    }
    put_bytes(worker, output, source, worker->saved, SAVED_PITCH);
    put_samples(worker, output->surface, rows, cover);
}

static void write_halves(const struct raster_worker *worker, const struct raster_output *output,
                         uint8_t *rows, const float *const colour[4])
{
    const struct raster_half_kern *kern = worker->raster->half_kern;
    size_t pitch = output->surface->row_pitch;

    if (output->blend)
        kern->blend(&worker->plan->blend[output->clamp], rows, pitch, colour);
    else
        kern->put(rows, pitch, colour);
}

static void write_sample(struct raster_worker *worker, const struct raster_output *output,
                         uint8_t *rows, const float *const colour[4], uint64_t *packed)
{
    size_t bytes = output->surface->format->bytes, pitch = output->surface->row_pitch;

    if (raster_output_reads(output))
        copy_block(rows, pitch, raster_output_room(worker, output, *packed), bytes, false);
    raster_output_sample(worker, output, colour, ~UINT64_C(0), packed);
    copy_block(rows, pitch, worker->packed, bytes, true);
}

static void write_target(struct raster_worker *worker, const struct raster_prim *prim, unsigned n,
                         const struct raster_batch *batch, int32_t x, int32_t y,
                         const uint64_t *cover)
{
    const struct raster_output *output = &worker->plan->output[n];
    const struct raster_surface *surface = output->surface;
    uint8_t *rows = address(output, x, y);
    const float *source[4];
    uint64_t packed = 0;
    bool fogged = worker->plan->output_target[n] == 0 && worker->plan->fog.mode != RASTER_FOG_NONE;

    if (fogged || !(output->bytes || output->mixes))
        raster_output_source(worker, n, batch, fogged ? fog_coordinate(worker, prim) : NULL,
                             source);
    else
        memcpy(source, batch->colour[worker->plan->output_target[n]], sizeof(source));
    if (output->bytes) {
        put_bytes_block(worker, output, source, rows, cover);
        return;
    }
    for (unsigned s = 0; s < worker->raster->targets.samples; s++, rows += surface->sample_pitch) {
        if (!cover[s])
            continue;
        save_rows(worker, surface, rows, cover[s]);
        if (output->mixes)
            worker->raster->blend_kern->block(&output->mix, rows, surface->row_pitch, source);
        else if (output->halves)
            write_halves(worker, output, rows, source);
        else if (output->floats)
            worker->raster->block_kern->put_floats(rows, surface->row_pitch, source[0]);
        else
            write_sample(worker, output, rows, source, &packed);
        restore_rows(worker, surface, rows, cover[s]);
    }
}

/* All pixels, where plan->straight. */
static void write_straight(const struct raster_worker *worker, const struct raster_plan *plan,
                           const struct raster_batch *batch, int32_t x, int32_t y)
{
    for (unsigned n = 0; n < plan->n_outputs; n++) {
        const struct raster_output *output = &plan->output[n];
        const float *const *colour = batch->colour[plan->output_target[n]];

        if (colour[0])
            put_bytes(worker, output, colour, address(output, x, y), output->surface->row_pitch);
    }
}

/* --- Shading ---------------------------------------------------------------------------------- */

/* The batch of a block, interpolated. */
static struct raster_batch *open_batch(struct raster_worker *worker, const struct raster_prim *prim,
                                       int32_t x, int32_t y, uint64_t quads)
{
    const struct raster_block_lanes *lanes = &worker->block;
    struct raster_batch *batch = &worker->whole;

    if (worker->kept != prim || !batch->filled_by)
        *batch = (struct raster_batch){
            .worker = worker->number,
            .work = worker->work,
            .x = lanes->x,
            .y = lanes->y,
            .z = lanes->z,
            .w = lanes->w,
            .face = lanes->face,
            .prim = prim,
        };
    batch->lanes = batch->covered = quads;
    batch->killed = 0;
    interpolate(worker, prim, x, y);
    return batch;
}

/* So much that looking for a faster blend pays: two tiles. */
static bool covers_much(const struct raster_prim *prim)
{
    const int32_t *rect = prim->rect;

    return (int64_t)(rect[2] - rect[0]) * (rect[3] - rect[1]) >= 2 << 2 * TILE_SHIFT;
}

/* A colour for all blocks of a primitive, found by shading one. */
static void find_colour(struct raster_worker *worker, const struct raster_prim *prim,
                        struct raster_look_up *known)
{
    const struct raster_plan *plan = prim->plan;
    uint32_t rows[8][8];
    struct raster_batch *batch =
        open_batch(worker, prim, prim->rect[0], prim->rect[1], ~UINT64_C(0));
    const float *const *colour = batch->colour[plan->output_target[0]];

    plan->s.shade(plan->s.shade_ctx, batch);
    known->flat = colour[0] != NULL;
    if (!known->flat)
        return;
    for (unsigned c = 0; c < 4; c++)
        known->colour[c] = colour[c][0];
    known->in_steps = plan->output[0].mixes && covers_much(prim) &&
                      raster_find_steps(&known->steps, worker->raster->blend_kern,
                                        &plan->output[0].mix, known->colour);
    if (!plan->output[0].bytes)
        return;
    put_bytes(worker, &plan->output[0], colour, (uint8_t *)rows, sizeof(rows[0]));
    known->word = rows[0][0];
}

/* Whether attributes of these bits are 1 all over a primitive. */
static bool are_ones(const struct raster_prim *prim, uint64_t bits)
{
    if (bits & ~prim->constant)
        return false;
    for (; bits; bits &= bits - 1)
        if (prim->attr[__builtin_ctzll(bits)].a != 1.0f)
            return false;
    return true;
}

static uint64_t all_bits(unsigned n)
{
    return n ? ~UINT64_C(0) >> (64 - n) : 0;
}

/* Primitives over many tiles are met again in each. */
static const struct raster_look_up *look_up(struct raster_worker *worker,
                                            const struct raster_prim *prim)
{
    const struct raster_plan *plan = prim->plan;
    struct raster_look_up *known = &worker->known[(uintptr_t)prim / 64 % LOOK_UPS];

    if (known->prim == prim && known->rooms == worker->raster->rooms + 1)
        return known;
    known->prim = prim;
    known->rooms = worker->raster->rooms + 1;
    known->flat = false;
    known->ones = plan->plain && are_ones(prim, plan->s.ones);
    if (plan->flat && !(~prim->constant & all_bits(plan->s.n_attrs)))
        find_colour(worker, prim, known);
    return known;
}

static void put_colour(const struct raster_worker *worker, const struct raster_look_up *known,
                       const struct raster_output *output, uint8_t *rows, unsigned width,
                       unsigned height)
{
    const struct raster *raster = worker->raster;
    size_t pitch = output->surface->row_pitch;

    if (output->bytes)
        raster->block_kern->fill(rows, pitch, width, height, known->word);
    else if (known->in_steps)
        raster->blend_kern->steps(&known->steps, rows, pitch, width, height);
    else
        raster->blend_kern->flat(&output->mix, rows, pitch, width, height, known->colour);
}

static void put_colour_block(struct raster_worker *worker, const struct raster_look_up *known,
                             const struct raster_output *output, int32_t x, int32_t y,
                             const uint64_t *cover)
{
    const struct raster_surface *surface = output->surface;
    uint8_t *rows = address(output, x, y);

    for (unsigned s = 0; s < worker->raster->targets.samples; s++, rows += surface->sample_pitch) {
        if (!cover[s])
            continue;
        save_rows(worker, surface, rows, cover[s]);
        put_colour(worker, known, output, rows, BLOCK_DIM, BLOCK_DIM);
        restore_rows(worker, surface, rows, cover[s]);
    }
}

bool raster_block_colour(struct raster_worker *worker, const struct raster_prim *prim,
                         uint64_t blocks)
{
    const struct raster_output *output = &prim->plan->output[0];
    const struct raster_look_up *known;

    if (!blocks || !(known = look_up(worker, prim))->flat)
        return false;
    while (blocks) {
        unsigned first = (unsigned)__builtin_ctzll(blocks), x = first % BLOCK_DIM;
        unsigned row = blocks >> (first - x) & 0xff;
        unsigned run = (unsigned)__builtin_ctz(~(row >> x));

        put_colour(worker, known, output,
                   address(output, worker->tile.x + (int32_t)x * BLOCK_DIM,
                           worker->tile.y + (int32_t)(first - x)),
                   run * BLOCK_DIM, BLOCK_DIM);
        blocks &= ~(((UINT64_C(1) << run) - 1) << first);
    }
    return true;
}

bool raster_block_tile(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_output *output = &prim->plan->output[0];
    unsigned dim = (unsigned)raster_tile_dim(worker->raster);
    const struct raster_look_up *known;
    uint8_t *rows;

    if (!prim->plan->flat && !prim->plan->grid)
        return false;
    known = look_up(worker, prim);
    if (!known->flat)
        return known->ones && prim->plan->grid && raster_grid_tile(worker, prim);
    rows = address(output, worker->tile.x, worker->tile.y);
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        put_colour(worker, known, output, rows + (size_t)s * output->surface->sample_pitch, dim,
                   dim);
    return true;
}

static void put_words(struct raster_worker *worker, const struct raster_output *output,
                      const struct raster_batch *batch, int32_t x, int32_t y, const uint64_t *cover)
{
    const struct raster_surface *surface = output->surface;
    const struct raster_state *state = &worker->plan->s;
    uint32_t set = output->mix.alpha ? 0 : 0xff000000;
    uint8_t *rows = address(output, x, y);

    state->words(state->shade_ctx, batch, worker->words);
    if (puts_at_once(worker, cover)) {
        worker->raster->block_kern->put_words(rows, surface->row_pitch, worker->words, set);
        return;
    }
    worker->raster->block_kern->put_words(worker->saved, SAVED_PITCH, worker->words, set);
    put_samples(worker, surface, rows, cover);
}

/* Lanes of the quads that have covered pixels. */
static uint64_t quads_of(const uint64_t *cover, unsigned samples)
{
    uint64_t any = 0;

    for (unsigned s = 0; s < samples; s++)
        any |= cover[s];
    if (!~any)
        return any;
    return raster_touched_quads(raster_rows_to_lanes(any)) * 15;
}

void raster_block_run(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                      int32_t y, uint64_t *cover)
{
    const struct raster_plan *plan = prim->plan;
    const struct raster_look_up *known = NULL;
    struct raster_batch *batch;

    if (plan->flat || plan->plain)
        known = look_up(worker, prim);
    if (known && known->flat) {
        put_colour_block(worker, known, &plan->output[0], x, y, cover);
        return;
    }
    batch = open_batch(worker, prim, x, y, quads_of(cover, worker->raster->targets.samples));
    if (known && known->ones && plan->words) {
        put_words(worker, &plan->output[0], batch, x, y, cover);
        return;
    }
    if (known && known->ones)
        plan->s.plain(plan->s.shade_ctx, batch);
    else
        plan->s.shade(plan->s.shade_ctx, batch);
    if (!plan->early && !raster_late_block(worker, prim, x, y, batch, cover))
        return;
    if (plan->straight && !~cover[0]) {
        write_straight(worker, plan, batch, x, y);
        return;
    }
    for (unsigned n = 0; n < plan->n_outputs; n++)
        if (batch->colour[plan->output_target[n]][0])
            write_target(worker, prim, n, batch, x, y, cover);
}
