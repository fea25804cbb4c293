/* Interface of the parts of `novem run-shader`: inputs, constants and textures of a shader. */
#ifndef TOOL_SHADER_RUN_H
#define TOOL_SHADER_RUN_H

#include "tex/tex.h"
#include "tool/cli/cli.h"
#include "tool/shader/shader.h"
#include "vm/vm.h"

#include <stdio.h>

/* --- run_value.c: "c3=1,2,3,4/5,6,7,8" -------------------------------------------------------- */

enum { RUN_NAME = 24 };

/* Up to four numbers; `n` were given, the others default to 0, 0, 0, 1. */
struct run_vector {
    float x[4];
    unsigned n;
};

/* Copies the part before '=' and returns the part after it; NULL if there is no '='. */
const char *run_split_name(const char *text, char name[RUN_NAME]);
/* Parses comma-separated numbers and advances *text. A number is decimal, C hexadecimal, inf, nan,
 * or the bits of a float as 0x and eight digits. */
bool run_parse_vector(const char **text, struct run_vector *out);
bool run_parse_ints(const char **text, int32_t out[4], unsigned *n);
/* The number of a register such as "c12", or -1. */
int run_register_number(const char *name, char letter);

/* --- run_inputs.c: input registers of the lanes ----------------------------------------------- */

struct run_column {
    char name[RUN_NAME];
    struct run_vector *row;
    uint32_t n, max;
    struct run_vector step[2]; /* per pixel to the right and per pixel down */
};

struct run_inputs {
    struct run_column *column;
    unsigned n, max;
    bool quads;    /* a row holds a 2x2 quad instead of a lane */
    uint32_t rows; /* of the longest column; at least 1 */
    bool quiet;    /* no notes of inputs without a column */
};

/* Both return TOOL_OK, or TOOL_ERROR after an error message. */
int run_inputs_option(struct run_inputs *in, const char *command, const char *text);
int run_inputs_file(struct run_inputs *in, const char *command, const char *path);
/* Checks that every column is an input of the program; reports inputs without a column. */
int run_inputs_check(struct run_inputs *in, const char *command, const struct vm_info *info);
bool run_inputs_has(const struct run_inputs *in, const struct vm_info *info,
                    const struct vm_io *io);
uint32_t run_inputs_lanes(const struct run_inputs *in);
/* Fills the input lane arrays of the work memory for the batch that starts at lane `first`. */
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
    const char *fallback;         /* source of samplers without one; NULL: they are not bound */
    const char *filter, *address; /* words of the command line; NULL: Direct3D's default */
    struct tex_image *image[VM_MAX_SAMPLERS];
    struct tex_sampler sampler[VM_MAX_SAMPLERS]; /* for draw_sample */
};

int run_textures_option(struct run_textures *t, const char *command, const char *text);
int run_textures_open(struct run_textures *t, const char *command, const struct vm_info *info);
void run_textures_fini(struct run_textures *t);

/* --- run_directives.c: values that the command line does not give ----------------------------- */

/* Constants that nobody sets: few shaders do anything useful with zeros. */
void run_constants_defaults(struct run_constants *k);

/* Values that an input takes in the lanes. */
enum { RUN_RANGES = 16 };
struct run_range {
    uint8_t usage, index;
    float low, high;
};

/* What the comments of a shader say. */
struct run_directives {
    struct run_range range[RUN_RANGES];
    unsigned n_ranges;
    unsigned executed; /* instructions that a lane executes; 0: not said */
};
/* Reads `; set c4 0.1 0.2 0.3 1`, `; set i0 8 0 1`, `; set b0 1`, `; range texcoord0 -1 1` and
 * `; executes 80` at the beginnings of lines, also behind //. Returns the first line that begins
 * with such a word and cannot be read, or NULL. */
const char *run_directives_read(struct run_directives *out, struct run_constants *k,
                                const char *text);
/* The range of an input; 0.05 to 1.05 if the comments give none. */
void run_directives_range(const struct run_directives *d, const struct vm_io *io, float *low,
                          float *high);

/* --- run_settings.c: the command line of all of them ------------------------------------------ */

struct run_settings {
    struct tool_list inputs, floats, ints, bools, bumps, textures;
    const char *input_file;
    bool quads;
};

/* Rows of struct tool_option; s: struct run_settings, t: struct run_textures. */
#define RUN_SETTINGS_OPTIONS(s, t)                                                                 \
    {"--input", "REG=ROWS", "an input by register or semantic: v0=1,2,3,4 texcoord1=0.5,0.5",      \
     OPT_LIST, &(s)->inputs},                                                                      \
        {"--inputs", "FILE", "file with a line of input names and a line of vectors per lane",     \
         OPT_TEXT, &(s)->input_file},                                                              \
        {"--quad", NULL, "pixel shaders: a row is a 2x2 quad of lanes", OPT_FLAG, &(s)->quads},    \
        {"--const", "cN=ROWS",                                                                     \
         "float constants: c0=1,2,3,4, or consecutive ones c0=1,0,0,0/0,1,0,0", OPT_LIST,          \
         &(s)->floats},                                                                            \
        {"--int", "iN=X,Y,Z", "an integer constant: count, start and step of a loop", OPT_LIST,    \
         &(s)->ints},                                                                              \
        {"--bool", "bN=0|1", "a boolean constant", OPT_LIST, &(s)->bools},                         \
        {"--texture", "sN=SOURCE", "a PNG file, checker (8 by 8), or solid:r,g,b,a", OPT_LIST,     \
         &(s)->textures},                                                                          \
        {"--filter", "NAME", "point (default) or linear, which also generates mip levels",         \
         OPT_TEXT, &(t)->filter},                                                                  \
        {"--address", "NAME", "wrap (default), mirror or clamp", OPT_TEXT, &(t)->address},         \
    {                                                                                              \
        "--bump", "N=MATRIX", "ps_1_x, stage N: m00,m01,m10,m11 and, after a /, scale,offset",     \
            OPT_LIST, &(s)->bumps                                                                  \
    }

/* Fills inputs, constants and textures, which are zero at first or have their defaults. Returns
 * TOOL_OK, or TOOL_ERROR after an error message. */
int run_settings_apply(const struct run_settings *s, const char *command,
                       const struct vm_info *info, struct run_inputs *in, struct run_constants *k,
                       struct run_textures *tex);

#endif
