/* Parser of PM4 packets. */
#include "present/r500/stream/pm4.h"

#include <stddef.h>

enum status pm4_read(const uint32_t *dwords, uint32_t n, uint32_t *at, struct pm4_packet *out,
                     const char **reason)
{
    uint32_t header, i = *at;

    *reason = "no packet: end of the stream";
    if (i >= n)
        return ST_DAMAGED;
    header = dwords[i];
    *out = (struct pm4_packet){.at = i, .type = header >> 30, .data = dwords + i + 1};
    if (out->type == 2) {
        *at = i + 1;
        return ST_OK;
    }
    *reason = "packet of type 1";
    if (out->type == 1)
        return ST_DAMAGED;
    out->n = (header >> 16 & 0x3fff) + 1;
    *reason = "packet beyond the end of the stream";
    if (out->n >= n - i)
        return ST_DAMAGED;
    if (out->type == 0) {
        out->reg = (header & 0x1fff) << 2;
        out->one_reg = header & PM4_ONE_REG;
    } else {
        out->opcode = header >> 8 & 0xff;
    }
    *at = i + 1 + out->n;
    return ST_OK;
}

const char *pm4_opcode_name(unsigned opcode)
{
    switch ((enum pm4_opcode)opcode) {
#define NAME(id)                                                                                   \
    case PM4_##id:                                                                                 \
        return #id;
        NAME(NOP)
        NAME(WAIT_FOR_IDLE)
        NAME(3D_DRAW_VBUF)
        NAME(3D_DRAW_IMMD)
        NAME(3D_DRAW_INDX)
        NAME(LOAD_PALETTE)
        NAME(3D_LOAD_VBPNTR)
        NAME(3D_CLEAR_ZMASK)
        NAME(INDX_BUFFER)
        NAME(3D_DRAW_VBUF_2)
        NAME(3D_DRAW_IMMD_2)
        NAME(3D_DRAW_INDX_2)
        NAME(3D_CLEAR_HIZ)
        NAME(3D_CLEAR_CMASK)
        NAME(3D_DRAW_128)
        NAME(BITBLT_MULTI)
#undef NAME
    }
    return NULL;
}
