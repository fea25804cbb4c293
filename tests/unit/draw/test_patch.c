/* Tests draws of patches: the mesh is drawn like the same triangles from buffers, the state is as
 * before afterwards, a closed surface has no hole, and bad patches are refused. */
#include "check_main.h"

#include "draw/draw.h"
#include "util/alloc.h"

#include <math.h>
#include <string.h>

enum { DIM = 64 };

struct vertex {
    float x, y, z;
    uint32_t colour;
};

static const struct draw_decl decl = {
    .id = 7,
    .n = 2,
    .element = {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                {0, 12, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};

static struct draw *draw;
static struct draw_state *state;
static struct tex_image *target;

static D3DMATRIX identity(void)
{
    D3DMATRIX m;

    memset(&m, 0, sizeof(m));
    m._11 = m._22 = m._33 = m._44 = 1.0f;
    return m;
}

static void setup(void)
{
    const struct tex_desc desc = {.format = D3DFMT_A8R8G8B8,
                                  .width = DIM,
                                  .height = DIM,
                                  .depth = 1,
                                  .levels = 1,
                                  .samples = 1};

    ck_assert_int_eq(draw_create(&draw, &(struct draw_options){.threads = 2}), ST_OK);
    ck_assert_int_eq(tex_image_create(&target, &desc, NULL), ST_OK);
    state = mem_calloc(1, sizeof(*state));
    ck_assert_ptr_nonnull(state);
    draw_state_init(state);
    state->target[0].image = target;
    state->decl = &decl;
    state->world[0] = state->view = state->projection = identity();
    state->viewport = (D3DVIEWPORT9){0, 0, DIM, DIM, 0.0f, 1.0f};
    state->stage[0][D3DTSS_COLOROP] = D3DTOP_DISABLE;
    state->render[D3DRS_CULLMODE] = D3DCULL_NONE;
    state->render[D3DRS_COLORWRITEENABLE] = 15;
    state->render[D3DRS_LIGHTING] = FALSE;
    state->render[D3DRS_ALPHABLENDENABLE] = TRUE;
    state->render[D3DRS_SRCBLEND] = state->render[D3DRS_DESTBLEND] = D3DBLEND_ONE;
}

static void teardown(void)
{
    draw_destroy(draw);
    tex_image_unref(&target);
    mem_free(state);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static void clear(void)
{
    ck_assert_int_eq(draw_clear(draw, state, &(struct draw_clear){.flags = D3DCLEAR_TARGET}),
                     ST_OK);
}

static uint32_t pixel(unsigned x, unsigned y)
{
    uint32_t value;

    draw_flush(draw);
    memcpy(&value, tex_level_at(tex_image_level(target, 0, 0), target->format, (int)x, (int)y, 0),
           4);
    return value;
}

static void bind_vertices(const struct vertex *vertex, unsigned n)
{
    state->stream[0] = (struct draw_stream){
        .data = (const uint8_t *)vertex, .size = n * sizeof(*vertex), .stride = 16, .frequency = 1};
}

static struct draw_patch cubic(float segments)
{
    struct draw_patch patch = {
        .patch = {.basis = D3DBASIS_BEZIER, .degree = D3DDEGREE_CUBIC, .width = 4, .height = 4},
        .stride = 4};

    for (unsigned i = 0; i < 4; i++)
        patch.patch.segments[i] = segments;
    return patch;
}

/* --- A closed surface ------------------------------------------------------------------------- */

/* Control points of a face of a rounded cube: those of an edge are the same in both faces. */
static void put_face(struct vertex *out, unsigned face)
{
    static const int axes[6][3][3] = {
        {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
        {{0, 0, 1}, {0, -1, 0}, {1, 0, 0}},  {{0, 0, -1}, {0, -1, 0}, {-1, 0, 0}},
        {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}},  {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
    const int(*a)[3] = axes[face];

    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) {
            int cube[3]; /* -3, -1, 1, 3, and 3 on the face: exact */
            float p[3], length = 0.0f;

            for (unsigned c = 0; c < 3; c++)
                cube[c] = (2 * x - 3) * a[0][c] + (2 * y - 3) * a[1][c] + 3 * a[2][c];
            for (unsigned c = 0; c < 3; c++)
                length += (float)(cube[c] * cube[c]);
            for (unsigned c = 0; c < 3; c++)
                p[c] = 0.8f * (float)cube[c] / sqrtf(length);
            *out++ = (struct vertex){p[0] * 0.8f + p[2] * 0.4f + 0.013f,
                                     p[1] * 0.9f - p[2] * 0.3f + 0.007f,
                                     0.5f + p[2] * 0.3f - p[0] * 0.2f, 0x01010101};
        }
}

static void draw_surface(uint32_t picture[DIM][DIM], const struct draw_patch *patch, D3DCULL cull)
{
    struct vertex face[6][16];

    state->render[D3DRS_CULLMODE] = cull;
    clear();
    for (unsigned i = 0; i < 6; i++) {
        put_face(face[i], i);
        bind_vertices(face[i], 16);
        ck_assert_int_eq(draw_patch(draw, state, patch), ST_OK);
    }
    for (unsigned y = 0; y < DIM; y++)
        for (unsigned x = 0; x < DIM; x++)
            picture[y][x] = pixel(x, y);
}

/* A ray through a pixel enters a closed surface as often as it leaves it. */
START_TEST(closed_surface_has_no_hole)
{
    static const float segments[] = {1, 2, 5, 8.5f, 16, 33};
    static uint32_t front[DIM][DIM], back[DIM][DIM];
    struct draw_patch patch = cubic(segments[_i / 2]);
    unsigned inside = 0;

    state->render[D3DRS_PATCHEDGESTYLE] = _i % 2;
    draw_surface(front, &patch, D3DCULL_CCW);
    draw_surface(back, &patch, D3DCULL_CW);
    for (unsigned i = 0; i < DIM * DIM; i++) {
        ck_assert_msg(front[0][i] == back[0][i], "pixel %u: %08x and %08x", i, front[0][i],
                      back[0][i]);
        inside += front[0][i] != 0;
    }
    ck_assert_uint_gt(inside, DIM * DIM / 8);
    ck_assert_uint_ne(front[DIM / 2][DIM / 2], 0);
}
END_TEST

/* --- Draws ------------------------------------------------------------------------------------ */

static const struct vertex square[4] = {{-1, 1, 0.5f, 0x02010101},
                                        {1, 1, 0.5f, 0x02010101},
                                        {-1, -1, 0.5f, 0x02010101},
                                        {1, -1, 0.5f, 0x02010101}};

/* Streams, indices and declaration are as before, and the mesh was drawn as one draw. */
START_TEST(state_is_kept)
{
    struct draw_patch patch = cubic(3);
    struct draw_state *before = mem_alloc(sizeof(*before));
    struct draw_statistics statistics;
    uint8_t points[4][2][DRAW_PATCH_ELEMENT] = {{{0}}};

    patch.patch.degree = D3DDEGREE_LINEAR;
    patch.patch.width = patch.patch.height = patch.stride = 2;
    bind_vertices(square, 4);
    state->stream[3].frequency = (uint32_t)D3DSTREAMSOURCE_INSTANCEDATA | 1;
    state->indices = (struct draw_indices){(const uint8_t *)square, 16, 4};
    state->software_vertices = _i;
    memcpy(before, state, sizeof(*before));
    clear();
    ck_assert_int_eq(draw_patch(draw, state, &patch), ST_OK);
    ck_assert_mem_eq(state, before, sizeof(*before));
    for (unsigned i = 0; i < DIM * DIM; i++)
        ck_assert_uint_eq(pixel(i % DIM, i / DIM), 0x02010101);
    for (unsigned i = 0; i < 4; i++) {
        memcpy(points[i][0], &square[i], 12);
        memcpy(points[i][1], &square[i].colour, 4);
    }
    patch.points = &points[0][0][0];
    patch.size = sizeof(points);
    patch.decl = &decl;
    state->decl = NULL;
    clear();
    ck_assert_int_eq(draw_patch(draw, state, &patch), ST_OK);
    ck_assert_ptr_null(state->decl);
    for (unsigned i = 0; i < DIM * DIM; i++)
        ck_assert_uint_eq(pixel(i % DIM, i / DIM), 0x02010101);
    draw_get_statistics(draw, &statistics);
    ck_assert_uint_eq(statistics.draws, 2);
    ck_assert_uint_eq(statistics.pipelines_built, 1);
    mem_free(before);
}
END_TEST

START_TEST(bad_patches_are_refused)
{
    struct draw_patch patch = cubic(3);
    uint8_t points[16 * 2 * DRAW_PATCH_ELEMENT] = {0};

    patch.patch.width = 3;
    ck_assert_int_eq(draw_patch(draw, state, &patch), ST_INVALID);
    patch.patch.width = patch.patch.height = 1 << 15;
    patch.patch.basis = D3DBASIS_BSPLINE;
    ck_assert_int_eq(draw_patch(draw, state, &patch), ST_INVALID);
    patch = cubic(3);
    patch.points = points;
    patch.decl = &decl;
    patch.size = sizeof(points) - 1;
    ck_assert_int_eq(draw_patch(draw, state, &patch), ST_INVALID);
    patch.size++;
    ck_assert_int_eq(draw_patch(draw, state, &patch), ST_OK);
    patch.points = NULL;
    state->decl = NULL;
    ck_assert_int_eq(draw_patch(draw, state, &patch), ST_OK);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("draw/patch");
    TCase *tc = tcase_create("patch");

    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, closed_surface_has_no_hole, 0, 12);
    tcase_add_loop_test(tc, state_is_kept, 0, 2);
    tcase_add_test(tc, bad_patches_are_refused);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
