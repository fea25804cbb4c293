/* Structural similarity (SSIM): Wang, Bovik, Sheikh, Simoncelli, "Image Quality Assessment: From
 * Error Visibility to Structural Similarity", IEEE TIP 2004.
 *
 * Gaussian windows of 11x11 with deviation 1.5, K1 0.01, K2 0.03, over luminance (0.299 R + 0.587 G
 * + 0.114 B, 0 to 255) at full size. The result is the mean over all windows inside the image. The
 * metric is symmetric and ignores alpha. */
#ifndef TOOL_IMAGE_SSIM_H
#define TOOL_IMAGE_SSIM_H

#include "tool/image/image.h"

/* *out is 1 for equal images, less otherwise, and at least -1. A side shorter than 11 pixels is
 * extended to 11 by repeating its last row or column. ST_INVALID: the sizes differ. */
MUST_CHECK enum status ssim_compare(const struct tool_image *a, const struct tool_image *b,
                                    double *out);

#endif
