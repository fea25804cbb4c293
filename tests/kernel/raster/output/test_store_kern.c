/* Store kernel: copies of the pixels of fragments and quads, and filled areas, in each instruction
 * set against loops. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/output/store_kern.h"

enum { ROUNDS = 200, LANES = RASTER_LANES, TILE = 1 << TILE_SHIFT, PITCH = TILE * 16 + 32 };

/* Runs the body for every instruction set of this processor, scalar included. */
#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_store_kern *k = KERN_FOR(raster_store_kern, isa_);                \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

/* Different positions: the multiples of an odd number. */
static void random_fragments(struct frag_batch *frags)
{
    unsigned step = random_u32() | 1, first = random_u32();

    memset(frags, 0x55, sizeof(*frags));
    frags->n = 1 + random_u32() % LANES;
    for (unsigned i = 0; i < frags->n; i++)
        frags->pos[i] = (int32_t)((first + i * step) % (TILE * TILE));
}

static void random_bytes(uint8_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)random_u32();
}

START_TEST(copies_the_pixels_of_fragments)
{
    static struct frag_batch frags;
    static uint8_t stored[TILE * PITCH], want[TILE * PITCH], got[TILE * PITCH];
    static _Alignas(64) uint8_t pixels[16 * LANES], lanes[2][16 * LANES];

    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned size = round % RASTER_PIXEL_SIZES, bytes = 1u << size;
        uint64_t mask = round % 2 ? random_u64() : ~UINT64_C(0);
        struct tile_surface surface = {got, PITCH};

        random_fragments(&frags);
        random_bytes(pixels, sizeof(pixels));
        random_bytes(stored, sizeof(stored));
        memcpy(want, stored, sizeof(want));
        memset(lanes[0], 0, sizeof(lanes[0]));
        for (unsigned i = 0; i < frags.n; i++) {
            size_t at =
                (size_t)(frags.pos[i] / TILE * PITCH) + (size_t)(frags.pos[i] % TILE) * bytes;

            memcpy(lanes[0] + i * bytes, stored + at, bytes);
            if (mask >> i & 1)
                memcpy(want + at, pixels + i * bytes, bytes);
        }
        EACH_ISA(k)
        {
            const char *name = cpu_isa_name((enum cpu_isa)isa_);

            memcpy(got, stored, sizeof(got));
            memset(lanes[1], 0, sizeof(lanes[1]));
            k->gather[size](&frags, &surface, lanes[1]);
            ck_assert_msg(!memcmp(lanes[0], lanes[1], sizeof(lanes[0])), "%s: gather", name);
            k->scatter[size](&frags, &surface, pixels, mask);
            ck_assert_msg(!memcmp(got, want, sizeof(got)), "%s: scatter", name);
        }
        bits_bytes(want, sizeof(want));
    }
    bits_print("fragment_pixels", 0);
}
END_TEST

/* Quads at even positions of the tile; several may lie at one. */
static void random_quads(struct frag_batch *batch)
{
    batch->n = 4 * (1 + random_u32() % QUADS);
    for (unsigned q = 0; q < batch->n / 4; q++) {
        batch->quad_x[q] = (int32_t)(random_u32() % (TILE / 2)) * 2;
        batch->quad_y[q] = (int32_t)(random_u32() % (TILE / 2)) * 2;
    }
}

/* Lanes without two of the same pixel, and of these only those of `mask`. */
static uint64_t different_lanes(const struct frag_batch *batch, uint64_t mask)
{
    static bool taken[TILE][TILE];
    uint64_t lanes = 0;

    memset(taken, 0, sizeof(taken));
    for (unsigned i = 0; i < batch->n; i++) {
        bool *pixel =
            &taken[batch->quad_y[i / 4] + (int)(i >> 1 & 1)][batch->quad_x[i / 4] + (int)(i & 1)];

        if (*pixel || !(mask >> i & 1))
            continue;
        *pixel = true;
        lanes |= UINT64_C(1) << i;
    }
    return lanes;
}

START_TEST(copies_the_pixels_of_quads)
{
    static struct frag_batch batch;
    static uint8_t stored[TILE * PITCH], want[TILE * PITCH], got[TILE * PITCH];
    static _Alignas(64) uint8_t pixels[16 * LANES], lanes[2][16 * LANES];

    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned size = round % RASTER_PIXEL_SIZES, bytes = 1u << size;
        struct tile_surface surface = {got, PITCH};
        struct raster_quads quads;
        uint64_t mask;

        random_quads(&batch);
        quads = raster_quads_from(&batch, 0);
        mask = different_lanes(&batch, round % 2 ? random_u64() : ~UINT64_C(0));
        random_bytes(pixels, sizeof(pixels));
        random_bytes(stored, sizeof(stored));
        memcpy(want, stored, sizeof(want));
        memset(lanes[0], 0, sizeof(lanes[0]));
        for (unsigned i = 0; i < batch.n; i++) {
            size_t x = (size_t)batch.quad_x[i / 4] + (i & 1);
            size_t y = (size_t)batch.quad_y[i / 4] + (i >> 1 & 1), at = y * PITCH + x * bytes;

            memcpy(lanes[0] + i * bytes, stored + at, bytes);
            if (mask >> i & 1)
                memcpy(want + at, pixels + i * bytes, bytes);
        }
        EACH_ISA(k)
        {
            const char *name = cpu_isa_name((enum cpu_isa)isa_);

            memcpy(got, stored, sizeof(got));
            memset(lanes[1], 0, sizeof(lanes[1]));
            k->gather_quads[size](&quads, &surface, lanes[1]);
            ck_assert_msg(!memcmp(lanes[0], lanes[1], sizeof(lanes[0])), "%s: gather", name);
            k->scatter_quads[size](&quads, &surface, pixels, mask);
            ck_assert_msg(!memcmp(got, want, sizeof(got)), "%s: scatter", name);
        }
        bits_bytes(want, sizeof(want));
    }
    bits_print("quad_pixels", 0);
}
END_TEST

START_TEST(fills_areas)
{
    enum { ROW = 16 * 64 + 32 };
    static uint8_t stored[64 * ROW], want[64 * ROW], got[64 * ROW];

    random_bytes(stored, sizeof(stored));
    for (unsigned round = 0; round < ROUNDS; round++) {
        size_t bytes = 1u << round % 5, width = 8 * (1 + random_u32() % 8) * bytes;
        unsigned height = 8 * (1 + random_u32() % 8);
        struct raster_fill_pixel pixel;
        uint8_t value[16], keep[16];

        random_bytes(value, sizeof(value));
        random_bytes(keep, sizeof(keep));
        for (size_t i = 0; i < sizeof(value); i++) {
            keep[i] = round % 3 ? keep[i % bytes] : 0;
            value[i] = value[i % bytes] & (uint8_t)~keep[i];
        }
        memcpy(pixel.value, value, sizeof(value));
        memcpy(pixel.keep, keep, sizeof(keep));
        memcpy(want, stored, sizeof(want));
        for (unsigned y = 0; y < height; y++)
            for (size_t x = 0; x < width; x++) {
                uint8_t *at = want + y * ROW + 4 + x;

                *at = (uint8_t)((*at & keep[x % 16]) | value[x % 16]);
            }
        EACH_ISA(k)
        {
            memcpy(got, stored, sizeof(got));
            k->fill(got + 4, ROW, width, height, &pixel);
            ck_assert_msg(!memcmp(got, want, sizeof(got)), "%s", cpu_isa_name((enum cpu_isa)isa_));
        }
        bits_bytes(want, sizeof(want));
    }
    bits_print("fill", 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/store");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, copies_the_pixels_of_fragments);
    tcase_add_test(tc, copies_the_pixels_of_quads);
    tcase_add_test(tc, fills_areas);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
