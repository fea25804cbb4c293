/* Decode cache: texels are decoded before they are sampled, few others are, and changes invalidate
 * pages. */
#include "check_main.h"
#include "tex/cache/decode_cache.h"
#include "tex/codec/codec.h"
#include "tex/sample/sample.h"
#include "tex_helpers.h"
#include "util/alloc.h"
#include "util/fpenv.h"

#include <pthread.h>

static uint64_t seed;

static uint32_t random32(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) ^ (uint32_t)(seed >> 17);
}
static uint32_t below(uint32_t n)
{
    return random32() % n;
}

/* --- Correct texels --------------------------------------------------------------------------- */

static struct tex_desc random_desc(void)
{
    static const D3DFORMAT formats[] = {
        D3DFMT_DXT1,   D3DFMT_DXT5,   D3DFMT_YUY2, D3DFMT_Q16W16V16U16,
        D3DFMT_L6V5U5, D3DFMT_R5G6B5, D3DFMT_L8};
    static const uint32_t sizes[] = {1, 3, 60, 64, 65, 128, 130, 200, 256, 300};
    struct tex_desc desc = {.format = formats[below(7)], .depth = 1, .samples = 1};

    desc.shape = (enum tex_shape)below(3);
    desc.width = sizes[below(10)];
    desc.height = desc.shape == TEX_CUBE_MAP ? desc.width : sizes[below(10)];
    if (desc.shape == TEX_VOLUME_MAP)
        desc.depth = 1 + below(9);
    desc.levels = below(2);
    return desc;
}

static struct tex_image *noise(const struct tex_desc *desc, uint64_t from)
{
    struct tex_image *image;

    seed = from;
    ck_assert_int_eq(tex_image_create(&image, desc, NULL), ST_OK);
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)random32();
    return image;
}

static float odd_coordinate(void)
{
    static const float odd[] = {0.0f,      -0.0f, 1.0f,  -1.0f,        NAN,   INFINITY,
                                -INFINITY, 3e38f, 1e-9f, 0.999999940f, -1e-9f};

    return odd[below(sizeof(odd) / sizeof(odd[0]))];
}

struct lanes {
    _Alignas(64) float c[4][TEX_LANES];
};

/* Coordinates that are close together or random; occasionally one special value. */
static void fill_coordinates(struct lanes *l)
{
    bool together = below(3), odd = !below(4);

    for (int c = 0; c < 4; c++) {
        float base = (float)below(4000) / 1000.0f - 2.0f, step = (float)below(40) / 4000.0f;

        for (int i = 0; i < TEX_LANES; i++) {
            l->c[c][i] = together ? base + step * (float)(i & 1) + step * (float)(i >> 1)
                                  : (float)below(8000) / 1000.0f - 4.0f;
            if (odd && !below(16))
                l->c[c][i] = odd_coordinate();
        }
    }
}

static struct tex_sampler_state random_state(void)
{
    struct tex_sampler_state state = {
        .max_anisotropy = (uint8_t)(1 + below(8)), .srgb = below(2), .border = random32()};

    for (int a = 0; a < 3; a++)
        state.address[a] = (uint8_t)(1 + below(5));
    state.min_filter = (uint8_t)(1 + below(3));
    state.mag_filter = (uint8_t)(1 + below(2));
    state.mip_filter = (uint8_t)below(3);
    return state;
}

static void sample(struct tex_image *image, const struct tex_sampler_state *state,
                   const struct sample *in, struct lanes *out)
{
    struct tex_sampler sampler;
    struct sample s = *in;

    memset(out, 0, sizeof(*out));
    for (int c = 0; c < 4; c++)
        s.texel[c] = out->c[c];
    ck_assert_int_eq(tex_sampler_init(&sampler, image, state), ST_OK);
    tex_sample(&sampler, &s);
}

/* Consecutive batches find the texels they need: results equal those of a completely decoded
 * image. */
START_TEST(samples_equal_decoded_samples)
{
    struct tex_desc desc;
    struct tex_image *lazy, *whole;

    seed = (uint64_t)_i;
    desc = random_desc();
    lazy = noise(&desc, (uint64_t)_i + 99);
    whole = noise(&desc, (uint64_t)_i + 99);
    ck_assert_int_eq(tex_decode_cache_update(whole), ST_OK);
    tex_decode_cache_require_all(whole->decode_cache);
    ck_assert_uint_eq(whole->decode_cache->undecoded, 0);
    for (int n = 0; n < 30; n++) {
        struct tex_sampler_state state = random_state();
        struct lanes coord, lod = {0}, got, expected;
        struct sample s = {.lod_mode = below(2) ? LOD_IMPLICIT : LOD_EXPLICIT,
                           .coord = {coord.c[0], coord.c[1], coord.c[2]},
                           .lod = lod.c[0]};

        fill_coordinates(&coord);
        s.lanes = below(3) ? ~UINT64_C(0) : (uint64_t)random32() << 32 | random32();
        for (int i = 0; i < TEX_LANES; i++)
            lod.c[0][i] = (float)below(30) / 10.0f - 0.5f;
        sample(lazy, &state, &s, &got);
        sample(whole, &state, &s, &expected);
        for (int c = 0; c < 4; c++)
            for (int i = 0; i < TEX_LANES; i++)
                ck_assert_msg(!(s.lanes >> i & 1) ||
                                  !memcmp(&got.c[c][i], &expected.c[c][i], sizeof(float)),
                              "%d.%d, %s %ux%ux%u, shape %d: lane %d channel %d: %a, not %a", _i, n,
                              lazy->format->name, desc.width, desc.height, desc.depth, desc.shape,
                              i, c, got.c[c][i], expected.c[c][i]);
    }
    tex_image_unref(&lazy);
    tex_image_unref(&whole);
}
END_TEST

/* Decoded texels equal those of the row readers. */
START_TEST(decodes_rows)
{
    struct tex_desc desc;
    struct tex_image *image;

    seed = (uint64_t)_i;
    do
        desc = random_desc();
    while (!tex_row_is_argb(tex_format_get(desc.format)) &&
           !tex_has_byte_codes(tex_format_get(desc.format)));
    image = noise(&desc, (uint64_t)_i + 7);
    ck_assert_int_eq(tex_decode_cache_update(image), ST_OK);
    tex_decode_cache_require_all(image->decode_cache);
    for (uint32_t l = 0; l < image->faces * image->desc.levels; l++) {
        const struct tex_level *from = &image->level[l], *to = &image->decode_cache->level[l];

        for (uint32_t row = 0; row < from->height * from->depth; row++) {
            uint32_t argb[512], y = row % from->height, z = row / from->height;

            if (tex_has_byte_codes(image->format))
                tex_read_row_codes(image->format, from, 0, y, z, from->width, argb);
            else
                tex_read_row_argb(image->format, from, 0, y, z, from->width, argb, NULL);
            if (memcmp(argb, to->data + (size_t)z * to->slice_pitch + (size_t)y * to->row_pitch,
                       4 * (size_t)from->width) != 0)
                ck_abort_msg("%s %ux%u: row %u of level %u", image->format->name, desc.width,
                             desc.height, row, l);
        }
    }
    tex_image_unref(&image);
}
END_TEST

/* --- Few decoded pages ------------------------------------------------------------------------ */

static unsigned decoded(const struct tex_image *image, uint32_t level)
{
    const struct tex_decode_pages *c = &image->decode_cache->pages[level];

    return c->across * c->down * c->slices - c->undecoded;
}

/* A point inside a page decodes that page; at a corner of pages all four. At a corner of a wrapping
 * texture it also decodes the pages at the opposite edges. */
START_TEST(decodes_sampled_pages)
{
    struct tex_desc desc = desc_of(D3DFMT_DXT5, TEX_2D, 512, 256, 1, 0, 1);
    struct tex_image *image = noise(&desc, 5);
    struct tex_sampler_state state = default_state();

    state.min_filter = state.mag_filter = D3DTEXF_LINEAR;
    sample_at(image, &state, 32.0f / 512.0f, 32.0f / 256.0f, 0.0f, 0.0f);
    ck_assert_uint_eq(decoded(image, 0), 1);
    sample_at(image, &state, 0.25f, 0.5f, 0.0f, 0.0f);
    ck_assert_uint_eq(decoded(image, 0), 1 + 4);
    sample_at(image, &state, 0.0f, 0.0f, 0.0f, 0.0f);
    ck_assert_uint_eq(decoded(image, 0), 1 + 4 + 3);
    for (uint32_t level = 1; level < image->desc.levels; level++)
        ck_assert_uint_eq(decoded(image, level), 0);
    state.mip_filter = D3DTEXF_LINEAR;
    sample_at(image, &state, 0.9f, 0.1f, 0.0f, 1.5f);
    ck_assert_uint_eq(decoded(image, 0), 8);
    ck_assert_uint_eq(decoded(image, 1), 1);
    ck_assert_uint_eq(decoded(image, 2), 1);
    ck_assert_uint_eq(decoded(image, 3), 0);
    tex_image_unref(&image);
}
END_TEST

/* Lanes at the two ends of a diagonal decode only the pages there. */
START_TEST(lanes_far_apart)
{
    struct tex_desc desc = desc_of(D3DFMT_DXT1, TEX_2D, 640, 640, 1, 1, 1);
    struct tex_image *image = noise(&desc, 6);
    struct tex_sampler_state state = default_state();
    struct lanes coord, out;
    struct sample s = {.lanes = ~UINT64_C(0), .coord = {coord.c[0], coord.c[1]}};

    for (int i = 0; i < TEX_LANES; i++)
        coord.c[0][i] = coord.c[1][i] = i & 1 ? 0.95f : 0.05f;
    sample(image, &state, &s, &out);
    ck_assert_uint_eq(decoded(image, 0), 2);
    sample(image, &state, &s, &out); /* every page is decoded: decodes one more of the 100 */
    ck_assert_uint_eq(decoded(image, 0), 3);
    for (int n = 0; n < 97; n++)
        sample(image, &state, &s, &out);
    ck_assert_uint_eq(image->decode_cache->undecoded, 0);
    tex_image_unref(&image);
}
END_TEST

/* Repeated page checks eventually decode the whole texture, unless it is large. */
START_TEST(hits_eventually_decode_all)
{
    struct tex_desc desc = desc_of(D3DFMT_DXT1, TEX_2D, 256, 256, 1, 1, 1);
    struct tex_image *image = noise(&desc, 9);
    struct tex_sampler_state state = default_state();
    unsigned hits = 16 * 64;

    for (unsigned i = 0; i < hits; i++)
        sample_at(image, &state, 0.1f, 0.1f, 0.0f, 0.0f);
    ck_assert_uint_eq(image->decode_cache->undecoded, 0);
    tex_image_unref(&image);
    desc.width = desc.height = 2048;
    image = noise(&desc, 9);
    for (unsigned i = 0; i < hits; i++)
        sample_at(image, &state, 0.1f, 0.1f, 0.0f, 0.0f);
    ck_assert_uint_eq(decoded(image, 0), 1);
    tex_image_unref(&image);
}
END_TEST

/* Batches that read one level decode the others, too, except large ones. Then the cache is idle
 * until the image changes. */
START_TEST(hits_decode_other_levels)
{
    struct tex_desc desc = desc_of(D3DFMT_R5G6B5, TEX_CUBE_MAP, 128, 128, 1, 0, 1);
    struct tex_image *image = noise(&desc, 11);
    struct tex_sampler_state state = default_state();
    unsigned pages = 6 * (4 + 7);

    state.mip_filter = D3DTEXF_LINEAR;
    for (unsigned i = 0; i < pages * 64; i++)
        sample_at(image, &state, 1.0f, 0.1f, 0.1f, 0.0f);
    ck_assert_uint_eq(image->decode_cache->undecoded, 0);
    tex_image_unref(&image);

    desc = desc_of(D3DFMT_L8, TEX_2D, 2048, 1024, 1, 3, 1);
    image = noise(&desc, 11);
    for (unsigned i = 0; i < (128 + 32 + 2) * 64; i++)
        sample_at(image, &state, 0.1f, 0.1f, 0.0f, 2.0f);
    ck_assert_uint_eq(decoded(image, 0), 0);
    ck_assert_uint_eq(decoded(image, 1), 128);
    ck_assert_uint_eq(decoded(image, 2), 32);
    ck_assert(image->decode_cache->idle);
    tex_image_touch(image);
    sample_at(image, &state, 0.1f, 0.1f, 0.0f, 2.0f);
    ck_assert(!image->decode_cache->idle);
    tex_image_unref(&image);
}
END_TEST

/* A sampler without a mip filter needs only the level that it reads. */
START_TEST(one_level_may_suffice)
{
    struct tex_desc desc = desc_of(D3DFMT_DXT1, TEX_2D, 128, 128, 1, 0, 1);
    struct tex_image *image = noise(&desc, 12);
    struct tex_sampler_state one = default_state(), all = one;
    struct tex_sampler sampler;

    all.mip_filter = D3DTEXF_POINT;
    for (unsigned lod = 0; lod < 2; lod++) {
        one.lod = lod;
        ck_assert_int_eq(tex_sampler_init(&sampler, image, &one), ST_OK);
        ck_assert_ptr_eq(tex_sampler_private(&sampler)->decode_cache, image->decode_cache);
        for (uint32_t page = 0; page < (lod ? 1 : 4); page++)
            tex_decode_cache_require(image->decode_cache, lod, page % 2, page / 2, 0);
        ck_assert_int_eq(tex_sampler_init(&sampler, image, &one), ST_OK);
        ck_assert_ptr_null(tex_sampler_private(&sampler)->decode_cache);
        ck_assert_int_eq(tex_sampler_init(&sampler, image, &all), ST_OK);
        ck_assert_ptr_eq(tex_sampler_private(&sampler)->decode_cache, image->decode_cache);
    }
    tex_image_unref(&image);
}
END_TEST

START_TEST(cube_faces)
{
    struct tex_desc desc = desc_of(D3DFMT_DXT1, TEX_CUBE_MAP, 256, 256, 1, 1, 1);
    struct tex_image *image = noise(&desc, 7);
    struct tex_sampler_state state = default_state();

    sample_at(image, &state, 0.1f, -1.0f, 0.1f, 0.0f); /* -y */
    for (uint32_t face = 0; face < 6; face++)
        ck_assert_uint_eq(decoded(image, face), face == 3 ? 1 : 0);
    tex_image_unref(&image);
}
END_TEST

/* --- Invalidation ----------------------------------------------------------------------------- */

static void put_solid(struct tex_image *image, uint32_t x, uint32_t y, uint32_t argb)
{
    tex_block_solid(image->format,
                    tex_level_at(tex_image_level(image, 0, 0), image->format, x, y, 0), argb);
}

START_TEST(changes_invalidate)
{
    struct tex_image *image = make_2d(D3DFMT_DXT1, 256, 256);
    struct tex_sampler_state state = default_state();

    put_solid(image, 128, 64, 0xff00ff00);
    check_rgba(sample_at(image, &state, 130.5f / 256, 66.5f / 256, 0, 0), 0, 1, 0, 1);
    put_solid(image, 128, 64, 0xffff0000);
    tex_image_touch(image);
    check_rgba(sample_at(image, &state, 130.5f / 256, 66.5f / 256, 0, 0), 1, 0, 0, 1);
    tex_image_unref(&image);
}
END_TEST

/* A change with a known box invalidates only the pages that intersect it. */
START_TEST(boxes_invalidate_their_pages)
{
    struct tex_desc desc = desc_of(D3DFMT_DXT1, TEX_2D, 256, 256, 1, 2, 1);
    struct tex_image *image = noise(&desc, 9);
    struct tex_box box = {64, 60, 0, 128, 68, 1}, other = {0, 0, 0, 4, 4, 1};

    ck_assert_int_eq(tex_decode_cache_update(image), ST_OK);
    tex_decode_cache_require_all(image->decode_cache);
    tex_image_touch_box(image, 0, 0, &box);
    ck_assert_int_eq(tex_decode_cache_update(image), ST_OK);
    ck_assert_uint_eq(decoded(image, 0), 16 - 2);
    ck_assert_uint_eq(decoded(image, 1), 4);
    ck_assert_uint_eq(image->decode_cache->undecoded, 1);
    ck_assert(!tex_decode_cache_is_decoded(&image->decode_cache->pages[0], 1, 0, 0));
    ck_assert(!tex_decode_cache_is_decoded(&image->decode_cache->pages[0], 1, 1, 0));
    tex_image_touch_box(image, 0, 0, &box);
    tex_image_touch_box(image, 0, 0, &other);
    tex_image_touch_box(image, 0, 1, &other);
    ck_assert_int_eq(tex_decode_cache_update(image), ST_OK);
    ck_assert_uint_eq(decoded(image, 0), 16 - 4); /* the pages that intersect the union */
    ck_assert_uint_eq(decoded(image, 1), 4 - 1);
    tex_decode_cache_require_all(image->decode_cache);
    ck_assert_uint_eq(image->decode_cache->undecoded, 0);
    tex_image_touch_box(image, 0, 1, &other);
    tex_image_touch(image);
    tex_image_touch_box(image, 0, 1, &other);
    ck_assert_int_eq(tex_decode_cache_update(image), ST_OK);
    ck_assert_uint_eq(decoded(image, 0) + decoded(image, 1), 0);
    ck_assert_uint_eq(image->decode_cache->undecoded, 2);
    tex_image_unref(&image);
}
END_TEST

/* ColorFill marks the box that it writes. */
START_TEST(fills_invalidate)
{
    struct tex_desc desc = desc_of(D3DFMT_DXT1, TEX_CUBE_MAP, 128, 128, 1, 2, 1);
    struct tex_image *image = noise(&desc, 10);
    struct tex_sampler_state state = default_state();
    struct tex_box box = {64, 0, 0, 128, 64, 1}, all = {0, 0, 0, 64, 64, 1};

    state.mip_filter = D3DTEXF_POINT;
    sample_at(image, &state, -1.0f, 0.5f, -0.5f, 0.0f); /* -x: face 1, whose u axis is z */
    ck_assert_int_eq(tex_fill(image, 1, 0, &all, 0xff00ff00), ST_OK);
    check_rgba(sample_at(image, &state, -1.0f, 0.5f, -0.5f, 0.0f), 0, 1, 0, 1);
    ck_assert_int_eq(tex_fill(image, 1, 0, &box, 0xff0000ff), ST_OK);
    check_rgba(sample_at(image, &state, -1.0f, 0.5f, -0.5f, 0.0f), 0, 1, 0, 1);
    check_rgba(sample_at(image, &state, -1.0f, 0.5f, 0.5f, 0.0f), 0, 0, 1, 1);
    ck_assert_int_eq(tex_fill(image, 1, 1, &all, 0xffff0000), ST_OK);
    check_rgba(sample_at(image, &state, -1.0f, 0.5f, 0.5f, 1.0f), 1, 0, 0, 1);
    tex_image_unref(&image);
}
END_TEST

/* User memory is decoded when the sampler is created. */
START_TEST(user_memory_is_decoded_at_once)
{
    uint64_t memory[16 * 16 + 8] = {0};
    struct tex_desc desc = desc_of(D3DFMT_DXT1, TEX_2D, 64, 64, 1, 1, 1);
    struct tex_sampler_state state = default_state();
    struct tex_sampler sampler;
    struct tex_image *image;
    struct lanes coord = {0}, out = {0};
    struct sample s = {.lanes = 1,
                       .coord = {coord.c[0], coord.c[1]},
                       .texel = {out.c[0], out.c[1], out.c[2], out.c[3]}};

    ck_assert_int_eq(tex_image_create(&image, &desc, memory), ST_OK);
    put_solid(image, 0, 0, 0xff0000ff);
    ck_assert_int_eq(tex_sampler_init(&sampler, image, &state), ST_OK);
    put_solid(image, 0, 0, 0xffff0000);
    tex_sample(&sampler, &s);
    ck_assert(out.c[0][0] == 0.0f && out.c[2][0] == 1.0f);
    tex_image_unref(&image);
}
END_TEST

START_TEST(out_of_memory)
{
    struct tex_sampler_state state = default_state();
    int64_t blocks = mem_live_blocks();

    for (int n = 0;; n++) {
        struct tex_image *image = make_2d(D3DFMT_DXT5, 130, 70);
        struct tex_sampler sampler;
        struct lanes coord = {0}, out = {0};
        struct sample s = {.lanes = 1, .coord = {coord.c[0]}, .texel = {out.c[0]}};
        enum status st;

        mem_fail_after(n);
        st = tex_sampler_init(&sampler, image, &state);
        if (st == ST_OK)
            tex_sample(&sampler, &s); /* allocates nothing */
        mem_fail_after(-1);
        if (st != ST_OK) {
            ck_assert_int_eq(st, ST_NOMEM);
            ck_assert_int_eq(tex_sampler_init(&sampler, image, &state), ST_OK);
        }
        tex_image_unref(&image);
        ck_assert_int_eq(mem_live_blocks(), blocks);
        if (st == ST_OK)
            break;
        ck_assert_int_lt(n, 20);
    }
}
END_TEST

/* --- Threads ---------------------------------------------------------------------------------- */

enum { THREADS = 4, STEPS = 400 };

struct walk {
    struct tex_sampler *sampler;
    uint64_t hash;
};

/* All threads take the same path over the texture, so that they contend for the same pages. */
static void *walk(void *arg)
{
    struct walk *w = arg;
    struct lanes coord, out;
    struct sample s = {.lanes = ~UINT64_C(0), .coord = {coord.c[0], coord.c[1]}};
    struct fp_mode old = fp_enter();

    for (int c = 0; c < 4; c++)
        s.texel[c] = out.c[c];
    for (int n = 0; n < STEPS; n++) {
        for (int i = 0; i < TEX_LANES; i++) {
            coord.c[0][i] = (float)(n % 20 * 50 + i % 8) / 1024.0f;
            coord.c[1][i] = (float)(n / 20 * 50 + i / 8) / 1024.0f;
        }
        tex_sample(w->sampler, &s);
        for (int i = 0; i < TEX_LANES; i++) {
            uint32_t bits;

            memcpy(&bits, &out.c[n & 3][i], 4);
            w->hash = (w->hash ^ bits) * UINT64_C(1099511628211);
        }
    }
    fp_leave(old);
    return NULL;
}

START_TEST(threads_share_decoding)
{
    struct tex_desc desc = desc_of(D3DFMT_DXT5, TEX_2D, 1024, 1024, 1, 1, 1);
    struct tex_image *image = noise(&desc, 8);
    struct tex_sampler_state state = default_state();
    struct tex_sampler sampler;
    struct walk of[THREADS] = {0}, alone = {.sampler = &sampler};
    pthread_t thread[THREADS];

    state.min_filter = state.mag_filter = D3DTEXF_LINEAR;
    ck_assert_int_eq(tex_sampler_init(&sampler, image, &state), ST_OK);
    for (int i = 0; i < THREADS; i++) {
        of[i].sampler = &sampler;
        ck_assert_int_eq(pthread_create(&thread[i], NULL, walk, &of[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    tex_decode_cache_require_all(image->decode_cache);
    walk(&alone);
    for (int i = 0; i < THREADS; i++)
        ck_assert_uint_eq(of[i].hash, alone.hash);
    tex_image_unref(&image);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex decoded copies");
    TCase *tc = tcase_create("decoded");

    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_loop_test(tc, samples_equal_decoded_samples, 0, 200);
    tcase_add_loop_test(tc, decodes_rows, 0, 100);
    tcase_add_test(tc, decodes_sampled_pages);
    tcase_add_test(tc, lanes_far_apart);
    tcase_add_test(tc, hits_eventually_decode_all);
    tcase_add_test(tc, hits_decode_other_levels);
    tcase_add_test(tc, one_level_may_suffice);
    tcase_add_test(tc, cube_faces);
    tcase_add_test(tc, changes_invalidate);
    tcase_add_test(tc, boxes_invalidate_their_pages);
    tcase_add_test(tc, fills_invalidate);
    tcase_add_test(tc, user_memory_is_decoded_at_once);
    tcase_add_test(tc, out_of_memory);
    tcase_add_test(tc, threads_share_decoding);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
