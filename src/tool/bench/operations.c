/* Single kinds of instructions over 12 registers: the time difference between a program with 64
 * instructions and one with 32, so that the surrounding instructions cancel out. Every result is
 * read before it is overwritten, so dead-code elimination removes nothing.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/subject.h"
#include "tool/cli/cli.h"

#include <stdio.h>
#include <string.h>

enum { INSTRUCTIONS = 32, REGISTERS = 12, KINDS = 8 };

/* %d is the destination, %s and %t are other registers; they change from line to line.
 * operations: additions, multiplications, comparisons and selects per component in all lines; 0:
 * not counted. */
static const struct row {
    const char *name;
    unsigned operations;
    const char *lines[KINDS]; /* used in turn */
} rows[] = {
    {"mix of 8, 12 registers",
     44,
     {"mov r%d, r%s.wzyx", "add r%d, r%s, r%t", "mul r%d, r%s, r%t", "mad r%d, r%s, r%t, r%d",
      "dp3 r%d.x, r%s, r%t", "dp4 r%d.w, r%s, r%t", "max r%d, r%s, r%t", "lrp r%d, r%s, r%t, r%d"}},
    {"mix with constants",
     44,
     {"mad r%d, r%s, c1, c1.wzyx", "add r%d, r%s, c3", "mul r%d, r%s, c4.x",
      "mad r%d, r%s, c1.y, r%t", "dp3 r%d.x, r%s, c5", "dp4 r%d.w, r%s, c6", "max r%d, r%s, c7",
      "add r%d, c8, r%s"}},
    {"add", 4, {"add r%d, r%s, r%t"}},
    {"mul", 4, {"mul r%d, r%s, r%t"}},
    {"mul by a constant, in pairs", 4, {"mul r%d, r%s, c1"}},
    {"mad", 8, {"mad r%d, r%s, r%t, r%d"}},
    {"mad, constant", 8, {"mad r%d, r%s, c1, r%t"}},
    {"mad, negated", 8, {"mad r%d, -r%s, r%t, r%d"}},
    {"mul then add", 12, {"mul r%d, r%s, r%t", "mad r%d, r%s, r%t, r%d"}},
    {"mul_sat", 4, {"mul_sat r%d, r%s, r%t"}},
    {"max", 4, {"max r%d, r%s, r%t"}},
    {"cmp", 4, {"cmp r%d, r%s, r%t, r%d"}},
    {"lrp", 12, {"lrp r%d, r%s, r%t, r%d"}},
    {"dp3", 5, {"dp3 r%d.x, r%s, r%t"}},
    {"dp4", 7, {"dp4 r%d.x, r%s, r%t"}},
    {"frc", 0, {"frc r%d, r%s"}},
    {"nrm", 0, {"nrm r%d.xyz, r%s"}},
    {"rcp (one component)", 0, {"rcp r%d.x, r%s.x"}},
    {"rsq (one component)", 0, {"rsq r%d.x, r%s.x"}},
    {"exp (one component)", 0, {"exp r%d.x, r%s.x"}},
    {"log (one component)", 0, {"log r%d.x, r%s.x"}},
    {"pow (one component)", 0, {"pow r%d.x, r%t.x, r%s.x"}},
    {"sincos (two components)", 0, {"sincos r%d.xy, r%s.x"}},
    {"add in a divergent branch", 0, {"if_gt r%s.x, r%t.y\nadd r%d, r%s, r%t\nendif"}},
};
enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

/* The registers rotate, and the register read last is written next: a value lives for 11
 * instructions. */
static size_t expand(char *to, const char *line, unsigned i)
{
    unsigned s = i % REGISTERS, t = (i + (i == 1 ? 11 : 5)) % REGISTERS, d = (i + 11) % REGISTERS;
    size_t n = 0;

    for (; *line; line++) {
        if (*line == '%') {
            line++;
            n += (size_t)sprintf(to + n, "%u", *line == 'd' ? d : *line == 's' ? s : t);
        } else {
            to[n++] = *line;
        }
    }
    to[n++] = '\n';
    to[n] = 0;
    return n;
}

/* All registers start from an input and end in the output. */
static void row_text(char *text, const struct row *row, unsigned instructions)
{
    unsigned kinds = 0;
    size_t n = (size_t)sprintf(text, "ps_3_0\ndcl_texcoord0 v0\ndcl_texcoord1 v1\n");

    while (kinds < KINDS && row->lines[kinds])
        kinds++;
    for (unsigned i = 0; i < REGISTERS; i++)
        n += (size_t)sprintf(text + n, "add r%u, v%u, c%u\n", i, i & 1, i + 9);
    for (unsigned i = 0; i < instructions; i++)
        n += expand(text + n, row->lines[i % kinds], i + 1);
    for (unsigned i = 1; i < REGISTERS; i++)
        n += (size_t)sprintf(text + n, "add r0, r0, r%u\n", i);
    sprintf(text + n, "mov oC0, r0\n");
}

static int add_row(struct bench_subjects *s, const struct row *row)
{
    static char text[16384];
    struct bench_subject *subject = bench_subject_add(s, BENCH_OPERATION, row->name);
    unsigned kinds = 0;
    int code;

    if (!subject)
        return TOOL_ERROR;
    while (kinds < KINDS && row->lines[kinds])
        kinds++;
    subject->difference = true;
    subject->divide = INSTRUCTIONS;
    subject->instructions = 1;
    subject->operations = row->operations / (double)kinds;
    row_text(text, row, 2 * INSTRUCTIONS);
    if ((code = bench_subject_open(s, subject, &subject->job, text)) != TOOL_OK)
        return code;
    row_text(text, row, INSTRUCTIONS);
    return bench_subject_open(s, subject, &subject->beside, text);
}

int bench_add_operations(struct bench_subjects *s)
{
    int code = TOOL_OK;

    for (unsigned r = 0; r < N_ROWS && code == TOOL_OK; r++)
        if (bench_subject_wanted(s, BENCH_OPERATION, rows[r].name))
            code = add_row(s, &rows[r]);
    return code;
}
