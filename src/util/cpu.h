/* CPU feature detection and selection of the instruction set for kernels. */
#ifndef UTIL_CPU_H
#define UTIL_CPU_H

#include "util/status.h"

/* In order of increasing vector width. Kernels are compiled only for the instruction sets of the
 * build's architecture. */
enum cpu_isa { ISA_SCALAR, ISA_SSE2, ISA_NEON, ISA_AVX2, ISA_AVX512, ISA_COUNT };

const char *cpu_isa_name(enum cpu_isa isa); /* "scalar", "sse2", "neon", "avx2", "avx512" */

/* Returns the instruction set in use: the best of this processor, or the one that NOVEM_SIMD
 * names. */
enum cpu_isa cpu_isa(void);
int cpu_has_isa(enum cpu_isa isa);
/* True if the processor also has byte permutations and dot products (VBMI, VBMI2 and VNNI), which
 * the first AVX-512 processors lack. */
int cpu_has_avx512_vbmi(void);
/* True if AVX-512 gathers are faster than separate loads per lane. They are slower on AMD: on Zen
 * 4, gathering 16 word pairs takes 6.2 ns, loading them 3.6 ns; for 16 words it is 5.8 ns and 3.6
 * ns. Separate loads need their indices in memory. If loads must wait for the store of the indices,
 * they are slower than gathers.
 *
 * A constructor sets this before main runs, so kernels may read it anywhere; tests may change
 * it. */
extern int cpu_fast_gathers;
/* For tests and benchmarks. Returns ST_UNSUPPORTED if the processor lacks the set. It does not
 * affect kernel tables already chosen, so call it before creating anything. */
MUST_CHECK enum status cpu_set_isa(enum cpu_isa isa);

unsigned cpu_count(void); /* number of processors this process may use, at least 1 */

/* One kernel table per instruction set. KERN_PICK(raster_depth_kern) yields a pointer to
 * raster_depth_kern_<isa> for cpu_isa(). KERN_DECLARE(struct type, name) declares the tables. */
#if defined(__x86_64__) || defined(__i386__)
#define KERN_DECLARE(type, name)                                                                   \
    extern const type name##_scalar;                                                               \
    extern const type name##_sse2;                                                                 \
    extern const type name##_avx2;                                                                 \
    extern const type name##_avx512
#define KERN_FOR(name, isa)                                                                        \
    ((isa) == ISA_AVX512 ? &name##_avx512                                                          \
     : (isa) == ISA_AVX2 ? &name##_avx2                                                            \
     : (isa) == ISA_SSE2 ? &name##_sse2                                                            \
                         : &name##_scalar)
#elif defined(__aarch64__)
#define KERN_DECLARE(type, name)                                                                   \
    extern const type name##_scalar;                                                               \
    extern const type name##_neon
#define KERN_FOR(name, isa) ((isa) == ISA_NEON ? &name##_neon : &name##_scalar)
#else
#define KERN_DECLARE(type, name) extern const type name##_scalar
#define KERN_FOR(name, isa) (&name##_scalar)
#endif
#define KERN_PICK(name) KERN_FOR(name, cpu_isa())

/* For a *_kern.c file, which the Makefile compiles with -DISA=<name> -DSIMD_LANES=<n>:
 * const struct raster_depth_kern KERN_NAME(raster_depth_kern) = { … }; */
#define KERN_PASTE2(a, b) a##_##b
#define KERN_PASTE(a, b) KERN_PASTE2(a, b)
#define KERN_NAME(name) KERN_PASTE(name, ISA)
#define KERN_STR2(x) #x
#define KERN_STR(x) KERN_STR2(x)

#endif
