/* The corpus: the files of bench/shaders, embedded.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/subject.h"

/* Embeds bench/shaders/NAME.asm with a 0 at its end. The Makefile lists these files as
 * dependencies. */
#define SHADER(name)                                                                               \
    __asm__(".section .rodata\nbench_shader_" #name ":\n.incbin \"bench/shaders/" #name            \
            ".asm\"\n.byte 0\n.previous\n");                                                       \
    extern const char bench_shader_##name[] __asm__("bench_shader_" #name);
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
