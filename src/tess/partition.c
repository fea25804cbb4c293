/* Divides edges into segments. */
#include "tess/tess.h"

static void divide_discrete(struct tess_partition *out, double segments)
{
    out->n = (unsigned)segments;
    for (unsigned i = 0; i <= out->n; i++)
        out->t[i] = (double)i / out->n;
}

/* The short segments grow from 0, where the edge looks like one with two segments less. */
static void divide_continuous(struct tess_partition *out, double segments)
{
    unsigned even = (unsigned)(segments / 2.0);
    unsigned n = 2 * even + 1; /* odd, and below segments + 1 */
    double end;

    if (n < segments)
        n += 2;
    end = (segments - (n - 2.0)) / 2.0;
    out->n = n;
    out->t[0] = 0.0;
    for (unsigned i = 1; i < n; i++)
        out->t[i] = (end + (i - 1)) / segments;
    out->t[n] = 1.0;
}

void tess_partition(struct tess_partition *out, float segments, DWORD style)
{
    double n = segments >= 1.0f ? segments : 1.0; /* false for NaN */

    n = n < TESS_MAX_SEGMENTS ? n : TESS_MAX_SEGMENTS;
    if (style == D3DPATCHEDGE_CONTINUOUS)
        divide_continuous(out, n);
    else
        divide_discrete(out, n);
}
