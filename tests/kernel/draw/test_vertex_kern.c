/* Tests the SIMD kernels of the vertex stage: each instruction set matches scalar loops bit for
 * bit. */
#include "check_main.h"

#include "draw/vertex/vertex_kern.h"
#include "kernel/bits.h"
#include "util/fpenv.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { LANES = 64, STRIDE = 12 };

static uint64_t random_bits = 1;
static uint32_t random_u32(void)
{
    random_bits = random_bits * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_bits >> 32);
}

/* Runs the body for every instruction set of this processor, including scalar. */
#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct vertex_kern *k = KERN_FOR(vertex_kern, isa_);                            \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

static _Alignas(64) float rows[4][LANES];
static float *const row[4] = {rows[0], rows[1], rows[2], rows[3]};
static _Alignas(64) uint32_t words[LANES];

START_TEST(gather_vec4_transposes)
{
    static uint8_t memory[4096];
    uint32_t at[LANES], word;

    for (unsigned i = 0; i < sizeof(memory); i++)
        memory[i] = (uint8_t)(i * 37 % 127); /* neither NaN nor denormal */
    for (unsigned n = 1; n <= LANES; n++)
        EACH_ISA(k)
        {
            for (unsigned i = 0; i < LANES; i++)
                at[i] = random_u32() % (sizeof(memory) - 16);
            k->gather_vec4(memory, at, n, row);
            for (unsigned i = 0; i < n; i++)
                for (unsigned c = 0; c < 4; c++) {
                    memcpy(&word, memory + at[i] + 4 * c, 4);
                    ck_assert(!memcmp(&rows[c][i], &word, sizeof(word)));
                }
        }
}
END_TEST

START_TEST(unpack_every_uint8)
{
    EACH_ISA(k)
    {
        for (unsigned first = 0; first < 256; first += LANES) {
            for (unsigned i = 0; i < LANES; i++)
                words[i] =
                    (first + i) | (255 - first - i) << 8 | (first + i) << 16 | (first + i) << 24;
            for (int normalised = 0; normalised < 2; normalised++) {
                k->unpack_uint8(words, LANES, normalised, row);
                for (unsigned i = 0; i < LANES; i++)
                    for (unsigned c = 0; c < 4; c++) {
                        float want = (float)(words[i] >> 8 * c & 255);

                        want = normalised ? want / 255.0f : want;
                        ck_assert_uint_eq(bits_of(rows[c][i]), bits_of(want));
                    }
            }
        }
    }
}
END_TEST

static float int16_value(uint32_t half, enum vertex_int16 kind)
{
    switch (kind) {
    case VERTEX_SHORT:
        return (float)(int16_t)half;
    case VERTEX_SHORT_N:
        return (float)(int16_t)half / 32767.0f;
    default:
        return (float)(uint16_t)half / 65535.0f;
    }
}

static bool int16_values_are(enum vertex_int16 kind)
{
    bool same = true;

    for (unsigned i = 0; i < LANES; i++)
        for (unsigned h = 0; h < 2; h++)
            same = same &&
                   bits_of(rows[h][i]) == bits_of(int16_value(words[i] >> 16 * h & 0xffff, kind));
    return same;
}

START_TEST(unpack_every_int16)
{
    EACH_ISA(k)
    {
        for (uint32_t first = 0; first < 65536; first += LANES) {
            for (uint32_t i = 0; i < LANES; i++)
                words[i] = (first + i) | (65535 - first - i) << 16;
            for (unsigned kind = VERTEX_SHORT; kind <= VERTEX_USHORT_N; kind++) {
                k->unpack_int16(words, LANES, (enum vertex_int16)kind, row);
                ck_assert(int16_values_are((enum vertex_int16)kind));
                if (k == KERN_FOR(vertex_kern, ISA_SCALAR))
                    bits_floats(rows[0], LANES);
            }
        }
    }
    bits_print("vertex_int16", 0);
}
END_TEST

/* The kernel writes at most 15 padding vertices, and nothing between vertices. */
START_TEST(scatter_vec4_transposes)
{
    static _Alignas(64) float out[(LANES + 16) * STRIDE];

    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < LANES; i++)
            rows[c][i] = (float)(c * LANES + i);
    for (unsigned n = 1; n <= LANES; n++)
        EACH_ISA(k)
        {
            for (unsigned i = 0; i < (LANES + 16) * STRIDE; i++)
                out[i] = -1.0f;
            k->scatter_vec4((const float *const *)row, n, out, STRIDE);
            for (unsigned i = 0; i < (LANES + 16) * STRIDE; i++) {
                unsigned v = i / STRIDE, c = i % STRIDE;

                if (v < n && c < 4)
                    ck_assert(out[i] == rows[c][v]);
                else if (v >= ((n + 15) & ~15u) || c >= 4)
                    ck_assert(out[i] == -1.0f);
            }
        }
}
END_TEST

START_TEST(saturate_clamps)
{
    static const float values[] = {0.0f,   -0.0f, 1.0f,   -1.0f, 0.5f,     2.0f,
                                   1e-40f, NAN,   -1e30f, 1e30f, INFINITY, -INFINITY};
    static const float want[] = {0, 0, 1, 0, 0.5f, 1, 0, 0, 0, 1, 1, 0};
    enum { N = sizeof(values) / sizeof(values[0]) };
    struct fp_mode mode = fp_enter();
    _Alignas(64) float out[LANES];

    for (unsigned i = 0; i < LANES; i++)
        rows[0][i] = values[i % N];
    EACH_ISA(k)
    {
        k->saturate(rows[0], LANES, out);
        for (unsigned i = 0; i < LANES; i++)
            ck_assert_uint_eq(bits_of(out[i]), bits_of(want[i % N]));
    }
    fp_leave(mode);
}
END_TEST

START_TEST(index_kernels)
{
    enum { MOST = 150 };
    uint32_t index[MOST + 1], changed[MOST + 1], low, high, least, largest;
    uint16_t narrow[MOST + 1];
    uint8_t flag[MOST + 1];

    for (uint32_t n = 0; n <= MOST; n++)
        EACH_ISA(k)
        {
            uint32_t flags = 0;

            low = UINT32_MAX;
            high = 0;
            for (uint32_t i = 0; i <= MOST; i++) {
                index[i] = n % 2 ? random_u32() : random_u32() % 1000;
                changed[i] = index[i];
                narrow[i] = (uint16_t)random_u32();
                flag[i] = random_u32() % 2;
                if (i == n)
                    break;
                low = low < index[i] ? low : index[i];
                high = high > index[i] ? high : index[i];
                flags += flag[i];
            }
            k->min_max(index, n, &least, &largest);
            ck_assert(least == low && largest == high);
            ck_assert_uint_eq(k->count_ones(flag, n), flags);
            k->subtract(changed, n, 77);
            for (uint32_t i = 0; i <= n; i++)
                ck_assert_uint_eq(changed[i], i < n ? index[i] - 77 : index[i]);
            k->widen_uint16((const uint8_t *)narrow, n, changed);
            for (uint32_t i = 0; i <= n; i++)
                ck_assert_uint_eq(changed[i], i < n ? narrow[i] : index[i]);
        }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("draw/vertex_kern");
    TCase *t = tcase_create("vertex_kern");

    tcase_add_test(t, gather_vec4_transposes);
    tcase_add_test(t, unpack_every_uint8);
    tcase_add_test(t, unpack_every_int16);
    tcase_add_test(t, scatter_vec4_transposes);
    tcase_add_test(t, saturate_clamps);
    tcase_add_test(t, index_kernels);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
