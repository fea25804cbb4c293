/* Interpolation planes: the depth and the attributes at each pixel of a primitive. */
#ifndef RASTER_PRIM_PLANE_H
#define RASTER_PRIM_PLANE_H

/* Depth. At (x, y) the value is a0 + (dadx * (x - anchor_x) + dady * (y - anchor_y)), with the
 * primitive's anchor (reference: depth/interpolation). */
struct raster_interp_plane {
    float a0, dadx, dady;
};

/* An attribute, an attribute over w, or 1/w: (a0 + dady * (y - anchor_y)) + dadx * (x - anchor_x)
 * in double precision. The attribute is rounded once, after the multiplication by w; sums smaller
 * than `tiny` are 0 (reference: raster/interpolation, raster/perspective). */
struct raster_attr_plane {
    float value; /* at the anchor; of a constant attribute with all its bits */
    float tiny;
    double a0, dadx, dady;
};

/* `tiny` as a part of the largest vertex value: more than the rounding error of a sum in double
 * precision, less than what single precision keeps of it. */
#define RASTER_TINY 0x1p-40f

#endif
