/* Positions of the samples of a pixel (reference: multisample/positions).
 *
 * Tested by tests/unit/raster/shade/test_multisample.c. */
#include "raster/scene/blocks.h"

const int8_t raster_sample_x[MAX_SAMPLES + 1][MAX_SAMPLES] = {
    [2] = {4, -4},
    [4] = {-2, 6, -6, 2},
    [8] = {1, -1, 5, -3, -5, -7, 3, 7},
    [16] = {1, -1, -3, 4, -5, 2, 5, 3, -2, 0, -4, -6, -8, 7, 6, -7},
};
const int8_t raster_sample_y[MAX_SAMPLES + 1][MAX_SAMPLES] = {
    [2] = {4, -4},
    [4] = {-6, -2, 2, 6},
    [8] = {-3, 3, 1, -5, 5, -1, 7, -7},
    [16] = {1, -3, 2, -1, -2, 5, 3, -5, 6, -7, -6, 4, 0, -4, 7, -8},
};
