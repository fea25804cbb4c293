/* Triangle bounds: edge functions, bounding box, and exact coverage masks of small triangles
 * (reference: raster/top-left).
 * Tested by tests/unit/raster/setup/test_setup.c and tests/unit/raster/test_oracle.c. */
#include "raster/setup/tri_bounds.h"

#include "raster/bin/bin.h"
#include "raster/prim/coverage_kern.h"

#include <string.h>

static bool rect_inside(const int32_t rect[4], const int32_t outer[4])
{
    return rect[0] >= outer[0] && rect[1] >= outer[1] && rect[2] <= outer[2] && rect[3] <= outer[3];
}

/* E(x, y) = a * x + b * y + c >= 0 inside the triangle. On the edge itself, this holds only for
 * left edges, where E grows with x, and horizontal top edges (reference: raster/top-left). */
static void setup_edges(struct raster_tri_edges *edges, const struct raster_tri_vertices *in)
{
    const struct raster_screen_vertex *v[3] = {in->v[0], in->v[1], in->v[2]};

    if (in->area < 0) {
        v[1] = in->v[2];
        v[2] = in->v[1];
    }
    for (unsigned i = 0; i < 3; i++) {
        const struct raster_screen_vertex *from = v[i], *to = v[i == 2 ? 0 : i + 1];
        int32_t a = from->y - to->y, b = to->x - from->x;

        edges->a[i] = a;
        edges->b[i] = b;
        edges->c[i] = -((int64_t)a * from->x + (int64_t)b * from->y);
        if (!(a > 0 || (a == 0 && b > 0)))
            edges->c[i]--;
    }
}

void raster_find_split_edge(struct raster_split_edge *split, const struct raster_tri_vertices *in)
{
    struct raster_tri_edges edges;

    setup_edges(&edges, in);
    for (unsigned i = 0; i < 3; i++) {
        if (!edges.a[i] || !edges.b[i])
            continue;
        split->c = edges.c[i];
        split->a = edges.a[i];
        split->b = edges.b[i];
    }
}

static int32_t least(int32_t a, int32_t b, int32_t c)
{
    a = a < b ? a : b;
    return a < c ? a : c;
}

static int32_t most(int32_t a, int32_t b, int32_t c)
{
    a = a > b ? a : b;
    return a > c ? a : c;
}

void raster_tri_bbox(int32_t box[4], const struct raster_tri_vertices *in, bool multisampled)
{
    const struct raster_screen_vertex *v0 = in->v[0], *v1 = in->v[1], *v2 = in->v[2];
    int32_t margin = multisampled ? SUBPIXEL / 2 : 0;

    box[0] = (least(v0->x, v1->x, v2->x) - margin + SUBPIXEL - 1) >> SUBPIXEL_BITS;
    box[1] = (least(v0->y, v1->y, v2->y) - margin + SUBPIXEL - 1) >> SUBPIXEL_BITS;
    box[2] = ((most(v0->x, v1->x, v2->x) + margin) >> SUBPIXEL_BITS) + 1;
    box[3] = ((most(v0->y, v1->y, v2->y) + margin) >> SUBPIXEL_BITS) + 1;
}

/* Clips `rect` to the bounding box. Returns false if nothing is left. */
static bool intersect_bbox(int32_t rect[4], const struct raster_tri_vertices *in, bool multisampled)
{
    int32_t box[4];

    raster_tri_bbox(box, in, multisampled);
    return raster_rect_intersect(rect, box);
}

bool raster_tri_edges_setup(struct raster *raster, struct raster_prim *prim,
                            const struct raster_screen_vertex corner[3])
{
    struct raster_tri_vertices in = {
        .v = {&corner[0], &corner[1], &corner[2]},
        .area = raster_area(&corner[0], &corner[1], &corner[2]),
    };

    if (!in.area || !intersect_bbox(prim->rect, &in, raster->targets.samples > 1))
        return false;
    setup_edges(&raster_edges_of_prim(prim)->edges, &in);
    return true;
}

/* Finds the covered pixels of up to 2x2 masks. At pixel centres, the low bits of an edge value do
 * not change its sign (see begin_edge in tile/coverage.c). The rest fits 32 bits near a small
 * triangle. */
static void find_parts(struct raster_tri_bounds *bounds, const struct raster *raster)
{
    const struct raster_tri_edges *of = &bounds->edges;
    bool right = bounds->rect[2] - bounds->left > BLOCK_DIM;
    bool below = bounds->rect[3] - bounds->top > BLOCK_DIM;
    uint64_t blocks = (right ? 3 : 1) * (below ? UINT64_C(0x101) : 1), masks[BLOCK_DIM + 2];
    struct raster_tile_edges edges;

    edges.samples = 1;
    for (unsigned i = 0; i < 3; i++) {
        edges.a[i] = of->a[i];
        edges.b[i] = of->b[i];
        edges.at[0][i] = (int32_t)((of->c[i] >> SUBPIXEL_BITS) + (int64_t)of->a[i] * bounds->left +
                                   (int64_t)of->b[i] * bounds->top);
    }
    raster->coverage_kern->cover_pixels(&edges, blocks, masks, 1);
    bounds->n_parts = 0;
    for (; blocks; blocks &= blocks - 1) {
        int32_t block = __builtin_ctzll(blocks);

        if (masks[block])
            bounds->part[bounds->n_parts++] = (struct raster_mask_part){
                bounds->left + block % BLOCK_DIM * BLOCK_DIM,
                bounds->top + block / BLOCK_DIM * BLOCK_DIM, masks[block]};
    }
}

void raster_find_tri_bounds(struct raster_tri_bounds *bounds, const struct raster *raster,
                            const struct raster_pipeline *pipeline,
                            const struct raster_tri_vertices *in)
{
    int32_t *rect = bounds->rect;

    raster_tri_bbox(rect, in, raster->targets.samples > 1);
    bounds->scissored = !rect_inside(rect, pipeline->rect);
    bounds->n_parts = raster_rect_intersect(rect, pipeline->rect);
    if (!bounds->n_parts)
        return;
    setup_edges(&bounds->edges, in);
    bounds->left = rect[0] & ~1;
    bounds->top = rect[1] & ~1;
    bounds->use_mask8x8 = pipeline->use_mask8x8 && !bounds->scissored &&
                          rect[2] - bounds->left <= 2 * BLOCK_DIM &&
                          rect[3] - bounds->top <= 2 * BLOCK_DIM;
    if (bounds->use_mask8x8)
        find_parts(bounds, raster);
}

size_t raster_tri_prim_bytes(const struct raster_pipeline *pipeline,
                             const struct raster_tri_bounds *bounds)
{
    return raster_bin_bytes(bounds->use_mask8x8 ? raster_prim_base_bytes(pipeline)
                                                : raster_prim_bytes(pipeline));
}

void raster_put_mask_parts(struct raster_prim *first, const struct raster_tri_bounds *bounds)
{
    size_t bytes = raster_tri_prim_bytes(first->pipeline, bounds);
    char *at = (char *)first;

    for (unsigned i = 0; i < bounds->n_parts; i++, at += bytes) {
        const struct raster_mask_part *part = &bounds->part[i];
        struct raster_prim *prim = (struct raster_prim *)(void *)at;

        if (i)
            memcpy(prim, first, raster_prim_base_bytes(first->pipeline));
        prim->coverage.x = part->x;
        prim->coverage.y = part->y;
        prim->coverage.mask[0] = (uint32_t)part->mask;
        prim->coverage.mask[1] = (uint32_t)(part->mask >> 32);
    }
}
