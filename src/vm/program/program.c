/* Program objects: allocates and destroys them, and answers queries of clients. */
#include "vm/program/program.h"

#include "util/alloc.h"

#include <stdatomic.h>
#include <string.h>

struct vm_program *vm_program_new(void)
{
    static atomic_uint_least64_t last_id;
    struct vm_program *program = mem_calloc(1, sizeof(*program));

    if (program)
        program->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
    return program;
}

void vm_program_destroy(struct vm_program *program)
{
    if (!program)
        return;
    mem_free(program->instr);
    mem_free(program->def);
    mem_free(program->tokens);
    mem_free(program);
}

const struct vm_info *vm_program_info(const struct vm_program *program)
{
    return &program->info;
}

const uint32_t *vm_program_tokens(const struct vm_program *program, size_t *n, bool *software)
{
    *n = program->n_tokens;
    *software = program->software;
    return program->tokens;
}

uint32_t vm_program_length(const struct vm_program *program)
{
    return program->n_instr;
}

uint32_t vm_instr_word(const struct vm_program *program, uint32_t instr)
{
    return instr < program->n_instr ? program->instr[instr].token : 0;
}

bool vm_program_defined(const struct vm_program *program, uint32_t n, struct vm_defined *out)
{
    const struct vm_definition *def;

    if (n >= program->n_def)
        return false;
    def = &program->def[n];
    *out = (struct vm_defined){.file = def->file, .index = def->index};
    if (def->file == VM_FILE_CONST)
        memcpy(out->f, def->value.f, sizeof(out->f));
    else
        memcpy(out->i, def->value.i, sizeof(out->i));
    return true;
}

uint64_t vm_program_id(const struct vm_program *program)
{
    return program->id;
}

struct vm_version vm_program_version(const struct vm_program *program)
{
    const struct vm_info *info = &program->info;
    bool pixel = info->stage == VM_PIXEL;

    return (struct vm_version){.pixel = pixel,
                               .major = info->major,
                               .minor = info->minor,
                               .rank = vm_version_rank(pixel, info->major, info->minor)};
}
