/* Tests draws in batches and partial draws: each primitive is drawn once, in order, and none past
 * the last. */
#include "check_main.h"

#include "draw/vertex/reuse.h"
#include "draw/draw.h"
#include "util/alloc.h"

#include <string.h>

enum { MANY = 2 * BATCH_PRIMITIVES + 5, DIM = 4 };

struct vertex {
    float position[4];
    uint32_t diffuse;
};

static const struct draw_decl decl = {
    .id = 1,
    .n = 2,
    .element = {{0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0},
                {0, 16, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};

static struct draw *draw;
static struct draw_state *state;
static struct tex_image *target;
static struct vertex *vertices;

/* The colour of a triangle, which covers the whole target; unique for each primitive. */
static uint32_t colour_of(uint32_t primitive)
{
    return 0xff000000 | (primitive + 1);
}

static void open_draw(void)
{
    static const float corner[3][2] = {{-1, -1}, {3 * DIM, -1}, {-1, 3 * DIM}};
    const struct tex_desc desc = {.format = D3DFMT_A8R8G8B8,
                                  .width = DIM,
                                  .height = DIM,
                                  .depth = 1,
                                  .levels = 1,
                                  .samples = 1};

    ck_assert_int_eq(draw_create(&draw, &(struct draw_options){.threads = 2}), ST_OK);
    ck_assert_int_eq(tex_image_create(&target, &desc, NULL), ST_OK);
    state = mem_calloc(1, sizeof(*state));
    vertices = mem_calloc(3 * (size_t)MANY, sizeof(*vertices));
    ck_assert(state && vertices);
    for (uint32_t i = 0; i < 3 * MANY; i++)
        vertices[i] =
            (struct vertex){{corner[i % 3][0], corner[i % 3][1], 0.5f, 1.0f}, colour_of(i / 3)};
    draw_state_init(state);
    state->target[0].image = target;
    state->decl = &decl;
    state->stream[0].data = (const uint8_t *)vertices;
    state->stream[0].size = 3 * MANY * sizeof(*vertices);
    state->stream[0].stride = sizeof(*vertices);
    state->viewport = (D3DVIEWPORT9){0, 0, DIM, DIM, 0.0f, 1.0f};
    state->stage[0][D3DTSS_COLOROP] = D3DTOP_DISABLE;
    state->render[D3DRS_CULLMODE] = D3DCULL_NONE;
    state->render[D3DRS_COLORWRITEENABLE] = 15;
    state->render[D3DRS_SHADEMODE] = D3DSHADE_FLAT;
}

static void close_draw(void)
{
    draw_destroy(draw);
    tex_image_unref(&target);
    mem_free(state);
    mem_free(vertices);
}

/* The pixel after a draw of primitives first … n - 1. 0: none was drawn. */
static uint32_t pixel_after(uint32_t first, uint32_t n)
{
    const struct draw_args args = {
        .type = D3DPT_TRIANGLELIST, .primitives = n, .vertices = 3 * n, .first = first};
    const struct tex_level *level = tex_image_level(target, 0, 0);
    uint32_t pixel;

    draw_flush(draw);
    memset(level->data, 0, sizeof(pixel));
    ck_assert_int_eq(draw_primitives(draw, state, &args), ST_OK);
    draw_flush(draw);
    memcpy(&pixel, level->data, sizeof(pixel));
    return pixel;
}

START_TEST(last_primitive_is_on_top)
{
    ck_assert_uint_eq(pixel_after(0, 1), colour_of(0));
    for (uint32_t n = BATCH_PRIMITIVES / 4; n <= MANY; n += BATCH_PRIMITIVES / 4)
        ck_assert_uint_eq(pixel_after(0, n), colour_of(n - 1));
    ck_assert_uint_eq(pixel_after(0, MANY), colour_of(MANY - 1));
}
END_TEST

START_TEST(partial_draws)
{
    ck_assert_uint_eq(pixel_after(MANY - 1, MANY), colour_of(MANY - 1));
    ck_assert_uint_eq(pixel_after(7, 8), colour_of(7));
    ck_assert_uint_eq(pixel_after(8, 8), 0);
    ck_assert_uint_eq(pixel_after(9, 8), 0);
    ck_assert_uint_eq(pixel_after(UINT32_MAX, MANY), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("draw_call");
    TCase *tc = tcase_create("draw_call");

    tcase_add_checked_fixture(tc, open_draw, close_draw);
    tcase_add_test(tc, last_primitive_is_on_top);
    tcase_add_test(tc, partial_draws);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
