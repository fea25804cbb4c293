/* Chip model, fragment stage: interpolation, fragment program, texture fetch, output.
 *
 * Tested by tests/unit/present/r500/model/test_model.c. */
#include "present/r500/model/state.h"

#include "present/r500/stream/pm4.h"
#include "util/alloc.h"

#include <math.h>
#include <string.h>

enum { RS_ZERO = 62, RS_ONE = 63, RS_INSTRUCTIONS = 16 };
enum { RGB_MAD, RGB_DP3, RGB_DP4, RGB_MIN = 4, RGB_MAX, RGB_CND = 7, RGB_CMP, RGB_FRC };
enum { ALPHA_MAD, ALPHA_DP, ALPHA_MIN, ALPHA_MAX, ALPHA_CND = 5, ALPHA_CMP, ALPHA_FRC };
enum { TEX_LD = 1, OMOD_COPY = 7, FORMAT_8888 = 12, CLAMP_LAST = 2 };
enum { TEXEL_STEPS = 1 << 20 }; /* fixed-point steps per texel */

/* Source selection and modifiers of operands a, b and c. */
struct operand {
    uint8_t source, swizzle[3], mod;
};

struct instruction {
    uint32_t words[US_WORDS];
    uint8_t type, write, out;
    bool clamp_rgb, clamp_alpha;
    uint32_t address[2][3]; /* of rgb and alpha sources */
    struct operand rgb[3], alpha[3];
    uint8_t rgb_op, alpha_op, rgb_to, alpha_to, rgb_omod, alpha_omod, rgb_srcp, alpha_srcp;
    uint8_t unit, from, to, from_swizzle, to_swizzle;
};

struct texture {
    const uint8_t *texels;
    uint32_t width, height, pitch, select[4]; /* select: channel for red, green, blue, alpha */
};

struct model_shader {
    struct model *m;
    struct {
        uint8_t pointer[4], to;
    } rs[RS_INSTRUCTIONS];
    unsigned n_rs, n_components, n;
    struct texture textures[MODEL_UNITS];
    uint32_t out_select[4];
    double temp[MODEL_TEMPS][4], out[4];
    bool zero_wins; /* 0 * anything = 0 */
    struct instruction program[US_INSTRUCTIONS];
};

/* --- Preparation ------------------------------------------------------------------------------ */

static bool prepare_interpolators(struct model_shader *s)
{
    struct model *m = s->m;
    uint32_t count = R500_GET(RS_COUNT, IT_COUNT, model_reg(m, R500_RS_COUNT));

    s->n_rs = R500_GET(RS_INST_COUNT, INST_COUNT, model_reg(m, R500_RS_INST_COUNT)) + 1;
    for (unsigned i = 0; i < s->n_rs; i++) {
        uint32_t inst = model_reg(m, R500_RS_INST + 4 * i);
        uint32_t ip = model_reg(m, R500_RS_IP + 4 * R500_GET(RS_INST, TEX_ID, inst));

        if (m->status != ST_OK)
            return false;
        if (inst & ~0xfffu || !R500_GET(RS_INST, TEX_CN, inst) || R500_GET(RS_IP, OFFSET_EN, ip))
            return model_fail(m, ST_UNSUPPORTED, "not modelled: RS_INST[%u] = 0x%08x", i, inst);
        s->rs[i].to = (uint8_t)R500_GET(RS_INST, TEX_ADDR, inst);
        for (unsigned c = 0; c < 4; c++) {
            s->rs[i].pointer[c] = ip >> (6 * c) & 63;
            if (s->rs[i].pointer[c] < RS_ZERO &&
                (s->rs[i].pointer[c] >= count || s->rs[i].pointer[c] >= MODEL_COMPONENTS))
                return model_fail(m, ST_DAMAGED, "RS_IP points to component %u of %u",
                                  s->rs[i].pointer[c], count);
        }
    }
    return m->status == ST_OK;
}

static bool texture_is_modelled(struct model *m, unsigned unit)
{
    uint32_t filter = model_reg(m, R500_TX_FILTER0 + 4 * unit);
    uint32_t format0 = model_reg(m, R500_TX_FORMAT0 + 4 * unit);
    uint32_t format1 = model_reg(m, R500_TX_FORMAT1 + 4 * unit);
    uint32_t format2 = model_reg(m, R500_TX_FORMAT2 + 4 * unit);
    uint32_t other = model_reg(m, R500_TX_FILTER1 + 4 * unit);

    /* Supported: clamped, point sampled, one level, a pitch, unsigned bytes, no conversions. */
    if (m->status == ST_OK &&
        ((filter & 0x1ffe3f) != 0xa12 || (format0 & 0xffc00000) != 0x80000000 ||
         (format1 & 0x07e001ff) != FORMAT_8888 || format2 & 0xe4000 || other))
        model_fail(m, ST_UNSUPPORTED, "not modelled: texture %u: 0x%08x 0x%08x 0x%08x 0x%08x", unit,
                   filter, format0, format1, format2);
    return m->status == ST_OK;
}

static bool prepare_texture(struct model_shader *s, unsigned unit)
{
    struct model *m = s->m;
    struct texture *t = &s->textures[unit];
    uint32_t format0, format1, format2, offset = model_reg(m, R500_TX_OFFSET + 4 * unit);
    const struct r500_buffer *buffer = m->texture[unit];

    if (!(model_reg(m, R500_TX_ENABLE) >> unit & 1))
        return model_fail(m, ST_DAMAGED, "the program reads texture %u, which is off", unit);
    if (!texture_is_modelled(m, unit))
        return false;
    model_reg(m, R500_TX_INVALTAGS);
    format0 = model_reg(m, R500_TX_FORMAT0 + 4 * unit);
    format1 = model_reg(m, R500_TX_FORMAT1 + 4 * unit);
    format2 = model_reg(m, R500_TX_FORMAT2 + 4 * unit);
    t->width =
        (R500_GET(TX_FORMAT0, TXWIDTH, format0) | R500_GET(TX_FORMAT2, TXWIDTH_11, format2) << 11) +
        1;
    t->height = (R500_GET(TX_FORMAT0, TXHEIGHT, format0) |
                 R500_GET(TX_FORMAT2, TXHEIGHT_11, format2) << 11) +
                1;
    t->pitch = R500_GET(TX_FORMAT2, TXPITCH, format2) + 1;
    t->select[0] = R500_GET(TX_FORMAT1, SEL_RED, format1);
    t->select[1] = R500_GET(TX_FORMAT1, SEL_GREEN, format1);
    t->select[2] = R500_GET(TX_FORMAT1, SEL_BLUE, format1);
    t->select[3] = R500_GET(TX_FORMAT1, SEL_ALPHA, format1);
    if (offset & 31 || t->pitch % 8)
        return model_fail(m, ST_UNSUPPORTED, "not modelled: texture %u: offset 0x%x, pitch %u",
                          unit, offset, t->pitch);
    if (m->status != ST_OK || !buffer || !buffer->data || t->width > t->pitch ||
        offset + (uint64_t)t->pitch * t->height * 4 > buffer->size)
        return model_fail(m, ST_DAMAGED, "texture %u is not in its memory", unit);
    t->texels = buffer->data + offset;
    return true;
}

static struct operand operand_of(uint32_t bits, unsigned swizzles)
{
    struct operand o = {.source = bits & 3, .mod = (uint8_t)(bits >> (2 + 3 * swizzles) & 3)};

    for (unsigned i = 0; i < swizzles; i++)
        o.swizzle[i] = bits >> (2 + 3 * i) & 7;
    return o;
}

static bool prepare_alu(struct model_shader *s, struct instruction *in)
{
    const uint32_t *w = in->words;

    for (unsigned i = 0; i < 3; i++) {
        in->address[0][i] = code_get(w, US_RGB_SRC0 + i);
        in->address[1][i] = code_get(w, US_ALPHA_SRC0 + i);
        in->rgb[i] = operand_of(code_get(w, i < 2 ? US_RGB_A + i : US_RGB_C), 3);
        in->alpha[i] = operand_of(code_get(w, i < 2 ? US_ALPHA_A + i : US_ALPHA_C), 1);
        if ((in->address[0][i] | in->address[1][i]) & 0x200)
            return model_fail(s->m, ST_UNSUPPORTED, "not modelled: relative sources");
    }
    in->rgb_op = (uint8_t)code_get(w, US_RGB_OP);
    in->alpha_op = (uint8_t)code_get(w, US_ALPHA_OP);
    in->rgb_to = (uint8_t)code_get(w, US_RGB_ADDRD);
    in->alpha_to = (uint8_t)code_get(w, US_ALPHA_ADDRD);
    in->rgb_omod = (uint8_t)code_get(w, US_RGB_OMOD);
    in->alpha_omod = (uint8_t)code_get(w, US_ALPHA_OMOD);
    in->rgb_srcp = (uint8_t)code_get(w, US_RGB_SRCP);
    in->alpha_srcp = (uint8_t)code_get(w, US_ALPHA_SRCP);
    if (in->rgb_op > RGB_FRC || in->rgb_op == 3 || in->rgb_op == 6 || in->alpha_op > ALPHA_FRC ||
        in->alpha_op == 4 || code_get(w, US_RGB_ADDRD_REL) || code_get(w, US_ALPHA_ADDRD_REL) ||
        code_get(w, US_RGB_TARGET) || code_get(w, US_ALPHA_TARGET) || code_get(w, US_ALU_WMASK) ||
        code_get(w, US_W_OMASK))
        return model_fail(s->m, ST_UNSUPPORTED,
                          "not modelled: fragment instruction 0x%08x 0x%08x 0x%08x", w[3], w[4],
                          w[5]);
    return true;
}

static bool prepare_tex(struct model_shader *s, struct instruction *in)
{
    const uint32_t *w = in->words;

    in->unit = (uint8_t)code_get(w, US_TEX_ID);
    in->from = (uint8_t)code_get(w, US_TEX_SRC);
    in->to = (uint8_t)code_get(w, US_TEX_DST);
    in->from_swizzle = (uint8_t)code_get(w, US_TEX_SRC_SWIZZLE);
    in->to_swizzle = (uint8_t)code_get(w, US_TEX_DST_SWIZZLE);
    if (code_get(w, US_TEX_OP) != TEX_LD || code_get(w, US_TEX_UNSCALED) ||
        code_get(w, US_TEX_SRC_REL) || code_get(w, US_TEX_DST_REL))
        return model_fail(s->m, ST_UNSUPPORTED, "not modelled: texture instruction 0x%08x", w[1]);
    return prepare_texture(s, in->unit);
}

static bool prepare_program(struct model_shader *s)
{
    struct model *m = s->m;
    uint32_t range = model_reg(m, R500_US_CODE_ADDR);
    uint32_t offset = R500_GET(US_CODE_OFFSET, OFFSET_ADDR, model_reg(m, R500_US_CODE_OFFSET));
    uint32_t first = R500_GET(US_CODE_ADDR, START, range) + offset;
    uint32_t last = R500_GET(US_CODE_ADDR, END, range) + offset;

    if (m->status != ST_OK)
        return false;
    if (first > last || last >= US_INSTRUCTIONS)
        return model_fail(m, ST_DAMAGED, "US_CODE_ADDR = 0x%08x is not a program", range);
    for (uint32_t i = first; i <= last; i++) {
        struct instruction *in = &s->program[s->n++];

        memcpy(in->words, &m->us[i * US_WORDS], sizeof(in->words));
        in->type = in->words[0] & 3;
        in->write = (uint8_t)code_get(in->words, US_WMASK);
        in->out = in->type == US_TYPE_OUT ? (uint8_t)code_get(in->words, US_OMASK) : 0;
        in->clamp_rgb = code_get(in->words, US_RGB_CLAMP);
        in->clamp_alpha = code_get(in->words, US_ALPHA_CLAMP);
        /* Unsupported: predicates, comparison results, discarded pixels, early exit. */
        if (in->type == US_TYPE_FLOW || in->words[0] & 0xffe001f8)
            return model_fail(m, ST_UNSUPPORTED, "not modelled: fragment instruction 0x%08x",
                              in->words[0]);
        if (!(in->type == US_TYPE_TEX ? prepare_tex(s, in) : prepare_alu(s, in)))
            return false;
    }
    return true;
}

struct model_shader *model_shader_create(struct model *m)
{
    struct model_shader *s = mem_calloc(1, sizeof(*s));
    uint32_t format = model_reg(m, R500_US_OUT_FMT);

    if (!s) {
        model_fail(m, ST_NOMEM, "out of memory");
        return NULL;
    }
    s->m = m;
    s->zero_wins = model_reg(m, R500_US_CONFIG) & 2;
    for (unsigned i = 0; i < 4; i++)
        s->out_select[i] = format >> (8 + 2 * i) & 3;
    if (prepare_interpolators(s) && prepare_program(s) && m->status == ST_OK)
        return s;
    mem_free(s);
    return NULL;
}

unsigned model_shader_length(const struct model_shader *shader)
{
    return shader->n;
}

void model_shader_destroy(struct model_shader *shader)
{
    mem_free(shader);
}

/* --- Shading of a pixel ----------------------------------------------------------------------- */

/* Rounds the coordinate to 2^-20 texels before the floor, so that the last bits of the
 * interpolation do not matter (reference: present/r500). */
static uint32_t texel_index(double coordinate, uint32_t size)
{
    double at = floor(coordinate * size * TEXEL_STEPS + 0.5) / TEXEL_STEPS;

    if (!(at > 0))
        return 0;
    return at >= size ? size - 1 : (uint32_t)at;
}

static void run_tex(struct model_shader *s, const struct instruction *in)
{
    const struct texture *t = &s->textures[in->unit];
    uint32_t x = texel_index(s->temp[in->from][in->from_swizzle & 3], t->width);
    uint32_t y = texel_index(s->temp[in->from][in->from_swizzle >> 2 & 3], t->height);
    const uint8_t *texel = t->texels + ((size_t)y * t->pitch + x) * 4;
    double rgba[4];

    for (unsigned c = 0; c < 4; c++)
        rgba[c] = t->select[c] < 4 ? texel[t->select[c]] / 255.0 : t->select[c] == 5;
    for (unsigned c = 0; c < 4; c++)
        if (in->write >> c & 1)
            s->temp[in->to][c] = rgba[in->to_swizzle >> (2 * c) & 3];
}

/* Reads the four components at an address: temporary, constant, or inline float. */
static void read_address(const struct model_shader *s, uint32_t address, double out[4])
{
    for (unsigned c = 0; c < 4; c++)
        if (address & 0x100)
            out[c] = s->m->us_constant[address & 0xff][c];
        else if (address & 0x80)
            out[c] = ldexp(1.0 + (address & 7) / 8.0, (int)(address >> 3 & 15) - 7);
        else
            out[c] = s->temp[address & 0x7f][c];
}

/* Reads sources 0 to 2, and computes the presubtract result as source 3. */
static void read_sources(const struct model_shader *s, const uint32_t address[3], unsigned srcp,
                         double out[4][4])
{
    for (unsigned i = 0; i < 3; i++)
        read_address(s, address[i], out[i]);
    for (unsigned c = 0; c < 4; c++) {
        double s0 = out[0][c], s1 = out[1][c];

        out[3][c] = srcp == 0 ? 1 - 2 * s0 : srcp == 1 ? s1 - s0 : srcp == 2 ? s1 + s0 : 1 - s0;
    }
}

/* Reads rgb components from the rgb sources and alpha from the alpha sources. */
static double read_operand(const struct operand *o, unsigned i, double rgb[4][4],
                           double alpha[4][4])
{
    static const double constants[8] = {0, 0, 0, 0, 0, 0.5, 1, 0};
    uint8_t swizzle = o->swizzle[i];
    double value = swizzle > 3    ? constants[swizzle]
                   : swizzle == 3 ? alpha[o->source][3]
                                  : rgb[o->source][swizzle];

    value = o->mod & 2 ? fabs(value) : value;
    return o->mod & 1 ? -value : value;
}

static double times(const struct model_shader *s, double a, double b)
{
    return s->zero_wins && (a == 0 || b == 0) ? 0 : a * b;
}

static double modify(double value, unsigned omod, bool clamp)
{
    static const double scales[8] = {1, 2, 4, 8, 0.5, 0.25, 0.125, 1};

    value *= scales[omod];
    if (clamp)
        value = value > 0 ? (value < 1 ? value : 1) : 0;
    return value;
}

enum op { OP_MAD, OP_MIN, OP_MAX, OP_CND, OP_CMP, OP_FRC };

static double compute(const struct model_shader *s, enum op op, double a, double b, double c)
{
    switch (op) {
    case OP_MAD:
        return times(s, a, b) + c;
    case OP_MIN:
        return a < b ? a : b;
    case OP_MAX:
        return a > b ? a : b;
    case OP_CND:
        return c > 0.5 ? a : b;
    case OP_CMP:
        return c >= 0 ? a : b;
    default:
        return a - floor(a);
    }
}

static void run_alu(struct model_shader *s, const struct instruction *in)
{
    static const enum op rgb_ops[] = {[RGB_MAD] = OP_MAD, [RGB_MIN] = OP_MIN, [RGB_MAX] = OP_MAX,
                                      [RGB_CND] = OP_CND, [RGB_CMP] = OP_CMP, [RGB_FRC] = OP_FRC};
    static const enum op alpha_ops[] = {
        [ALPHA_MAD] = OP_MAD, [ALPHA_MIN] = OP_MIN, [ALPHA_MAX] = OP_MAX,
        [ALPHA_CND] = OP_CND, [ALPHA_CMP] = OP_CMP, [ALPHA_FRC] = OP_FRC};
    double rgb[4][4], alpha[4][4], x[4][3], dot = 0, result[4];

    read_sources(s, in->address[0], in->rgb_srcp, rgb);
    read_sources(s, in->address[1], in->alpha_srcp, alpha);
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned c = 0; c < 3; c++)
            x[c][k] = read_operand(&in->rgb[k], c, rgb, alpha);
        x[3][k] = read_operand(&in->alpha[k], 0, rgb, alpha);
    }
    for (unsigned c = 0; c < (in->rgb_op == RGB_DP4 ? 4 : 3); c++)
        dot += times(s, x[c][0], x[c][1]);
    for (unsigned c = 0; c < 4; c++) {
        bool dots =
            c < 3 ? in->rgb_op == RGB_DP3 || in->rgb_op == RGB_DP4 : in->alpha_op == ALPHA_DP;
        enum op op = c < 3 ? rgb_ops[in->rgb_op] : alpha_ops[in->alpha_op];

        result[c] = dots ? dot : compute(s, op, x[c][0], x[c][1], x[c][2]);
        result[c] = modify(result[c], c < 3 ? in->rgb_omod : in->alpha_omod,
                           c < 3 ? in->clamp_rgb : in->clamp_alpha);
    }
    for (unsigned c = 0; c < 4; c++) {
        if (in->write >> c & 1)
            s->temp[c < 3 ? in->rgb_to : in->alpha_to][c] = result[c];
        if (in->out >> c & 1)
            s->out[c] = result[c];
    }
}

static void interpolate(struct model_shader *s, const double *components)
{
    for (unsigned i = 0; i < s->n_rs; i++)
        for (unsigned c = 0; c < 4; c++) {
            uint8_t from = s->rs[i].pointer[c];

            s->temp[s->rs[i].to][c] = from < RS_ZERO ? components[from] : from == RS_ONE;
        }
}

void model_shade(struct model_shader *s, const double *components, uint8_t out[4])
{
    static const uint8_t channels[4] = {3, 0, 1, 2}; /* output selectors: alpha, red, green, blue */

    memset(s->out, 0, sizeof(s->out));
    interpolate(s, components);
    for (unsigned i = 0; i < s->n; i++)
        if (s->program[i].type == US_TYPE_TEX)
            run_tex(s, &s->program[i]);
        else
            run_alu(s, &s->program[i]);
    for (unsigned i = 0; i < 4; i++) {
        double value = s->out[channels[s->out_select[i]]];

        value = value > 0 ? (value < 1 ? value : 1) : 0; /* NaN becomes 0 */
        out[i] = (uint8_t)floor(255 * value + 0.5);
    }
}
