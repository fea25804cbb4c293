/* Reflection tables of command packets: names, sizes and fields, for file formats and dumps. */
#include "cmd/cmd.h"

static const struct cmd_field fields[] = {
#define FIELD(packet, member, kind, count)                                                         \
    {#member, offsetof(struct cmd_##packet, member), CMD_FIELD_##kind, count},
#include "cmd/fields.def"
#undef FIELD
};

/* Numbers of enum cmd_op by the lower-case packet names that fields.def uses. */
enum {
#define PACKET(ID, name) ORDER_##name,
#include "cmd/packets.def"
#undef PACKET
};

/* The op of the packet that each entry of `fields` belongs to. */
static const uint8_t owner[] = {
#define FIELD(packet, member, kind, count) ORDER_##packet,
#include "cmd/fields.def"
#undef FIELD
};

static const struct {
    const char *name;
    size_t bytes;
} packets[CMD_OP_COUNT] = {
#define PACKET(ID, name) [CMD_##ID] = {#name, sizeof(struct cmd_##name)},
#include "cmd/packets.def"
#undef PACKET
};

const char *cmd_name(enum cmd_op op)
{
    return packets[op].name;
}

size_t cmd_packet_bytes(enum cmd_op op)
{
    return packets[op].bytes;
}

const struct cmd_field *cmd_fields(enum cmd_op op, unsigned *n)
{
    enum { ALL = sizeof(fields) / sizeof(fields[0]) };
    unsigned first = 0;

    while (first < ALL && owner[first] != op)
        first++;
    for (*n = 0; first + *n < ALL && owner[first + *n] == op;)
        ++*n;
    return &fields[first];
}
