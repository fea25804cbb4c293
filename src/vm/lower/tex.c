/* Lowering of the texture instructions of all models to calls of the sampler and arithmetic. */
#include "vm/lower/passes.h"

#include "util/alloc.h"
#include "util/sample.h"

#include <string.h>

static bool writes(const struct vm_instr *in, unsigned c)
{
    return in->dst.mask >> c & 1;
}

/* --- Calls of the sampler --------------------------------------------------------------------- */

/* Operand k of a call has the same place in every call: it is read before the next is stored. */
static uint32_t operand_place(struct lower *l, unsigned k)
{
    while (l->n_operand_places <= k) {
        l->operand_place[l->n_operand_places++] =
            (uint32_t)(l->code->scratch_at + l->code->scratch_bytes);
        l->code->scratch_bytes += VM_LANE_BYTES;
    }
    return l->operand_place[k];
}

/* The place of operand k: that of an input, zeros, or one where it is stored. */
static uint32_t place_of(struct lower *l, unsigned k, ir_ref ref)
{
    uint32_t n, place;
    const struct ir_inst *inst = &ir_insts(l->ir, &n)[ref];

    if (inst->op == IR_LOAD && inst->base == VM_BASE_INPUTS)
        return inst->imm;
    if (inst->op == IR_CONST && !inst->imm)
        return VM_PLACE_OF_ZEROS;
    place = operand_place(l, k);
    ir_emit_mem(l->ir, IR_STORE, VM_BASE_SCRATCH, place - (uint32_t)l->code->scratch_at, ref, 0, 0);
    return place;
}

static struct vm_sample_op *new_sample(struct lower *l)
{
    struct vm_code *code = l->code;

    if (code->n_samples == l->cap_samples) {
        uint32_t capacity = l->cap_samples ? 2 * l->cap_samples : 16;
        struct vm_sample_op *more = mem_realloc(code->sample, capacity * sizeof(*more));

        if (!more) {
            l->status = ST_NOMEM;
            return NULL;
        }
        code->sample = more;
        l->cap_samples = capacity;
    }
    memset(&code->sample[code->n_samples], 0, sizeof(*code->sample));
    return &code->sample[code->n_samples++];
}

/* Loads the results of a sampler, which joins the call unless it takes part already. All calls have
 * the same places for results: a value that is read after the next call is loaded before it. */
static void load_texel(struct lower *l, struct vm_sample_op *op, unsigned sampler, ir_ref texel[4])
{
    unsigned i = 0;

    while (i < op->n && op->sampler[i] != sampler)
        i++;
    if (i == op->n) {
        op->sampler[op->n++] = (uint8_t)sampler;
        for (unsigned c = 0; c < 4; c++)
            op->texel[i][c] = (4 * i + c) * VM_LANE_BYTES;
        if (l->code->texel_bytes < 4 * op->n * (size_t)VM_LANE_BYTES)
            l->code->texel_bytes = 4 * op->n * (size_t)VM_LANE_BYTES;
    }
    for (unsigned c = 0; c < 4; c++)
        texel[c] = ir_emit_mem(l->ir, IR_LOAD, VM_BASE_TEXELS, op->texel[i][c], 0, 0, 0);
}

/* True if the last call sampled at the same coordinates, and nothing has happened since. */
static bool joins_last(const struct lower *l, const struct sample_key *key)
{
    const struct vm_code *code = l->code;

    return code->n_samples && l->exec == l->last_exec &&
           !memcmp(&l->last_sample, key, sizeof(*key)) &&
           code->sample[code->n_samples - 1].n < VM_MAX_SAMPLER_GROUP && l->last_flow == l->n_flow;
}

/* Samples a texture. more: the LOD or bias, or six gradients; texel: the four results. */
static void sample(struct lower *l, unsigned sampler, enum lod mode, const ir_ref *coord,
                   const ir_ref *more, ir_ref texel[4])
{
    unsigned n_more = mode == LOD_IMPLICIT ? 0 : mode == LOD_GRADIENT ? 6 : 1;
    const struct region *program = l->n_constructs ? &l->construct[0].outer : &l->region;
    struct sample_key key = {.mode = mode};
    struct vm_sample_op *op;

    sampler %= VM_MAX_SAMPLERS; /* a register of ps_1_x may have a higher number */
    memcpy(key.coord, coord, sizeof(key.coord));
    memcpy(key.more, more ? more : coord, n_more * sizeof(*more));
    if (joins_last(l, &key)) {
        load_texel(l, &l->code->sample[l->code->n_samples - 1], sampler, texel);
        return;
    }
    op = new_sample(l);
    memset(texel, 0, 4 * sizeof(*texel));
    if (!op)
        return;
    op->lod_mode = (uint8_t)mode;
    op->is_masked = l->exec != program->mask;
    for (unsigned i = 0; i < 3; i++)
        op->coord[i] = place_of(l, i, coord[i]);
    for (unsigned i = 0; i < n_more; i++)
        op->more[i] = place_of(l, 3 + i, more[i]);
    if (op->is_masked)
        ir_emit_mem(l->ir, IR_MSTORE, VM_BASE_SCRATCH, VM_EXEC_AT, l->exec, 0, 0);
    ir_emit(l->ir, IR_CALL, 0, 0, 0, l->code->n_samples - 1);
    l->last_sample = key;
    l->last_exec = l->exec;
    l->last_flow = l->n_flow;
    load_texel(l, op, sampler, texel);
}
static void write_texel(struct lower *l, const struct vm_instr *in, unsigned swizzle,
                        const ir_ref texel[4])
{
    for (unsigned c = 0; c < 4; c++)
        if (writes(in, c))
            vm_lower_write_result(l, in, c, texel[swizzle >> (2 * c) & 3]);
}

/* --- Models 2 and 3 --------------------------------------------------------------------------- */

static void texld(struct lower *l, const struct vm_instr *in)
{
    ir_ref coord[3], texel[4], more[6];
    enum lod mode = LOD_IMPLICIT;

    l->takes_gradient = in->op == VM_OP_TEX;
    for (unsigned c = 0; c < 3; c++)
        coord[c] = vm_lower_src(l, in, 0, c);
    l->takes_gradient = false;
    if (in->op == VM_OP_TEXLDD) {
        mode = LOD_GRADIENT;
        for (unsigned i = 0; i < 6; i++)
            more[i] = vm_lower_src(l, in, 2 + i / 3, i % 3);
    } else if (in->op == VM_OP_TEXLDL || in->control == VM_TEX_BIAS) {
        mode = in->op == VM_OP_TEXLDL ? LOD_EXPLICIT : LOD_BIAS;
        more[0] = vm_lower_src(l, in, 0, 3);
    } else if (in->control == VM_TEX_PROJECT) {
        ir_ref q = vm_lower_src(l, in, 0, 3);

        for (unsigned c = 0; c < 3; c++)
            coord[c] = vm_div(l, coord[c], q);
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
        ir_ref x, lanes;

        if (!(reads >> c & 1))
            continue;
        x = coordinates ? vm_lower_coord(l, in->dst.index, c) : vm_lower_register(l, &reg, 0, c);
        lanes = vm_op2(l, IR_MAND, l->exec, vm_op2(l, IR_FLT, x, vm_literal(l, 0.0f)));
        if (in->predicated)
            lanes = vm_op2(l, IR_MAND, lanes, vm_lower_predicate(l, &in->predicate, c));
        lanes = vm_op2(l, IR_MOR, vm_lower_get(l, l->vreg_killed), lanes);
        vm_lower_put(l, l->vreg_killed, lanes);
    }
}

/* --- ps_1_4 ----------------------------------------------------------------------------------- */

/* Coordinates of texld and texcrd: t#, t#.xyw, r#. _dz and _dw divide by the register's third or
 * fourth component; division by zero gives 1. */
static void coordinates_1_4(struct lower *l, const struct vm_instr *in, ir_ref coord[3])
{
    unsigned modifier = in->src[0].modifier;
    ir_ref divisor;

    for (unsigned c = 0; c < 3; c++)
        coord[c] = vm_lower_src(l, in, 0, c);
    if (modifier != VM_MOD_DZ && modifier != VM_MOD_DW)
        return;
    divisor = vm_lower_register(l, &in->src[0], 0, modifier == VM_MOD_DZ ? 2 : 3);
    for (unsigned c = 0; c < 2; c++)
        coord[c] = vm_div_one(l, coord[c], divisor);
    coord[2] = vm_literal(l, 1.0f);
}

static void texld_1_4(struct lower *l, const struct vm_instr *in)
{
    ir_ref coord[3], texel[4];

    coordinates_1_4(l, in, coord);
    sample(l, in->dst.index, LOD_IMPLICIT, coord, NULL, texel);
    write_texel(l, in, VM_SWZ_XYZW, texel);
}

static void texcrd(struct lower *l, const struct vm_instr *in)
{
    ir_ref coord[4];

    coordinates_1_4(l, in, coord);
    coord[3] = vm_literal(l, 0.0f);
    for (unsigned c = 0; c < 4; c++)
        if (writes(in, c))
            vm_lower_write_result(l, in, c, coord[c]);
}

static void write_depth(struct lower *l, ir_ref num, ir_ref den)
{
    vm_lower_write_output(l, VM_FILE_DEPTHOUT, 0, 0, vm_saturate(l, vm_div_one(l, num, den)));
}

/* Depth = r5.r / min(r5.g, 1) clamped to [0,1]; 1 if r5.g is 0. */
static void texdepth(struct lower *l, const struct vm_instr *in)
{
    struct vm_src reg = {.file = in->dst.file, .index = in->dst.index, .rel_file = VM_FILE_NONE};
    ir_ref num = vm_lower_register(l, &reg, 0, 0), den = vm_lower_register(l, &reg, 0, 1);

    write_depth(l, num, vm_op2(l, IR_FMIN, den, vm_literal(l, 1.0f)));
}

/* --- ps_1_1 to ps_1_3 ------------------------------------------------------------------------- */

/* The stage's own coordinates, projected if the fixed-function state of the stage asks for it. */
static void stage_coordinates(struct lower *l, unsigned stage, ir_ref coord[3])
{
    unsigned count = l->options->projected[stage & 7];

    for (unsigned c = 0; c < 3; c++)
        coord[c] = vm_lower_coord(l, stage, c);
    if (count < 2 || count > 4)
        return;
    for (unsigned c = 0; c < 3; c++)
        coord[c] = vm_div(l, coord[c], vm_lower_coord(l, stage, count - 1));
}

static void sample_stage(struct lower *l, const struct vm_instr *in, const ir_ref coord[3])
{
    ir_ref texel[4];

    sample(l, in->dst.index, LOD_IMPLICIT, coord, NULL, texel);
    write_texel(l, in, VM_SWZ_XYZW, texel);
}

/* texcoord: the coordinates clamped to [0,1]; w is 1. */
static void texcoord(struct lower *l, const struct vm_instr *in)
{
    for (unsigned c = 0; c < 4; c++) {
        ir_ref t = c < 3 ? vm_lower_coord(l, in->dst.index, c) : vm_literal(l, 1.0f);

        if (writes(in, c))
            vm_lower_write_result(l, in, c, c < 3 ? vm_saturate(l, t) : t);
    }
}

/* base + (M00, M01) r + (M10, M11) g with the bump matrix of a stage (reference: shader/texbem). */
static void bump(struct lower *l, unsigned stage, ir_ref r, ir_ref g, ir_ref coord[2])
{
    for (unsigned c = 0; c < 2; c++) {
        unsigned matrix = VM_SYSTEM_BUMP_MATRIX + (stage & 7);
        ir_ref row0 = vm_scalar(l, VM_FROM_SYSTEM, matrix, c);
        ir_ref row1 = vm_scalar(l, VM_FROM_SYSTEM, matrix, 2 + c);

        coord[c] = vm_mad(l, row0, r, coord[c]);
        coord[c] = vm_mad(l, row1, g, coord[c]);
    }
}

static void texbem(struct lower *l, const struct vm_instr *in)
{
    unsigned stage = in->dst.index, luminance = VM_SYSTEM_BUMP_LUMINANCE + (stage & 7);
    ir_ref coord[3], texel[4], brightness;

    stage_coordinates(l, stage, coord);
    bump(l, stage, vm_lower_src(l, in, 0, 0), vm_lower_src(l, in, 0, 1), coord);
    sample(l, stage, LOD_IMPLICIT, coord, NULL, texel);
    if (in->op == VM_OP_TEXBEML) {
        brightness =
            vm_mad(l, vm_lower_src(l, in, 0, 2), vm_scalar(l, VM_FROM_SYSTEM, luminance, 0),
                   vm_scalar(l, VM_FROM_SYSTEM, luminance, 1));
        for (unsigned c = 0; c < 4; c++)
            texel[c] = vm_mul(l, texel[c], brightness);
    }
    write_texel(l, in, VM_SWZ_XYZW, texel);
}

/* bem (ps_1_4): the same sum without sampling. */
static void bem(struct lower *l, const struct vm_instr *in)
{
    ir_ref coord[2] = {vm_lower_src(l, in, 0, 0), vm_lower_src(l, in, 0, 1)};

    bump(l, in->dst.index, vm_lower_src(l, in, 1, 0), vm_lower_src(l, in, 1, 1), coord);
    for (unsigned c = 0; c < 2; c++)
        if (writes(in, c))
            vm_lower_write_result(l, in, c, coord[c]);
}

/* Dependent reads: coordinates are components of another register. */
static void texreg2(struct lower *l, const struct vm_instr *in)
{
    ir_ref zero = vm_literal(l, 0.0f);
    ir_ref coord[3] = {zero, zero, zero};

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
static ir_ref row(struct lower *l, const struct vm_instr *in)
{
    ir_ref a[3], b[3];

    for (unsigned c = 0; c < 3; c++) {
        a[c] = vm_lower_coord(l, in->dst.index, c);
        b[c] = vm_lower_src(l, in, 0, c);
    }
    return vm_dot(l, 3, a, b);
}

static void pad(struct lower *l, const struct vm_instr *in)
{
    unsigned i = l->n_rows++ & 1;

    l->row[i] = row(l, in);
    l->row_w[i] = vm_lower_coord(l, in->dst.index, 3);
}

/* Reflection: 2 (N.E) / (N.N) * N - E. */
static void reflect(struct lower *l, const ir_ref n[3], const ir_ref e[3], ir_ref r[3])
{
    ir_ref ne = vm_dot(l, 3, n, e), factor;

    factor = vm_div(l, vm_add(l, ne, ne), vm_dot(l, 3, n, n));
    for (unsigned c = 0; c < 3; c++)
        r[c] = vm_mad(l, factor, n[c], vm_neg(l, e[c]));
}

static void matrix(struct lower *l, const struct vm_instr *in)
{
    ir_ref v[3] = {l->row[0], l->row[1], 0}, e[3], coord[3];
    ir_ref zero = vm_literal(l, 0.0f), last = row(l, in);

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
                vm_lower_write_result(l, in, c, last);
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
                vm_lower_write_result(l, in, c, c < 3 ? v[c] : vm_literal(l, 1.0f));
        break;
    default: /* texm3x3tex */
        sample_stage(l, in, v);
    }
}

static void tex(struct lower *l, const struct vm_instr *in)
{
    ir_ref coord[3];

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
