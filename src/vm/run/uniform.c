/* Uniforms of a draw: fills in scalars, repeated over a vector, and the arrays for relative
 * addressing and flow control. Then runs the preamble of constant expressions. */
#include "util/fpenv.h"
#include "util/fault_injection.h"
#include "vm/run/frame.h"

#include <string.h>

size_t vm_code_uniform_bytes(const struct vm_code *code)
{
    return code->uniform_bytes;
}

static float clamped(const struct vm_code *code, float x)
{
    if (!code->clamp_constants)
        return x;
    return x < -1.0f ? -1.0f : x > 1.0f ? 1.0f : x; /* reference: shader/ps1-constants */
}

static uint32_t scalar_bits(const struct vm_code *code, const struct vm_scalar *s,
                            const struct vm_constants *k)
{
    uint32_t bits = s->bits;
    float x = 0.0f;

    if (s->from == VM_FROM_FLOAT && s->index < k->n_f)
        x = clamped(code, k->f[s->index][s->component]);
    if (s->from == VM_FROM_SYSTEM && s->index < k->n_system)
        x = k->system[s->index][s->component];
    if (s->from != VM_FROM_LITERAL)
        memcpy(&bits, &x, sizeof(bits));
    if (s->absolute)
        bits &= INT32_MAX;
    return s->negate ? bits ^ UINT32_C(0x80000000) : bits;
}

/* Constant array for relative addressing: the draw's constants, overridden by the program's
 * definitions, then zeros. */
static void fill_constants(const struct vm_code *code, const struct vm_constants *k, float *to)
{
    uint32_t n = code->n_constants < k->n_f ? code->n_constants : k->n_f;

    memset(to, 0, (code->n_constants + 1) * 16u);
    if (n)
        memcpy(to, k->f, n * 16u);
    for (uint32_t i = 0; i < code->n_defs; i++)
        if (code->def[i].file == VM_FILE_CONST && code->def[i].index < code->n_constants)
            memcpy(to + code->def[i].index * 4u, code->def[i].value.f, 16);
}

static void fill_flow(const struct vm_code *code, const struct vm_constants *k, char *uniforms)
{
    int32_t *i_to = (int32_t *)(void *)(uniforms + code->int_at);
    int32_t *b_to = (int32_t *)(void *)(uniforms + code->bool_at);

    for (uint32_t i = 0; i < code->n_int * 4; i++)
        i_to[i] = i / 4 < k->n_i ? k->i[i / 4][i % 4] : 0;
    for (uint32_t i = 0; i < code->n_bool; i++)
        b_to[i] = i < k->n_b && k->b[i];
    for (uint32_t i = 0; i < code->n_defs; i++) {
        const struct vm_definition *def = &code->def[i];

        if (def->file == VM_FILE_CONSTINT && def->index < code->n_int)
            memcpy(i_to + def->index * 4u, def->value.i, 16);
        if (def->file == VM_FILE_CONSTBOOL && def->index < code->n_bool)
            b_to[def->index] = def->value.i[0] != 0;
    }
    for (uint32_t i = 0; fault_is(FAULT_LOOP_COUNT) && i < code->n_int; i++)
        i_to[i * 4] += i_to[i * 4] > 0;
}

void vm_code_fill_uniforms(const struct vm_code *code, const struct vm_constants *constants,
                           void *uniforms)
{
    struct vm_frame f;
    struct fp_mode mode;
    char *bytes = uniforms;
    uint32_t *to = uniforms;

    for (uint32_t i = 0; i < code->n_scalars; i++) {
        uint32_t bits = scalar_bits(code, &code->scalar[i], constants);

        for (unsigned lane = 0; lane < VM_UNIFORM_BYTES / 4; lane++)
            *to++ = bits;
    }
    if (code->n_constants)
        fill_constants(code, constants, (float *)(void *)(bytes + code->constants_at));
    fill_flow(code, constants, bytes);

    /* The preamble runs on all lanes with equal values; later reads use the first lane only. */
    memset(&f, 0, sizeof(f));
    f.base[0] = f.base[1] = bytes;
    f.code = code;
    f.ieee = code->ieee;
    f.constants = (const float *)(const void *)(bytes + code->constants_at);
    f.n_constants = code->n_constants;
    mode = fp_enter();
    vm_frame_run(&f, code->preamble);
    fp_leave(mode);
}
