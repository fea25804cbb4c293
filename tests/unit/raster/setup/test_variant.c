/* Variant renderers: by how much the members of the family move vertices and planes. */
#include "check_main.h"

#include "raster/setup/setup.h"
#include "util/variant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 1000, CONSTANT = 16, ATTRIBS };

static void select_variant(const char *name)
{
    variant_current = variant_find(name);
    ck_assert_ptr_nonnull(variant_current);
}

/* --- Vertices --------------------------------------------------------------------------------- */

/* Moves vertices along a diagonal, each of which occurs twice. */
static void move(const char *name, int32_t by[MANY][2])
{
    static struct raster_screen_vertex vertex[MANY];

    select_variant(name);
    for (int i = 0; i < MANY; i++)
        vertex[i].x = vertex[i].y = 1000 * (i / 2);
    raster_perturb_vertices(vertex, MANY);
    variant_current = NULL;
    for (int i = 0; i < MANY; i++) {
        by[i][0] = vertex[i].x - 1000 * (i / 2);
        by[i][1] = vertex[i].y - 1000 * (i / 2);
    }
}

START_TEST(vertices_jitter_by_a_step)
{
    static int32_t by[MANY][2], opposite[MANY][2];
    unsigned seen[2] = {0}, apart = 0;

    move("jitter-a", by);
    move("jitter-b", opposite);
    for (int i = 0; i < MANY; i++)
        for (int a = 0; a < 2; a++) {
            ck_assert_int_le(abs(by[i][a]), 1);
            ck_assert_int_eq(by[i][a], by[i & ~1][a]);
            ck_assert_int_eq(by[i][a], -opposite[i][a]);
            seen[a] |= 1u << (by[i][a] + 1);
            apart += by[i][0] != by[i][1];
        }
    ck_assert(seen[0] == 7 && seen[1] == 7 && apart > MANY / 2);
}
END_TEST

/* --- Planes ----------------------------------------------------------------------------------- */

#define PRIM_BYTES (sizeof(struct raster_prim) + ATTRIBS * sizeof(struct raster_attr_plane))

/* A primitive whose planes start at 0 and depend on `i`. */
struct example {
    struct raster_pipeline pipeline;
    struct raster_screen_vertex vertex[3];
    float values[3][RASTER_V_ATTR + ATTRIBS];
    _Alignas(16) uint8_t memory[PRIM_BYTES];
};

static struct raster_prim *make_prim(struct example *e, unsigned bits, int i)
{
    struct raster_prim *prim = (struct raster_prim *)(void *)e->memory;

    memset(e, 0, sizeof(*e));
    e->pipeline.ds[0].bits = (uint8_t)bits;
    e->pipeline.s.n_attrs = ATTRIBS;
    e->pipeline.s.attr[0].interp = RASTER_AFFINE;
    prim->pipeline = &e->pipeline;
    prim->z.dadx = 0.5f;
    prim->const_attribs = 1u << CONSTANT;
    for (unsigned n = 0; n < ATTRIBS; n++)
        prim->attr[n].dadx = i;
    for (int k = 0; k < 3; k++) {
        e->vertex[k] =
            (struct raster_screen_vertex){.x = i, .y = k, .rhw = 0.25f, .v = e->values[k]};
        for (unsigned n = 0; n < ATTRIBS; n++)
            e->values[k][RASTER_V_ATTR + n] = (float)(k == 1 ? -8 : k); /* -8 is the largest */
    }
    return prim;
}

static void perturb(const char *name, struct raster_prim *prim, struct example *e)
{
    const struct raster_screen_vertex *const v[3] = {e->vertex, e->vertex + 1, e->vertex + 2};

    select_variant(name);
    raster_perturb_planes(prim, v);
    variant_current = NULL;
}

/* The offset of depth in steps of the format. */
static double depth_offset(const char *name, unsigned bits, int i)
{
    struct example e;
    struct raster_prim *prim = make_prim(&e, bits, i);

    perturb(name, prim, &e);
    for (unsigned n = 0; n < ATTRIBS; n++)
        ck_assert(prim->attr[n].a0 == 0.0);
    return ldexp((double)prim->z.a0, (int)bits);
}

START_TEST(depth_moves_by_four_steps)
{
    static const char *const pairs[][2] = {
        {"depth-a", "depth-b"}, {"depth-c", "depth-d"}, {"depth-e", "depth-f"}};
    unsigned bits = _i & 1 ? 16 : 24;
    const char *const *pair = pairs[_i >> 1], *other = pairs[_i < 4 ? (_i >> 1) + 1 : 0][0];
    double least = 0, most = 0;

    for (int i = 0; i < MANY; i++) {
        double by = depth_offset(pair[0], bits, i);

        ck_assert(by == -depth_offset(pair[1], bits, i) && by == depth_offset(pair[0], bits, i));
        ck_assert(by != depth_offset(other, bits, i));
        least = fmin(least, by);
        most = fmax(most, by);
    }
    ck_assert(least >= -4 && least < -3.95 && most <= 4 && most > 3.95);
}
END_TEST

START_TEST(constant_depth_stays)
{
    struct example e;
    struct raster_prim *prim = make_prim(&e, 24, 1);

    prim->z.dadx = 0.0f;
    perturb("depth-a", prim, &e);
    ck_assert(prim->z.a0 == 0.0f);
}
END_TEST

/* Attribute 0 is affine, and its largest value is -8. The others are divided by w, by 4. Some
 * attributes move alike by a and c, and some do not: so all pairs of directions occur. */
START_TEST(attributes_move_by_a_share_of_the_largest)
{
    static const char *const names[4] = {"interpolate-a", "interpolate-b", "interpolate-c",
                                         "interpolate-d"};
    struct example e[4];
    struct raster_prim *prim[4];
    unsigned like_c = 0;

    for (int k = 0; k < 4; k++) {
        prim[k] = make_prim(&e[k], 24, 1);
        perturb(names[k], prim[k], &e[k]);
        ck_assert(prim[k]->attr[CONSTANT].a0 == 0.0 && prim[k]->z.a0 == 0.0f);
    }
    for (unsigned n = 0; n < CONSTANT; n++) {
        ck_assert(fabs(prim[0]->attr[n].a0) == (n ? 0x1p-19 : 0x1p-17));
        ck_assert(prim[0]->attr[n].a0 == -prim[1]->attr[n].a0);
        ck_assert(prim[2]->attr[n].a0 == -prim[3]->attr[n].a0);
        ck_assert(fabs(prim[2]->attr[n].a0) == fabs(prim[0]->attr[n].a0));
        like_c += prim[0]->attr[n].a0 == prim[2]->attr[n].a0;
    }
    ck_assert(like_c > 0 && like_c < CONSTANT);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("setup/variant");
    TCase *tc = tcase_create("setup/variant");

    tcase_add_test(tc, vertices_jitter_by_a_step);
    tcase_add_loop_test(tc, depth_moves_by_four_steps, 0, 6);
    tcase_add_test(tc, constant_depth_stays);
    tcase_add_test(tc, attributes_move_by_a_share_of_the_largest);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
