/* Block kernel: each instruction set against the scalar loops of the general kernels, with special
 * values. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/prim/prim.h"
#include "raster/shade/block_kern.h"
#include "raster/shade/quad_kern.h"
#include "util/alloc.h"

#include <string.h>

enum { ROUNDS = 400, LANES = RASTER_LANES, ATTRS = 6 };

static struct raster_interp_plane random_plane(void)
{
    return (struct raster_interp_plane){random_float(), random_float(), random_float()};
}

/* Runs the body for every instruction set of this processor, scalar included. */
#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_block_kern *k = KERN_FOR(raster_block_kern, isa_);                \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

/* Pixel of a lane, from the order of quads in a block and of pixels in a quad. */
static unsigned lane_x(unsigned lane)
{
    unsigned quad = lane / 4, pixel = lane % 4;

    return quad % 4 * 2 + pixel % 2;
}

static unsigned lane_y(unsigned lane)
{
    unsigned quad = lane / 4, pixel = lane % 4;

    return quad / 4 * 2 + pixel / 2;
}

static struct raster_prim *random_prim(void)
{
    struct raster_prim *prim =
        mem_calloc(1, sizeof(*prim) + ATTRS * sizeof(struct raster_attr_plane));

    ck_assert(prim != NULL);
    prim->anchor_x = (float)(int32_t)(random_u32() % 4000000) / 256.0f;
    prim->anchor_y = (float)(int32_t)(random_u32() % 4000000) / 256.0f;
    prim->affine = random_u32() % 2;
    prim->const_attribs = random_u32() % 4 ? random_u32() & random_u32() : 0;
    prim->z = random_plane();
    prim->rhw = prim->affine ? random_const_plane() : random_attr_plane();
    prim->rhw.a0 += 0.0; /* is not -0 */
    prim->rhw.tiny = 0.0f;
    for (int i = 0; i < ATTRS; i++) {
        prim->attr[i] = random_attr_plane();
        if (random_u32() % 4 == 0) /* depends on one axis only */
            *(random_u32() % 2 ? &prim->attr[i].dadx : &prim->attr[i].dady) = 0.0;
    }
    return prim;
}

static const struct raster_attr attributes[ATTRS] = {{.slot = 3},
                                                     {.slot = 1},
                                                     {.slot = 0},
                                                     {.slot = 5},
                                                     {.slot = 2, .interp = RASTER_AFFINE},
                                                     {.slot = 4, .interp = RASTER_AFFINE}};

/* The same by batch interpolation: z, w, then the attributes' slots. */
static void interpolate_batch(const struct raster_block *block, float out[2 + ATTRS][LANES])
{
    static _Alignas(64) float x[LANES], y[LANES], batch[2 + ATTRS][LANES];
    struct raster_lanes lanes = {.attr = block->attr,
                                 .n_attrs = block->n_attrs,
                                 .x = x,
                                 .y = y,
                                 .z = batch[0],
                                 .w = batch[1],
                                 .work = batch[2]};
    int32_t left[QUADS], top[QUADS];
    const struct raster_prim *prim[QUADS];
    struct raster_quads quads = {.x = left, .y = top, .prim = prim, .n = QUADS};

    for (unsigned q = 0; q < QUADS; q++) {
        left[q] = (int32_t)block->x + (int32_t)(q % 4 * 2);
        top[q] = (int32_t)block->y + (int32_t)(q / 4 * 2);
        prim[q] = block->prim;
    }
    KERN_FOR(raster_quad_kern, ISA_SCALAR)->interpolate(&lanes, &quads);
    for (unsigned i = 0; i < LANES; i++)
        for (unsigned k = 0; k < LANES; k++)
            for (unsigned n = 0; n < 2 + ATTRS && x[k] - block->x == (float)lane_x(i) &&
                                 y[k] - block->y == (float)lane_y(i);
                 n++)
                out[n][i] = batch[n][k];
}

START_TEST(interpolates_like_batches)
{
    static _Alignas(64) float want[2 + ATTRS][LANES], got[2 + ATTRS][LANES];

    for (int round = 0; round < ROUNDS; round++) {
        struct raster_block block = {.prim = random_prim(),
                                     .attr = attributes,
                                     .n_attrs = ATTRS,
                                     .x = (float)(random_u32() % 2048 * 8),
                                     .y = (float)(random_u32() % 2048 * 8),
                                     .with_const_attribs = true,
                                     .z = got[0],
                                     .w = got[1],
                                     .work = got[2]};

        interpolate_batch(&block, want);
        EACH_ISA(k)
        {
            memset(got, 0x55, sizeof(got));
            k->interpolate(&block);
            for (unsigned n = 0; n < 2 + ATTRS; n++)
                for (unsigned i = 0; i < LANES; i++)
                    ck_assert_msg(bits_same(got[n][i], want[n][i]), "%s, array %u, lane %u: %a, %a",
                                  cpu_isa_name((enum cpu_isa)isa_), n, i, got[n][i], want[n][i]);
        }
        for (unsigned n = 0; n < 2 + ATTRS; n++)
            bits_floats(want[n], LANES);
        mem_free((void *)block.prim);
    }
    bits_print("block_interpolate", 0);
}
END_TEST

/* Does not write arrays that are not requested, nor constant attributes. */
START_TEST(leaves_unrequested_arrays)
{
    static _Alignas(64) float work[ATTRS][LANES], before[ATTRS][LANES];
    struct raster_block block = {.prim = random_prim(),
                                 .attr = attributes,
                                 .n_attrs = ATTRS,
                                 .with_const_attribs = false,
                                 .work = work[0]};

    ((struct raster_prim *)block.prim)->const_attribs = 1 << 1 | 1 << 4; /* in slots 1 and 2 */
    EACH_ISA(k)
    {
        memset(before, 0x55, sizeof(before));
        memcpy(work, before, sizeof(work));
        k->interpolate(&block);
        for (unsigned slot = 0; slot < ATTRS; slot++)
            ck_assert_int_eq(!memcmp(work[slot], before[slot], sizeof(work[slot])),
                             slot == 1 || slot == 2);
    }
    mem_free((void *)block.prim);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/block");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, interpolates_like_batches);
    tcase_add_test(tc, leaves_unrequested_arrays);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
