/* Conversion between flexible vertex format codes and vertex declarations
 * (reference: vertices/fvf). */
#include "ff/ff.h"

#include <string.h>

enum {
    FVF_MAX_ELEMENTS = MAXD3DDECLLENGTH + 1,
    FVF_LAST_BETA = D3DFVF_LASTBETA_UBYTE4 | D3DFVF_LASTBETA_D3DCOLOR
};

static const uint8_t type_bytes[] = {
    [D3DDECLTYPE_FLOAT1] = 4,  [D3DDECLTYPE_FLOAT2] = 8,   [D3DDECLTYPE_FLOAT3] = 12,
    [D3DDECLTYPE_FLOAT4] = 16, [D3DDECLTYPE_D3DCOLOR] = 4, [D3DDECLTYPE_UBYTE4] = 4,
};

/* Appends elements at consecutive offsets. */
struct writer {
    D3DVERTEXELEMENT9 *elements;
    unsigned n, bytes;
};

static void append(struct writer *w, unsigned type, unsigned usage, unsigned index)
{
    w->elements[w->n++] = (D3DVERTEXELEMENT9){
        .Stream = 0,
        .Offset = (WORD)w->bytes,
        .Type = (BYTE)type,
        .Method = D3DDECLMETHOD_DEFAULT,
        .Usage = (BYTE)usage,
        .UsageIndex = (BYTE)index,
    };
    w->bytes += type_bytes[type];
}

static unsigned float_type(unsigned components)
{
    return D3DDECLTYPE_FLOAT1 + components - 1;
}

/* Betas are float blend weights. The last one is the blend indices if a flag says so or there are
 * five. */
static void append_betas(struct writer *w, DWORD fvf, unsigned betas)
{
    unsigned weights = betas, index_type = D3DDECLTYPE_FLOAT1;
    bool indices = betas == 5 || (fvf & FVF_LAST_BETA);

    if (fvf & D3DFVF_LASTBETA_UBYTE4)
        index_type = D3DDECLTYPE_UBYTE4;
    else if (fvf & D3DFVF_LASTBETA_D3DCOLOR)
        index_type = D3DDECLTYPE_D3DCOLOR;
    if (indices)
        weights--;

    if (betas == 2 && index_type == D3DDECLTYPE_D3DCOLOR) {
        /* The table of the Direct3D runtime is irregular here, and applications can observe it. */
        append(w, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_BLENDWEIGHT, 0);
        append(w, D3DDECLTYPE_UBYTE4, D3DDECLUSAGE_BLENDINDICES, 0);
        return;
    }
    if (weights)
        append(w, float_type(weights), D3DDECLUSAGE_BLENDWEIGHT, 0);
    if (indices)
        append(w, index_type, D3DDECLUSAGE_BLENDINDICES, 0);
}

/* False for an invalid position code. */
static bool append_position(struct writer *w, DWORD fvf)
{
    switch (fvf & D3DFVF_POSITION_MASK) {
    case 0:
        return true;
    case D3DFVF_XYZ:
        append(w, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0);
        return true;
    case D3DFVF_XYZRHW:
        append(w, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITIONT, 0);
        return true;
    case D3DFVF_XYZW:
        append(w, D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION, 0);
        return true;
    case D3DFVF_XYZB1:
    case D3DFVF_XYZB2:
    case D3DFVF_XYZB3:
    case D3DFVF_XYZB4:
    case D3DFVF_XYZB5:
        append(w, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0);
        append_betas(w, fvf, ((fvf & D3DFVF_POSITION_MASK) - D3DFVF_XYZRHW) / 2);
        return true;
    default:
        return false;
    }
}

/* Two bits for each set: 0 = 2, 1 = 3, 2 = 4, 3 = 1 component. */
static unsigned texcoord_components(DWORD fvf, unsigned set)
{
    static const uint8_t components[4] = {
        [D3DFVF_TEXTUREFORMAT1] = 1,
        [D3DFVF_TEXTUREFORMAT2] = 2,
        [D3DFVF_TEXTUREFORMAT3] = 3,
        [D3DFVF_TEXTUREFORMAT4] = 4,
    };

    return components[fvf >> (16 + 2 * set) & 3];
}

static bool write_elements(struct writer *w, DWORD fvf)
{
    unsigned n_sets = (fvf & D3DFVF_TEXCOUNT_MASK) >> D3DFVF_TEXCOUNT_SHIFT;

    if (n_sets > FF_STAGES || !append_position(w, fvf))
        return false;
    if (fvf & D3DFVF_NORMAL)
        append(w, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_NORMAL, 0);
    if (fvf & D3DFVF_PSIZE)
        append(w, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_PSIZE, 0);
    if (fvf & D3DFVF_DIFFUSE)
        append(w, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 0);
    if (fvf & D3DFVF_SPECULAR)
        append(w, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 1);
    for (unsigned set = 0; set < n_sets; set++)
        append(w, float_type(texcoord_components(fvf, set)), D3DDECLUSAGE_TEXCOORD, set);
    return true;
}

unsigned ff_fvf_to_elements(DWORD fvf, D3DVERTEXELEMENT9 *elements)
{
    static const D3DVERTEXELEMENT9 end = D3DDECL_END();
    struct writer w = {.elements = elements};

    if (!write_elements(&w, fvf))
        return 0;
    elements[w.n++] = end;
    return w.n;
}

unsigned ff_fvf_stride(DWORD fvf)
{
    D3DVERTEXELEMENT9 elements[FVF_MAX_ELEMENTS];
    struct writer w = {.elements = elements};

    return write_elements(&w, fvf) ? w.bytes : 0;
}

/* --- Declaration to code --------------------------------------------------------------------- */

static DWORD texcoord_bits(unsigned type, unsigned set)
{
    static const uint8_t format[4] = {D3DFVF_TEXTUREFORMAT1, D3DFVF_TEXTUREFORMAT2,
                                      D3DFVF_TEXTUREFORMAT3, D3DFVF_TEXTUREFORMAT4};

    return type <= D3DDECLTYPE_FLOAT4 ? (DWORD)format[type] << (16 + 2 * set) : 0;
}

/* FVF bits of one element; the caller handles the position. */
static DWORD element_bits(const D3DVERTEXELEMENT9 *e, unsigned *n_sets)
{
    switch (e->Usage) {
    case D3DDECLUSAGE_NORMAL:
        return D3DFVF_NORMAL;
    case D3DDECLUSAGE_PSIZE:
        return D3DFVF_PSIZE;
    case D3DDECLUSAGE_COLOR:
        return e->UsageIndex ? D3DFVF_SPECULAR : D3DFVF_DIFFUSE;
    case D3DDECLUSAGE_TEXCOORD:
        if (e->UsageIndex >= FF_STAGES)
            return 0;
        ++*n_sets;
        return texcoord_bits(e->Type, e->UsageIndex);
    default:
        return 0;
    }
}

static DWORD position_bits(const D3DVERTEXELEMENT9 *elements, unsigned n)
{
    DWORD flags = 0;
    unsigned betas = 0;

    if (n == 0)
        return 0;
    if (elements[0].Usage == D3DDECLUSAGE_POSITIONT)
        return D3DFVF_XYZRHW;
    if (elements[0].Usage != D3DDECLUSAGE_POSITION)
        return 0;
    if (elements[0].Type == D3DDECLTYPE_FLOAT4)
        return D3DFVF_XYZW;
    for (unsigned i = 1; i < n; i++) {
        const D3DVERTEXELEMENT9 *e = &elements[i];

        if (e->Usage == D3DDECLUSAGE_BLENDWEIGHT)
            betas += e->Type <= D3DDECLTYPE_FLOAT4 ? e->Type + 1u : 1u;
        if (e->Usage == D3DDECLUSAGE_BLENDINDICES) {
            betas++;
            if (e->Type == D3DDECLTYPE_UBYTE4)
                flags = elements[i - 1].Type == D3DDECLTYPE_D3DCOLOR ? D3DFVF_LASTBETA_D3DCOLOR
                                                                     : D3DFVF_LASTBETA_UBYTE4;
            else if (e->Type == D3DDECLTYPE_D3DCOLOR)
                flags = D3DFVF_LASTBETA_D3DCOLOR;
        }
    }
    if (betas > 5)
        return 0;
    return betas ? (D3DFVF_XYZRHW + 2 * betas) | flags : D3DFVF_XYZ;
}

/* Guesses a code and accepts it if it converts back to the same elements. */
DWORD ff_elements_to_fvf(const D3DVERTEXELEMENT9 *elements)
{
    D3DVERTEXELEMENT9 round_trip[FVF_MAX_ELEMENTS];
    unsigned n = 0, n_sets = 0;
    DWORD fvf;

    while (elements[n].Stream != 0xff && n < MAXD3DDECLLENGTH)
        n++;
    fvf = position_bits(elements, n);
    if (!fvf)
        return 0;
    for (unsigned i = 0; i < n; i++)
        fvf |= element_bits(&elements[i], &n_sets);
    fvf |= n_sets << D3DFVF_TEXCOUNT_SHIFT & D3DFVF_TEXCOUNT_MASK;
    if (ff_fvf_to_elements(fvf, round_trip) != n + 1)
        return 0;
    return memcmp(round_trip, elements, n * sizeof(*elements)) ? 0 : fvf;
}
