/* Detects instruction sets and counts processors. */
#include "util/cpu.h"

#include "util/log.h"
#include "util/system.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
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
enum {
    SSE2,
    FMA,
    F16C,
    AVX2,
    BMI1,
    BMI2,
    AVX512F,
    AVX512DQ,
    AVX512BW,
    AVX512VL,
    AVX512VBMI,
    AVX512VBMI2,
    AVX512VNNI,
    FEATURES
};
#define FEATURE(f) (1u << (f))

#ifdef __APPLE__
/* The system knows what Rosetta translates, and that it enables AVX-512 with the first use, which
 * the processor's own registers hide. */
static bool has_one(unsigned feature)
{
    static const char *const names[FEATURES] = {
        "sse2",     "fma",      "f16c",     "avx2_0",     "bmi1",        "bmi2",      "avx512f",
        "avx512dq", "avx512bw", "avx512vl", "avx512vbmi", "avx512vbmi2", "avx512vnni"};
    char name[64];
    int value = 0;
    size_t n = sizeof(value);

    snprintf(name, sizeof(name), "hw.optional.%s", names[feature]);
    return !sysctlbyname(name, &value, &n, NULL, 0) && value;
}
#else
/* Where CPUID has a feature's bit, and the registers of XCR0 that the system must keep for it
 * (Intel's manual, volume 1, 13.2 and 14.3). Compilers' own tables are not on all systems. */
enum { EBX, ECX, EDX };
enum { AVX_REGISTERS = 0x6, AVX512_REGISTERS = 0xe6 };
static const struct {
    uint8_t leaf, word, bit, registers;
} where[FEATURES] = {
    [SSE2] = {1, EDX, 26, 0},
    [FMA] = {1, ECX, 12, AVX_REGISTERS},
    [F16C] = {1, ECX, 29, AVX_REGISTERS},
    [AVX2] = {7, EBX, 5, AVX_REGISTERS},
    [BMI1] = {7, EBX, 3, 0},
    [BMI2] = {7, EBX, 8, 0},
    [AVX512F] = {7, EBX, 16, AVX512_REGISTERS},
    [AVX512DQ] = {7, EBX, 17, AVX512_REGISTERS},
    [AVX512BW] = {7, EBX, 30, AVX512_REGISTERS},
    [AVX512VL] = {7, EBX, 31, AVX512_REGISTERS},
    [AVX512VBMI] = {7, ECX, 1, AVX512_REGISTERS},
    [AVX512VBMI2] = {7, ECX, 6, AVX512_REGISTERS},
    [AVX512VNNI] = {7, ECX, 11, AVX512_REGISTERS},
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

static bool has_one(unsigned feature)
{
    unsigned word[3], a, registers = where[feature].registers;

    return __get_cpuid_count(where[feature].leaf, 0, &a, &word[EBX], &word[ECX], &word[EDX]) &&
           word[where[feature].word] >> where[feature].bit & 1 &&
           (kept_registers() & registers) == registers;
}
#endif

/* A virtual machine takes microseconds for CPUID, and features are asked for at each draw: they are
 * found once, by any thread. */
static bool has(unsigned wanted)
{
    static atomic_uint known;
    unsigned features = atomic_load_explicit(&known, memory_order_relaxed);

    if (!(features & FEATURE(FEATURES))) {
        for (unsigned f = 0; f < FEATURES; f++)
            features |= has_one(f) ? FEATURE(f) : 0;
        features |= FEATURE(FEATURES);
        atomic_store_explicit(&known, features, memory_order_relaxed);
    }
    return (features & wanted) == wanted;
}

enum {
    BMI = FEATURE(BMI1) | FEATURE(BMI2),
    ALL_AVX2 = FEATURE(AVX2) | FEATURE(FMA) | FEATURE(F16C) | BMI,
    ALL_AVX512 = FEATURE(AVX512F) | FEATURE(AVX512BW) | FEATURE(AVX512DQ) | FEATURE(AVX512VL) | BMI,
    ALL_VBMI = FEATURE(AVX512VBMI) | FEATURE(AVX512VBMI2) | FEATURE(AVX512VNNI),
};
#endif

int cpu_has_isa(enum cpu_isa isa)
{
    switch (isa) {
    case ISA_SCALAR:
        return 1;
#if defined(__x86_64__) || defined(__i386__)
    case ISA_SSE2:
        return has(FEATURE(SSE2));
    case ISA_AVX2:
        return has(ALL_AVX2);
    case ISA_AVX512:
        return has(ALL_AVX512);
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
    return has(ALL_VBMI);
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
