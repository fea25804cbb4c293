/* Integer operations of util/simd/: each instruction set equals the scalar build, and operations
 * that cross lanes equal their definition. */
#include "check_main.h"
#include "kernel/bits.h"
#include "util/simd/ops_kern.h"

enum { BLOCK = 4096 };

static uint32_t seed;

static int32_t random_word(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (int32_t)(seed ^ seed >> 15);
}

/* Random words, and words whose bytes and halves are extreme or equal. */
static void fill(int32_t *words, int n)
{
    static const uint32_t parts[] = {0, 1, 0x7f, 0x80, 0x81, 0xff, 0x7fff, 0x8000, 0xffff, 0x100};

    for (int i = 0; i < n; i++) {
        uint32_t low = parts[(uint32_t)random_word() % 10],
                 high = parts[(uint32_t)random_word() % 10];

        words[i] = i % 2 ? random_word() : (int32_t)(low | high << 16);
    }
}

static uint32_t byte_of(const int32_t *words, unsigned n)
{
    return (uint32_t)words[n / 4] >> n % 4 * 8 & 255;
}

START_TEST(all_sets_give_the_scalar_words)
{
    static const char *const names[] = SIMD_OP_NAMES;
    static int32_t a[BLOCK], b[BLOCK], expected[BLOCK], got[BLOCK];

    seed = (uint32_t)_i + 1;
    fill(a, BLOCK);
    fill(b, BLOCK);
    for (int f = 0; f < SIMD_OP_COUNT; f++) {
        KERN_FOR(simd_ops_kern, ISA_SCALAR)->fn[f](expected, a, b, BLOCK);
        for (int isa = ISA_SCALAR + 1; isa < ISA_COUNT; isa++) {
            if (!cpu_has_isa((enum cpu_isa)isa))
                continue;
            KERN_FOR(simd_ops_kern, isa)->fn[f](got, a, b, BLOCK);
            for (int i = 0; i < BLOCK; i++)
                ck_assert_msg(got[i] == expected[i], "%s: %s of %08x, %08x: %08x, scalar %08x",
                              cpu_isa_name((enum cpu_isa)isa), names[f], (unsigned)a[i],
                              (unsigned)b[i], (unsigned)got[i], (unsigned)expected[i]);
        }
        bits_bytes(expected, sizeof(expected));
        bits_print(names[f], _i);
    }
}
END_TEST

static int32_t half_word(const int32_t *in, unsigned i)
{
    uint16_t half;

    memcpy(&half, (const char *)in + (size_t)i * 2, sizeof(half));
    return half;
}

/* The word that a move yields in a lane of one of its vectors. */
static int32_t moved(enum simd_move move, const int32_t *in, const int32_t *index, unsigned lanes,
                     unsigned vector, unsigned lane)
{
    unsigned word = vector * lanes + lane; /* of the output */
    int32_t low = in[0], high = in[0];

    switch (move) {
    case SIMD_MOVE_GATHER:
    case SIMD_MOVE_GATHER_PAIR:
    case SIMD_MOVE_LOAD_WORDS:
    case SIMD_MOVE_LOAD_PAIRS:
    case SIMD_MOVE_LOAD_ROWS:
        return in[(unsigned)index[lane] + vector];
    case SIMD_MOVE_LOAD_2X2:
        return in[(unsigned)index[lane] + vector / 2 + vector % 2];
    case SIMD_MOVE_LOAD_SPREAD:
        return in[lane / 4];
    case SIMD_MOVE_LOAD_QUADS:
        return in[4 * lane + vector];
    case SIMD_MOVE_LOAD_UINT16:
        return half_word(in, lane + 1);
    case SIMD_MOVE_LOAD_UINT16_AT:
        return half_word(in, (unsigned)index[lane]);
    case SIMD_MOVE_STORE_UINT16:
        return in[lane] & 0xffff;
    case SIMD_MOVE_STORE_ROWS:
    case SIMD_MOVE_INTERLEAVE_4:
        return in[word % 4 * lanes + word / 4];
    case SIMD_MOVE_STORE_ROWS_AT:
        return in[word % 4 * lanes + (lanes - 1 - word / 4)];
    case SIMD_MOVE_DEINTERLEAVE_2:
        return in[2 * lane + vector];
    case SIMD_MOVE_INTERLEAVE_2:
        return in[word % 2 * lanes + word / 2];
    case SIMD_MOVE_REDUCE:
        for (unsigned i = 1; i < lanes; i++) {
            low = in[i] < low ? in[i] : low;
            high = in[i] > high ? in[i] : high;
        }
        return vector ? high : low;
    case SIMD_MOVE_IOTA:
        return (int32_t)((uint32_t)in[0] + lane);
    default:
        ck_abort_msg("move %d has no definition", (int)move);
        return 0;
    }
}

START_TEST(moves_equal_their_definition)
{
#define NAME(name, vectors) #name,
#define VECTORS(name, vectors) vectors,
    static const char *const names[] = {SIMD_MOVES(NAME)};
    static const unsigned vectors[] = {SIMD_MOVES(VECTORS)};
    const struct simd_ops_kern *k = KERN_FOR(simd_ops_kern, _i);
    int32_t in[64], index[64], got[64];

    if (!cpu_has_isa((enum cpu_isa)_i))
        return;
    seed = 1;
    for (int round = 0; round < 1000; round++) {
        fill(in, 64);
        for (int i = 0; i < 64; i++)
            index[i] = random_word() & 31;
        for (int move = 0; move < SIMD_MOVE_COUNT; move++) {
            k->move[move](got, in, index);
            for (unsigned i = 0; i < vectors[move] * k->lanes; i++) {
                int32_t want =
                    moved((enum simd_move)move, in, index, k->lanes, i / k->lanes, i % k->lanes);

                ck_assert_msg(got[i] == want, "%s, word %u: %08x, not %08x", names[move], i,
                              (unsigned)got[i], (unsigned)want);
            }
        }
    }
}
END_TEST

START_TEST(words_are_selected_from_two_vectors)
{
    const struct simd_ops_kern *k = KERN_FOR(simd_ops_kern, _i);
    int32_t low[16], high[16], order[16], got[16];

    if (!cpu_has_isa((enum cpu_isa)_i))
        return;
    seed = 1;
    for (int round = 0; round < 1000; round++) {
        fill(low, 16);
        fill(high, 16);
        for (unsigned i = 0; i < k->lanes; i++) {
            order[i] = random_word() & (int32_t)(k->lanes - 1);
            order[i] |= random_word() & 1 ? INT32_MIN | (int32_t)k->lanes : 0;
        }
        k->select_words(got, low, high, order);
        for (unsigned i = 0; i < k->lanes; i++) {
            const int32_t *from = order[i] < 0 ? high : low;

            ck_assert_int_eq(got[i], from[(unsigned)order[i] & (k->lanes - 1)]);
        }
        ck_assert_int_eq(k->first(low), low[0]);
    }
}
END_TEST

START_TEST(lanes_load_alone)
{
    const struct simd_ops_kern *k = KERN_FOR(simd_ops_kern, _i);
    int32_t rest[16], words[16], got[16];

    if (!cpu_has_isa((enum cpu_isa)_i) || !k->load_lanes)
        return;
    fill(rest, 16);
    fill(words, 16);
    for (unsigned lanes = 0; lanes < 1u << 16; lanes += 37) {
        k->load_lanes(got, rest, lanes, words);
        for (int i = 0; i < 16; i++)
            ck_assert_int_eq(got[i], lanes >> i & 1 ? words[i] : rest[i]);
    }
}
END_TEST

START_TEST(fours_are_transposed)
{
    const struct simd_ops_kern *k = KERN_FOR(simd_ops_kern, _i);
    int32_t in[64], got[64];

    if (!cpu_has_isa((enum cpu_isa)_i) || !k->transpose_fours)
        return;
    fill(in, 64);
    k->transpose_fours(got, in);
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++)
            for (int i = 0; i < 4; i++)
                ck_assert_int_eq(got[16 * row + 4 * column + i], in[16 * column + 4 * row + i]);
}
END_TEST

START_TEST(bytes_are_looked_up)
{
    const struct simd_ops_kern *k = KERN_FOR(simd_ops_kern, _i);
    int32_t tables[32], index[16], got[16];

    if (!cpu_has_isa((enum cpu_isa)_i) || !k->byte_planes || !cpu_has_avx512_vbmi())
        return;
    seed = 1;
    for (int round = 0; round < 1000; round++) {
        fill(tables, 32);
        fill(index, 16);
        k->lookup_64_bytes(got, tables, index);
        for (unsigned n = 0; n < 64; n++)
            ck_assert_uint_eq(byte_of(got, n), byte_of(tables, byte_of(index, n) & 63));
        k->lookup_128_bytes(got, tables, index);
        for (unsigned n = 0; n < 64; n++)
            ck_assert_uint_eq(byte_of(got, n), byte_of(tables, byte_of(index, n) & 127));
        k->byte_planes(got, tables);
        for (unsigned n = 0; n < 64; n++)
            ck_assert_uint_eq(byte_of(got, n), byte_of(tables, n % 16 * 4 + n / 16));
    }
}
END_TEST

START_TEST(products_of_halves_are_added)
{
    const struct simd_ops_kern *k = KERN_FOR(simd_ops_kern, _i);
    int32_t sum[16], a[16], b[16], got[16];

    if (!cpu_has_isa((enum cpu_isa)_i) || !k->add_madd_16 || !cpu_has_avx512_vbmi())
        return;
    seed = 1;
    for (int round = 0; round < 1000; round++) {
        fill(sum, 16);
        fill(a, 16);
        fill(b, 16);
        k->add_madd_16(got, sum, a, b);
        for (int i = 0; i < 16; i++) {
            uint32_t low = (uint32_t)((int16_t)a[i] * (int16_t)b[i]);
            uint32_t high = (uint32_t)((a[i] >> 16) * (b[i] >> 16));

            ck_assert_uint_eq((uint32_t)got[i], (uint32_t)sum[i] + low + high);
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("simd_ops");
    TCase *t = tcase_create("ops");

    tcase_add_loop_test(t, all_sets_give_the_scalar_words, 0, 4);
    tcase_add_loop_test(t, moves_equal_their_definition, 0, ISA_COUNT);
    tcase_add_loop_test(t, words_are_selected_from_two_vectors, 0, ISA_COUNT);
    tcase_add_loop_test(t, lanes_load_alone, 0, ISA_COUNT);
    tcase_add_loop_test(t, fours_are_transposed, 0, ISA_COUNT);
    tcase_add_loop_test(t, bytes_are_looked_up, 0, ISA_COUNT);
    tcase_add_loop_test(t, products_of_halves_are_added, 0, ISA_COUNT);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
