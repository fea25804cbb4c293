/* Packer kernel, quads: each instruction set against pixels taken one by one. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/bin/bin.h"
#include "raster/prim/prim.h"
#include "raster/scene/blocks.h"
#include "raster/shade/packer_kern.h"
#include "raster/state/pipeline.h"
#include "util/alloc.h"

#include <string.h>

enum { ROUNDS = 1000, PRIMS = BIN_BLOCK_COMMANDS, ROWS = IN_FLIGHT_ROWS };

#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_packer_kern *k = KERN_FOR(raster_packer_kern, isa_);              \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

static _Alignas(64) char memory[PRIMS][128]; /* addresses end in zeros, as in bins */
static struct raster_pipeline pipelines[2];
static struct tile_origin tile;
static struct bin_block cmds;

static struct raster_prim *prim_at(size_t i)
{
    return (struct raster_prim *)(void *)memory[i];
}

/* The expected batch, by pixel. */
struct picture {
    const struct raster_prim *prim[ROWS][ROWS];
    bool done[ROWS][ROWS]; /* pixels of the next command that are in this batch or one before */
    unsigned quads, left;  /* left: pixels of the next command that it still has */
    size_t taken;
};

static uint64_t random_rows(void)
{
    uint64_t rows = random_u64() & random_u64();

    switch (random_u32() % 4) {
    case 0:
        return rows;
    case 1:
        return rows & UINT64_C(0x0000000f0f0f0f00);
    case 2:
        return rows & random_u64() & random_u64();
    default:
        return rows & UINT64_C(0x0303);
    }
}

/* Masks that touch the tile; some commands have another pipeline or another kind of primitive. */
static void random_block(void)
{
    int32_t dim = 8 << random_u32() % 4;

    tile = (struct tile_origin){.x = (int32_t)(random_u32() % 5) * dim,
                                .y = (int32_t)(random_u32() % 5) * dim,
                                .last = dim - BLOCK_DIM};
    cmds.count = random_u32() % (PRIMS + 1);
    for (unsigned i = 0; i < PRIMS; i++) {
        uint64_t rows = random_rows();

        prim_at(i)->pipeline = &pipelines[random_u32() % 64 == 0];
        prim_at(i)->kind = random_u32() % 64 ? PRIM_MASK8X8 : PRIM_TRIANGLE;
        prim_at(i)->coverage.x = tile.x - 6 + (int32_t)(random_u32() % ((unsigned)dim / 2 + 3) * 2);
        prim_at(i)->coverage.y = tile.y - 6 + (int32_t)(random_u32() % ((unsigned)dim / 2 + 3) * 2);
        prim_at(i)->coverage.mask[0] = (uint32_t)rows;
        prim_at(i)->coverage.mask[1] = (uint32_t)(rows >> 32);
        cmds.command[i] =
            (uintptr_t)memory[i] | (random_u32() % 64 ? BIN_PRIM : (enum bin_op)BIN_PRIM_FULL);
    }
}

static bool has_pixel(const struct raster_prim *prim, int32_t x, int32_t y)
{
    int32_t bit = (y - prim->coverage.y) * 8 + x - prim->coverage.x;

    if (x < prim->coverage.x || y < prim->coverage.y || x >= prim->coverage.x + 8 ||
        y >= prim->coverage.y + 8)
        return false;
    return prim->coverage.mask[bit / 32] >> bit % 32 & 1;
}

/* Takes the quad at (x, y). False: one of its pixels is in flight. */
static bool expect_quad(struct picture *picture, const struct raster_prim *prim, int32_t x,
                        int32_t y)
{
    for (int32_t i = 0; i < 4; i++) {
        int32_t column = x + i % 2, row = y + i / 2;

        if (!has_pixel(prim, tile.x + column, tile.y + row))
            continue;
        if (picture->prim[row][column])
            return false;
        picture->prim[row][column] = prim;
        picture->done[row][column] = true;
    }
    picture->quads++;
    return true;
}

/* Takes the quads of the first pixels that fit, or none if a pixel of theirs is in flight. False:
 * pixels are left. */
static bool expect_put(struct picture *picture, const struct raster_prim *prim)
{
    static struct picture next;
    int32_t dim = tile.last + BLOCK_DIM;
    bool conflict = false;

    next = *picture;
    next.left = picture->left = 0;
    for (int32_t y = 0; y < dim; y++) {
        for (int32_t x = 0; x < dim; x++) {
            if (!has_pixel(prim, tile.x + x, tile.y + y))
                continue;
            picture->left += !picture->done[y][x];
            if (next.done[y][x])
                continue;
            if (next.quads == QUADS)
                next.left++;
            else
                conflict |= !expect_quad(&next, prim, x & ~1, y & ~1);
        }
    }
    if (conflict)
        return false;
    if (!next.left)
        memset(next.done, 0, sizeof(next.done));
    *picture = next;
    return !next.left;
}

/* Continues with an empty batch. */
static void expect_take(struct picture *picture)
{
    memset(picture->prim, 0, sizeof(picture->prim));
    picture->quads = picture->left = 0;
    for (; picture->taken < cmds.count; picture->taken++) {
        const struct raster_prim *prim = prim_at(picture->taken);

        if ((cmds.command[picture->taken] & BIN_OP_MASK) != BIN_PRIM ||
            prim->pipeline != &pipelines[0] || prim->kind != PRIM_MASK8X8 ||
            !expect_put(picture, prim))
            return;
    }
}

static void check_picture(const struct frag_batch *batch, const struct in_flight *in_flight,
                          const struct picture *want, const char *name)
{
    static struct picture got;
    uint64_t used[ROWS] = {0};

    memset(&got, 0, sizeof(got));
    for (unsigned q = 0; q < batch->n / 4; q++) {
        ck_assert(batch->quad_pixels[q] > 0 && batch->quad_pixels[q] < 16);
        for (int32_t i = 0; i < 4; i++) {
            int32_t x = batch->quad_x[q] - tile.x + i % 2, y = batch->quad_y[q] - tile.y + i / 2;

            if (!(batch->quad_pixels[q] >> i & 1))
                continue;
            got.prim[y][x] = batch->quad_prim[q];
            used[y] |= UINT64_C(1) << x;
        }
    }
    ck_assert_msg(batch->n == want->quads * 4, "%s: %u lanes, not %u", name, batch->n,
                  want->quads * 4);
    ck_assert_msg(!memcmp(got.prim, want->prim, sizeof(got.prim)), "%s: pixels", name);
    ck_assert_msg(!memcmp(in_flight->rows, used, sizeof(used)), "%s: mask of the tile", name);
}

static unsigned count(uint64_t pixels)
{
    return (unsigned)__builtin_popcountll(pixels);
}

/* Takes as many batches as a block of commands needs, up to four. */
START_TEST(primitives_are_taken)
{
    static struct frag_batch batch;
    static struct picture want[4];
    size_t taken = 0, split = 0;

    for (int round = 0; round < ROUNDS; round++) {
        size_t first = random_u32() % 4;

        random_block();
        first = first < cmds.count ? first : 0;
        for (unsigned i = 0; i < 4; i++) {
            if (i)
                want[i] = want[i - 1];
            else
                memset(&want[0], 0, sizeof(want[0]));
            want[i].taken = i ? want[i].taken : first;
            expect_take(&want[i]);
            split += want[i].left && want[i].quads == QUADS;
        }
        taken += want[0].taken - first;
        EACH_ISA(k)
        {
            struct in_flight in_flight = {0};
            uint64_t rest = 0;
            size_t next = first;

            memset(&batch, 0, sizeof(batch));
            for (unsigned i = 0; i < 4; i++) {
                batch.n = 0;
                memset(in_flight.rows, 0, sizeof(in_flight.rows));
                next = k->take(&batch, &in_flight, &tile, &pipelines[0], &cmds, next, &rest);
                ck_assert_uint_eq(next, want[i].taken);
                ck_assert_uint_eq(count(rest), want[i].left);
                check_picture(&batch, &in_flight, &want[i], cpu_isa_name((enum cpu_isa)isa_));
            }
        }
        bits_bytes(&want[0].quads, sizeof(want[0].quads));
    }
    ck_assert_uint_gt(taken, ROUNDS);
    ck_assert_uint_gt(split, ROUNDS / 10);
    bits_print("primitives taken", 0);
}
END_TEST

/* Two masks at any place of the tile; the second may be in the way of the first. */
START_TEST(masks_are_put)
{
    static struct frag_batch batch;
    static struct picture want;

    random_bits = 1; /* tests may share a process */
    for (int round = 0; round < ROUNDS; round++) {
        unsigned left[2];

        random_block();
        memset(&want, 0, sizeof(want));
        for (unsigned i = 0; i < 2; i++) { /* positions in the tile */
            prim_at(i)->coverage.x =
                tile.x + (int32_t)(random_u32() % ((unsigned)tile.last / 2 + 1) * 2);
            prim_at(i)->coverage.y =
                tile.y + (int32_t)(random_u32() % ((unsigned)tile.last / 2 + 1) * 2);
            memset(want.done, 0, sizeof(want.done));
            expect_put(&want, prim_at(i));
            left[i] = want.left;
        }
        EACH_ISA(k)
        {
            struct in_flight in_flight = {0};

            memset(&batch, 0, sizeof(batch));
            for (unsigned i = 0; i < 2; i++)
                ck_assert_uint_eq(left[i],
                                  count(k->put(&batch, &in_flight, &tile, prim_at(i),
                                               (unsigned)(prim_at(i)->coverage.x - tile.x),
                                               (unsigned)(prim_at(i)->coverage.y - tile.y),
                                               prim_at(i)->coverage.mask[0] |
                                                   (uint64_t)prim_at(i)->coverage.mask[1] << 32)));
            check_picture(&batch, &in_flight, &want, cpu_isa_name((enum cpu_isa)isa_));
        }
        bits_bytes(left, sizeof(left));
    }
    bits_print("blocks put", 0);
}
END_TEST

/* Drops the quads that do not pass, from a tested quad on. */
START_TEST(quads_are_kept)
{
    static struct frag_batch batch;
    static const struct raster_state state;

    for (int round = 0; round < ROUNDS; round++) {
        unsigned n = 1 + random_u32() % QUADS, tested = random_u32() % n;
        uint64_t passed = random_u64() & random_u64();

        EACH_ISA(k)
        {
            unsigned to = 0;

            batch.n = n * 4;
            batch.tested = tested * 4;
            for (unsigned q = 0; q < n; q++) {
                batch.quad_x[q] = batch.quad_y[q] = (int32_t)q;
                batch.quad_prim[q] = prim_at(q);
                batch.quad_pixels[q] = 15;
            }
            k->keep(&batch, &state, passed);
            for (unsigned q = 0; q < n; q++) {
                unsigned pixels = q < tested ? 15 : passed >> (q - tested) * 4 & 15;

                if (!pixels)
                    continue;
                ck_assert_int_eq(batch.quad_x[to], (int32_t)q);
                ck_assert_int_eq(batch.quad_y[to], (int32_t)q);
                ck_assert(batch.quad_prim[to] == prim_at(q));
                ck_assert_uint_eq(batch.quad_pixels[to], pixels);
                to++;
            }
            ck_assert_uint_eq(batch.n, to * 4);
        }
    }
}
END_TEST

START_TEST(pixels_in_flight_are_retired)
{
    static struct in_flight in_flight;
    uint64_t used[ROWS], seen[ROWS];

    EACH_ISA(k)
    {
        for (unsigned y = 0; y < ROWS; y++) {
            in_flight.rows[y] = used[y] = random_u64() & random_u64();
            in_flight.history[y] = seen[y] = random_u64() & random_u64();
        }
        in_flight.any_history = false;
        k->retire(&in_flight);
        ck_assert(in_flight.any_history);
        for (unsigned y = 0; y < ROWS; y++) {
            ck_assert(!in_flight.rows[y]);
            ck_assert(in_flight.history[y] == (used[y] | seen[y]));
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/packer_quads");
    TCase *tc = tcase_create("packer_kern");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, primitives_are_taken);
    tcase_add_test(tc, masks_are_put);
    tcase_add_test(tc, quads_are_kept);
    tcase_add_test(tc, pixels_in_flight_are_retired);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
