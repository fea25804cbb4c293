/* Disassembler: lists byte code unchanged, and built programs as if they were model 3_sw. */
#include "util/alloc.h"
#include "vm/asm/asm.h"
#include "vm/asm/constant_table.h"
#include "vm/isa/text.h"
#include "vm/program/program.h"

/* --- Programs --------------------------------------------------------------------------------- */

static MUST_CHECK enum status take_text(struct vm_text *t, enum status st, char **out)
{
    if (st == ST_OK)
        st = t->status;
    if (st == ST_OK)
        *out = t->data;
    else
        mem_free(t->data);
    return st;
}

/* State of a listing: indentation of blocks, slot counts. */
struct listing {
    struct vm_text text;
    struct vm_version version;
    unsigned depth;
    uint32_t slots, texture_slots;
    uint8_t sampler_kind[VM_MAX_SAMPLERS];
    const struct vm_lines *lines; /* of the source; may be NULL */
    struct vm_line line;          /* printed last */
};

static void begin(struct listing *l)
{
    char version[8];

    vm_version_text(version, &l->version);
    vm_text_put(&l->text, "    %s\n", version);
}

static void end(struct listing *l)
{
    vm_text_put(&l->text,
                "\n// approximately %u instruction slots used (%u texture, %u arithmetic)\n",
                l->slots, l->texture_slots, l->slots - l->texture_slots);
}

static void add_slots(struct listing *l, const struct vm_instr *instr)
{
    unsigned slots = vm_instr_slots(instr, &l->version, l->sampler_kind);

    l->slots += slots;
    l->texture_slots += vm_op_is_texture(instr->op) ? slots : 0;
}

static void add_item(struct listing *l, const struct vm_item *item)
{
    enum vm_op op = item->kind == VM_ITEM_INSTR ? item->instr.op : VM_OP_NOP;
    bool closes =
        op == VM_OP_ELSE || op == VM_OP_ENDIF || op == VM_OP_ENDLOOP || op == VM_OP_ENDREP;
    bool opens = op == VM_OP_ELSE || op == VM_OP_IF || op == VM_OP_IFC || op == VM_OP_LOOP ||
                 op == VM_OP_REP;

    if (closes && l->depth)
        l->depth--;
    /* Beyond the depth of any valid program, the indentation stops growing. */
    vm_text_put(&l->text, "%*s", 4 + 2 * (int)(l->depth < 32 ? l->depth : 32), "");
    if (item->kind == VM_ITEM_INSTR && item->instr.coissue && l->text.n)
        l->text.n--; /* the plus replaces one blank of the indentation */
    vm_text_item(&l->text, item, &l->version);
    vm_text_put(&l->text, "\n");
    l->depth += opens;
    if (item->kind == VM_ITEM_INSTR)
        add_slots(l, &item->instr);
    else if (item->kind == VM_ITEM_DCL && item->dcl.dst.file == VM_FILE_SAMPLER &&
             item->dcl.dst.index < VM_MAX_SAMPLERS)
        l->sampler_kind[item->dcl.dst.index] = item->dcl.kind;
}

/* Writes comment words, which have no syntax, as a pragma. They survive re-assembly, and other
 * assemblers ignore them. */
static void add_comment(struct listing *l, const uint32_t *words, size_t n)
{
    enum { WORDS_A_LINE = 8 };

    vm_text_put(&l->text, "#pragma comment %u", (unsigned)n);
    for (size_t i = 0; i < n; i++)
        vm_text_put(&l->text, "%s0x%08x", i % WORDS_A_LINE ? " " : " \\\n    ", words[i]);
    vm_text_put(&l->text, "\n");
}

/* Names the line of the source if it is another than that of the item before. */
static void add_line(struct listing *l, size_t word)
{
    struct vm_line line;

    if (!l->lines || !vm_lines_find(l->lines, word, &line) ||
        (line.line == l->line.line && line.file == l->line.file))
        return;
    l->line = line;
    vm_text_put(&l->text, "    // %s:%u\n", line.file ? line.file : "line", line.line);
}

static MUST_CHECK enum status disassemble(char **out, const uint32_t *tokens, size_t n, bool exact,
                                          const struct vm_lines *lines, struct vm_error *error)
{
    struct listing l = {.lines = lines};
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
        if (item.kind == VM_ITEM_COMMENT) {
            vm_constant_table_text(&l.text, tokens + item.token + 1, item.n_words - 1);
            if (exact)
                add_comment(&l, tokens + item.token + 1, item.n_words - 1);
        } else if (item.kind != VM_ITEM_END) {
            add_line(&l, item.token);
            add_item(&l, &item);
        }
    } while (item.kind != VM_ITEM_END);
    end(&l);
    return take_text(&l.text, st, out);
}

enum status vm_disassemble(char **out, const uint32_t *tokens, size_t n, struct vm_error *error)
{
    return disassemble(out, tokens, n, false, NULL, error);
}

enum status vm_disassemble_exact(char **out, const uint32_t *tokens, size_t n,
                                 struct vm_error *error)
{
    return disassemble(out, tokens, n, true, NULL, error);
}

enum status vm_disassemble_lines(char **out, const uint32_t *tokens, size_t n,
                                 const struct vm_lines *lines, struct vm_error *error)
{
    return disassemble(out, tokens, n, false, lines, error);
}

static void add_io(struct listing *l, const struct vm_io *io, bool input)
{
    struct vm_item item = {.kind = VM_ITEM_DCL};
    struct vm_dcl *dcl = &item.dcl;
    bool misc = io->usage == VM_USAGE_VPOS || io->usage == VM_USAGE_VFACE;

    if (io->usage == VM_USAGE_TARGET || (!input && l->version.pixel))
        return; /* oC# and oDepth need no declaration */
    *dcl = (struct vm_dcl){.usage = misc ? 0 : io->usage, .usage_index = io->index};
    dcl->dst = (struct vm_dst){.file = misc    ? VM_FILE_MISC
                                       : input ? VM_FILE_INPUT
                                               : VM_FILE_OUTPUT,
                               .index = io->reg,
                               .mask = io->mask,
                               .rel_file = VM_FILE_NONE};
    add_item(l, &item);
}

static void add_sampler(struct listing *l, unsigned number, unsigned kind)
{
    struct vm_item item = {.kind = VM_ITEM_DCL};

    item.dcl = (struct vm_dcl){.kind = kind};
    item.dcl.dst = (struct vm_dst){
        .file = VM_FILE_SAMPLER, .index = number, .mask = VM_MASK_ALL, .rel_file = VM_FILE_NONE};
    add_item(l, &item);
}

enum status vm_program_text(char **out, const struct vm_program *program)
{
    const struct vm_info *info = &program->info;
    struct listing l = {.depth = 0};

    if (!program->built)
        return vm_disassemble(out, program->tokens, program->n_tokens, NULL);
    *out = NULL;
    l.version = vm_program_version(program);
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
        add_item(&l, &(struct vm_item){.kind = VM_ITEM_DEF, .def = program->def[i]});
    for (uint32_t i = 0; i < program->n_instr; i++)
        add_item(&l, &(struct vm_item){.kind = VM_ITEM_INSTR, .instr = program->instr[i]});
    end(&l);
    return take_text(&l.text, ST_OK, out);
}

enum status vm_instr_text(char **out, const struct vm_program *program, uint32_t instr)
{
    struct vm_version version = vm_program_version(program);
    struct vm_item item = {.kind = VM_ITEM_INSTR};
    struct vm_text t = {.data = NULL};

    *out = NULL;
    if (instr >= program->n_instr)
        return ST_INVALID;
    item.instr = program->instr[instr];
    vm_text_item(&t, &item, &version);
    return take_text(&t, ST_OK, out);
}
