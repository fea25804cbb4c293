/* Creates pipelines and their fixed-function programs for the cache. Private to pipeline. */
#ifndef DRAW_PIPELINE_PROGRAM_H
#define DRAW_PIPELINE_PROGRAM_H

#include "draw/pipeline/pipeline.h"

/* pipeline.c: creates a pipeline outside the cache. Its fixed-function programs come from the
 * cache. */
MUST_CHECK enum status pipeline_create(struct draw_pipeline **out, struct pipeline_cache *cache,
                                       const struct draw_key *key, const struct draw_state *state);
void pipeline_destroy(struct pipeline_cache *cache, struct draw_pipeline *pipeline);

/* program.c: finds or builds the program of a key; the caller gets a reference. */
MUST_CHECK enum status pipeline_program_vertex(struct pipeline_cache *cache,
                                               struct pipeline_program **out,
                                               const struct ff_vertex_key *key);
MUST_CHECK enum status pipeline_program_pixel(struct pipeline_cache *cache,
                                              struct pipeline_program **out,
                                              const struct ff_pixel_key *key);
void pipeline_program_unref(struct pipeline_cache *cache, struct pipeline_program **slot);

#endif
