/* Changes of a draw, read from text. */
#include "tool/edit/change.h"

#include "check_main.h"
#include "util/alloc.h"
#include "util/d3dtypes.h"

#include <string.h>

static struct edit edit;
static char error[EDIT_TEXT];

static void teardown(void)
{
    edit_fini(&edit);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static float as_float(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof(x));
    return x;
}

static const struct {
    const char *text;
    enum edit_kind kind;
    uint32_t index, state, value;
} states[] = {
    {"ZFUNC=ALWAYS", EDIT_RENDER_STATE, 0, D3DRS_ZFUNC, D3DCMP_ALWAYS},
    {"d3drs_cullmode=d3dcull_none", EDIT_RENDER_STATE, 0, D3DRS_CULLMODE, D3DCULL_NONE},
    {"render state:ALPHAREF=128", EDIT_RENDER_STATE, 0, D3DRS_ALPHAREF, 128},
    {"TEXTUREFACTOR=0xff00ff80", EDIT_RENDER_STATE, 0, D3DRS_TEXTUREFACTOR, 0xff00ff80},
    {"FOGSTART=1", EDIT_RENDER_STATE, 0, D3DRS_FOGSTART, 0x3f800000},
    {"DEPTHBIAS=-0.5", EDIT_RENDER_STATE, 0, D3DRS_DEPTHBIAS, 0xbf000000},
    {"POINTSIZE=0x70ff0001", EDIT_RENDER_STATE, 0, D3DRS_POINTSIZE, 0x70ff0001},
    {"COLORWRITEENABLE=RED|alpha", EDIT_RENDER_STATE, 0, D3DRS_COLORWRITEENABLE, 9},
    {"COLORWRITEENABLE=0", EDIT_RENDER_STATE, 0, D3DRS_COLORWRITEENABLE, 0},
    {"ALPHABLENDENABLE=true", EDIT_RENDER_STATE, 0, D3DRS_ALPHABLENDENABLE, 1},
    {"sampler0:MINFILTER=POINT", EDIT_SAMPLER_STATE, 0, D3DSAMP_MINFILTER, D3DTEXF_POINT},
    {"sampler 15:ADDRESSU=D3DTADDRESS_CLAMP", EDIT_SAMPLER_STATE, 15, D3DSAMP_ADDRESSU,
     D3DTADDRESS_CLAMP},
    {"vertex sampler 1:MAGFILTER=LINEAR", EDIT_SAMPLER_STATE, D3DVERTEXTEXTURESAMPLER1,
     D3DSAMP_MAGFILTER, D3DTEXF_LINEAR},
    {"displacement sampler:MIPMAPLODBIAS=0.5", EDIT_SAMPLER_STATE, D3DDMAPSAMPLER,
     D3DSAMP_MIPMAPLODBIAS, 0x3f000000},
    {"stage7:COLOROP=MODULATEALPHA_ADDCOLOR", EDIT_STAGE_STATE, 7, D3DTSS_COLOROP,
     D3DTOP_MODULATEALPHA_ADDCOLOR},
    {"stage1:COLORARG1=TEXTURE|COMPLEMENT", EDIT_STAGE_STATE, 1, D3DTSS_COLORARG1,
     D3DTA_TEXTURE | D3DTA_COMPLEMENT},
    {"stage2:TEXCOORDINDEX=SPHEREMAP|1", EDIT_STAGE_STATE, 2, D3DTSS_TEXCOORDINDEX,
     D3DTSS_TCI_SPHEREMAP | 1},
};

START_TEST(states_are_read)
{
    for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        const struct edit_change *c = &edit.change[0];

        ck_assert_msg(edit_add_state(&edit, states[i].text, error), "%s: %s", states[i].text,
                      error);
        ck_assert_uint_eq(c->kind, states[i].kind);
        ck_assert_uint_eq(c->index, states[i].index);
        ck_assert_uint_eq(c->state, states[i].state);
        ck_assert_msg(c->word[0] == states[i].value, "%s: 0x%x", states[i].text, c->word[0]);
        edit_fini(&edit);
    }
}
END_TEST

START_TEST(wrong_states_are_refused)
{
    static const char *const cases[][2] = {
        {"ZFUNC", "not STATE=VALUE"},
        {"BLUB=1", "no render state 'BLUB'"},
        {"MINFILTER=POINT", "no render state 'MINFILTER'"},
        {"sampler0:ZFUNC=ALWAYS", "no sampler state 'ZFUNC'"},
        {"sampler16:MINFILTER=POINT", "no place"},
        {"stage8:COLOROP=ADD", "no place"},
        {"vertexsampler4:MINFILTER=POINT", "no place"},
        {"sampler:MINFILTER=POINT", "no place"},
        {"ZFUNC=", "has no value ''"},
        {"ZFUNC=SOMETIMES",
         "NEVER, LESS, EQUAL, LESSEQUAL, GREATER, NOTEQUAL, GREATEREQUAL, ALWAYS"},
        {"ZFUNC=ALWAYS|", "has no value"},
        {"ALPHAREF=x", "is a number"},
        {"ALPHAREF=1.5", "is a number"},
        {"ALPHAREF=4294967296", "is a number"},
        {"ALPHAREF=-1", "is a number"},
        {"FOGSTART=a", "is a number"},
        {"FOGSTART=", "is a number"},
        {"stage0:COLOROP=ADDCOLOR", "has no value"},
    };

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ck_assert_msg(!edit_add_state(&edit, cases[i][0], error), "%s", cases[i][0]);
        ck_assert_msg(strstr(error, cases[i][1]) != NULL, "%s: %s", cases[i][0], error);
    }
    ck_assert_uint_eq(edit.n, 0);
    ck_assert(edit_add_state(&edit, "ZFUNC=LESS", error));
    ck_assert(!edit_add_state(&edit, "D3DRS_ZFUNC=ALWAYS", error));
    ck_assert_str_eq(error, "ZFUNC: is changed twice");
    ck_assert_uint_eq(edit.n, 1);
}
END_TEST

START_TEST(constants_are_read)
{
    ck_assert(edit_add_constant(&edit, "ps:c3=1,0.5,-2e1,0", error));
    ck_assert(edit_add_constant(&edit, "vs:i15=1,-2,3,4", error));
    ck_assert(edit_add_constant(&edit, "VS:b0=true", error));
    ck_assert(edit_add_constant(&edit, "ps:b0=0", error));
    ck_assert(edit_add_constant(&edit, "vs:c3=nan,inf,-inf,0", error));
    ck_assert(edit.change[0].pixel && edit.change[0].kind == EDIT_FLOATS);
    ck_assert_uint_eq(edit.change[0].index, 3);
    ck_assert(as_float(edit.change[0].word[0]) == 1.0f);
    ck_assert(as_float(edit.change[0].word[1]) == 0.5f);
    ck_assert(as_float(edit.change[0].word[2]) == -20.0f);
    ck_assert(!edit.change[1].pixel && edit.change[1].kind == EDIT_INTEGERS);
    ck_assert_int_eq((int32_t)edit.change[1].word[1], -2);
    ck_assert_uint_eq(edit.change[2].word[0], 1);
    ck_assert_uint_eq(edit.change[3].word[0], 0);
}
END_TEST

START_TEST(wrong_constants_are_refused)
{
    static const char *const cases[] = {"c0=1,2,3,4",
                                        "ps:c0",
                                        "ps:c0=1,2,3",
                                        "ps:c0=1,2,3,4,5",
                                        "ps:c0=1 ,2,3,4",
                                        "ps:c=1,2,3,4",
                                        "ps:d0=1,2,3,4",
                                        "ps:i0=1.5,0,0,0",
                                        "ps:b0=1,2",
                                        "ps:b0=maybe",
                                        "ps:c99999=1,2,3,4",
                                        "gs:c0=1,2,3,4",
                                        "ps:c0=1,,3,4",
                                        "ps:i0=4294967296,0,0,0",
                                        "",
                                        "ps:="};

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        ck_assert_msg(!edit_add_constant(&edit, cases[i], error), "%s", cases[i]);
    ck_assert(edit_add_constant(&edit, "ps:c0=1,2,3,4", error));
    ck_assert(!edit_add_constant(&edit, "ps:c0=1,2,3,4", error));
}
END_TEST

START_TEST(shaders_are_assembled)
{
    ck_assert(edit_add_shader(&edit, true, "ps_2_0\nmov oC0, c0\n", error));
    ck_assert(edit_add_shader(&edit, false, NULL, error));
    ck_assert_uint_eq(edit.change[0].code[0], 0xffff0200);
    ck_assert_uint_gt(edit.change[0].n_words, 4);
    ck_assert_ptr_null(edit.change[1].code);
    ck_assert(!edit_add_shader(&edit, true, "ps_2_0\nmov oC0, c0\n", error));
    ck_assert_str_eq(error, "pixel shader: is changed twice");
    ck_assert_uint_eq(edit.n, 2);
}
END_TEST

START_TEST(errors_of_shaders_have_line_and_column)
{
    ck_assert(!edit_add_shader(&edit, true, "ps_2_0\nmov oC0, q7\n", error));
    ck_assert_msg(!strncmp(error, "2:10:", 5), "%s", error);
    ck_assert(!edit_add_shader(&edit, true, "vs_2_0\nmov oPos, c0\n", error));
    ck_assert_str_eq(error, "1:1: is a vertex shader, not a pixel shader");
    ck_assert(!edit_add_shader(&edit, false, "ps_2_0\nmov oC0, c0\n", error));
    ck_assert(!edit_add_shader(&edit, true, "", error));
    ck_assert_uint_eq(edit.n, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("changes of a draw");
    TCase *tc = tcase_create("change");

    tcase_add_checked_fixture(tc, NULL, teardown);
    tcase_add_test(tc, states_are_read);
    tcase_add_test(tc, wrong_states_are_refused);
    tcase_add_test(tc, constants_are_read);
    tcase_add_test(tc, wrong_constants_are_refused);
    tcase_add_test(tc, shaders_are_assembled);
    tcase_add_test(tc, errors_of_shaders_have_line_and_column);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
