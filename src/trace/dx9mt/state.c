/* Emitter of a draw's states and textures: as Direct3D 9 executes them, or so that they reproduce
 * dx9mt's viewer (docs/formats.md lists the differences).
 *
 * Tested by tests/unit/trace/dx9mt/test_dx9mt.c. */
#include "trace/dx9mt/dx9mt_private.h"

#include <windows.h>
#include <d3d9.h>

#include <string.h>

/* Enumerated states have no value 0; the file stores 0 for an unknown state. */
static void state_if(struct dx9mt *d, uint32_t state, uint32_t value)
{
    if (value)
        dx9mt_state(d, state, value);
}

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, 4);
    return bits;
}

/* Maps a blend factor to the one that the viewer uses for it. */
static uint32_t viewer_factor(uint32_t factor, bool source)
{
    bool both = factor == D3DBLEND_BOTHSRCALPHA || factor == D3DBLEND_BOTHINVSRCALPHA;

    if (factor == D3DBLEND_BOTHSRCALPHA)
        return D3DBLEND_SRCALPHA;
    if (both || !factor || factor > D3DBLEND_SRCALPHASAT)
        return both || !source ? D3DBLEND_INVSRCALPHA : D3DBLEND_SRCALPHA;
    return factor;
}

static void put_output(struct dx9mt *d, const struct dx9mt_draw *draw)
{
    bool viewer = d->base.as_viewer;

    dx9mt_state(d, D3DRS_ALPHABLENDENABLE, draw->rs_alpha_blend_enable != 0);
    state_if(d, D3DRS_SRCBLEND,
             viewer ? viewer_factor(draw->rs_src_blend, true) : draw->rs_src_blend);
    state_if(d, D3DRS_DESTBLEND,
             viewer ? viewer_factor(draw->rs_dest_blend, false) : draw->rs_dest_blend);
    state_if(d, D3DRS_BLENDOP,
             viewer && (!draw->rs_blendop || draw->rs_blendop > 5) ? 1 : draw->rs_blendop);
    dx9mt_state(d, D3DRS_COLORWRITEENABLE, draw->rs_colorwriteenable & 15);
    dx9mt_state(d, D3DRS_ALPHATESTENABLE, !viewer && draw->rs_alpha_test_enable);
    dx9mt_state(d, D3DRS_ALPHAREF, draw->rs_alpha_ref & 255);
    state_if(d, D3DRS_ALPHAFUNC, draw->rs_alpha_func);
    dx9mt_state(d, D3DRS_FOGENABLE, !viewer && draw->rs_fogenable);
    dx9mt_state(d, D3DRS_FOGCOLOR, draw->rs_fogcolor);
    dx9mt_state(d, D3DRS_FOGSTART, bits_of(draw->rs_fogstart));
    dx9mt_state(d, D3DRS_FOGEND, bits_of(draw->rs_fogend));
    dx9mt_state(d, D3DRS_FOGDENSITY, bits_of(draw->rs_fogdensity));
    dx9mt_state(d, D3DRS_FOGTABLEMODE, draw->rs_fogtablemode);
}

static void put_depth(struct dx9mt *d, const struct dx9mt_draw *draw)
{
    dx9mt_state(d, D3DRS_ZENABLE, draw->rs_zenable != 0);
    dx9mt_state(d, D3DRS_ZWRITEENABLE, draw->rs_zwriteenable != 0);
    state_if(d, D3DRS_ZFUNC, draw->rs_zfunc);
    dx9mt_state(d, D3DRS_STENCILENABLE, !d->base.as_viewer && draw->rs_stencilenable);
    state_if(d, D3DRS_STENCILFUNC, draw->rs_stencilfunc);
    dx9mt_state(d, D3DRS_STENCILREF, draw->rs_stencilref);
    dx9mt_state(d, D3DRS_STENCILMASK, draw->rs_stencilmask);
    dx9mt_state(d, D3DRS_STENCILWRITEMASK, draw->rs_stencilwritemask);
    state_if(d, D3DRS_STENCILPASS, draw->rs_stencilpass);
    state_if(d, D3DRS_STENCILFAIL, draw->rs_stencilfail);
    state_if(d, D3DRS_STENCILZFAIL, draw->rs_stencilzfail);
}

/* Always sets the viewport and the scissor rectangle, because SetRenderTarget resets both. */
static void put_area(struct dx9mt *d, const struct dx9mt_draw *draw)
{
    bool empty =
        draw->scissor_right <= draw->scissor_left || draw->scissor_bottom <= draw->scissor_top;
    uint32_t cull = draw->rs_cull_mode;

    if (draw->viewport_width && draw->viewport_height)
        CALL(d, CALL_SET_VIEWPORT, DX9MT_DEVICE, DX9MT_OUT, draw->viewport_x, draw->viewport_y,
             draw->viewport_width, draw->viewport_height, bits_of(draw->viewport_min_z),
             bits_of(draw->viewport_max_z));
    dx9mt_state(d, D3DRS_SCISSORTESTENABLE,
                draw->rs_scissortestenable && !(d->base.as_viewer && empty));
    if (draw->rs_scissortestenable && !empty)
        CALL(d, CALL_SET_SCISSOR_RECT, DX9MT_DEVICE, DX9MT_OUT, (uint32_t)draw->scissor_left,
             (uint32_t)draw->scissor_top, (uint32_t)draw->scissor_right,
             (uint32_t)draw->scissor_bottom);
    if (d->base.as_viewer && (!cull || cull > D3DCULL_CCW))
        cull = D3DCULL_CCW;
    state_if(d, D3DRS_CULLMODE, cull);
}

/* The file stores only stage 0 of the texture combiner. */
static void put_stage(struct dx9mt *d, const struct dx9mt_draw *draw)
{
    const uint32_t states[6][2] = {
        {D3DTSS_COLOROP, draw->tss0_color_op},     {D3DTSS_COLORARG1, draw->tss0_color_arg1},
        {D3DTSS_COLORARG2, draw->tss0_color_arg2}, {D3DTSS_ALPHAOP, draw->tss0_alpha_op},
        {D3DTSS_ALPHAARG1, draw->tss0_alpha_arg1}, {D3DTSS_ALPHAARG2, draw->tss0_alpha_arg2},
    };

    for (unsigned i = 0; i < 6; i++)
        if (draw->tss0_color_op && (states[i][1] || i % 3))
            dx9mt_stage_state(d, states[i][0], states[i][1]);
    dx9mt_state(d, D3DRS_TEXTUREFACTOR, draw->rs_texture_factor);
}

void dx9mt_put_states(struct dx9mt *d, const struct dx9mt_draw *draw)
{
    put_area(d, draw);
    put_output(d, draw);
    put_depth(d, draw);
    put_stage(d, draw);
}

/* --- Textures --------------------------------------------------------------------------------- */

static uint32_t viewer_filter(const struct dx9mt_draw *draw, unsigned i, uint32_t filter)
{
    bool anisotropic = draw->sampler_min_filter[i] == D3DTEXF_ANISOTROPIC ||
                       draw->sampler_mag_filter[i] == D3DTEXF_ANISOTROPIC;

    if (filter != D3DTEXF_LINEAR && filter != D3DTEXF_ANISOTROPIC)
        return D3DTEXF_POINT;
    return anisotropic ? D3DTEXF_ANISOTROPIC : D3DTEXF_LINEAR;
}

static void put_sampler(struct dx9mt *d, const struct dx9mt_draw *draw, unsigned i)
{
    const uint32_t address[3] = {draw->sampler_address_u[i], draw->sampler_address_v[i],
                                 draw->sampler_address_w[i]};
    bool viewer = d->base.as_viewer;

    for (unsigned k = 0; k < 3; k++)
        if (address[k] >= D3DTADDRESS_WRAP && address[k] <= D3DTADDRESS_MIRRORONCE)
            dx9mt_sampler(d, i, D3DSAMP_ADDRESSU + k, address[k]);
        else if (viewer)
            dx9mt_sampler(d, i, D3DSAMP_ADDRESSU + k, D3DTADDRESS_WRAP);
    dx9mt_sampler(d, i, D3DSAMP_MINFILTER,
                  viewer ? viewer_filter(draw, i, draw->sampler_min_filter[i])
                         : draw->sampler_min_filter[i]);
    dx9mt_sampler(d, i, D3DSAMP_MAGFILTER,
                  viewer ? viewer_filter(draw, i, draw->sampler_mag_filter[i])
                         : draw->sampler_mag_filter[i]);
    dx9mt_sampler(d, i, D3DSAMP_MIPFILTER, viewer ? D3DTEXF_NONE : draw->sampler_mip_filter[i]);
    if (viewer)
        dx9mt_sampler(d, i, D3DSAMP_MAXANISOTROPY, 8);
}

bool dx9mt_put_textures(struct dx9mt *d, const struct dx9mt_draw *draw)
{
    for (unsigned i = 0; i < DX9MT_SAMPLERS; i++) {
        uint32_t object = dx9mt_use_texture(d, draw, i);

        if (draw->tex_id[i] && !object && d->base.as_viewer)
            return false;
        if (object != d->bound[i])
            CALL(d, CALL_SET_TEXTURE, DX9MT_DEVICE, i, object);
        d->bound[i] = object;
        if (draw->tex_id[i])
            put_sampler(d, draw, i);
    }
    return true;
}
