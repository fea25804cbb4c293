/* Tests of the defaults of device state; the expected values are independent of api/states.def. */
#include "api_test.h"

static DWORD float_bits(float f)
{
    DWORD bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static const struct {
    D3DRENDERSTATETYPE state;
    DWORD value;
} defaults[] = {
    {D3DRS_ZENABLE, D3DZB_TRUE},
    {D3DRS_FILLMODE, 3},
    {D3DRS_SHADEMODE, 2},
    {D3DRS_ZWRITEENABLE, 1},
    {D3DRS_ALPHATESTENABLE, 0},
    {D3DRS_LASTPIXEL, 1},
    {D3DRS_SRCBLEND, 2},
    {D3DRS_DESTBLEND, 1},
    {D3DRS_CULLMODE, 3},
    {D3DRS_ZFUNC, 4},
    {D3DRS_ALPHAREF, 0},
    {D3DRS_ALPHAFUNC, 8},
    {D3DRS_DITHERENABLE, 0},
    {D3DRS_ALPHABLENDENABLE, 0},
    {D3DRS_FOGENABLE, 0},
    {D3DRS_SPECULARENABLE, 0},
    {D3DRS_FOGCOLOR, 0},
    {D3DRS_FOGTABLEMODE, 0},
    {D3DRS_FOGSTART, 0},
    {D3DRS_FOGEND, 0x3f800000},
    {D3DRS_FOGDENSITY, 0x3f800000},
    {D3DRS_STENCILFUNC, 8},
    {D3DRS_STENCILMASK, 0xffffffff},
    {D3DRS_STENCILWRITEMASK, 0xffffffff},
    {D3DRS_TEXTUREFACTOR, 0xffffffff},
    {D3DRS_WRAP0, 0},
    {D3DRS_WRAP15, 0},
    {D3DRS_CLIPPING, 1},
    {D3DRS_LIGHTING, 1},
    {D3DRS_AMBIENT, 0},
    {D3DRS_COLORVERTEX, 1},
    {D3DRS_LOCALVIEWER, 1},
    {D3DRS_NORMALIZENORMALS, 0},
    {D3DRS_DIFFUSEMATERIALSOURCE, 1},
    {D3DRS_SPECULARMATERIALSOURCE, 2},
    {D3DRS_AMBIENTMATERIALSOURCE, 0},
    {D3DRS_EMISSIVEMATERIALSOURCE, 0},
    {D3DRS_POINTSIZE_MIN, 0x3f800000},
    {D3DRS_POINTSCALE_A, 0x3f800000},
    {D3DRS_MULTISAMPLEANTIALIAS, 1},
    {D3DRS_MULTISAMPLEMASK, 0xffffffff},
    {D3DRS_COLORWRITEENABLE, 15},
    {D3DRS_BLENDOP, 1},
    {D3DRS_POSITIONDEGREE, 3},
    {D3DRS_NORMALDEGREE, 1},
    {D3DRS_MINTESSELLATIONLEVEL, 0x3f800000},
    {D3DRS_ADAPTIVETESS_X, 0},
    {D3DRS_ADAPTIVETESS_Z, 0x3f800000},
    {D3DRS_CCW_STENCILFUNC, 8},
    {D3DRS_CCW_STENCILPASS, 1},
    {D3DRS_COLORWRITEENABLE3, 15},
    {D3DRS_BLENDFACTOR, 0xffffffff},
    {D3DRS_SRGBWRITEENABLE, 0},
    {D3DRS_DEPTHBIAS, 0},
    {D3DRS_SEPARATEALPHABLENDENABLE, 0},
    {D3DRS_SRCBLENDALPHA, 2},
    {D3DRS_DESTBLENDALPHA, 1},
    {D3DRS_BLENDOPALPHA, 1},
};

START_TEST(render_state_defaults)
{
    IDirect3DDevice9 *device = create_device();
    D3DCAPS9 caps;
    DWORD value;

    for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++) {
        OK(IDirect3DDevice9_GetRenderState(device, defaults[i].state, &value));
        ck_assert_msg(value == defaults[i].value, "state %d is %#x, not %#x", defaults[i].state,
                      (unsigned)value, (unsigned)defaults[i].value);
    }
    OK(IDirect3DDevice9_GetDeviceCaps(device, &caps));
    OK(IDirect3DDevice9_GetRenderState(device, D3DRS_POINTSIZE_MAX, &value));
    ck_assert_uint_eq(value, float_bits(caps.MaxPointSize));
    release(device);
}
END_TEST

static const struct {
    D3DTEXTURESTAGESTATETYPE state;
    DWORD first, others; /* values of stage 0 and of the other stages */
} stages[] = {
    {D3DTSS_COLOROP, D3DTOP_MODULATE, D3DTOP_DISABLE},
    {D3DTSS_ALPHAOP, D3DTOP_SELECTARG1, D3DTOP_DISABLE},
    {D3DTSS_COLORARG1, D3DTA_TEXTURE, D3DTA_TEXTURE},
    {D3DTSS_COLORARG2, D3DTA_CURRENT, D3DTA_CURRENT},
    {D3DTSS_ALPHAARG1, D3DTA_TEXTURE, D3DTA_TEXTURE},
    {D3DTSS_ALPHAARG2, D3DTA_CURRENT, D3DTA_CURRENT},
    {D3DTSS_RESULTARG, D3DTA_CURRENT, D3DTA_CURRENT},
    {D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE, D3DTTFF_DISABLE},
};

static const struct {
    D3DSAMPLERSTATETYPE state;
    DWORD value;
} samplers[] = {
    {D3DSAMP_ADDRESSU, D3DTADDRESS_WRAP},
    {D3DSAMP_ADDRESSV, D3DTADDRESS_WRAP},
    {D3DSAMP_ADDRESSW, D3DTADDRESS_WRAP},
    {D3DSAMP_BORDERCOLOR, 0},
    {D3DSAMP_MAGFILTER, D3DTEXF_POINT},
    {D3DSAMP_MINFILTER, D3DTEXF_POINT},
    {D3DSAMP_MIPFILTER, D3DTEXF_NONE},
    {D3DSAMP_MIPMAPLODBIAS, 0},
    {D3DSAMP_MAXMIPLEVEL, 0},
    {D3DSAMP_MAXANISOTROPY, 1},
    {D3DSAMP_SRGBTEXTURE, 0},
};

START_TEST(stage_and_sampler_defaults)
{
    IDirect3DDevice9 *device = create_device();
    DWORD value;

    for (DWORD stage = 0; stage < 8; stage++) {
        for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
            OK(IDirect3DDevice9_GetTextureStageState(device, stage, stages[i].state, &value));
            ck_assert_uint_eq(value, stage ? stages[i].others : stages[i].first);
        }
        OK(IDirect3DDevice9_GetTextureStageState(device, stage, D3DTSS_TEXCOORDINDEX, &value));
        ck_assert_uint_eq(value, stage);
    }
    for (DWORD sampler = 0; sampler < 16; sampler++) {
        for (size_t i = 0; i < sizeof(samplers) / sizeof(samplers[0]); i++) {
            OK(IDirect3DDevice9_GetSamplerState(device, sampler, samplers[i].state, &value));
            ck_assert_uint_eq(value, samplers[i].value);
        }
    }
    /* Numbers above the last stage are accepted. */
    OK(IDirect3DDevice9_SetTextureStageState(device, 9999, D3DTSS_COLOROP, 1));
    OK(IDirect3DDevice9_SetSamplerState(device, 0x40000000, D3DSAMP_ADDRESSU, 1));
    OK(IDirect3DDevice9_SetTexture(device, 77, NULL));
    release(device);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/state");
    TCase *tc = tcase_create("state");

    tcase_add_test(tc, render_state_defaults);
    tcase_add_test(tc, stage_and_sampler_defaults);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
