/* Layout of dx9mt's frame file (docs/formats.md): a header, an array of draws, bulk data. The
 * structs have the layout of the newest revision, little-endian; the host must be little-endian
 * too. */
#ifndef PRESENT_DX9MT_DX9MT_H
#define PRESENT_DX9MT_DX9MT_H

#include <stddef.h>
#include <stdint.h>

#define DX9MT_MAGIC 0xdead9001u

enum {
    DX9MT_FILE_BYTES = 256 << 20, /* size of the live file */
    DX9MT_DRAWS_MAX = 2048,
    DX9MT_SAMPLERS = 8,
    DX9MT_ELEMENTS_MAX = 63, /* of a vertex declaration */
    DX9MT_BULK_ALIGN = 16,   /* of the bulk data and each item in it */
    DX9MT_REVISION = 8,      /* newest revision */
    DX9MT_ARRAYS = 6,        /* first revision with all samplers */
    DX9MT_SHADERS = 3,       /* first revision with byte code */
    DX9MT_LARGE = 7,         /* first revision with files of DX9MT_FILE_BYTES */
    DX9MT_FILE_BYTES_BEFORE = 16 << 20,
};

enum dx9mt_command { DX9MT_DRAW, DX9MT_STRETCH_RECT };

typedef uint16_t dx9mt_u16;
typedef uint32_t dx9mt_u32;
typedef int32_t dx9mt_i32;
typedef float dx9mt_f32;

#define HEADER(since, type, name, count, absent) dx9mt_##type name;
#define DRAW(since, type, name, count, absent)
struct dx9mt_header {
#include "present/dx9mt/dx9mt.def"
};
#undef HEADER
#undef DRAW

#define DX9MT_FIELD_1(type, name) dx9mt_##type name;
#define DX9MT_FIELD_8(type, name) dx9mt_##type name[DX9MT_SAMPLERS];
#define HEADER(since, type, name, count, absent)
#define DRAW(since, type, name, count, absent) DX9MT_FIELD_##count(type, name)
struct dx9mt_draw {
#include "present/dx9mt/dx9mt.def"
};
#undef HEADER
#undef DRAW

/* --- Revisions -------------------------------------------------------------------------------- */

/* A field and its presence in each revision. */
struct dx9mt_field {
    uint16_t since, size, count, at; /* first revision; bytes per element; elements; offset in
                                      * struct */
    union {
        uint32_t number;
        float real;
    } absent; /* value in revisions without the field */
};
struct dx9mt_fields {
    const struct dx9mt_field *field;
    unsigned n;
};
extern const struct dx9mt_fields dx9mt_header_fields, dx9mt_draw_fields;

/* Returns the number of elements that the field has in a revision. */
unsigned dx9mt_elements(const struct dx9mt_field *field, unsigned revision);
/* Returns the bytes of a header or draw in the file. */
unsigned dx9mt_size(const struct dx9mt_fields *fields, unsigned revision);

_Static_assert(sizeof(struct dx9mt_header) == 60, "layout");
_Static_assert(offsetof(struct dx9mt_header, bulk_data_used) == 56, "layout");
_Static_assert(sizeof(struct dx9mt_draw) == 808, "layout");
_Static_assert(offsetof(struct dx9mt_draw, viewport_x) == 104, "layout");
_Static_assert(offsetof(struct dx9mt_draw, tex_id) == 164, "layout");
_Static_assert(offsetof(struct dx9mt_draw, vb_bulk_offset) == 600, "layout");
_Static_assert(offsetof(struct dx9mt_draw, decl_count) == 684, "layout");
_Static_assert(offsetof(struct dx9mt_draw, rs_fogtablemode) == 804, "layout");

#endif
