/* Texture coordinates of fixed-function vertices against the documented rules in double precision:
 * every source (sets of 0 to 4 components, generated coordinates) with every form of
 * TEXTURETRANSFORMFLAGS, NORMALIZENORMALS and transformed vertices, for random matrices. */
#include "camera.h"

/* --- The rules ------------------------------------------------------------------------------- */

/* Source coordinates of a stage and their number. */
struct given {
    struct num c[4];
    unsigned n;
    bool generated;
};

static struct num3 reflected(struct num3 vertex, struct num3 n)
{
    struct num3 from_eye = num3_unit(vertex);
    struct num twice = num_mul(num_exact(-2.0), num3_dot(n, from_eye));

    return num3_add(from_eye, n, twice);
}

static struct given three(struct num3 v)
{
    return (struct given){{v.c[0], v.c[1], v.c[2], num_exact(1.0)}, 4, true};
}

/* u = Rx / m + 1/2, v = Ry / m + 1/2, m = 2 |R + (0,0,1)|. */
static struct given sphere(struct num3 r)
{
    struct num3 forward = {{num_exact(0.0), num_exact(0.0), num_exact(1.0)}};
    struct num m = num_mul(num_exact(2.0), num3_length(num3_add(r, forward, num_exact(1.0))));
    struct given out = {.n = 4, .generated = true};

    out.c[0] = num_add(num_div(r.c[0], m), num_exact(0.5));
    out.c[1] = num_add(num_div(r.c[1], m), num_exact(0.5));
    out.c[3] = num_exact(1.0);
    return out;
}

static struct given start(const struct test_state *t, const struct camera *camera,
                          const struct test_run *run, unsigned stage, unsigned lane)
{
    DWORD index = t->stage[stage][D3DTSS_TEXCOORDINDEX], set = index & 0xffff;
    struct num3 vertex = {{{0}}}, n = {{{0}}};
    struct given out = {.n = set < FF_STAGES ? t->s.texcoord_size[set] : 0};
    double v[4];

    if (!t->s.transformed) {
        vertex = camera_position(camera, run, lane);
        n = camera_normal(camera, t, run, lane);
        switch (index & 0xffff0000) {
        case D3DTSS_TCI_CAMERASPACENORMAL:
            return three(n);
        case D3DTSS_TCI_CAMERASPACEPOSITION:
            return three(vertex);
        case D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR:
            return three(reflected(vertex, n));
        case D3DTSS_TCI_SPHEREMAP:
            return sphere(reflected(vertex, n));
        }
    }
    if (!out.n)
        return out;
    camera_input(run, VM_USAGE_TEXCOORD, set, lane, v);
    for (unsigned c = 0; c < out.n; c++)
        out.c[c] = num_exact(v[c]);
    return out;
}

/* The first missing component is 1, the others are 0: the last row of a matrix of that size. */
static void through_matrix(const struct given *in, const D3DMATRIX *m, unsigned count,
                           struct num out[4])
{
    for (unsigned j = 0; j < count; j++) {
        out[j] = num_exact(0.0);
        for (unsigned i = 0; i < 4 && in->n; i++) {
            struct num x = i < in->n ? in->c[i] : num_exact(i == in->n);

            out[j] = num_add(out[j], num_mul(x, num_exact(m->m[i][j])));
        }
    }
}

/* The component that PROJECTED divides by, counted from 1; 0: none. */
static unsigned divisor(const struct given *in, unsigned count, bool transformed)
{
    if (count)
        return transformed && count > in->n ? 0 : count;
    return !in->generated && in->n >= 3 ? in->n : 0;
}

struct coordinates {
    struct num c[4];
    unsigned n; /* defined components */
    unsigned w; /* the component copied to w, counted from 1; 0: none */
};

static struct coordinates rules(const struct test_state *t, const struct camera *camera,
                                const struct test_run *run, unsigned stage, unsigned lane)
{
    DWORD flags = t->stage[stage][D3DTSS_TEXTURETRANSFORMFLAGS];
    unsigned count = flags & ~(DWORD)D3DTTFF_PROJECTED;
    struct given in = start(t, camera, run, stage, lane);
    struct coordinates out = {.n = in.n};

    if (count < D3DTTFF_COUNT2 || count > D3DTTFF_COUNT4) /* COUNT1 acts as DISABLE */
        count = 0;
    if (count && !t->s.transformed) {
        through_matrix(&in, &t->texture[stage], count, out.c);
        out.n = count;
    } else {
        memcpy(out.c, in.c, sizeof(out.c));
    }
    if (flags & D3DTTFF_PROJECTED && in.n)
        out.w = divisor(&in, count, t->s.transformed);
    return out;
}

/* --- Random states --------------------------------------------------------------------------- */

enum { SOURCES = 9, FLAGS = 12 };

/* Sets 0 to 3 have one component more than their number, the others none. */
static DWORD source(unsigned n, uint32_t *seed)
{
    return n < 5 ? n : (n - 4) << 16 | test_random(seed) % 16;
}

static DWORD flags(unsigned n)
{
    static const DWORD odd[] = {5, 0xffffffff};

    return n < 10 ? n % 5 | (n < 5 ? 0u : D3DTTFF_PROJECTED) : odd[n - 10];
}

struct fixture {
    struct test_state t;
    struct test_run run;
    unsigned next, n_compared, skipped;
};

static void random_state(struct fixture *f, uint32_t *seed)
{
    random_camera(&f->t, seed);
    for (unsigned i = 0; i < FF_STAGES; i++, f->next++) {
        f->t.stage[i][D3DTSS_TEXCOORDINDEX] = source(f->next % SOURCES, seed);
        f->t.stage[i][D3DTSS_TEXTURETRANSFORMFLAGS] = flags(f->next / SOURCES % FLAGS);
        for (unsigned j = 0; j < 16; j++)
            f->t.texture[i].m[j / 4][j % 4] = test_float(seed, -3, 3);
        f->t.s.texcoord_size[i] = i < 4 ? (uint8_t)(i + 1) : 0;
        if (i < 4)
            random_components(&f->run, VM_USAGE_TEXCOORD, i, seed, -2, 2, i + 1);
    }
    f->t.s.inputs = FF_IN_POSITION | (test_random(seed) % 8 ? (uint32_t)FF_IN_NORMAL : 0);
    random_components(&f->run, VM_USAGE_POSITION, 0, seed, -2, 2, 3);
    random_components(&f->run, VM_USAGE_POSITIONT, 0, seed, 1, 9, 4);
    random_components(&f->run, VM_USAGE_NORMAL, 0, seed, -1, 1, 3);
}

static void compare(struct fixture *f, const struct coordinates *want, unsigned stage,
                    unsigned lane)
{
    for (unsigned c = 0; c < 4; c++) {
        double got = output(&f->run, VM_USAGE_TEXCOORD, stage, c, lane);
        unsigned from = c == 3 && want->w ? want->w - 1 : c;

        if (from >= want->n)
            continue;
        if (!(want->c[from].e < 1e-3)) {
            f->skipped++;
            continue;
        }
        f->n_compared++;
        ck_assert_msg(fabs(got - want->c[from].v) <= want->c[from].e,
                      "TEXCOORDINDEX %#x, flags %#x, lane %u, component %u: got %.9g, want %.9g",
                      (unsigned)f->t.stage[stage][D3DTSS_TEXCOORDINDEX],
                      (unsigned)f->t.stage[stage][D3DTSS_TEXTURETRANSFORMFLAGS], lane, c, got,
                      want->c[from].v);
    }
}

static void check_state(struct fixture *f)
{
    struct camera camera;

    camera_init(&camera, &f->t.world[0], &f->t.view);
    run_vertex(&f->t, &f->run);
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        for (unsigned i = 0; i < FF_STAGES; i++) {
            struct coordinates want = rules(&f->t, &camera, &f->run, i, lane);

            compare(f, &want, i, lane);
        }
    }
}

/* --- Tests ----------------------------------------------------------------------------------- */

/* _i: NORMALIZENORMALS, transformed vertices. 9 sources and 12 forms of flags repeat after 13.5
 * states of 8 stages; 54 states contain each pair four times, in every stage. */
START_TEST(every_combination)
{
    struct fixture *f = mem_calloc(1, sizeof(*f));
    uint32_t seed = 4242u + 65537u * (unsigned)_i;

    test_state_init(&f->t);
    f->t.render[D3DRS_LIGHTING] = FALSE;
    f->t.render[D3DRS_NORMALIZENORMALS] = _i & 1;
    f->t.s.transformed = _i >> 1 & 1;
    for (unsigned n = 0; n < 54; n++) {
        random_state(f, &seed);
        check_state(f);
    }
    ck_assert_uint_ge(f->next, 4 * SOURCES * FLAGS);
    ck_assert_uint_gt(f->n_compared, 200 * f->skipped);
    mem_free(f);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ff/texgen");
    TCase *tc = tcase_create("rules");

    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, every_combination, 0, 4);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
