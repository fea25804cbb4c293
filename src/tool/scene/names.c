/* Names of Direct3D constants in scenes: those of d3d9types.h without their prefixes.
 *
 * Tested by tests/conformance. */
#include "tool/scene/command.h"
#include "tool/scene/parse.h"

#include <stdlib.h>
#include <string.h>

#define END                                                                                        \
    {                                                                                              \
        NULL, 0                                                                                    \
    }
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* clang-format off */
#define F(x) {#x, D3DFMT_##x}
static const struct name formats[] = {
    F(R8G8B8), F(A8R8G8B8), F(X8R8G8B8), F(R5G6B5), F(X1R5G5B5), F(A1R5G5B5), F(A4R4G4B4),
    F(R3G3B2), F(A8), F(A8R3G3B2), F(X4R4G4B4), F(A2B10G10R10), F(A8B8G8R8), F(X8B8G8R8),
    F(G16R16), F(A2R10G10B10), F(A16B16G16R16), F(A8P8), F(P8), F(L8), F(A8L8), F(A4L4), F(V8U8),
    F(L6V5U5), F(X8L8V8U8), F(Q8W8V8U8), F(V16U16), F(A2W10V10U10), F(UYVY), F(R8G8_B8G8),
    F(YUY2), F(G8R8_G8B8), F(DXT1), F(DXT2), F(DXT3), F(DXT4), F(DXT5), F(D16_LOCKABLE), F(D32),
    F(D15S1), F(D24S8), F(D24X8), F(D24X4S4), F(D16), F(D32F_LOCKABLE), F(D24FS8), F(L16),
    F(Q16W16V16U16), F(R16F), F(G16R16F), F(A16B16G16R16F), F(R32F), F(G32R32F),
    F(A32B32G32R32F), F(CxV8U8), F(D32_LOCKABLE), F(S8_LOCKABLE), F(UNKNOWN),
    F(A1), F(A2B10G10R10_XR_BIAS), F(MULTI2_ARGB8), END
};
#undef F

static const struct name pools[] = {
    {"default", D3DPOOL_DEFAULT}, {"managed", D3DPOOL_MANAGED}, {"systemmem", D3DPOOL_SYSTEMMEM},
    {"scratch", D3DPOOL_SCRATCH}, END
};
static const struct name usages[] = {
    {"rendertarget", D3DUSAGE_RENDERTARGET}, {"depthstencil", D3DUSAGE_DEPTHSTENCIL},
    {"dynamic", D3DUSAGE_DYNAMIC}, {"autogen", D3DUSAGE_AUTOGENMIPMAP},
    {"writeonly", D3DUSAGE_WRITEONLY}, {"softwareprocessing", D3DUSAGE_SOFTWAREPROCESSING},
    {"dmap", D3DUSAGE_DMAP}, {"textapi", D3DUSAGE_TEXTAPI}, END
};
static const struct name primitives[] = {
    {"pointlist", D3DPT_POINTLIST}, {"linelist", D3DPT_LINELIST},
    {"linestrip", D3DPT_LINESTRIP}, {"trianglelist", D3DPT_TRIANGLELIST},
    {"trianglestrip", D3DPT_TRIANGLESTRIP}, {"trianglefan", D3DPT_TRIANGLEFAN}, END
};
#define F(x) {#x, D3DDECLTYPE_##x}
static const struct name decltypes[] = {
    F(FLOAT1), F(FLOAT2), F(FLOAT3), F(FLOAT4), F(D3DCOLOR), F(UBYTE4), F(SHORT2), F(SHORT4),
    F(UBYTE4N), F(SHORT2N), F(SHORT4N), F(USHORT2N), F(USHORT4N), F(UDEC3), F(DEC3N),
    F(FLOAT16_2), F(FLOAT16_4), F(UNUSED), END
};
#undef F
#define F(x) {#x, D3DDECLUSAGE_##x}
static const struct name declusages[] = {
    F(POSITION), F(BLENDWEIGHT), F(BLENDINDICES), F(NORMAL), F(PSIZE), F(TEXCOORD), F(TANGENT),
    F(BINORMAL), F(TESSFACTOR), F(POSITIONT), F(COLOR), F(FOG), F(DEPTH), F(SAMPLE), END
};
#undef F
static const struct name fvfs[] = {
    {"XYZ", D3DFVF_XYZ}, {"XYZRHW", D3DFVF_XYZRHW}, {"XYZW", D3DFVF_XYZW},
    {"XYZB1", D3DFVF_XYZB1}, {"XYZB2", D3DFVF_XYZB2}, {"XYZB3", D3DFVF_XYZB3},
    {"XYZB4", D3DFVF_XYZB4}, {"XYZB5", D3DFVF_XYZB5},
    {"LASTBETA_UBYTE4", D3DFVF_LASTBETA_UBYTE4},
    {"LASTBETA_D3DCOLOR", D3DFVF_LASTBETA_D3DCOLOR}, {"NORMAL", D3DFVF_NORMAL},
    {"PSIZE", D3DFVF_PSIZE}, {"DIFFUSE", D3DFVF_DIFFUSE}, {"SPECULAR", D3DFVF_SPECULAR},
    {"TEX0", D3DFVF_TEX0}, {"TEX1", D3DFVF_TEX1}, {"TEX2", D3DFVF_TEX2}, {"TEX3", D3DFVF_TEX3},
    {"TEX4", D3DFVF_TEX4}, {"TEX5", D3DFVF_TEX5}, {"TEX6", D3DFVF_TEX6}, {"TEX7", D3DFVF_TEX7},
    {"TEX8", D3DFVF_TEX8}, END
};
static const struct name faces[] = {
    {"+x", D3DCUBEMAP_FACE_POSITIVE_X}, {"-x", D3DCUBEMAP_FACE_NEGATIVE_X},
    {"+y", D3DCUBEMAP_FACE_POSITIVE_Y}, {"-y", D3DCUBEMAP_FACE_NEGATIVE_Y},
    {"+z", D3DCUBEMAP_FACE_POSITIVE_Z}, {"-z", D3DCUBEMAP_FACE_NEGATIVE_Z}, END
};
static const struct name hresults[] = {
    {"OK", D3D_OK}, {"INVALIDCALL", (DWORD)D3DERR_INVALIDCALL},
    {"NOTAVAILABLE", (DWORD)D3DERR_NOTAVAILABLE}, {"NOTFOUND", (DWORD)D3DERR_NOTFOUND},
    {"NOAUTOGEN", (DWORD)D3DOK_NOAUTOGEN}, {"FAIL", (DWORD)E_FAIL},
    {"UNSUPPORTEDTEXTUREFILTER", (DWORD)D3DERR_UNSUPPORTEDTEXTUREFILTER},
    {"UNSUPPORTEDCOLOROPERATION", (DWORD)D3DERR_UNSUPPORTEDCOLOROPERATION},
    {"UNSUPPORTEDCOLORARG", (DWORD)D3DERR_UNSUPPORTEDCOLORARG},
    {"UNSUPPORTEDALPHAOPERATION", (DWORD)D3DERR_UNSUPPORTEDALPHAOPERATION},
    {"UNSUPPORTEDALPHAARG", (DWORD)D3DERR_UNSUPPORTEDALPHAARG},
    {"CONFLICTINGRENDERSTATE", (DWORD)D3DERR_CONFLICTINGRENDERSTATE}, END
};
static const struct name transforms[] = {
    {"world", D3DTS_WORLDMATRIX(0)}, {"view", D3DTS_VIEW},
    {"projection", D3DTS_PROJECTION}, {"tex0", D3DTS_TEXTURE0}, {"tex1", D3DTS_TEXTURE1},
    {"tex2", D3DTS_TEXTURE2}, {"tex3", D3DTS_TEXTURE3}, {"tex4", D3DTS_TEXTURE4},
    {"tex5", D3DTS_TEXTURE5}, {"tex6", D3DTS_TEXTURE6}, {"tex7", D3DTS_TEXTURE7}, END
};

/* Kinds of state values. BOOL and UINT take numbers; FLOAT converts every number to float bits. */
static const struct name plain[] = {{"TRUE", 1}, {"FALSE", 0}, END};
static const struct name real[] = {END};
static const struct name colour[] = {END};
static const struct name zbuffer[] = {{"FALSE", 0}, {"TRUE", 1}, {"USEW", 2}, END};
static const struct name fill[] = {{"POINT", 1}, {"WIREFRAME", 2}, {"SOLID", 3}, END};
static const struct name shade[] = {{"FLAT", 1}, {"GOURAUD", 2}, {"PHONG", 3}, END};
static const struct name blend[] = {
    {"ZERO", 1}, {"ONE", 2}, {"SRCCOLOR", 3}, {"INVSRCCOLOR", 4}, {"SRCALPHA", 5},
    {"INVSRCALPHA", 6}, {"DESTALPHA", 7}, {"INVDESTALPHA", 8}, {"DESTCOLOR", 9},
    {"INVDESTCOLOR", 10}, {"SRCALPHASAT", 11}, {"BOTHSRCALPHA", 12}, {"BOTHINVSRCALPHA", 13},
    {"BLENDFACTOR", 14}, {"INVBLENDFACTOR", 15}, {"SRCCOLOR2", 16},
    {"INVSRCCOLOR2", 17}, END
};
static const struct name cull[] = {{"NONE", 1}, {"CW", 2}, {"CCW", 3}, END};
static const struct name cmp[] = {
    {"NEVER", 1}, {"LESS", 2}, {"EQUAL", 3}, {"LESSEQUAL", 4}, {"GREATER", 5}, {"NOTEQUAL", 6},
    {"GREATEREQUAL", 7}, {"ALWAYS", 8}, END
};
static const struct name stencil_ops[] = {
    {"KEEP", 1}, {"ZERO", 2}, {"REPLACE", 3}, {"INCRSAT", 4}, {"DECRSAT", 5}, {"INVERT", 6},
    {"INCR", 7}, {"DECR", 8}, END
};
static const struct name fog[] = {{"NONE", 0}, {"EXP", 1}, {"EXP2", 2}, {"LINEAR", 3}, END};
static const struct name mcs[] = {{"MATERIAL", 0}, {"COLOR1", 1}, {"COLOR2", 2}, END};
static const struct name blendops[] = {
    {"ADD", 1}, {"SUBTRACT", 2}, {"REVSUBTRACT", 3}, {"MIN", 4}, {"MAX", 5}, END
};
static const struct name channels[] = {{"RED", 1}, {"GREEN", 2}, {"BLUE", 4}, {"ALPHA", 8}, END};
static const struct name vertexblend[] = {
    {"DISABLE", 0}, {"1WEIGHTS", 1}, {"2WEIGHTS", 2}, {"3WEIGHTS", 3}, {"TWEENING", 255},
    {"0WEIGHTS", 256}, END
};
static const struct name edge_styles[] = {{"DISCRETE", 0}, {"CONTINUOUS", 1}, END};
static const struct name degrees[] = {
    {"LINEAR", 1}, {"QUADRATIC", 2}, {"CUBIC", 3}, {"QUINTIC", 5}, END
};
static const struct name wraps[] = {{"U", 1}, {"V", 2}, {"W", 4}, END};
static const struct name texops[] = {
    {"DISABLE", 1}, {"SELECTARG1", 2}, {"SELECTARG2", 3}, {"MODULATE", 4}, {"MODULATE2X", 5},
    {"MODULATE4X", 6}, {"ADD", 7}, {"ADDSIGNED", 8}, {"ADDSIGNED2X", 9}, {"SUBTRACT", 10},
    {"ADDSMOOTH", 11}, {"BLENDDIFFUSEALPHA", 12}, {"BLENDTEXTUREALPHA", 13},
    {"BLENDFACTORALPHA", 14}, {"BLENDTEXTUREALPHAPM", 15}, {"BLENDCURRENTALPHA", 16},
    {"PREMODULATE", 17}, {"MODULATEALPHA_ADDCOLOR", 18}, {"MODULATECOLOR_ADDALPHA", 19},
    {"MODULATEINVALPHA_ADDCOLOR", 20}, {"MODULATEINVCOLOR_ADDALPHA", 21}, {"BUMPENVMAP", 22},
    {"BUMPENVMAPLUMINANCE", 23}, {"DOTPRODUCT3", 24}, {"MULTIPLYADD", 25}, {"LERP", 26}, END
};
static const struct name texargs[] = {
    {"DIFFUSE", 0}, {"CURRENT", 1}, {"TEXTURE", 2}, {"TFACTOR", 3}, {"SPECULAR", 4}, {"TEMP", 5},
    {"CONSTANT", 6}, {"COMPLEMENT", 0x10}, {"ALPHAREPLICATE", 0x20}, END
};
static const struct name texgen[] = {
    {"PASSTHRU", 0}, {"CAMERASPACENORMAL", 0x10000}, {"CAMERASPACEPOSITION", 0x20000},
    {"CAMERASPACEREFLECTIONVECTOR", 0x30000}, {"SPHEREMAP", 0x40000}, END
};
static const struct name ttff[] = {
    {"DISABLE", 0}, {"COUNT1", 1}, {"COUNT2", 2}, {"COUNT3", 3}, {"COUNT4", 4},
    {"PROJECTED", 256}, END
};
static const struct name address[] = {
    {"WRAP", 1}, {"MIRROR", 2}, {"CLAMP", 3}, {"BORDER", 4}, {"MIRRORONCE", 5}, END
};
static const struct name filters[] = {
    {"NONE", 0}, {"POINT", 1}, {"LINEAR", 2}, {"ANISOTROPIC", 3}, {"PYRAMIDALQUAD", 6},
    {"GAUSSIANQUAD", 7}, {"CONVOLUTIONMONO", 8}, END
};

struct state_name {
    const char *text;
    DWORD state;
    const struct name *values;
};
#define S(x, values) {#x, D3DRS_##x, values}
static const struct state_name render_states[] = {
    S(ZENABLE, zbuffer), S(FILLMODE, fill), S(SHADEMODE, shade), S(ZWRITEENABLE, plain),
    S(ALPHATESTENABLE, plain), S(LASTPIXEL, plain), S(SRCBLEND, blend), S(DESTBLEND, blend),
    S(CULLMODE, cull), S(ZFUNC, cmp), S(ALPHAREF, plain), S(ALPHAFUNC, cmp),
    S(DITHERENABLE, plain), S(ALPHABLENDENABLE, plain), S(FOGENABLE, plain),
    S(SPECULARENABLE, plain), S(FOGCOLOR, colour), S(FOGTABLEMODE, fog), S(FOGSTART, real),
    S(FOGEND, real), S(FOGDENSITY, real), S(RANGEFOGENABLE, plain), S(STENCILENABLE, plain),
    S(STENCILFAIL, stencil_ops), S(STENCILZFAIL, stencil_ops), S(STENCILPASS, stencil_ops),
    S(STENCILFUNC, cmp), S(STENCILREF, plain), S(STENCILMASK, plain),
    S(STENCILWRITEMASK, plain), S(TEXTUREFACTOR, colour), S(WRAP0, wraps), S(WRAP1, wraps),
    S(WRAP2, wraps), S(WRAP3, wraps), S(WRAP4, wraps), S(WRAP5, wraps), S(WRAP6, wraps),
    S(WRAP7, wraps), S(WRAP8, wraps), S(WRAP9, wraps), S(WRAP10, wraps), S(WRAP11, wraps),
    S(WRAP12, wraps), S(WRAP13, wraps), S(WRAP14, wraps), S(WRAP15, wraps),
    S(CLIPPING, plain), S(LIGHTING, plain), S(AMBIENT, colour),
    S(FOGVERTEXMODE, fog), S(COLORVERTEX, plain), S(LOCALVIEWER, plain),
    S(NORMALIZENORMALS, plain), S(DIFFUSEMATERIALSOURCE, mcs), S(SPECULARMATERIALSOURCE, mcs),
    S(AMBIENTMATERIALSOURCE, mcs), S(EMISSIVEMATERIALSOURCE, mcs), S(VERTEXBLEND, vertexblend),
    S(CLIPPLANEENABLE, plain), S(POINTSIZE, real), S(POINTSIZE_MIN, real),
    S(POINTSPRITEENABLE, plain), S(POINTSCALEENABLE, plain), S(POINTSCALE_A, real),
    S(POINTSCALE_B, real), S(POINTSCALE_C, real), S(MULTISAMPLEANTIALIAS, plain),
    S(MULTISAMPLEMASK, plain), S(POINTSIZE_MAX, real), S(INDEXEDVERTEXBLENDENABLE, plain),
    S(COLORWRITEENABLE, channels), S(TWEENFACTOR, real), S(BLENDOP, blendops),
    S(SCISSORTESTENABLE, plain), S(SLOPESCALEDEPTHBIAS, real), S(ADAPTIVETESS_X, plain),
    S(ADAPTIVETESS_Y, plain), S(ADAPTIVETESS_Z, real), S(ADAPTIVETESS_W, real),
    S(ANTIALIASEDLINEENABLE, plain), S(PATCHEDGESTYLE, edge_styles),
    S(POSITIONDEGREE, degrees), S(NORMALDEGREE, degrees), S(MINTESSELLATIONLEVEL, real),
    S(MAXTESSELLATIONLEVEL, real), S(ENABLEADAPTIVETESSELLATION, plain),
    S(TWOSIDEDSTENCILMODE, plain), S(CCW_STENCILFAIL, stencil_ops),
    S(CCW_STENCILZFAIL, stencil_ops), S(CCW_STENCILPASS, stencil_ops), S(CCW_STENCILFUNC, cmp),
    S(COLORWRITEENABLE1, channels), S(COLORWRITEENABLE2, channels),
    S(COLORWRITEENABLE3, channels), S(BLENDFACTOR, colour), S(SRGBWRITEENABLE, plain),
    S(DEPTHBIAS, real), S(SEPARATEALPHABLENDENABLE, plain), S(SRCBLENDALPHA, blend),
    S(DESTBLENDALPHA, blend), S(BLENDOPALPHA, blendops), {NULL, 0, NULL}
};
#undef S
#define S(x, values) {#x, D3DSAMP_##x, values}
static const struct state_name sampler_states[] = {
    S(ADDRESSU, address), S(ADDRESSV, address), S(ADDRESSW, address), S(BORDERCOLOR, colour),
    S(MAGFILTER, filters), S(MINFILTER, filters), S(MIPFILTER, filters),
    S(MIPMAPLODBIAS, real), S(MAXMIPLEVEL, plain), S(MAXANISOTROPY, plain),
    S(SRGBTEXTURE, plain), S(ELEMENTINDEX, plain), S(DMAPOFFSET, plain), {NULL, 0, NULL}
};
#undef S
#define S(x, values) {#x, D3DTSS_##x, values}
static const struct state_name stage_states[] = {
    S(COLOROP, texops), S(COLORARG0, texargs), S(COLORARG1, texargs), S(COLORARG2, texargs),
    S(ALPHAOP, texops), S(ALPHAARG0, texargs), S(ALPHAARG1, texargs), S(ALPHAARG2, texargs),
    S(RESULTARG, texargs), S(BUMPENVMAT00, real), S(BUMPENVMAT01, real), S(BUMPENVMAT10, real),
    S(BUMPENVMAT11, real), S(BUMPENVLSCALE, real), S(BUMPENVLOFFSET, real),
    S(TEXCOORDINDEX, texgen), S(TEXTURETRANSFORMFLAGS, ttff), S(CONSTANT, colour),
    {NULL, 0, NULL}
};
#undef S
/* clang-format on */

static const struct name *const lists[] = {
    [NAMES_FORMAT] = formats,     [NAMES_POOL] = pools,           [NAMES_PRIMITIVE] = primitives,
    [NAMES_DECLTYPE] = decltypes, [NAMES_DECLUSAGE] = declusages, [NAMES_FILTER] = filters,
    [NAMES_HRESULT] = hresults,   [NAMES_TRANSFORM] = transforms, [NAMES_FVF] = fvfs,
    [NAMES_FACE] = faces,         [NAMES_USAGE] = usages,
};
static const struct state_name *const states[] = {
    [STATE_RENDER] = render_states, [STATE_SAMPLER] = sampler_states, [STATE_STAGE] = stage_states};

static const struct name *find(const struct name *list, const char *text, size_t n)
{
    for (; list->text; list++) {
        if (!strncmp(list->text, text, n) && !list->text[n])
            return list;
    }
    return NULL;
}

DWORD name_value(struct scene *scene, enum name_list list, const char *text)
{
    const struct name *name = find(lists[list], text, strlen(text));

    if (!name)
        scene_fail(scene, "'%s' is not a known name", text);
    return name->value;
}

D3DFORMAT name_format(struct scene *scene, const char *text)
{
    const struct name *name = find(formats, text, strlen(text));

    if (name)
        return (D3DFORMAT)name->value;
    if (strlen(text) == 4) /* FOURCC formats of drivers, such as INTZ */
        return (D3DFORMAT)MAKEFOURCC(text[0], text[1], text[2], text[3]);
    scene_fail(scene, "'%s' is not a format", text);
}

static DWORD float_bits(float f)
{
    DWORD bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

/* Parses names and numbers joined by |. A number with a point, or of a float state, is a float. */
static DWORD parse_value(struct scene *scene, const struct name *names, const char *text)
{
    DWORD value = 0;
    char part[40];

    if (names == colour && !strchr(text, '|'))
        return parse_colour(scene, text);
    while (*text) {
        size_t n = strcspn(text, "|");
        const struct name *name = find(names, text, n);

        if (n >= sizeof(part))
            scene_fail(scene, "'%s' is too long", text);
        memcpy(part, text, n);
        part[n] = '\0';
        if (name)
            value |= name->value;
        else if (!strncmp(part, "0x", 2))
            value |= parse_uint(scene, part);
        else if (names == real || strchr(part, '.'))
            value |= float_bits(parse_float(scene, part));
        else
            value |= parse_uint(scene, part);
        text += n + (text[n] == '|');
    }
    return value;
}

void name_state(struct scene *scene, enum state_class class, char *assignment, DWORD *state,
                DWORD *value)
{
    char *equals = strchr(assignment, '=');

    if (!equals || !equals[1])
        scene_fail(scene, "'%s' should be NAME=VALUE", assignment);
    for (const struct state_name *s = states[class]; s->text; s++) {
        if (strlen(s->text) == (size_t)(equals - assignment) &&
            !strncmp(s->text, assignment, (size_t)(equals - assignment))) {
            *state = s->state;
            *value = parse_value(scene, s->values, equals + 1);
            return;
        }
    }
    if (strncmp(assignment, "0x", 2)) /* 0x: a state by number, which has no name here */
        scene_fail(scene, "'%s': no such state", assignment);
    *equals = '\0';
    *state = parse_uint(scene, assignment);
    *value = parse_uint(scene, equals + 1);
}
