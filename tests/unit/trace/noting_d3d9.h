/* Direct3D 9 for tests that writes down the calls that it receives. Its methods are generated from
 * record/methods.def. Each test program includes it once. */
#ifndef TESTS_TRACE_NOTING_D3D9_H
#define TESTS_TRACE_NOTING_D3D9_H

#include <check.h>

#include "trace/replay/params.h"
#include "util/for_each.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- The notation of arguments ----------------------------------------------------------------
 *
 * Calls and their arguments are words, the same in what is recorded and in what Direct3D receives:
 *   u5 number, f0.5 float, o3 object of kind 3, n null, x not recorded (passed on as u0)
 *   s4 pointer to a struct of the words 1 2 3 4, w4 list of the words 1 2 3 4, b8 eight bytes
 *   p memory for a result, O3 memory for an object, recorded with the address of one of kind 3
 */

static char calls[4096];

static void note(const char *format, ...)
{
    size_t n = strlen(calls);
    va_list args;

    va_start(args, format);
    vsnprintf(calls + n, sizeof(calls) - n, format, args);
    va_end(args);
}

/* --- Objects ---------------------------------------------------------------------------------- */

struct fake {
    const void *vtable;
    unsigned kind;
    int refs;
};

static struct fake objects[OBJ_KIND_COUNT];
static unsigned texture_type; /* result of GetType */

static ULONG WINAPI fake_add_ref(IUnknown *self)
{
    return (ULONG)++((struct fake *)(void *)self)->refs;
}

static ULONG WINAPI fake_release(IUnknown *self)
{
    return (ULONG)--((struct fake *)(void *)self)->refs;
}

/* Result of a method: GetType tells the type, all others succeed. */
static int result_of(const char *name)
{
    return strcmp(name, "GetType") ? 0 : (int)texture_type;
}

static const IUnknownVtbl unknown = {.AddRef = fake_add_ref, .Release = fake_release};

static void *new_reference(uint32_t kinds)
{
    struct fake *object = &objects[__builtin_ctz(kinds)];

    object->refs++;
    return object;
}

static void note_words(const char *what, const uint32_t *words, size_t n)
{
    for (size_t i = 0; words && i < n; i++)
        ck_assert_uint_eq(words[i], i + 1);
    note(words ? " %s%zu" : " n", what, n);
}

/* Note an argument at `at`, of a class as PARAM_CLASS says; n: see the macros below. */
static void note_value(const void *at, uint32_t class, size_t n)
{
    (void)n;
    if (class == PARAM_FLOAT)
        note(" f%g", (double)*(const float *)at);
    else if (class == PARAM_WORD)
        note(" u%u", *(const uint32_t *)at);
    else if (*(void *const *)at)
        note(" o%u", (*(const struct fake *const *)at)->kind);
    else
        note(" n");
}

static void note_struct(const void *at, uint32_t class, size_t n)
{
    (void)class;
    note_words("s", *(const uint32_t *const *)at, n);
}

static void note_list(const void *at, uint32_t class, size_t n)
{
    (void)class;
    note_words("w", *(const uint32_t *const *)at, n);
}

static void note_out(const void *at, uint32_t class, size_t n)
{
    void **out = *(void **const *)at;

    (void)n;
    if (!out)
        note(" n");
    else if (class == PARAM_WORD || class == PARAM_HANDLE)
        note(" p");
    else
        note(" O%u", ((struct fake *)(*out = new_reference(class)))->kind);
}

static void note_bytes(const void *at, uint32_t class, size_t n)
{
    (void)class;
    (void)n;
    note(*(void *const *)at ? " b" : " n");
}

/* --- Methods that write down their calls ------------------------------------------------------ */

#define NOTE_VALUE(t) note_value, 0
#define NOTE_POINTS(t) note_struct, sizeof(t) / 4
#define NOTE_LIST(t, arg, n) note_list, (n) * ((arg) ? args[arg] : 1)
#define NOTE_POINTS_OUT(t) note_out, 0
#define NOTE_BY(what) NOTE_BY_##what
#define NOTE_BY_render_state note_value, 0
#define NOTE_BY_stage_state note_value, 0
#define NOTE_BY_sampler_state note_value, 0
#define NOTE_BY_vertices note_bytes, 0
#define NOTE_BY_indices note_bytes, 0
#define NOTE_BY_indexed_vertices note_bytes, 0
#define NOTE_BY_byte_code note_bytes, 0
#define NOTE_BY_elements note_bytes, 0
#define NOTE_REFERS(t) note_bytes, 0
#define NOTE_VALUE_OUT(t) note_out, 0
#define NOTE_LIST_OUT(t, arg, n) note_out, 0
#define NOTE_BY_OUT(what) note_out, 0
#define NOTE(type, id, how) NOTE_CALL(NOTE_##how, (const void *)&id, PARAM_CLASS(type));
#define NOTE_CALL(...) NOTE_CALL_(__VA_ARGS__)
#define NOTE_CALL_(function, n, at, class) function(at, class, n)
#define DECLARE(type, id, how) , type id
#define FIRST_WORD(type, id, how) , first_word(&id, sizeof(id))
typedef float f32;

static uint32_t first_word(const void *at, size_t size)
{
    uint32_t word = 0;

    memcpy(&word, at, size < sizeof(word) ? size : sizeof(word));
    return word;
}

/* Description of a plain method's parameter. */
struct param {
    enum { VALUE, STRUCT, LIST, OUT, BYTES, ELEMENTS, OTHER } shape;
    unsigned n; /* words of a struct; words of a list for each element counted */
    unsigned counted;
    uint32_t class;
};

struct noting_method {
    const char *name;
    unsigned count;
    const struct param *params;
};

#define SHAPE_VALUE(t) VALUE
#define SHAPE_POINTS(t) STRUCT, sizeof(t) / 4
#define SHAPE_LIST(t, arg, n) LIST, n, arg
#define SHAPE_POINTS_OUT(t) OUT
#define SHAPE_BY(what) SHAPE_BY_##what
#define SHAPE_BY_render_state VALUE
#define SHAPE_BY_stage_state VALUE
#define SHAPE_BY_sampler_state VALUE
#define SHAPE_BY_vertices BYTES
#define SHAPE_BY_indices BYTES
#define SHAPE_BY_indexed_vertices BYTES
#define SHAPE_BY_byte_code BYTES
#define SHAPE_BY_elements ELEMENTS
#define SHAPE_REFERS(t) OTHER
#define SHAPE_VALUE_OUT(t) OTHER
#define SHAPE_LIST_OUT(t, arg, n) OTHER
#define SHAPE_BY_OUT(what) OTHER
#define SHAPE(type, id, how) {SHAPE_##how, .class = PARAM_CLASS(type)},

#define VTABLE DEVICE
#define IFACE IDirect3DDevice9Ex
#define PART_DEVICE
#include "noting_vtable.def"
#undef PART_DEVICE

#define VTABLE SWAP_CHAIN
#define IFACE IDirect3DSwapChain9Ex
#define PART_SWAP_CHAIN
#include "noting_vtable.def"
#undef PART_SWAP_CHAIN

#define VTABLE TEXTURE
#define IFACE IDirect3DTexture9
#define PART_RESOURCE
#define PART_BASE_TEXTURE
#define PART_TEXTURE
#include "noting_vtable.def"
#undef PART_TEXTURE

#define VTABLE CUBE
#define IFACE IDirect3DCubeTexture9
#define PART_CUBE
#include "noting_vtable.def"
#undef PART_CUBE

#define VTABLE VOLUMES
#define IFACE IDirect3DVolumeTexture9
#define PART_VOLUMES
#include "noting_vtable.def"
#undef PART_VOLUMES
#undef PART_BASE_TEXTURE
#undef PART_RESOURCE

#define VTABLE STATE_BLOCK
#define IFACE IDirect3DStateBlock9
#define PART_STATE_BLOCK
#include "noting_vtable.def"
#undef PART_STATE_BLOCK

#define VTABLE QUERY
#define IFACE IDirect3DQuery9
#define PART_QUERY
#include "noting_vtable.def"
#undef PART_QUERY

/* The methods of an interface by the name of its table in trace/replay/methods.def. */
static const struct noting_method *noting_method(const char *table, const char *name)
{
    static const struct {
        const char *table;
        const struct noting_method *methods;
    } tables[] = {
        {"DEVICE", DEVICE_methods},    {"SWAP_CHAIN", SWAP_CHAIN_methods},
        {"RESOURCE", TEXTURE_methods}, {"BASE_TEXTURE", TEXTURE_methods},
        {"TEXTURE", TEXTURE_methods},  {"CUBE", CUBE_methods},
        {"VOLUMES", VOLUMES_methods},  {"STATE_BLOCK", STATE_BLOCK_methods},
        {"QUERY", QUERY_methods},
    };

    for (unsigned i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        if (!strcmp(tables[i].table, table))
            for (const struct noting_method *m = tables[i].methods; m->name; m++)
                if (!strcmp(m->name, name))
                    return m;
    ck_abort_msg("no method %s of %s", name, table);
}

static void noting_start(void)
{
    static const void *const vtables[OBJ_KIND_COUNT] = {
        [OBJ_DEVICE] = &DEVICE_vtable,
        [OBJ_SWAP_CHAIN] = &SWAP_CHAIN_vtable,
        [OBJ_TEXTURE] = &TEXTURE_vtable,
        [OBJ_CUBE] = &CUBE_vtable,
        [OBJ_VOLUME_TEXTURE] = &VOLUMES_vtable,
        [OBJ_STATE_BLOCK] = &STATE_BLOCK_vtable,
        [OBJ_QUERY] = &QUERY_vtable,
    };

    calls[0] = 0;
    texture_type = D3DRTYPE_TEXTURE;
    for (unsigned kind = 0; kind < OBJ_KIND_COUNT; kind++)
        objects[kind] = (struct fake){vtables[kind] ? vtables[kind] : &unknown, kind, 0};
}

#endif
