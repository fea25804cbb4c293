/* Validated program: made by the decoder and the builder, read by lowering and the disassembler.
 * Private to vm. */
#ifndef VM_PROGRAM_PROGRAM_H
#define VM_PROGRAM_PROGRAM_H

#include "vm/isa/isa.h"
#include "vm/vm.h"

/* Variants that share an opcode: texld (0), texldp (1), texldb (2). */
enum vm_tex_control { VM_TEX_PLAIN, VM_TEX_PROJECT, VM_TEX_BIAS };
/* Comparisons of ifc, breakc, setp, encoded as in the byte code. */
enum vm_compare { VM_CMP_GT = 1, VM_CMP_EQ, VM_CMP_GE, VM_CMP_LT, VM_CMP_NE, VM_CMP_LE };

enum { VM_MAX_SRC = 4, VM_NO_TARGET = 0xffffffff };

struct vm_instr {
    uint8_t op;      /* enum vm_op; declarations and definitions are not in the list */
    uint8_t control; /* enum vm_tex_control or enum vm_compare, by op */
    uint8_t n_src;
    bool coissue;    /* ps_1_x: executes with the instruction before it */
    bool predicated;
    struct vm_src predicate;
    struct vm_dst dst; /* file VM_FILE_NONE: no destination */
    struct vm_src src[VM_MAX_SRC];
    /* Branch target, resolved by vm_resolve_flow, as an index into vm_program.instr:
     *
     *   if/ifc -> its else, or its endif; else -> its endif; loop/rep -> its endloop/endrep;
     *   endloop/endrep -> its loop/rep; break* -> the innermost endloop/endrep;
     *   call/callnz -> the label. Others VM_NO_TARGET. */
    uint32_t target;
    uint32_t token; /* position in the byte code; 0 for built programs */
};
/* Conventions of struct vm_instr:
 *
 *  - texkill: dst is the register that it tests. Its mask is that of the byte code;
 *    vm_instr_dst_reads returns the components that it tests. texdepth reads its dst too.
 *  - Texture ops from 2_0 on: src[0] coordinate, src[1] sampler; texldd: src[2] ddx, src[3] ddy.
 *    In ps_1_x the stage is dst.index. tex and texcoord of ps_1_1 … 1_3 have no source, texld and
 *    texcrd of ps_1_4 have one, the coordinate.
 *  - loop: src[0] is aL, src[1] the i#. call, callnz, label: src[0] is the label.
 *  - SCALAR ops read the component that the swizzle puts in w. sincos, the third source of dp2add
 *    and the operands of if, ifc, breakc, breakp, callnz read the one in x. With replicate swizzles
 *    both are the same.
 *  - nop, phase and label stay in the list and do nothing. */

/* Definition (def, defi, defb), bits as given. */
struct vm_definition {
    uint8_t file; /* VM_FILE_CONST, VM_FILE_CONSTINT, VM_FILE_CONSTBOOL */
    uint16_t index;
    union {
        float f[4];
        int32_t i[4]; /* defb: i[0] is 0 or 1 */
    } value;
};

struct vm_program {
    struct vm_info info;
    uint64_t id;
    struct vm_instr *instr;
    struct vm_definition *def;
    uint32_t n_instr, n_def;
    uint16_t n_temps;      /* highest r# + 1 */
    bool built;            /* by vm_builder: no limits */
    bool software;         /* validated against software limits: 8192 c# */
    uint32_t *tokens;      /* a copy of the byte code; NULL for built programs */
    size_t n_tokens;
};

/* Slot of component c of an input or output register, or -1. Inputs: VM_FILE_INPUT, VM_FILE_TEXTURE
 * (ps_1_x, 2_x t#: the interpolated coordinate), VM_FILE_MISC. Outputs: RASTOUT, ATTROUT,
 * TEXCRDOUT, OUTPUT, COLOROUT, DEPTHOUT, and in ps_1_x VM_FILE_TEMP 0. */
int vm_program_input_slot(const struct vm_program *program, unsigned file, unsigned reg,
                          unsigned c);
int vm_program_output_slot(const struct vm_program *program, unsigned file, unsigned reg,
                           unsigned c);

/* Components of source s (of each row, for matrix ops) that the instruction reads, after swizzle
 * and modifier: bits x = 1 … w = 8. 0 for samplers, labels, integer and loop registers. */
unsigned vm_instr_src_reads(const struct vm_program *program, const struct vm_instr *instr,
                            unsigned s);
/* The same for a destination that is read (texkill, texdepth); otherwise 0. */
unsigned vm_instr_dst_reads(const struct vm_program *program, const struct vm_instr *instr);
/* ps_1_x: components of the interpolated coordinate set dst.index that a texture instruction
 * reads. */
unsigned vm_instr_coord_reads(const struct vm_program *program, const struct vm_instr *instr);
/* Number of registers of source s: the rows of a matrix for its second source, otherwise 1. */
unsigned vm_instr_src_rows(const struct vm_instr *instr, unsigned s);

#endif
