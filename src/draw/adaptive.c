/* Adaptive tessellation: the states that it reads, and the levels of the edges of patches, which
 * follow from control points at the corners (reference: tessellation/adaptive).
 * Tested by tests/conformance/tessellation. */
#include "draw/adaptive.h"

#include <string.h>

static float float_of(const struct draw_state *state, unsigned type)
{
    float value;

    memcpy(&value, &state->render[type], sizeof(value));
    return value;
}

bool adaptive_state(struct tess_adaptive *out, const struct draw_state *state)
{
    for (unsigned c = 0; c < 4; c++)
        out->plane[c] = float_of(state, D3DRS_ADAPTIVETESS_X + c);
    out->minimum = float_of(state, D3DRS_MINTESSELLATIONLEVEL);
    out->maximum = float_of(state, D3DRS_MAXTESSELLATIONLEVEL);
    return state->render[D3DRS_ENABLEADAPTIVETESSELLATION] != 0;
}

int adaptive_element(const struct draw_decl *decl, unsigned usage)
{
    for (unsigned i = 0; i < decl->n; i++)
        if (decl->element[i].Usage == usage && !decl->element[i].UsageIndex)
            return (int)i;
    return -1;
}

/* --- Patches ---------------------------------------------------------------------------------- */

/* The control points at the corners, in the order of the edges. B-splines do not reach their
 * outermost points: those of a cubic one are a row and a column further inside. Returns their
 * number. */
static unsigned corners_of(const struct tess_patch *patch, uint32_t corner[4])
{
    uint32_t inset = patch->basis == D3DBASIS_BSPLINE ? ((uint32_t)patch->degree - 1) / 2 : 0;
    uint32_t right = patch->width - 1 - inset, bottom = (patch->height - 1 - inset) * patch->width;

    if (patch->triangle) {
        corner[0] = 0;
        corner[1] = patch->width - 1;
        corner[2] = patch->width - 1 - (uint32_t)patch->degree;
        return 3;
    }
    corner[0] = inset * patch->width + inset;
    corner[1] = inset * patch->width + right;
    corner[2] = bottom + right;
    corner[3] = bottom + inset;
    return 4;
}

void adaptive_patch(const struct draw_state *state, const struct tess_points *points,
                    struct tess_patch *patch)
{
    int position = adaptive_element(state->decl, D3DDECLUSAGE_POSITION);
    int factor = adaptive_element(state->decl, D3DDECLUSAGE_TESSFACTOR);
    struct tess_adaptive adaptive;
    uint32_t corner[4];
    unsigned n = corners_of(patch, corner);

    if (!adaptive_state(&adaptive, state) || position < 0)
        return;
    for (unsigned e = 0; e < n; e++) {
        double level[2];

        for (unsigned i = 0; i < 2; i++) {
            const float(*vector)[4] =
                points->vector + (size_t)corner[(e + i) % n] * points->n_elements;

            level[i] = tess_vertex_level(&adaptive, vector[position], patch->segments[e],
                                         factor < 0 ? 1.0f : vector[factor][0]);
        }
        patch->segments[e] = tess_edge_level(&adaptive, level[0], level[1]);
    }
}
