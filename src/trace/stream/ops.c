/* Op tables of compiled streams: command packets from cmd, and the file's own records.
 *
 * Tested by tests/unit/trace/stream/test_format.c. */
#include "trace/stream/format.h"

#include "util/hash.h"

#include <string.h>

static const struct cmd_field fields[] = {
#define FIELD(record, member, kind)                                                                \
    {#member, offsetof(struct nvs_##record, member), CMD_FIELD_##kind, 1},
#include "trace/stream/records.def"
#undef FIELD
};

enum {
#define RECORD(ID, name, value) OP_##name = value,
#include "trace/stream/records.def"
#undef RECORD
};

static const uint16_t owner[] = {
#define FIELD(record, member, kind) OP_##record,
#include "trace/stream/records.def"
#undef FIELD
};

static const struct {
    const char *name;
    size_t bytes;
} records[] = {
#define RECORD(ID, name, value) {#name, sizeof(struct nvs_##name)},
#include "trace/stream/records.def"
#undef RECORD
};

enum { FIRST = NVS_CREATE_IMAGE, COUNT = sizeof(records) / sizeof(records[0]) };

bool nvs_op_info(unsigned op, struct nvs_op_info *out)
{
    unsigned first = 0;

    if (op < CMD_OP_COUNT) {
        *out = (struct nvs_op_info){cmd_name(op), cmd_packet_bytes(op), NULL, 0};
        out->field = cmd_fields(op, &out->n_fields);
        return true;
    }
    if (op < FIRST || op >= FIRST + COUNT)
        return false;
    while (owner[first] != op)
        first++;
    *out = (struct nvs_op_info){records[op - FIRST].name, records[op - FIRST].bytes, &fields[first],
                                0};
    while (first + out->n_fields < sizeof(owner) / sizeof(owner[0]) &&
           owner[first + out->n_fields] == op)
        out->n_fields++;
    return true;
}

static uint64_t hash_op(unsigned op, uint64_t hash)
{
    struct nvs_op_info info;

    if (!nvs_op_info(op, &info))
        return hash;
    hash = hash_bytes(info.name, strlen(info.name), hash);
    for (unsigned i = 0; i < info.n_fields; i++) {
        const struct cmd_field *f = &info.field[i];
        const uint8_t numbers[5] = {(uint8_t)f->offset, (uint8_t)(f->offset >> 8), f->kind,
                                    (uint8_t)f->count, (uint8_t)(f->count >> 8)};

        hash = hash_bytes(f->name, strlen(f->name), hash);
        hash = hash_bytes(numbers, sizeof(numbers), hash);
    }
    return hash;
}

uint64_t nvs_tables(void)
{
    uint64_t hash = 0;

    for (unsigned op = 0; op < FIRST + COUNT; op++)
        hash = hash_op(op, hash);
    return hash;
}
