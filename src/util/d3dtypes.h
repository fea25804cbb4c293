/* The data types of Direct3D 9 (enums and structs, no interfaces), for all folders below the API.
 * d3d9types.h is the system's header; a native build gets it through src/api/native/. */
#ifndef UTIL_D3DTYPES_H
#define UTIL_D3DTYPES_H

#include <windows.h>
#include <objbase.h> /* GUID, a member of two structs */

#include <d3d9types.h>
#include <d3d9caps.h>

#endif
