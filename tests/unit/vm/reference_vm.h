/* Reference interpreter of validated programs for one lane, with real branches and registers in
 * arrays: the oracle for lowering and lane masks. Covers the arithmetic instructions of all models
 * without derivatives. */
#ifndef TESTS_REFERENCE_VM_H
#define TESTS_REFERENCE_VM_H

#include "util/math.h"
#include "vm/program/program.h"
#include "vm/vm.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct reference;
typedef void ref_step_fn(const struct reference *m, uint32_t instr);

struct reference {
    const struct vm_program *program;
    const struct vm_constants *k;
    const float *input; /* one float per input slot */
    float output[VM_MAX_OUTPUTS * 4];
    float r[64][4], t[8][4], a0[4];
    bool p0[4], pixel1, killed;
    unsigned rank;
    int al;
    unsigned steps;
    ref_step_fn *step; /* called after every instruction except flow; may be NULL */
    void *step_ctx;
};

static float ref_mul(float a, float b)
{
    volatile float product = a * b;

    return isnan(product) && (a == 0.0f || b == 0.0f) ? 0.0f : product;
}

static float ref_add(float a, float b)
{
    volatile float sum = a + b;

    return sum;
}

static float ref_sat(float x)
{
    return x > 0.0f ? x < 1.0f ? x : 1.0f : 0.0f;
}

static float ref_const(const struct reference *m, int reg, unsigned c)
{
    float x = reg >= 0 && (unsigned)reg < m->k->n_f ? m->k->f[reg][c] : 0.0f;

    for (uint32_t i = 0; i < m->program->n_def; i++)
        if (m->program->def[i].file == VM_FILE_CONST && m->program->def[i].index == reg)
            x = m->program->def[i].value.f[c];
    return m->pixel1 ? x < -1 ? -1 : x > 1 ? 1 : x : x;
}

static int ref_index(const struct reference *m, unsigned file, unsigned component, unsigned index)
{
    float a = file == VM_FILE_LOOP ? (float)m->al : m->a0[component];

    if (file == VM_FILE_NONE)
        return (int)index;
    return a >= -1e6f && a <= 1e6f ? (int)index + (int)a : -1;
}

static float ref_register(const struct reference *m, const struct vm_src *s, unsigned row,
                          unsigned c)
{
    int reg = ref_index(m, s->rel_file, s->rel_component, s->index + row), slot;

    switch (s->file) {
    case VM_FILE_TEMP:
        return m->r[reg][c];
    case VM_FILE_CONST:
        return ref_const(m, reg, c);
    case VM_FILE_TEXTURE:
        if (m->pixel1 && m->rank < 14)
            return m->t[reg][c];
        break;
    default:
        break;
    }
    if (reg < 0 || reg > 31)
        return 0.0f;
    slot = vm_program_input_slot(m->program, s->file, (unsigned)reg, c);
    return slot < 0 ? 0.0f : m->input[slot];
}

static float ref_src(const struct reference *m, const struct vm_src *s, unsigned row, unsigned c)
{
    float x = ref_register(m, s, row, s->swizzle >> 2 * c & 3);

    switch (s->modifier) {
    case VM_MOD_NEG:
        return -x;
    case VM_MOD_BIAS:
        return x - 0.5f;
    case VM_MOD_BIASNEG:
        return -(x - 0.5f);
    case VM_MOD_SIGN:
        return 2 * (x - 0.5f);
    case VM_MOD_SIGNNEG:
        return -(2 * (x - 0.5f));
    case VM_MOD_COMP:
        return 1 - x;
    case VM_MOD_X2:
        return 2 * x;
    case VM_MOD_X2NEG:
        return -(2 * x);
    case VM_MOD_ABS:
        return fabsf(x);
    case VM_MOD_ABSNEG:
        return -fabsf(x);
    default:
        return x;
    }
}

static float ref_dot(const struct reference *m, const struct vm_instr *in, unsigned row, unsigned n)
{
    float sum = 0;

    for (unsigned c = 0; c < n; c++) {
        float p = ref_mul(ref_src(m, &in->src[0], 0, c), ref_src(m, &in->src[1], row, c));

        sum = c ? ref_add(sum, p) : p;
    }
    return sum;
}

/* Component c of an instruction's result. */
static float ref_result(const struct reference *m, const struct vm_instr *in, unsigned c)
{
    const struct vm_src *s = in->src;
    float a = ref_src(m, &s[0], 0, c), b = in->n_src > 1 ? ref_src(m, &s[1], 0, c) : 0;
    float d = in->n_src > 2 ? ref_src(m, &s[2], 0, c) : 0, w = ref_src(m, &s[0], 0, 3);
    bool old = m->rank < VM_RANK_2_0;
    unsigned i = (c + 1) % 3, j = (c + 2) % 3;
    float length;

    switch (in->op) {
    case VM_OP_MOV:
        return in->dst.file == VM_FILE_ADDR ? floorf(a) : a;
    case VM_OP_MOVA:
        return rintf(a);
    case VM_OP_ADD:
        return a + b;
    case VM_OP_SUB:
        return a - b;
    case VM_OP_MUL:
        return ref_mul(a, b);
    case VM_OP_MAD:
        return ref_add(ref_mul(a, b), d);
    case VM_OP_LRP:
        return ref_add(ref_mul(a, ref_add(b, -d)), d);
    case VM_OP_MIN:
        return a < b ? a : b;
    case VM_OP_MAX:
        return a >= b ? a : b;
    case VM_OP_SLT:
        return a < b;
    case VM_OP_SGE:
        return a >= b;
    case VM_OP_ABS:
        return fabsf(a);
    case VM_OP_FRC:
        return a - floorf(a);
    case VM_OP_SGN:
        return a < 0 ? -1.0f : a == 0 ? 0.0f : 1.0f;
    case VM_OP_CMP:
        return a >= 0 ? b : d;
    case VM_OP_CND:
        if (m->rank < 14 && in->coissue && in->dst.mask != VM_MASK_W)
            return b;
        return a > 0.5f ? b : d;
    case VM_OP_RCP:
        return math_rcpf(w);
    case VM_OP_RSQ:
        return math_rsqf(w);
    case VM_OP_EXP:
        return math_exp2f(w);
    case VM_OP_LOG:
        return math_log2f(w);
    case VM_OP_EXPP:
        if (!old || c == 2)
            return math_exp2f(w);
        return c == 0 ? math_exp2f(floorf(w)) : c == 1 ? w - floorf(w) : 1;
    case VM_OP_LOGP:
        return fmaxf(math_log2f(w), -FLT_MAX); /* random programs do not contain the 1_1 form */
    case VM_OP_POW:
        return math_powf(w, ref_src(m, &s[1], 0, 3));
    case VM_OP_DP3:
        return ref_dot(m, in, 0, 3);
    case VM_OP_DP4:
        return ref_dot(m, in, 0, 4);
    case VM_OP_DP2ADD:
        return ref_add(ref_dot(m, in, 0, 2), ref_src(m, &s[2], 0, 0));
    case VM_OP_M4X4:
    case VM_OP_M4X3:
        return ref_dot(m, in, c, 4);
    case VM_OP_M3X4:
    case VM_OP_M3X3:
    case VM_OP_M3X2:
        return ref_dot(m, in, c, 3);
    case VM_OP_LIT:
        if (c == 0 || c == 3)
            return 1;
        a = ref_src(m, &s[0], 0, 0);
        b = ref_src(m, &s[0], 0, 1);
        if (c == 1)
            return a >= 0 ? a : 0;
        w = w > 127.9961f ? 127.9961f : w < -127.9961f ? -127.9961f : w;
        return a > 0 && b > 0 ? math_powf(b, w) : 0;
    case VM_OP_DST:
        return c == 0 ? 1 : c == 1 ? ref_mul(a, b) : c == 2 ? a : b;
    case VM_OP_CRS:
        return ref_add(ref_mul(ref_src(m, &s[0], 0, i), ref_src(m, &s[1], 0, j)),
                       -ref_mul(ref_src(m, &s[0], 0, j), ref_src(m, &s[1], 0, i)));
    case VM_OP_NRM:
        length = 0;
        for (unsigned k = 0; k < 3; k++) {
            float x = ref_src(m, &s[0], 0, k);

            length = k ? ref_add(length, ref_mul(x, x)) : ref_mul(x, x);
        }
        return ref_mul(a, length == 0 ? FLT_MAX : math_rsqf(length));
    case VM_OP_SINCOS:
        a = ref_src(m, &s[0], 0, 0);
        return c == 0 ? math_cosf(a) : math_sinf(a);
    default:
        return -12345;
    }
}

static bool ref_compare(float a, float b, unsigned comparison)
{
    bool results[] = {false, a > b, a == b, a >= b, a < b, a != b, a <= b};

    return results[comparison];
}

static unsigned ref_written(const struct vm_instr *in)
{
    switch (in->op) {
    case VM_OP_M4X3:
    case VM_OP_M3X3:
        return in->dst.mask & VM_MASK_XYZ;
    case VM_OP_M3X2:
        return in->dst.mask & 3;
    case VM_OP_CRS:
        return in->dst.mask & VM_MASK_XYZ;
    case VM_OP_SINCOS:
        return in->dst.mask & 3;
    default:
        return in->dst.mask;
    }
}

static bool ref_predicate(const struct reference *m, const struct vm_src *p, unsigned c)
{
    return m->p0[p->swizzle >> 2 * c & 3] != (p->modifier == VM_MOD_NOT);
}

static void ref_write(struct reference *m, const struct vm_instr *in, unsigned c, float x)
{
    float scale =
        in->dst.shift < 0 ? 1.0f / (float)(1 << -in->dst.shift) : (float)(1 << in->dst.shift);
    int reg = ref_index(m, in->dst.rel_file, in->dst.rel_component, in->dst.index), slot;

    if (in->predicated && !ref_predicate(m, &in->predicate, c))
        return;
    if (in->dst.shift)
        x = ref_mul(x, scale);
    if (in->dst.saturate)
        x = ref_sat(x);
    if (in->dst.file == VM_FILE_TEMP)
        m->r[reg][c] = x;
    else if (in->dst.file == VM_FILE_TEXTURE)
        m->t[reg][c] = x;
    else if (in->dst.file == VM_FILE_ADDR)
        m->a0[c] = x;
    else if (reg >= 0 && reg < 32 &&
             (slot = vm_program_output_slot(m->program, in->dst.file, (unsigned)reg, c)) >= 0)
        m->output[slot] = x;
}

static void ref_alu(struct reference *m, const struct vm_instr *in)
{
    bool last = in + 1 == m->program->instr + m->program->n_instr;
    const struct vm_instr *pair[2] = {in, !last && m->pixel1 && in[1].coissue ? in + 1 : NULL};
    float x[2][4];

    for (unsigned p = 0; p < 2 && pair[p]; p++)
        for (unsigned c = 0; c < 4; c++)
            x[p][c] = ref_written(pair[p]) >> c & 1 ? ref_result(m, pair[p], c) : 0;
    for (unsigned p = 0; p < 2 && pair[p]; p++)
        for (unsigned c = 0; c < 4; c++)
            if (ref_written(pair[p]) >> c & 1)
                ref_write(m, pair[p], c, x[p][c]);
}

static void ref_texture(struct reference *m, const struct vm_instr *in)
{
    unsigned sampler = m->pixel1 ? in->dst.index : in->src[1].index;
    float texel[4];

    for (unsigned c = 0; c < 3; c++) {
        struct vm_src coord = {.file = VM_FILE_TEXTURE,
                               .index = in->dst.index,
                               .swizzle = VM_SWZ_XYZW,
                               .rel_file = VM_FILE_NONE};

        if (m->pixel1) {
            int slot = vm_program_input_slot(m->program, coord.file, coord.index, c);

            texel[c] = slot < 0 ? 0 : m->input[slot];
        } else {
            texel[c] = ref_src(m, &in->src[0], 0, c);
        }
    }
    texel[3] = (float)sampler;
    if (in->op == VM_OP_TEXLDL || (!m->pixel1 && in->control == VM_TEX_BIAS))
        texel[3] += ref_src(m, &in->src[0], 0, 3);
    for (unsigned c = 0; c < 4; c++) {
        unsigned from = m->pixel1 ? c : in->src[1].swizzle >> 2 * c & 3;

        if (in->dst.mask >> c & 1)
            ref_write(m, in, c, texel[from]);
    }
}

static void ref_kill(struct reference *m, const struct vm_instr *in)
{
    struct vm_src s = {.file = in->dst.file,
                       .index = in->dst.index,
                       .swizzle = VM_SWZ_XYZW,
                       .rel_file = VM_FILE_NONE};

    for (unsigned c = 0; c < 4; c++)
        if (ref_register(m, &s, 0, c) < 0 &&
            (!in->predicated || ref_predicate(m, &in->predicate, c)))
            m->killed = true;
}

static bool ref_bool(const struct reference *m, const struct vm_src *s)
{
    bool value = false;

    if (s->file == VM_FILE_PREDICATE)
        return ref_predicate(m, s, 0);
    if (s->index < m->k->n_b)
        value = m->k->b[s->index];
    for (uint32_t i = 0; i < m->program->n_def; i++)
        if (m->program->def[i].file == VM_FILE_CONSTBOOL && m->program->def[i].index == s->index)
            value = m->program->def[i].value.i[0];
    return value != (s->modifier == VM_MOD_NOT);
}

static void ref_int(const struct reference *m, unsigned index, int32_t to[4])
{
    memset(to, 0, 16);
    if (index < m->k->n_i)
        memcpy(to, m->k->i[index], 16);
    for (uint32_t i = 0; i < m->program->n_def; i++)
        if (m->program->def[i].file == VM_FILE_CONSTINT && m->program->def[i].index == index)
            memcpy(to, m->program->def[i].value.i, 16);
}

static bool ref_condition(const struct reference *m, const struct vm_instr *in)
{
    return ref_compare(ref_src(m, &in->src[0], 0, 0), ref_src(m, &in->src[1], 0, 0), in->control);
}

/* Runs from an instruction to the end of its routine. */
static void ref_routine(struct reference *m, uint32_t pc)
{
    struct {
        int32_t count, step, al;
        bool rep;
    } loop[16];
    unsigned depth = 0;

    for (; pc < m->program->n_instr && m->steps < 100000; pc++) {
        const struct vm_instr *in = &m->program->instr[pc];
        bool leave = false;
        int32_t k[4];

        m->steps++;
        switch (in->op) {
        case VM_OP_IF:
            if (!ref_bool(m, &in->src[0]))
                pc = in->target;
            break;
        case VM_OP_IFC:
            if (!ref_condition(m, in))
                pc = in->target;
            break;
        case VM_OP_ELSE:
            pc = in->target;
            break;
        case VM_OP_LOOP:
        case VM_OP_REP:
            ref_int(m, in->src[in->op == VM_OP_LOOP].index, k);
            if (k[0] <= 0) {
                pc = in->target;
                break;
            }
            loop[depth].count = k[0];
            loop[depth].step = k[2];
            loop[depth].al = m->al;
            loop[depth++].rep = in->op == VM_OP_REP;
            if (in->op == VM_OP_LOOP)
                m->al = k[1];
            break;
        case VM_OP_ENDLOOP:
        case VM_OP_ENDREP:
            if (--loop[depth - 1].count > 0) {
                if (!loop[depth - 1].rep)
                    m->al += loop[depth - 1].step;
                pc = in->target;
            } else {
                m->al = loop[--depth].al;
            }
            break;
        case VM_OP_BREAK:
            leave = true;
            break;
        case VM_OP_BREAKC:
            leave = ref_condition(m, in);
            break;
        case VM_OP_BREAKP:
            leave = ref_predicate(m, &in->src[0], 0);
            break;
        case VM_OP_CALL:
            ref_routine(m, in->target + 1);
            break;
        case VM_OP_CALLNZ:
            if (ref_bool(m, &in->src[1]))
                ref_routine(m, in->target + 1);
            break;
        case VM_OP_RET:
        case VM_OP_LABEL:
            return;
        case VM_OP_SETP: {
            bool p[4];

            for (unsigned c = 0; c < 4; c++)
                p[c] = ref_compare(ref_src(m, &in->src[0], 0, c), ref_src(m, &in->src[1], 0, c),
                                   in->control);
            for (unsigned c = 0; c < 4; c++)
                if (in->dst.mask >> c & 1)
                    m->p0[c] = p[c];
            break;
        }
        case VM_OP_TEX:
        case VM_OP_TEXLDL:
            ref_texture(m, in);
            break;
        case VM_OP_TEXKILL:
            ref_kill(m, in);
            break;
        case VM_OP_NOP:
        case VM_OP_PHASE:
        case VM_OP_ENDIF:
            break;
        default:
            if (!(in->coissue && m->pixel1)) /* the second of a co-issued pair ran with the first */
                ref_alu(m, in);
        }
        if (m->step && vm_op_info[in->op].op_class != VM_CLASS_FLOW &&
            !(pc + 1 < m->program->n_instr && in[1].coissue))
            m->step(m, pc);
        if (leave) {
            m->al = loop[--depth].al;
            pc = in->target;
        }
    }
}

/* input: one float per slot. step: called after every instruction, may be NULL. */
static void ref_run_steps(struct reference *m, const struct vm_program *program,
                          const struct vm_constants *k, const float *input, ref_step_fn *step,
                          void *step_ctx)
{
    const struct vm_info *info = &program->info;

    memset(m, 0, sizeof(*m));
    m->program = program;
    m->k = k;
    m->input = input;
    m->step = step;
    m->step_ctx = step_ctx;
    m->rank = vm_version_rank(info->stage == VM_PIXEL, info->major, info->minor);
    m->pixel1 = info->stage == VM_PIXEL && info->major == 1;
    ref_routine(m, 0);
    for (unsigned i = 0; i < info->n_outputs; i++) {
        const struct vm_io *io = &info->output[i];

        for (unsigned c = 0; c < 4; c++) {
            if (io->slot[c] < 0)
                continue;
            if (m->pixel1 && io->usage == VM_USAGE_TARGET)
                m->output[io->slot[c]] = ref_sat(m->r[0][c]);
            if (info->stage == VM_VERTEX && info->major < 3 &&
                (io->usage == VM_USAGE_COLOR || io->usage == VM_USAGE_FOG))
                m->output[io->slot[c]] = ref_sat(m->output[io->slot[c]]);
        }
    }
}

static inline void ref_run(struct reference *m, const struct vm_program *program,
                           const struct vm_constants *k, const float *input)
{
    ref_run_steps(m, program, k, input, NULL, NULL);
}

#endif
