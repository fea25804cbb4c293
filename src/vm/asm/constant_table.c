/* Constant table of the HLSL compiler, a comment in the byte code: prints the names of constants
 * and samplers. */
#include "vm/asm/constant_table.h"
#include "vm/asm/comment.h"

static void put_string(struct vm_text *t, const struct asm_comment *c, size_t at)
{
    enum { LONGEST = 80 };

    for (unsigned i = 0; i < LONGEST && asm_comment_byte(c, at + i); i++) {
        unsigned letter = asm_comment_byte(c, at + i);

        vm_text_put(t, "%c", letter >= 0x20 && letter < 0x7f ? (int)letter : '?');
    }
}

void vm_constant_table_text(struct vm_text *t, const uint32_t *words, size_t n)
{
    enum { CTAB = 0x42415443, CREATOR = 4, COUNT = 12, INFO = 16, INFO_SIZE = 20 };
    static const char sets[] = "bics";
    struct asm_comment c = {words + 1, n ? (n - 1) * 4 : 0};
    size_t at = asm_comment_number(&c, INFO, 4);

    if (!n || words[0] != CTAB)
        return;
    vm_text_put(t, "    // ");
    put_string(t, &c, asm_comment_number(&c, CREATOR, 4));
    vm_text_put(t, "\n");
    for (uint32_t i = asm_comment_number(&c, COUNT, 4); i > 0 && at + INFO_SIZE <= c.n_bytes; i--) {
        unsigned set = asm_comment_number(&c, at + 4, 2), first = asm_comment_number(&c, at + 6, 2);
        unsigned count = asm_comment_number(&c, at + 8, 2);

        vm_text_put(t, "    // %c%u", set < 4 ? sets[set] : '?', first);
        if (count > 1)
            vm_text_put(t, "-%u", first + count - 1);
        vm_text_put(t, " ");
        put_string(t, &c, asm_comment_number(&c, at, 4));
        vm_text_put(t, "\n");
        at += INFO_SIZE;
    }
}
