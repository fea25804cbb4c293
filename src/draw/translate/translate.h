/* Translate: derives the states of the rasteriser and of samplers from Direct3D's states. A value
 * that changes no code passes here and is no part of a pipeline. */
#ifndef DRAW_TRANSLATE_TRANSLATE_H
#define DRAW_TRANSLATE_TRANSLATE_H

#include "draw/pipeline/pipeline.h"

/* scale.c: Targets that are rendered at another size than the program asked for (setting
 * RENDER_SCALE). Positions of the program are multiplied by `by`, then moved by `shift`: pixel
 * centres are at whole numbers in both sizes (docs/picture-settings.md). */
struct target_scale {
    float by[2], shift[2];
    uint32_t on; /* 0: `by` is 1, `shift` is 0 */
};
void translate_scale_init(struct target_scale *out, const struct tex_desc *target);
/* A rectangle of the program's pixels, and a size of points. */
void translate_scale_rect(const struct target_scale *scale, int32_t rect[4]);
float translate_scale_size(const struct target_scale *scale, float size);
/* n positions, `stride` floats apart: scales x and y of those on the screen. Positions on the left
 * or top border of the viewport, which is the centre of pixels, move to the outer edge of these
 * pixels: else a rectangle that fills the viewport would leave a line at scales above 1. */
void translate_scale_positions(const struct target_scale *scale, const D3DVIEWPORT9 *viewport,
                               bool on_screen, float *position, unsigned n, uint32_t stride);
/* The inverse, for n coordinates of pixels along an axis. */
void translate_unscale(const struct target_scale *scale, unsigned axis, const float *from,
                       unsigned n, float *to);

/* raster_state.c: Sets the raster state except its shading part. */
void translate_raster_state(struct raster_state *out, const struct draw_state *state,
                            const struct draw_pipeline *pipeline,
                            const struct raster_targets *targets, const struct target_scale *scale);

/* Whether these primitives become antialiased lines (reference: raster/lines-antialias). */
bool translate_aa_lines(const struct draw_state *state, enum raster_primitive primitive,
                        const struct raster_targets *targets);

/* Whether the pixel shader runs for each sample (reference: multisample/supersampling). `raster` is
 * complete. */
bool translate_supersamples(const struct draw_state *state, const struct raster_state *raster,
                            const struct raster_targets *targets);

/* clip_planes.c: Transforms user clip planes to clip space: sets clip_plane and clip_plane_mask. */
void translate_clip_planes(struct raster_state *out, const struct draw_state *state,
                           const struct draw_pipeline *pipeline);

/* clip_rect.c: The intersection of the viewport and the enabled scissor: left, top, right, bottom.
 */
void translate_clip_rect(const struct draw_state *state, int32_t rect[4]);
/* Intersects rect with another one. */
void translate_intersect(int32_t rect[4], int32_t left, int32_t top, int32_t right, int32_t bottom);

/* sampler.c: The state of sampler n, without its texture; anisotropy as in struct draw_options. */
struct tex_sampler_state translate_sampler(const struct draw_state *state, unsigned n,
                                           unsigned anisotropy);

#endif
