/* Tolerances of golden cases. */
#ifndef TOOL_GOLDEN_TOLERANCE_H
#define TOOL_GOLDEN_TOLERANCE_H

#include <stdbool.h>

enum golden_measure {
    GOLDEN_EXACT,  /* "exact" */
    GOLDEN_MAX,    /* "max N": no channel differs by more than N */
    GOLDEN_COUNT,  /* "N pixels above T" */
    GOLDEN_WINDOW, /* "K of WxH above T": no window of that size has more than K pixels above T */
    GOLDEN_FLIP,   /* "flip X": mean LDR-FLIP error of at most X */
    GOLDEN_SSIM    /* "ssim X": mean structural similarity of at least X */
};

struct golden_tolerance {
    enum golden_measure measure;
    unsigned above, count, width, height;
    double limit;
};

enum { GOLDEN_TOLERANCE_TEXT = 64 };

bool golden_tolerance_parse(const char *text, struct golden_tolerance *out);
void golden_tolerance_print(const struct golden_tolerance *tolerance,
                            char out[GOLDEN_TOLERANCE_TEXT]);

#endif
