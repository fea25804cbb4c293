/* Flow control: eight executions of a ten-instruction body, as straight code and under branches,
 * loops and calls.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/subject.h"
#include "tool/cli/cli.h"

#include <stdio.h>
#include <string.h>

enum { BODIES = 8, BODY_INSTRUCTIONS = 10, TEXT_BYTES = 16384 };

/* Six registers carry values from body to body. */
static const char body[] = "mul r0, r0, c1\n"
                           "add r1, r1, r0\n"
                           "mad r2, r1, c2, r2\n"
                           "max r3, r3, r2\n"
                           "mad r0, r3, c3, r0\n"
                           "dp3 r4.x, r0, r1\n"
                           "min r5, r5, r4.x\n"
                           "mul r1, r5, c4\n"
                           "add r2, r2, r1\n"
                           "lrp r3, c5, r2, r3\n";

/* Program text: before, times x (open, body, close), after. The routine is the body if it is
 * called. */
static const struct flow {
    const char *name, *before;
    unsigned times;
    const char *open, *close, *after;
    bool called;
} flows[] = {
    {"straight", "", 8, "", "", "", false},
    {"if b0", "", 8, "if b0\n", "endif\n", "", false},
    {"if b1 else (off)", "", 8, "if b1\nmov r0, c0\nelse\n", "endif\n", "", false},
    {"if, two constants", "", 8, "if_lt c6.x, c6.y\n", "endif\n", "", false},
    {"if, all lanes agree", "", 8, "if_lt v0.x, c7.x\n", "endif\n", "", false},
    {"if, no lane (body not run)", "", 8, "if_gt v0.x, c7.x\n", "endif\n", "", false},
    {"if, lanes differ", "", 8, "if_gt v0.x, v0.y\n", "endif\n", "", false},
    {"if p0", "setp_lt p0, v0.x, c7.x\n", 8, "if p0.x\n", "endif\n", "", false},
    {"rep i0", "rep i0\n", 1, "", "", "endrep\n", false},
    {"loop aL, i0", "loop aL, i0\n", 1, "", "", "endloop\n", false},
    {"rep with break_gt", "rep i0\n", 1, "", "break_gt v0.x, c7.x\n", "endrep\n", false},
    {"rep i1 in rep i2", "rep i2\nrep i1\n", 1, "", "", "endrep\nendrep\n", false},
    {"call", "", 8, "call l0\n", "", "", true},
    {"callnz b0", "", 8, "callnz l0, b0\n", "", "", true},
};
enum { N_FLOWS = sizeof(flows) / sizeof(flows[0]) };

static void flow_text(char *text, const struct flow *flow)
{
    size_t n = (size_t)sprintf(text, "; set b0 1\n; set b1 0\n; set i0 8 0 1\n; set i1 4 0 1\n"
                                     "; set i2 2 0 1\n; set c6 1 9 1 1\n; set c7 9 9 9 9\n"
                                     "ps_3_0\ndcl_texcoord0 v0\ndcl_texcoord1 v1\n");

    for (unsigned i = 0; i < 6; i++)
        n += (size_t)sprintf(text + n, "add r%u, v%u, c%u\n", i, i & 1, i + 9);
    n += (size_t)sprintf(text + n, "%s", flow->before);
    for (unsigned i = 0; i < flow->times; i++)
        n += (size_t)sprintf(text + n, "%s%s%s", flow->open, flow->called ? "" : body, flow->close);
    n += (size_t)sprintf(text + n, "%s", flow->after);
    n += (size_t)sprintf(text + n, "add r0, r0, r1\nadd r2, r2, r3\nadd r0, r0, r2\n"
                                   "add r0, r0, r5\nadd r0, r0, r4.x\nmov oC0, r0\n");
    if (flow->called)
        sprintf(text + n, "ret\nlabel l0\n%sret\n", body);
}

/* The variant is measured in turns with straight code, so that the ratio compares the same
 * moments. */
static int add_flow(struct bench_subjects *s, const struct flow *flow)
{
    static char text[TEXT_BYTES];
    struct bench_subject *subject = bench_subject_add(s, BENCH_FLOW, flow->name);
    int code;

    if (!subject)
        return TOOL_ERROR;
    subject->divide = BODIES;
    subject->instructions = BODY_INSTRUCTIONS;
    flow_text(text, flow);
    if ((code = bench_subject_open(s, subject, &subject->job, text)) != TOOL_OK)
        return code;
    flow_text(text, &flows[0]);
    return bench_subject_open(s, subject, &subject->beside, text);
}

int bench_add_flow(struct bench_subjects *s)
{
    int code = TOOL_OK;

    for (unsigned i = 0; i < N_FLOWS && code == TOOL_OK; i++)
        if (bench_subject_wanted(s, BENCH_FLOW, flows[i].name))
            code = add_flow(s, &flows[i]);
    return code;
}
