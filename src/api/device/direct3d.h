/* Creation of the IDirect3D9(Ex) object. */
#ifndef API_DEVICE_DIRECT3D_H
#define API_DEVICE_DIRECT3D_H

#include "api/com/com.h"

struct d3d9;

HRESULT api_d3d9_create(IDirect3D9Ex **out, bool ex);
IDirect3D9Ex *api_d3d9_iface(struct d3d9 *d3d9);
ULONG api_d3d9_addref(struct d3d9 *d3d9);
ULONG api_d3d9_release(struct d3d9 *d3d9);
bool api_d3d9_ex(const struct d3d9 *d3d9);

#endif
