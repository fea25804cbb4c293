/* Program objects as clients see them: a handle, and the interface of the program (inputs, outputs,
 * samplers, constants that it uses). */
#ifndef VM_PROGRAM_INFO_H
#define VM_PROGRAM_INFO_H

#include "vm/isa/isa.h"

/* A batch has 64 lanes. */
enum { VM_LANES = 64, VM_MAX_INPUTS = 64, VM_MAX_OUTPUTS = 64 };
/* Texture instructions that one call samples. */
enum { VM_MAX_SAMPLER_GROUP = 4 };

/* One input or output register, or a part of one: declarations of vs_3/ps_3 may split a register by
 * masks. Models without declarations have fixed semantics: oPos = POSITION0, oFog = FOG0.x, oPts =
 * PSIZE0.x, oD0/oD1 = COLOR0/1, oT# = TEXCOORD#; ps v0/v1 = COLOR0/1, t# = TEXCOORD#. Lists hold
 * only the registers and components that the program uses. */
struct vm_io {
    uint8_t usage, index; /* enum vm_usage; usage index */
    uint8_t reg;          /* register number, for the disassembler */
    uint8_t mask;         /* components present: x = 1 … w = 8 */
    bool centroid;        /* pixel input: sample inside the covered part of the pixel
                             (reference: multisample/centroid) */
    int16_t slot[4];      /* slot of each component's 64 floats (see vm_run); -1: component
                             absent */
};

/* Interface of a program: what it reads and writes. Valid as long as the program. */
struct vm_info {
    enum vm_stage stage;
    uint8_t major, minor; /* minor 255: software model */
    uint8_t n_inputs, n_outputs;
    struct vm_io input[VM_MAX_INPUTS], output[VM_MAX_OUTPUTS];
    uint16_t n_input_slots, n_output_slots;
    uint32_t samplers;                     /* bit per sampler read */
    uint8_t sampler_kind[VM_MAX_SAMPLERS]; /* declared kind: 0 unknown, 2 2D, 3 cube, 4 volume */
    bool kills, writes_depth;
    bool uses_derivatives;     /* dsx, dsy */
    uint8_t colours;           /* pixel shaders: bit per colour output written */
    uint16_t float_constants;  /* highest c# read + 1 (all c# with relative
                                  addressing) */
    uint16_t direct_constants; /* the same, counting direct reads only */
    uint32_t instructions;     /* instruction slots used */
};

/* Immutable once built; threads may share it. */
struct vm_program;
void vm_program_destroy(struct vm_program *program); /* NULL is allowed */
const struct vm_info *vm_program_info(const struct vm_program *program);
/* The byte code, n words; NULL for built programs. *software: validated against software limits. */
const uint32_t *vm_program_tokens(const struct vm_program *program, size_t *n, bool *software);
/* A constant that the program defines itself: def, defi or defb. */
struct vm_defined {
    uint8_t file; /* VM_FILE_CONST, VM_FILE_CONSTINT, VM_FILE_CONSTBOOL */
    uint16_t index;
    float f[4];
    int32_t i[4]; /* defb: i[0] */
};
/* The n-th one, counted from 0; false: there are fewer. */
bool vm_program_defined(const struct vm_program *program, uint32_t n, struct vm_defined *out);
/* Number of instructions, numbered as in vm_step. */
uint32_t vm_program_length(const struct vm_program *program);
/* The first word of an instruction in the byte code; 0 for built programs. */
uint32_t vm_instr_word(const struct vm_program *program, uint32_t instr);
/* Whether an instruction looks up a texture; texkill and texcoord, for example, do not. */
bool vm_instr_samples(const struct vm_program *program, uint32_t instr);
/* The sampler of such an instruction; -1: it is none. */
int vm_instr_sampler(const struct vm_program *program, uint32_t instr);
/* Identifier of the program, unique within the process; never 0. */
uint64_t vm_program_id(const struct vm_program *program);

#endif
