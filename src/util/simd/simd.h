/* The vectors of kernels: types and operations (vector.h), operations built from them (generic.h)
 * and gathers (loads.h). Only *_kern.c files (and scalar_math.c, with one lane) include this
 * header; vector types never cross an object file's boundary. */
#ifndef UTIL_SIMD_SIMD_H
#define UTIL_SIMD_SIMD_H

#include "util/simd/generic.h"
#include "util/simd/loads.h"
#include "util/simd/vector.h"

#endif
