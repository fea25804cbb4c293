/* The renderer's floating-point mode: round to nearest even, denormals flushed to zero on input and
 * output, no traps (reference: numbers/denormals). Applications may use another mode, so every
 * entry to the renderer sets it and every exit restores the old one. */
#ifndef UTIL_FPENV_H
#define UTIL_FPENV_H

#include <stdint.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

struct fp_mode {
    uint64_t control;
};

static inline struct fp_mode fp_enter(void)
{
    struct fp_mode old = {0};

#if defined(__SSE2__)
    enum { MASK_ALL = 0x1f80, FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040 };
    old.control = _mm_getcsr();
    _mm_setcsr(MASK_ALL | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
#elif defined(__aarch64__)
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(old.control));
    fpcr = UINT64_C(1) << 24; /* FZ; round to nearest, no traps */
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
#endif
    return old;
}

static inline void fp_leave(struct fp_mode old)
{
#if defined(__SSE2__)
    _mm_setcsr((unsigned)old.control);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(old.control));
#else
    (void)old;
#endif
}

#endif
