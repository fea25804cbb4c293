/* Registers that a stream may write: the allow list of Linux's radeon driver, and its rules for
 * registers that address or size memory (sources: docs/r500.md).
 *
 * Tested by tests/unit/present/r500/check/test_check.c. */
#include "present/r500/check/checker.h"

#include "present/r500/check/check.h"
#include "present/r500/stream/regs.h"

/* Registers that any stream may write, first and last offset (reg_srcs/rv515 of the driver). */
static const struct {
    uint16_t first, last;
} allowed[] = {
    {0x1434, 0x143c}, {0x146c, 0x146c}, {0x1474, 0x1484}, {0x1598, 0x1598}, {0x15c0, 0x15cc},
    {0x15d8, 0x15dc}, {0x1600, 0x1608}, {0x16c0, 0x16c0}, {0x16cc, 0x16d0}, {0x16e8, 0x16f4},
    {0x1714, 0x1714}, {0x1720, 0x1720}, {0x172c, 0x172c}, {0x1d98, 0x1dac}, {0x2080, 0x2080},
    {0x208c, 0x2094}, {0x20b0, 0x20b0}, {0x2138, 0x2138}, {0x2140, 0x2140}, {0x2150, 0x216c},
    {0x2180, 0x21c4}, {0x21dc, 0x2208}, {0x2218, 0x226c}, {0x2284, 0x2288}, {0x2290, 0x22dc},
    {0x2500, 0x257c}, {0x342c, 0x342c}, {0x4000, 0x4008}, {0x4010, 0x4014}, {0x401c, 0x4024},
    {0x4074, 0x40b0}, {0x4100, 0x4100}, {0x4114, 0x4120}, {0x4200, 0x420c}, {0x4214, 0x4214},
    {0x421c, 0x421c}, {0x4230, 0x4238}, {0x4250, 0x4258}, {0x4260, 0x4268}, {0x4278, 0x4280},
    {0x4288, 0x4298}, {0x42a0, 0x42b8}, {0x42c0, 0x42c8}, {0x4300, 0x4304}, {0x4320, 0x435c},
    {0x43a8, 0x43a8}, {0x43b0, 0x43d0}, {0x43e0, 0x43e0}, {0x43e8, 0x43e8}, {0x4440, 0x447c},
    {0x4580, 0x4604}, {0x4620, 0x4624}, {0x4630, 0x4638}, {0x4640, 0x467c}, {0x46a4, 0x46b4},
    {0x46c0, 0x46c4}, {0x4bc0, 0x4bd8}, {0x4be0, 0x4be0}, {0x4c00, 0x4dfc}, {0x4e08, 0x4e08},
    {0x4e10, 0x4e24}, {0x4e48, 0x4e7c}, {0x4ea0, 0x4ea4}, {0x4ef8, 0x4efc}, {0x4f04, 0x4f08},
    {0x4f14, 0x4f18}, {0x4f28, 0x4f28}, {0x4f58, 0x4f58}, {0x4fd4, 0x4fd4},
};

enum {
    CRTC_GUI_TRIG_VLINE = 0x0218,
    RV530_ONLY = 0x4be8,
    VLINE_WAIT = 8, /* required value of WAIT_UNTIL */
    CRTCS = 2,
};

bool r500_is_allowed(uint32_t reg)
{
    for (unsigned i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
        if (reg >= allowed[i].first && reg <= allowed[i].last)
            return true;
    return false;
}

/* --- Surfaces --------------------------------------------------------------------------------- */

static bool colour_offset(struct checker *c, unsigned n, uint32_t value)
{
    c->track.colour[n].offset = value;
    c->track.colour_dirty = true;
    return checker_relocation(c, &c->track.colour[n].buffer);
}

static bool keeps_tiling(const struct checker *c)
{
    return c->submit->flags[0] & R500_KEEP_TILING;
}

static bool colour_pitch(struct checker *c, unsigned n, uint32_t value)
{
    static const uint8_t bytes[16] = {[9] = 1,  [11] = 1, [12] = 1, [3] = 2,  [4] = 2, [13] = 2,
                                      [15] = 2, [5] = 4,  [6] = 4,  [10] = 8, [7] = 16};
    uint32_t format = R500_GET(RB3D_COLORPITCH, FORMAT, value);
    const struct r500_buffer *tiled;

    if (!keeps_tiling(c) && !checker_relocation(c, &tiled))
        return false;
    c->track.colour[n].pitch = value & 0x3ffe;
    c->track.colour[n].cpp = bytes[format];
    c->track.colour_dirty = true;
    return bytes[format] ||
           checker_refuse(c->error, "colour buffer %u has the unknown format %u", n, format);
}

static bool depth_pitch(struct checker *c, uint32_t value)
{
    const struct r500_buffer *tiled;

    c->track.depth.pitch = value & 0x3ffc;
    c->track.depth_dirty = true;
    return keeps_tiling(c) || checker_relocation(c, &tiled);
}

static bool depth_format(struct checker *c, uint32_t value)
{
    uint32_t format = R500_GET(ZB_FORMAT, DEPTHFORMAT, value);

    c->track.depth.cpp = format == 2 ? 4 : 2;
    c->track.depth_dirty = true;
    return format <= 2 ||
           checker_refuse(c->error, "the z buffer has the unknown format %u", format);
}

static bool colour_control(struct checker *c, uint32_t value)
{
    c->track.n_colours = R500_GET(RB3D_CCTL, NUM_MULTIWRITES, value) + 1;
    c->track.colour_dirty = true;
    return !R500_GET(RB3D_CCTL, CMASK, value) ||
           checker_refuse(c->error, "only another client may set CMASK");
}

static bool z_bandwidth(struct checker *c, uint32_t value)
{
    c->track.cb_clear = R500_GET(ZB_BW_CNTL, ZB_CB_CLEAR, value);
    c->track.colour_dirty = c->track.depth_dirty = true;
    return !(value & 0x1d) ||
           checker_refuse(c->error, "only another client may use HyperZ: 0x%08x", value);
}

/* --- Textures --------------------------------------------------------------------------------- */

static bool clamps(uint32_t mode)
{
    return mode == 2 || mode == 4 || mode == 6;
}

static bool texture_filter(struct track_texture *t, uint32_t value)
{
    if (clamps(R500_GET(TX_FILTER0, CLAMP_S, value)))
        t->round_width = false;
    if (clamps(R500_GET(TX_FILTER0, CLAMP_T, value)))
        t->round_height = false;
    return true;
}

static bool texture_format0(struct track_texture *t, uint32_t value)
{
    t->width = R500_GET(TX_FORMAT0, TXWIDTH, value) + 1;
    t->height = R500_GET(TX_FORMAT0, TXHEIGHT, value) + 1;
    t->levels = R500_GET(TX_FORMAT0, NUM_LEVELS, value);
    t->log2_depth = R500_GET(TX_FORMAT0, TXDEPTH, value);
    t->use_pitch = R500_GET(TX_FORMAT0, TXPITCH_EN, value);
    return true;
}

enum { DXT1 = 1 << 6, DXT35 = 2 << 6, BYTES = 63 };

static bool texture_format1(struct checker *c, struct track_texture *t, uint32_t value)
{
    static const uint8_t texels[32] = {
        1,         2,         1, 2, 4, 1, 2, 2, 4, 4, 2, 2, 4, 4,  8, DXT1 | 1,
        DXT35 | 1, DXT35 | 1, 2, 0, 2, 2, 0, 4, 2, 4, 8, 4, 8, 16, 4, DXT35 | 1,
    };
    uint32_t format = R500_GET(TX_FORMAT1, TXFORMAT, value);

    t->coord_type = R500_GET(TX_FORMAT1, TEX_COORD_TYPE, value);
    t->cpp = texels[format] & BYTES;
    t->compression = (enum track_compression)(texels[format] >> 6);
    return texels[format] ||
           checker_refuse(c->error, "a texture has the unknown format %u", format);
}

static bool texture_format2(struct track_texture *t, uint32_t value)
{
    t->pitch = R500_GET(TX_FORMAT2, TXPITCH, value) + 1;
    t->width_11 = R500_GET(TX_FORMAT2, TXWIDTH_11, value) << 11;
    t->height_11 = R500_GET(TX_FORMAT2, TXHEIGHT_11, value) << 11;
    if (R500_GET(TX_FORMAT2, TXFORMAT_MSB, value))
        t->compression = TRACK_DXT1;
    return true;
}

/* Checks one of the 16 registers of a texture unit. Sets *known to false for other registers. */
static bool check_texture(struct checker *c, uint32_t reg, uint32_t value, bool *known)
{
    struct track_texture *t = &c->track.texture[reg >> 2 & 15];

    *known = true;
    c->track.texture_dirty = true;
    switch (reg & ~63u) {
    case R500_TX_FILTER0:
        return texture_filter(t, value);
    case R500_TX_FORMAT0:
        return texture_format0(t, value);
    case R500_TX_FORMAT1:
        return texture_format1(c, t, value);
    case R500_TX_FORMAT2:
        return texture_format2(t, value);
    case R500_TX_OFFSET:
        return checker_relocation(c, &t->buffer);
    }
    *known = false;
    return true;
}

/* --- Other registers -------------------------------------------------------------------------- */

/* Waiting for a display line takes three packets, which the driver checks together. */
static bool check_vline(struct checker *c)
{
    struct pm4_packet wait, nop;

    if (!checker_packet(c, &wait))
        return false;
    if (wait.type != 0 || wait.reg != R500_WAIT_UNTIL || wait.n != 1)
        return checker_refuse(c->error, "no WAIT_UNTIL after the display's line");
    if (wait.data[0] != VLINE_WAIT)
        return checker_refuse(c->error, "WAIT_UNTIL waits for more than the display's line");
    if (!checker_packet(c, &nop))
        return false;
    if (nop.type != 3 || nop.opcode != PM4_NOP || nop.data[0] >= CRTCS)
        return checker_refuse(c->error, "no NOP with the number of a display after the wait");
    return true;
}

static bool check_enables(struct checker *c, uint32_t value)
{
    for (unsigned i = 0; i < TRACK_TEXTURES; i++)
        c->track.texture[i].enabled = value >> i & 1;
    c->track.texture_dirty = true;
    return true;
}

static bool check_scissor(struct checker *c, uint32_t value)
{
    c->track.max_y = R500_GET(SC_SCISSOR1, Y1, value) + 1;
    c->track.colour_dirty = c->track.depth_dirty = true;
    return true;
}

static bool zero_only(struct checker *c, uint32_t reg, uint32_t value)
{
    char name[64];

    r500_name(name, sizeof(name), reg);
    return !value ||
           checker_refuse(c->error, "%s: only another client may use HyperZ: 0x%08x", name, value);
}

/* Surface registers, and registers that determine surface sizes. */
static bool check_surface(struct checker *c, uint32_t reg, uint32_t value, bool *known)
{
    struct track *t = &c->track;

    *known = true;
    switch (reg) {
    case R500_RB3D_COLOROFFSET:
    case R500_RB3D_COLOROFFSET + 4:
    case R500_RB3D_COLOROFFSET + 8:
    case R500_RB3D_COLOROFFSET + 12:
        return colour_offset(c, (reg - R500_RB3D_COLOROFFSET) / 4, value);
    case R500_RB3D_COLORPITCH:
    case R500_RB3D_COLORPITCH + 4:
    case R500_RB3D_COLORPITCH + 8:
    case R500_RB3D_COLORPITCH + 12:
        return colour_pitch(c, (reg - R500_RB3D_COLORPITCH) / 4, value);
    case R500_ZB_DEPTHOFFSET:
        t->depth.offset = value;
        t->depth_dirty = true;
        return checker_relocation(c, &t->depth.buffer);
    case R500_ZB_DEPTHPITCH:
        return depth_pitch(c, value);
    case R500_ZB_FORMAT:
        return depth_format(c, value);
    case R500_RB3D_AARESOLVE_OFFSET:
        t->resolve.offset = value;
        t->resolve_dirty = true;
        return checker_relocation(c, &t->resolve.buffer);
    case R500_RB3D_AARESOLVE_PITCH:
        t->resolve.pitch = value & 0x3ffe;
        t->resolve_dirty = true;
        return true;
    case R500_RB3D_AARESOLVE_CTL:
        t->resolving = value & 1;
        t->resolve_dirty = true;
        return true;
    }
    *known = false;
    return true;
}

static bool check_state(struct checker *c, uint32_t reg, uint32_t value, bool *known)
{
    struct track *t = &c->track;

    *known = true;
    switch (reg) {
    case R500_VAP_VF_CNTL:
        t->vf_cntl = value;
        return true;
    case R500_VAP_ALT_NUM_VERTICES:
        t->alt_count = R500_GET(VAP_ALT_NUM_VERTICES, NUM_VERTICES, value);
        return true;
    case R500_VAP_VTX_SIZE:
        t->vertex_dwords = R500_GET(VAP_VTX_SIZE, DWORDS, value);
        return true;
    case R500_VAP_VF_MAX_VTX_INDX:
        t->max_index = R500_GET(VAP_VF_MAX_VTX_INDX, INDEX, value);
        return true;
    case R500_TX_ENABLE:
        return check_enables(c, value);
    case R500_SC_SCISSOR1:
        return check_scissor(c, value);
    case R500_RB3D_CCTL:
        return colour_control(c, value);
    case R500_RB3D_BLENDCNTL:
        t->blend_read = R500_GET(RB3D_BLENDCNTL, READ_ENABLE, value);
        t->colour_dirty = true;
        return true;
    case R500_RB3D_COLOR_CHANNEL_MASK:
        t->channel_mask = value;
        t->colour_dirty = true;
        return true;
    case R500_ZB_CNTL:
        t->z_enabled = R500_GET(ZB_CNTL, Z_ENABLE, value);
        t->depth_dirty = true;
        return true;
    case R500_ZB_BW_CNTL:
        return z_bandwidth(c, value);
    }
    *known = false;
    return true;
}

static bool check_other(struct checker *c, uint32_t reg, uint32_t value)
{
    const struct r500_buffer *buffer;
    char name[64];

    switch (reg) {
    case R500_SRC_PITCH_OFFSET:
    case R500_DST_PITCH_OFFSET:
    case R500_ZB_ZPASS_ADDR:
        return checker_relocation(c, &buffer);
    case R500_SC_HYPERZ_EN: /* the driver clears bit 0 */
        return true;
    case R500_GB_Z_PEQ_CONFIG:
    case R500_ZB_ZMASK_OFFSET:
    case R500_ZB_ZMASK_PITCH:
    case R500_ZB_HIZ_OFFSET:
    case R500_ZB_HIZ_PITCH:
        return zero_only(c, reg, value);
    case R500_D1MODE_VLINE_START_END:
    case CRTC_GUI_TRIG_VLINE:
        return check_vline(c);
    case RV530_ONLY:
        if (c->chip == R500_RV530)
            return true;
        break;
    }
    r500_name(name, sizeof(name), reg);
    return checker_refuse(c->error, "forbidden register %s", name);
}

bool checker_register(struct checker *c, uint32_t reg, uint32_t value)
{
    bool known, good = check_texture(c, reg, value, &known);

    if (!known)
        good = check_surface(c, reg, value, &known);
    if (!known)
        good = check_state(c, reg, value, &known);
    return known ? good : check_other(c, reg, value);
}
