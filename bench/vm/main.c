/* Shader VM benchmark: vm [options]. docs/vm.md, "Rates", explains the figures.
 *
 * Each figure is the time of one thread over batches whose memory stays in the L1 cache, per
 * instruction set of the machine. The exit status is 1 if a result is wrong: outputs must be
 * bit-identical on all instruction sets and in plain C. */
#include "bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench_options bench_options = {.seconds = 0.1, .shaders = "bench/shaders"};
static bool wrong;

void bench_fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fprintf(stderr, "vm: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    exit(1);
}

void bench_wrong(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fprintf(stderr, "\nvm: WRONG: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    wrong = true;
}

bool bench_wants(const char *group, const char *name)
{
    char full[128];

    snprintf(full, sizeof(full), "%s/%s", group, name);
    return !bench_options.filter || strstr(full, bench_options.filter);
}

bool bench_next_isa(int *isa)
{
    const char *only = bench_options.isa;

    while (++*isa < ISA_COUNT)
        if (cpu_has_isa((enum cpu_isa) * isa) &&
            (!only || !strcmp(only, cpu_isa_name((enum cpu_isa) * isa))) &&
            !cpu_set_isa((enum cpu_isa) * isa))
            return true;
    return false;
}

static void usage(void)
{
    printf("vm [options]\n"
           "  --seconds S     time per row and instruction set, default 0.1\n"
           "  --isa NAME      run only this instruction set: scalar, sse2, neon, avx2, avx512\n"
           "  --interpret     interpret the IR, without the JIT\n"
           "  --filter TEXT   run only rows whose group/name contains TEXT; groups: row, shader,\n"
           "                  capture, sampler, flow, plain\n"
           "  --shaders DIR   shader corpus, default bench/shaders\n"
           "  --captures DIR  also run shaders of the captures in this folder\n"
           "  --json FILE     write the results to FILE\n"
           "  --against FILE  compare with the results of an earlier run\n");
}

static void parse(int argc, char **argv)
{
    const struct {
        const char *name;
        const char **value;
    } texts[] = {{"--isa", &bench_options.isa},         {"--filter", &bench_options.filter},
                 {"--shaders", &bench_options.shaders}, {"--captures", &bench_options.captures},
                 {"--json", &bench_options.json},       {"--against", &bench_options.against}};
    int isa = -1;

    for (int i = 1; i < argc; i++) {
        bool known = false;

        if (!strcmp(argv[i], "--help")) {
            usage();
            exit(0);
        }
        if (!strcmp(argv[i], "--interpret")) {
            bench_options.interpret = true;
            continue;
        }
        if (i + 1 < argc && !strcmp(argv[i], "--seconds")) {
            bench_options.seconds = atof(argv[++i]);
            continue;
        }
        for (unsigned t = 0; !known && t < sizeof(texts) / sizeof(texts[0]); t++)
            if (i + 1 < argc && !strcmp(argv[i], texts[t].name)) {
                *texts[t].value = argv[++i];
                known = true;
            }
        if (!known)
            bench_fail("unknown option '%s', or its value is missing; see --help", argv[i]);
    }
    if (!bench_next_isa(&isa))
        bench_fail("this machine has no instruction set '%s'", bench_options.isa);
}

int main(int argc, char **argv)
{
    parse(argc, argv);
    standin_init();
    bench_ceiling();
    bench_rows();
    bench_flow();
    bench_corpus();
    if (bench_options.captures)
        bench_captures();
    bench_samplers();
    bench_yardsticks();
    if (bench_options.json)
        report_write(bench_options.json);
    if (bench_options.against)
        report_compare(bench_options.against);
    return wrong;
}
