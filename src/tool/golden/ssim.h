/* Structural similarity of two pictures of one size: Wang, Bovik, Sheikh, Simoncelli, "Image
 * Quality Assessment: From Error Visibility to Structural Similarity", IEEE TIP 2004. Gaussian
 * windows of 11x11, deviation 1.5, K1 0.01, K2 0.03, over luminance (0.299 R + 0.587 G + 0.114 B, 0
 * to 255) at full size; the mean is over the windows that lie inside. Symmetric; alpha does not
 * count. */
#ifndef TOOL_GOLDEN_SSIM_H
#define TOOL_GOLDEN_SSIM_H

#include "tool/tool.h"

/* *out is 1 where pictures are equal, less otherwise, -1 at least. A side of less than 11 pixels
 * counts as if its last ones were repeated up to 11. ST_INVALID: sizes differ. */
MUST_CHECK enum status ssim_compare(const struct tool_image *a, const struct tool_image *b,
                                    double *out);

#endif
