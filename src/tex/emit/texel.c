/* Texels: loads them, and splits them into stored channels.
 *
 * Tested by tests/unit/tex/emit/test_emit.c. */
#include "tex/emit/parts.h"

#include "util/d3dtypes.h"

/* --- Classes ---------------------------------------------------------------------------------- */

bool emit_is_shadow(const struct tex_emit_shape *shape)
{
    return shape->texel_class >= TEX_EMIT_SHADOW;
}

bool emit_is_float(const struct tex_emit_shape *shape)
{
    return shape->texel_class == TEX_EMIT_HALF || shape->texel_class == TEX_EMIT_FLOAT;
}

bool emit_has_values(const struct tex_emit_shape *shape, unsigned c)
{
    return emit_is_float(shape) || emit_is_shadow(shape) ||
           (shape->texel_class == TEX_EMIT_SRGB && c < 3);
}

/* The largest code. */
static uint32_t largest(const struct tex_emit_shape *shape, unsigned channel)
{
    uint32_t max = (uint32_t)((UINT64_C(1) << shape->bits[channel]) - 1);

    return shape->signed_mask >> channel & 1 ? max >> 1 : max;
}

/* --- Words ------------------------------------------------------------------------------------ */

/* The words of a texel. Of shorter ones, the bits above belong to the texels behind. */
struct words {
    ir_ref w[TEX_EMIT_CHANNELS];
};

static bool needs_word(const struct emit *e, unsigned word)
{
    for (unsigned c = 0; c < TEX_EMIT_CHANNELS; c++)
        if (e->shape->bits[c] && e->shape->shift[c] / 32u == word)
            return true;
    return word == 0;
}

/* Words from `skip` bytes behind an offset on. Those of the same 16 bytes are one load. */
static struct words load_words(const struct emit *e, ir_ref at, unsigned skip)
{
    ir_ref all = ir_emit(e->ir, IR_MCONST, 0, 0, 0, 1);
    struct words words = {{0}};

    for (unsigned w = 0; w < TEX_EMIT_CHANNELS; w++)
        if (needs_word(e, w))
            words.w[w] = ir_emit_mem(e->ir, IR_GATHER, TEX_EMIT_TEXELS, skip + 4 * w, at, all, 0);
    return words;
}

static ir_ref offset_of(const struct emit *e, ir_ref row, ir_ref x)
{
    return op2(e, IR_IADD, row, shifted(e, IR_ISHL, x, (unsigned)__builtin_ctz(e->shape->bytes)));
}

/* --- Channels --------------------------------------------------------------------------------- */

static ir_ref field(const struct emit *e, ir_ref word, unsigned shift, unsigned bits)
{
    word = shifted(e, IR_ISHR, word, shift);
    return shift + bits == 32 ? word
                              : op2(e, IR_IAND, word, integer(e, (int32_t)((1u << bits) - 1)));
}

static ir_ref code(const struct emit *e, ir_ref word, unsigned c)
{
    return field(e, word, e->shape->shift[c] % 32u, e->shape->bits[c]);
}

static ir_ref signed_code(const struct emit *e, ir_ref word, unsigned c)
{
    unsigned bits = e->shape->bits[c], above = 32u - e->shape->shift[c] % 32u - bits;

    return shifted(e, IR_ISAR, shifted(e, IR_ISHL, word, above), 32 - bits);
}

static ir_ref decoded(const struct emit *e, ir_ref index, unsigned first)
{
    return ir_emit_mem(e->ir, IR_GATHER, TEX_EMIT_TABLE, first * (uint32_t)sizeof(float),
                       shifted(e, IR_ISHL, index, 2), all_lanes(e), 0);
}

/* Point sampling divides codes at once. */
static bool is_divided(const struct emit *e, unsigned c)
{
    const struct tex_emit_shape *shape = e->shape;

    return !shape->linear && shape->texel_class <= TEX_EMIT_SRGB && !emit_has_values(shape, c) &&
           !shape->signed_mask && shape->bits[c] <= 16;
}

static ir_ref channel_of_codes(const struct emit *e, ir_ref word, unsigned c)
{
    const struct tex_emit_shape *shape = e->shape;

    if (shape->texel_class == TEX_EMIT_SRGB && c < 3)
        return decoded(e, code(e, word, c), shape->table[c]);
    if (is_divided(e, c))
        return ir_emit(e->ir, IR_UNORM, word, 0, 0,
                       shape->shift[c] % 32u | (shape->bits[c] - 1u) << 5);
    if (!shape->signed_mask)
        return op1(e, IR_I2F, code(e, word, c));
    word = shape->signed_mask >> c & 1 ? signed_code(e, word, c) : code(e, word, c);
    return op2(e, IR_FMAX, op1(e, IR_I2F, word), number(e, -(float)largest(shape, c)));
}

static struct emit_texel texel_of_palette(const struct emit *e, ir_ref word)
{
    ir_ref colour = decoded(e, field(e, word, 0, 8), 0);
    struct emit_texel texel;

    for (unsigned c = 0; c < TEX_EMIT_CHANNELS; c++)
        texel.c[c] = op1(e, IR_I2F, field(e, colour, 8 * c, 8));
    if (e->shape->bytes == 2)
        texel.c[3] = op1(e, IR_I2F, field(e, word, 8, 8));
    return texel;
}

static ir_ref channel(const struct emit *e, const struct words *words, unsigned c)
{
    ir_ref word = words->w[e->shape->shift[c] / 32];

    switch (e->shape->texel_class) {
    case TEX_EMIT_HALF:
        return ir_emit(e->ir, IR_H2F, word, 0, 0, e->shape->shift[c] % 32u);
    case TEX_EMIT_FLOAT: /* the sum makes denormals zeros of their sign; products do so themselves
                          */
        return e->shape->linear ? word : op2(e, IR_FADD, word, number(e, -0.0f));
    default:
        return channel_of_codes(e, word, c);
    }
}

/* --- Depth ------------------------------------------------------------------------------------ */

static ir_ref float24(const struct emit *e, ir_ref bits)
{
    ir_ref exponent = shifted(e, IR_ISHR, bits, 20),
           fraction = op2(e, IR_IAND, bits, integer(e, 0xfffff));
    ir_ref normal = shifted(e, IR_ISHL, op2(e, IR_IADD, exponent, integer(e, 112)), 23);
    ir_ref denormal = op2(e, IR_FMUL, op1(e, IR_I2F, fraction), number(e, 0x1p-34f));

    normal = op2(e, IR_IOR, normal, shifted(e, IR_ISHL, fraction, 3));
    return choose(e, op2(e, IR_IEQ, exponent, integer(e, 0)), denormal, normal);
}

/* An unsigned integer of up to 32 bits as a float. */
static ir_ref unsigned_number(const struct emit *e, ir_ref bits)
{
    ir_ref high, low;

    if (e->shape->bits[0] <= 24)
        return op1(e, IR_I2F, bits);
    high = op2(e, IR_FMUL, op1(e, IR_I2F, shifted(e, IR_ISHR, bits, 16)), number(e, 65536.0f));
    low = op1(e, IR_I2F, op2(e, IR_IAND, bits, integer(e, 0xffff)));
    return op2(e, IR_FADD, high, low);
}

static ir_ref depth(const struct emit *e, ir_ref word)
{
    if (e->shape->texel_class == TEX_EMIT_SHADOW_FLOAT32)
        return word;
    word = code(e, word, 0);
    if (e->shape->texel_class == TEX_EMIT_SHADOW_FLOAT24)
        return float24(e, word);
    return op2(e, IR_FDIV, unsigned_number(e, word), number(e, (float)largest(e->shape, 0)));
}

static ir_ref compared(const struct emit *e, ir_ref with)
{
    return choose(e, op2(e, IR_FLE, e->reference, with), number(e, 1.0f), number(e, 0.0f));
}

/* --- Texels ----------------------------------------------------------------------------------- */

static bool has_channel(const struct emit *e, unsigned c)
{
    return e->shape->texel_class == TEX_EMIT_PALETTE || e->shape->bits[c];
}

static void put_border(const struct emit *e, ir_ref outside, struct emit_texel *texel)
{
    for (unsigned c = 0; outside && c < TEX_EMIT_CHANNELS; c++) {
        ir_ref border = value(e, offsetof(struct tex_emit_values, border) + c * sizeof(float));

        if (!has_channel(e, c))
            continue;
        if (emit_is_shadow(e->shape))
            border = compared(e, border);
        else if (is_divided(e, c))
            border = op2(e, IR_FDIV, border, number(e, (float)largest(e->shape, c)));
        texel->c[c] = choose(e, outside, border, texel->c[c]);
    }
}

static struct emit_texel texel_of(const struct emit *e, const struct words *words, ir_ref outside)
{
    struct emit_texel texel = {{0}};

    if (e->shape->texel_class == TEX_EMIT_PALETTE)
        texel = texel_of_palette(e, words->w[0]);
    else if (emit_is_shadow(e->shape))
        texel.c[0] = compared(e, depth(e, words->w[0]));
    else
        for (unsigned c = 0; c < TEX_EMIT_CHANNELS; c++)
            if (has_channel(e, c))
                texel.c[c] = channel(e, words, c);
    put_border(e, outside, &texel);
    return texel;
}

struct emit_texel emit_texel(const struct emit *e, ir_ref row, ir_ref x, ir_ref outside)
{
    struct words words = load_words(e, offset_of(e, row, x), 0);

    return texel_of(e, &words, outside);
}

/* Loads a texel and the words behind it, where its right neighbour lies but at an edge. */
static void load_neighbours(const struct emit *e, ir_ref row, ir_ref x, struct words words[2])
{
    ir_ref at = offset_of(e, row, x);

    words[0] = load_words(e, at, 0);
    if (e->shape->bytes <= 2) /* the first word holds both */
        words[1] = (struct words){{shifted(e, IR_ISHR, words[0].w[0], 8u * e->shape->bytes)}};
    else
        words[1] = load_words(e, at, e->shape->bytes);
}

/* Right neighbours at an edge, but of WRAP: the texels themselves. */
static void repeat_last(const struct emit *e, const struct emit_axis *x, struct words words[2][2])
{
    ir_ref same = op2(e, IR_IEQ, x->index[1], x->index[0]);

    for (unsigned j = 0; j < 2; j++)
        for (unsigned w = 0; w < TEX_EMIT_CHANNELS; w++)
            if (words[j][1].w[w])
                words[j][1].w[w] = choose(e, same, words[j][0].w[w], words[j][1].w[w]);
}

/* Loads neighbours that lie elsewhere. */
static void load_far(const struct emit *e, const ir_ref row[2], const struct emit_axis *x,
                     struct words words[2][2])
{
    ir_ref next = op2(e, IR_IADD, x->index[0], integer(e, 1));
    struct words apart[2];

    ir_if_rare(e->ir, op1(e, IR_MNOT, op2(e, IR_IEQ, x->index[1], next)));
    for (unsigned j = 0; j < 2; j++)
        apart[j] = load_words(e, offset_of(e, row[j], x->index[1]), 0);
    ir_endif(e->ir);
    for (unsigned j = 0; j < 2; j++)
        for (unsigned w = 0; w < TEX_EMIT_CHANNELS; w++)
            if (apart[j].w[w])
                words[j][1].w[w] = ir_phi(e->ir, apart[j].w[w], words[j][1].w[w]);
}

void emit_texel_quad(const struct emit *e, const ir_ref row[2], const struct emit_axis *x,
                     const ir_ref outside[2][2], struct emit_texel quad[2][2])
{
    bool is_row = e->shape->bytes == 16; /* a load a texel */
    struct words words[2][2];

    for (unsigned j = 0; j < 2; j++) {
        if (!is_row) {
            load_neighbours(e, row[j], x->index[0], words[j]);
            continue;
        }
        for (unsigned i = 0; i < 2; i++)
            words[j][i] = load_words(e, offset_of(e, row[j], x->index[i]), 0);
    }
    if (!is_row && e->shape->address[0] == D3DTADDRESS_WRAP)
        load_far(e, row, x, words);
    else if (!is_row)
        repeat_last(e, x, words);
    for (unsigned j = 0; j < 2; j++)
        for (unsigned i = 0; i < 2; i++)
            quad[j][i] = texel_of(e, &words[j][i], outside[j][i]);
}

ir_ref emit_result(const struct emit *e, const struct emit_texel *texel, unsigned c)
{
    uint32_t max = e->shape->texel_class == TEX_EMIT_PALETTE ? 255 : largest(e->shape, c);

    if (emit_has_values(e->shape, c) || is_divided(e, c))
        return texel->c[c];
    return op2(e, IR_FDIV, texel->c[c], number(e, (float)max));
}
