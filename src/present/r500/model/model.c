/* Chip model, front end: decodes packets to register writes, shader memory writes and draws. */
#include "present/r500/model/state.h"

#include "present/r500/stream/pm4.h"
#include "util/alloc.h"
#include "util/plural.h"

#include <string.h>

/* --- Registers that must have a fixed value --------------------------------------------------- */

static const struct {
    uint16_t reg;
    uint32_t mask, value;
} modelled[] = {
    {R500_GB_AA_CONFIG, UINT32_MAX, 0},
    {R500_RB3D_AARESOLVE_CTL, 1, 0},
    {R500_RB3D_CCTL, 0x1660, 0},
    {R500_RB3D_BLENDCNTL, 7, 0},
    {R500_RB3D_ROPCNTL, 4, 0},
    {R500_ZB_CNTL, 3, 0},
    {R500_ZB_BW_CNTL, UINT32_MAX, 0},
    {R500_FG_ALPHA_FUNC, 1 << 11, 0},
    {R500_FG_FOG_BLEND, 1, 0},
    {R500_SC_CLIP_RULE, 0xffff, 0xffff},
    {R500_SC_SCREENDOOR, 0xffffff, 0xffffff},
    {R500_SC_EDGERULE, 31, 5},
    {R500_GB_ENABLE, UINT32_MAX, 0},
    {R500_GB_SELECT, UINT32_MAX, 0},
    {R500_GB_MSPOS0, 0xff, 0x66},
    {R500_GA_OFFSET, UINT32_MAX, 0},
    {R500_GA_POLY_MODE, UINT32_MAX, 0},
    {R500_GA_ROUND_MODE, 3, 1},
    {R500_SU_TEX_WRAP, UINT32_MAX, 0},
    {R500_SU_CULL_MODE, 3, 0},
    {R500_SU_POLY_OFFSET_ENABLE, UINT32_MAX, 0},
    {R500_VAP_CNTL, 1 << 17, 0},
    {R500_VAP_CNTL_STATUS, 3, 0},
    {R500_VAP_CLIP_CNTL, UINT32_MAX, 1 << 16},
    {R500_VAP_VTE_CNTL, UINT32_MAX, 0x300},
    {R500_VAP_TEX_TO_COLOR_CNTL, UINT32_MAX, 0},
    {R500_VAP_OUT_VTX_FMT_0, UINT32_MAX, 1},
    {R500_VAP_INDEX_OFFSET, UINT32_MAX, 0},
    {R500_RS_COUNT, 0x780, 0},
    {R500_RS_INST_COUNT, 0xe0, 0},
    {R500_US_FC_CTRL, UINT32_MAX, 0},
    {R500_US_OUT_FMT, 0x1f00ff, 0},
    {R500_US_W_FMT, UINT32_MAX, 0},
    {R500_RB3D_COLORPITCH, 0x1ff0000 | 0x1e00000, 6 << 21},
};

static bool is_modelled(struct model *m)
{
    for (unsigned i = 0; i < sizeof(modelled) / sizeof(modelled[0]); i++) {
        uint32_t value = model_reg(m, modelled[i].reg);
        char name[64];

        if (m->status == ST_OK && (value & modelled[i].mask) != modelled[i].value) {
            r500_name(name, sizeof(name), modelled[i].reg);
            model_fail(m, ST_UNSUPPORTED, "not modelled: %s = 0x%08x", name, value);
        }
    }
    return m->status == ST_OK;
}

/* --- Registers -------------------------------------------------------------------------------- */

static void append_us(struct model *m, uint32_t value)
{
    uint32_t index = m->regs[R500_GA_US_VECTOR_INDEX / 4];
    bool constants = R500_GET(GA_US_VECTOR_INDEX, TYPE, index);
    uint32_t first = R500_GET(GA_US_VECTOR_INDEX, INDEX, index) * (constants ? 4 : US_WORDS);
    uint32_t at = first + m->us_at++;

    if (constants && at < MODEL_CONSTANTS * 4)
        memcpy(&m->us_constant[at / 4][at % 4], &value, 4);
    else if (!constants && at < MODEL_US_DWORDS)
        m->us[at] = value;
    else
        model_fail(m, ST_DAMAGED, "the fragment shader's memory overflows");
}

static void append_pvs(struct model *m, uint32_t value)
{
    uint32_t first = R500_GET(VAP_PVS_VECTOR_INDX_REG, OCTWORD_OFFSET,
                              m->regs[R500_VAP_PVS_VECTOR_INDX_REG / 4]) *
                     4;

    if (first + m->pvs_at < MODEL_PVS_DWORDS)
        m->pvs[first + m->pvs_at++] = value;
    else
        model_fail(m, ST_DAMAGED, "the vertex shader's memory overflows");
}

/* Returns the buffer of an address register from the relocation in the next packet, as the driver
 * does. */
static struct r500_buffer *take_buffer(struct model *m)
{
    struct pm4_packet packet;
    const char *reason;
    uint32_t entry;

    if (pm4_read(m->submit->stream, m->submit->n, &m->next, &packet, &reason) == ST_OK &&
        packet.type == 3 && packet.opcode == PM4_NOP) {
        entry = packet.data[0] / R500_RELOC_DWORDS;
        if (entry < m->submit->n_relocs)
            return r500_buffer(m->memory, m->submit->relocs[entry].handle);
    }
    model_fail(m, ST_DAMAGED, "an address has no relocation");
    return NULL;
}

static void write_register(struct model *m, uint32_t reg, uint32_t value)
{
    uint32_t unit = (reg - R500_TX_OFFSET) / 4;

    m->regs[reg / 4] = value;
    m->written[reg / 4] = true;
    if (reg == R500_GA_US_VECTOR_INDEX) {
        m->us_at = 0;
    } else if (reg == R500_GA_US_VECTOR_DATA) {
        append_us(m, value);
    } else if (reg == R500_VAP_PVS_VECTOR_INDX_REG) {
        m->pvs_at = 0;
    } else if (reg == R500_VAP_PVS_VECTOR_DATA_REG || reg == R500_VAP_PVS_VECTOR_DATA_REG_128) {
        append_pvs(m, value);
    } else if (reg == R500_RB3D_COLOROFFSET) {
        m->target = take_buffer(m);
    } else if (reg == R500_RB3D_COLORPITCH && !(m->submit->flags[0] & R500_KEEP_TILING)) {
        take_buffer(m);
    } else if (reg >= R500_TX_OFFSET && unit < MODEL_UNITS) {
        m->texture[unit] = take_buffer(m);
    } else if (reg == R500_RB3D_DSTCACHE_CTLSTAT &&
               R500_GET(RB3D_DSTCACHE_CTLSTAT, DC_FLUSH, value)) {
        m->drawn = false;
    }
}

static void run_type0(struct model *m, const struct pm4_packet *packet)
{
    for (uint32_t i = 0; i < packet->n && m->status == ST_OK; i++) {
        uint32_t reg = packet->reg + (packet->one_reg ? 0 : 4 * i);

        if (reg >= R500_REGISTER_BYTES)
            model_fail(m, ST_DAMAGED, "there is no register 0x%x", reg);
        else
            write_register(m, reg, packet->data[i]);
    }
}

/* --- Draws ------------------------------------------------------------------------------------ */

static bool fetch(struct model *m, struct model_vertex *vertices, uint32_t n, unsigned *components)
{
    for (uint32_t i = 0; i < n; i++)
        if (!model_vertex(m, i, &vertices[i], components))
            return false;
    return true;
}

static void draw(struct model *m, const struct pm4_packet *packet)
{
    uint32_t control = packet->data[0], n = R500_GET(VAP_VF_CNTL, NUM_VERTICES, control);
    struct model_vertex *vertices;
    unsigned components = 0;

    m->vertex_data = packet->data + 1;
    m->vertex_dwords = R500_GET(VAP_VTX_SIZE, DWORDS, model_reg(m, R500_VAP_VTX_SIZE));
    if (R500_GET(VAP_VF_CNTL, PRIM_WALK, control) != 3 ||
        R500_GET(VAP_VF_CNTL, USE_ALT_NUM_VERTS, control) || n > MODEL_VERTICES)
        model_fail(m, ST_UNSUPPORTED, "not modelled: VAP_VF_CNTL = 0x%08x", control);
    else if (n * m->vertex_dwords != packet->n - 1)
        model_fail(m, ST_DAMAGED,
                   PLURAL_FORMAT " of " PLURAL_FORMAT " differ from the %u of the packet",
                   PLURAL(n, "vertex", "vertices"), PLURAL(m->vertex_dwords, "dword", "dwords"),
                   packet->n - 1);
    if (m->status != ST_OK || !is_modelled(m))
        return;
    vertices = mem_alloc((n ? n : 1) * sizeof(*vertices));
    if (!vertices)
        model_fail(m, ST_NOMEM, "out of memory");
    else if (fetch(m, vertices, n, &components))
        model_raster(m, vertices, n, components, R500_GET(VAP_VF_CNTL, PRIM_TYPE, control));
    mem_free(vertices);
    m->drawn = true;
}

static void run_packet(struct model *m, const struct pm4_packet *packet)
{
    const char *name = pm4_opcode_name(packet->opcode);

    if (packet->type == 0)
        run_type0(m, packet);
    else if (packet->type == 3 && packet->opcode == PM4_3D_DRAW_IMMD_2)
        draw(m, packet);
    else if (packet->type == 3 && packet->opcode != PM4_NOP)
        model_fail(m, ST_UNSUPPORTED, "not modelled: packet %s, opcode 0x%02x",
                   name ? name : "unnamed", packet->opcode);
}

enum status r500_run(const struct r500_submit *submit, const struct r500_memory *memory,
                     struct r500_error *error)
{
    struct model *m = mem_calloc(1, sizeof(*m));
    enum status st;

    *error = (struct r500_error){0, "out of memory"};
    if (!m)
        return ST_NOMEM;
    m->submit = submit;
    m->memory = memory;
    m->error = error;
    while (m->status == ST_OK && m->next < submit->n) {
        struct pm4_packet packet;
        const char *reason;

        error->at = m->next;
        if (pm4_read(submit->stream, submit->n, &m->next, &packet, &reason) != ST_OK)
            model_fail(m, ST_DAMAGED, "%s", reason);
        else
            run_packet(m, &packet);
    }
    if (m->status == ST_OK && m->drawn)
        model_fail(m, ST_DAMAGED, "no flush: pixels remain in the colour cache");
    st = m->status;
    mem_free(m);
    return st;
}
