/* Command-stream disassembler: packets, registers with fields, shaders and vertices as text. */
#include "present/r500/stream/dump.h"

#include "present/r500/shader/code.h"
#include "present/r500/stream/pm4.h"
#include "present/r500/stream/regs.h"
#include "util/plural.h"

#include <string.h>

struct dump {
    FILE *out;
    const struct r500_submit *submit;
    uint32_t us_index, pvs_index, vertex_dwords;
};

static void dump_fields(FILE *out, uint32_t reg, uint32_t value)
{
    unsigned n;
    const struct r500_row *row = r500_find(reg, &n);
    uint32_t rest = value;

    for (unsigned i = 1; row && i <= n; i++) {
        uint32_t bits = R500_BITS(row[i].high) & UINT32_MAX << row[i].low;

        rest &= ~bits;
        if (value & bits)
            fprintf(out, "  %s=%u", row[i].name, (value & bits) >> row[i].low);
    }
    if (row && n && rest)
        fprintf(out, "  other bits=0x%08x", rest);
}

static void dump_register(struct dump *d, uint32_t at, uint32_t reg, uint32_t value)
{
    char name[64];

    r500_name(name, sizeof(name), reg);
    fprintf(d->out, "%6u  %04x %s = 0x%08x", at, reg, name, value);
    dump_fields(d->out, reg, value);
    fputc('\n', d->out);
    if (reg == R500_GA_US_VECTOR_INDEX)
        d->us_index = value;
    if (reg == R500_VAP_PVS_VECTOR_INDX_REG)
        d->pvs_index = value;
    if (reg == R500_VAP_VTX_SIZE)
        d->vertex_dwords = R500_GET(VAP_VTX_SIZE, DWORDS, value);
}

static void dump_code(struct dump *d, const struct pm4_packet *p, enum code_shader shader,
                      uint32_t first)
{
    unsigned words = code_words(shader);
    char text[CODE_TEXT];

    for (uint32_t i = 0; i + words <= p->n; i += words) {
        code_disassemble(text, p->data + i, shader);
        fprintf(d->out, "%6u    %3u: %s\n", p->at + 1 + i, first + i / words, text);
    }
}

/* Prints shader constants, and shader data that are not a whole number of instructions. */
static void dump_floats(struct dump *d, uint32_t at, const uint32_t *data, uint32_t n,
                        uint32_t in_line)
{
    for (uint32_t i = 0; i < n; i += in_line) {
        fprintf(d->out, "%6u   ", at + i);
        for (uint32_t k = i; k < n && k - i < in_line; k++) {
            float value;

            memcpy(&value, &data[k], 4);
            fprintf(d->out, " %08x (%g)", data[k], (double)value);
        }
        fputc('\n', d->out);
    }
}

static void dump_upload(struct dump *d, const struct pm4_packet *p)
{
    bool us = p->reg == R500_GA_US_VECTOR_DATA;
    enum code_shader shader = us ? SHADER_US : SHADER_PVS;
    bool is_code =
        us ? !R500_GET(GA_US_VECTOR_INDEX, TYPE, d->us_index) : d->pvs_index < PVS_INSTRUCTIONS;
    char name[64];

    r500_name(name, sizeof(name), p->reg);
    fprintf(d->out, "%6u  %04x %s: " PLURAL_FORMAT "\n", p->at, p->reg, name,
            PLURAL(p->n, "dword", "dwords"));
    if (is_code && p->n % code_words(shader) == 0)
        dump_code(d, p, shader,
                  us ? R500_GET(GA_US_VECTOR_INDEX, INDEX, d->us_index) : d->pvs_index);
    else
        dump_floats(d, p->at + 1, p->data, p->n, 4);
}

static void dump_type0(struct dump *d, const struct pm4_packet *p)
{
    if (p->one_reg && (p->reg == R500_GA_US_VECTOR_DATA || p->reg == R500_VAP_PVS_VECTOR_DATA_REG ||
                       p->reg == R500_VAP_PVS_VECTOR_DATA_REG_128)) {
        dump_upload(d, p);
        return;
    }
    for (uint32_t i = 0; i < p->n; i++)
        dump_register(d, p->at + 1 + i, p->reg + (p->one_reg ? 0 : 4 * i), p->data[i]);
}

static void dump_nop(struct dump *d, const struct pm4_packet *p)
{
    uint32_t entry = p->data[0] / R500_RELOC_DWORDS;

    fprintf(d->out, "%6u  NOP %u", p->at, p->data[0]);
    if (p->n == 1 && p->data[0] % R500_RELOC_DWORDS == 0 && entry < d->submit->n_relocs) {
        const struct r500_reloc *r = &d->submit->relocs[entry];

        fprintf(d->out, "  relocation %u: buffer %u read=%u write=%u flags=0x%x", entry, r->handle,
                r->read_domains, r->write_domain, r->flags);
    }
    fputc('\n', d->out);
}

static void dump_type3(struct dump *d, const struct pm4_packet *p)
{
    const char *name = pm4_opcode_name(p->opcode);
    bool draw = p->opcode == PM4_3D_DRAW_IMMD_2 || p->opcode == PM4_3D_DRAW_VBUF_2 ||
                p->opcode == PM4_3D_DRAW_INDX_2;

    if (p->opcode == PM4_NOP) {
        dump_nop(d, p);
        return;
    }
    fprintf(d->out, "%6u  packet 3 opcode 0x%02x %s: " PLURAL_FORMAT, p->at, p->opcode,
            name ? name : "unnamed", PLURAL(p->n, "dword", "dwords"));
    if (draw) {
        fprintf(d->out, "  VF_CNTL 0x%08x", p->data[0]);
        dump_fields(d->out, R500_VAP_VF_CNTL, p->data[0]);
    }
    fputc('\n', d->out);
    if (p->opcode == PM4_3D_DRAW_IMMD_2)
        dump_floats(d, p->at + 2, p->data + 1, p->n - 1, d->vertex_dwords ? d->vertex_dwords : 1);
    else
        dump_floats(d, p->at + 1 + draw, p->data + draw, p->n - draw, 4);
}

enum status r500_dump(FILE *out, const struct r500_submit *submit, struct r500_error *error)
{
    struct dump d = {.out = out, .submit = submit, .vertex_dwords = 4};
    uint32_t at = 0;

    *error = (struct r500_error){0};
    while (at < submit->n) {
        struct pm4_packet packet;
        const char *reason;
        enum status st = pm4_read(submit->stream, submit->n, &at, &packet, &reason);

        if (st != ST_OK) {
            error->at = at;
            snprintf(error->text, sizeof(error->text), "%s", reason);
            return st;
        }
        if (packet.type == 0)
            dump_type0(&d, &packet);
        else if (packet.type == 3)
            dump_type3(&d, &packet);
        else
            fprintf(out, "%6u  filler\n", packet.at);
    }
    return ST_OK;
}
