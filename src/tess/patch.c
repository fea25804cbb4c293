/* Patches: which exist, and their meshes (reference: tessellation/patches). */
#include "tess/evaluate.h"

static bool is_degree(D3DDEGREETYPE degree)
{
    return degree == D3DDEGREE_LINEAR || degree == D3DDEGREE_CUBIC || degree == D3DDEGREE_QUINTIC;
}

bool tess_patch_is_valid(const struct tess_patch *patch)
{
    uint32_t degree = (uint32_t)patch->degree;

    if (!is_degree(patch->degree))
        return false;
    if (patch->triangle)
        return patch->basis == D3DBASIS_BEZIER && patch->height == 1 &&
               patch->width == (degree + 1) * (degree + 2) / 2;
    if (patch->basis == D3DBASIS_INTERPOLATE && patch->degree != D3DDEGREE_CUBIC)
        return false;
    return (patch->basis == D3DBASIS_BEZIER || patch->basis == D3DBASIS_BSPLINE ||
            patch->basis == D3DBASIS_INTERPOLATE) &&
           patch->width > degree && patch->height > degree;
}

uint64_t tess_patch_points(const struct tess_patch *patch)
{
    return (uint64_t)patch->width * patch->height;
}

enum status tess_patch_mesh(struct tess_mesh *out, const struct tess_patch *patch,
                            const struct tess_points *points)
{
    return patch->triangle ? tess_triangle(out, patch, points) : tess_rectangle(out, patch, points);
}
