/* Translates Direct3D render states to the state of the rasteriser: setup, tests, output merger and
 * fog. */
#include "draw/draw_private.h"

#include "draw/pixel/sampling.h"
#include "util/fault_injection.h"
#include "util/log.h"
#include "util/math.h"

#include <math.h>
#include <string.h>

static float float_of(DWORD bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static void colour_of(D3DCOLOR argb, float rgba[4])
{
    for (unsigned c = 0; c < 3; c++)
        rgba[c] = (float)(argb >> (16 - 8 * c) & 255) / 255.0f;
    rgba[3] = (float)(argb >> 24) / 255.0f;
}

/* --- User clip planes ------------------------------------------------------------------------- */

static void multiply(const D3DMATRIX *a, const D3DMATRIX *b, double out[4][4])
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++) {
            out[i][j] = 0.0;
            for (unsigned k = 0; k < 4; k++)
                out[i][j] += (double)a->m[i][k] * b->m[k][j];
        }
}

/* Solves four equations m[i] . x = m[i][4] by Gauss-Jordan elimination with partial pivoting.
 * Undetermined components are 0. False: the equations contradict each other. */
static bool solve(double m[4][5], double x[4])
{
    unsigned done = 0;
    int row_of[4];

    for (unsigned column = 0; column < 4; column++) {
        unsigned pivot = done;

        row_of[column] = -1;
        for (unsigned i = done; i < 4; i++)
            if (fabs(m[i][column]) > fabs(m[pivot][column]))
                pivot = i;
        if (done == 4 || m[pivot][column] == 0.0)
            continue;
        for (unsigned j = 0; j < 5; j++) {
            double t = m[pivot][j];

            m[pivot][j] = m[done][j];
            m[done][j] = t;
        }
        for (unsigned i = 0; i < 4; i++) {
            double factor = m[i][column] / m[done][column];

            for (unsigned j = 0; i != done && j < 5; j++)
                m[i][j] -= factor * m[done][j];
        }
        row_of[column] = (int)done++;
    }
    for (unsigned i = done; i < 4; i++)
        if (m[i][4] != 0.0)
            return false;
    for (unsigned j = 0; j < 4; j++)
        x[j] = row_of[j] < 0 ? 0.0 : m[row_of[j]][4] / m[row_of[j]][j];
    return true;
}

/* Transforms a plane from world space to clip space: p . plane = (p transform) . out for each point
 * p. False: the transform is singular and maps points on both sides of the plane to one. */
static bool world_plane(float out[4], const double transform[4][4], const float plane[4])
{
    double m[4][5], x[4];

    for (unsigned i = 0; i < 4; i++) {
        memcpy(m[i], transform[i], sizeof(transform[i]));
        m[i][4] = plane[i];
    }
    if (!solve(m, x)) {
        log_once("draw", "clip plane", "a clip plane is ignored: the projection is singular");
        return false;
    }
    for (unsigned i = 0; i < 4; i++)
        out[i] = math_narrowf(x[i]);
    return true;
}

/* User clip planes are in clip space with a vertex shader, else in world space (reference:
 * clip/user-planes). */
void translate_clip_planes(struct raster_state *out, const struct draw_state *state,
                           const struct draw_pipeline *pipeline)
{
    DWORD mask = state->render[D3DRS_CLIPPLANEENABLE] & ((1u << RASTER_CLIP_PLANES) - 1);
    double transform[4][4];

    if (!mask || pipeline->key.transformed || fault_is(FAULT_CLIP_PLANES))
        return;
    multiply(&state->view, &state->projection, transform);
    for (unsigned p = 0; p < RASTER_CLIP_PLANES; p++) {
        if (!(mask >> p & 1))
            continue;
        if (!pipeline->fixed_vs)
            memcpy(out->clip_plane[p], state->clip_plane[p], sizeof(out->clip_plane[p]));
        else if (!world_plane(out->clip_plane[p], transform, state->clip_plane[p]))
            continue;
        out->clip_plane_mask |= (uint8_t)(1u << p);
    }
}

/* --- State groups ----------------------------------------------------------------------------- */

static void translate_setup(struct raster_state *out, const struct draw_state *state,
                            const struct draw_pipeline *pipeline,
                            const struct raster_targets *targets)
{
    const DWORD *rs = state->render;
    const D3DVIEWPORT9 *vp = &state->viewport;
    int32_t rect[4];

    out->transformed = pipeline->key.transformed;
    out->clipping = rs[D3DRS_CLIPPING] != 0;
    translate_clip_planes(out, state, pipeline);
    out->viewport[0] = (float)vp->X;
    out->viewport[1] = (float)vp->Y;
    out->viewport[2] = (float)vp->Width;
    out->viewport[3] = (float)vp->Height;
    out->viewport[4] = vp->MinZ;
    out->viewport[5] = vp->MaxZ;
    target_clip_rect(state, rect);
    out->scissor[0] = rect[0];
    out->scissor[1] = rect[1];
    out->scissor[2] = rect[2] < (int32_t)targets->width ? rect[2] : (int32_t)targets->width;
    out->scissor[3] = rect[3] < (int32_t)targets->height ? rect[3] : (int32_t)targets->height;
    out->cull = (uint8_t)rs[D3DRS_CULLMODE];
    if (fault_is(FAULT_HALF_PIXEL)) {
        out->viewport[0] += 0.5f;
        out->viewport[1] += 0.5f;
    }
    if (fault_is(FAULT_VIEWPORT_DEPTH)) {
        out->viewport[4] = 0.0f;
        out->viewport[5] = 1.0f;
    }
    if (fault_is(FAULT_CULL_WINDING) && out->cull != D3DCULL_NONE)
        out->cull = D3DCULL_CW + D3DCULL_CCW - out->cull;
    out->fill = (uint8_t)rs[D3DRS_FILLMODE];
    out->last_pixel = rs[D3DRS_LASTPIXEL] != 0;
    out->point_sprite = rs[D3DRS_POINTSPRITEENABLE] != 0;
    out->point_size_min = float_of(rs[D3DRS_POINTSIZE_MIN]);
    out->point_size_max = float_of(rs[D3DRS_POINTSIZE_MAX]);
    out->depth_bias = float_of(rs[D3DRS_DEPTHBIAS]);
    out->slope_bias = float_of(rs[D3DRS_SLOPESCALEDEPTHBIAS]);
    if (fault_is(FAULT_DEPTH_BIAS))
        out->depth_bias = out->slope_bias = 0.0f;
    out->sample_mask = rs[D3DRS_MULTISAMPLEMASK];
    out->at_centre = !rs[D3DRS_MULTISAMPLEANTIALIAS];
}

static struct raster_stencil_face face_states(const DWORD *rs, bool counter_clockwise)
{
    if (counter_clockwise)
        return (struct raster_stencil_face){.func = (uint8_t)rs[D3DRS_CCW_STENCILFUNC],
                                            .fail = (uint8_t)rs[D3DRS_CCW_STENCILFAIL],
                                            .zfail = (uint8_t)rs[D3DRS_CCW_STENCILZFAIL],
                                            .pass = (uint8_t)rs[D3DRS_CCW_STENCILPASS]};
    return (struct raster_stencil_face){.func = (uint8_t)rs[D3DRS_STENCILFUNC],
                                        .fail = (uint8_t)rs[D3DRS_STENCILFAIL],
                                        .zfail = (uint8_t)rs[D3DRS_STENCILZFAIL],
                                        .pass = (uint8_t)rs[D3DRS_STENCILPASS]};
}

static struct raster_stencil_face stencil_face(const DWORD *rs, bool counter_clockwise)
{
    struct raster_stencil_face face = face_states(rs, counter_clockwise);
    uint8_t zfail = face.zfail;

    if (fault_is(FAULT_STENCIL_OPS)) {
        face.zfail = face.pass;
        face.pass = zfail;
    }
    return face;
}

/* Whether alpha to coverage replaces the alpha test: with ATOC, on multisampled targets. */
static bool alpha_test_covers(const struct draw_state *state, const struct raster_targets *targets)
{
    return state->render[D3DRS_ALPHATESTENABLE] && targets->samples > 1 &&
           state->render[D3DRS_ADAPTIVETESS_Y] == (DWORD)MAKEFOURCC('A', 'T', 'O', 'C');
}

static void translate_tests(struct raster_state *out, const struct draw_state *state,
                            const struct raster_targets *targets)
{
    const DWORD *rs = state->render;
    const struct tex_format *depth = targets->depth.format;

    out->alpha_test = rs[D3DRS_ALPHATESTENABLE] != 0;
    out->alpha_to_coverage = state->alpha_to_mask;
    if (alpha_test_covers(state, targets)) {
        out->alpha_to_coverage = true;
        out->alpha_test = false;
    }
    if (out->alpha_test) {
        out->alpha_func = (uint8_t)rs[D3DRS_ALPHAFUNC];
        out->alpha_ref = (uint8_t)rs[D3DRS_ALPHAREF];
        if (fault_is(FAULT_ALPHA_REF))
            out->alpha_ref++;
    }
    out->depth_test = depth && rs[D3DRS_ZENABLE] != D3DZB_FALSE;
    if (out->depth_test) {
        out->depth_func = (uint8_t)rs[D3DRS_ZFUNC];
        out->depth_write = rs[D3DRS_ZWRITEENABLE] != 0 || fault_is(FAULT_DEPTH_WRITE);
        if (fault_is(FAULT_DEPTH_FUNC) && out->depth_func == D3DCMP_LESSEQUAL)
            out->depth_func = D3DCMP_LESS;
    }
    out->bounds_test = depth && rs[D3DRS_ADAPTIVETESS_X] == (DWORD)MAKEFOURCC('N', 'V', 'D', 'B');
    if (out->bounds_test) {
        out->bounds[0] = float_of(rs[D3DRS_ADAPTIVETESS_Z]);
        out->bounds[1] = float_of(rs[D3DRS_ADAPTIVETESS_W]);
    }
    out->stencil_test = depth && (depth->caps & TEX_STENCIL) && rs[D3DRS_STENCILENABLE];
    if (out->stencil_test) {
        out->stencil_ref = (uint8_t)rs[D3DRS_STENCILREF];
        out->stencil_mask = (uint8_t)rs[D3DRS_STENCILMASK];
        out->stencil_write_mask = (uint8_t)rs[D3DRS_STENCILWRITEMASK];
        out->stencil_two_sided =
            rs[D3DRS_TWOSIDEDSTENCILMODE] != 0 && !fault_is(FAULT_STENCIL_SIDES);
        if (fault_is(FAULT_STENCIL_MASK))
            out->stencil_mask = 255;
        out->stencil[0] = stencil_face(rs, false);
        out->stencil[1] = stencil_face(rs, out->stencil_two_sided);
    }
}

/* The source factors BOTHSRCALPHA and BOTHINVSRCALPHA set the destination factor too. */
static struct raster_blend blend(DWORD src, DWORD dst, DWORD op)
{
    if (src == D3DBLEND_BOTHSRCALPHA) {
        src = D3DBLEND_SRCALPHA;
        dst = D3DBLEND_INVSRCALPHA;
    } else if (src == D3DBLEND_BOTHINVSRCALPHA) {
        src = D3DBLEND_INVSRCALPHA;
        dst = D3DBLEND_SRCALPHA;
    }
    if (fault_is(FAULT_BLEND_OP) && op == D3DBLENDOP_REVSUBTRACT)
        op = D3DBLENDOP_SUBTRACT;
    if (fault_is(FAULT_BLEND_SWAPPED))
        return (struct raster_blend){.src = (uint8_t)dst, .dst = (uint8_t)src, .op = (uint8_t)op};
    return (struct raster_blend){.src = (uint8_t)src, .dst = (uint8_t)dst, .op = (uint8_t)op};
}

static void translate_output_merger(struct raster_state *out, const struct draw_state *state,
                                    const struct raster_targets *targets)
{
    static const D3DRENDERSTATETYPE masks[RASTER_TARGETS] = {
        D3DRS_COLORWRITEENABLE, D3DRS_COLORWRITEENABLE1, D3DRS_COLORWRITEENABLE2,
        D3DRS_COLORWRITEENABLE3};
    const DWORD *rs = state->render;

    out->blend_enable = rs[D3DRS_ALPHABLENDENABLE] != 0;
    if (out->blend_enable) {
        out->blend_rgb = blend(rs[D3DRS_SRCBLEND], rs[D3DRS_DESTBLEND], rs[D3DRS_BLENDOP]);
        out->separate_alpha =
            rs[D3DRS_SEPARATEALPHABLENDENABLE] != 0 && !fault_is(FAULT_BLEND_ALPHA);
        out->blend_alpha =
            out->separate_alpha
                ? blend(rs[D3DRS_SRCBLENDALPHA], rs[D3DRS_DESTBLENDALPHA], rs[D3DRS_BLENDOPALPHA])
                : out->blend_rgb;
        colour_of(fault_is(FAULT_BLEND_FACTOR) ? ~(DWORD)0 : rs[D3DRS_BLENDFACTOR],
                  out->blend_factor);
    }
    out->srgb_write = rs[D3DRS_SRGBWRITEENABLE] != 0 && !fault_is(FAULT_SRGB_WRITE);
    out->dither = rs[D3DRS_DITHERENABLE] != 0;
    for (unsigned t = 0; t < RASTER_TARGETS; t++)
        out->write_mask[t] = !targets->colour[t].format   ? 0
                             : fault_is(FAULT_WRITE_MASK) ? 15
                                                          : rs[masks[t]] & 15;
}

/* Table fog uses w unless the projection is affine, also for transformed vertices (reference:
 * fog/table-w). */
static bool fog_uses_w(const struct draw_state *state)
{
    const D3DMATRIX *p = &state->projection;

    return !(p->m[0][3] == 0.0f && p->m[1][3] == 0.0f && p->m[2][3] == 0.0f && p->m[3][3] == 1.0f);
}

static void translate_fog(struct raster_state *out, const struct draw_state *state,
                          const struct draw_pipeline *pipeline)
{
    static const uint8_t table[] = {[D3DFOG_EXP] = RASTER_FOG_EXP,
                                    [D3DFOG_EXP2] = RASTER_FOG_EXP2,
                                    [D3DFOG_LINEAR] = RASTER_FOG_LINEAR};
    const DWORD *rs = state->render;
    DWORD mode = rs[D3DRS_FOGTABLEMODE];
    float colour[4];

    if (!rs[D3DRS_FOGENABLE] || pipeline->ps3)
        return;
    if (pipeline->fog_attr >= 0 && fault_is(FAULT_FOG_VERTEX))
        return;
    if (pipeline->fog_attr >= 0) {
        out->fog = RASTER_FOG_VERTEX;
        out->fog_attr = (uint8_t)pipeline->fog_attr;
    } else {
        out->fog = mode <= D3DFOG_LINEAR ? table[mode] : RASTER_FOG_NONE;
        if (fault_is(FAULT_FOG_TABLE) && out->fog == RASTER_FOG_EXP2)
            out->fog = RASTER_FOG_EXP;
        out->fog_w = fog_uses_w(state);
        out->fog_start = float_of(rs[D3DRS_FOGSTART]);
        out->fog_end = float_of(rs[D3DRS_FOGEND]);
        out->fog_density = float_of(rs[D3DRS_FOGDENSITY]);
    }
    colour_of(rs[D3DRS_FOGCOLOR], colour);
    memcpy(out->fog_colour, colour, sizeof(out->fog_colour));
}

void translate_raster_state(struct raster_state *out, const struct draw_state *state,
                            const struct draw_pipeline *pipeline,
                            const struct raster_targets *targets)
{
    memset(out, 0, sizeof(*out));
    out->work_bytes = pipeline->ps_work_bytes + const_lod_cache_bytes();
    out->n_attrs = (uint8_t)pipeline->n_attr;
    memcpy(out->attr, pipeline->raster_attr, pipeline->n_attr * sizeof(out->attr[0]));
    out->ps_inputs = pipeline->ps_inputs;
    out->kills = pipeline->ps_kills;
    out->writes_depth = pipeline->ps_writes_depth;
    out->colours = (uint8_t)pipeline->colours;
    translate_setup(out, state, pipeline, targets);
    translate_tests(out, state, targets);
    translate_output_merger(out, state, targets);
    translate_fog(out, state, pipeline);
    out->samples_passed = state->occlusion;
}
