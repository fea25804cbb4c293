/* What every adapter offers. */
#ifndef API_CAPS_H
#define API_CAPS_H

#include "api/com.h"

void api_caps_fill(D3DCAPS9 *caps, D3DDEVTYPE type, bool software_vertices, bool ex);
bool api_display_format(D3DFORMAT format);
/* Of the display's mode in which a back buffer of that format is shown. */
D3DFORMAT api_without_alpha(D3DFORMAT format);

/* The row of a format; NULL for one that is not known, or not without Ex. */
const struct tex_format *api_format_get(D3DFORMAT format, bool ex);
/* Whether images may have these usages at all (reference: device/format-usages). */
bool api_image_usage_ok(DWORD usage);
HRESULT api_check_format(D3DFORMAT adapter_format, DWORD usage, D3DRESOURCETYPE type,
                         D3DFORMAT format, bool ex);
HRESULT api_check_type(D3DFORMAT display, D3DFORMAT back, bool windowed, bool ex);
HRESULT api_check_multisample(D3DFORMAT format, D3DMULTISAMPLE_TYPE type, DWORD *levels);
HRESULT api_check_depth_match(D3DFORMAT adapter_format, D3DFORMAT target, D3DFORMAT depth, bool ex);
HRESULT api_check_conversion(D3DFORMAT from, D3DFORMAT to);
/* Whether surfaces may be made so: a type that is offered, a quality below its levels. */
bool api_multisample_ok(D3DFORMAT format, D3DMULTISAMPLE_TYPE type, DWORD quality);
/* How many samples such a surface has: 1 for none. */
uint32_t api_sample_count(D3DMULTISAMPLE_TYPE type, DWORD quality);

#endif
