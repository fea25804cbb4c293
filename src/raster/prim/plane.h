/* Interpolation plane: the value of an attribute at each pixel of a primitive. */
#ifndef RASTER_PRIM_PLANE_H
#define RASTER_PRIM_PLANE_H

/* At (x, y) the value is a0 + (dadx * (x - anchor_x) + dady * (y - anchor_y)), with the primitive's
 * anchor (reference: raster/interpolation). */
struct raster_interp_plane {
    float a0, dadx, dady;
};

#endif
