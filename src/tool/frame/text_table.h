/* Aligned tables of text. */
#ifndef TOOL_FRAME_TEXT_TABLE_H
#define TOOL_FRAME_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TEXT_COLUMNS = 16, TEXT_CELL = 48 };

struct text_row {
    char cell[TEXT_COLUMNS][TEXT_CELL];
};

/* Rows of text; the first is the head, the last has the totals. */
struct text_table {
    unsigned columns, left; /* left: columns that are aligned to the left */
    struct text_row *row;
    size_t n;
};

void text_table_print(const struct text_table *t, FILE *out);
void text_table_head(struct text_row *row, const char *const *names, unsigned n);
void text_table_count(char cell[TEXT_CELL], uint64_t value);
void text_table_ms(char cell[TEXT_CELL], bool known, double seconds); /* "-": not known */

#endif
