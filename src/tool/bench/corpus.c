/* The corpus: the files of bench/shaders, embedded.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/subject.h"

#include "util/embed.h"

/* The Makefile lists these files as dependencies. */
#define SHADER(name) EMBED_TEXT(bench_shader_##name, "bench/shaders/" #name ".asm");
#include "tool/bench/corpus.def"
#undef SHADER

static const struct bench_shader corpus[] = {
#define SHADER(name) {#name, bench_shader_##name},
#include "tool/bench/corpus.def"
#undef SHADER
};

const struct bench_shader *bench_corpus(unsigned n)
{
    return n < sizeof(corpus) / sizeof(corpus[0]) ? &corpus[n] : NULL;
}
