/* The door of the API for the tools that replay: what they need besides Direct3D's own interfaces.
 */
#ifndef API_API_H
#define API_API_H

#define COBJMACROS
#include <windows.h>
#include <d3d9.h>

#include "cmd/cmd.h"
#include "draw/draw.h"

/* How the settings want renderers to be. */
struct draw_options api_draw_options(void);
/* The stream of the surface's device, and where in it the surface is. */
const struct cmd_stream *api_surface_place(IDirect3DSurface9 *surface, struct cmd_surface *out);

#endif
