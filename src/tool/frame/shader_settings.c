/* Constants of a draw as comments in the text of a shader.
 *
 * Tested by tests/unit/tool/frame/test_shader_costs.c. */
#include "tool/frame/shader_settings.h"

#include "util/alloc.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Registers that `novem bench` can set. */
enum { FLOATS = 256, OTHERS = 16, LINE = 80 };

/* Whether the text names a register, such as "c12". */
static bool names(const char *text, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
        if ((at == text || !isalnum((unsigned char)at[-1])) && !isdigit((unsigned char)at[n]))
            return true;
    return false;
}

static bool is_defined(const struct vm_program *program, uint8_t file, unsigned index)
{
    struct vm_defined defined;

    for (uint32_t n = 0; vm_program_defined(program, n, &defined); n++)
        if (defined.file == file && defined.index == index)
            return true;
    return false;
}

/* Whether more float constants are read than those that the text names: by relative addressing, or
 * by m4x4 and the like, which read several. */
static bool reads_all(const struct vm_program *program, const char *text)
{
    const struct vm_info *info = vm_program_info(program);

    return info->float_constants > info->direct_constants || strstr(text, " m4x") ||
           strstr(text, " m3x");
}

static bool is_read(const struct vm_program *program, const char *text, uint8_t file, char letter,
                    unsigned index)
{
    char name[8];

    snprintf(name, sizeof(name), "%c%u", letter, index);
    return names(text, name) && !is_defined(program, file, index);
}

char *frame_shader_settings(const struct vm_program *program, const char *text,
                            const struct draw_shader_constants *constants)
{
    char *out = mem_calloc(FLOATS + 2 * OTHERS, LINE), *at = out;
    unsigned n = reads_all(program, text) ? vm_program_info(program)->float_constants : 0;

    for (unsigned i = 0; out && i < FLOATS && i < DRAW_VS_FLOATS; i++) {
        const float *f = constants->f[i];

        if (is_read(program, text, VM_FILE_CONST, 'c', i) ||
            (i < n && !is_defined(program, VM_FILE_CONST, i)))
            at += sprintf(at, "; set c%u %.9g %.9g %.9g %.9g\n", i, (double)f[0], (double)f[1],
                          (double)f[2], (double)f[3]);
    }
    for (unsigned i = 0; out && i < OTHERS; i++) {
        const int32_t *x = constants->i[i];

        if (is_read(program, text, VM_FILE_CONSTINT, 'i', i))
            at += sprintf(at, "; set i%u %d %d %d\n", i, (int)x[0], (int)x[1], (int)x[2]);
        if (is_read(program, text, VM_FILE_CONSTBOOL, 'b', i))
            at += sprintf(at, "; set b%u %d\n", i, constants->b[i] != 0);
    }
    return out;
}
