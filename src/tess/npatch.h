/* N-patches: curved triangles through three vertices with normals, as published by Vlachos, Peters,
 * Boyd and Mitchell ("Curved PN Triangles", 2001). */
#ifndef TESS_NPATCH_H
#define TESS_NPATCH_H

#include <stdbool.h>

/* Control points and normals of one triangle. */
struct tess_npatch {
    double corner[3][3], edge[3][2][3], centre[3];
    double normal[3][3], middle[3][3];
    bool cubic, quadratic;
};

/* cubic: positions are cubic, else linear. quadratic: normals are quadratic, else linear. normal
 * NULL: both are linear. The length of a normal does not change positions (reference:
 * tessellation/n-patch). */
void tess_npatch_init(struct tess_npatch *patch, const float position[3][4],
                      const float (*normal)[4], bool cubic, bool quadratic);
/* Position or normal at the weights of the corners. Where a weight is 1, that corner's own value (a
 * quadratic normal gets the length 1). Where a weight is 0, a function of the other two corners
 * alone, whose order does not matter. */
void tess_npatch_position(const struct tess_npatch *patch, const double w[3], float out[3]);
void tess_npatch_normal(const struct tess_npatch *patch, const double w[3], float out[3]);

/* Linear interpolation of n components of the corners. */
void tess_blend(const float *const corner[3], const double w[3], unsigned n, float *out);

#endif
