/* Declares the SIMD kernels of the vertex stage, one table for each instruction set:
 * conversion of vertex elements to lanes and of lanes to vertices, and scans of index lists.
 * Private to vertex.
 *
 * A row is VM_LANES floats, 64-byte aligned. Kernels write its first n lanes, with n rounded up to
 * a multiple of 16. */
#ifndef DRAW_VERTEX_VERTEX_KERN_H
#define DRAW_VERTEX_VERTEX_KERN_H

#include "util/cpu.h"

#include <stdint.h>

/* Type of the 16-bit halves of a word. */
enum vertex_int16 { VERTEX_SHORT, VERTEX_SHORT_N, VERTEX_USHORT_N };

struct vertex_kern {
    /* Copies the four words at from + at[i] to lane i of the rows. `at` has the rounded-up n. */
    void (*gather_vec4)(const uint8_t *from, const uint32_t *at, unsigned n, float *const row[4]);
    /* Converts the bytes of each word, lowest first, to floats; normalised: divided by 255. */
    void (*unpack_uint8)(const uint32_t *word, unsigned n, int normalised, float *const row[4]);
    /* Converts the halves of each word, lower first, to floats. */
    void (*unpack_int16)(const uint32_t *word, unsigned n, enum vertex_int16 kind,
                         float *const row[2]);
    /* Transposes four rows to n vertices, rounded up to a multiple of 16: four floats each,
     * `stride` floats apart. */
    void (*scatter_vec4)(const float *const row[4], unsigned n, float *out, uint32_t stride);
    /* Clamps to [0,1]; NaN becomes 0. */
    void (*saturate)(const float *row, unsigned n, float *out);

    /* Kernels for index lists of any length. */
    void (*widen_uint16)(const uint8_t *from, uint32_t n, uint32_t *to);
    void (*min_max)(const uint32_t *index, uint32_t n, uint32_t *least, uint32_t *largest);
    void (*subtract)(uint32_t *index, uint32_t n, uint32_t value);
    uint32_t (*count_ones)(const uint8_t *flag, uint32_t n); /* each byte is 0 or 1 */
};

KERN_DECLARE(struct vertex_kern, vertex_kern);

#endif
