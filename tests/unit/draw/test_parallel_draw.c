/* Tests parallel batches of large draws: the picture equals that of the same primitives in small
 * sequential draws. Blending makes the order visible. */
#include "check_main.h"

#include "draw/context.h"
#include "raster/scene/scene.h"
#include "util/alloc.h"

#include <string.h>

enum { DIM = 96, VERTICES = 24000, PRIMITIVES = 40000, PART = 900, SCENES = 16 };

struct vertex {
    float position[3];
    uint32_t diffuse;
};

static const struct draw_decl decl = {
    .id = 1,
    .n = 2,
    .element = {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                {0, 12, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};

struct scene {
    D3DPRIMITIVETYPE type;
    bool indexed, depth, blends;
    unsigned cut;    /* one vertex in this many lies in front of the near plane; 0: none */
    bool rectangles; /* pairs of triangles form screen-aligned rectangles */
    float size;
};

static struct draw *draw;
static struct draw_state *state;
static struct tex_image *target, *depth;
static struct vertex *vertices;
static uint32_t *indices;

static uint64_t random_bits;
static uint32_t random_u32(void)
{
    random_bits = random_bits * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_bits >> 32);
}

static float random_between(float low, float high)
{
    return low + (high - low) * (float)(random_u32() >> 8) / (float)(1 << 24);
}

static struct tex_image *make_image(D3DFORMAT format)
{
    const struct tex_desc desc = {
        .format = format, .width = DIM, .height = DIM, .depth = 1, .levels = 1, .samples = 1};
    struct tex_image *image;

    ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
    return image;
}

static void open_draw(void)
{
    target = make_image(D3DFMT_A8R8G8B8);
    depth = make_image(D3DFMT_D24S8);
    state = mem_calloc(1, sizeof(*state));
    vertices = mem_calloc(VERTICES, sizeof(*vertices));
    indices = mem_calloc(3 * (size_t)PRIMITIVES, sizeof(*indices));
    ck_assert(state && vertices && indices);
    draw_state_init(state);
    state->target[0].image = target;
    state->decl = &decl;
    state->stream[0].data = (const uint8_t *)vertices;
    state->stream[0].size = VERTICES * sizeof(*vertices);
    state->stream[0].stride = sizeof(*vertices);
    state->indices.data = (const uint8_t *)indices;
    state->indices.size = 3 * (size_t)PRIMITIVES * sizeof(*indices);
    state->indices.bytes = sizeof(*indices);
    state->viewport = (D3DVIEWPORT9){0, 0, DIM, DIM, 0.0f, 1.0f};
    state->stage[0][D3DTSS_COLOROP] = D3DTOP_DISABLE;
    state->render[D3DRS_LIGHTING] = FALSE;
    state->render[D3DRS_FILLMODE] = D3DFILL_SOLID;
    state->render[D3DRS_SHADEMODE] = D3DSHADE_GOURAUD;
    state->render[D3DRS_CULLMODE] = D3DCULL_NONE;
    state->render[D3DRS_COLORWRITEENABLE] = 15;
    state->render[D3DRS_SRCBLEND] = D3DBLEND_SRCALPHA;
    state->render[D3DRS_DESTBLEND] = D3DBLEND_INVSRCALPHA;
    state->render[D3DRS_ZFUNC] = D3DCMP_LESSEQUAL;
    state->render[D3DRS_ZWRITEENABLE] = TRUE;
}

static void close_draw(void)
{
    tex_image_unref(&target);
    tex_image_unref(&depth);
    mem_free(state);
    mem_free(vertices);
    mem_free(indices);
}

/* --- Scenes ----------------------------------------------------------------------------------- */

static struct scene make_scene(unsigned number)
{
    static const D3DPRIMITIVETYPE types[] = {D3DPT_TRIANGLELIST, D3DPT_TRIANGLESTRIP,
                                             D3DPT_TRIANGLELIST, D3DPT_TRIANGLEFAN};

    return (struct scene){.type = types[number % 4],
                          .indexed = number % 3 != 1 || types[number % 4] == D3DPT_TRIANGLELIST,
                          .depth = number % 2,
                          .blends = number % 5 != 2,
                          .cut = number % 4 == 0   ? 5000
                                 : number % 8 == 5 ? 40
                                                   : 0,
                          .rectangles = number % 8 == 2,
                          .size = number % 3 ? 0.08f : 0.4f};
}

/* Vertices along a random walk across the screen; rectangles use six at each position. Small alpha
 * lets the lowest layer of many show. */
static void make_vertices(const struct scene *scene)
{
    float x = 0, y = 0, far = scene->size;

    for (uint32_t i = 0; i < VERTICES; i++) {
        struct vertex *v = &vertices[i];

        if (!scene->rectangles || i % 6 == 0) {
            x = random_between(-1.1f, 1.1f);
            y = i % 100 ? y + random_between(-far, far) : random_between(-1, 1);
        }
        v->position[0] = scene->rectangles ? x + (i % 6 % 2 ? far : 0) : x;
        v->position[1] = scene->rectangles ? y + (i % 6 > 1 && i % 6 < 5 ? far : 0) : y;
        if (!scene->rectangles && i % 3)
            v->position[0] = v[-1].position[0] + random_between(-far, far);
        v->position[2] = scene->rectangles ? 0.5f : random_between(0, 1);
        if (scene->cut && random_u32() % scene->cut == 0)
            v->position[2] = -0.5f;
        v->diffuse = scene->rectangles && i % 6 ? v[-1].diffuse : random_u32() & 0x1fffffff;
    }
}

static void make_indices(const struct scene *scene)
{
    for (uint32_t i = 0; i < 3 * PRIMITIVES; i++)
        indices[i] = scene->rectangles  ? i % VERTICES
                     : random_u32() % 9 ? (i / 3 * 2 / 3 + random_u32() % 3) % VERTICES
                                        : (i / 5 + random_u32() % 50) % VERTICES;
}

static uint32_t primitives_of(const struct scene *scene)
{
    return scene->indexed ? PRIMITIVES : VERTICES - 2;
}

/* part: primitives of each draw; 0: one draw for all. bins: limit of the bin memory in bytes; 0:
 * the default. */
static void take_picture(const struct scene *scene, unsigned threads, uint32_t part, size_t bins,
                         uint32_t *out)
{
    const struct tex_level *level = tex_image_level(target, 0, 0);
    const struct draw_clear clear = {.flags =
                                         D3DCLEAR_TARGET | (scene->depth ? D3DCLEAR_ZBUFFER : 0),
                                     .colour = 0x80406080,
                                     .z = 1};
    uint32_t n = primitives_of(scene);

    state->depth.image = scene->depth ? depth : NULL;
    state->render[D3DRS_ZENABLE] = scene->depth;
    state->render[D3DRS_ALPHABLENDENABLE] = scene->blends;
    ck_assert_int_eq(draw_create(&draw, &(struct draw_options){.threads = threads}), ST_OK);
    if (bins)
        raster_limit_bins(draw->scene.raster, bins);
    ck_assert_int_eq(draw_clear(draw, state, &clear), ST_OK);
    for (uint32_t first = 0; first < n; first += part ? part : n) {
        struct draw_args args = {.type = scene->type,
                                 .primitives = part && first + part < n ? first + part : n,
                                 .indexed = scene->indexed,
                                 .vertices = VERTICES,
                                 .first = first};

        ck_assert_int_eq(draw_primitives(draw, state, &args), ST_OK);
    }
    draw_flush(draw);
    ck_assert(!draw->batch_slot == !!part);
    for (uint32_t y = 0; y < DIM; y++)
        memcpy(out + y * DIM, level->data + y * level->row_pitch, DIM * sizeof(*out));
    draw_destroy(draw);
}

static uint32_t want[DIM * DIM], got[DIM * DIM];

/* Creates a scene and renders its expected picture with small draws. */
static struct scene begin_scene(unsigned number, uint64_t seed)
{
    struct scene scene = make_scene(number);

    random_bits = seed + number;
    make_vertices(&scene);
    make_indices(&scene);
    take_picture(&scene, 1, PART, 0, want);
    ck_assert(memcmp(want, want + 1, sizeof(want) - sizeof(*want))); /* not one colour */
    return scene;
}

START_TEST(batches_keep_their_order)
{
    struct scene scene = begin_scene((unsigned)_i, 77);

    for (unsigned threads = 1; threads <= 4; threads++) {
        take_picture(&scene, threads, 0, 0, got);
        ck_assert_msg(!memcmp(want, got, sizeof(want)), "%u threads", threads);
    }
}
END_TEST

/* Full bins discard the batches that other workers have set up, which are then set up again. */
START_TEST(full_bins_keep_order)
{
    struct scene scene = begin_scene((unsigned)_i, 99);

    for (unsigned i = 0; i < 6; i++) {
        take_picture(&scene, 1 + i % 3, 0, (700 + 333 * i) << 10, got);
        ck_assert_msg(!memcmp(want, got, sizeof(want)), "limit %u", i);
    }
}
END_TEST

/* A primitive of several tiles may find room in the bins of some of them only. */
START_TEST(full_bins_lose_nothing)
{
    struct scene scene = begin_scene(10, 99);

    for (unsigned kbytes = 800; kbytes < 1000; kbytes += 4) {
        take_picture(&scene, 1, 0, kbytes << 10, got);
        ck_assert_msg(!memcmp(want, got, sizeof(want)), "limit %u KiB", kbytes);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("parallel_draw");
    TCase *tc = tcase_create("parallel_draw");

    tcase_add_checked_fixture(tc, open_draw, close_draw);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, batches_keep_their_order, 0, SCENES);
    tcase_add_loop_test(tc, full_bins_keep_order, 0, SCENES);
    tcase_add_test(tc, full_bins_lose_nothing);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
