/* `novem --version`: versions, instruction set, threads and build.
 *
 * Tested by tests/tool/help.sh. */
#include "tool/help/help.h"

#include "api/api.h"
#include "util/cpu.h"
#include "util/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* scripts/dist.mk sets it where git knows the commit. */
#ifndef NOVEM_COMMIT
#define NOVEM_COMMIT ""
#endif
#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif
#if defined(__x86_64__)
#define MACHINE "x86_64"
#elif defined(__aarch64__)
#define MACHINE "aarch64"
#else
#define MACHINE "another processor"
#endif

/* Threads that render, by the setting THREADS. */
static unsigned long threads(void)
{
    struct api_setting setting;
    unsigned long n = 0;

    for (unsigned i = 0; api_setting(i, &setting); i++)
        if (!strcmp(setting.name, "THREADS") && setting.value)
            n = strtoul(setting.value, NULL, 0);
    return n ? n : cpu_count();
}

const char *tool_build_text(void)
{
    return NOVEM_COMMIT[0] ? COMPILER ", " MACHINE ", commit " NOVEM_COMMIT : COMPILER ", " MACHINE;
}

int tool_print_version(void)
{
    unsigned long count = threads(); /* reads the settings, SIMD among them */

    printf("novem %s\nnumerics %s\ninstruction set %s\nthreads %lu\nbuild %s\n", version_text(),
           NOVEM_NUMERICS, cpu_isa_name(cpu_isa()), count, tool_build_text());
    return TOOL_OK;
}
