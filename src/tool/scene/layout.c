/* Scene commands that set the vertex layout: FVF codes and vertex declarations.
 *
 * Tested by tests/conformance. */
#include "tool/scene/command.h"
#include "tool/scene/layout.h"
#include "tool/scene/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t type_bytes[] = {
    [D3DDECLTYPE_FLOAT1] = 4,    [D3DDECLTYPE_FLOAT2] = 8,    [D3DDECLTYPE_FLOAT3] = 12,
    [D3DDECLTYPE_FLOAT4] = 16,   [D3DDECLTYPE_D3DCOLOR] = 4,  [D3DDECLTYPE_UBYTE4] = 4,
    [D3DDECLTYPE_SHORT2] = 4,    [D3DDECLTYPE_SHORT4] = 8,    [D3DDECLTYPE_UBYTE4N] = 4,
    [D3DDECLTYPE_SHORT2N] = 4,   [D3DDECLTYPE_SHORT4N] = 8,   [D3DDECLTYPE_USHORT2N] = 4,
    [D3DDECLTYPE_USHORT4N] = 8,  [D3DDECLTYPE_UDEC3] = 4,     [D3DDECLTYPE_DEC3N] = 4,
    [D3DDECLTYPE_FLOAT16_2] = 4, [D3DDECLTYPE_FLOAT16_4] = 8, [D3DDECLTYPE_UNUSED] = 0,
};

static void reset_layout(struct scene *scene)
{
    scene->n_elements = 0;
    memset(scene->stride, 0, sizeof(scene->stride));
}

static struct element *add_element(struct scene *scene, UINT stream, BYTE type)
{
    struct element *e;

    if (scene->n_elements == MAX_ELEMENTS || stream >= MAX_STREAMS)
        scene_fail(scene, "the vertex has too many parts");
    e = &scene->element[scene->n_elements++];
    *e = (struct element){(BYTE)stream, type, (WORD)scene->stride[stream]};
    scene->stride[stream] += type_bytes[type];
    return e;
}

static void add_floats(struct scene *scene, unsigned n)
{
    for (; n > 4; n--)
        add_element(scene, 0, D3DDECLTYPE_FLOAT1);
    if (n)
        add_element(scene, 0, (BYTE)(D3DDECLTYPE_FLOAT1 + n - 1));
}

static void add_position(struct scene *scene, DWORD fvf)
{
    DWORD position = fvf & D3DFVF_POSITION_MASK;
    unsigned weights = 0;

    add_floats(scene, position == D3DFVF_XYZRHW || position == D3DFVF_XYZW ? 4 : 3);
    if (position >= D3DFVF_XYZB1 && position <= D3DFVF_XYZB5)
        weights = (position - D3DFVF_XYZB1) / 2 + 1;
    if (weights && fvf & (D3DFVF_LASTBETA_UBYTE4 | D3DFVF_LASTBETA_D3DCOLOR)) {
        add_floats(scene, weights - 1);
        add_element(scene, 0, D3DDECLTYPE_UBYTE4);
    } else {
        add_floats(scene, weights);
    }
}

static void layout_of_fvf(struct scene *scene, DWORD fvf)
{
    static const uint8_t sizes[] = {2, 3, 4, 1}; /* the two bits of D3DFVF_TEXCOORDSIZEn */

    reset_layout(scene);
    add_position(scene, fvf);
    if (fvf & D3DFVF_NORMAL)
        add_floats(scene, 3);
    if (fvf & D3DFVF_PSIZE)
        add_floats(scene, 1);
    if (fvf & D3DFVF_DIFFUSE)
        add_element(scene, 0, D3DDECLTYPE_D3DCOLOR);
    if (fvf & D3DFVF_SPECULAR)
        add_element(scene, 0, D3DDECLTYPE_D3DCOLOR);
    for (DWORD i = 0; i < (fvf & D3DFVF_TEXCOUNT_MASK) >> D3DFVF_TEXCOUNT_SHIFT; i++)
        add_floats(scene, sizes[fvf >> (16 + 2 * i) & 3]);
}

DWORD layout_fvf(struct scene *scene, char *text)
{
    DWORD fvf = 0;

    for (char *part = strtok(text, "|"); part; part = strtok(NULL, "|")) {
        unsigned size, set;
        static const uint8_t codes[] = {0, 3, 0, 1, 2};
        if (sscanf(part, "SIZE%u(%u)", &size, &set) == 2 && size >= 1 && size <= 4 && set < 8)
            fvf |= (DWORD)codes[size] << (16 + 2 * set);
        else if (!strncmp(part, "0x", 2))
            fvf |= parse_uint(scene, part);
        else
            fvf |= name_value(scene, NAMES_FVF, part);
    }
    return fvf;
}

/* fvf XYZ|DIFFUSE|TEX2|SIZE3(1): SIZEn(set) gives a texture coordinate set n components. */
void cmd_fvf(struct scene *scene)
{
    DWORD fvf;

    parse_word(scene, 1);
    fvf = layout_fvf(scene, scene->line.word[1]);
    if (!scene_check(scene, IDirect3DDevice9_SetFVF(scene->device, fvf), "SetFVF"))
        return;
    layout_of_fvf(scene, fvf);
    scene->fvf = fvf;
    scene->declaration = NULL;
}

/* TYPE USAGE INDEX[@STREAM][+OFFSET][:METHOD]; without an offset the element follows the previous
 * one. An element that overlaps others has no numbers of its own in `vertices`. */
static void read_element(struct scene *scene, char **at, const char *type, D3DVERTEXELEMENT9 *out)
{
    const char *usage = parse_block_word(scene, at),
               *index = usage ? parse_block_word(scene, at) : 0;
    BYTE kind = (BYTE)name_value(scene, NAMES_DECLTYPE, type);
    UINT stream, offset;

    if (!index)
        scene_fail(scene, "an element is TYPE USAGE INDEX[@STREAM]");
    stream = strchr(index, '@') ? (UINT)strtoul(strchr(index, '@') + 1, NULL, 10) : 0;
    offset = stream < MAX_STREAMS ? scene->stride[stream] : 0;
    if (strchr(index, '+'))
        offset = (UINT)strtoul(strchr(index, '+') + 1, NULL, 10);
    *out = (D3DVERTEXELEMENT9){
        .Stream = (WORD)stream,
        .Offset = (WORD)offset,
        .Type = kind,
        .Method = (BYTE)(strchr(index, ':') ? strtoul(strchr(index, ':') + 1, NULL, 10) : 0),
        .Usage = (BYTE)name_value(scene, NAMES_DECLUSAGE, usage),
        .UsageIndex = (BYTE)strtoul(index, NULL, 10),
    };
}

UINT layout_elements(struct scene *scene, char *at, D3DVERTEXELEMENT9 *elements, bool layout)
{
    UINT kept[MAX_STREAMS], n = 0;
    char *type;

    memcpy(kept, scene->stride, sizeof(kept));
    memset(scene->stride, 0, sizeof(scene->stride));
    while ((type = parse_block_word(scene, &at))) {
        D3DVERTEXELEMENT9 *e = &elements[n];

        if (n++ == MAX_ELEMENTS)
            scene_fail(scene, "too many elements");
        read_element(scene, &at, type, e);
        if (e->Stream >= MAX_STREAMS || e->Offset < scene->stride[e->Stream])
            continue;
        scene->stride[e->Stream] = e->Offset;
        if (layout)
            add_element(scene, e->Stream, e->Type);
        else
            scene->stride[e->Stream] += type_bytes[e->Type];
    }
    elements[n] = (D3DVERTEXELEMENT9)D3DDECL_END();
    if (!layout)
        memcpy(scene->stride, kept, sizeof(kept));
    return n + 1;
}

static void unset_declaration(struct scene *scene)
{
    scene_check(scene, IDirect3DDevice9_SetVertexDeclaration(scene->device, NULL),
                "SetVertexDeclaration");
    scene->declaration = NULL;
    scene->fvf = 0; /* SetFVF(0) changes nothing */
}

/* decl { TYPE USAGE INDEX … } | none */
void cmd_decl(struct scene *scene)
{
    D3DVERTEXELEMENT9 elements[MAX_ELEMENTS + 1];
    IDirect3DVertexDeclaration9 *declaration;

    if (!scene->line.block) {
        unset_declaration(scene);
        return;
    }
    reset_layout(scene);
    layout_elements(scene, scene->line.block, elements, true);
    if (!scene_check(
            scene, IDirect3DDevice9_CreateVertexDeclaration(scene->device, elements, &declaration),
            "CreateVertexDeclaration"))
        return;
    scene->declaration = declaration;
    scene_own(scene, scene->declaration);
    scene_check(scene, IDirect3DDevice9_SetVertexDeclaration(scene->device, scene->declaration),
                "SetVertexDeclaration");
}

UINT layout_type_bytes(BYTE type)
{
    return type_bytes[type];
}

/* Sets the layout again after a quad, which sets its own and, as every UP draw, unsets stream 0. */
void layout_bind(struct scene *scene)
{
    const char *outcome = scene->line.outcome; /* belongs to the next call */

    scene->line.outcome = NULL;
    if (scene->declaration)
        scene_check(scene, IDirect3DDevice9_SetVertexDeclaration(scene->device, scene->declaration),
                    "SetVertexDeclaration");
    else
        scene_check(scene, IDirect3DDevice9_SetFVF(scene->device, scene->fvf), "SetFVF");
    for (UINT i = 0; i < MAX_STREAMS; i++) {
        if (scene->stream[i].buffer)
            scene_check(scene,
                        IDirect3DDevice9_SetStreamSource(scene->device, i, scene->stream[i].buffer,
                                                         scene->stream[i].offset,
                                                         scene->stream[i].stride),
                        "SetStreamSource");
    }
    if (scene->indices)
        scene_check(scene, IDirect3DDevice9_SetIndices(scene->device, scene->indices),
                    "SetIndices");
    scene->line.outcome = outcome;
}
