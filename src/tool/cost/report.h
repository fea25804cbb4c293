/* What a shader costs: figures of the whole and of each instruction, and their texts. */
#ifndef TOOL_COST_REPORT_H
#define TOOL_COST_REPORT_H

#include "tool/cost/tally.h"
#include "util/cpu.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Of the whole, a lane unless it says otherwise. Negative: not known on this system. */
struct cost_line {
    char *text;    /* disassembly */
    char *file;    /* of the source; NULL: the shader's own, or there is no line */
    unsigned line; /* 0: not known */
    bool assembly; /* the line is one of assembly */
    struct vm_instr_operations operations;
    double share; /* of the time, 0 to 1, or negative */
    double ns, cycles;
    double instructions; /* machine instructions */
};

struct cost_report {
    const char *path;
    char model[16];
    enum cpu_isa isa;
    bool pixel, compiled;
    uint32_t lanes;
    struct measure_result time; /* a run of all lanes */
    double ns, cycles;
    double instructions; /* machine instructions, counted one by one */
    uint64_t samples;    /* that the shares come from; runs, if the shader is interpreted */
    struct vm_budget budget;
    struct vm_path shortest, longest;
    size_t code_bytes;
    uint32_t spills;
    struct cost_line *line, rest; /* rest: entering and leaving the code */
    uint32_t n_lines;
    /* For the listing of the machine code. */
    struct cost_machine machine;
    struct cost_tally steps, hits;
};

/* Measures for about `seconds`. Returns TOOL_OK, or TOOL_ERROR after an error message;
 * cost_report_fini in either case. */
int cost_report_make(struct cost_report *out, struct cost_job *job, double seconds);
void cost_report_fini(struct cost_report *report);

/* print.c. The table has a line for each shader, in the given order. */
void cost_print(const struct cost_report *report, FILE *out);
void cost_print_table(const struct cost_report *const *report, size_t n, FILE *out);
void cost_print_csv(const struct cost_report *const *report, size_t n, FILE *out);

/* machine.c: the machine code with symbols, the numbers of the instructions. */
bool cost_print_machine(const struct cost_report *report, FILE *out);

/* json.c. NULL: no memory. */
cJSON *cost_json(const struct cost_report *const *report, size_t n);

/* compare.c: prints how the shaders differ from `base`, what cost_json made. Returns TOOL_OK,
 * TOOL_DIFFERS if a shader costs more by more than `tolerance` (0.05: 5 %), or TOOL_ERROR after an
 * error message. */
int cost_compare(const char *command, const char *base, const struct cost_report *const *report,
                 size_t n, double tolerance, FILE *out);

#endif
