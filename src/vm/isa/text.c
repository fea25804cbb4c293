/* Text of single items: `mad_sat r0.xyz, v0, c0[a0.x], -r1`, and of registers and usages.
 *
 * Tested by tests/unit/vm/asm/test_dis.c. */
#include "vm/isa/text.h"
#include "vm/isa/array.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void vm_text_put(struct vm_text *t, const char *format, ...)
{
    char line[256];
    va_list args;
    size_t length;

    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    length = strlen(line);
    while (t->status == ST_OK && t->n + length + 1 > t->max)
        t->status = vm_grow((void **)&t->data, t->max, &t->max, 1);
    if (t->status != ST_OK)
        return;
    memcpy(t->data + t->n, line, length + 1);
    t->n += length;
}

/* --- Operands --------------------------------------------------------------------------------- */

void vm_register_text(char text[VM_REGISTER_TEXT], unsigned file, unsigned index)
{
    static const char *const prefixes[] = {
        [VM_FILE_TEMP] = "r",      [VM_FILE_INPUT] = "v",      [VM_FILE_CONST] = "c",
        [VM_FILE_ADDR] = "a",      [VM_FILE_TEXTURE] = "t",    [VM_FILE_ATTROUT] = "oD",
        [VM_FILE_OUTPUT] = "o",    [VM_FILE_TEXCRDOUT] = "oT", [VM_FILE_CONSTINT] = "i",
        [VM_FILE_COLOROUT] = "oC", [VM_FILE_SAMPLER] = "s",    [VM_FILE_CONSTBOOL] = "b",
        [VM_FILE_LABEL] = "l",     [VM_FILE_PREDICATE] = "p",  [VM_FILE_SYSTEM] = "sys",
        [VM_FILE_NONE] = "none",
    };
    static const char *const rast[] = {"oPos", "oFog", "oPts"};
    static const char *const misc[] = {"vPos", "vFace"};

    if (file == VM_FILE_RASTOUT && index < 3)
        snprintf(text, VM_REGISTER_TEXT, "%s", rast[index]);
    else if (file == VM_FILE_MISC && index < 2)
        snprintf(text, VM_REGISTER_TEXT, "%s", misc[index]);
    else if (file == VM_FILE_LOOP || file == VM_FILE_DEPTHOUT)
        snprintf(text, VM_REGISTER_TEXT, "%s", file == VM_FILE_LOOP ? "aL" : "oDepth");
    else
        snprintf(text, VM_REGISTER_TEXT, "%s%u", prefixes[file] ? prefixes[file] : "?",
                 index & 0xffff);
}

static const char letters[] = "xyzw";

static void put_register(struct vm_text *t, unsigned file, unsigned index, unsigned rel_file,
                         unsigned rel_component)
{
    char name[VM_REGISTER_TEXT];

    vm_register_text(name, file, index);
    vm_text_put(t, "%s", name);
    if (rel_file == VM_FILE_ADDR)
        vm_text_put(t, "[a0.%c]", letters[rel_component & 3]);
    else if (rel_file == VM_FILE_LOOP)
        vm_text_put(t, "[aL]");
}

static void put_dst(struct vm_text *t, const struct vm_dst *dst)
{
    put_register(t, dst->file, dst->index, dst->rel_file, dst->rel_component);
    if (dst->mask == VM_MASK_ALL)
        return;
    vm_text_put(t, ".");
    for (unsigned i = 0; i < 4; i++) {
        if (dst->mask >> i & 1)
            vm_text_put(t, "%c", letters[i]);
    }
}

static void put_swizzle(struct vm_text *t, unsigned swizzle)
{
    bool replicate = swizzle == (swizzle & 3) * 0x55;

    if (swizzle == VM_SWZ_XYZW)
        return;
    vm_text_put(t, ".");
    for (unsigned i = 0; i < (replicate ? 1 : 4); i++)
        vm_text_put(t, "%c", letters[swizzle >> 2 * i & 3]);
}

static void put_src(struct vm_text *t, const struct vm_src *src)
{
    const struct vm_modifier_text *modifier = &vm_modifier_texts[src->modifier];

    vm_text_put(t, "%s", modifier->prefix);
    put_register(t, src->file, src->index, src->rel_file, src->rel_component);
    vm_text_put(t, "%s%s", *modifier->suffix ? "_" : "", modifier->suffix);
    put_swizzle(t, src->swizzle);
}

/* Nine digits restore every finite float. Infinities and the default NaN have the names that
 * assemblers of the time print. Other NaNs are written as bits. */
static void put_float(struct vm_text *t, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    if (isfinite(value))
        vm_text_put(t, "%.9g", value);
    else if (isinf(value))
        vm_text_put(t, value < 0 ? "-1.#INF" : "1.#INF");
    else if (bits == 0x7fc00000)
        vm_text_put(t, "1.#QNAN");
    else
        vm_text_put(t, "0x%08x", bits);
}

/* --- Items ------------------------------------------------------------------------------------ */

const char *vm_op_text(enum vm_op op, unsigned control, const struct vm_version *version)
{
    if (op == VM_OP_TEXCOORD && version->rank == 14)
        return "texcrd";
    if (op == VM_OP_TEX && version->rank < 14)
        return "tex";
    if (op == VM_OP_TEX && control != VM_TEX_PLAIN)
        return control == VM_TEX_PROJECT ? "texldp" : "texldb";
    return vm_op_info[op].text;
}

static void put_modifiers(struct vm_text *t, const struct vm_dst *dst)
{
    const char *shift = dst->shift >= -3 && dst->shift <= 3 ? vm_shift_names[dst->shift + 3] : "?";

    if (shift)
        vm_text_put(t, "_%s", shift);
    vm_text_put(t, "%s%s%s", dst->saturate ? "_sat" : "", dst->partial ? "_pp" : "",
                dst->centroid ? "_centroid" : "");
}

static void put_instr(struct vm_text *t, const struct vm_instr *instr,
                      const struct vm_version *version)
{
    const char *separator = " ";

    if (instr->coissue)
        vm_text_put(t, "+");
    if (instr->predicated) {
        vm_text_put(t, "(");
        put_src(t, &instr->predicate);
        vm_text_put(t, ") ");
    }
    vm_text_put(t, "%s", vm_op_text(instr->op, instr->control, version));
    if (instr->op == VM_OP_IFC || instr->op == VM_OP_BREAKC || instr->op == VM_OP_SETP)
        vm_text_put(t, "_%s", vm_compare_names[instr->control]);
    if (instr->dst.file != VM_FILE_NONE) {
        put_modifiers(t, &instr->dst);
        vm_text_put(t, " ");
        put_dst(t, &instr->dst);
        separator = ", ";
    }
    for (unsigned i = 0; i < instr->n_src; i++) {
        vm_text_put(t, "%s", separator);
        put_src(t, &instr->src[i]);
        separator = ", ";
    }
}

/* False for registers that imply their semantic (ps_2_x, samplers, vPos): their usage is 0 and has
 * no meaning. */
static bool shows_usage(const struct vm_dcl *dcl, const struct vm_version *version)
{
    bool semantic = version->pixel ? version->rank >= VM_RANK_3_0 : true;

    return dcl->usage || dcl->usage_index ||
           (semantic && (dcl->dst.file == VM_FILE_INPUT || dcl->dst.file == VM_FILE_OUTPUT));
}

static void put_dcl(struct vm_text *t, const struct vm_dcl *dcl, const struct vm_version *version)
{
    vm_text_put(t, "dcl");
    if (dcl->kind && dcl->kind < sizeof(vm_kind_names) / sizeof(vm_kind_names[0]))
        vm_text_put(t, "_%s", vm_kind_names[dcl->kind]);
    if (shows_usage(dcl, version) && dcl->usage < VM_USAGE_NAMES) {
        vm_text_put(t, "_%s", vm_usage_names[dcl->usage]);
        if (dcl->usage_index)
            vm_text_put(t, "%u", dcl->usage_index);
    }
    put_modifiers(t, &dcl->dst);
    vm_text_put(t, " ");
    put_dst(t, &dcl->dst);
}

const char *vm_usage_text(unsigned usage)
{
    return usage < VM_USAGE_NAMES ? vm_usage_names[usage] : NULL;
}

static void put_def(struct vm_text *t, const struct vm_definition *def)
{
    const char *op = def->file == VM_FILE_CONST      ? "def"
                     : def->file == VM_FILE_CONSTINT ? "defi"
                                                     : "defb";
    char name[VM_REGISTER_TEXT];

    vm_register_text(name, def->file, def->index);
    vm_text_put(t, "%s %s", op, name);
    if (def->file == VM_FILE_CONSTBOOL) {
        if (def->value.i[0] == 0 || def->value.i[0] == 1)
            vm_text_put(t, ", %s", def->value.i[0] ? "true" : "false");
        else
            vm_text_put(t, ", %d", def->value.i[0]); /* any number but 0 is true */
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        vm_text_put(t, ", ");
        if (def->file == VM_FILE_CONST)
            put_float(t, def->value.f[i]);
        else
            vm_text_put(t, "%d", def->value.i[i]);
    }
}

void vm_text_item(struct vm_text *t, const struct vm_item *item, const struct vm_version *version)
{
    switch (item->kind) {
    case VM_ITEM_DCL:
        put_dcl(t, &item->dcl, version);
        break;
    case VM_ITEM_DEF:
        put_def(t, &item->def);
        break;
    case VM_ITEM_INSTR:
        put_instr(t, &item->instr, version);
        break;
    default:
        break;
    }
}
