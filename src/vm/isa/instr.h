/* Instructions, declarations and definitions of a program, and what can be said of a single one in
 * a version: operands that it may have, components that it reads, instruction slots that it takes.
 * Private to vm. */
#ifndef VM_ISA_INSTR_H
#define VM_ISA_INSTR_H

#include "vm/isa/isa.h"

struct vm_version {
    bool pixel;
    uint8_t major, minor;
    uint8_t rank; /* vm_version_rank */
};

/* Variants that share an opcode: texld (0), texldp (1), texldb (2). */
enum vm_tex_control { VM_TEX_PLAIN, VM_TEX_PROJECT, VM_TEX_BIAS };
/* Comparisons of ifc, breakc, setp, encoded as in the byte code. */
enum vm_compare { VM_CMP_GT = 1, VM_CMP_EQ, VM_CMP_GE, VM_CMP_LT, VM_CMP_NE, VM_CMP_LE };

enum { VM_MAX_SRC = 4, VM_NO_TARGET = 0xffffffff };

struct vm_instr {
    uint8_t op;      /* enum vm_op; declarations and definitions are not in the list */
    uint8_t control; /* enum vm_tex_control or enum vm_compare, by op */
    uint8_t n_src;
    bool coissue; /* ps_1_x: executes with the instruction before it */
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

/* dcl */
struct vm_dcl {
    uint8_t usage, usage_index; /* D3DDECLUSAGE; 0, 0 where the register implies the semantic */
    uint8_t kind;               /* samplers: 1 1D, 2 2D, 3 cube, 4 volume */
    uint32_t token;             /* position in the byte code */
    struct vm_dst dst;
};

/* --- Properties of an instruction (isa.c, operand_reads.c, slots.c) --------------------------- */

bool vm_op_exists(enum vm_op op, const struct vm_version *version);
bool vm_op_is_texture(enum vm_op op);
/* Set of source counts that an op may have in a version: bit n = n sources. */
unsigned vm_op_sources(enum vm_op op, const struct vm_version *version);

/* Components of source s (of each row, for matrix ops) that the instruction reads, after swizzle
 * and modifier: bits x = 1 … w = 8. 0 for samplers, labels, integer and loop registers. */
unsigned vm_instr_src_reads(const struct vm_instr *instr, unsigned s);
/* Components that the operation reads before the swizzle: those of the swizzle that count. */
unsigned vm_instr_operation_reads(const struct vm_instr *instr, unsigned s);
/* The same for a destination that is read (texkill, texdepth); otherwise 0. */
unsigned vm_instr_dst_reads(const struct vm_instr *instr, const struct vm_version *version);
/* ps_1_x: components of the interpolated coordinate set dst.index that a texture instruction
 * reads. */
unsigned vm_instr_coord_reads(const struct vm_instr *instr, const struct vm_version *version);
/* Number of registers of source s: the rows of a matrix for its second source, otherwise 1. */
unsigned vm_instr_src_rows(const struct vm_instr *instr, unsigned s);

/* Slots of one instruction; sampler_kind as in vm_info. */
unsigned vm_instr_slots(const struct vm_instr *instr, const struct vm_version *version,
                        const uint8_t sampler_kind[VM_MAX_SAMPLERS]);

/* Number of registers of a file in a version (registers.c). */
unsigned vm_file_size(const struct vm_version *version, bool software, unsigned file);
/* Number that a program may use if the version's number is not enforced: at least vm_file_size. */
unsigned vm_file_room(const struct vm_version *version, bool software, unsigned file);

#endif
