/* Shader VM benchmark. docs/vm.md, "Rates", explains the figures.
 *
 * Each figure is the time of one thread over batches whose memory stays in the L1 cache, per
 * instruction set of the machine. The exit status is 1 if a result is wrong: outputs must be
 * bit-identical on all instruction sets and in plain C. */
#include "bench.h"

#include "tool/cli/cli.h"

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

/* Returns an exit code, or a negative number to continue. */
static int parse(int argc, char **argv)
{
    struct bench_options *o = &bench_options;
    const struct tool_option options[] = {
        {"--seconds", "S", "time per row and instruction set (default: 0.1)", OPT_REAL,
         &o->seconds},
        {"--isa", "NAME", "only this instruction set: scalar, sse2, neon, avx2 or avx512", OPT_TEXT,
         &o->isa},
        {"--interpret", NULL, "interpret the IR, without the JIT", OPT_FLAG, &o->interpret},
        {"--filter", "TEXT", "only rows whose GROUP/NAME contains TEXT", OPT_TEXT, &o->filter},
        {"--shaders", "DIR", "shader corpus (default: bench/shaders)", OPT_TEXT, &o->shaders},
        {"--captures", "DIR", "also run shaders of the captures in this folder", OPT_TEXT,
         &o->captures},
        {"--json", "FILE", "write the results to FILE", OPT_TEXT, &o->json},
        {"--against", "FILE", "compare with the results of an earlier run", OPT_TEXT, &o->against},
    };
    const struct tool_usage usage = {
        .line = "[options]",
        .text = "Measures the shader machine on one thread, in ns a lane. Groups of rows: row, "
                "shader,\ncapture, sampler, flow, plain. The exit code is 1 if results differ "
                "between\ninstruction sets or from plain C.",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    int isa = -1, code;

    tool_set_program("vm");
    code = tool_parse(&usage, argc, argv, NULL);
    if (code < 0 && !bench_next_isa(&isa))
        return tool_error("", "this machine has no instruction set '%s'", o->isa);
    return code;
}

int main(int argc, char **argv)
{
    int code = parse(argc, argv);

    if (code >= 0)
        return code;
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
