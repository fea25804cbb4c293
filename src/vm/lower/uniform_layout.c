/* Layout of the uniforms: numbers the scalars and hoisted results that live instances read, and
 * places the arrays for relative addressing and flow control behind them.
 *
 * Tested by tests/unit/vm/run/test_uniform.c and tests/unit/vm/lower/test_lower.c. */
#include "vm/lower/passes.h"

#include "util/alloc.h"

#include <string.h>

static void number_uniforms(struct uniform_layout *u, const struct ir_stream *s)
{
    for (uint32_t i = 0; i < s->n_inst; i++) {
        const struct ir_inst *inst = &s->inst[i];
        const struct ir_op_info *info = &vm_ir_op_info[inst->opcode];

        for (uint32_t g = 0; g < inst->n; g++) {
            const uint32_t *words = ir_words(s, inst, g);

            if (!vm_lower_instance_live(inst, words))
                continue;
            if ((words[0] & REF_KIND_MASK) == REF_HOIST && info->n_dst)
                u->hoist_at[words[0] & REF_ID_MASK] = u->n_hoists++;
            for (unsigned k = 0; k < info->n_src; k++) {
                uint32_t ref = words[info->n_dst + k];

                if ((ref & REF_KIND_MASK) == REF_SCALAR &&
                    u->scalar_at[ref & REF_ID_MASK] == VM_UNASSIGNED)
                    u->scalar_at[ref & REF_ID_MASK] = u->n_scalars++;
            }
        }
    }
}

static uint32_t highest_index(const struct lower *l, enum vm_file file)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < l->program->n_instr; i++) {
        const struct vm_instr *in = &l->program->instr[i];

        for (unsigned s = 0; s < in->n_src; s++)
            if (in->src[s].file == file && in->src[s].index >= n)
                n = in->src[s].index + 1u;
    }
    return n;
}

enum status vm_lower_lay_out_uniforms(struct uniform_layout *u, const struct lower *l,
                                      struct vm_code *code)
{
    size_t at;

    u->scalar_at = vm_lower_new_table(l->n_scalar);
    u->hoist_at = vm_lower_new_table(l->n_hoist);
    if (!u->scalar_at || !u->hoist_at)
        return ST_NOMEM;
    number_uniforms(u, &l->main);
    number_uniforms(u, &l->hoist);
    code->n_scalars = u->n_scalars;
    code->scalar = mem_calloc(code->n_scalars + 1, sizeof(*code->scalar));
    code->def = mem_calloc(l->program->n_def + 1, sizeof(*code->def));
    if (!code->scalar || !code->def)
        return ST_NOMEM;
    for (uint32_t i = 0; i < l->n_scalar; i++)
        if (u->scalar_at[i] != VM_UNASSIGNED)
            code->scalar[u->scalar_at[i]] = l->scalar[i];
    code->n_defs = l->program->n_def;
    if (code->n_defs)
        memcpy(code->def, l->program->def, code->n_defs * sizeof(*code->def));
    code->n_constants = l->indexes_constants ? l->program->info.float_constants : 0;
    code->n_int = highest_index(l, VM_FILE_CONSTINT);
    code->n_bool = highest_index(l, VM_FILE_CONSTBOOL);
    code->clamp_constants = l->is_ps1;

    at = (size_t)code->n_scalars * VM_UNIFORM_BYTES + (size_t)u->n_hoists * VM_LANE_BYTES;
    code->constants_at = at;
    /* One register of zeros more, for indices out of range. */
    at += l->indexes_constants ? ((code->n_constants + 1) * 16u + 63) & ~(size_t)63 : 0;
    code->int_at = at;
    at += (code->n_int * 16u + 63) & ~(size_t)63;
    code->bool_at = at;
    at += (code->n_bool * 4u + 63) & ~(size_t)63;
    code->uniform_bytes = at ? at : 64;
    return ST_OK;
}

void vm_lower_uniform_layout_fini(struct uniform_layout *u)
{
    mem_free(u->scalar_at);
    mem_free(u->hoist_at);
}
