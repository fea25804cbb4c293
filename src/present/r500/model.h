/* A model of the chip: executes a stream on buffers in memory. docs/r500.md says what it knows; all
 * else is an error that names it, never a guess. */
#ifndef PRESENT_R500_MODEL_H
#define PRESENT_R500_MODEL_H

#include "present/r500/submit.h"

/* Runs a stream from a fresh state: nothing comes from earlier ones. Any stream may be given.
 * ST_UNSUPPORTED, ST_DAMAGED: *error tells what and where; buffers may be written in part. */
MUST_CHECK enum status r500_run(const struct r500_submit *submit, const struct r500_memory *memory,
                                struct r500_error *error);

#endif
