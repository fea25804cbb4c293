/* Makes pipelines from states: decisions from the shape, then the values. Private to state. */
#ifndef RASTER_STATE_DECIDE_H
#define RASTER_STATE_DECIDE_H

#include "raster/state/pipeline.h"

struct raster_merge_target;

/* pipeline.c: Sets all that the shape of pipeline->s determines. pipeline->query is set if the draw
 * counts samples. */
void raster_pipeline_decide(const struct raster *raster, struct raster_pipeline *pipeline);

/* merge_key.c: The shape of a target that the state writes. */
void raster_merge_target_init(struct raster_merge_target *target, const struct tex_format *format,
                              const struct raster_state *state, unsigned write_mask);
/* The precision of the alpha test for a format of target 0: its widest channel, at least 8 bits.
 * NULL: there is no target. */
unsigned raster_alpha_bits(const struct tex_format *format);

/* values.c: Gives the pipeline other values. */
void raster_pipeline_set_values(const struct raster *raster, struct raster_pipeline *pipeline,
                                const struct raster_values *values);
/* The fog of a state, enum raster_fog. */
uint8_t raster_fog_mode(const struct raster_state *s);

#endif
