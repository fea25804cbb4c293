/* Which formats, usages and multisample types the adapter supports (reference:
 * device/format-checks). Tested by tests/unit/api/adapter/test_format_claims.c and
 * tests/unit/api/adapter/test_adapter.c. */
#include "api/adapter/adapter.h"

/* --- Formats ---------------------------------------------------------------------------------- */

D3DFORMAT api_without_alpha(D3DFORMAT format)
{
    return format == D3DFMT_A8R8G8B8   ? D3DFMT_X8R8G8B8
           : format == D3DFMT_A1R5G5B5 ? D3DFMT_X1R5G5B5
                                       : format;
}

const struct tex_format *api_format_get(D3DFORMAT format, struct device_kind kind)
{
    const struct tex_format *row = tex_format_get(format);

    if (row && ((row->caps & TEX_EX && !kind.ex) ||
                (row->caps & TEX_TEXT && !api_offers(FEATURE_MONOCHROME, kind)) ||
                (row->caps & TEX_FULL_SCREEN && !api_offers(FEATURE_DEEP_MODES, kind))))
        return NULL;
    return row;
}

static bool is_display_format(D3DFORMAT format, struct device_kind kind)
{
    const struct tex_format *row = api_format_get(format, kind);

    return format == D3DFMT_X1R5G5B5 || (row && row->caps & TEX_DISPLAY);
}

static bool is_deep(const struct tex_format *format)
{
    return format->channel[0].bits > 8;
}

bool api_has_modes(D3DFORMAT format, struct device_kind kind)
{
    const struct tex_format *row = api_format_get(format, kind);

    return row && row->caps & TEX_DISPLAY &&
           (!is_deep(row) || api_offers(FEATURE_DEEP_MODES, kind));
}

bool api_back_buffer_ok(D3DFORMAT format, bool windowed, struct device_kind kind)
{
    const struct tex_format *row = api_format_get(format, kind);

    return row && row->caps & TEX_BACKBUFFER && !(windowed && row->caps & TEX_FULL_SCREEN);
}

/* The format capability bits that a D3DUSAGE requires. */
static uint32_t caps_of_usage(DWORD usage)
{
    static const struct {
        DWORD usage;
        uint32_t caps;
    } table[] = {
        {D3DUSAGE_RENDERTARGET, TEX_TARGET},
        {D3DUSAGE_DEPTHSTENCIL, TEX_DEPTHSTENCIL},
        {D3DUSAGE_QUERY_FILTER, TEX_FILTER},
        {D3DUSAGE_QUERY_SRGBREAD, TEX_SRGB_READ},
        {D3DUSAGE_QUERY_SRGBWRITE, TEX_SRGB_WRITE},
        {D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING, TEX_BLEND},
        {D3DUSAGE_QUERY_VERTEXTEXTURE, TEX_VERTEX},
        {D3DUSAGE_DMAP, TEX_VERTEX}, /* reference: texture/displacement */
        {D3DUSAGE_TEXTAPI, TEX_TEXT},
    };
    uint32_t caps = 0;

    for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (usage & table[i].usage)
            caps |= table[i].caps;
    return caps;
}

bool api_image_usage_ok(DWORD usage, D3DRESOURCETYPE type, struct device_kind kind)
{
    const DWORD buffers = D3DUSAGE_WRITEONLY | D3DUSAGE_POINTS | D3DUSAGE_RTPATCHES |
                          D3DUSAGE_NPATCHES | D3DUSAGE_DONOTCLIP;
    const DWORD both = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL;

    if ((usage & D3DUSAGE_DMAP) &&
        (type != D3DRTYPE_TEXTURE || !api_offers(FEATURE_DISPLACEMENT_MAPS, kind)))
        return false;
    return !(usage & buffers) && (usage & both) != both;
}

/* Whether the device has what the name of a driver stands for (reference: device/offers). */
static bool offers_name(const struct tex_format *format, struct device_kind kind)
{
    switch ((DWORD)format->d3d) {
    case MAKEFOURCC('R', '2', 'V', 'B'):
        return api_offers(FEATURE_R2VB, kind);
    case MAKEFOURCC('S', 'S', 'A', 'A'):
        return api_offers(FEATURE_SSAA, kind);
    default:
        return true;
    }
}

static HRESULT check_surface(const struct tex_format *format, DWORD usage, struct device_kind kind)
{
    const DWORD kinds = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL;
    uint32_t needed = caps_of_usage(usage);

    if (format->caps & (TEX_NAME | TEX_NAME_TARGET)) {
        const DWORD named = format->caps & TEX_NAME ? 0 : D3DUSAGE_RENDERTARGET;

        return usage == named && offers_name(format, kind) ? D3D_OK : D3DERR_NOTAVAILABLE;
    }
    if (usage & (D3DUSAGE_DYNAMIC | D3DUSAGE_AUTOGENMIPMAP | D3DUSAGE_TEXTAPI))
        return D3DERR_NOTAVAILABLE;
    if ((usage & D3DUSAGE_QUERY_SRGBWRITE) && !(usage & D3DUSAGE_RENDERTARGET))
        return D3DERR_NOTAVAILABLE;
    if (!(usage & kinds))
        needed |= TEX_OFFSCREEN;
    return (format->caps & needed) == needed ? D3D_OK : D3DERR_NOTAVAILABLE;
}

static HRESULT check_texture(const struct tex_format *format, DWORD usage, D3DRESOURCETYPE type)
{
    const DWORD targets = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL;
    uint32_t needed = caps_of_usage(usage);
    bool null_target = format->layout == TEX_LAYOUT_RAW && type == D3DRTYPE_TEXTURE;

    if (!null_target)
        needed |= type == D3DRTYPE_TEXTURE       ? TEX_SAMPLE
                  : type == D3DRTYPE_CUBETEXTURE ? TEX_CUBE
                                                 : TEX_VOLUME;
    else if (!(usage & D3DUSAGE_RENDERTARGET))
        return D3DERR_NOTAVAILABLE;
    if (type == D3DRTYPE_VOLUMETEXTURE && (usage & (targets | D3DUSAGE_AUTOGENMIPMAP)))
        return D3DERR_NOTAVAILABLE;
    if ((usage & D3DUSAGE_DYNAMIC) && (usage & targets))
        return D3DERR_NOTAVAILABLE;
    if ((usage & D3DUSAGE_QUERY_LEGACYBUMPMAP) && format->layout != TEX_LAYOUT_SNORM)
        return D3DERR_NOTAVAILABLE;
    if ((format->caps & needed) != needed)
        return D3DERR_NOTAVAILABLE;
    if ((usage & D3DUSAGE_AUTOGENMIPMAP) &&
        (format->caps & (TEX_MIPGEN | TEX_TARGET)) != (TEX_MIPGEN | TEX_TARGET))
        return D3DOK_NOAUTOGEN;
    return D3D_OK;
}

bool api_elements_ok(DWORD usage, D3DRESOURCETYPE type, struct device_kind kind)
{
    const DWORD known =
        D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_SRGBREAD | D3DUSAGE_SOFTWAREPROCESSING;

    return type == D3DRTYPE_TEXTURE && !(usage & ~known) && api_offers(FEATURE_ELEMENTS, kind);
}

HRESULT api_check_format(D3DFORMAT adapter_format, DWORD usage, D3DRESOURCETYPE type,
                         D3DFORMAT format, struct device_kind kind)
{
    const struct tex_format *row = api_format_get(format, kind);

    if (adapter_format == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    if (type == D3DRTYPE_VERTEXBUFFER || type == D3DRTYPE_INDEXBUFFER)
        return D3DERR_INVALIDCALL;
    if ((usage & D3DUSAGE_QUERY_VERTEXTEXTURE) && api_shader_model() < 3)
        return D3DERR_NOTAVAILABLE;
    if (!is_display_format(adapter_format, kind) || !row || !api_image_usage_ok(usage, type, kind))
        return D3DERR_NOTAVAILABLE;
    if (format == D3DFMT_MULTI2_ARGB8)
        return api_elements_ok(usage, type, kind) ? D3D_OK : D3DERR_NOTAVAILABLE;
    switch (type) {
    case D3DRTYPE_SURFACE:
        return check_surface(row, usage, kind);
    case D3DRTYPE_TEXTURE:
    case D3DRTYPE_CUBETEXTURE:
    case D3DRTYPE_VOLUMETEXTURE:
        return check_texture(row, usage, type);
    default:
        return D3DERR_NOTAVAILABLE;
    }
}

HRESULT api_check_type(D3DFORMAT display, D3DFORMAT back, bool windowed, struct device_kind kind)
{
    if (!is_display_format(display, kind))
        return D3DERR_NOTAVAILABLE;
    if (windowed ? is_deep(tex_format_get(display)) : !api_has_modes(display, kind))
        return D3DERR_NOTAVAILABLE;
    if (windowed && back == D3DFMT_UNKNOWN)
        back = display;
    if (!api_back_buffer_ok(back, windowed, kind) ||
        api_check_format(display, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, back, kind) != D3D_OK)
        return D3DERR_NOTAVAILABLE;
    if (windowed)
        return api_check_conversion(back, display, kind);
    return api_without_alpha(back) == display ? D3D_OK : D3DERR_NOTAVAILABLE;
}

HRESULT api_check_depth_match(D3DFORMAT adapter_format, D3DFORMAT target, D3DFORMAT depth,
                              struct device_kind kind)
{
    const struct tex_format *t = api_format_get(target, kind), *z = api_format_get(depth, kind);

    if (adapter_format == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    if (!is_display_format(adapter_format, kind) || !t || !z || !(t->caps & TEX_TARGET) ||
        !(z->caps & TEX_DEPTHSTENCIL))
        return D3DERR_NOTAVAILABLE;
    return D3D_OK;
}

/* Every format converts to itself. Otherwise a readable format converts to a displayable one that
 * has red, green and blue (reference: device/format-conversion). */
HRESULT api_check_conversion(D3DFORMAT from, D3DFORMAT to, struct device_kind kind)
{
    const struct tex_format *src = api_format_get(from, kind), *dst = api_format_get(to, kind);

    if (from == to)
        return D3D_OK;
    if (!src || !dst || !(dst->caps & TEX_TARGET) || !dst->channel[2].bits ||
        !(src->caps & (TEX_OFFSCREEN | TEX_TARGET)) || src->layout == TEX_LAYOUT_BLOCK ||
        src->layout == TEX_LAYOUT_DEPTH || src->layout == TEX_LAYOUT_RAW ||
        src->layout == TEX_LAYOUT_PALETTE)
        return D3DERR_NOTAVAILABLE;
    return D3D_OK;
}

/* --- Multisampling ---------------------------------------------------------------------------- */

/* The samples of each quality of a multisample type (reference: multisample/types). All devices
 * have the first `levels` qualities, those with `feature` have `all`. */
static const struct sample_type {
    uint8_t levels, all;
    enum api_feature feature;
    uint8_t samples[5];
} sample_types[D3DMULTISAMPLE_16_SAMPLES + 1] = {
    [D3DMULTISAMPLE_NONE] = {1, 1, FEATURE_SAMPLES_16, {1}},
    [D3DMULTISAMPLE_NONMASKABLE] = {3, 4, FEATURE_SAMPLES_16, {2, 4, 8, 16}},
    [D3DMULTISAMPLE_2_SAMPLES] = {1, 1, FEATURE_COVERAGE_SAMPLES, {2}},
    [D3DMULTISAMPLE_4_SAMPLES] = {1, 5, FEATURE_COVERAGE_SAMPLES, {4, 4, 8, 8, 16}},
    [D3DMULTISAMPLE_8_SAMPLES] = {1, 3, FEATURE_COVERAGE_SAMPLES, {8, 8, 16}},
    [D3DMULTISAMPLE_16_SAMPLES] = {0, 1, FEATURE_SAMPLES_16, {16}},
};

/* Render targets and depth buffers may be multisampled, except lockable and sampleable depth
 * formats, and formats of full-screen swap chains alone (reference: format/xr-bias). */
static bool supports_multisampling(const struct tex_format *format)
{
    if (format->caps & TEX_DEPTHSTENCIL)
        return !(format->caps & TEX_LOCKABLE) && (unsigned)format->d3d <= UINT8_MAX;
    return (format->caps & (TEX_TARGET | TEX_FULL_SCREEN)) == TEX_TARGET;
}

/* Number of quality levels of a multisample type; 0: unsupported. */
static DWORD quality_levels(const struct tex_format *format, D3DMULTISAMPLE_TYPE type,
                            struct device_kind kind)
{
    const struct sample_type *of = &sample_types[type];

    if (type != D3DMULTISAMPLE_NONE && (!format || !supports_multisampling(format)))
        return 0;
    return api_offers(of->feature, kind) ? of->all : of->levels;
}

uint32_t api_sample_count(D3DMULTISAMPLE_TYPE type, DWORD quality)
{
    const struct sample_type *of = &sample_types[type];

    return type != D3DMULTISAMPLE_NONE && quality < of->all ? of->samples[quality] : 1;
}

HRESULT api_check_multisample(D3DFORMAT format, D3DMULTISAMPLE_TYPE type, DWORD *levels,
                              struct device_kind kind)
{
    DWORD n;

    if (format == D3DFMT_UNKNOWN || (unsigned)type > D3DMULTISAMPLE_16_SAMPLES)
        return D3DERR_INVALIDCALL;
    n = quality_levels(api_format_get(format, kind), type, kind);
    if (levels)
        *levels = n ? n : 1;
    return n ? D3D_OK : D3DERR_NOTAVAILABLE;
}

bool api_multisample_ok(D3DFORMAT format, D3DMULTISAMPLE_TYPE type, DWORD quality,
                        struct device_kind kind)
{
    if (type == D3DMULTISAMPLE_NONE) /* has no quality levels to validate */
        return true;
    return (unsigned)type <= D3DMULTISAMPLE_16_SAMPLES &&
           quality < quality_levels(api_format_get(format, kind), type, kind);
}
