/* GDI device contexts of surfaces; Windows only. */
#ifndef API_WINDOW_GDI_H
#define API_WINDOW_GDI_H

#include "api/com/com.h"

struct surface;

/* D3DERR_INVALIDCALL for formats that GDI does not know. The surface must be lockable and not
 * locked. */
HRESULT api_gdi_get_dc(struct surface *surface, HDC *out);
HRESULT api_gdi_release_dc(struct surface *surface, HDC dc);
/* Releases an open device context, and its lock, before the surface is destroyed. */
void api_gdi_drop_dc(struct surface *surface);

#endif
