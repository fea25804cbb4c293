/* Queries of formats, usages and multisample types that every adapter answers alike. */
#ifndef API_ADAPTER_CAPS_H
#define API_ADAPTER_CAPS_H

#include "api/com/com.h"

void api_caps_fill(D3DCAPS9 *caps, D3DDEVTYPE type, bool software_vertices, bool ex);
bool api_display_format(D3DFORMAT format);
/* The format of the display mode that shows a back buffer of the given format. */
D3DFORMAT api_without_alpha(D3DFORMAT format);

/* Description of a format; NULL: unknown, or known to Ex devices alone. */
const struct tex_format *api_format_get(D3DFORMAT format, bool ex);
/* Whether images may have this combination of usages (reference: device/format-usages). */
bool api_image_usage_ok(DWORD usage);
HRESULT api_check_format(D3DFORMAT adapter_format, DWORD usage, D3DRESOURCETYPE type,
                         D3DFORMAT format, bool ex);
HRESULT api_check_type(D3DFORMAT display, D3DFORMAT back, bool windowed, bool ex);
HRESULT api_check_multisample(D3DFORMAT format, D3DMULTISAMPLE_TYPE type, DWORD *levels);
HRESULT api_check_depth_match(D3DFORMAT adapter_format, D3DFORMAT target, D3DFORMAT depth, bool ex);
HRESULT api_check_conversion(D3DFORMAT from, D3DFORMAT to);
/* Whether the format supports the multisample type, and the quality is below its number of
 * levels. */
bool api_multisample_ok(D3DFORMAT format, D3DMULTISAMPLE_TYPE type, DWORD quality);
/* Number of samples of such a surface; 1: not multisampled. */
uint32_t api_sample_count(D3DMULTISAMPLE_TYPE type, DWORD quality);

#endif
