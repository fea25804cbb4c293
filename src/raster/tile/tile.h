/* Per-tile rendering: declares, file by file, the functions with which a worker turns a bin's
 * commands into pixels. */
#ifndef RASTER_TILE_TILE_H
#define RASTER_TILE_TILE_H

#include "raster/bin/bin.h"
#include "raster/shade/block_kern.h"
#include "raster/output/half_kern.h"
#include "raster/shade/frag_batch_kern.h"
#include "raster/shade/quad_kern.h"
#include "raster/shade/quad_queue_kern.h"
#include "raster/zs/block_zs_kern.h"
#include "raster/zs/hiz_kern.h"
#include "util/math.h"

/* Invalidates the hierarchical Z of all blocks that 8x8 pixels at (x, y), unaligned, may touch. */
static inline void raster_hiz_invalidate(struct raster_worker *worker, int32_t x, int32_t y)
{
    if (worker->hiz.valid)
        worker->hiz.valid &= ~(UINT64_C(0x303) << raster_block_number(worker, x, y));
}

/* multisample.c */
/* Chooses for each pixel of a block where centroid attributes are evaluated: 1 + sample, or 0 for
 * the centre. `cover` holds the primitive's coverage of each sample. */
void raster_centroid_samples(const struct raster_pipeline *pipeline, unsigned samples,
                             const uint64_t *cover, uint8_t *centroid_sample);
/* Evaluates the batch's centroid attributes again at worker->centroid_sample. */
void raster_centroid_move(struct raster_worker *worker);
/* Lanes whose alpha covers a sample (alpha to coverage). */
uint64_t raster_alpha_cover(const struct raster_worker *worker,
                            const struct raster_shade_batch *batch, unsigned sample);

/* coverage.c: Writes the coverage of a triangle in the blocks `todo` to worker->masks; returns the
 * blocks that have pixels. */
uint64_t raster_coverage_triangle(struct raster_worker *worker, const struct raster_prim *prim,
                                  uint64_t todo);

/* Splits the blocks `todo` by a PRIM_SPLIT_RECT's diagonal. Returns the blocks that may have pixels
 * of the first half; `whole`: those that belong to it entirely; pixels[block]: its pixels in the
 * others, not clipped to the rectangle. */
uint64_t raster_coverage_split_edge(const struct raster_worker *worker,
                                    const struct raster_prim *prim, uint64_t todo, uint64_t *whole,
                                    uint64_t pixels[BLOCKS_PER_TILE]);

/* Insertion-sorted run of sprites, nearest first (front_to_back.c). */
enum { MAX_SORTED = 128 };
struct depth_sort {
    unsigned n;
    uint32_t code[MAX_SORTED];
    const struct raster_prim *prim[MAX_SORTED];
};

/* front_to_back.c: Front-to-back sorting of consecutive sprites in a tile. */
void raster_depth_sort_prepare(struct raster_pipeline *pipeline);
/* False: the primitive is not sortable, has another pipeline, or the sort is full. */
bool raster_depth_sort_add(struct depth_sort *sort, const struct raster *raster,
                           const struct raster_prim *prim);

/* tile.c */
/* Mask, in linear order, of the pixels of the block at (x, y) that lie in the rectangle. */
uint64_t raster_rect_mask(const int32_t rect[4], int32_t x, int32_t y);
/* Sets worker->masks of the given blocks to full coverage. */
void raster_mask_whole(struct raster_worker *worker, uint64_t blocks);
/* raster->run_tile */
void raster_tile_run(struct raster *raster, unsigned number, uint32_t tile);

/* block_early_zs.c, quad_queue.c */
/* Draws the pixels that worker->masks cover in the given blocks. */
void raster_draw_blocks(struct raster_worker *worker, const struct raster_prim *prim,
                        uint64_t blocks);
/* Draws the part of a PRIM_MASK8X8 that lies in the tile. */
void raster_quad_queue_small(struct raster_worker *worker, const struct raster_prim *prim);
/* Queues consecutive PRIM_MASK8X8 commands of the current pipeline, which must be batchable, from
 * index i on. Returns the index of the first command that it does not take. */
size_t raster_quad_queue_take(struct raster_worker *worker, const struct bin_block *cmds, size_t i);
void raster_quad_queue_flush(struct raster_worker *worker);
/* Returns and clears the blocks whose pixels have been in flight since the last call. */
uint64_t raster_in_flight_take_history(struct raster_worker *worker);
/* Runs the pending early depth tests of queued quads and fragments. */
void raster_quad_queue_test(struct raster_worker *worker);
/* Flushes the queue and makes `pipeline` the current one. */
void raster_quad_queue_begin(struct raster_worker *worker, const struct raster_pipeline *pipeline);

/* frag_batch.c: The same for pipelines with frag_batch, whose fragments are shaded without helper
 * lanes. raster_frag_batch_put takes 8x8 pixels at (x, y) of the tile; `tested`: they have passed
 * the early test. */
size_t raster_frag_batch_take(struct raster_worker *worker, const struct bin_block *cmds, size_t i);
void raster_frag_batch_put(struct raster_worker *worker, const struct raster_prim *prim, unsigned x,
                           unsigned y, uint64_t rows, bool tested);
void raster_frag_batch_test(struct raster_worker *worker);
void raster_frag_batch_flush(struct raster_worker *worker);
/* Describes worker->frag_batch to the shader. */
struct raster_shade_batch raster_frag_batch_to_shade(struct raster_worker *worker);
/* raster_gather and raster_scatter for a fragment batch; mask: lanes to store. */
void raster_frag_batch_gather(const struct raster_worker *worker,
                              const struct raster_surface *surface, void *out);
void raster_frag_batch_scatter(const struct raster_worker *worker,
                               const struct raster_surface *surface, const void *in, uint64_t mask);

/* block.c: Shades the whole 8x8 block at (x, y), runs late tests and writes the pixels of `cover`.
 * Early tests are done and none of the pixels is in flight. Requires pipeline->whole_blocks. */
void raster_block_run(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                      int32_t y, uint64_t *cover);
/* Fills or blends blocks of the tile if the primitive has one solid colour; false: it does not.
 * Requires pipeline->solid. */
bool raster_block_solid(struct raster_worker *worker, const struct raster_prim *prim,
                        uint64_t blocks);
/* The same for all blocks of the tile, and for gradient fills and axis-aligned textures; false:
 * nothing was done. */
bool raster_block_tile(struct raster_worker *worker, const struct raster_prim *prim);

/* gradient_fill.c: Expresses the primitive's colour as a gradient; false: that is impossible.
 * Requires pipeline->gradient_fill. */
bool raster_gradient_fill_find(const struct raster_prim *prim, struct gradient_fill *gradient);
/* Fills dim x dim pixels at (x, y) in all samples. */
void raster_gradient_fill_put(const struct raster_worker *worker,
                              const struct gradient_fill *gradient, int32_t x, int32_t y,
                              unsigned dim);

/* axis_aligned.c: Fills the tile by s.shade_axis_aligned if the pipeline has axis_aligned; false:
 * nothing was done. */
bool raster_axis_aligned_tile(struct raster_worker *worker, const struct raster_prim *prim);

/* solid_blend_u8.c: Finds integer coefficients for a blend of one colour; false: there are none. */
bool raster_solid_blend_u8_find(struct solid_blend_u8 *coeffs, const struct raster_blend_kern *kern,
                                const struct raster_byte_blend *how, const float colour[4]);

/* depth_stencil.c */
/* Whether fragments that fail the depth test leave the stencil unchanged. */
bool raster_depth_fail_keeps_stencil(const struct raster_depth_stencil *ds);
void raster_depth_layout(struct raster_depth_stencil *ds, const struct tex_format *format);
/* Early test of one sample of some blocks; worker->masks keep the pixels that pass. */
void raster_depth_blocks(struct raster_worker *worker, const struct raster_prim *prim,
                         unsigned sample, uint64_t wanted, bool read_only);
/* Early test of 8x8 pixels at (x, y), unaligned, of single-sample targets; returns the pixels that
 * pass. */
uint64_t raster_depth_small(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y, uint64_t mask, bool read_only);
/* Tests quads in place and, if `write`, stores their depths. Requires pipeline->quad_zs_test. */
uint64_t raster_depth_quads(struct raster_worker *worker, const struct raster_quads *quads,
                            uint64_t cover, bool write);
/* Whether blocks can be tested in place on a surface of `bytes` bytes per pixel. */
bool raster_depth_in_place(const struct raster_depth_stencil *ds, unsigned bytes);
/* Early test of a primitive of constant depth against the whole tile, one sample. If all pixels
 * pass, writes the depth; otherwise does nothing and returns false. */
bool raster_depth_tile(struct raster_worker *worker, const struct raster_prim *prim);
/* The depth code, as stored, of a primitive of constant depth. */
uint32_t raster_const_depth_code(const struct raster *raster, const struct raster_prim *prim);
/* Late test of the batch's lanes with depths `z`. Depths that are not the shader's (z == worker->z)
 * get their primitives' offsets. */
uint64_t raster_depth_lanes(struct raster_worker *worker, const float *z, unsigned sample,
                            uint64_t mask);

/* hiz.c */
void raster_hiz_prepare(const struct raster *raster, struct raster_pipeline *pipeline);
/* Tests the primitive's depth range against the given blocks and returns those that it can affect.
 * Requires pipeline->hiz. */
uint64_t raster_hiz_test(struct raster_worker *worker, const struct raster_prim *prim,
                         uint64_t blocks);
/* Returns `blocks` without those that hold one stencil value and fail the stencil test. Requires
 * pipeline->stencil_cull. */
uint64_t raster_hiz_cull_stencil(const struct raster_worker *worker, const struct raster_prim *prim,
                                 uint64_t blocks);
/* Updates the hierarchical Z for a clear of depth or stencil. */
void raster_hiz_clear(struct raster_worker *worker, const struct raster_fill *fill);
/* Update the hierarchical Z after depth writes. _quads: to quads; _block: to a whole block, by the
 * primitive of the last raster_hiz_test; _fill: of one code to the whole tile. */
void raster_hiz_invalidate_quads(struct raster_worker *worker, const struct raster_quads *quads);
void raster_hiz_update_block(struct raster_worker *worker, int32_t x, int32_t y);
void raster_hiz_fill(struct raster_worker *worker, uint32_t code);

/* late_zs.c */
/* Removes lanes that fail late tests from worker->cover and counts the rest for the query. */
void raster_late_zs_lanes(struct raster_worker *worker, const struct raster_shade_batch *batch);
/* The same for the block at (x, y), whose masks are in linear order; false: no pixel is left. */
bool raster_late_zs_block(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                          int32_t y, const struct raster_shade_batch *batch, uint64_t *cover);
/* Lanes whose colour 0 passes the alpha test. */
uint64_t raster_alpha_lanes(const struct raster_worker *worker,
                            const struct raster_shade_batch *batch);
/* Adds to the pipeline's occlusion query, if it has one. */
void raster_count_samples(struct raster_worker *worker, uint64_t passed);

/* output.c */
void raster_output_lanes(struct raster_worker *worker, const struct raster_shade_batch *batch,
                         const uint64_t *cover);
/* Finds the source colours of output n: fogged by `coordinate` and clamped for blending. */
void raster_output_source(struct raster_worker *worker, unsigned n,
                          const struct raster_shade_batch *batch, const float *coordinate,
                          const float *source[4]);
/* Blends and packs source colours for one sample into worker->packed, or keeps the result of the
 * previous sample. *packed: lanes for which worker->packed is valid, initially 0. If
 * raster_output_reads, the caller has loaded the stored pixels to raster_output_dst_pixels. */
void raster_output_sample(struct raster_worker *worker, const struct raster_output *output,
                          const float *const colour[4], uint64_t mask, uint64_t *packed);
bool raster_output_reads(const struct raster_output *output);
uint8_t *raster_output_dst_pixels(struct raster_worker *worker, const struct raster_output *output,
                                  uint64_t packed);

/* Copies masked lanes between a surface and an array of pixels in lane order. */
void raster_gather(const struct raster_worker *worker, const struct raster_surface *surface,
                   unsigned sample, void *out, uint64_t mask);
void raster_scatter(const struct raster_worker *worker, const struct raster_surface *surface,
                    unsigned sample, void *in, uint64_t mask);

#endif
