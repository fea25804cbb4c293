/* The adapter's D3DCAPS9. A claimed capability always works.
 * Tested by tests/unit/api/adapter/test_adapter.c and tests/unit/api/object/test_shader.c. */
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
                     D3DLINECAPS_ALPHACMP | D3DLINECAPS_FOG | D3DLINECAPS_ANTIALIAS;
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
    caps->MaxUserClipPlanes = 8;
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
    if (ex && api_offers(FEATURE_MONOCHROME, api_device_kind(type, ex)))
        caps->TextureFilterCaps |= D3DPTFILTERCAPS_CONVOLUTIONMONO;
    caps->NumberOfAdaptersInGroup = 1;
    api_feature_caps(caps, api_device_kind(type, ex));
    api_limit_caps(caps, software_vertices);
}
