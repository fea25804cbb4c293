/* Which resources a packet reads, writes and binds, by the uses in fields.def. */
#include "cmd/stream.h"

#define SLOTS(member) offsetof(struct cmd_bindings, member) / sizeof(cmd_handle)

/* In the order of CMD_USE_BIND_*. */
const struct cmd_binding cmd_binding_table[CMD_BINDINGS] = {
    {SLOTS(texture), CMD_SAMPLERS, CMD_IMAGE, false},
    {SLOTS(stream), CMD_STREAMS, CMD_BUFFER, false},
    {SLOTS(indices), 1, CMD_BUFFER, false},
    {SLOTS(target), CMD_TARGETS, CMD_IMAGE, true},
};

cmd_handle cmd_named(enum cmd_op op, const void *packet, unsigned uses)
{
    const struct cmd_handle_field *field = cmd_handles(op);

    while (field->use && !(field->use & uses))
        field++;
    return field->use ? cmd_handle_at(field, packet) : 0;
}

/* --- Bindings --------------------------------------------------------------------------------- */

static void forget(struct cmd_bindings *bindings, cmd_handle handle)
{
    cmd_handle *slot = (cmd_handle *)(void *)bindings;

    for (unsigned i = 0; i < sizeof(*bindings) / sizeof(cmd_handle); i++)
        if (slot[i] == handle)
            slot[i] = 0;
}

void cmd_bindings_update(struct cmd_bindings *bindings, enum cmd_op op, const void *packet)
{
    const struct cmd_handle_field *field = cmd_handles(op);

    if (field->use & CMD_USE_BIND) {
        const struct cmd_binding *binding = cmd_binding_of(field->use);
        uint32_t index = cmd_binding_index(binding, packet);

        if (index < binding->n)
            cmd_binding_slots(bindings, binding)[index] = cmd_handle_at(field, packet);
    } else if (field->use == CMD_USE_DESTROY) {
        forget(bindings, cmd_handle_at(field, packet));
    }
}

/* --- Accesses --------------------------------------------------------------------------------- */

static unsigned add_named(enum cmd_op op, const void *packet, struct cmd_access *out)
{
    unsigned n = 0;

    for (const struct cmd_handle_field *field = cmd_handles(op); field->use; field++) {
        struct cmd_access access = {.handle = cmd_handle_at(field, packet),
                                    .read = field->use & CMD_USE_READ,
                                    .write = field->use & CMD_USE_WRITE};

        if (!(field->use & CMD_USE_MODIFY) || !access.handle)
            continue;
        if (field->use & CMD_USE_LEVEL)
            access.surface = (const void *)((const uint8_t *)packet + field->offset);
        out[n++] = access;
    }
    return n;
}

/* Adds what is bound to the slots of one kind. */
static unsigned add_bound(const struct cmd_bindings *bindings, enum cmd_field_use bind, bool read,
                          struct cmd_access *out)
{
    const struct cmd_binding *binding = cmd_binding_of(bind);
    const cmd_handle *slot = (const cmd_handle *)(const void *)bindings + binding->first;
    unsigned n = 0;

    for (unsigned i = 0; i < binding->n; i++)
        if (slot[i])
            out[n++] = (struct cmd_access){.handle = slot[i],
                                           .read = read,
                                           .write = binding->writes,
                                           .bound = bind,
                                           .index = i};
    return n;
}

unsigned cmd_accesses(enum cmd_op op, const void *packet, const struct cmd_bindings *bindings,
                      struct cmd_access out[CMD_MAX_ACCESSES])
{
    unsigned uses = cmd_uses(op), n = add_named(op, packet, out);
    bool read = uses & CMD_USE_BOUND_READ; /* a draw tests depth and blends: it reads targets too */

    if (read) {
        n += add_bound(bindings, CMD_USE_BIND_TEXTURE, true, out + n);
        n += add_bound(bindings, CMD_USE_BIND_STREAM, true, out + n);
        n += add_bound(bindings, CMD_USE_BIND_INDICES, true, out + n);
    }
    if (uses & CMD_USE_BOUND_WRITE)
        n += add_bound(bindings, CMD_USE_BIND_TARGET, read, out + n);
    return n;
}

bool cmd_written_box(enum cmd_op op, const void *packet, struct cmd_box *out)
{
    const struct cmd_copy *copy = packet;

    switch (op) {
    case CMD_COPY:
        *out = (struct cmd_box){copy->x,
                                copy->y,
                                copy->z,
                                copy->x + copy->box.x1 - copy->box.x0,
                                copy->y + copy->box.y1 - copy->box.y0,
                                copy->z + copy->box.z1 - copy->box.z0};
        return true;
    case CMD_STRETCH:
        *out = ((const struct cmd_stretch *)packet)->dst_box;
        return true;
    case CMD_FILL:
        *out = ((const struct cmd_fill *)packet)->box;
        return true;
    default:
        return false;
    }
}
