/* Uniforms of a draw: fills in scalars and the array for relative addressing. Then runs the
 * preamble, which computes what depends on them alone. */
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

/* The program's definition of a register; NULL: none. The last one counts. */
static const struct vm_definition *definition(const struct vm_code *code, unsigned file,
                                              unsigned index)
{
    for (uint32_t i = code->n_defs; i-- > 0;)
        if (code->def[i].file == file && code->def[i].index == index)
            return &code->def[i];
    return NULL;
}

static int32_t int_constant(const struct vm_code *code, const struct vm_scalar *s,
                            const struct vm_constants *k)
{
    const struct vm_definition *def = definition(code, VM_FILE_CONSTINT, s->index);
    int32_t x = 0;

    if (def)
        x = def->value.i[s->component];
    else if (s->index < k->n_i)
        x = k->i[s->index][s->component];
    return x + (fault_is(FAULT_LOOP_COUNT) && s->component == 0 && x > 0);
}

static int32_t bool_constant(const struct vm_code *code, const struct vm_scalar *s,
                             const struct vm_constants *k)
{
    const struct vm_definition *def = definition(code, VM_FILE_CONSTBOOL, s->index);

    if (def)
        return def->value.i[0] != 0;
    return s->index < k->n_b && k->b[s->index];
}

static uint32_t scalar_bits(const struct vm_code *code, const struct vm_scalar *s,
                            const struct vm_constants *k)
{
    uint32_t bits;
    float x = 0.0f;

    if (s->from == VM_FROM_LITERAL)
        return s->component;
    if (s->from == VM_FROM_INT)
        return (uint32_t)int_constant(code, s, k);
    if (s->from == VM_FROM_BOOL)
        return (uint32_t)bool_constant(code, s, k);
    if (s->from == VM_FROM_FLOAT && s->index < k->n_f)
        x = clamped(code, k->f[s->index][s->component]);
    if (s->from == VM_FROM_SYSTEM && s->index < k->n_system)
        x = k->system[s->index][s->component];
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

/* Most scalars are plain floats. */
static void fill_scalars(const struct vm_code *code, const struct vm_constants *k, uint32_t *to)
{
    const struct vm_scalar *scalar = code->scalar;
    const float(*f)[4] = k->f;
    uint32_t n = code->n_scalars, n_plain = code->clamp_constants ? 0 : k->n_f;

    for (uint32_t i = 0; i < n; i++) {
        if (scalar[i].from == VM_FROM_FLOAT && scalar[i].index < n_plain)
            memcpy(&to[i], &f[scalar[i].index][scalar[i].component], sizeof(to[i]));
        else
            to[i] = scalar_bits(code, &scalar[i], k);
    }
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

void vm_code_fill_uniforms(const struct vm_code *code, const struct vm_constants *constants,
                           void *uniforms)
{
    char *bytes = uniforms;
    const struct ir_args args = {.base = {[VM_BASE_UNIFORMS] = bytes,
                                          [VM_BASE_CONSTANTS] = bytes + code->constants_at,
                                          [VM_BASE_SLOTS] = (void *)(uintptr_t)code->slots,
                                          [VM_BASE_HOISTED] = bytes + code->hoisted_at}};
    struct fp_mode mode;

    fill_scalars(code, constants, uniforms);
    if (code->n_constants)
        fill_constants(code, constants, (float *)(void *)(bytes + code->constants_at));
    mode = fp_enter();
    ir_interp_run(code->main.preamble, &args, bytes + code->preamble_at);
    for (uint32_t i = 0; i < code->n_routines; i++)
        ir_interp_run(code->routine[i].preamble, &args, bytes + code->preamble_at);
    fp_leave(mode);
}
