/* Tests the samplers that draws share between two flushes: what makes them be compiled again. */
#include "check_main.h"

#include "draw/scene/scene.h"
#include "tex/tex.h"
#include "util/alloc.h"

#include <string.h>

static struct draw_scene *scene;
static struct draw_state *state;
static struct tex_image *image;

static struct tex_image *open_image(D3DFORMAT format)
{
    const struct tex_desc desc = {
        .format = format, .width = 4, .height = 4, .depth = 1, .levels = 1, .samples = 1};
    struct tex_image *out;

    ck_assert_int_eq(tex_image_create(&out, &desc, NULL), ST_OK);
    return out;
}

static void open_scene(void)
{
    scene = mem_calloc(1, sizeof(*scene));
    state = mem_calloc(1, sizeof(*state));
    ck_assert(scene && state);
    draw_state_init(state);
    image = open_image(D3DFMT_DXT1);
    state->texture[0].image = image;
}

static void close_scene(void)
{
    tex_image_unref(&image);
    scene_fini(scene);
    mem_free(scene);
    mem_free(state);
}

static struct tex_sampler bind(void)
{
    struct tex_sampler sampler;

    ck_assert_int_eq(bind_samplers(scene, state, 0, 1, &sampler), ST_OK);
    return sampler;
}

/* Samples the middle; returns red and alpha. */
static void sample(float *red, float *alpha)
{
    struct tex_sampler sampler = bind();
    float u[TEX_LANES] = {0.5f}, v[TEX_LANES] = {0.5f}, out[4][TEX_LANES] = {{0}};
    const struct sample in = {
        .lanes = 1, .coord = {u, v}, .texel = {out[0], out[1], out[2], out[3]}};

    tex_sample(&sampler, &in);
    *red = out[0][0];
    *alpha = out[3][0];
}

/* A block of one 565 colour. */
static void fill(uint16_t colour)
{
    uint8_t *block = tex_image_level(image, 0, 0)->data;

    memset(block, 0, 8);
    memcpy(block, &colour, sizeof(colour));
    tex_image_touch(image);
}

START_TEST(a_changed_image_is_decoded_again)
{
    float red, alpha;

    fill(0xf800);
    sample(&red, &alpha);
    ck_assert(red == 1.0f);
    fill(0x001f);
    sample(&red, &alpha);
    ck_assert(red == 0.0f);
}
END_TEST

START_TEST(states_and_slots_have_samplers_of_their_own)
{
    struct tex_sampler point = bind(), linear, again;

    ck_assert(!memcmp(&point, (again = bind(), &again), sizeof(point)));
    state->sampler[0][D3DSAMP_MAGFILTER] = D3DTEXF_LINEAR;
    linear = bind();
    ck_assert(memcmp(&point, &linear, sizeof(point)));
    state->texture[0].image = NULL;
    again = bind();
    ck_assert(memcmp(&linear, &again, sizeof(linear)));
    state->texture[0].image = image;
    state->sampler[0][D3DSAMP_MAGFILTER] = D3DTEXF_POINT;
    again = bind();
    ck_assert(!memcmp(&point, &again, sizeof(point)));
}
END_TEST

static unsigned samplers_of(const struct tex_image *which)
{
    unsigned n = 0;

    for (unsigned i = 0; i < RECENT_SAMPLERS; i++)
        n += scene->recent_sampler[i].image == which;
    return n;
}

/* A later image may get the address. */
START_TEST(a_released_image_is_forgotten)
{
    struct tex_image *other = open_image(D3DFMT_A8R8G8B8), *address = other;

    state->texture[0].image = other;
    bind();
    ck_assert_uint_eq(samplers_of(address), 1);
    scene_release(scene, &other);
    ck_assert_uint_eq(samplers_of(address), 0);
    state->texture[0].image = image;
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("samplers");
    TCase *tc = tcase_create("samplers");

    tcase_add_checked_fixture(tc, open_scene, close_scene);
    tcase_add_test(tc, a_changed_image_is_decoded_again);
    tcase_add_test(tc, states_and_slots_have_samplers_of_their_own);
    tcase_add_test(tc, a_released_image_is_forgotten);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
