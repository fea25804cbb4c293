/* LDR-FLIP, a perceptual image difference: Andersson, Nilsson, Akenine-Moller, Oskarsson, Astrom,
 * Fairchild, "FLIP: A Difference Evaluator for Alternating Images", HPG 2020.
 *
 * Both images are sRGB of one size; alpha is ignored and the edge pixels repeat beyond the border.
 * The metric is symmetric. */
#ifndef TOOL_IMAGE_FLIP_H
#define TOOL_IMAGE_FLIP_H

#include "tool/image/image.h"

struct flip_result {
    double mean, max;
    /* Error-weighted quartiles: a quarter, half and three quarters of the sum of all errors lie
     * below them, as the authors' tool pools them. Accurate to 1/65536; 0 if the images are
     * equal. */
    double quartile1, median, quartile3;
};

/* Pixels per degree of a screen of that size, seen from that distance in metres. */
double flip_pixels_per_degree(double distance, double width_pixels, double width_metres);
/* 67.02: the published viewing conditions, 0.7 m from a screen 3840 pixels and 0.7 m wide. */
double flip_default_pixels_per_degree(void);

/* map: NULL, or width * height floats that receive the error of each pixel, 0 to 1. ST_INVALID: the
 * sizes differ, or pixels_per_degree is outside 1 to 1000. */
MUST_CHECK enum status flip_compare(const struct tool_image *a, const struct tool_image *b,
                                    double pixels_per_degree, struct flip_result *out, float *map);

#endif
