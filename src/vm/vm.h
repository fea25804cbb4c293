/* Shader virtual machine: decodes, validates, compiles and runs shader byte code of vs_1_1 …
 * ps_3_0, 64 lanes a batch in structure-of-arrays form. The builder makes programs in memory
 * without byte code, for example for fixed function.
 *
 *   tokens --vm_program_create--> vm_program --vm_code_create--> vm_code --vm_run--> lanes
 *   builder --vm_builder_finish-->
 *
 * Programs and code are immutable once built, and threads may share them. */
#ifndef VM_VM_H
#define VM_VM_H

#include "util/sample.h"
#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VM_LANES = 64, VM_MAX_INPUTS = 64, VM_MAX_OUTPUTS = 64, VM_MAX_SAMPLERS = 16 };

/* Capabilities of the device. Programs that exceed them are refused. */
enum {
    VM_VS_CONSTANTS = 256,        /* c# of vertex shaders */
    VM_SOFTWARE_CONSTANTS = 8192, /* c# with software vertex processing */
    VM_TEMPS = 32,                /* r# from 2_x on */
    VM_STATIC_DEPTH = 4,          /* nested loops, nested calls */
    VM_DYNAMIC_DEPTH = 24,        /* nested ifs with dynamic conditions */
    VM_PS_2_X_SLOTS = 512,
    VM_SLOTS_3_0 = 32768
};

enum vm_stage { VM_VERTEX, VM_PIXEL };

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
    uint32_t samplers;                        /* bit per sampler read */
    uint8_t sampler_kind[VM_MAX_SAMPLERS];    /* declared kind: 0 unknown, 2 2D, 3 cube, 4 volume */
    bool kills, writes_depth, uses_gradients; /* gradients: dsx, dsy or implicit LOD */
    bool uses_derivatives;                    /* dsx, dsy only */
    uint8_t colours;                          /* pixel shaders: bit per colour output written */
    uint16_t float_constants;                 /* highest c# read + 1 (all c# with relative
                                                 addressing) */
    uint16_t direct_constants;                /* the same, counting direct reads only */
    uint32_t instructions, texture_instructions; /* instruction slots used in all, and by texture
                                                    instructions */
};

struct vm_program;

/* Reason of a refusal, such as "ps_2_0: r12 is beyond the 12 temporaries, in 'mov r12, c0'". */
struct vm_error {
    size_t token;   /* index of the 32-bit word at fault */
    char text[320]; /* one line, no newline */
};

/* Limits of the device. Programs that exceed them are refused. */
struct vm_limits {
    uint8_t vs_major, ps_major; /* highest model, 0 to 3 */
    bool software;              /* accept *_sw models and their register counts */
    bool strict;  /* also refuse what the documentation forbids although shipped shaders do it */
    bool lenient; /* refuse only what the VM cannot run; for tests and experiments */
};
extern const struct vm_limits vm_limits_hardware, vm_limits_software, vm_limits_lenient;

/* Decodes and validates a token stream of at most n words; the end token may end it earlier. On
 * success the caller owns *out. Returns ST_INVALID with *error filled, or ST_NOMEM. error may be
 * NULL. */
MUST_CHECK enum status vm_program_create(struct vm_program **out, const uint32_t *tokens, size_t n,
                                         const struct vm_limits *limits, struct vm_error *error);
void vm_program_destroy(struct vm_program *program); /* NULL is allowed */
const struct vm_info *vm_program_info(const struct vm_program *program);
/* The byte code, n words; NULL for built programs. *software: validated against software limits. */
const uint32_t *vm_program_tokens(const struct vm_program *program, size_t *n, bool *software);
/* Identifier of the program, unique within the process; never 0. */
uint64_t vm_program_id(const struct vm_program *program);
/* Incremental validator: applies the same rules to a program that arrives token by token: the
 * version, then each instruction with its operands, up to the end token. Returns ST_INVALID with
 * *error filled for each refused instruction, and still checks those that follow. With the end
 * token it checks the rules that need the whole program (blocks, results, slots), unless it has
 * refused an instruction before. */
struct vm_validator;
MUST_CHECK enum status vm_validator_create(struct vm_validator **out, uint32_t version,
                                           const struct vm_limits *limits, struct vm_error *error);
void vm_validator_destroy(struct vm_validator *validator); /* NULL is allowed */
MUST_CHECK enum status vm_validator_instruction(struct vm_validator *validator,
                                                const uint32_t *words, size_t n,
                                                struct vm_error *error);
bool vm_validator_is_complete(const struct vm_validator *validator); /* has seen the end token */
/* Number of words including the end token; 0 if n words hold no end token or hold a word that
 * cannot be skipped. */
size_t vm_token_count(const uint32_t *tokens, size_t n);

/* --- Text ------------------------------------------------------------------------------------- */

/* Input of the assembler besides the text. */
struct vm_asm_define {
    const char *name, *value;
};
struct vm_asm_source {
    const struct vm_asm_define *define; /* #define name value */
    unsigned n_defines;
    /* Returns the text of an #include and its path. The path serves messages and becomes `from` of
     * nested includes; `from` is NULL in the outermost text. Both strings come from util/alloc.h,
     * and the assembler frees them. May be NULL. */
    enum status (*include)(void *ctx, const char *from, const char *name, char **text, char **path);
    void *ctx;
};

/* The functions allocate *out with util/alloc.h; the caller frees it. Errors name line and column
 * in their text. */
MUST_CHECK enum status vm_assemble(uint32_t **out, size_t *n_words, const char *text,
                                   struct vm_error *error);
MUST_CHECK enum status vm_assemble_source(uint32_t **out, size_t *n_words, const char *text,
                                          const struct vm_asm_source *source, /* may be NULL */
                                          struct vm_error *error);
MUST_CHECK enum status vm_disassemble(char **out, const uint32_t *tokens, size_t n,
                                      struct vm_error *error);
/* Writes comments in a form that vm_assemble restores, so that assembling gives the same words. */
MUST_CHECK enum status vm_disassemble_exact(char **out, const uint32_t *tokens, size_t n,
                                            struct vm_error *error);
/* Disassembles any program, built ones included. */
MUST_CHECK enum status vm_program_text(char **out, const struct vm_program *program);
/* Disassembles one instruction, numbered as in vm_step; ST_INVALID beyond the last. */
MUST_CHECK enum status vm_instr_text(char **out, const struct vm_program *program, uint32_t instr);
/* Name of a register as programs write it: "r3", "oPos", "c4097". */
enum { VM_REGISTER_TEXT = 12 };
void vm_register_text(char text[VM_REGISTER_TEXT], unsigned file, unsigned index);
/* Name of a usage in declarations, such as "texcoord"; NULL for usages that declarations cannot
 * have. */
const char *vm_usage_text(unsigned usage);

/* --- Lowering and running --------------------------------------------------------------------- */

/* Compile options. Zero the structure first: pipeline keys compare it as bytes. */
struct vm_options {
    uint64_t live_outputs;   /* bit per vm_info.output entry; code for the others is eliminated */
    uint8_t ieee;            /* 1: 0 * inf is NaN as in IEEE 754; 0: D3D9 rule
                                (reference: numbers/zero-rule) */
    uint8_t projected[8];    /* ps_1_1 … 1_3 `tex` on stage n: divide by component 2, 3 or 4; 0: no
                                division */
    uint8_t interpret;       /* 1: interpret the IR, make no machine code */
    uint8_t single_step;     /* 1: code calls vm_batch.step_hook after every instruction. It keeps
                                all outputs, is slow, and must not outlive its program */
};

struct vm_code;
MUST_CHECK enum status vm_code_create(struct vm_code **out, const struct vm_program *program,
                                      const struct vm_options *options);
void vm_code_destroy(struct vm_code *code); /* NULL is allowed */

/* Constant registers of a draw. The program's def/defi/defb override them. Counts may be smaller
 * than what the program reads: the rest reads as 0. */
struct vm_constants {
    const float (*f)[4];
    const int32_t (*i)[4];
    const int32_t *b;          /* nonzero = true */
    const float (*system)[4];  /* ps_1_x bump environment, see VM_SYSTEM_* */
    unsigned n_f, n_i, n_b, n_system;
};
/* system[VM_SYSTEM_BUMP_MATRIX + stage] = M00, M01, M10, M11;
 * system[VM_SYSTEM_BUMP_LUMINANCE + stage] = scale, offset, 0, 0. Stages 0 to 7. */
enum { VM_SYSTEM_BUMP_MATRIX = 0, VM_SYSTEM_BUMP_LUMINANCE = 8, VM_SYSTEM_COUNT = 16 };

/* Uniforms: the constants of one draw in the layout that code reads, with all constant expressions
 * evaluated. The caller owns `uniforms`: vm_code_uniform_bytes, 64-byte aligned. Later changes of
 * the constants have no effect on them. */
size_t vm_code_uniform_bytes(const struct vm_code *code);
void vm_code_fill_uniforms(const struct vm_code *code, const struct vm_constants *constants,
                           void *uniforms);

typedef void vm_sample_fn(void *ctx, const struct sample *sample);
/* Samples n textures for consecutive texture instructions with the same coordinates, LOD, gradients
 * and lanes. */
enum { VM_MAX_SAMPLER_GROUP = 4 };
typedef void vm_sample_group_fn(void *ctx, const struct sample *samples, unsigned n);

/* Report of code compiled with vm_options.single_step: instructions first … last have run. One
 * exception: if the last is a flow instruction other than else, endif or label, it has yet to run.
 * Usually first equals last. They differ where several instructions write together (co-issue, rows
 * of a texture matrix). Instructions that no lane runs are not reported. */
struct vm_step {
    uint32_t first, last;
    uint64_t lanes;           /* active lanes */
    uint64_t killed;          /* lanes killed so far */
    const struct vm_dst *dst; /* destination of the last instruction; file VM_FILE_NONE: no
                                 destination */
    const void *state;        /* for vm_step_register */
};
typedef void vm_step_fn(void *ctx, const struct vm_step *step);
/* Reads the present value of a register component: temporaries, ps_1_x t#, a0, aL (component 0), p0
 * (0 or 1) and outputs. False if the program has no such component. */
bool vm_step_register(const struct vm_step *step, unsigned file, unsigned reg, unsigned component,
                      unsigned lane, float *value);

/* Code whose results are the components of one texel, each optionally multiplied by one factor and
 * saturated. */
struct vm_modulate {
    uint8_t sampler;
    uint16_t coord[2];   /* input slots of u and v; the LOD is implicit */
    int16_t slot[4];     /* output slots of r, g, b, a */
    int16_t factor[4];   /* input slots, or -1 */
    int32_t constant[4]; /* for vm_uniform_value, or -1 */
};
bool vm_code_match_modulate(const struct vm_code *code, struct vm_modulate *out);
float vm_uniform_value(const void *uniforms, int32_t offset);

/* Finds the u and v coordinates of all implicit-LOD samples of one sampler, as a bit set of input
 * slots. False if a coordinate is not an unmodified input, or the LOD is biased. */
bool vm_code_implicit_lod_inputs(const struct vm_code *code, unsigned sampler, uint64_t *slots);

/* True for short code: few instances of IR instructions, no textures, no flow control. */
bool vm_code_is_cheap(const struct vm_code *code);

/* Code whose four output slots are inputs, optionally multiplied by a constant, or constants. */
struct vm_scaled_inputs {
    int16_t input[4];    /* input slots, or -1 */
    int32_t constant[4]; /* for vm_uniform_value, or -1 */
    bool saturated;      /* either all four or none saturate */
};
bool vm_code_match_scaled_inputs(const struct vm_code *code, const int16_t slot[4],
                                 struct vm_scaled_inputs *out);

/* One batch. `work` is vm_code_work_bytes of 64-byte aligned memory. Before vm_run the caller puts
 * input slot s at (float *)work + s * VM_LANES; afterwards output slot s is at
 * vm_code_outputs(code, work) + s * VM_LANES. vm_run preserves the inputs. Outputs that the program
 * does not write are 0. Outputs outside vm_options.live_outputs are undefined. */
struct vm_batch {
    void *work;
    const void *uniforms;
    uint64_t lanes;  /* lanes that count for branches and sampling; includes helper lanes */
    uint64_t killed; /* result: lanes that texkill removed */
    vm_sample_fn *sample;
    vm_sample_group_fn *sample_group; /* NULL: sample is called for each texture */
    void *sample_ctx;
    vm_step_fn *step_hook; /* may be NULL */
    void *step_ctx;
};
size_t vm_code_work_bytes(const struct vm_code *code);
float *vm_code_outputs(const struct vm_code *code, void *work);
void vm_run(const struct vm_code *code, struct vm_batch *batch);

/* --- Programs built in memory (fixed function) ------------------------------------------------ */

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
    VM_MOD_NONE, VM_MOD_NEG, VM_MOD_BIAS, VM_MOD_BIASNEG, VM_MOD_SIGN, VM_MOD_SIGNNEG,
    VM_MOD_COMP, VM_MOD_X2, VM_MOD_X2NEG, VM_MOD_DZ, VM_MOD_DW, VM_MOD_ABS, VM_MOD_ABSNEG,
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

/* Builds one program of model 3_sw without the limits of the model. The draw sets c0 … c4095, and
 * the number of r# is unlimited. Literals become definitions from c4096 on. They do not count in
 * vm_info.float_constants, and relative addressing cannot reach them. Calls report no errors;
 * vm_builder_finish returns the first error (no memory, bad operand). */
struct vm_builder;
enum { VM_FIRST_LITERAL = 4096 };
MUST_CHECK enum status vm_builder_create(struct vm_builder **out, enum vm_stage stage);
void vm_builder_destroy(struct vm_builder *builder); /* NULL is allowed; not after finish */
/* Destroys the builder in every case. */
MUST_CHECK enum status vm_builder_finish(struct vm_builder *builder, struct vm_program **out);

/* Declares an input or output semantic and returns its register. The same (usage, index) gives the
 * same register again. Outputs of the pixel stage: VM_USAGE_TARGET, VM_USAGE_DEPTH. */
struct vm_src vm_build_input(struct vm_builder *b, enum vm_usage usage, unsigned index);
struct vm_dst vm_build_output(struct vm_builder *b, enum vm_usage usage, unsigned index);
struct vm_src vm_build_sampler(struct vm_builder *b, unsigned number, unsigned kind);
struct vm_src vm_build_temp(struct vm_builder *b); /* a new r# */
struct vm_src vm_build_const(unsigned index);      /* c#, set by the draw */
struct vm_src vm_build_literal(struct vm_builder *b, float x, float y, float z, float w);
struct vm_dst vm_build_address(void); /* a0, for mova */

/* Operand modifiers. Swizzles compose with the operand's own swizzle. */
struct vm_src vm_swizzle(struct vm_src src, unsigned swizzle);
struct vm_src vm_neg(struct vm_src src);
struct vm_src vm_abs(struct vm_src src);
struct vm_src vm_indexed(struct vm_src src, unsigned a0_component); /* c[index + a0.component] */
struct vm_dst vm_to(struct vm_src reg, unsigned mask); /* a register as destination */
struct vm_dst vm_mask(struct vm_dst dst, unsigned mask);
struct vm_dst vm_saturated(struct vm_dst dst);

/* Opcodes are VM_OP_*, see vm/isa.h. The shorter forms omit unused sources. */
void vm_emit1(struct vm_builder *b, unsigned op, struct vm_dst dst, struct vm_src s0);
void vm_emit2(struct vm_builder *b, unsigned op, struct vm_dst dst, struct vm_src s0,
              struct vm_src s1);
void vm_emit3(struct vm_builder *b, unsigned op, struct vm_dst dst, struct vm_src s0,
              struct vm_src s1, struct vm_src s2);
/* projected selects texldp. */
void vm_emit_texld(struct vm_builder *b, struct vm_dst dst, struct vm_src coord,
                   struct vm_src sampler, bool projected);
/* texkill: kills the pixel if a component of the r# or v# is negative. Takes no swizzle or
 * modifier. */
void vm_emit_kill(struct vm_builder *b, struct vm_src reg);

#endif
