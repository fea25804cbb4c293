/* Register files: the number of registers of each file in each version.
 *
 * Tested by tests/unit/vm/validate/test_validate.c. */
#include "vm/isa/instr.h"

/* clang-format off */
static const struct file_size {
    uint8_t file, pixel, first, last; /* version ranks */
    uint16_t n, n_software;           /* n_software: with software vertex processing */
} file_sizes[] = {
    {VM_FILE_TEMP,      0, 11, 20,   12,   12},
    {VM_FILE_TEMP,      0, 21, 31, VM_TEMPS, VM_TEMPS},
    {VM_FILE_INPUT,     0, 11, 31,   16,   16},
    {VM_FILE_CONST,     0, 11, 31, VM_VS_CONSTANTS, VM_SOFTWARE_CONSTANTS},
    {VM_FILE_ADDR,      0, 11, 31,    1,    1},
    {VM_FILE_RASTOUT,   0, 11, 22,    3,    3},
    {VM_FILE_ATTROUT,   0, 11, 22,    2,    2},
    {VM_FILE_TEXCRDOUT, 0, 11, 22,    8,    8},
    {VM_FILE_OUTPUT,    0, 30, 30,   12,   12},
    {VM_FILE_OUTPUT,    0, 31, 31,   16,   16},
    {VM_FILE_CONSTINT,  0, 20, 31,   16, 2048},
    {VM_FILE_CONSTBOOL, 0, 20, 31,   16, 2048},
    {VM_FILE_LOOP,      0, 20, 31,    1,    1},
    {VM_FILE_PREDICATE, 0, 21, 31,    1,    1},
    {VM_FILE_SAMPLER,   0, 30, 31,    4,    4},
    {VM_FILE_LABEL,     0, 20, 21,   16,   16},
    {VM_FILE_LABEL,     0, 22, 31, VM_LABELS, VM_LABELS},

    {VM_FILE_TEMP,      1, 11, 13,    2,    2},
    {VM_FILE_TEMP,      1, 14, 14,    6,    6},
    {VM_FILE_TEMP,      1, 20, 20,   12,   12},
    {VM_FILE_TEMP,      1, 21, 31, VM_TEMPS, VM_TEMPS},
    {VM_FILE_INPUT,     1, 11, 22,    2,    2},
    {VM_FILE_INPUT,     1, 30, 31,   10,   10},
    {VM_FILE_CONST,     1, 11, 14,    8,    8},
    {VM_FILE_CONST,     1, 20, 21,   32,   32},
    {VM_FILE_CONST,     1, 22, 22, 8192, 8192},
    {VM_FILE_CONST,     1, 30, 30,  224,  224},
    {VM_FILE_CONST,     1, 31, 31, 8192, 8192},
    {VM_FILE_TEXTURE,   1, 11, 13,    4,    4},
    {VM_FILE_TEXTURE,   1, 14, 14,    6,    6},
    {VM_FILE_TEXTURE,   1, 20, 22,    8,    8},
    {VM_FILE_SAMPLER,   1, 20, 31,   16,   16},
    {VM_FILE_CONSTINT,  1, 21, 21,   16,   16},
    {VM_FILE_CONSTINT,  1, 22, 22, 2048, 2048},
    {VM_FILE_CONSTINT,  1, 30, 30,   16,   16},
    {VM_FILE_CONSTINT,  1, 31, 31, 2048, 2048},
    {VM_FILE_CONSTBOOL, 1, 21, 21,   16,   16},
    {VM_FILE_CONSTBOOL, 1, 22, 22, 2048, 2048},
    {VM_FILE_CONSTBOOL, 1, 30, 30,   16,   16},
    {VM_FILE_CONSTBOOL, 1, 31, 31, 2048, 2048},
    {VM_FILE_LOOP,      1, 30, 31,    1,    1},
    {VM_FILE_PREDICATE, 1, 21, 31,    1,    1},
    {VM_FILE_MISC,      1, 30, 31,    2,    2},
    {VM_FILE_COLOROUT,  1, 20, 31,    4,    4},
    {VM_FILE_DEPTHOUT,  1, 20, 31,    1,    1},
    {VM_FILE_LABEL,     1, 21, 21,   16,   16},
    {VM_FILE_LABEL,     1, 22, 31, VM_LABELS, VM_LABELS},
};
/* clang-format on */

unsigned vm_file_size(const struct vm_version *version, bool software, unsigned file)
{
    for (size_t i = 0; i < sizeof(file_sizes) / sizeof(file_sizes[0]); i++) {
        const struct file_size *row = &file_sizes[i];

        if (row->file == file && row->pixel == version->pixel && row->first <= version->rank &&
            version->rank <= row->last)
            return software ? row->n_software : row->n;
    }
    return 0;
}

unsigned vm_file_room(const struct vm_version *version, bool software, unsigned file)
{
    unsigned size = vm_file_size(version, software, file);

    if (file == VM_FILE_TEMP)
        return VM_TEMPS;
    if (file == VM_FILE_LABEL && size)
        return VM_LABELS;
    if (file == VM_FILE_INPUT && version->pixel && version->rank >= VM_RANK_3_0)
        return VM_PS_INPUT_ROOM;
    return size;
}
