/* Distance of names: letters inserted, left out, replaced, or swapped with a neighbour. */
#include "util/suggestion.h"

#include "util/min_max.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 64 };

static char folded(char c)
{
    return c == '-' ? '_' : (char)tolower((unsigned char)c);
}

static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
    unsigned rows[3][LONGEST + 1]; /* distances of the last three prefixes of a to all of b */

    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *before = rows[(i - 1) % 3], *two_before = rows[(i + 1) % 3];

        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            char x = folded(a[i - 1]), y = folded(b[j - 1]);

            row[j] = min_u32(min_u32(before[j], row[j - 1]) + 1, before[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == folded(b[j - 2]) && y == folded(a[i - 2]))
                row[j] = min_u32(row[j], two_before[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void suggestion_init(struct suggestion *s, const char *typed)
{
    size_t n = strlen(typed);

    /* One error in three letters, at least one: more would offer unrelated names. */
    *s = (struct suggestion){.typed = typed,
                             .distance = n < 2   ? 1
                                         : n < 6 ? 2
                                                 : (unsigned)(n / 3 + 1)};
}

void suggestion_offer(struct suggestion *s, const char *name)
{
    size_t n = strlen(s->typed), m = strlen(name);
    unsigned d;

    if (n > LONGEST || m > LONGEST)
        return;
    d = distance(s->typed, n, name, m);
    if (d >= s->distance)
        return;
    s->best = name;
    s->distance = d;
}
