/* Bins -> pixels: the steps of a tile, which its worker takes. */
#ifndef RASTER_TILE_H
#define RASTER_TILE_H

#include "raster/scene.h"
#include "util/math.h"

/* A mask of a block's pixels, row after row, as lanes in the order of quads of 2x2, and back: what
 * is bit 3 of a pixel's number, its row's lowest bit, is bit 1 of a lane's. */
static inline uint64_t raster_mask_linear_to_quad(uint64_t mask)
{
    mask = raster_mask_delta_swap(mask, 4, UINT64_C(0x00f000f000f000f0));
    return raster_mask_delta_swap(mask, 2, UINT64_C(0x0c0c0c0c0c0c0c0c));
}

static inline uint64_t raster_mask_quad_to_linear(uint64_t mask)
{
    mask = raster_mask_delta_swap(mask, 2, UINT64_C(0x0c0c0c0c0c0c0c0c));
    return raster_mask_delta_swap(mask, 4, UINT64_C(0x00f000f000f000f0));
}

static inline int32_t raster_tile_dim(const struct raster *raster)
{
    return 1 << raster->tile_shift;
}

/* The pixels of the worker's tile. */
static inline void raster_tile_rect(const struct raster_worker *worker, int32_t rect[4])
{
    rect[0] = worker->tile.x;
    rect[1] = worker->tile.y;
    rect[2] = worker->tile.x + raster_tile_dim(worker->raster);
    rect[3] = worker->tile.y + raster_tile_dim(worker->raster);
}

/* Of the block with the pixel (x, y) in the worker's tile. */
static inline unsigned raster_block_number(const struct raster_worker *worker, int32_t x, int32_t y)
{
    return ((unsigned)(y - worker->tile.y) & (unsigned)-BLOCK_DIM) |
           (unsigned)(x - worker->tile.x) / BLOCK_DIM;
}

static inline uint64_t *raster_block_masks(struct raster_worker *worker, unsigned block)
{
    return worker->masks + (size_t)block * worker->raster->targets.samples;
}

/* Depths of some of 8x8 pixels were written, at any place in the tile: what is known of the blocks
 * around it is no more. */
static inline void raster_hiz_invalidate(struct raster_worker *worker, int32_t x, int32_t y)
{
    if (worker->hiz.valid)
        worker->hiz.valid &= ~(UINT64_C(0x303) << raster_block_number(worker, x, y));
}

/* multisample.c */
extern const int8_t raster_sample_x[MAX_SAMPLES + 1][MAX_SAMPLES]; /* [pattern][i], 1/16 pixel */
extern const int8_t raster_sample_y[MAX_SAMPLES + 1][MAX_SAMPLES];
/* The place of each of a block's pixels, 64 of them, from the samples that the primitive covers. */
void raster_centroid_samples(const struct raster_pipeline *pipeline, unsigned samples,
                             const uint64_t *cover, uint8_t *centroid_sample);
/* Takes centroid attributes of the batch where worker->centroid_sample says. */
void raster_centroid_move(struct raster_worker *worker);
/* Lanes whose alpha is enough for a sample. */
uint64_t raster_alpha_cover(const struct raster_worker *worker,
                            const struct raster_shade_batch *batch, unsigned sample);

/* coverage.c: the pixels of a triangle in the blocks of a mask, a bit a block, as worker->masks;
 * returns the blocks that have some. */
uint64_t raster_coverage_triangle(struct raster_worker *worker, const struct raster_prim *prim,
                                  uint64_t todo);

/* The blocks that may have pixels of a PRIM_SPLIT_RECT's first half; whole: and of no other; else
 * pixels[block]: which, without a look at the rectangle. */
uint64_t raster_coverage_split_edge(const struct raster_worker *worker,
                                    const struct raster_prim *prim, uint64_t todo, uint64_t *whole,
                                    uint64_t pixels[BLOCKS_PER_TILE]);

/* front_to_back.c: sprites that follow one another in a tile. */
void raster_depth_sort_prepare(struct raster_pipeline *pipeline);
/* false: not one of them, or of another pipeline, or there are enough. */
bool raster_depth_sort_add(struct depth_sort *sort, const struct raster *raster,
                           const struct raster_prim *prim);

/* tile.c */
/* Pixels of the block at (x, y) that lie in the rectangle. */
uint64_t raster_rect_mask(const int32_t rect[4], int32_t x, int32_t y);
/* All of the blocks in a mask, as worker->masks. */
void raster_mask_whole(struct raster_worker *worker, uint64_t blocks);
void raster_tile_run(struct raster_worker *worker, uint32_t tile);

/* quad_queue.c */
/* Takes what worker->masks cover of the blocks in a mask. */
void raster_draw_blocks(struct raster_worker *worker, const struct raster_prim *prim,
                        uint64_t blocks);
/* Takes the pixels of a PRIM_MASK8X8 that lie in the tile. */
void raster_quad_queue_small(struct raster_worker *worker, const struct raster_prim *prim);
/* Takes the commands of a block from number i on that are such primitives, of the batch's pipeline,
 * which says runs; returns the number of the next. */
size_t raster_quad_queue_take(struct raster_worker *worker, const struct bin_block *cmds, size_t i);
void raster_quad_queue_flush(struct raster_worker *worker);
/* The blocks of pixels that have waited and do no longer, since this was asked last. */
uint64_t raster_in_flight_take_history(struct raster_worker *worker);
/* Makes the early tests that quads of the batch wait for. */
void raster_quad_queue_test(struct raster_worker *worker);
/* Batches of this pipeline are next. */
void raster_quad_queue_begin(struct raster_worker *worker, const struct raster_pipeline *pipeline);

/* frag_batch.c: pixels without their quads, for pipelines that say lone. As raster_quad_queue_take;
 * of 8x8 pixels in the tile, that have passed their test or not; tests that wait; and all that
 * waits.
 */
size_t raster_frag_batch_take(struct raster_worker *worker, const struct bin_block *cmds, size_t i);
void raster_frag_batch_put(struct raster_worker *worker, const struct raster_prim *prim, unsigned x,
                           unsigned y, uint64_t rows, bool tested);
void raster_frag_batch_test(struct raster_worker *worker);
void raster_frag_batch_flush(struct raster_worker *worker);
/* The batch of worker->frag_batch, to be shaded. */
struct raster_shade_batch raster_frag_batch_to_shade(struct raster_worker *worker);
/* raster_gather and raster_scatter for them; mask: the lanes that are stored. */
void raster_frag_batch_gather(const struct raster_worker *worker,
                              const struct raster_surface *surface, void *out);
void raster_frag_batch_scatter(const struct raster_worker *worker,
                               const struct raster_surface *surface, const void *in, uint64_t mask);

/* block.c: shades the 8x8 pixels at (x, y) and writes those of the masks, which early tests have
 * passed and the batch that is being filled does not have; late tests are made on the way. Its
 * pipeline says whole_blocks. */
void raster_block_run(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                      int32_t y, uint64_t *cover);
/* Fills or blends blocks of the tile, a bit each, if all of the primitive is of one colour; for
 * pipelines that say solid. */
bool raster_block_solid(struct raster_worker *worker, const struct raster_prim *prim,
                        uint64_t blocks);
/* The same of all blocks of the tile at (x, y); false: not at once. */
bool raster_block_tile(struct raster_worker *worker, const struct raster_prim *prim);

/* gradient_fill.c: the primitive's colour as a gradient, where pipeline->gradient_fill; false: it
 * is none. */
bool raster_gradient_fill_find(const struct raster_prim *prim, struct gradient_fill *gradient);
/* Its dim x dim pixels at (x, y), in all samples. */
void raster_gradient_fill_put(const struct raster_worker *worker,
                              const struct gradient_fill *gradient, int32_t x, int32_t y,
                              unsigned dim);

/* axis_aligned.c: fills the tile with words of s.shade_axis_aligned, where pipeline->axis_aligned;
 * false: nothing was done.
 */
bool raster_axis_aligned_tile(struct raster_worker *worker, const struct raster_prim *prim);

/* solid_blend_u8.c: false: the blend is not so simple. */
bool raster_solid_blend_u8_find(struct solid_blend_u8 *coeffs, const struct raster_blend_kern *kern,
                                const struct raster_byte_blend *how, const float colour[4]);

/* depth_stencil.c */
/* Whether pixels that fail by depth leave the stencil as it is. */
bool raster_depth_fails_clean(const struct raster_depth_stencil *ds);
void raster_depth_layout(struct raster_depth_stencil *ds, const struct tex_format *format);
/* Early: tests one sample of blocks, a bit each; worker->masks become what passes. */
void raster_depth_blocks(struct raster_worker *worker, const struct raster_prim *prim,
                         unsigned sample, uint64_t wanted, bool read_only);
/* Tests 8x8 pixels at any place in the tile of targets without samples; returns what passes. */
uint64_t raster_depth_small(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y, uint64_t mask, bool read_only);
/* Tests quads where they lie, and writes if that is wanted; for pipelines that say quad_zs_test. */
uint64_t raster_depth_quads(struct raster_worker *worker, const struct raster_quads *quads,
                            uint64_t cover, bool write);
/* Whether blocks are tested where they lie, on a surface of so many bytes a pixel. */
bool raster_depth_in_place(const struct raster_depth_stencil *ds, unsigned bytes);
/* Early: whether all pixels of the worker's tile, one sample each, pass by one depth, which is then
 * written; false: nothing was done. */
bool raster_depth_tile(struct raster_worker *worker, const struct raster_prim *prim);
/* The code of a primitive at one depth. */
uint32_t raster_const_depth_code(const struct raster *raster, const struct raster_prim *prim);
/* Late: tests the batch's lanes with the depths given, before the primitives' offsets. */
uint64_t raster_depth_lanes(struct raster_worker *worker, const float *z, unsigned sample,
                            uint64_t mask);

/* hiz.c */
void raster_hiz_prepare(const struct raster *raster, struct raster_pipeline *pipeline);
/* How the primitive fares in the blocks of a mask; returns those in which something may come of it.
 * For pipelines that say hiz. */
uint64_t raster_hiz_test(struct raster_worker *worker, const struct raster_prim *prim,
                         uint64_t blocks);
/* Of blocks those that the stencil test does not fail as a whole. For pipelines that say even. */
uint64_t raster_hiz_cull_stencil(const struct raster_worker *worker, const struct raster_prim *prim,
                                 uint64_t blocks);
/* The depth-stencil surface is cleared. */
void raster_hiz_clear(struct raster_worker *worker, const struct raster_fill *fill);
/* Depths were written: some of quads; all those of a block, by the primitive that was judged; one
 * code all over the tile. */
void raster_hiz_invalidate_quads(struct raster_worker *worker, const struct raster_quads *quads);
void raster_hiz_update_block(struct raster_worker *worker, int32_t x, int32_t y);
void raster_hiz_fill(struct raster_worker *worker, uint32_t code);

/* late_zs.c */
/* Takes from worker->cover what fails the tests that wait for shading, and counts the rest. */
void raster_late_zs_lanes(struct raster_worker *worker, const struct raster_shade_batch *batch);
/* The same of the block at (x, y), whose masks, in worker->masks, are by rows; false: nothing is
 * left. */
bool raster_late_zs_block(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                          int32_t y, const struct raster_shade_batch *batch, uint64_t *cover);
/* Lanes whose colour passes the alpha test. */
uint64_t raster_alpha_lanes(const struct raster_worker *worker,
                            const struct raster_shade_batch *batch);
/* For the query that is open, if one is. */
void raster_count_samples(struct raster_worker *worker, uint64_t passed);

/* output.c */
void raster_output_lanes(struct raster_worker *worker, const struct raster_shade_batch *batch,
                         const uint64_t *cover);
/* Colours for output n, with fog by `coordinate` and clamped for blending. */
void raster_output_source(struct raster_worker *worker, unsigned n,
                          const struct raster_shade_batch *batch, const float *coordinate,
                          const float *source[4]);
/* From there to worker->packed, where the result of the sample before may do. *packed: lanes that
 * worker->packed is right for, 0 at first. What is stored already lies in raster_output_dst_pixels
 * if blending or a write mask needs it. */
void raster_output_sample(struct raster_worker *worker, const struct raster_output *output,
                          const float *const colour[4], uint64_t mask, uint64_t *packed);
bool raster_output_reads(const struct raster_output *output);
uint8_t *raster_output_dst_pixels(struct raster_worker *worker, const struct raster_output *output,
                                  uint64_t packed);

/* Copies between a surface and an array of pixels in lane order, for the lanes of a mask. */
void raster_gather(const struct raster_worker *worker, const struct raster_surface *surface,
                   unsigned sample, void *out, uint64_t mask);
void raster_scatter(const struct raster_worker *worker, const struct raster_surface *surface,
                    unsigned sample, void *in, uint64_t mask);

#endif
