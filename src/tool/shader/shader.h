/* Shaders on the command line: assembler, disassembler, and runs of a shader with a trace of its
 * instructions. */
#ifndef TOOL_SHADER_SHADER_H
#define TOOL_SHADER_SHADER_H

#include "vm/vm.h"

#include <stdio.h>

int tool_asm(int argc, char **argv);
int tool_dis(int argc, char **argv);
int tool_run_shader(int argc, char **argv);

/* --- Byte code: dis.c ------------------------------------------------------------------------- */

enum tool_shader_check { TOOL_SHADER_ANY, TOOL_SHADER_DEVICE, TOOL_SHADER_STRICT };
/* Converts little-endian byte code to words in place. Returns the number of words. */
size_t tool_shader_words(uint8_t *bytes, size_t n);
/* Whether a device accepts the byte code; if not, *error explains. */
bool tool_shader_is_good(const uint32_t *words, size_t n, enum tool_shader_check check,
                         struct vm_error *error);

/* --- Trace of instructions: run_trace.c, run_value.c ------------------------------------------ */

/* Prints "0.5", or with `hex` "3f000000". */
void run_print_float(FILE *out, float x, bool hex);

enum { RUN_REGISTERS = 256 };

struct run_trace {
    const struct vm_program *program;
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
