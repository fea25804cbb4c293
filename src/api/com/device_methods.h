/* Prototypes of the methods of IDirect3DDevice9Ex, for the files that define them. */
#ifndef API_COM_DEVICE_METHODS_H
#define API_COM_DEVICE_METHODS_H

#include <windows.h>
#include <d3d9.h>

#define METHOD(type, name, ...) type WINAPI device_##name(IDirect3DDevice9Ex *iface, ##__VA_ARGS__);
#include "api/com/device_methods.def"
#undef METHOD

#endif
