/* Quad texels: which images get them, their contents and their lifetime. */
#include "check_main.h"
#include "still.h"
#include "tex/sample/sample.h"
#include "tex_helpers.h"
#include "util/alloc.h"

/* An image with all levels, whose words count up. */
static struct tex_image *make_counting(uint32_t width, uint32_t height)
{
    struct tex_image *image = make_image(D3DFMT_A8R8G8B8, TEX_2D, width, height, 1, 0);
    uint32_t n = 1;

    for (uint32_t l = 0; l < image->desc.levels; l++)
        for (uint32_t y = 0; y < image->level[l].height; y++)
            for (uint32_t x = 0; x < image->level[l].width; x++)
                poke(image, 0, l, x, y, 0, n++);
    return image;
}

static const struct tex_quad_texels_level *next_scene(struct tex_image *image)
{
    image->last_scene++;
    return tex_quad_texels_get(image, image->level);
}

/* Number of scenes until the layout is built, including the one that has it. */
static unsigned scenes_until_built(struct tex_image *image)
{
    unsigned n = 1;

    while (!next_scene(image))
        ck_assert_uint_lt(n++, 1000);
    return n;
}

static uint32_t texel(const struct tex_image *image, uint32_t level, uint32_t x, uint32_t y)
{
    uint32_t word;

    memcpy(&word, tex_level_at(&image->level[level], image->format, x, y, 0), 4);
    return word;
}

START_TEST(columns)
{
    struct tex_image *image = make_counting(13, 6);
    const struct tex_quad_texels_level *quad_texels;

    scenes_until_built(image);
    quad_texels = next_scene(image);
    for (uint32_t l = 0; l < image->desc.levels; l++) {
        uint32_t w = image->level[l].width, h = image->level[l].height;

        for (uint32_t y = 0; y < h; y++) {
            for (uint32_t x = 0; x <= w; x++) {
                uint64_t column = quad_texels[l].column[y * (w + 1) + x];

                column ^= UINT64_C(0x8080808080808080);
                ck_assert_uint_eq((uint32_t)column, texel(image, l, x % w, y));
                ck_assert_uint_eq((uint32_t)(column >> 32), texel(image, l, x % w, (y + 1) % h));
            }
        }
    }
    tex_image_unref(&image);
}
END_TEST

static void check_slice(const uint64_t *column, const struct tex_image *image,
                        const struct tex_level *level, uint32_t z)
{
    for (uint32_t y = 0; y < level->height; y++) {
        for (uint32_t x = 0; x <= level->width; x++) {
            uint64_t got = column[y * (level->width + 1) + x] ^ UINT64_C(0x8080808080808080);
            uint32_t below = (y + 1) % level->height, upper, lower;

            memcpy(&upper, tex_level_at(level, image->format, x % level->width, y, z), 4);
            memcpy(&lower, tex_level_at(level, image->format, x % level->width, below, z), 4);
            ck_assert_uint_eq(got, upper | (uint64_t)lower << 32);
        }
    }
}

/* Slices of volumes and faces of cube maps follow each other. */
START_TEST(slices_and_faces)
{
    struct tex_image *image[2];

    image[0] = make_image(D3DFMT_A8R8G8B8, TEX_VOLUME_MAP, 5, 4, 6, 0);
    image[1] = make_image(D3DFMT_A8R8G8B8, TEX_CUBE_MAP, 8, 8, 1, 0);
    for (int i = 0; i < 2; i++) {
        const struct tex_quad_texels_level *quad_texels;
        uint32_t n = image[i]->desc.levels;

        for (size_t k = 0; k < image[i]->bytes; k++)
            image[i]->memory[k] = (uint8_t)(k * 7 + (k >> 8));
        scenes_until_built(image[i]);
        quad_texels = next_scene(image[i]);
        for (uint32_t l = 0; l < n * image[i]->faces; l++) {
            const struct tex_quad_texels_level *q = &quad_texels[l % n];

            for (uint32_t z = 0; z < image[i]->level[l].depth; z++)
                check_slice(q->column + (z * q->slice_bytes + l / n * q->face_bytes) / 8, image[i],
                            &image[i]->level[l], z);
        }
        tex_image_unref(&image[i]);
    }
}
END_TEST

/* Several draws in one scene count once. After a discarded layout the image must stay unchanged for
 * longer. */
START_TEST(required_scenes)
{
    struct tex_image *image = make_counting(8, 8);

    for (int draw = 0; draw < 100; draw++)
        ck_assert_ptr_null(tex_quad_texels_get(image, image->level));
    ck_assert_uint_eq(scenes_until_built(image), TEX_QUAD_TEXELS_MIN_SCENES);
    ck_assert_ptr_nonnull(next_scene(image));
    for (int k = 0; k < 3; k++) { /* no layout was discarded, so no longer */
        tex_image_touch(image);
        ck_assert_ptr_null(next_scene(image));
    }
    ck_assert_uint_eq(scenes_until_built(image), 2 * TEX_QUAD_TEXELS_MIN_SCENES - 1);
    tex_image_touch(image);
    ck_assert_uint_eq(scenes_until_built(image), 4 * TEX_QUAD_TEXELS_MIN_SCENES);
    tex_image_unref(&image);
}
END_TEST

/* A rebuilt layout has the current contents. */
START_TEST(changes)
{
    struct tex_image *image = make_counting(4, 4);

    scenes_until_built(image);
    poke(image, 0, 0, 2, 1, 0, 0x12345678);
    ck_assert_ptr_null(next_scene(image));
    scenes_until_built(image);
    ck_assert_uint_eq((uint32_t)next_scene(image)->column[5 + 2], 0x12345678 ^ 0x80808080);
    tex_image_unref(&image);
}
END_TEST

START_TEST(out_of_memory)
{
    int64_t blocks = mem_live_blocks();
    struct tex_image *image = make_counting(8, 8);

    next_scene(image);
    mem_fail_after(0);
    for (int scene = 0; scene < 100; scene++)
        ck_assert_ptr_null(next_scene(image));
    mem_fail_after(-1);
    tex_image_touch(image); /* memory is available again */
    ck_assert_uint_eq(scenes_until_built(image), TEX_QUAD_TEXELS_MIN_SCENES);
    tex_image_unref(&image);
    ck_assert_int_eq(mem_live_blocks(), blocks);
}
END_TEST

static bool has_quad_texels(struct tex_image *image, const struct tex_sampler_state *state)
{
    const struct tex_sampler_private *s;
    struct tex_sampler sampler;

    init_still(&sampler, image, state);
    s = (const struct tex_sampler_private *)(const void *)sampler.opaque;
    return s->quad_texels;
}

static void release(struct tex_memory *memory)
{
    (void)memory;
}

/* Shared memory, images without four bytes per texel, and states that use other paths get no quad
 * texels. */
START_TEST(which_images)
{
    static _Alignas(64) uint8_t bytes[4 * 8 * 8 + 64];
    struct tex_memory memory = {.bytes = bytes, .release = release};
    struct tex_desc desc = desc_of(D3DFMT_A8R8G8B8, TEX_2D, 8, 8, 1, 1, 1);
    struct tex_sampler_state point = default_state(), linear = point, border;
    struct tex_image *image[8];

    linear.min_filter = linear.mag_filter = D3DTEXF_LINEAR;
    border = linear;
    border.address[1] = D3DTADDRESS_BORDER;
    border.border = 0xff4080c0;
    image[0] = make_2d(D3DFMT_X8R8G8B8, 8, 8);
    image[1] = make_image(D3DFMT_A8R8G8B8, TEX_CUBE_MAP, 8, 8, 1, 1);
    image[2] = make_image(D3DFMT_A8R8G8B8, TEX_VOLUME_MAP, 8, 8, 8, 1);
    image[6] = make_2d(D3DFMT_L16, 8, 8);
    image[7] = make_2d(D3DFMT_R5G6B5, 8, 8);
    image[3] = make_2d(D3DFMT_A8R8G8B8, 2048, 2048); /* too large */
    ck_assert_int_eq(tex_image_create_shared(&image[4], &desc, &memory), ST_OK);
    ck_assert_int_eq(tex_image_create(&image[5], &desc, bytes), ST_OK);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (cpu_set_isa((enum cpu_isa)isa) != ST_OK)
            continue;
        for (int i = 0; i < 3; i++) {
            bool wide = isa == ISA_AVX2 || isa == ISA_AVX512;

            ck_assert_msg(has_quad_texels(image[i], &linear) == wide, "image %d", i);
            ck_assert(has_quad_texels(image[i], &border) == wide);
            ck_assert(!has_quad_texels(image[i], &point));
        }
        for (int i = 3; i < 7; i++)
            ck_assert_msg(!has_quad_texels(image[i], &linear), "image %d", i);
        ck_assert(!has_quad_texels(image[7], &border)); /* 0x40 is no code of five bits */
    }
    for (int i = 0; i < 8; i++)
        tex_image_unref(&image[i]);
}
END_TEST

/* A decode cache gets quad texels once it is complete. */
START_TEST(decoded)
{
    struct tex_sampler_state linear = default_state();
    struct tex_image *image = make_2d(D3DFMT_DXT1, 8, 8);

    linear.min_filter = linear.mag_filter = D3DTEXF_LINEAR;
    if (cpu_set_isa(ISA_AVX2) == ST_OK) {
        for (unsigned scene = 0; scene <= TEX_QUAD_TEXELS_MIN_SCENES; scene++) {
            struct tex_sampler sampler;

            image->last_scene++;
            ck_assert_int_eq(tex_sampler_init(&sampler, image, &linear), ST_OK);
            ck_assert(!tex_sampler_private(&sampler)->quad_texels);
        }
        ck_assert(has_quad_texels(image, &linear)); /* decodes all */
    }
    tex_image_unref(&image);
}
END_TEST

/* So does one in which the level that the sampler reads is complete. The others are decoded then.
 */
START_TEST(decoded_in_part)
{
    struct tex_sampler_state linear = default_state();
    struct tex_image *image = make_image(D3DFMT_R5G6B5, TEX_2D, 8, 8, 1, 0);
    struct tex_sampler sampler;

    poke(image, 0, 2, 1, 1, 0, 0xffff);
    linear.min_filter = linear.mag_filter = D3DTEXF_LINEAR;
    for (unsigned scene = 0; cpu_set_isa(ISA_AVX2) == ST_OK && scene <= 8; scene++) {
        image->last_scene++;
        sample_at(image, &linear, 0.5f, 0.5f, 0.0f, 0.0f);
        ck_assert_int_eq(tex_sampler_init(&sampler, image, &linear), ST_OK);
        if (scene < TEX_QUAD_TEXELS_MIN_SCENES)
            continue;
        ck_assert(tex_sampler_private(&sampler)->quad_texels);
        ck_assert_uint_eq(image->decode_cache->undecoded, 0);
        ck_assert_uint_eq((uint32_t)image->decode_cache->level[2]
                              .data[image->decode_cache->level[2].row_pitch + 5],
                          63);
    }
    tex_image_unref(&image);
}
END_TEST

/* All layouts share a memory limit; freeing one makes room for another. */
START_TEST(limit)
{
    enum { IMAGES = 40 }; /* of about 8 MiB each */
    struct tex_image *image[IMAGES];
    unsigned first = 0, again = 0;

    for (int i = 0; i < IMAGES; i++) {
        image[i] = make_2d(D3DFMT_A8R8G8B8, 1024, 1024);
        for (unsigned scene = 0; scene < TEX_QUAD_TEXELS_MIN_SCENES; scene++)
            next_scene(image[i]);
        first += next_scene(image[i]) != NULL;
    }
    ck_assert_uint_gt(first, 2);
    ck_assert_uint_lt(first, IMAGES / 2);
    for (int i = 0; i < IMAGES; i++) {
        tex_image_unref(&image[i]);
        image[i] = make_2d(D3DFMT_A8R8G8B8, 1024, 1024);
    }
    for (int i = 0; i < IMAGES; i++) {
        for (unsigned scene = 0; scene < TEX_QUAD_TEXELS_MIN_SCENES; scene++)
            next_scene(image[i]);
        again += next_scene(image[i]) != NULL;
        tex_image_unref(&image[i]);
    }
    ck_assert_uint_ge(again, first);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex quad texels");
    TCase *tc = tcase_create("quad texels");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, columns);
    tcase_add_test(tc, slices_and_faces);
    tcase_add_test(tc, required_scenes);
    tcase_add_test(tc, changes);
    tcase_add_test(tc, out_of_memory);
    tcase_add_test(tc, which_images);
    tcase_add_test(tc, decoded);
    tcase_add_test(tc, decoded_in_part);
    tcase_add_test(tc, limit);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
