/* Scene commands for named vertex buffers: create, bind to streams, fill with ProcessVertices and
 * check the contents.
 *
 * Tested by tests/conformance/vertices. */
#include "tool/scene/command.h"
#include "tool/scene/layout.h"
#include "tool/scene/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buffer_name(struct scene *scene, const char *name, IDirect3DVertexBuffer9 *buffer, UINT size)
{
    struct named_buffer *b = NULL;

    for (int i = 0; i < scene->n_buffers && !b; i++)
        b = strcmp(scene->buffer[i].name, name) ? NULL : &scene->buffer[i];
    if (!b && scene->n_buffers == MAX_BUFFERS)
        scene_fail(scene, "too many vertex buffers");
    b = b ? b : &scene->buffer[scene->n_buffers++];
    snprintf(b->name, sizeof(b->name), "%s", name);
    b->buffer = buffer;
    b->size = size;
}

const struct named_buffer *buffer_find(struct scene *scene, const char *name)
{
    for (int i = 0; i < scene->n_buffers; i++) {
        if (!strcmp(scene->buffer[i].name, name))
            return &scene->buffer[i];
    }
    scene_fail(scene, "'%s' is not a vertex buffer", name);
}

/* Writes 16-bit numbers from the start of the buffer. */
static void write_numbers(struct scene *scene, uint8_t *bits, UINT size)
{
    char *at = scene->line.block;

    for (char *word; (word = parse_block_word(scene, &at)); bits += 2, size -= 2) {
        int n = parse_whole(scene, parse_float(scene, word));

        if (size < 2)
            scene_fail(scene, "too many numbers");
        bits[0] = (uint8_t)n;
        bits[1] = (uint8_t)(n >> 8);
    }
}

/* buffer NAME BYTES [fvf=F] [pool=P] [usage=U] [fill=XX] [{ N N … }] */
void cmd_buffer(struct scene *scene)
{
    const char *name = parse_word(scene, 1), *pool = parse_key(scene, "pool"),
               *usage = parse_key(scene, "usage"), *fill = parse_key(scene, "fill");
    UINT size = parse_uint(scene, parse_word(scene, 2));
    char *fvf = (char *)parse_key(scene, "fvf");
    IDirect3DVertexBuffer9 *buffer = NULL;
    void *bits;

    scene_use_memory(scene, size);
    if (!scene_check(scene,
                     IDirect3DDevice9_CreateVertexBuffer(
                         scene->device, size, usage ? name_value(scene, NAMES_USAGE, usage) : 0,
                         fvf ? layout_fvf(scene, fvf) : 0,
                         pool ? (D3DPOOL)name_value(scene, NAMES_POOL, pool) : D3DPOOL_SYSTEMMEM,
                         &buffer, NULL),
                     "CreateVertexBuffer"))
        return;
    scene_own(scene, buffer);
    buffer_name(scene, name, buffer, size);
    scene_check(scene, IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &bits, 0), "Lock");
    memset(bits, fill ? (int)parse_hex(scene, fill) : 0, size);
    if (scene->line.block)
        write_numbers(scene, bits, size);
    scene_check(scene, IDirect3DVertexBuffer9_Unlock(buffer), "Unlock");
}

/* stream N [NAME|none] [offset=N] [stride=N]: binds another buffer, or changes the offset and
 * stride. */
void cmd_stream(struct scene *scene)
{
    UINT number = parse_uint(scene, parse_word(scene, 1));
    struct stream *s = &scene->stream[number < MAX_STREAMS ? number : 0];
    const char *name =
        scene->line.n > 2 && !strchr(scene->line.word[2], '=') ? scene->line.word[2] : NULL;
    UINT size = 0;

    if (number >= MAX_STREAMS)
        scene_fail(scene, "stream %u?", number);
    if (name) {
        bool none = !strcmp(name, "none");

        s->buffer = none ? NULL : buffer_find(scene, name)->buffer;
        size = none ? 0 : buffer_find(scene, name)->size;
        s->data = NULL;
        s->offset = 0;
    }
    s->offset = parse_key_uint(scene, "offset", s->offset);
    s->stride = parse_key_uint(scene, "stride", s->stride);
    if (size)
        s->n_vertices = s->stride && size > s->offset ? (size - s->offset) / s->stride : 0;
    scene_check(
        scene,
        IDirect3DDevice9_SetStreamSource(scene->device, number, s->buffer, s->offset, s->stride),
        "SetStreamSource");
}

/* process NAME [start=N] [at=N] [count=N] [nocopy] [{ TYPE USAGE INDEX … }]: ProcessVertices into
 * the buffer; the block declares the output vertices. */
void cmd_process(struct scene *scene)
{
    const struct named_buffer *to = buffer_find(scene, parse_word(scene, 1));
    UINT start = parse_key_uint(scene, "start", 0), n = scene->stream[0].n_vertices;
    IDirect3DVertexDeclaration9 *declaration = NULL;
    const char *outcome = scene->line.outcome;

    scene->line.outcome = NULL;
    if (scene->line.block) {
        D3DVERTEXELEMENT9 elements[MAX_ELEMENTS + 1];

        layout_elements(scene, scene->line.block, elements, false);
        scene_check(scene,
                    IDirect3DDevice9_CreateVertexDeclaration(scene->device, elements, &declaration),
                    "CreateVertexDeclaration");
        scene_own(scene, declaration);
    }
    layout_bind(scene);
    scene->line.outcome = outcome;
    scene_check(scene,
                IDirect3DDevice9_ProcessVertices(
                    scene->device, start, parse_key_uint(scene, "at", 0),
                    parse_key_uint(scene, "count", n > start ? n - start : 0), to->buffer,
                    declaration, parse_flag(scene, "nocopy") ? D3DPV_DONOTCOPYDATA : 0),
                "ProcessVertices");
}

/* Compares a word of `holds` with four bytes: a number with a point is a float, eight hexadecimal
 * digits are a dword. NaN equals itself. */
static bool word_met(struct scene *scene, const char *word, const uint8_t *bytes, float tolerance)
{
    uint32_t bits;
    float got, want;

    memcpy(&bits, bytes, 4);
    memcpy(&got, bytes, 4);
    if (!strcmp(word, "-"))
        return true;
    if (strlen(word) == 8 && !strchr(word, '.'))
        return bits == parse_hex(scene, word);
    want = parse_float(scene, word);
    if (isnan(want) || isinf(want))
        return isnan(want) ? isnan(got) : got == want;
    return fabsf(got - want) <= tolerance * (fabsf(want) > 1.0f ? fabsf(want) : 1.0f);
}

static void format_word(char *out, size_t size, const uint8_t *bytes)
{
    uint32_t bits;
    float value;

    memcpy(&bits, bytes, 4);
    memcpy(&value, bytes, 4);
    snprintf(out, size, "%.9g (%08x)", (double)value, (unsigned)bits);
}

/* holds NAME [at=BYTE] [tol=T] { words }: T is relative for numbers above 1. */
void cmd_holds(struct scene *scene)
{
    const struct named_buffer *b = buffer_find(scene, parse_word(scene, 1));
    const char *tol = parse_key(scene, "tol");
    float tolerance = tol ? parse_float(scene, tol) : 1e-6f;
    UINT at = parse_key_uint(scene, "at", 0);
    char *text = scene->line.block, *word;
    void *bits;

    scene_check(scene, IDirect3DVertexBuffer9_Lock(b->buffer, 0, 0, &bits, D3DLOCK_READONLY),
                "Lock");
    for (; (word = parse_block_word(scene, &text)); at += 4) {
        const uint8_t *bytes = (const uint8_t *)bits + at;
        char got[40] = "nothing";
        bool there = at <= b->size && b->size - at >= 4;
        bool met = there && word_met(scene, word, bytes, tolerance);

        if (there)
            format_word(got, sizeof(got), bytes);
        scene_expect(scene, met, "byte %u of %s: want %s, got %s", at, b->name, word, got);
    }
    scene_check(scene, IDirect3DVertexBuffer9_Unlock(b->buffer), "Unlock");
}
