/* Parameter tokens: decodes and encodes operand words. */
#include "vm/isa/decode.h"

#include <stdio.h>

enum {
    REG_NUMBER = 0x7ff,
    REG_RELATIVE = 1 << 13,
    REG_RESERVED = 3 << 14,
    DST_SATURATE = 1 << 20,
    DST_PARTIAL = 1 << 21,
    DST_CENTROID = 1 << 22,
    DST_RESERVED = 1 << 23,
    BANK = 2048, /* registers per CONST type */
};

static unsigned type_of_word(uint32_t word)
{
    return ((word >> 28) & 7) | ((word >> 8) & 0x18);
}

/* Types 3 and 6 name different files by stage and version. The four CONST types are banks of one
 * file. */
static unsigned file_of_type(unsigned type, const struct vm_version *version)
{
    bool pixel = version->pixel;

    switch (type) {
    case 0:
        return VM_FILE_TEMP;
    case 1:
        return VM_FILE_INPUT;
    case 2:
    case 11:
    case 12:
    case 13:
        return VM_FILE_CONST;
    case 3:
        return pixel ? VM_FILE_TEXTURE : VM_FILE_ADDR;
    case 4:
        return pixel ? VM_FILE_NONE : VM_FILE_RASTOUT;
    case 5:
        return pixel ? VM_FILE_NONE : VM_FILE_ATTROUT;
    case 6:
        if (pixel)
            return VM_FILE_NONE;
        return version->rank >= VM_RANK_3_0 ? VM_FILE_OUTPUT : VM_FILE_TEXCRDOUT;
    case 7:
        return VM_FILE_CONSTINT;
    case 8:
        return pixel ? VM_FILE_COLOROUT : VM_FILE_NONE;
    case 9:
        return pixel ? VM_FILE_DEPTHOUT : VM_FILE_NONE;
    case 10:
        return VM_FILE_SAMPLER;
    case 14:
        return VM_FILE_CONSTBOOL;
    case 15:
        return VM_FILE_LOOP;
    case 17:
        return pixel ? VM_FILE_MISC : VM_FILE_NONE;
    case 18:
        return VM_FILE_LABEL;
    case 19:
        return VM_FILE_PREDICATE;
    default:
        return VM_FILE_NONE;
    }
}

/* clang-format off */
static const uint8_t type_of_file[] = {
    [VM_FILE_TEMP] = 0,       [VM_FILE_INPUT] = 1,     [VM_FILE_CONST] = 2,
    [VM_FILE_ADDR] = 3,       [VM_FILE_TEXTURE] = 3,   [VM_FILE_RASTOUT] = 4,
    [VM_FILE_ATTROUT] = 5,    [VM_FILE_TEXCRDOUT] = 6, [VM_FILE_OUTPUT] = 6,
    [VM_FILE_CONSTINT] = 7,   [VM_FILE_COLOROUT] = 8,  [VM_FILE_DEPTHOUT] = 9,
    [VM_FILE_SAMPLER] = 10,   [VM_FILE_CONSTBOOL] = 14, [VM_FILE_LOOP] = 15,
    [VM_FILE_MISC] = 17,      [VM_FILE_LABEL] = 18,    [VM_FILE_PREDICATE] = 19,
};
/* clang-format on */

/* The fields that destinations and sources share. */
static const char *register_decode(uint8_t *file, uint16_t *index, uint32_t word,
                                   const struct vm_version *version)
{
    unsigned type = type_of_word(word);

    if (!(word & VM_TOKEN_PARAM))
        return "an operand is missing (bit 31 is clear)";
    if (word & REG_RESERVED)
        return "reserved bits of an operand are set";
    *file = file_of_type(type, version);
    if (*file == VM_FILE_NONE)
        return "a register type does not exist in this version";
    *index = word & REG_NUMBER;
    if (*file == VM_FILE_CONST && type > 2)
        *index += (type - 10) * BANK;
    return NULL;
}

static uint32_t register_encode(unsigned file, unsigned index)
{
    unsigned type = type_of_file[file];

    if (file == VM_FILE_CONST && index >= BANK)
        type = 10 + index / BANK;
    return VM_TOKEN_PARAM | (type & 7) << 28 | (type & 0x18) << 8 | (index & REG_NUMBER);
}

/* Before 2_0 an indexed register has no relative token: a0.x is implied. From 2_0 on the caller
 * reads the token. */
static void relative_implied(uint8_t *file, uint8_t *component, uint32_t word)
{
    *file = word & REG_RELATIVE ? VM_FILE_ADDR : VM_FILE_NONE;
    *component = 0;
}

const char *vm_dst_decode(struct vm_dst *dst, uint32_t word, const struct vm_version *version)
{
    const char *reason = register_decode(&dst->file, &dst->index, word, version);

    if (reason)
        return reason;
    if (word & DST_RESERVED)
        return "reserved bits of a destination are set";
    dst->mask = (word >> 16) & 15;
    dst->saturate = word & DST_SATURATE;
    dst->partial = word & DST_PARTIAL;
    dst->centroid = word & DST_CENTROID;
    dst->shift = (int8_t)(((word >> 24) & 15) ^ 8) - 8; /* four bits, signed */
    relative_implied(&dst->rel_file, &dst->rel_component, word);
    return NULL;
}

const char *vm_src_decode(struct vm_src *src, uint32_t word, const struct vm_version *version)
{
    const char *reason = register_decode(&src->file, &src->index, word, version);

    if (reason)
        return reason;
    src->swizzle = (word >> 16) & 255;
    src->modifier = (word >> 24) & 15;
    if (src->modifier > VM_MOD_NOT)
        return "a source modifier does not exist";
    relative_implied(&src->rel_file, &src->rel_component, word);
    return NULL;
}

const char *vm_relative_decode(uint8_t *file, uint8_t *component, uint32_t word,
                               const struct vm_version *version)
{
    struct vm_src src;
    const char *reason = vm_src_decode(&src, word, version);

    if (reason)
        return reason;
    if ((src.file != VM_FILE_ADDR && src.file != VM_FILE_LOOP) || src.index != 0)
        return "a register is indexed by something other than a0 or aL";
    if (src.modifier != VM_MOD_NONE || src.rel_file != VM_FILE_NONE)
        return "the index of a register has a modifier or an index";
    /* c0[a0] with the full swizzle means a0.x; assemblers accept it. */
    if (src.swizzle != VM_SWZ_XYZW &&
        (src.file == VM_FILE_LOOP || src.swizzle != (src.swizzle & 3) * 0x55))
        return "the index of a register has a swizzle";
    *file = src.file;
    *component = src.file == VM_FILE_LOOP ? 0 : src.swizzle & 3;
    return NULL;
}

uint32_t vm_dst_encode(const struct vm_dst *dst)
{
    return register_encode(dst->file, dst->index) | (uint32_t)dst->mask << 16 |
           (dst->saturate ? DST_SATURATE : 0) | (dst->partial ? DST_PARTIAL : 0) |
           (dst->centroid ? DST_CENTROID : 0) | ((uint32_t)dst->shift & 15) << 24 |
           (dst->rel_file != VM_FILE_NONE ? REG_RELATIVE : 0);
}

uint32_t vm_src_encode(const struct vm_src *src)
{
    return register_encode(src->file, src->index) | (uint32_t)src->swizzle << 16 |
           (uint32_t)src->modifier << 24 | (src->rel_file != VM_FILE_NONE ? REG_RELATIVE : 0);
}

uint32_t vm_relative_encode(uint8_t file, uint8_t component)
{
    unsigned swizzle = file == VM_FILE_LOOP ? VM_SWZ_XYZW : component * 0x55u;

    return register_encode(file, 0) | swizzle << 16;
}
