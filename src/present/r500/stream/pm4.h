/* PM4 packets of the Radeon command processor: headers and parser. */
#ifndef PRESENT_R500_STREAM_PM4_H
#define PRESENT_R500_STREAM_PM4_H

#include "util/status.h"

#include <stdbool.h>
#include <stdint.h>

enum pm4_opcode {
    PM4_NOP = 0x10,
    PM4_WAIT_FOR_IDLE = 0x26,
    PM4_3D_DRAW_VBUF = 0x28,
    PM4_3D_DRAW_IMMD = 0x29,
    PM4_3D_DRAW_INDX = 0x2a,
    PM4_LOAD_PALETTE = 0x2c,
    PM4_3D_LOAD_VBPNTR = 0x2f,
    PM4_3D_CLEAR_ZMASK = 0x32,
    PM4_INDX_BUFFER = 0x33,
    PM4_3D_DRAW_VBUF_2 = 0x34,
    PM4_3D_DRAW_IMMD_2 = 0x35,
    PM4_3D_DRAW_INDX_2 = 0x36,
    PM4_3D_CLEAR_HIZ = 0x37,
    PM4_3D_CLEAR_CMASK = 0x38,
    PM4_3D_DRAW_128 = 0x39,
    PM4_BITBLT_MULTI = 0x9b,
};

#define PM4_TYPE0(reg, n) ((uint32_t)((n)-1) << 16 | (uint32_t)(reg) >> 2)
#define PM4_ONE_REG (1u << 15) /* type 0 header: writes all dwords to one register */
#define PM4_FILLER 0x80000000u
#define PM4_TYPE3(opcode, n) (0xc0000000u | (uint32_t)((n)-1) << 16 | (uint32_t)(opcode) << 8)
/* Relocation packet: its one dword is a dword index into the relocations. */
#define PM4_RELOCATION PM4_TYPE3(PM4_NOP, 1)

struct pm4_packet {
    uint32_t at; /* dword index of the header */
    unsigned type;
    uint32_t n; /* dwords after the header */
    const uint32_t *data;
    uint32_t reg; /* type 0: byte offset of the first register */
    bool one_reg;
    unsigned opcode; /* type 3 */
};

/* Reads the packet at dword *at of n and advances. ST_DAMAGED: *reason; *at is unchanged. */
MUST_CHECK enum status pm4_read(const uint32_t *dwords, uint32_t n, uint32_t *at,
                                struct pm4_packet *out, const char **reason);
/* Returns a name such as "3D_DRAW_IMMD_2"; NULL for an unknown opcode. */
const char *pm4_opcode_name(unsigned opcode);

#endif
