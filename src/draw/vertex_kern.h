/* The inner loops of the vertex stage, one table per instruction set: words of vertex elements to
 * lanes and back. Rows are VM_LANES floats, 64-byte aligned, of which the first n, rounded up to a
 * multiple of 16, are written. Private to draw. */
#ifndef DRAW_VERTEX_KERN_H
#define DRAW_VERTEX_KERN_H

#include "util/cpu.h"

#include <stdint.h>

/* What the halves of a word are. */
enum vertex_int16 { VERTEX_SHORT, VERTEX_SHORT_N, VERTEX_USHORT_N };

struct vertex_kern {
    /* The four words at from + at[i], as they are, to the rows' lane i; at is rounded up, too. */
    void (*gather_vec4)(const uint8_t *from, const uint32_t *at, unsigned n, float *const row[4]);
    /* Each byte of the words, the lowest first, as a number or by 255. */
    void (*unpack_uint8)(const uint32_t *word, unsigned n, int normalised, float *const row[4]);
    /* Both halves of the words, the lower first. */
    void (*unpack_int16)(const uint32_t *word, unsigned n, enum vertex_int16 kind,
                         float *const row[2]);
    /* Four rows to n vertices, rounded up to a multiple of 16: four floats each, stride apart. */
    void (*scatter_vec4)(const float *const row[4], unsigned n, float *out, uint32_t stride);
    void (*saturate)(const float *row, unsigned n, float *out);

    /* Indices, any number of them. Of 16 bits to 32: */
    void (*widen_uint16)(const uint8_t *from, uint32_t n, uint32_t *to);
    void (*min_max)(const uint32_t *index, uint32_t n, uint32_t *least, uint32_t *largest);
    void (*subtract)(uint32_t *index, uint32_t n, uint32_t what);
    uint32_t (*count_ones)(const uint8_t *flag, uint32_t n); /* bytes of 1, the others being 0 */
};

KERN_DECLARE(struct vertex_kern, vertex_kern);

#endif
