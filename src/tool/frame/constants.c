/* Reads the constant table in a shader's byte code (D3DXSHADER_CONSTANTTABLE).
 *
 * Tested by tests/unit/tool/frame/test_constants.c. */
#include "tool/frame/constants.h"

#include <stdio.h>
#include <string.h>

enum { CTAB = 0x42415443, COUNT = 12, INFO = 16, INFO_SIZE = 20 };

/* The table in bytes; offsets count from its first one. */
struct ctab {
    const uint8_t *bytes;
    size_t n;
};

static uint32_t number(const struct ctab *t, size_t at, unsigned bytes)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < bytes && at + i < t->n; i++)
        value |= (uint32_t)t->bytes[at + i] << 8 * i;
    return value;
}

/* The first comment that is a table. */
static bool find_table(const struct vm_program *program, struct ctab *out)
{
    size_t n;
    bool software;
    const uint32_t *token = vm_program_tokens(program, &n, &software);

    for (size_t i = 1; token && i < n; i++) {
        size_t length = token[i] >> 16 & 0x7fff;

        if ((token[i] & 0xffff) != 0xfffe) /* comments come before instructions */
            return false;
        if (length > n - i - 1)
            return false;
        if (length > 1 && token[i + 1] == CTAB) {
            *out = (struct ctab){(const uint8_t *)(token + i + 2), (length - 1) * 4};
            return true;
        }
        i += length;
    }
    return false;
}

/* The bytes at an offset up to a NUL, as far as they fit. */
static void put_name(char *out, size_t size, const struct ctab *t, size_t at)
{
    size_t n = 0;

    while (n + 1 < size && at + n < t->n && t->bytes[at + n]) {
        out[n] = (char)t->bytes[at + n];
        n++;
    }
    out[n] = 0;
}

bool frame_constant_name(char out[FRAME_CONSTANT_NAME], const struct vm_program *program,
                         enum frame_register set, unsigned index)
{
    struct ctab t;
    size_t at;

    if (!program || !find_table(program, &t))
        return false;
    at = number(&t, INFO, 4);
    for (uint32_t i = number(&t, COUNT, 4); i && at + INFO_SIZE <= t.n; i--, at += INFO_SIZE) {
        unsigned first = number(&t, at + 6, 2), n = number(&t, at + 8, 2);

        if (number(&t, at + 4, 2) != (uint32_t)set || index < first || index - first >= n)
            continue;
        put_name(out, FRAME_CONSTANT_NAME - 8, &t, number(&t, at, 4));
        if (n > 1)
            snprintf(out + strlen(out), 8, "[%u]", index - first);
        return true;
    }
    return false;
}
