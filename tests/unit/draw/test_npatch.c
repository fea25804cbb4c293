/* Tests draws of N-patches: tilings across several meshes, partial draws, instances, and the
 * numbers of vertices that displacement maps see. */
#include "check_main.h"

#include "draw/draw.h"
#include "util/alloc.h"

#include <string.h>

enum { DIM = 64, COLUMNS = 5, QUADS = COLUMNS * COLUMNS, TRIANGLES = 2 * QUADS };

struct vertex {
    float position[3], normal[3];
    uint32_t diffuse;
};

#define POSITION                                                                                   \
    {                                                                                              \
        0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0                                      \
    }
#define NORMAL                                                                                     \
    {                                                                                              \
        0, 12, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_NORMAL, 0                                       \
    }
static const struct draw_decl plain = {
    .id = 1,
    .n = 3,
    .element = {POSITION, NORMAL, {0, 24, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};
static const struct draw_decl instanced = {
    .id = 2,
    .n = 3,
    .element = {POSITION, NORMAL, {1, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};
static const struct draw_decl presampled = {
    .id = 3,
    .n = 2,
    .n_generated = 1,
    .element = {POSITION,
                NORMAL,
                {0, 0, D3DDECLTYPE_UNUSED, D3DDECLMETHOD_LOOKUPPRESAMPLED, D3DDECLUSAGE_COLOR, 0}}};

static struct draw *draw;
static struct draw_state *state;
static struct tex_image *target, *map;
static struct vertex vertices[3 * TRIANGLES];
static uint16_t indices[3 * TRIANGLES];

static struct tex_image *image(uint32_t dim)
{
    const struct tex_desc desc = {.format = D3DFMT_A8R8G8B8,
                                  .width = dim,
                                  .height = dim,
                                  .depth = 1,
                                  .levels = 1,
                                  .samples = 1};
    struct tex_image *out;

    ck_assert_int_eq(tex_image_create(&out, &desc, NULL), ST_OK);
    return out;
}

/* Corner k of triangle t: a grid of squares that covers the viewport. */
static struct vertex corner(unsigned t, unsigned k)
{
    static const uint8_t at[2][3][2] = {{{0, 0}, {1, 0}, {0, 1}}, {{0, 1}, {1, 0}, {1, 1}}};
    unsigned column = t / 2 % COLUMNS, row = t / 2 / COLUMNS;
    float x = (float)(column + at[t % 2][k][0]), y = (float)(row + at[t % 2][k][1]);

    return (struct vertex){
        {2.2f * x / COLUMNS - 1.1f, 2.2f * y / COLUMNS - 1.1f, 0.5f}, {0, 0, 1}, 0x01010101};
}

static void set_float(D3DRENDERSTATETYPE type, float value)
{
    memcpy(&state->render[type], &value, sizeof(value));
}

static void open_draw(void)
{
    ck_assert_int_eq(draw_create(&draw, &(struct draw_options){.threads = 2}), ST_OK);
    target = image(DIM);
    map = image(4);
    state = mem_calloc(1, sizeof(*state));
    ck_assert(state != NULL);
    for (unsigned i = 0; i < 3 * TRIANGLES; i++) {
        vertices[i] = corner(i / 3, i % 3);
        indices[i] = (uint16_t)i;
    }
    draw_state_init(state);
    state->target[0].image = target;
    state->decl = &plain;
    state->stream[0] =
        (struct draw_stream){(const uint8_t *)vertices, sizeof(vertices), 0, sizeof(*vertices), 1};
    state->indices = (struct draw_indices){(const uint8_t *)indices, sizeof(indices), 2};
    state->viewport = (D3DVIEWPORT9){0, 0, DIM, DIM, 0.0f, 1.0f};
    state->stage[0][D3DTSS_COLOROP] = D3DTOP_DISABLE;
    state->render[D3DRS_CULLMODE] = D3DCULL_NONE;
    state->render[D3DRS_COLORWRITEENABLE] = 15;
    state->render[D3DRS_LIGHTING] = FALSE;
    state->render[D3DRS_SHADEMODE] = D3DSHADE_FLAT;
    state->render[D3DRS_ALPHABLENDENABLE] = TRUE;
    state->render[D3DRS_SRCBLEND] = state->render[D3DRS_DESTBLEND] = D3DBLEND_ONE;
    state->tessellator = true;
    state->npatch = 64.0f;
}

static void close_draw(void)
{
    draw_destroy(draw);
    tex_image_unref(&target);
    tex_image_unref(&map);
    mem_free(state);
}

static void clear(void)
{
    draw_flush(draw);
    memset(tex_image_level(target, 0, 0)->data, 0,
           (size_t)DIM * tex_image_level(target, 0, 0)->row_pitch);
}

static void draw_part(uint32_t first, uint32_t end, bool indexed)
{
    const struct draw_args args = {.type = D3DPT_TRIANGLELIST,
                                   .primitives = end,
                                   .indexed = indexed,
                                   .vertices = 3 * TRIANGLES,
                                   .first = first};

    ck_assert_int_eq(draw_primitives(draw, state, &args), ST_OK);
}

static uint32_t pixel(unsigned x, unsigned y)
{
    const struct tex_level *level = tex_image_level(target, 0, 0);
    uint32_t value;

    draw_flush(draw);
    memcpy(&value, level->data + (size_t)y * level->row_pitch + 4 * (size_t)x, 4);
    return value;
}

/* Each pixel was hit by one triangle of colour 0x01010101 for each of `times` draws. */
static void check_tiling(unsigned times)
{
    for (unsigned y = 0; y < DIM; y++)
        for (unsigned x = 0; x < DIM; x++)
            ck_assert_msg(pixel(x, y) == 0x01010101u * times, "%u, %u: %x", x, y, pixel(x, y));
}

START_TEST(whole_and_partial_draws_tile)
{
    clear();
    draw_part(0, TRIANGLES, false); /* 107,250 vertices: several meshes */
    check_tiling(1);
    clear();
    draw_part(0, 7, false);
    draw_part(7, 8, true);
    draw_part(8, TRIANGLES, false);
    draw_part(TRIANGLES, TRIANGLES, false);
    check_tiling(1);
}
END_TEST

/* Levels differ from edge to edge; the squares do not all have the same diagonal level. */
START_TEST(adaptive_draws_tile)
{
    static const float plane[4] = {0.7f, 0.4f, 0.0f, 1.3f};

    state->render[D3DRS_ENABLEADAPTIVETESSELLATION] = TRUE;
    for (unsigned c = 0; c < 4; c++)
        set_float((D3DRENDERSTATETYPE)(D3DRS_ADAPTIVETESS_X + c), plane[c]);
    set_float(D3DRS_MAXTESSELLATIONLEVEL, 20);
    state->npatch = 6;
    for (DWORD style = D3DPATCHEDGE_DISCRETE; style <= D3DPATCHEDGE_CONTINUOUS; style++) {
        state->render[D3DRS_PATCHEDGESTYLE] = style;
        clear();
        draw_part(0, TRIANGLES, false);
        check_tiling(1);
    }
}
END_TEST

START_TEST(instances)
{
    static const uint32_t colour[3] = {0x01010101, 0x02020202, 0x04040404};

    state->decl = &instanced;
    state->stream[0].frequency = D3DSTREAMSOURCE_INDEXEDDATA | 3;
    state->stream[1] = (struct draw_stream){(const uint8_t *)colour, sizeof(colour), 0, 4,
                                            (uint32_t)D3DSTREAMSOURCE_INSTANCEDATA | 1};
    state->npatch = 3;
    clear();
    draw_part(0, TRIANGLES, true);
    check_tiling(7);
}
END_TEST

/* A part of a draw sees the numbers of the whole. */
START_TEST(numbers_of_partial_draws)
{
    struct tex_level *level = tex_image_level(map, 0, 0);

    for (uint32_t i = 0; i < 16; i++)
        memcpy(level->data + i / 4 * level->row_pitch + i % 4 * 4, &(uint32_t){0x01010101 * i}, 4);
    tex_image_touch(map);
    state->decl = &presampled;
    state->texture[DRAW_DISPLACEMENT_SAMPLER].image = map;
    state->npatch = 1;
    for (uint32_t t = 0; t < 4; t++) {
        clear();
        draw_part(t, t + 1, false);
        ck_assert_uint_eq(pixel((t < 2 ? 2 : 13) + t % 2 * 7, t % 2 ? 55 : 62), 0x01010101 * 3 * t);
    }
}
END_TEST

START_TEST(no_tessellator)
{
    uint64_t samples = 0;

    state->tessellator = false;
    state->occlusion = &samples;
    state->render[D3DRS_FILLMODE] = D3DFILL_POINT;
    set_float(D3DRS_POINTSIZE, 1);
    set_float(D3DRS_POINTSIZE_MAX, 64);
    clear();
    draw_part(16, 17, false);
    draw_flush(draw);
    ck_assert_uint_eq(samples, 3);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("npatch");
    TCase *tc = tcase_create("npatch");

    tcase_add_checked_fixture(tc, open_draw, close_draw);
    tcase_add_test(tc, whole_and_partial_draws_tile);
    tcase_add_test(tc, adaptive_draws_tile);
    tcase_add_test(tc, instances);
    tcase_add_test(tc, numbers_of_partial_draws);
    tcase_add_test(tc, no_tessellator);
    tcase_set_timeout(tc, 120);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
