/* What the parts of the checker share: the reason of a refusal, the next packet, its relocations.
 *
 * Tested by tests/unit/present/r500/check/test_check.c. */
#include "present/r500/check/checker.h"

#include <stdarg.h>
#include <stdio.h>

bool checker_refuse(struct r500_error *error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
    return false;
}

bool checker_packet(struct checker *c, struct pm4_packet *packet)
{
    const char *reason;

    return pm4_read(c->submit->stream, c->submit->n, &c->next, packet, &reason) == ST_OK ||
           checker_refuse(c->error, "%s", reason);
}

bool checker_relocation(struct checker *c, const struct r500_buffer **buffer)
{
    uint32_t limit = c->submit->n_relocs * R500_RELOC_DWORDS;
    struct pm4_packet packet;

    *buffer = NULL;
    if (!checker_packet(c, &packet))
        return false;
    if (packet.type != 3 || packet.opcode != PM4_NOP)
        return checker_refuse(c->error, "no relocation: the next packet is not a NOP");
    if (packet.data[0] >= limit)
        return checker_refuse(c->error, "relocation %u is beyond the chunk of %u dwords",
                              packet.data[0], limit);
    *buffer = r500_buffer(c->memory, c->submit->relocs[packet.data[0] / R500_RELOC_DWORDS].handle);
    return true;
}
