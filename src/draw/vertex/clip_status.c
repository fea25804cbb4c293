/* Computes D3DCLIPSTATUS9 by accumulating the clip codes of vertices against the view volume and
 * the user clip planes (reference: vertices/clip-status).
 * Tested by tests/conformance/vertices. */
#include "draw/vertex/vertex.h"

#include "draw/translate/translate.h"

static DWORD view_code(const float p[4])
{
    return (p[0] < -p[3] ? D3DCS_LEFT : 0u) | (p[0] > p[3] ? D3DCS_RIGHT : 0u) |
           (p[1] > p[3] ? D3DCS_TOP : 0u) | (p[1] < -p[3] ? D3DCS_BOTTOM : 0u) |
           (p[2] < 0.0f ? D3DCS_FRONT : 0u) | (p[2] > p[3] ? D3DCS_BACK : 0u);
}

static DWORD plane_code(const struct raster_state *planes, const float p[4])
{
    enum { STATUS_PLANES = 6 }; /* D3DCS_PLANE0 to D3DCS_PLANE5 */
    DWORD code = 0;

    for (unsigned i = 0; i < STATUS_PLANES; i++) {
        const float *k = planes->values.clip_plane[i];
        double distance = ((double)k[0] * p[0] + (double)k[1] * p[1]) +
                          ((double)k[2] * p[2] + (double)k[3] * p[3]);

        if ((planes->clip_plane_mask >> i & 1) && distance < 0.0)
            code |= D3DCS_PLANE0 << i;
    }
    return code;
}

void clip_status_add(const struct draw_state *state, const struct draw_pipeline *pipeline,
                     const float *position, uint32_t n, uint32_t stride_floats)
{
    D3DCLIPSTATUS9 *status = state->clip_status;
    struct raster_state planes = {.clip_plane_mask = 0};

    if (!status || pipeline->key.transformed)
        return;
    if (!state->render[D3DRS_CLIPPING]) {
        *status = (D3DCLIPSTATUS9){0, 0};
        return;
    }
    translate_clip_planes(&planes, state, pipeline);
    for (uint32_t i = 0; i < n; i++, position += stride_floats) {
        DWORD code = view_code(position) | plane_code(&planes, position);

        status->ClipUnion |= code;
        status->ClipIntersection &= code;
    }
}
