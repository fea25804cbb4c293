/* Expresses injected faults as changes of state. The few faults that no state can express are where
 * they act: SPECULAR, DXT3_ALPHA, CUBE_FACE, LOOP_COUNT, DSY_SIGN.
 *
 * Tested by tests/unit/draw/translate/test_faults.c, tests/golden/faults.sh. */
#include "draw/translate/faults.h"

#if NOVEM_FAULTS

#include "util/log.h"

#include <string.h>

struct faulty_state {
    struct draw_state state;
    struct draw_decl decl;
};

static void replace(DWORD *value, DWORD from, DWORD to)
{
    if (*value == from)
        *value = to;
}

static void swap(DWORD *a, DWORD *b)
{
    DWORD t = *a;

    *a = *b;
    *b = t;
}

/* The source factors BOTHSRCALPHA and BOTHINVSRCALPHA set the destination factor too. */
static void swap_factors(DWORD *src, DWORD *dst)
{
    if (*src == D3DBLEND_BOTHSRCALPHA || *src == D3DBLEND_BOTHINVSRCALPHA) {
        bool inverse = *src == D3DBLEND_BOTHINVSRCALPHA;

        *src = inverse ? D3DBLEND_INVSRCALPHA : D3DBLEND_SRCALPHA;
        *dst = inverse ? D3DBLEND_SRCALPHA : D3DBLEND_INVSRCALPHA;
    }
    swap(src, dst);
}

/* UBYTE4N has the bytes of D3DCOLOR in the order of memory: blue first. Blend indices stay, because
 * their type tells how to read them. */
static void swap_vertex_colours(struct faulty_state *faulty)
{
    if (!faulty->state.decl)
        return;
    faulty->decl = *faulty->state.decl;
    for (unsigned i = 0; i < faulty->decl.n; i++) {
        D3DVERTEXELEMENT9 *e = &faulty->decl.element[i];

        if (e->Type == D3DDECLTYPE_D3DCOLOR && e->Usage != D3DDECLUSAGE_BLENDINDICES)
            e->Type = D3DDECLTYPE_UBYTE4N;
    }
    faulty->state.decl = &faulty->decl;
}

/* Register n gets the value of register n + 1. */
static void shift_constants(struct draw_shader_constants *constants)
{
    memmove(constants->f[0], constants->f[1], sizeof(constants->f) - sizeof(constants->f[0]));
    memset(constants->f[DRAW_PS_FLOATS - 1], 0, sizeof(constants->f[0]));
}

static void change_setup(struct draw_state *s)
{
    DWORD *rs = s->render;

    switch (fault_current) {
    case FAULT_CULL_WINDING:
        if (rs[D3DRS_CULLMODE] != D3DCULL_NONE)
            rs[D3DRS_CULLMODE] = D3DCULL_CW + D3DCULL_CCW - rs[D3DRS_CULLMODE];
        break;
    case FAULT_SCISSOR:
        rs[D3DRS_SCISSORTESTENABLE] = FALSE;
        break;
    case FAULT_CLIP_PLANES:
        rs[D3DRS_CLIPPLANEENABLE] = 0;
        break;
    case FAULT_DEPTH_BIAS:
        rs[D3DRS_DEPTHBIAS] = rs[D3DRS_SLOPESCALEDEPTHBIAS] = 0;
        break;
    case FAULT_FLAT:
        rs[D3DRS_SHADEMODE] = D3DSHADE_GOURAUD;
        break;
    case FAULT_POINT_SIZE:
        rs[D3DRS_POINTSIZE] = 0x3f800000; /* 1.0f */
        break;
    default:
        break;
    }
}

static void change_tests(DWORD *rs)
{
    switch (fault_current) {
    case FAULT_ALPHA_REF:
        rs[D3DRS_ALPHAREF]++;
        break;
    case FAULT_STENCIL_OPS:
        swap(&rs[D3DRS_STENCILZFAIL], &rs[D3DRS_STENCILPASS]);
        swap(&rs[D3DRS_CCW_STENCILZFAIL], &rs[D3DRS_CCW_STENCILPASS]);
        break;
    case FAULT_STENCIL_SIDES:
        rs[D3DRS_TWOSIDEDSTENCILMODE] = FALSE;
        break;
    case FAULT_STENCIL_MASK:
        rs[D3DRS_STENCILMASK] = 255;
        break;
    case FAULT_DEPTH_FUNC:
        replace(&rs[D3DRS_ZFUNC], D3DCMP_LESSEQUAL, D3DCMP_LESS);
        break;
    default:
        break;
    }
}

static void change_output(DWORD *rs)
{
    switch (fault_current) {
    case FAULT_BLEND_SWAPPED:
        swap_factors(&rs[D3DRS_SRCBLEND], &rs[D3DRS_DESTBLEND]);
        swap_factors(&rs[D3DRS_SRCBLENDALPHA], &rs[D3DRS_DESTBLENDALPHA]);
        break;
    case FAULT_BLEND_ALPHA:
        rs[D3DRS_SEPARATEALPHABLENDENABLE] = FALSE;
        break;
    case FAULT_BLEND_OP:
        replace(&rs[D3DRS_BLENDOP], D3DBLENDOP_REVSUBTRACT, D3DBLENDOP_SUBTRACT);
        replace(&rs[D3DRS_BLENDOPALPHA], D3DBLENDOP_REVSUBTRACT, D3DBLENDOP_SUBTRACT);
        break;
    case FAULT_BLEND_FACTOR:
        rs[D3DRS_BLENDFACTOR] = ~(DWORD)0;
        break;
    case FAULT_WRITE_MASK:
        rs[D3DRS_COLORWRITEENABLE] = rs[D3DRS_COLORWRITEENABLE1] = 15;
        rs[D3DRS_COLORWRITEENABLE2] = rs[D3DRS_COLORWRITEENABLE3] = 15;
        break;
    case FAULT_FOG_TABLE:
        replace(&rs[D3DRS_FOGTABLEMODE], D3DFOG_EXP2, D3DFOG_EXP);
        break;
    default:
        break;
    }
}

static void change_stage(DWORD *s)
{
    switch (fault_current) {
    case FAULT_STAGE_OP:
        replace(&s[D3DTSS_COLOROP], D3DTOP_ADDSIGNED, D3DTOP_ADD);
        break;
    case FAULT_STAGE_ARG:
        s[D3DTSS_COLORARG0] &= ~(DWORD)D3DTA_COMPLEMENT;
        s[D3DTSS_COLORARG1] &= ~(DWORD)D3DTA_COMPLEMENT;
        s[D3DTSS_COLORARG2] &= ~(DWORD)D3DTA_COMPLEMENT;
        break;
    case FAULT_TEXTURE_MATRIX:
        s[D3DTSS_TEXTURETRANSFORMFLAGS] &= D3DTTFF_PROJECTED;
        break;
    default:
        break;
    }
}

static void change_sampler(DWORD *s)
{
    switch (fault_current) {
    case FAULT_SRGB_READ:
        s[D3DSAMP_SRGBTEXTURE] = FALSE;
        break;
    case FAULT_BORDER:
        for (unsigned a = D3DSAMP_ADDRESSU; a <= D3DSAMP_ADDRESSW; a++)
            replace(&s[a], D3DTADDRESS_BORDER, D3DTADDRESS_CLAMP);
        break;
    case FAULT_MIRROR:
        for (unsigned a = D3DSAMP_ADDRESSU; a <= D3DSAMP_ADDRESSW; a++)
            replace(&s[a], D3DTADDRESS_MIRROR, D3DTADDRESS_WRAP);
        break;
    case FAULT_FILTER:
        replace(&s[D3DSAMP_MAGFILTER], D3DTEXF_LINEAR, D3DTEXF_POINT);
        break;
    case FAULT_MIP_BIAS:
        s[D3DSAMP_MIPMAPLODBIAS] = 0;
        break;
    case FAULT_MIP_FIRST:
        s[D3DSAMP_MAXMIPLEVEL] = 0;
        break;
    default:
        break;
    }
}

static void change_state(struct faulty_state *faulty)
{
    struct draw_state *s = &faulty->state;

    change_setup(s);
    change_tests(s->render);
    change_output(s->render);
    for (unsigned i = 0; i < FF_STAGES; i++)
        change_stage(s->stage[i]);
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        change_sampler(s->sampler[i]);
    if (fault_current == FAULT_VERTEX_COLOUR)
        swap_vertex_colours(faulty);
    if (fault_current == FAULT_CONSTANT && s->ps)
        shift_constants(&s->ps_constants);
}

const struct draw_state *faults_apply(struct scratch *copy, const struct draw_state *state)
{
    struct faulty_state *faulty;

    if (!fault_current)
        return state;
    if (!(faulty = scratch_get(copy, sizeof(*faulty)))) {
        log_once("draw", "fault", "no memory for the injected fault");
        return state;
    }
    faulty->state = *state;
    change_state(faulty);
    return &faulty->state;
}

void faults_apply_raster_state(struct raster_state *state)
{
    switch (fault_current) {
    case FAULT_HALF_PIXEL:
        state->values.viewport[0] += 0.5f;
        state->values.viewport[1] += 0.5f;
        break;
    case FAULT_VIEWPORT_DEPTH:
        state->values.viewport[4] = 0.0f;
        state->values.viewport[5] = 1.0f;
        break;
    case FAULT_DEPTH_WRITE:
        state->depth_write |= state->depth_test;
        break;
    case FAULT_SRGB_WRITE:
        state->srgb_write = false;
        break;
    case FAULT_FOG_VERTEX:
        if (state->fog == RASTER_FOG_VERTEX) {
            state->fog = RASTER_FOG_NONE;
            state->fog_attr = 0;
        }
        break;
    default:
        break;
    }
}

#endif
