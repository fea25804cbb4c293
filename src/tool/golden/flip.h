/* FLIP, the perceptual difference of two pictures of one size: Andersson, Nilsson, Akenine-Moller,
 * Oskarsson, Astrom, Fairchild, "FLIP: A Difference Evaluator for Alternating Images", HPG 2020,
 * for low dynamic range. Pictures are sRGB, alpha does not count; beyond the border the outermost
 * pixels repeat. The order of the two makes no difference. */
#ifndef TOOL_GOLDEN_FLIP_H
#define TOOL_GOLDEN_FLIP_H

#include "tool/tool.h"

struct flip_result {
    double mean, max;
    /* Below them lie a quarter, half, three quarters of the sum of all errors, as the authors' tool
     * pools them; to 1/65536. 0 where nothing differs. */
    double quartile1, median, quartile3;
};

/* Of a screen so many metres and pixels wide, seen from so far. */
double flip_pixels_per_degree(double distance, double width_pixels, double width_metres);
/* The published conditions: 0.7 m before a screen of 3840 pixels and 0.7 m; 67.02. */
double flip_default_pixels_per_degree(void);

/* map: NULL, or width * height floats that become the errors, 0 to 1. ST_INVALID: sizes differ, or
 * pixels_per_degree is not within 1 and 1000. */
MUST_CHECK enum status flip_compare(const struct tool_image *a, const struct tool_image *b,
                                    double pixels_per_degree, struct flip_result *out, float *map);

#endif
