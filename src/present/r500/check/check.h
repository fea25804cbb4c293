/* Checker of command streams: applies the rules of Linux's radeon driver (docs/r500.md). */
#ifndef PRESENT_R500_CHECK_CHECK_H
#define PRESENT_R500_CHECK_CHECK_H

#include "present/r500/stream/submit.h"

/* Returns whether a stream may write the register at a byte offset without further checks. */
bool r500_is_allowed(uint32_t reg);

/* Checks a submission. ST_INVALID: *error gives position and reason. */
MUST_CHECK enum status r500_check(const struct r500_submit *submit,
                                  const struct r500_memory *memory, enum r500_chip chip,
                                  struct r500_error *error);

#endif
