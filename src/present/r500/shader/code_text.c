/* Text of field values: a printer and a parser for each kind, which are inverse to each other.
 *
 * Tested by tests/unit/present/r500/shader/test_code.c. */
#include "present/r500/shader/code_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Name lists; a value without a name prints as a number ------------------------------------ */

enum { PVS_ME = 64, PVS_MACRO = 128, NAMES_MAX = 130 };

static const char *const names[KIND_COUNT - KIND_NAMED][NAMES_MAX] = {
    [KIND_RGB_OP - KIND_NAMED] = {"mad", "dp3", "dp4", "d2a", "min", "max", NULL, "cnd", "cmp",
                                  "frc", "sop", "mdh", "mdv"},
    [KIND_ALPHA_OP - KIND_NAMED] = {"mad", "dp", "min", "max", NULL, "cnd", "cmp", "frc", "ex2",
                                    "ln2", "rcp", "rsq", "sin", "cos", "mdh", "mdv"},
    [KIND_TEX_OP - KIND_NAMED] = {"nop", "ld", "texkill", "proj", "lodbias", "lod", "dxdy"},
    [KIND_SRCP - KIND_NAMED] = {"1-2*src0", "src1-src0", "src1+src0", "1-src0"},
    [KIND_OMOD - KIND_NAMED] = {"x1", "x2", "x4", "x8", "d2", "d4", "d8", "copy"},
    [KIND_PVS_OP - KIND_NAMED] = {"nop",
                                  "dot",
                                  "mul",
                                  "add",
                                  "mad",
                                  "dst",
                                  "frc",
                                  "max",
                                  "min",
                                  "sge",
                                  "slt",
                                  "mulx2_add",
                                  "mul_clamp",
                                  "flt2fix_dx",
                                  "flt2fix_dx_rnd",
                                  "pred_eq_push",
                                  "pred_gt_push",
                                  "pred_gte_push",
                                  "pred_neq_push",
                                  "write_eq",
                                  "write_gt",
                                  "write_gte",
                                  "write_neq",
                                  "mux_eq",
                                  "mux_gt",
                                  "mux_gte",
                                  "sgt",
                                  "seq",
                                  "sne",
                                  [PVS_ME] = "me_nop",
                                  "exp2_dx",
                                  "log2_dx",
                                  "exp_ff",
                                  "light_dx",
                                  "pow_ff",
                                  "rcp_dx",
                                  "rcp_ff",
                                  "rsq_dx",
                                  "rsq_ff",
                                  "me_mul",
                                  "exp2_full_dx",
                                  "log2_full_dx",
                                  "pow_ff_clamp_b",
                                  "pow_ff_clamp_b1",
                                  "pow_ff_clamp_01",
                                  "sin",
                                  "cos",
                                  "log2_ieee",
                                  "rcp_ieee",
                                  "rsq_ieee",
                                  "pred_eq",
                                  "pred_gt",
                                  "pred_gte",
                                  "pred_neq",
                                  "pred_clr",
                                  "pred_inv",
                                  "pred_pop",
                                  "pred_restore",
                                  [PVS_MACRO] = "macro_mad",
                                  "macro_m2x_add"},
    [KIND_PVS_FILE - KIND_NAMED] = {"t", "a0", "out", "out_repl_x", "alt", "in"},
};

static const char *name_of(enum code_kind kind, uint32_t value)
{
    return value < NAMES_MAX ? names[kind - KIND_NAMED][value] : NULL;
}

static bool parse_number(const char *text, uint32_t *value)
{
    char *end;

    *value = (uint32_t)strtoul(text, &end, 0);
    return end != text && !*end;
}

static bool parse_name(const char *text, enum code_kind kind, uint32_t *value)
{
    for (uint32_t i = 0; i < NAMES_MAX; i++) {
        const char *name = name_of(kind, i);

        if (name && !strcmp(name, text)) {
            *value = i;
            return true;
        }
    }
    return parse_number(text, value);
}

/* --- Masks and swizzles ----------------------------------------------------------------------- */

static void print_mask(char *text, const char *letters, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        if (value >> i & 1)
            *text++ = letters[i];
    *text = '\0';
}

static bool parse_mask(const char *text, const char *letters, uint32_t *value)
{
    for (*value = 0; *text; text++) {
        const char *found = strchr(letters, *text);

        if (!found)
            return false;
        *value |= 1u << (found - letters);
    }
    return true;
}

/* n letters of `bits` bits each; the first is in the lowest bits. */
static void print_swizzle(char *text, const char *letters, unsigned n, unsigned bits,
                          uint32_t value)
{
    for (unsigned i = 0; i < n; i++)
        text[i] = letters[value >> (i * bits) & ((1u << bits) - 1)];
    text[n] = '\0';
}

static bool parse_swizzle(const char *text, const char *letters, unsigned n, unsigned bits,
                          uint32_t *value)
{
    *value = 0;
    if (strlen(text) != n)
        return false;
    for (unsigned i = 0; i < n; i++) {
        const char *found = strchr(letters, text[i]);

        if (!found)
            return false;
        *value |= (uint32_t)(found - letters) << (i * bits);
    }
    return true;
}

/* --- Addresses of the fragment shader --------------------------------------------------------- */

enum { ADDRESS_CONST = 0x100, ADDRESS_REL = 0x200, ADDRESS_FLOAT = 0x80 };

/* A float of 4 exponent bits (bias 7) and 3 mantissa bits, without sign. */
static float inline_float(uint32_t code)
{
    return ldexpf(1.0f + (float)(code & 7) / 8.0f, (int)(code >> 3 & 15) - 7);
}

static void print_address(char *text, uint32_t value)
{
    const char *rel = value & ADDRESS_REL ? "[]" : "";

    if (!(value & ADDRESS_CONST) && value & ADDRESS_FLOAT)
        snprintf(text, CODE_VALUE, "f%.9g%s", (double)inline_float(value & 0x7f), rel);
    else
        snprintf(text, CODE_VALUE, "%c%u%s", value & ADDRESS_CONST ? 'c' : 't', value & 0xff, rel);
}

static bool parse_float(const char *text, uint32_t *value)
{
    char *end;
    float wanted = strtof(text, &end);

    for (uint32_t code = 0; code < 128 && end != text && !*end; code++)
        if (inline_float(code) == wanted) {
            *value = ADDRESS_FLOAT | code;
            return true;
        }
    return false;
}

static bool parse_address(const char *text, uint32_t *value)
{
    char number[CODE_VALUE];
    size_t n = strlen(text);
    uint32_t rel = 0;

    if (n >= CODE_VALUE || n < 2)
        return false;
    strcpy(number, text + 1);
    if (n > 3 && !strcmp(number + n - 3, "[]")) {
        number[n - 3] = '\0';
        rel = ADDRESS_REL;
    }
    if (*text == 'f') {
        if (!parse_float(number, value))
            return false;
    } else if ((*text != 'c' && *text != 't') || !parse_number(number, value) ||
               *value > (*text == 'c' ? 0xff : 0x7f)) {
        return false;
    } else if (*text == 'c') {
        *value |= ADDRESS_CONST;
    }
    *value |= rel;
    return true;
}

/* --- Operands of the fragment shader: source 2 bits, swizzles of 3, modifier 2 ---------------- */

static const char us_letters[] = "rgba0h1_";

static void print_operand(char *text, unsigned swizzles, uint32_t value)
{
    unsigned mod = value >> (2 + 3 * swizzles);
    const char *bar = mod & 2 ? "|" : "", *minus = mod & 1 ? "-" : "";
    char swizzle[4], source = "012p"[value & 3];

    print_swizzle(swizzle, us_letters, swizzles, 3, value >> 2);
    snprintf(text, CODE_VALUE, "%s%ssrc%c.%s%s", minus, bar, source, swizzle, bar);
}

static bool parse_operand(const char *text, unsigned swizzles, uint32_t *value)
{
    char swizzle[4] = "";
    const char *source;
    uint32_t mod = 0, bits;
    size_t n;

    mod |= *text == '-' ? 1 : 0;
    text += *text == '-';
    mod |= *text == '|' ? 2 : 0;
    text += *text == '|';
    n = 5 + swizzles;
    if (strlen(text) != n + (mod & 2 ? 1 : 0) || memcmp(text, "src", 3) != 0 || text[4] != '.' ||
        (mod & 2 && text[n] != '|'))
        return false;
    memcpy(swizzle, text + 5, swizzles);
    source = strchr("012p", text[3]);
    if (!source || !parse_swizzle(swizzle, us_letters, swizzles, 3, &bits))
        return false;
    *value = (uint32_t)(source - "012p") | bits << 2 | mod << (2 + 3 * swizzles);
    return true;
}

/* --- Sources of the vertex shader ------------------------------------------------------------- */

static const char pvs_letters[] = "xyzw01h_";
static const char *const pvs_files[4] = {"t", "in", "c", "alt"};
enum { PVS_NEGATE = 0x1e000000, PVS_PLAIN = 0x01ffffe3 }; /* type, offset and swizzles */

static void print_source(char *text, uint32_t value)
{
    uint32_t rest = value & ~(uint32_t)PVS_PLAIN;
    bool minus = (rest & PVS_NEGATE) == PVS_NEGATE;
    char swizzle[5];
    int n;

    print_swizzle(swizzle, pvs_letters, 4, 3, value >> 13);
    n = snprintf(text, CODE_VALUE, "%s%s%u.%s", minus ? "-" : "", pvs_files[value & 3],
                 value >> 5 & 0xff, swizzle);
    rest &= minus ? ~(uint32_t)PVS_NEGATE : UINT32_MAX;
    if (rest)
        snprintf(text + n, (size_t)(CODE_VALUE - n), "^0x%x", rest);
}

static bool parse_source(const char *text, uint32_t *value)
{
    uint32_t offset, swizzle, rest = 0, minus = *text == '-' ? PVS_NEGATE : 0;
    char letters[5] = "", *end;

    text += *text == '-';
    for (uint32_t file = 0; file < 4; file++) {
        size_t n = strlen(pvs_files[file]);

        if (strncmp(text, pvs_files[file], n) != 0 || text[n] < '0' || text[n] > '9')
            continue;
        offset = (uint32_t)strtoul(text + n, &end, 10);
        if (offset > 0xff || *end != '.' || strlen(end) < 5)
            return false;
        memcpy(letters, end + 1, 4);
        if (!parse_swizzle(letters, pvs_letters, 4, 3, &swizzle) ||
            (end[5] && (end[5] != '^' || !parse_number(end + 6, &rest))) ||
            rest & (uint32_t)PVS_PLAIN)
            return false;
        *value = file | offset << 5 | swizzle << 13 | minus | rest;
        return true;
    }
    return false;
}

/* --- All kinds -------------------------------------------------------------------------------- */

static void print_named(char *text, enum code_kind kind, uint32_t value)
{
    const char *name = name_of(kind, value);

    if (name)
        snprintf(text, CODE_VALUE, "%s", name);
    else
        snprintf(text, CODE_VALUE, "%u", value);
}

void code_value_print(char text[CODE_VALUE], enum code_kind kind, unsigned width, uint32_t value)
{
    switch (kind) {
    case KIND_NUMBER:
    case KIND_FLAG:
        snprintf(text, CODE_VALUE, "%u", value);
        break;
    case KIND_TEMP:
        snprintf(text, CODE_VALUE, "t%u", value);
        break;
    case KIND_ADDRESS:
        print_address(text, value);
        break;
    case KIND_OPERAND:
        print_operand(text, (width - 4) / 3, value);
        break;
    case KIND_MASK_RGBA:
        print_mask(text, "rgba", value);
        break;
    case KIND_MASK_XYZW:
        print_mask(text, "xyzw", value);
        break;
    case KIND_SWIZZLE_RGBA:
        print_swizzle(text, "rgba", 4, 2, value);
        break;
    case KIND_PVS_SOURCE:
        print_source(text, value);
        break;
    default:
        print_named(text, kind, value);
        break;
    }
}

static bool parse_any(const char *text, enum code_kind kind, unsigned width, uint32_t *value)
{
    switch (kind) {
    case KIND_NUMBER:
    case KIND_FLAG:
        return parse_number(text, value);
    case KIND_TEMP:
        return *text == 't' && parse_number(text + 1, value);
    case KIND_ADDRESS:
        return parse_address(text, value);
    case KIND_OPERAND:
        return parse_operand(text, (width - 4) / 3, value);
    case KIND_MASK_RGBA:
        return parse_mask(text, "rgba", value);
    case KIND_MASK_XYZW:
        return parse_mask(text, "xyzw", value);
    case KIND_SWIZZLE_RGBA:
        return parse_swizzle(text, "rgba", 4, 2, value);
    case KIND_PVS_SOURCE:
        return parse_source(text, value);
    default:
        return parse_name(text, kind, value);
    }
}

bool code_value_parse(const char *text, enum code_kind kind, unsigned width, uint32_t *value)
{
    return parse_any(text, kind, width, value) && *value <= UINT32_MAX >> (32 - width);
}
