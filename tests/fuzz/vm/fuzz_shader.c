/* Coverage-guided fuzz target of the shader machine (`make fuzz`): entry points of libFuzzer. */
#include "fuzz/vm/case.h"
#include "fuzz/vm/tokens.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b,
                                 uint8_t *out, size_t max, unsigned seed);

enum { MAX_WORDS = 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)case_try(data, size);
    return 0;
}

static void load(struct tokens *t, uint32_t *room, const uint8_t *data, size_t size, size_t max,
                 unsigned seed)
{
    memset(t, 0, sizeof(*t));
    t->words = room;
    t->n = (size - CASE_HEADER) / 4;
    t->n = t->n < MAX_WORDS ? t->n : MAX_WORDS;
    t->max = (max - CASE_HEADER) / 4 < MAX_WORDS ? (max - CASE_HEADER) / 4 : MAX_WORDS;
    t->random = seed * 2654435761u | 1;
    memcpy(room, data + CASE_HEADER, t->n * 4);
}

static size_t store(uint8_t *data, const struct tokens *t)
{
    memcpy(data + CASE_HEADER, t->words, t->n * 4);
    return CASE_HEADER + t->n * 4;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    static uint32_t room[MAX_WORDS], own[MAX_WORDS];
    struct tokens t;

    if (size < CASE_HEADER + 8 || seed % 8 == 0)
        return LLVMFuzzerMutate(data, size, max);
    if (seed % 8 == 1) { /* options and numbers */
        data[seed / 8 % CASE_HEADER] = (uint8_t)(seed >> 16);
        return size;
    }
    load(&t, room, data, size, max, seed);
    for (unsigned i = seed / 8 % 4; i < 4; i++) {
        size_t n = t.n;

        memcpy(own, room, n * 4);
        tokens_mutate(&t, own, n);
    }
    return store(data, &t);
}

/* Inserts instructions of b into a. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b,
                                 uint8_t *out, size_t max, unsigned seed)
{
    static uint32_t room[MAX_WORDS], other[MAX_WORDS];
    struct tokens t, from;

    if (n_a < CASE_HEADER + 4 || n_b < CASE_HEADER + 4 || max < n_a)
        return 0;
    load(&t, room, a, n_a, max, seed);
    load(&from, other, b, n_b, n_b, seed);
    memcpy(out, a, CASE_HEADER);
    for (unsigned i = 0; i < 4; i++)
        tokens_mutate(&t, other, from.n);
    return store(out, &t);
}
