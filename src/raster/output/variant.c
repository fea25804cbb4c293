/* Variant renderer: perturbs output colours, as util/variant.h describes. Slow; only called while a
 * variant is active.
 *
 * Tested by tests/golden/variants.sh. */
#include "raster/output/colours.h"
#include "util/variant.h"

/* Perturbs colours before they are packed. */
void raster_perturb_colours(struct raster_worker *worker, const struct raster_output *output,
                            const float *source[4])
{
    const struct tex_format *format = output->surface->format;

    if (variant_current->write == 0.0f || format->layout != TEX_LAYOUT_UNORM)
        return;
    for (unsigned c = 0; c < 4; c++) {
        float step = format->channel[c].bits
                         ? variant_current->write / (float)((1u << format->channel[c].bits) - 1)
                         : 0.0f;

        for (unsigned i = 0; i < RASTER_LANES; i++)
            worker->result[c][i] = source[c][i] + step;
        source[c] = worker->result[c];
    }
}
