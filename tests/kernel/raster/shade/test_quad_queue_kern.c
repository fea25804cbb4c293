/* Kernels of the quad queue: each instruction set against pixels queued one by one. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/bin/bin.h"
#include "raster/prim/prim.h"
#include "raster/scene/blocks.h"
#include "raster/shade/quad_queue_kern.h"
#include "raster/state/pipeline.h"
#include "util/alloc.h"

#include <string.h>

enum { ROUNDS = 1000, PRIMS = BIN_BLOCK_COMMANDS, ROWS = IN_FLIGHT_ROWS };

#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_quad_queue_kern *k = KERN_FOR(raster_quad_queue_kern, isa_);      \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

static _Alignas(64) char memory[PRIMS][128]; /* addresses end in zeros, as in bins */
static struct raster_pipeline pipelines[2];
static struct tile_origin tile;
static struct bin_block cmds;

static struct raster_prim *prim_at(size_t i)
{
    return (struct raster_prim *)(void *)memory[i];
}

/* The expected queue, by pixel. */
struct picture {
    const struct raster_prim *prim[ROWS][ROWS];
    unsigned quads;
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

/* False: one of the pixels is in flight. */
static bool expect_put(struct picture *picture, const struct raster_prim *prim)
{
    struct picture next = *picture;
    int32_t dim = tile.last + BLOCK_DIM;

    for (int32_t y = 0; y < dim; y += 2) {
        for (int32_t x = 0; x < dim; x += 2) {
            bool some = false;

            for (int32_t i = 0; i < 4; i++) {
                if (!has_pixel(prim, tile.x + x + i % 2, tile.y + y + i / 2))
                    continue;
                if (next.prim[y + i / 2][x + i % 2])
                    return false;
                next.prim[y + i / 2][x + i % 2] = prim;
                some = true;
            }
            next.quads += some;
        }
    }
    *picture = next;
    return true;
}

static void expect_take(struct picture *picture, size_t first)
{
    memset(picture, 0, sizeof(*picture));
    picture->taken = first;
    for (; picture->taken < cmds.count && picture->quads < QUAD_QUEUE_BATCH; picture->taken++) {
        const struct raster_prim *prim = prim_at(picture->taken);

        if ((cmds.command[picture->taken] & BIN_OP_MASK) != BIN_PRIM ||
            prim->pipeline != &pipelines[0] || prim->kind != PRIM_MASK8X8 ||
            !expect_put(picture, prim))
            return;
    }
}

static void check_picture(const struct quad_queue *queue, const struct picture *want,
                          const char *name)
{
    struct picture got = {.quads = queue->n};
    uint64_t used[ROWS] = {0};

    for (unsigned q = 0; q < queue->n; q++) {
        ck_assert(queue->pixels[q] > 0 && queue->pixels[q] < 16);
        for (int32_t i = 0; i < 4; i++) {
            int32_t x = queue->x[q] - tile.x + i % 2, y = queue->y[q] - tile.y + i / 2;

            if (!(queue->pixels[q] >> i & 1))
                continue;
            got.prim[y][x] = queue->prim[q];
            used[y] |= UINT64_C(1) << x;
        }
    }
    ck_assert_msg(got.quads == want->quads, "%s: %u quads, not %u", name, got.quads, want->quads);
    ck_assert_msg(!memcmp(got.prim, want->prim, sizeof(got.prim)), "%s: pixels", name);
    ck_assert_msg(!memcmp(queue->in_flight, used, sizeof(used)), "%s: mask of the tile", name);
}

START_TEST(primitives_are_queued)
{
    static struct quad_queue queue;
    static struct picture want;
    size_t taken = 0;

    for (int round = 0; round < ROUNDS; round++) {
        size_t first = random_u32() % 4;

        random_block();
        first = first < cmds.count ? first : 0;
        expect_take(&want, first);
        taken += want.taken - first;
        EACH_ISA(k)
        {
            memset(&queue, 0, sizeof(queue));
            ck_assert_uint_eq(k->take(&queue, &tile, &pipelines[0], &cmds, first), want.taken);
            check_picture(&queue, &want, cpu_isa_name((enum cpu_isa)isa_));
        }
        bits_bytes(&want.quads, sizeof(want.quads));
    }
    ck_assert_uint_gt(taken, ROUNDS);
    bits_print("primitives taken", 0);
}
END_TEST

START_TEST(masks_are_queued)
{
    static struct quad_queue queue;
    static struct picture want;

    random_bits = 1; /* tests may share a process */
    for (int round = 0; round < ROUNDS; round++) {
        bool fits[2];

        random_block();
        for (unsigned i = 0; i < 2; i++) { /* positions in the tile */
            prim_at(i)->coverage.x =
                tile.x + (int32_t)(random_u32() % ((unsigned)tile.last / 2 + 1) * 2);
            prim_at(i)->coverage.y =
                tile.y + (int32_t)(random_u32() % ((unsigned)tile.last / 2 + 1) * 2);
        }
        memset(&want, 0, sizeof(want));
        for (unsigned i = 0; i < 2; i++)
            fits[i] = expect_put(&want, prim_at(i));
        EACH_ISA(k)
        {
            memset(&queue, 0, sizeof(queue));
            for (unsigned i = 0; i < 2; i++)
                ck_assert(fits[i] == k->put(&queue, &tile, prim_at(i),
                                            (unsigned)(prim_at(i)->coverage.x - tile.x),
                                            (unsigned)(prim_at(i)->coverage.y - tile.y),
                                            prim_at(i)->coverage.mask[0] |
                                                (uint64_t)prim_at(i)->coverage.mask[1] << 32));
            check_picture(&queue, &want, cpu_isa_name((enum cpu_isa)isa_));
        }
        bits_bytes(fits, sizeof(fits));
    }
    bits_print("blocks put", 0);
}
END_TEST

START_TEST(pixels_in_flight_are_retired)
{
    static struct quad_queue queue;
    uint64_t used[ROWS], seen[ROWS];

    EACH_ISA(k)
    {
        for (unsigned y = 0; y < ROWS; y++) {
            queue.in_flight[y] = used[y] = random_u64() & random_u64();
            queue.in_flight_history[y] = seen[y] = random_u64() & random_u64();
        }
        queue.any_history = false;
        k->retire(&queue);
        ck_assert(queue.any_history);
        for (unsigned y = 0; y < ROWS; y++) {
            ck_assert(!queue.in_flight[y]);
            ck_assert(queue.in_flight_history[y] == (used[y] | seen[y]));
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/quad_queue");
    TCase *tc = tcase_create("quad_queue_kern");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, primitives_are_queued);
    tcase_add_test(tc, masks_are_queued);
    tcase_add_test(tc, pixels_in_flight_are_retired);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
