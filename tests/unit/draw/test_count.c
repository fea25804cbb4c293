/* Counts of draws: values by hand, agreement with occlusion queries, and no change of any pixel. */
#include "check_main.h"

#include "draw/draw.h"
#include "tex/tex.h"
#include "util/alloc.h"

#include <string.h>

enum { DIM = 64, SIDE = 32, AREA = SIDE * SIDE, MAX_VERTICES = 24 };

struct vertex {
    float position[4];
    uint32_t diffuse;
};

static const struct draw_decl on_screen = {
    .id = 1,
    .n = 2,
    .element = {{0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0},
                {0, 16, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};
static const struct draw_decl in_space = {
    .id = 2,
    .n = 2,
    .element = {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                {0, 16, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};

static struct draw *draw;
static struct draw_counter *counter;
static struct draw_state *state;
static struct tex_image *target, *depth;
static struct vm_program *program;
static struct vertex vertices[MAX_VERTICES];
static unsigned n_vertices;
static struct draw_counts counts;

/* --- Scenes ----------------------------------------------------------------------------------- */

static struct tex_image *create(D3DFORMAT format, unsigned samples)
{
    const struct tex_desc desc = {.format = format,
                                  .width = DIM,
                                  .height = DIM,
                                  .depth = 1,
                                  .levels = 1,
                                  .samples = samples,
                                  .unlocked = true};
    struct tex_image *image;

    ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
    return image;
}

static void set_targets(unsigned samples)
{
    tex_image_unref(&target);
    tex_image_unref(&depth);
    state->target[0].image = target = create(D3DFMT_A8R8G8B8, samples);
    state->depth.image = depth = create(D3DFMT_D24S8, samples);
    ck_assert_int_eq(
        draw_clear(draw, state,
                   &(struct draw_clear){
                       .flags = D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, .z = 1.0f}),
        ST_OK);
    draw_flush(draw);
}

static void open_all(void)
{
    ck_assert_int_eq(draw_create(&draw, &(struct draw_options){.threads = 1}), ST_OK);
    ck_assert_int_eq(draw_counter_create(&counter), ST_OK);
    state = mem_calloc(1, sizeof(*state));
    ck_assert_ptr_nonnull(state);
    draw_state_init(state);
    state->decl = &on_screen;
    state->stream[0].data = (const uint8_t *)vertices;
    state->stream[0].size = sizeof(vertices);
    state->stream[0].stride = sizeof(vertices[0]);
    state->viewport = (D3DVIEWPORT9){0, 0, DIM, DIM, 0.0f, 1.0f};
    state->stage[0][D3DTSS_COLOROP] = D3DTOP_SELECTARG1;
    state->stage[0][D3DTSS_COLORARG1] = D3DTA_DIFFUSE;
    state->stage[0][D3DTSS_ALPHAOP] = D3DTOP_SELECTARG1;
    state->stage[0][D3DTSS_ALPHAARG1] = D3DTA_DIFFUSE;
    state->stage[1][D3DTSS_COLOROP] = D3DTOP_DISABLE;
    state->render[D3DRS_CULLMODE] = D3DCULL_NONE;
    state->render[D3DRS_FILLMODE] = D3DFILL_SOLID;
    state->render[D3DRS_SHADEMODE] = D3DSHADE_GOURAUD;
    state->render[D3DRS_COLORWRITEENABLE] = 15;
    state->render[D3DRS_CLIPPING] = TRUE;
    state->render[D3DRS_MULTISAMPLEMASK] = 0xffffffff;
    state->render[D3DRS_MULTISAMPLEANTIALIAS] = TRUE;
    state->render[D3DRS_ZFUNC] = D3DCMP_LESS;
    state->render[D3DRS_ZENABLE] = D3DZB_TRUE;
    state->render[D3DRS_ZWRITEENABLE] = TRUE;
    state->render[D3DRS_STENCILFUNC] = D3DCMP_ALWAYS;
    state->render[D3DRS_STENCILMASK] = state->render[D3DRS_STENCILWRITEMASK] = 0xffffffff;
    state->render[D3DRS_STENCILFAIL] = state->render[D3DRS_STENCILZFAIL] =
        state->render[D3DRS_STENCILPASS] = D3DSTENCILOP_KEEP;
    set_targets(1);
    n_vertices = 0;
}

static void close_all(void)
{
    draw_counter_destroy(counter);
    draw_destroy(draw);
    tex_image_unref(&target);
    tex_image_unref(&depth);
    vm_program_destroy(program);
    program = NULL;
    mem_free(state);
}

static void add_vertex(float x, float y, float z, uint32_t colour)
{
    ck_assert_uint_lt(n_vertices, MAX_VERTICES);
    vertices[n_vertices++] = (struct vertex){{x, y, z, 1.0f}, colour};
}

/* Two triangles, clockwise on the screen, that cover SIDE x SIDE pixels at (x, y). */
static void add_rect(float x, float y, float z, uint32_t colour)
{
    static const float corner[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};

    for (unsigned i = 0; i < 6; i++)
        add_vertex(x - 0.5f + corner[i][0] * SIDE, y - 0.5f + corner[i][1] * SIDE, z, colour);
}

static void use_shader(const char *text)
{
    uint32_t *words;
    size_t n;

    ck_assert_int_eq(vm_assemble(&words, &n, text, NULL), ST_OK);
    ck_assert_int_eq(vm_program_create(&program, words, n, &vm_limits_hardware, NULL), ST_OK);
    mem_free(words);
    state->ps = program;
}

/* Counts a draw, which leaves the targets as they are; then draws. The occlusion query of that must
 * agree. */
static void count(D3DPRIMITIVETYPE type, uint32_t primitives)
{
    const struct draw_args args = {.type = type, .primitives = primitives, .vertices = n_vertices};
    uint8_t *before[2];
    struct tex_image *image[2] = {target, depth};
    uint64_t passed = 0;

    for (unsigned i = 0; i < 2; i++) {
        before[i] = mem_alloc(image[i]->bytes);
        ck_assert_ptr_nonnull(before[i]);
        memcpy(before[i], image[i]->memory, image[i]->bytes);
    }
    ck_assert_int_eq(draw_count(counter, draw, state, &args, NULL, &counts), ST_OK);
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(memcmp(before[i], image[i]->memory, image[i]->bytes), 0);
        mem_free(before[i]);
    }
    state->occlusion = &passed;
    ck_assert_int_eq(draw_primitives(draw, state, &args), ST_OK);
    draw_flush(draw);
    state->occlusion = NULL;
    ck_assert_uint_eq(counts.samples[DRAW_PASSED], passed);
    ck_assert_uint_eq(counts.primitives, counts.outside + counts.culled + counts.drawn);
}

static void check_samples(uint64_t covered, uint64_t tested, uint64_t passed, uint64_t shaded)
{
    ck_assert_uint_eq(counts.samples[DRAW_COVERED], covered);
    ck_assert_uint_eq(counts.samples[DRAW_TESTED], tested);
    ck_assert_uint_eq(counts.samples[DRAW_PASSED], passed);
    ck_assert_uint_eq(counts.pixel.invocations, shaded);
}

static void check_failed(uint64_t killed, uint64_t alpha, uint64_t stencil, uint64_t depths)
{
    ck_assert_uint_eq(counts.samples[DRAW_KILLED], killed);
    ck_assert_uint_eq(counts.samples[DRAW_ALPHA_FAILED], alpha);
    ck_assert_uint_eq(counts.samples[DRAW_STENCIL_FAILED], stencil);
    ck_assert_uint_eq(counts.samples[DRAW_DEPTH_FAILED], depths);
}

/* --- Depth, stencil, alpha -------------------------------------------------------------------- */

START_TEST(hidden_rectangle)
{
    add_rect(0, 0, 0.25f, ~0u);
    add_rect(0, 0, 0.75f, ~0u);
    count(D3DPT_TRIANGLELIST, 4);
    check_samples(2 * AREA, 2 * AREA, AREA, AREA);
    check_failed(0, 0, 0, AREA);
    ck_assert_uint_eq(counts.written[0], AREA);
    ck_assert_uint_eq(counts.written[1], 0);
    ck_assert_uint_eq(counts.written[DRAW_TARGETS], AREA);
    ck_assert_uint_eq(counts.references, 12);
    ck_assert_uint_eq(counts.vertex.invocations, 12);
    ck_assert_uint_eq(counts.drawn, 4);
    ck_assert_uint_eq(counts.culled + counts.outside + counts.clipped, 0);
}
END_TEST

/* An early test only spares what is behind: both are shaded. Then nothing of a second draw is. */
START_TEST(back_to_front)
{
    add_rect(8, 8, 0.75f, ~0u);
    add_rect(16, 8, 0.25f, ~0u);
    count(D3DPT_TRIANGLELIST, 4);
    check_samples(2 * AREA, 2 * AREA, 2 * AREA, 2 * AREA);
    check_failed(0, 0, 0, 0);
    count(D3DPT_TRIANGLELIST, 4);
    check_samples(2 * AREA, 2 * AREA, 0, 0);
    check_failed(0, 0, 0, 2 * AREA);
    ck_assert_uint_eq(counts.written[0], 0);
}
END_TEST

START_TEST(no_tests)
{
    state->render[D3DRS_ZENABLE] = D3DZB_FALSE;
    state->render[D3DRS_COLORWRITEENABLE] = 0;
    add_rect(0, 0, 0.5f, ~0u);
    count(D3DPT_TRIANGLELIST, 2);
    check_samples(AREA, 0, AREA, 0);
    ck_assert_uint_eq(counts.written[0] + counts.written[DRAW_TARGETS], 0);
}
END_TEST

/* The first rectangle increments the stencil, so that the second fails; and its depth is never
 * compared. */
START_TEST(stencil)
{
    state->render[D3DRS_STENCILENABLE] = TRUE;
    state->render[D3DRS_STENCILFUNC] = D3DCMP_EQUAL;
    state->render[D3DRS_STENCILPASS] = D3DSTENCILOP_INCR;
    add_rect(0, 0, 0.5f, ~0u);
    add_rect(0, 0, 0.75f, ~0u);
    count(D3DPT_TRIANGLELIST, 4);
    check_samples(2 * AREA, 2 * AREA, AREA, AREA);
    check_failed(0, 0, AREA, 0);
    state->render[D3DRS_STENCILREF] = 1; /* met everywhere, but behind */
    count(D3DPT_TRIANGLELIST, 4);
    check_failed(0, 0, 0, 2 * AREA);
}
END_TEST

/* With two-sided stencil, the back face has a test of its own. */
START_TEST(stencil_of_back_faces)
{
    state->render[D3DRS_STENCILENABLE] = state->render[D3DRS_TWOSIDEDSTENCILMODE] = TRUE;
    state->render[D3DRS_CCW_STENCILFUNC] = D3DCMP_NEVER;
    state->render[D3DRS_CCW_STENCILFAIL] = state->render[D3DRS_CCW_STENCILZFAIL] =
        state->render[D3DRS_CCW_STENCILPASS] = D3DSTENCILOP_KEEP;
    add_rect(0, 0, 0.5f, ~0u);
    add_vertex(31.5f, 31.5f, 0.5f, ~0u); /* counter-clockwise, of half the area, less its edge */
    add_vertex(63.5f, 31.5f, 0.5f, ~0u);
    add_vertex(31.5f, -0.5f, 0.5f, ~0u);
    count(D3DPT_TRIANGLELIST, 3);
    ck_assert_uint_eq(counts.samples[DRAW_PASSED], AREA);
    ck_assert_uint_eq(counts.samples[DRAW_STENCIL_FAILED], counts.samples[DRAW_COVERED] - AREA);
    ck_assert_uint_ge(counts.samples[DRAW_STENCIL_FAILED], AREA / 2 - SIDE);
    ck_assert_uint_le(counts.samples[DRAW_STENCIL_FAILED], AREA / 2 + SIDE);
}
END_TEST

/* Pixels that the alpha test drops are shaded, and reach no test. */
START_TEST(alpha_test)
{
    state->render[D3DRS_ALPHATESTENABLE] = TRUE;
    state->render[D3DRS_ALPHAFUNC] = D3DCMP_GREATER;
    state->render[D3DRS_ALPHAREF] = 128;
    add_rect(0, 0, 0.25f, 0x10ffffff);
    add_rect(0, 0, 0.75f, 0xf0ffffff);
    count(D3DPT_TRIANGLELIST, 4);
    check_samples(2 * AREA, AREA, AREA, 2 * AREA);
    check_failed(0, AREA, 0, 0);
}
END_TEST

START_TEST(scissor)
{
    state->render[D3DRS_SCISSORTESTENABLE] = TRUE;
    state->scissor = (RECT){4, 4, 14, 24};
    add_rect(0, 0, 0.5f, ~0u);
    count(D3DPT_TRIANGLELIST, 2);
    check_samples(200, 200, 200, 200);
}
END_TEST

START_TEST(multisampled)
{
    set_targets(4);
    add_rect(0, 0, 0.25f, ~0u);
    add_rect(0, 0, 0.75f, ~0u);
    count(D3DPT_TRIANGLELIST, 4);
    ck_assert_uint_eq(counts.samples[DRAW_PASSED], counts.samples[DRAW_DEPTH_FAILED]);
    ck_assert_uint_eq(counts.samples[DRAW_COVERED], 2 * counts.samples[DRAW_PASSED]);
    /* Pixels at the diagonal are shaded for each triangle, those at the border at least partly. */
    ck_assert_uint_ge(counts.pixel.invocations, AREA);
    ck_assert_uint_le(counts.pixel.invocations, AREA + 3 * SIDE + 1);
    ck_assert_uint_ge(counts.samples[DRAW_PASSED], 4 * AREA - 4 * SIDE);
    ck_assert_uint_le(counts.samples[DRAW_PASSED], 4 * AREA + 4 * SIDE);
    state->render[D3DRS_MULTISAMPLEMASK] = 1;
    count(D3DPT_TRIANGLELIST, 4);
    ck_assert_uint_eq(counts.samples[DRAW_PASSED], 0);
}
END_TEST

/* All samples at the centre: each pixel has four or none. */
START_TEST(samples_at_centre)
{
    set_targets(4);
    state->render[D3DRS_MULTISAMPLEANTIALIAS] = FALSE;
    add_rect(0, 0, 0.5f, ~0u);
    count(D3DPT_TRIANGLELIST, 2);
    check_samples(4 * AREA, 4 * AREA, 4 * AREA, AREA);
}
END_TEST

/* --- Primitives ------------------------------------------------------------------------------- */

START_TEST(culled_triangles)
{
    add_rect(0, 0, 0.5f, ~0u);
    for (unsigned i = 0; i < 3; i++) /* without area */
        add_vertex(4.0f * (float)i, 4.0f * (float)i, 0.5f, ~0u);
    state->render[D3DRS_CULLMODE] = D3DCULL_CCW;
    count(D3DPT_TRIANGLELIST, 3);
    ck_assert_uint_eq(counts.culled, 1);
    ck_assert_uint_eq(counts.drawn, 2);
    state->render[D3DRS_CULLMODE] = D3DCULL_CW;
    count(D3DPT_TRIANGLELIST, 3);
    ck_assert_uint_eq(counts.culled, 3);
    check_samples(0, 0, 0, 0);
    ck_assert_uint_eq(counts.vertex.invocations, 9);
    ck_assert_uint_eq(counts.written[0], 0);
}
END_TEST

START_TEST(clipped_triangles)
{
    state->decl = &in_space;
    state->render[D3DRS_LIGHTING] = FALSE;
    add_vertex(-0.5f, -0.5f, 0.5f, ~0u); /* inside */
    add_vertex(-0.5f, 0.5f, 0.5f, ~0u);
    add_vertex(0.5f, -0.5f, 0.5f, ~0u);
    add_vertex(-0.5f, -0.5f, -0.5f, ~0u); /* cut by the near plane */
    add_vertex(-0.5f, 0.5f, 0.5f, ~0u);
    add_vertex(0.5f, -0.5f, 0.5f, ~0u);
    add_vertex(2.0f, 0.0f, 0.5f, ~0u); /* to the right of the view */
    add_vertex(2.0f, 0.5f, 0.5f, ~0u);
    add_vertex(3.0f, 0.0f, 0.5f, ~0u);
    count(D3DPT_TRIANGLELIST, 3);
    ck_assert_uint_eq(counts.primitives, 3);
    ck_assert_uint_eq(counts.outside, 1);
    ck_assert_uint_eq(counts.clipped, 1);
    ck_assert_uint_eq(counts.drawn, 2);
    ck_assert_uint_gt(counts.vertex.instructions, 0);
}
END_TEST

START_TEST(lines_and_points)
{
    state->render[D3DRS_ZENABLE] = D3DZB_FALSE;
    state->render[D3DRS_LASTPIXEL] = TRUE;
    state->render[D3DRS_POINTSIZE] = 0x40800000; /* 4.0f */
    state->render[D3DRS_POINTSIZE_MAX] = 0x42800000;
    add_vertex(8, 8, 0.5f, ~0u);
    add_vertex(24, 8, 0.5f, ~0u);
    add_vertex(24, 24, 0.5f, ~0u);
    count(D3DPT_POINTLIST, 3);
    ck_assert_uint_eq(counts.drawn, 3);
    check_samples(3 * 16, 0, 3 * 16, 3 * 16);
    count(D3DPT_LINESTRIP, 2);
    ck_assert_uint_eq(counts.references, 4);
    ck_assert_uint_eq(counts.vertex.invocations, 3);
    ck_assert_uint_eq(counts.drawn, 2);
    check_samples(33, 0, 33, 33);
}
END_TEST

/* --- Shaders ---------------------------------------------------------------------------------- */

START_TEST(texkill)
{
    use_shader("ps_2_0\ndef c0, -1, 0, 0, 0\nmov r0, c0\ntexkill r0\nmov oC0, r0\n");
    add_rect(0, 0, 0.5f, ~0u);
    count(D3DPT_TRIANGLELIST, 2);
    check_samples(AREA, 0, 0, AREA);
    check_failed(AREA, 0, 0, 0);
    ck_assert_uint_eq(counts.pixel.instructions, 3 * AREA);
    ck_assert_uint_eq(counts.pixel.lookups, 0);
    ck_assert_uint_eq(counts.pixel.n_executed, 3);
}
END_TEST

/* Helper lanes execute instructions that no count has. */
START_TEST(loop_and_texture)
{
    use_shader("ps_3_0\ndefi i0, 5, 0, 0, 0\ndef c0, 0.1, 0, 0, 0\ndcl_2d s0\nmov r0, c0\n"
               "rep i0\nadd r0, r0, c0\nendrep\ntexld r1, r0, s0\nadd oC0, r0, r1\n");
    add_vertex(0.5f, 0.5f, 0.5f, ~0u);
    add_vertex(1.9f, 0.5f, 0.5f, ~0u);
    add_vertex(0.5f, 1.9f, 0.5f, ~0u);
    count(D3DPT_TRIANGLELIST, 1);
    ck_assert_uint_eq(counts.samples[DRAW_PASSED], 1);
    ck_assert_uint_eq(counts.pixel.invocations, 1);
    ck_assert_uint_eq(counts.pixel.lookups, 1);
    ck_assert_uint_eq(counts.pixel.executed[0], 1); /* mov */
    ck_assert_uint_eq(counts.pixel.executed[2], 5); /* add */
    ck_assert_uint_eq(counts.pixel.executed[4], 1); /* texld */
    ck_assert_uint_eq(counts.pixel.executed[5], 1); /* add */
}
END_TEST

/* --- Random states ---------------------------------------------------------------------------- */

static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)seed * n >> 32);
}

static void random_state(void)
{
    DWORD *rs = state->render;

    rs[D3DRS_ZENABLE] = below(4) != 0;
    rs[D3DRS_ZWRITEENABLE] = below(4) != 0;
    rs[D3DRS_ZFUNC] = 1 + below(8);
    rs[D3DRS_ALPHATESTENABLE] = below(2);
    rs[D3DRS_ALPHAFUNC] = 1 + below(8);
    rs[D3DRS_ALPHAREF] = below(256);
    rs[D3DRS_STENCILENABLE] = below(2);
    rs[D3DRS_TWOSIDEDSTENCILMODE] = below(2);
    rs[D3DRS_STENCILFUNC] = 1 + below(8);
    rs[D3DRS_CCW_STENCILFUNC] = 1 + below(8);
    rs[D3DRS_STENCILREF] = below(4);
    rs[D3DRS_STENCILMASK] = below(2) ? ~0u : below(4);
    for (unsigned i = 0; i < 3; i++) {
        rs[D3DRS_STENCILFAIL + i] = 1 + below(8); /* FAIL, ZFAIL, PASS */
        rs[D3DRS_CCW_STENCILFAIL + i] = 1 + below(8);
    }
    rs[D3DRS_CULLMODE] = below(3) ? D3DCULL_NONE : 1 + below(3);
    rs[D3DRS_FILLMODE] = below(4) ? D3DFILL_SOLID : 1 + below(2);
    rs[D3DRS_MULTISAMPLEMASK] = below(2) ? ~0u : below(16);
    rs[D3DRS_COLORWRITEENABLE] = below(3) ? 15 : 0;
    state->alpha_to_mask = below(4) == 0;
}

/* `count` compares with the query of a renderer that takes its shortcuts. */
START_TEST(random_draws)
{
    static const unsigned samples[] = {1, 4, 1, 2};
    unsigned passing = 0;

    for (seed = 1; seed < 300; seed += 7) {
        uint32_t number = seed;

        set_targets(samples[below(4)]);
        for (unsigned draws = 0; draws < 4; draws++) {
            const uint64_t *n = counts.samples;

            random_state();
            n_vertices = 0;
            for (unsigned i = 0; i < MAX_VERTICES; i++)
                add_vertex((float)below(2 * DIM * 16) / 16.0f - DIM / 2,
                           (float)below(2 * DIM * 16) / 16.0f - DIM / 2, (float)below(256) / 255.0f,
                           below(1u << 24) | below(256) << 24);
            count(D3DPT_TRIANGLELIST, 8);
            ck_assert_uint_ge(n[DRAW_COVERED],
                              n[DRAW_KILLED] + n[DRAW_ALPHA_FAILED] + n[DRAW_TESTED]);
            if (n[DRAW_TESTED])
                ck_assert_uint_eq(n[DRAW_TESTED],
                                  n[DRAW_STENCIL_FAILED] + n[DRAW_DEPTH_FAILED] + n[DRAW_PASSED]);
            passing += n[DRAW_PASSED] != 0;
        }
        seed = number;
    }
    ck_assert_uint_gt(passing, 40);
}
END_TEST

/* --- Pixels ----------------------------------------------------------------------------------- */

START_TEST(counts_of_pixels)
{
    static uint32_t covered[DIM * DIM], failed[DIM * DIM], shaded[DIM * DIM], helpers[DIM * DIM];
    const struct draw_pixel_counts pixels = {
        .width = DIM,
        .height = DIM,
        .samples = {[DRAW_COVERED] = covered, [DRAW_DEPTH_FAILED] = failed},
        .shaded = shaded,
        .helpers = helpers};
    const struct draw_args args = {.type = D3DPT_TRIANGLELIST, .primitives = 4, .vertices = 12};

    add_rect(1, 0, 0.25f, ~0u); /* odd: the quads at its sides are half full */
    add_rect(17, 0, 0.75f, ~0u);
    ck_assert_int_eq(draw_count(counter, draw, state, &args, &pixels, &counts), ST_OK);
    for (unsigned y = 0; y < DIM; y++)
        for (unsigned x = 0; x < DIM; x++) {
            bool first = x >= 1 && x < 1 + SIDE && y < SIDE;
            bool second = x >= 17 && x < 17 + SIDE && y < SIDE;

            ck_assert_uint_eq(covered[y * DIM + x], first + second);
            ck_assert_uint_eq(failed[y * DIM + x], first && second);
            ck_assert_uint_eq(shaded[y * DIM + x], first || second);
        }
    ck_assert_uint_ge(helpers[0], 1);
    ck_assert_uint_eq(helpers[63 * DIM + 63], 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("count");
    TCase *tc = tcase_create("count");

    tcase_add_checked_fixture(tc, open_all, close_all);
    tcase_add_test(tc, hidden_rectangle);
    tcase_add_test(tc, back_to_front);
    tcase_add_test(tc, no_tests);
    tcase_add_test(tc, stencil);
    tcase_add_test(tc, stencil_of_back_faces);
    tcase_add_test(tc, alpha_test);
    tcase_add_test(tc, scissor);
    tcase_add_test(tc, multisampled);
    tcase_add_test(tc, samples_at_centre);
    tcase_add_test(tc, culled_triangles);
    tcase_add_test(tc, clipped_triangles);
    tcase_add_test(tc, lines_and_points);
    tcase_add_test(tc, texkill);
    tcase_add_test(tc, loop_and_texture);
    tcase_add_test(tc, random_draws);
    tcase_add_test(tc, counts_of_pixels);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
