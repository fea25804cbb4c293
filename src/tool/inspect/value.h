/* The value of one pixel in a surface, and in all bound targets. */
#ifndef TOOL_INSPECT_VALUE_H
#define TOOL_INSPECT_VALUE_H

#include "draw/draw.h"

enum { INSPECT_SAMPLES = 16, INSPECT_BYTES = 16 };

/* format NULL: the pixel does not exist. */
struct inspect_value {
    const struct tex_format *format;
    unsigned samples;
    uint8_t raw[INSPECT_SAMPLES][INSPECT_BYTES];
    float rgba[INSPECT_SAMPLES][4]; /* depth formats: depth in [0] */
};

/* The caller has synchronised memory with draw_sync. In a volume, `face` is the slice. */
void inspect_value_read(struct inspect_value *out, const struct draw_target *target, uint32_t x,
                        uint32_t y);
bool inspect_value_same(const struct inspect_value *a, const struct inspect_value *b);
/* Returns -1 if the format has no stencil. */
int inspect_value_stencil(const struct inspect_value *value, unsigned sample);
/* The pixel's values in all bound targets. */
struct inspect_values {
    struct inspect_value target[DRAW_TARGETS + 1]; /* the last one is depth */
};
void inspect_values_read(struct inspect_values *out, const struct draw_state *state, uint32_t x,
                         uint32_t y);
void inspect_values_write(const struct inspect_values *values, const struct draw_state *state,
                          uint32_t x, uint32_t y);
bool inspect_values_same(const struct inspect_values *a, const struct inspect_values *b);

#endif
