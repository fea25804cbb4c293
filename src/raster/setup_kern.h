/* The set-up of many triangles at once. Every table gives the same bits. */
#ifndef RASTER_SETUP_KERN_H
#define RASTER_SETUP_KERN_H

#include "raster/raster_kern.h"

enum { SMALL_GROUP = 16 };

/* Triangles at most 8 pixels wide and high, counted from an even pixel: which of them draw what. */
struct raster_small_group {
    _Alignas(64) int32_t x[3][SMALL_GROUP], y[3][SMALL_GROUP]; /* corners, 1/256 pixel */
    int32_t rect[4];
    bool clockwise, counter; /* facings that are drawn */

    /* Results, a bit a triangle: small ones within rect that draw something; those that are not
     * small, or not within rect. Of the former the box, and its pixels as bits y * 8 + x, from its
     * upper left one, four rows each. */
    uint32_t drawn, other;
    _Alignas(64) int32_t box[4][SMALL_GROUP];
    uint32_t pixels[2][SMALL_GROUP];
};

struct raster_setup_kern {
    void (*small)(struct raster_small_group *group);
};

KERN_DECLARE(struct raster_setup_kern, raster_setup_kern);

#endif
