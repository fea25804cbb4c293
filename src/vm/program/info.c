/* Reflection: fills vm_info from the instructions (inputs, outputs, samplers and constants that a
 * program uses). */
#include "vm/isa/decode.h"
#include "vm/program/builder.h"
#include "vm/program/program.h"

#include <string.h>

/* Components that the program reads from input registers and writes to output registers. */
struct usage {
    struct vm_version version;
    uint8_t input[VM_MAX_INPUTS], texture[8], misc[2];
    uint8_t rast[3], attr[2], texcrd[8], output[VM_MAX_OUTPUTS], colour[8], depth;
    bool input_indexed, output_indexed;
};

/* --- Register usage --------------------------------------------------------------------------- */

static void note_temp(struct vm_program *program, unsigned index)
{
    if (program->n_temps <= index)
        program->n_temps = index + 1;
}

/* Registers of the c# file that relative addressing can reach. */
static unsigned indexable_constants(const struct vm_program *program,
                                    const struct vm_version *version)
{
    return program->built ? VM_FIRST_LITERAL
                          : vm_file_size(version, program->software, VM_FILE_CONST);
}

static void note_constant(struct vm_program *program, const struct vm_version *version,
                          const struct vm_src *src, unsigned end)
{
    struct vm_info *info = &program->info;

    if (src->rel_file != VM_FILE_NONE)
        info->float_constants = indexable_constants(program, version);
    if (program->built && src->index >= VM_FIRST_LITERAL)
        return;
    if (info->float_constants < end)
        info->float_constants = end;
    if (info->direct_constants < end)
        info->direct_constants = end;
}

/* True for ps_1_1 … 1_3: t# are temporaries. */
static bool has_texture_temps(const struct vm_version *version)
{
    return version->pixel && version->major == 1 && version->minor < 4;
}

static void note_src(struct vm_program *program, struct usage *u, const struct vm_instr *instr,
                     unsigned s)
{
    const struct vm_src *src = &instr->src[s];
    unsigned reads = vm_instr_src_reads(instr, s);
    unsigned end = src->index + vm_instr_src_rows(instr, s);
    struct vm_info *info = &program->info;

    if (src->file == VM_FILE_CONST)
        note_constant(program, &u->version, src, end);
    if (src->file == VM_FILE_SAMPLER)
        info->samplers |= 1u << (src->index & 15);
    for (unsigned i = src->index; i < end; i++) {
        if (src->file == VM_FILE_TEMP)
            note_temp(program, i);
        else if (src->file == VM_FILE_INPUT && src->rel_file == VM_FILE_NONE)
            u->input[i] |= reads;
        else if (src->file == VM_FILE_TEXTURE && !has_texture_temps(&u->version))
            u->texture[i] |= reads;
        else if (src->file == VM_FILE_MISC)
            u->misc[i] |= reads;
    }
    u->input_indexed |= src->file == VM_FILE_INPUT && src->rel_file != VM_FILE_NONE;
}

static void note_dst(struct vm_program *program, struct usage *u, const struct vm_instr *instr)
{
    const struct vm_dst *dst = &instr->dst;
    unsigned reads = vm_instr_dst_reads(instr, &u->version);

    switch (dst->file) {
    case VM_FILE_TEMP:
        note_temp(program, dst->index);
        break;
    case VM_FILE_INPUT: /* texkill */
        u->input[dst->index] |= reads;
        break;
    case VM_FILE_TEXTURE:
        u->texture[dst->index] |= reads | vm_instr_coord_reads(instr, &u->version);
        break;
    case VM_FILE_RASTOUT: /* fog and point size are scalars, stored with a full mask */
        u->rast[dst->index] |= dst->index ? VM_MASK_X : dst->mask;
        break;
    case VM_FILE_ATTROUT:
        u->attr[dst->index] |= dst->mask;
        break;
    case VM_FILE_TEXCRDOUT:
        u->texcrd[dst->index] |= dst->mask;
        break;
    case VM_FILE_OUTPUT:
        if (dst->rel_file != VM_FILE_NONE)
            u->output_indexed = true;
        else
            u->output[dst->index] |= dst->mask;
        break;
    case VM_FILE_COLOROUT:
        u->colour[dst->index] |= dst->mask;
        break;
    case VM_FILE_DEPTHOUT:
        u->depth = VM_MASK_X;
        break;
    default:
        break;
    }
}

/* ps_1_x has no sampler registers: the number of the destination is the stage. */
static bool samples_own_stage(const struct vm_program *program, enum vm_op op)
{
    switch (op) {
    case VM_OP_TEX:
        return program->info.stage == VM_PIXEL && program->info.major == 1;
    case VM_OP_TEXBEM:
    case VM_OP_TEXBEML:
    case VM_OP_TEXREG2AR:
    case VM_OP_TEXREG2GB:
    case VM_OP_TEXREG2RGB:
    case VM_OP_TEXM3X2TEX:
    case VM_OP_TEXM3X3TEX:
    case VM_OP_TEXM3X3SPEC:
    case VM_OP_TEXM3X3VSPEC:
    case VM_OP_TEXDP3TEX:
        return true;
    default:
        return false;
    }
}

int vm_instr_sampler(const struct vm_program *program, uint32_t instr)
{
    const struct vm_instr *in = &program->instr[instr];

    if (samples_own_stage(program, in->op))
        return in->dst.index;
    if (in->op == VM_OP_TEX || in->op == VM_OP_TEXLDD || in->op == VM_OP_TEXLDL)
        return in->src[1].index;
    return -1;
}

bool vm_instr_samples(const struct vm_program *program, uint32_t instr)
{
    return vm_instr_sampler(program, instr) >= 0;
}

static void note_instr(struct vm_program *program, struct usage *u, const struct vm_instr *instr)
{
    struct vm_info *info = &program->info;
    bool own_stage = samples_own_stage(program, instr->op);

    info->instructions += vm_instr_slots(instr, &u->version, info->sampler_kind);
    for (unsigned s = 0; s < instr->n_src; s++)
        note_src(program, u, instr, s);
    note_dst(program, u, instr);
    if (own_stage)
        info->samplers |= 1u << instr->dst.index;
    info->kills |= instr->op == VM_OP_TEXKILL;
    info->writes_depth |= instr->op == VM_OP_TEXDEPTH || instr->op == VM_OP_TEXM3X2DEPTH ||
                          instr->dst.file == VM_FILE_DEPTHOUT;
    info->uses_derivatives |= instr->op == VM_OP_DSX || instr->op == VM_OP_DSY;
}

/* --- The lists of inputs and outputs ---------------------------------------------------------- */

struct io_list {
    struct vm_io *io;
    uint8_t *n;
    uint16_t *n_slots;
    unsigned max;
    bool full;
};

/* NULL if mask is 0 or the list is full. */
static struct vm_io *add_io(struct io_list *list, unsigned usage, unsigned usage_index,
                            unsigned reg, unsigned mask)
{
    struct vm_io *io = &list->io[*list->n];

    if (!mask)
        return NULL;
    if (*list->n == list->max) {
        list->full = true;
        return NULL;
    }
    io->usage = usage;
    io->index = usage_index;
    io->reg = reg;
    io->mask = mask;
    for (unsigned c = 0; c < 4; c++)
        io->slot[c] = mask >> c & 1 ? (int16_t)(*list->n_slots)++ : -1;
    ++*list->n;
    return io;
}

/* Relative addressing reaches every declared register. */
static void add_declared(struct io_list *list, const struct vm_dcl *dcl, size_t n_dcl,
                         unsigned file, const uint8_t *used, bool indexed)
{
    for (size_t i = 0; i < n_dcl; i++) {
        unsigned reg = dcl[i].dst.index;
        struct vm_io *io;

        if (dcl[i].dst.file != file)
            continue;
        io = add_io(list, dcl[i].usage, dcl[i].usage_index, reg,
                    dcl[i].dst.mask & (indexed ? VM_MASK_ALL : used[reg]));
        if (io)
            io->centroid = dcl[i].dst.centroid;
    }
}

/* Adds an input of ps_1_x or ps_2_x, whose register number is its usage index. ps_2_x may declare a
 * part of it, and centroid. */
static void add_numbered(struct io_list *list, const struct vm_dcl *dcl, size_t n_dcl,
                         unsigned file, unsigned usage, unsigned reg, unsigned used)
{
    bool centroid = false;
    unsigned mask = 0;
    struct vm_io *io;

    for (size_t i = 0; i < n_dcl; i++) {
        if (dcl[i].dst.file == file && dcl[i].dst.index == reg) {
            mask |= dcl[i].dst.mask;
            centroid |= dcl[i].dst.centroid;
        }
    }
    io = add_io(list, usage, reg, reg, used & (mask ? mask : VM_MASK_ALL));
    if (io)
        io->centroid = centroid;
}

static void list_inputs(struct io_list *list, const struct vm_program *program,
                        const struct usage *u, const struct vm_dcl *dcl, size_t n_dcl)
{
    if (program->info.stage == VM_VERTEX || program->info.major >= 3) {
        add_declared(list, dcl, n_dcl, VM_FILE_INPUT, u->input, u->input_indexed);
    } else {
        for (unsigned i = 0; i < 2; i++)
            add_numbered(list, dcl, n_dcl, VM_FILE_INPUT, VM_USAGE_COLOR, i, u->input[i]);
        for (unsigned i = 0; i < 8; i++)
            add_numbered(list, dcl, n_dcl, VM_FILE_TEXTURE, VM_USAGE_TEXCOORD, i, u->texture[i]);
    }
    add_io(list, VM_USAGE_VPOS, 0, 0, u->misc[0] & (VM_MASK_X | VM_MASK_Y));
    add_io(list, VM_USAGE_VFACE, 0, 1, u->misc[1] ? VM_MASK_X : 0);
}

static void list_outputs(struct io_list *list, struct vm_program *program, const struct usage *u,
                         const struct vm_dcl *dcl, size_t n_dcl)
{
    add_io(list, VM_USAGE_POSITION, 0, 0, u->rast[0]);
    add_io(list, VM_USAGE_FOG, 0, 1, u->rast[1]);
    add_io(list, VM_USAGE_PSIZE, 0, 2, u->rast[2]);
    for (unsigned i = 0; i < 2; i++)
        add_io(list, VM_USAGE_COLOR, i, i, u->attr[i]);
    for (unsigned i = 0; i < 8; i++)
        add_io(list, VM_USAGE_TEXCOORD, i, i, u->texcrd[i]);
    add_declared(list, dcl, n_dcl, VM_FILE_OUTPUT, u->output, u->output_indexed);
    for (unsigned i = 0; i < 8; i++) {
        add_io(list, VM_USAGE_TARGET, i, i, u->colour[i]);
        program->info.colours |= u->colour[i] ? 1u << i : 0;
    }
    if (program->info.stage == VM_PIXEL && program->info.major == 1) { /* r0 is the colour */
        add_io(list, VM_USAGE_TARGET, 0, 0, VM_MASK_ALL);
        program->info.colours = 1;
        note_temp(program, 0);
    }
    add_io(list, VM_USAGE_DEPTH, 0, 0, program->info.writes_depth ? VM_MASK_X : 0);
}

enum status vm_program_fill_info(struct vm_program *program, const struct vm_dcl *dcl, size_t n_dcl,
                                 struct vm_error *error)
{
    struct vm_info *info = &program->info;
    struct io_list inputs = {info->input, &info->n_inputs, &info->n_input_slots, VM_MAX_INPUTS,
                             false};
    struct io_list outputs = {info->output, &info->n_outputs, &info->n_output_slots, VM_MAX_OUTPUTS,
                              false};
    struct usage usage;

    memset(&usage, 0, sizeof(usage));
    usage.version = vm_program_version(program);
    info->instructions = 0;
    for (uint32_t i = 0; i < program->n_instr; i++)
        note_instr(program, &usage, &program->instr[i]);
    list_inputs(&inputs, program, &usage, dcl, n_dcl);
    list_outputs(&outputs, program, &usage, dcl, n_dcl);
    if (inputs.full || outputs.full)
        return vm_set_error(error, 0, "the program has more than %u %s", inputs.max,
                            inputs.full ? "inputs" : "outputs");
    return ST_OK;
}

/* --- Slot look-up ----------------------------------------------------------------------------- */

/* Only vPos and vFace have usages of their own. In ps_1_x and 2_x, colours and coordinates both
 * number their registers from 0. */
static bool input_is_of(const struct vm_program *program, const struct vm_io *io, unsigned file)
{
    bool misc = io->usage == VM_USAGE_VPOS || io->usage == VM_USAGE_VFACE;

    if (file == VM_FILE_MISC || misc)
        return file == VM_FILE_MISC && misc;
    if (program->info.stage == VM_VERTEX || program->info.major >= 3)
        return file == VM_FILE_INPUT;
    return io->usage == (file == VM_FILE_INPUT ? VM_USAGE_COLOR : VM_USAGE_TEXCOORD);
}

int vm_program_input_slot(const struct vm_program *program, unsigned file, unsigned reg, unsigned c)
{
    for (unsigned i = 0; i < program->info.n_inputs; i++) {
        const struct vm_io *io = &program->info.input[i];

        if (io->reg == reg && io->mask >> c & 1 && input_is_of(program, io, file))
            return io->slot[c];
    }
    return -1;
}

static bool output_is_of(const struct vm_program *program, const struct vm_io *io, unsigned file)
{
    switch (file) {
    case VM_FILE_RASTOUT:
        return io->usage == VM_USAGE_POSITION || io->usage == VM_USAGE_FOG ||
               io->usage == VM_USAGE_PSIZE;
    case VM_FILE_ATTROUT:
        return io->usage == VM_USAGE_COLOR;
    case VM_FILE_TEXCRDOUT:
        return io->usage == VM_USAGE_TEXCOORD;
    case VM_FILE_OUTPUT:
        return program->info.stage == VM_VERTEX;
    case VM_FILE_COLOROUT:
    case VM_FILE_TEMP:
        return io->usage == VM_USAGE_TARGET;
    case VM_FILE_DEPTHOUT:
        return program->info.stage == VM_PIXEL && io->usage == VM_USAGE_DEPTH;
    default:
        return false;
    }
}

int vm_program_output_slot(const struct vm_program *program, unsigned file, unsigned reg,
                           unsigned c)
{
    for (unsigned i = 0; i < program->info.n_outputs; i++) {
        const struct vm_io *io = &program->info.output[i];

        if (io->reg == reg && io->mask >> c & 1 && output_is_of(program, io, file))
            return io->slot[c];
    }
    return -1;
}
