/* Interface of the replayer for compiled streams: the picture of a moment. trace/trace.h declares
 * what other folders use. */
#ifndef TRACE_REPLAY_REPLAY_H
#define TRACE_REPLAY_REPLAY_H

#define COBJMACROS
#include <windows.h>
#include <d3d9.h>

#include "tex/format.h"
#include "trace/trace.h"

/* Returns the surface that the current moment shows: back buffer 0 of the swap chain being
 * presented, else render target 0. NULL if there is none, or for D3DFMT_NULL. The caller releases
 * it. */
IDirect3DSurface9 *replay_moment_surface(const struct replay *r, D3DSURFACE_DESC *desc);
/* Takes the picture of a surface, whose reference it releases: resolves it and copies it to memory. */
MUST_CHECK enum status replay_read_surface(IDirect3DDevice9 *device, IDirect3DSurface9 *surface,
                                           struct replay_picture *out);
/* Converts rows of pixels to an RGBA picture; format may be NULL. */
MUST_CHECK enum status replay_convert_picture(const struct tex_format *format, uint32_t width,
                                              uint32_t height, const uint8_t *rows, size_t pitch,
                                              struct replay_picture *out);

#endif
