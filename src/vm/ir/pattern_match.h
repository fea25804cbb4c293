/* Pattern matching on code: recognises shaders that only modulate a texel or scale inputs, so that
 * a draw can use a faster path. */
#ifndef VM_IR_PATTERN_MATCH_H
#define VM_IR_PATTERN_MATCH_H

#include <stdbool.h>
#include <stdint.h>

struct vm_code;

/* True for short code: few instances of IR instructions, no textures, no flow control. */
bool vm_code_is_cheap(const struct vm_code *code);

/* Finds the u and v coordinates of all implicit-LOD samples of one sampler, as a bit set of input
 * slots. False if a coordinate is not an unmodified input, or the LOD is biased. */
bool vm_code_implicit_lod_inputs(const struct vm_code *code, unsigned sampler, uint64_t *slots);

/* Code whose results are the components of one texel, each optionally multiplied by one factor and
 * saturated. */
struct vm_modulate {
    uint8_t sampler;
    uint16_t coord[2];   /* input slots of u and v; the LOD is implicit */
    int16_t slot[4];     /* output slots of r, g, b, a */
    int16_t factor[4];   /* input slots, or -1 */
    int32_t constant[4]; /* for vm_uniform_value, or -1 */
};
bool vm_code_match_modulate(const struct vm_code *code, struct vm_modulate *out);

/* Code whose four output slots are inputs, optionally multiplied by a constant, or constants. */
struct vm_scaled_inputs {
    int16_t input[4];    /* input slots, or -1 */
    int32_t constant[4]; /* for vm_uniform_value, or -1 */
    bool saturated;      /* either all four or none saturate */
};
bool vm_code_match_scaled_inputs(const struct vm_code *code, const int16_t slot[4],
                                 struct vm_scaled_inputs *out);

/* A constant that a pattern refers to. */
float vm_uniform_value(const void *uniforms, int32_t offset);

#endif
