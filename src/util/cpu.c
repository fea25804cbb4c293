/* Detects instruction sets and counts processors. */
#include "util/cpu.h"

#include "util/log.h"
#include "util/system.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

static atomic_int chosen = -1;

const char *cpu_isa_name(enum cpu_isa isa)
{
    static const char *const names[ISA_COUNT] = {"scalar", "sse2", "neon", "avx2", "avx512"};

    return names[isa];
}

#if defined(__x86_64__) || defined(__i386__)
#ifdef __APPLE__
/* The system knows what Rosetta translates, and that it enables AVX-512 with the first use, which
 * the processor's own registers hide. Names of hw.optional. */
static bool has(const char *feature)
{
    char name[64];
    int value = 0;
    size_t n = sizeof(value);

    snprintf(name, sizeof(name), "hw.optional.%s", feature);
    return !sysctlbyname(name, &value, &n, NULL, 0) && value;
}
#define HAS(feature, name) has(name)

static bool has_f16c(void)
{
    return has("f16c");
}
#elif defined(NOVEM_STATIC)
/* The compiler that links these programs has no table of features: CPUID tells, and XGETBV whether
 * the system keeps the registers (Intel's manual, volume 1, 13.2 and 14.3). Names of hw.optional.
 */
struct feature {
    const char *name;
    uint8_t leaf, word, bit; /* word: EBX, ECX, EDX */
    uint8_t registers;       /* of XCR0 */
};
enum { EBX, ECX, EDX };
enum { NO_REGISTERS = 0, AVX_REGISTERS = 0x6, AVX512_REGISTERS = 0xe6 };
static const struct feature features[] = {
    {"sse2", 1, EDX, 26, NO_REGISTERS},
    {"fma", 1, ECX, 12, AVX_REGISTERS},
    {"f16c", 1, ECX, 29, AVX_REGISTERS},
    {"avx2_0", 7, EBX, 5, AVX_REGISTERS},
    {"bmi1", 7, EBX, 3, NO_REGISTERS},
    {"bmi2", 7, EBX, 8, NO_REGISTERS},
    {"avx512f", 7, EBX, 16, AVX512_REGISTERS},
    {"avx512dq", 7, EBX, 17, AVX512_REGISTERS},
    {"avx512bw", 7, EBX, 30, AVX512_REGISTERS},
    {"avx512vl", 7, EBX, 31, AVX512_REGISTERS},
    {"avx512vbmi", 7, ECX, 1, AVX512_REGISTERS},
    {"avx512vbmi2", 7, ECX, 6, AVX512_REGISTERS},
    {"avx512vnni", 7, ECX, 11, AVX512_REGISTERS},
};

static unsigned kept_registers(void)
{
    enum { OSXSAVE = 27 };
    unsigned word[3], a, low, high;

    if (!__get_cpuid(1, &a, &word[EBX], &word[ECX], &word[EDX]) || !(word[ECX] >> OSXSAVE & 1))
        return 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool tell(const struct feature *f)
{
    unsigned word[3], a;

    return __get_cpuid_count(f->leaf, 0, &a, &word[EBX], &word[ECX], &word[EDX]) &&
           word[f->word] >> f->bit & 1 && (kept_registers() & f->registers) == f->registers;
}

/* A virtual machine takes microseconds for CPUID, and features are asked for at each draw: they are
 * found once, by any thread. */
static bool has(const char *name)
{
    enum { N = sizeof(features) / sizeof(features[0]), FOUND = 1 << N };
    static atomic_uint known;
    unsigned mask = atomic_load_explicit(&known, memory_order_relaxed);

    for (unsigned i = 0; i < N && !(mask & FOUND); i++)
        mask |= (unsigned)tell(&features[i]) << i;
    atomic_store_explicit(&known, mask | FOUND, memory_order_relaxed);
    for (unsigned i = 0; i < N; i++)
        if (!strcmp(features[i].name, name))
            return mask >> i & 1;
    return false;
}
#define HAS(feature, name) has(name)

static bool has_f16c(void)
{
    return has("f16c");
}
#else
#define HAS(feature, name) (__builtin_cpu_supports(feature) != 0)

/* Some compilers' __builtin_cpu_supports does not know F16C. */
static bool has_f16c(void)
{
    unsigned a, b, c, d;

    return __get_cpuid(1, &a, &b, &c, &d) && c & bit_F16C;
}
#endif

static bool has_bmi(void)
{
    return HAS("bmi", "bmi1") && HAS("bmi2", "bmi2");
}
#endif

int cpu_has_isa(enum cpu_isa isa)
{
    switch (isa) {
    case ISA_SCALAR:
        return 1;
#if defined(__x86_64__) || defined(__i386__)
    case ISA_SSE2:
        return HAS("sse2", "sse2");
    case ISA_AVX2:
        return HAS("avx2", "avx2_0") && HAS("fma", "fma") && has_f16c() && has_bmi();
    case ISA_AVX512:
        return HAS("avx512f", "avx512f") && HAS("avx512bw", "avx512bw") &&
               HAS("avx512dq", "avx512dq") && HAS("avx512vl", "avx512vl") && has_bmi();
#elif defined(__aarch64__)
    case ISA_NEON:
        return 1;
#endif
    default:
        return 0;
    }
}

int cpu_has_avx512_vbmi(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return HAS("avx512vbmi", "avx512vbmi") && HAS("avx512vbmi2", "avx512vbmi2") &&
           HAS("avx512vnni", "avx512vnni");
#else
    return 0;
#endif
}

int cpu_fast_gathers;

__attribute__((constructor)) static void detect_fast_gathers(void)
{
#if defined(__x86_64__) || defined(__i386__)
    unsigned a, b, c, d;

    cpu_fast_gathers = __get_cpuid(0, &a, &b, &c, &d) && b == signature_INTEL_ebx;
#endif
}

static enum cpu_isa best_isa(void)
{
    enum cpu_isa best = ISA_SCALAR;

    for (enum cpu_isa isa = ISA_SCALAR; isa < ISA_COUNT; isa++)
        if (cpu_has_isa(isa))
            best = isa;
    return best;
}

static enum cpu_isa isa_from_environment(void)
{
    const char *name = getenv("NOVEM_SIMD");

    if (!name || !*name)
        return best_isa();
    for (enum cpu_isa isa = ISA_SCALAR; isa < ISA_COUNT; isa++)
        if (!strcmp(name, cpu_isa_name(isa)) && cpu_has_isa(isa))
            return isa;
    log_warn("util", "NOVEM_SIMD=%s is not available here; using %s", name,
             cpu_isa_name(best_isa()));
    return best_isa();
}

enum cpu_isa cpu_isa(void)
{
    int isa = atomic_load_explicit(&chosen, memory_order_relaxed);

    if (isa < 0) {
        isa = (int)isa_from_environment();
        atomic_store_explicit(&chosen, isa, memory_order_relaxed);
    }
    return (enum cpu_isa)isa;
}

enum status cpu_set_isa(enum cpu_isa isa)
{
    if (!cpu_has_isa(isa))
        return ST_UNSUPPORTED;
    atomic_store_explicit(&chosen, (int)isa, memory_order_relaxed);
    return ST_OK;
}

unsigned cpu_count(void)
{
#ifdef _WIN32
    SYSTEM_INFO info;

    GetSystemInfo(&info);
    return info.dwNumberOfProcessors ? info.dwNumberOfProcessors : 1;
#else
    return system_processors();
#endif
}
