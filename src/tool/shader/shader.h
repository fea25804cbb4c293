/* Shaders on the command line: assembler, disassembler, and runs of a shader with a trace of its
 * instructions. */
#ifndef TOOL_SHADER_SHADER_H
#define TOOL_SHADER_SHADER_H

#include "tool/cli/cli.h"
#include "tool/hlsl/hlsl.h"
#include "vm/vm.h"

#include <stdio.h>

int tool_asm(int argc, char **argv);
int tool_dis(int argc, char **argv);
int tool_run_shader(int argc, char **argv);

/* --- Shaders of files: load.c ----------------------------------------------------------------- */

/* What the command line says of a shader's text. Zeroed at first. */
struct tool_shader_options {
    const char *entry, *profile, *technique, *pass; /* HLSL and effects; NULL: not given */
    bool hlsl;                                      /* the file is HLSL, whatever it looks like */
    char stage; /* 'v' or 'p': the shader of a pass, if there is no profile; 0: any */
    struct tool_list defines, folders;
};
/* Rows of a command's table of options. */
#define TOOL_SHADER_OPTIONS(s)                                                                     \
    {"-E", "ENTRY", "HLSL: the function to compile (default main)", OPT_TEXT, &(s).entry},         \
        {"-T", "PROFILE",                                                                          \
         "HLSL: vs_1_1 to ps_3_0; effects: also vs or ps, which shader of a pass", OPT_TEXT,       \
         &(s).profile},                                                                            \
        {"-D", "NAME[=VALUE]", "define a macro", OPT_LIST, &(s).defines},                          \
        {"-I", "FOLDER", "search this folder for #include", OPT_LIST, &(s).folders},               \
        {"--hlsl", NULL, "the file is HLSL, whatever it looks like", OPT_FLAG, &(s).hlsl},         \
        {"--technique", "NAME", "effects: the technique (default: the first)", OPT_TEXT,           \
         &(s).technique},                                                                          \
    {                                                                                              \
        "--pass", "NAME", "effects: the pass (default: the first)", OPT_TEXT, &(s).pass            \
    }

struct tool_shader {
    enum hlsl_kind kind; /* of the file */
    bool compiled;       /* by a compiler of HLSL */
    uint32_t *words;     /* byte code, not validated */
    size_t n;
    /* Lines of the text: of assembly, or of a compiler's debug comment. vm_lines_find with
     * vm_instr_word gives the line of an instruction; its file is NULL for the file itself. */
    struct vm_lines *lines;
};
/* Reads a shader ("-": standard input), recognises its kind by its content, and assembles or
 * compiles it. Prints all errors, and warnings of the compiler. Returns TOOL_OK or TOOL_ERROR.
 * tool_shader_fini frees *out in all cases. */
int tool_shader_load(struct tool_shader *out, const char *command, const char *path,
                     const struct tool_shader_options *options);
void tool_shader_fini(struct tool_shader *shader);
/* Converts little-endian byte code to words in place. Returns the number of words. */
size_t tool_shader_words(uint8_t *bytes, size_t n);

/* --- Errors of a file: errors.c --------------------------------------------------------------- */

enum { TOOL_ERRORS_SHOWN = 20 };

/* Prints the first errors of a file and counts the others. */
struct tool_errors {
    const char *command, *file;
    const struct vm_lines *lines; /* may be NULL: errors of byte code then name words */
    unsigned n;
};
/* An error of the assembler: its text begins with line and column. */
void tool_errors_text(struct tool_errors *errors, const struct vm_error *error);
/* An error of byte code. */
void tool_errors_word(struct tool_errors *errors, const struct vm_error *error);
/* Says how many errors were not shown. Returns TOOL_OK if there were none, else TOOL_ERROR. */
int tool_errors_end(const struct tool_errors *errors);

/* --- Byte code: dis.c ------------------------------------------------------------------------- */

/* DEVICE: the documentation. LIMITS: what devices enforce without STRICT_SHADERS; compilers break
 * documented rules. */
enum tool_shader_check {
    TOOL_SHADER_ANY,
    TOOL_SHADER_DEVICE,
    TOOL_SHADER_STRICT,
    TOOL_SHADER_LIMITS
};
/* Whether a device accepts the byte code; if not, *error explains. */
bool tool_shader_is_good(const uint32_t *words, size_t n, enum tool_shader_check check,
                         struct vm_error *error);
/* The same, with all errors. Returns TOOL_OK or TOOL_ERROR. */
int tool_shader_check(const uint32_t *words, size_t n, enum tool_shader_check check,
                      struct tool_errors *errors);

/* --- Trace of instructions: run_trace.c, run_value.c ------------------------------------------ */

/* Prints "0.5", or with `hex` "3f000000". */
void run_print_float(FILE *out, float x, bool hex);

enum { RUN_REGISTERS = 256 };

struct run_trace {
    const struct vm_program *program;
    const struct vm_lines *lines; /* of its source; may be NULL */
    bool text_lines;              /* print lines of assembly, too */
    struct vm_line line;          /* printed last */
    FILE *out;
    uint32_t first_lane, n_lanes; /* within the batch */
    int only;                     /* the only lane to print; -1: all */
    bool hex;
    uint64_t killed;
    unsigned n;
    struct run_register {
        uint8_t file, present; /* enum vm_file; mask of components */
        uint16_t reg;
        float x[VM_LANES][4]; /* values printed last */
    } shown[RUN_REGISTERS];
};

void run_trace_begin(struct run_trace *t, uint32_t first_lane, uint32_t n_lanes);
vm_step_fn run_trace_step; /* ctx: struct run_trace */

/* --- Registers of a trace: run_registers.c ---------------------------------------------------- */

/* Lists all registers of the program, with the value 0. The first one is aL. */
void run_trace_list(struct run_trace *t, const struct vm_step *step);
/* Whether a lane is in the set, and followed by the trace. */
bool run_trace_wants(const struct run_trace *t, uint64_t lanes, unsigned lane);
/* Stores a register's present value. Returns the components that changed in a followed lane. */
unsigned run_trace_update(const struct run_trace *t, struct run_register *r,
                          const struct vm_step *step);
/* Whether the instruction names the register as its destination. */
bool run_trace_is_destination(const struct run_register *r, const struct vm_step *step);

#endif
