/* Type descriptors of PIX run files, generated from the type tables in src/record.
 *
 * Tested by tests/unit/trace/pix/test_pix.c. */
#include "trace/pix/types.h"

#include <d3d9.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* --- Numbers ---------------------------------------------------------------------------------- */

static const struct pix_type pix_u8 = {.shape = PIX_UINT, .size = 1};
static const struct pix_type pix_u16 = {.shape = PIX_UINT, .size = 2};
const struct pix_type pix_u32 = {.shape = PIX_UINT, .size = 4};
const struct pix_type pix_i32 = {.shape = PIX_SINT, .size = 4};
static const struct pix_type pix_i64 = {.shape = PIX_SINT, .size = 8};
const struct pix_type pix_f32 = {.shape = PIX_FLOAT, .size = 4};
const struct pix_type pix_object = {.shape = PIX_ADDRESS, .size = 4};
const struct pix_type pix_handle = {.shape = PIX_ADDRESS, .size = 4};
const struct pix_type pix_address = {.shape = PIX_ADDRESS, .size = 4};

/* clang-format off */
#define NAMED(kind, type, bytes)                                                                   \
    static const struct trace_names type##_names = {COUNT_OF(type##_list), type##_list};           \
    const struct pix_type pix_##type = {.shape = kind, .size = bytes, .names = &type##_names};
#define ENUM(type) static const struct trace_name type##_list[] = {
#define BITMASK(type) ENUM(type)
#define NAME(value) {#value, value},
#define END_ENUM(type, bytes) }; NAMED(PIX_ENUM, type, bytes)
#define END_BITMASK(type, bytes) }; NAMED(PIX_BITMASK, type, bytes)
#include "record/names.def"

/* --- Structs and arrays ----------------------------------------------------------------------- */

#define ARRAY(type, element, n)                                                                    \
    static const struct pix_type pix_##type = {                                                    \
        .shape = PIX_ARRAY, .of = &pix_##element, .count = n};
ARRAY(bytes8, u8, 8)
ARRAY(row, f32, 4)
ARRAY(matrix, row, 4)
ARRAY(ramp, u16, 256)
static const struct pix_type pix_text32 = {.shape = PIX_TEXT, .size = 32};
static const struct pix_type pix_text512 = {.shape = PIX_TEXT, .size = 512};

#define STRUCT(name) static const char *const name##_members[] = {
#define MEMBER(name, member, kind) #member,
#define END(name) };                                                                               \
    static const struct trace_struct name##_struct = {#name, COUNT_OF(name##_members), name##_members};
#include "record/structs.def"
#undef STRUCT
#undef MEMBER
#undef END

#define STRUCT(name) static const struct pix_type *const name##_kinds[] = {
#define MEMBER(name, member, kind) &pix_##kind,
#define END(name) };                                                                               \
    const struct pix_type pix_##name = {                                                           \
        .shape = PIX_STRUCT, .type = &name##_struct, .members = name##_kinds};
#include "record/structs.def"
/* clang-format on */

unsigned pix_size(const struct pix_type *type)
{
    unsigned size = 0;

    if (type->shape == PIX_ARRAY)
        return type->count * pix_size(type->of);
    if (type->shape != PIX_STRUCT)
        return type->size;
    for (uint32_t i = 0; i < type->type->count; i++)
        size += pix_size(type->members[i]);
    return size;
}
