/* The plain-data half of Direct3D 9 (enums, structs, no interfaces), for all folders below the API.
 * d3d9types.h is the system's own header; a native build sees it through src/api/native/. */
#ifndef UTIL_D3DTYPES_H
#define UTIL_D3DTYPES_H

#include <windows.h>
#include <objbase.h> /* GUID, which two structs hold */

#include <d3d9types.h>
#include <d3d9caps.h>

#endif
