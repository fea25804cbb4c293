/* Images that several devices have, in one process or in several, 32- and 64-bit ones alike
 * (reference: resources/shared): pixels lie in memory that the system lends out by name. */
#ifndef API_SHARED_H
#define API_SHARED_H

#include "cmd/cmd.h"

#include <windows.h>
#include <d3d9.h>

/* *handle NULL: makes an image of zeros and says its handle, which is good as long as somebody has
 * the image. Else another's, which must have been described alike: D3DERR_INVALIDCALL for what it
 * is not, E_OUTOFMEMORY. */
HRESULT api_shared_image(struct cmd_stream *stream, const struct tex_desc *desc, HANDLE *handle,
                         cmd_handle *out);

#endif
