/* Programs as text: byte code as it stands, built programs as if they were model 3_sw. */
#include "vm/program_private.h"
#include "vm/text.h"
#include "vm/validate.h"

#include "util/alloc.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A text that grows; after a failed allocation the rest is dropped. */
struct text {
    char *data;
    size_t n, max;
    enum status status;
};

static void put(struct text *t, const char *format, ...) PRINTF_LIKE(2, 3);
static void put(struct text *t, const char *format, ...)
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

static MUST_CHECK enum status take_text(struct text *t, enum status st, char **out)
{
    if (st == ST_OK)
        st = t->status;
    if (st == ST_OK)
        *out = t->data;
    else
        mem_free(t->data);
    return st;
}

/* --- Operands --------------------------------------------------------------------------------- */

static const char letters[] = "xyzw";

static void put_register(struct text *t, unsigned file, unsigned index, unsigned rel_file,
                         unsigned rel_component)
{
    char name[VM_REGISTER_TEXT];

    vm_register_text(name, file, index);
    put(t, "%s", name);
    if (rel_file == VM_FILE_ADDR)
        put(t, "[a0.%c]", letters[rel_component & 3]);
    else if (rel_file == VM_FILE_LOOP)
        put(t, "[aL]");
}

static void put_dst(struct text *t, const struct vm_dst *dst)
{
    put_register(t, dst->file, dst->index, dst->rel_file, dst->rel_component);
    if (dst->mask == VM_MASK_ALL)
        return;
    put(t, ".");
    for (unsigned i = 0; i < 4; i++) {
        if (dst->mask >> i & 1)
            put(t, "%c", letters[i]);
    }
}

static void put_swizzle(struct text *t, unsigned swizzle)
{
    bool replicate = swizzle == (swizzle & 3) * 0x55;

    if (swizzle == VM_SWZ_XYZW)
        return;
    put(t, ".");
    for (unsigned i = 0; i < (replicate ? 1 : 4); i++)
        put(t, "%c", letters[swizzle >> 2 * i & 3]);
}

static void put_src(struct text *t, const struct vm_src *src)
{
    const struct vm_modifier_text *modifier = &vm_modifier_texts[src->modifier];

    put(t, "%s", modifier->prefix);
    put_register(t, src->file, src->index, src->rel_file, src->rel_component);
    put(t, "%s%s", *modifier->suffix ? "_" : "", modifier->suffix);
    put_swizzle(t, src->swizzle);
}

/* Nine digits bring every float back; what has no digits is written as the bits, but for the names
 * that assemblers of the time printed. */
static void put_float(struct text *t, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    if (isfinite(value))
        put(t, "%.9g", value);
    else if (isinf(value))
        put(t, value < 0 ? "-1.#INF" : "1.#INF");
    else if (bits == 0x7fc00000)
        put(t, "1.#QNAN");
    else
        put(t, "0x%08x", bits);
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

static void put_modifiers(struct text *t, const struct vm_dst *dst)
{
    const char *shift = dst->shift >= -3 && dst->shift <= 3 ? vm_shift_names[dst->shift + 3] : "?";

    if (shift)
        put(t, "_%s", shift);
    put(t, "%s%s%s", dst->saturate ? "_sat" : "", dst->partial ? "_pp" : "",
        dst->centroid ? "_centroid" : "");
}

static void put_instr(struct text *t, const struct vm_instr *instr,
                      const struct vm_version *version)
{
    const char *separator = " ";

    if (instr->coissue)
        put(t, "+");
    if (instr->predicated) {
        put(t, "(");
        put_src(t, &instr->predicate);
        put(t, ") ");
    }
    put(t, "%s", vm_op_text(instr->op, instr->control, version));
    if (instr->op == VM_OP_IFC || instr->op == VM_OP_BREAKC || instr->op == VM_OP_SETP)
        put(t, "_%s", vm_compare_names[instr->control]);
    if (instr->dst.file != VM_FILE_NONE) {
        put_modifiers(t, &instr->dst);
        put(t, " ");
        put_dst(t, &instr->dst);
        separator = ", ";
    }
    for (unsigned i = 0; i < instr->n_src; i++) {
        put(t, "%s", separator);
        put_src(t, &instr->src[i]);
        separator = ", ";
    }
}

/* Where the register says it all (ps_2_x, samplers, vPos) the usage is 0 and not written. */
static bool shows_usage(const struct vm_dcl *dcl, const struct vm_version *version)
{
    bool semantic = version->pixel ? version->rank >= VM_RANK_3_0 : true;

    return dcl->usage || dcl->usage_index ||
           (semantic && (dcl->dst.file == VM_FILE_INPUT || dcl->dst.file == VM_FILE_OUTPUT));
}

static void put_dcl(struct text *t, const struct vm_dcl *dcl, const struct vm_version *version)
{
    put(t, "dcl");
    if (dcl->kind && dcl->kind < sizeof(vm_kind_names) / sizeof(vm_kind_names[0]))
        put(t, "_%s", vm_kind_names[dcl->kind]);
    if (shows_usage(dcl, version) && dcl->usage < VM_USAGE_NAMES) {
        put(t, "_%s", vm_usage_names[dcl->usage]);
        if (dcl->usage_index)
            put(t, "%u", dcl->usage_index);
    }
    put_modifiers(t, &dcl->dst);
    put(t, " ");
    put_dst(t, &dcl->dst);
}

const char *vm_usage_text(unsigned usage)
{
    return usage < VM_USAGE_NAMES ? vm_usage_names[usage] : NULL;
}

static void put_def(struct text *t, const struct vm_definition *def)
{
    const char *op = def->file == VM_FILE_CONST      ? "def"
                     : def->file == VM_FILE_CONSTINT ? "defi"
                                                     : "defb";
    char name[VM_REGISTER_TEXT];

    vm_register_text(name, def->file, def->index);
    put(t, "%s %s", op, name);
    if (def->file == VM_FILE_CONSTBOOL) {
        put(t, ", %s", def->value.i[0] ? "true" : "false");
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        put(t, ", ");
        if (def->file == VM_FILE_CONST)
            put_float(t, def->value.f[i]);
        else
            put(t, "%d", def->value.i[i]);
    }
}

enum status vm_instr_text(char **out, const struct vm_program *program, uint32_t instr)
{
    const struct vm_info *info = &program->info;
    bool pixel = info->stage == VM_PIXEL;
    struct vm_version version = {pixel, info->major, info->minor,
                                 vm_version_rank(pixel, info->major, info->minor)};
    struct text t = {.data = NULL};

    *out = NULL;
    if (instr >= program->n_instr)
        return ST_INVALID;
    if (program->built)
        version.rank = VM_RANK_3_SW;
    put_instr(&t, &program->instr[instr], &version);
    return take_text(&t, ST_OK, out);
}

/* --- Constant tables ----------------------------------------------------------------------------
 */

/* The body of a comment as bytes; what lies outside reads as 0. */
struct comment {
    const uint32_t *words;
    size_t n_bytes;
};

static unsigned byte_at(const struct comment *c, size_t at)
{
    return at < c->n_bytes ? c->words[at / 4] >> at % 4 * 8 & 255 : 0;
}

static uint32_t number_at(const struct comment *c, size_t at, unsigned n_bytes)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < n_bytes; i++)
        value |= (uint32_t)byte_at(c, at + i) << 8 * i;
    return value;
}

static void put_string(struct text *t, const struct comment *c, size_t at)
{
    enum { LONGEST = 80 };

    for (unsigned i = 0; i < LONGEST && byte_at(c, at + i); i++) {
        unsigned letter = byte_at(c, at + i);

        put(t, "%c", letter >= 0x20 && letter < 0x7f ? (int)letter : '?');
    }
}

/* What the compiler left for people: the names of constants and samplers. */
static void put_constant_table(struct text *t, const uint32_t *words, size_t n)
{
    enum { CTAB = 0x42415443, CREATOR = 4, COUNT = 12, INFO = 16, INFO_SIZE = 20 };
    static const char sets[] = "bics";
    struct comment c = {words + 1, n ? (n - 1) * 4 : 0};
    size_t at = number_at(&c, INFO, 4);

    if (!n || words[0] != CTAB)
        return;
    put(t, "    // ");
    put_string(t, &c, number_at(&c, CREATOR, 4));
    put(t, "\n");
    for (uint32_t i = number_at(&c, COUNT, 4); i > 0 && at + INFO_SIZE <= c.n_bytes; i--) {
        unsigned set = number_at(&c, at + 4, 2), first = number_at(&c, at + 6, 2);
        unsigned count = number_at(&c, at + 8, 2);

        put(t, "    // %c%u", set < 4 ? sets[set] : '?', first);
        if (count > 1)
            put(t, "-%u", first + count - 1);
        put(t, " ");
        put_string(t, &c, number_at(&c, at, 4));
        put(t, "\n");
        at += INFO_SIZE;
    }
}

/* --- Programs --------------------------------------------------------------------------------- */

/* The lines of a program: blocks are set in, slots counted. */
struct listing {
    struct text text;
    struct vm_version version;
    unsigned depth;
    uint32_t slots, texture_slots;
    uint8_t sampler_kind[VM_MAX_SAMPLERS];
};

static void begin(struct listing *l)
{
    char version[8];

    vm_version_text(version, &l->version);
    put(&l->text, "    %s\n", version);
}

static void end(struct listing *l)
{
    put(&l->text, "\n// approximately %u instruction slots used (%u texture, %u arithmetic)\n",
        l->slots, l->texture_slots, l->slots - l->texture_slots);
}

static void add_instr(struct listing *l, const struct vm_instr *instr)
{
    enum vm_op op = instr->op;
    unsigned slots = vm_instr_slots(instr, &l->version, l->sampler_kind);
    bool closes =
        op == VM_OP_ELSE || op == VM_OP_ENDIF || op == VM_OP_ENDLOOP || op == VM_OP_ENDREP;
    bool opens = op == VM_OP_ELSE || op == VM_OP_IF || op == VM_OP_IFC || op == VM_OP_LOOP ||
                 op == VM_OP_REP;

    if (closes && l->depth)
        l->depth--;
    /* Beyond any depth that a valid program has, indents stop growing. */
    put(&l->text, "%*s", 4 + 2 * (int)(l->depth < 32 ? l->depth : 32), "");
    if (instr->coissue && l->text.n)
        l->text.n--; /* the plus hangs to the left */
    put_instr(&l->text, instr, &l->version);
    put(&l->text, "\n");
    l->depth += opens;
    l->slots += slots;
    l->texture_slots += vm_op_is_texture(op) ? slots : 0;
}

static void add_dcl(struct listing *l, const struct vm_dcl *dcl)
{
    if (dcl->dst.file == VM_FILE_SAMPLER && dcl->dst.index < VM_MAX_SAMPLERS)
        l->sampler_kind[dcl->dst.index] = dcl->kind;
    put(&l->text, "    ");
    put_dcl(&l->text, dcl, &l->version);
    put(&l->text, "\n");
}

static void add_def(struct listing *l, const struct vm_definition *def)
{
    put(&l->text, "    ");
    put_def(&l->text, def);
    put(&l->text, "\n");
}

enum status vm_disassemble(char **out, const uint32_t *tokens, size_t n, struct vm_error *error)
{
    struct listing l = {.depth = 0};
    struct vm_reader reader;
    struct vm_item item;
    enum status st;

    *out = NULL;
    if ((st = vm_reader_open(&reader, tokens, n, error)) != ST_OK)
        return st;
    l.version = reader.version;
    begin(&l);
    do {
        if ((st = vm_reader_next(&reader, &item, error)) != ST_OK)
            break;
        if (item.kind == VM_ITEM_DCL)
            add_dcl(&l, &item.dcl);
        else if (item.kind == VM_ITEM_DEF)
            add_def(&l, &item.def);
        else if (item.kind == VM_ITEM_INSTR)
            add_instr(&l, &item.instr);
        else if (item.kind == VM_ITEM_COMMENT)
            put_constant_table(&l.text, tokens + item.token + 1, item.n_words - 1);
    } while (item.kind != VM_ITEM_END);
    end(&l);
    return take_text(&l.text, st, out);
}

static void add_io(struct listing *l, const struct vm_io *io, bool input)
{
    struct vm_dcl dcl = {.usage = io->usage, .usage_index = io->index};
    bool misc = io->usage == VM_USAGE_VPOS || io->usage == VM_USAGE_VFACE;

    if (io->usage == VM_USAGE_TARGET || (!input && l->version.pixel))
        return; /* oC# and oDepth need no declaration */
    if (misc)
        dcl.usage = 0;
    dcl.dst = (struct vm_dst){.file = misc    ? VM_FILE_MISC
                                      : input ? VM_FILE_INPUT
                                              : VM_FILE_OUTPUT,
                              .index = io->reg,
                              .mask = io->mask,
                              .rel_file = VM_FILE_NONE};
    add_dcl(l, &dcl);
}

static void add_sampler(struct listing *l, unsigned number, unsigned kind)
{
    struct vm_dcl dcl = {.kind = kind};

    dcl.dst = (struct vm_dst){
        .file = VM_FILE_SAMPLER, .index = number, .mask = VM_MASK_ALL, .rel_file = VM_FILE_NONE};
    add_dcl(l, &dcl);
}

enum status vm_program_text(char **out, const struct vm_program *program)
{
    const struct vm_info *info = &program->info;
    struct listing l = {.depth = 0};

    if (!program->built)
        return vm_disassemble(out, program->tokens, program->n_tokens, NULL);
    *out = NULL;
    l.version = (struct vm_version){info->stage == VM_PIXEL, 3, 255, VM_RANK_3_SW};
    begin(&l);
    for (unsigned i = 0; i < info->n_inputs; i++)
        add_io(&l, &info->input[i], true);
    for (unsigned i = 0; i < info->n_outputs; i++)
        add_io(&l, &info->output[i], false);
    for (unsigned i = 0; i < VM_MAX_SAMPLERS; i++) {
        if (info->samplers >> i & 1)
            add_sampler(&l, i, info->sampler_kind[i]);
    }
    for (uint32_t i = 0; i < program->n_def; i++)
        add_def(&l, &program->def[i]);
    for (uint32_t i = 0; i < program->n_instr; i++)
        add_instr(&l, &program->instr[i]);
    end(&l);
    return take_text(&l.text, ST_OK, out);
}
