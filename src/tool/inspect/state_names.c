/* Tables of the enumerations and flags that states have as values.
 *
 * Tested by tests/unit/tool/inspect/test_state_names.c. */
#include "tool/inspect/state_names.h"

#include "util/d3dtypes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct value {
    uint32_t number;
    const char *name;
};

#define V(name)                                                                                    \
    {                                                                                              \
        name, #name                                                                                \
    }
#define END                                                                                        \
    {                                                                                              \
        0, NULL                                                                                    \
    }

static const struct value switches[] = {{0, "FALSE"}, {1, "TRUE"}, END};
static const struct value depth_modes[] = {V(D3DZB_FALSE), V(D3DZB_TRUE), V(D3DZB_USEW), END};
static const struct value fills[] = {V(D3DFILL_POINT), V(D3DFILL_WIREFRAME), V(D3DFILL_SOLID), END};
static const struct value shadings[] = {V(D3DSHADE_FLAT), V(D3DSHADE_GOURAUD), V(D3DSHADE_PHONG),
                                        END};
static const struct value culls[] = {V(D3DCULL_NONE), V(D3DCULL_CW), V(D3DCULL_CCW), END};
static const struct value fogs[] = {V(D3DFOG_NONE), V(D3DFOG_EXP), V(D3DFOG_EXP2), V(D3DFOG_LINEAR),
                                    END};
static const struct value functions[] = {
    V(D3DCMP_NEVER),        V(D3DCMP_LESS),    V(D3DCMP_EQUAL),
    V(D3DCMP_LESSEQUAL),    V(D3DCMP_GREATER), V(D3DCMP_NOTEQUAL),
    V(D3DCMP_GREATEREQUAL), V(D3DCMP_ALWAYS),  END};
static const struct value stencils[] = {
    V(D3DSTENCILOP_KEEP),    V(D3DSTENCILOP_ZERO),    V(D3DSTENCILOP_REPLACE),
    V(D3DSTENCILOP_INCRSAT), V(D3DSTENCILOP_DECRSAT), V(D3DSTENCILOP_INVERT),
    V(D3DSTENCILOP_INCR),    V(D3DSTENCILOP_DECR),    END};
static const struct value blends[] = {V(D3DBLEND_ZERO),
                                      V(D3DBLEND_ONE),
                                      V(D3DBLEND_SRCCOLOR),
                                      V(D3DBLEND_INVSRCCOLOR),
                                      V(D3DBLEND_SRCALPHA),
                                      V(D3DBLEND_INVSRCALPHA),
                                      V(D3DBLEND_DESTALPHA),
                                      V(D3DBLEND_INVDESTALPHA),
                                      V(D3DBLEND_DESTCOLOR),
                                      V(D3DBLEND_INVDESTCOLOR),
                                      V(D3DBLEND_SRCALPHASAT),
                                      V(D3DBLEND_BOTHSRCALPHA),
                                      V(D3DBLEND_BOTHINVSRCALPHA),
                                      V(D3DBLEND_BLENDFACTOR),
                                      V(D3DBLEND_INVBLENDFACTOR),
                                      V(D3DBLEND_SRCCOLOR2),
                                      V(D3DBLEND_INVSRCCOLOR2),
                                      END};
static const struct value blend_ops[] = {V(D3DBLENDOP_ADD),         V(D3DBLENDOP_SUBTRACT),
                                         V(D3DBLENDOP_REVSUBTRACT), V(D3DBLENDOP_MIN),
                                         V(D3DBLENDOP_MAX),         END};
static const struct value materials[] = {V(D3DMCS_MATERIAL), V(D3DMCS_COLOR1), V(D3DMCS_COLOR2),
                                         END};
static const struct value texture_ops[] = {V(D3DTOP_DISABLE),
                                           V(D3DTOP_SELECTARG1),
                                           V(D3DTOP_SELECTARG2),
                                           V(D3DTOP_MODULATE),
                                           V(D3DTOP_MODULATE2X),
                                           V(D3DTOP_MODULATE4X),
                                           V(D3DTOP_ADD),
                                           V(D3DTOP_ADDSIGNED),
                                           V(D3DTOP_ADDSIGNED2X),
                                           V(D3DTOP_SUBTRACT),
                                           V(D3DTOP_ADDSMOOTH),
                                           V(D3DTOP_BLENDDIFFUSEALPHA),
                                           V(D3DTOP_BLENDTEXTUREALPHA),
                                           V(D3DTOP_BLENDFACTORALPHA),
                                           V(D3DTOP_BLENDTEXTUREALPHAPM),
                                           V(D3DTOP_BLENDCURRENTALPHA),
                                           V(D3DTOP_PREMODULATE),
                                           V(D3DTOP_MODULATEALPHA_ADDCOLOR),
                                           V(D3DTOP_MODULATECOLOR_ADDALPHA),
                                           V(D3DTOP_MODULATEINVALPHA_ADDCOLOR),
                                           V(D3DTOP_MODULATEINVCOLOR_ADDALPHA),
                                           V(D3DTOP_BUMPENVMAP),
                                           V(D3DTOP_BUMPENVMAPLUMINANCE),
                                           V(D3DTOP_DOTPRODUCT3),
                                           V(D3DTOP_MULTIPLYADD),
                                           V(D3DTOP_LERP),
                                           END};
static const struct value transforms[] = {V(D3DTTFF_DISABLE), V(D3DTTFF_COUNT1), V(D3DTTFF_COUNT2),
                                          V(D3DTTFF_COUNT3),  V(D3DTTFF_COUNT4), END};
static const struct value addresses[] = {V(D3DTADDRESS_WRAP),       V(D3DTADDRESS_MIRROR),
                                         V(D3DTADDRESS_CLAMP),      V(D3DTADDRESS_BORDER),
                                         V(D3DTADDRESS_MIRRORONCE), END};
static const struct value filters[] = {V(D3DTEXF_NONE),
                                       V(D3DTEXF_POINT),
                                       V(D3DTEXF_LINEAR),
                                       V(D3DTEXF_ANISOTROPIC),
                                       V(D3DTEXF_PYRAMIDALQUAD),
                                       V(D3DTEXF_GAUSSIANQUAD),
                                       V(D3DTEXF_CONVOLUTIONMONO),
                                       END};
static const struct value arguments[] = {
    V(D3DTA_DIFFUSE),  V(D3DTA_CURRENT), V(D3DTA_TEXTURE),  V(D3DTA_TFACTOR),
    V(D3DTA_SPECULAR), V(D3DTA_TEMP),    V(D3DTA_CONSTANT), END};
static const struct value writes[] = {{0, "0"}, END};
static const struct value types[] = {V(D3DDECLTYPE_FLOAT1),
                                     V(D3DDECLTYPE_FLOAT2),
                                     V(D3DDECLTYPE_FLOAT3),
                                     V(D3DDECLTYPE_FLOAT4),
                                     V(D3DDECLTYPE_D3DCOLOR),
                                     V(D3DDECLTYPE_UBYTE4),
                                     V(D3DDECLTYPE_SHORT2),
                                     V(D3DDECLTYPE_SHORT4),
                                     V(D3DDECLTYPE_UBYTE4N),
                                     V(D3DDECLTYPE_SHORT2N),
                                     V(D3DDECLTYPE_SHORT4N),
                                     V(D3DDECLTYPE_USHORT2N),
                                     V(D3DDECLTYPE_USHORT4N),
                                     V(D3DDECLTYPE_UDEC3),
                                     V(D3DDECLTYPE_DEC3N),
                                     V(D3DDECLTYPE_FLOAT16_2),
                                     V(D3DDECLTYPE_FLOAT16_4),
                                     V(D3DDECLTYPE_UNUSED),
                                     END};

static const struct value methods[] = {V(D3DDECLMETHOD_DEFAULT),
                                       V(D3DDECLMETHOD_PARTIALU),
                                       V(D3DDECLMETHOD_PARTIALV),
                                       V(D3DDECLMETHOD_CROSSUV),
                                       V(D3DDECLMETHOD_UV),
                                       V(D3DDECLMETHOD_LOOKUP),
                                       V(D3DDECLMETHOD_LOOKUPPRESAMPLED),
                                       END};

static const struct value primitives[] = {V(D3DPT_POINTLIST),
                                          V(D3DPT_LINELIST),
                                          V(D3DPT_LINESTRIP),
                                          V(D3DPT_TRIANGLELIST),
                                          V(D3DPT_TRIANGLESTRIP),
                                          V(D3DPT_TRIANGLEFAN),
                                          END};
static const struct value swap_effects[] = {V(D3DSWAPEFFECT_DISCARD), V(D3DSWAPEFFECT_FLIP),
                                            V(D3DSWAPEFFECT_COPY),    V(D3DSWAPEFFECT_OVERLAY),
                                            V(D3DSWAPEFFECT_FLIPEX),  END};
static const struct value vertex_blends[] = {V(D3DVBF_DISABLE),
                                             V(D3DVBF_1WEIGHTS),
                                             V(D3DVBF_2WEIGHTS),
                                             V(D3DVBF_3WEIGHTS),
                                             V(D3DVBF_TWEENING),
                                             V(D3DVBF_0WEIGHTS),
                                             END};
static const struct value degrees[] = {V(D3DDEGREE_LINEAR), V(D3DDEGREE_QUADRATIC),
                                       V(D3DDEGREE_CUBIC), V(D3DDEGREE_QUINTIC), END};
static const struct value patch_edges[] = {V(D3DPATCHEDGE_DISCRETE), V(D3DPATCHEDGE_CONTINUOUS),
                                           END};
static const struct value generators[] = {
    V(D3DTSS_TCI_CAMERASPACENORMAL), V(D3DTSS_TCI_CAMERASPACEPOSITION),
    V(D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR), V(D3DTSS_TCI_SPHEREMAP), END};
static const struct value clip_flags[] = {V(D3DCLIPPLANE0),
                                          V(D3DCLIPPLANE1),
                                          V(D3DCLIPPLANE2),
                                          V(D3DCLIPPLANE3),
                                          V(D3DCLIPPLANE4),
                                          V(D3DCLIPPLANE5),
                                          END};
static const struct value wrap_flags[] = {V(D3DWRAPCOORD_0), V(D3DWRAPCOORD_1), V(D3DWRAPCOORD_2),
                                          V(D3DWRAPCOORD_3), END};
static const struct value argument_flags[] = {V(D3DTA_COMPLEMENT), V(D3DTA_ALPHAREPLICATE), END};
static const struct value write_flags[] = {V(D3DCOLORWRITEENABLE_RED), V(D3DCOLORWRITEENABLE_GREEN),
                                           V(D3DCOLORWRITEENABLE_BLUE),
                                           V(D3DCOLORWRITEENABLE_ALPHA), END};
static const struct value transform_flags[] = {V(D3DTTFF_PROJECTED), END};

static const struct {
    const char *state; /* the whole name; "*X": its end; "X*": its beginning */
    const struct value *values, *flags;
} states[] = {
    {"ZENABLE", depth_modes, NULL},
    {"FILLMODE", fills, NULL},
    {"SHADEMODE", shadings, NULL},
    {"CULLMODE", culls, NULL},
    {"FOGTABLEMODE", fogs, NULL},
    {"FOGVERTEXMODE", fogs, NULL},
    {"ZFUNC", functions, NULL},
    {"ALPHAFUNC", functions, NULL},
    {"*STENCILFUNC", functions, NULL},
    {"*STENCILFAIL", stencils, NULL},
    {"*STENCILZFAIL", stencils, NULL},
    {"*STENCILPASS", stencils, NULL},
    {"SRCBLEND", blends, NULL},
    {"DESTBLEND", blends, NULL},
    {"SRCBLENDALPHA", blends, NULL},
    {"DESTBLENDALPHA", blends, NULL},
    {"BLENDOP", blend_ops, NULL},
    {"BLENDOPALPHA", blend_ops, NULL},
    {"*MATERIALSOURCE", materials, NULL},
    {"COLORWRITEENABLE", writes, write_flags},
    {"COLORWRITEENABLE1", writes, write_flags},
    {"COLORWRITEENABLE2", writes, write_flags},
    {"COLORWRITEENABLE3", writes, write_flags},
    {"CLIPPLANEENABLE", writes, clip_flags},
    {"WRAP*", writes, wrap_flags},
    {"VERTEXBLEND", vertex_blends, NULL},
    {"POSITIONDEGREE", degrees, NULL},
    {"NORMALDEGREE", degrees, NULL},
    {"PATCHEDGESTYLE", patch_edges, NULL},
    {"*ENABLE", switches, NULL},
    {"LIGHTING", switches, NULL},
    {"CLIPPING", switches, NULL},
    {"COLORVERTEX", switches, NULL},
    {"LOCALVIEWER", switches, NULL},
    {"NORMALIZENORMALS", switches, NULL},
    {"MULTISAMPLEANTIALIAS", switches, NULL},
    {"SRGBTEXTURE", switches, NULL},
    {"COLOROP", texture_ops, NULL},
    {"ALPHAOP", texture_ops, NULL},
    {"COLORARG0", arguments, argument_flags},
    {"COLORARG1", arguments, argument_flags},
    {"COLORARG2", arguments, argument_flags},
    {"ALPHAARG0", arguments, argument_flags},
    {"ALPHAARG1", arguments, argument_flags},
    {"ALPHAARG2", arguments, argument_flags},
    {"RESULTARG", arguments, NULL},
    {"TEXTURETRANSFORMFLAGS", transforms, transform_flags},
    {"ADDRESSU", addresses, NULL},
    {"ADDRESSV", addresses, NULL},
    {"ADDRESSW", addresses, NULL},
    {"MAGFILTER", filters, NULL},
    {"MINFILTER", filters, NULL},
    {"MIPFILTER", filters, NULL},
};

static const char *find(const struct value *values, uint32_t number)
{
    for (; values->name; values++)
        if (values->number == number)
            return values->name;
    return NULL;
}

static bool matches(const char *pattern, const char *name)
{
    size_t n = strlen(name), m = strlen(pattern + 1);

    if (pattern[m] == '*')
        return !strncmp(pattern, name, m);
    return *pattern == '*' ? n >= m && !strcmp(name + n - m, pattern + 1) : !strcmp(pattern, name);
}

/* The value without its flags has a name, and so does each flag. */
static bool describe(char out[STATE_NAME_BYTES], const struct value *values,
                     const struct value *flags, uint32_t number)
{
    uint32_t rest = number;
    const char *base;
    size_t n = 0;

    for (const struct value *flag = flags; flag && flag->name; flag++)
        rest &= ~flag->number;
    base = find(values, rest);
    if (!base)
        return false;
    if (rest == number || values != writes)
        n = (size_t)snprintf(out, STATE_NAME_BYTES, "%s", base);
    for (const struct value *flag = flags; flag && flag->name; flag++)
        if (number & flag->number && n < STATE_NAME_BYTES)
            n += (size_t)snprintf(out + n, STATE_NAME_BYTES - n, "%s%s", n ? "|" : "", flag->name);
    return true;
}

/* The set of coordinates, and how they are generated, if they are. */
static bool describe_coordinates(char out[STATE_NAME_BYTES], uint32_t value)
{
    const char *generator = find(generators, value & 0xffff0000u);

    if (generator)
        snprintf(out, STATE_NAME_BYTES, "%s|%u", generator, (unsigned)(value & 0xffff));
    return generator;
}

bool inspect_state_value_name(char out[STATE_NAME_BYTES], const char *state, uint32_t value)
{
    if (!strcmp(state, "TEXCOORDINDEX"))
        return describe_coordinates(out, value);
    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
        if (matches(states[i].state, state))
            return describe(out, states[i].values, states[i].flags, value);
    return false;
}

/* --- Reading values --------------------------------------------------------------------------- */

/* States whose DWORD is a floating-point number. */
static bool is_float(const char *state)
{
    static const char *const names[] = {"FOGSTART",
                                        "FOGEND",
                                        "FOGDENSITY",
                                        "POINTSIZE",
                                        "POINTSIZE_MIN",
                                        "POINTSIZE_MAX",
                                        "POINTSCALE_A",
                                        "POINTSCALE_B",
                                        "POINTSCALE_C",
                                        "TWEENFACTOR",
                                        "DEPTHBIAS",
                                        "MIPMAPLODBIAS",
                                        "ADAPTIVETESS_X",
                                        "ADAPTIVETESS_Y",
                                        "ADAPTIVETESS_Z",
                                        "ADAPTIVETESS_W",
                                        "BUMPENVLSCALE",
                                        "BUMPENVLOFFSET",
                                        "BUMPENVMAT00",
                                        "BUMPENVMAT01",
                                        "BUMPENVMAT10",
                                        "BUMPENVMAT11",
                                        "SLOPESCALEDEPTHBIAS",
                                        "MINTESSELLATIONLEVEL",
                                        "MAXTESSELLATIONLEVEL"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (!strcmp(names[i], state))
            return true;
    return false;
}

static bool parse_number(const char *state, const char *text, uint32_t *value)
{
    bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    unsigned long long number;
    char *end;

    errno = 0;
    if (is_float(state) && !is_hex) {
        float x = strtof(text, &end);

        memcpy(value, &x, sizeof(x));
        return *text && !strchr(" \t\n", *text) && !*end;
    }
    if (*text < '0' || *text > '9')
        return false;
    number = strtoull(text, &end, is_hex ? 16 : 10);
    *value = (uint32_t)number;
    return !errno && !*end && number <= UINT32_MAX;
}

/* The name of a value without the prefix of its type. */
static const char *short_name(const char *name)
{
    static const char *const prefixes[] = {"D3DTSS_TCI_", "D3DWRAP"};
    const char *low = strchr(name, '_');

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            return name + strlen(prefixes[i]);
    if (strncmp(name, "D3D", 3) != 0)
        return name;
    return low ? low + 1 : name + 3;
}

static bool find_word(const struct value *values, const char *word, size_t n, uint32_t *number)
{
    for (; values && values->name; values++) {
        const char *name = short_name(values->name);

        if ((strlen(values->name) == n && !strncasecmp(values->name, word, n)) ||
            (strlen(name) == n && !strncasecmp(name, word, n))) {
            *number = values->number;
            return true;
        }
    }
    return false;
}

/* Index of the state's row in `states`; their number: it is a number. */
static size_t row_of(const char *state)
{
    size_t i = 0, n = sizeof(states) / sizeof(states[0]);

    while (i < n && !matches(states[i].state, state))
        i++;
    return i;
}

/* "SPHEREMAP|1": flags and the number of a set of coordinates may stand beside the value. */
bool inspect_state_value_parse(const char *state, const char *text, uint32_t *value)
{
    bool coordinates = !strcmp(state, "TEXCOORDINDEX");
    size_t row = row_of(state), n;
    const struct value *values = NULL, *flags = NULL;

    if (row < sizeof(states) / sizeof(states[0])) {
        values = states[row].values;
        flags = states[row].flags;
    } else if (coordinates) {
        values = generators;
    }
    if (parse_number(state, text, value))
        return true;
    *value = 0;
    for (;; text += n + 1) {
        uint32_t part;
        char *end;

        n = strcspn(text, "|");
        if (coordinates && *text >= '0' && *text <= '9') {
            part = (uint32_t)strtoul(text, &end, 10);
            if (end != text + n || part > 0xffff)
                return false;
        } else if (!find_word(values, text, n, &part) && !find_word(flags, text, n, &part)) {
            return false;
        }
        *value |= part;
        if (!text[n])
            return true;
    }
}

static size_t list_names(char *out, size_t size, size_t used, const struct value *values)
{
    for (; values && values->name && used < size; values++)
        if (strcmp(values->name, "0") != 0)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
                                     short_name(values->name));
    return used;
}

void inspect_state_value_list(char *out, size_t size, const char *state)
{
    size_t row = row_of(state), used = 0;

    *out = 0;
    if (!strcmp(state, "TEXCOORDINDEX"))
        used = list_names(out, size, used, generators);
    if (row == sizeof(states) / sizeof(states[0]))
        return;
    used = list_names(out, size, used, states[row].values);
    list_names(out, size, used, states[row].flags);
}

const char *inspect_decl_type_name(uint32_t type)
{
    return find(types, type);
}

const char *inspect_decl_method_name(uint32_t method)
{
    return find(methods, method);
}

const char *inspect_primitive_name(uint32_t type)
{
    return find(primitives, type);
}

const char *inspect_swap_effect_name(uint32_t effect)
{
    return find(swap_effects, effect);
}
