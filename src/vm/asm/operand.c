/* Assembler operand parser: registers with relative addressing, modifiers, masks and swizzles, and
 * the numbers of definitions.
 *
 * Tested by tests/unit/vm/asm/test_asm.c. */
#include "vm/asm/parser.h"
#include "vm/isa/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- Registers -------------------------------------------------------------------------------- */

struct register_name {
    const char *text;
    uint8_t file;
    int8_t index; /* -1: a number follows */
};

/* clang-format off */
static const struct register_name register_names[] = {
    {"oPos", VM_FILE_RASTOUT, 0},   {"oFog", VM_FILE_RASTOUT, 1},  {"oPts", VM_FILE_RASTOUT, 2},
    {"oDepth", VM_FILE_DEPTHOUT, 0}, {"vPos", VM_FILE_MISC, 0},    {"vFace", VM_FILE_MISC, 1},
    {"aL", VM_FILE_LOOP, 0},        {"r", VM_FILE_TEMP, -1},       {"v", VM_FILE_INPUT, -1},
    {"c", VM_FILE_CONST, -1},       {"a", VM_FILE_ADDR, -1},       {"t", VM_FILE_TEXTURE, -1},
    {"oD", VM_FILE_ATTROUT, -1},    {"oT", VM_FILE_TEXCRDOUT, -1}, {"o", VM_FILE_OUTPUT, -1},
    {"i", VM_FILE_CONSTINT, -1},    {"oC", VM_FILE_COLOROUT, -1},  {"s", VM_FILE_SAMPLER, -1},
    {"b", VM_FILE_CONSTBOOL, -1},   {"l", VM_FILE_LABEL, -1},      {"p", VM_FILE_PREDICATE, -1},
};
/* clang-format on */

/* The fields that asm_dst and asm_src share. */
struct operand {
    uint8_t file, rel_file, rel_component;
    unsigned index;
    char suffix[8]; /* "abs" of r0_abs */
};

static size_t letters_before_number(const char *word)
{
    return strcspn(word, "0123456789_");
}

static bool parse_name(const char *word, struct operand *operand, bool *has_number)
{
    size_t length = letters_before_number(word);
    const char *number = word + length, *rest = number + strspn(number, "0123456789");

    *has_number = rest != number;
    if (strlen(rest) >= sizeof(operand->suffix) + 1 || rest - number > 5 || (*rest && *rest != '_'))
        return false;
    strcpy(operand->suffix, *rest ? rest + 1 : "");
    for (size_t i = 0; i < sizeof(register_names) / sizeof(register_names[0]); i++) {
        const struct register_name *name = &register_names[i];

        if (strlen(name->text) != length || strncasecmp(name->text, word, length))
            continue;
        if (name->index >= 0 && *has_number)
            continue;
        operand->file = name->file;
        operand->index = name->index >= 0 ? (unsigned)name->index : (unsigned)atoi(number);
        *has_number |= name->index >= 0;
        return true;
    }
    return false;
}

static MUST_CHECK enum status component(struct asm_parser *p, uint8_t *out)
{
    static const char letters[] = "xyzwrgba";
    const char *word = p->lexer.token.text;
    const char *found =
        p->lexer.token.kind == ASM_WORD && word[0] && !word[1] ? strchr(letters, word[0]) : NULL;

    if (!found)
        return asm_error(&p->lexer, "'%s' is not a component", word);
    *out = (found - letters) & 3;
    return asm_next(&p->lexer);
}

/* Parses a0.x or aL inside brackets. */
static MUST_CHECK enum status relative_term(struct asm_parser *p, struct operand *operand)
{
    struct operand term;
    bool has_number;
    enum status st;

    if (operand->rel_file != VM_FILE_NONE)
        return asm_error(&p->lexer, "a register has two index registers");
    if (!parse_name(p->lexer.token.text, &term, &has_number) || !has_number || term.index ||
        (term.file != VM_FILE_ADDR && term.file != VM_FILE_LOOP) || *term.suffix)
        return asm_error(&p->lexer, "'%s' cannot be an index", p->lexer.token.text);
    operand->rel_file = term.file;
    if ((st = asm_next(&p->lexer)) != ST_OK)
        return st;
    if (!asm_is(&p->lexer, '.'))
        return ST_OK;
    if (term.file == VM_FILE_LOOP)
        return asm_error(&p->lexer, "aL has no components");
    if ((st = asm_next(&p->lexer)) != ST_OK)
        return st;
    return component(p, &operand->rel_component);
}

/* Parses [ n + a0.x + m ]: any number of integers and at most one register. */
static MUST_CHECK enum status parse_index(struct asm_parser *p, struct operand *operand)
{
    enum status st = asm_next(&p->lexer);

    while (st == ST_OK) {
        if (p->lexer.token.kind == ASM_WORD) {
            st = relative_term(p, operand);
        } else {
            int32_t number = 0;

            if (asm_is(&p->lexer, '-'))
                return asm_error(&p->lexer, "an index cannot be negative");
            st = asm_int(p, &number);
            if (st == ST_OK && (number < 0 || number > 8191))
                return asm_error(&p->lexer, "an index is out of range");
            operand->index += (unsigned)number;
        }
        if (st != ST_OK || !asm_is(&p->lexer, '+'))
            break;
        st = asm_next(&p->lexer);
    }
    return st != ST_OK ? st : asm_expect(&p->lexer, ']');
}

static MUST_CHECK enum status check_range(struct asm_parser *p, const struct operand *operand)
{
    unsigned size = vm_file_size(&p->version, true, operand->file);
    char name[VM_REGISTER_TEXT], version[8];

    /* Assemblers accept every label number, and the integer and boolean constants of ps_2_0 that
     * nothing can use. */
    if (size && operand->file == VM_FILE_LABEL)
        size = 2048;
    if (p->version.rank >= VM_RANK_2_0 &&
        (operand->file == VM_FILE_CONSTBOOL || operand->file == VM_FILE_CONSTINT) && !size)
        size = 16;
    if (operand->index < size)
        return ST_OK;
    vm_register_text(name, operand->file, operand->index);
    vm_version_text(version, &p->version);
    return asm_error(&p->lexer, "%s has no register %s", version, name);
}

static MUST_CHECK enum status parse_register(struct asm_parser *p, struct operand *operand)
{
    struct asm_lexer *lexer = &p->lexer;
    bool has_number;
    enum status st;

    memset(operand, 0, sizeof(*operand));
    operand->rel_file = VM_FILE_NONE;
    if (lexer->token.kind != ASM_WORD || !parse_name(lexer->token.text, operand, &has_number))
        return asm_error(lexer, "a register is expected, not '%s'",
                         lexer->token.kind == ASM_END ? "end of text" : lexer->token.text);
    if ((st = check_range(p, operand)) != ST_OK || (st = asm_next(lexer)) != ST_OK)
        return st;
    if (asm_is(lexer, '[')) {
        has_number = true;
        if ((st = parse_index(p, operand)) != ST_OK)
            return st;
        /* The register that an indexed operand reaches is known only at run time; its base only has
         * to be encodable. */
        if (operand->rel_file == VM_FILE_NONE && (st = check_range(p, operand)) != ST_OK)
            return st;
        if (operand->index >= (operand->file == VM_FILE_CONST ? 8192 : 2048))
            return asm_error(lexer, "an index is out of range");
        if (lexer->token.kind == ASM_WORD && lexer->token.adjacent && lexer->token.text[0] == '_' &&
            strlen(lexer->token.text) <= sizeof(operand->suffix)) {
            strcpy(operand->suffix, lexer->token.text + 1);
            st = asm_next(lexer);
        }
    }
    if (!has_number)
        return asm_error(lexer, "a register lacks its number");
    if (operand->rel_file != VM_FILE_NONE && p->version.rank < VM_RANK_2_0 &&
        (operand->rel_file != VM_FILE_ADDR || operand->rel_component))
        return asm_error(lexer, "only a0.x can be an index in this version");
    return st;
}

/* --- Masks and swizzles ----------------------------------------------------------------------- */

static int letter_index(char letter)
{
    switch (letter) {
    case 'x':
    case 'r':
        return 0;
    case 'y':
    case 'g':
        return 1;
    case 'z':
    case 'b':
        return 2;
    case 'w':
    case 'a':
        return 3;
    default:
        return -1;
    }
}

/* Reads the letters after a point; n is 0 if there is no point. */
static MUST_CHECK enum status parse_letters(struct asm_parser *p, uint8_t out[4], unsigned *n)
{
    const char *word;
    enum status st;

    *n = 0;
    if (!asm_is(&p->lexer, '.'))
        return ST_OK;
    if ((st = asm_next(&p->lexer)) != ST_OK)
        return st;
    word = p->lexer.token.text;
    if (p->lexer.token.kind != ASM_WORD || strlen(word) > 4)
        return asm_error(&p->lexer, "'%s' is not a mask or swizzle", word);
    for (; word[*n]; ++*n) {
        int index = letter_index(word[*n]);

        if (index < 0)
            return asm_error(&p->lexer, "'%s' is not a mask or swizzle", word);
        out[*n] = (uint8_t)index;
    }
    return asm_next(&p->lexer);
}

enum status asm_dst(struct asm_parser *p, struct vm_dst *dst)
{
    struct asm_location location = p->lexer.token.location;
    struct operand operand;
    uint8_t letter[4];
    unsigned n;
    enum status st;

    if ((st = parse_register(p, &operand)) != ST_OK)
        return st;
    if (*operand.suffix)
        return asm_error_at(&p->lexer, location, "a destination has a source modifier");
    if ((st = parse_letters(p, letter, &n)) != ST_OK)
        return st;
    *dst = (struct vm_dst){.file = operand.file,
                           .index = (uint16_t)operand.index,
                           .mask = n ? 0 : VM_MASK_ALL,
                           .rel_file = operand.rel_file,
                           .rel_component = operand.rel_component};
    for (unsigned i = 0; i < n; i++) {
        if (i && letter[i] <= letter[i - 1])
            return asm_error_at(&p->lexer, location,
                                "the components of a write mask are out of order");
        dst->mask |= 1u << letter[i];
    }
    return ST_OK;
}

/* --- Sources ---------------------------------------------------------------------------------- */

/* Parses "-", "!", "1-" or nothing. */
static MUST_CHECK enum status parse_prefix(struct asm_parser *p, const char **prefix)
{
    struct asm_lexer *lexer = &p->lexer;
    enum status st;

    *prefix = "";
    if (asm_is(lexer, '-') || asm_is(lexer, '!')) {
        *prefix = asm_is(lexer, '-') ? "-" : "!";
        return asm_next(lexer);
    }
    if (lexer->token.kind != ASM_NUMBER || strcmp(lexer->token.text, "1"))
        return ST_OK;
    *prefix = "1-";
    if ((st = asm_next(lexer)) != ST_OK)
        return st;
    return asm_expect(lexer, '-');
}

static int find_modifier(const char *prefix, const char *suffix)
{
    if (!strcmp(suffix, "db"))
        suffix = "dz";
    if (!strcmp(suffix, "da"))
        suffix = "dw";
    for (int i = 0; i <= VM_MOD_NOT; i++) {
        if (!strcmp(prefix, vm_modifier_texts[i].prefix) &&
            !strcmp(suffix, vm_modifier_texts[i].suffix))
            return i;
    }
    return -1;
}

static bool modifier_exists(const struct asm_parser *p, int modifier, unsigned file)
{
    bool ps1 = p->version.pixel && p->version.rank < VM_RANK_2_0;

    switch (modifier) {
    case VM_MOD_NONE:
    case VM_MOD_NEG:
        return true;
    case VM_MOD_ABS:
    case VM_MOD_ABSNEG:
        return p->version.rank >= VM_RANK_3_0;
    case VM_MOD_NOT:
        return file == VM_FILE_CONSTBOOL || file == VM_FILE_PREDICATE;
    case VM_MOD_DZ:
    case VM_MOD_DW:
    case VM_MOD_X2:
    case VM_MOD_X2NEG:
        return ps1 && p->version.rank == 14;
    default:
        return ps1;
    }
}

enum status asm_src(struct asm_parser *p, struct vm_src *src)
{
    struct asm_location location = p->lexer.token.location;
    struct operand operand;
    const char *prefix;
    uint8_t letter[4];
    unsigned n;
    int modifier;
    enum status st;

    if ((st = parse_prefix(p, &prefix)) != ST_OK || (st = parse_register(p, &operand)) != ST_OK)
        return st;
    modifier = find_modifier(prefix, operand.suffix);
    if (modifier < 0 || !modifier_exists(p, modifier, operand.file))
        return asm_error_at(&p->lexer, location,
                            "source modifier '%s%s%s' does not exist in this version", prefix,
                            *operand.suffix ? "_" : "", operand.suffix);
    if ((st = parse_letters(p, letter, &n)) != ST_OK)
        return st;
    *src = (struct vm_src){.file = operand.file,
                           .index = (uint16_t)operand.index,
                           .swizzle = n ? 0 : VM_SWZ_XYZW,
                           .modifier = (uint8_t)modifier,
                           .rel_file = operand.rel_file,
                           .rel_component = operand.rel_component};
    /* Fewer than four letters repeat the last one. */
    for (unsigned i = 0; n && i < 4; i++)
        src->swizzle |= letter[i < n ? i : n - 1] << 2 * i;
    return ST_OK;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static MUST_CHECK enum status parse_sign(struct asm_parser *p, bool *negative)
{
    *negative = asm_is(&p->lexer, '-');
    return *negative || asm_is(&p->lexer, '+') ? asm_next(&p->lexer) : ST_OK;
}

static bool float_bits(const char *text, uint32_t *bits)
{
    char *end;
    float value;

    if (!strncasecmp(text, "0x", 2)) { /* raw bits */
        unsigned long long raw = strtoull(text, &end, 16);

        *bits = (uint32_t)raw;
        return !*end && raw <= UINT32_MAX;
    }
    if (!strcasecmp(text, "1.#INF")) {
        *bits = 0x7f800000;
        return true;
    }
    if (!strcasecmp(text, "1.#QNAN") || !strcasecmp(text, "1.#IND")) {
        *bits = 0x7fc00000;
        return true;
    }
    value = strtof(text, &end);
    memcpy(bits, &value, sizeof(*bits));
    return end != text && (!*end || !strcasecmp(end, "f"));
}

enum status asm_float(struct asm_parser *p, float *value)
{
    bool negative;
    uint32_t bits;
    enum status st;

    if ((st = parse_sign(p, &negative)) != ST_OK)
        return st;
    if (p->lexer.token.kind != ASM_NUMBER || !float_bits(p->lexer.token.text, &bits))
        return asm_error(&p->lexer, "a number is expected, not '%s'", p->lexer.token.text);
    bits ^= negative ? 0x80000000u : 0;
    memcpy(value, &bits, sizeof(*value));
    return asm_next(&p->lexer);
}

enum status asm_int(struct asm_parser *p, int32_t *value)
{
    const char *text = p->lexer.token.text;
    bool negative;
    long long number;
    char *end;
    enum status st;

    if ((st = parse_sign(p, &negative)) != ST_OK)
        return st;
    number = strtoll(text, &end, strncasecmp(text, "0x", 2) ? 10 : 16);
    if (p->lexer.token.kind != ASM_NUMBER || *end ||
        number > (negative ? 0x80000000LL : 0xffffffffLL))
        return asm_error(&p->lexer, "an integer is expected, not '%s'", text);
    *value = (int32_t)(uint32_t)(negative ? -number : number);
    return asm_next(&p->lexer);
}
