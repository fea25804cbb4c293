/* Display adapters: one for each monitor of the desktop, the primary one first, with their modes.
 * Native builds have one adapter, whose mode never changes. */
#ifndef API_ADAPTER_DISPLAY_H
#define API_ADAPTER_DISPLAY_H

#include "api/com/com.h"

#include <stdbool.h>

UINT api_adapter_count(void);
/* Device name such as "\\.\DISPLAY1". */
const char *api_adapter_name(UINT adapter);
/* Monitor handle on Windows; native builds return a non-NULL constant. NULL: no such adapter. */
HMONITOR api_adapter_monitor(UINT adapter);
/* Rectangle of the monitor on the desktop. */
RECT api_adapter_rect(UINT adapter);

/* Current mode of the monitor; the format is always X8R8G8B8. */
void api_adapter_mode(UINT adapter, D3DDISPLAYMODE *mode);
/* Modes of the format, sorted by size, then by refresh rate; 0: no mode has the format. */
UINT api_mode_count(UINT adapter, D3DFORMAT format);
bool api_mode_at(UINT adapter, D3DFORMAT format, UINT index, D3DDISPLAYMODE *mode);
/* A format with alpha matches modes of the format without alpha. */
bool api_mode_exists(UINT adapter, UINT width, UINT height, D3DFORMAT format);

/* Sets the mode until api_restore_modes, or until another process changes it. refresh 0: any rate.
 * False: the system refuses. */
bool api_set_mode(UINT adapter, UINT width, UINT height, UINT refresh);
/* Restores the registry's modes of all monitors (reference: device/display-modes). */
void api_restore_modes(void);

#endif
