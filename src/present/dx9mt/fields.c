/* Field tables of dx9mt's frame file, for its reader and its writer.
 *
 * Tested by tests/unit/trace/dx9mt/test_read.c. */
#include "present/dx9mt/dx9mt.h"

#define FIELD(s, type, name, n, value) {s, sizeof(dx9mt_##type), n, AT(name), ABSENT_##type(value)},
#define ABSENT_u16(value)                                                                          \
    {                                                                                              \
        .number = value                                                                            \
    }
#define ABSENT_u32(value)                                                                          \
    {                                                                                              \
        .number = value                                                                            \
    }
#define ABSENT_i32(value)                                                                          \
    {                                                                                              \
        .number = value                                                                            \
    }
#define ABSENT_f32(value)                                                                          \
    {                                                                                              \
        .real = value                                                                              \
    }

static const struct dx9mt_field header_field[] = {
#define AT(name) offsetof(struct dx9mt_header, name)
#define HEADER(...) FIELD(__VA_ARGS__)
#define DRAW(...)
#include "present/dx9mt/dx9mt.def"
#undef AT
#undef HEADER
#undef DRAW
};

static const struct dx9mt_field draw_field[] = {
#define AT(name) offsetof(struct dx9mt_draw, name)
#define HEADER(...)
#define DRAW(...) FIELD(__VA_ARGS__)
#include "present/dx9mt/dx9mt.def"
};

const struct dx9mt_fields dx9mt_header_fields = {header_field,
                                                 sizeof(header_field) / sizeof(header_field[0])};
const struct dx9mt_fields dx9mt_draw_fields = {draw_field,
                                               sizeof(draw_field) / sizeof(draw_field[0])};

unsigned dx9mt_elements(const struct dx9mt_field *field, unsigned revision)
{
    return field->since > revision ? 0 : revision < DX9MT_ARRAYS ? 1 : field->count;
}

unsigned dx9mt_size(const struct dx9mt_fields *fields, unsigned revision)
{
    unsigned size = 0;

    for (unsigned i = 0; i < fields->n; i++)
        size += dx9mt_elements(&fields->field[i], revision) * fields->field[i].size;
    return size;
}
