/* Lowered code: functions of the IR, their machine code, and the layout of uniforms and work
 * memory. Lowering writes it, the module run executes it. Private to vm. */
#ifndef VM_IR_CODE_H
#define VM_IR_CODE_H

#include "ir/interp/interp.h"
#include "ir/ir.h"
#include "ir/compile/compile.h"
#include "vm/program/program.h"

enum { VM_LANE_BYTES = VM_LANES * 4 };

/* Bases of the functions. */
enum {
    VM_BASE_INPUTS,    /* input slots */
    VM_BASE_OUTPUTS,   /* output slots */
    VM_BASE_TEXELS,    /* results of the last call of the sampler */
    VM_BASE_SCRATCH,   /* masks, then operands of a sample, and registers for the step hook */
    VM_BASE_UNIFORMS,  /* words, each with a struct vm_scalar */
    VM_BASE_CONSTANTS, /* registers for relative addressing, then a register of zeros */
    VM_BASE_SLOTS,     /* vm_code.input_slots, then output_slots */
    VM_BASE_HOISTED    /* results of the preamble */
};
enum {
    VM_CONSTANT_BASES = 1u << VM_BASE_INPUTS | 1u << VM_BASE_UNIFORMS | 1u << VM_BASE_CONSTANTS |
                        1u << VM_BASE_SLOTS
};

/* Masks at the beginning of the scratch memory. */
enum {
    VM_LANES_AT = 0,
    VM_EXEC_AT = 8,
    VM_KILLED_AT = 16,
    VM_PREDICATE_AT = 24,
    VM_ACTIVE_AT = 56, /* registers in memory: see lower/memory.c */
    VM_ALIVE_AT = 64,
    VM_CALL_LANES_AT = 72, /* lanes that execute a called routine */
    VM_SCRATCH_MASK_BYTES = 128
};

/* A word of the uniforms and its source. */
enum vm_scalar_from { VM_FROM_LITERAL, VM_FROM_FLOAT, VM_FROM_INT, VM_FROM_BOOL, VM_FROM_SYSTEM };
struct vm_scalar {
    uint16_t from; /* enum vm_scalar_from */
    uint16_t index;
    uint32_t component; /* of a literal: its bits */
};

/* Slots for relative addressing by (register, component); -1 where there is none. The last row
 * stands for registers out of range. */
enum { VM_SLOT_REGISTERS = 32 };
struct vm_slot_table {
    int32_t slot[VM_SLOT_REGISTERS + 1][4];
};
enum { VM_INPUT_SLOTS_AT = 0, VM_OUTPUT_SLOTS_AT = sizeof(struct vm_slot_table) };

/* A call of the sampler. Operands are places in work memory, as byte offsets, or VM_PLACE_OF_ZEROS;
 * results are places from texels_at on, or VM_NO_PLACE if nothing reads them. */
#define VM_PLACE_OF_ZEROS UINT32_MAX
#define VM_NO_PLACE UINT32_MAX
struct vm_sample_op {
    uint8_t n, lod_mode; /* number of samplers; enum lod */
    bool is_masked;      /* only the lanes at VM_EXEC_AT are sampled */
    uint8_t sampler[VM_MAX_SAMPLER_GROUP];
    uint32_t coord[3], more[6]; /* more: the LOD or bias, or six gradients */
    uint32_t texel[VM_MAX_SAMPLER_GROUP][4];
};

/* A call of the step hook: instructions first ... last have run. */
struct vm_step_op {
    uint32_t first, last;
};
/* Numbers of functions that code calls: a sample, or a step or routine with its bit. */
enum { VM_CALL_STEP = 1u << 31, VM_CALL_ROUTINE = 1u << 30, VM_CALL_ORIGIN = IR_INTERP_ORIGIN };

/* A function that runs. */
struct vm_function {
    struct ir_interp *preamble;   /* runs once a draw, for VM_BASE_HOISTED */
    struct ir_interp *body;       /* runs per batch; NULL: there is machine code */
    struct ir_code *machine_code; /* of the body */
    size_t work_at;               /* its memory, an offset in work memory */
};

struct vm_code {
    struct ir *preamble, *body; /* of the program; products obey the zero rule (FMUL0) */
    struct vm_function main;
    struct vm_function *routine; /* routines that are not inlined */
    uint32_t n_routines;

    /* Operations at the rate of a lane, per instruction, then those at the rate of a draw. NULL:
     * not counted. */
    uint32_t *operations, n_instr;

    struct vm_scalar *scalar;
    struct vm_definition *def; /* definitions visible to relative addressing and flow control */
    uint32_t n_scalars, n_defs;
    uint32_t n_constants; /* length of the constant array; 0: no relative addressing */
    bool clamp_constants;
    struct vm_slot_table slots[2]; /* inputs, outputs */
    struct vm_sample_op *sample;
    uint32_t n_samples;
    /* Layout of the uniforms in bytes: scalars at 0, the constant array, hoisted results, memory of
     * the preamble. */
    size_t constants_at, hoisted_at, preamble_at, uniform_bytes;
    /* Layout of work memory: inputs, outputs, scratch memory, texels, and memory of the functions.
     */
    size_t outputs_at, scratch_at, scratch_bytes, texels_at, texel_bytes, work_bytes;

    /* Registers in memory, and single-step code: places of the vregs in work memory. */
    uint32_t *vreg_place, al_place;
    /* Single-step code: see vm_step_register. */
    const struct vm_program *program;
    struct vm_step_op *step;
    uint32_t n_steps, vreg_texture, vreg_address, vreg_output;
    bool has_textures;
};

#endif
