/* Program objects. This header has their contents, made by the validator and the builder, read by
 * lowering and the disassembler. Private to vm. */
#ifndef VM_PROGRAM_PROGRAM_H
#define VM_PROGRAM_PROGRAM_H

#include "util/status.h"
#include "vm/isa/instr.h"
#include "vm/program/info.h"

struct vm_program {
    struct vm_info info;
    uint64_t id;
    struct vm_instr *instr;
    struct vm_definition *def;
    uint32_t n_instr, n_def;
    uint16_t n_temps; /* highest r# + 1 */
    bool built;       /* by vm_builder: no limits */
    bool software;    /* validated against software limits: 8192 c# */
    uint32_t *tokens; /* a copy of the byte code; NULL for built programs */
    size_t n_tokens;
};

/* Allocates a zeroed program with a new id. */
MUST_CHECK struct vm_program *vm_program_new(void);
/* Fills lists, slots and flags of program->info from the instructions. The caller has set stage,
 * version and sampler kinds. */
MUST_CHECK enum status vm_program_fill_info(struct vm_program *program, const struct vm_dcl *dcl,
                                            size_t n_dcl, struct vm_error *error);
struct vm_version vm_program_version(const struct vm_program *program);

/* Slot of component c of an input or output register, or -1. Inputs: VM_FILE_INPUT, VM_FILE_TEXTURE
 * (ps_1_x, 2_x t#: the interpolated coordinate), VM_FILE_MISC. Outputs: RASTOUT, ATTROUT,
 * TEXCRDOUT, OUTPUT, COLOROUT, DEPTHOUT, and in ps_1_x VM_FILE_TEMP 0. */
int vm_program_input_slot(const struct vm_program *program, unsigned file, unsigned reg,
                          unsigned c);
int vm_program_output_slot(const struct vm_program *program, unsigned file, unsigned reg,
                           unsigned c);

#endif
