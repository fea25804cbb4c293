/* Aligned tables of text.
 *
 * Tested by tests/unit/tool/frame/test_cost.c. */
#include "tool/frame/text_table.h"

#include <inttypes.h>
#include <string.h>

void text_table_print(const struct text_table *t, FILE *out)
{
    size_t width[TEXT_COLUMNS] = {0};

    for (size_t i = 0; i < t->n; i++)
        for (unsigned c = 0; c < t->columns; c++)
            if (strlen(t->row[i].cell[c]) > width[c])
                width[c] = strlen(t->row[i].cell[c]);
    for (size_t i = 0; i < t->n; i++)
        for (unsigned c = 0; c < t->columns; c++) {
            int w = (int)width[c];

            fprintf(out, "%s%*s%s", c ? "  " : "", c < t->left ? -w : w, t->row[i].cell[c],
                    c + 1 == t->columns ? "\n" : "");
        }
}

void text_table_count(char cell[TEXT_CELL], uint64_t value)
{
    snprintf(cell, TEXT_CELL, "%" PRIu64, value);
}

void text_table_ms(char cell[TEXT_CELL], bool known, double seconds)
{
    if (known)
        snprintf(cell, TEXT_CELL, "%.3f", seconds * 1e3);
    else
        snprintf(cell, TEXT_CELL, "-");
}

void text_table_head(struct text_row *row, const char *const *names, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        snprintf(row->cell[i], TEXT_CELL, "%s", names[i]);
}
