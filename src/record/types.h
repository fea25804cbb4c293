/* Type descriptors of the recorder: how Direct3D types become capture values (named numbers,
 * structs, arrays). */
#ifndef RECORD_TYPES_H
#define RECORD_TYPES_H

#include <d3d9.h>

#include <stdint.h>
#include <string.h>

enum record_shape {
    SHAPE_UINT,
    SHAPE_SINT,
    SHAPE_FLOAT,
    SHAPE_ADDRESS, /* object, handle or memory address */
    SHAPE_ENUM,
    SHAPE_BITMASK,
    SHAPE_STRUCT,
    SHAPE_ARRAY,
    SHAPE_TEXT, /* characters; NUL-terminated unless the field is full */
};

struct record_name {
    const char *name;
    int64_t value;
};

struct record_member {
    const char *name;
    unsigned offset;
    struct record_type *type;
};

/* A signature is written with the first value of its type in a capture; epoch identifies the
 * capture, id the signature. */
struct record_type {
    enum record_shape shape;
    unsigned size;    /* bytes in memory */
    const char *name; /* struct only */
    union {
        const struct record_name *names;
        const struct record_member *members;
        struct record_type *of;
    };
    unsigned count; /* members, elements or names */
    unsigned epoch, id;
};

#define TYPE(name) extern struct record_type record_##name;
TYPE(u8)
TYPE(u16)
TYPE(u32)
TYPE(u64)
TYPE(i32)
TYPE(i64)
TYPE(f32)
TYPE(object)
TYPE(handle)
TYPE(address)
#include "record/type_names.def"
#undef TYPE

/* Reads 1 to 8 bytes. 4 bytes, the common size, take a branch of their own: a value assembled in
 * memory stalls on store forwarding. */
static inline uint64_t record_bits(const void *at, size_t size)
{
    uint32_t word;
    uint64_t bits = 0;

    if (size == sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        return word;
    }
    memcpy(&bits, at, size);
    return bits;
}

/* Return the value type of a state. */
struct record_type *record_render_state(DWORD state);
struct record_type *record_stage_state(DWORD state);
struct record_type *record_sampler_state(DWORD state);

#endif
