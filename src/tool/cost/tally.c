/* Machine code of a shader, and counts of its parts.
 *
 * Tested by tests/unit/tool/cost/test_step.c. */
#include "tool/cost/tally.h"

#include "util/alloc.h"

#include <string.h>

bool cost_machine_init(struct cost_machine *m, const struct cost_job *job)
{
    uint32_t n = vm_code_functions(job->code);

    *m = (struct cost_machine){.function = mem_calloc(n, sizeof(*m->function))};
    if (!m->function)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct ir_code *code = vm_code_machine(job->code, i);
        struct ir_code_info info;

        if (!code)
            return true;
        ir_code_describe(code, &info);
        m->function[i] = (struct cost_function){code, info.code, info.code + info.bytes, m->bytes};
        m->bytes += info.bytes;
    }
    m->is_return = mem_calloc(m->bytes + 1, 1);
    m->n_functions = n;
    return m->is_return != NULL;
}

void cost_machine_fini(struct cost_machine *m)
{
    mem_free(m->function);
    mem_free(m->is_return);
    *m = (struct cost_machine){0};
}

const struct cost_function *cost_machine_find(const struct cost_machine *m, uintptr_t address)
{
    for (uint32_t i = 0; i < m->n_functions; i++)
        if (address >= (uintptr_t)m->function[i].begin && address < (uintptr_t)m->function[i].end)
            return &m->function[i];
    return NULL;
}

bool cost_tally_init(struct cost_tally *t, const struct cost_machine *m, uint32_t n_instr)
{
    *t = (struct cost_tally){.at = mem_calloc(m->bytes + 1, sizeof(*t->at)),
                             .origin = mem_calloc((size_t)n_instr + 1, sizeof(*t->origin)),
                             .n_origins = n_instr + 1};
    return t->at && t->origin;
}

void cost_tally_fini(struct cost_tally *t)
{
    mem_free(t->at);
    mem_free(t->origin);
    *t = (struct cost_tally){0};
}

uint64_t cost_tally_of(const struct cost_tally *t, const struct cost_machine *m, uint32_t origin)
{
    uint64_t n = t->origin[origin];

    for (uint32_t i = 0; i < m->n_functions; i++) {
        const struct cost_function *f = &m->function[i];

        for (size_t at = 0; at < (size_t)(f->end - f->begin); at++)
            if (t->at[f->first + at] && ir_code_origin(f->code, at) == origin)
                n += t->at[f->first + at];
    }
    return origin ? n : n + t->outside;
}
