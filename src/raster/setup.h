/* Vertices -> the screen -> primitives: what draw.c calls. */
#ifndef RASTER_SETUP_H
#define RASTER_SETUP_H

#include "raster/scene.h"

/* clip.c */
void raster_clip_begin(struct raster *raster);
/* One vertex; project_kern.h has the same for many. */
void raster_project(const struct raster *raster, struct raster_screen_vertex *out,
                    const float *vertex);
/* Cuts a polygon of *n corners by the planes in `planes`; edge[i]: corner i to the next is an edge
 * of the primitive. *n becomes 0 where nothing is left. */
void raster_clip_polygon(struct raster *raster, struct raster_screen_vertex *corner, bool *edge,
                         unsigned *n, uint32_t planes);
/* How far a vertex lies inside of a plane; below 0: outside. */
double raster_clip_distance(const struct raster *raster, unsigned plane, const float *p);
int32_t raster_round_even(double value); /* values below 2^31 */
bool raster_clip_line(struct raster *raster, struct raster_screen_vertex end[2], uint32_t planes);

/* setup.c */
MUST_CHECK enum status raster_draw_triangle(struct raster *raster,
                                            const struct raster_screen_vertex *v0,
                                            const struct raster_screen_vertex *v1,
                                            const struct raster_screen_vertex *v2);
/* raster_draw_triangle in two steps that workers can take: what is to be done, and the primitives
 * of a triangle that nothing cuts, at tri->prim; how many bytes they take, which is at most
 * MAX_MASK_PARTS times raster_prim_bytes, to a multiple of 64. Without wrapping, D3DFILL_SOLID. */
enum raster_tri_class raster_tri_classify(const struct raster *raster,
                                          const struct raster_pipeline *pipeline,
                                          const struct raster_screen_vertex *const v[3]);
size_t raster_triangle_setup(const struct raster *raster, struct raster_tri_setup *tri,
                             const struct raster_pipeline *pipeline,
                             const struct raster_screen_vertex *const v[3]);
/* A primitive of a triangle without its pixels. */
void raster_triangle_planes(struct raster_prim *prim, const struct raster_pipeline *pipeline,
                            const struct raster_screen_vertex *const v[3]);
/* Of any primitive; without an outline. */
size_t raster_prim_bytes(const struct raster_pipeline *pipeline);
size_t raster_prim_base_bytes(const struct raster_pipeline *pipeline);
/* Moves the values of components with D3DRS_WRAPn to within a half of the first vertex's, in copies
 * of at most 3 vertices (reference: raster/wrap). */
void raster_wrap(struct raster *raster, struct raster_screen_vertex *corner, unsigned corners);
struct raster_prim *raster_prim_create(struct raster *raster, enum raster_prim_kind kind);

/* tri_bounds.c: edges and rectangle of a primitive from three corners of either winding; false: no
 * pixels. */
bool raster_tri_edges_setup(struct raster *raster, struct raster_prim *prim,
                            const struct raster_screen_vertex corner[3]);
bool raster_rect_intersect(int32_t rect[4], const int32_t by[4]); /* false: nothing left */

/* rect.c: whether two triangles one after another may be found to be a rectangle. */
bool raster_rects(const struct raster *raster);
/* Whether the next would draw them as one. */
bool raster_is_rect(const struct raster *raster, const struct raster_pipeline *pipeline,
                    const struct raster_screen_vertex *const v[6]);
/* Draws two triangles as one rectangle, if that does not show, or else, if wanted, as a pair;
 * false: nothing was done. */
bool raster_draw_rect(struct raster *raster, const struct raster_screen_vertex *const v[6],
                      bool split_rects);
/* A pair of two triangles, at tri->prim; as raster_triangle_setup. 0: they are none. */
size_t raster_split_rect_setup(const struct raster *raster, struct raster_tri_setup *tri,
                               const struct raster_pipeline *pipeline,
                               const struct raster_screen_vertex *const v[6]);

/* line.c, point.c: flat is the vertex that flat attributes come from. */
MUST_CHECK enum status raster_emit_line(struct raster *raster,
                                        const struct raster_screen_vertex *from,
                                        const struct raster_screen_vertex *to, const float *flat,
                                        float face, bool last_pixel);
int32_t raster_line_minor(const struct raster_line *line, int32_t major);
MUST_CHECK enum status raster_emit_point(struct raster *raster,
                                         const struct raster_screen_vertex *at, const float *flat,
                                         float face);

/* variant.c: what another conforming renderer might make of vertices, of a triangle's planes, and
 * of colours for an output, which then lie in worker->result. Only if variant_current. */
void raster_perturb_vertices(struct raster_screen_vertex *vertex, uint32_t n);
void raster_perturb_planes(struct raster_prim *prim, const struct raster_screen_vertex *const v[3]);
void raster_perturb_colours(struct raster_worker *worker, const struct raster_output *output,
                            const float *source[4]);

#endif
