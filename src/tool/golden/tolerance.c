/* Parser and printer of tolerances. */

#include "tool/golden/tolerance.h"

#include <stdio.h>
#include <string.h>

bool golden_tolerance_parse(const char *text, struct golden_tolerance *out)
{
    struct golden_tolerance t = {0};
    int end = -1;

    if (!strcmp(text, "exact")) {
        *out = t;
        return true;
    }
    if (sscanf(text, "max %3u%n", &t.above, &end) == 1 && end > 0 && !text[end]) {
        t.measure = GOLDEN_MAX;
    } else if (end = -1, sscanf(text, "%9u pixels above %3u%n", &t.count, &t.above, &end) == 2 &&
                             end > 0 && !text[end]) {
        t.measure = GOLDEN_COUNT;
    } else if (end = -1, sscanf(text, "%6u of %3ux%3u above %3u%n", &t.count, &t.width, &t.height,
                                &t.above, &end) == 4 &&
                             end > 0 && !text[end]) {
        t.measure = GOLDEN_WINDOW;
    } else if (end = -1, sscanf(text, "flip %lf%n", &t.limit, &end) == 1 && end > 0 && !text[end]) {
        t.measure = GOLDEN_FLIP;
    } else if (end = -1, sscanf(text, "ssim %lf%n", &t.limit, &end) == 1 && end > 0 && !text[end]) {
        t.measure = GOLDEN_SSIM;
    } else {
        return false;
    }
    if (t.above > 255 || !(t.limit >= 0.0 && t.limit <= 1.0) ||
        (t.measure == GOLDEN_WINDOW && (!t.width || !t.height)))
        return false;
    *out = t;
    return true;
}

void golden_tolerance_print(const struct golden_tolerance *t, char out[GOLDEN_TOLERANCE_TEXT])
{
    const size_t n = GOLDEN_TOLERANCE_TEXT;

    switch (t->measure) {
    case GOLDEN_EXACT:
        snprintf(out, n, "exact");
        break;
    case GOLDEN_MAX:
        snprintf(out, n, "max %u", t->above);
        break;
    case GOLDEN_COUNT:
        snprintf(out, n, "%u pixels above %u", t->count, t->above);
        break;
    case GOLDEN_WINDOW:
        snprintf(out, n, "%u of %ux%u above %u", t->count, t->width, t->height, t->above);
        break;
    case GOLDEN_FLIP:
        snprintf(out, n, "flip %g", t->limit);
        break;
    case GOLDEN_SSIM:
        snprintf(out, n, "ssim %g", t->limit);
        break;
    }
}
