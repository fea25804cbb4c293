/* Text of field values. Private to the assembler and disassembler. */
#ifndef PRESENT_R500_SHADER_CODE_TEXT_H
#define PRESENT_R500_SHADER_CODE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

enum code_kind {
    KIND_NUMBER,
    KIND_FLAG,         /* the key without a value */
    KIND_TEMP,         /* t5 */
    KIND_ADDRESS,      /* t5, c3, f1.5 (inline float), t5[] relative; FLAG bits 8, 9 */
    KIND_OPERAND,      /* -|src0.rgb|: source, swizzles, modifier */
    KIND_MASK_RGBA,    /* rga */
    KIND_MASK_XYZW,    /* xy */
    KIND_SWIZZLE_RGBA, /* rgaa */
    KIND_PVS_SOURCE,   /* -in1.xy01: the entire word; bits without a letter follow ^ */
    KIND_NAMED,        /* from here on: name lists */
    KIND_RGB_OP = KIND_NAMED,
    KIND_ALPHA_OP,
    KIND_TEX_OP,
    KIND_SRCP,
    KIND_OMOD,
    KIND_PVS_OP,
    KIND_PVS_FILE,
    KIND_COUNT
};

enum { CODE_VALUE = 48 }; /* bytes of a value's text */

/* Prints a text that code_value_parse reads back to the same value. width: bits. */
void code_value_print(char text[CODE_VALUE], enum code_kind kind, unsigned width, uint32_t value);
bool code_value_parse(const char *text, enum code_kind kind, unsigned width, uint32_t *value);

#endif
