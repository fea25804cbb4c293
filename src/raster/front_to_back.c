/* Sprites that follow one another, drawn the nearest first: of those at one depth each, tested and
 * written, a pixel shows the nearest whatever their order, and of equally near ones the first or
 * the last, which stay in order. What lies behind is then not shaded. */
#include "raster/raster_private.h"

void raster_order_plan(struct raster_plan *plan)
{
    bool reads = false;

    for (unsigned n = 0; n < plan->n_outputs; n++)
        reads |= raster_output_reads(&plan->output[n]);
    plan->sorts = plan->hiz && plan->ds[0].depth_write && !plan->ds[0].stencil_test && !reads &&
                  !plan->s.samples_passed;
}

static bool takes(const struct raster_prim *prim)
{
    bool sprite = prim->kind == PRIM_TRIANGLE || prim->kind == PRIM_RECT || prim->kind == PRIM_PAIR;

    return prim->plan->sorts && sprite && raster_has_const_depth(prim);
}

static uint32_t find_code(const struct raster *raster, const struct raster_prim *prim)
{
    const struct raster_depth_stencil *ds = &prim->plan->ds[0];
    bool far_first = ds->depth_func == D3DCMP_GREATER || ds->depth_func == D3DCMP_GREATEREQUAL;
    uint32_t code = raster_const_depth_code(raster, prim);

    return far_first ? ~code : code;
}

bool raster_order_add(struct raster_order *order, const struct raster *raster,
                      const struct raster_prim *prim)
{
    unsigned i = order->n;
    uint32_t code;

    if (!takes(prim) || i == ORDERED || (i && order->prim[0]->plan != prim->plan))
        return false;
    code = find_code(raster, prim);
    for (; i && order->code[i - 1] > code; i--) {
        order->code[i] = order->code[i - 1];
        order->prim[i] = order->prim[i - 1];
    }
    order->code[i] = code;
    order->prim[i] = prim;
    order->n++;
    return true;
}
