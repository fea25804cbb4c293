/* Disassembler of command streams. */
#ifndef PRESENT_R500_STREAM_DUMP_H
#define PRESENT_R500_STREAM_DUMP_H

#include "present/r500/stream/submit.h"

#include <stdio.h>

/* Prints one line per packet, register, field list, instruction or vertex. ST_DAMAGED: the valid
 * part was printed, *error gives position and reason of the rest. */
MUST_CHECK enum status r500_dump(FILE *out, const struct r500_submit *submit,
                                 struct r500_error *error);

#endif
