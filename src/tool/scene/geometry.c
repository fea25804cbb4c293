/* Scene commands that describe vertices and draw them.
 *
 * Tested by tests/conformance. */
#include "tool/scene/layout.h"
#include "tool/scene/command.h"
#include "tool/scene/parse.h"
#include "tool/scene/shader.h"
#include "util/plural.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits, so that a mistyped number fails at once. */
enum { PRIMITIVES_MOST = 1 << 16, INSTANCES_MOST = 256, STRIDE_MOST = 4096 };

/* --- Contents --------------------------------------------------------------------------------- */

static char *value_word(struct scene *scene, char **at)
{
    char *word = parse_block_word(scene, at);

    if (!word)
        scene_fail(scene, "the last vertex is not complete");
    return word;
}

/* Floats are decimal numbers; colours are aarrggbb; UBYTE4 and packed types are one hexadecimal
 * dword; shorts are integers; halves are hexadecimal words. */
static void read_component(struct scene *scene, BYTE type, uint8_t *out, char **at, char *first)
{
    unsigned n;
    bool is_short = type == D3DDECLTYPE_SHORT2 || type == D3DDECLTYPE_SHORT4 ||
                    (type >= D3DDECLTYPE_SHORT2N && type <= D3DDECLTYPE_USHORT4N);

    if (type <= D3DDECLTYPE_FLOAT4) {
        n = type - D3DDECLTYPE_FLOAT1 + 1u;
        for (unsigned i = 0; i < n; i++) {
            float f = parse_float(scene, i || !first ? value_word(scene, at) : first);
            memcpy(out + 4 * i, &f, 4);
        }
    } else if (is_short || type == D3DDECLTYPE_FLOAT16_2 || type == D3DDECLTYPE_FLOAT16_4) {
        n = layout_type_bytes(type) / 2u;
        for (unsigned i = 0; i < n; i++) {
            const char *word = i || !first ? value_word(scene, at) : first;
            uint16_t v = (uint16_t)(is_short ? parse_uint(scene, word) : parse_hex(scene, word));
            memcpy(out + 2 * i, &v, 2);
        }
    } else {
        uint32_t v;
        char *word = first ? first : value_word(scene, at);
        v = type == D3DDECLTYPE_D3DCOLOR ? parse_colour(scene, word) : parse_hex(scene, word);
        memcpy(out, &v, 4);
    }
}

static UINT read_vertices(struct scene *scene, UINT stream, uint8_t **out)
{
    UINT stride = scene->stride[stream], n = 0, room = 0;
    char *at = scene->line.block, *word;
    uint8_t *data = NULL;

    while ((word = parse_block_word(scene, &at))) {
        if (n == room) {
            uint8_t *more = scene_alloc(scene, (size_t)(room = room * 2 + 16) * stride);
            if (n)
                memcpy(more, data, (size_t)n * stride);
            data = more;
        }
        for (int i = 0; i < scene->n_elements; i++) {
            const struct element *e = &scene->element[i];
            if (e->stream != stream)
                continue;
            read_component(scene, e->type, data + (size_t)n * stride + e->offset, &at, word);
            word = NULL;
        }
        n++;
    }
    *out = data;
    return n;
}

/* vertices [stream=N] [pool=P] [name=NAME] { … }: uses the layout of the preceding fvf or decl. */
void cmd_vertices(struct scene *scene)
{
    UINT number = parse_key_uint(scene, "stream", 0);
    const char *pool = parse_key(scene, "pool");
    struct stream *s;
    UINT size;
    void *bits;

    if (number >= MAX_STREAMS || !scene->stride[number] || scene->stride[number] > STRIDE_MOST)
        scene_fail(scene, "fvf or decl must come first");
    s = &scene->stream[number];
    s->n_vertices = read_vertices(scene, number, &s->data);
    s->stride = scene->stride[number];
    size = s->n_vertices * s->stride;
    if (!size)
        scene_fail(scene, "no vertices");
    scene_check(scene,
                IDirect3DDevice9_CreateVertexBuffer(
                    scene->device, size, 0, 0,
                    pool ? (D3DPOOL)name_value(scene, NAMES_POOL, pool) : D3DPOOL_MANAGED,
                    &s->buffer, NULL),
                "CreateVertexBuffer");
    scene_own(scene, s->buffer);
    s->offset = 0;
    if (parse_key(scene, "name"))
        buffer_name(scene, parse_key(scene, "name"), s->buffer, size);
    scene_check(scene, IDirect3DVertexBuffer9_Lock(s->buffer, 0, 0, &bits, 0), "Lock");
    memcpy(bits, s->data, size);
    scene_check(scene, IDirect3DVertexBuffer9_Unlock(s->buffer), "Unlock");
}

/* indices [32] { … } */
void cmd_indices(struct scene *scene)
{
    bool wide = scene->line.n > 1 && !strcmp(scene->line.word[1], "32");
    UINT bytes = wide ? 4 : 2, n = 0;
    char *at = scene->line.block, *word;
    void *bits;

    scene->index_data = scene_alloc(scene, scene->line.block ? strlen(scene->line.block) * 4 : 1);
    while ((word = parse_block_word(scene, &at))) {
        uint32_t v = parse_uint(scene, word);
        memcpy(scene->index_data + (size_t)n++ * bytes, &v, bytes); /* little-endian */
    }
    scene->n_indices = n;
    scene->index_format = wide ? D3DFMT_INDEX32 : D3DFMT_INDEX16;
    scene_check(scene,
                IDirect3DDevice9_CreateIndexBuffer(scene->device, n * bytes, 0, scene->index_format,
                                                   D3DPOOL_MANAGED, &scene->indices, NULL),
                "CreateIndexBuffer");
    scene_own(scene, scene->indices);
    scene_check(scene, IDirect3DIndexBuffer9_Lock(scene->indices, 0, 0, &bits, 0), "Lock");
    memcpy(bits, scene->index_data, (size_t)n * bytes);
    scene_check(scene, IDirect3DIndexBuffer9_Unlock(scene->indices), "Unlock");
}

/* freq STREAM N | STREAM indexed N | STREAM instance N */
void cmd_freq(struct scene *scene)
{
    const char *kind = parse_word(scene, 2);
    UINT flag = !strcmp(kind, "indexed")    ? D3DSTREAMSOURCE_INDEXEDDATA
                : !strcmp(kind, "instance") ? (UINT)D3DSTREAMSOURCE_INSTANCEDATA
                                            : 0;

    UINT n = parse_uint(scene, parse_word(scene, flag ? 3 : 2));

    if ((n & 0x3fffffff) > INSTANCES_MOST)
        scene_fail(scene, "%u instances are too many", n & 0x3fffffff);
    scene_check(scene,
                IDirect3DDevice9_SetStreamSourceFreq(
                    scene->device, parse_uint(scene, parse_word(scene, 1)), flag | n),
                "SetStreamSourceFreq");
}

/* npatch SEGMENTS */
void cmd_npatch(struct scene *scene)
{
    scene_check(
        scene,
        IDirect3DDevice9_SetNPatchMode(scene->device, parse_float(scene, parse_word(scene, 1))),
        "SetNPatchMode");
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static UINT primitives(D3DPRIMITIVETYPE type, UINT n)
{
    switch (type) {
    case D3DPT_POINTLIST:
        return n;
    case D3DPT_LINELIST:
        return n / 2;
    case D3DPT_LINESTRIP:
        return n > 1 ? n - 1 : 0;
    case D3DPT_TRIANGLELIST:
        return n / 3;
    default:
        return n > 2 ? n - 2 : 0;
    }
}

static uint64_t corners_of(D3DPRIMITIVETYPE type, UINT n)
{
    switch (type) {
    case D3DPT_POINTLIST:
        return n;
    case D3DPT_LINELIST:
        return UINT64_C(2) * n;
    case D3DPT_LINESTRIP:
        return n ? UINT64_C(1) + n : 0;
    case D3DPT_TRIANGLELIST:
        return UINT64_C(3) * n;
    default:
        return n ? UINT64_C(2) + n : 0;
    }
}

static HRESULT draw_up(struct scene *scene, D3DPRIMITIVETYPE type, bool indexed, UINT start,
                       UINT count)
{
    const struct stream *s = &scene->stream[0];
    UINT bytes = scene->index_format == D3DFMT_INDEX32 ? 4 : 2;
    UINT min = parse_key_uint(scene, "min", 0), num = parse_key_uint(scene, "num", s->n_vertices);
    UINT there = indexed ? scene->n_indices : s->n_vertices;

    if (!s->data || start > there || corners_of(type, count) > there - start ||
        (indexed && (uint64_t)min + num > s->n_vertices))
        scene_fail(scene, "the draw reads beyond the scene's vertices or indices");

    if (!indexed)
        return IDirect3DDevice9_DrawPrimitiveUP(scene->device, type, count,
                                                s->data + (size_t)start * s->stride, s->stride);
    return IDirect3DDevice9_DrawIndexedPrimitiveUP(scene->device, type, min, num, count,
                                                   scene->index_data + (size_t)start * bytes,
                                                   scene->index_format, s->data, s->stride);
}

/* draw TYPE [indexed] [up] [start=N] [count=N] [base=N] [min=N] [num=N] */
void cmd_draw(struct scene *scene)
{
    D3DPRIMITIVETYPE type =
        (D3DPRIMITIVETYPE)name_value(scene, NAMES_PRIMITIVE, parse_word(scene, 1));
    bool indexed = parse_flag(scene, "indexed");
    UINT n = indexed ? scene->n_indices : scene->stream[0].n_vertices;
    UINT start = parse_key_uint(scene, "start", 0);
    UINT count = parse_key_uint(scene, "count", primitives(type, n > start ? n - start : 0));
    UINT vertices = scene->stream[0].n_vertices ? scene->stream[0].n_vertices : 1; /* a hint */
    HRESULT hr;

    if (count > PRIMITIVES_MOST)
        scene_fail(scene, "%u primitives are too many", count);
    layout_bind(scene);
    scene_begin(scene);
    if (parse_flag(scene, "up"))
        hr = draw_up(scene, type, indexed, start, count);
    else if (indexed)
        hr = IDirect3DDevice9_DrawIndexedPrimitive(
            scene->device, type, (INT)parse_key_uint(scene, "base", 0),
            parse_key_uint(scene, "min", 0), parse_key_uint(scene, "num", vertices), start, count);
    else
        hr = IDirect3DDevice9_DrawPrimitive(scene->device, type, start, count);
    scene_check(scene, hr, "Draw");
    coverage_draw(scene,
                  !scene->declaration && (scene->fvf & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW);
}

/* --- Quads ------------------------------------------------------------------------------------ */

/* Four vertices: top left, top right, bottom left, bottom right, so that both triangles of the
 * strip are clockwise. */
struct quad {
    struct scene *scene;
    uint8_t data[4][4 * 48];
    UINT size;
    DWORD fvf;
};

static void put(struct quad *quad, int corner, const void *bits, UINT bytes, UINT at)
{
    if (at + bytes > sizeof(quad->data[0]))
        scene_fail(quad->scene, "the quad's vertices are too large");
    memcpy(quad->data[corner] + at, bits, bytes);
}

/* n floats per vertex: given once for all vertices, or for each. */
static void put_floats(struct quad *quad, const char *text, UINT n)
{
    float v[16];
    int given = parse_floats(quad->scene, text, v, 16);

    if (given != (int)n && given != 4 * (int)n)
        scene_fail(quad->scene, "'%s': " PLURAL_FORMAT ", or 4 times as many", text,
                   PLURAL(n, "number", "numbers"));
    for (int c = 0; c < 4; c++)
        put(quad, c, given == (int)n ? v : v + (size_t)c * n, n * 4, quad->size);
    quad->size += n * 4;
}

static void put_colours(struct quad *quad, const char *key, DWORD flag)
{
    const char *text = parse_key(quad->scene, key);
    uint32_t colour = 0;

    if (!text)
        return;
    for (int c = 0; c < 4; c++) {
        size_t n = strcspn(text, ",");
        char part[12] = "";
        if (n && n < sizeof(part)) {
            memcpy(part, text, n);
            colour = parse_colour(quad->scene, part);
        }
        text += n + (text[n] == ',');
        put(quad, c, &colour, 4, quad->size);
    }
    quad->size += 4;
    quad->fvf |= flag;
}

/* uv=u0,v0,u1,v1 (left, top, right, bottom) or 8 numbers. */
static void put_uv(struct quad *quad, const char *text)
{
    float v[8];
    int given = parse_floats(quad->scene, text, v, 8);

    if (given != 4 && given != 8)
        scene_fail(quad->scene, "uv=left,top,right,bottom or u,v for each corner");
    for (int c = 0; c < 4; c++) {
        float uv[2] = {v[c & 1 ? 2 : 0], v[c & 2 ? 3 : 1]};
        put(quad, c, given == 4 ? uv : v + (size_t)c * 2, 8, quad->size);
    }
    quad->size += 8;
}

/* uvN, uvwN and uvwqN give set N; the N of set 0 may be left out. */
static bool put_set(struct quad *quad, UINT set)
{
    static const char *const stems[] = {"u", "uv", "uvw", "uvwq"};
    static const DWORD codes[] = {D3DFVF_TEXTUREFORMAT1, D3DFVF_TEXTUREFORMAT2,
                                  D3DFVF_TEXTUREFORMAT3, D3DFVF_TEXTUREFORMAT4};

    for (UINT i = 0; i < 4; i++) {
        char key[8];
        const char *text;

        snprintf(key, sizeof(key), "%s%u", stems[i], set);
        text = parse_key(quad->scene, key);
        if (!text && !set)
            text = parse_key(quad->scene, stems[i]);
        if (!text)
            continue;
        if (i == 1)
            put_uv(quad, text);
        else
            put_floats(quad, text, i + 1);
        quad->fvf |= codes[i] << (16 + 2 * set);
        return true;
    }
    return false;
}

static void put_attributes(struct quad *quad)
{
    UINT sets = 0;

    if (parse_key(quad->scene, "normal")) {
        put_floats(quad, parse_key(quad->scene, "normal"), 3);
        quad->fvf |= D3DFVF_NORMAL;
    }
    put_colours(quad, "diffuse", D3DFVF_DIFFUSE);
    put_colours(quad, "specular", D3DFVF_SPECULAR);
    while (sets < 8 && put_set(quad, sets))
        sets++;
    quad->fvf |= sets << D3DFVF_TEXCOUNT_SHIFT;
}

static void draw_quad(struct quad *quad)
{
    struct scene *scene = quad->scene;
    uint8_t packed[sizeof(quad->data)];

    for (UINT c = 0; c < 4; c++)
        memcpy(packed + (size_t)c * quad->size, quad->data[c], quad->size);
    scene_check(scene, IDirect3DDevice9_SetFVF(scene->device, quad->fvf), "SetFVF");
    scene_begin(scene);
    scene_check(
        scene,
        IDirect3DDevice9_DrawPrimitiveUP(scene->device, D3DPT_TRIANGLESTRIP, 2, packed, quad->size),
        "DrawPrimitiveUP");
    coverage_draw(scene, (quad->fvf & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW);
}

static bool corners(struct scene *scene, float r[4])
{
    if (scene->line.n < 5 || !parse_is_number(scene->line.word[1]))
        return false;
    for (int i = 0; i < 4; i++)
        r[i] = parse_float(scene, scene->line.word[1 + i]);
    return true;
}

/* One value for all vertices, or four. */
static void key_corners(struct scene *scene, const char *key, float out[4])
{
    const char *text = parse_key(scene, key);
    float v[4];
    int n = text ? parse_floats(scene, text, v, 4) : 0;

    if (text && n != 1 && n != 4)
        scene_fail(scene, "%s needs 1 or 4 numbers", key);
    for (int c = 0; n && c < 4; c++)
        out[c] = v[n == 4 ? c : 0];
}

/* quad [x0 y0 x1 y1] …: a transformed quad that covers pixels x0 … x1-1, y0 … y1-1; without corners
 * the whole viewport. Its corners are offset by -0.5 because pixel centres are integers; uv=0,0,1,1
 * then samples the texel centres. */
void cmd_quad(struct scene *scene)
{
    struct quad quad = {.scene = scene, .fvf = D3DFVF_XYZRHW};
    float r[4], z[4] = {0}, rhw[4] = {1, 1, 1, 1};

    if (!corners(scene, r)) {
        D3DVIEWPORT9 vp;
        scene_check(scene, IDirect3DDevice9_GetViewport(scene->device, &vp), "GetViewport");
        r[0] = (float)vp.X;
        r[1] = (float)vp.Y;
        r[2] = (float)(vp.X + vp.Width);
        r[3] = (float)(vp.Y + vp.Height);
    }
    key_corners(scene, "z", z);
    key_corners(scene, "rhw", rhw);
    for (int c = 0; c < 4; c++) {
        float p[4] = {r[c & 1 ? 2 : 0] - 0.5f, r[c & 2 ? 3 : 1] - 0.5f, z[c], rhw[c]};
        put(&quad, c, p, sizeof(p), 0);
    }
    quad.size = 16;
    put_attributes(&quad);
    draw_quad(&quad);
}

/* quadxyz [x0 y0 x1 y1] …: a quad in model space, y up; default corners -1 -1 1 1. */
void cmd_quadxyz(struct scene *scene)
{
    struct quad quad = {.scene = scene, .fvf = D3DFVF_XYZ};
    float r[4] = {-1, -1, 1, 1}, z[4] = {0};

    corners(scene, r);
    key_corners(scene, "z", z);
    for (int c = 0; c < 4; c++) {
        float p[3] = {r[c & 1 ? 2 : 0], r[c & 2 ? 1 : 3], z[c]};
        put(&quad, c, p, sizeof(p), 0);
    }
    quad.size = 12;
    put_attributes(&quad);
    draw_quad(&quad);
}
