/* Constant table of the HLSL compiler, a comment in the byte code: prints the names of constants
 * and samplers. */
#include "vm/asm/constant_table.h"

/* The body of a comment as bytes; bytes outside read as 0. */
struct comment {
    const uint32_t *words;
    size_t n_bytes;
};

static unsigned byte_at(const struct comment *c, size_t at)
{
    return at < c->n_bytes ? c->words[at / 4] >> at % 4 * 8 & 255 : 0;
}

static uint32_t number_at(const struct comment *c, size_t at, unsigned n_bytes)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < n_bytes; i++)
        value |= (uint32_t)byte_at(c, at + i) << 8 * i;
    return value;
}

static void put_string(struct vm_text *t, const struct comment *c, size_t at)
{
    enum { LONGEST = 80 };

    for (unsigned i = 0; i < LONGEST && byte_at(c, at + i); i++) {
        unsigned letter = byte_at(c, at + i);

        vm_text_put(t, "%c", letter >= 0x20 && letter < 0x7f ? (int)letter : '?');
    }
}

void vm_constant_table_text(struct vm_text *t, const uint32_t *words, size_t n)
{
    enum { CTAB = 0x42415443, CREATOR = 4, COUNT = 12, INFO = 16, INFO_SIZE = 20 };
    static const char sets[] = "bics";
    struct comment c = {words + 1, n ? (n - 1) * 4 : 0};
    size_t at = number_at(&c, INFO, 4);

    if (!n || words[0] != CTAB)
        return;
    vm_text_put(t, "    // ");
    put_string(t, &c, number_at(&c, CREATOR, 4));
    vm_text_put(t, "\n");
    for (uint32_t i = number_at(&c, COUNT, 4); i > 0 && at + INFO_SIZE <= c.n_bytes; i--) {
        unsigned set = number_at(&c, at + 4, 2), first = number_at(&c, at + 6, 2);
        unsigned count = number_at(&c, at + 8, 2);

        vm_text_put(t, "    // %c%u", set < 4 ? sets[set] : '?', first);
        if (count > 1)
            vm_text_put(t, "-%u", first + count - 1);
        vm_text_put(t, " ");
        put_string(t, &c, number_at(&c, at, 4));
        vm_text_put(t, "\n");
        at += INFO_SIZE;
    }
}
