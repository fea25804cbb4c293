/* The list of states: names, values as text, defaults and differences. */
#include "check_main.h"

#include "tool/frame/state_table.h"
#include "util/alloc.h"

#include <stdlib.h>
#include <string.h>

static const struct frame_state *find(const char *group, const char *name)
{
    unsigned n;
    const struct frame_state *s = frame_states(&n);

    for (unsigned i = 0; i < n; i++)
        if (!strcmp(s[i].group, group) && !strcmp(s[i].name, name))
            return &s[i];
    ck_abort_msg("no state %s of %s", name, group);
    return NULL;
}

static struct draw_state *initial_state(void)
{
    struct draw_state *state = mem_alloc(sizeof(*state));

    memcpy(state, frame_states_default(), sizeof(*state));
    return state;
}

static void reads(const struct draw_state *state, const char *group, const char *name,
                  const char *expected)
{
    char text[FRAME_VALUE];

    frame_state_text(text, find(group, name), state);
    ck_assert_str_eq(text, expected);
}

START_TEST(defaults_are_those_of_direct3d)
{
    const struct draw_state *state = frame_states_default();

    reads(state, "render state", "ZFUNC", "LESSEQUAL");
    reads(state, "render state", "CULLMODE", "CCW");
    reads(state, "render state", "COLORWRITEENABLE", "RED|GREEN|BLUE|ALPHA");
    reads(state, "render state", "TEXTUREFACTOR", "0xffffffff");
    reads(state, "sampler 0", "MAGFILTER", "POINT");
    reads(state, "vertex sampler 3", "ADDRESSU", "WRAP");
    reads(state, "stage 0", "COLOROP", "MODULATE");
    reads(state, "stage 1", "COLOROP", "DISABLE");
    reads(state, "stage 3", "TEXCOORDINDEX", "3");
    reads(state, "transform", "view", "1 0 0 0, 0 1 0 0, 0 0 1 0, 0 0 0 1");
}
END_TEST

START_TEST(values_have_names)
{
    struct draw_state *state = initial_state();

    state->render[D3DRS_ZFUNC] = D3DCMP_NEVER;
    state->render[D3DRS_FOGSTART] = 0x40200000;
    state->render[D3DRS_DEPTHBIAS] = 0xbf000000;
    state->render[D3DRS_ZFUNC + 1] = 77;
    state->render[D3DRS_SRCBLEND] = 77;
    state->stage[1][D3DTSS_COLORARG1] = D3DTA_TEXTURE | D3DTA_COMPLEMENT;
    state->stage[1][D3DTSS_TEXCOORDINDEX] = D3DTSS_TCI_SPHEREMAP | 2;
    state->clip_plane[2][1] = -0.5f;
    state->scissor.left = -3;
    state->viewport.Width = 640;
    reads(state, "render state", "ZFUNC", "NEVER");
    reads(state, "render state", "FOGSTART", "2.5");
    reads(state, "render state", "DEPTHBIAS", "-0.5");
    reads(state, "render state", "SRCBLEND", "77");
    reads(state, "stage 1", "COLORARG1", "TEXTURE|COMPLEMENT");
    reads(state, "stage 1", "TEXCOORDINDEX", "SPHEREMAP|2");
    reads(state, "clip plane", "plane 2", "0 -0.5 0 0");
    reads(state, "scissor", "left", "-3");
    reads(state, "viewport", "width", "640");
    mem_free(state);
}
END_TEST

START_TEST(differences_are_counted)
{
    struct draw_state *state = initial_state();
    const struct frame_state *colour;

    ck_assert_uint_eq(frame_states_differ(state, frame_states_default()), 0);
    state->render[D3DRS_ZFUNC] = D3DCMP_NEVER;
    state->sampler[17][D3DSAMP_MAGFILTER] = D3DTEXF_LINEAR;
    ck_assert_uint_eq(frame_states_differ(state, frame_states_default()), 2);
    state->vs_constants.f[0][0] = 1; /* constants are no states */
    ck_assert_uint_eq(frame_states_differ(state, frame_states_default()), 2);
    colour = find("light 1", "diffuse");
    ck_assert(!frame_state_exists(colour, state));
    state->n_lights = 2;
    ck_assert(frame_state_exists(colour, state));
    ck_assert(!frame_state_same(colour, state, frame_states_default()));
    mem_free(state);
}
END_TEST

START_TEST(every_state_lies_in_the_structure)
{
    unsigned n;
    const struct frame_state *s = frame_states(&n);

    ck_assert_uint_gt(n, 500);
    for (unsigned i = 0; i < n; i++) {
        ck_assert_uint_le(s[i].offset + s[i].bytes, sizeof(struct draw_state));
        ck_assert_uint_gt(s[i].bytes, 0);
        for (unsigned k = 0; k < i; k++)
            ck_assert_msg(s[k].offset != s[i].offset, "%s: %s and %s", s[i].group, s[k].name,
                          s[i].name);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("frame/state_table");
    TCase *tc = tcase_create("frame/state_table");

    setenv("NOVEM_SINK", "none", 1);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, defaults_are_those_of_direct3d);
    tcase_add_test(tc, values_have_names);
    tcase_add_test(tc, differences_are_counted);
    tcase_add_test(tc, every_state_lies_in_the_structure);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
