/* The shader machine's rate: nanoseconds a pixel and vec4 instruction, one column an instruction
 * set. vm [--seconds S]    S a row and set, default 0.2
 *
 * Every row runs a program of 32 instructions of one kind (mixes: see below) over batches of 64
 * lanes whose memory stays in the first-level cache. Time is that of the thread, the best of
 * several rounds: other programs only ever make a round slower. */
#include "util/alloc.h"
#include "util/cpu.h"
#include "util/fpenv.h"
#include "vm/vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INSTRUCTIONS = 32, BATCHES = 200, REGISTERS = 12 };

/* %d is the destination, %s and %t other registers; they change from line to line. */
static const struct row {
    const char *name, *lines[8]; /* taken in turn */
} rows[] = {
    {"mix of 8, 12 registers",
     {"mov r%d, r%s.wzyx", "add r%d, r%s, r%t", "mul r%d, r%s, r%t", "mad r%d, r%s, r%t, r%d",
      "dp3 r%d, r%s, r%t", "dp4 r%d, r%s, r%t", "max r%d, r%s, r%t", "lrp r%d, r%s, r%t, r%d"}},
    {"mix with constants",
     {"mad r%d, r%s, c1, c2", "add r%d, r%s, c3", "mul r%d, r%s, c4.x", "mad r%d, r%s, c1.y, r%t",
      "dp3 r%d, r%s, c5", "dp4 r%d, r%s, c6", "max r%d, r%s, c7", "lrp r%d, c8, r%s, r%t"}},
    {"add", {"add r%d, r%s, r%t"}},
    {"mul", {"mul r%d, r%s, r%t"}},
    {"mul by a constant", {"mul r%d, r%s, c1"}},
    {"mad", {"mad r%d, r%s, r%t, r%d"}},
    {"mad, constant", {"mad r%d, r%s, c1, r%t"}},
    {"mad, negated", {"mad r%d, -r%s, r%t, r%d"}},
    {"mul_sat", {"mul_sat r%d, r%s, r%t"}},
    {"max", {"max r%d, r%s, r%t"}},
    {"cmp", {"cmp r%d, r%s, r%t, r%d"}},
    {"lrp", {"lrp r%d, r%s, r%t, r%d"}},
    {"dp3", {"dp3 r%d, r%s, r%t"}},
    {"dp4", {"dp4 r%d, r%s, r%t"}},
    {"frc", {"frc r%d, r%s"}},
    {"nrm", {"nrm r%d, r%s"}},
    {"rcp (one component)", {"rcp r%d.x, r%s.x"}},
    {"rsq (one component)", {"rsq r%d.x, r%s.x"}},
    {"exp (one component)", {"exp r%d.x, r%s.x"}},
    {"log (one component)", {"log r%d.x, r%s.x"}},
    {"pow (one component)", {"pow r%d.x, r%s.x, r%t.x"}},
    {"sincos (two components)", {"sincos r%d.xy, r%s.x"}},
    {"add in a divergent branch", {"if_gt r%s.x, c0.x\nadd r%d, r%s, r%t\nendif"}},
};
enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static size_t expand(char *to, const char *line, unsigned i)
{
    size_t n = 0;
    unsigned s = (i * 5 + 1) % REGISTERS, t = (i * 7 + 3) % REGISTERS, d = (i * 11 + 6) % REGISTERS;

    if (s == d)
        s = (s + 1) % REGISTERS;
    if (t == d || t == s)
        t = (t + 1) % REGISTERS == d || (t + 1) % REGISTERS == s ? (t + 2) % REGISTERS
                                                                 : (t + 1) % REGISTERS;
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

/* All registers start from an input and end in the output, so nothing is dropped. */
static struct vm_program *make(const struct row *row)
{
    static char text[16384];
    struct vm_program *program;
    struct vm_error error;
    uint32_t *tokens;
    unsigned kinds = 0;
    size_t n_tokens, n;

    n = (size_t)sprintf(text, "ps_3_0\ndcl_texcoord0 v0\ndcl_texcoord1 v1\n");
    while (kinds < 8 && row->lines[kinds])
        kinds++;
    for (unsigned i = 0; i < REGISTERS; i++)
        n += (size_t)sprintf(text + n, "add r%u, v%u, c%u\n", i, i & 1, i + 9);
    for (unsigned i = 0; i < INSTRUCTIONS; i++)
        n += expand(text + n, row->lines[i % kinds], i);
    for (unsigned i = 1; i < REGISTERS; i++)
        n += (size_t)sprintf(text + n, "add r0, r0, r%u\n", i);
    sprintf(text + n, "mov oC0, r0\n");
    if (vm_assemble(&tokens, &n_tokens, text, &error) ||
        vm_program_create(&program, tokens, n_tokens, &vm_limits_hardware, &error)) {
        fprintf(stderr, "%s: %s\n%s", row->name, error.text, text);
        exit(1);
    }
    mem_free(tokens);
    return program;
}

static double measure(const struct vm_program *program, double budget)
{
    struct vm_options options = {.wanted_outputs = ~0u};
    float constants[32][4];
    struct vm_constants k = {.f = (const float(*)[4])constants, .n_f = 32};
    struct vm_batch batch = {.lanes = ~UINT64_C(0)};
    struct vm_code *code;
    double best = 1e9, end;
    struct fp_mode mode;

    for (unsigned i = 0; i < 128; i++)
        constants[i / 4][i % 4] = 0.4f + 0.01f * (float)(i % 9);
    if (vm_code_create(&code, program, &options))
        exit(1);
    batch.work = mem_alloc(vm_code_work_bytes(code));
    batch.uniforms = mem_alloc(vm_code_uniform_bytes(code));
    vm_code_fill_uniforms(code, &k, (void *)batch.uniforms);
    for (unsigned i = 0; i < 8 * VM_LANES; i++)
        ((float *)batch.work)[i] = 0.05f + (float)(i * 37 % 64) / 64.0f;
    mode = fp_enter();
    for (end = now() + budget; now() < end;) {
        double start = now(), took;

        for (unsigned i = 0; i < BATCHES; i++)
            vm_run(code, &batch);
        took = now() - start;
        best = took < best ? took : best;
    }
    fp_leave(mode);
    mem_free(batch.work);
    mem_free((void *)batch.uniforms);
    vm_code_destroy(code);
    return best / BATCHES * 1e9 / VM_LANES;
}

int main(int argc, char **argv)
{
    static const struct row nothing = {"", {""}};
    double budget = argc == 3 && !strcmp(argv[1], "--seconds") ? atof(argv[2]) : 0.2;
    struct vm_program *empty = make(&nothing);

    printf("%-28s", "ns / pixel / instruction");
    for (int isa = 0; isa < ISA_COUNT; isa++)
        if (cpu_has_isa((enum cpu_isa)isa))
            printf(" %8s", cpu_isa_name((enum cpu_isa)isa));
    printf("\n");
    for (unsigned r = 0; r < N_ROWS; r++) {
        struct vm_program *program = make(&rows[r]);

        printf("%-28s", rows[r].name);
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            if (!cpu_has_isa((enum cpu_isa)isa) || cpu_set_isa((enum cpu_isa)isa))
                continue;
            printf(" %8.3f", (measure(program, budget) - measure(empty, budget)) / INSTRUCTIONS);
            fflush(stdout);
        }
        printf("\n");
        vm_program_destroy(program);
    }
    vm_program_destroy(empty);
    return 0;
}
