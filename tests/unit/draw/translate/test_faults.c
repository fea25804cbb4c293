/* Tests injected faults: each changes a state that has what the fault breaks, and nothing changes
 * without a fault. */
#include "check_main.h"

#include "draw/translate/faults.h"
#include "util/alloc.h"

#include <string.h>

#if NOVEM_FAULTS
enum { HAS_FAULTS = 1 };
#else
enum { HAS_FAULTS = 0 };
#endif

static const struct draw_decl decl = {
    .id = 1,
    .n = 2,
    .element = {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                {0, 12, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};

static struct draw_state *state;
static struct scratch copy;

/* A state in which every fault finds something to break. */
static void open_state(void)
{
    static const struct {
        D3DRENDERSTATETYPE id;
        DWORD value;
    } render[] = {{D3DRS_CULLMODE, D3DCULL_CW},
                  {D3DRS_SCISSORTESTENABLE, TRUE},
                  {D3DRS_CLIPPLANEENABLE, 3},
                  {D3DRS_DEPTHBIAS, 0x3f000000},
                  {D3DRS_SHADEMODE, D3DSHADE_FLAT},
                  {D3DRS_STENCILZFAIL, D3DSTENCILOP_ZERO},
                  {D3DRS_STENCILPASS, D3DSTENCILOP_KEEP},
                  {D3DRS_TWOSIDEDSTENCILMODE, TRUE},
                  {D3DRS_ZFUNC, D3DCMP_LESSEQUAL},
                  {D3DRS_SRCBLEND, D3DBLEND_BOTHSRCALPHA},
                  {D3DRS_SEPARATEALPHABLENDENABLE, TRUE},
                  {D3DRS_BLENDOP, D3DBLENDOP_REVSUBTRACT},
                  {D3DRS_FOGENABLE, TRUE}};

    state = mem_calloc(1, sizeof(*state));
    ck_assert_ptr_nonnull(state);
    draw_state_init(state);
    for (unsigned i = 0; i < sizeof(render) / sizeof(*render); i++)
        state->render[render[i].id] = render[i].value;
    state->decl = &decl;
    state->stage[0][D3DTSS_COLOROP] = D3DTOP_ADDSIGNED;
    state->stage[0][D3DTSS_COLORARG1] = D3DTA_TEXTURE | D3DTA_COMPLEMENT;
    state->stage[0][D3DTSS_TEXTURETRANSFORMFLAGS] = D3DTTFF_COUNT2;
    state->sampler[0][D3DSAMP_SRGBTEXTURE] = TRUE;
    state->sampler[0][D3DSAMP_ADDRESSU] = D3DTADDRESS_BORDER;
    state->sampler[0][D3DSAMP_ADDRESSV] = D3DTADDRESS_MIRROR;
    state->sampler[0][D3DSAMP_MAGFILTER] = D3DTEXF_LINEAR;
    state->sampler[0][D3DSAMP_MIPMAPLODBIAS] = 0x3f000000;
    state->sampler[0][D3DSAMP_MAXMIPLEVEL] = 1;
    state->ps = (const struct vm_program *)(const void *)&decl; /* only compared with NULL */
    state->ps_constants.f[1][0] = 1.0f;
}

static void close_state(void)
{
    fault_current = FAULT_NONE;
    scratch_fini(&copy);
    mem_free(state);
}

/* Whether the state, or else the raster state, changes. */
static bool fault_shows(void)
{
    const struct draw_state *got;
    struct raster_state raster, before;

    if (fault_current == FAULT_FOG_TABLE)
        state->render[D3DRS_FOGTABLEMODE] = D3DFOG_EXP2;
    got = faults_apply(&copy, state);
    memset(&raster, 0, sizeof(raster));
    raster.depth_test = raster.srgb_write = true;
    raster.fog = RASTER_FOG_VERTEX;
    before = raster;
    faults_apply_raster_state(&raster);
    return (got != state && memcmp(got, state, sizeof(*state)) != 0) ||
           memcmp(&raster, &before, sizeof(raster)) != 0;
}

START_TEST(fault_changes_state)
{
    fault_current = (enum fault)_i;
    switch (fault_current) {
    case FAULT_SPECULAR:
    case FAULT_DXT3_ALPHA:
    case FAULT_CUBE_FACE:
    case FAULT_LOOP_COUNT:
    case FAULT_DSY_SIGN:
    case FAULT_NONE:
        ck_assert(!fault_shows());
        break;
    default:
        ck_assert_msg(fault_shows() == HAS_FAULTS, "%s", fault_name(fault_current));
    }
}
END_TEST

/* Swapping the factors of BOTHSRCALPHA swaps those that it stands for. */
START_TEST(blend_factors)
{
    const struct draw_state *got;

    fault_current = FAULT_BLEND_SWAPPED;
    got = faults_apply(&copy, state);
    if (HAS_FAULTS) {
        ck_assert_uint_eq(got->render[D3DRS_SRCBLEND], D3DBLEND_INVSRCALPHA);
        ck_assert_uint_eq(got->render[D3DRS_DESTBLEND], D3DBLEND_SRCALPHA);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("draw/faults");
    TCase *tc = tcase_create("faults");

    tcase_add_checked_fixture(tc, open_state, close_state);
    tcase_add_loop_test(tc, fault_changes_state, FAULT_NONE, FAULT_COUNT);
    tcase_add_test(tc, blend_factors);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
