/* Differential fuzz of the pixel pipeline: draws random cases interpreted and compiled, with other
 * instruction sets, thread counts, tiles and orders of tests, each in a process of its own, and
 * compares all memory with that of the plain way.
 *
 *   fuzz_pipeline [--from SEED] [--seconds S] [--failures N]
 *                                    seeds from SEED on (default: 1) for S seconds (10), until N
 * (5) of them differ fuzz_pipeline SEED[-SEED]...                these seeds, in every way
 *   fuzz_pipeline --describe SEED...            what they draw
 *   fuzz_pipeline --kinds                       the ways
 *
 * Code 1: something differs. See pipeline.h. */
#include "pipeline.h"

#include "util/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 120, USAGE = 2 };

/* --- Ways to run ------------------------------------------------------------------------------ */

static const struct way {
    const char *name;
    enum cpu_isa isa;
    bool always; /* otherwise two of them a seed */
    const char *threads, *jit, *tile, *early_z, *packing, *culling, *fast_clear;
} ways[] = {
    {"plain", ISA_SCALAR, true, "1", "off", "64", "off", "off", "off", "off"},
    {"avx2, compiled", ISA_AVX2, true, "2", "eager", "64", "on", "on", "on", "on"},
    {"avx512, compiled", ISA_AVX512, true, "1", "eager", "64", "on", "on", "on", "on"},
    {"neon, compiled", ISA_NEON, true, "2", "eager", "64", "on", "on", "on", "on"},
    {"sse2", ISA_SSE2, false, "1", "off", "64", "on", "on", "on", "on"},
    {"sse2, tiles of 16", ISA_SSE2, false, "3", "off", "16", "on", "on", "on", "on"},
    {"avx2, interpreted", ISA_AVX2, false, "1", "off", "32", "on", "on", "on", "on"},
    {"avx512, interpreted", ISA_AVX512, false, "2", "off", "64", "on", "on", "off", "on"},
    {"avx2, late tests", ISA_AVX2, false, "1", "eager", "64", "off", "on", "on", "on"},
    {"avx512, no packing", ISA_AVX512, false, "3", "on", "64", "on", "off", "on", "on"},
    {"avx2, no culling, no fast clear", ISA_AVX2, false, "1", "on", "64", "on", "on", "off", "off"},
    {"avx512, tiles of 8, nothing else", ISA_AVX512, false, "4", "eager", "8", "off", "off", "off",
     "off"},
    {"scalar, interpreted", ISA_SCALAR, false, "2", "off", "64", "on", "on", "on", "on"},
    {"neon, interpreted", ISA_NEON, false, "2", "off", "64", "on", "on", "on", "on"},
    {"neon, tiles of 8, nothing else", ISA_NEON, false, "4", "eager", "8", "off", "off", "off",
     "off"},
};
enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

static void take_way(const struct way *w)
{
    setenv("NOVEM_SIMD", cpu_isa_name(w->isa), 1);
    setenv("NOVEM_THREADS", w->threads, 1);
    setenv("NOVEM_JIT", w->jit, 1);
    setenv("NOVEM_TILE_SIZE", w->tile, 1);
    setenv("NOVEM_EARLY_Z", w->early_z, 1);
    setenv("NOVEM_FRAGMENT_PACKING", w->packing, 1);
    setenv("NOVEM_CULL_OVERDRAWN", w->culling, 1);
    setenv("NOVEM_FAST_CLEAR", w->fast_clear, 1);
    plain_way = w == ways;
    memory_garbage = (uint8_t)(0x41 + 0x5b * (w - ways));
}

/* Draws in a process of its own. False: it crashed, after a message. */
static bool run(const struct way *w, const struct pipeline_case *c, unsigned n_draws,
                struct result *to)
{
    int code;
    pid_t pid;

    fflush(stdout);
    to->complete = false;
    pid = fork();
    if (!pid) {
        alarm(PATIENCE);
        take_way(w);
        render_case(c, n_draws, to);
        fflush(stdout);
        _exit(0);
    }
    if (pid < 0 || waitpid(pid, &code, 0) != pid) {
        perror("fuzz_pipeline: fork");
        exit(1);
    }
    if (WIFEXITED(code) && !WEXITSTATUS(code) && to->complete)
        return true;
    printf("%s: ", w->name);
    if (WIFSIGNALED(code))
        printf("signal %d (%s)\n", WTERMSIG(code), strsignal(WTERMSIG(code)));
    else
        printf("exit code %d\n", WEXITSTATUS(code));
    return false;
}

/* --- Seeds ------------------------------------------------------------------------------------ */

struct totals {
    unsigned seeds, refused, runs, failures, shaders, refused_shaders;
};

static struct result *plain, *other; /* in shared memory */

/* The first draw that makes the difference. */
static void blame(const struct way *w, const struct pipeline_case *c)
{
    unsigned n = 1;

    for (; n < c->n_draws; n++)
        if (!run(&ways[0], c, n, plain) || !run(w, c, n, other) ||
            !compare_results(plain, other, "after fewer draws"))
            break;
    printf("It takes %u of %u draws, the last of which is:\n", n, c->n_draws);
    case_describe(c, n - 1, n - 1);
    printf("Repeat it with: fuzz_pipeline %u\n", (unsigned)c->seed);
}

static bool run_way(const struct way *w, const struct pipeline_case *c, struct totals *t)
{
    char what[96];

    t->runs++;
    snprintf(what, sizeof(what), "seed %u: %s", (unsigned)c->seed, w->name);
    if (run(w, c, c->n_draws, other) && compare_results(plain, other, what))
        return true;
    blame(w, c);
    return false;
}

static bool takes(const struct way *w, uint32_t seed, bool every)
{
    unsigned others = 0, n = 0;

    if (!cpu_has_isa(w->isa))
        return false;
    if (every || w->always)
        return true;
    for (const struct way *v = ways; v < ways + WAYS; v++) {
        n += v < w && !v->always && cpu_has_isa(v->isa);
        others += !v->always && cpu_has_isa(v->isa);
    }
    seed = ex_hash(seed, 0x576179) % others;
    return seed == n || (seed + others / 2) % others == n;
}

static void run_seed(uint32_t seed, bool every, struct totals *t)
{
    struct pipeline_case c;

    case_make(&c, seed);
    t->seeds++;
    if (!run(&ways[0], &c, c.n_draws, plain)) {
        t->failures++;
        blame(&ways[0], &c);
        return;
    }
    t->refused += plain->refusal[0] != '\0';
    t->shaders += plain->drawn_shaders;
    t->refused_shaders += plain->refused_shaders;
    if (plain->refusal[0] && every)
        printf("seed %u is refused: %s\n", (unsigned)seed, plain->refusal);
    for (unsigned i = 1; i < WAYS && !plain->refusal[0]; i++)
        if (takes(&ways[i], seed, every) && !run_way(&ways[i], &c, t)) {
            t->failures++;
            return;
        }
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- Arguments -------------------------------------------------------------------------------- */

static int usage(void)
{
    fprintf(stderr, "usage: fuzz_pipeline [--from SEED] [--seconds S] [--failures N]\n"
                    "       fuzz_pipeline [--describe] SEED[-SEED]...\n"
                    "       fuzz_pipeline --kinds\n");
    return USAGE;
}

static bool read_number(const char *text, char **end, unsigned long *to)
{
    *to = strtoul(text, end, 10);
    return *text >= '0' && *text <= '9' && *to <= UINT32_MAX;
}

static bool run_range(const char *text, bool describe, struct totals *t)
{
    unsigned long first, last;
    char *end;

    if (!read_number(text, &end, &first))
        return false;
    last = first;
    if (*end == '-' && !read_number(end + 1, &end, &last))
        return false;
    if (*end || last < first)
        return false;
    for (; first <= last; first++) {
        struct pipeline_case c;

        case_make(&c, (uint32_t)first);
        if (describe)
            case_describe(&c, 0, CASE_DRAWS);
        else
            run_seed((uint32_t)first, true, t);
    }
    return true;
}

static unsigned long *find_number(const char *option, unsigned long *seed, unsigned long *seconds,
                                  unsigned long *failures)
{
    return !strcmp(option, "--from")       ? seed
           : !strcmp(option, "--seconds")  ? seconds
           : !strcmp(option, "--failures") ? failures
                                           : NULL;
}

static int finish(const struct totals *t)
{
    printf("%u seeds in %u ways more than the plain one, %u refused; %u of %u random shaders "
           "refused; %u differ\n",
           t->seeds, t->runs, t->refused, t->refused_shaders, t->shaders, t->failures);
    if (t->refused > t->seeds / 2 || t->refused_shaders > t->shaders / 2) {
        printf("The library refuses most of it.\n");
        return 1;
    }
    return t->failures != 0;
}

static void *shared(void)
{
    void *memory = mmap(NULL, sizeof(struct result), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED) {
        perror("fuzz_pipeline");
        exit(1);
    }
    return memory;
}

int main(int argc, char **argv)
{
    struct totals totals = {0};
    unsigned long *number, seed = 1, seconds = 10, failures = 5;
    bool describe = false, given = false;
    char *end;
    double start = now();

    setenv("NOVEM_SINK", "none", 1);
    setenv("NOVEM_LOG", "none", 1);
    setenv("NOVEM_CAPS", "reference", 1); /* W-buffers, dual sources */
    plain = shared();
    other = shared();
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--describe")) {
            describe = true;
        } else if (!strcmp(argv[i], "--kinds") && argc == 2) {
            for (unsigned k = 0; k < WAYS; k++)
                printf("%s%s\n", ways[k].name, cpu_has_isa(ways[k].isa) ? "" : " (not here)");
            return 0;
        } else if (i + 1 < argc && (number = find_number(argv[i], &seed, &seconds, &failures))) {
            if (!read_number(argv[++i], &end, number) || *end)
                return usage();
        } else {
            given = true;
            if (!run_range(argv[i], describe, &totals))
                return usage();
        }
    }
    if (describe && given)
        return 0;
    if (given)
        return finish(&totals);
    if (describe)
        return usage();
    printf("from seed %lu\n", seed);
    for (; now() - start < (double)seconds && totals.failures < failures; seed++)
        run_seed((uint32_t)seed, false, &totals);
    return finish(&totals);
}
