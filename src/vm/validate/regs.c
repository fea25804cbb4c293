/* Validator rules of registers: their numbers, declarations, and the instructions that may read,
 * write or index them.
 *
 * Tested by tests/unit/vm/validate/test_validate.c. */
#include "vm/isa/text.h"
#include "vm/validate/rules.h"

/* --- Numbers ---------------------------------------------------------------------------------- */

void vm_check_register(struct vm_checker *c, unsigned file, unsigned index, unsigned rows)
{
    static const char *const plurals[] = {
        [VM_FILE_TEMP] = "temporaries",
        [VM_FILE_INPUT] = "inputs",
        [VM_FILE_CONST] = "constants",
        [VM_FILE_TEXTURE] = "texture registers",
        [VM_FILE_ATTROUT] = "colour outputs",
        [VM_FILE_TEXCRDOUT] = "coordinate outputs",
        [VM_FILE_OUTPUT] = "outputs",
        [VM_FILE_CONSTINT] = "integer constants",
        [VM_FILE_COLOROUT] = "colour outputs",
        [VM_FILE_SAMPLER] = "samplers",
        [VM_FILE_CONSTBOOL] = "boolean constants",
        [VM_FILE_LABEL] = "labels",
    };
    unsigned size = vm_file_size(&c->version, c->limits->software, file);
    bool runs = index + rows <= vm_file_room(&c->version, c->limits->software, file);
    enum vm_rule rule = runs ? VM_RULE_REGISTER_COUNT : VM_RULE_REGISTER;
    char name[VM_REGISTER_TEXT];

    if (index + rows <= size)
        return;
    vm_register_text(name, file, index + rows - 1);
    if (size < 2)
        vm_rule_broken(c, rule, "there is no %s", name);
    else
        vm_rule_broken(c, rule, "%s is beyond the %u %s", name, size,
                       plurals[file] ? plurals[file] : "registers");
}

/* --- Declarations ----------------------------------------------------------------------------- */

/* Registers that need a declaration. */
static void check_declared(struct vm_checker *c, unsigned file, unsigned index, unsigned rows)
{
    const uint8_t *declared = file == VM_FILE_INPUT     ? c->input
                              : file == VM_FILE_TEXTURE ? c->texture
                              : file == VM_FILE_OUTPUT  ? c->output
                              : file == VM_FILE_MISC    ? c->misc
                                                        : NULL;

    for (unsigned i = index; declared && !c->refused && i < index + rows; i++) {
        char name[VM_REGISTER_TEXT];

        if (declared[i])
            continue;
        vm_register_text(name, file, i);
        vm_rule_broken(c, VM_RULE_UNDECLARED, "%s is used without a declaration", name);
    }
}

/* --- Relative addressing ---------------------------------------------------------------------- */

static bool indexing_allowed(const struct vm_version *version, unsigned file, unsigned by)
{
    bool sm3 = version->rank >= VM_RANK_3_0;

    if (version->pixel)
        return sm3 && file == VM_FILE_INPUT && by == VM_FILE_LOOP;
    if (by == VM_FILE_LOOP && version->rank < VM_RANK_2_0)
        return false;
    return file == VM_FILE_CONST || (sm3 && (file == VM_FILE_INPUT || file == VM_FILE_OUTPUT));
}

static void check_index(struct vm_checker *c, unsigned file, unsigned by, unsigned component)
{
    if (by == VM_FILE_NONE)
        return;
    if (!indexing_allowed(&c->version, file, by))
        vm_rule_broken(c, VM_RULE_INDEX, "this register cannot be indexed");
    else if (component && c->version.rank < VM_RANK_2_0)
        vm_rule_broken(c, VM_RULE_INDEX, "a0 has x only");
}

/* --- Destinations ----------------------------------------------------------------------------- */

#define FILE_BIT(file) (1u << VM_FILE_##file)

static uint32_t vs_written_files(enum vm_op op, unsigned rank)
{
    switch (op) {
    case VM_OP_MOVA:
        return FILE_BIT(ADDR);
    case VM_OP_SETP:
        return FILE_BIT(PREDICATE);
    case VM_OP_MOV: /* from 2_0 on mova loads a0 */
        return FILE_BIT(TEMP) | FILE_BIT(RASTOUT) | FILE_BIT(ATTROUT) | FILE_BIT(TEXCRDOUT) |
               FILE_BIT(OUTPUT) | (rank < VM_RANK_2_0 ? FILE_BIT(ADDR) : 0);
    default:
        return FILE_BIT(TEMP) | FILE_BIT(RASTOUT) | FILE_BIT(ATTROUT) | FILE_BIT(TEXCRDOUT) |
               FILE_BIT(OUTPUT);
    }
}

static uint32_t ps_written_files(enum vm_op op, unsigned rank)
{
    if (op == VM_OP_SETP)
        return FILE_BIT(PREDICATE);
    if (op == VM_OP_TEXKILL) /* its destination operand is a source */
        return rank < 14            ? FILE_BIT(TEXTURE)
               : rank < VM_RANK_2_0 ? FILE_BIT(TEXTURE) | FILE_BIT(TEMP)
                                    : FILE_BIT(TEXTURE) | FILE_BIT(TEMP) | FILE_BIT(INPUT);
    if (rank < 14)
        return vm_op_info[op].op_class == VM_CLASS_TEXTURE1 || op == VM_OP_TEX
                   ? FILE_BIT(TEXTURE)
                   : FILE_BIT(TEXTURE) | FILE_BIT(TEMP);
    return FILE_BIT(TEMP) | FILE_BIT(COLOROUT) | FILE_BIT(DEPTHOUT);
}

static void check_dst_modifiers(struct vm_checker *c, const struct vm_instr *instr)
{
    const struct vm_op_info *info = &vm_op_info[instr->op];
    const struct vm_dst *dst = &instr->dst;
    const char *text = vm_op_text(instr->op, instr->control, &c->version);
    bool ps1 = c->version.pixel && c->version.rank < VM_RANK_2_0;

    if (dst->shift < -3 || dst->shift > 3)
        vm_rule_broken(c, VM_RULE_OPERAND, "%s has a shift that does not exist", text);
    else if (dst->shift && !ps1)
        vm_rule_broken(c, VM_RULE_RESULT_MODIFIER, "%s has a shift that does not exist", text);
    if ((dst->shift || dst->saturate) && ps1 &&
        (info->op_class == VM_CLASS_TEXTURE || info->op_class == VM_CLASS_TEXTURE1) &&
        instr->op != VM_OP_TEXCOORD)
        vm_rule_broken(c, VM_RULE_RESULT_MODIFIER, "%s takes no modifier", text);
    if (dst->saturate && (instr->op == VM_OP_SETP || instr->op == VM_OP_MOVA))
        vm_rule_broken(c, VM_RULE_OPERAND, "%s cannot saturate", text);
}

/* Whether the machine runs an instruction although the version's cannot write the file. */
static bool runs_write(const struct vm_checker *c, const struct vm_instr *instr)
{
    return !c->version.pixel && instr->op == VM_OP_MOV && instr->dst.file == VM_FILE_ADDR &&
           !instr->dst.saturate && !instr->dst.shift && !instr->predicated;
}

void vm_check_dst(struct vm_checker *c, const struct vm_instr *instr)
{
    const struct vm_dst *dst = &instr->dst;
    uint32_t files = c->version.pixel ? ps_written_files(instr->op, c->version.rank)
                                      : vs_written_files(instr->op, c->version.rank);
    char name[VM_REGISTER_TEXT];

    vm_check_register(c, dst->file, dst->index, 1);
    vm_register_text(name, dst->file, dst->index);
    if (!(files >> dst->file & 1))
        vm_rule_broken(c, runs_write(c, instr) ? VM_RULE_ADDRESS_MOVE : VM_RULE_OPERAND,
                       "%s cannot be the destination of %s", name,
                       vm_op_text(instr->op, instr->control, &c->version));
    if (!dst->mask)
        vm_rule_broken(c, VM_RULE_OPERAND, "the write mask of %s is empty", name);
    check_dst_modifiers(c, instr);
    if (dst->rel_file != VM_FILE_NONE && dst->file != VM_FILE_OUTPUT)
        vm_rule_broken(c, VM_RULE_INDEX, "this destination cannot be indexed");
    check_index(c, dst->file, dst->rel_file, dst->rel_component);
    /* An indexed register may be any of those declared. */
    if (!c->refused && dst->rel_file == VM_FILE_NONE)
        check_declared(c, dst->file, dst->index, 1);
}

/* --- Sources ---------------------------------------------------------------------------------- */

static uint32_t flow_read_files(enum vm_op op, unsigned i, unsigned rank)
{
    uint32_t condition = FILE_BIT(CONSTBOOL) | (rank >= VM_RANK_2_X ? FILE_BIT(PREDICATE) : 0);

    switch (op) {
    case VM_OP_CALL:
    case VM_OP_LABEL:
        return FILE_BIT(LABEL);
    case VM_OP_CALLNZ:
        return i == 0 ? FILE_BIT(LABEL) : condition;
    case VM_OP_IF:
        return condition;
    case VM_OP_BREAKP:
        return FILE_BIT(PREDICATE);
    case VM_OP_LOOP:
        return i == 0 ? FILE_BIT(LOOP) : FILE_BIT(CONSTINT);
    case VM_OP_REP:
        return FILE_BIT(CONSTINT);
    default: /* ifc, breakc */
        return FILE_BIT(TEMP) | FILE_BIT(INPUT) | FILE_BIT(CONST) | FILE_BIT(TEXTURE) |
               FILE_BIT(MISC);
    }
}

static uint32_t read_files(const struct vm_version *version, enum vm_op op, unsigned i)
{
    uint32_t values = FILE_BIT(TEMP) | FILE_BIT(INPUT) | FILE_BIT(CONST) | FILE_BIT(MISC);
    unsigned rank = version->rank;

    if (vm_op_info[op].op_class == VM_CLASS_FLOW)
        return flow_read_files(op, i, rank);
    if (op == VM_OP_TEX || op == VM_OP_TEXLDD || op == VM_OP_TEXLDL) {
        if (rank == 14)
            return FILE_BIT(TEXTURE) | FILE_BIT(TEMP);
        return i == 1 ? FILE_BIT(SAMPLER) : values | FILE_BIT(TEXTURE);
    }
    if (vm_op_info[op].op_class == VM_CLASS_TEXTURE1)
        return i == 1 ? FILE_BIT(CONST) : FILE_BIT(TEXTURE);
    /* ps_1_4 arithmetic reads coordinates only through texld and texcrd. */
    return version->pixel && rank == 14 ? values : values | FILE_BIT(TEXTURE);
}

/* Whether the version has the modifier. */
static bool has_modifier(const struct vm_version *version, unsigned modifier)
{
    switch (modifier) {
    case VM_MOD_NONE:
    case VM_MOD_NEG:
    case VM_MOD_NOT:
        return true;
    case VM_MOD_DZ:
    case VM_MOD_DW:
    case VM_MOD_X2:
    case VM_MOD_X2NEG:
        return version->pixel && version->rank == 14;
    case VM_MOD_ABS:
    case VM_MOD_ABSNEG:
        return version->rank >= VM_RANK_3_0;
    default:
        return version->pixel && version->rank < VM_RANK_2_0;
    }
}

/* Whether the operand can have the modifier in any version. */
static bool runs_modifier(const struct vm_instr *instr, const struct vm_src *src)
{
    bool condition = src->file == VM_FILE_CONSTBOOL || src->file == VM_FILE_PREDICATE;
    bool number = src->file != VM_FILE_SAMPLER && src->file != VM_FILE_LABEL &&
                  src->file != VM_FILE_LOOP && src->file != VM_FILE_CONSTINT && !condition;

    switch (src->modifier) {
    case VM_MOD_NONE:
        return true;
    case VM_MOD_NOT:
        return condition;
    case VM_MOD_DZ:
    case VM_MOD_DW: /* not texldp and texldb: they have no such modifier */
        return number && instr->n_src == 1 &&
               (instr->op == VM_OP_TEX || instr->op == VM_OP_TEXCOORD);
    default:
        return number;
    }
}

static void check_src_modifier(struct vm_checker *c, const struct vm_instr *instr, unsigned i)
{
    const char *text = vm_op_text(instr->op, instr->control, &c->version);
    const struct vm_src *src = &instr->src[i];

    if (!runs_modifier(instr, src))
        vm_rule_broken(c, VM_RULE_OPERAND, "source %u of %s has a modifier that it cannot have",
                       i + 1, text);
    else if (!has_modifier(&c->version, src->modifier))
        vm_rule_broken(c, VM_RULE_SRC_MODIFIER,
                       "source %u of %s has a modifier that it cannot have", i + 1, text);
}

/* Whether the machine runs an instruction although the version's cannot read the file. */
static bool runs_read(const struct vm_checker *c, const struct vm_instr *instr, unsigned i)
{
    return c->version.rank == 14 && c->version.pixel && instr->src[i].file == VM_FILE_TEXTURE &&
           !vm_op_is_texture(instr->op) && vm_op_info[instr->op].op_class != VM_CLASS_FLOW;
}

void vm_check_src(struct vm_checker *c, const struct vm_instr *instr, unsigned i)
{
    const struct vm_src *src = &instr->src[i];
    /* The register that an index reaches is known at run time; rows beyond the file read as 0. */
    unsigned rows = src->rel_file != VM_FILE_NONE ? 1 : vm_instr_src_rows(instr, i);
    char name[VM_REGISTER_TEXT];

    vm_check_register(c, src->file, src->index, rows);
    vm_register_text(name, src->file, src->index);
    if (!(read_files(&c->version, instr->op, i) >> src->file & 1))
        vm_rule_broken(c, runs_read(c, instr, i) ? VM_RULE_COORDINATE_READ : VM_RULE_OPERAND,
                       "%s cannot be source %u of %s", name, i + 1,
                       vm_op_text(instr->op, instr->control, &c->version));
    check_src_modifier(c, instr, i);
    check_index(c, src->file, src->rel_file, src->rel_component);
    if (!c->refused && src->rel_file == VM_FILE_NONE)
        check_declared(c, src->file, src->index, rows);
}
