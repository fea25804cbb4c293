/* Joins chains of vertices of different lengths without a hole.
 * Tested by tests/unit/tess/test_holes.c. */
#include "tess/evaluate.h"

uint32_t *tess_stitch(uint32_t *index, const struct tess_chain *outer,
                      const struct tess_chain *inner)
{
    uint32_t i = 0, k = 0;

    while (i + 1 < outer->n || k + 1 < inner->n) {
        bool next_outer =
            k + 1 == inner->n || (i + 1 < outer->n && outer->t[i + 1] <= inner->t[k + 1]);

        *index++ = outer->vertex[i];
        if (next_outer)
            *index++ = outer->vertex[++i];
        else
            *index++ = inner->vertex[k + 1];
        *index++ = inner->vertex[k];
        k += !next_outer;
    }
    return index;
}
