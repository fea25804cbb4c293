/* Command-stream checker: applies the rules of Linux's radeon driver to packets, relocations and
 * draws (sources: docs/r500.md). */
#include "present/r500/check/check.h"

#include "present/r500/check/checker.h"
#include "present/r500/stream/regs.h"

enum { BITMAP_BYTES = 219 * 128 /* register space covered by the driver's bitmap */ };

static bool relocations_are_good(struct checker *c)
{
    for (uint32_t i = 0; i < c->submit->n_relocs; i++) {
        const struct r500_reloc *r = &c->submit->relocs[i];
        uint32_t domain = r->write_domain ? r->write_domain : r->read_domains;

        if (!r500_buffer(c->memory, r->handle))
            return checker_refuse(c->error, "relocation entry %u: no buffer has handle %u", i,
                                  r->handle);
        if (domain & R500_DOMAIN_CPU)
            return checker_refuse(c->error, "relocation entry %u: the CPU's domain", i);
    }
    return true;
}

static bool check_type0(struct checker *c, const struct pm4_packet *packet)
{
    uint32_t last = packet->reg + (packet->one_reg ? 0 : 4 * (packet->n - 1));

    if (last >= BITMAP_BYTES)
        return checker_refuse(c->error, "forbidden register 0x%04x", last);
    for (uint32_t i = 0; i < packet->n; i++) {
        uint32_t reg = packet->reg + (packet->one_reg ? 0 : 4 * i);

        if (!r500_is_allowed(reg)) {
            if (!checker_register(c, reg, packet->data[i]))
                return false;
        } else if (packet->one_reg) {
            break;
        }
    }
    return true;
}

/* --- Draws ------------------------------------------------------------------------------------ */

static bool check_arrays(struct checker *c, const struct pm4_packet *packet)
{
    uint32_t n = packet->data[0] & 31;

    if (n > TRACK_ARRAYS)
        return checker_refuse(c->error, "%u vertex arrays", n);
    if (packet->n < 1 + n / 2 * 3 + n % 2 * 2)
        return checker_refuse(c->error, "the packet is too short for %u vertex arrays", n);
    c->track.n_arrays = n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t attributes = packet->data[1 + i / 2 * 3];

        c->track.array[i].dwords = attributes >> (i % 2 ? 24 : 8) & 0x7f;
        if (!checker_relocation(c, &c->track.array[i].buffer))
            return false;
    }
    return true;
}

static bool check_indices(struct checker *c, const struct pm4_packet *packet)
{
    const struct r500_buffer *buffer;

    if (packet->n < 3)
        return checker_refuse(c->error, "the packet is too short for an index buffer");
    if (!checker_relocation(c, &buffer))
        return false;
    /* As in the driver, which compares dwords with bytes. */
    return (uint64_t)packet->data[2] + 1 <= buffer->size ||
           checker_refuse(c->error, "the index buffer is too small");
}

/* at: index of VF_CNTL in the packet. */
static bool check_draw(struct checker *c, const struct pm4_packet *packet, uint32_t at,
                       bool immediate)
{
    if (packet->n <= at)
        return checker_refuse(c->error, "the packet is too short for a draw");
    c->track.vf_cntl = packet->data[at];
    if (immediate && R500_GET(VAP_VF_CNTL, PRIM_WALK, packet->data[at]) != 3)
        return checker_refuse(c->error, "vertices are in the packet, but PRIM_WALK is not 3");
    if (immediate)
        c->track.immediate = packet->n - 1 - at;
    return track_draw(&c->track, c->error);
}

static bool check_type3(struct checker *c, const struct pm4_packet *packet)
{
    const char *name = pm4_opcode_name(packet->opcode);

    switch (packet->opcode) {
    case PM4_NOP:
        return true;
    case PM4_3D_LOAD_VBPNTR:
        return check_arrays(c, packet);
    case PM4_INDX_BUFFER:
        return check_indices(c, packet);
    case PM4_3D_DRAW_IMMD:
        return check_draw(c, packet, 1, true);
    case PM4_3D_DRAW_IMMD_2:
        return check_draw(c, packet, 0, true);
    case PM4_3D_DRAW_VBUF:
    case PM4_3D_DRAW_INDX:
        return check_draw(c, packet, 1, false);
    case PM4_3D_DRAW_VBUF_2:
    case PM4_3D_DRAW_INDX_2:
        return check_draw(c, packet, 0, false);
    }
    return checker_refuse(c->error, "forbidden packet %s, opcode 0x%02x", name ? name : "unnamed",
                          packet->opcode);
}

static bool check_packets(struct checker *c)
{
    while (c->next < c->submit->n) {
        struct pm4_packet packet;

        c->error->at = c->next;
        if (!checker_packet(c, &packet) || (packet.type == 0 && !check_type0(c, &packet)) ||
            (packet.type == 3 && !check_type3(c, &packet)))
            return false;
    }
    return true;
}

enum status r500_check(const struct r500_submit *submit, const struct r500_memory *memory,
                       enum r500_chip chip, struct r500_error *error)
{
    struct checker c = {.submit = submit, .memory = memory, .chip = chip, .error = error};
    bool good;

    *error = (struct r500_error){0};
    track_init(&c.track);
    if (!submit->n || submit->n > R500_STREAM_BYTES / 4)
        good = checker_refuse(error, "a stream of %u dwords; 1 to %u are allowed", submit->n,
                              R500_STREAM_BYTES / 4);
    else
        good = relocations_are_good(&c) && check_packets(&c);
    return good ? ST_OK : ST_INVALID;
}
