/* How the types of Direct3D become values of a capture: numbers with names, structs, arrays. */
#ifndef RECORD_TYPES_H
#define RECORD_TYPES_H

#include <d3d9.h>

#include <stdint.h>
#include <string.h>

enum record_shape {
    SHAPE_UINT,
    SHAPE_SINT,
    SHAPE_FLOAT,
    SHAPE_ADDRESS, /* of an object, a handle, memory */
    SHAPE_ENUM,
    SHAPE_BITMASK,
    SHAPE_STRUCT,
    SHAPE_ARRAY,
    SHAPE_TEXT, /* characters, a NUL after them unless all are used */
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

/* A signature is written with the first value of a capture; epoch and id say in which. */
struct record_type {
    enum record_shape shape;
    unsigned size;    /* in memory */
    const char *name; /* of a struct */
    union {
        const struct record_name *names;
        const struct record_member *members;
        struct record_type *of;
    };
    unsigned count; /* of any of them */
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

/* What lies in 1 to 8 bytes. Written out by size: a number that is put together in memory would
 * have to wait for its own store. */
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

/* The type of a state's value. */
struct record_type *record_render_state(DWORD state);
struct record_type *record_stage_state(DWORD state);
struct record_type *record_sampler_state(DWORD state);

#endif
