/* Shared resources: images that several devices use, in one process or in several, 32-bit and
 * 64-bit (reference: resources/shared). Their texels lie in named shared memory of the system. */
#ifndef API_MEMORY_SHARED_H
#define API_MEMORY_SHARED_H

#include "cmd/cmd.h"

#include <windows.h>
#include <d3d9.h>

/* *handle NULL: creates a zeroed image and returns its handle, which is valid while any device has
 * the image. Otherwise opens the image, whose description must be equal. D3DERR_INVALIDCALL:
 * unknown handle or other description. E_OUTOFMEMORY: out of memory. */
HRESULT api_shared_image(struct cmd_stream *stream, const struct tex_desc *desc, HANDLE *handle,
                         cmd_handle *out);

#endif
