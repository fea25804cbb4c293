/* Makes pipelines from states: decisions from the shape, then the values. Private to state. */
#ifndef RASTER_STATE_DECIDE_H
#define RASTER_STATE_DECIDE_H

#include "raster/state/pipeline.h"

/* pipeline.c: Sets all that the shape of pipeline->s determines. pipeline->query is set if the draw
 * counts samples. */
void raster_pipeline_decide(const struct raster *raster, struct raster_pipeline *pipeline);
/* The side effects of a draw: enum raster_written. */
unsigned raster_pipeline_writes(const struct raster_pipeline *pipeline);

/* values.c: Gives the pipeline other values. */
void raster_pipeline_set_values(const struct raster *raster, struct raster_pipeline *pipeline,
                                const struct raster_values *values);
/* The fog of a state, enum raster_fog. */
uint8_t raster_fog_mode(const struct raster_state *s);

#endif
