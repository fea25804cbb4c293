/* A checked program: what decode and the builder make, what lower, asm and dis read. Private to vm. */
#ifndef VM_PROGRAM_H
#define VM_PROGRAM_H

#include "vm/isa.h"
#include "vm/vm.h"

/* Variants that share an opcode: texld (0), texldp (1), texldb (2). */
enum vm_tex_control { VM_TEX_PLAIN, VM_TEX_PROJECT, VM_TEX_BIAS };
/* Comparisons of ifc, breakc, setp, as in the byte code. */
enum vm_compare { VM_CMP_GT = 1, VM_CMP_EQ, VM_CMP_GE, VM_CMP_LT, VM_CMP_NE, VM_CMP_LE };

enum { VM_MAX_SRC = 4, VM_NO_TARGET = 0xffffffff };

struct vm_instr {
    uint8_t op;      /* enum vm_op; declarations and definitions do not appear as instructions */
    uint8_t control; /* enum vm_tex_control or enum vm_compare, by op */
    uint8_t n_src;
    bool coissue;    /* ps_1_x: executes with the instruction before it */
    bool predicated;
    struct vm_src predicate;
    struct vm_dst dst; /* file VM_FILE_NONE where the op has none */
    struct vm_src src[VM_MAX_SRC];
    /* Flow, resolved by decode, as indices into vm_program.instr:
     *   if/ifc -> its else, or its endif; else -> its endif; loop/rep -> its endloop/endrep;
     *   endloop/endrep -> its loop/rep; break* -> the innermost endloop/endrep;
     *   call/callnz -> the label. Others VM_NO_TARGET. */
    uint32_t target;
    uint32_t token; /* where it stood in the byte code; 0 for built programs */
};

/* def, defi, defb: the bits as given. */
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
    uint32_t *tokens;      /* a copy of the byte code; NULL for built programs */
    size_t n_tokens;
    /* For io registers: which vm_info entry and component holds (file, reg, component); -1 where none. Inputs:
     * VM_FILE_INPUT, VM_FILE_TEXTURE, VM_FILE_MISC. Outputs: RASTOUT, ATTROUT, TEXCRDOUT, OUTPUT, COLOROUT, DEPTHOUT,
     * and for ps_1_x r0. See vm_program_input_slot. */
};

/* The slot of component c of an input or output register, or -1. */
int vm_program_input_slot(const struct vm_program *program, unsigned file, unsigned reg, unsigned c);
int vm_program_output_slot(const struct vm_program *program, unsigned file, unsigned reg, unsigned c);

#endif
