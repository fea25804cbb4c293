/* Tests of the names of states' values. */
#include "tool/inspect/state_names.h"

#include "check_main.h"
#include "util/d3dtypes.h"

static const struct {
    const char *state;
    uint32_t value;
    const char *name; /* NULL: none */
} cases[] = {
    {"CULLMODE", D3DCULL_CCW, "D3DCULL_CCW"},
    {"CULLMODE", 77, NULL},
    {"ZENABLE", 1, "D3DZB_TRUE"},
    {"ALPHABLENDENABLE", 1, "TRUE"},
    {"CCW_STENCILPASS", D3DSTENCILOP_INVERT, "D3DSTENCILOP_INVERT"},
    {"COLORWRITEENABLE", 5, "D3DCOLORWRITEENABLE_RED|D3DCOLORWRITEENABLE_BLUE"},
    {"COLORWRITEENABLE1", 0, "0"},
    {"COLORWRITEENABLE", 0x10, NULL},
    {"COLORWRITEENABLE", 15,
     "D3DCOLORWRITEENABLE_RED|D3DCOLORWRITEENABLE_GREEN|D3DCOLORWRITEENABLE_BLUE|"
     "D3DCOLORWRITEENABLE_ALPHA"},
    {"COLORARG1", D3DTA_TEXTURE | D3DTA_COMPLEMENT, "D3DTA_TEXTURE|D3DTA_COMPLEMENT"},
    {"TEXTURETRANSFORMFLAGS", 0x102, "D3DTTFF_COUNT2|D3DTTFF_PROJECTED"},
    {"ALPHAREF", 1, NULL},
    {"TEXCOORDINDEX", 1, NULL},
    {"TEXCOORDINDEX", D3DTSS_TCI_SPHEREMAP | 2, "D3DTSS_TCI_SPHEREMAP|2"},
    {"WRAP3", D3DWRAPCOORD_0 | D3DWRAPCOORD_1, "D3DWRAPCOORD_0|D3DWRAPCOORD_1"},
    {"CLIPPLANEENABLE", 1, "D3DCLIPPLANE0"},
    {"VERTEXBLEND", D3DVBF_2WEIGHTS, "D3DVBF_2WEIGHTS"},
};

START_TEST(values_have_names)
{
    char text[STATE_NAME_BYTES];

    ck_assert_int_eq(inspect_state_value_name(text, cases[_i].state, cases[_i].value),
                     cases[_i].name != NULL);
    if (cases[_i].name)
        ck_assert_str_eq(text, cases[_i].name);
}
END_TEST

START_TEST(types_have_names)
{
    for (unsigned type = 0; type <= D3DDECLTYPE_UNUSED; type++)
        ck_assert_ptr_nonnull(inspect_decl_type_name(type));
    ck_assert_ptr_null(inspect_decl_type_name(99));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/inspect/state_names");
    TCase *tc = tcase_create("names");

    tcase_add_loop_test(tc, values_have_names, 0, sizeof(cases) / sizeof(cases[0]));
    tcase_add_test(tc, types_have_names);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
