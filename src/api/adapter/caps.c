/* The adapter's D3DCAPS9, display modes and format support. A claimed capability always works.
 * Tested by tests/unit/api/adapter/test_adapter.c and tests/unit/api/adapter/test_format_claims.c.
 */
#include "api/adapter/adapter.h"

#include "raster/raster.h"
#include "tex/tex.h"
#include "vm/vm.h"

#include <float.h>
#include <string.h>

enum { MAX_TEXTURE = TEX_MAX_SIZE, MAX_VOLUME = 2048 };

/* --- D3DCAPS9 --------------------------------------------------------------------------------- */

static void fill_raster(D3DCAPS9 *caps)
{
    const DWORD compares = D3DPCMPCAPS_NEVER | D3DPCMPCAPS_LESS | D3DPCMPCAPS_EQUAL |
                           D3DPCMPCAPS_LESSEQUAL | D3DPCMPCAPS_GREATER | D3DPCMPCAPS_NOTEQUAL |
                           D3DPCMPCAPS_GREATEREQUAL | D3DPCMPCAPS_ALWAYS;
    const DWORD blends =
        D3DPBLENDCAPS_ZERO | D3DPBLENDCAPS_ONE | D3DPBLENDCAPS_SRCCOLOR |
        D3DPBLENDCAPS_INVSRCCOLOR | D3DPBLENDCAPS_SRCALPHA | D3DPBLENDCAPS_INVSRCALPHA |
        D3DPBLENDCAPS_DESTALPHA | D3DPBLENDCAPS_INVDESTALPHA | D3DPBLENDCAPS_DESTCOLOR |
        D3DPBLENDCAPS_INVDESTCOLOR | D3DPBLENDCAPS_SRCALPHASAT | D3DPBLENDCAPS_BOTHSRCALPHA |
        D3DPBLENDCAPS_BOTHINVSRCALPHA | D3DPBLENDCAPS_BLENDFACTOR;

    caps->PrimitiveMiscCaps =
        D3DPMISCCAPS_MASKZ | D3DPMISCCAPS_CULLNONE | D3DPMISCCAPS_CULLCW | D3DPMISCCAPS_CULLCCW |
        D3DPMISCCAPS_COLORWRITEENABLE | D3DPMISCCAPS_CLIPPLANESCALEDPOINTS |
        D3DPMISCCAPS_CLIPTLVERTS | D3DPMISCCAPS_TSSARGTEMP | D3DPMISCCAPS_BLENDOP |
        D3DPMISCCAPS_INDEPENDENTWRITEMASKS | D3DPMISCCAPS_PERSTAGECONSTANT |
        D3DPMISCCAPS_FOGANDSPECULARALPHA | D3DPMISCCAPS_SEPARATEALPHABLEND |
        D3DPMISCCAPS_MRTINDEPENDENTBITDEPTHS | D3DPMISCCAPS_MRTPOSTPIXELSHADERBLENDING |
        D3DPMISCCAPS_FOGVERTEXCLAMPED | D3DPMISCCAPS_POSTBLENDSRGBCONVERT;
    caps->RasterCaps = D3DPRASTERCAPS_ZTEST | D3DPRASTERCAPS_FOGVERTEX | D3DPRASTERCAPS_FOGTABLE |
                       D3DPRASTERCAPS_MIPMAPLODBIAS | D3DPRASTERCAPS_FOGRANGE |
                       D3DPRASTERCAPS_ANISOTROPY | D3DPRASTERCAPS_WFOG | D3DPRASTERCAPS_ZFOG |
                       D3DPRASTERCAPS_COLORPERSPECTIVE | D3DPRASTERCAPS_SCISSORTEST |
                       D3DPRASTERCAPS_SLOPESCALEDEPTHBIAS | D3DPRASTERCAPS_DEPTHBIAS;
    caps->ZCmpCaps = caps->AlphaCmpCaps = compares;
    caps->SrcBlendCaps = caps->DestBlendCaps = blends;
    caps->ShadeCaps = D3DPSHADECAPS_COLORGOURAUDRGB | D3DPSHADECAPS_SPECULARGOURAUDRGB |
                      D3DPSHADECAPS_ALPHAGOURAUDBLEND | D3DPSHADECAPS_FOGGOURAUD;
    caps->LineCaps = D3DLINECAPS_TEXTURE | D3DLINECAPS_ZTEST | D3DLINECAPS_BLEND |
                     D3DLINECAPS_ALPHACMP | D3DLINECAPS_FOG;
    caps->StencilCaps = D3DSTENCILCAPS_KEEP | D3DSTENCILCAPS_ZERO | D3DSTENCILCAPS_REPLACE |
                        D3DSTENCILCAPS_INCRSAT | D3DSTENCILCAPS_DECRSAT | D3DSTENCILCAPS_INVERT |
                        D3DSTENCILCAPS_INCR | D3DSTENCILCAPS_DECR | D3DSTENCILCAPS_TWOSIDED;
}

static void fill_textures(D3DCAPS9 *caps)
{
    const DWORD filters = D3DPTFILTERCAPS_MINFPOINT | D3DPTFILTERCAPS_MINFLINEAR |
                          D3DPTFILTERCAPS_MIPFPOINT | D3DPTFILTERCAPS_MIPFLINEAR |
                          D3DPTFILTERCAPS_MAGFPOINT | D3DPTFILTERCAPS_MAGFLINEAR;

    caps->TextureCaps = D3DPTEXTURECAPS_PERSPECTIVE | D3DPTEXTURECAPS_ALPHA |
                        D3DPTEXTURECAPS_ALPHAPALETTE | D3DPTEXTURECAPS_TEXREPEATNOTSCALEDBYSIZE |
                        D3DPTEXTURECAPS_PROJECTED | D3DPTEXTURECAPS_CUBEMAP |
                        D3DPTEXTURECAPS_VOLUMEMAP | D3DPTEXTURECAPS_MIPMAP |
                        D3DPTEXTURECAPS_MIPVOLUMEMAP | D3DPTEXTURECAPS_MIPCUBEMAP;
    caps->TextureFilterCaps =
        filters | D3DPTFILTERCAPS_MINFANISOTROPIC | D3DPTFILTERCAPS_MAGFANISOTROPIC;
    caps->CubeTextureFilterCaps = caps->VolumeTextureFilterCaps = caps->TextureFilterCaps;
    caps->VertexTextureFilterCaps = filters;
    caps->StretchRectFilterCaps = D3DPTFILTERCAPS_MINFPOINT | D3DPTFILTERCAPS_MINFLINEAR |
                                  D3DPTFILTERCAPS_MAGFPOINT | D3DPTFILTERCAPS_MAGFLINEAR;
    caps->TextureAddressCaps = caps->VolumeTextureAddressCaps =
        D3DPTADDRESSCAPS_WRAP | D3DPTADDRESSCAPS_MIRROR | D3DPTADDRESSCAPS_CLAMP |
        D3DPTADDRESSCAPS_BORDER | D3DPTADDRESSCAPS_INDEPENDENTUV | D3DPTADDRESSCAPS_MIRRORONCE;
    caps->MaxTextureWidth = caps->MaxTextureHeight = MAX_TEXTURE;
    caps->MaxVolumeExtent = MAX_VOLUME;
    caps->MaxTextureRepeat = 8192;
    caps->MaxTextureAspectRatio = MAX_TEXTURE;
    caps->MaxAnisotropy = 16;
    caps->MaxTextureBlendStages = 8;
    caps->MaxSimultaneousTextures = 8;
    caps->TextureOpCaps = (1u << 26) - 1; /* all 26 operations, D3DTOP_DISABLE to D3DTOP_LERP */
}

static void fill_vertices(D3DCAPS9 *caps)
{
    caps->VertexProcessingCaps =
        D3DVTXPCAPS_TEXGEN | D3DVTXPCAPS_MATERIALSOURCE7 | D3DVTXPCAPS_DIRECTIONALLIGHTS |
        D3DVTXPCAPS_POSITIONALLIGHTS | D3DVTXPCAPS_LOCALVIEWER | D3DVTXPCAPS_TWEENING |
        D3DVTXPCAPS_TEXGEN_SPHEREMAP | D3DVTXPCAPS_NO_TEXGEN_NONLOCALVIEWER;
    caps->FVFCaps = 8 | D3DFVFCAPS_PSIZE;
    caps->MaxActiveLights = 8;
    caps->MaxUserClipPlanes = 6;
    caps->MaxVertexBlendMatrices = 4;
    caps->MaxVertexBlendMatrixIndex = 255;
    caps->MaxPointSize = RASTER_MAX_POINT_SIZE;
    caps->MaxPrimitiveCount = 0x555555;
    caps->MaxVertexIndex = 0xffffff;
    caps->MaxStreams = 16;
    caps->MaxStreamStride = 1024;
    caps->MaxVertexW = 1e10f;
    caps->GuardBandLeft = caps->GuardBandTop = -32768.0f;
    caps->GuardBandRight = caps->GuardBandBottom = 32768.0f;
    caps->DeclTypes = D3DDTCAPS_UBYTE4 | D3DDTCAPS_UBYTE4N | D3DDTCAPS_SHORT2N | D3DDTCAPS_SHORT4N |
                      D3DDTCAPS_USHORT2N | D3DDTCAPS_USHORT4N | D3DDTCAPS_UDEC3 | D3DDTCAPS_DEC3N |
                      D3DDTCAPS_FLOAT16_2 | D3DDTCAPS_FLOAT16_4;
}

static void fill_shaders(D3DCAPS9 *caps, bool software)
{
    caps->VertexShaderVersion = D3DVS_VERSION(3, 0);
    caps->MaxVertexShaderConst = software ? VM_SOFTWARE_CONSTANTS : VM_VS_CONSTANTS;
    caps->PixelShaderVersion = D3DPS_VERSION(3, 0);
    caps->PixelShader1xMaxValue = FLT_MAX; /* reference: shader/ps1-range */
    caps->VS20Caps.Caps = D3DVS20CAPS_PREDICATION;
    caps->VS20Caps.DynamicFlowControlDepth = VM_DYNAMIC_DEPTH;
    caps->VS20Caps.NumTemps = VM_TEMPS;
    caps->VS20Caps.StaticFlowControlDepth = VM_STATIC_DEPTH;
    caps->PS20Caps.Caps = D3DPS20CAPS_ARBITRARYSWIZZLE | D3DPS20CAPS_GRADIENTINSTRUCTIONS |
                          D3DPS20CAPS_PREDICATION | D3DPS20CAPS_NODEPENDENTREADLIMIT |
                          D3DPS20CAPS_NOTEXINSTRUCTIONLIMIT;
    caps->PS20Caps.DynamicFlowControlDepth = VM_DYNAMIC_DEPTH;
    caps->PS20Caps.NumTemps = VM_TEMPS;
    caps->PS20Caps.StaticFlowControlDepth = VM_STATIC_DEPTH;
    caps->PS20Caps.NumInstructionSlots = VM_PS_2_X_SLOTS;
    caps->MaxVShaderInstructionsExecuted = 65535;
    caps->MaxPShaderInstructionsExecuted = 65535;
    caps->MaxVertexShader30InstructionSlots = VM_SLOTS_3_0;
    caps->MaxPixelShader30InstructionSlots = VM_SLOTS_3_0;
    caps->NumSimultaneousRTs = 4;
}

void api_caps_fill(D3DCAPS9 *caps, D3DDEVTYPE type, bool software_vertices, bool ex)
{
    memset(caps, 0, sizeof(*caps));
    caps->DeviceType = type;
    caps->Caps = D3DCAPS_READ_SCANLINE;
    caps->Caps2 = D3DCAPS2_FULLSCREENGAMMA | D3DCAPS2_DYNAMICTEXTURES | D3DCAPS2_CANAUTOGENMIPMAP |
                  (ex ? D3DCAPS2_CANSHARERESOURCE : D3DCAPS2_CANMANAGERESOURCE);
    caps->Caps3 = D3DCAPS3_COPY_TO_VIDMEM | D3DCAPS3_COPY_TO_SYSTEMMEM |
                  D3DCAPS3_ALPHA_FULLSCREEN_FLIP_OR_DISCARD;
    caps->PresentationIntervals = D3DPRESENT_INTERVAL_ONE | D3DPRESENT_INTERVAL_TWO |
                                  D3DPRESENT_INTERVAL_THREE | D3DPRESENT_INTERVAL_FOUR |
                                  D3DPRESENT_INTERVAL_IMMEDIATE;
    caps->CursorCaps = D3DCURSORCAPS_COLOR;
    caps->DevCaps = D3DDEVCAPS_EXECUTESYSTEMMEMORY | D3DDEVCAPS_EXECUTEVIDEOMEMORY |
                    D3DDEVCAPS_TLVERTEXSYSTEMMEMORY | D3DDEVCAPS_TLVERTEXVIDEOMEMORY |
                    D3DDEVCAPS_TEXTURESYSTEMMEMORY | D3DDEVCAPS_TEXTUREVIDEOMEMORY |
                    D3DDEVCAPS_DRAWPRIMTLVERTEX | D3DDEVCAPS_CANRENDERAFTERFLIP |
                    D3DDEVCAPS_DRAWPRIMITIVES2 | D3DDEVCAPS_DRAWPRIMITIVES2EX |
                    D3DDEVCAPS_HWTRANSFORMANDLIGHT | D3DDEVCAPS_HWRASTERIZATION |
                    D3DDEVCAPS_PUREDEVICE;
    caps->DevCaps2 = D3DDEVCAPS2_STREAMOFFSET | D3DDEVCAPS2_CAN_STRETCHRECT_FROM_TEXTURES |
                     D3DDEVCAPS2_VERTEXELEMENTSCANSHARESTREAMOFFSET;
    fill_raster(caps);
    fill_textures(caps);
    fill_vertices(caps);
    fill_shaders(caps, software_vertices);
    caps->NumberOfAdaptersInGroup = 1;
    api_limit_caps(caps, software_vertices);
}

/* --- Formats ---------------------------------------------------------------------------------- */

static bool known(D3DFORMAT format, uint32_t caps)
{
    const struct tex_format *row = tex_format_get(format);

    return row && (row->caps & caps) == caps;
}

D3DFORMAT api_without_alpha(D3DFORMAT format)
{
    return format == D3DFMT_A8R8G8B8   ? D3DFMT_X8R8G8B8
           : format == D3DFMT_A1R5G5B5 ? D3DFMT_X1R5G5B5
                                       : format;
}

bool api_display_format(D3DFORMAT format)
{
    return format == D3DFMT_R5G6B5 || format == D3DFMT_X1R5G5B5 || format == D3DFMT_X8R8G8B8 ||
           format == D3DFMT_A2R10G10B10;
}

const struct tex_format *api_format_get(D3DFORMAT format, bool ex)
{
    const struct tex_format *row = tex_format_get(format);

    return row && (row->caps & TEX_EX) && !ex ? NULL : row;
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
    };
    uint32_t caps = 0;

    for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (usage & table[i].usage)
            caps |= table[i].caps;
    return caps;
}

bool api_image_usage_ok(DWORD usage)
{
    const DWORD buffers = D3DUSAGE_WRITEONLY | D3DUSAGE_POINTS | D3DUSAGE_RTPATCHES |
                          D3DUSAGE_NPATCHES | D3DUSAGE_DONOTCLIP | D3DUSAGE_DMAP;
    const DWORD both = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL;

    return !(usage & buffers) && (usage & both) != both;
}

static HRESULT check_surface(const struct tex_format *format, DWORD usage)
{
    const DWORD kinds = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL;
    uint32_t needed = caps_of_usage(usage);

    if (format->caps & (TEX_NAME | TEX_NAME_TARGET)) {
        const DWORD named = format->caps & TEX_NAME ? 0 : D3DUSAGE_RENDERTARGET;

        return usage == named ? D3D_OK : D3DERR_NOTAVAILABLE;
    }
    if (usage & (D3DUSAGE_DYNAMIC | D3DUSAGE_AUTOGENMIPMAP))
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
    if ((usage & D3DUSAGE_DYNAMIC) && (usage & (targets | D3DUSAGE_AUTOGENMIPMAP)))
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

HRESULT api_check_format(D3DFORMAT adapter_format, DWORD usage, D3DRESOURCETYPE type,
                         D3DFORMAT format, bool ex)
{
    const struct tex_format *row = api_format_get(format, ex);

    if (adapter_format == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    if (type == D3DRTYPE_VERTEXBUFFER || type == D3DRTYPE_INDEXBUFFER)
        return D3DERR_INVALIDCALL;
    if ((usage & D3DUSAGE_QUERY_VERTEXTEXTURE) && api_shader_model() < 3)
        return D3DERR_NOTAVAILABLE;
    if (!api_display_format(adapter_format) || !row || !api_image_usage_ok(usage))
        return D3DERR_NOTAVAILABLE;
    switch (type) {
    case D3DRTYPE_SURFACE:
        return check_surface(row, usage);
    case D3DRTYPE_TEXTURE:
    case D3DRTYPE_CUBETEXTURE:
    case D3DRTYPE_VOLUMETEXTURE:
        return check_texture(row, usage, type);
    default:
        return D3DERR_NOTAVAILABLE;
    }
}

HRESULT api_check_type(D3DFORMAT display, D3DFORMAT back, bool windowed, bool ex)
{
    if (!api_display_format(display))
        return D3DERR_NOTAVAILABLE;
    if (windowed ? display == D3DFMT_A2R10G10B10 : !known(display, TEX_DISPLAY))
        return D3DERR_NOTAVAILABLE;
    if (windowed && back == D3DFMT_UNKNOWN)
        back = display;
    if (!known(back, TEX_BACKBUFFER) ||
        api_check_format(display, D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, back, ex) != D3D_OK)
        return D3DERR_NOTAVAILABLE;
    if (windowed)
        return api_check_conversion(back, display);
    return api_without_alpha(back) == display ? D3D_OK : D3DERR_NOTAVAILABLE;
}

HRESULT api_check_depth_match(D3DFORMAT adapter_format, D3DFORMAT target, D3DFORMAT depth, bool ex)
{
    const struct tex_format *t = api_format_get(target, ex), *z = api_format_get(depth, ex);

    if (adapter_format == D3DFMT_UNKNOWN)
        return D3DERR_INVALIDCALL;
    if (!api_display_format(adapter_format) || !t || !z || !(t->caps & TEX_TARGET) ||
        !(z->caps & TEX_DEPTHSTENCIL))
        return D3DERR_NOTAVAILABLE;
    return D3D_OK;
}

/* Every format converts to itself. Otherwise a readable format converts to a displayable one that
 * has red, green and blue (reference: device/format-conversion). */
HRESULT api_check_conversion(D3DFORMAT from, D3DFORMAT to)
{
    const struct tex_format *src = tex_format_get(from), *dst = tex_format_get(to);

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

/* Sample counts of render targets and depth buffers (reference: multisample/types). */
static const uint8_t sample_counts[] = {1, 2, 4, 8};
enum { SAMPLE_COUNTS = sizeof(sample_counts) / sizeof(sample_counts[0]) };

/* Render targets and depth buffers may be multisampled, except lockable and sampleable depth
 * formats. */
static bool supports_multisampling(const struct tex_format *format)
{
    if (format->caps & TEX_DEPTHSTENCIL)
        return !(format->caps & TEX_LOCKABLE) && (unsigned)format->d3d <= UINT8_MAX;
    return (format->caps & TEX_TARGET) != 0;
}

/* Number of quality levels of a multisample type; 0: unsupported. The levels of
 * D3DMULTISAMPLE_NONMASKABLE are the counts above 1, in ascending order. */
static DWORD quality_levels(const struct tex_format *format, D3DMULTISAMPLE_TYPE type)
{
    if (type == D3DMULTISAMPLE_NONE)
        return 1;
    if (!format || !supports_multisampling(format))
        return 0;
    if (type == D3DMULTISAMPLE_NONMASKABLE)
        return SAMPLE_COUNTS - 1;
    for (unsigned i = 1; i < SAMPLE_COUNTS; i++)
        if (sample_counts[i] == (unsigned)type)
            return 1;
    return 0;
}

uint32_t api_sample_count(D3DMULTISAMPLE_TYPE type, DWORD quality)
{
    if (type == D3DMULTISAMPLE_NONE)
        return 1;
    if (type == D3DMULTISAMPLE_NONMASKABLE)
        return quality + 1 < SAMPLE_COUNTS ? sample_counts[quality + 1] : 1;
    return (uint32_t)type;
}

HRESULT api_check_multisample(D3DFORMAT format, D3DMULTISAMPLE_TYPE type, DWORD *levels)
{
    DWORD n;

    if (format == D3DFMT_UNKNOWN || (unsigned)type > D3DMULTISAMPLE_16_SAMPLES)
        return D3DERR_INVALIDCALL;
    n = quality_levels(tex_format_get(format), type);
    if (levels)
        *levels = n ? n : 1;
    return n ? D3D_OK : D3DERR_NOTAVAILABLE;
}

bool api_multisample_ok(D3DFORMAT format, D3DMULTISAMPLE_TYPE type, DWORD quality)
{
    if (type == D3DMULTISAMPLE_NONE) /* has no quality levels to validate */
        return true;
    return (unsigned)type <= D3DMULTISAMPLE_16_SAMPLES &&
           quality < quality_levels(tex_format_get(format), type);
}
