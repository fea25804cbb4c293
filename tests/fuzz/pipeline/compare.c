/* Says where two results of the pipeline fuzz differ. */
#include "pipeline.h"

#include <stdio.h>
#include <string.h>

static void print_bytes(const uint8_t *bytes, unsigned n)
{
    for (unsigned i = n; i-- > 0;) /* as a number: the highest byte first */
        printf("%02x", bytes[i]);
}

/* `at`: a byte of the image. */
static void print_place(const struct result_surface *s, const uint8_t *a, const uint8_t *b,
                        size_t at, const char *what)
{
    size_t in = at - s->first, sample = s->sample_pitch ? in / s->sample_pitch : 0;
    size_t row = in - sample * s->sample_pitch, y, x;

    if (at < s->first || sample >= s->samples) {
        printf("%s: %s: byte %td of its memory, outside of the level, is %02x and %02x\n", what,
               s->name, (ptrdiff_t)at - (ptrdiff_t)s->first, a[at], b[at]);
        return;
    }
    y = row / s->row_pitch;
    x = row % s->row_pitch / s->pixel_bytes;
    if (y >= s->height || x >= s->width) {
        printf("%s: %s: byte %zu of row %zu, behind its %u pixels, is %02x and %02x\n", what,
               s->name, row % s->row_pitch, y, s->width, a[at], b[at]);
        return;
    }
    at -= row % s->row_pitch % s->pixel_bytes;
    printf("%s: %s (%s, %ux%u, %u samples): pixel %zu, %zu, sample %zu is ", what, s->name,
           lottery_word(strcmp(s->name, "depth") ? lottery_formats : lottery_depths, s->format),
           s->width, s->height, s->samples, x, y, sample);
    print_bytes(a + at, s->pixel_bytes);
    printf(" and ");
    print_bytes(b + at, s->pixel_bytes);
}

static bool same_surface(const struct result *a, const struct result *b,
                         const struct result_surface *s, const char *what)
{
    const uint8_t *p = a->memory + s->at, *q = b->memory + s->at;
    size_t n = 0, first = 0;

    if (!memcmp(p, q, s->bytes))
        return true;
    for (size_t i = s->bytes; i-- > 0;)
        if (p[i] != q[i]) {
            first = i;
            n++;
        }
    print_place(s, p, q, first, what);
    printf("; %zu bytes differ\n", n);
    return false;
}

bool compare_results(const struct result *a, const struct result *b, const char *what)
{
    bool same = true;

    if (strcmp(a->refusal, b->refusal)) {
        printf("%s: refused for '%s' and for '%s'\n", what, a->refusal, b->refusal);
        return false;
    }
    if (a->n_bytes != b->n_bytes || memcmp(a->surface, b->surface, sizeof(a->surface))) {
        printf("%s: other layouts of surfaces\n", what);
        return false;
    }
    for (unsigned i = 0; i < RESULT_SURFACES && a->surface[i].name; i++)
        same &= same_surface(a, b, &a->surface[i], what);
    for (unsigned i = 0; i < CASE_DRAWS; i++)
        if (a->passed[i] != b->passed[i]) {
            printf("%s: the query of draw %u counts %u and %u samples\n", what, i,
                   (unsigned)a->passed[i], (unsigned)b->passed[i]);
            same = false;
        }
    return same;
}
