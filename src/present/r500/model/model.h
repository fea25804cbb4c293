/* Model of the R500 chip: executes a command stream on buffers in memory. It reports every feature
 * that docs/r500.md does not list as an error, with its name. */
#ifndef PRESENT_R500_MODEL_MODEL_H
#define PRESENT_R500_MODEL_MODEL_H

#include "present/r500/stream/submit.h"

/* Executes a stream from the reset state; no state of earlier streams remains. Any stream is safe.
 * ST_UNSUPPORTED, ST_DAMAGED: *error gives reason and position; buffers may be partly written. */
MUST_CHECK enum status r500_run(const struct r500_submit *submit, const struct r500_memory *memory,
                                struct r500_error *error);

#endif
