/* A check in progress. Private to the checker. */
#ifndef PRESENT_R500_CHECK_CHECKER_H
#define PRESENT_R500_CHECK_CHECKER_H

#include "present/r500/check/track.h"
#include "present/r500/stream/pm4.h"

struct checker {
    const struct r500_submit *submit;
    const struct r500_memory *memory;
    enum r500_chip chip;
    struct track track;
    uint32_t next; /* dword of the next packet, past the relocations of the current one */
    struct r500_error *error;
};

/* Stores the reason; returns false. */
bool checker_refuse(struct r500_error *error, const char *format, ...) PRINTF_LIKE(2, 3);
/* Reads the next packet; refuses a damaged one. */
bool checker_packet(struct checker *c, struct pm4_packet *packet);
/* Takes the relocation in the next packet. */
bool checker_relocation(struct checker *c, const struct r500_buffer **buffer);
/* Checks the write of a register that r500_is_allowed does not allow. */
bool checker_register(struct checker *c, uint32_t reg, uint32_t value);

#endif
