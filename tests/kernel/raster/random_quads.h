/* Random primitives and quads for tests of kernels. */
#ifndef TESTS_KERNEL_RASTER_RANDOM_QUADS_H
#define TESTS_KERNEL_RASTER_RANDOM_QUADS_H

#include "kernel/raster/random.h"

#include "raster/prim/prim.h"
#include "raster/worker/batch.h"
#include "util/alloc.h"

enum { ATTRS = 6, PRIMS = 5 };

static struct raster_prim *random_prim(void)
{
    struct raster_prim *prim = mem_calloc(1, sizeof(*prim) + ATTRS * sizeof(prim->attr[0]));

    prim->affine = random_u32() & 1;
    prim->const_attribs = random_u32() & 63;
    prim->anchor_x = (float)(random_u32() % 65536) / 256.0f;
    prim->anchor_y = (float)(random_u32() % 65536) / 256.0f;
    prim->face = random_u32() & 1 ? 1.0f : -1.0f;
    random_floats(&prim->z.a0, 3);
    prim->rhw = random_attr_plane();
    for (int i = 0; i < ATTRS; i++)
        prim->attr[i] = random_attr_plane();
    return prim;
}

/* Quads at random positions with random primitives. */
static void random_quads(struct raster_quads *quads, struct raster_prim *const prim[PRIMS],
                         uint32_t reach)
{
    static int32_t x[QUADS], y[QUADS];
    static const struct raster_prim *of[QUADS];

    *quads = (struct raster_quads){.x = x, .y = y, .prim = of, .n = 1 + random_u32() % QUADS};
    for (unsigned q = 0; q < quads->n; q++) {
        x[q] = (int32_t)(random_u32() % (reach / 2) * 2);
        y[q] = (int32_t)(random_u32() % (reach / 2) * 2);
        of[q] = prim[random_u32() % PRIMS];
    }
}

/* No primitive affine, all affine with constant attributes, or mixed. */
static void make_prims(struct raster_prim *prim[PRIMS])
{
    unsigned kind = random_u32() % 4;

    for (unsigned i = 0; i < PRIMS; i++) {
        prim[i] = random_prim();
        if (kind < 2)
            prim[i]->affine = kind;
        if (kind == 0)
            prim[i]->const_attribs = 0;
        if (kind == 1)
            prim[i]->const_attribs |= 9;
        if (prim[i]->affine)
            prim[i]->rhw = random_const_plane();
    }
}

#endif
