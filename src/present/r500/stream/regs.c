/* Lookup in the register table. */
#include "present/r500/stream/regs.h"

#include <stdio.h>

static const struct r500_row rows[] = {
#define REG(name, offset, count) {#name, offset, count, 0, 0},
#define FIELD(reg, name, hi, lo) {#name, 0, 0, hi, lo},
#include "present/r500/stream/regs.def"
#undef REG
#undef FIELD
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

const struct r500_row *r500_find(uint32_t offset, unsigned *n_fields)
{
    for (unsigned i = 0; i < ROWS; i++) {
        unsigned last = i + 1;

        if (!rows[i].count || offset < rows[i].offset || offset % 4 != 0 ||
            offset >= rows[i].offset + 4u * rows[i].count)
            continue;
        while (last < ROWS && !rows[last].count)
            last++;
        *n_fields = last - i - 1;
        return &rows[i];
    }
    *n_fields = 0;
    return NULL;
}

int r500_name(char *out, size_t size, uint32_t offset)
{
    unsigned n_fields;
    const struct r500_row *row = r500_find(offset, &n_fields);

    if (!row)
        return snprintf(out, size, "0x%04x", offset);
    if (row->count == 1)
        return snprintf(out, size, "%s", row->name);
    return snprintf(out, size, "%s[%u]", row->name, (offset - row->offset) / 4);
}
