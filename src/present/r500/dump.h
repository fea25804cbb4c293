/* Streams as text. */
#ifndef PRESENT_R500_DUMP_H
#define PRESENT_R500_DUMP_H

#include "present/r500/submit.h"

#include <stdio.h>

/* A line a packet, register, field list, instruction or vertex. ST_DAMAGED after what could be
 * read: *error tells where the rest cannot. */
MUST_CHECK enum status r500_dump(FILE *out, const struct r500_submit *submit,
                                 struct r500_error *error);

#endif
