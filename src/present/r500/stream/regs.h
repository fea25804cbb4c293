/* R500 register names, offsets and fields. */
#ifndef PRESENT_R500_STREAM_REGS_H
#define PRESENT_R500_STREAM_REGS_H

#include <stddef.h>
#include <stdint.h>

/* Byte offsets such as R500_TX_FORMAT0, and field bits R500_TX_FORMAT0_TXWIDTH_HI and _LO. */
enum {
#define REG(name, offset, count) R500_##name = (offset),
#define FIELD(reg, name, hi, lo) R500_##reg##_##name##_HI = (hi), R500_##reg##_##name##_LO = (lo),
#include "present/r500/stream/regs.def"
#undef REG
#undef FIELD
    R500_REGISTER_BYTES = 0x8000
};

#define R500_BITS(hi) (UINT32_MAX >> (31 - (hi)))
/* Shift a value into its field, and out of it. */
#define R500_SET(reg, field, value)                                                                \
    (((uint32_t)(value) << R500_##reg##_##field##_LO) & R500_BITS(R500_##reg##_##field##_HI))
#define R500_GET(reg, field, word)                                                                 \
    (((word)&R500_BITS(R500_##reg##_##field##_HI)) >> R500_##reg##_##field##_LO)

/* A register or a field; fields follow their register in the table. */
struct r500_row {
    const char *name;
    uint16_t offset;   /* of the register; 0 for fields */
    uint8_t count;     /* number of registers */
    uint8_t high, low; /* of a field */
};

/* Returns the row of the register at a byte offset; NULL if it is unknown. *n_fields rows follow
 * it. */
const struct r500_row *r500_find(uint32_t offset, unsigned *n_fields);
/* Writes "TX_FORMAT0[3]" or "0x4018"; returns the result of snprintf. */
int r500_name(char *out, size_t size, uint32_t offset);

#endif
