/* Reflection tables of command packets: names, sizes, fields and uses of resources. */
#include "cmd/cmd.h"

#define FIELD(packet, member, kind, count)                                                         \
    {#member, offsetof(struct cmd_##packet, member), CMD_FIELD_##kind, count},
#define USE(packet, member, kind, use) FIELD(packet, member, kind, 1)
#define PACKET_FIELDS(packet, bound, ...)                                                          \
    static const struct cmd_field packet##_fields[] = {__VA_ARGS__};
#include "cmd/fields.def"
#undef FIELD
#undef USE
#undef PACKET_FIELDS

_Static_assert(!offsetof(struct cmd_set_texture, sampler) && !offsetof(struct cmd_set_stream, stream) &&
                   !offsetof(struct cmd_set_target, index),
               "cmd_binding_index reads the slot from the first word");

enum { CMD_RESOURCE = CMD_FREE }; /* the kind of a handle that names any resource */
#define FIELD(packet, member, kind, count)
#define USE(packet, member, kind, use)                                                             \
    {offsetof(struct cmd_##packet, member), CMD_##kind, CMD_USE_##use},
#define PACKET_FIELDS(packet, bound, ...)                                                          \
    static const struct cmd_handle_field packet##_handles[] = {__VA_ARGS__{0, 0, 0}};
#include "cmd/fields.def"
#undef USE
#undef PACKET_FIELDS

/* Numbers of enum cmd_op by the lower-case packet names that fields.def uses. */
enum {
#define PACKET(ID, name) OP_##name,
#include "cmd/packets.def"
#undef PACKET
};

static const struct {
    const char *name;
    size_t bytes;
    const struct cmd_field *field;
    unsigned n_fields;
} packets[CMD_OP_COUNT] = {
#define PACKET_FIELDS(packet, bound, ...)                                                          \
    [OP_##packet] = {#packet, sizeof(struct cmd_##packet), packet##_fields,                        \
                     sizeof(packet##_fields) / sizeof(packet##_fields[0])},
#include "cmd/fields.def"
#undef PACKET_FIELDS
};

const struct cmd_handle_field *const cmd_handle_table[CMD_OP_COUNT] = {
#define PACKET_FIELDS(packet, bound, ...) [OP_##packet] = packet##_handles,
#include "cmd/fields.def"
#undef PACKET_FIELDS
};

const uint16_t cmd_use_table[CMD_OP_COUNT] = {
#define USE(packet, member, kind, use) | CMD_USE_##use
#define PACKET_FIELDS(packet, bound, ...) [OP_##packet] = CMD_USE_##bound __VA_ARGS__,
#include "cmd/fields.def"
#undef FIELD
#undef USE
#undef PACKET_FIELDS
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
    *n = packets[op].n_fields;
    return packets[op].field;
}
