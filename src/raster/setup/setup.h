/* Primitive setup: projection, clipping and conversion of points, lines and triangles to
 * primitives. */
#ifndef RASTER_SETUP_SETUP_H
#define RASTER_SETUP_SETUP_H

#include "raster/prim/prim.h"
#include "raster/scene/scene.h"
#include "raster/setup/project_kern.h"
#include "raster/setup/setup_kern.h"
#include "raster/worker/worker.h"

/* project.c: Computes viewport and clip planes of the draw in progress. */
void raster_project_begin(struct raster *raster);
/* Projects one vertex; project_kern.h projects many. */
void raster_project(const struct raster *raster, struct raster_screen_vertex *out,
                    const float *vertex);
/* Distance of a vertex from a clip plane; negative: outside. */
double raster_clip_distance(const struct raster *raster, unsigned plane, const float *p);
/* Rounds to nearest even; for values below 2^51 in the rounding mode of util/fpenv.h. */
int32_t raster_round_even(double value);

/* clip.c: Clips a polygon of *n corners against `planes`; *n becomes 0 if nothing is left. edge[i]:
 * the side from corner i to the next is an edge of the original primitive. */
void raster_clip_polygon(struct raster *raster, struct raster_screen_vertex *corner, bool *edge,
                         unsigned *n, uint32_t planes);
bool raster_clip_line(struct raster *raster, struct raster_screen_vertex end[2], uint32_t planes);

/* polygon.c: Draws a triangle, clipped and in the state's fill mode. */
MUST_CHECK enum status raster_draw_triangle(struct raster *raster,
                                            const struct raster_screen_vertex *v0,
                                            const struct raster_screen_vertex *v1,
                                            const struct raster_screen_vertex *v2);
/* Copies at most 3 vertices and moves their components with D3DRS_WRAPn to within one half of the
 * first vertex's (reference: raster/wrap). */
void raster_wrap(struct raster *raster, struct raster_screen_vertex *corner, unsigned corners);

/* setup.c: raster_draw_triangle in two steps that workers can run: raster_tri_classify decides, and
 * raster_triangle_setup writes the primitives of a TRI_ACCEPT triangle to tri->prim. It returns
 * their size, a multiple of 64, at most MAX_MASK_PARTS * raster_prim_bytes. For D3DFILL_SOLID
 * without wrapping. */
enum raster_tri_class raster_tri_classify(const struct raster *raster,
                                          const struct raster_pipeline *pipeline,
                                          const struct raster_screen_vertex *const v[3]);
size_t raster_triangle_setup(const struct raster *raster, struct raster_tri_setup *tri,
                             const struct raster_pipeline *pipeline,
                             const struct raster_screen_vertex *const v[3]);
/* Writes a triangle's primitive without its coverage. */
void raster_triangle_planes(struct raster_prim *prim, const struct raster_pipeline *pipeline,
                            const struct raster_screen_vertex *const v[3]);
/* A primitive of the draw in progress, without planes. NULL: the arena is full. */
struct raster_prim *raster_prim_create(struct raster *raster, enum raster_prim_kind kind);

/* tri_bounds.c: Sets edges and bounds of a primitive from three corners of either winding; false:
 * no pixels. */
bool raster_tri_edges_setup(struct raster *raster, struct raster_prim *prim,
                            const struct raster_screen_vertex corner[3]);

/* rect.c: Whether the current state allows pairs of triangles to be drawn as rectangles. */
bool raster_rects_allowed(const struct raster *raster);
/* Whether raster_draw_rect would try to draw these triangles as one PRIM_RECT. */
bool raster_is_rect(const struct raster *raster, const struct raster_pipeline *pipeline,
                    const struct raster_screen_vertex *const v[6]);
/* Draws two triangles as one PRIM_RECT if that gives the same bits, or else, if split_rects, as a
 * PRIM_SPLIT_RECT; false: nothing was drawn. */
bool raster_draw_rect(struct raster *raster, const struct raster_screen_vertex *const v[6],
                      bool split_rects);
/* Writes two triangles as a PRIM_SPLIT_RECT to tri->prim and returns its size like
 * raster_triangle_setup. 0: they do not form one. */
size_t raster_split_rect_setup(const struct raster *raster, struct raster_tri_setup *tri,
                               const struct raster_pipeline *pipeline,
                               const struct raster_screen_vertex *const v[6]);

/* line.c, point.c: `flat` is the vertex that flat attributes are taken from. */
MUST_CHECK enum status raster_emit_line(struct raster *raster,
                                        const struct raster_screen_vertex *from,
                                        const struct raster_screen_vertex *to, const float *flat,
                                        float face, bool last_pixel);
MUST_CHECK enum status raster_emit_point(struct raster *raster,
                                         const struct raster_screen_vertex *at, const float *flat,
                                         float face);

/* variant.c: Perturbs vertices or a triangle's planes as a variant renderer does. Only if
 * variant_current. */
void raster_perturb_vertices(struct raster_screen_vertex *vertex, uint32_t n);
void raster_perturb_planes(struct raster_prim *prim, const struct raster_screen_vertex *const v[3]);

#endif
