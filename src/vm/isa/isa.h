/* Shader instruction set, as clients and all modules see it: opcodes and their properties
 * (isa.def), versions, register files, operands, usages, and the reason of a refusal. */
#ifndef VM_ISA_ISA_H
#define VM_ISA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VM_MAX_SAMPLERS = 16 };

/* Capabilities of the device. Programs that exceed them are refused. */
enum {
    VM_VS_CONSTANTS = 256,        /* c# of vertex shaders */
    VM_SOFTWARE_CONSTANTS = 8192, /* c# with software vertex processing */
    VM_TEMPS = 32,                /* r# from 2_x on */
    VM_LABELS = 2048,             /* labels from 2_sw on */
    VM_PS_INPUT_ROOM = 16,        /* v# of ps_3_0 that run: v10 and up break a rule */
    VM_STATIC_DEPTH = 4,          /* nested loops, nested calls */
    VM_DYNAMIC_DEPTH = 24,        /* nested ifs with dynamic conditions */
    VM_PS_2_X_SLOTS = 512,
    VM_SLOTS_3_0 = 32768
};

enum vm_stage { VM_VERTEX, VM_PIXEL };

/* --- Opcodes and versions --------------------------------------------------------------------- */

enum vm_op {
#define OP(id, ...) VM_OP_##id,
#include "vm/isa/isa.def"
#undef OP
    VM_OP_COUNT
};

/* Data flow between components; see isa.def. */
enum vm_op_class {
    VM_CLASS_COMPWISE,
    VM_CLASS_SCALAR,
    VM_CLASS_DOT,
    VM_CLASS_MATRIX,
    VM_CLASS_SPECIAL,
    VM_CLASS_TEXTURE,
    VM_CLASS_TEXTURE1,
    VM_CLASS_FLOW,
    VM_CLASS_DECL
};

struct vm_op_info {
    const char *text;
    uint16_t token;                               /* bits 15:0 of the instruction word */
    uint8_t vs_first, vs_last, ps_first, ps_last; /* version ranks, see vm_version_rank */
    uint8_t n_dst, n_src;                         /* n_src: of the widest form */
    uint8_t op_class;                             /* enum vm_op_class */
    uint8_t slots;
    bool saturate, predicable;
    uint8_t replicate; /* bit per source that needs a replicate swizzle from 2_0 on */
};
extern const struct vm_op_info vm_op_info[VM_OP_COUNT];

/* Instruction with these opcode bits, or -1. */
int vm_op_from_token(unsigned token);

/* Version ranks: 1_0 and 1_1 = 11 … 14, 20, 2_x = 21, 2_sw = 22, 30, 3_sw = 31; 0 if no such
 * version exists. */
enum { VM_RANK_2_0 = 20, VM_RANK_2_X = 21, VM_RANK_2_SW = 22, VM_RANK_3_0 = 30, VM_RANK_3_SW = 31 };
unsigned vm_version_rank(bool pixel, unsigned major, unsigned minor);
/* Number of words including the end token; 0 if n words hold no end token or hold a word that
 * cannot be skipped. */
size_t vm_token_count(const uint32_t *tokens, size_t n);

/* --- Operands --------------------------------------------------------------------------------- */

/* Register files, as an instruction names them. */
enum vm_file {
    VM_FILE_TEMP,
    VM_FILE_INPUT,     /* vs v#, ps v# */
    VM_FILE_CONST,     /* c#, one numbering for all four banks */
    VM_FILE_ADDR,      /* a0 */
    VM_FILE_TEXTURE,   /* ps t# */
    VM_FILE_RASTOUT,   /* 0 oPos, 1 oFog, 2 oPts */
    VM_FILE_ATTROUT,   /* oD# */
    VM_FILE_TEXCRDOUT, /* oT# (vs below 3) */
    VM_FILE_OUTPUT,    /* o# (vs_3) */
    VM_FILE_CONSTINT,
    VM_FILE_COLOROUT,
    VM_FILE_DEPTHOUT,
    VM_FILE_SAMPLER,
    VM_FILE_CONSTBOOL,
    VM_FILE_LOOP, /* aL */
    VM_FILE_MISC, /* 0 vPos, 1 vFace */
    VM_FILE_LABEL,
    VM_FILE_PREDICATE,
    VM_FILE_SYSTEM, /* vm_constants.system; only in built and ps_1_x programs */
    VM_FILE_NONE
};

enum vm_modifier {
    VM_MOD_NONE,
    VM_MOD_NEG,
    VM_MOD_BIAS,
    VM_MOD_BIASNEG,
    VM_MOD_SIGN,
    VM_MOD_SIGNNEG,
    VM_MOD_COMP,
    VM_MOD_X2,
    VM_MOD_X2NEG,
    VM_MOD_DZ,
    VM_MOD_DW,
    VM_MOD_ABS,
    VM_MOD_ABSNEG,
    VM_MOD_NOT
};

/* Two bits per component, x in the lowest, as in the byte code. */
enum { VM_SWZ_XYZW = 0xe4, VM_SWZ_X = 0x00, VM_SWZ_Y = 0x55, VM_SWZ_Z = 0xaa, VM_SWZ_W = 0xff };
#define VM_SWZ(x, y, z, w) ((x) | (y) << 2 | (z) << 4 | (w) << 6)
enum { VM_MASK_X = 1, VM_MASK_Y = 2, VM_MASK_Z = 4, VM_MASK_W = 8 };
enum { VM_MASK_XYZ = 7, VM_MASK_ALL = 15 };

struct vm_src {
    uint8_t file, swizzle, modifier;
    uint8_t rel_file, rel_component; /* rel_file: VM_FILE_ADDR or VM_FILE_LOOP when indexed,
                                        otherwise VM_FILE_NONE */
    uint16_t index;
};

struct vm_dst {
    uint8_t file, mask;
    bool saturate, partial, centroid;
    int8_t shift; /* ps_1_x: the result is multiplied by 2^shift */
    uint8_t rel_file, rel_component;
    uint16_t index;
};

/* system[VM_SYSTEM_BUMP_MATRIX + stage] = M00, M01, M10, M11;
 * system[VM_SYSTEM_BUMP_LUMINANCE + stage] = scale, offset, 0, 0. Stages 0 to 7. */
enum { VM_SYSTEM_BUMP_MATRIX = 0, VM_SYSTEM_BUMP_LUMINANCE = 8, VM_SYSTEM_COUNT = 16 };

/* Name of a register as programs write it: "r3", "oPos", "c4097". */
enum { VM_REGISTER_TEXT = 12 };
void vm_register_text(char text[VM_REGISTER_TEXT], unsigned file, unsigned index);

/* --- Semantics -------------------------------------------------------------------------------- */

/* Usages of inputs and outputs: D3DDECLUSAGE with its values, then the pixel system values. */
enum vm_usage {
    VM_USAGE_POSITION = 0,
    VM_USAGE_BLENDWEIGHT = 1,
    VM_USAGE_BLENDINDICES = 2,
    VM_USAGE_NORMAL = 3,
    VM_USAGE_PSIZE = 4,
    VM_USAGE_TEXCOORD = 5,
    VM_USAGE_TANGENT = 6,
    VM_USAGE_BINORMAL = 7,
    VM_USAGE_TESSFACTOR = 8,
    VM_USAGE_POSITIONT = 9,
    VM_USAGE_COLOR = 10,
    VM_USAGE_FOG = 11,
    VM_USAGE_DEPTH = 12,
    VM_USAGE_SAMPLE = 13,
    VM_USAGE_VPOS = 0x20,  /* pixel input: x, y as integers in float */
    VM_USAGE_VFACE = 0x21, /* pixel input: x = +1 front (clockwise on screen), -1 back */
    VM_USAGE_TARGET = 0x22 /* pixel output: colour of render target `index`; r0 of ps_1_x is TARGET
                              0. The depth output is DEPTH 0 (component x). */
};

/* Name of a usage in declarations, such as "texcoord"; NULL for usages that declarations cannot
 * have. */
const char *vm_usage_text(unsigned usage);

/* --- Errors ----------------------------------------------------------------------------------- */

/* Reason of a refusal, such as "ps_2_0: r12 is beyond the 12 temporaries, in 'mov r12, c0'". */
struct vm_error {
    size_t token;   /* index of the 32-bit word at fault */
    char text[320]; /* one line, no newline */
};

#endif
