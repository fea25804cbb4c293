/* Translates Direct3D render states to the state of the rasteriser: setup, tests, output merger and
 * fog.
 * Tested by tests/conformance/blend and tests/conformance/stencil. */
#include "draw/translate/translate.h"

#include "draw/translate/faults.h"

#include "util/variant.h"

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

static void translate_setup(struct raster_state *out, const struct draw_state *state,
                            const struct draw_pipeline *pipeline,
                            const struct raster_targets *targets, const struct target_scale *scale)
{
    const DWORD *rs = state->render;
    const D3DVIEWPORT9 *vp = &state->viewport;
    int32_t rect[4];

    out->transformed = pipeline->key.transformed;
    /* Software vertex processing, which alone records a clip status, does not clip without CLIPPING
     * (reference: clip/software, clip/disabled). */
    out->clipping = rs[D3DRS_CLIPPING] || !state->clip_status;
    out->depth_clamp = !out->clipping;
    translate_clip_planes(out, state, pipeline);
    out->values.viewport[0] = (float)vp->X * scale->by[0] + scale->shift[0];
    out->values.viewport[1] = (float)vp->Y * scale->by[1] + scale->shift[1];
    out->values.viewport[2] = (float)vp->Width * scale->by[0];
    out->values.viewport[3] = (float)vp->Height * scale->by[1];
    out->values.viewport[4] = vp->MinZ;
    out->values.viewport[5] = vp->MaxZ;
    translate_clip_rect(state, rect);
    translate_scale_rect(scale, rect);
    out->values.scissor[0] = rect[0];
    out->values.scissor[1] = rect[1];
    out->values.scissor[2] = rect[2] < (int32_t)targets->width ? rect[2] : (int32_t)targets->width;
    out->values.scissor[3] =
        rect[3] < (int32_t)targets->height ? rect[3] : (int32_t)targets->height;
    out->cull = (uint8_t)rs[D3DRS_CULLMODE];
    out->fill = (uint8_t)rs[D3DRS_FILLMODE];
    out->last_pixel = rs[D3DRS_LASTPIXEL] != 0;
    out->point_sprite = rs[D3DRS_POINTSPRITEENABLE] != 0;
    out->values.point_size_min = translate_scale_size(scale, float_of(rs[D3DRS_POINTSIZE_MIN]));
    out->values.point_size_max = translate_scale_size(scale, float_of(rs[D3DRS_POINTSIZE_MAX]));
    out->values.depth_bias = float_of(rs[D3DRS_DEPTHBIAS]);
    out->values.slope_bias = float_of(rs[D3DRS_SLOPESCALEDEPTHBIAS]);
    out->sample_mask = rs[D3DRS_MULTISAMPLEMASK];
    out->at_centre = !rs[D3DRS_MULTISAMPLEANTIALIAS];
}

static struct raster_stencil_face stencil_face(const DWORD *rs, bool counter_clockwise)
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

/* Whether alpha to coverage replaces the alpha test: with ATOC, on multisampled targets. */
static bool alpha_test_covers(const struct draw_state *state, const struct raster_targets *targets)
{
    return state->render[D3DRS_ALPHATESTENABLE] && targets->samples > 1 &&
           state->render[D3DRS_ADAPTIVETESS_Y] == (DWORD)MAKEFOURCC('A', 'T', 'O', 'C');
}

/* The w of the clip planes at z = 0 and z = w, as the projection matrix has them; 0 to 1 where it
 * has none (reference: depth/w-range). */
static void find_w_range(float range[2], const D3DMATRIX *p)
{
    double a = p->m[2][2], b = p->m[3][2], c = p->m[2][3], d = p->m[3][3];
    float first = (float)(d - b / a * c), last = (float)(d + (d - b) / (a - c) * c);
    bool valid = isfinite(first) && isfinite(last) && first != last;

    range[0] = valid ? first : 0.0f;
    range[1] = valid ? last : 1.0f;
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
        out->values.alpha_ref = (uint8_t)rs[D3DRS_ALPHAREF];
    }
    out->depth_test = depth && rs[D3DRS_ZENABLE] != D3DZB_FALSE;
    if (out->depth_test) {
        out->depth_func = (uint8_t)rs[D3DRS_ZFUNC];
        out->depth_write = rs[D3DRS_ZWRITEENABLE] != 0;
        out->w_buffer = rs[D3DRS_ZENABLE] == D3DZB_USEW;
    }
    if (out->w_buffer)
        find_w_range(out->values.w_range, &state->projection);
    out->bounds_test = depth && rs[D3DRS_ADAPTIVETESS_X] == (DWORD)MAKEFOURCC('N', 'V', 'D', 'B');
    if (out->bounds_test) {
        out->values.bounds[0] = float_of(rs[D3DRS_ADAPTIVETESS_Z]);
        out->values.bounds[1] = float_of(rs[D3DRS_ADAPTIVETESS_W]);
    }
    out->stencil_test = depth && (depth->caps & TEX_STENCIL) && rs[D3DRS_STENCILENABLE];
    if (out->stencil_test) {
        out->values.stencil_ref = (uint8_t)rs[D3DRS_STENCILREF];
        out->values.stencil_mask = (uint8_t)rs[D3DRS_STENCILMASK];
        out->values.stencil_write_mask = (uint8_t)rs[D3DRS_STENCILWRITEMASK];
        out->stencil_two_sided = rs[D3DRS_TWOSIDEDSTENCILMODE] != 0;
        out->stencil[0] = stencil_face(rs, false);
        out->stencil[1] = stencil_face(rs, out->stencil_two_sided);
    }
}

/* Numbers above 255 name no factor. They count by their low byte, but never as a second colour. */
static uint8_t factor_of(DWORD factor)
{
    uint8_t low = (uint8_t)factor;

    return factor != low && draw_is_second_colour(low) ? D3DBLEND_ONE : low;
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
    return (struct raster_blend){.src = factor_of(src), .dst = factor_of(dst), .op = (uint8_t)op};
}

static bool takes_two_sources(const struct raster_blend *blend)
{
    return draw_is_second_colour(blend->src) || draw_is_second_colour(blend->dst);
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
        out->separate_alpha = rs[D3DRS_SEPARATEALPHABLENDENABLE] != 0;
        out->blend_alpha =
            out->separate_alpha
                ? blend(rs[D3DRS_SRCBLENDALPHA], rs[D3DRS_DESTBLENDALPHA], rs[D3DRS_BLENDOPALPHA])
                : out->blend_rgb;
        colour_of(rs[D3DRS_BLENDFACTOR], out->values.blend_factor);
    }
    out->srgb_write = rs[D3DRS_SRGBWRITEENABLE] != 0;
    out->dither = variant_current && rs[D3DRS_DITHERENABLE];
    out->dithers = rs[D3DRS_DITHERENABLE] == DRAW_DITHERS;
    for (unsigned t = 0; t < RASTER_TARGETS; t++)
        out->write_mask[t] = targets->colour[t].format ? rs[masks[t]] & 15 : 0;
    /* reference: blend/dual-source */
    if (takes_two_sources(&out->blend_rgb) || takes_two_sources(&out->blend_alpha))
        memset(out->write_mask + 1, 0, sizeof(out->write_mask) - sizeof(out->write_mask[0]));
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
    if (pipeline->fog_attr >= 0) {
        out->fog = RASTER_FOG_VERTEX;
        out->fog_attr = (uint8_t)pipeline->fog_attr;
    } else {
        out->fog = mode <= D3DFOG_LINEAR ? table[mode] : RASTER_FOG_NONE;
        out->fog_w = fog_uses_w(state);
        out->values.fog_start = float_of(rs[D3DRS_FOGSTART]);
        out->values.fog_end = float_of(rs[D3DRS_FOGEND]);
        out->values.fog_density = float_of(rs[D3DRS_FOGDENSITY]);
    }
    colour_of(rs[D3DRS_FOGCOLOR], colour);
    memcpy(out->values.fog_colour, colour, sizeof(out->values.fog_colour));
}

void translate_raster_state(struct raster_state *out, const struct draw_state *state,
                            const struct draw_pipeline *pipeline,
                            const struct raster_targets *targets, const struct target_scale *scale)
{
    memset(out, 0, sizeof(*out));
    translate_setup(out, state, pipeline, targets, scale);
    translate_tests(out, state, targets);
    translate_output_merger(out, state, targets);
    translate_fog(out, state, pipeline);
    out->values.samples_passed = state->occlusion;
    faults_apply_raster_state(out);
}

bool translate_aa_lines(const struct draw_state *state, enum raster_primitive primitive,
                        const struct raster_targets *targets)
{
    return state->render[D3DRS_ANTIALIASEDLINEENABLE] && targets->samples == 1 &&
           (primitive == RASTER_LINES ||
            (primitive == RASTER_TRIANGLES && state->render[D3DRS_FILLMODE] == D3DFILL_WIREFRAME));
}

bool translate_supersamples(const struct draw_state *state, const struct raster_state *raster,
                            const struct raster_targets *targets)
{
    return targets->samples > 1 &&
           state->render[D3DRS_ADAPTIVETESS_Y] == (DWORD)MAKEFOURCC('S', 'S', 'A', 'A') &&
           (raster->alpha_test || raster->kills);
}
