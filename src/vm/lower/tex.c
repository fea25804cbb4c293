/* Lowering of the texture instructions of all models to SAMPLE and arithmetic. */
#include "vm/lower/passes.h"
#include "util/sample.h"

static bool writes(const struct vm_instr *in, unsigned c)
{
    return in->dst.mask >> c & 1;
}

/* Emits one SAMPLE. more: the LOD or bias, or six gradients; texel: the four results. */
static void sample(struct lower *l, unsigned sampler, enum lod mode, const uint32_t *coord,
                   const uint32_t *more, uint32_t texel[4])
{
    unsigned n_more = mode == LOD_IMPLICIT ? 0 : mode == LOD_GRADIENT ? 6 : 1;
    uint32_t words[15];

    for (unsigned i = 0; i < 9; i++)
        words[4 + i] = REF_NONE;
    for (unsigned i = 0; i < 3; i++)
        words[4 + i] = vm_lower_broadcast(l, coord[i]);
    for (unsigned i = 0; i < n_more; i++)
        words[7 + i] = vm_lower_broadcast(l, more[i]);
    for (unsigned i = 0; i < 4; i++)
        words[i] = texel[i] = vm_lower_new_value(l);
    words[13] = sampler;
    words[14] = mode;
    vm_lower_instance(l, VM_IR_SAMPLE, words);
}

static void write_texel(struct lower *l, const struct vm_instr *in, unsigned swizzle,
                        const uint32_t texel[4])
{
    for (unsigned c = 0; c < 4; c++)
        if (writes(in, c))
            vm_lower_write_copy(l, in, c, texel[swizzle >> (2 * c) & 3]);
}

/* --- Models 2 and 3 --------------------------------------------------------------------------- */

static void texld(struct lower *l, const struct vm_instr *in)
{
    uint32_t coord[3], texel[4], more[6];
    enum lod mode = LOD_IMPLICIT;

    for (unsigned c = 0; c < 3; c++)
        coord[c] = vm_lower_src(l, in, 0, c);
    if (in->op == VM_OP_TEXLDD) {
        mode = LOD_GRADIENT;
        for (unsigned i = 0; i < 6; i++)
            more[i] = vm_lower_src(l, in, 2 + i / 3, i % 3);
    } else if (in->op == VM_OP_TEXLDL || in->control == VM_TEX_BIAS) {
        mode = in->op == VM_OP_TEXLDL ? LOD_EXPLICIT : LOD_BIAS;
        more[0] = vm_lower_src(l, in, 0, 3);
    } else if (in->control == VM_TEX_PROJECT) {
        uint32_t q = vm_lower_src(l, in, 0, 3);

        for (unsigned c = 0; c < 3; c++)
            coord[c] = vm_lower_emit2(l, VM_IR_DIV, coord[c], q);
    }
    sample(l, in->src[1].index & 15, mode, coord, more, texel);
    write_texel(l, in, in->src[1].swizzle, texel);
}

/* Kills lanes with a negative component (reference: shader/texkill). Up to ps_1_3 it tests the
 * coordinate set, later the register; xyz in ps_1_x, all four components from 2_0 on. */
static void texkill(struct lower *l, const struct vm_instr *in)
{
    struct vm_src reg = {
        .file = in->dst.file,
        .index = in->dst.index,
        .swizzle = VM_SWZ_XYZW,
        .rel_file = in->dst.rel_file,
        .rel_component = in->dst.rel_component,
    };
    struct vm_version version = vm_program_version(l->program);
    bool coordinates = l->rank < 14;
    unsigned reads = coordinates ? VM_MASK_XYZ : vm_instr_dst_reads(in, &version);

    for (unsigned c = 0; c < 4; c++) {
        if (reads >> c & 1) {
            uint32_t words[] = {coordinates ? vm_lower_coord(l, in->dst.index, c)
                                            : vm_lower_register(l, &reg, 0, c),
                                in->predicated ? vm_lower_predicate(&in->predicate, c) : 0};

            vm_lower_instance(l, VM_IR_KILL, words);
        }
    }
}

/* --- ps_1_4 ----------------------------------------------------------------------------------- */

/* Coordinates of texld and texcrd: t#, t#.xyw, r#. _dz and _dw divide by the register's third or
 * fourth component; division by zero gives 1. */
static void coordinates_1_4(struct lower *l, const struct vm_instr *in, uint32_t coord[3])
{
    unsigned modifier = in->src[0].modifier;
    uint32_t divisor;

    for (unsigned c = 0; c < 3; c++)
        coord[c] = vm_lower_src(l, in, 0, c);
    if (modifier != VM_MOD_DZ && modifier != VM_MOD_DW)
        return;
    divisor = vm_lower_register(l, &in->src[0], 0, modifier == VM_MOD_DZ ? 2 : 3);
    for (unsigned c = 0; c < 2; c++)
        coord[c] = vm_lower_emit2(l, VM_IR_DIV_ONE, coord[c], divisor);
    coord[2] = vm_lower_literal(l, 1.0f);
}

static void texld_1_4(struct lower *l, const struct vm_instr *in)
{
    uint32_t coord[3], texel[4];

    coordinates_1_4(l, in, coord);
    sample(l, in->dst.index, LOD_IMPLICIT, coord, NULL, texel);
    write_texel(l, in, VM_SWZ_XYZW, texel);
}

static void texcrd(struct lower *l, const struct vm_instr *in)
{
    uint32_t coord[4];

    coordinates_1_4(l, in, coord);
    coord[3] = vm_lower_literal(l, 0.0f);
    for (unsigned c = 0; c < 4; c++)
        if (writes(in, c))
            vm_lower_write_copy(l, in, c, coord[c]);
}

static void write_depth(struct lower *l, uint32_t num, uint32_t den)
{
    struct dst_mod clamp = {.saturate = true, .scale = 1.0f};
    uint32_t s[] = {num, den};

    vm_lower_write_output(l, VM_FILE_DEPTHOUT, 0, 0, vm_lower_emit(l, VM_IR_DIV_ONE, s, 0, &clamp));
}

/* Depth = r5.r / min(r5.g, 1) clamped to [0,1]; 1 if r5.g is 0. */
static void texdepth(struct lower *l, const struct vm_instr *in)
{
    struct vm_src reg = {.file = in->dst.file, .index = in->dst.index, .rel_file = VM_FILE_NONE};
    uint32_t num = vm_lower_register(l, &reg, 0, 0), den = vm_lower_register(l, &reg, 0, 1);

    write_depth(l, num, vm_lower_emit2(l, VM_IR_MIN, den, vm_lower_literal(l, 1.0f)));
}

/* --- ps_1_1 to ps_1_3 ------------------------------------------------------------------------- */

/* The stage's own coordinates, projected if the fixed-function state of the stage asks for it. */
static void stage_coordinates(struct lower *l, unsigned stage, uint32_t coord[3])
{
    unsigned count = l->options->projected[stage & 7];

    for (unsigned c = 0; c < 3; c++)
        coord[c] = vm_lower_coord(l, stage, c);
    if (count < 2 || count > 4)
        return;
    for (unsigned c = 0; c < 3; c++)
        coord[c] = vm_lower_emit2(l, VM_IR_DIV, coord[c], vm_lower_coord(l, stage, count - 1));
}

static void sample_stage(struct lower *l, const struct vm_instr *in, const uint32_t coord[3])
{
    uint32_t texel[4];

    sample(l, in->dst.index, LOD_IMPLICIT, coord, NULL, texel);
    write_texel(l, in, VM_SWZ_XYZW, texel);
}

/* texcoord: the coordinates clamped to [0,1]; w is 1. */
static void texcoord(struct lower *l, const struct vm_instr *in)
{
    struct dst_mod clamp = {.saturate = true, .scale = 1.0f};

    for (unsigned c = 0; c < 4; c++) {
        uint32_t t = c < 3 ? vm_lower_coord(l, in->dst.index, c) : vm_lower_literal(l, 1.0f);

        if (writes(in, c))
            vm_lower_write_copy(l, in, c, c < 3 ? vm_lower_emit(l, VM_IR_MOV, &t, 0, &clamp) : t);
    }
}

/* base + (M00, M01) r + (M10, M11) g with the bump matrix of a stage (reference: shader/texbem). */
static void bump(struct lower *l, unsigned stage, uint32_t r, uint32_t g, uint32_t coord[2])
{
    for (unsigned c = 0; c < 2; c++) {
        unsigned matrix = VM_SYSTEM_BUMP_MATRIX + (stage & 7);
        uint32_t row0 = vm_lower_scalar(l, VM_FROM_SYSTEM, matrix, c);
        uint32_t row1 = vm_lower_scalar(l, VM_FROM_SYSTEM, matrix, 2 + c);

        coord[c] = vm_lower_emit3(l, VM_IR_MAD, row0, r, coord[c]);
        coord[c] = vm_lower_emit3(l, VM_IR_MAD, row1, g, coord[c]);
    }
}

static void texbem(struct lower *l, const struct vm_instr *in)
{
    unsigned stage = in->dst.index, luminance = VM_SYSTEM_BUMP_LUMINANCE + (stage & 7);
    uint32_t coord[3], texel[4], brightness;

    stage_coordinates(l, stage, coord);
    bump(l, stage, vm_lower_src(l, in, 0, 0), vm_lower_src(l, in, 0, 1), coord);
    sample(l, stage, LOD_IMPLICIT, coord, NULL, texel);
    if (in->op == VM_OP_TEXBEML) {
        brightness = vm_lower_emit3(l, VM_IR_MAD, vm_lower_src(l, in, 0, 2),
                                    vm_lower_scalar(l, VM_FROM_SYSTEM, luminance, 0),
                                    vm_lower_scalar(l, VM_FROM_SYSTEM, luminance, 1));
        for (unsigned c = 0; c < 4; c++)
            texel[c] = vm_lower_emit2(l, VM_IR_MUL, texel[c], brightness);
    }
    write_texel(l, in, VM_SWZ_XYZW, texel);
}

/* bem (ps_1_4): the same sum without sampling. */
static void bem(struct lower *l, const struct vm_instr *in)
{
    uint32_t coord[2] = {vm_lower_src(l, in, 0, 0), vm_lower_src(l, in, 0, 1)};

    bump(l, in->dst.index, vm_lower_src(l, in, 1, 0), vm_lower_src(l, in, 1, 1), coord);
    for (unsigned c = 0; c < 2; c++)
        if (writes(in, c))
            vm_lower_write_copy(l, in, c, coord[c]);
}

/* Dependent reads: coordinates are components of another register. */
static void texreg2(struct lower *l, const struct vm_instr *in)
{
    uint32_t zero = vm_lower_literal(l, 0.0f);
    uint32_t coord[3] = {zero, zero, zero};

    switch (in->op) {
    case VM_OP_TEXREG2AR:
        coord[0] = vm_lower_src(l, in, 0, 3);
        coord[1] = vm_lower_src(l, in, 0, 0);
        break;
    case VM_OP_TEXREG2GB:
        coord[0] = vm_lower_src(l, in, 0, 1);
        coord[1] = vm_lower_src(l, in, 0, 2);
        break;
    default:
        for (unsigned c = 0; c < 3; c++)
            coord[c] = vm_lower_src(l, in, 0, c);
    }
    sample_stage(l, in, coord);
}

/* --- Texture matrices ------------------------------------------------------------------------- */

/* One row: the dot product of the stage's coordinates and the source. */
static uint32_t row(struct lower *l, const struct vm_instr *in)
{
    uint32_t s[6];

    for (unsigned c = 0; c < 3; c++) {
        s[2 * c] = vm_lower_coord(l, in->dst.index, c);
        s[2 * c + 1] = vm_lower_src(l, in, 0, c);
    }
    return vm_lower_emit(l, VM_IR_DP3, s, 0, NULL);
}

static void pad(struct lower *l, const struct vm_instr *in)
{
    unsigned i = l->n_rows++ & 1;

    l->row[i] = row(l, in);
    l->row_w[i] = vm_lower_coord(l, in->dst.index, 3);
}

static uint32_t dot3(struct lower *l, const uint32_t a[3], const uint32_t b[3])
{
    uint32_t s[] = {a[0], b[0], a[1], b[1], a[2], b[2]};

    return vm_lower_emit(l, VM_IR_DP3, s, 0, NULL);
}

/* Reflection: 2 (N.E) / (N.N) * N - E. */
static void reflect(struct lower *l, const uint32_t n[3], const uint32_t e[3], uint32_t r[3])
{
    uint32_t ne = dot3(l, n, e), factor;

    factor = vm_lower_emit2(l, VM_IR_DIV, vm_lower_emit2(l, VM_IR_ADD, ne, ne), dot3(l, n, n));
    for (unsigned c = 0; c < 3; c++)
        r[c] = vm_lower_emit3(l, VM_IR_MAD, factor, n[c], ref_neg(e[c]));
}

static void matrix(struct lower *l, const struct vm_instr *in)
{
    uint32_t v[3] = {l->row[0], l->row[1], REF_NONE}, e[3], coord[3];
    uint32_t zero = vm_lower_literal(l, 0.0f), last = row(l, in);

    l->n_rows = 0;
    switch (in->op) {
    case VM_OP_TEXM3X2TEX:
        v[1] = last;
        v[2] = zero;
        sample_stage(l, in, v);
        return;
    case VM_OP_TEXM3X2DEPTH:
        write_depth(l, v[0], last);
        return;
    case VM_OP_TEXDP3TEX:
        v[0] = last;
        v[1] = v[2] = zero;
        sample_stage(l, in, v);
        return;
    case VM_OP_TEXDP3:
        for (unsigned c = 0; c < 4; c++)
            if (writes(in, c))
                vm_lower_write_copy(l, in, c, last);
        return;
    default:
        v[2] = last;
    }
    switch (in->op) {
    case VM_OP_TEXM3X3SPEC:
        for (unsigned c = 0; c < 3; c++)
            e[c] = vm_lower_src(l, in, 1, c);
        reflect(l, v, e, coord);
        sample_stage(l, in, coord);
        break;
    case VM_OP_TEXM3X3VSPEC:
        e[0] = l->row_w[0];
        e[1] = l->row_w[1];
        e[2] = vm_lower_coord(l, in->dst.index, 3);
        reflect(l, v, e, coord);
        sample_stage(l, in, coord);
        break;
    case VM_OP_TEXM3X3:
        for (unsigned c = 0; c < 4; c++)
            if (writes(in, c))
                vm_lower_write_copy(l, in, c, c < 3 ? v[c] : vm_lower_literal(l, 1.0f));
        break;
    default: /* texm3x3tex */
        sample_stage(l, in, v);
    }
}

static void tex(struct lower *l, const struct vm_instr *in)
{
    uint32_t coord[3];

    if (!l->is_ps1) {
        texld(l, in);
    } else if (l->rank == 14) {
        texld_1_4(l, in);
    } else {
        stage_coordinates(l, in->dst.index, coord);
        sample_stage(l, in, coord);
    }
}

void vm_lower_texture(struct lower *l, const struct vm_instr *in)
{
    switch (in->op) {
    case VM_OP_TEX:
        tex(l, in);
        break;
    case VM_OP_TEXLDD:
    case VM_OP_TEXLDL:
        texld(l, in);
        break;
    case VM_OP_TEXKILL:
        texkill(l, in);
        break;
    case VM_OP_TEXCOORD:
        if (l->rank == 14)
            texcrd(l, in);
        else
            texcoord(l, in);
        break;
    case VM_OP_TEXDEPTH:
        texdepth(l, in);
        break;
    case VM_OP_TEXBEM:
    case VM_OP_TEXBEML:
        texbem(l, in);
        break;
    case VM_OP_BEM:
        bem(l, in);
        break;
    case VM_OP_TEXREG2AR:
    case VM_OP_TEXREG2GB:
    case VM_OP_TEXREG2RGB:
        texreg2(l, in);
        break;
    case VM_OP_TEXM3X2PAD:
    case VM_OP_TEXM3X3PAD:
        pad(l, in);
        break;
    default:
        matrix(l, in);
    }
}
