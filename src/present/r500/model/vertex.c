/* Chip model, vertex stage: vertex fetch, vertex program, window coordinates.
 *
 * Tested by tests/unit/present/r500/model/test_model.c. */
#include "present/r500/model/state.h"

#include <math.h>
#include <string.h>

enum {
    ELEMENTS = 16,
    LOCATIONS = 32,
    BYPASS_TEXTURE = 6, /* slot of texture 0 */
    COORDINATE_MAX = 8192,
};

struct registers {
    float in[LOCATIONS][4], out[LOCATIONS][4], temp[MODEL_TEMPS][4];
};

/* --- Fetch ------------------------------------------------------------------------------------ */

static float select(const float value[4], uint32_t selector)
{
    return selector < 4 ? value[selector] : selector == 5 ? 1.0f : 0.0f;
}

/* Fetches one half of a VAP_PROG_STREAM_CNTL pair. *at: current dword of the vertex. */
static bool fetch_element(struct model *m, struct registers *r, const uint32_t *data, uint32_t *at,
                          uint32_t control, uint32_t swizzle)
{
    uint32_t type = control & 15, n = type + 1, to = control >> 8 & 31;
    float value[4] = {0, 0, 0, 1};

    *at += control >> 4 & 15;
    if (type > 3)
        return model_fail(m, ST_UNSUPPORTED, "not modelled: vertex data of type %u", type);
    if (*at + n > m->vertex_dwords)
        return model_fail(m, ST_DAMAGED, "an element reaches beyond its vertex");
    memcpy(value, data + *at, n * 4);
    *at += n;
    for (unsigned c = 0; c < 4; c++)
        if (swizzle >> (12 + c) & 1)
            r->in[to][c] = select(value, swizzle >> (3 * c) & 7);
    return true;
}

static bool fetch(struct model *m, struct registers *r, uint32_t vertex)
{
    const uint32_t *data = m->vertex_data + (size_t)vertex * m->vertex_dwords;
    uint32_t at = 0;

    for (uint32_t i = 0; i < ELEMENTS; i++) {
        uint32_t control = model_reg(m, R500_VAP_PROG_STREAM_CNTL + i / 2 * 4) >> i % 2 * 16;
        uint32_t swizzle = model_reg(m, R500_VAP_PROG_STREAM_CNTL_EXT + i / 2 * 4) >> i % 2 * 16;

        if (m->status != ST_OK || !fetch_element(m, r, data, &at, control, swizzle))
            return false;
        if (control >> R500_VAP_PROG_STREAM_CNTL_LAST_0_LO & 1)
            return true;
    }
    return model_fail(m, ST_DAMAGED, "vertex data has no last element");
}

/* --- Vertex program --------------------------------------------------------------------------- */

enum { FILE_TEMP, FILE_IN, FILE_CONSTANT, TO_TEMP = 0, TO_OUT = 2 };
enum { OP_NOP, OP_DOT, OP_MUL, OP_ADD, OP_MAD, OP_DST, OP_FRC, OP_MAX, OP_MIN, OP_SGE, OP_SLT };
enum { CONSTANTS_AT = 1024 };

static bool read_source(struct model *m, const struct registers *r, uint32_t word, float out[4])
{
    uint32_t index = word >> 5 & 0xff, file = word & 3;
    float value[4];

    if (word & 0xe0000014 || (file != FILE_CONSTANT && index >= LOCATIONS))
        return model_fail(m, ST_UNSUPPORTED, "not modelled: vertex shader source 0x%08x", word);
    if (file == FILE_CONSTANT)
        memcpy(value, &m->pvs[(CONSTANTS_AT + index) * 4], sizeof(value));
    else if (file == FILE_IN || file == FILE_TEMP)
        memcpy(value, file == FILE_IN ? r->in[index] : r->temp[index], sizeof(value));
    else
        return model_fail(m, ST_UNSUPPORTED, "not modelled: vertex shader source 0x%08x", word);
    for (unsigned c = 0; c < 4; c++) {
        float v = select(value, word >> (13 + 3 * c) & 7);

        v = word & 8 ? fabsf(v) : v;
        out[c] = word >> (25 + c) & 1 ? -v : v;
    }
    return true;
}

static float component(uint32_t op, const float a[4], const float b[4], const float c[4],
                       unsigned i)
{
    switch (op) {
    case OP_DOT:
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    case OP_MUL:
        return a[i] * b[i];
    case OP_ADD:
        return a[i] + b[i];
    case OP_MAD:
        return a[i] * b[i] + c[i];
    case OP_FRC:
        return a[i] - floorf(a[i]);
    case OP_MAX:
        return a[i] > b[i] ? a[i] : b[i];
    case OP_MIN:
        return a[i] < b[i] ? a[i] : b[i];
    case OP_SGE:
        return a[i] >= b[i];
    default: /* OP_SLT */
        return a[i] < b[i];
    }
}

static bool run_instruction(struct model *m, struct registers *r, const uint32_t *words)
{
    uint32_t op = code_get(words, PVS_OP), type = code_get(words, PVS_DST_TYPE);
    uint32_t to = code_get(words, PVS_DST_OFFSET), mask = code_get(words, PVS_DST_MASK);
    float a[4], b[4], c[4];

    if (op == OP_NOP)
        return true;
    if (op > OP_SLT || op == OP_DST || (type != TO_TEMP && type != TO_OUT) || to >= LOCATIONS ||
        words[0] & 0xff001000)
        return model_fail(m, ST_UNSUPPORTED, "not modelled: vertex shader instruction 0x%08x",
                          words[0]);
    if (!read_source(m, r, words[1], a) || !read_source(m, r, words[2], b) ||
        !read_source(m, r, words[3], c))
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1)
            (type == TO_OUT ? r->out : r->temp)[to][i] = component(op, a, b, c, i);
    return true;
}

static bool run_program(struct model *m, struct registers *r)
{
    uint32_t control = model_reg(m, R500_VAP_PVS_CODE_CNTL_0);
    uint32_t first = R500_GET(VAP_PVS_CODE_CNTL_0, FIRST_INST, control);
    uint32_t last = R500_GET(VAP_PVS_CODE_CNTL_0, LAST_INST, control);

    if (model_reg(m, R500_VAP_PVS_FLOW_CNTL_OPC) || model_reg(m, R500_VAP_PVS_CONST_CNTL) & 0xff)
        model_fail(m, ST_UNSUPPORTED, "not modelled: flow control or a base of constants");
    for (uint32_t i = first; i <= last && m->status == ST_OK; i++)
        if (!run_instruction(m, r, &m->pvs[i * PVS_WORDS]))
            return false;
    return m->status == ST_OK;
}

/* --- Vertex outputs --------------------------------------------------------------------------- */

/* Rounds to the nearest twelfth of a pixel. */
static bool snap(struct model *m, float value, int32_t *out)
{
    if (!(fabsf(value) <= COORDINATE_MAX))
        return model_fail(m, ST_UNSUPPORTED, "not modelled: a vertex at %g", (double)value);
    *out = (int32_t)floor((double)value * MODEL_SUBPIXELS + 0.5);
    return true;
}

bool model_vertex(struct model *m, uint32_t i, struct model_vertex *out, unsigned *n_components)
{
    bool bypass = R500_GET(VAP_CNTL_STATUS, PVS_BYPASS, model_reg(m, R500_VAP_CNTL_STATUS));
    uint32_t formats = model_reg(m, R500_VAP_OUT_VTX_FMT_1);
    struct registers r = {0};
    unsigned n = 0, output = 1;

    if (!fetch(m, &r, i) || (!bypass && !run_program(m, &r)))
        return false;
    if (bypass) {
        memcpy(r.out[0], r.in[0], sizeof(r.out[0]));
        memcpy(r.out[1], r.in[BYPASS_TEXTURE], MODEL_TEXTURES * sizeof(r.out[0]));
    }
    *out = (struct model_vertex){0};
    if (r.out[0][3] != 1.0f)
        return model_fail(m, ST_UNSUPPORTED, "not modelled: a vertex with w = %g",
                          (double)r.out[0][3]);
    for (unsigned texture = 0; texture < MODEL_TEXTURES; texture++) {
        unsigned count = formats >> (3 * texture) & 7;

        if (count > 4)
            return model_fail(m, ST_DAMAGED, "texture %u has %u coordinates", texture, count);
        /* In bypass each texture has a fixed slot, otherwise outputs are consecutive. */
        for (unsigned c = 0; c < count; c++)
            out->components[n++] = r.out[bypass ? texture + 1 : output][c];
        output += count != 0;
    }
    *n_components = n;
    return snap(m, r.out[0][0], &out->x) && snap(m, r.out[0][1], &out->y);
}
