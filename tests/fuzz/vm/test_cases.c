/* Runs the properties of the fuzz target (case.h) on its seeds and a fixed number of mutations. */
#include "fuzz/vm/case.h"
#include "fuzz/vm/mutate.h"
#include "fuzz/vm/tokens.h"

enum { ROUNDS = 60, ROOM = 1024 };

static bool try_with(const uint32_t *words, size_t n, unsigned turn)
{
    static uint8_t data[CASE_HEADER + ROOM * 4];
    uint8_t header[CASE_HEADER] = {(uint8_t)(turn | CASE_SOFTWARE), (uint8_t)(turn % 3 ? 0 : turn),
                                   (uint8_t)(turn >> 2), (uint8_t)turn, (uint8_t)(turn * 37)};

    memcpy(data, header, CASE_HEADER);
    memcpy(data + CASE_HEADER, words, n * 4);
    return case_try(data, CASE_HEADER + n * 4);
}

START_TEST(seeds_hold)
{
    load();
    for (unsigned i = 0; i < n_shaders; i++)
        for (unsigned turn = 0; turn < 16 && shaders[i].n < ROOM; turn++)
            ck_assert_msg(try_with(shaders[i].words, shaders[i].n, turn * 2), "shader %u", i);
    unload();
}
END_TEST

START_TEST(changed_seeds_hold)
{
    static uint32_t room[ROOM];
    unsigned good = 0;

    load();
    for (unsigned i = 0; i < n_shaders; i++) {
        const struct seed *other = &shaders[(i + 1) % n_shaders];
        struct tokens t = {.words = room, .max = ROOM, .random = i + 1};

        for (unsigned round = 0; round < ROUNDS && shaders[i].n < ROOM; round++) {
            memcpy(room, shaders[i].words, shaders[i].n * 4);
            t.n = shaders[i].n;
            for (unsigned k = round % 4; k < 4; k++)
                tokens_mutate(&t, other->words, other->n);
            good += try_with(room, t.n, round);
        }
    }
    ck_assert_msg(good > n_shaders * ROUNDS / 20, "only %u changed shaders are still good", good);
    unload();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/cases");
    TCase *t = tcase_create("cases");

    tcase_set_timeout(t, 600);
    tcase_add_test(t, seeds_hold);
    tcase_add_test(t, changed_seeds_hold);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
