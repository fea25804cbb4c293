/* The shader machine: byte code of vs_1_1 … ps_3_0 (and programs built in memory) checked, lowered and
 * run over batches of 64 lanes in structure-of-arrays form.
 *
 *   tokens --vm_program_create--> vm_program --vm_code_create--> vm_code --vm_run--> lanes
 *   builder --vm_builder_finish-->
 *
 * Programs and code are immutable once built and may be shared between threads. */
#ifndef VM_VM_H
#define VM_VM_H

#include "util/sample.h"
#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VM_LANES = 64, VM_MAX_INPUTS = 64, VM_MAX_OUTPUTS = 64, VM_MAX_SAMPLERS = 16 };

/* Sizes that are capabilities of the device; programs beyond them are refused. */
enum {
    VM_VS_CONSTANTS = 256,        /* c# of vertex shaders */
    VM_SOFTWARE_CONSTANTS = 8192, /* with software vertex processing */
    VM_TEMPS = 32,                /* r# from 2_x on */
    VM_STATIC_DEPTH = 4,          /* loops in loops, calls in calls */
    VM_DYNAMIC_DEPTH = 24,        /* ifs in ifs */
    VM_PS_2_X_SLOTS = 512,
    VM_SLOTS_3_0 = 32768
};

enum vm_stage { VM_VERTEX, VM_PIXEL };

/* Usages of inputs and outputs: those of D3DDECLUSAGE, same numbers, and the pixel system values. */
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
    VM_USAGE_TARGET = 0x22 /* pixel output: colour of render target `index`; ps_1_x r0 is TARGET 0.
                              The depth output is DEPTH 0 (component x). */
};

/* One declared input or output register (or part of one: vs_3/ps_3 may split a register by masks).
 * For models without declarations the fixed meaning is spelled out: oPos = POSITION0,
 * oFog = FOG0.x, oPts = PSIZE0.x, oD0/oD1 = COLOR0/1, oT# = TEXCOORD#; ps v0/v1 = COLOR0/1, t# = TEXCOORD#.
 * Only registers and components the program uses appear. */
struct vm_io {
    uint8_t usage, index; /* enum vm_usage; usage index */
    uint8_t reg;          /* register number, for the disassembler */
    uint8_t mask;         /* components present: x = 1 … w = 8 */
    bool centroid;        /* pixel input: evaluate inside the covered part (reference: multisample/centroid) */
    int16_t slot[4];      /* where the component's 64 floats lie (see vm_run); -1 where absent */
};

/* What a program needs and gives; valid as long as the program. */
struct vm_info {
    enum vm_stage stage;
    uint8_t major, minor; /* minor 255: software model */
    uint8_t n_inputs, n_outputs;
    struct vm_io input[VM_MAX_INPUTS], output[VM_MAX_OUTPUTS];
    uint16_t n_input_slots, n_output_slots;
    uint32_t samplers;                        /* bit per sampler read */
    uint8_t sampler_kind[VM_MAX_SAMPLERS];    /* declared: 0 unknown, 2 2D, 3 cube, 4 volume */
    bool kills, writes_depth, uses_gradients; /* gradients: dsx, dsy or implicit LOD */
    bool uses_derivatives;                    /* dsx, dsy */
    uint8_t colours;                          /* pixel: bit per colour output written */
    uint16_t float_constants;                 /* highest c# read + 1 (all of them when indexed) */
    uint16_t direct_constants;                /* the same of the numbers in the code alone */
    uint32_t instructions, texture_instructions; /* slots used in all, of texture ops */
};

struct vm_program;

/* Why a program was refused: "ps_2_0: r12 is beyond the 12 temporaries, in 'mov r12, c0'". */
struct vm_error {
    size_t token;   /* index of the 32-bit word at fault */
    char text[320]; /* one line, no newline */
};

/* What the device accepts; a program beyond it is refused. */
struct vm_limits {
    uint8_t vs_major, ps_major; /* highest model, 0 to 3 */
    bool software;              /* *_sw models and their register counts */
    bool strict;  /* refuse also what the documentation forbids and shipped shaders do */
    bool lenient; /* refuse only what the machine cannot run; for tests and experiments */
};
extern const struct vm_limits vm_limits_hardware, vm_limits_software, vm_limits_lenient;

/* Decodes and validates a token stream of at most n words (the end token ends it earlier). On success
 * the caller owns *out. ST_INVALID with *error filled, or ST_NOMEM. error may be NULL. */
MUST_CHECK enum status vm_program_create(struct vm_program **out, const uint32_t *tokens, size_t n,
                                         const struct vm_limits *limits, struct vm_error *error);
void vm_program_destroy(struct vm_program *program); /* NULL is allowed */
const struct vm_info *vm_program_info(const struct vm_program *program);
/* The byte code, n words; NULL of built programs. *software: made under limits of software. */
const uint32_t *vm_program_tokens(const struct vm_program *program, size_t *n, bool *software);
/* A number no other program of this process has; never 0. */
uint64_t vm_program_id(const struct vm_program *program);
/* The same judgement of a program that arrives piece by piece: its version, then its instructions, each
 * with its operands, up to the end token. ST_INVALID with *error filled for each that is refused;
 * those after it are judged all the same. With the end token comes what only the whole program
 * tells (blocks, results, slots), if nothing was refused before. */
struct vm_validator;
MUST_CHECK enum status vm_validator_create(struct vm_validator **out, uint32_t version,
                                           const struct vm_limits *limits, struct vm_error *error);
void vm_validator_destroy(struct vm_validator *validator); /* NULL is allowed */
MUST_CHECK enum status vm_validator_instruction(struct vm_validator *validator,
                                                const uint32_t *words, size_t n,
                                                struct vm_error *error);
bool vm_validator_is_complete(const struct vm_validator *validator); /* the end token has come */
/* Words up to and with the end token; 0 when there is none in n words or a word cannot be skipped.
 */
size_t vm_token_count(const uint32_t *tokens, size_t n);

/* --- Text -------------------------------------------------------------------------------------- */

/* What a text is assembled with. */
struct vm_asm_define {
    const char *name, *value;
};
struct vm_asm_source {
    const struct vm_asm_define *define; /* #define name value */
    unsigned n_defines;
    /* The text of an #include, and where it was found (for messages, and as `from` of its own includes;
     * NULL is the text that is assembled): both by util/alloc.h, the assembler frees them. May be NULL. */
    enum status (*include)(void *ctx, const char *from, const char *name, char **text, char **path);
    void *ctx;
};

/* These allocate *out with util/alloc.h; the caller frees. Errors name line and column in text. */
MUST_CHECK enum status vm_assemble(uint32_t **out, size_t *n_words, const char *text,
                                   struct vm_error *error);
MUST_CHECK enum status vm_assemble_source(uint32_t **out, size_t *n_words, const char *text,
                                          const struct vm_asm_source *source, /* may be NULL */
                                          struct vm_error *error);
MUST_CHECK enum status vm_disassemble(char **out, const uint32_t *tokens, size_t n,
                                      struct vm_error *error);
/* With comments in a form that vm_assemble brings back, so that the same words come out. */
MUST_CHECK enum status vm_disassemble_exact(char **out, const uint32_t *tokens, size_t n,
                                            struct vm_error *error);
/* The text of any program, built ones too. */
MUST_CHECK enum status vm_program_text(char **out, const struct vm_program *program);
/* Of one instruction, as vm_step counts them; ST_INVALID beyond the last. */
MUST_CHECK enum status vm_instr_text(char **out, const struct vm_program *program, uint32_t instr);
/* "r3", "oPos", "c4097": a register as programs write it. */
enum { VM_REGISTER_TEXT = 12 };
void vm_register_text(char text[VM_REGISTER_TEXT], unsigned file, unsigned index);
/* "texcoord" of a usage that declarations may have; NULL for others. */
const char *vm_usage_text(unsigned usage);

/* --- Lowering and running ---------------------------------------------------------------------- */

/* What changes the code of a program; memset to 0 first, compared as bytes in pipeline keys. */
struct vm_options {
    uint64_t live_outputs;   /* bit per vm_info.output entry; the others' work is dropped */
    uint8_t ieee;            /* 1: 0 * inf is NaN as in IEEE; 0: D3D9 (reference: numbers/zero-rule) */
    uint8_t projected[8];    /* ps_1_1 … 1_3 `tex` on stage n: divide by component 2, 3 or 4; 0 not */
    uint8_t interpret;       /* 1: no machine code is made, micro-operations run one by one */
    uint8_t single_step;     /* 1: code that can tell vm_batch.step_hook about every instruction; it
                            keeps     all outputs, is slow, and must not outlive its program */
};

struct vm_code;
MUST_CHECK enum status vm_code_create(struct vm_code **out, const struct vm_program *program,
                                      const struct vm_options *options);
void vm_code_destroy(struct vm_code *code); /* NULL is allowed */

/* The register contents a draw starts with; def/defi/defb of the program go over them. Counts may be
 * smaller than what the program reads: the rest reads as 0. */
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

/* The constants of one draw in the form the code reads, with everything that depends on constants
 * alone already computed. uniforms: vm_code_uniform_bytes, 64-byte aligned, the caller's; later
 * changes of the constants do not touch it. */
size_t vm_code_uniform_bytes(const struct vm_code *code);
void vm_code_fill_uniforms(const struct vm_code *code, const struct vm_constants *constants,
                           void *uniforms);

typedef void vm_sample_fn(void *ctx, const struct sample *sample);
/* The same for n texture instructions in a row that have the same coordinates, level, gradients and lanes. */
enum { VM_MAX_SAMPLER_GROUP = 4 };
typedef void vm_sample_group_fn(void *ctx, const struct sample *samples, unsigned n);

/* What code lowered with vm_options.single_step tells: instructions first … last have run, or will
 * run now if the last is one of flow control (else, endif and label have run). Mostly that is one;
 * it is all of them where several write at once (co-issue, rows of a texture matrix). Nothing is
 * told of instructions that no lane runs. */
struct vm_step {
    uint32_t first, last;
    uint64_t lanes;           /* switched on */
    uint64_t killed;          /* removed up to here */
    const struct vm_dst *dst; /* what the last one writes; VM_FILE_NONE: nothing */
    const void *state;        /* for vm_step_register */
};
typedef void vm_step_fn(void *ctx, const struct vm_step *step);
/* One component of a register as it is now: temporaries, ps_1_x t#, a0, aL (component 0), p0 (0 or 1) and
 * outputs. False for what the program has not. */
bool vm_step_register(const struct vm_step *step, unsigned file, unsigned reg, unsigned component,
                      unsigned lane, float *value);

/* Code whose results are a texel's components, each as it is or times one factor, saturated or not. */
struct vm_modulate {
    uint8_t sampler;
    uint16_t coord[2];   /* input slots of the first two; the level is implicit */
    int16_t slot[4];     /* output slots of r, g, b, a */
    int16_t factor[4];   /* input slots, or -1 */
    int32_t constant[4]; /* for vm_uniform_value, or -1 */
};
bool vm_code_match_modulate(const struct vm_code *code, struct vm_modulate *out);
float vm_uniform_value(const void *uniforms, int32_t offset);

/* The first two coordinates of all textures of one sampler of which levels follow from differences
 * between pixels: input slots, a bit each. False: some are not inputs as they are, or biased. */
bool vm_code_implicit_lod_inputs(const struct vm_code *code, unsigned sampler, uint64_t *slots);

/* Code of few micro-operations, a component each, without textures and flow control. */
bool vm_code_is_cheap(const struct vm_code *code);

/* Code of which four output slots are inputs, each as it is or times a constant, or constants. */
struct vm_scaled_inputs {
    int16_t input[4];    /* input slots, or -1 */
    int32_t constant[4]; /* for vm_uniform_value, or -1 */
    bool saturated;      /* all of them; else none */
};
bool vm_code_match_scaled_inputs(const struct vm_code *code, const int16_t slot[4],
                                 struct vm_scaled_inputs *out);

/* One batch. `work` is vm_code_work_bytes of 64-byte aligned memory: before vm_run the caller puts input
 * slot s at (float *)work + s * VM_LANES; after it output slot s is at vm_code_outputs(code, work) + s *
 * VM_LANES. Inputs are kept. Outputs the program does not write: see docs/reference.md, and 0. */
struct vm_batch {
    void *work;
    const void *uniforms;
    uint64_t lanes;  /* lanes that matter (for branches and sampling); helper pixels included */
    uint64_t killed; /* result: lanes that texkill removed */
    vm_sample_fn *sample;
    vm_sample_group_fn *sample_group; /* NULL: sample is called for each */
    void *sample_ctx;
    vm_step_fn *step_hook; /* may be NULL */
    void *step_ctx;
};
size_t vm_code_work_bytes(const struct vm_code *code);
float *vm_code_outputs(const struct vm_code *code, void *work);
void vm_run(const struct vm_code *code, struct vm_batch *batch);

/* --- Programs built in memory (fixed function) --------------------------------------------------- */

/* Register files, as an instruction names them. */
enum vm_file {
    VM_FILE_TEMP,
    VM_FILE_INPUT,     /* vs v#, ps v# */
    VM_FILE_CONST,     /* c#, all four banks in one numbering */
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
    VM_FILE_SYSTEM, /* vm_constants.system; built and ps_1_x programs only */
    VM_FILE_NONE
};

enum vm_modifier {
    VM_MOD_NONE, VM_MOD_NEG, VM_MOD_BIAS, VM_MOD_BIASNEG, VM_MOD_SIGN, VM_MOD_SIGNNEG,
    VM_MOD_COMP, VM_MOD_X2, VM_MOD_X2NEG, VM_MOD_DZ, VM_MOD_DW, VM_MOD_ABS, VM_MOD_ABSNEG,
    VM_MOD_NOT
};

/* Two bits per component, x first, as in the byte code. */
enum { VM_SWZ_XYZW = 0xe4, VM_SWZ_X = 0x00, VM_SWZ_Y = 0x55, VM_SWZ_Z = 0xaa, VM_SWZ_W = 0xff };
#define VM_SWZ(x, y, z, w) ((x) | (y) << 2 | (z) << 4 | (w) << 6)
enum { VM_MASK_X = 1, VM_MASK_Y = 2, VM_MASK_Z = 4, VM_MASK_W = 8, VM_MASK_XYZ = 7, VM_MASK_ALL = 15 };

struct vm_src {
    uint8_t file, swizzle, modifier;
    uint8_t rel_file, rel_component; /* VM_FILE_ADDR or VM_FILE_LOOP when indexed, else VM_FILE_NONE */
    uint16_t index;
};

struct vm_dst {
    uint8_t file, mask;
    bool saturate, partial, centroid;
    int8_t shift; /* ps_1_x: result times 2^shift */
    uint8_t rel_file, rel_component;
    uint16_t index;
};

/* A builder writes one program as if of model 3_sw without limits: c0 … c4095 for the draw to set and any
 * number of r#. Literals lie above, as definitions, and do not count in vm_info.float_constants; there they are out
 * of the reach of indexed reads. Errors (no memory, a wrong operand) stick and come out at finish. */
struct vm_builder;
enum { VM_FIRST_LITERAL = 4096 };
MUST_CHECK enum status vm_builder_create(struct vm_builder **out, enum vm_stage stage);
void vm_builder_destroy(struct vm_builder *builder); /* NULL is allowed; not after finish */
/* Ends the builder in every case. */
MUST_CHECK enum status vm_builder_finish(struct vm_builder *builder, struct vm_program **out);

/* Declares an input or output semantic and returns its register: a source to read, a destination to write.
 * The same (usage, index) twice gives the same register. Pixel stage outputs: VM_USAGE_TARGET, VM_USAGE_DEPTH. */
struct vm_src vm_build_input(struct vm_builder *b, enum vm_usage usage, unsigned index);
struct vm_dst vm_build_output(struct vm_builder *b, enum vm_usage usage, unsigned index);
struct vm_src vm_build_sampler(struct vm_builder *b, unsigned number, unsigned kind);
struct vm_src vm_build_temp(struct vm_builder *b); /* a fresh r# */
struct vm_src vm_build_const(unsigned index);      /* c#, set by the draw */
struct vm_src vm_build_literal(struct vm_builder *b, float x, float y, float z, float w);
struct vm_dst vm_build_address(void); /* a0, for mova */

/* Operand forms: v.xyz1 etc. Swizzles compose with what the operand already has. */
struct vm_src vm_swizzle(struct vm_src src, unsigned swizzle);
struct vm_src vm_neg(struct vm_src src);
struct vm_src vm_abs(struct vm_src src);
struct vm_src vm_indexed(struct vm_src src, unsigned a0_component); /* c[index + a0.component] */
struct vm_dst vm_to(struct vm_src reg, unsigned mask); /* a register as destination */
struct vm_dst vm_mask(struct vm_dst dst, unsigned mask);
struct vm_dst vm_saturated(struct vm_dst dst);

/* Opcodes are VM_OP_*, see vm/isa.h. Unused sources are omitted through the shorter forms. */
void vm_emit1(struct vm_builder *b, unsigned op, struct vm_dst dst, struct vm_src s0);
void vm_emit2(struct vm_builder *b, unsigned op, struct vm_dst dst, struct vm_src s0, struct vm_src s1);
void vm_emit3(struct vm_builder *b, unsigned op, struct vm_dst dst, struct vm_src s0, struct vm_src s1,
              struct vm_src s2);
/* projected: texldp. */
void vm_emit_texld(struct vm_builder *b, struct vm_dst dst, struct vm_src coord,
                   struct vm_src sampler, bool projected);
/* texkill, the pixel is dropped if a component of the r# or v# is negative; no swizzle or modifier. */
void vm_emit_kill(struct vm_builder *b, struct vm_src reg);

#endif
