/* Command-stream encoder: the PM4 packets that draw a frame as one textured quad (docs/r500.md,
 * "The stream"). */
#include "present/r500/stream/encode.h"

#include "present/r500/shader/code.h"
#include "present/r500/stream/pm4.h"
#include "present/r500/stream/regs.h"
#include "util/log.h"

#include <string.h>
#include <strings.h>

enum {
    CORNERS = 4,
    CORNER_DWORDS = 4,  /* x, y, s, t */
    STREAM_ALIGN = 8,   /* dwords */
    BYPASS_TEXTURE = 6, /* slot of texture 0 in the rasteriser and the vertex shader */
    PROGRAM_TEXTURE = 1,
    FLOAT_2 = 1,
    SELECT_XY01 = 0xfb08,
    FORMAT_8888 = 12,
    COLOUR_ARGB8888 = 6,
    CLAMP_TO_LAST = 2,
    FILTER_POINT = 1,
    SELECT_ONE = 5,
    QUADS = 13,
    WALK_STREAM = 3,
    LARGE = 2048, /* larger sizes need a 12th bit */
};

/* Writes texture 0 at the coordinates in t0 to the colour buffer. */
static const char fragment_program[] =
    "tex sem_wait write=rgba op=ld map=0 sem_acquire from=t0 from_swizzle=rgaa to=t0 "
    "to_swizzle=rgba\n"
    "out sem_wait out=rgba rgb=max rgb.src0=t0 rgb.src1=f0.0078125 rgb.src2=f0.0078125 "
    "rgb.x=src0.rgb rgb.y=src0.rgb rgb.omod=copy a=max a.src0=t0 a.src1=f0.0078125 "
    "a.src2=f0.0078125 a.x=src0.a a.y=src0.a a.omod=copy\n";

/* Passes position and texture coordinates through. */
static const char vertex_program[] =
    "vs op=add to_file=out to=1 write=xy a=in1.xy__ b=in1.0000 c=in1.0000\n"
    "vs op=add to_file=out to=0 write=xyzw a=in0.xyz1 b=in0.0000 c=in0.0000\n";

static const char *const form_names[R500_FORMS] = {"bypass", "program"};

const char *r500_form_name(unsigned form)
{
    return form < R500_FORMS ? form_names[form] : NULL;
}

enum r500_form r500_form_by_name(const char *name)
{
    for (unsigned i = 0; i < R500_FORMS; i++)
        if (!strcasecmp(form_names[i], name))
            return (enum r500_form)i;
    return R500_FORMS;
}

/* --- Packets ---------------------------------------------------------------------------------- */

struct encoder {
    uint32_t *stream, n;
    const struct r500_quad *quad;
};

static void put(struct encoder *e, uint32_t dword)
{
    e->stream[e->n++] = dword;
}

static void put_float(struct encoder *e, float value)
{
    uint32_t dword;

    memcpy(&dword, &value, 4);
    put(e, dword);
}

static void put_reg(struct encoder *e, uint32_t reg, uint32_t value)
{
    put(e, PM4_TYPE0(reg, 1));
    put(e, value);
}

struct setting {
    uint16_t reg;
    uint32_t value;
};

static void put_all(struct encoder *e, const struct setting *settings, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_reg(e, settings[i].reg, settings[i].value);
}

#define PUT_ALL(e, settings) put_all(e, settings, sizeof(settings) / sizeof((settings)[0]))

static void put_relocation(struct encoder *e, uint32_t entry)
{
    put(e, PM4_RELOCATION);
    put(e, entry * R500_RELOC_DWORDS);
}

/* Writes a program with one register packet. */
static void put_program(struct encoder *e, uint32_t reg, const char *text, enum code_shader shader)
{
    uint32_t words[4 * US_WORDS];
    struct code_error error;
    size_t n;

    if (code_assemble(words, sizeof(words) / sizeof(words[0]), &n, text, shader, &error) != ST_OK) {
        log_error("present", "r500: line %u: %s", error.line,
                  error.text); /* never: the programs are constants */
        return;
    }
    put(e, PM4_TYPE0(reg, n) | PM4_ONE_REG);
    for (size_t i = 0; i < n; i++)
        put(e, words[i]);
}

/* --- Parts of the stream, in stream order ----------------------------------------------------- */

/* Flushes the colour cache and waits until the engine is idle. */
static void put_flush(struct encoder *e)
{
    static const struct setting flush[] = {
        {R500_RB3D_DSTCACHE_CTLSTAT, R500_SET(RB3D_DSTCACHE_CTLSTAT, DC_FLUSH, 2) |
                                         R500_SET(RB3D_DSTCACHE_CTLSTAT, DC_FREE, 2)},
        {R500_ZB_ZCACHE_CTLSTAT,
         R500_SET(ZB_ZCACHE_CTLSTAT, ZC_FLUSH, 1) | R500_SET(ZB_ZCACHE_CTLSTAT, ZC_FREE, 1)},
        {R500_WAIT_UNTIL, R500_SET(WAIT_UNTIL, IDLECLEAN_3D, 1)},
    };

    PUT_ALL(e, flush);
}

static void put_output(struct encoder *e)
{
    static const struct setting plain[] = {
        {R500_GB_AA_CONFIG, 0},    {R500_RB3D_AARESOLVE_CTL, 0},
        {R500_RB3D_CCTL, 0},       {R500_ZB_BW_CNTL, 0},
        {R500_SC_HYPERZ_EN, 0},    {R500_GB_Z_PEQ_CONFIG, 0},
        {R500_ZB_ZTOP, 1},         {R500_ZB_CNTL, 0},
        {R500_ZB_ZSTENCILCNTL, 0}, {R500_FG_ALPHA_FUNC, 0},
        {R500_FG_FOG_BLEND, 0},    {R500_FG_DEPTH_SRC, 0},
        {R500_RB3D_ROPCNTL, 0},    {R500_RB3D_BLENDCNTL, 0},
        {R500_RB3D_ABLENDCNTL, 0}, {R500_RB3D_COLOR_CHANNEL_MASK, 0xf},
        {R500_RB3D_DITHER_CTL, 0},
    };

    PUT_ALL(e, plain);
    put_reg(e, R500_RB3D_COLOROFFSET, 0);
    put_relocation(e, R500_TARGET_ENTRY);
    put_reg(e, R500_RB3D_COLORPITCH,
            e->quad->target_pitch | R500_SET(RB3D_COLORPITCH, FORMAT, COLOUR_ARGB8888));
    put_relocation(e, R500_TARGET_ENTRY);
}

static void put_raster(struct encoder *e)
{
    static const struct setting plain[] = {
        {R500_SC_CLIP_0_A, 0},
        {R500_SC_CLIP_0_B, UINT32_MAX},
        {R500_SC_CLIP_RULE, 0xffff}, /* draw inside and outside of clip rectangles */
        {R500_SC_SCREENDOOR, 0xffffff},
        {R500_SC_EDGERULE, 0x2da49525}, /* triangles own left and top edges */
        {R500_GB_ENABLE, 0},
        {R500_GB_SELECT, 0},
        {R500_GB_MSPOS0, 0x66666666}, /* samples at pixel centres */
        {R500_GB_MSPOS1, 0x06666666},
        {R500_GA_OFFSET, 0},
        {R500_GA_POLY_MODE, 0},
        {R500_GA_ROUND_MODE, 0x31}, /* round to nearest; colours unclamped */
        {R500_GA_COLOR_CONTROL, 0x3aaaa},
        {R500_GA_COLOR_CONTROL_PS3, 0},
        {R500_SU_TEX_WRAP, 0},
        {R500_SU_TEX_WRAP_PS3, 0},
        {R500_SU_POLY_OFFSET_ENABLE, 0},
        {R500_SU_CULL_MODE, 0},
        {R500_SU_DEPTH_SCALE, 0x4b7fffff}, /* 2^24 - 1 */
        {R500_SU_DEPTH_OFFSET, 0},
    };
    const struct r500_quad *quad = e->quad;

    put_reg(e, R500_SC_SCISSOR0, 0);
    put_reg(e, R500_SC_SCISSOR1,
            R500_SET(SC_SCISSOR1, X1, quad->target_width - 1) |
                R500_SET(SC_SCISSOR1, Y1, quad->target_height - 1));
    PUT_ALL(e, plain);
}

static uint32_t vap_cntl(enum r500_chip chip)
{
    unsigned fpus = chip == R500_RV515 ? 2 : chip == R500_RV530 ? 5 : 8;

    return R500_SET(VAP_CNTL, PVS_NUM_SLOTS, 10) | R500_SET(VAP_CNTL, PVS_NUM_CNTLRS, 5) |
           R500_SET(VAP_CNTL, PVS_NUM_FPUS, fpus) | R500_SET(VAP_CNTL, VF_MAX_VTX_NUM, 12) |
           R500_SET(VAP_CNTL, TCL_STATE_OPTIMIZATION, 1);
}

static void put_vertex_program(struct encoder *e)
{
    static const struct setting program[] = {
        {R500_VAP_PVS_FLOW_CNTL_OPC, 0},
        {R500_VAP_PVS_CODE_CNTL_0, R500_SET(VAP_PVS_CODE_CNTL_0, XYZW_VALID_INST, 1) |
                                       R500_SET(VAP_PVS_CODE_CNTL_0, LAST_INST, 1)},
        {R500_VAP_PVS_CODE_CNTL_1, 1},
        {R500_VAP_PVS_CONST_CNTL, 0},
        {R500_VAP_PVS_VECTOR_INDX_REG, 0},
    };

    PUT_ALL(e, program);
    put_program(e, R500_VAP_PVS_VECTOR_DATA_REG_128, vertex_program, SHADER_PVS);
}

static void put_vertex_state(struct encoder *e)
{
    static const struct setting before[] = {
        {R500_VAP_CLIP_CNTL, R500_SET(VAP_CLIP_CNTL, CLIP_DISABLE, 1)},
        {R500_VAP_VTE_CNTL, R500_SET(VAP_VTE_CNTL, VTX_XY_FMT, 1) |
                                R500_SET(VAP_VTE_CNTL, VTX_Z_FMT, 1)}, /* window coordinates */
        {R500_VAP_PSC_SGN_NORM_CNTL, 0xaaaaaaaa},
        {R500_VAP_VTX_STATE_CNTL, 0x5555},
        {R500_VAP_VSM_VTX_ASSM, 0x401},
        {R500_VAP_TEX_TO_COLOR_CNTL, 0},
    };
    static const struct setting after[] = {
        {R500_VAP_PROG_STREAM_CNTL_EXT, SELECT_XY01 | (uint32_t)SELECT_XY01 << 16},
        {R500_VAP_OUT_VTX_FMT_0, 1},
        {R500_VAP_OUT_VTX_FMT_1, 2},
        {R500_VAP_VTX_SIZE, CORNER_DWORDS},
        {R500_VAP_VF_MAX_VTX_INDX, CORNERS - 1},
        {R500_VAP_VF_MIN_VTX_INDX, 0},
        {R500_VAP_INDEX_OFFSET, 0},
    };
    bool bypass = e->quad->form == R500_BYPASS;

    put_reg(e, R500_VAP_PVS_STATE_FLUSH_REG, 0);
    put_reg(e, R500_VAP_CNTL_STATUS, R500_SET(VAP_CNTL_STATUS, PVS_BYPASS, bypass));
    put_reg(e, R500_VAP_CNTL, vap_cntl(e->quad->chip));
    PUT_ALL(e, before);
    put_reg(e, R500_VAP_PROG_STREAM_CNTL,
            R500_SET(VAP_PROG_STREAM_CNTL, DATA_TYPE_0, FLOAT_2) |
                R500_SET(VAP_PROG_STREAM_CNTL, DATA_TYPE_1, FLOAT_2) |
                R500_SET(VAP_PROG_STREAM_CNTL, DST_VEC_LOC_1,
                         bypass ? BYPASS_TEXTURE : PROGRAM_TEXTURE) |
                R500_SET(VAP_PROG_STREAM_CNTL, LAST_1, 1));
    PUT_ALL(e, after);
    if (!bypass)
        put_vertex_program(e);
}

static void put_interpolators(struct encoder *e)
{
    static const struct setting plain[] = {
        {R500_RS_IP, 0x00ffe040}, /* s, t, 0, 1 */
        {R500_RS_COUNT, R500_SET(RS_COUNT, IT_COUNT, 2) | R500_SET(RS_COUNT, HIRES_EN, 1)},
        {R500_RS_INST_COUNT, 0},
        {R500_RS_INST, R500_SET(RS_INST, TEX_CN, 1)},
    };

    PUT_ALL(e, plain);
}

/* Textures above 2048 texels per side need this register on R520 only. */
static void put_large(struct encoder *e)
{
    uint32_t wide = (e->quad->width - 1) & 0x7ff, high = (e->quad->height - 1) & 0x7ff, depth = 0;

    if (e->quad->chip != R500_R520 || (e->quad->width <= LARGE && e->quad->height <= LARGE))
        return;
    if (e->quad->width > LARGE) {
        wide = (0x7ff + wide) >> 1;
        depth |= 13;
    }
    if (e->quad->height > LARGE) {
        high = (0x7ff + high) >> 1;
        depth |= 14;
    }
    put_reg(e, R500_US_FORMAT0,
            R500_SET(US_FORMAT0, TXWIDTH, wide) | R500_SET(US_FORMAT0, TXHEIGHT, high) |
                R500_SET(US_FORMAT0, TXDEPTH, depth));
}

static void put_texture(struct encoder *e)
{
    const struct r500_quad *quad = e->quad;
    uint32_t wide = quad->width - 1, high = quad->height - 1;
    const struct setting settings[] = {
        {R500_TX_INVALTAGS, 0},
        {R500_TX_ENABLE, 1},
        {R500_TX_FILTER0, R500_SET(TX_FILTER0, CLAMP_S, CLAMP_TO_LAST) |
                              R500_SET(TX_FILTER0, CLAMP_T, CLAMP_TO_LAST) |
                              R500_SET(TX_FILTER0, CLAMP_R, CLAMP_TO_LAST) |
                              R500_SET(TX_FILTER0, MAG_FILTER, FILTER_POINT) |
                              R500_SET(TX_FILTER0, MIN_FILTER, FILTER_POINT)},
        {R500_TX_FILTER1, 0},
        {R500_TX_BORDER_COLOR, 0},
        {R500_TX_FORMAT0, R500_SET(TX_FORMAT0, TXWIDTH, wide & 0x7ff) |
                              R500_SET(TX_FORMAT0, TXHEIGHT, high & 0x7ff) |
                              R500_SET(TX_FORMAT0, TXPITCH_EN, 1)},
        {R500_TX_FORMAT1, R500_SET(TX_FORMAT1, TXFORMAT, FORMAT_8888) |
                              R500_SET(TX_FORMAT1, SEL_ALPHA, quad->opaque ? SELECT_ONE : 3) |
                              R500_SET(TX_FORMAT1, SEL_RED, 2) |
                              R500_SET(TX_FORMAT1, SEL_GREEN, 1) |
                              R500_SET(TX_FORMAT1, SEL_BLUE, 0)},
        {R500_TX_FORMAT2, R500_SET(TX_FORMAT2, TXPITCH, quad->pitch - 1) |
                              R500_SET(TX_FORMAT2, TXWIDTH_11, wide >> 11) |
                              R500_SET(TX_FORMAT2, TXHEIGHT_11, high >> 11)},
        {R500_TX_OFFSET, 0},
    };

    PUT_ALL(e, settings);
    put_relocation(e, R500_TEXTURE_ENTRY);
    put_large(e);
}

static void put_fragment_program(struct encoder *e)
{
    static const struct setting plain[] = {
        {R500_US_CONFIG, R500_SET(US_CONFIG, ZERO_TIMES_ANYTHING_EQUALS_ZERO, 1)},
        {R500_US_PIXSIZE, 1},
        {R500_US_FC_CTRL, 0},
        {R500_US_CODE_ADDR, R500_SET(US_CODE_ADDR, END, 1)},
        {R500_US_CODE_RANGE, R500_SET(US_CODE_RANGE, CODE_SIZE, 1)},
        {R500_US_CODE_OFFSET, 0},
        {R500_US_OUT_FMT, R500_SET(US_OUT_FMT, C0_SEL, 3) | R500_SET(US_OUT_FMT, C1_SEL, 2) |
                              R500_SET(US_OUT_FMT, C2_SEL, 1)}, /* blue, green, red, alpha */
        {R500_US_OUT_FMT + 4, 15},
        {R500_US_OUT_FMT + 8, 15},
        {R500_US_OUT_FMT + 12, 15},
        {R500_US_W_FMT, 0},
        {R500_GA_US_VECTOR_INDEX, 0},
    };

    PUT_ALL(e, plain);
    put_program(e, R500_GA_US_VECTOR_DATA, fragment_program, SHADER_US);
}

static void put_draw(struct encoder *e)
{
    const struct r500_quad *q = e->quad;
    const float corners[CORNERS][CORNER_DWORDS] = {
        {(float)q->left, (float)q->top, 0, 0},
        {(float)q->left, (float)q->bottom, 0, 1},
        {(float)q->right, (float)q->bottom, 1, 1},
        {(float)q->right, (float)q->top, 1, 0},
    };

    put(e, PM4_TYPE3(PM4_3D_DRAW_IMMD_2, 1 + CORNERS * CORNER_DWORDS));
    put(e, R500_SET(VAP_VF_CNTL, PRIM_TYPE, QUADS) | R500_SET(VAP_VF_CNTL, PRIM_WALK, WALK_STREAM) |
               R500_SET(VAP_VF_CNTL, NUM_VERTICES, CORNERS));
    for (unsigned i = 0; i < CORNERS * CORNER_DWORDS; i++)
        put_float(e, corners[i / CORNER_DWORDS][i % CORNER_DWORDS]);
}

static bool is_good(const struct r500_quad *q)
{
    return q->width && q->height && q->target_width && q->target_height &&
           q->width <= R500_SIZE_MAX && q->height <= R500_SIZE_MAX &&
           q->target_width <= R500_SIZE_MAX && q->target_height <= R500_SIZE_MAX &&
           q->pitch >= q->width && q->pitch % R500_TEXTURE_ALIGN == 0 &&
           q->pitch <= 2 * R500_SIZE_MAX && q->target_pitch >= q->target_width &&
           q->target_pitch % R500_TEXTURE_ALIGN == 0 && q->target_pitch <= 2 * R500_SIZE_MAX - 8 &&
           q->left < q->right && q->top < q->bottom && q->right <= q->target_width &&
           q->bottom <= q->target_height;
}

enum status r500_encode_quad(uint32_t stream[R500_QUAD_DWORDS], uint32_t *n,
                             const struct r500_quad *quad)
{
    struct encoder e = {stream, 0, quad};

    *n = 0;
    if (!is_good(quad)) {
        log_error("present",
                  "r500: the chip cannot draw a frame of %ux%u (pitch %u) to %ux%u (pitch %u)",
                  quad->width, quad->height, quad->pitch, quad->target_width, quad->target_height,
                  quad->target_pitch);
        return ST_INVALID;
    }
    put_flush(&e);
    put_output(&e);
    put_raster(&e);
    put_vertex_state(&e);
    put_interpolators(&e);
    put_texture(&e);
    put_fragment_program(&e);
    put_draw(&e);
    put_flush(&e);
    while (e.n % STREAM_ALIGN)
        put(&e, PM4_FILLER);
    *n = e.n;
    return ST_OK;
}
