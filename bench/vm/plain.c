/* Four shaders of the corpus in plain C, statement by statement, compiled with -O3 for this
 * machine: the yardstick of a compiler that sees the whole shader. Same operations, same order,
 * same bits. */
#include "plain.h"
#include "tool/bench/job.h"

#include <math.h>
#include <string.h>

#ifdef __clang__
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)")
#else
#define EACH_LANE _Pragma("GCC ivdep")
#endif

struct v4 {
    float x, y, z, w;
};

#define V4(X, Y, Z, W) ((struct v4){X, Y, Z, W})

static inline struct v4 c4(const float c[4])
{
    return V4(c[0], c[1], c[2], c[3]);
}

static inline struct v4 all(float s)
{
    return V4(s, s, s, s);
}

static inline float maximum(float a, float b)
{
    return a > b ? a : b;
}

static inline float minimum(float a, float b)
{
    return a < b ? a : b;
}

static inline float sat(float a)
{
    return minimum(maximum(a, 0), 1);
}

static inline struct v4 add(struct v4 a, struct v4 b)
{
    return V4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

static inline struct v4 sub(struct v4 a, struct v4 b)
{
    return V4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}

static inline struct v4 mul(struct v4 a, struct v4 b)
{
    return V4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}

static inline struct v4 mad(struct v4 a, struct v4 b, struct v4 c)
{
    return add(mul(a, b), c);
}

static inline struct v4 max4(struct v4 a, struct v4 b)
{
    return V4(maximum(a.x, b.x), maximum(a.y, b.y), maximum(a.z, b.z), maximum(a.w, b.w));
}

static inline struct v4 lrp(struct v4 s, struct v4 a, struct v4 b)
{
    return mad(s, sub(a, b), b);
}

static inline float dp3(struct v4 a, struct v4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline float dp4(struct v4 a, struct v4 b)
{
    return dp3(a, b) + a.w * b.w;
}

static inline float rsq(float a)
{
    float root = sqrtf(4.0f / fabsf(a)); /* same formula as in util/simd/math.h */

    return fabsf(a) == 0x1p-126f ? 0x1p63f : root * 0.5f;
}

/* Local copies whose addresses do not escape, so that the compiler knows that stores cannot change
 * them. */
enum { CONSTANTS = 24 };
#define PLAIN_BEGIN                                                                                \
    const struct plain_args copy = *args, *a = &copy;                                              \
    float c[CONSTANTS][4];                                                                         \
                                                                                                   \
    memcpy(c, a->c, sizeof(c))

/* Component C of input I or output O, at lane l. */
#define IN(I, C) (a->in[I][C][l])
#define OUT(O, C) (a->out[O][C][l])

/* --- mix.asm ---------------------------------------------------------------------------------- */

/* The eight kinds of instructions with destination d, sources s and t. */
#define STEP8(d0, s0, t0, d1, s1, t1, d2, s2, t2, d3, s3, t3, d4, s4, t4, d5, s5, t5, d6, s6, t6,  \
              d7, s7, t7)                                                                          \
    r##d0 = V4(r##s0.w, r##s0.z, r##s0.y, r##s0.x);                                                \
    r##d1 = add(r##s1, r##t1);                                                                     \
    r##d2 = mul(r##s2, r##t2);                                                                     \
    r##d3 = mad(r##s3, r##t3, r##d3);                                                              \
    r##d4.x = dp3(r##s4, r##t4);                                                                   \
    r##d5.w = dp4(r##s5, r##t5);                                                                   \
    r##d6 = max4(r##s6, r##t6);                                                                    \
    r##d7 = lrp(r##s7, r##t7, r##d7)

void plain_mix(const struct plain_args *args)
{
    PLAIN_BEGIN;

    EACH_LANE
    for (unsigned l = 0; l < a->lanes; l++) {
        struct v4 v0 = V4(IN(0, 0), IN(0, 1), IN(0, 2), IN(0, 3));
        struct v4 v1 = V4(IN(1, 0), IN(1, 1), IN(1, 2), IN(1, 3));
        struct v4 r0 = add(v0, c4(c[9])), r1 = add(v1, c4(c[10])), r2 = add(v0, c4(c[11]));
        struct v4 r3 = add(v1, c4(c[12])), r4 = add(v0, c4(c[13])), r5 = add(v1, c4(c[14]));
        struct v4 r6 = add(v0, c4(c[15])), r7 = add(v1, c4(c[16])), r8 = add(v0, c4(c[17]));
        struct v4 r9 = add(v1, c4(c[18])), r10 = add(v0, c4(c[19])), r11 = add(v1, c4(c[20]));

        STEP8(0, 1, 0, 1, 2, 7, 2, 3, 8, 3, 4, 9, 4, 5, 10, 5, 6, 11, 6, 7, 0, 7, 8, 1);
        STEP8(8, 9, 2, 9, 10, 3, 10, 11, 4, 11, 0, 5, 0, 1, 6, 1, 2, 7, 2, 3, 8, 3, 4, 9);
        STEP8(4, 5, 10, 5, 6, 11, 6, 7, 0, 7, 8, 1, 8, 9, 2, 9, 10, 3, 10, 11, 4, 11, 0, 5);
        STEP8(0, 1, 6, 1, 2, 7, 2, 3, 8, 3, 4, 9, 4, 5, 10, 5, 6, 11, 6, 7, 0, 7, 8, 1);
        r0 = add(add(add(r0, r1), r2), r3);
        r0 = add(add(add(add(r0, r4), r5), r6), r7);
        r0 = add(add(add(add(r0, r8), r9), r10), r11);
        OUT(0, 0) = r0.x;
        OUT(0, 1) = r0.y;
        OUT(0, 2) = r0.z;
        OUT(0, 3) = r0.w;
    }
}

/* --- light_plain.asm -------------------------------------------------------------------------- */

void plain_light(const struct plain_args *args)
{
    PLAIN_BEGIN;

    EACH_LANE
    for (unsigned l = 0; l < a->lanes; l++) {
        struct v4 position = V4(IN(0, 0), IN(0, 1), IN(0, 2), IN(0, 3));
        struct v4 colour = V4(IN(2, 0), IN(2, 1), IN(2, 2), IN(2, 3));
        struct v4 normal = V4(IN(1, 0), IN(1, 1), IN(1, 2), 0);
        struct v4 r2 = V4(dp3(normal, c4(c[4])), dp3(normal, c4(c[5])), dp3(normal, c4(c[6])), 0);
        struct v4 r3 = mul(r2, all(rsq(dp3(r2, r2))));
        float first = maximum(dp3(r3, c4(c[8])), 0), second = maximum(dp3(r3, c4(c[9])), 0);
        float shine = maximum(dp3(r3, c4(c[10])), 0);
        struct v4 r5 = mad(all(second), c4(c[12]), mul(all(first), c4(c[11])));

        r5 = add(r5, c4(c[13]));
        shine *= shine;
        shine *= shine;
        shine *= shine;
        OUT(0, 0) = dp4(position, c4(c[0]));
        OUT(0, 1) = dp4(position, c4(c[1]));
        OUT(0, 2) = dp4(position, c4(c[2]));
        OUT(0, 3) = dp4(position, c4(c[3]));
        OUT(1, 0) = sat(r5.x * colour.x); /* colours of vs_2_0 are saturated */
        OUT(1, 1) = sat(r5.y * colour.y);
        OUT(1, 2) = sat(r5.z * colour.z);
        OUT(1, 3) = sat(colour.w);
        OUT(2, 0) = sat(shine * c[14][0]);
        OUT(2, 1) = sat(shine * c[14][1]);
        OUT(2, 2) = sat(shine * c[14][2]);
        OUT(2, 3) = sat(shine * c[14][3]);
    }
}

/* --- normal_map.asm --------------------------------------------------------------------------- */

void plain_normal_map(const struct plain_args *args)
{
    PLAIN_BEGIN;
    const float *colour[4], *bump[4];

    for (unsigned i = 0; i < 4; i++) {
        colour[i] = job_standin_texels(0, i);
        bump[i] = job_standin_texels(1, i);
    }
    EACH_LANE
    for (unsigned l = 0; l < a->lanes; l++) {
        struct v4 r0 = V4(colour[0][l], colour[1][l], colour[2][l], colour[3][l]);
        struct v4 r1 = mad(V4(bump[0][l], bump[1][l], bump[2][l], 0), all(2), all(-1));
        struct v4 t1 = V4(IN(1, 0), IN(1, 1), IN(1, 2), 0),
                  t2 = V4(IN(2, 0), IN(2, 1), IN(2, 2), 0);
        struct v4 r2, r5, r7;
        float distance, diffuse, shine, fall;

        r1 = mul(r1, all(rsq(dp3(r1, r1))));
        distance = dp3(t1, t1);
        r2 = mul(t1, all(rsq(distance)));
        r5 = mad(t2, all(rsq(dp3(t2, t2))), r2);
        r5 = mul(r5, all(rsq(dp3(r5, r5))));
        diffuse = sat(dp3(r1, r2));
        shine = sat(dp3(r1, r5));
        shine *= shine;
        shine *= shine;
        shine *= shine;
        shine *= shine;
        fall = sat(1 - distance * c[0][0]);
        r7 = mul(add(mul(all(diffuse), c4(c[1])), c4(c[2])), r0);
        r7 = mad(mul(all(shine), c4(c[3])), all(r0.w), r7);
        r7 = mul(r7, all(fall));
        OUT(0, 0) = r7.x;
        OUT(0, 1) = r7.y;
        OUT(0, 2) = r7.z;
        OUT(0, 3) = r0.w;
    }
}

/* --- tone_map.asm ----------------------------------------------------------------------------- */

void plain_tone_map(const struct plain_args *args)
{
    PLAIN_BEGIN;

    EACH_LANE
    for (unsigned l = 0; l < a->lanes; l++) {
        struct v4 t1 = V4(IN(1, 0), IN(1, 1), IN(1, 2), 0),
                  t2 = V4(IN(2, 0), IN(2, 1), IN(2, 2), 0);
        struct v4 r0 = mul(mad(t2, all(c[0][1]), t1), all(c[0][0]));
        struct v4 r1 = mad(r0, mad(r0, all(c[1][0]), all(c[1][1])), all(c[1][2]));
        struct v4 r2 = mad(r0, mad(r0, all(c[1][0]), all(c[1][3])), all(c[2][2]));
        struct v4 r4;
        float x, y, edge;

        r1 = mul(r1, V4(1 / r2.x, 1 / r2.y, 1 / r2.z, 0));
        r1 = mul(sub(r1, all(c[2][0])), all(c[4][1]));
        r4 = lrp(all(c[4][0]), r1, all(dp3(r1, c4(c[3]))));
        x = (IN(0, 0) - 0.5f) * c[4][2];
        y = (IN(0, 1) - 0.5f) * c[4][2];
        edge = sat(1 - (y * y + x * x));
        edge *= edge;
        OUT(0, 0) = sat(r4.x * edge);
        OUT(0, 1) = sat(r4.y * edge);
        OUT(0, 2) = sat(r4.z * edge);
        OUT(0, 3) = 1;
    }
}
