/* Builds captures of Direct3D 9 calls for tests, with the numbers and value kinds of a tracer. */
#ifndef TESTS_TRACE_RECORD_H
#define TESTS_TRACE_RECORD_H

#include "stream.h"

#include <windows.h>
#include <d3d9.h>

#include <stdarg.h>
#include <stdbool.h>

static struct stream s; /* the recorded stream */
static const char *names[64];
static unsigned name_count;
static uint64_t call_number;
static bool enum_defined;

/* Function ids are assigned by name. */
static inline void enter(const char *name, unsigned argc)
{
    static const char *const args[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", NULL};
    unsigned id = 0;

    while (id < name_count && strcmp(names[id], name))
        id++;
    if (id == name_count)
        names[name_count++] = name;
    else
        name = NULL;
    put_enter(&s, 0, id, name, args + 9 - argc);
}

static inline void put_enum(int64_t value)
{
    put(&s, 9);
    put_var(&s, 0);
    if (!enum_defined)
        put_var(&s, 0); /* enum without names */
    enum_defined = true;
    put(&s, value < 0 ? 3 : 4);
    put_var(&s, (uint64_t)(value < 0 ? -value : value));
}

/* Records a call. kinds has a letter for each argument: u number, o object (0 is null), O out
 * object, n null, x not recorded. */
static inline void record(const char *name, int64_t result, const char *kinds, ...)
{
    va_list args;

    enter(name, (unsigned)strlen(kinds));
    va_start(args, kinds);
    for (unsigned i = 0; kinds[i]; i++) {
        if (kinds[i] == 'x')
            continue;
        put_arg(&s, i);
        if (kinds[i] == 'u')
            put_uint(&s, va_arg(args, unsigned));
        if (kinds[i] == 'n')
            put(&s, 0);
        if (kinds[i] == 'O') {
            put(&s, 0x0b);
            put_var(&s, 1);
        }
        if (kinds[i] == 'o' || kinds[i] == 'O') {
            unsigned address = va_arg(args, unsigned);

            if (address)
                put_opaque(&s, address);
            else
                put(&s, 0);
        }
    }
    va_end(args);
    put_end(&s);
    put_leave(&s, call_number);
    put_ret(&s);
    put_enum(result);
    put_end(&s);
    call_number++;
}

enum { D3D = 0x100, DEVICE = 0x200, TEXTURE = 0x300, SURFACE = 0x400, BUFFER = 0x500 };

static inline void put_parameters(uint32_t samples)
{
    static const char *const members[] = {"a", "b", "c", "d", "e", "f", "g",
                                          "h", "i", "j", "k", "l", "m", "n"};
    const uint32_t values[] = {64,
                               48,
                               D3DFMT_X8R8G8B8,
                               1,
                               samples,
                               0,
                               D3DSWAPEFFECT_DISCARD,
                               0x20052,
                               0,
                               1,
                               D3DFMT_D24S8,
                               0,
                               60,
                               D3DPRESENT_INTERVAL_TWO};

    put(&s, 0x0b);
    put_var(&s, 1);
    put(&s, 0x0c);
    put_var(&s, 40 + call_number); /* a new id, so that the signature is written */
    put_text(&s, "D3DPRESENT_PARAMETERS");
    put_var(&s, 14);
    for (unsigned i = 0; i < 14; i++)
        put_text(&s, members[i]);
    for (unsigned i = 0; i < 14; i++)
        if (i == 7)
            put_opaque(&s, values[i]);
        else
            put_uint(&s, values[i]);
}

static inline void record_device_type(uint32_t samples, D3DDEVTYPE type)
{
    enter("Direct3DCreate9", 1);
    put_arg(&s, 0);
    put_uint(&s, 0x80000000u | D3D_SDK_VERSION);
    put_end(&s);
    put_leave(&s, call_number++);
    put_ret(&s);
    put_opaque(&s, D3D);
    put_end(&s);
    enter("IDirect3D9::CreateDevice", 7);
    put_arg(&s, 0);
    put_opaque(&s, D3D);
    put_arg(&s, 2);
    put_uint(&s, type);
    put_arg(&s, 3);
    put_opaque(&s, 0x20052);
    put_arg(&s, 4);
    put_uint(&s, D3DCREATE_HARDWARE_VERTEXPROCESSING);
    put_arg(&s, 5);
    put_parameters(samples);
    put_arg(&s, 6);
    put(&s, 0x0b);
    put_var(&s, 1);
    put_opaque(&s, DEVICE);
    put_end(&s);
    put_leave(&s, call_number++);
    put_ret(&s);
    put_enum(0);
    put_end(&s);
}

static inline void record_device(uint32_t samples)
{
    record_device_type(samples, D3DDEVTYPE_HAL);
}

static inline void record_reset(void)
{
    enter("IDirect3DDevice9::Reset", 2);
    put_arg(&s, 0);
    put_opaque(&s, DEVICE);
    put_arg(&s, 1);
    put_parameters(0);
    put_end(&s);
    put_leave(&s, call_number++);
    put_ret(&s);
    put_enum(0);
    put_end(&s);
}

static inline void record_texture(uint32_t address, uint32_t w, uint32_t h, uint32_t format)
{
    record("IDirect3DDevice9::CreateTexture", 0, "ouuuuuuOn", DEVICE, w, h, 1, 0, format,
           D3DPOOL_MANAGED, address);
}

/* Records LockRect of a texture; the program's memory is at `at`. */
static inline void record_lock(uint32_t pitch, uint32_t at, const RECT *rect, DWORD flags)
{
    enter("IDirect3DTexture9::LockRect", 5);
    put_arg(&s, 0);
    put_opaque(&s, TEXTURE);
    put_arg(&s, 1);
    put_uint(&s, 0);
    put_arg(&s, 2);
    put(&s, 0x0b);
    put_var(&s, 1);
    put(&s, 0x0c);
    put_var(&s, 100 + call_number);
    put_text(&s, "D3DLOCKED_RECT");
    put_var(&s, 2);
    put_text(&s, "Pitch");
    put_text(&s, "pBits");
    put_uint(&s, pitch);
    put_opaque(&s, at);
    put_arg(&s, 3);
    if (rect) {
        put(&s, 0x0b);
        put_var(&s, 1);
        put(&s, 0x0b); /* any nesting of four numbers is a rectangle to the replayer */
        put_var(&s, 4);
        put_uint(&s, (uint32_t)rect->left);
        put_uint(&s, (uint32_t)rect->top);
        put_uint(&s, (uint32_t)rect->right);
        put_uint(&s, (uint32_t)rect->bottom);
    } else {
        put(&s, 0);
    }
    put_arg(&s, 4);
    put_uint(&s, flags);
    put_end(&s);
    put_leave(&s, call_number++);
    put_ret(&s);
    put_enum(0);
    put_end(&s);
}

static inline void record_memcpy(uint64_t to, const uint8_t *bytes, size_t n)
{
    enter("memcpy", 3);
    put(&s, 5);
    put_var(&s, 1);
    put_arg(&s, 0);
    put_opaque(&s, to);
    put_arg(&s, 1);
    put_blob(&s, bytes, n);
    put_arg(&s, 2);
    put_uint(&s, n);
    put_end(&s);
    put_leave(&s, call_number++);
    put_end(&s);
}

static inline void record_start(void)
{
    s.n = 0;
    name_count = 0;
    call_number = 0;
    enum_defined = false;
    put_header(&s);
}

#endif
