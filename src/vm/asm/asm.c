/* Shader assembler: parses assembly text of every shader model and emits byte code.
 *
 * Like the assemblers of the time it refuses text that has no encoding or belongs to another
 * version. The validator checks whether the program is valid. */
#include "vm/asm/asm.h"

#include "util/plural.h"
#include "vm/asm/parser.h"
#include "vm/isa/array.h"
#include "vm/isa/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_WORDS = 1 << 22 };

/* A mnemonic, split at its underscores. */
struct mnemonic {
    char base[24];
    struct vm_dst modifiers; /* saturate, partial, centroid, shift */
    unsigned compare;
    bool has_usage, has_kind; /* dcl */
    unsigned usage, usage_index, kind;
};

static MUST_CHECK enum status reserve(struct asm_parser *p)
{
    while (p->n_words + VM_ITEM_WORDS > p->max_words) {
        enum status st;

        if (p->max_words > MAX_WORDS)
            return asm_error(&p->lexer, "the program is too long");
        st = vm_grow((void **)&p->words, p->max_words, &p->max_words, sizeof(*p->words));
        if (st != ST_OK)
            return st;
    }
    return ST_OK;
}

static MUST_CHECK enum status emit(struct asm_parser *p, const struct vm_item *item)
{
    enum status st = reserve(p);

    if (st == ST_OK)
        p->n_words += vm_encode(p->words + p->n_words, item, &p->version);
    return st;
}

static MUST_CHECK enum status emit_word(struct asm_parser *p, uint32_t word)
{
    enum status st = reserve(p);

    if (st == ST_OK)
        p->words[p->n_words++] = word;
    return st;
}

/* --- Mnemonics -------------------------------------------------------------------------------- */

static int find_name(const char *const *names, unsigned n, const char *text, size_t length)
{
    for (unsigned i = 0; i < n; i++) {
        if (names[i] && strlen(names[i]) == length && !strncasecmp(names[i], text, length))
            return (int)i;
    }
    return -1;
}
#define FIND_NAME(names, text, length)                                                             \
    find_name(names, sizeof(names) / sizeof((names)[0]), text, length)

/* Parses a usage with its index, such as texcoord3. */
static bool parse_usage(struct mnemonic *m, const char *part, size_t length)
{
    size_t letters = strcspn(part, "0123456789");
    int usage = FIND_NAME(vm_usage_names, part, letters < length ? letters : length);

    if (usage < 0 || m->has_usage)
        return false;
    m->has_usage = true;
    m->usage = (unsigned)usage;
    m->usage_index = letters < length ? (unsigned)atoi(part + letters) : 0;
    return m->usage_index < 16 &&
           (letters >= length || letters + strspn(part + letters, "0123456789") == length);
}

static bool parse_dcl_part(struct mnemonic *m, const char *part, size_t length)
{
    int kind = FIND_NAME(vm_kind_names, part, length);

    if (kind < 0)
        return parse_usage(m, part, length);
    m->kind = (unsigned)kind;
    m->has_kind = true;
    return true;
}

static bool parse_part(struct mnemonic *m, const char *part, size_t length)
{
    int shift = FIND_NAME(vm_shift_names, part, length);
    int compare = FIND_NAME(vm_compare_names, part, length);
    bool fresh = true;

    if (length == 3 && !strncasecmp(part, "sat", 3)) {
        m->modifiers.saturate = true;
    } else if (length == 2 && !strncasecmp(part, "pp", 2)) {
        m->modifiers.partial = true;
    } else if (length == 8 && !strncasecmp(part, "centroid", 8)) {
        m->modifiers.centroid = true;
    } else if (shift >= 0) {
        fresh = m->modifiers.shift == 0;
        m->modifiers.shift = (int8_t)(shift - 3);
    } else if (compare >= 0) {
        fresh = m->compare == 0;
        m->compare = (unsigned)compare;
    } else {
        return !strcasecmp(m->base, "dcl") && parse_dcl_part(m, part, length);
    }
    return fresh;
}

static MUST_CHECK enum status parse_mnemonic(struct asm_parser *p, struct mnemonic *m)
{
    const char *text = p->lexer.token.text;
    size_t length = strcspn(text, "_");

    memset(m, 0, sizeof(*m));
    if (p->lexer.token.kind != ASM_WORD || length >= sizeof(m->base))
        return asm_error(&p->lexer, "an instruction is expected, not '%s'", text);
    memcpy(m->base, text, length);
    while (text[length]) {
        const char *part = text + length + 1;
        size_t part_length = strcspn(part, "_");

        if (!parse_part(m, part, part_length))
            return asm_error(&p->lexer, "'%s' is not known", text);
        length += 1 + part_length;
    }
    return ST_OK;
}

/* --- Declarations and definitions ------------------------------------------------------------- */

static MUST_CHECK enum status parse_dcl(struct asm_parser *p, const struct mnemonic *m)
{
    struct vm_item item = {.kind = VM_ITEM_DCL};
    struct vm_dcl *dcl = &item.dcl;
    enum status st;

    if (!vm_op_exists(VM_OP_DCL, &p->version))
        return asm_error(&p->lexer, "this version has no declarations");
    if (!p->version.pixel && (m->modifiers.partial || m->modifiers.centroid))
        return asm_error(&p->lexer, "a vertex shader's declaration has a modifier");
    if (m->modifiers.saturate || m->modifiers.shift || m->compare)
        return asm_error(&p->lexer, "a declaration has a modifier that it cannot have");
    *dcl = (struct vm_dcl){.usage = m->usage, .usage_index = m->usage_index, .kind = m->kind};
    if ((st = asm_next(&p->lexer)) != ST_OK || (st = asm_dst(p, &dcl->dst)) != ST_OK)
        return st;
    if (m->has_kind && dcl->dst.file != VM_FILE_SAMPLER)
        return asm_error(&p->lexer, "only samplers have a texture type");
    if (m->has_usage && dcl->dst.file == VM_FILE_SAMPLER)
        return asm_error(&p->lexer, "a sampler has no usage");
    if (dcl->dst.rel_file != VM_FILE_NONE)
        return asm_error(&p->lexer, "an indexed register is declared");
    dcl->dst.partial = m->modifiers.partial;
    dcl->dst.centroid = m->modifiers.centroid;
    return emit(p, &item);
}

static MUST_CHECK enum status parse_bool(struct asm_parser *p, int32_t *value)
{
    const char *text = p->lexer.token.text;

    if (p->lexer.token.kind == ASM_NUMBER || asm_is(&p->lexer, '-'))
        return asm_int(p, value); /* any number but 0 is true */
    if (p->lexer.token.kind != ASM_WORD || (strcasecmp(text, "true") && strcasecmp(text, "false")))
        return asm_error(&p->lexer, "true or false is expected, not '%s'", text);
    *value = !strcasecmp(text, "true");
    return asm_next(&p->lexer);
}

static MUST_CHECK enum status parse_def(struct asm_parser *p, enum vm_op op)
{
    unsigned file = op == VM_OP_DEF    ? VM_FILE_CONST
                    : op == VM_OP_DEFI ? VM_FILE_CONSTINT
                                       : VM_FILE_CONSTBOOL;
    struct vm_item item = {.kind = VM_ITEM_DEF};
    struct vm_dst dst;
    enum status st;

    /* Integers and booleans have no use in ps_2_0, but assemblers accept their definitions. */
    if (!vm_op_exists(op, &p->version) && p->version.rank < VM_RANK_2_0)
        return asm_error(&p->lexer, "this version has no %s", vm_op_info[op].text);
    if ((st = asm_next(&p->lexer)) != ST_OK || (st = asm_dst(p, &dst)) != ST_OK)
        return st;
    if (dst.file != file || dst.mask != VM_MASK_ALL || dst.rel_file != VM_FILE_NONE)
        return asm_error(&p->lexer, "%s defines another kind of register", vm_op_info[op].text);
    item.def.file = dst.file;
    item.def.index = dst.index;
    for (unsigned i = 0; i < (op == VM_OP_DEFB ? 1 : 4); i++) {
        if ((st = asm_expect(&p->lexer, ',')) != ST_OK)
            return st;
        st = op == VM_OP_DEF    ? asm_float(p, &item.def.value.f[i])
             : op == VM_OP_DEFI ? asm_int(p, &item.def.value.i[i])
                                : parse_bool(p, &item.def.value.i[i]);
        if (st != ST_OK)
            return st;
    }
    return emit(p, &item);
}

/* --- Instructions ----------------------------------------------------------------------------- */

/* if, break and their comparing forms share a name; the variants of texld share an opcode. */
static int find_op(const struct asm_parser *p, const struct mnemonic *m, unsigned *control)
{
    *control = m->compare;
    if (!strcasecmp(m->base, "if"))
        return m->compare ? VM_OP_IFC : VM_OP_IF;
    if (!strcasecmp(m->base, "break"))
        return m->compare ? VM_OP_BREAKC : VM_OP_BREAK;
    for (unsigned op = 0; op < VM_OP_COUNT; op++) {
        unsigned variants = op == VM_OP_TEX && p->version.rank >= VM_RANK_2_0 ? 3 : 1;

        for (unsigned variant = 0; variant < variants; variant++) {
            if (strcasecmp(m->base, vm_op_text(op, variant, &p->version)))
                continue;
            if (op == VM_OP_TEX)
                *control = variant;
            return (int)op;
        }
    }
    return -1;
}

static MUST_CHECK enum status check_op(struct asm_parser *p, const struct mnemonic *m, int op)
{
    struct asm_lexer *lexer = &p->lexer;
    bool ps1 = p->version.pixel && p->version.rank < VM_RANK_2_0;
    bool compares = op == VM_OP_IFC || op == VM_OP_BREAKC || op == VM_OP_SETP;
    char version[8];

    vm_version_text(version, &p->version);
    if (op < 0 || vm_op_info[op].op_class == VM_CLASS_DECL)
        return asm_error(lexer, "'%s' is not known in %s", lexer->token.text, version);
    if (!vm_op_exists((enum vm_op)op, &p->version))
        return asm_error(lexer, "%s has no %s", version, lexer->token.text);
    if (compares != (m->compare != 0))
        return asm_error(lexer, "'%s' %s", lexer->token.text,
                         compares ? "lacks its comparison" : "does not compare");
    if (m->modifiers.shift && !ps1)
        return asm_error(lexer, "result shifts exist in ps_1_x only");
    if ((m->modifiers.partial || m->modifiers.centroid) && (!p->version.pixel || ps1))
        return asm_error(lexer, "_pp and _centroid exist from ps_2_0 on only");
    if (!vm_op_info[op].n_dst && (m->modifiers.saturate || m->modifiers.shift ||
                                  m->modifiers.partial || m->modifiers.centroid))
        return asm_error(lexer, "'%s' has no result to modify", lexer->token.text);
    return ST_OK;
}

static MUST_CHECK enum status parse_operands(struct asm_parser *p, const struct mnemonic *m,
                                             struct vm_instr *instr)
{
    struct asm_location location = p->lexer.token.location;
    unsigned allowed = vm_op_sources(instr->op, &p->version);
    bool first = !vm_op_info[instr->op].n_dst;
    enum status st;

    if (!first) {
        if ((st = asm_dst(p, &instr->dst)) != ST_OK)
            return st;
        instr->dst.saturate = m->modifiers.saturate;
        instr->dst.partial = m->modifiers.partial;
        instr->dst.centroid = m->modifiers.centroid;
        instr->dst.shift = m->modifiers.shift;
    }
    /* Operands end where no comma follows. Instructions that may have no operands may stop before
     * the first. */
    while (first ? !(allowed & 1) : asm_is(&p->lexer, ',')) {
        if (!first && (st = asm_next(&p->lexer)) != ST_OK)
            return st;
        if (instr->n_src == VM_MAX_SRC)
            return asm_error(&p->lexer, "%s has too many operands", vm_op_info[instr->op].text);
        if ((st = asm_src(p, &instr->src[instr->n_src])) != ST_OK)
            return st;
        instr->n_src++;
        first = false;
    }
    if (!(allowed >> instr->n_src & 1))
        return asm_error_at(&p->lexer, location, "%s with " PLURAL_FORMAT,
                            vm_op_info[instr->op].text, PLURAL(instr->n_src, "source", "sources"));
    return ST_OK;
}

static MUST_CHECK enum status parse_instr(struct asm_parser *p, const struct mnemonic *m,
                                          struct vm_item *item)
{
    struct vm_instr *instr = &item->instr;
    unsigned control;
    int op = find_op(p, m, &control);
    enum status st;

    if ((st = check_op(p, m, op)) != ST_OK)
        return st;
    if (instr->predicated && !vm_op_info[op].n_dst)
        return asm_error(&p->lexer, "%s cannot be predicated", p->lexer.token.text);
    instr->op = (uint8_t)op;
    instr->control = (uint8_t)control;
    if ((st = asm_next(&p->lexer)) != ST_OK || (st = parse_operands(p, m, instr)) != ST_OK)
        return st;
    return emit(p, item);
}

/* Parses the predicate before an instruction: (p0), (!p0.x). */
static MUST_CHECK enum status parse_predicate(struct asm_parser *p, struct vm_instr *instr)
{
    enum status st;

    if (p->version.rank < VM_RANK_2_X)
        return asm_error(&p->lexer, "this version has no predicates");
    if ((st = asm_next(&p->lexer)) != ST_OK || (st = asm_src(p, &instr->predicate)) != ST_OK)
        return st;
    if (instr->predicate.file != VM_FILE_PREDICATE || instr->predicate.modifier == VM_MOD_NEG)
        return asm_error(&p->lexer, "a predicate is p0 or !p0");
    instr->predicated = true;
    return asm_expect(&p->lexer, ')');
}

/* Parses comment words: `#pragma comment 2 0x1 0x2`. */
static MUST_CHECK enum status parse_comment(struct asm_parser *p)
{
    enum { MAX_LENGTH = 0x7fff };
    int32_t length = 0, word;
    enum status st = asm_next(&p->lexer);

    if (st == ST_OK)
        st = asm_int(p, &length);
    if (st == ST_OK && (length < 0 || length > MAX_LENGTH))
        return asm_error(&p->lexer, "a comment has at most %d words", MAX_LENGTH);
    if (st == ST_OK)
        st = emit_word(p, VM_TOKEN_COMMENT | (uint32_t)length << 16);
    while (st == ST_OK && length-- > 0) {
        st = asm_int(p, &word);
        if (st == ST_OK)
            st = emit_word(p, (uint32_t)word);
    }
    return st;
}

static MUST_CHECK enum status parse_statement(struct asm_parser *p)
{
    struct vm_item item = {.kind = VM_ITEM_INSTR};
    struct mnemonic m;
    enum status st = ST_OK;

    if (p->lexer.token.kind == ASM_PRAGMA)
        return parse_comment(p);
    item.instr.dst.file = item.instr.dst.rel_file = VM_FILE_NONE;
    if (asm_is(&p->lexer, '+')) {
        if (!p->version.pixel || p->version.rank >= VM_RANK_2_0)
            return asm_error(&p->lexer, "instructions are paired in ps_1_x only");
        item.instr.coissue = true;
        st = asm_next(&p->lexer);
    }
    if (st == ST_OK && asm_is(&p->lexer, '('))
        st = parse_predicate(p, &item.instr);
    if (st == ST_OK)
        st = parse_mnemonic(p, &m);
    if (st != ST_OK)
        return st;
    if (!item.instr.coissue && !item.instr.predicated) {
        if (!strcasecmp(m.base, "dcl"))
            return parse_dcl(p, &m);
        for (enum vm_op op = VM_OP_NOP; op < VM_OP_COUNT; op++) {
            bool defines = op == VM_OP_DEF || op == VM_OP_DEFI || op == VM_OP_DEFB;

            if (defines && !strcasecmp(m.base, vm_op_info[op].text))
                return parse_def(p, op);
        }
    }
    return parse_instr(p, &m, &item);
}

/* --- Programs --------------------------------------------------------------------------------- */

/* Parses vs_1_1, or vs.1.1 as in Direct3D 8, which the scanner splits into several tokens. */
static MUST_CHECK enum status parse_version(struct asm_parser *p, bool *refused)
{
    struct asm_location location = {NULL, 1, 1};
    char text[24] = "", known[8];
    struct vm_version *v = &p->version;
    enum status st = asm_next(&p->lexer);

    while (st == ST_OK && p->lexer.token.kind != ASM_END &&
           (!*text || (p->lexer.token.adjacent && !p->lexer.token.starts_line))) {
        size_t n = strlen(text);

        location = n ? location : p->lexer.token.location;
        snprintf(text + n, sizeof(text) - n, "%.8s", p->lexer.token.text);
        st = asm_next(&p->lexer);
    }
    if (st == ST_INVALID && *text && asm_reports(&p->lexer)) { /* in the line that follows */
        *refused = true;
        st = asm_recover(&p->lexer, NULL);
    }
    if (st != ST_OK)
        return st;
    for (char *at = text; *at; at++)
        *at = *at == '.' ? '_' : *at;
    for (unsigned i = 0; i < 2 * 3 * 6; i++) {
        static const uint8_t minors[] = {0, 1, 2, 3, 4, 255};

        v->pixel = i & 1;
        v->major = 1 + (i >> 1) / 6 % 3;
        v->minor = minors[(i >> 1) % 6];
        v->rank = vm_version_rank(v->pixel, v->major, v->minor);
        vm_version_text(known, v);
        if (v->rank && !strcasecmp(known, text))
            return ST_OK;
    }
    return asm_error_at(&p->lexer, location, "'%s' is not a shader version", text);
}

static void tell_place(const struct asm_parser *p, size_t word, const struct asm_token *token)
{
    const struct vm_asm_source *source = p->lexer.source;
    struct vm_asm_place place = {word, token->location.file, token->location.line,
                                 token->location.column};

    if (source && source->place && token->kind != ASM_PRAGMA)
        source->place(source->ctx, &place);
}

/* After an error: *refused, and the statement is left out. */
static MUST_CHECK enum status parse_statements(struct asm_parser *p, bool *refused)
{
    enum status st = ST_OK;

    while (st == ST_OK && p->lexer.token.kind != ASM_END) {
        struct asm_token first = p->lexer.token;
        size_t word = p->n_words;

        st = parse_statement(p);
        if (st == ST_OK) {
            tell_place(p, word, &first);
        } else if (st == ST_INVALID && asm_reports(&p->lexer)) {
            *refused = true;
            p->n_words = word;
            st = asm_recover(&p->lexer, &first);
        }
    }
    return st;
}

static MUST_CHECK enum status parse_program(struct asm_parser *p)
{
    static const struct vm_item end = {.kind = VM_ITEM_END};
    bool refused = false;
    enum status st = parse_version(p, &refused);

    if (st == ST_OK)
        st = emit(p, &end);
    if (st == ST_INVALID && asm_reports(&p->lexer))
        asm_report(&p->lexer);
    if (st != ST_OK)
        return st;
    p->words[0] = vm_version_encode(&p->version); /* overwrites the end token just emitted */
    st = parse_statements(p, &refused);
    if (st == ST_OK)
        st = emit(p, &end);
    return st == ST_OK && refused ? ST_INVALID : st;
}

enum status vm_assemble_source(uint32_t **out, size_t *n_words, const char *text,
                               const struct vm_asm_source *source, struct vm_error *error)
{
    struct asm_parser p = {.words = NULL};
    enum status st;

    *out = NULL;
    *n_words = 0;
    st = asm_lexer_init(&p.lexer, text, source, error);
    if (st == ST_OK)
        st = parse_program(&p);
    else if (st == ST_INVALID && asm_reports(&p.lexer))
        asm_report(&p.lexer);
    if (st == ST_INVALID && p.lexer.reported && error)
        *error = p.lexer.first;
    asm_lexer_fini(&p.lexer);
    if (st != ST_OK) {
        if (error)
            error->token = p.n_words;
        mem_free(p.words);
        return st;
    }
    *out = p.words;
    *n_words = p.n_words;
    return ST_OK;
}

enum status vm_assemble(uint32_t **out, size_t *n_words, const char *text, struct vm_error *error)
{
    return vm_assemble_source(out, n_words, text, NULL, error);
}
