/* Byte code decoder and encoder: version, comments, declarations, instructions, end token. */
#include "vm/isa/decode.h"

#include "util/plural.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    INSTR_OPCODE = 0xffff,
    INSTR_LENGTH_SHIFT = 24,
    INSTR_PREDICATED = 1 << 28,
    INSTR_COISSUE = 1 << 30,
    DCL_KIND_SHIFT = 27,
};
/* Reserved bits of usage words: all but 31, 30:27, 19:16 and 3:0. */
static const uint32_t dcl_reserved = ~(VM_TOKEN_PARAM | 15u << 27 | 15u << 16 | 15u);

enum status vm_set_error(struct vm_error *error, size_t token, const char *format, ...)
{
    va_list args;

    if (error) {
        error->token = token;
        va_start(args, format);
        vsnprintf(error->text, sizeof(error->text), format, args);
        va_end(args);
    }
    return ST_INVALID;
}

/* --- Versions --------------------------------------------------------------------------------- */

bool vm_version_decode(struct vm_version *version, uint32_t word)
{
    if (word >> 16 != 0xfffe && word >> 16 != 0xffff)
        return false;
    version->pixel = word >> 16 == 0xffff;
    version->major = word >> 8 & 255;
    version->minor = word & 255;
    version->rank = vm_version_rank(version->pixel, version->major, version->minor);
    return version->rank != 0;
}

uint32_t vm_version_encode(const struct vm_version *version)
{
    return (version->pixel ? 0xffff0000u : 0xfffe0000u) | (uint32_t)version->major << 8 |
           version->minor;
}

void vm_version_text(char text[8], const struct vm_version *version)
{
    const char *stage = version->pixel ? "ps" : "vs";

    if (version->minor == 255)
        snprintf(text, 8, "%s_%u_sw", stage, version->major % 10u);
    else if (version->rank == VM_RANK_2_X)
        snprintf(text, 8, "%s_2_x", stage);
    else
        snprintf(text, 8, "%s_%u_%u", stage, version->major % 10u, version->minor % 10u);
}

/* --- The reader ------------------------------------------------------------------------------- */

static MUST_CHECK enum status take(struct vm_reader *r, size_t end, uint32_t *word,
                                   struct vm_error *error)
{
    *word = 0;
    if (r->at >= r->n)
        return vm_set_error(error, r->n, "the byte code stops before the end token");
    if (r->at >= end)
        return vm_set_error(error, r->at, "an instruction is longer than its length field says");
    *word = r->words[r->at++];
    return ST_OK;
}

static MUST_CHECK enum status read_relative(struct vm_reader *r, size_t end, uint8_t *file,
                                            uint8_t *component, struct vm_error *error)
{
    const char *reason;
    uint32_t word;
    enum status st;

    if (*file == VM_FILE_NONE || r->version.rank < VM_RANK_2_0)
        return ST_OK;
    if ((st = take(r, end, &word, error)) != ST_OK)
        return st;
    reason = vm_relative_decode(file, component, word, &r->version);
    return reason ? vm_set_error(error, r->at - 1, "%s", reason) : ST_OK;
}

static MUST_CHECK enum status read_dst(struct vm_reader *r, size_t end, struct vm_dst *dst,
                                       struct vm_error *error)
{
    const char *reason;
    uint32_t word;
    enum status st;

    if ((st = take(r, end, &word, error)) != ST_OK)
        return st;
    reason = vm_dst_decode(dst, word, &r->version);
    if (reason)
        return vm_set_error(error, r->at - 1, "%s", reason);
    return read_relative(r, end, &dst->rel_file, &dst->rel_component, error);
}

static MUST_CHECK enum status read_src(struct vm_reader *r, size_t end, struct vm_src *src,
                                       struct vm_error *error)
{
    const char *reason;
    uint32_t word;
    enum status st;

    if ((st = take(r, end, &word, error)) != ST_OK)
        return st;
    reason = vm_src_decode(src, word, &r->version);
    if (reason)
        return vm_set_error(error, r->at - 1, "%s", reason);
    return read_relative(r, end, &src->rel_file, &src->rel_component, error);
}

static MUST_CHECK enum status read_dcl(struct vm_reader *r, size_t end, struct vm_dcl *dcl,
                                       struct vm_error *error)
{
    uint32_t word;
    enum status st;

    *dcl = (struct vm_dcl){.token = r->at - 1};
    if ((st = take(r, end, &word, error)) != ST_OK)
        return st;
    if (!(word & VM_TOKEN_PARAM) || word & dcl_reserved)
        return vm_set_error(error, r->at - 1, "reserved bits of a declaration are set");
    dcl->usage = word & 15;
    dcl->usage_index = word >> 16 & 15;
    dcl->kind = word >> DCL_KIND_SHIFT & 15;
    if ((st = read_dst(r, end, &dcl->dst, error)) != ST_OK)
        return st;
    /* Samplers have a texture type, other registers a semantic. */
    if (dcl->dst.file == VM_FILE_SAMPLER ? dcl->usage || dcl->usage_index : dcl->kind != 0)
        return vm_set_error(error, dcl->token + 1, "reserved bits of a declaration are set");
    return ST_OK;
}

static MUST_CHECK enum status read_def(struct vm_reader *r, size_t end, enum vm_op op,
                                       struct vm_definition *def, struct vm_error *error)
{
    static const struct vm_dst plain = {.mask = VM_MASK_ALL, .rel_file = VM_FILE_NONE};
    unsigned n = op == VM_OP_DEFB ? 1 : 4;
    unsigned file = op == VM_OP_DEF    ? VM_FILE_CONST
                    : op == VM_OP_DEFI ? VM_FILE_CONSTINT
                                       : VM_FILE_CONSTBOOL;
    struct vm_dst dst, rest;
    enum status st;

    memset(def, 0, sizeof(*def));
    if ((st = read_dst(r, end, &dst, error)) != ST_OK)
        return st;
    rest = dst;
    rest.file = plain.file;
    rest.index = plain.index;
    if (dst.file != file || rest.mask != plain.mask || rest.saturate || rest.partial ||
        rest.centroid || rest.shift || rest.rel_file != plain.rel_file)
        return vm_set_error(error, r->at - 1,
                            "%s of something that is not a plain constant register",
                            vm_op_info[op].text);
    def->file = dst.file;
    def->index = dst.index;
    for (unsigned i = 0; i < n; i++) {
        uint32_t word;

        if ((st = take(r, end, &word, error)) != ST_OK)
            return st;
        memcpy(&def->value.i[i], &word, sizeof(word));
    }
    return ST_OK;
}

static MUST_CHECK enum status read_predicate(struct vm_reader *r, size_t end,
                                             struct vm_instr *instr, struct vm_error *error)
{
    enum status st = read_src(r, end, &instr->predicate, error);

    if (st != ST_OK)
        return st;
    if (instr->predicate.file != VM_FILE_PREDICATE || instr->predicate.index != 0 ||
        instr->predicate.rel_file != VM_FILE_NONE ||
        (instr->predicate.modifier != VM_MOD_NONE && instr->predicate.modifier != VM_MOD_NOT))
        return vm_set_error(error, r->at - 1, "a predicate is not p0 or !p0");
    return ST_OK;
}

/* The number of sources follows from the length field from 2_0 on, otherwise from the version. */
static MUST_CHECK enum status read_sources(struct vm_reader *r, size_t end, struct vm_instr *instr,
                                           struct vm_error *error)
{
    unsigned allowed = vm_op_sources(instr->op, &r->version);
    enum status st;

    for (;;) {
        bool more = r->version.rank >= VM_RANK_2_0 ? r->at < end : !(allowed >> instr->n_src & 1);

        if (!more)
            break;
        if (instr->n_src == VM_MAX_SRC)
            return vm_set_error(error, r->at, "%s has too many operands",
                                vm_op_info[instr->op].text);
        if ((st = read_src(r, end, &instr->src[instr->n_src], error)) != ST_OK)
            return st;
        instr->n_src++;
    }
    if (!(allowed >> instr->n_src & 1))
        return vm_set_error(error, instr->token, "%s with " PLURAL_FORMAT,
                            vm_op_info[instr->op].text, PLURAL(instr->n_src, "source", "sources"));
    return ST_OK;
}

static bool control_is_valid(enum vm_op op, unsigned control, unsigned rank)
{
    switch (op) {
    case VM_OP_TEX:
        return control <= (rank >= VM_RANK_2_0 ? VM_TEX_BIAS : VM_TEX_PLAIN);
    case VM_OP_IFC:
    case VM_OP_BREAKC:
    case VM_OP_SETP:
        return control >= VM_CMP_GT && control <= VM_CMP_LE;
    default:
        return control == 0;
    }
}

static MUST_CHECK enum status read_instr(struct vm_reader *r, size_t end, enum vm_op op,
                                         uint32_t word, struct vm_instr *instr,
                                         struct vm_error *error)
{
    enum status st;

    memset(instr, 0, sizeof(*instr));
    instr->op = op;
    instr->control = word >> 16 & 255;
    instr->coissue = word & INSTR_COISSUE;
    instr->predicated = word & INSTR_PREDICATED;
    instr->dst.file = instr->dst.rel_file = VM_FILE_NONE;
    instr->target = VM_NO_TARGET;
    instr->token = r->at - 1;
    if (!control_is_valid(op, instr->control, r->version.rank))
        return vm_set_error(error, instr->token, "%s with control %u", vm_op_info[op].text,
                            instr->control);
    if (instr->predicated && !vm_op_info[op].n_dst)
        return vm_set_error(error, instr->token, "%s cannot be predicated", vm_op_info[op].text);
    if (vm_op_info[op].n_dst && (st = read_dst(r, end, &instr->dst, error)) != ST_OK)
        return st;
    if (instr->predicated && (st = read_predicate(r, end, instr, error)) != ST_OK)
        return st;
    return read_sources(r, end, instr, error);
}

static MUST_CHECK enum status skip_comment(struct vm_reader *r, uint32_t word,
                                           struct vm_error *error)
{
    size_t length = word >> 16 & 0x7fff;

    if (length > r->n - r->at)
        return vm_set_error(error, r->at - 1, "a comment reaches past the end of the byte code");
    r->at += length;
    return ST_OK;
}

/* Reserved bits of an instruction word in a version. */
static uint32_t instr_reserved(const struct vm_version *version)
{
    if (version->rank >= VM_RANK_2_0)
        return 0xe0000000u | (version->rank < VM_RANK_2_X ? INSTR_PREDICATED : 0u);
    return 0xffff0000u & (version->pixel ? ~(uint32_t)INSTR_COISSUE : ~0u);
}

static MUST_CHECK enum status read_operation(struct vm_reader *r, uint32_t word,
                                             struct vm_item *item, struct vm_error *error)
{
    bool has_length = r->version.rank >= VM_RANK_2_0;
    int op = vm_op_from_token(word & INSTR_OPCODE);
    size_t end = has_length ? r->at + (word >> INSTR_LENGTH_SHIFT & 15) : SIZE_MAX;
    enum status st;

    if (word & instr_reserved(&r->version))
        return vm_set_error(error, item->token, "%08x is no instruction of this version", word);
    if (op < 0)
        return vm_set_error(error, item->token, "opcode %u does not exist", word & INSTR_OPCODE);
    if (vm_op_info[op].op_class != VM_CLASS_DECL) {
        item->kind = VM_ITEM_INSTR;
        st = read_instr(r, end, op, word, &item->instr, error);
    } else if (word & (INSTR_COISSUE | INSTR_PREDICATED | 0x00ff0000)) {
        st = vm_set_error(error, item->token, "reserved bits of a %s are set", vm_op_info[op].text);
    } else if (op == VM_OP_DCL) {
        item->kind = VM_ITEM_DCL;
        st = read_dcl(r, end, &item->dcl, error);
    } else {
        item->kind = VM_ITEM_DEF;
        st = read_def(r, end, op, &item->def, error);
    }
    if (st == ST_OK && has_length && r->at != end)
        st = vm_set_error(error, r->at, "%s is shorter than its length field says",
                          vm_op_info[op].text);
    return st;
}

enum status vm_reader_open(struct vm_reader *r, const uint32_t *words, size_t n,
                           struct vm_error *error)
{
    *r = (struct vm_reader){.words = words, .n = n, .at = 1};
    if (n == 0)
        return vm_set_error(error, 0, "there is no byte code");
    if (!vm_version_decode(&r->version, words[0]))
        return vm_set_error(error, 0, "%08x is not a shader version", words[0]);
    return ST_OK;
}

enum status vm_reader_next(struct vm_reader *r, struct vm_item *item, struct vm_error *error)
{
    uint32_t word;
    enum status st;

    item->token = r->at;
    if ((st = take(r, SIZE_MAX, &word, error)) != ST_OK)
        return st;
    if (word == VM_TOKEN_END) {
        item->kind = VM_ITEM_END;
    } else if ((word & INSTR_OPCODE) == VM_TOKEN_COMMENT && !(word & VM_TOKEN_PARAM)) {
        item->kind = VM_ITEM_COMMENT;
        st = skip_comment(r, word, error);
    } else {
        st = read_operation(r, word, item, error);
    }
    item->n_words = r->at - item->token;
    return st;
}

/* Skips words by structure alone, so that unknown instructions do not matter. From 2_0 on it uses
 * the length field; before, it uses bit 31, which all operands set except the four arbitrary values
 * of def. */
size_t vm_token_count(const uint32_t *tokens, size_t n)
{
    struct vm_version version;
    size_t at = 1;

    if (n == 0 || !vm_version_decode(&version, tokens[0]))
        return 0;
    while (at < n) {
        uint32_t word = tokens[at++];

        if (word == VM_TOKEN_END)
            return at;
        if (word & VM_TOKEN_PARAM)
            return 0;
        if ((word & INSTR_OPCODE) == VM_TOKEN_COMMENT)
            at += word >> 16;
        else if (version.rank >= VM_RANK_2_0)
            at += word >> INSTR_LENGTH_SHIFT & 15;
        else if ((word & INSTR_OPCODE) == vm_op_info[VM_OP_DEF].token)
            at += 5;
        else
            while (at < n && tokens[at] & VM_TOKEN_PARAM)
                at++;
    }
    return 0;
}

/* --- The writer ------------------------------------------------------------------------------- */

static unsigned encode_relative(uint32_t *words, uint8_t file, uint8_t component, unsigned rank)
{
    if (file == VM_FILE_NONE || rank < VM_RANK_2_0)
        return 0;
    words[0] = vm_relative_encode(file, component);
    return 1;
}

static unsigned encode_instr(uint32_t *words, const struct vm_instr *instr, unsigned rank)
{
    unsigned n = 1;

    words[0] = vm_op_info[instr->op].token | (uint32_t)instr->control << 16 |
               (instr->coissue ? INSTR_COISSUE : 0u) | (instr->predicated ? INSTR_PREDICATED : 0u);
    if (instr->dst.file != VM_FILE_NONE) {
        words[n++] = vm_dst_encode(&instr->dst);
        n += encode_relative(words + n, instr->dst.rel_file, instr->dst.rel_component, rank);
    }
    if (instr->predicated)
        words[n++] = vm_src_encode(&instr->predicate);
    for (unsigned i = 0; i < instr->n_src; i++) {
        const struct vm_src *src = &instr->src[i];

        words[n++] = vm_src_encode(src);
        n += encode_relative(words + n, src->rel_file, src->rel_component, rank);
    }
    return n;
}

static unsigned encode_def(uint32_t *words, const struct vm_definition *def)
{
    struct vm_dst dst = {
        .file = def->file, .index = def->index, .mask = VM_MASK_ALL, .rel_file = VM_FILE_NONE};
    enum vm_op op = def->file == VM_FILE_CONST      ? VM_OP_DEF
                    : def->file == VM_FILE_CONSTINT ? VM_OP_DEFI
                                                    : VM_OP_DEFB;
    unsigned n = op == VM_OP_DEFB ? 1 : 4;

    words[0] = vm_op_info[op].token;
    words[1] = vm_dst_encode(&dst);
    memcpy(words + 2, def->value.i, n * sizeof(uint32_t));
    return 2 + n;
}

unsigned vm_encode(uint32_t words[VM_ITEM_WORDS], const struct vm_item *item,
                   const struct vm_version *version)
{
    unsigned n = 1;

    switch (item->kind) {
    case VM_ITEM_DCL:
        words[0] = vm_op_info[VM_OP_DCL].token;
        words[1] = VM_TOKEN_PARAM | item->dcl.usage | (uint32_t)item->dcl.usage_index << 16 |
                   (uint32_t)item->dcl.kind << DCL_KIND_SHIFT;
        words[2] = vm_dst_encode(&item->dcl.dst);
        n = 3;
        break;
    case VM_ITEM_DEF:
        n = encode_def(words, &item->def);
        break;
    case VM_ITEM_INSTR:
        n = encode_instr(words, &item->instr, version->rank);
        break;
    default:
        words[0] = VM_TOKEN_END;
        return 1;
    }
    if (version->rank >= VM_RANK_2_0)
        words[0] |= (n - 1) << INSTR_LENGTH_SHIFT;
    return n;
}
