/* Fixed amounts of work: a chain that waits for its results, and instructions that wait for
 * nothing.
 *
 * Tested by tests/unit/tool/measure/test_reference.c. */
#include "tool/measure/reference.h"

#include "tool/measure/measure.h"

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define HAS_CPUID 1
#endif

enum { CHAIN_LENGTH = 16, CHAIN_REPEATS = 1000, CHAIN_CYCLES = 3 };
/* With the branch of the loop, a multiple of 4 and 8. */
enum { WIDTH_LENGTH = 126, WIDTH_REPEATS = 400 };

/* The part of the width that a loop reaches at least: 7.2 of 8 on Zen 5, where the part that two
 * threads leave each other is 6.2 at most and 5 mostly. */
#define WIDTH_REACHED 0.86

double reference_chain(void)
{
    double from = measure_now();
#ifdef HAS_CPUID
    unsigned x = 3;

    for (unsigned i = 0; i < CHAIN_REPEATS; i++)
        __asm__ volatile(".rept 16\n\timull %0, %0\n\t.endr" : "+r"(x));
#else
    volatile unsigned x = 3;

    for (unsigned i = 0; i < CHAIN_REPEATS * CHAIN_LENGTH; i++)
        x *= x;
#endif
    return measure_now() - from;
}

double reference_chain_cycles(void)
{
#ifdef HAS_CPUID
    return (double)(CHAIN_CYCLES * CHAIN_LENGTH * CHAIN_REPEATS);
#else
    return 0;
#endif
}

double reference_width(void)
{
    double from = measure_now();

    for (unsigned i = 0; i < WIDTH_REPEATS; i++)
        __asm__ volatile(".rept 126\n\tnop\n\t.endr");
    return measure_now() - from;
}

/* --- What is known of processors -------------------------------------------------------------- */

/* Of the vendors' optimization manuals: the width of rename and dispatch. */
static const struct width {
    char vendor[13];
    unsigned family, model_first, model_last, begins;
} widths[] = {
    {"AuthenticAMD", 0x17, 0x00, 0xff, 5}, /* Zen, Zen+, Zen 2 */
    {"HygonGenuine", 0x18, 0x00, 0xff, 5}, /* Zen */
    {"AuthenticAMD", 0x19, 0x00, 0xff, 6}, /* Zen 3, Zen 4 */
    {"AuthenticAMD", 0x1a, 0x00, 0xff, 8}, /* Zen 5 */
    {"GenuineIntel", 6, 0x3c, 0x3c, 4},    /* Haswell */
    {"GenuineIntel", 6, 0x3f, 0x3f, 4},    /* Haswell, servers */
    {"GenuineIntel", 6, 0x45, 0x47, 4},    /* Haswell, Broadwell */
    {"GenuineIntel", 6, 0x3d, 0x3d, 4},    /* Broadwell */
    {"GenuineIntel", 6, 0x4f, 0x4f, 4},    /* Broadwell, servers */
    {"GenuineIntel", 6, 0x56, 0x56, 4},    /* Broadwell, servers */
    {"GenuineIntel", 6, 0x4e, 0x4e, 4},    /* Skylake */
    {"GenuineIntel", 6, 0x5e, 0x5e, 4},    /* Skylake */
    {"GenuineIntel", 6, 0x55, 0x55, 4},    /* Skylake, Cascade Lake, Cooper Lake: servers */
    {"GenuineIntel", 6, 0x8e, 0x8e, 4},    /* Kaby Lake to Comet Lake */
    {"GenuineIntel", 6, 0x9e, 0x9e, 4},    /* Kaby Lake to Coffee Lake */
    {"GenuineIntel", 6, 0xa5, 0xa6, 4},    /* Comet Lake */
    {"GenuineIntel", 6, 0x6a, 0x6c, 5},    /* Ice Lake, servers */
    {"GenuineIntel", 6, 0x7d, 0x7e, 5},    /* Ice Lake */
    {"GenuineIntel", 6, 0x8c, 0x8d, 5},    /* Tiger Lake */
    {"GenuineIntel", 6, 0xa7, 0xa7, 5},    /* Rocket Lake */
    {"GenuineIntel", 6, 0x8f, 0x8f, 6},    /* Sapphire Rapids */
    {"GenuineIntel", 6, 0xcf, 0xcf, 6},    /* Emerald Rapids */
};

unsigned reference_begins(const char vendor[12], unsigned family, unsigned model)
{
    for (unsigned i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
        if (!memcmp(widths[i].vendor, vendor, 12) && widths[i].family == family &&
            model >= widths[i].model_first && model <= widths[i].model_last)
            return widths[i].begins;
    return 0;
}

#ifdef HAS_CPUID
static unsigned begins_here(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0, family, model;
    char vendor[12];

    if (!__get_cpuid(0, &a, &b, &c, &d))
        return 0;
    memcpy(vendor, &b, 4);
    memcpy(vendor + 4, &d, 4);
    memcpy(vendor + 8, &c, 4);
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    family = a >> 8 & 15;
    model = (a >> 4 & 15) | (a >> 12 & 0xf0);
    return reference_begins(vendor, family == 15 ? family + (a >> 20 & 255) : family, model);
}
#endif

double reference_width_cycles(void)
{
#ifdef HAS_CPUID
    unsigned begins = begins_here();

    return begins ? WIDTH_LENGTH * WIDTH_REPEATS / (begins * WIDTH_REACHED) : 0;
#else
    return 0;
#endif
}
