/* Assembler and disassembler of R500 shaders.
 *
 * A line is an instruction: its kind, then its non-zero fields as key or key=value (code.def):
 *
 *   tex sem_wait write=rgba op=ld map=0 from=t0 ...      alu, out, flow, tex: fragment shader
 *   vs op=add to_file=out to=1 write=xy a=in1.xy__ ...   vertex shader
 *
 * Bits outside of all fields are written as raw<word>=0x..., so that every instruction has a text
 * that assembles back to it. "#" starts a comment. */
#ifndef PRESENT_R500_SHADER_CODE_H
#define PRESENT_R500_SHADER_CODE_H

#include "util/status.h"

#include <stddef.h>
#include <stdint.h>

enum code_shader { SHADER_US, SHADER_PVS };
enum { US_WORDS = 6, PVS_WORDS = 4, US_INSTRUCTIONS = 512, PVS_INSTRUCTIONS = 1024 };
enum { CODE_TEXT = 1024 }; /* longest text of an instruction */

enum { CODE_ALU = 1, CODE_FLOW = 2, CODE_TEX = 4, CODE_PVS = 8, US_ALL = 7 };
enum { US_TYPE_ALU, US_TYPE_OUT, US_TYPE_FLOW, US_TYPE_TEX };

enum code_field_id {
#define CODE(set, id, key, word, hi, lo, kind) id,
#include "present/r500/shader/code.def"
#undef CODE
    CODE_FIELDS
};

/* Reads a field of an instruction. */
uint32_t code_get(const uint32_t *words, enum code_field_id id);
unsigned code_words(enum code_shader shader);

/* Writes the text of one instruction, CODE_TEXT bytes, without a newline. */
void code_disassemble(char *text, const uint32_t *words, enum code_shader shader);

struct code_error {
    unsigned line; /* counted from 1 */
    char text[96];
};
/* Assembles lines of text; *n: number of words. ST_INVALID: *error gives line and reason. */
MUST_CHECK enum status code_assemble(uint32_t *words, size_t max, size_t *n, const char *text,
                                     enum code_shader shader, struct code_error *error);

#endif
