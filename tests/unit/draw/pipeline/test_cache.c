/* Tests the pipeline and program caches: each state combination builds its pipeline and programs
 * once, state values build none, and eviction bounds their number. */
#include "check_main.h"
#include "machine_code.h"

#include "draw/draw.h"
#include "util/alloc.h"
#include "util/cpu.h"

#include <string.h>

enum { STATES = 50, DRAWS = 10000, MOST_PIPELINES = 2048 };

struct vertex {
    float position[3], normal[3];
    uint32_t diffuse;
    float uv[2];
};

static const struct draw_decl decl = {
    .id = 1,
    .n = 4,
    .element = {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                {0, 12, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_NORMAL, 0},
                {0, 24, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0},
                {0, 28, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_TEXCOORD, 0}}};
static const struct vertex triangle[3] = {{{0, 0, 0.5f}, {0, 0, -1}, 0xffffffff, {0, 0}},
                                          {{1, 0, 0.5f}, {0, 0, -1}, 0xff00ff00, {1, 0}},
                                          {{0, 1, 0.5f}, {0, 0, -1}, 0xffff0000, {0, 1}}};

static struct draw *draw;
static struct draw_state *state;
static struct tex_image *image[3];

static DWORD bits(float value)
{
    DWORD word;

    memcpy(&word, &value, sizeof(word));
    return word;
}

/* Two stages, a texture in the first one, and one light. */
static void open_draw(void)
{
    const struct tex_desc desc = {
        .format = D3DFMT_A8R8G8B8, .width = 4, .height = 4, .depth = 1, .levels = 1, .samples = 1};

    ck_assert_int_eq(draw_create(&draw, &(struct draw_options){.threads = 1}), ST_OK);
    state = mem_calloc(1, sizeof(*state));
    draw_state_init(state);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(tex_image_create(&image[i], &desc, NULL), ST_OK);
    state->target[0].image = image[0];
    state->texture[0].image = image[1];
    state->decl = &decl;
    state->stream[0].data = (const uint8_t *)triangle;
    state->stream[0].size = sizeof(triangle);
    state->stream[0].stride = sizeof(triangle[0]);
    state->viewport = (D3DVIEWPORT9){0, 0, 4, 4, 0.0f, 1.0f};
    state->render[D3DRS_LIGHTING] = TRUE;
    state->render[D3DRS_CULLMODE] = D3DCULL_NONE;
    state->render[D3DRS_FILLMODE] = D3DFILL_SOLID;
    state->render[D3DRS_SHADEMODE] = D3DSHADE_GOURAUD;
    state->render[D3DRS_COLORWRITEENABLE] = 15;
    for (int i = 0; i < FF_STAGES; i++) {
        state->stage[i][D3DTSS_COLOROP] = i < 2 ? D3DTOP_MODULATE : D3DTOP_DISABLE;
        state->stage[i][D3DTSS_ALPHAOP] = i < 2 ? D3DTOP_SELECTARG1 : D3DTOP_DISABLE;
        state->stage[i][D3DTSS_COLORARG1] = state->stage[i][D3DTSS_ALPHAARG1] =
            i ? D3DTA_TFACTOR : D3DTA_TEXTURE;
        state->stage[i][D3DTSS_COLORARG2] = state->stage[i][D3DTSS_ALPHAARG2] = D3DTA_CURRENT;
        state->stage[i][D3DTSS_TEXCOORDINDEX] = (DWORD)i;
        state->stage[i][D3DTSS_RESULTARG] = D3DTA_CURRENT;
    }
    for (int i = 0; i < FF_LIGHTS; i++)
        state->light[i] = (D3DLIGHT9){.Type = D3DLIGHT_POINT, .Diffuse = {1, 1, 1, 1}, .Range = 9};
    state->n_lights = 1;
}

static void close_draw(void)
{
    draw_destroy(draw);
    for (int i = 0; i < 3; i++)
        tex_image_unref(&image[i]);
    mem_free(state);
}

static void draw_once(void)
{
    const struct draw_args args = {.type = D3DPT_TRIANGLELIST, .primitives = 1, .vertices = 3};

    ck_assert_int_eq(draw_primitives(draw, state, &args), ST_OK);
}

static struct draw_statistics counted(void)
{
    struct draw_statistics statistics;

    draw_get_statistics(draw, &statistics);
    return statistics;
}

/* One of 50 pixel programs, n = 0 … 49: five operations times ten arguments. */
static void set_pixel_state(unsigned n)
{
    static const DWORD op[5] = {D3DTOP_MODULATE, D3DTOP_ADD, D3DTOP_SUBTRACT, D3DTOP_MODULATE2X,
                                D3DTOP_ADDSIGNED};
    static const DWORD arg[10] = {D3DTA_TFACTOR,
                                  D3DTA_DIFFUSE,
                                  D3DTA_CURRENT,
                                  D3DTA_SPECULAR,
                                  D3DTA_CONSTANT,
                                  D3DTA_TFACTOR | D3DTA_COMPLEMENT,
                                  D3DTA_DIFFUSE | D3DTA_COMPLEMENT,
                                  D3DTA_CURRENT | D3DTA_COMPLEMENT,
                                  D3DTA_SPECULAR | D3DTA_COMPLEMENT,
                                  D3DTA_CONSTANT | D3DTA_COMPLEMENT};

    state->stage[1][D3DTSS_COLOROP] = op[n / 10];
    state->stage[1][D3DTSS_COLORARG1] = arg[n % 10];
}

/* One of 50 vertex programs, n = 0 … 49: types of three lights, and normalisation of normals. */
static void set_vertex_state(unsigned n)
{
    state->n_lights = 3;
    for (unsigned i = 0; i < 3; i++, n /= 3)
        state->light[i].Type = (D3DLIGHTTYPE)(D3DLIGHT_POINT + n % 3);
    state->render[D3DRS_NORMALIZENORMALS] = n != 0;
}

START_TEST(pixel_states_build_programs_once)
{
    for (unsigned i = 0; i < DRAWS; i++) {
        set_pixel_state(i * 7 % STATES);
        draw_once();
    }
    ck_assert_uint_eq(counted().draws, DRAWS);
    ck_assert_uint_eq(counted().pipelines_built, STATES);
    ck_assert_uint_eq(counted().pixel_programs_built, STATES);
    ck_assert_uint_eq(counted().vertex_programs_built, 1);
    ck_assert_uint_eq(counted().pipelines_dropped, 0);
}
END_TEST

START_TEST(vertex_states_build_programs_once)
{
    for (unsigned i = 0; i < DRAWS; i++) {
        set_vertex_state(i * 7 % STATES);
        draw_once();
    }
    ck_assert_uint_eq(counted().pipelines_built, STATES);
    ck_assert_uint_eq(counted().vertex_programs_built, STATES);
    ck_assert_uint_eq(counted().pixel_programs_built, 1);
}
END_TEST

/* A pipeline is a pair of programs; pipelines with different partners share a program. */
START_TEST(pipelines_share_programs)
{
    for (unsigned i = 0; i < DRAWS; i++) {
        set_pixel_state(i % 10);
        set_vertex_state(i / 10 % 5);
        draw_once();
    }
    ck_assert_uint_eq(counted().pipelines_built, STATES);
    ck_assert_uint_eq(counted().pixel_programs_built, 10);
    ck_assert_uint_eq(counted().vertex_programs_built, 5);
}
END_TEST

/* --- Programs that end with the output merger ------------------------------------------------- */

/* One of 1,440 shapes of blending, which no pipeline depends on. */
static void set_blend_state(unsigned n)
{
    state->render[D3DRS_ALPHABLENDENABLE] = TRUE;
    state->render[D3DRS_SRCBLEND] = D3DBLEND_ZERO + n % 11;
    state->render[D3DRS_DESTBLEND] = D3DBLEND_ZERO + n / 11 % 11;
    state->render[D3DRS_BLENDOP] = D3DBLENDOP_ADD + n / 121 % 3;
    state->render[D3DRS_COLORWRITEENABLE] = 15 - n / 363 % 4;
}

START_TEST(mergers_are_compiled_after_some_draws)
{
    for (unsigned i = 0; i < 40; i++) {
        set_blend_state(i % 2);
        draw_once();
        ck_assert(i >= 16 || !counted().merged_built);
    }
    ck_assert_uint_eq(counted().merged_built, has_machine_code(cpu_isa()) ? 2 : 0);
    ck_assert_uint_eq(counted().pipelines_built, 1);
}
END_TEST

START_TEST(eager_mergers_are_bounded)
{
    unsigned n = 1100;

    draw_destroy(draw);
    ck_assert_int_eq(draw_create(&draw, &(struct draw_options){.threads = 1, .eager = true}),
                     ST_OK);
    draw_once();
    ck_assert_uint_eq(counted().merged_built, has_machine_code(cpu_isa()));
    for (unsigned i = 0; i < n && has_machine_code(cpu_isa()); i++) {
        set_blend_state(i);
        draw_once();
    }
    ck_assert_uint_eq(counted().merged_built, has_machine_code(cpu_isa()) ? 1024 : 0);
}
END_TEST

START_TEST(interpreted_draws_compile_none)
{
    draw_destroy(draw);
    ck_assert_int_eq(
        draw_create(&draw, &(struct draw_options){.threads = 1, .eager = true, .interpret = true}),
        ST_OK);
    draw_once();
    ck_assert_uint_eq(counted().merged_built, 0);
}
END_TEST

static void change_values(unsigned i)
{
    float f = 0.25f + (float)(i % 13);

    state->world[0].m[3][0] = state->view.m[3][1] = f;
    state->projection.m[0][0] = f;
    state->texture_matrix[0].m[3][0] = f;
    state->material.Diffuse.r = state->material.Emissive.g = f;
    state->material.Power = f;
    state->light[0].Diffuse.b = state->light[0].Position.x = state->light[0].Range = f;
    state->light[0].Attenuation1 = f;
    state->render[D3DRS_AMBIENT] = state->render[D3DRS_TEXTUREFACTOR] = i * 0x01020304u;
    state->render[D3DRS_FOGCOLOR] = state->render[D3DRS_BLENDFACTOR] = i * 0x04030201u;
    state->render[D3DRS_FOGSTART] = bits(f);
    state->render[D3DRS_FOGEND] = bits(2.0f * f);
    state->render[D3DRS_FOGDENSITY] = bits(f / 16.0f);
    state->render[D3DRS_POINTSIZE] = bits(f);
    state->render[D3DRS_ALPHAREF] = i & 255;
    state->stage[1][D3DTSS_CONSTANT] = i * 0x01030507u;
    state->stage[0][D3DTSS_BUMPENVMAT00] = bits(f);
    state->texture[0].image = image[1 + i % 2];
    state->viewport.Width = 1 + i % 4;
    state->sampler[0][D3DSAMP_MAGFILTER] = 1 + i % 2;
    state->vs_constants.f[0][0] = f;
}

START_TEST(values_build_nothing)
{
    struct draw_statistics first;

    state->render[D3DRS_FOGENABLE] = TRUE;
    state->render[D3DRS_FOGVERTEXMODE] = _i;
    state->stage[0][D3DTSS_TEXTURETRANSFORMFLAGS] = D3DTTFF_COUNT2;
    draw_once();
    first = counted();
    for (unsigned i = 0; i < 1000; i++) {
        change_values(i);
        draw_once();
    }
    ck_assert_uint_eq(counted().pipelines_built, first.pipelines_built);
    ck_assert_uint_eq(counted().vertex_programs_built, first.vertex_programs_built);
    ck_assert_uint_eq(counted().pixel_programs_built, first.pixel_programs_built);
    ck_assert_uint_eq(first.pipelines_built, 1);
}
END_TEST

/* 10,000 different states, each drawn once, alternate with one that recurs: the limit holds, and
 * the recurring pipeline stays cached. D3DRS_WRAPn changes pipelines, but not programs. */
START_TEST(many_states_stay_bounded)
{
    enum { MANY = 10000, OFTEN = 500 };

    for (unsigned i = 0; i < MANY; i++) {
        state->render[D3DRS_WRAP0] = i & 15;
        state->render[D3DRS_WRAP1] = i >> 4 & 15;
        state->render[D3DRS_WRAP2] = i >> 8 & 15;
        state->render[D3DRS_WRAP3] = i >> 12 & 15;
        state->render[D3DRS_WRAP4] = 1 + (i >> 16);
        draw_once();
        if (i % OFTEN == 0) {
            state->render[D3DRS_WRAP4] = 0;
            state->render[D3DRS_WRAP0] = state->render[D3DRS_WRAP1] = 0;
            state->render[D3DRS_WRAP2] = state->render[D3DRS_WRAP3] = 0;
            draw_once();
        }
        ck_assert_uint_le(counted().pipelines_built - counted().pipelines_dropped, MOST_PIPELINES);
    }
    ck_assert_uint_eq(counted().pipelines_built, MANY + 1);
    ck_assert_uint_eq(counted().pixel_programs_built, 1);
    ck_assert_uint_eq(counted().vertex_programs_built, 1);
}
END_TEST

/* Evicting the last pipeline that uses a program drops the program too. */
START_TEST(dropped_programs_are_built_again)
{
    set_pixel_state(1);
    draw_once();
    set_pixel_state(2);
    for (unsigned i = 0; i < 2 * MOST_PIPELINES; i++) {
        state->render[D3DRS_WRAP0] = i & 15;
        state->render[D3DRS_WRAP1] = i >> 4 & 15;
        state->render[D3DRS_WRAP2] = i >> 8 & 15;
        draw_once();
    }
    ck_assert_uint_eq(counted().pixel_programs_built, 2);
    set_pixel_state(1);
    draw_once();
    ck_assert_uint_eq(counted().pixel_programs_built, 3);
    ck_assert_uint_eq(counted().vertex_programs_built, 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("draw programs");
    TCase *tc = tcase_create("draw programs");

    tcase_set_timeout(tc, 300);
    tcase_add_checked_fixture(tc, open_draw, close_draw);
    tcase_add_test(tc, pixel_states_build_programs_once);
    tcase_add_test(tc, vertex_states_build_programs_once);
    tcase_add_test(tc, pipelines_share_programs);
    tcase_add_test(tc, mergers_are_compiled_after_some_draws);
    tcase_add_test(tc, eager_mergers_are_bounded);
    tcase_add_test(tc, interpreted_draws_compile_none);
    tcase_add_loop_test(tc, values_build_nothing, D3DFOG_NONE, D3DFOG_LINEAR + 1);
    tcase_add_test(tc, many_states_stay_bounded);
    tcase_add_test(tc, dropped_programs_are_built_again);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
