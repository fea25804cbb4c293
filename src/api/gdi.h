/* Device contexts of surfaces; Windows only. */
#ifndef API_GDI_H
#define API_GDI_H

#include "api/com.h"

struct surface;

/* INVALIDCALL for formats GDI does not know. The surface must be lockable and not locked. */
HRESULT api_gdi_get_dc(struct surface *surface, HDC *out);
HRESULT api_gdi_release_dc(struct surface *surface, HDC dc);
/* Ends a DC that is still out when the surface goes, and its lock. */
void api_gdi_drop_dc(struct surface *surface);

#endif
