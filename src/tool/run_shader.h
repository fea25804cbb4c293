/* The parts of `novem run-shader`: what it is given, the machine it runs, what it shows. */
#ifndef TOOL_RUN_SHADER_H
#define TOOL_RUN_SHADER_H

#include "tex/tex.h"
#include "tool/tool.h"
#include "vm/vm.h"

#include <stdio.h>

/* --- run_value.c: "c3=1,2,3,4/5,6,7,8" -------------------------------------------------------- */

enum { RUN_NAME = 24 };

/* Up to four numbers; n of them were given, the rest are 0, 0, 0, 1. */
struct run_vector {
    float x[4];
    unsigned n;
};

/* Copies what stands before '=' and returns what follows, NULL if there is none. */
const char *run_split_name(const char *text, char name[RUN_NAME]);
/* Reads numbers separated by commas and moves *text behind them. A number is decimal, hexadecimal
 * as in C, inf or nan, or 0x and eight digits: the bits of a float. */
bool run_parse_vector(const char **text, struct run_vector *out);
bool run_parse_ints(const char **text, int32_t out[4], unsigned *n);
/* The number of a register named letter and digits ("c12"), or -1. */
int run_register_number(const char *name, char letter);
/* As wanted: "0.5" or "3f000000". */
void run_print_float(FILE *out, float x, bool hex);

/* --- run_inputs.c: the rows of numbers that lanes start with ---------------------------------- */

struct run_column {
    char name[RUN_NAME];
    struct run_vector *row;
    uint32_t n, max;
    struct run_vector step[2]; /* per pixel to the right and down */
};

struct run_inputs {
    struct run_column *column;
    unsigned n, max;
    bool quads;    /* a row is a quad of pixels, not a lane */
    uint32_t rows; /* of the longest column, at least 1 */
};

/* All return TOOL_OK, or TOOL_ERROR after a message. */
int run_inputs_option(struct run_inputs *in, const char *command, const char *text);
int run_inputs_file(struct run_inputs *in, const char *command, const char *path);
/* Every column is an input of the program; says which inputs have no column. */
int run_inputs_check(struct run_inputs *in, const char *command, const struct vm_info *info);
uint32_t run_inputs_lanes(const struct run_inputs *in);
/* One batch from lane `first` on, into the input slots of the work memory. */
void run_inputs_fill(const struct run_inputs *in, const struct vm_info *info, uint32_t first,
                     float *slots);
void run_inputs_fini(struct run_inputs *in);

/* --- run_constants.c -------------------------------------------------------------------------- */

enum { RUN_FLOATS = 8192, RUN_INTS = 2048, RUN_BOOLS = 2048 };

struct run_constants {
    float f[RUN_FLOATS][4], system[VM_SYSTEM_COUNT][4];
    int32_t i[RUN_INTS][4], b[RUN_BOOLS];
};

int run_constants_float(struct run_constants *k, const char *command, const char *text);
int run_constants_int(struct run_constants *k, const char *command, const char *text);
int run_constants_bool(struct run_constants *k, const char *command, const char *text);
int run_constants_bump(struct run_constants *k, const char *command, const char *text);

/* --- run_textures.c --------------------------------------------------------------------------- */

struct run_textures {
    const char *source[VM_MAX_SAMPLERS]; /* "file.png", "checker", "solid:1,0,0,1"; NULL: unbound */
    const char *filter, *address;        /* words of the command line, NULL: D3D's defaults */
    struct tex_image *image[VM_MAX_SAMPLERS];
    struct tex_sampler sampler[VM_MAX_SAMPLERS]; /* for draw_sample */
};

int run_textures_option(struct run_textures *t, const char *command, const char *text);
int run_textures_open(struct run_textures *t, const char *command, const struct vm_info *info);
void run_textures_fini(struct run_textures *t);

/* --- run_trace.c ------------------------------------------------------------------------------ */

enum { RUN_REGISTERS = 256 };

struct run_trace {
    const struct vm_program *program;
    FILE *out;
    uint32_t first_lane, n_lanes; /* of the batch */
    int only;                     /* show this lane alone; -1 all */
    bool hex;
    uint64_t killed;
    unsigned n;
    struct run_register {
        uint8_t file, present; /* enum vm_file; mask of components */
        uint16_t reg;
        float x[VM_LANES][4]; /* as shown last */
    } shown[RUN_REGISTERS];
};

void run_trace_begin(struct run_trace *t, uint32_t first_lane, uint32_t n_lanes);
vm_step_fn run_trace_step; /* ctx: struct run_trace */

#endif
