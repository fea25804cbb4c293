/* `novem bench`: the benchmark of the shader machine. */
#ifndef TOOL_BENCH_BENCH_H
#define TOOL_BENCH_BENCH_H

int tool_bench(int argc, char **argv);

#endif
