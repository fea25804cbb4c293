/* Fixed-function pixel shader: derives its key and constants from texture stage state.
 * Tested by tests/unit/ff/test_pixel.c. */
#include "ff/pixel.h"
#include "util/fault_injection.h"
#include "util/log.h"

#include <stddef.h>
#include <string.h>

enum { ARG0 = 1, ARG1 = 2, ARG2 = 4 };

unsigned pixel_op_args(unsigned op)
{
    switch (op) {
    case D3DTOP_SELECTARG1:
    case D3DTOP_PREMODULATE:
        return ARG1;
    case D3DTOP_SELECTARG2:
        return ARG2;
    case D3DTOP_MULTIPLYADD:
    case D3DTOP_LERP:
        return ARG0 | ARG1 | ARG2;
    default:
        return op >= D3DTOP_MODULATE && op <= D3DTOP_DOTPRODUCT3 ? ARG1 | ARG2 : 0;
    }
}

/* The operation of the colour or alpha half, with the arguments that it reads. */
static struct pixel_op load_op(const DWORD *stage, D3DTEXTURESTAGESTATETYPE op,
                               const D3DTEXTURESTAGESTATETYPE arg[FF_ARGS])
{
    struct pixel_op out = {0};
    unsigned used = pixel_op_args(stage[op]);

    if (used)
        out.op = (uint8_t)stage[op];
    for (unsigned i = 0; i < FF_ARGS; i++) {
        if (used & 1u << i)
            out.arg[i] =
                stage[arg[i]] & (D3DTA_SELECTMASK | D3DTA_COMPLEMENT | D3DTA_ALPHAREPLICATE);
    }
    return out;
}

/* True if the operation reads this argument, with any modifiers. */
static bool reads(const struct pixel_op *op, unsigned arg)
{
    unsigned used = pixel_op_args(op->op);

    for (unsigned i = 0; i < FF_ARGS; i++) {
        if (used & 1u << i && (op->arg[i] & D3DTA_SELECTMASK) == arg)
            return true;
    }
    return false;
}

/* True if the operation reads the texture, as an argument or implicitly. */
static bool samples(const struct pixel_op *op)
{
    return reads(op, D3DTA_TEXTURE) || op->op == D3DTOP_BLENDTEXTUREALPHA ||
           op->op == D3DTOP_BLENDTEXTUREALPHAPM || pixel_op_bumps(op->op);
}

static struct pixel_op load_colour(const DWORD *stage)
{
    static const D3DTEXTURESTAGESTATETYPE arg[FF_ARGS] = {D3DTSS_COLORARG0, D3DTSS_COLORARG1,
                                                          D3DTSS_COLORARG2};

    return load_op(stage, D3DTSS_COLOROP, arg);
}

/* Without an alpha operation the alpha stays unchanged (reference: stage/alpha-disable). */
static struct pixel_op load_alpha(const DWORD *stage)
{
    static const D3DTEXTURESTAGESTATETYPE arg[FF_ARGS] = {D3DTSS_ALPHAARG0, D3DTSS_ALPHAARG1,
                                                          D3DTSS_ALPHAARG2};
    struct pixel_op op = load_op(stage, D3DTSS_ALPHAOP, arg);

    if (pixel_op_bumps(op.op))
        op = (struct pixel_op){0};
    /* Alpha arguments read alpha anyway; only the dot product reads their colour. */
    for (unsigned i = 0; i < FF_ARGS && op.op != D3DTOP_DOTPRODUCT3; i++)
        op.arg[i] &= ~D3DTA_ALPHAREPLICATE;
    return op;
}

/* False where the cascade ends: at DISABLE, or at a stage whose colour reads an unbound texture
 * (reference: stage/unbound-texture). An unknown operation leaves its half unchanged. */
static bool key_stage(struct texture_stage *out, const struct ff_state *state, unsigned i)
{
    const DWORD *stage = state->stage[i];
    bool bound = state->texture_kind[i] != 0;
    struct pixel_op colour = load_colour(stage);

    if (stage[D3DTSS_COLOROP] == D3DTOP_DISABLE)
        return false;
    if (!colour.op)
        log_once("ff", "colorop", "COLOROP %lu does not exist",
                 (unsigned long)stage[D3DTSS_COLOROP]);
    if (!bound && reads(&colour, D3DTA_TEXTURE))
        return false;
    if (pixel_op_bumps(colour.op)) { /* writes nothing; its other states have no effect */
        if (bound)
            out->colour.op = colour.op;
        return true;
    }
    out->colour = colour;
    if (colour.op != D3DTOP_DOTPRODUCT3) /* the dot product writes alpha too */
        out->alpha = load_alpha(stage);
    out->to_temp = (stage[D3DTSS_RESULTARG] & D3DTA_SELECTMASK) == D3DTA_TEMP;
    /* TEMP has no earlier alpha to keep (reference: stage/alpha-disable). */
    if (i == 0 && out->to_temp && colour.op != D3DTOP_DOTPRODUCT3 && !out->alpha.op)
        out->alpha = (struct pixel_op){D3DTOP_SELECTARG1, {0, D3DTA_DIFFUSE, 0}};
    return true;
}

/* Replaces PREMODULATE by SELECTARG1. False if the operation is another one. */
static bool resolve_premodulate(struct pixel_op *op)
{
    if (op->op != D3DTOP_PREMODULATE)
        return false;
    op->op = D3DTOP_SELECTARG1;
    return true;
}

/* After PREMODULATE, the next stage multiplies CURRENT by its texture where it reads that texture
 * (reference: stage/premodulate). */
static void key_premodulate(struct pixel_key *key, const struct ff_state *state)
{
    unsigned channels = 0;

    for (unsigned i = 0; i < key->n_stages; i++) {
        struct texture_stage *stage = &key->stage[i];

        if (channels & PIXEL_COLOUR && state->texture_kind[i] &&
            reads(&stage->colour, D3DTA_CURRENT))
            stage->premodulated |= PIXEL_COLOUR;
        if (channels & PIXEL_ALPHA && state->texture_kind[i] && reads(&stage->alpha, D3DTA_CURRENT))
            stage->premodulated |= PIXEL_ALPHA;
        channels = (resolve_premodulate(&stage->colour) ? PIXEL_COLOUR : 0) |
                   (resolve_premodulate(&stage->alpha) ? PIXEL_ALPHA : 0);
    }
}

/* Records the textures that stages read. */
static void key_textures(struct pixel_key *key, const struct ff_state *state)
{
    for (unsigned i = 0; i < key->n_stages; i++) {
        struct texture_stage *stage = &key->stage[i];

        if (!samples(&stage->colour) && !samples(&stage->alpha) && !stage->premodulated)
            continue;
        stage->kind = state->texture_kind[i];
        stage->three_coords = stage->kind > 2 || (stage->kind && state->shadow_maps >> i & 1);
        stage->unit_range = stage->kind && state->unit_range_textures >> i & 1;
        if (stage->kind != 3 && stage->kind) /* cube directions need no division: their length does
                                                not matter */
            stage->projection = (uint8_t)ff_projection(state, i);
    }
}

static bool writes_current(const struct texture_stage *stage)
{
    return (stage->colour.op || stage->alpha.op) && !pixel_op_bumps(stage->colour.op) &&
           !stage->to_temp;
}

/* The last stage always writes CURRENT (reference: stage/temp). Stages after the last one that
 * writes CURRENT have no effect and are removed. */
static void key_end(struct pixel_key *key)
{
    if (key->n_stages)
        key->stage[key->n_stages - 1].to_temp = 0;
    while (key->n_stages && !writes_current(&key->stage[key->n_stages - 1]))
        key->stage[--key->n_stages] = (struct texture_stage){0};
}

void ff_pixel_key_init(struct ff_pixel_key *out, const struct ff_state *state)
{
    bool has_specular = state->vertex_shader || (state->inputs & FF_IN_SPECULAR) ||
                        (state->render[D3DRS_LIGHTING] && !state->transformed);
    struct pixel_key key;

    memset(&key, 0, sizeof(key));
    while (key.n_stages < FF_STAGES && key_stage(&key.stage[key.n_stages], state, key.n_stages))
        key.n_stages++;
    key_end(&key);
    key_premodulate(&key, state);
    key_textures(&key, state);
    key.specular = has_specular && state->render[D3DRS_SPECULARENABLE] && !fault_is(FAULT_SPECULAR);
    memset(out, 0, sizeof(*out));
    memcpy(out, &key, sizeof(key));
}

/* --- Values ---------------------------------------------------------------------------------- */

static void store_d3dcolor(float c[4], DWORD colour)
{
    for (int i = 0; i < 4; i++)
        c[i] = (float)(colour >> (i < 3 ? 16 - 8 * i : 24) & 0xff) / 255.0f;
}

static float stage_float(const DWORD *stage, D3DTEXTURESTAGESTATETYPE id)
{
    float value;

    memcpy(&value, &stage[id], sizeof(value));
    return value;
}

static void store_bump(const DWORD (*stage)[FF_STAGE_STATES], unsigned n, float (*matrix)[4],
                       float (*luminance)[4])
{
    for (unsigned i = 0; i < n; i++) {
        matrix[i][0] = stage_float(stage[i], D3DTSS_BUMPENVMAT00);
        matrix[i][1] = stage_float(stage[i], D3DTSS_BUMPENVMAT01);
        matrix[i][2] = stage_float(stage[i], D3DTSS_BUMPENVMAT10);
        matrix[i][3] = stage_float(stage[i], D3DTSS_BUMPENVMAT11);
        luminance[i][0] = stage_float(stage[i], D3DTSS_BUMPENVLSCALE);
        luminance[i][1] = stage_float(stage[i], D3DTSS_BUMPENVLOFFSET);
        luminance[i][2] = luminance[i][3] = 0.0f;
    }
}

/* Constants of the active stages; the program reads no others. */
unsigned ff_pixel_constants(const struct ff_pixel_key *key, const struct ff_state *state,
                            float (*c)[4])
{
    unsigned n = key->bytes[offsetof(struct pixel_key, n_stages)];

    store_d3dcolor(c[PC_TFACTOR], state->render[D3DRS_TEXTUREFACTOR]);
    for (unsigned i = 0; i < n; i++)
        store_d3dcolor(c[PC_CONSTANT + i], state->stage[i][D3DTSS_CONSTANT]);
    store_bump(state->stage, n, &c[PC_BUMP_MATRIX], &c[PC_BUMP_LUMINANCE]);
    return PC_COUNT;
}

void ff_bump_constants(const DWORD (*stage)[FF_STAGE_STATES], float (*c)[4])
{
    store_bump(stage, FF_STAGES, &c[VM_SYSTEM_BUMP_MATRIX], &c[VM_SYSTEM_BUMP_LUMINANCE]);
}
