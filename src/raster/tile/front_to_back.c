/* Front-to-back sorting: sorts consecutive sprites of constant depth so that early-Z rejects hidden
 * ones before shading.
 *
 * Sorting does not change results: with depth test and write, a pixel shows the nearest sprite
 * whatever the drawing order. Sprites of equal depth keep their order. */
#include "raster/tile/front_to_back.h"

#include "raster/zs/zs.h"

static bool is_sortable(const struct raster_prim *prim)
{
    bool sprite =
        prim->kind == PRIM_TRIANGLE || prim->kind == PRIM_RECT || prim->kind == PRIM_SPLIT_RECT;

    return prim->pipeline->depth_sort && sprite && raster_has_const_depth(prim);
}

static uint32_t find_code(const struct raster *raster, const struct raster_prim *prim)
{
    const struct raster_depth_stencil *ds = &prim->pipeline->ds[0];
    bool far_first = ds->depth_func == D3DCMP_GREATER || ds->depth_func == D3DCMP_GREATEREQUAL;
    uint32_t code = raster_const_depth_code(raster, prim);

    return far_first ? ~code : code;
}

bool raster_depth_sort_add(struct depth_sort *sort, const struct raster *raster,
                           const struct raster_prim *prim)
{
    unsigned i = sort->n;
    uint32_t code;

    if (!is_sortable(prim) || i == MAX_SORTED || (i && sort->prim[0]->pipeline != prim->pipeline))
        return false;
    code = find_code(raster, prim);
    for (; i && sort->code[i - 1] > code; i--) {
        sort->code[i] = sort->code[i - 1];
        sort->prim[i] = sort->prim[i - 1];
    }
    sort->code[i] = code;
    sort->prim[i] = prim;
    sort->n++;
    return true;
}
